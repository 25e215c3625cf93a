"""Features and responses of people, and the checks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._validation import generator, real_matrix, real_vector, whole_number

__all__ = ["ChallengeData", "Sample"]

Floats = NDArray[np.float64]


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
    >>> from leaderboard_edu.datasets import split_sample
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
