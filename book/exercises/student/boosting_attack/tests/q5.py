from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 4


@test_case(points=None, hidden=False)
def test_within_reach(mislead):
    for n, reach in [(100, 0), (100, 3), (101, 6), (10, 30)]:
        for wrong in range(n + 1):
            mine = mislead(wrong, n, reach)
            assert abs(mine - wrong) <= reach, (
                f"mislead({wrong}, {n}, {reach}) is {mine}, which is {abs(mine - wrong)} away"
            )
            assert 0 <= mine <= n, (
                f"mislead({wrong}, {n}, {reach}) is {mine}, not from 0 to {n}"
            )
