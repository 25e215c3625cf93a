from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 2
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../silent_board.ipynb#a-file-right-above-a-border-is-a-test'>A file right above a border is a test</a>.",
)
def test_short_blocks(first_wrong):
    for b, parts, of, mistakes in [
        (
            3,
            3,
            4,
            {
                1 / 2: "it is a coin only before the board has answered",
                3
                / 8: "that is the chance that it was wrong and the board moved; the board has moved, so divide by the chance of a move",
                2
                / 3: "that is for two wrong guesses of three, but all three can be wrong",
                1 / 4: "that is the chance that it was right",
                11
                / 16: "only the other b - 1 guesses can leave the decision to the first",
            },
        ),
        (
            5,
            11,
            16,
            {
                11
                / 32: "that is the chance that it was wrong and the board moved; the board has moved, so divide by the chance of a move",
                3
                / 5: "that is for three wrong guesses of five, but more can be wrong",
                5 / 16: "that is the chance that it was right",
                21
                / 32: "only the other b - 1 guesses can leave the decision to the first",
            },
        ),
    ]:
        mine = first_wrong(b)
        assert mine is not None, (
            f"first_wrong({b}) should be {parts}/{of}, you return None"
        )
        why = [
            words
            for wrong, words in mistakes.items()
            if abs(mine - wrong) < 1e-09
        ]
        assert mine == parts / of, (
            f"first_wrong({b}) should be {parts}/{of}, you return {mine}"
            + "".join(f": {words}" for words in why)
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../silent_board.ipynb#a-file-right-above-a-border-is-a-test'>A file right above a border is a test</a>.",
)
def test_exactly(first_wrong):
    ways = 1
    for i in range(1, 51):
        ways = ways * (50 + i) // i
    right = (2**100 + ways) / 2**101
    mine = first_wrong(101)
    assert mine is not None, (
        "first_wrong(101) should be a Fraction, you return None"
    )
    close = abs(mine - right) < 1e-12
    assert mine * 2**101 == 2**100 + ways, (
        "first_wrong(101) is right to twelve digits but not exact: a float has 53 bits, so count in whole numbers and make the quotient a Fraction"
        if close
        else f"first_wrong(101) should be about {right:.6f}, you return about {float(mine):.6f}"
    )
