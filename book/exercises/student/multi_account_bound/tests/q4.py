from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#a-fresh-account-every-time'>A fresh account every time</a>.",
)
def test_seven_labels(attack):
    labels = [1, 0, 0, 1, 1, 0, 1]
    level, submitted = ({}, [])

    def submit(account, vector):
        submitted.append([int(label) for label in vector])
        wrong = sum(
            (a != b for a, b in zip(submitted[-1], labels, strict=True))
        )
        new = 1 if 2 * wrong >= 7 else 0
        level[account] = min(level.get(account, 1), new)
        return float(level[account])

    final = attack(submit, 7)
    assert final is not None, (
        "the attack should return the 7 labels; you return None"
    )
    final = [int(label) for label in final]
    assert {label for vector in submitted for label in vector} <= {0, 1}, (
        "a submission is a vector of zeros and ones"
    )
    mistakes = {
        (
            1,
            0,
            0,
            0,
            1,
            1,
            1,
        ): "do you go on with an account that has fallen? It shows nothing any more",
        (
            0,
            1,
            1,
            0,
            0,
            1,
            0,
        ): "all of them are flipped: a high release says that half of the labels or more are wrong",
    }
    reason = "with m = 1 a fresh account releases 1 if at least half of the labels are wrong, else 0"
    assert final == labels, (
        f"you find {final} in place of {labels}: {mistakes.get(tuple(final), reason)}"
    )
    assert len(submitted) <= 27, (
        f"at most n + 20 submissions are allowed, you make {len(submitted)}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#a-fresh-account-every-time'>A fresh account every time</a>.",
)
def test_sixty_labels(attack):
    for labels, guess in [
        (
            [0] * 15 + [1] * 45,
            "where a vector is high and its neighbour low you find an edge, and after it each label takes one submission",
        ),
        (
            [0, 1] * 30,
            "all zeros and all ones are both high here, with a loss of exactly 1/2, so neither of them is low",
        ),
    ]:
        level, made = ({}, [])

        def submit(account, vector, labels=labels, level=level, made=made):
            pairs = zip(vector, labels, strict=True)
            wrong = sum((int(a) != b for a, b in pairs))
            new = (2 * wrong * 3 + 60) // 120
            level[account] = min(level.get(account, 3), new)
            made.append(account)
            return level[account] / 3

        final = attack(submit, 60)
        assert final is not None, (
            "the attack should return the 60 labels; you return None"
        )
        pairs = zip(final, labels, strict=True)
        errors = sum((int(a) != b for a, b in pairs))
        assert errors == 0, (
            f"with {sum(labels)} ones of 60 labels and m = 3 you get {errors} labels wrong: {guess}"
        )
        assert len(made) <= 80, (
            f"n + 20 = 80 submissions are allowed, you make {len(made)}: halve the way to the edge, and then ask for each label once"
        )
        assert len(level) <= 50, (
            f"n/2 + 20 = 50 accounts are allowed, you use {len(level)} for {len(made)} submissions: one that stands high is as good as fresh"
        )
