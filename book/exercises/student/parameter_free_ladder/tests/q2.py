from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4


@test_case(points=None, hidden=False)
def test_two_and_three_labels(acceptance):
    for n, w, ways, reason in [
        (2, 2, 1, "only both labels put right, 4 > 2"),
        (2, 1, 0, "one label put right is a tie, and a tie is refused"),
        (3, 3, 4, "2 or 3 labels put right: 3 vectors and 1"),
        (3, 0, 0, "nothing is better than a loss of 0"),
    ]:
        mine = acceptance(n, w) * 2**n
        assert mine == ways, (
            f"acceptance({n}, {w}) should be {ways}/{2**n}: {reason}; you return {mine}/{2**n}"
        )
