"""Regression data for challenges: their features and response, and their split into three sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._extras import extra
from leaderboard_edu._regression import regression
from leaderboard_edu._samples import ChallengeData, Floats, Sample, checked_sample, feature_columns
from leaderboard_edu._validation import generator, probability, real_matrix, real_vector, whole_number

__all__ = ["ChallengeData", "Sample", "diabetes_products", "linear_predictions", "simulate_design", "split_sample"]


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
        The ten standardised measurements, their 55 products of degree two and 220 of degree three, in an order
        that was drawn once: attacks take features in the order of the file, and most neighbours in the order of their
        exponents share a factor. Some are redundant: sex takes two values, so its square and cube
        are affine functions of it.
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
    with extra("data"):
        from sklearn.datasets import load_diabetes
        from sklearn.preprocessing import PolynomialFeatures, scale

    measured, response = load_diabetes(return_X_y=True, scaled=False)
    products = PolynomialFeatures(degree=3, include_bias=False).fit_transform(scale(measured))
    return products[:, np.random.default_rng(0).permutation(products.shape[1])], response


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
