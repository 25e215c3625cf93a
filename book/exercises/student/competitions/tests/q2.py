from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../competitions.ipynb#a-board-has-to-get-the-best-result-right-at-all-times'>A board has to get the best result right, at all times</a>.",
)
def test_two_labels(expected_error):
    one = expected_error(2, 1)
    assert one is not None, (
        "expected_error(2, 1) should be 1/4, you return None"
    )
    mistakes = {
        0: "1/2 less the expected loss is 0; but the board may be too high, too",
        1.25: "the first submission counts once, and not again among those after it",
    }
    assert one * 4 == 1, (
        f"expected_error(2, 1) should be 1/4: with two labels a single loss is 0, 1/2, 1/2 or 1, and the error 1/2, 0, 0 or 1/2; you return {one}: {mistakes.get(one * 4, 'take the mean of the four')}"
    )
    two = expected_error(2, 2)
    mistakes = {
        3: "that is 1/2 less the expected smallest loss; but the board may be too high after the first submission",
        6: "that lets every submission count when it is worse than 1/2; the board shows the smallest loss so far",
        4: "that is the mean gap at one time, the first or the last, or the mean or the larger of these two; needed is the mean of the larger of the two gaps, which is more",
    }
    assert two * 16 == 5, (
        f"expected_error(2, 2) should be 5/16: of the 16 pairs of vectors 10 have the error 1/2, and 6 the error 0; you return {two}: {mistakes.get(two * 16, 'write down the pairs')}"
    )
