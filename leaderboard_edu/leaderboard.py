"""Boards of many accounts, the error of what a board shows, and which of two files is better."""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._holdout import Holdout, check_rows, row_names
from leaderboard_edu._releases import level
from leaderboard_edu._scores import wrong_labels
from leaderboard_edu._validation import (
    function,
    grid_denominator,
    hashable,
    real_vector,
    vector,
    whole_number,
)
from leaderboard_edu.mechanisms import FullDisclosure, Mechanism

__all__ = ["Leaderboard", "RankBoard", "Standing", "TopBoard", "leaderboard_error", "limited", "sign_test"]

MechanismMaker = Callable[[ArrayLike], Mechanism]


@dataclass(frozen=True)
class Standing:
    """One row of a leaderboard.

    Attributes
    ----------
    rank : int
        1 is best; equal scores share a rank.
    account : hashable
        The name under which submissions were made.
    score : float
        The best score released to the account so far.
    submissions : int
        How many submissions the account has made.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 1: teams are ranked by their best submission.

    Examples
    --------
    >>> Standing(rank=1, account="ann", score=0.25, submissions=3).account
    'ann'
    """

    rank: int
    account: Hashable
    score: float
    submissions: int


class Leaderboard:
    """A board of many accounts, one mechanism for each.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, as the mechanism takes them: by default classes, as for `Mechanism`; they are copied.
    mechanism : callable
        Makes the mechanism of a new account from the labels; `FullDisclosure` by default.

    Raises
    ------
    ValueError
        If the mechanism refuses `labels`, or `mechanism` makes something else; from `submit`, if the account is not
        hashable or the mechanism refuses the submission. Then the board, its list of accounts included, stays as it
        was.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2.1: the first way to build a full leaderboard.

    Examples
    --------
    >>> board = Leaderboard([0, 1, 1, 0])
    >>> board.submit("ann", [0, 1, 1, 1])
    0.25
    >>> board.submit("bob", [0, 0, 0, 0])
    0.5
    >>> [(row.rank, row.account) for row in board.standings()]
    [(1, 'ann'), (2, 'bob')]
    """

    def __init__(self, labels: ArrayLike, *, mechanism: MechanismMaker = FullDisclosure) -> None:
        self._labels = vector(labels, "labels").copy()
        self._labels.setflags(write=False)
        self._rows = row_names(labels)
        self._maker = function(mechanism, "mechanism")
        self._spare: Mechanism | None = self._new_mechanism()  # the first account's, made now to refuse bad labels
        self._mechanisms: dict[Hashable, Mechanism] = {}

    def submit(self, account: Hashable, predictions: ArrayLike) -> float:
        """Score a submission of an account and return what is released to it."""
        mechanism = self._mechanisms.get(hashable(account, "account"))
        if mechanism is None:
            mechanism = self._spare or self._new_mechanism()
        if self._rows is not None:
            check_rows(predictions, "predictions", self._rows)
        released = mechanism.submit(predictions)
        if account not in self._mechanisms:
            self._mechanisms[account], self._spare = mechanism, None
        return released

    def _new_mechanism(self) -> Mechanism:
        mechanism = self._maker(self._labels)
        if not isinstance(mechanism, Mechanism):
            raise ValueError(f"mechanism must make a leaderboard_edu.Mechanism, got {mechanism!r}")
        return mechanism

    def standings(self) -> tuple[Standing, ...]:
        """Return the rows of the board, best first; accounts with equal scores share a rank, first come first.

        ``pandas.DataFrame(board.standings())`` is a frame of them, and so is ``polars.DataFrame(board.standings())``.
        """
        rows = []
        for account, mechanism in self._mechanisms.items():
            scores = [_goodness(mechanism, released) for _, released in mechanism.transcript]
            rows.append((max(scores), account, len(scores)))
        rows.sort(key=lambda row: row[0], reverse=True)
        ranks = {goodness: rank for rank, (goodness, _, _) in reversed(list(enumerate(rows, 1)))}
        return tuple(
            Standing(ranks[goodness], account, _goodness(self._mechanisms[account], goodness), count)
            for goodness, account, count in rows
        )


def _goodness(mechanism: Mechanism, score: float) -> float:
    """Return a score in the orientation in which larger is better, or such a value as a score again."""
    return score if mechanism.larger_is_better else -score


