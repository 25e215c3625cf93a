"""Boards of many accounts, of the best submissions and of ranks, and the leaderboard error."""

from collections import Counter
from fractions import Fraction
from math import floor, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

losses = st.integers(0, 64).map(lambda c: c / 64)


class Accuracy(le.Mechanism):
    """Releases the share of right labels."""

    larger_is_better = True

    def _release(self, submission):
        return np.mean(submission == self._labels)


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


def best_three(labels):
    return le.TopBoard(labels, ranks=3)


BOARDS = [le.Leaderboard, best_three, le.RankBoard]


@pytest.mark.parametrize("make", BOARDS)
def test_board_copies_labels(make):
    labels = np.zeros(4)
    board = make(labels)
    labels[:] = 1
    assert [board.submit("ann", [1, 0, 0, 0]), board.submit("bob", [0, 0, 0, 0])] == (
        [1, 1] if make is le.RankBoard else [0.25, 0]
    )


@pytest.mark.parametrize("make", BOARDS)
def test_a_board_copies_what_it_keeps(make):
    """A submission that is changed afterwards, which may still be handed down, counts as it was."""
    board, vector = make(np.zeros(4)), np.array([1, 0, 0, 0])
    board.submit("ann", vector)
    vector[:] = 1
    board.submit("bob", [0, 0, 0, 0])
    expected = {
        le.Leaderboard: (le.Standing(1, "bob", 0, 1), le.Standing(2, "ann", 0.25, 1)),
        best_three: (("bob", 0), ("ann", 0.25)),
        le.RankBoard: ("bob", "ann"),
    }
    assert board.standings() == expected[make]


@pytest.mark.parametrize("make", BOARDS)
def test_nothing_public_but_the_interface(make):
    assert {name for name in dir(make([0, 1])) if not name.startswith("_")} == {"submit", "standings"}


@pytest.mark.parametrize("make", BOARDS)
@pytest.mark.parametrize("account", [["ann"], ("ann", [1])])
def test_a_refused_submission_leaves_no_trace(make, account):
    """After bad submissions and bad names a board goes on like one that never saw them."""
    disturbed, left_alone = make(np.zeros(8)), make(np.zeros(8))
    for name, wrong in (("ann", 5), ("bob", 3), ("ann", 2), ("cid", 2), ("bob", 1), ("cid", 0)):
        for refused, predictions in ((account, [0] * 8), (name, [0] * 7), ("new", ["0"] * 8), ("new", None)):
            with pytest.raises(ValueError, match=r"^(account|predictions) must "):
                disturbed.submit(refused, predictions)
        assert disturbed.standings() == left_alone.standings()
        assert disturbed.submit(name, np.arange(8) < wrong) == left_alone.submit(name, np.arange(8) < wrong)
    assert disturbed.standings() == left_alone.standings()


counts = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 12)), max_size=20)
OTHER_MECHANISMS = [
    le.FullDisclosure,
    lambda labels: le.FullDisclosure(labels, precision="1/5"),
    lambda labels: le.SimplifiedLadder(labels, eta="1/5"),
    lambda labels: le.Ladder(labels, eta="1/5"),
    le.ParameterFreeLadder,
]


def fill(board, counts, seed):
    """Submit vectors with these numbers of wrong labels of twelve, and yield account, count and answer of each."""
    rng = np.random.default_rng(seed)
    for account, wrong in counts:
        yield account, wrong, board.submit(account, rng.permutation(np.arange(12) < wrong))


@pytest.mark.parametrize(
    ("mechanism", "shown"),
    [
        (le.FullDisclosure, lambda wrong: wrong / 12),
        (OTHER_MECHANISMS[1], lambda wrong: floor(Fraction(5 * wrong, 12) + Fraction(1, 2)) / 5),
        (OTHER_MECHANISMS[2], lambda wrong: floor(Fraction(5 * wrong, 12) + Fraction(1, 2)) / 5),
    ],
)
@given(counts=counts, ranks=st.integers(1, 25), seed=st.integers(0, 2**32 - 1))
def test_top_board_shows_the_best_submissions(mechanism, shown, counts, ranks, seed):
    """The smallest losses of all, rounded if the mechanism rounds, in order, each by an account that submitted it."""
    board = le.TopBoard(np.zeros(12), ranks=ranks, mechanism=mechanism)
    scored = [(account, shown(wrong)) for account, wrong, _ in fill(board, counts, seed)]
    assert [loss for _, loss in board.standings()] == sorted(loss for _, loss in scored)[:ranks]
    assert Counter(board.standings()) <= Counter(scored)


