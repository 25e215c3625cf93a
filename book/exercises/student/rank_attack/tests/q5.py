from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../rank_attack.ipynb#a-leader-that-stands-still-reads-everything'>A leader that stands still reads everything</a>.",
)
def test_two_boards(attack):
    import numpy as np

    for labels, others in [
        ([1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1], 0),
        ([0, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0], 13),
    ]:
        n = len(labels)
        reached = {("other", i): i * 10**6 for i in range(others)}
        made, stale = ([], [])

        def submit(
            account,
            vector,
            labels=labels,
            reached=reached,
            made=made,
            stale=stale,
        ):
            made.append([int(label) for label in vector])
            pairs = zip(made[-1], labels, strict=True)
            wrong = sum((a != b for a, b in pairs))
            entry = wrong * 10**6 + len(made)
            if reached.get(account, entry) // 10**6 < wrong:
                stale.append(len(made))
            reached[account] = min(reached.get(account, entry), entry)
            mine = reached[account]
            return sum(other <= mine for other in reached.values())

        found = attack(submit, n, np.random.default_rng(1))
        assert found is not None, (
            "attack should return the n labels, it returns None"
        )
        found = [int(label) for label in found]
        assert {label for vector in made for label in vector} <= {0, 1}, (
            "a submission is a vector of zeros and ones"
        )
        used = len(reached) - others
        why = "each account that lands in front of another pushes it back by one, so the ranks that you compare with change"
        if found[:-1] == labels[:-1]:
            why = "all labels but the last are right"
            why += ", which has no partner" * (n % 2)
        elif stale:
            why = f"submission {stale[0]} came from an account that had a better vector before: such an account stays where it is, and its rank says nothing of the new vector"
        assert found == labels, (
            f"with {others} other accounts on the board the labels are {labels}, you return {found} after {len(made)} submissions from {used} accounts: {why}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../rank_attack.ipynb#alone-no-two-accounts-can-do-it-faster'>Alone, no two accounts can do it faster</a>.",
)
def test_average(attack):
    import numpy as np

    n, boards, made = (41, 30, [])
    for board in range(boards):
        labels = [(i + board) % 2 for i in range(n)]
        reached = {}

        def submit(
            account, vector, labels=labels, reached=reached, board=board
        ):
            made.append(board)
            pairs = zip(vector, labels, strict=True)
            wrong = sum((int(a) != b for a, b in pairs))
            entry = wrong * 10**6 + len(made)
            reached[account] = min(reached.get(account, entry), entry)
            mine = reached[account]
            return sum(other <= mine for other in reached.values())

        found = attack(submit, n, np.random.default_rng(board))
        assert found is not None, (
            "attack should return the n labels, it returns None"
        )
    mean = len(made) / boards
    why = "a rank can tell more than yes or no"
    if mean == n + 1:
        why = "n + 1 is what one label at a time takes; on these boards two neighbours are never alike, so flipping them as pairs in a vector that is not random takes as long"
    limit = 3 * n / 4 + 3 / 2
    error = (n / 8 / boards) ** 0.5
    assert mean <= limit + 4 * error, (
        f"on {boards} boards of {n} labels you make {mean:.1f} submissions on average, {limit} are allowed (standard error {error:.1f}): {why}"
    )
