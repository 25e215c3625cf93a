"""How many submissions a board stands, by repeated attacks of growing length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._releases import resamples
from leaderboard_edu._repetition import replicate
from leaderboard_edu._simulated_challenges import simulate_step_forward
from leaderboard_edu._validation import function, nonnegative_real, probability, significance_level, whole_number
from leaderboard_edu.datasets import ChallengeData

__all__ = ["SubmissionBudget", "submission_budget"]


@dataclass(frozen=True, eq=False)
class SubmissionBudget:
    """How far repeated step-forward attacks of growing length over-fit a board.

    Attributes
    ----------
    features, iterations : ndarray of int, shape (g,)
        How the attacks are run, shortest first.
    overfitting : ndarray of float, shape (repetitions, g)
        Public minus final mean squared error of each attack in each repetition, at least 6.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Text S3 and Figure S11.

    Examples
    --------
    >>> values = np.arange(-9, 10) / 100
    >>> budget = SubmissionBudget(np.array([50, 100]), np.array([1, 2]), np.stack([values, values - 0.2], axis=1))
    >>> budget.submissions.tolist(), budget.medians.round(2).tolist(), budget.intervals.round(2).tolist()
    ([50, 199], [0.0, -0.2], [[-0.05, -0.25], [0.05, -0.15]])
    >>> budget.safe(0.1), budget.unsafe(0.1)
    (50, 199)
    """

    features: NDArray[np.int64]
    iterations: NDArray[np.int64]
    overfitting: NDArray[np.float64]

    @property
    def submissions(self) -> NDArray[np.int64]:
        """How many submissions each attack makes if no iteration ends it early."""
        cost: NDArray[np.int64] = self.features * self.iterations - self.iterations * (self.iterations - 1) // 2
        return cost

    @property
    def medians(self) -> NDArray[np.float64]:
        """The median of each attack, shape (g,)."""
        return np.median(self.overfitting, axis=0)

    @property
    def intervals(self) -> NDArray[np.float64]:
        """Between which order statistics each true median lies with probability 95 % at least, shape (2, g)."""
        from scipy.stats import binom

        rank = int(binom(len(self.overfitting), 0.5).ppf(0.025))
        if rank == 0:
            raise ValueError(f"overfitting must have at least 6 rows, got {len(self.overfitting)}")
        ordered = np.sort(self.overfitting, axis=0)
        return ordered[[rank - 1, -rank]]

    def safe(self, tolerance: float) -> int:
        """Return the submissions up to which no interval goes below minus the tolerance; 0 if the first one does."""
        good = self.intervals[0] >= -nonnegative_real(tolerance, "tolerance")
        return int(max(self.submissions[np.logical_and.accumulate(good)], default=0))

    def unsafe(self, tolerance: float) -> int | None:
        """Return the fewest submissions whose interval lies below minus the tolerance; None if there are none."""
        bad = self.intervals[1] < -nonnegative_real(tolerance, "tolerance")
        return int(min(self.submissions[bad])) if bad.any() else None


def submission_budget(
    draw: Callable[[np.random.Generator], ChallengeData],
    *,
    repetitions: int,
    rng: np.random.Generator,
    alpha: float = 0.15,
    n_bootstrap: int | None = None,
    fresh_accounts: bool = False,
    fraction: float = 0.02,
    n_jobs: int | None = None,
) -> SubmissionBudget:
    """Repeat step-forward attacks of growing length, to see how many submissions a board stands.

    Parameters
    ----------
    draw : callable
        Takes a generator and returns a `ChallengeData` in which the response has nothing to do with the
        features: `ChallengeData.permuted`, or a split of `simulate_design`.
    repetitions : int
        How often each attack is repeated, at least 6; each sees a random part of the features of the same draw.
    rng : numpy.random.Generator
        Spawns one child for each repetition.
    alpha, n_bootstrap : as for `simulate_step_forward`
        The mechanism.
    fresh_accounts : bool
        Whether a participant can have as many accounts as iterations, and uses a fresh one for each. `LadderBoot` then
        protects less, with many resamples far less.
    fraction : float
        The share of features that an attack selects, above 0 and at most 1, and fewer features than there are
        training rows: it runs for 1, 2, … iterations over as many features as have this share, up to all of them.
    n_jobs : int or None
        As for `replicate`.

    Returns
    -------
    SubmissionBudget

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    It measures one attack on one design. Other attacks can do more with fewer submissions.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Text S3.

    Examples
    --------
    >>> from leaderboard_edu.datasets import simulate_design, split_sample
    >>> def draw(rng):
    ...     return split_sample(*simulate_design(n=150, p=100, correlation=0, rng=rng), rng=rng)
    >>> budget = submission_budget(draw, alpha=0.5, repetitions=40, rng=np.random.default_rng(0))
    >>> budget.submissions.tolist(), budget.safe(0.05), budget.unsafe(0.05)
    ([50, 199], 0, 199)
    """
    function(draw, "draw")
    repetitions = whole_number(repetitions, "repetitions", least=6)
    share = probability(fraction, "fraction", closed=True)
    if share == 0:
        raise ValueError(f"fraction must be above 0, got {fraction!r}")
    significance_level(alpha, "alpha")
    if n_bootstrap is not None:
        resamples(n_bootstrap)

    board: dict[str, Any] = {"alpha": alpha, "n_bootstrap": n_bootstrap, "fresh_accounts": fresh_accounts}

    def attacks(child: np.random.Generator) -> list[tuple[int, int, int, float]]:
        data = draw(child)
        if not isinstance(data, ChallengeData):
            raise ValueError(f"draw must return a leaderboard_edu.ChallengeData, got {data!r}")
        rows, p = data.training.features.shape
        if round(share * p) >= rows:
            raise ValueError(f"fraction must select fewer features than the {rows} training rows, got {fraction!r}")
        found = []
        for iterations in range(1, max(1, round(share * p)) + 1):
            columns = child.choice(p, size=p if iterations > share * p else round(iterations / share), replace=False)
            part = data.with_features(columns)
            run = simulate_step_forward(part, iterations=iterations, rng=child, **board)
            found.append((p, columns.size, iterations, run.overfitting(iterations)))
        return found

    found = replicate(attacks, repetitions=repetitions, rng=rng, n_jobs=n_jobs)
    sizes = {attack[0][0] for attack in found}
    if len(sizes) > 1:
        raise ValueError(f"draw must return the same number of features each time, got {min(sizes)} and {max(sizes)}")
    table = np.array(found)
    features, iterations = table[0, :, 1:3].T.astype(np.int64)
    return SubmissionBudget(features, iterations, table[:, :, 3])
