"""Leaderboard mechanisms: one instance is one account on one holdout set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._holdout import Holdout
from leaderboard_edu._judges import Judge, MarginOnGrid, PairedTest, PosteriorOdds, Scored, critical_value
from leaderboard_edu._releases import (
    bootstrapped_mean,
    level,
    loss_shown,
    resamples,
    resamples_at,
    rounded_mean,
    rounded_score,
)
from leaderboard_edu._scores import finite_score, known_metric, wrong_labels
from leaderboard_edu._validation import (
    generator,
    grid_denominator,
    nonnegative_real,
    significance_level,
)
from leaderboard_edu.metrics import METRICS, Metric

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


class Mechanism(ABC):
    """What every mechanism shares: private labels, checked submissions, a transcript.

    A subclass says in `_release` what the analyst gets to see for a submission; the labels to compare it with are
    `_labels`. They are copied at construction; a refused submission changes nothing.

    Labels are classes, of any number: whole numbers, truth values (which are 0 and 1), floats without a fraction, or
    strings. Of a submission only right and wrong matters. Arrays, lists, series of pandas and Polars and frames of one
    column are taken, categoricals too.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels.
    classes : bool
        Whether labels and submissions are classes, the default, or any finite numbers.

    Raises
    ------
    ValueError
        If `labels` is empty, not one-dimensional, or not of classes or finite numbers, as `classes` says; from
        `submit`, if the submission is not of that kind or has another length.

    Notes
    -----
    A class that is not among the labels is a wrong guess and no error: a refusal would tell which classes are there.
    Another *type* is refused: strings where the labels are numbers, ``"1"`` for 1 too, numbers where they are strings,
    fractions such as probabilities, missing values. ``1.0`` and ``True`` are 1.

    Rows match by position. If labels and submission both come from pandas, their indices must be equal, in the same
    order: nothing is aligned in silence.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2: sequential and adaptive loss estimation.

    Examples
    --------
    >>> class Silent(Mechanism):
    ...     def _release(self, submission):
    ...         return 0.5
    >>> Silent([0, 1]).submit([0, 0])
    0.5
    """

    larger_is_better = False

    def __init__(self, labels: ArrayLike, *, classes: bool = True) -> None:
        self._holdout = Holdout(labels, classes=classes)
        self._labels = self._holdout.labels
        self._transcript: list[tuple[NDArray[Any], float]] = []

    @property
    def transcript(self) -> tuple[tuple[NDArray[Any], float], ...]:
        """What the analyst has seen: pairs (predictions, released), oldest first."""
        return tuple(self._transcript)

    def submit(self, predictions: ArrayLike) -> float:
        """Score a submission, one entry for each holdout label, and return what is released."""
        submission = self._holdout.checked(predictions)
        released = self._release(submission)
        self._transcript.append((submission, released))
        return released

    @abstractmethod
    def _release(self, submission: NDArray[Any]) -> float:
        """Return what is released for a submission."""


class FullDisclosure(Mechanism):
    """Release the score of every submission, exactly or rounded to multiples of `precision`.

    This is what most hosts do. With ``precision="1/100000"`` and the 0/1 loss it is the reference
    mechanism of Blum & Hardt. Rounding of the 0/1 loss is decided in whole numbers, half up: with `c`
    wrong labels of `n` and precision 1/m the release is ``((2*c*m + n) // (2*n)) / m``.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, as the metric takes them: classes under "zero_one"; they are copied.
    precision : str, Fraction, float or None
        The grid 1/m of the releases; None, the default, releases the score unrounded.
    metric : str or Metric
        The score, one of `METRICS`, of scikit-learn's by `Metric.from_sklearn`, or your own; by default the 0/1 loss.

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
        self._metric.checked(labels, "labels")
        super().__init__(labels, classes=self._metric.targets == "classes")
        self.larger_is_better = self._metric.larger_is_better
        self._m = None if precision is None else grid_denominator(precision, "precision")

    def _release(self, submission: NDArray[Any]) -> float:
        if self._counts:
            return loss_shown(wrong_labels(submission, self._labels), submission.size, self._m)
        score = finite_score(submission, self._labels, self._metric)
        return score if self._m is None else rounded_score(score, self._m)


class _BestSoFar(Mechanism):
    """Keep the best submission: a judge says what is better, and a subclass what is shown of the best."""

    _judge: Judge
    _best: Any = None  # the score of the last accepted submission
    _accepted = 0

    @property
    def accepted(self) -> int:
        """How many submissions have been accepted, which the host knows and an analyst does not."""
        return self._accepted

    def _release(self, submission: NDArray[Any]) -> float:
        score = self._score(submission)
        accepts = self._best is None or self._judge.is_better(score, self._best)
        best = score if accepts else self._best
        released = self._show(best)  # before anything changes: it may fail
        self._best, self._accepted = best, self._accepted + accepts
        return released

    def _score(self, submission: NDArray[Any]) -> Any:
        """Return what is kept of a submission."""
        return self._judge.score(submission)

    @abstractmethod
    def _show(self, best: Any) -> float:
        """Return what is released when the last accepted submission has this score."""


class Ladder(_BestSoFar):
    """Release the loss of the last accepted submission, rounded; accepted is one lower than the release by over `eta`.

    Decided in whole numbers: with `c` wrong labels of `n`, eta = 1/m and the best release so far
    j/m, a submission is accepted when ``c * m < (j - 1) * n``; a tie is refused. The first
    submission is always accepted.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, whole numbers or strings as for `Mechanism`; they are copied.
    eta : str, Fraction or float
        The margin, and the grid 1/m of the releases.

    Raises
    ------
    ValueError
        If `labels` is not as described or `eta` is not 1/m for a whole number m.

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
        self._judge = MarginOnGrid(self._labels, self._m, margin=1)

    def _show(self, wrong: int) -> float:
        """Return the loss in steps of eta."""
        return level(wrong, self._labels.size, self._m) / self._m


class SimplifiedLadder(_BestSoFar):
    """Release the best loss so far, rounded to multiples of `eta`, and do nothing else.

    It is the `Ladder` without its margin: a submission moves the release as soon as its rounded
    loss is lower. Rounding is half up, in whole numbers, so a loss just on the middle stays above.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, whole numbers or strings as for `Mechanism`; they are copied.
    eta : str, Fraction or float
        The grid 1/m of the releases.

    Raises
    ------
    ValueError
        If `labels` is not as described or `eta` is not 1/m for a whole number m.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, Algorithm 2, written for losses.

    Examples
    --------
    >>> account = SimplifiedLadder([0] * 10, eta="1/10")
    >>> [account.submit([1] * wrong + [0] * (10 - wrong)) for wrong in (5, 4, 7)]
    [0.5, 0.4, 0.4]
    """

    def __init__(self, labels: ArrayLike, *, eta: str | Fraction | float = "1/100") -> None:
        super().__init__(labels)
        self._m = grid_denominator(eta, "eta")
        self._judge = MarginOnGrid(self._labels, self._m, margin=0)

    def _show(self, wrong: int) -> float:
        """Return the loss in steps of eta."""
        return level(wrong, self._labels.size, self._m) / self._m


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
        The holdout labels, classes under the 0/1 loss; they are copied.
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
        super().__init__(labels, classes=loss == "zero_one")
        self._judge = PairedTest(self._labels, threshold=threshold, loss=loss)

    def _show(self, losses: NDArray[Any]) -> float:
        """Return the mean of the losses, rounded half up to multiples of 1/n."""
        return rounded_mean(losses)


class PairedTestLadder(_BestSoFar):
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
        super().__init__(labels, classes=loss == "zero_one")
        threshold = critical_value(significance_level(alpha, "alpha"), self._labels.size)
        self._judge = PairedTest(self._labels, threshold=threshold, loss=loss)

    def _show(self, losses: NDArray[Any]) -> float:
        """Return the mean of the losses, rounded half up to multiples of 1/n."""
        return rounded_mean(losses)


class LadderBoot(_BestSoFar):
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
        super().__init__(labels, classes=loss == "zero_one")
        threshold = critical_value(significance_level(alpha, "alpha"), self._labels.size)
        self._judge = PairedTest(self._labels, threshold=threshold, loss=loss)
        self._n_bootstrap = n_bootstrap if callable(n_bootstrap) else resamples(n_bootstrap)
        self._rng = generator(rng)

    def _show(self, losses: NDArray[Any]) -> float:
        """Return the mean of the losses over b resamples."""
        b = resamples_at(self._n_bootstrap, len(self._transcript) + 1)
        return bootstrapped_mean(losses, b, self._rng)


class BayesBootLadder(_BestSoFar):
    """Release the score of the last accepted submission; accepted is one that is better at given posterior odds.

    The Bayesian bootstrap weights the holdout set at random, uniformly among weights that sum to 1, and
    scores a submission and the last accepted one under the same weights. The submission is accepted
    when the odds of weightings under which it is better, by more than rounding, are at least `odds`. The first
    submission is always accepted.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The holdout labels, as the metric takes them, not constant if it needs them to vary; they are copied.
    metric : str or Metric
        The score, one of `METRICS`, of scikit-learn's by `Metric.from_sklearn`, or your own. Those without a weighted
        form are resampled.
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
        score = known_metric(metric)
        score.checked(labels, "labels")
        super().__init__(labels, classes=score.targets == "classes")
        self._judge = PosteriorOdds(
            self._labels, metric=score, odds=odds, n_posterior=n_posterior, weights=weights, rng=rng
        )
        self.larger_is_better = score.larger_is_better

    def _show(self, best: Scored) -> float:
        """Return the score, rounded half up to multiples of 1/n."""
        return rounded_score(best.score, self._labels.size)


class BayesBootLadderBoot(_BestSoFar):
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
        self._rng, self._metric = generator(rng), known_metric(metric)
        self._metric.checked(labels, "labels")
        super().__init__(labels, classes=self._metric.targets == "classes")
        self._judge = PosteriorOdds(
            self._labels, metric=self._metric, odds=odds, n_posterior=n_posterior, weights=weights, rng=rng
        )
        self.larger_is_better = self._metric.larger_is_better

    def _score(self, submission: NDArray[Any]) -> Any:
        scored = super()._score(submission)
        self._b = resamples_at(self._n_bootstrap, len(self._transcript) + 1)  # may fail, so before anything is drawn
        return scored

    def _show(self, best: Scored) -> float:
        """Return the mean score of b resamples."""
        return float(self._metric.resampled(best.predictions, self._labels, draws=self._b, rng=self._rng).mean())


class RefuseRepeats(Mechanism):
    """Refuse a submission that repeats, or nearly repeats, an earlier one; else do what another mechanism does.

    Parameters
    ----------
    mechanism : Mechanism
        A fresh mechanism, which scores what is not refused.
    distance : float
        The root mean square difference up to which a submission counts as a repetition, in the units of the
        predictions, of classes the root of the share that differs; 0, the default, refuses equal ones only.

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
        super().__init__(mechanism._labels, classes=mechanism._holdout.classes)
        self._holdout = mechanism._holdout  # which knows the names of the rows
        self._mechanism = mechanism
        self._distance = nonnegative_real(distance, "distance")
        self.larger_is_better = mechanism.larger_is_better

    def _release(self, submission: NDArray[Any]) -> float:
        if self._transcript:
            self._refuse_repetition(submission)
        return self._mechanism.submit(submission)

    def _refuse_repetition(self, submission: NDArray[Any]) -> None:
        """Raise an error that names the nearest earlier submission if one is too near."""
        earlier = [seen for seen, _ in self._transcript]
        differ = np.array([seen != submission for seen in earlier])
        with np.errstate(over="ignore"):
            squares = differ if self._holdout.classes else (np.array(earlier) - submission) ** 2
        distances = np.sqrt(np.mean(squares, axis=1))
        near = (distances <= self._distance) & (self._distance > 0)
        repeated = np.flatnonzero(near | ~differ.any(axis=1))
        if repeated.size:
            nearest = repeated[distances[repeated].argmin()]
            raise ValueError(
                f"predictions must differ from submission {nearest + 1} by more than {self._distance:g}, got a "
                f"root mean square difference of {distances[nearest]:.3g}"
            )
