from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4


@test_case(points=None, hidden=False)
def test_one_label(sharp_bound):
    reason = "the least error for n = 1 and k = 2 is 1/2 - epsilon, so epsilon = 1/4 is best"
    mine = sharp_bound(1, 2)
    assert abs(mine - 1 / 32) < 1e-07, (
        f"sharp_bound(1, 2) should be 1/32 = 0.03125: {reason}; you return {mine}"
    )
