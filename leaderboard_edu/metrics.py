"""Metrics of predictions of real numbers, for each of many weightings of the holdout set at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._validation import one_of, real_vector, weight_rows
from leaderboard_edu.losses import LOSSES

__all__ = ["METRICS", "Metric"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Metric:
    """A score of predictions against labels, and its law under two bootstraps.

    Call it for the score itself. A metric that is a functional of the empirical distribution is given as
    `weighted`: the same functional when entry i of the holdout set carries weight w[i]. Whole numbers times
    1/n as weights then give the score of the holdout set with each entry repeated so many times. Where there
    is no such form, `plain` is the score and every law is found by resampling.

    Attributes
    ----------
    name : str
        What it is called by, as in `METRICS`.
    larger_is_better : bool
        The direction: False for a loss.
    needs_spread : bool
        Whether constant predictions or constant labels leave it undefined, as a correlation.
    weighted : callable or None
        Takes predictions (…, n), labels (n,) and weights (B, n) and returns the scores (…, B).
    plain : callable or None
        Takes predictions (n,) and labels (n,) and returns a float. It is asked only if `weighted` is None.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Methods.

    Examples
    --------
    >>> METRICS["pearson"]([1, 2, 3], [2, 4, 6]), METRICS["pearson"].larger_is_better
    (1.0, True)
    >>> METRICS["mse"]([1, 2], [1, 4], weights=[[0.5, 0.5], [0.25, 0.75]]).tolist()
    [2.0, 3.0]
    """

    name: str
    larger_is_better: bool
    needs_spread: bool = False
    weighted: Callable[[Floats, Floats, Floats], Floats] | None = None
    plain: Callable[[Floats, Floats], float] | None = None

    def __call__(self, predictions: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None) -> Any:
        """Return the score, or one for each row of weights, which must sum to 1."""
        y = self.checked(labels, "labels")
        p = self.checked(predictions, "predictions", length=y.size)
        if weights is None:
            return float(self.scores(p, y, np.full((1, y.size), 1 / y.size))[0])
        if self.weighted is None:
            raise ValueError(f"weights must be None for {self.name!r}, which is no function of weights")
        return self.scores(p, y, weight_rows(weights, "weights", length=y.size))

    def checked(self, values: ArrayLike, name: str, *, length: int | None = None) -> Floats:
        """Return predictions or labels as floats if the metric is defined on them."""
        vector = real_vector(values, name, length=length)
        if self.needs_spread and (vector == vector[0]).all():
            raise ValueError(f"{name} must not be constant, which leaves {self.name!r} undefined, got {vector[0]}")
        return vector

    def resampled(self, predictions: Floats, labels: Floats, *, draws: int, rng: np.random.Generator) -> Floats:
        """Return the scores of resamples of the holdout set with replacement, shape (…, draws).

        A resample on which the metric is undefined is drawn again.
        """
        n = labels.size
        scores = self.scores(predictions, labels, resampling_weights(draws, n, rng))
        undefined = ~np.isfinite(scores).reshape(-1, draws).all(axis=0)
        if undefined.any():
            again = self.resampled(predictions, labels, draws=int(undefined.sum()), rng=rng)
            scores[..., undefined] = again
        return scores

    def draw_weights(self, draws: int, n: int, rng: np.random.Generator) -> Floats:
        """Draw weights of the Bayesian bootstrap, uniform among those that sum to 1, shape (draws, n).

        Without a `weighted` form: how often each entry occurs in a resample, over n.
        """
        if self.weighted is None:
            return resampling_weights(draws, n, rng)
        weights = rng.standard_exponential((draws, n))
        weights /= weights.sum(axis=1, keepdims=True)
        return weights

    def scores(self, predictions: Floats, labels: Floats, weights: Floats) -> Floats:
        """Return the scores (…, B) of predictions (…, n), unchecked; NaN where a weighting leaves them undefined.

        Without a `weighted` form the weights must be whole numbers over n.
        """
        if self.weighted is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                return self.weighted(predictions, labels, weights)
        counts = np.rint(weights * labels.size).astype(np.intp)
        entries = [np.repeat(np.arange(labels.size), row) for row in counts]
        rows = np.atleast_2d(predictions)
        scores = np.array([[self.plain(row[i], labels[i]) for i in entries] for row in rows])  # type: ignore[misc]
        return scores.reshape(*predictions.shape[:-1], len(entries))


def resampling_weights(draws: int, n: int, rng: np.random.Generator) -> Floats:
    """Draw how often each of n entries occurs in a resample with replacement, over n, shape (draws, n)."""
    drawn = rng.integers(n, size=(draws, n)) + n * np.arange(draws)[:, None]
    weights: Floats = np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n) / n
    return weights


def _mean_loss(loss: str) -> Callable[[Floats, Floats, Floats], Floats]:
    """Return the weighted mean of a loss."""
    return lambda predictions, labels, weights: LOSSES[loss](predictions, labels) @ weights.T


def _moments(predictions: Floats, labels: Floats, weights: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the difference of the weighted means, both variances and the covariance.

    Sums are taken about the unweighted means: no digits are lost on what all entries have in common.
    """
    shift = predictions.mean(axis=-1, keepdims=True)
    u, v = predictions - shift, labels - labels.mean()
    mean_u, mean_v = u @ weights.T, v @ weights.T
    gap = mean_u - mean_v + shift - labels.mean()
    covariance = (u * v) @ weights.T - mean_u * mean_v
    return gap, (u * u) @ weights.T - mean_u**2, (v * v) @ weights.T - mean_v**2, covariance


