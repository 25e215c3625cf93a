from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 5


@test_case(points=None, hidden=False)
def test_ten_levels(first_failure):
    mine = first_failure(10)
    reason = "in nats the budget grows with k to the power 12 ln 2 = 8.3, and the tree with k to the power 10"
    assert mine is not None, (
        f"first_failure(10) should be a number: {reason}"
    )
    assert 4 * 10**11 < mine < 5 * 10**11, (
        f"first_failure(10) should be between 4e11 and 5e11: {reason}; you return {mine}"
    )
