from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3


@test_case(points=None, hidden=False)
def test_two_labels(edge):
    reason = "with n = 2 the losses are 0, 1/2, 1/2 and 1, and a loss of exactly 1/2 is kept"
    assert edge(2) * 4 == 3, (
        f"edge(2) should be 3/4: {reason}; you return {edge(2)}"
    )
