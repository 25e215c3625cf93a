from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5


@test_case(points=None, hidden=False)
def test_a_tenth(labels_needed):
    n, m = labels_needed(10, 1000, 20)
    reason = "m = 10 needs 12446 labels, m = 15 needs 9412, and m = 18 fewer still"
    assert (n, m) == (9180, 18), (
        f"labels_needed(10, 1000, 20) should be (9180, 18): {reason}; you return {(n, m)}"
    )
