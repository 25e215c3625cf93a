from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../real_competition.ipynb#eve-adds-up-what-others-choose-from'>Eve adds up what others choose from</a>.",
)
def test_five_accounts(holm):
    given, right = (
        [0.03, 0.005, 0.02, 0.5, 0.02],
        [0.08, 0.025, 0.08, 0.5, 0.08],
    )
    mine = holm(list(given))
    assert mine is not None, (
        f"holm({given}) should be {right}, you return None"
    )
    many = hasattr(mine, "__len__") and len(mine) == 5
    assert many, f"the answer has five values; you return {mine}"
    mine = [round(float(value), 6) for value in mine]
    mistakes = {
        (
            0.15,
            0.025,
            0.1,
            1,
            0.1,
        ): "you multiply all by 5; only the smallest has this factor",
        (
            0.06,
            0.025,
            0.08,
            0.5,
            0.06,
        ): "a corrected value is never below that of a smaller or equal p-value",
        (
            0.06,
            0.025,
            0.06,
            0.5,
            0.06,
        ): "go from the smallest on: the two of 0.02 are multiplied by 4 and by 3, and no later value is below the larger product",
        (
            0.025,
            0.08,
            0.08,
            0.08,
            0.5,
        ): "you return the values sorted; asked is the order of the p-values",
        (
            0.08,
            0.08,
            0.5,
            0.025,
            0.08,
        ): "each value has to go back to the place from where its p-value came",
        (
            0.0375,
            0.025,
            0.033333,
            0.5,
            0.033333,
        ): "this is the correction of Benjamini and Hochberg, for the share of false alarms",
    }
    known = mistakes.get(
        tuple(mine), "the products are 0.025, 0.08, 0.06, 0.06 and 0.5"
    )
    assert mine == right, (
        f"holm({given}) should be {right}, you return {mine}: {known}"
    )
    given = [0.4, 0.9, 0.6]
    mine = [round(float(value), 6) for value in holm(list(given))]
    mistakes = {
        (1.2, 1.2, 1.2): "a corrected value is at most 1",
        (
            1,
            0.9,
            1,
        ): "a corrected value is never below that of a smaller p-value",
    }
    known = mistakes.get(tuple(mine), "the products are 1.2, 1.2 and 0.9")
    assert mine == [1, 1, 1], (
        f"holm({given}) should be [1, 1, 1], you return {mine}: {known}"
    )