def _pearson(predictions: Floats, labels: Floats, weights: Floats) -> Floats:
    """Return the weighted correlation."""
    _, variance_p, variance_y, covariance = _moments(predictions, labels, weights)
    return np.clip(covariance / np.sqrt(variance_p * variance_y), -1, 1)


def _lin_concordance(predictions: Floats, labels: Floats, weights: Floats) -> Floats:
    """Return the weighted concordance correlation coefficient of Lin."""
    gap, variance_p, variance_y, covariance = _moments(predictions, labels, weights)
    return 2 * covariance / (variance_p + variance_y + gap**2)


def _spearman(predictions: Floats, labels: Floats, weights: Floats) -> Floats:
    """Return the weighted correlation of the weighted ranks."""
    ranks_y = _ranks(labels, weights)
    rows = predictions.reshape(-1, labels.size)
    scores = np.array([_row_correlation(_ranks(row, weights), ranks_y, weights) for row in rows])
    return scores.reshape(*predictions.shape[:-1], len(weights))


def _ranks(values: Floats, weights: Floats) -> Floats:
    """Return the share of weight below each value plus half of that at it, shape (B, n)."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    at = np.add.reduceat(weights[:, order], starts, axis=1)
    group = np.empty(values.size, dtype=np.intp)
    group[order] = np.repeat(np.arange(starts.size), np.diff(np.r_[starts, values.size]))
    ranks: Floats = (np.cumsum(at, axis=1) - at / 2)[:, group]
    return ranks


def _row_correlation(u: Floats, v: Floats, weights: Floats) -> Floats:
    """Return the weighted correlation of two matrices, row by row; weighted ranks have the weighted mean 1/2."""
    u, v = u - 0.5, v - 0.5
    covariance, variance_u, variance_v = ((weights * a * b).sum(axis=1) for a, b in ((u, v), (u, u), (v, v)))
    return np.clip(covariance / np.sqrt(variance_u * variance_v), -1, 1)


def _c_index(predictions: Floats, labels: Floats) -> float:
    """Return the share of pairs with different labels that the predictions order rightly, ties counting half."""
    ordered = labels[:, None] < labels
    right = np.sign(predictions - predictions[:, None])[ordered]
    return float((1 + right.mean()) / 2) if right.size else np.nan


#: The known metrics by name.
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("mse", False, weighted=_mean_loss("squared")),
        Metric("mae", False, weighted=_mean_loss("absolute")),
        Metric("zero_one", False, weighted=_mean_loss("zero_one")),
        Metric("pearson", True, needs_spread=True, weighted=_pearson),
        Metric("spearman", True, needs_spread=True, weighted=_spearman),
        Metric("lin_concordance", True, weighted=_lin_concordance),
        Metric("c_index", True, plain=_c_index),
    )
}


def known_metric(value: str | Metric, name: str = "metric") -> Metric:
    """Return a metric given by its name, or itself."""
    return value if isinstance(value, Metric) else METRICS[one_of(value, name, tuple(METRICS))]
