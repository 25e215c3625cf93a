"""Leaderboard mechanisms: one instance is one account on one holdout set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._validation import BinaryVector, binary_vector, grid_denominator

__all__ = ["FullDisclosure", "Mechanism"]


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
        level = (2 * wrong * m + n) // (2 * n)
        return level / m
