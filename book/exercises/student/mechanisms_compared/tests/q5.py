from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../mechanisms_compared.ipynb#n-stories-are-n-lottery-tickets'>N stories are N lottery tickets</a>.",
)
def test_few_guesses(luckiest):
    for u, k, right, mistakes in [
        (
            3,
            2,
            0.46875,
            {
                1.96875: "that is how many are right; subtract u/2",
                0.3125: "that is a share of u/2; guesses are asked for",
                0.15625: "that is a share of u; guesses are asked for",
                -0.515625: "what the luckiest has right can be more than 0, more than 1 and more than 2: there are three terms, the first for c = 0",
                -0.46875: "that is the unluckiest",
                0.75: "that is the distance of one file from u/2",
            },
        ),
        (
            2,
            3,
            0.5625,
            {
                1.5625: "that is how many are right; subtract u/2",
                -0.5625: "that is the unluckiest",
            },
        ),
    ]:
        mine = luckiest(u, k)
        assert mine is not None, (
            f"luckiest({u}, {k}) should be {right}, you return None"
        )
        why = [
            words
            for wrong, words in mistakes.items()
            if abs(mine - wrong) < 1e-09
        ]
        bound = (u * [0, 0, 0.693147, 1.098612][k] / 2) ** 0.5
        if abs(mine - bound) < 0.001:
            why.append("that is a bound; the exact mean is asked for")
        assert abs(mine - right) < 1e-09, (
            f"luckiest({u}, {k}) should be {right}, you return {mine}"
            + "".join(f": {words}" for words in why)
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../mechanisms_compared.ipynb#n-stories-are-n-lottery-tickets'>N stories are N lottery tickets</a>.",
)
def test_many_guesses(luckiest):
    right = 18.922311233753003
    why = "2**-2000 is 0 as a float, so divide whole numbers"
    try:
        mine = luckiest(2000, 3)
    except OverflowError:
        mine = float("inf")
        why = "a number is too large for a float, so divide whole numbers"
    assert mine is not None, (
        f"luckiest(2000, 3) should be {right}, you return None"
    )
    lost = mine in (-1000, 1000, float("inf"))
    assert abs(mine - right) < 1e-09, (
        f"luckiest(2000, 3) should be {right}, you return {mine}"
        + (f": {why}" if lost else "")
    )
