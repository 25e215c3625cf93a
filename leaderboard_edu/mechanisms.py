"""Leaderboard mechanisms: one instance is one account on one holdout set."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._validation import binary_vector, grid_denominator, one_of, rational, real_vector
from leaderboard_edu.losses import LOSSES

__all__ = ["FullDisclosure", "Ladder", "Mechanism", "ParameterFreeLadder", "SimplifiedLadder"]

ROUNDING = 1e-9  # two sides of a paired test in floats closer than this share of them are a tie


def level(wrong: int, n: int, m: int) -> int:
    """Return the loss wrong/n in steps of 1/m, rounded half up."""
    return (2 * wrong * m + n) // (2 * n)


class Mechanism(ABC):
    """What every mechanism shares: private labels, checked submissions, a transcript.

    A subclass says in `_release` what the analyst gets to see for a submission with a given vector of
    losses. Labels are copied at construction; a refused submission changes nothing.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, zeros and ones under the 0/1 loss and finite numbers otherwise.
    loss : {"zero_one", "squared", "absolute"}
        The loss of each entry.

    Raises
    ------
    ValueError
        If `labels` is empty, not one-dimensional, not binary under the 0/1 loss or not finite under
        the others, or `loss` is unknown.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2: sequential and adaptive loss estimation.

    Examples
    --------
    >>> class Silent(Mechanism):
    ...     def _release(self, losses):
    ...         return 0.5
    >>> Silent([0, 1]).submit([0, 0])
    0.5
    """

    larger_is_better = False

    def __init__(self, labels: ArrayLike, *, loss: str = "zero_one") -> None:
        self._loss = one_of(loss, "loss", tuple(LOSSES))
        self._check = binary_vector if loss == "zero_one" else real_vector
        self._labels: NDArray[Any] = self._check(labels, "labels")
        self._transcript: list[tuple[NDArray[Any], float]] = []

    @property
    def transcript(self) -> tuple[tuple[NDArray[Any], float], ...]:
        """What the analyst has seen: pairs (predictions, released), oldest first."""
        return tuple(self._transcript)

    def submit(self, predictions: ArrayLike) -> float:
        """Score a submission, one entry for each holdout label, and return what is released."""
        submission = self._check(predictions, "predictions", length=self._labels.size)
        with np.errstate(over="ignore"):
            losses = LOSSES[self._loss](submission, self._labels)
            total = float(losses.sum())
        if not math.isfinite(total):
            raise ValueError(f"predictions must have a finite loss, got {total}")
        released = self._release(losses)
        self._transcript.append((submission, released))
        return released

    @abstractmethod
    def _release(self, losses: NDArray[Any]) -> float:
        """Return the released score of a submission with these losses, one for each label."""


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

    def _release(self, losses: NDArray[Any]) -> float:
        wrong, n, m = int(losses.sum()), self._labels.size, self._steps
        if m is None:
            return wrong / n
        return level(wrong, n, m) / m


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

    def _release(self, losses: NDArray[Any]) -> float:
        self._best = self._step(self._best, int(losses.sum()))
        return self._best / self._m

    def _step(self, best: int | None, wrong: int) -> int:
        """Return the release that follows `best`, both in steps of eta, on a submission with `wrong` wrong labels."""
        n, m = self._labels.size, self._m
        if best is None or wrong * m < (best - 1) * n:
            return level(wrong, n, m)
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
        rounded = level(wrong, self._labels.size, self._m)
        return rounded if best is None else min(best, rounded)


class ParameterFreeLadder(Mechanism):
    """Release the loss of the last accepted submission; accepted is one that is better by a paired t-test.

    The test compares the losses of a submission, entry by entry, with those of the last accepted
    one: their mean difference must exceed `threshold` standard errors. The first submission is
    always accepted, and a tie never is.

    Under the 0/1 loss only two counts matter: `g` labels that the submission gets right and the last
    accepted one did not, and `b` where it is the other way round. With d = g - b and a threshold c
    the test is ``d > 0 and d**2 * (n - 1 + c**2) > c**2 * n * (g + b)``, decided in whole numbers; for
    c = 1 it is McNemar's, ``d > 0 and d**2 > g + b``.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, zeros and ones under the 0/1 loss; they are copied.
    threshold : int, str, Fraction or float
        How many standard errors a submission must be better by, at least 0; a float counts with its
        exact value.
    loss : {"zero_one", "squared", "absolute"}
        The loss of each entry. Other losses than "zero_one" are floats, and a mean difference that
        exceeds the threshold by less than one part in 10**9 counts as a tie.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The standard deviation has the denominator n - 1. At threshold 1 and with n instead, every single
    label put right would be accepted. With one label it is undefined, and only the first submission is accepted. What
    is released is the mean loss rounded half up to multiples of 1/n, under the 0/1 loss the mean
    itself. The box compares with the rounded release and the text with the losses; under the 0/1 loss
    this is the same, and under others the losses are compared here.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 2 (the parameter-free Ladder mechanism).

    Examples
    --------
    >>> account = ParameterFreeLadder([0] * 10)
    >>> [account.submit([1] * wrong + [0] * (10 - wrong)) for wrong in (5, 4, 3)]
    [0.5, 0.5, 0.3]
    """

    def __init__(
        self, labels: ArrayLike, *, threshold: int | str | Fraction | float = 1, loss: str = "zero_one"
    ) -> None:
        super().__init__(labels, loss=loss)
        self._threshold = rational(threshold, "threshold")
        self._best: NDArray[Any] | None = None  # the losses of the last accepted submission

    def _release(self, losses: NDArray[Any]) -> float:
        if self._best is None or self._is_better(losses, self._best):
            self._best = losses
        return math.floor(float(self._best.sum()) + 0.5) / self._labels.size

    def _is_better(self, losses: NDArray[Any], best: NDArray[Any]) -> bool:
        """Say whether losses are lower than the best ones by more than the threshold."""
        n, c = self._labels.size, self._threshold
        if self._loss == "zero_one":
            g, b = int(np.count_nonzero(losses < best)), int(np.count_nonzero(losses > best))
            return g > b and (g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)
        gain = best - losses
        return n > 1 and bool(gain.mean() > (1 + ROUNDING) * float(c) * gain.std(ddof=1) / math.sqrt(n))
