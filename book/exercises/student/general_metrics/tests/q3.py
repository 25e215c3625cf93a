from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../general_metrics.ipynb#from-odds-to-a-test'>From odds to a test</a>.",
)
def test_small_odds(wins_needed):
    for case, value, reason, mistakes in [
        (
            (1, 1, 10),
            5,
            "5 wins and 5 losses are odds of 1, and equality is enough",
            {6: "is there > where >= should stand"},
        ),
        (
            (3, 1, 10),
            8,
            "8 >= 3 * 2, but 7 < 3 * 3",
            {
                7: "do you round down",
                30: "compare with the losses, not with all draws",
            },
        ),
        (
            (17, 3, 1000),
            850,
            "3 * 850 = 17 * 150 exactly",
            {851: "do you use a float, or > for >="},
        ),
        (
            (99, 1, 100),
            99,
            "99 wins and one loss",
            {100: "is there > where >= should stand"},
        ),
        (
            (2, 1, 1),
            1,
            "of one draw one must win",
            {0: "do you round down"},
        ),
    ]:
        mine = wins_needed(*case)
        assert mine is not None, (
            f"wins_needed{case} should be {value}: {reason}; you return None"
        )
        assert mine == value, (
            f"wins_needed{case} should be {value}, you return {mine}: {mistakes.get(mine, reason)}"
        )
