"""Repetitions of a random experiment: what they say together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._validation import repeated_values

__all__ = ["mean_and_error"]


def mean_and_error(values: ArrayLike) -> tuple[Any, Any]:
    """Return the mean of independent repetitions, and its standard error.

    Parameters
    ----------
    values : array_like, shape (repetitions, ...)
        What each repetition gave: a number, or an array, of which each entry is averaged by itself. At least two.

    Returns
    -------
    mean, error : float, or ndarray of the shape of one repetition
        The error is the standard deviation of the repetitions, with ``ddof=1``, over the root of their number.

    Raises
    ------
    ValueError
        If there are fewer than two repetitions, which say nothing about their spread, or they are not finite numbers
        of one shape.

    Examples
    --------
    >>> mean, error = mean_and_error([0.1, 0.2, 0.3])
    >>> print(f"{mean:.3f} +- {error:.3f}")
    0.200 +- 0.058
    >>> mean, error = mean_and_error([[1, 0], [3, 0]])  # two repetitions of two values
    >>> mean.tolist(), error.tolist()
    ([2.0, 0.0], [1.0, 0.0])
    """
    array = repeated_values(values, "values")
    return array.mean(axis=0), array.std(axis=0, ddof=1) / np.sqrt(len(array))
