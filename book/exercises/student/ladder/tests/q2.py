from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4


@test_case(points=None, hidden=False)
def test_ten_levels(float_flaws):
    reason = "0.7 < 0.8 - 0.1 and 0.3 < 0.4 - 0.1 are true in floats, and both are ties"
    mine = [(int(j), int(c)) for j, c in float_flaws(10, 10)]
    assert mine == [(4, 3), (8, 7)], (
        f"float_flaws(10, 10) should be [(4, 3), (8, 7)]: {reason}; you return {mine}"
    )
