from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../general_metrics.ipynb#from-odds-to-a-test'>From odds to a test</a>.",
)
def test_few_labels(posterior):
    for case, value, reason, mistakes in [
        (
            (1, 1),
            (1, 2),
            "by symmetry",
            {(1, 4): "this is the sign test, with one coin too many"},
        ),
        (
            (1, 0),
            (1, 1),
            "a better label has a positive share under every weighting",
            {(1, 2): "this is one minus the p-value of the sign test"},
        ),
        ((0, 3), (0, 1), "it is worse under every weighting", {}),
        (
            (0, 0),
            (0, 1),
            "a tie is not strictly better",
            {(1, 2): "a tie counts as a loss"},
        ),
        (
            (2, 1),
            (3, 4),
            "1 - 1/4: the two points must not both come first",
            {
                (1, 4): "do you exchange g and b",
                (1, 2): "is this one minus the p-value of the sign test",
            },
        ),
        ((3, 2), (11, 16), "at most 2 of 4 coins", {}),
    ]:
        mine = posterior(*case)
        assert mine is not None, (
            f"posterior{case} should be {value[0]}/{value[1]}: {reason}; you return None"
        )
        pair = mine.as_integer_ratio()
        assert pair == value, (
            f"posterior{case} should be {value[0]}/{value[1]}, you return {pair[0]}/{pair[1]}: {mistakes.get(pair, reason)}"
        )
