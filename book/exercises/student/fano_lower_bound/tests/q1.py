from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4


@test_case(points=None, hidden=False)
def test_both_ends(least_error):
    for information, k, value, reason in [
        (
            0,
            2,
            1 / 2,
            "without information nothing is better than a blind guess",
        ),
        (
            0,
            5,
            4 / 5,
            "a blind guess among k is right with probability 1/k",
        ),
        (
            3,
            5,
            0,
            "3 nats are more than ln 5, so the inequality allows p = 0",
        ),
    ]:
        mine = least_error(information, k)
        assert abs(mine - value) < 1e-06, (
            f"least_error({information}, {k}) should be {value}: {reason}; you return {mine}"
        )