def test_ties_on_a_top_board():
    """An equal loss takes no rank, neither that of a newcomer nor one that was handed down."""
    board = le.TopBoard([0, 0, 0], ranks=2)
    shown = []
    for account, predictions in (("ann", [0, 1, 1]), ("bob", [1, 0, 1]), ("cid", [1, 1, 0]), ("ann", [0, 0, 0])):
        board.submit(account, predictions)
        shown.append([name for name, _ in board.standings()])
    assert shown == [["ann"], ["ann", "bob"], ["ann", "bob"], ["ann", "bob"]]
    assert board.standings()[0] == ("ann", 0)


def test_what_a_top_board_answers():
    """The best loss that it shows for the account, which may be of an earlier submission, or infinity."""
    board = le.TopBoard([0] * 4, ranks=2)
    submissions = (("ann", 2), ("ann", 3), ("bob", 4), ("bob", 1), ("ann", 4), ("cid", 0), ("ann", 3))
    answers = [board.submit(account, np.arange(4) < wrong) for account, wrong in submissions]
    assert answers == [0.5, 0.5, inf, 0.25, 0.5, 0, inf]
    assert {type(answer) for answer in answers} == {float}


@pytest.mark.parametrize("mechanism", OTHER_MECHANISMS)
@given(counts=counts, ranks=st.integers(1, 5), seed=st.integers(0, 2**32 - 1))
def test_a_rank_never_shows_a_larger_loss(mechanism, counts, ranks, seed):
    """Ranks fill up one by one and do not get worse; each shows the last release of its mechanism, and an answer its
    account's best row."""
    made = []

    def make(labels):
        made.append(mechanism(labels))
        return made[-1]

    board, before = le.TopBoard(np.zeros(12), ranks=ranks, mechanism=make), ()
    assert len(made) == ranks
    for t, (account, _, answer) in enumerate(fill(board, counts, seed), start=1):
        rows = board.standings()
        assert answer == min((loss for name, loss in rows if name == account), default=inf)
        assert len(rows) == min(t, ranks)
        assert all(now[1] < then[1] or now == then for now, then in zip(rows, before, strict=False))
        lowest = [min(released for _, released in rank.transcript) for rank in made[: len(rows)]]
        assert [loss for _, loss in rows] == lowest
        before = rows


def test_what_loses_its_rank_is_handed_on():
    """Each rank judges for itself: with a Ladder at each, a loss that one refuses can be shown by the next."""
    board = le.TopBoard(np.zeros(10), ranks=2, mechanism=lambda labels: le.Ladder(labels, eta="1/10"))
    shown = []
    for account, wrong in (("ann", 6), ("bob", 5), ("cid", 4), ("dan", 3)):
        board.submit(account, np.arange(10) < wrong)
        shown.append(board.standings())
    assert shown == [
        (("ann", 0.6),),
        (("ann", 0.6), ("bob", 0.5)),
        (("cid", 0.4), ("bob", 0.5)),
        (("cid", 0.4), ("dan", 0.3)),
    ]


def test_a_top_board_needs_losses():
    for mechanism, made in ((Accuracy, "Accuracy"), (list, r"\["), (lambda labels: None, "None")):
        with pytest.raises(ValueError, match=f"^mechanism must make .*Mechanism that releases losses, got .*{made}"):
            le.TopBoard([0, 1], ranks=1, mechanism=mechanism)


