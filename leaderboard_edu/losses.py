"""Losses of predictions on labels: exact counts first, averages second."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._holdout import Holdout

__all__ = ["count_wrong", "empirical_risk"]


def count_wrong(predictions: ArrayLike, labels: ArrayLike) -> int:
    """Count the wrong labels of a submission: `n` times its empirical 0/1 loss, exactly.

    Parameters
    ----------
    predictions : array_like, shape (n,)
        The submitted labels.
    labels : array_like, shape (n,)
        The holdout labels: classes of any number, whole numbers or strings, as for `Mechanism`.

    Returns
    -------
    int
        The number of positions where the two differ.

    Raises
    ------
    ValueError
        If either vector is empty, not one-dimensional or not of classes, or the kinds or lengths differ.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 1.3: the 0/1 loss.

    Examples
    --------
    >>> count_wrong([1, 1, 0, 0], [1, 0, 1, 0]), count_wrong(["cat", "dog"], ["cat", "bird"])
    (2, 1)
    """
    holdout = Holdout(labels)
    y, u = holdout.labels, holdout.checked(predictions)
    return int(np.count_nonzero(u != y))


def empirical_risk(predictions: ArrayLike, labels: ArrayLike) -> float:
    """Return the empirical 0/1 risk of a submission: the share of wrong labels.

    Parameters
    ----------
    predictions, labels : array_like, shape (n,)
        As for `count_wrong`.

    Returns
    -------
    float
        `count_wrong(predictions, labels) / n`, between 0 and 1.

    Raises
    ------
    ValueError
        As for `count_wrong`.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 1.3: the empirical loss.

    Examples
    --------
    >>> empirical_risk([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    wrong = count_wrong(predictions, labels)
    return wrong / np.size(labels)
