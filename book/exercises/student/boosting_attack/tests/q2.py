from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 5


@test_case(points=None, hidden=False)
def test_form(attack):
    import numpy as np

    seen = []

    def submit(submission):
        seen.append([int(label) for label in submission])
        return 0.5

    final = [
        int(label)
        for label in attack(submit, 7, 20, np.random.default_rng(1))
    ]
    assert len(seen) == 20, (
        f"the attack should submit exactly k = 20 vectors, it submitted {len(seen)}"
    )
    assert {len(vector) for vector in [*seen, final]} == {7}, (
        "every vector should have n = 7 labels"
    )
    assert {label for vector in [*seen, final] for label in vector} <= {
        0,
        1,
    }, "labels are 0 or 1"
    assert len({tuple(vector) for vector in seen}) > 10, (
        "the submissions should be random and differ"
    )


@test_case(points=None, hidden=False)
def test_all_labels_zero(attack):
    import numpy as np

    def submit(submission):
        return sum(int(label) for label in submission) / 101

    final = attack(submit, 101, 401, np.random.default_rng(2))
    right = sum(int(label) == 0 for label in final) / 101
    reason = "votes of losses above 1/2 must be flipped, and the majority taken label by label"
    assert right > 0.7, (
        f"on 101 labels, all 0, accuracy should be about .94: {reason}; you reach {right:.2f}"
    )
