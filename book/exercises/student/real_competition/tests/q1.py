from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../real_competition.ipynb#eve-adds-up-what-others-choose-from'>Eve adds up what others choose from</a>.",
)
def test_three_accounts(gaps):
    import numpy as np

    labels = np.array([1, 0, 1, 1, 0, 1, 0, 0, 1], dtype=np.uint8)
    public = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0], dtype=bool)
    files = np.array(
        [
            [0, 0, 0, 1, 0, 1, 1, 0, 0],
            [0, 0, 1, 1, 0, 1, 0, 0, 0],
            [0, 0, 1, 1, 0, 0, 1, 0, 0],
            [0, 0, 1, 1, 0, 1, 0, 0, 0],
            [0, 1, 0, 0, 0, 0, 1, 0, 0],
            [0, 0, 0, 1, 1, 1, 0, 0, 1],
            [1, 0, 1, 1, 0, 1, 1, 0, 0],
            [0, 0, 0, 1, 0, 0, 1, 0, 0],
        ],
        dtype=np.uint8,
    )
    accounts = ["ann", "bob", "ann", "ann", "bob", "ann", "cat", "ann"]
    mine = gaps(list(accounts), files.copy(), labels.copy(), public.copy())
    assert mine is not None, (
        "gaps(...) should be a dict with the gaps of three accounts; you return None"
    )
    named = isinstance(mine, dict) and set(mine) == {"ann", "bob", "cat"}
    assert named, (
        f"the answer is a dict with the keys ann, bob and cat; you return {mine}"
    )
    mistakes = {
        0.05: "of several files with the lowest public loss the first is credited, and you take the last",
        0.35: "the gap is the public loss less the sealed one",
        -0.1944: "you compare with the loss on all labels; the sealed ones are the others alone",
        0.25: "the lowest sealed loss belongs to another file than the lowest public loss",
        -0.1: "you take the last file of the account",
        0.1: "you take the first file of the account",
        0.75: "you take the file with the lowest sealed loss; only the public labels choose",
        0.09: "you take the mean of the gaps of all its files",
        -38.45: "in bytes 0 less 1 is 255: compare, do not subtract",
        -2.0: "a loss is a share of the labels, not a number of them",
    }
    value = float(mine["ann"])
    known = mistakes.get(
        round(value, 4), "the third submission is credited"
    )
    assert abs(value + 0.35) < 1e-09, (
        f"ann has the public losses 2/4, 1/4, 1/4, 3/4, 2/4 and the sealed ones 2/5, 3/5, 1/5, 0/5, 3/5, so her gap is 1/4 - 3/5 = -0.35; you return {value}: {known}"
    )
    mistakes = {-0.5: "you take the file with the lowest gap"}
    value = float(mine["bob"])
    known = mistakes.get(round(value, 4), "the first of them is credited")
    assert abs(value - 0.05) < 1e-09, (
        f"bob has the public losses 1/4, 2/4 and the sealed ones 1/5, 5/5, so his gap is 1/4 - 1/5 = 0.05; you return {value}: {known}"
    )
    value = float(mine["cat"])
    assert abs(value + 0.4) < 1e-09, (
        f"cat's only file is right on all public labels and wrong on two of five sealed ones, so the gap is -0.4; you return {value}"
    )
