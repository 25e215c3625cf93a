from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#rounding-the-scores-only-moves-the-cut'>Rounding the scores only moves the cut</a>.",
)
def test_within_reach(mislead):
    for n, reach in [(100, 0), (100, 3), (101, 6), (10, 30)]:
        for wrong in range(n + 1):
            mine = mislead(wrong, n, reach)
            assert mine is not None, (
                f"mislead({wrong}, {n}, {reach}) should be a whole number from 0 to {n}, you return None"
            )
            assert abs(mine - wrong) <= reach, (
                f"mislead({wrong}, {n}, {reach}) is {mine}, which is {abs(mine - wrong)} away"
            )
            assert 0 <= mine <= n, (
                f"mislead({wrong}, {n}, {reach}) is {mine}, not from 0 to {n}"
            )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#rounding-the-scores-only-moves-the-cut'>Rounding the scores only moves the cut</a>.",
)
def test_ten_labels(mislead):
    told = [mislead(wrong, 10, 3) for wrong in range(11)]
    assert None not in told, (
        "mislead should return a whole number, it returns None"
    )
    turned = [
        wrong
        for wrong in range(11)
        if wrong != 5 and (told[wrong] <= 5) != (wrong < 5)
    ]
    mistakes = {
        "[6, 7, 8]": "you spoil bad news only: a loss below 1/2 can be pushed up as well",
        "[3, 4]": "you spoil good news only: a loss above 1/2 can be pushed down as well",
        "[4, 6]": "a mirror image costs twice the distance: one step beyond 1/2 is enough",
        "[3, 4, 6, 7]": "8 can be brought to 5, and a release of exactly n/2 is good news",
        "[2, 3, 4, 6, 7, 8]": "2 can only be brought to 5, which is still good news",
        "[]": "no vote is turned",
    }
    why = mistakes.get(str(turned), "these and no others")
    assert turned == [3, 4, 6, 7, 8], (
        f"with n = 10 and reach 3 the votes of 3, 4, 6, 7 and 8 wrong labels can be turned, yours turns those of {turned}: {why}"
    )
