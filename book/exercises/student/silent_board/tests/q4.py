from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../silent_board.ipynb#she-begins-bad-on-purpose'>She begins bad on purpose</a>.",
)
def test_eight_guesses(tests_gain):
    for u, k, right, mistakes in [
        (
            8,
            3,
            2,
            {
                7
                / 4: "the blocks have 3, 3 and 2 guesses: as even as possible, the first ones longer",
                3
                / 2: "the blocks have 3, 3 and 2 guesses, so that none of the eight is left out",
                9 / 4: "the blocks have 3, 3 and 2 guesses, together eight",
                4: "a block with c right guesses of b ends with |c - b/2| more than b/2, not with the difference of its two sides",
                6: "that is how many are right; half of them were before",
            },
        ),
        (
            3,
            1,
            0.75,
            {
                1.5: "a block with c right guesses of b ends with |c - b/2| more than b/2, not with the difference of its two sides",
                9
                / 4: "that is how many are right; half of them were before",
            },
        ),
    ]:
        mine = tests_gain(u, k)
        assert mine is not None, (
            f"tests_gain({u}, {k}) should be {right}, you return None"
        )
        why = mistakes.get(mine, "")
        if abs(mine - 0.4 * (u * k) ** 0.5) < 0.01:
            why = "that is near, but the formula is for large blocks"
        assert mine == right, (
            f"tests_gain({u}, {k}) should be {right}, you return {mine}"
            + (f": {why}" if why else "")
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../silent_board.ipynb#she-begins-bad-on-purpose'>She begins bad on purpose</a>.",
)
def test_exactly(tests_gain):
    parts, right = (110873045217057585, 110873045217057585 / 2**55)
    mine = tests_gain(60, 1)
    assert mine is not None, (
        "tests_gain(60, 1) should be a Fraction, you return None"
    )
    close = abs(mine - right) < 1e-12
    assert mine * 2**55 == parts, (
        "tests_gain(60, 1) is right to twelve digits but not exact: a float has 53 bits, so count in whole numbers and make the quotient a Fraction"
        if close
        else f"tests_gain(60, 1) should be about {right:.6f}, you return about {float(mine):.6f}"
    )