class TopBoard:
    """A board of the best `ranks` submissions, one mechanism for each rank, whoever submits.

    A submission is handed to the mechanisms of the ranks from the first down. It takes the first rank
    that is free or where it lowers what is shown; the submission that stood there is handed on to the
    next ranks in its stead, and the last may fall off. An account can hold several ranks.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, whole numbers or strings as for `Mechanism`; they are copied.
    ranks : int
        The number of ranks.
    mechanism : callable
        Makes the mechanism of a rank from the labels; `FullDisclosure` by default. What it releases
        must be a loss.

    Raises
    ------
    ValueError
        If an argument is not as described; from `submit`, as for `Leaderboard`. Then the board stays
        as it was.

    Notes
    -----
    What the mechanism of one rank gets to see is decided by what the ranks have released. So the
    board is an adaptive analyst with `ranks` accounts, and the bound over accounts covers it with the
    number of ranks in place of the number of accounts, however many accounts there are.

    With `FullDisclosure` and `SimplifiedLadder` the ranks show the lowest losses of all submissions,
    best first. With a margin, as the `Ladder` has it, a submission that is better by less than the
    margin is refused by one rank and may show a lower loss on the next.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2.1: the second way to build a full leaderboard.
    What becomes of a submission that loses its rank is not said there.

    Examples
    --------
    >>> board = TopBoard([0, 1, 1, 0], ranks=1)
    >>> board.submit("ann", [0, 1, 1, 1]), board.submit("bob", [0, 0, 0, 0])
    (0.25, inf)
    >>> board.standings()
    (('ann', 0.25),)
    """

    def __init__(self, labels: ArrayLike, *, ranks: int, mechanism: MechanismMaker = FullDisclosure) -> None:
        self._holdout = Holdout(labels)
        self._labels = self._holdout.labels
        made = [function(mechanism, "mechanism")(self._labels) for _ in range(whole_number(ranks, "ranks"))]
        for rank in made:
            if not isinstance(rank, Mechanism) or rank.larger_is_better:
                raise ValueError(f"mechanism must make a leaderboard_edu.Mechanism that releases losses, got {rank!r}")
        self._ranks: tuple[Mechanism, ...] = tuple(made)
        self._rows: list[tuple[Hashable, float]] = []
        self._vectors: list[NDArray[Any]] = []  # the submissions in the rows

    def submit(self, account: Hashable, predictions: ArrayLike) -> float:
        """Score a submission of an account and return the best loss that the board shows for it, infinity for none."""
        holder = hashable(account, "account")
        submission = self._holdout.checked(predictions)
        for place, mechanism in enumerate(self._ranks):
            released = mechanism.submit(submission)
            if place == len(self._rows):
                self._rows.append((holder, released))
                self._vectors.append(submission)
                break
            before, shown = self._rows[place]
            if released < shown:
                self._rows[place] = (holder, released)
                holder, (submission, self._vectors[place]) = before, (self._vectors[place], submission)
        return min((shown for name, shown in self._rows if name == account), default=math.inf)

    def standings(self) -> tuple[tuple[Hashable, float], ...]:
        """Return the rows of the board, from the first rank down: account and loss shown.

        ``pandas.DataFrame(board.standings(), columns=["account", "loss"])`` is a frame of them, and so is
        ``polars.DataFrame(board.standings(), schema=["account", "loss"], orient="row")``.
        """
        return tuple(self._rows)


class RankBoard:
    """A board that shows ranks and nothing else: accounts in the order of their best submissions.

    An account moves up when its best submission gets strictly better than the best one of another
    account. Equal scores never reorder: who reaches a score later stays behind.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, whole numbers or strings as for `Mechanism`; they are copied.
    precision : str, Fraction, float or None
        The grid 1/m to which losses are rounded, half up, before they are compared; None, the default,
        compares exact losses.

    Raises
    ------
    ValueError
        If `labels` is not as described or `precision` is not 1/m for a whole number m; from `submit`, if the account
        is not hashable or the submission is of another kind than the labels or has another length. Then the board
        stays as it was.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 2.2: the minimal leaderboard.

    Examples
    --------
    >>> board = RankBoard([0, 1, 1, 0])
    >>> board.submit("ann", [0, 0, 0, 0]), board.submit("bob", [0, 0, 1, 1]), board.submit("bob", [0, 0, 1, 0])
    (1, 2, 1)
    >>> board.standings()
    ('bob', 'ann')
    """

    def __init__(self, labels: ArrayLike, *, precision: str | Fraction | float | None = None) -> None:
        self._holdout = Holdout(labels)
        self._labels = self._holdout.labels
        self._m = self._labels.size if precision is None else grid_denominator(precision, "precision")
        self._best: dict[Hashable, int] = {}  # the lowest loss of each account in steps of 1/m
        self._order: list[Hashable] = []

    def submit(self, account: Hashable, predictions: ArrayLike) -> int:
        """Score a submission of an account and return the rank of the account, 1 for the best."""
        best = self._best.get(hashable(account, "account"))
        submission = self._holdout.checked(predictions)
        score = level(wrong_labels(submission, self._labels), self._labels.size, self._m)
        if best is None or score < best:
            if best is not None:
                self._order.remove(account)
            self._best[account] = score
            bisect.insort_right(self._order, account, key=self._best.__getitem__)
        return self._order.index(account) + 1

    def standings(self) -> tuple[Hashable, ...]:
        """Return the accounts, best first.

        ``pandas.DataFrame(board.standings(), columns=["account"])`` is a frame of them, and so is
        ``polars.DataFrame(board.standings(), schema=["account"])``.
        """
        return tuple(self._order)


