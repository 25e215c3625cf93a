"""What an attack ends with, and what the attacks share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._validation import BinaryVector


@dataclass(frozen=True, eq=False)
class AttackResult:
    """What an attack ends with.

    Attributes
    ----------
    predictions : ndarray of uint8 or float, shape (n,)
        The final vector. The attack has not submitted it.
    submissions : ndarray of the same dtype, shape (k, n)
        What it submitted, in order.
    selected : tuple of int
        The features that an attack by regression has chosen, in order; empty for the others.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 5.

    Examples
    --------
    >>> AttackResult(np.array([0, 1]), np.array([[0, 0], [1, 1]])).submissions.shape
    (2, 2)
    """

    predictions: NDArray[Any]
    submissions: NDArray[Any]
    selected: tuple[int, ...] = ()


def flipped(vector: BinaryVector, labels: int | NDArray[np.int64] | list[int]) -> BinaryVector:
    """Return a read-only copy of a vector with the labels at some positions flipped."""
    changed = vector.copy()
    changed[labels] ^= 1
    changed.setflags(write=False)
    return changed


def finished(best: BinaryVector, submissions: BinaryVector) -> AttackResult:
    """Return the end of an attack, which no one may change."""
    submissions.setflags(write=False)
    return AttackResult(best, submissions)
