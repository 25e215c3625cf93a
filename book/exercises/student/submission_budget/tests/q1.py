from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../submission_budget.ipynb#what-an-attack-costs'>What an attack costs</a>.",
)
def test_small_numbers(most_features):
    for case, value, reason, mistakes in [
        ((120, 1), 120, "one iteration submits each feature once", {}),
        (
            (120, 3),
            41,
            "41 + 40 + 39 = 120",
            {
                40: "so many if each iteration submits all features, but the selected ones are left out",
                42: "the first iteration leaves no feature out",
            },
        ),
        (
            (119, 3),
            40,
            "40 + 39 + 38 = 117, and 41 features cost 120",
            {41: "that is rounded up"},
        ),
        (
            (119, 15),
            None,
            "15 iterations over 15 features cost 120",
            {14: "14 features are selected after 14 iterations"},
        ),
    ]:
        mine = most_features(*case)
        known = f": {mistakes[mine]}" if mine in mistakes else ""
        assert mine == value, (
            f"most_features{case} should be {value}: {reason}; you return {mine}{known}"
        )