def sign_test(labels: ArrayLike, first: ArrayLike, second: ArrayLike) -> float:
    """Return the p-value of the exact sign test that the first of two files is better than the second.

    Only labels count that exactly one of the files has right. Were both equally good, each of these would be a fair
    coin, and the value is the probability of as many successes of the first file, or more. If both files are fixed
    before the labels, which are independent draws, and the first has a true risk that is no smaller than the second's,
    the value is at most any level with at most this probability.

    Parameters
    ----------
    labels, first, second : array_like, shape (n,)
        The holdout labels and the two files, whole numbers or strings as for `Mechanism`.

    Returns
    -------
    float
        Between 0 and 1; 1 if the files have the same labels right.

    Raises
    ------
    ValueError
        If one of them is not as described, or a file is of another kind than the labels or has another length.

    References
    ----------
    Q. McNemar, Note on the sampling error of the difference between correlated proportions or percentages, 1947; here
    one-sided and exact.

    Examples
    --------
    >>> sign_test([1, 1, 1, 1, 0], [1, 1, 1, 1, 0], [0, 0, 0, 1, 0])
    0.125
    """
    from scipy.stats import binom

    holdout = Holdout(labels)
    right = holdout.checked(first, "first") == holdout.labels
    other = holdout.checked(second, "second") == holdout.labels
    split = right != other
    wins = np.count_nonzero(split & right)
    return float(binom.sf(wins - 1, np.count_nonzero(split), 0.5))


def limited(
    board: Any, *, teams: int | None = None, each: int | None = None, files: int | None = None
) -> Callable[[Hashable, Any], Any]:
    """Return a board's `submit` that takes no more than the files that were planned.

    Parameters
    ----------
    board : Leaderboard, TopBoard, RankBoard or BoardLog
        Or anything else with ``submit(account, predictions)``.
    teams, each, files : int or None
        How many teams may submit, how many files each of them, and how many all together; None for no limit.

    Returns
    -------
    callable
        ``submit(account, predictions)`` returns what the board returns. Files are counted from now on, on a BoardLog
        with those that are in it, and only those that the board took: a file that it refuses costs nothing.

    Raises
    ------
    ValueError
        If a limit is not a whole number of at least 1, or `board` has no `submit`; from ``submit``, if the file is one
        too many, before the board sees it.

    Examples
    --------
    >>> submit = limited(Leaderboard([0, 1, 1, 0]), each=1)
    >>> submit("ann", [0, 1, 1, 1])
    0.25
    >>> submit("ann", [0, 1, 1, 0])
    Traceback (most recent call last):
    ...
    ValueError: 'ann' has sent all of its files, 1
    """
    take = function(getattr(board, "submit", None), "board.submit")
    most = {"teams": teams, "each": each, "files": files}
    at = {name: math.inf if value is None else whole_number(value, name) for name, value in most.items()}
    logged = getattr(board, "submissions", None)
    sent: Counter[Hashable] = Counter(logged().teams if callable(logged) else ())

    def submit(account: Hashable, predictions: Any) -> Any:
        if sent[hashable(account, "account")] >= at["each"]:
            raise ValueError(f"{account!r} has sent all of its files, {each}")
        if not sent[account] and len(+sent) >= at["teams"]:
            raise ValueError(f"{account!r} is one team too many: the board takes {teams}")
        if sent.total() >= at["files"]:
            raise ValueError(f"no file is left: the board takes {files} in all")
        released = take(account, predictions)
        sent[account] += 1
        return released

    return submit


def leaderboard_error(released: ArrayLike, true_risks: ArrayLike) -> float:
    """Return the leaderboard error: the largest gap, over time, between the board and the best true risk.

    Parameters
    ----------
    released : array_like of float, shape (k,)
        What the board shows after each submission, as losses.
    true_risks : array_like of float, shape (k,)
        The true risk of each submission.

    Returns
    -------
    float
        The maximum over t of abs(released[t] - min(true_risks[:t + 1])).

    Raises
    ------
    ValueError
        If either vector is empty, not one-dimensional or not finite, or the lengths differ.

    Notes
    -----
    A board that shows the best score so far passes its running minimum. Full disclosure releases
    each loss as it comes; its board is ``numpy.minimum.accumulate(released)``.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2.1: the definition of leaderboard error.

    Examples
    --------
    >>> leaderboard_error([0.5, 0.25], [0.5, 0.375])
    0.125
    """
    shown = real_vector(released, "released")
    risks = real_vector(true_risks, "true_risks", length=shown.size)
    return float(np.max(np.abs(shown - np.minimum.accumulate(risks))))
