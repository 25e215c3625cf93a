from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 4


@test_case(points=None, hidden=False)
def test_within_e(mislead):
    for wrong in range(101):
        for e in (0.0, 0.03, 0.062):
            mine = mislead(wrong, 100, e)
            gap = abs(mine - wrong / 100)
            assert gap <= e + 1e-09, (
                f"mislead({wrong}, 100, {e}) is {mine}, which is {gap:.3f} from the loss"
            )
