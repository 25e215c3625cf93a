from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder_boot.ipynb#the-law-of-a-release'>The law of a release</a>.",
)
def test_four_losses(releases):
    import numpy as np

    losses, b, size = ([0, 1, 1, 4], 9, 4000)
    mine = releases(
        np.array(losses, dtype=float),
        b,
        size,
        np.random.default_rng(20160801),
    )
    assert mine is not None, (
        "releases should return an array of releases; you return None"
    )
    assert len(mine) == size, (
        f"{size} releases are asked for, you return {len(mine)}"
    )
    values = [float(value) for value in mine]
    uneven = [
        value
        for value in values
        if abs(36 * value - round(36 * value)) > 1e-06
    ]
    assert not uneven, (
        f"the losses {losses} are whole, so the mean of 4 * 9 draws is a multiple of 1/36; {uneven[0]} is none. Each loss is drawn a whole number of times"
    )
    mean = sum(values) / size
    variance = sum((value - mean) ** 2 for value in values) / size
    ratio = variance / (2.25 / 36)
    reason = "what is one draw, and how many are there?"
    if len(set(values)) == 1:
        reason = (
            "all releases are equal; each is drawn anew, with replacement"
        )
    for number, mistake in [
        (
            2,
            "so it is if the counts of all losses do not add up to b n each time",
        ),
        (4, "a release is made of b n draws; you make b"),
        (9, "a release is made of b n draws; you make n"),
        (36, "a release is a mean of b n draws; you make one"),
        (1 / 9, "is n or b taken twice?"),
    ]:
        if 0.85 < ratio / number < 1.18:
            reason = mistake
    assert abs(ratio - 1) < 4 * (2 / size) ** 0.5, (
        f"the variance of {size} releases should be near {2.25 / 36}, it is {ratio:.2f} times as large: {reason}"
    )
    assert abs(mean - 1.5) < 4 * (2.25 / 36 / size) ** 0.5, (
        f"the mean of {size} releases should be near 1.5, it is {mean}"
    )
