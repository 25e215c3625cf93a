from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#the-lower-bound'>The lower bound</a>.",
)
def test_one_label(sharp_bound):
    reason = "the least error for n = 1 and k = 2 is 1/2 - epsilon, so epsilon = 1/4 is best"
    mine = sharp_bound(1, 2)
    assert mine is not None, (
        f"sharp_bound(1, 2) should be 1/32 = 0.03125: {reason}; you return None"
    )
    for number, mistake in [
        (
            0.030035,
            "you swap the arguments of the divergence, and the bound gets weaker",
        ),
        (
            0.0319888,
            "you take 2 epsilon**2 for the divergence, which is less, so this number is not proved",
        ),
        (
            0.0625,
            "you have epsilon where epsilon / 2 should stand: a wrong guess only shows an error of half the advantage",
        ),
        (0, "the weaker form of Fano's inequality says nothing for k = 2"),
    ]:
        reason = mistake if abs(mine - number) < 1e-06 else reason
    assert abs(mine - 1 / 32) < 1e-07, (
        f"sharp_bound(1, 2) should be 1/32 = 0.03125: {reason}; you return {mine}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#the-lower-bound'>The lower bound</a>.",
)
def test_twenty_labels(sharp_bound):
    mine, value = (sharp_bound(20, 4), 0.0165431245986)
    assert mine is not None, (
        f"sharp_bound(20, 4) should be {value}; you return None"
    )
    reason = "the weaker form gives 0.0126"
    if 0.99 < mine / value < 1.01:
        reason = "six digits should be right, for which the best epsilon has to be found closely"
    for number, mistake in [
        (2 * value, "you have epsilon where epsilon / 2 should stand"),
        (0.0164615, "you swap the arguments of the divergence"),
        (
            0.0165387,
            "you try a hundred values of epsilon, and the best one lies between two of them",
        ),
        (
            0.0165849,
            "you take 2 epsilon**2 for the divergence, which is less, so this number is not proved",
        ),
    ]:
        reason = mistake if abs(mine - number) < 1e-07 else reason
    assert abs(mine / value - 1) < 1e-06, (
        f"sharp_bound(20, 4) should be {value}: {reason}; you return {mine}"
    )
