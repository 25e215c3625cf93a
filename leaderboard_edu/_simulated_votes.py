"""The bulk engine: attacks on boards of zeros and ones, simulated fast in packed words or event by event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._bits import ALL, Counters, Walks, Words, add_short_rows, count_ones
from leaderboard_edu._draws import draw_submissions, draw_words, unpack
from leaderboard_edu._validation import BinaryVector, generator, one_of, rational, whole_number
from leaderboard_edu._votes import KEEP, majority, vote

__all__ = [
    "Trajectory",
    "boosting_curve",
    "simulate_boosting",
    "simulate_parameter_free",
    "simulate_swap",
]

BLOCK = 2**16  # words that are drawn at a time: 512 KB, which the caches hold
CURVE_BLOCK = 2**21  # the same for all curves that run side by side
SIDE_BY_SIDE = 6400  # words of one operation on several curves; for fewer, NumPy's calls outweigh their work


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
        tally += vote(accepted, True, "half")
        final = majority(tally, coins)
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
