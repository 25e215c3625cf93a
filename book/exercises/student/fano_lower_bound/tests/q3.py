from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5


@test_case(points=None, hidden=False)
def test_one_point(needle_information):
    mine = needle_information(1, 2, 0.5)
    reason = "with epsilon = 1/2 the needle is never wrong and the other is wrong half of the time, which tells everything then and nothing otherwise"
    assert abs(mine - 0.34657359028) < 1e-09, (
        f"needle_information(1, 2, 0.5) should be (ln 2)/2 = 0.34657: {reason}; you return {mine}"
    )
