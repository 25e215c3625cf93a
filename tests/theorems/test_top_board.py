"""One mechanism for each rank: the board is an analyst with as many accounts as it has ranks."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

MECHANISMS = {
    "ladder": lambda y: le.Ladder(y, eta="1/4"),
    "simplified": lambda y: le.SimplifiedLadder(y, eta="1/4"),
    "parameter-free": le.ParameterFreeLadder,
}


def route(submissions, ranks, mechanism):
    """Play the board as an analyst would who has an account for each rank and sees only what is released to it."""
    accounts = le.Leaderboard(np.zeros(len(submissions[0])), mechanism=mechanism)
    shown, standing = {}, {}
    for submission in submissions:
        handed = submission
        for rank in range(ranks):
            released = accounts.submit(rank, handed)
            if rank not in shown:
                shown[rank], standing[rank] = released, handed
                break
            if released < shown[rank]:
                shown[rank], (handed, standing[rank]) = released, (standing[rank], handed)
        yield [shown[rank] for rank in sorted(shown)]


vectors = st.lists(st.integers(0, 1), min_size=8, max_size=8).map(tuple)


@pytest.mark.parametrize("name", MECHANISMS)
@given(submissions=st.lists(vectors, min_size=1, max_size=12), ranks=st.integers(1, 4))
def test_ranks_are_accounts(name, submissions, ranks):
    """The board shows what an analyst sees who has one account a rank and goes by releases alone. No tolerance."""
    board = le.TopBoard(np.zeros(8), ranks=ranks, mechanism=MECHANISMS[name])
    for number, shown in enumerate(route(submissions, ranks, MECHANISMS[name])):
        board.submit(number, submissions[number])
        assert [loss for _, loss in board.standings()] == shown


@given(submissions=st.lists(vectors, min_size=1, max_size=15), ranks=st.integers(1, 5))
def test_top_losses(submissions, ranks):
    """With the simplified Ladder the ranks show the lowest rounded losses of all submissions, in order; none rises.

    Every list of submissions that Hypothesis draws. No tolerance.
    """
    board = le.TopBoard(np.zeros(8), ranks=ranks, mechanism=MECHANISMS["simplified"])
    before = []
    for number, submission in enumerate(submissions):
        board.submit(number, submission)
        shown = [loss for _, loss in board.standings()]
        rounded = sorted((sum(vector) * 4 * 2 + 8) // 16 / 4 for vector in submissions[: number + 1])
        none_rises = all(now <= then for now, then in zip(shown, before, strict=False))
        assert (shown, none_rises) == (rounded[:ranks], True)
        before = shown


@given(submissions=st.lists(vectors, min_size=1, max_size=15), ranks=st.integers(1, 5))
def test_names(submissions, ranks):
    """Each name stands at the rounded loss of a file of its own, one for each place; an equal file never takes a place.

    The simplified Ladder, an account for each submission of every list that Hypothesis draws. No tolerance.
    """
    board, before = le.TopBoard(np.zeros(8), ranks=ranks, mechanism=MECHANISMS["simplified"]), ()
    rounded = [(sum(vector) * 4 * 2 + 8) // 16 / 4 for vector in submissions]
    for number, submission in enumerate(submissions):
        board.submit(number, submission)
        names = [name for name, _ in board.standings()]
        assert len(set(names)) == len(names) == min(ranks, number + 1)
        assert board.standings() == tuple((name, rounded[name]) for name in names)
        worst = max((loss for _, loss in before), default=0)
        assert (number in names) == (len(before) < ranks or rounded[number] < worst)
        before = board.standings()


def printed_rule(places, account, loss):
    """Follow the rule that a host prints: the first place that is free or worse, and so on for what is pushed out."""
    places = list(places)
    for place, (_, standing) in enumerate(places):
        if standing > loss:
            (account, loss), places[place] = places[place], (account, loss)
    return tuple(places)


FREE = (None, 9)


def test_printed_rule():
    """The board shows the names that the printed rule gives, and its story is one of C(k + S, S + 1) before file k.

    S = Q m for Q places in steps of 1/m, the sum that may fall: an empty place counts as m. The falls determine the
    board: each of the first Q files counts as m less the fall, a later one as the last place less the fall, and without
    a fall the board stays. Every sequence of six levels in quarters for three places, an account for each file; of
    fewer for other boards. No tolerance.
    """
    for m, ranks, k in ((4, 3, 6), (1, 1, 8), (2, 2, 7), (3, 1, 6), (1, 3, 9)):
        boards, total = {}, ranks * m
        for levels in product(range(m + 1), repeat=k):
            board = le.TopBoard(np.zeros(m), ranks=ranks, mechanism=lambda y, m=m: le.SimplifiedLadder(y, eta=1 / m))
            places, falls, counts = (FREE,) * ranks, (), [m] * ranks
            for account, level in enumerate(levels):
                assert boards.setdefault(falls, places) == places
                board.submit(account, np.arange(m) < level)
                before, places = places, printed_rule(places, account, level)
                names = tuple(name for name, _ in board.standings())
                assert names == tuple(name for name, _ in places if name is not None)
                last, counts = counts[-1], [m if name is None else loss for name, loss in places]
                falls += (total - sum(falls) - sum(counts),)
                assert falls[-1] >= 0
                if account < ranks or falls[-1]:
                    assert level == (m if account < ranks else last) - falls[-1]
                else:
                    assert places == before
        assert sum(comb(t + total, total) for t in range(k)) == comb(k + total, total + 1)
        assert len(boards) <= comb(k + total, total + 1)


def test_margin_can_misorder():
    """With the Ladder's margin a lower rank can show a lower loss: the first rank refuses .44, the second shows .4."""
    board = le.TopBoard(np.zeros(100), ranks=2, mechanism=lambda y: le.Ladder(y, eta="1/10"))
    shown = [board.submit(name, np.arange(100) < wrong) for name, wrong in (("first", 50), ("second", 44))]
    assert shown == [0.5, 0.4]
    assert board.standings() == (("first", 0.5), ("second", 0.4))


