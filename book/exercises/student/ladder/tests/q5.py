from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#what-an-honest-participant-pays'>What an honest participant pays</a>.",
)
def test_an_honest_participant(make_board):
    labels = [int(i % 3 == 0) for i in range(100)]
    submit = make_board(list(labels), 1, 10)
    assert submit is not None, (
        "make_board should return a function, it returns None"
    )
    best, shown = (100, [])
    for wrong in (50, 45, 34, 20, 70, 17, 14, 11, 8, 8, 40, 5, 2, 0):
        vector = [label ^ int(i < wrong) for i, label in enumerate(labels)]
        answer = submit(vector)
        assert answer is not None, (
            "submit should return a number, it returns None"
        )
        shown.append(round(float(answer), 4))
        last, best = (best, min(best, wrong))
        gap = float(answer) - best / 100
        why = "an improvement must show at once"
        if gap < 0:
            why = "nobody has reached a loss so small. Rounding to the nearest level, for one, makes some losses smaller"
        elif wrong > best:
            why = "it goes up after a worse submission, and should remember the best"
        elif len(shown) == 1:
            why = "this is the first submission, and its loss is the best so far"
        elif len(set(shown)) == 1:
            why = "it does not move"
        elif last - wrong < 10:
            why = "improvements that are too small to be shown add up. What counts is how far the best loss so far is from what the board shows, and that is the tolerance at most"
        assert -1e-09 <= gap <= 0.1 + 1e-09, (
            f"with the tolerance 1/10 and losses from 0.5 to {wrong / 100} your board has shown {shown}, the best loss so far is {best / 100}: {why}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#under-attack'>Under attack</a>.",
)
def test_three_attacks(make_board):
    state, n, limit = ([20150601], 400, 0.05 + 2.5 / 20)

    def coins(count):
        bits = []
        while len(bits) < count:
            state[0] = (
                6364136223846793005 * state[0] + 1442695040888963407
            ) % 2**64
            bits += [int(bit) for bit in f"{state[0] >> 44:020b}"]
        return bits[:count]

    for size, advice in [
        (1, "single flips: an improvement by one label must not show"),
        (2, "pairs: a margin of one label is too small"),
    ]:
        submit = make_board(coins(n), 1, 20)
        assert submit is not None, (
            "make_board should return a function, it returns None"
        )
        vector = coins(n)
        release = first = submit(list(vector))
        assert abs(first - 0.5) <= limit, (
            f"n = 400, tolerance 1/20: for one random vector a new board shows {float(first):.3f}, and it may be off 0.5 by {limit} at most"
        )
        for i in range(0, n, size):
            trial = list(vector)
            for j in range(i, i + size):
                trial[j] ^= 1
            answer = submit(list(trial))
            if answer < release:
                vector, release = (trial, answer)
        assert abs(release - 0.5) <= limit, (
            f"n = 400, tolerance 1/20: flips bring your board from {float(first):.3f} to {float(release):.3f}, and it may be off 0.5 by {limit} at most. It gives way to {advice}"
        )
    submit, vectors = (make_board(coins(n), 1, 20), [])
    for _ in range(350):
        vector = coins(n)
        vectors.append((float(submit(list(vector))), vector))
    mean = sum((shown for shown, _ in vectors)) / len(vectors)
    votes = [0.0] * n
    for shown, vector in vectors:
        for i, label in enumerate(vector):
            votes[i] += (mean - shown) * (2 * label - 1)
    final = [int(vote > 0) for vote in votes]
    releases = [float(submit(list(final))) for _ in range(20)]
    strays = [x for x in releases if not abs(x - 0.5) <= limit]
    assert not strays, (
        f"n = 400, tolerance 1/20: the vote of 350 random vectors, weighted by what your board shows, brings it to {strays[0]:.3f}, and it may be off 0.5 by {limit} at most. A submission that is no better than the best must leave no trace; noise that is drawn anew is averaged away"
    )
