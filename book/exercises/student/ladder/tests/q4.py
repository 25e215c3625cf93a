from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 6


@test_case(points=None, hidden=False)
def test_ten_labels(extreme_gaps):
    low, high = extreme_gaps("simplified", 10, 5)
    reason = "an odd count lies half way between two levels and is rounded up, an even one is a level"
    assert (low, 10 * high) == (0, 1), (
        f"the gaps of the simplified Ladder, n = 10 and m = 5, should be 0 and 1/10: {reason}; you return {low} and {high}"
    )
