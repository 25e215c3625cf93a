from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../parameter_free_ladder.ipynb#swaps'>Swaps</a>.",
)
def test_by_hand(swap_time):
    for n, ones, wrong, value, reason, mistakes in [
        (
            2,
            1,
            0,
            "3/2",
            "the start is right or its only swap mends it",
            {
                "1/2": "the start is a submission, too",
                "1": "this is the time of the mean number of wrong labels, not the mean time",
            },
        ),
        (
            4,
            2,
            4,
            "1",
            "the first submission has at most 4 wrong labels",
            {},
        ),
        (
            4,
            2,
            0,
            "9/2",
            "1/6 of the starts are right, 4/6 wait for 4 swaps on average, 1/6 for 1 + 4; and the start counts, too",
            {
                "37/6": "you draw a pair from all labels, and one of the two is a one, the other a zero",
                "5": "you begin with the mean number of wrong labels",
                "7/2": "you forget the start",
            },
        ),
        (
            4,
            2,
            1,
            "9/2",
            "with two ones for two wrong labels come in pairs, so at most 1 means 0",
            {
                "7/6": "you count pairs of wrong labels, and `wrong` counts labels"
            },
        ),
        (
            4,
            3,
            1,
            "2",
            "half of the starts have one wrong label, the others one wrong one and two wrong zeros, and 2 of 4 swaps mend a pair",
            {
                "9/2": "you have as many wrong zeros as wrong ones, and with 3 ones there is one more"
            },
        ),
        (4, 3, 0, "None", "two ones can never become three", {}),
    ]:
        mine = str(swap_time(n, ones, wrong))
        assert mine == value, (
            f"swap_time({n}, {ones}, {wrong}) should be {value}: {mistakes.get(mine, reason)}; you return {mine}"
        )
