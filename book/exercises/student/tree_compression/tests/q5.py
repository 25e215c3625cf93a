from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#how-close-the-release-stays-to-the-best-loss'>How close the release stays to the best loss</a>.",
)
def test_the_promise(make_board):
    submit = make_board([0] * 6, 3)
    assert submit is not None, (
        "make_board([0] * 6, 3) should return a function; you return None"
    )
    best = 6
    for wrong in (5, 4, 6, 3, 2, 5, 1, 0, 4):
        best = min(best, wrong)
        shown = submit([1] * wrong + [0] * (6 - wrong))
        assert shown is not None, "submit should return a number, not None"
        reason = "that is more than 1/6 away"
        if wrong > best and abs(shown * 6 - wrong) <= 1 + 1e-09:
            reason = "do you forget the best submission so far?"
        elif abs(shown * 6 - best) < 2 + 1e-09:
            reason = "the end of a block of losses can be so far off, and its middle cannot"
        assert abs(shown * 6 - best) <= 1 + 1e-09, (
            f"n = 6, m = 3: {wrong} labels are wrong, the fewest so far are {best}, so the loss to show is {best}/6; you show {float(shown):.4f}: {reason}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../tree_compression.ipynb#counting-exactly'>Counting exactly</a>.",
)
def test_few_histories(make_board):
    for n, m, value, reason, mistakes in [
        (
            6,
            3,
            10,
            "three releases are enough, which makes 1 + 3 + 6 histories",
            {
                15: "you use four releases, as many as the simplified Ladder; counts that differ by n/m can share one, so three are enough",
                36: "you show the exact loss",
            },
        ),
        (
            8,
            4,
            10,
            "three releases are enough, which makes 1 + 3 + 6 histories",
            {
                21: "you use five releases, as many as the simplified Ladder",
                15: "you use four releases, as many as there are steps of 1/4; but the counts 0, 1, 2 can share one, as their losses differ by at most 1/4",
                55: "you show the exact loss",
            },
        ),
    ]:
        histories = {()}
        for first in range(n + 1):
            for second in range(n + 1):
                submit, history = (make_board([0] * n, m), [])
                assert submit is not None, (
                    "make_board should return a function; you return None"
                )
                for wrong in (first, second):
                    shown = submit([1] * wrong + [0] * (n - wrong))
                    assert shown is not None, (
                        "submit should return a number, not None"
                    )
                    history.append(round(float(shown), 9))
                    histories.add(tuple(history))
        mine = len(histories)
        assert mine <= value, (
            f"n = {n}, m = {m}: a board can do with {value} histories of fewer than 3 releases: {mistakes.get(mine, reason)}; yours has {mine}"
        )
