"""Experiments: the bulk engine that simulates attacks fast, and repeated runs that measure the leaderboard error."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._bits import ALL, Counters, Walks, Words, add_short_rows, count_ones
from leaderboard_edu._draws import draw_submissions, draw_words, unpack
from leaderboard_edu._repetition import mean_and_error
from leaderboard_edu._validation import (
    BinaryVector,
    function,
    generator,
    nonnegative_real,
    one_of,
    probability,
    rational,
    real_matrix,
    real_vector,
    significance_level,
    whole_number,
)
from leaderboard_edu.attacks import KEEP, AttackResult, _majority, _vote, freedman_attack, last_jump
from leaderboard_edu.datasets import REDUNDANT, ChallengeData, checked_data, checked_selection, prefix_predictions
from leaderboard_edu.leaderboard import leaderboard_error
from leaderboard_edu.mechanisms import ROUNDING, BayesBootLadder, Mechanism, beats, critical_value, resamples
from leaderboard_edu.metrics import Metric, known_metric

__all__ = [
    "ErrorSample",
    "FreedmanRun",
    "StepForwardRun",
    "SubmissionBudget",
    "Trajectory",
    "boosting_curve",
    "mean_and_error",
    "replicate",
    "simulate_bayes_boot",
    "simulate_boosting",
    "simulate_freedman",
    "simulate_leaderboard_error",
    "simulate_parameter_free",
    "simulate_step_forward",
    "simulate_swap",
    "submission_budget",
]

BLOCK = 2**16  # words that are drawn at a time: 512 KB, which the caches hold
CURVE_BLOCK = 2**21  # the same for all curves that run side by side
SUBMISSIONS = 64  # scored at a time
FEW = 16  # candidates that are compared with the best at a time
SIDE_BY_SIDE = 6400  # words of one operation on several curves; for fewer, NumPy's calls outweigh their work

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


def simulate_boosting(*, n: int, k: int, rng: np.random.Generator, keep: str = "aligned") -> float:
    """Simulate the boosting attack on exact full disclosure: the accuracy of its final vector.

    Parameters
    ----------
    n : int
        The number of holdout labels.
    k : int
        The number of submissions.
    rng : numpy.random.Generator
        Used as by `boosting_attack`.
    keep : {"aligned", "half"}
        As for `boosting_attack`.

    Returns
    -------
    float
        The share of right labels in the majority vote.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The holdout labels are all zero, which loses nothing: flipping a label, and every submission
    there, changes no loss, and uniform submissions and fair coins stay so. With the same seed the
    value is exactly the accuracy of `boosting_attack` on zero labels.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 5 ("half"); W. Zheng, Toward a Better
    Understanding of Leaderboard, 2015, section 2.1 ("aligned").

    Examples
    --------
    >>> 0.65 < simulate_boosting(n=1000, k=500, rng=np.random.default_rng(1)) < 0.75
    True
    """
    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(keep, "keep", KEEP)
    coins = draw_words(generator(rng), 1, n)[0]
    wrong = Counters(coins.size)
    for block in _blocks(rng, n, k):
        above = 2 * count_ones(block) > n
        if keep == "aligned":
            block ^= _mask(above)
            wrong.add(list(block))
        else:
            wrong.add([row for row, dropped in zip(block, above, strict=True) if not dropped])
    final = wrong.majority(coins)
    final[-1] <<= np.uint64(-n % 64)  # the spare bits leave the word
    return 1 - int(count_ones(final)) / n


def _blocks(rng: np.random.Generator, n: int, k: int) -> Iterator[Words]:
    """Draw `k` submissions as words, some at a time; no fewer than 16, so that carries are worth while."""
    rows = max(16, BLOCK // -(-n // 64))
    for start in range(0, k, rows):
        yield draw_words(rng, min(rows, k - start), n)


def _mask(flags: NDArray[np.bool_]) -> Words:
    """Return a word of ones for each true flag and a word of zeros for each false one, on a new last axis."""
    return np.where(flags[..., np.newaxis], ALL, np.uint64(0))


def boosting_curve(
    *, n: int, k: int, rng: np.random.Generator, keep: str = "aligned", repetitions: int | None = None
) -> NDArray[np.float64]:
    """Simulate the boosting attack on exact full disclosure: its accuracy after each of `k` submissions.

    Parameters
    ----------
    n : int
        The number of holdout labels.
    k : int
        The number of submissions.
    rng : numpy.random.Generator
        Used as by `boosting_attack`.
    keep : {"aligned", "half"}
        As for `boosting_attack`.
    repetitions : int or None
        How often to simulate; repetition r uses child r of ``rng.spawn(repetitions)``. None, the
        default, simulates once, with `rng` itself.

    Returns
    -------
    ndarray of float, shape (k,) or (repetitions, k)
        Entry t-1 is the share of right labels in the final vector of an attack of t submissions.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The holdout labels are all zero, as in `simulate_boosting`. With the same seed, entry t-1 is
    exactly the accuracy of ``boosting_attack(..., k=t)`` on zero labels.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Figure 1 of the ICML version; W. Zheng, 2015, Figure 1.

    Examples
    --------
    >>> curve = boosting_curve(n=1000, k=500, rng=np.random.default_rng(1))
    >>> bool(0.65 < curve[-1] < 0.75)
    True
    """
    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(keep, "keep", KEEP)
    generators = [generator(rng)]
    if repetitions is not None:
        generators = rng.spawn(whole_number(repetitions, "repetitions"))
    together = max(1, SIDE_BY_SIDE // -(-n // 64))
    groups = (generators[start : start + together] for start in range(0, len(generators), together))
    curves = np.concatenate([_curves(n, k, group, keep) for group in groups])
    return curves.reshape(k) if repetitions is None else curves


def _curves(n: int, k: int, generators: list[np.random.Generator], keep: str) -> NDArray[np.float64]:
    """Return the boosting curve of each generator, shape (generators, k).

    For each label a walk starts at -1. The first, third, ... vote moves it up if it is against the coin, the second,
    fourth, ... down if it is not. After N votes, v of them against, it is at v - floor(N/2) - 1, so not below 0 just if
    more than half are against; ties fall as the coin.
    """
    coins = np.concatenate([draw_words(rng, 1, n) for rng in generators])
    opposite = ~coins
    walks = Walks(coins.shape, furthest=k // 2 + 1)
    spare = ~(ALL >> np.uint64(-n % 64))
    cast = np.zeros(len(generators), dtype=np.int64)
    accuracy = np.empty((len(generators), k))
    together = Walks.BLOCK * max(1, CURVE_BLOCK // (Walks.BLOCK * coins.size))
    drawn = np.empty((len(generators), min(k, together), coins.shape[1]), dtype=np.uint64)
    for start in range(0, k, together):
        votes = drawn[:, : k - start]
        for i, rng in enumerate(generators):
            votes[i] = draw_words(rng, votes.shape[1], n)
        above = 2 * count_ones(votes) > n
        turned = _mask(above)
        if keep == "aligned":
            votes[..., -1] |= turned[..., 0] & spare  # so that no spare bit is a vote once rows are turned
        for first in range(0, votes.shape[1], Walks.BLOCK):
            block = slice(first, first + Walks.BLOCK)
            vote, turn = votes[:, block].swapaxes(0, 1), turned[:, block].swapaxes(0, 1)
            down: Iterable[Words | bool]
            if keep == "aligned":
                move = np.bitwise_xor(vote, turn, order="C")
                move[::2] ^= coins
                move[1::2] ^= opposite
                down = [step % 2 == 1 for step in range(len(move))]
            else:
                kept = ~above[:, block].T
                earlier = cast + np.cumsum(kept, axis=0) - kept
                down = _mask(earlier % 2 == 1)
                move = (vote ^ coins ^ down) & ~turn
                cast += kept.sum(axis=0)
            below = walks.take(down, move, opposite)
            end = start + first + len(below)
            accuracy[:, start + first : end] = 1 - add_short_rows(below).T / n
    return accuracy


@dataclass(frozen=True, eq=False)
class Trajectory:
    """How far an attack has come after each submission that the parameter-free Ladder accepted.

    Attributes
    ----------
    n : int
        The holdout size.
    k : int
        The number of submissions.
    submissions : ndarray of int64, shape (a,)
        The number of each accepted submission, counted from 1. The first is always accepted.
    released : ndarray of int64, shape (a,)
        The wrong labels of each accepted submission.
    final : ndarray of int64, shape (a,)
        The wrong labels of the vector that the attack ends with if it stops before the next
        acceptance: the current vector of the swap attack, the majority vote of the boosting attack.
    shown : ndarray of int64, shape (a,)
        The wrong labels of what the board shows after that vector has been submitted, too.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 2 and section 5.1.

    Examples
    --------
    >>> run = Trajectory(10, 100, np.array([1, 7]), np.array([5, 2]), np.array([5, 4]), np.array([5, 2]))
    >>> run.accuracy([1, 6, 7, 100]).tolist(), run.shown_loss(100).item()
    ([0.5, 0.5, 0.6, 0.6], 0.2)
    """

    n: int
    k: int
    submissions: NDArray[np.int64]
    released: NDArray[np.int64]
    final: NDArray[np.int64]
    shown: NDArray[np.int64]

    def accuracy(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return the share of right labels of the final vector of an attack of `t` submissions, for each `t`."""
        return 1 - self.final[self._last(t)] / self.n

    def shown_loss(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return the loss on the board after `t` submissions and the final vector, for each `t`."""
        return self.shown[self._last(t)] / self.n

    def _last(self, t: ArrayLike) -> NDArray[np.intp]:
        """Return the index of the last acceptance among the first `t` submissions, for each `t`."""
        times = np.asarray(t)
        if times.dtype.kind not in "iu" or np.any((times < 1) | (times > self.k)):
            raise ValueError(f"t must hold whole numbers from 1 to {self.k}, got {t!r}")
        last: NDArray[np.intp] = np.searchsorted(self.submissions, times, side="right") - 1
        return last


def simulate_parameter_free(
    *,
    n: int,
    k: int,
    rng: np.random.Generator,
    threshold: int | str | Fraction | float = 1,
    method: str = "events",
) -> Trajectory:
    """Simulate the boosting attack, with ``keep="improved"``, on the parameter-free Ladder.

    Parameters
    ----------
    n : int
        The number of holdout labels.
    k : int
        The number of submissions, less than 2**53.
    rng : numpy.random.Generator
        With "words" used as by `boosting_attack`.
    threshold : int, str, Fraction or float
        As for `ParameterFreeLadder`.
    method : {"events", "words"}
        "words" draws every submission and decides as `boosting_attack` on `ParameterFreeLadder` with
        the same seed. "events" draws accepted submissions only, and how long each takes to come.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The holdout labels are all zero, as in `simulate_boosting`.

    The method "events" draws from the same law. Say the last accepted vector has c wrong labels.
    A uniform vector is the last accepted one with a uniform set of labels flipped: it fixes g ~
    Bin(c, 1/2) wrong labels and breaks b ~ Bin(n - c, 1/2) right ones, independently, and given g
    and b the two sets are uniform of these sizes. Whether it is accepted depends on g and b only. So
    while c stays, submissions are accepted independently with one probability p; the
    number of the next accepted one is geometric, independent of that vector itself, whose g and b
    have their law given acceptance and whose sets are still uniform. A refused submission changes
    neither board nor vote. For a given g, breaking fewer labels never hurts, so the accepted b
    are those up to a largest one, and p = Σ_g P(g) P(b <= largest(g)), summed in logarithms. Next,
    ceil(E / -log(1 - p)) is geometric if E is standard exponential: it exceeds j when E exceeds
    -j log(1 - p), with probability (1 - p)^j.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Algorithm 2 and section 5.1.

    Examples
    --------
    >>> run = simulate_parameter_free(n=4000, k=10**12, rng=np.random.default_rng(1))
    >>> run.submissions.size < 20, bool(run.accuracy(run.k) < 0.6)
    (True, True)
    """
    n, k = whole_number(n, "n"), _run_length(k)
    largest = _largest_broken(n, rational(threshold, "threshold"))
    climb = {"events": _accepted_events, "words": _accepted_words}[one_of(method, "method", ("events", "words"))]
    coins = draw_submissions(generator(rng), 1, n)[0]
    tally = np.zeros(n, dtype=np.int64)
    rows = []
    for t, accepted in climb(n, k, rng, largest):
        tally += _vote(accepted, True, "half")
        final = _majority(tally, coins)
        fixed, broken = np.count_nonzero(final < accepted), np.count_nonzero(final > accepted)
        released, wrong = np.count_nonzero(accepted), np.count_nonzero(final)
        rows.append((t, released, wrong, wrong if broken <= largest[fixed] else released))
    return Trajectory(n, k, *np.array(rows, dtype=np.int64).T)


def _run_length(k: int) -> int:
    """Return `k` if it is a whole number that every float up to it can count."""
    if whole_number(k, "k") >= 2**53:
        raise ValueError(f"k must be less than 2**53, got {k!r}")
    return int(k)


def _largest_broken(n: int, threshold: Fraction) -> NDArray[np.int64]:
    """Return for each number g of fixed labels the largest number b of broken ones that is accepted, -1 if none.

    The rule d² (n - 1 + c²) > c² n (g + b), with d = g - b > 0, is d > √bound for a whole bound that
    depends on g + b only: d² is whole, so what it exceeds may be rounded down. The root of a number
    below 2**52 is rounded to the right side of each whole number. Fewer broken labels raise d and
    lower g + b, so for each g a bisection finds the last that is accepted.
    """
    p, q = threshold.numerator, threshold.denominator
    factor, against = q**2 * (n - 1) + p**2, p**2 * n
    total = np.arange(n + 1, dtype=np.int64 if max(factor, n * against) < 2**63 else object)
    bound = (total * against // factor if factor else total).astype(np.int64)
    needed = 1 + np.sqrt(bound).astype(np.int64)
    fixed, largest = np.arange(n + 1), np.full(n + 1, -1)
    for power in reversed(range(n.bit_length())):
        broken = largest + 2**power
        flipped = np.minimum(fixed + broken, n)
        largest[(fixed + broken <= n) & (fixed - broken >= needed[flipped])] += 2**power
    return largest


def _accepted_words(
    n: int, k: int, rng: np.random.Generator, largest: NDArray[np.int64]
) -> Iterator[tuple[int, BinaryVector]]:
    """Draw every submission, and yield the number and the vector of each accepted one."""
    best = draw_words(rng, 1, n)[0]
    yield 1, unpack(best, n)
    t = 1
    for block in _blocks(rng, n, k - 1):
        wrong = count_ones(block)
        start = 0
        while start < len(block):
            lower = start + np.flatnonzero(wrong[start:] < count_ones(best))
            common = count_ones(block[lower] & best)
            accepted = lower[wrong[lower] - common <= largest[count_ones(best) - common]]
            if not accepted.size:
                break
            start = int(accepted[0]) + 1
            best = block[accepted[0]].copy()
            yield t + start, unpack(best, n)
        t += len(block)


def _accepted_events(
    n: int, k: int, rng: np.random.Generator, largest: NDArray[np.int64]
) -> Iterator[tuple[int, BinaryVector]]:
    """Draw the accepted submissions only, and yield the number and the vector of each."""
    best = unpack(draw_words(rng, 1, n)[0], n)
    t = 1.0
    while t <= k:
        yield int(t), best
        wrong, right = np.flatnonzero(best), np.flatnonzero(best == 0)
        accepted = _log_accepted(wrong.size, right.size, largest)
        t += float(_waiting(rng, np.exp(accepted).sum()))
        if t <= k:
            g = _draw_index(rng, accepted)
            b = _draw_index(rng, _log_binomial(right.size)[: largest[g] + 1])
            best = best.copy()
            best[rng.choice(wrong, g, replace=False)] = 0
            best[rng.choice(right, b, replace=False)] = 1


def _log_accepted(wrong: int, right: int, largest: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for g = 0, ..., wrong the log of P(a uniform submission fixes g labels and is accepted)."""
    upto = np.logaddexp.accumulate(_log_binomial(right))
    last = np.minimum(largest[: wrong + 1], right)
    return np.where(last < 0, -np.inf, _log_binomial(wrong) + upto[last])


def _log_binomial(n: int) -> NDArray[np.float64]:
    """Return log P(Bin(n, 1/2) = j) for j = 0, ..., n, by the ratios from the middle outwards."""
    j = np.arange(n // 2, n)
    upper = np.concatenate([[0.0], np.cumsum(np.log((n - j) / (j + 1)))])
    log = np.concatenate([upper[::-1][: n // 2], upper])
    normalised: NDArray[np.float64] = log - np.log(np.exp(log).sum())
    return normalised


def _waiting(rng: np.random.Generator, p: ArrayLike) -> NDArray[np.float64]:
    """Draw how many trials each first success takes, whole floats; infinity for a probability of zero."""
    p = np.asarray(p)
    with np.errstate(divide="ignore"):
        waiting: NDArray[np.float64] = np.ceil(rng.standard_exponential(p.shape) / -np.log1p(-p))
    return np.maximum(waiting, 1)


def _draw_index(rng: np.random.Generator, log_weights: NDArray[np.float64]) -> int:
    """Draw an index with probabilities in proportion to the weights."""
    upto = np.cumsum(np.exp(log_weights - log_weights.max()))
    return int(np.searchsorted(upto, upto[-1] * rng.random(), side="right"))


def simulate_swap(*, n: int, k: int, rng: np.random.Generator, ones: int | None = None) -> Trajectory:
    """Simulate the swap attack on the parameter-free Ladder of threshold 1.

    Parameters
    ----------
    n : int
        The number of holdout labels, at least 2.
    k : int
        The number of submissions, less than 2**53; the first is the start, as for `swap_attack`.
    rng : numpy.random.Generator
        Draws the start, then how many swaps each success takes.
    ones : int or None
        How many of the labels are ones; None, the default, stands for n // 2.

    Returns
    -------
    Trajectory
        With the current vector as final vector.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    A swap exchanges a one with a zero. If both are wrong, it fixes two labels and breaks none, and
    4 > 2; any other swap breaks as many labels as it fixes or more. So with w1 wrong ones and w0
    wrong zeros a swap succeeds with probability w1 w0 / (n // 2 * (n - n // 2)), independently of
    the past, and each success lowers both by one. All waiting times are drawn at once. The start
    has n // 2 ones at uniform places: w1 of them on labels 0, which is hypergeometric, and w1 - w0
    stays n // 2 - ones. The attack ends at an error of at least abs(n // 2 - ones) / n.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 3 and Figure 1.

    Examples
    --------
    >>> run = simulate_swap(n=1000, k=10**6, rng=np.random.default_rng(1))
    >>> bool(run.accuracy(10**6) > 0.99)
    True
    """
    n, k = whole_number(n, "n", least=2), _run_length(k)
    ones = n // 2 if ones is None else whole_number(ones, "ones", least=0)
    if ones > n:
        raise ValueError(f"ones must be at most n = {n}, got {ones}")
    half = n // 2
    wrong_ones = int(generator(rng).hypergeometric(n - ones, ones, half))
    wrong_zeros = wrong_ones + ones - half
    done = np.arange(min(wrong_ones, wrong_zeros))
    p = (wrong_ones - done) * (wrong_zeros - done) / (half * (n - half))
    # Floats count exactly as far as k; sums beyond are rounded, but stay beyond.
    times = np.cumsum(np.concatenate([[1.0], _waiting(rng, p)]))
    submissions = times[times <= k].astype(np.int64)
    wrong = wrong_ones + wrong_zeros - 2 * np.arange(submissions.size)
    return Trajectory(n, k, submissions, wrong, wrong, wrong)


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

    References
    ----------
    The NumPy documentation, Parallel random number generation; the joblib documentation, Parallel.

    Examples
    --------
    >>> replicate(lambda rng: rng.integers(10), repetitions=4, rng=np.random.default_rng(0))
    [8, 6, 6, 8]
    """
    from joblib import Parallel, delayed

    function(experiment, "experiment")
    sequence: Any = generator(rng).bit_generator.seed_seq
    seed = f"{type(rng.bit_generator).__name__} {sequence.state}"
    repetitions = whole_number(repetitions, "repetitions")
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise ValueError(f"n_jobs must be None or a whole number other than 0, got {n_jobs!r}")
    journal = _Journal(record, {"repetitions": repetitions, "seed": seed})
    children = rng.spawn(repetitions)
    left = [i for i in range(repetitions) if i not in journal.results]
    calls = (delayed(_numbered)(experiment, i, children[i]) for i in left)
    done = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(calls)
    if progress:
        from tqdm import tqdm

        done = tqdm(done, initial=repetitions - len(left), total=repetitions)
    for i, result in done:
        journal.add(i, result)
    return [journal.results[i] for i in range(repetitions)]


def _numbered(experiment: Callable[[np.random.Generator], Any], i: int, rng: np.random.Generator) -> tuple[int, Any]:
    """Return the number of a repetition and its result, as it is when written and read again."""
    return i, json.loads(json.dumps(experiment(rng), default=lambda value: value.tolist()))


class _Journal:
    """Results by number; with a path in a file, a JSON value on each line, of which the first describes the run."""

    def __init__(self, path: str | Path | None, run: dict[str, Any]) -> None:
        self.results: dict[int, Any] = {}
        self._path = None if path is None else Path(path)
        if self._path is None:
            return
        header = json.dumps(run)
        text = self._path.read_text() if self._path.exists() else ""
        if header.startswith(text):  # new, or cut off in its first line
            self._path.write_text(header + "\n")
            return
        first, *lines = text.splitlines(keepends=True)
        if first != header + "\n":
            raise ValueError(f"record must hold results of this run, {header}, got {first[:200]!r} in {self._path}")
        if lines and not lines[-1].endswith("\n"):
            lines.pop()  # it was cut off, and is computed again
            os.truncate(self._path, len("".join([first, *lines]).encode()))
        try:
            self.results = dict(map(json.loads, lines))
        except (TypeError, ValueError) as error:
            raise ValueError(f"record must hold a result in each line, got another in {self._path}: {error}") from None

    def add(self, i: int, result: Any) -> None:
        """Keep a result."""
        self.results[i] = result
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps([i, result]) + "\n")


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
    candidates = _Candidates(data)
    best: NDArray[np.float64] | None = None
    released: list[NDArray[np.float64]] = []
    jumps: list[int] = []
    for _ in range(iterations):
        losses = candidates.losses()
        plateaus, accepted = _scan(losses, best, c)
        best = plateaus[-1]
        lengths = np.diff([0, *accepted, len(losses)])[-len(plateaus) :]
        shown = released[-1][-1] if released else np.inf
        if b is None or noise is None:
            sums = [np.floor(plateau.sum() + 0.5) / n for plateau in plateaus]
            released.append(np.repeat(sums, lengths))
            jump = last_jump(released[-1], shown=shown)
        else:
            draws = noise.multinomial(b * n, np.full(n, 1 / n), size=len(losses))
            released.append((draws * np.repeat(plateaus, lengths, axis=0)).sum(axis=1) / (b * n))
            jump = last_jump(released[-1], jumps=len(accepted), shown=shown)
        if jump is None:
            break
        candidates.select(jump)
        jumps.append(jump)
    public = np.array(candidates.errors)
    predictions = prefix_predictions(data.training, data.final.features, candidates.selected)
    final = np.mean((predictions - data.final.response) ** 2, axis=1)
    return StepForwardRun(tuple(candidates.selected), tuple(released), tuple(jumps), public, final)


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
            run = simulate_step_forward(part, iterations=iterations, alpha=alpha, n_bootstrap=n_bootstrap, rng=child)
            found.append((p, columns.size, iterations, run.overfitting(iterations)))
        return found

    found = replicate(attacks, repetitions=repetitions, rng=rng, n_jobs=n_jobs)
    sizes = {attack[0][0] for attack in found}
    if len(sizes) > 1:
        raise ValueError(f"draw must return the same number of features each time, got {min(sizes)} and {max(sizes)}")
    table = np.array(found)
    features, iterations = table[0, :, 1:3].T.astype(np.int64)
    return SubmissionBudget(features, iterations, table[:, :, 3])


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
    board = BayesBootLadder(labels, rng=rng, metric=metric, odds=odds, n_posterior=n_posterior, weights=weights)
    if weights == "fresh":
        accepted = []
        for row in rows:
            board.submit(row)
            accepted.append(board.accepted)
        return np.flatnonzero(np.diff(accepted, prepend=0))
    (shared,) = board._weightings()
    score, y = known_metric(metric), real_vector(labels, "labels")
    accepted, best = [], None
    for start in range(0, len(rows), SUBMISSIONS):
        block = np.array([score.checked(row, "predictions") for row in rows[start : start + SUBMISSIONS]])
        with np.errstate(over="ignore", invalid="ignore"):
            plain = score.law(block, y)(np.ones((1, y.size)))
        if not np.isfinite(plain).all():
            raise ValueError(f"predictions must have a finite score, got {plain[~np.isfinite(plain)][0]}")
        for t, scores in enumerate(score.law(block, y)(shared), start):
            if best is None or np.count_nonzero(beats(scores, best, score.larger_is_better)) >= board._needed:
                best = scores
                accepted.append(t)
    return np.array(accepted)
