"""Least-squares regressions with an intercept, one for each of the first so many features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._samples import Floats, Sample

#: A column is redundant if what earlier ones leave of it is at most this share of its length.
REDUNDANT = 1e-10


def regression(training: Sample, features: Floats, columns: Sequence[int]) -> Floats:
    """Return what `linear_predictions` does, without its checks."""
    predictions: Floats = prefix_predictions(training, features, columns, whole=True)[-1]
    return predictions


def univariate_predictions(training: Sample, features: Floats) -> Floats:
    """Return what the regressions on each one feature predict, a row for each."""
    x, y = training
    centre = x.mean(axis=0)
    centred = x - centre
    squares, products = np.einsum("ij,ij->j", centred, centred), (y - y.mean()) @ centred
    varies = squares > REDUNDANT**2 * np.einsum("ij,ij->j", x, x)
    slopes = np.divide(products, squares, out=np.zeros_like(products), where=varies)
    predictions: Floats = y.mean() + np.ascontiguousarray(((features - centre) * slopes).T)
    return predictions


def prefix_predictions(training: Sample, features: Floats, columns: Sequence[int], *, whole: bool = False) -> Floats:
    """Return what the regressions on the first 1, 2, … of some columns predict, a row for each, or the last row only.

    With the columns that are not redundant X = QR, the first i of them are Q[:, :i] R[:i, :i], so the regression on
    these solves R[:i, :i] b = (Qᵀy)[:i].
    """
    x, y = training
    chosen = x[:, columns]
    centre = chosen.mean(axis=0)
    kept = _independent(chosen - centre, np.linalg.norm(chosen, axis=0))
    q, r = np.linalg.qr((chosen - centre)[:, kept])
    products = q.T @ (y - y.mean())
    sizes = np.array([kept.size]) if whole else np.searchsorted(kept, np.arange(len(columns)), side="right")
    slopes = np.zeros((len(columns), sizes.size))
    for column, size in zip(slopes.T, sizes, strict=True):
        column[kept[:size]] = np.linalg.solve(r[:size, :size], products[:size])
    predictions: Floats = y.mean() + ((features[:, columns] - centre) @ slopes).T
    return predictions


def _independent(columns: Floats, lengths: Floats) -> NDArray[np.intp]:
    """Return which columns are no combination of those before them, up to a share `REDUNDANT` of the given lengths.

    The first small entry on the diagonal of R marks a redundant column. Without it the next one can be judged.
    """
    kept = np.arange(columns.shape[1])
    while True:
        r = np.linalg.qr(columns[:, kept], mode="r")
        small = np.flatnonzero(np.abs(np.diagonal(r)) <= REDUNDANT * lengths[kept])
        if small.size == 0:
            return kept
        kept = np.delete(kept, small[0])
