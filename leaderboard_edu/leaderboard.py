"""Boards of many accounts, and the error of what a board shows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._validation import binary_vector, function, real_vector
from leaderboard_edu.mechanisms import FullDisclosure, Mechanism

__all__ = ["Leaderboard", "Standing", "leaderboard_error"]


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
    labels : array_like of {0, 1}, shape (n,)
        The holdout labels; they are copied.
    mechanism : callable
        Makes the mechanism of a new account from the labels; `FullDisclosure` by default.

    Raises
    ------
    ValueError
        If `labels` is not a binary vector or `mechanism` cannot be called; from `submit`, if
        `mechanism` makes something else, the account is not hashable or the submission is not a
        binary vector of the right length. Then the board, its list of accounts included, stays as
        it was.

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

    def __init__(self, labels: ArrayLike, *, mechanism: Callable[[ArrayLike], Mechanism] = FullDisclosure) -> None:
        self._labels = binary_vector(labels, "labels")
        self._new_mechanism = function(mechanism, "mechanism")
        self._mechanisms: dict[Hashable, Mechanism] = {}

    def submit(self, account: Hashable, predictions: ArrayLike) -> float:
        """Score a submission of an account and return what is released to it."""
        try:
            mechanism = self._mechanisms.get(account)
        except TypeError:
            raise ValueError(f"account must be hashable, such as a name, got {account!r}") from None
        if mechanism is None:
            mechanism = self._new_mechanism(self._labels)
            if not isinstance(mechanism, Mechanism):
                raise ValueError(f"mechanism must make a leaderboard_edu.Mechanism, got {mechanism!r}")
        released = mechanism.submit(predictions)
        self._mechanisms[account] = mechanism
        return released

    def standings(self) -> tuple[Standing, ...]:
        """Return the rows of the board, best first; accounts with equal scores share a rank, first come first."""
        rows = []
        for account, mechanism in self._mechanisms.items():
            scores = [released for _, released in mechanism.transcript]
            best = max(scores) if mechanism.larger_is_better else min(scores)
            goodness = best if mechanism.larger_is_better else -best
            rows.append((goodness, best, account, len(scores)))
        rows.sort(key=lambda row: row[0], reverse=True)
        return tuple(
            Standing(1 + sum(other[0] > goodness for other in rows), account, best, count)
            for goodness, best, account, count in rows
        )


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
