from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
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
        for weight in law.values():
            whole = not isinstance(weight, float) and int(weight) == weight
            assert whole, (
                f"weights should be whole numbers (int), and {weight!r} is not: multiply by a common denominator. Floats cannot hold every p/q"
            )
            assert weight >= 0, f"no weight is negative, and {weight} is"
        total = sum(law.values())
        assert total > 0, (
            f"law {needle} has no pattern with a positive weight"
        )
        assert {len(pattern) for pattern in law} == {4}, (
            "each pattern should have k = 4 entries"
        )
        risks = [
            8 * sum(law[pattern] for pattern in law if pattern[i]) / total
            for i in range(4)
        ]
        right = [3 if i == needle else 4 for i in range(4)]
        guess = "which patterns have a one at the place of a classifier"
        if sorted(risks) == sorted(right):
            guess = "is this the law of another needle"
        elif risks == [4] * 4:
            guess = (
                "the needle is as good as the others: is epsilon forgotten"
            )
        elif risks[needle] == 5:
            guess = "the needle is worse than the others: is the sign of epsilon wrong"
        elif risks[needle] == 3.5:
            guess = "do you take epsilon / 2 for epsilon"
        assert risks == right, (
            f"crowd(4, 1, 8): under law {needle} the classifiers should be wrong with probabilities {right} / 8, they are with {risks} / 8: {guess}?"
        )


@test_case(
    points=0,
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
        total = sum(law.values())
        assert total > 0, "a law has no pattern with a positive weight"
        for pattern, weight in law.items():
            chance = weight / total / len(laws)
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
