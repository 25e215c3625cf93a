from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#ties-and-why-floats-will-not-do'>Ties, and why floats will not do</a>.",
)
def test_two_small_boards(float_flaws):
    exact = "the float of j / m less the float of 1 / m is rounded once more before it is compared"
    tidy = "a tidied line, with (j - 1) / m, has no flaw: that is rounded once, and j / m - 1 / m three times"
    for n, m, right, mistakes, reason in [
        (
            10,
            10,
            [(4, 3), (8, 7)],
            {
                "[]": tidy,
                "[(3, 4), (7, 8)]": "a pair is the level first, then the number of wrong labels",
                str(
                    [(j, j - 1) for j in range(1, 11)]
                ): "the line can err at a tie only, but at most ties it is right",
            },
            "0.7 < 0.8 - 0.1 and 0.3 < 0.4 - 0.1 are true in floats, and both are ties",
        ),
        (
            12,
            18,
            [(7, 4)],
            {
                "[]": "there can be ties though n is no multiple of m: here every third level has one",
                "[(7, 4), (10, 6), (13, 8)]": exact,
                str(
                    [(j, 2 * (j - 1) // 3) for j in range(1, 19, 3)]
                ): "the line can err at a tie only, but at most ties it is right",
            },
            "every third level has a tie",
        ),
    ]:
        mine = float_flaws(n, m)
        assert mine is not None, (
            f"float_flaws({n}, {m}) should be {right}, you return None"
        )
        mine = [(int(j), int(c)) for j, c in mine]
        assert mine == right, (
            f"float_flaws({n}, {m}) should be {right}, you return {mine}: {mistakes.get(str(mine), reason)}"
        )