def test_places():
    """With the simplified Ladder Q ranks take a new submission at most Q (m+1) times, and can do so that often.

    n = 8, eta = 1/m for m = 1, 2, 4, 8 and Q = 1 to 4: 300 random submissions in five orders stay within the bound, and
    Q submissions of each level, from the worst to the best, attain it. No tolerance.
    """
    for m, ranks, seed in product((1, 2, 4, 8), range(1, 5), range(6)):
        rng = np.random.default_rng(seed)
        worst_first = np.repeat(np.arange(8, -1, -8 // m), ranks)
        wrong = worst_first if seed == 5 else rng.integers(0, 9, 300)
        board = le.TopBoard(np.zeros(8), ranks=ranks, mechanism=lambda y, m=m: le.SimplifiedLadder(y, eta=1 / m))
        placed = sum(board.submit(number, np.arange(8) < c) < np.inf for number, c in enumerate(wrong))
        assert placed == ranks * (m + 1) if seed == 5 else placed <= ranks * (m + 1)


def test_histories():
    """What the ranks show in fewer than k rounds, over all losses, are at most the nodes of the tree of Q accounts.

    Every sequence of levels for six pairs of m and Q and k up to 4, 5 or 6, with n = m. The bound has k, not Q k; it is
    attained for one rank and for k <= Q + 1. No tolerance.
    """
    for m, ranks, longest in ((1, 1, 6), (1, 2, 6), (2, 1, 5), (2, 2, 4), (2, 3, 4), (3, 2, 4)):
        for k in range(1, longest + 1):
            nodes = set()
            for losses in product(range(m + 1), repeat=k):
                board = le.TopBoard(
                    np.zeros(m), ranks=ranks, mechanism=lambda y, m=m: le.SimplifiedLadder(y, eta=1 / m)
                )
                history = ()
                for wrong in losses:
                    nodes.add(history)
                    board.submit(0, np.arange(m) < wrong)
                    history += (tuple(loss for _, loss in board.standings()),)
            bound = le.tree_size("simplified", eta=1 / m, k=k, accounts=ranks)
            assert len(nodes) <= bound
            assert (ranks > 1 and k > ranks + 1) or len(nodes) == bound
