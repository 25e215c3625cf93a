"""Repeated experiments: what a mechanism's leaderboard error is under a given analyst."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._draws import draw_submissions
from leaderboard_edu._validation import function, generator, nonnegative_real, whole_number
from leaderboard_edu.attacks import AttackResult
from leaderboard_edu.leaderboard import leaderboard_error
from leaderboard_edu.mechanisms import Mechanism

__all__ = ["ErrorSample", "simulate_leaderboard_error"]

Analyst = Callable[..., AttackResult]


@dataclass(frozen=True, eq=False)
class ErrorSample:
    """Leaderboard errors of independent repetitions.

    Attributes
    ----------
    errors : ndarray of float, shape (repetitions,)
        One leaderboard error for each repetition.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2.1: the definition of leaderboard error.

    Examples
    --------
    >>> sample = ErrorSample(np.array([0.1, 0.2, 0.3]))
    >>> round(sample.mean, 3), round(sample.standard_error, 3), sample.share_above(0.15)
    (0.2, 0.058, 0.6666666666666666)
    """

    errors: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The average error."""
        return float(self.errors.mean())

    @property
    def standard_error(self) -> float:
        """The standard error of the average, from the spread of the repetitions; NaN for a single one."""
        return float(self.errors.std(ddof=1) / np.sqrt(self.errors.size)) if self.errors.size > 1 else float("nan")

    def share_above(self, epsilon: float) -> float:
        """Return the share of repetitions whose error exceeds `epsilon`."""
        return float(np.mean(self.errors > nonnegative_real(epsilon, "epsilon")))


def simulate_leaderboard_error(
    analyst: Analyst,
    *,
    mechanism: Callable[[ArrayLike], Mechanism],
    n: int,
    k: int,
    repetitions: int,
    rng: np.random.Generator,
    n_jobs: int = 1,
) -> ErrorSample:
    """Repeat: draw labels as fair coins, let an analyst submit, and measure the leaderboard error.

    Parameters
    ----------
    analyst : callable
        Called as ``analyst(submit, n=n, k=k, rng=rng)``, it returns an `AttackResult`, such as
        `boosting_attack`. Its final vector is submitted here, as number k + 1.
    mechanism : callable
        Makes a fresh mechanism from the labels.
    n : int
        The holdout size.
    k : int
        The number of submissions that the analyst makes.
    repetitions : int
        The number of independent repetitions.
    rng : numpy.random.Generator
        Spawns one child for each repetition, so the result does not depend on `n_jobs`.
    n_jobs : int
        How many processes work at the same time, as in joblib; -1 for all cores.

    Returns
    -------
    ErrorSample

    Raises
    ------
    ValueError
        If an argument is not as described. An error raised by the analyst is passed on.

    Notes
    -----
    Labels are fair coins, independent of anything that an analyst can know. So the true risk of
    every submission is 1/2 and the leaderboard error is known exactly. The board shows the best
    release so far.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 5.1: the experiment behind its figure.

    Examples
    --------
    >>> from leaderboard_edu.attacks import boosting_attack
    >>> from leaderboard_edu.mechanisms import FullDisclosure
    >>> sample = simulate_leaderboard_error(
    ...     boosting_attack, mechanism=FullDisclosure, n=400, k=400, repetitions=5, rng=np.random.default_rng(0)
    ... )
    >>> sample.mean > 0.25
    True
    """
    from joblib import Parallel, delayed

    function(analyst, "analyst")
    function(mechanism, "mechanism")
    n, k, repetitions = whole_number(n, "n"), whole_number(k, "k"), whole_number(repetitions, "repetitions")
    if n_jobs != -1:
        n_jobs = whole_number(n_jobs, "n_jobs")
    children = generator(rng).spawn(repetitions)
    errors = Parallel(n_jobs=n_jobs)(delayed(_one_error)(analyst, mechanism, n, k, child) for child in children)
    return ErrorSample(np.array(errors))


def _one_error(
    analyst: Analyst, mechanism: Callable[[ArrayLike], Mechanism], n: int, k: int, rng: np.random.Generator
) -> float:
    """Return the leaderboard error of one repetition."""
    account = mechanism(draw_submissions(rng, 1, n)[0])
    if not isinstance(account, Mechanism):
        raise ValueError(f"mechanism must make a leaderboard_edu.Mechanism, got {account!r}")
    result = analyst(account.submit, n=n, k=k, rng=rng)
    account.submit(result.predictions)
    shown = np.minimum.accumulate([released for _, released in account.transcript])
    return leaderboard_error(shown, np.full(shown.size, 0.5))
