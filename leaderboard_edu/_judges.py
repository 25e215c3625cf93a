"""How a submission is judged: a margin on a grid, a paired test, posterior odds.

A judge takes the score of a submission, which is all that is kept of it, and says whether it is better than the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._losses import LOSSES
from leaderboard_edu._releases import level
from leaderboard_edu._scores import finite_losses, finite_score, wrong_labels
from leaderboard_edu._validation import ENTRIES, generator, one_of, rational, whole_number
from leaderboard_edu.metrics import Metric

ROUNDING = 1e-9  # a gain in floats that exceeds what is asked for by less than this share of the loss is a tie
BLOCK = 64  # weightings that are drawn at a time: the decision may be certain after them


class Judge(Protocol):
    """What a mechanism that keeps the best submission asks."""

    def score(self, submission: NDArray[Any]) -> Any:
        """Return what is kept of a submission, to compare it and to show it."""

    def is_better(self, score: Any, best: Any) -> bool:
        """Say whether a submission with this score beats the best one."""


@dataclass(frozen=True, eq=False)
class MarginOnGrid:
    """Better is a loss that is below the release for the best by more than so many steps of 1/m."""

    labels: NDArray[Any]
    m: int
    margin: int

    def score(self, submission: NDArray[Any]) -> int:
        """Count the wrong labels."""
        return wrong_labels(submission, self.labels)

    def is_better(self, wrong: int, best: int) -> bool:
        """Decide by the numbers of wrong labels."""
        n, m = self.labels.size, self.m
        return wrong * m < (level(best, n, m) - self.margin) * n


class PairedTest:
    """Better are losses whose mean is lower by more than `threshold` standard errors of the differences."""

    def __init__(self, labels: NDArray[Any], *, threshold: int | str | Fraction | float, loss: str) -> None:
        self.labels = labels
        self.loss = one_of(loss, "loss", tuple(LOSSES))
        exact = rational(threshold, "threshold")
        self.threshold = int(exact) if exact.denominator == 1 else exact  # whole numbers are quicker

    def score(self, submission: NDArray[Any]) -> NDArray[Any]:
        """Return the losses, one for each label."""
        return finite_losses(submission, self.labels, self.loss)

    def is_better(self, losses: NDArray[Any], best: NDArray[Any]) -> bool:
        """Decide by counts under the 0/1 loss, and in floats otherwise."""
        n, c = losses.size, self.threshold
        if self.loss == "zero_one":
            g, b = int(np.count_nonzero(losses < best)), int(np.count_nonzero(losses > best))
            return g > b and (g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)
        gain = best - losses
        if c >= 0 and gain.mean() <= ROUNDING * best.mean():
            return False  # whatever its spread
        margin = float(c) * gain.std(ddof=1) / math.sqrt(n) if n > 1 else math.inf
        return bool(gain.mean() > margin + ROUNDING * best.mean())


def critical_value(alpha: float, n: int) -> float:
    """Return the upper alpha quantile of Student's t with n - 1 degrees of freedom."""
    from scipy.special import stdtrit

    if n < 2:
        raise ValueError(f"labels must have at least 2 entries for a paired test, got {n}")
    quantile = float(stdtrit(n - 1, alpha))
    if not math.isfinite(quantile):
        raise ValueError(f"alpha must not be too small for its quantile to be computed, got {alpha!r}")
    return max(-quantile, 0.0)


class Scored(NamedTuple):
    """A submission and its score under a metric."""

    predictions: NDArray[Any]
    score: float


class PosteriorOdds:
    """Better is what has the better score under enough random weightings of the holdout set."""

    def __init__(
        self,
        labels: NDArray[Any],
        *,
        metric: Metric,
        odds: int | str | Fraction | float,
        n_posterior: int,
        weights: str,
        rng: np.random.Generator,
    ) -> None:
        self.labels, self.metric = metric.checked(labels, "labels"), metric
        self.n_posterior = whole_number(n_posterior, "n_posterior")
        self.needed = wins_needed(odds, self.n_posterior)
        self.rng = generator(rng)
        self.shared: NDArray[np.float64] | None = None
        if one_of(weights, "weights", ("fresh", "shared")) == "shared":
            self.shared = metric.draw_weights(self.n_posterior, labels.size, self.rng)

    def score(self, submission: NDArray[Any]) -> Scored:
        """Return the submission and its score, if that is defined and finite."""
        return Scored(submission, finite_score(submission, self.labels, self.metric))

    def is_better(self, scored: Scored, best: Scored) -> bool:
        """Draw weightings until it is certain whether enough of them are won."""
        wins, left = 0, self.n_posterior
        law = self.metric.law(np.stack([scored.predictions, best.predictions]), self.labels)
        for weights in self.weightings():
            scores, best_scores = law(weights)
            wins += int(np.count_nonzero(beats(scores, best_scores, self.metric.larger_is_better)))
            left -= len(weights)
            if not wins < self.needed <= wins + left:
                break
        return wins >= self.needed

    def weightings(self) -> Iterator[NDArray[np.float64]]:
        """Yield the weightings of one decision. Fresh ones: first as many as any decision takes, then in blocks."""
        if self.shared is not None:
            yield self.shared
            return
        left = self.n_posterior
        draws = min(self.needed, left - self.needed + 1)
        while left:
            draws = min(draws, max(BLOCK, ENTRIES // self.labels.size))
            yield self.metric.draw_weights(draws, self.labels.size, self.rng)
            left -= draws
            draws = min(BLOCK, left)


def beats(scores: NDArray[Any], best: NDArray[Any], larger_is_better: bool) -> NDArray[np.bool_]:
    """Say where scores are better than the best ones by more than rounding: of 1 at least, where larger is better."""
    gains = scores - best if larger_is_better else best - scores
    beaten: NDArray[np.bool_] = gains > ROUNDING * np.maximum(np.abs(best), 1.0 if larger_is_better else 0.0)
    return beaten


def wins_needed(odds: int | str | Fraction | float, draws: int) -> int:
    """Return the least number w of wins in so many draws with w >= odds (draws - w)."""
    ratio = rational(odds, "odds")
    if ratio < 1:
        raise ValueError(f"odds must be at least 1, below which worse submissions are accepted, got {odds!r}")
    return math.ceil(ratio * draws / (1 + ratio))
