"""Regression data for challenges: their features and response, and their split into three sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._validation import generator, probability, real_matrix, real_vector, whole_number

__all__ = ["ChallengeData", "Sample", "diabetes_products", "linear_predictions", "simulate_design", "split_sample"]

Floats = NDArray[np.float64]

#: A column is redundant if what earlier ones leave of it is at most this share of its length.
REDUNDANT = 1e-10


class Sample(NamedTuple):
    """Features and response of some people, one row and one entry for each.

    Attributes
    ----------
    features : ndarray of float, shape (n, p)
    response : ndarray of float, shape (n,)

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Results.

    Examples
    --------
    >>> Sample(np.eye(2), np.array([1.0, 2.0])).response.tolist()
    [1.0, 2.0]
    """

    features: Floats
    response: Floats


@dataclass(frozen=True, eq=False)
class ChallengeData:
    """The three sets of a challenge, each with features and response scaled to mean 0 and variance 1.

    Attributes
    ----------
    training : Sample
        What participants fit their models on.
    public : Sample
        The holdout set behind the public leaderboard; participants see its features.
    final : Sample
        The holdout set behind the final ranking, which no one has queried.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Results.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> data = split_sample(np.arange(12.0).reshape(6, 2), np.arange(6.0), rng=rng)
    >>> data.public.features.shape, data.with_features([1]).public.features.shape
    ((2, 2), (2, 1))
    >>> sorted(data.permuted(rng).final.response) == sorted(data.final.response)
    True
    """

    training: Sample
    public: Sample
    final: Sample

    def __post_init__(self) -> None:
        p = None
        for name in ("training", "public", "final"):
            sample = checked_sample(getattr(self, name), name, columns=p)
            object.__setattr__(self, name, sample)
            p = sample.features.shape[1]

    def permuted(self, rng: np.random.Generator) -> ChallengeData:
        """Return the data with the response permuted within each set by `rng`, so that no feature has to do with it."""
        generator(rng)
        shuffled = {name: getattr(self, name) for name in ("training", "public", "final")}
        return replace(self, **{name: Sample(x, rng.permutation(y)) for name, (x, y) in shuffled.items()})

    def with_features(self, columns: Sequence[int] | NDArray[np.integer[Any]]) -> ChallengeData:
        """Return the data with some of the features, at least one, in the given order.

        A column that is no whole number from 0 to p - 1 is a ValueError.
        """
        kept = feature_columns(columns, self.training.features.shape[1])
        if not kept:
            raise ValueError(f"columns must not be empty, got {columns!r}")
        sets = (self.training, self.public, self.final)
        return ChallengeData(*(Sample(sample.features[:, kept], sample.response) for sample in sets))


def split_sample(features: ArrayLike, response: ArrayLike, *, rng: np.random.Generator) -> ChallengeData:
    """Split people at random into three sets of equal size, up to one, and scale each set.

    Parameters
    ----------
    features : array_like, shape (n, p)
        A row for each person.
    response : array_like, shape (n,)
        What is to be predicted.
    rng : numpy.random.Generator
        Draws the split.

    Returns
    -------
    ChallengeData
        A feature that is constant in a set is 0 there.

    Raises
    ------
    ValueError
        If there are fewer than 6 people, a value is not finite, the lengths differ or a set has a
        constant response.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Results.

    Examples
    --------
    >>> data = split_sample(np.eye(7), np.arange(7), rng=np.random.default_rng(0))
    >>> [len(sample.response) for sample in (data.training, data.public, data.final)]
    [3, 2, 2]
    """
    y = real_vector(response, "response")
    if y.size < 6:
        raise ValueError(f"response must have at least 6 entries, two for each set, got {y.size}")
    x = real_matrix(features, "features", rows=y.size)
    thirds = np.array_split(generator(rng).permutation(y.size), 3)
    sets = []
    for third in thirds:
        if np.ptp(y[third]) == 0:
            raise ValueError(f"response must vary in each of the three sets, got {y[third][0]} throughout one")
        sets.append(Sample(_scaled(x[third]), _scaled(y[third])))
    return ChallengeData(*sets)


def _scaled(values: Floats) -> Floats:
    """Return columns of mean 0 and standard deviation 1, with the denominator n - 1; constant ones become 0."""
    constant = np.ptp(values, axis=0) == 0
    centred = np.where(constant, 0.0, values - values.mean(axis=0))
    centred /= np.where(constant, 1.0, np.abs(centred).max(axis=0))  # so that squares neither vanish nor overflow
    spread = np.sqrt((centred**2).sum(axis=0) / (len(values) - 1))
    return centred / np.where(constant, 1.0, spread)


def simulate_design(*, n: int, p: int, rng: np.random.Generator, correlation: float = 0.95) -> tuple[Floats, Floats]:
    """Draw strongly correlated features, and a response that has nothing to do with them.

    Parameters
    ----------
    n, p : int
        The numbers of people and of features.
    rng : numpy.random.Generator
        Draws both.
    correlation : float
        The correlation of neighbouring features, from 0 to 1; of two at distance d it is its power d.

    Returns
    -------
    features : ndarray of float, shape (n, p)
        Standard normal, an autoregressive sequence in each row.
    response : ndarray of float, shape (n,)
        Standard normal.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Results: n = 120
    and p = 1000, normal "with strong correlation structure", which they do not state further.

    Examples
    --------
    >>> features, response = simulate_design(n=2000, p=2, rng=np.random.default_rng(0))
    >>> round(np.corrcoef(features.T)[0, 1].item(), 2)
    0.95
    """
    n, p = whole_number(n, "n"), whole_number(p, "p")
    rho = probability(correlation, "correlation", closed=True)
    noise = generator(rng).standard_normal((n, p))
    features = noise.copy()
    for j in range(1, p):
        features[:, j] = rho * features[:, j - 1] + np.sqrt(1 - rho**2) * noise[:, j]
    return features, rng.standard_normal(n)


def diabetes_products() -> tuple[Floats, Floats]:
    """Return a real clinical data set: ten measurements of 442 diabetes patients and all their products up to degree 3.

    Returns
    -------
    features : ndarray of float, shape (442, 285)
        The ten standardised measurements, their 55 products of degree two and 220 of degree three.
        Some are redundant: sex takes two values, so its square and cube are affine functions of it.
    response : ndarray of float, shape (442,)
        Disease progression a year later.

    References
    ----------
    B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, Least angle regression, 2004; shipped with scikit-learn.

    Examples
    --------
    >>> features, response = diabetes_products()
    >>> features.shape, response.shape
    ((442, 285), (442,))
    """
    from sklearn.datasets import load_diabetes
    from sklearn.preprocessing import PolynomialFeatures, scale

    measured, response = load_diabetes(return_X_y=True, scaled=False)
    products = PolynomialFeatures(degree=3, include_bias=False).fit_transform(scale(measured))
    return products, response


def linear_predictions(training: Sample, features: ArrayLike, *, columns: Sequence[int]) -> Floats:
    """Fit a least-squares regression with intercept on some features of the training set, and predict.

    Parameters
    ----------
    training : Sample
        Features (n0, p) and response (n0,).
    features : array_like, shape (n, p)
        The rows to predict.
    columns : sequence of int
        The features of the regression, at most n0 - 1; without any the mean is predicted.

    Returns
    -------
    ndarray of float, shape (n,)
        A feature that is, on the training set, a combination of a constant and of those before it in `columns`,
        up to a share of 1e-10 of its length, is redundant and gets the slope 0, as in R's `lm`.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Freedman's attack.

    Examples
    --------
    >>> training = Sample(np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 3.0]))
    >>> linear_predictions(training, [[5.0]], columns=[0]).round(6).tolist()
    [6.0]
    """
    sample = checked_sample(training)
    kept = feature_columns(columns, sample.features.shape[1])
    if len(kept) >= len(sample.response):
        raise ValueError(f"columns must be fewer than the {len(sample.response)} training rows, got {len(kept)}")
    return regression(sample, real_matrix(features, "features", columns=sample.features.shape[1]), kept)


def regression(training: Sample, features: Floats, columns: Sequence[int]) -> Floats:
    """Return what `linear_predictions` does, without its checks."""
    predictions: Floats = prefix_predictions(training, features, columns, whole=True)[-1]
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


def checked_sample(sample: Sample, name: str = "training", *, columns: int | None = None) -> Sample:
    """Return a sample as arrays."""
    if not isinstance(sample, Sample):
        raise ValueError(f"{name} must be a leaderboard_edu.Sample, got {sample!r}")
    y = real_vector(sample.response, f"{name}.response")
    return Sample(real_matrix(sample.features, f"{name}.features", rows=y.size, columns=columns), y)


def checked_data(data: ChallengeData) -> ChallengeData:
    """Return `data` if it is a ChallengeData."""
    if not isinstance(data, ChallengeData):
        raise ValueError(f"data must be a leaderboard_edu.ChallengeData, got {data!r}")
    return data


def feature_columns(columns: Sequence[int] | NDArray[np.integer[Any]], p: int) -> list[int]:
    """Return columns of p features as a list."""
    try:
        return [whole_number(column, "columns", least=0, most=p - 1) for column in columns]
    except (TypeError, ValueError):
        raise ValueError(f"columns must be whole numbers from 0 to {p - 1}, got {columns!r}") from None


def checked_selection(number: int, name: str, training: Sample) -> int:
    """Return how many features to select, if there are as many and enough training rows for a regression on them."""
    rows, p = np.shape(training.features)
    if whole_number(number, name) > p:
        raise ValueError(f"{name} must be at most the number of features, {p}, got {number}")
    if number >= rows:
        raise ValueError(f"{name} must be less than the {rows} training rows, got {number}")
    return number
