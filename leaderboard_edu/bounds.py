"""Bounds and exact values that the chapters derive. Probabilities are at most 1; logarithms are natural."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from leaderboard_edu._validation import (
    TREE_MECHANISMS,
    grid_denominator,
    nonnegative_real,
    one_of,
    probability,
    whole_number,
)
from leaderboard_edu._votes import KEEP

__all__ = [
    "best_eta",
    "boosting_accuracy",
    "decoder_error",
    "fano_bound",
    "hoeffding",
    "kl_bernoulli",
    "ladder_bound",
    "multi_account_bound",
    "samples_needed",
    "tree_deviation",
    "union_bound",
]

COUNTS = ("exact", "published")
DIGITS = 40  # of logarithms of tree sizes and what follows from them, after the cancellation of large terms


def hoeffding(epsilon: float, *, n: int) -> float:
    """Bound the probability that an average of `n` losses in [0, 1] misses its mean by `epsilon` or more.

    Parameters
    ----------
    epsilon : float
        The deviation, at least 0.
    n : int
        The number of independent losses.

    Returns
    -------
    float
        min(1, 2 exp(-2 epsilon**2 n)).

    Raises
    ------
    ValueError
        If `epsilon` is negative or not finite, or `n` is not a whole number of at least 1.

    References
    ----------
    W. Hoeffding, Probability inequalities for sums of bounded random variables, 1963, Theorem 2.

    Examples
    --------
    >>> round(hoeffding(0.1, n=200), 4)
    0.0366
    """
    return union_bound(epsilon, n=n, k=1)


def union_bound(epsilon: float, *, n: int, k: int) -> float:
    """Bound the probability that any of `k` fixed classifiers deviates by `epsilon` or more on the holdout.

    Parameters
    ----------
    epsilon : float
        The deviation of empirical from true risk, at least 0.
    n : int
        The holdout size.
    k : int
        The number of classifiers, all fixed before the holdout was drawn.

    Returns
    -------
    float
        min(1, 2 k exp(-2 epsilon**2 n)).

    Raises
    ------
    ValueError
        If `epsilon` is negative or not finite, or `n` or `k` is not a whole number of at least 1.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, inequality (2).

    Examples
    --------
    >>> union_bound(0.1, n=200, k=10) == 10 * hoeffding(0.1, n=200)
    True
    """
    epsilon = nonnegative_real(epsilon, "epsilon")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    if max(n, k) < 2**53:
        return min(1.0, 2 * k * math.exp(-2 * epsilon * epsilon * n))
    exponent = min(2 * Fraction(epsilon) ** 2 * n, Fraction(10**300))  # a float holds it
    return math.exp(min(0.0, math.log(2 * k) - float(exponent)))


def _majority_accuracy(votes: np.ndarray, right: float) -> np.ndarray:
    """Return the chance that the majority of independent votes, each right with chance `right`, is right.

    A tie is a fair coin. An even number of votes is worth the odd number below it, so only the
    half, rounded up, matters: the answer is the regularised incomplete beta function I_right(h, h).
    """
    from scipy.special import betainc

    half = (np.asarray(votes) + 1) // 2
    return np.where(half == 0, 0.5, betainc(np.maximum(half, 1), np.maximum(half, 1), right))


def boosting_accuracy(
    *, n: int, k: int, keep: str = "aligned", precision: str | Fraction | float | None = None
) -> float:
    """Return the exact expected accuracy of the boosting attack's final vector on the holdout.

    Parameters
    ----------
    n : int
        The number of holdout labels, at most 10**15.
    k : int
        The number of submissions, at most 10**15, with "half" 10**12.
    keep : {"aligned", "half"}
        As for `boosting_attack`.
    precision : str, Fraction, float or None
        The grid 1/m to which losses are rounded; None for exact losses.

    Returns
    -------
    float
        The expected share of right labels, for every label vector, between 1/2 and 1.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    A submission is kept when at most `cut` labels are wrong. Its vote on one label leans to the
    right side only when that label is pivotal, that is, when exactly `cut` of the other n-1 labels
    are wrong; with aligned votes, each is right with probability 1/2 + P(pivotal)/2. With "half" the
    number of votes is random; numbers that are 6 sqrt(k) from their mean are left out, which have
    together a probability below 2 exp(-72) by Hoeffding's inequality.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Theorem 5.1; W. Zheng, 2015, section 2.1.

    Examples
    --------
    >>> boosting_accuracy(n=2, k=1)
    0.75
    >>> round(boosting_accuracy(n=1000, k=1000), 3)
    0.787
    """
    from scipy.stats import binom

    one_of(keep, "keep", KEEP)
    n = whole_number(n, "n", most=10**15)
    k = whole_number(k, "k", most=10**12 if keep == "half" else 10**15)
    m = None if precision is None else grid_denominator(precision, "precision")
    cut = n // 2 if m is None else (n * (2 * (m // 2) + 1) - 1) // (2 * m)
    pivotal = binom.pmf(cut, n - 1, 0.5)
    if keep == "aligned":
        return float(_majority_accuracy(np.array(k), 0.5 + pivotal / 2))
    kept = binom.cdf(cut, n, 0.5)
    mean, spread = round(k * kept), 6 * (math.isqrt(k) + 1)
    votes = np.arange(max(0, mean - spread), min(k, mean + spread) + 1)
    accuracy = _majority_accuracy(votes, 0.5 + pivotal / (4 * kept))
    return min(1.0, float(np.sum(binom.pmf(votes, k, kept) * accuracy)))


def _digits(m: int, k: int, accounts: int) -> int:
    """Return the working precision: terms of the size of k + M m cancel, and a sample size is 2 m**2 times the rest."""
    return DIGITS + len(str((k + accounts * m) * m * m))


def _log_tree_size(mechanism: str, m: int, k: int, accounts: int, count: str) -> Any:
    """Return ln of `tree_size`, or of the published 2**B, as an mpmath number of the current precision."""
    from mpmath import exp, log, loggamma

    if count == "published":
        single = mechanism == "ladder" and accounts == 1
        return (m + 2) * log(4 * k * m) if single else (accounts * m + 1) * log(2 * k)

    def log_binomial(top: int, bottom: int) -> Any:
        return loggamma(top + 1) - loggamma(bottom + 1) - loggamma(top - bottom + 1)

    if accounts > 1:
        drops, children = min(accounts, k) * m, log(m + 1)
        return min(log_binomial(k + drops, drops + 1), k * children + log(1 - exp(-k * children)) - log(m))
    if mechanism == "simplified":
        return log_binomial(k + m, m + 1)
    return log_binomial(k + m - 1, m) + log(2 * k + m - 2) - log(k + m - 1)  # C(k+m-2, m-1) = m C(k+m-1, m) / (k+m-1)


def _bound_over_tree(epsilon: Any, *, n: int, mechanism: str, m: int, k: int, accounts: int, count: str) -> float:
    """Bound the probability that any node deviates by `epsilon` or more: min(1, 2 #T exp(-2 epsilon**2 n))."""
    from mpmath import exp, log, mpf, workdps

    with workdps(_digits(m, k, accounts)):
        log_nodes = _log_tree_size(mechanism, m, k, accounts, count)
        return float(min(mpf(1), exp(log(2) + log_nodes - 2 * mpf(epsilon) ** 2 * n)))


def ladder_bound(epsilon: float, *, eta: str | Fraction | float, n: int, k: int, count: str = "exact") -> float:
    """Bound the probability that the leaderboard error of the Ladder exceeds ``epsilon + eta``.

    Parameters
    ----------
    epsilon : float
        The deviation of empirical from true risk, at least 0.
    eta : str, Fraction or float
        The step of the Ladder, 1/m.
    n : int
        The holdout size.
    k : int
        The number of submissions of one account, by any rule that is fixed before the holdout is drawn.
    count : {"exact", "published"}
        How the nodes of the tree are counted: `tree_size`, or the paper's (4 k m)**(m + 2).

    Returns
    -------
    float
        min(1, 2 #T exp(-2 epsilon**2 n)).

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Theorem 3.1, with the exact count.

    Examples
    --------
    >>> round(ladder_bound(0.05, eta="1/10", n=12_000, k=1000), 4)
    0.01
    >>> ladder_bound(0.05, eta="1/10", n=12_000, k=1000, count="published")
    1.0
    """
    epsilon, m = nonnegative_real(epsilon, "epsilon"), grid_denominator(eta, "eta")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(count, "count", COUNTS)
    return _bound_over_tree(epsilon, n=n, mechanism="ladder", m=m, k=k, accounts=1, count=count)


def multi_account_bound(
    eta: str | Fraction | float, *, n: int, k: int, accounts: int = 1, count: str = "exact"
) -> float:
    """Bound the probability that some account of one analyst has a leaderboard error above ``eta``.

    Parameters
    ----------
    eta : str, Fraction or float
        The step of the simplified Ladder, 1/m. Half of it pays for rounding, half for deviations.
    n : int
        The holdout size.
    k : int
        The number of submissions of all accounts together, by any rule that is fixed before the holdout is drawn.
    accounts : int
        The number of accounts, M.
    count : {"exact", "published"}
        How the nodes of the tree are counted: `tree_size`, or the paper's (2 k)**(M m + 1).

    Returns
    -------
    float
        min(1, 2 #T exp(-eta**2 n / 2)).

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 4, corrected.

    Examples
    --------
    >>> round(multi_account_bound("1/10", n=12_446, k=1000), 4)
    0.0498
    >>> multi_account_bound("1/10", n=12_446, k=1000, accounts=2)
    1.0
    """
    m, n, k = grid_denominator(eta, "eta"), whole_number(n, "n"), whole_number(k, "k")
    accounts = whole_number(accounts, "accounts")
    one_of(count, "count", COUNTS)
    half = Fraction(1, 2 * m)
    return _bound_over_tree(half, n=n, mechanism="simplified", m=m, k=k, accounts=accounts, count=count)


def tree_deviation(
    mechanism: str,
    *,
    eta: str | Fraction | float,
    n: int,
    k: int,
    accounts: int = 1,
    delta: float = 0.05,
    count: str = "exact",
) -> float:
    """Return the deviation that no submission reaches, with probability 1 - `delta`, whatever the analyst's rule is.

    The rule is fixed before the holdout is drawn, and may use coins of its own.

    Parameters
    ----------
    mechanism : {"ladder", "simplified"}
        `Ladder` or `SimplifiedLadder`.
    eta : str, Fraction or float
        Its step, 1/m.
    n : int
        The holdout size.
    k : int
        The number of submissions of all accounts together.
    accounts : int
        The number of accounts of the analyst.
    delta : float
        The probability of failure, strictly between 0 and 1.
    count : {"exact", "published"}
        As for `ladder_bound` and `multi_account_bound`.

    Returns
    -------
    float
        sqrt(ln(2 #T / delta) / (2 n)). The leaderboard error is then below this plus `eta` for the
        Ladder, and below this plus ``eta / 2`` for the simplified Ladder.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    The inversion of A. Blum and M. Hardt, The Ladder, 2015, Theorem 3.1.

    Examples
    --------
    >>> round(tree_deviation("simplified", eta="1/10", n=20_000, k=1000), 4)
    0.0394
    """
    from mpmath import log, mpf, sqrt, workdps

    one_of(mechanism, "mechanism", TREE_MECHANISMS)
    m, n, k = grid_denominator(eta, "eta"), whole_number(n, "n"), whole_number(k, "k")
    accounts, delta = whole_number(accounts, "accounts"), probability(delta, "delta")
    one_of(count, "count", COUNTS)
    with workdps(_digits(m, k, accounts)):
        return float(sqrt((_log_tree_size(mechanism, m, k, accounts, count) + log(2 / mpf(delta))) / (2 * n)))


def samples_needed(
    eta: str | Fraction | float, *, k: int, accounts: int = 1, delta: float = 0.05, count: str = "exact"
) -> int:
    """Return the smallest holdout size for which `multi_account_bound` is at most `delta`, to the unit.

    Parameters
    ----------
    eta : str, Fraction or float
        The step of the simplified Ladder, 1/m, and the leaderboard error that is guaranteed.
    k : int
        The number of submissions of all accounts together.
    accounts : int
        The number of accounts of the analyst.
    delta : float
        The probability of failure, strictly between 0 and 1.
    count : {"exact", "published"}
        As for `multi_account_bound`.

    Returns
    -------
    int
        The least n of at least 2 m**2 ln(2 #T / delta), computed with some forty digits more than it has.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 4, with its constants.

    Examples
    --------
    >>> samples_needed("1/10", k=1000)
    12446
    >>> samples_needed("1/1000", k=10**9, accounts=1000)
    15816515765677
    """
    from mpmath import ceil, log, mpf, workdps

    m, k, accounts = grid_denominator(eta, "eta"), whole_number(k, "k"), whole_number(accounts, "accounts")
    delta = probability(delta, "delta")
    one_of(count, "count", COUNTS)
    with workdps(_digits(m, k, accounts)):
        return int(ceil(2 * m * m * (_log_tree_size("simplified", m, k, accounts, count) + log(2 / mpf(delta)))))


def best_eta(*, n: int, k: int, accounts: int = 1, delta: float = 0.05, count: str = "exact") -> Fraction:
    """Return the finest step 1/m of the simplified Ladder that `n` labels can afford.

    Parameters
    ----------
    n : int
        The holdout size.
    k, accounts : int
        The number of submissions, and of accounts, as for `samples_needed`.
    delta : float
        The probability of failure, strictly between 0 and 1.
    count : {"exact", "published"}
        As for `samples_needed`.

    Returns
    -------
    Fraction
        1/m for the largest m with ``samples_needed(1/m) <= n``: with probability 1 - `delta` the
        leaderboard error is at most this step.

    Raises
    ------
    ValueError
        If an argument is not as described, or `n` is too small even for m = 1.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 4: the optimal precision.

    Examples
    --------
    >>> best_eta(n=12_446, k=1000)
    Fraction(1, 10)
    >>> best_eta(n=12_445, k=1000)
    Fraction(1, 9)
    """
    n = whole_number(n, "n")

    def needed(m: int) -> int:
        return samples_needed(Fraction(1, m), k=k, accounts=accounts, delta=delta, count=count)

    if needed(1) > n:
        raise ValueError(f"n must be at least {needed(1)} for any step at all, got {n}")
    affordable, too_fine = 1, math.isqrt(n) + 1  # 2 m**2 ln 2 > n for the latter
    while too_fine - affordable > 1:
        middle = (affordable + too_fine) // 2
        affordable, too_fine = (middle, too_fine) if needed(middle) <= n else (affordable, middle)
    return Fraction(1, affordable)


def kl_bernoulli(p: float, q: float) -> float:
    """Return the Kullback-Leibler divergence KL(p || q) of two Bernoulli laws, in nats.

    Parameters
    ----------
    p, q : float
        Two probabilities, from 0 to 1. The first is the law under which the expectation is taken.

    Returns
    -------
    float
        p ln(p/q) + (1-p) ln((1-p)/(1-q)), with 0 ln 0 = 0; infinite if q excludes what p allows.

    Raises
    ------
    ValueError
        If `p` or `q` is not a number from 0 to 1.

    Notes
    -----
    Close laws cancel badly in that form. It is also the sum of x ln(x/y) - x + y over the two
    outcomes, and these terms are not negative.

    References
    ----------
    S. Kullback and R. A. Leibler, On information and sufficiency, 1951.

    Examples
    --------
    >>> round(kl_bernoulli(0.25, 0.5), 6)
    0.130812
    >>> kl_bernoulli(0.5, 0.0)
    inf
    """
    p, q = probability(p, "p", closed=True), probability(q, "q", closed=True)
    if p == q:
        return 0.0
    if q in (0, 1):
        return math.inf
    return _excess(p, q, p - q) + _excess(1 - p, 1 - q, q - p)


def _excess(x: float, y: float, d: float) -> float:
    """Return x ln(x/y) - x + y for d = x - y and y > 0, by its series where it would cancel."""
    if x == 0:
        return y
    if abs(d) < 0.1 * y:
        return y * math.fsum((-d / y) ** j / (j * (j - 1)) for j in range(2, 20))
    return x * (math.log(x) - math.log(y)) - d


def fano_bound(*, n: int, k: int) -> float:
    """Bound the leaderboard error from below: what no mechanism can beat, even if submissions are fixed in advance.

    Parameters
    ----------
    n : int
        The holdout size.
    k : int
        The number of submissions.

    Returns
    -------
    float
        The maximum over 0 < eps < 1/2 of (eps/2) (1 - (n KL(1/2 - eps || 1/2) + ln 2) / ln k), a lower
        bound on the expected leaderboard error of any estimator in the worst case; 0 for k <= 2.

    Raises
    ------
    ValueError
        If `n` or `k` is not a whole number of at least 1.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Theorem 3.3, with its constants.

    Examples
    --------
    >>> round(fano_bound(n=1000, k=1000), 4)
    0.0096
    """
    from scipy.optimize import brentq

    n, k = whole_number(n, "n"), whole_number(k, "k")
    if k <= 2:
        return 0.0
    budget = (math.log(k) - math.log(2)) / n  # the bound is eps/2 times (budget - KL) n / ln k, concave in eps

    def slope(epsilon: float) -> float:
        return budget - kl_bernoulli(0.5 - epsilon, 0.5) - 2 * epsilon * math.atanh(2 * epsilon)

    largest = math.nextafter(0.5, 0)
    best = largest if slope(largest) > 0 else brentq(slope, 0, largest, xtol=1e-18)
    epsilon = 0.5 - (0.5 - float(best))  # so that it is the very bias that the divergence sees
    return max(0.0, epsilon / 2 * (budget - kl_bernoulli(0.5 - epsilon, 0.5)) * n / math.log(k))


def decoder_error(epsilon: float, *, n: int, k: int) -> float:
    """Return the error probability of the best guess at which of `k` coins has bias ``1/2 - epsilon``.

    Parameters
    ----------
    epsilon : float
        The bias of the one coin, strictly between 0 and 1/2; the other coins are fair.
    n : int
        How often all coins are thrown.
    k : int
        The number of coins.

    Returns
    -------
    float
        Exact: the best guess, when every coin is equally likely to be the biased one, is the coin
        with the fewest ones, ties at random.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    The test behind A. Blum and M. Hardt, The Ladder, 2015, Theorem 3.3.

    Examples
    --------
    >>> decoder_error(0.25, n=1, k=2)
    0.375
    """
    from scipy.stats import binom

    epsilon = probability(epsilon, "epsilon")
    if epsilon >= 0.5:
        raise ValueError(f"epsilon must be below 1/2, got {epsilon!r}")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    spread = math.isqrt(324 * n) + 1  # 36 standard deviations; beyond lies less than exp(-600)
    count = np.arange(max(0, math.floor(n * (0.5 - epsilon)) - spread), min(n, n // 2 + spread) + 1)
    no_fewer = binom.sf(count - 1, n, 0.5)
    count, no_fewer = count[no_fewer > 0], no_fewer[no_fewer > 0]  # the rest weighs less than the smallest float
    fewer = binom.cdf(count - 1, n, 0.5)
    tie = np.minimum(binom.pmf(count, n, 0.5) / no_fewer, 1 - 1e-16)
    log_no_fewer = np.where(fewer < 0.5, np.log1p(-np.minimum(fewer, 0.5)), np.log(no_fewer))
    # With G = no_fewer and g = G tie: no other coin has fewer, and the tie is won, with (G**k - (G-g)**k) / (k g).
    won = np.divide(-np.expm1(k * np.log1p(-tie)), k * tie, out=np.ones_like(tie), where=tie > 0)
    right = np.sum(binom.pmf(count, n, 0.5 - epsilon) * np.exp((k - 1) * log_no_fewer) * won)
    return max(0.0, float(1 - right))
