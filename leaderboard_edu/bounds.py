"""Bounds and exact values that the chapters derive. Probabilities are at most 1; logarithms are natural."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from leaderboard_edu._validation import grid_denominator, nonnegative_real, one_of, whole_number
from leaderboard_edu.attacks import KEEP

__all__ = ["boosting_accuracy", "hoeffding", "union_bound"]


def hoeffding(epsilon: float, *, n: int) -> float:
    """Bound the probability that an average of `n` losses in [0, 1] misses its mean by `epsilon` or more.

    Parameters
    ----------
    epsilon : float
        The deviation, at least 0.
    n : int
        The number of independent losses.

    Returns
    -------
    float
        min(1, 2 exp(-2 epsilon**2 n)).

    Raises
    ------
    ValueError
        If `epsilon` is negative or not finite, or `n` is not a whole number of at least 1.

    References
    ----------
    W. Hoeffding, Probability inequalities for sums of bounded random variables, 1963, Theorem 2.

    Examples
    --------
    >>> round(hoeffding(0.1, n=200), 4)
    0.0366
    """
    return union_bound(epsilon, n=n, k=1)


def union_bound(epsilon: float, *, n: int, k: int) -> float:
    """Bound the probability that any of `k` fixed classifiers deviates by `epsilon` or more on the holdout.

    Parameters
    ----------
    epsilon : float
        The deviation of empirical from true risk, at least 0.
    n : int
        The holdout size.
    k : int
        The number of classifiers, all fixed before the holdout was drawn.

    Returns
    -------
    float
        min(1, 2 k exp(-2 epsilon**2 n)).

    Raises
    ------
    ValueError
        If `epsilon` is negative or not finite, or `n` or `k` is not a whole number of at least 1.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, inequality (2).

    Examples
    --------
    >>> union_bound(0.1, n=200, k=10) == 10 * hoeffding(0.1, n=200)
    True
    """
    epsilon = nonnegative_real(epsilon, "epsilon")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    return min(1.0, 2 * k * math.exp(-2 * epsilon * epsilon * n))


def _majority_accuracy(votes: np.ndarray, right: float) -> np.ndarray:
    """Return the chance that the majority of independent votes, each right with chance `right`, is right.

    A tie is a fair coin. An even number of votes is worth the odd number below it, so only the
    half, rounded up, matters: the answer is the regularised incomplete beta function I_right(h, h).
    """
    from scipy.special import betainc

    half = (np.asarray(votes) + 1) // 2
    return np.where(half == 0, 0.5, betainc(np.maximum(half, 1), np.maximum(half, 1), right))


def boosting_accuracy(
    *, n: int, k: int, keep: str = "aligned", precision: str | Fraction | float | None = None
) -> float:
    """Return the exact expected accuracy of the boosting attack's final vector on the holdout.

    Parameters
    ----------
    n : int
        The number of holdout labels.
    k : int
        The number of submissions.
    keep : {"aligned", "half"}
        As for `boosting_attack`.
    precision : str, Fraction, float or None
        The grid 1/m to which losses are rounded; None for exact losses.

    Returns
    -------
    float
        The expected share of right labels, for every label vector, between 1/2 and 1.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    A submission is kept when at most `cut` labels are wrong. Its vote on one label leans to the
    right side only when that label is pivotal, that is, when exactly `cut` of the other n-1 labels
    are wrong; with aligned votes, each is right with probability 1/2 + P(pivotal)/2.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Theorem 5.1; W. Zheng, 2015, section 2.1.

    Examples
    --------
    >>> boosting_accuracy(n=2, k=1)
    0.75
    >>> round(boosting_accuracy(n=1000, k=1000), 3)
    0.787
    """
    from scipy.stats import binom

    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(keep, "keep", KEEP)
    m = None if precision is None else grid_denominator(precision, "precision")
    cut = n // 2 if m is None else (n * (2 * (m // 2) + 1) - 1) // (2 * m)
    pivotal = binom.pmf(cut, n - 1, 0.5)
    if keep == "aligned":
        return float(_majority_accuracy(np.array(k), 0.5 + pivotal / 2))
    kept = binom.cdf(cut, n, 0.5)
    votes = np.arange(k + 1)
    accuracy = _majority_accuracy(votes, 0.5 + pivotal / (4 * kept))
    return float(np.sum(binom.pmf(votes, k, kept) * accuracy))
