from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4


@test_case(
    points=None,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#the-attack'>The attack</a>.",
)
def test_form(attack):
    import numpy as np

    seen = []

    def submit(submission):
        seen.append([int(label) for label in submission])
        assert len(seen[-1]) == 7, (
            f"a submission should have n = 7 labels, yours has {len(seen[-1])}"
        )
        return sum(seen[-1]) / 7

    final = attack(submit, 7, 20, np.random.default_rng(1))
    assert final is not None, (
        "attack should return a vector of n zeros and ones, it returns None"
    )
    final = [int(label) for label in final]
    assert 0 < len(seen) <= 20, (
        f"the attack may make k = 20 submissions, it made {len(seen)}: the final vector is returned and not submitted"
    )
    assert len(final) == 7, (
        f"the final vector should have n = 7 labels, yours has {len(final)}"
    )
    assert {label for vector in [*seen, final] for label in vector} <= {
        0,
        1,
    }, "labels are 0 or 1: votes for and against are counted as +1 and -1"


@test_case(
    points=None,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#what-a-majority-makes-of-it'>What a majority makes of it</a>.",
)
def test_forty_boards(attack):
    import numpy as np

    n, k, boards, shares = (200, 50, 40, [])
    for board in range(boards):
        labels = [int((i + board) % 3 == 0) for i in range(n)]

        def submit(submission, labels=labels):
            pairs = zip(submission, labels, strict=True)
            return sum((int(a) != b for a, b in pairs)) / n

        final = attack(submit, n, k, np.random.default_rng(board))
        assert final is not None, (
            "attack should return a vector of n zeros and ones, it returns None"
        )
        shares.append(1 - submit(final))
    mean = sum(shares) / boards
    squares = sum((share - mean) ** 2 for share in shares)
    error = (squares / (boards - 1) / boards) ** 0.5
    mistakes = {
        0.308: "votes that are turned around: a loss below 1/2 speaks for the labels of the submission",
        0.51: "the weight 1 - loss, which is nearly the same for all submissions; the distance from 1/2 is not",
        0.5: "votes that know nothing of the releases",
        0.608: "the half attack, in which the submissions above 1/2 are thrown away",
        0.622: "flipping one label at a time, which is better for large k only",
        0.638: "weights, if only the submissions of at most 1/2 vote",
        0.654: "the aligned attack, in which all votes count alike: one whose loss is far from 1/2 says more",
    }
    known = min(mistakes, key=lambda value: abs(mean - value))
    why = f"; {known} is the value of {mistakes[known]}"
    assert mean >= 0.691894 - 4 * error, (
        f"on 40 boards of 200 labels, with 50 submissions, {mean:.3f} of the labels are right on average, 0.692 is expected with a standard error of {error:.4f}{(why if abs(mean - known) < 0.012 else '')}"
    )
