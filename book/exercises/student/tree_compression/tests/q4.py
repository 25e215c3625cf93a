from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../tree_compression.ipynb#choosing-the-step'>Choosing the step</a>.",
)
def test_a_tenth(labels_needed):
    mine = labels_needed(10, 1000, 20)
    assert mine is not None, (
        "labels_needed(10, 1000, 20) should be the pair (9180, 18); you return None"
    )
    mistakes = {
        (
            12446,
            10,
        ): "you take Zheng's step, one half of the error for rounding, and a finer grid needs fewer labels",
        (
            15391,
            37,
        ): "you charge a whole step for rounding, and the simplified Ladder costs half a step",
        (
            13244,
            18,
        ): "you take the logarithm in bits, and the exponent of Hoeffding's bound needs nats",
        (9114, 18): "you have one tail, and a deviation can go up or down",
        (
            8799,
            18,
        ): "you count the histories of exactly k - 1 releases, or m levels: shorter histories are nodes, too, and there are m + 1 levels",
        (
            8864,
            18,
        ): "you count the tree of the Ladder, and this is the simplified one",
        (18, 9180): "you exchange n and m",
    }
    reason = "m = 10 needs 12446 labels, m = 15 needs 9412, and m = 18 fewer still"
    assert tuple(mine) == (9180, 18), (
        f"labels_needed(10, 1000, 20) should be (9180, 18): {mistakes.get(tuple(mine), reason)}; you return {tuple(mine)}"
    )
