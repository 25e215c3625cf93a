"""Metrics of predictions of real numbers, for each of many weightings of the holdout set at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._holdout import check_rows, row_names
from leaderboard_edu._losses import LOSSES
from leaderboard_edu._scorers import Scorer
from leaderboard_edu._validation import (
    ENTRIES,
    check_binary,
    class_vector,
    one_of,
    real_vector,
    vector,
    weight_rows,
    whole_number,
)

__all__ = ["METRICS", "Metric"]

Floats = NDArray[np.float64]
Law = Callable[[Floats], Floats]  # from weights (B, n) to scores (…, B)

LOST = 1e-6  # a variance that is a smaller share of the second moment has lost too many digits in their difference
EQUAL = 1e-24  # up to this variance ranks are equal: rounding leaves less, a share of 1e-23 on another rank more
TRIES = 1000  # how often in a row resamples may all be undefined


@dataclass(frozen=True, eq=False)
class Metric:
    """A score of predictions against labels, and its law under two bootstraps.

    Call it for the score itself. A metric that is a functional of the empirical distribution is given as
    `weighted`: the same functional when entry i of the holdout set carries a share of the weight. Whole
    numbers as weights then give the score of the holdout set with each entry repeated so many times. Where
    there is no such form, `plain` is the score and every law is found by resampling.

    Attributes
    ----------
    name : str
        What it is called by, as in `METRICS`.
    larger_is_better : bool
        The direction: False for a loss.
    needs_spread : tuple of str
        Which of "predictions" and "labels" leave it undefined if they are constant: both for a correlation.
    weighted : callable or None
        Takes predictions (…, n) and labels (n,), and returns a function of weights (B, n), nonnegative and
        not all zero in a row, that returns the scores (…, B).
    plain : callable or None
        Takes predictions (n,) and labels (n,) and returns a float. It is asked only if `weighted` is None.
    targets : {"numbers", "binary", "classes"}
        What labels are. Predictions are classes where labels are, whole numbers or strings as for `Mechanism`; else
        they are finite numbers, and labels, too, or only 0 and 1 for "binary".

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Methods.

    Examples
    --------
    >>> METRICS["pearson"]([1, 2, 3], [2, 4, 6]), METRICS["pearson"].larger_is_better
    (1.0, True)
    >>> METRICS["mse"]([1, 2], [1, 4], weights=[[1, 1], [1, 3]]).tolist()
    [2.0, 3.0]
    """

    name: str
    larger_is_better: bool
    needs_spread: tuple[str, ...] = ()
    weighted: Callable[[Floats, Floats], Law] | None = None
    plain: Callable[[Floats, Floats], float] | None = None
    targets: str = "numbers"

    def __post_init__(self) -> None:
        one_of(self.targets, "targets", ("numbers", "binary", "classes"))
        if self.weighted is None and self.plain is None:
            raise ValueError(f"weighted or plain must be given for {self.name!r}, got None for both")

    def __call__(self, predictions: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None) -> Any:
        """Return the score, or one for each row of weights.

        Parameters
        ----------
        predictions, labels : array_like, shape (n,)
            As `targets` says, not constant where `needs_spread` names them.
        weights : array_like or None, shape (B, n)
            Nonnegative, taken as shares of their sum.

        Returns
        -------
        float or ndarray of float, shape (B,)
            NaN where the metric is undefined under the weights.

        Raises
        ------
        ValueError
            If an argument is not as described, or weights are given to a metric without a weighted form.
        """
        y = self.checked(labels, "labels")
        p = self.checked(predictions, "predictions", like=y)
        check_rows(predictions, "predictions", row_names(labels))
        if weights is None:
            return float(self.law(p, y)(np.ones((1, y.size)))[0])
        if self.weighted is None:
            raise ValueError(f"weights must be None for {self.name!r}, which is no function of weights")
        rows = weight_rows(weights, "weights", length=y.size)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.law(p, y)(rows)

    def checked(self, values: ArrayLike, name: str, *, like: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return labels, or predictions `like` the labels, as floats or classes if the metric is defined on them."""
        if self.targets == "classes":
            checked = class_vector(values, name, like=like)
        else:
            if self.targets == "binary" and name == "labels":
                check_binary(vector(values, name), name, f"as {self.name!r} is of two classes: labels == 'yes'")
            checked = real_vector(values, name, length=None if like is None else like.size)
        if name in self.needs_spread and (checked == checked[0]).all():
            raise ValueError(f"{name} must not be constant, which leaves {self.name!r} undefined, got {checked[0]}")
        return checked

    @classmethod
    def from_sklearn(cls, name: str) -> Metric:
        """Return a metric of scikit-learn, which the extra `data` brings.

        Parameters
        ----------
        name : str
            One of ``sklearn.metrics.get_scorer_names()``. A loss without its prefix, such as "log_loss" for
            "neg_log_loss", is the loss itself, of which smaller is better; with it, larger is better, as there.

        Returns
        -------
        Metric
            Weighted if scikit-learn's takes weights of the entries, else resampled. Predictions are classes for
            "accuracy", "f1_macro" and other metrics of classes. They are scores or probabilities of class 1 for
            "roc_auc", "average_precision", "log_loss" and the like, and labels 0 and 1; for "f1", "precision",
            "recall" and "jaccard" both are 0 and 1. Else they are numbers.

        Raises
        ------
        ValueError
            If there is no such scorer, or it needs more than a number or a class for each entry.
        ModuleNotFoundError
            If scikit-learn is not installed; the message says what to install.

        Notes
        -----
        Scores of rankings and probabilities are undefined on labels of one class, and so are "r2" and its like on
        constant labels. What scikit-learn itself sets to 0 with a warning, such as "f1" without a positive, is 0 here.

        References
        ----------
        F. Pedregosa et al., Scikit-learn: Machine learning in Python, 2011.

        Examples
        --------
        >>> auc = Metric.from_sklearn("roc_auc")
        >>> auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]), auc.larger_is_better
        (0.75, True)
        >>> Metric.from_sklearn("f1_macro")(["cat", "dog", "dog"], ["cat", "dog", "cat"])
        0.6666666666666666
        """
        scorer = Scorer(name)
        forms = {"weighted": scorer.weighted} if scorer.takes_weights else {"plain": scorer.plain}
        return cls(name, scorer.larger_is_better, scorer.needs_spread, targets=scorer.targets, **forms)

    def law(self, predictions: Floats, labels: Floats) -> Law:
        """Return the scores (…, B) of predictions (…, n) as a function of weights (B, n), NaN where undefined.

        Without a `weighted` form the weights must be whole numbers.
        """
        if self.weighted is not None:
            return self.weighted(predictions, labels)
        return self._repeated(predictions, labels)

    def _repeated(self, predictions: Floats, labels: Floats) -> Law:
        """Return the plain scores of the holdout set with each entry repeated as often as its weight says."""
        rows = predictions.reshape(-1, labels.size)
        plain: Any = self.plain

        def scores(weights: Floats) -> Floats:
            entries = [np.repeat(np.arange(labels.size), row.astype(np.intp)) for row in weights]
            found = np.array([[plain(row[i], labels[i]) for i in entries] for row in rows])
            return found.reshape(*predictions.shape[:-1], len(entries))

        return scores

    def resampled(self, predictions: Floats, labels: Floats, *, draws: int, rng: np.random.Generator) -> Floats:
        """Return the scores (…, draws) of resamples with replacement.

        A resample on which the metric is undefined is drawn again, but not without end: if a thousand times in a row
        all that are drawn at once are of that kind, that is an error.
        """
        left, blocks, failed = whole_number(draws, "draws"), [], 0
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            law = self.law(predictions, labels)
            whole = law(np.ones((1, labels.size)))
        if not np.isfinite(whole).all():
            raise ValueError(f"predictions must have a finite score, got {whole[~np.isfinite(whole)][0]}")
        while left:
            size = min(left, max(1, ENTRIES // labels.size))
            with np.errstate(divide="ignore", invalid="ignore"):
                scores = law(resampling_counts(size, labels.size, rng))
            blocks.append(scores[..., np.isfinite(scores).reshape(-1, size).all(axis=0)])
            left -= blocks[-1].shape[-1]
            failed = 0 if blocks[-1].size else failed + 1
            if failed == TRIES:
                raise ValueError(f"metric must be defined on resamples, got {self.name!r} undefined on {TRIES * size}")
        return np.concatenate(blocks, axis=-1)

    def draw_weights(self, draws: int, n: int, rng: np.random.Generator) -> Floats:
        """Draw weights of the Bayesian bootstrap, shape (draws, n): exponentials, whose shares are uniform.

        Without a `weighted` form: how often each entry occurs in a resample.
        """
        return resampling_counts(draws, n, rng) if self.weighted is None else rng.standard_exponential((draws, n))


def resampling_counts(draws: int, n: int, rng: np.random.Generator) -> Floats:
    """Draw how often each of n entries occurs in a resample with replacement, shape (draws, n)."""
    drawn = rng.integers(n, size=(draws, n)) + n * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n).astype(np.float64)


def _of_moments(
    columns: Callable[[Floats, Floats], Sequence[Floats]], value: Callable[..., Floats]
) -> Callable[[Floats, Floats], Law]:
    """Return the weighted form of a function of weighted means: all means are one product of matrices."""

    def weighted(predictions: Floats, labels: Floats) -> Law:
        parts = columns(predictions, labels)
        stacked = np.concatenate([part.reshape(-1, labels.size) for part in parts])
        ends = np.cumsum([part.size // labels.size for part in parts]).tolist()
        places = [(start, end, part.shape[:-1]) for start, end, part in zip([0, *ends], ends, parts, strict=False)]

        def scores(weights: Floats) -> Floats:
            means = stacked @ weights.T
            means /= weights.sum(axis=1)
            return value(*(means[start:end].reshape(*shape, -1) for start, end, shape in places))

        return scores

    return weighted


def _mean_loss(loss: str) -> Callable[[Floats, Floats], Law]:
    """Return the weighted mean of a loss."""
    return _of_moments(lambda predictions, labels: [LOSSES[loss](predictions, labels)], lambda mean: mean)


def _second_moments(u: Floats, v: Floats) -> Sequence[Floats]:
    """Return what the variances and the covariance are made of."""
    return u, v, u * u, v * v, u * v


def _pearson(u: Floats, v: Floats, uu: Floats, vv: Floats, uv: Floats) -> Floats:
    """Return the correlation from the moments, NaN if a variance is a difference that has lost its digits."""
    variance_u, variance_v = uu - u * u, vv - v * v
    sure = (variance_u > LOST * uu) & (variance_v > LOST * vv)
    return np.where(sure, np.clip((uv - u * v) / np.sqrt(variance_u) / np.sqrt(variance_v), -1, 1), np.nan)


def _lin_concordance(u: Floats, v: Floats, uu: Floats, vv: Floats, uv: Floats) -> Floats:
    """Return the concordance correlation coefficient of Lin from the moments, NaN if it has lost its digits."""
    gap = u - v
    size = uu - u * u + vv - v * v + gap * gap
    return np.where(size > LOST * (uu + vv), 2 * (uv - u * v) / size, np.nan)


def _centred_pearson(p: Floats, y: Floats, shares: Floats, gap: Floats) -> Floats:
    """Return the correlation, given what weighted means leave of predictions and labels, a row for each weighting."""
    covariance, variance_p, variance_y = _row_covariances(p, y, shares)
    correlation: Floats = np.clip(covariance / np.sqrt(variance_p) / np.sqrt(variance_y), -1, 1)
    return correlation


def _centred_lin_concordance(p: Floats, y: Floats, shares: Floats, gap: Floats) -> Floats:
    """Return the concordance correlation coefficient, given the same and the gap between both weighted means."""
    covariance, variance_p, variance_y = _row_covariances(p, y, shares)
    concordance: Floats = 2 * covariance / (variance_p + variance_y + gap * gap)
    return concordance


def _row_covariances(u: Floats, v: Floats, shares: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the covariance and both variances of two matrices of deviations, row by row."""
    return (shares * u * v).sum(axis=1), (shares * u * u).sum(axis=1), (shares * v * v).sum(axis=1)


def _twice(
    quick: Callable[[Floats, Floats], Law], slow: Callable[[Floats, Floats, Floats, Floats], Floats]
) -> Callable[[Floats, Floats], Law]:
    """Return a weighted form that takes moments first, and deviations from weighted means where that gives NaN.

    This happens where nearly all the weight is on equal values, or where a value far from the others has little weight.
    """

    def weighted(predictions: Floats, labels: Floats) -> Law:
        law, rows = quick(predictions, labels), predictions.reshape(-1, labels.size)

        def scores(weights: Floats) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = np.ascontiguousarray(law(weights))
                for row, values in zip(rows, found.reshape(len(rows), -1), strict=True):
                    doubtful = np.flatnonzero(np.isnan(values))
                    if doubtful.size:
                        shares = weights[doubtful] / weights[doubtful].sum(axis=1, keepdims=True)
                        (p, mean_p), (y, mean_y) = (_deviations(column, shares) for column in (row, labels))
                        values[doubtful] = slow(p, y, shares, mean_p - mean_y)
            return found

        return scores

    return weighted


def _deviations(values: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Return what the weighted means leave of the values, (B, n), exactly 0 where all the weight is on one, and these.

    Deviations are taken from a value that has weight first, so that they are exact for equal values.
    """
    start = values[np.argmax(shares, axis=1)]
    left = np.where(shares > 0, values - start[:, None], 0.0)
    means = (shares * left).sum(axis=1)
    return left - means[:, None], start + means


def _unit(values: Floats) -> Floats:
    """Return deviations from an unweighted mean, so that no digits are lost, in units of the largest one."""
    left = values - values.mean(axis=-1, keepdims=True)
    largest = np.abs(left).max(axis=-1, keepdims=True)
    unit: Floats = left / np.where(largest > 0, largest, 1)
    return unit


_PEARSON = _twice(_of_moments(lambda p, y: _second_moments(_unit(p), _unit(y)), _pearson), _centred_pearson)
_LIN_CONCORDANCE = _twice(
    _of_moments(lambda p, y: _second_moments(p - y.mean(), y - y.mean()), _lin_concordance),
    _centred_lin_concordance,
)


def _spearman(predictions: Floats, labels: Floats) -> Law:
    """Return the weighted correlation of the weighted ranks."""
    rows = predictions.reshape(-1, labels.size)

    def scores(weights: Floats) -> Floats:
        shares = weights / weights.sum(axis=1, keepdims=True)
        ranks = _ranks(labels, shares)
        found: Floats = np.array([_row_correlation(_ranks(row, shares), ranks, shares) for row in rows])
        return found.reshape(*predictions.shape[:-1], len(weights))

    return scores


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
    covariance, variance_u, variance_v = _row_covariances(u - 0.5, v - 0.5, weights)
    spread = np.minimum(variance_u, variance_v) > EQUAL
    correlation: Floats = np.where(spread, np.clip(covariance / np.sqrt(variance_u * variance_v), -1, 1), np.nan)
    return correlation


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
        Metric("zero_one", False, weighted=_mean_loss("zero_one"), targets="classes"),
        Metric("pearson", True, needs_spread=("predictions", "labels"), weighted=_PEARSON),
        Metric("spearman", True, needs_spread=("predictions", "labels"), weighted=_spearman),
        Metric("lin_concordance", True, weighted=_LIN_CONCORDANCE),
        Metric("c_index", True, needs_spread=("labels",), plain=_c_index),
    )
}
