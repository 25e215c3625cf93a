from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4


@test_case(points=None, hidden=False)
def test_two_steps(count_nodes):
    for margin, value, reason in [
        (0, 10, "after level j any level up to j can follow"),
        (1, 9, "after level 1 level 0 cannot follow: no loss is below 0"),
        (2, 7, "after level 2 no loss is lower by more than 2 steps"),
    ]:
        mine = count_nodes(margin, 2, 3)
        assert mine == value, (
            f"count_nodes({margin}, 2, 3) should be {value}: {reason}; you return {mine}"
        )
