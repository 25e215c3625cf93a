"""Attacks on regression boards, simulated: all features, or all submissions, at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._judges import ROUNDING, PosteriorOdds, beats, critical_value
from leaderboard_edu._regression import REDUNDANT, prefix_predictions
from leaderboard_edu._releases import resamples
from leaderboard_edu._samples import ChallengeData, checked_data, checked_selection
from leaderboard_edu._scores import known_metric
from leaderboard_edu._validation import (
    function,
    generator,
    probability,
    real_matrix,
    real_vector,
    significance_level,
    whole_number,
)
from leaderboard_edu.attacks import freedman_attack, last_jump
from leaderboard_edu.mechanisms import BayesBootLadder, Mechanism
from leaderboard_edu.metrics import Metric

__all__ = [
    "FreedmanRun",
    "StepForwardRun",
    "simulate_bayes_boot",
    "simulate_freedman",
    "simulate_step_forward",
]

SUBMISSIONS = 64  # scored at a time
FEW = 16  # candidates that are compared with the best at a time


@dataclass(frozen=True, eq=False)
class StepForwardRun:
    """A simulated step-forward attack.

    Attributes
    ----------
    selected : tuple of int
        The selected features in order; fewer than asked for if the releases stopped jumping.
    released : tuple of ndarray of float
        The releases of each iteration.
    jumps : tuple of int
        At which of its releases each iteration saw the last jump.
    public, final : ndarray of float, shape (len(selected),)
        The mean squared error of the regression on the first 1, 2, … selected features, on both sets.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithm 7.

    Examples
    --------
    >>> run = StepForwardRun((3,), (np.ones(5),), (3,), np.array([0.9]), np.array([1.1]))
    >>> round(run.overfitting(5), 3)
    -0.2
    """

    selected: tuple[int, ...]
    released: tuple[NDArray[np.float64], ...]
    jumps: tuple[int, ...]
    public: NDArray[np.float64]
    final: NDArray[np.float64]

    def overfitting(self, iterations: int) -> float:
        """Return public minus final error after so many iterations, or after the last that selected a feature."""
        last = min(whole_number(iterations, "iterations"), len(self.selected)) - 1
        return float(self.public[last] - self.final[last])


def simulate_step_forward(
    data: ChallengeData,
    *,
    iterations: int,
    alpha: float = 0.15,
    n_bootstrap: int | None = None,
    rng: np.random.Generator | None = None,
    fresh_accounts: bool = False,
    told: float = 1.0,
) -> StepForwardRun:
    """Simulate `step_forward_attack` on the `PairedTestLadder` or, with `n_bootstrap`, on `LadderBoot`.

    Parameters
    ----------
    data : ChallengeData
        The three sets.
    iterations : int
        How many features to select at most.
    alpha : float
        As for `PairedTestLadder`.
    n_bootstrap : int or None
        As for `LadderBoot` but no callable, with the attack told how many submissions were accepted. None,
        the default, stands for the `PairedTestLadder`.
    rng : numpy.random.Generator or None
        Draws the releases of `LadderBoot`, and is used as by it.
    fresh_accounts : bool
        Whether each iteration uses an account of its own, to which the board has shown nothing yet. Then the first
        submission of each is accepted and counts as a jump, so that the attack never stops.
    told : float
        On `LadderBoot` the share, rounded up, of the submissions accepted in an iteration that the attack is told,
        above 0.

    Returns
    -------
    StepForwardRun
        With the decisions of the attack itself on the mechanism itself.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The regression on the selected features S and one more adds to the predictions the part of that
    feature which is orthogonal to S, times its slope in a regression of the residual response on it
    alone (the theorem of Frisch, Waugh and Lovell). So all features are kept as residuals on S, for
    both sets; all slopes are one product of a matrix and a vector, and a selection is one update of
    rank one. Of the losses, the Ladder needs after each jump only those of later candidates whose
    mean is lower than the new best.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithms 3, 4 and 7.

    Examples
    --------
    >>> from leaderboard_edu.datasets import simulate_design, split_sample
    >>> rng = np.random.default_rng(1)
    >>> data = split_sample(*simulate_design(n=120, p=1000, rng=rng), rng=rng)
    >>> run = simulate_step_forward(data, iterations=10)
    >>> bool(run.public[-1] < 0.7), bool(run.final[-1] > 1)
    (True, True)
    """
    n = checked_data(data).public.response.size
    checked_selection(iterations, "iterations", data.training)
    c = critical_value(significance_level(alpha, "alpha"), n)
    b = None if n_bootstrap is None else resamples(n_bootstrap)
    noise = None if b is None else generator(rng)
    share = probability(told, "told", closed=True)
    if share == 0:
        raise ValueError(f"told must be above 0, got {told!r}")
    candidates = _Candidates(data)
    best: NDArray[np.float64] | None = None
    released: list[NDArray[np.float64]] = []
    jumps: list[int] = []
    for _ in range(iterations):
        losses = candidates.losses()
        plateaus, accepted = _scan(losses, best, c)
        best = None if fresh_accounts else plateaus[-1]
        lengths = np.diff([0, *accepted, len(losses)])[-len(plateaus) :]
        shown = np.inf if fresh_accounts or not released else released[-1][-1]
        if b is None or noise is None:
            sums = [np.floor(plateau.sum() + 0.5) / n for plateau in plateaus]
            released.append(np.repeat(sums, lengths))
            jump = last_jump(released[-1], shown=shown)
        else:
            draws = noise.multinomial(b * n, np.full(n, 1 / n), size=len(losses))
            released.append((draws * np.repeat(plateaus, lengths, axis=0)).sum(axis=1) / (b * n))
            jump = last_jump(released[-1], jumps=math.ceil(Fraction(str(share)) * len(accepted)), shown=shown)
        if jump is None:
            break
        candidates.select(jump)
        jumps.append(jump)
    public = np.array(candidates.errors)
    predictions = prefix_predictions(data.training, data.final.features, candidates.selected)
    final = np.mean((predictions - data.final.response) ** 2, axis=1)
    return StepForwardRun(tuple(candidates.selected), tuple(released), tuple(jumps), public, final)


class _Candidates:
    """The features that are left, each a row of residuals on the selected ones, for the training and the public set."""

    def __init__(self, data: ChallengeData) -> None:
        (x, y), (z, labels) = data.training, data.public
        centre = x.mean(axis=0)
        self.left = np.arange(centre.size)
        self.training, self.public = np.ascontiguousarray((x - centre).T), np.ascontiguousarray((z - centre).T)
        self.response, self.difference = y - y.mean(), y.mean() - labels  # predictions less labels
        self.squares = np.einsum("ij,ij->i", self.training, self.training)
        self.redundant = REDUNDANT**2 * np.einsum("ij,ij->j", x, x)
        self.selected: list[int] = []
        self.errors: list[float] = []  # the public mean squared error after each selection
        self.latest: int | None = None  # the index of the selected feature, until residuals are taken on it

    def losses(self) -> NDArray[np.float64]:
        """Return the public losses of the regressions on the selected features and each one that is left."""
        if self.latest is not None:
            self.take_residuals(self.latest)
        products = self.training @ self.response  # as with its residual: what is left is orthogonal to the rest of it
        self.slopes = np.divide(
            products, self.squares, out=np.zeros_like(products), where=self.squares > self.redundant
        )
        losses = self.public * self.slopes[:, None]
        losses += self.difference
        squares: NDArray[np.float64] = np.square(losses, out=losses)
        return squares

    def select(self, index: int) -> None:
        """Select the feature at this index of those that are left."""
        self.latest = index
        self.difference = self.difference + self.slopes[index] * self.public[index]
        self.errors.append(float(np.mean(self.difference**2)))
        self.selected.append(int(self.left[index]))

    def take_residuals(self, index: int) -> None:
        """Take the feature at this index out, and its share out of the others."""
        x, square = self.training[index], self.squares[index]
        shares = self.training @ x / square if square > self.redundant[index] else np.zeros(len(self.left))
        self.left, self.redundant, shares = (np.delete(v, index) for v in (self.left, self.redundant, shares))
        self.training = _without(self.training, index, shares)
        self.public = _without(self.public, index, shares)
        self.squares = np.einsum("ij,ij->i", self.training, self.training)


def _without(rows: NDArray[np.float64], index: int, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take a row out, in place, and subtract its share from each other one."""
    row = rows[index].copy()
    rows[index:-1] = rows[index + 1 :]
    left: NDArray[np.float64] = rows[:-1]
    left -= shares[:, None] * row
    return left


