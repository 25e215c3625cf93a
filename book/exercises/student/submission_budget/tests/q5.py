from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../submission_budget.ipynb#the-law-of-a-correlation-that-means-nothing'>The law of a correlation that means nothing</a>.",
)
def test_small_cases(best_square):
    for q, n, up, down, reason, mistakes in [
        (
            1,
            4,
            1,
            3,
            "a mean square is 1 / (n - 1)",
            {
                1.5: "this is the mean of |r|, not of its square",
                0.6: "the exponent is (n - 4) / 2",
            },
        ),
        (2, 4, 1, 2, "F(s) = s for n = 4, and the mean is q / (q + 2)", {}),
        (1, 6, 1, 5, "a mean square is 1 / (n - 1)", {}),
        (1, 10, 1, 9, "a mean square is 1 / (n - 1)", {}),
    ]:
        mine = best_square(q, n)
        assert mine is not None, f"best_square({q}, {n}) returns None"
        known = mistakes.get(round(float(mine * down), 9), reason)
        assert mine * down == up, (
            f"best_square({q}, {n}) should be {up}/{down}: {known}; you return {mine}"
        )
