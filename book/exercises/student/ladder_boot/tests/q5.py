from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder_boot.ipynb#averaging-it-away'>Averaging it away</a>.",
)
def test_three_labels(disclose):
    weights, labels = ([0.25, 0.0, 0.75], [2.0, 5.0, -1.0])
    made = []

    def submit(predictions):
        made.append([float(p) for p in predictions])
        return sum(
            (
                w * (p - y) ** 2
                for w, p, y in zip(weights, made[-1], labels, strict=True)
            )
        )

    mine = disclose(submit, 3)
    assert mine is not None, (
        "disclose should return the weights and the labels; you return None"
    )
    assert len(made) <= 7, (
        f"with n = 3 at most 7 submissions are allowed, you make {len(made)}, {sum(not any(vector) for vector in made)} of them all zeros, whose score is needed once only"
    )
    found = [float(w) for w in mine[0]]
    reason = "add the scores of a step up and a step down"
    if all(abs(w - 1 / 3) < 1e-09 for w in found):
        reason = "resamples do not draw all losses equally often"
    for factor in (2, 4, 1 / 2, 1 / 4):
        pairs = zip(found, weights, strict=True)
        if all((abs(a - factor * b) < 1e-06 for a, b in pairs)):
            reason = f"they are {factor} times what they should be; the second difference of w p**2 with step a is 2 w a**2"
    pairs = zip(found, weights, strict=True)
    assert all((abs(a - b) < 1e-06 for a, b in pairs)), (
        f"the weights are {weights}, you return {found}: {reason}"
    )
    for i, right in enumerate(labels):
        value = float(mine[1][i])
        if i == 1:
            assert value != value, (
                f"label 1 has the weight 0, so no score depends on it: it should be nan, you return {value}"
            )
            continue
        reason = (
            "take the difference of the scores of a step down and a step up"
        )
        for number, mistake in [
            (
                -right,
                "the score falls when the prediction moves towards the label; is the sign right?",
            ),
            (3 * weights[i] * right, "you take each weight for 1/n"),
            (weights[i] * right, "this is the weight times the label"),
            (2 * right, "this is twice the label"),
            (right / 2, "this is half of the label"),
        ]:
            if abs(value - number) < 1e-06:
                reason = mistake
        assert abs(value - right) < 1e-06, (
            f"label {i} is {right}, you return {value}: {reason}"
        )
