from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5


@test_case(points=None, hidden=False)
def test_ten_labels(final_wrong):
    for c, m, value, reason in [
        (6, 10, 0, "with m = n every flip is seen"),
        (6, 5, 6, "6 and 5 wrong labels of 10 both have level 3"),
        (7, 5, 6, "the first flip is seen, and the attack is stuck at 6"),
        (6, 8, 3, "the levels of 6, 5, 4, 3, 2 are 5, 4, 3, 2, 2"),
    ]:
        mine = final_wrong(c, 10, m)
        assert mine == value, (
            f"final_wrong({c}, 10, {m}) should be {value}: {reason}; you return {mine}"
        )
