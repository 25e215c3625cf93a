"""Repetitions of a random experiment: how they are made and recorded, and what they say together."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._draws import draw_submissions
from leaderboard_edu._extras import extra
from leaderboard_edu._journal import Journal
from leaderboard_edu._validation import (
    function,
    generator,
    nonnegative_real,
    number_of_jobs,
    repeated_values,
    whole_number,
)
from leaderboard_edu.attacks import AttackResult
from leaderboard_edu.leaderboard import leaderboard_error
from leaderboard_edu.mechanisms import Mechanism

__all__ = [
    "ErrorSample",
    "mean_and_error",
    "replicate",
    "simulate_leaderboard_error",
]

Analyst = Callable[..., AttackResult]


def mean_and_error(values: ArrayLike) -> tuple[Any, Any]:
    """Return the mean of independent repetitions, and its standard error.

    Parameters
    ----------
    values : array_like, shape (repetitions, ...)
        What each repetition gave: a number, or an array, of which each entry is averaged by itself. At least two.

    Returns
    -------
    mean, error : float, or ndarray of the shape of one repetition
        The error is the standard deviation of the repetitions, with ``ddof=1``, over the root of their number.

    Raises
    ------
    ValueError
        If there are fewer than two repetitions, which say nothing about their spread, or they are not finite numbers
        of one shape.

    Examples
    --------
    >>> mean, error = mean_and_error([0.1, 0.2, 0.3])
    >>> print(f"{mean:.3f} +- {error:.3f}")
    0.200 +- 0.058
    >>> mean, error = mean_and_error([[1, 0], [3, 0]])  # two repetitions of two values
    >>> mean.tolist(), error.tolist()
    ([2.0, 0.0], [1.0, 0.0])
    """
    array = repeated_values(values, "values")
    return array.mean(axis=0), array.std(axis=0, ddof=1) / np.sqrt(len(array))


def replicate(
    experiment: Callable[[np.random.Generator], Any],
    *,
    repetitions: int,
    rng: np.random.Generator,
    n_jobs: int | None = None,
    record: str | Path | None = None,
    progress: bool = False,
) -> list[Any]:
    """Repeat a random experiment, each time with a generator of its own.

    Parameters
    ----------
    experiment : callable
        Takes a generator and returns numbers, strings, and lists or dictionaries of them; arrays become lists.
    repetitions : int
        How often it is repeated.
    rng : numpy.random.Generator
        Spawns one child for each repetition, so the results do not depend on who computes them.
    n_jobs : int or None
        How many workers repeat it at the same time, as in joblib; -1 for all cores. None, the default, stands
        for what `joblib.parallel_config` says, such as a Dask cluster, and for one without it.
    record : str, Path or None
        A file to which each result is written as soon as it is there. If it exists, what it holds is
        not computed again: a run that was stopped goes on. A file is for one experiment with one seed.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    list
        The results, in the order of the children.

    Raises
    ------
    ValueError
        If an argument is not as described, or `record` holds results of another generator, seed or number
        of repetitions. An error raised by the experiment is passed on; what was recorded stays.

    Examples
    --------
    >>> replicate(lambda rng: rng.integers(10), repetitions=4, rng=np.random.default_rng(0))
    [8, 6, 6, 8]
    """
    with extra("studies"):
        from joblib import Parallel, delayed

    function(experiment, "experiment")
    sequence: Any = generator(rng).bit_generator.seed_seq
    seed = f"{type(rng.bit_generator).__name__} {sequence.state}"
    repetitions = whole_number(repetitions, "repetitions")
    jobs = number_of_jobs(n_jobs)
    journal, results = _begun(record, {"repetitions": repetitions, "seed": seed})
    children = rng.spawn(repetitions)
    left = [i for i in range(repetitions) if i not in results]
    calls = (delayed(_numbered)(experiment, i, children[i]) for i in left)
    done = Parallel(n_jobs=jobs, return_as="generator_unordered")(calls)
    if progress:
        with extra("studies"):
            from tqdm import tqdm

        done = tqdm(done, initial=repetitions - len(left), total=repetitions)
    for i, result in done:
        results[i] = result
        if journal:
            journal.add([i, result])
    return [results[i] for i in range(repetitions)]


def _begun(record: str | Path | None, run: dict[str, Any]) -> tuple[Journal | None, dict[int, Any]]:
    """Return the journal of a run, if there is to be one, and the results by number that it holds."""
    if record is None:
        return None, {}
    try:
        journal = Journal(Path(record), run)
        return journal, dict(journal.entries(_result))
    except ValueError as error:
        raise ValueError(f"record must hold results of this run: {error}") from None


def _result(entry: Any) -> tuple[int, Any]:
    """Return a number and the result recorded with it."""
    number, result = entry
    return int(number), result


def _numbered(experiment: Callable[[np.random.Generator], Any], i: int, rng: np.random.Generator) -> tuple[int, Any]:
    """Return the number of a repetition and its result, as it is when written and read again."""
    return i, json.loads(json.dumps(experiment(rng), default=lambda value: value.tolist()))


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
        return float(mean_and_error(self.errors)[1]) if self.errors.size > 1 else float("nan")

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
    n_jobs: int | None = None,
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
    n_jobs : int or None
        As for `replicate`.

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
    function(analyst, "analyst")
    function(mechanism, "mechanism")
    n, k = whole_number(n, "n"), whole_number(k, "k")

    def error(child: np.random.Generator) -> float:
        return _one_error(analyst, mechanism, n, k, child)

    return ErrorSample(np.array(replicate(error, repetitions=repetitions, rng=rng, n_jobs=n_jobs)))


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
