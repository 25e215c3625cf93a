from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#the-mechanism'>The mechanism</a>.",
)
def test_thirty_boards(attack):
    import numpy as np

    n, boards, shares = (60, 30, [])
    accepted, largest = (0, 0)
    for board in range(boards):
        labels = [(i + board) % 2 for i in range(n)]
        made, best = ([], [])

        def submit(submission, labels=labels, made=made, best=best):
            made.append([int(label) for label in submission])
            pairs = zip(made[-1], labels, strict=True)
            wrong = sum((a != b for a, b in pairs))
            if not best or wrong < best[-1][0] - 1:
                best.append((wrong, made[-1]))
            return best[-1][0] / len(labels)

        final = attack(submit, n, np.random.default_rng(board))
        assert final is not None, (
            "attack should return a vector of n labels, it returns None"
        )
        assert made, "the attack makes no submission"
        assert len(made) <= n // 2 + 1, (
            f"at most n/2 + 1 = {n // 2 + 1} submissions are allowed for n = {n}, you make {len(made)}"
        )
        pairs = zip(final, labels, strict=True)
        shares.append(sum((int(a) == b for a, b in pairs)) / n)
        accepted += len(best) - 1
        for vector in made:
            pairs = zip(made[0], vector, strict=True)
            largest = max(largest, sum((a != b for a, b in pairs)))
    mean = sum(shares) / boards
    why = "flip two labels at a time, and keep the flip if and only if the release falls"
    if not largest:
        why = "no submission differs from your first one, so nothing is learned"
    elif not accepted and largest == 1:
        why = "you flip one label at a time, and a vector that is better by one label is a tie on this board, which is refused"
    elif not accepted:
        why = "not one of your submissions was accepted after the first. If your first vector is not random, this is why: on these boards no two neighbours are alike, so in a vector that is not random no pair of neighbours is wrong on both labels"
    elif 0.4 < mean < 0.6:
        why = "some were accepted, but what you return is hardly better than a coin: a flip is right only if the release is lower than it was just before"
    limit = 3 / 4 - 4 / (8 * n * boards) ** 0.5
    assert mean >= limit, (
        f"on {boards} boards of {n} labels {mean:.3f} of your labels are right on average, and 0.75 is expected (at least {limit:.3f} is asked for): {why}"
    )