@given(counts=counts, m=st.none() | st.integers(1, 15), seed=st.integers(0, 2**32 - 1))
def test_rank_board_by_definition(counts, m, seed):
    """Accounts stand in the order of their best losses, and at a tie of those who reached them first."""
    board, scored = le.RankBoard(np.zeros(12), precision=m and Fraction(1, m)), []
    for account, wrong, rank in fill(board, counts, seed):
        scored.append((wrong if m is None else floor(Fraction(m * wrong, 12) + Fraction(1, 2)), len(scored), account))
        order = list(dict.fromkeys(name for _, _, name in sorted(scored)))
        assert board.standings() == tuple(order)
        assert rank == order.index(account) + 1
        assert type(rank) is int


@pytest.mark.parametrize("precision", ["1/4", 0.25, Fraction(1, 4)])
def test_rank_board_compares_rounded_losses(precision):
    """Of 8 labels, 5 wrong round to 3/4, 4 and 3 wrong to 2/4: a middle is rounded up."""
    board = le.RankBoard(np.zeros(8), precision=precision)
    ranks = [
        board.submit(name, np.arange(8) < wrong) for name, wrong in (("ann", 4), ("bob", 3), ("cid", 5), ("bob", 2))
    ]
    assert ranks == [1, 2, 3, 1]
    assert board.standings() == ("bob", "ann", "cid")


def test_equal_scores_never_reorder():
    board = le.RankBoard([0, 0])
    for account, predictions in (("ann", [0, 1]), ("bob", [1, 0]), ("bob", [0, 1]), ("cid", [1, 1]), ("cid", [1, 0])):
        board.submit(account, predictions)
    assert board.standings() == ("ann", "bob", "cid")


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


def test_limits_count_what_the_board_took():
    """A refused file costs nothing; each limit is named, before the board sees the file."""
    board = le.Leaderboard([0, 1, 1, 0])
    submit = le.limited(board, teams=2, each=2, files=3)
    for wrong in ([0, 1], ["a"] * 4):
        with pytest.raises(ValueError, match="predictions must"):
            submit("ann", wrong)
    assert submit("ann", [0, 0, 0, 0]) == 0.5
    assert submit("ann", [0, 1, 1, 0]) == 0
    with pytest.raises(ValueError, match=r"^'ann' has sent all of its files, 2$"):
        submit("ann", [0, 0, 0, 0])
    with pytest.raises(ValueError, match="account must be hashable"):
        submit([], [0, 0, 0, 0])
    submit("bob", [0, 0, 0, 0])
    with pytest.raises(ValueError, match=r"^'eve' is one team too many: the board takes 2$"):
        submit("eve", [0, 0, 0, 0])
    with pytest.raises(ValueError, match=r"^no file is left: the board takes 3 in all$"):
        submit("bob", [0, 0, 0, 0])
    assert [row.submissions for row in board.standings()] == [2, 1]


def test_a_name_that_was_refused_is_no_team():
    board = le.TopBoard([0, 1, 1, 0], ranks=1)
    submit = le.limited(board, teams=1)
    with pytest.raises(ValueError, match="predictions must"):
        submit("eve", [0])
    assert submit("ann", [0, 1, 1, 0]) == 0


def test_limits_outlive_a_restart(tmp_path):
    """What a board on disk took before it was opened again counts."""

    def opened():
        board = le.BoardLog(tmp_path / "board.sqlite", [0, 1, 1, 0], mechanism=le.SimplifiedLadder)
        return le.limited(board, teams=1, each=2)

    for _ in range(2):
        assert opened()("ann", [0, 1, 1, 0]) == 0
    with pytest.raises(ValueError, match=r"^'ann' has sent all of its files, 2$"):
        opened()("ann", [0, 1, 1, 0])
    with pytest.raises(ValueError, match=r"^'bob' is one team too many: the board takes 1$"):
        opened()("bob", [0, 1, 1, 0])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"each": 0}, "each must be a whole number of at least 1, got 0"),
        ({"teams": "2"}, "teams must be a whole number of at least 1, got '2'"),
        ({"board": 3}, "board.submit must be"),
    ],
)
def test_limits_that_are_none_are_refused(asked, message):
    with pytest.raises(ValueError, match=message):
        le.limited(**{"board": le.Leaderboard([0, 1]), **asked})