def _scan(
    losses: NDArray[np.float64], best: NDArray[np.float64] | None, c: float
) -> tuple[list[NDArray[np.float64]], list[int]]:
    """Return what a paired-test Ladder shows in turn, a loss vector each, and the indices of what it accepts.

    The first is the best so far, unless there is none: then the first submission is accepted.
    """
    n = losses.shape[1]
    ones = np.ones(n)  # sums as products with it are faster
    totals = losses @ ones
    plateaus, accepted = ([losses[0]], [0]) if best is None else ([best], [])
    searched = -1
    while searched < len(losses):
        start = accepted[-1] + 1 if accepted else 0
        total = plateaus[-1].sum()
        lower = start + np.flatnonzero(totals[start:] < total)
        searched = len(losses)
        for few in (lower[i : i + FEW] for i in range(0, lower.size, FEW)):
            gains = plateaus[-1] - losses[few]
            gain = gains @ ones
            gains -= gain[:, None] / n
            margins = c * np.sqrt(np.einsum("ij,ij->i", gains, gains) * (n / (n - 1)))
            better = few[gain > margins + ROUNDING * total]
            if better.size:
                accepted.append(int(better[0]))
                plateaus.append(losses[better[0]])
                searched = accepted[-1]
                break
    return plateaus, accepted


