"""Boards of many accounts, and the leaderboard error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

losses = st.integers(0, 64).map(lambda c: c / 64)


class Accuracy(le.Mechanism):
    """Releases the share of right labels."""

    larger_is_better = True

    def _release(self, wrong):
        return 1 - wrong / self._labels.size


def rows(board):
    return [(row.rank, row.account, row.score, row.submissions) for row in board.standings()]


def test_one_mechanism_for_each_account():
    made = []

    def mechanism(labels):
        made.append(le.FullDisclosure(labels, precision="1/2"))
        return made[-1]

    board = le.Leaderboard([0, 0, 0, 1], mechanism=mechanism)
    assert [board.submit(account, [0, 0, 0, 0]) for account in ("ann", "bob", "ann")] == [0.5, 0.5, 0.5]
    assert [len(account.transcript) for account in made] == [2, 1]


def test_standings():
    board = le.Leaderboard([0, 0, 0, 0])
    assert board.standings() == ()
    board.submit("ann", [1, 1, 0, 0])
    board.submit("bob", [1, 0, 0, 0])
    board.submit("ann", [1, 1, 1, 0])
    board.submit(("team", 3), [1, 1, 1, 1])
    assert rows(board) == [(1, "bob", 0.25, 1), (2, "ann", 0.5, 2), (3, ("team", 3), 1, 1)]


def test_ties_share_a_rank_first_come_first():
    board = le.Leaderboard([0, 0])
    for account, predictions in (("ann", [1, 1]), ("bob", [0, 1]), ("cid", [1, 0]), ("dan", [1, 1]), ("eve", [0, 0])):
        board.submit(account, predictions)
    assert [row[:2] for row in rows(board)] == [(1, "eve"), (2, "bob"), (2, "cid"), (4, "ann"), (4, "dan")]


def test_standings_when_larger_is_better():
    board = le.Leaderboard([0, 0, 0, 0], mechanism=Accuracy)
    board.submit("ann", [1, 1, 0, 0])
    board.submit("bob", [1, 0, 0, 0])
    board.submit("bob", [1, 1, 1, 0])
    assert rows(board) == [(1, "bob", 0.75, 2), (2, "ann", 0.5, 1)]


@given(counts=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 8)), max_size=12))
def test_standings_by_definition(counts):
    board, best = le.Leaderboard(np.zeros(8)), {}
    for account, wrong in counts:
        board.submit(account, np.arange(8) < wrong)
        best.setdefault(account, []).append(wrong / 8)
    expected = [
        (1 + sum(min(other) < min(scores) for other in best.values()), account, min(scores), len(scores))
        for account, scores in best.items()
    ]
    assert rows(board) == sorted(expected, key=lambda row: row[0])


def test_board_copies_labels():
    labels = np.zeros(4)
    board = le.Leaderboard(labels)
    labels[:] = 1
    assert board.submit("ann", [0, 0, 0, 0]) == 0


def test_nothing_public_but_the_interface():
    assert {name for name in dir(le.Leaderboard([0, 1])) if not name.startswith("_")} == {"submit", "standings"}


@given(pairs=st.lists(st.tuples(losses, losses), min_size=1, max_size=12))
def test_leaderboard_error_by_definition(pairs):
    released, risks = zip(*pairs, strict=True)
    expected = max(abs(released[t] - min(risks[: t + 1])) for t in range(len(pairs)))
    assert le.leaderboard_error(released, risks) == expected
    assert type(le.leaderboard_error(released, risks)) is float


@given(risks=st.lists(losses, min_size=1, max_size=12))
def test_a_board_that_shows_the_best_true_risk_has_no_error(risks):
    assert le.leaderboard_error(np.minimum.accumulate(risks), risks) == 0


@pytest.mark.parametrize("name", ["rank", "account", "score", "submissions"])
def test_standing_is_frozen(name):
    row = le.Standing(rank=1, account="ann", score=0.5, submissions=1)
    with pytest.raises(AttributeError):
        setattr(row, name, 0)
