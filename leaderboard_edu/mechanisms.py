"""Leaderboard mechanisms: one instance is one account on one holdout set."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._validation import (
    binary_vector,
    generator,
    grid_denominator,
    nonnegative_real,
    one_of,
    rational,
    real_vector,
    significance_level,
    whole_number,
)
from leaderboard_edu.losses import LOSSES
from leaderboard_edu.metrics import ENTRIES, METRICS, Metric, known_metric

__all__ = [
    "BayesBootLadder",
    "BayesBootLadderBoot",
    "FullDisclosure",
    "Ladder",
    "LadderBoot",
    "Mechanism",
    "PairedTestLadder",
    "ParameterFreeLadder",
    "RefuseRepeats",
    "SimplifiedLadder",
]

ROUNDING = 1e-9  # a gain in floats that exceeds what is asked for by less than this share of the loss is a tie
BLOCK = 64  # weightings that are drawn at a time: the decision may be certain after them


def level(wrong: int, n: int, m: int) -> int:
    """Return the loss wrong/n in steps of 1/m, rounded half up."""
    return (2 * wrong * m + n) // (2 * n)


class Mechanism(ABC):
    """What every mechanism shares: private labels, checked submissions, a transcript.

    A subclass says in `_release` what the analyst gets to see for a submission with a given vector of
    losses. Labels are copied at construction; a refused submission changes nothing.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, zeros and ones under the 0/1 loss and finite numbers otherwise.
    loss : {"zero_one", "squared", "absolute"}
        The loss of each entry.

    Raises
    ------
    ValueError
        If `labels` is empty, not one-dimensional, not binary under the 0/1 loss or not finite under
        the others, or `loss` is unknown.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2: sequential and adaptive loss estimation.

    Examples
    --------
    >>> class Silent(Mechanism):
    ...     def _release(self, losses):
    ...         return 0.5
    >>> Silent([0, 1]).submit([0, 0])
    0.5
    """

    larger_is_better = False

    def __init__(self, labels: ArrayLike, *, loss: str = "zero_one") -> None:
        self._loss = one_of(loss, "loss", tuple(LOSSES))
        self._check = binary_vector if loss == "zero_one" else real_vector
        self._labels: NDArray[Any] = self._check(labels, "labels")
        self._transcript: list[tuple[NDArray[Any], float]] = []

    @property
    def transcript(self) -> tuple[tuple[NDArray[Any], float], ...]:
        """What the analyst has seen: pairs (predictions, released), oldest first."""
        return tuple(self._transcript)

    def submit(self, predictions: ArrayLike) -> float:
        """Score a submission, one entry for each holdout label, and return what is released."""
        submission = self._check(predictions, "predictions", length=self._labels.size)
        released = self._release(self._evaluate(submission))
        self._transcript.append((submission, released))
        return released

    def _evaluate(self, submission: NDArray[Any]) -> Any:
        """Return what is kept of a submission: its losses, one for each label."""
        with np.errstate(over="ignore"):
            losses = LOSSES[self._loss](submission, self._labels)
            total = float(np.sum(losses * losses, dtype=np.float64))
        if not math.isfinite(total):
            raise ValueError(f"predictions must have a finite loss, also when squared, got {losses.max()}")
        return losses

    @abstractmethod
    def _release(self, losses: Any) -> float:
        """Return the released score of a submission with these losses, one for each label."""


class FullDisclosure(Mechanism):
    """Release the score of every submission, exactly or rounded to multiples of `precision`.

    This is what most hosts do. With ``precision="1/100000"`` and the 0/1 loss it is the reference
    mechanism of Blum & Hardt. Rounding of the 0/1 loss is decided in whole numbers, half up: with `c`
    wrong labels of `n` and precision 1/m the release is ``((2*c*m + n) // (2*n)) / m``.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, zeros and ones under the metric "zero_one"; they are copied.
    precision : str, Fraction, float or None
        The grid 1/m of the releases; None, the default, releases the score unrounded.
    metric : str or Metric
        The score, one of `METRICS` or your own; by default the 0/1 loss.

    Raises
    ------
    ValueError
        If `labels` is not as described, `precision` is not 1/m for a whole number m, or the metric is
        unknown or not defined on the labels.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 3 (the Kaggle reference mechanism).

    Examples
    --------
    >>> FullDisclosure([0, 0, 0, 1]).submit([0, 0, 0, 0])
    0.25
    >>> FullDisclosure([0, 0, 0, 1], precision="1/10").submit([0, 0, 0, 0])
    0.3
    >>> FullDisclosure([0, 2], metric="mse").submit([1, 2])
    0.5
    """

    def __init__(
        self,
        labels: ArrayLike,
        *,
        precision: str | Fraction | float | None = None,
        metric: str | Metric = "zero_one",
    ) -> None:
        self._metric = known_metric(metric)
        self._counts = self._metric is METRICS["zero_one"]
        super().__init__(labels, loss="zero_one" if self._counts else "squared")
        self.larger_is_better = self._metric.larger_is_better
        self._metric.checked(self._labels, "labels")
        self._steps = None if precision is None else grid_denominator(precision, "precision")

    def _evaluate(self, submission: NDArray[Any]) -> tuple[int, int]:
        if self._counts:
            return int(super()._evaluate(submission).sum()), submission.size
        return finite_score(self._metric, submission, self._labels), 1  # type: ignore[return-value]

    def _release(self, score: tuple[int, int]) -> float:
        (wrong, n), m = score, self._steps
        if m is None:
            return wrong / n
        return level(wrong, n, m) / m


def finite_score(metric: Metric, submission: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the score of a submission if it is defined and finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        score = float(metric(submission, labels))
    if not math.isfinite(score):
        raise ValueError(f"predictions must have a finite score, got {score}")
    return score


class Ladder(Mechanism):
    """Release the loss of the last accepted submission, rounded; accepted is one lower than the release by over `eta`.

    Decided in whole numbers: with `c` wrong labels of `n`, eta = 1/m and the best release so far
    j/m, a submission is accepted when ``c * m < (j - 1) * n``; a tie is refused. The first
    submission is always accepted.

    Parameters
    ----------
    labels : array_like of {0, 1}, shape (n,)
        The holdout labels; they are copied.
    eta : str, Fraction or float
        The margin, and the grid 1/m of the releases.

    Raises
    ------
    ValueError
        If `labels` is not a binary vector or `eta` is not 1/m for a whole number m.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 1 (the Ladder mechanism).

    Examples
    --------
    >>> account = Ladder([0] * 10, eta="1/10")
    >>> [account.submit([1] * wrong + [0] * (10 - wrong)) for wrong in (5, 4, 3)]
    [0.5, 0.5, 0.3]
    """

    def __init__(self, labels: ArrayLike, *, eta: str | Fraction | float = "1/100") -> None:
        super().__init__(labels)
        self._m = grid_denominator(eta, "eta")
        self._best: int | None = None  # the last release in steps of eta; None stands for infinity

    def _release(self, losses: NDArray[Any]) -> float:
        self._best = self._step(self._best, int(losses.sum()))
        return self._best / self._m

    def _step(self, best: int | None, wrong: int) -> int:
        """Return the release that follows `best`, both in steps of eta, on a submission with `wrong` wrong labels."""
        n, m = self._labels.size, self._m
        if best is None or wrong * m < (best - 1) * n:
            return level(wrong, n, m)
        return best


class SimplifiedLadder(Ladder):
    """Release the best loss so far, rounded to multiples of `eta`, and do nothing else.

    It is the `Ladder` without its margin: a submission moves the release as soon as its rounded
    loss is lower. Rounding is half up, in whole numbers, so a loss just on the middle stays above.

    Parameters
    ----------
    labels : array_like of {0, 1}, shape (n,)
        The holdout labels; they are copied.
    eta : str, Fraction or float
        The grid 1/m of the releases.

    Raises
    ------
    ValueError
        If `labels` is not a binary vector or `eta` is not 1/m for a whole number m.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, Algorithm 2, written for losses.

    Examples
    --------
    >>> account = SimplifiedLadder([0] * 10, eta="1/10")
    >>> [account.submit([1] * wrong + [0] * (10 - wrong)) for wrong in (5, 4, 7)]
    [0.5, 0.4, 0.4]
    """

    def _step(self, best: int | None, wrong: int) -> int:
        rounded = level(wrong, self._labels.size, self._m)
        return rounded if best is None else min(best, rounded)


class _BestSoFar(Mechanism):
    """Keep the last accepted submission, which a subclass compares (`_is_better`) and shows (`_shown`)."""

    _best: Any = None  # what `_evaluate` returned for the last accepted submission
    _accepted = 0

    @property
    def accepted(self) -> int:
        """How many submissions have been accepted, which the host knows and an analyst does not."""
        return self._accepted

    def _release(self, submitted: Any) -> float:
        accepts = self._best is None or self._is_better(submitted, self._best)
        best = submitted if accepts else self._best
        released = self._shown(best)  # before anything changes: it may fail
        self._best, self._accepted = best, self._accepted + accepts
        return released

    @abstractmethod
    def _is_better(self, submitted: Any, best: Any) -> bool:
        """Say whether what was submitted beats the best."""

    @abstractmethod
    def _shown(self, best: Any) -> float:
        """Return what is released for the best."""


class ParameterFreeLadder(_BestSoFar):
    """Release the loss of the last accepted submission; accepted is one that is better by a paired t-test.

    The test compares the losses of a submission, entry by entry, with those of the last accepted
    one: their mean difference must exceed `threshold` standard errors. The first submission is
    always accepted, and a tie never is.

    Under the 0/1 loss only two counts matter: `g` labels that the submission gets right and the last
    accepted one did not, and `b` where it is the other way round. With d = g - b and a threshold c
    the test is ``d > 0 and d**2 * (n - 1 + c**2) > c**2 * n * (g + b)``, decided in whole numbers; for
    c = 1 it is McNemar's, ``d > 0 and d**2 > g + b``.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, zeros and ones under the 0/1 loss; they are copied.
    threshold : int, str, Fraction or float
        How many standard errors a submission must be better by, at least 0; a float counts with its
        exact value.
    loss : {"zero_one", "squared", "absolute"}
        The loss of each entry. Other losses than "zero_one" are floats, and a mean difference that
        exceeds what the threshold asks for by less than 10**-9 times the mean loss counts as a tie.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The standard deviation has the denominator n - 1. At threshold 1 and with n instead, every single
    label put right would be accepted. With one label it is undefined, and only the first submission is accepted. What
    is released is the mean loss rounded half up to multiples of 1/n, under the 0/1 loss the mean
    itself. The box compares with the rounded release and the text with the losses; under the 0/1 loss
    this is the same, and under others the losses are compared here.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 2 (the parameter-free Ladder mechanism).

    Examples
    --------
    >>> account = ParameterFreeLadder([0] * 10)
    >>> [account.submit([1] * wrong + [0] * (10 - wrong)) for wrong in (5, 4, 3)]
    [0.5, 0.5, 0.3]
    """

    def __init__(
        self, labels: ArrayLike, *, threshold: int | str | Fraction | float = 1, loss: str = "zero_one"
    ) -> None:
        super().__init__(labels, loss=loss)
        self._threshold = rational(threshold, "threshold")

    def _shown(self, losses: NDArray[Any]) -> float:
        """Return the mean of the losses, rounded half up to multiples of 1/n."""
        return math.floor(float(losses.sum()) + 0.5) / losses.size

    def _is_better(self, losses: NDArray[Any], best: NDArray[Any]) -> bool:
        """Say whether losses are lower than the best ones by more than the threshold."""
        n, c = self._labels.size, self._threshold
        if self._loss == "zero_one":
            g, b = int(np.count_nonzero(losses < best)), int(np.count_nonzero(losses > best))
            return g > b and (g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)
        gain = best - losses
        margin = float(c) * gain.std(ddof=1) / math.sqrt(n) if n > 1 else math.inf
        return bool(gain.mean() > margin + ROUNDING * best.mean())


class PairedTestLadder(ParameterFreeLadder):
    """The parameter-free Ladder with a significance level: a paired t-test at level `alpha` decides.

    A submission is accepted when its mean loss is lower than that of the last accepted one by more
    than c standard errors of the differences, where c is the upper `alpha` quantile of Student's t
    with n - 1 degrees of freedom. The first submission is always accepted, and a tie never is.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, at least two; they are copied.
    alpha : float
        The level of the test, above 0 and at most 1/2.
    loss : {"squared", "absolute", "zero_one"}
        The loss of each entry.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The box has F⁻¹(alpha) for the quantile; it must be F⁻¹(1 - alpha). It compares with the rounded
    release, the box of LadderBoot with the mean loss itself. Here both compare mean losses, so that
    both mechanisms take the same decisions. What is released is rounded half up to multiples of 1/n.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithm 3.

    Examples
    --------
    >>> account = PairedTestLadder(np.zeros(10), alpha=0.15)
    >>> [account.submit(np.full(10, guess)) for guess in (2, 3, 1)]
    [4.0, 4.0, 1.0]
    """

    def __init__(self, labels: ArrayLike, *, alpha: float = 0.15, loss: str = "squared") -> None:
        threshold = critical_value(significance_level(alpha, "alpha"), real_vector(labels, "labels").size)
        super().__init__(labels, threshold=threshold, loss=loss)


def critical_value(alpha: float, n: int) -> float:
    """Return the upper alpha quantile of Student's t with n - 1 degrees of freedom."""
    from scipy.special import stdtrit

    if n < 2:
        raise ValueError(f"labels must have at least 2 entries for a paired test, got {n}")
    quantile = float(stdtrit(n - 1, alpha))
    if not math.isfinite(quantile):
        raise ValueError(f"alpha must not be too small for its quantile to be computed, got {alpha!r}")
    return max(-quantile, 0.0)


class LadderBoot(PairedTestLadder):
    """Decide as the `PairedTestLadder` and release a bootstrap estimate of the mean loss, afresh each time.

    Parameters
    ----------
    labels, alpha, loss : as for `PairedTestLadder`
        The holdout labels, the level of the test and the loss of each entry.
    n_bootstrap : int or callable
        How many resamples b the released mean is taken over: the fewer, the noisier. A callable takes
        the number of the submission, 1 for the first, so that noise can grow.
    rng : numpy.random.Generator
        Draws the resamples.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The mean over b resamples of n losses with replacement is the mean of b n independent draws, so
    one multinomial vector of b n draws replaces b of n. Given the losses, the release has mean equal
    to theirs and standard deviation exactly s / sqrt(b n), where s² is their variance with denominator n.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithm 4,
    with its first submission accepted; the growing noise is from the Discussion.

    Examples
    --------
    >>> account = LadderBoot([0, 0, 1, 1], n_bootstrap=10, rng=np.random.default_rng(0))
    >>> account.submit([0, 1, 0, 1])
    0.375
    """

    def __init__(
        self,
        labels: ArrayLike,
        *,
        rng: np.random.Generator,
        alpha: float = 0.15,
        n_bootstrap: int | Callable[[int], int] = 10,
        loss: str = "squared",
    ) -> None:
        super().__init__(labels, alpha=alpha, loss=loss)
        self._rng = generator(rng)
        self._n_bootstrap = n_bootstrap if callable(n_bootstrap) else resamples(n_bootstrap)

    def _shown(self, losses: NDArray[Any]) -> float:
        """Return the mean of the losses over b resamples."""
        n, b = losses.size, bootstraps(self._n_bootstrap, len(self._transcript) + 1)
        return float(self._rng.multinomial(b * n, np.full(n, 1 / n)) @ losses) / (b * n)


def bootstraps(n_bootstrap: int | Callable[[int], int], t: int) -> int:
    """Return how many resamples release number t is the mean of."""
    return resamples(n_bootstrap(t)) if callable(n_bootstrap) else n_bootstrap


def resamples(n_bootstrap: int) -> int:
    """Return a number of resamples."""
    return whole_number(n_bootstrap, "n_bootstrap", most=10**12)


class BayesBootLadder(_BestSoFar):
    """Release the score of the last accepted submission; accepted is one that is better at given posterior odds.

    The Bayesian bootstrap weights the holdout set at random, uniformly among weights that sum to 1, and
    scores a submission and the last accepted one under the same weights. The submission is accepted
    when the odds of weightings under which it is better, by more than rounding, are at least `odds`. The first
    submission is always accepted.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, finite numbers, not constant if the metric needs them to vary; they are copied.
    metric : str or Metric
        The score, one of `METRICS` or your own. Those without a weighted form are resampled.
    odds : int, str, Fraction or float
        The posterior odds that are asked for, at least 1; a float counts with its exact value.
    n_posterior : int
        How many weightings B are drawn.
    weights : {"fresh", "shared"}
        "fresh": new weightings for each decision. "shared": one set of weightings for all of them.
    rng : numpy.random.Generator
        Draws the weightings.

    Raises
    ------
    ValueError
        If an argument is not as described, or predictions are constant where the metric is undefined.

    Notes
    -----
    With fresh weights the same submission may be refused and, sent again, accepted: an attacker can
    retry. With shared weights every decision is a fixed function of the submissions; retrying is of no
    use, but all decisions share the error of one set of draws. What is released is the score, rounded
    half up to multiples of 1/n. A weighting under which the metric is undefined counts against the submission; that
    can only happen to metrics without a weighted form.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithm 5;
    D. B. Rubin, The Bayesian bootstrap, 1981.

    Examples
    --------
    >>> account = BayesBootLadder([1, 2, 3, 4], metric="pearson", rng=np.random.default_rng(0))
    >>> account.submit([1, 2, 4, 3]), account.submit([4, 3, 1, 2]), account.submit([1, 2, 3, 4])
    (0.75, 0.75, 1.0)
    """

    def __init__(
        self,
        labels: ArrayLike,
        *,
        rng: np.random.Generator,
        metric: str | Metric = "lin_concordance",
        odds: int | str | Fraction | float = 5.67,
        n_posterior: int = 1000,
        weights: str = "fresh",
    ) -> None:
        self._metric = known_metric(metric)
        super().__init__(labels, loss="squared")  # labels and predictions are finite numbers; no loss is taken
        self._metric.checked(self._labels, "labels")
        self._n_posterior = whole_number(n_posterior, "n_posterior")
        self._needed = wins_needed(odds, self._n_posterior)
        self._rng = generator(rng)
        self._weightings = self._fresh
        if one_of(weights, "weights", ("fresh", "shared")) == "shared":
            shared = self._metric.draw_weights(self._n_posterior, self._labels.size, self._rng)
            self._weightings = lambda: [shared]
        self.larger_is_better = self._metric.larger_is_better

    def _fresh(self) -> Iterable[NDArray[np.float64]]:
        """Draw the weightings of one decision: first as many as any decision takes, then a block at a time."""
        left = self._n_posterior
        draws = min(self._needed, left - self._needed + 1)
        while left:
            draws = min(draws, max(BLOCK, ENTRIES // self._labels.size))
            yield self._metric.draw_weights(draws, self._labels.size, self._rng)
            left -= draws
            draws = min(BLOCK, left)

    def _evaluate(self, submission: NDArray[Any]) -> tuple[NDArray[Any], float]:
        """Return the submission and its score, if that is defined and finite."""
        return submission, finite_score(self._metric, submission, self._labels)

    def _is_better(self, scored: tuple[NDArray[Any], float], best: tuple[NDArray[Any], float]) -> bool:
        """Say whether a submission beats the best one under enough weightings, drawn until that is certain."""
        wins, left = 0, self._n_posterior
        law = self._metric.law(np.stack([scored[0], best[0]]), self._labels)
        for weights in self._weightings():
            scores, best_scores = law(weights)
            wins += int(np.count_nonzero(beats(scores, best_scores, self.larger_is_better)))
            left -= len(weights)
            if not wins < self._needed <= wins + left:
                break
        return wins >= self._needed

    def _shown(self, best: tuple[NDArray[Any], float]) -> float:
        """Return the score, rounded half up to multiples of 1/n."""
        submission, score = best
        return math.floor(score * submission.size + 0.5) / submission.size


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


class BayesBootLadderBoot(BayesBootLadder):
    """Decide as the `BayesBootLadder` and release a bootstrap estimate of the score, afresh each time.

    Parameters
    ----------
    labels, metric, odds, n_posterior, weights, rng : as for `BayesBootLadder`
        What decides. The release is never drawn from shared weights.
    n_bootstrap : int or callable
        How many resamples b the released score is averaged over: the fewer, the noisier. A callable takes
        the number of the submission, 1 for the first, so that noise can grow.

    Raises
    ------
    ValueError
        If an argument is not as described, or predictions are constant where the metric is undefined.

    Notes
    -----
    A resample on which the metric is undefined, such as one entry n times under a correlation, is drawn again.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithm 6,
    with its first submission accepted.

    Examples
    --------
    >>> labels = np.arange(20)
    >>> account = BayesBootLadderBoot(labels, metric="pearson", n_bootstrap=10, rng=np.random.default_rng(0))
    >>> 0.9 < account.submit(labels + labels % 3) < 1
    True
    """

    def __init__(
        self,
        labels: ArrayLike,
        *,
        rng: np.random.Generator,
        metric: str | Metric = "lin_concordance",
        odds: int | str | Fraction | float = 5.67,
        n_posterior: int = 1000,
        n_bootstrap: int | Callable[[int], int] = 10,
        weights: str = "fresh",
    ) -> None:
        self._n_bootstrap = n_bootstrap if callable(n_bootstrap) else resamples(n_bootstrap)
        super().__init__(labels, rng=rng, metric=metric, odds=odds, n_posterior=n_posterior, weights=weights)

    def _release(self, scored: tuple[NDArray[Any], float]) -> float:
        self._b = bootstraps(self._n_bootstrap, len(self._transcript) + 1)  # may fail, so before anything is drawn
        return super()._release(scored)

    def _shown(self, best: tuple[NDArray[Any], float]) -> float:
        """Return the mean score of b resamples."""
        return float(self._metric.resampled(best[0], self._labels, draws=self._b, rng=self._rng).mean())


class RefuseRepeats(Mechanism):
    """Refuse a submission that repeats, or nearly repeats, an earlier one; else do what another mechanism does.

    Parameters
    ----------
    mechanism : Mechanism
        A fresh mechanism, which scores what is not refused.
    distance : float
        The root mean square difference up to which a submission counts as a repetition, in the units of the
        predictions; 0, the default, refuses equal ones only.

    Raises
    ------
    ValueError
        If an argument is not as described, and by `submit` if the submission is refused: then nothing
        is changed and nothing learned.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Discussion.

    Examples
    --------
    >>> account = RefuseRepeats(PairedTestLadder([0, 1, 2]), distance=0.1)
    >>> account.submit([0, 0, 0])
    1.6666666666666667
    >>> account.submit([0, 0.1, 0])
    Traceback (most recent call last):
    ValueError: predictions must differ from submission 1 by more than 0.1, got a root mean square difference of 0.0577
    """

    def __init__(self, mechanism: Mechanism, *, distance: float = 0) -> None:
        if not isinstance(mechanism, Mechanism) or mechanism.transcript:
            raise ValueError(f"mechanism must be a Mechanism without submissions, got {mechanism!r}")
        self._mechanism = mechanism
        self._labels, self._check, self._transcript = mechanism._labels, mechanism._check, mechanism._transcript
        self._distance = nonnegative_real(distance, "distance")
        self.larger_is_better = mechanism.larger_is_better

    def _evaluate(self, submission: NDArray[Any]) -> Any:
        """Return what the other mechanism keeps of a submission, unless it repeats an earlier one."""
        if self._transcript:
            earlier = np.array([seen for seen, _ in self._transcript], dtype=np.float64)
            with np.errstate(over="ignore"):
                distances = np.sqrt(np.mean((earlier - submission) ** 2, axis=1))
            near = (distances <= self._distance) & (self._distance > 0)
            repeated = np.flatnonzero(near | (earlier == submission).all(axis=1))
            if repeated.size:
                nearest = repeated[distances[repeated].argmin()]
                raise ValueError(
                    f"predictions must differ from submission {nearest + 1} by more than {self._distance:g}, got a "
                    f"root mean square difference of {distances[nearest]:.3g}"
                )
        return self._mechanism._evaluate(submission)

    def _release(self, losses: Any) -> float:
        return self._mechanism._release(losses)