@dataclass(frozen=True, eq=False)
class FreedmanRun:
    """A simulated Freedman's attack.

    Attributes
    ----------
    selected : tuple of int
        The selected features, best release first.
    released : ndarray of float, shape (p,)
        The release of each feature's model.
    public, final : ndarray of float, shape (len(selected),)
        The score of the regression on the first 1, 2, … selected features, on both sets.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Figure 2.

    Examples
    --------
    >>> run = FreedmanRun((0,), np.array([0.9]), np.array([0.9]), np.array([1.1]))
    >>> (run.public - run.final).round(3).tolist()
    [-0.2]
    """

    selected: tuple[int, ...]
    released: NDArray[np.float64]
    public: NDArray[np.float64]
    final: NDArray[np.float64]


def simulate_freedman(
    data: ChallengeData,
    *,
    mechanism: Callable[[ArrayLike], Mechanism],
    top: int,
    metric: str | Metric = "mse",
) -> FreedmanRun:
    """Run `freedman_attack` on a mechanism, and score the regressions on the first 1, 2, …, `top` features.

    Parameters
    ----------
    data : ChallengeData
        The three sets.
    mechanism : callable
        Makes a fresh mechanism from the labels of the public set; the board's own metric is given here.
    top : int
        As for `freedman_attack`.
    metric : str or Metric
        What the regressions are scored by.

    Returns
    -------
    FreedmanRun

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Freedman's attack.

    Examples
    --------
    >>> from leaderboard_edu import FullDisclosure, simulate_design, split_sample
    >>> rng = np.random.default_rng(0)
    >>> data = split_sample(*simulate_design(n=120, p=200, rng=rng), rng=rng)
    >>> run = simulate_freedman(data, mechanism=lambda y: FullDisclosure(y, metric="mse"), top=5)
    >>> bool(run.public[-1] < 1 < run.final[-1])
    True
    """
    score = known_metric(metric)
    checked_selection(top, "top", checked_data(data).training)
    board = function(mechanism, "mechanism")(data.public.response)
    if not isinstance(board, Mechanism):
        raise ValueError(f"mechanism must return a Mechanism, got {board!r}")
    attack = freedman_attack(
        board.submit,
        training=data.training,
        features=data.public.features,
        top=top,
        larger_is_better=board.larger_is_better,
    )
    released = np.array([release for _, release in board.transcript])
    scores = [
        [score(row, sample.response) for row in prefix_predictions(data.training, sample.features, attack.selected)]
        for sample in (data.public, data.final)
    ]
    return FreedmanRun(attack.selected, released, *np.array(scores))


def simulate_bayes_boot(
    predictions: ArrayLike,
    labels: ArrayLike,
    *,
    rng: np.random.Generator,
    metric: str | Metric = "lin_concordance",
    odds: int | str | Fraction | float = 5.67,
    n_posterior: int = 1000,
    weights: str = "fresh",
) -> NDArray[np.intp]:
    """Return which of many submissions a `BayesBootLadder` accepts.

    Parameters
    ----------
    predictions : array_like, shape (k, n)
        The submissions, in order.
    labels : array_like, shape (n,)
        The holdout labels.
    rng, metric, odds, n_posterior, weights : as for `BayesBootLadder`
        Used as by it.

    Returns
    -------
    ndarray of int, shape (a,)
        The indices of the accepted submissions. The first is 0.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    With shared weights the scores of a submission do not depend on what was accepted before. So they are
    computed for a block of submissions at a time, all moments by one product of matrices.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithm 5.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = rng.normal(size=50)
    >>> submissions = labels + np.array([[3], [4], [0.1]]) * rng.normal(size=(3, 50))
    >>> simulate_bayes_boot(submissions, labels, weights="shared", rng=rng).tolist()
    [0, 2]
    """
    rows = real_matrix(predictions, "predictions", columns=np.size(labels))
    if weights == "fresh":
        board = BayesBootLadder(labels, rng=rng, metric=metric, odds=odds, n_posterior=n_posterior)
        accepted = []
        for row in rows:
            board.submit(row)
            accepted.append(board.accepted)
        return np.flatnonzero(np.diff(accepted, prepend=0))
    score, y = known_metric(metric), real_vector(labels, "labels")
    judge = PosteriorOdds(y, metric=score, odds=odds, n_posterior=n_posterior, weights=weights, rng=rng)
    (shared,) = judge.weightings()
    accepted, best = [], None
    for start in range(0, len(rows), SUBMISSIONS):
        block = np.array([score.checked(row, "predictions") for row in rows[start : start + SUBMISSIONS]])
        with np.errstate(over="ignore", invalid="ignore"):
            plain = score.law(block, y)(np.ones((1, y.size)))
        if not np.isfinite(plain).all():
            raise ValueError(f"predictions must have a finite score, got {plain[~np.isfinite(plain)][0]}")
        for t, scores in enumerate(score.law(block, y)(shared), start):
            if best is None or np.count_nonzero(beats(scores, best, score.larger_is_better)) >= judge.needed:
                best = scores
                accepted.append(t)
    return np.array(accepted)
