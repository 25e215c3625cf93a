from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 4


@test_case(points=None, hidden=False)
def test_odd_m(budget):
    reason = "for odd m rounding moves nothing but a loss of exactly 1/2"
    for n, m, tolerance, value in [(99, 5, 0.1, 10), (1000, 101, 0.02, 4)]:
        mine = budget(n, m, tolerance)
        assert mine == value, (
            f"budget({n}, {m}, {tolerance}) should be {value}: {reason}; you return {mine}"
        )
