from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 2
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../general_metrics.ipynb#agreement-lin-s-coefficient'>Agreement: Lin&#x27;s coefficient</a>.",
)
def test_small_cases(concordance):
    for case, value, reason, mistakes in [
        (([0, 1], [0, 1], [1, 1]), 1.0, "equal vectors agree", {}),
        (
            ([1, 2], [0, 1], [1, 1]),
            1 / 3,
            "variances and covariance are 1/4, the gap is 1",
            {
                1.0: "this is without the gap of the means, as a correlation is",
                0.5: "this is what a division by n - 1 gives",
            },
        ),
        (
            ([0, 2], [0, 1], [1, 1]),
            2 / 3,
            "2 * 1/2 over 1 + 1/4 + 1/4",
            {1.0: "this is Pearson's correlation"},
        ),
        (
            ([0, 1, 0], [0, 1, 1], [2, 1, 1]),
            0.5,
            "shares are 1/2, 1/4, 1/4",
            {0.4: "this is without the weights"},
        ),
    ]:
        mine = concordance(*case)
        assert mine is not None, (
            f"concordance{case} should be {value:.4f}: {reason}; you return None"
        )
        hint = next(
            (
                said
                for wrong, said in mistakes.items()
                if abs(mine - wrong) < 1e-09
            ),
            reason,
        )
        assert abs(mine - value) < 1e-09, (
            f"concordance{case} should be {value:.4f}, you return {mine:.4f}: {hint}"
        )
