from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../rank_attack.ipynb#rounding-stops-the-two-accounts-wherever-they-start'>Rounding stops the two accounts, wherever they start</a>.",
)
def test_ten_labels(final_wrong):
    one = "more than one flip can be seen if the levels lie close, here with m = {m} for n = 10"
    half = "a loss half way between two levels is rounded up, and you round it down"
    above = "you stop one step early: the flip that leads to a blind count is seen"
    for c, m, value, mistakes, reason in [
        (6, 10, 0, {5: one, 6: one}, "with m = n every flip is seen"),
        (
            6,
            5,
            6,
            {
                5: half,
                0: "6 and 5 wrong labels have the same level, so the flip is not seen",
            },
            "6 and 5 wrong labels of 10 both have level 3",
        ),
        (
            7,
            5,
            6,
            {7: above},
            "the first flip is seen, and the attack is stuck at 6",
        ),
        (
            6,
            8,
            3,
            {
                5: one,
                4: above,
                2: "from 3 wrong labels the next flip is not seen: 3 and 2 both have level 2",
            },
            "the levels of 6, 5, 4, 3, 2 are 5, 4, 3, 2, 2",
        ),
    ]:
        mine = final_wrong(c, 10, m)
        why = mistakes.get(mine, reason).format(m=m)
        assert mine == value, (
            f"final_wrong({c}, 10, {m}) should be {value}, you return {mine}: {why}"
        )
