"""What is taken of a submission: its wrong labels, the loss of each entry, or its score under a metric."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._losses import LOSSES
from leaderboard_edu._validation import one_of
from leaderboard_edu.metrics import METRICS, Metric


def wrong_labels(submission: NDArray[Any], labels: NDArray[Any]) -> int:
    """Count the wrong labels of a submission that has been checked."""
    return int(np.count_nonzero(submission != labels))


def finite_losses(submission: NDArray[Any], labels: NDArray[Any], loss: str) -> NDArray[Any]:
    """Return the loss of each entry if their squares, too, have a finite sum."""
    if loss == "zero_one":
        return LOSSES[loss](submission, labels)
    with np.errstate(over="ignore"):
        losses = LOSSES[loss](submission, labels)
        total = float(np.sum(losses * losses, dtype=np.float64))
    if not math.isfinite(total):
        raise ValueError(f"predictions must have a finite loss, also when squared, got {losses.max()}")
    return losses


def finite_score(submission: NDArray[Any], labels: NDArray[Any], metric: Metric) -> float:
    """Return the score of a submission if it is defined and finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        score = float(metric(submission, labels))
    if not math.isfinite(score):
        raise ValueError(f"predictions must have a finite score, got {score}")
    return score


def known_metric(value: str | Metric, name: str = "metric") -> Metric:
    """Return a metric given by its name, or itself."""
    return value if isinstance(value, Metric) else METRICS[one_of(value, name, tuple(METRICS))]
