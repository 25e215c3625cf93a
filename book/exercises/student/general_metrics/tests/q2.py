from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../general_metrics.ipynb#order-ranks-by-weight'>Order: ranks by weight</a>.",
)
def test_three_values(mid_ranks):
    for values, weights, expected, reason in [
        ([5, 7, 9], [1, 1, 1], [1 / 6, 3 / 6, 5 / 6], "(R - 1/2) / 3"),
        (
            [9, 5, 7],
            [1, 1, 1],
            [5 / 6, 1 / 6, 3 / 6],
            "values need not be sorted",
        ),
        (
            [4, 4, 8],
            [1, 1, 2],
            [0.25, 0.25, 0.75],
            "a tie counts half, and so does the value itself",
        ),
        (
            [3, 1],
            [3, 1],
            [0.625, 0.125],
            "shares are 3/4 and 1/4, each belonging to its value",
        ),
        ([1, 2], [0, 5], [0.0, 0.5], "a weight of zero is allowed"),
    ]:
        mine = mid_ranks(values, weights)
        assert mine is not None, (
            f"mid_ranks({values}, {weights}) should be {expected}: {reason}; you return None"
        )
        mine = [float(rank) for rank in mine]
        hint = reason
        entries = range(len(values))
        full = [
            sum(weights[j] for j in entries if values[j] <= values[i])
            / sum(weights)
            for i in entries
        ]
        assert len(mine) == len(expected), (
            f"{len(expected)} ranks are expected, you return {len(mine)}"
        )
        total = sum(weights)
        if total != 1 and all(
            abs(mine[i] - total * expected[i]) < 1e-09 for i in entries
        ):
            hint = "you do not divide by the sum of the weights"
        elif all(abs(mine[i] - full[i]) < 1e-09 for i in entries):
            hint = "you count all of what is at a value, and only half is to count"
        assert all(abs(mine[i] - expected[i]) < 1e-09 for i in entries), (
            f"mid_ranks({values}, {weights}) should be {expected}, you return {mine}: {hint}"
        )
