from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../freedman_attack.ipynb#a-thousand-times-faster-and-exactly-the-same'>A thousand times faster, and exactly the same</a>.",
)
def test_five_features(add_each):
    import numpy as np

    u, v, w = ([1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1])
    both = [a + b for a, b in zip(u, v, strict=True)]
    twice = [2 * a for a in u]
    x = [list(row) for row in zip(u, both, w, twice, v, strict=True)]
    y = [3, 1, -1, -3]
    z = [[1, 2, 3, 5, 4], [0, 1, 1, 1, 0]]
    mine = add_each(
        *[np.array(part, dtype=float) for part in (x, y, z)], [0]
    )
    assert mine is not None, (
        "add_each should return an array with a row for each person of the public set; you return None"
    )
    shape = tuple(np.shape(mine))
    assert shape == (2, 5), (
        f"two people in public and five features: the shape should be (2, 5), yours is {shape}"
    )
    for j, right, reason, mistakes in [
        (
            1,
            3,
            "y is 2 x_1 - x_0, and so the prediction is 2 * 2 - 1",
            {
                2.5: "the slope is that of the residual, 2; do you divide by the square of the feature itself?",
                5.0: "slope and residual belong together: the public feature must lose its part in the selected ones, too",
                4.0: "the feature must lose its part in the selected ones, on both sets",
                2.0: "the prediction of the selected features is missing",
                1.0: "the public residual is 2 - 1 = 1, with the coefficient of the training set, and the feature adds 2 times that",
            },
        ),
        (2, 1, "x_2 is orthogonal to all else, y included", {}),
        (4, 9, "y is x_0 + 2 x_4, and so the prediction is 1 + 2 * 4", {}),
        (0, 1, "x_0 is selected, so it is redundant", {}),
        (
            3,
            1,
            "x_3 is 2 x_0 in training, so it is redundant, and what it is on the public set does not matter",
            {
                2.2: "two equal features share the slope in a least-squares fit of shortest length; here the predictions of the selected features are asked for"
            },
        ),
    ]:
        value = float(mine[0][j])
        for number, mistake in mistakes.items():
            if abs(value - number) < 1e-09:
                reason = mistake
        if value != value:
            reason = (
                "a redundant feature has no slope, 0/0; it adds nothing"
            )
        assert abs(value - right) < 1e-09, (
            f"with feature {j} added to feature 0, the first person's prediction should be {right}, you return {value}: {reason}"
        )
    value = float(mine[1][1])
    assert abs(value - 2) < 1e-09, (
        f"with feature 1 added to feature 0, the second person's prediction should be 2 * 1 - 0, you return {value}: residuals have the coefficients of the training set"
    )
