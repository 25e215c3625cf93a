from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5


@test_case(points=None, hidden=False)
def test_by_hand(largest_tree):
    for case, value, reason in [
        (
            (1, 3, 1, 3),
            6,
            "one account gives the histories (), 1, 0, 11, 10, 00",
        ),
        (
            (1, 3, 2, 2),
            7,
            "after the release 0 the analyst turns to the other account, and all 1 + 2 + 4 histories are possible",
        ),
        (
            (2, 1, 1, 1),
            1,
            "with k = 1 only the empty history has fewer than k releases",
        ),
    ]:
        mine = largest_tree(*case)
        assert mine == value, (
            f"largest_tree{case} should be {value}: {reason}; you return {mine}"
        )
