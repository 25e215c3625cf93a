from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5


@test_case(points=None, hidden=False)
def test_by_hand(swap_time):
    for n, ones, wrong, value, reason in [
        (2, 1, 0, "3/2", "the start is right or its only swap mends it"),
        (4, 2, 4, "1", "the first submission has at most 4 wrong labels"),
        (
            4,
            2,
            0,
            "9/2",
            "1/6 of the starts are right, 4/6 wait for 4 swaps on average, 1/6 for 1 + 4; and the start counts, too",
        ),
        (4, 3, 0, "None", "two ones can never become three"),
    ]:
        mine = swap_time(n, ones, wrong)
        assert str(mine) == value, (
            f"swap_time({n}, {ones}, {wrong}) should be {value}: {reason}; you return {mine}"
        )
