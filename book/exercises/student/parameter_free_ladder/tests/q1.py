from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3


@test_case(points=None, hidden=False)
def test_a_few_labels(accepts):
    for case, value, reason in [
        (
            (1, 0, 10, 1, 1),
            False,
            "this is a tie, and a tie is refused; if you accept it, is your standard deviation divided by n - 1 and not by n?",
        ),
        ((2, 0, 10, 1, 1), True, "d = 2, and 4 > 2"),
        ((0, 9, 10, 1, 1), False, "the submission is worse"),
        (
            (3, 0, 9, 2, 1),
            False,
            "3 * 3 * (9 - 1 + 4) = 4 * 9 * 3 is a tie",
        ),
        ((3, 0, 8, 2, 1), True, "99 > 96: for c = 2 the size n matters"),
        ((1, 0, 10, 1, 2), True, "1 * (4 * 9 + 1) > 1 * 10 * 1"),
    ]:
        mine = accepts(*case)
        assert bool(mine) == value, (
            f"accepts{case} should be {value}: {reason}"
        )
