from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../general_metrics.ipynb#stopping-early'>Stopping early</a>.",
)
def test_few_draws(expected_draws):
    for case, value, reason, mistakes in [
        ((1, 2, 1, 1), (1, 1), "one draw decides", {}),
        (
            (1, 2, 1, 2),
            (3, 2),
            "a win at the first draw is enough, else a second follows",
            {(2, 1): "do you draw all of them"},
        ),
        (
            (1, 2, 2, 2),
            (3, 2),
            "a loss at the first draw is enough to refuse",
            {(2, 1): "a refusal can be certain early, too"},
        ),
        (
            (1, 2, 2, 3),
            (5, 2),
            "2 wins or 2 losses end it",
            {(11, 4): "how many losses make a refusal certain? B - W + 1"},
        ),
        (
            (1, 1, 5, 8),
            (5, 1),
            "five wins in a row",
            {(8, 1): "do you draw all of them"},
        ),
        (
            (0, 1, 6, 8),
            (3, 1),
            "three losses leave at most five wins",
            {
                (8, 1): "a refusal can be certain early, too",
                (2, 1): "two losses still leave six wins",
            },
        ),
    ]:
        mine = expected_draws(*case)
        assert mine is not None, (
            f"expected_draws{case} should be {value[0]}/{value[1]}: {reason}; you return None"
        )
        pair = mine.as_integer_ratio()
        assert pair == value, (
            f"expected_draws{case} should be {value[0]}/{value[1]}, you return {pair[0]}/{pair[1]}: {mistakes.get(pair, reason)}"
        )
