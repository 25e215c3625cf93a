from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../real_competition.ipynb#eve-adds-up-what-others-choose-from'>Eve adds up what others choose from</a>.",
)
def test_eight_rows(lead_errors):
    mine = lead_errors(2, 1, 3, 8, 4)
    assert mine is not None, (
        "lead_errors(2, 1, 3, 8, 4) should be a pair, you return None"
    )
    pair = hasattr(mine, "__len__") and len(mine) == 2
    assert pair, f"the answer is a pair of numbers; you return {mine}"
    for name, value, right, mistakes in [
        (
            "the standard deviation of the lead",
            float(mine[0]),
            0.226582,
            {
                0.299739: "rows are drawn without replacement",
                0.320435: "rows are drawn without replacement",
                0.211948: "a draw without replacement divides the squares by size - 1",
                0.231455: "subtract the mean difference, which is not 0",
                0.051339: "this is the variance",
                0.263052: "this is for unrelated files; the lead comes first",
            },
        ),
        (
            "for unrelated files it",
            float(mine[1]),
            0.263052,
            {
                0.347985: "rows are drawn without replacement",
                0.372013: "rows are drawn without replacement",
                0.246063: "a draw without replacement divides the squares by size - 1",
                0.205939: "the rows on which both are wrong are mistakes of each",
                0.069196: "this is the variance",
                0.226582: "the two are equal only if both are wrong on as many rows as chance lets them",
            },
        ),
    ]:
        known = mistakes.get(
            round(value, 6), "go through all 70 sets of four rows"
        )
        assert abs(value - right) < 2e-06, (
            f"with mistakes on 2, 1 and 3 of 8 rows, 4 of them public, {name} should be {right:.6f}, you return {value:.6f}: {known}"
        )
