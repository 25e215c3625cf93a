from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../hoeffding_union_bound.ipynb#eve-broke-one-word-fixed'>Eve broke one word: fixed</a>.",
)
def test_only_the_last_vector_looks(attack):
    import numpy as np

    runs = []
    for labels in ([0] * 30, [0, 1] * 15):
        seen = []

        def submit(vector, labels=labels, seen=seen):
            seen.append([int(label) for label in vector])
            pairs = zip(seen[-1], labels, strict=True)
            return sum((a != b for a, b in pairs)) / 30

        final = attack(submit, 30, 20, np.random.default_rng(1))
        assert final is not None, (
            "the attack should return n labels, you return None"
        )
        assert len(seen) == 20, (
            f"the attack should submit exactly k = 20 vectors, it submitted {len(seen)}"
        )
        used = {label for vector in seen for label in vector}
        assert used <= {0, 1}, "labels are 0 or 1"
        runs.append((seen, [int(label) for label in final]))
    assert runs[0][0] == runs[1][0], (
        "with the same seed the submissions must be the same on all boards: only the final vector may depend on the losses"
    )
    assert runs[0][1] != runs[1][1], "the final vector must use the losses"


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#a-thousand-coin-files-read-the-board'>A thousand coin files read the board</a>.",
)
def test_a_loss_is_more_than_a_bit(attack):
    import numpy as np

    first = []

    def submit(vector):
        vector = [int(label) for label in vector]
        if not first:
            first.extend(vector)
        pairs = zip(vector, first, strict=True)
        return sum((a != b for a, b in pairs)) / 201

    final = attack(submit, 201, 7, np.random.default_rng(2))
    assert final is not None, (
        "the attack should return n labels, you return None"
    )
    wrong = sum((int(a) != b for a, b in zip(final, first, strict=True)))
    assert wrong <= 20, (
        f"of seven vectors the first has a loss of 0 and the others are near 1/2, so nearly all labels are known; you get {wrong} of 201 wrong: a vote with a loss of 0 should count for much, and one near 1/2 for little"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../hoeffding_union_bound.ipynb#eve-broke-one-word-fixed'>Eve broke one word: fixed</a>.",
)
def test_outside_of_the_interval(attack):
    import numpy as np

    def submit(vector):
        return sum(int(label) for label in vector) / 101

    final = attack(submit, 101, 300, np.random.default_rng(3))
    assert final is not None, (
        "the attack should return n labels, you return None"
    )
    right = sum(int(label) == 0 for label in final) / 101
    assert right > 0.8, (
        f"on 101 labels, all 0, and with 300 submissions the accuracy should be about .96; you reach {right:.2f}, and the best of 300 random vectors about .64: let all of them vote, each for what its loss says"
    )
