from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5


@test_case(
    points=None,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#a-needle-in-a-haystack'>A needle in a haystack</a>.",
)
def test_the_risks(crowd):
    laws = crowd(4, 1, 8)
    assert laws is not None, (
        "crowd(4, 1, 8) should be a list of 4 laws; you return None"
    )
    assert len(laws) == 4, (
        f"crowd(4, 1, 8) should be a list of 4 laws; you return {len(laws)}"
    )
    for needle, law in enumerate(laws):
        total = sum(law.values())
        assert min(law.values()) >= 0 < total, "weights are not negative"
        assert {len(pattern) for pattern in law} == {4}, (
            "each pattern should have k = 4 entries"
        )
        for i in range(4):
            wrong = sum(law[pattern] for pattern in law if pattern[i])
            value = 3 if i == needle else 4
            mistakes = {
                (
                    3,
                    4,
                ): "the needle is as good as the others: is epsilon forgotten",
                (
                    3,
                    5,
                ): "the needle is worse than the others: is the sign of epsilon wrong",
                (3, 3.5): "do you take epsilon / 2 for epsilon",
                (
                    4,
                    3,
                ): "this is the risk of the needle: which law belongs to it",
            }
            guess = mistakes.get((value, 8 * wrong / total), "add it up")
            assert 8 * wrong == value * total, (
                f"crowd(4, 1, 8): under law {needle} classifier {i} should be wrong with probability {value}/8, it is with {wrong}/{total}: {guess}?"
            )


@test_case(
    points=None,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#the-lower-bound'>The lower bound</a>.",
)
def test_the_best_guess(crowd):
    laws = crowd(4, 1, 8)
    assert laws is not None, (
        "crowd(4, 1, 8) should be a list of 4 laws; you return None"
    )
    best = {}
    for law in laws:
        for pattern, weight in law.items():
            chance = weight / sum(law.values()) / len(laws)
            best[pattern] = max(best.get(pattern, 0), chance)
    error = 1 - sum(best.values())
    reason = "which patterns do two laws share?"
    for number, mistake in [
        (
            0.6953125,
            "these are the laws of the chapter, in which all err independently",
        ),
        (
            0.375,
            "the needle has a coin of its own, and agrees with the crowd half of the time: let it do the opposite",
        ),
        (0.75, "all laws are the same"),
    ]:
        reason = mistake if abs(error - number) < 1e-06 else reason
    assert error < 1 / 8, (
        f"crowd(4, 1, 8): the best guess from one pattern should err with probability less than 1/8, it errs with {error:.4f}: {reason}"
    )
