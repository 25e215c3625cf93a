from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../submission_budget.ipynb#one-step-exactly'>One step, exactly</a>.",
)
def test_round_numbers(overfitting):
    for case, value, reason, mistakes in [
        (
            (0.5, 0.5, 0, 10, 10),
            -0.45,
            "-2 * 9/10 * 0.25",
            {
                -0.5: "the sum of squares of n scaled values is n - 1",
                0.45: "it is public minus final",
                -0.225: "the final error rises, too",
            },
        ),
        ((0.5, 0.25, 0.25, 10, 10), 0, "both sets say the same", {}),
        (
            (0, 0, 0, 10, 5),
            0.1,
            "the errors are 9/10 and 4/5",
            {0: "the sets have different sizes"},
        ),
    ]:
        mine = overfitting(*case)
        assert mine is not None, f"overfitting{case} returns None"
        known = "".join(
            (
                f": {why}"
                for wrong, why in mistakes.items()
                if abs(mine - wrong) < 1e-09
            )
        )
        assert abs(mine - value) < 1e-09, (
            f"overfitting{case} should be {value}: {reason}; you return {mine}{known}"
        )
