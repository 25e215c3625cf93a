"""What is shown: a loss or a score, exact, rounded half up, or as the mean of bootstrap resamples."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._validation import whole_number


def level(wrong: int, n: int, m: int) -> int:
    """Return the loss wrong/n in steps of 1/m, rounded half up."""
    return (2 * wrong * m + n) // (2 * n)


def loss_shown(wrong: int, n: int, m: int | None) -> float:
    """Return the loss wrong/n, exactly or rounded to multiples of 1/m."""
    if m is None:
        return wrong / n
    return level(wrong, n, m) / m


def rounded_score(score: float, m: int) -> float:
    """Return a score rounded half up to multiples of 1/m."""
    steps = score * m
    if not math.isfinite(steps):
        raise ValueError(f"predictions must have a finite score in steps of 1/{m}, got {score}")
    return math.floor(steps + 0.5) / m


def rounded_mean(losses: NDArray[Any]) -> float:
    """Return the mean of n losses, rounded half up to multiples of 1/n."""
    if losses.dtype == np.uint8:  # zeros and ones
        return int(np.count_nonzero(losses)) / losses.size
    return math.floor(float(losses.sum()) + 0.5) / losses.size


def bootstrapped_mean(losses: NDArray[Any], b: int, rng: np.random.Generator) -> float:
    """Return the mean of the losses over b resamples: how often each loss is among b n draws is all that counts."""
    n = losses.size
    return float(rng.multinomial(b * n, np.full(n, 1 / n)) @ losses) / (b * n)


def resamples(n_bootstrap: int) -> int:
    """Return a number of resamples."""
    return whole_number(n_bootstrap, "n_bootstrap", most=10**12)


def resamples_at(n_bootstrap: int | Callable[[int], int], t: int) -> int:
    """Return how many resamples release number t is the mean of."""
    return resamples(n_bootstrap(t)) if callable(n_bootstrap) else n_bootstrap
