"""Leaderboard mechanisms: one instance is one account on one holdout set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._validation import BinaryVector, binary_vector, grid_denominator

__all__ = ["FullDisclosure", "Ladder", "Mechanism", "SimplifiedLadder"]


def _level(wrong: int, n: int, m: int) -> int:
    """Return the loss wrong/n in steps of 1/m, rounded half up."""
    return (2 * wrong * m + n) // (2 * n)


class Mechanism(ABC):
    """What every mechanism under the 0/1 loss shares: private labels, checked submissions, a transcript.

    A subclass says in `_release` what the analyst gets to see for a submission with a given number
    of wrong labels. Labels are copied at construction; a refused submission changes nothing.

    Parameters
    ----------
    labels : array_like of {0, 1}, shape (n,)
        The holdout labels.

    Raises
    ------
    ValueError
        If `labels` is empty, not one-dimensional or not binary.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2: sequential and adaptive loss estimation.

    Examples
    --------
    >>> class Silent(Mechanism):
    ...     def _release(self, wrong):
    ...         return 0.5
    >>> Silent([0, 1]).submit([0, 0])
    0.5
    """

    larger_is_better = False

    def __init__(self, labels: ArrayLike) -> None:
        self._labels = binary_vector(labels, "labels")
        self._transcript: list[tuple[BinaryVector, float]] = []

    @property
    def transcript(self) -> tuple[tuple[BinaryVector, float], ...]:
        """What the analyst has seen: pairs (predictions, released), oldest first."""
        return tuple(self._transcript)

    def submit(self, predictions: ArrayLike) -> float:
        """Score a submission, a vector of `n` zeros and ones, and return what is released."""
        submission = binary_vector(predictions, "predictions", length=self._labels.size)
        released = self._release(int(np.count_nonzero(submission != self._labels)))
        self._transcript.append((submission, released))
        return released

    @abstractmethod
    def _release(self, wrong: int) -> float:
        """Return the released loss of a submission with `wrong` wrong labels."""


class FullDisclosure(Mechanism):
    """Release the empirical loss of every submission, exactly or rounded to multiples of `precision`.

    This is what most hosts do. With ``precision="1/100000"`` it is the reference mechanism of Blum
    & Hardt. Rounding is decided in whole numbers, half up: with `c` wrong labels of `n` and
    precision 1/m the release is ``((2*c*m + n) // (2*n)) / m``.

    Parameters
    ----------
    labels : array_like of {0, 1}, shape (n,)
        The holdout labels; they are copied.
    precision : str, Fraction, float or None
        The grid 1/m of the releases; None, the default, releases the loss unrounded.

    Raises
    ------
    ValueError
        If `labels` is not a binary vector or `precision` is not 1/m for a whole number m.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 3 (the Kaggle reference mechanism).

    Examples
    --------
    >>> FullDisclosure([0, 0, 0, 1]).submit([0, 0, 0, 0])
    0.25
    >>> FullDisclosure([0, 0, 0, 1], precision="1/10").submit([0, 0, 0, 0])
    0.3
    """

    def __init__(self, labels: ArrayLike, *, precision: str | Fraction | float | None = None) -> None:
        super().__init__(labels)
        self._steps = None if precision is None else grid_denominator(precision, "precision")

    def _release(self, wrong: int) -> float:
        n, m = self._labels.size, self._steps
        if m is None:
            return wrong / n
        return _level(wrong, n, m) / m


class Ladder(Mechanism):
    """Release the loss of the last accepted submission, rounded; accepted is one lower than the release by over `eta`.

    Decided in whole numbers: with `c` wrong labels of `n`, eta = 1/m and the best release so far
    j/m, a submission is accepted when ``c * m < (j - 1) * n``; a tie is refused. The first
    submission is always accepted.

    Parameters
    ----------
    labels : array_like of {0, 1}, shape (n,)
        The holdout labels; they are copied.
    eta : str, Fraction or float
        The margin, and the grid 1/m of the releases.

    Raises
    ------
    ValueError
        If `labels` is not a binary vector or `eta` is not 1/m for a whole number m.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 1 (the Ladder mechanism).

    Examples
    --------
    >>> account = Ladder([0] * 10, eta="1/10")
    >>> [account.submit([1] * wrong + [0] * (10 - wrong)) for wrong in (5, 4, 3)]
    [0.5, 0.5, 0.3]
    """

    def __init__(self, labels: ArrayLike, *, eta: str | Fraction | float = "1/100") -> None:
        super().__init__(labels)
        self._m = grid_denominator(eta, "eta")
        self._best: int | None = None  # the last release in steps of eta; None stands for infinity

    def _release(self, wrong: int) -> float:
        self._best = self._step(self._best, wrong)
        return self._best / self._m

    def _step(self, best: int | None, wrong: int) -> int:
        """Return the release that follows `best`, both in steps of eta, on a submission with `wrong` wrong labels."""
        n, m = self._labels.size, self._m
        if best is None or wrong * m < (best - 1) * n:
            return _level(wrong, n, m)
        return best


class SimplifiedLadder(Ladder):
    """Release the best loss so far, rounded to multiples of `eta`, and do nothing else.

    It is the `Ladder` without its margin: a submission moves the release as soon as its rounded
    loss is lower. Rounding is half up, in whole numbers, so a loss just on the middle stays above.

    Parameters
    ----------
    labels : array_like of {0, 1}, shape (n,)
        The holdout labels; they are copied.
    eta : str, Fraction or float
        The grid 1/m of the releases.

    Raises
    ------
    ValueError
        If `labels` is not a binary vector or `eta` is not 1/m for a whole number m.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, Algorithm 2, written for losses.

    Examples
    --------
    >>> account = SimplifiedLadder([0] * 10, eta="1/10")
    >>> [account.submit([1] * wrong + [0] * (10 - wrong)) for wrong in (5, 4, 7)]
    [0.5, 0.4, 0.4]
    """

    def _step(self, best: int | None, wrong: int) -> int:
        level = _level(wrong, self._labels.size, self._m)
        return level if best is None else min(best, level)
