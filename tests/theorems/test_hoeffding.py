"""Hoeffding's lemma, its composition into the inequality, and the best constant."""

import math
from fractions import Fraction

import numpy as np
import pytest
from exact import HALF, binomial_tail
from scipy.optimize import minimize_scalar
from scipy.stats import binom

import leaderboard_edu as le

LEMMA = 8  # in λ²/8
VARIANCE = 0.25  # of a variable in [0, 1], at most
ONE_SIDED = 2  # in exp(-2ε²n)
PEAK = 8  # in 1/√(8nr(1 - r))


def log_mgf(lam, p):
    """Return ln E exp(lam (X - p)) for X ~ Bernoulli(p)."""
    return np.log1p(p * np.expm1(lam)) - lam * p


def test_lemma():
    """Hoeffding's lemma: ln E exp(λ(X - p)) <= λ²/8 for a Bernoulli(p) loss.

    Compared on a grid of p and λ with the closed form of the moment generating function. Tolerance
    1e-14 (1 + λ): each of the two terms of the closed form is rounded to 1e-16 of its size, at most λ.
    """
    p = np.linspace(0.001, 0.999, 999)[:, None]
    lam = np.concatenate([-np.geomspace(1e-3, 50, 200), np.geomspace(1e-3, 50, 200)])
    assert np.all(log_mgf(lam, p) <= lam**2 / LEMMA + 1e-14 * (1 + np.abs(lam)))


def test_lemma_constant_is_attained():
    """The 8 of Hoeffding's lemma is best: at p = 1/2 the ratio of the two sides tends to 1 as λ does to 0.

    Compared with ln cosh(λ/2) >= λ²/8 - λ⁴/192, the Taylor polynomial that bounds it from below;
    tolerance 1.6e-15 / λ², which covers the rounding of the ratio. With 8.1 in the place of 8 the lemma fails.
    """
    for lam in (0.5, 0.1, 0.01):
        ratio = log_mgf(lam, 0.5) / (lam**2 / LEMMA)
        assert 1 - lam**2 / 24 - 16e-16 / lam**2 <= ratio <= 1 + 16e-16 / lam**2
    assert log_mgf(0.1, 0.5) > 0.1**2 / 8.1


def test_second_derivative():
    """The lemma's proof: the second derivative of the log moment generating function is at most 1/4.

    It is the variance q (1 - q) of a Bernoulli variable with the tilted chance q. Compared with a central
    difference of step 1e-3: tolerance 1e-6, more than h²/12 times the fourth derivative (at most 1/8)
    plus the rounding 4e-16/h².
    """
    h = 1e-3
    for p in (0.1, 0.5, 0.9):
        for lam in (-2.0, 0.0, 1.0):
            tilted = p * math.exp(lam) / (1 - p + p * math.exp(lam))
            difference = (log_mgf(lam + h, p) - 2 * log_mgf(lam, p) + log_mgf(lam - h, p)) / h**2
            assert tilted * (1 - tilted) <= VARIANCE
            assert abs(difference - tilted * (1 - tilted)) < 1e-6
    assert abs(log_mgf(h, 0.5) + log_mgf(-h, 0.5)) / h**2 == pytest.approx(0.25, abs=1e-6)


@pytest.mark.parametrize("n", [1, 10, 200, 4000])
def test_composition(n):
    """Hoeffding's inequality is twice the least of exp(-λεn + nλ²/8) over λ > 0, and never more than 1.

    Compared with a numerical minimum, which the optimiser finds to 1e-8 in λ, so to about 1e-12 in
    the exponent near its parabola's vertex. Relative tolerance 1e-9.
    """
    for epsilon in (0.001, 0.02, 0.05, 0.1, 0.25):
        least = minimize_scalar(lambda lam, e=epsilon: n * (lam**2 / 8 - lam * e), bracket=(0, 1), tol=1e-10).fun
        assert le.hoeffding(epsilon, n=n) == pytest.approx(min(1, 2 * math.exp(least)), rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 13, 21])
def test_exact_tails(n):
    """P(abs(Bin(n, p)/n - p) >= ε) <= hoeffding(ε, n).

    The tail is an exact rational, at every deviation ε that the binomial can have, where it is largest;
    no tolerance. At n = 1 and p = ε = 1/2 the tail is 1, so the 2 in front cannot be dropped.
    """
    for p in (Fraction(j, 20) for j in range(21)):
        for epsilon in {abs(Fraction(j, n) - p) for j in range(n + 1)}:
            assert binomial_tail(n, p, epsilon) <= Fraction(le.hoeffding(float(epsilon), n=n))


@pytest.mark.parametrize(
    "risks", [(Fraction(3, 10),), (0, Fraction(1, 2), 1), tuple(Fraction(j, 9) for j in range(10)), (HALF,) * 15]
)
def test_one_sided_and_unequal(risks):
    """P(X̄ - μ >= ε) and P(μ - X̄ >= ε) are at most exp(-2ε²n), and both together at most hoeffding, for unequal risks.

    The law of the number of wrong labels is built up in fractions, one loss of risk p_i after the other;
    ε is every deviation that occurs. Compared in floats; relative tolerance 1e-12, the rounding. For one loss of
    risk 3/10 an exponent of 2.5 in the place of 2 is refuted.
    """
    n, law = len(risks), [Fraction(1)]
    for risk in risks:
        law = [(1 - risk) * right + risk * wrong for right, wrong in zip([*law, 0], [0, *law], strict=True)]
    mean = sum(risks, Fraction(0)) / n
    for epsilon in {abs(Fraction(count, n) - mean) for count in range(n + 1)}:
        above = sum(chance for count, chance in enumerate(law) if Fraction(count, n) - mean >= epsilon)
        below = sum(chance for count, chance in enumerate(law) if mean - Fraction(count, n) >= epsilon)
        assert max(above, below) <= math.exp(-ONE_SIDED * epsilon**2 * n) * (1 + 1e-12)
        assert epsilon == 0 or above + below <= le.hoeffding(float(epsilon), n=n) * (1 + 1e-12)


@pytest.mark.parametrize("n", [100, 1000, 20_000])
def test_large_tails(n):
    """P(abs(Bin(n, p)/n - p) >= ε) <= hoeffding(ε, n) at the sizes of holdout sets, and one tail is half of that.

    Tails from SciPy, computed in logarithms; relative tolerance 1e-9, SciPy's own. At n = 20000 and
    p = 1/2 an exponent of 2.1 in the place of 2 is refuted (ε = 0.1: the tail is e^-406, and
    2 exp(-2.1 ε² n) = e^-419).
    """
    for p in (0.02, 0.2, 0.5, 0.7):
        for deviation in (max(1, round(e * n)) for e in (0.005, 0.02, 0.05, 0.1)):
            upper = math.ceil(n * p + deviation - 1e-6)
            lower = math.floor(n * p - deviation + 1e-6)
            above = binom.logsf(upper - 1, n, p)
            assert above <= -ONE_SIDED * (deviation / n) ** 2 * n + 1e-9 * (1 + abs(above))
            log_tail = np.logaddexp(above, binom.logcdf(lower, n, p))
            assert log_tail <= math.log(le.hoeffding(deviation / n, n=n)) + 1e-9 * (1 + abs(log_tail))


def divergence(epsilon: float) -> float:
    """Return KL(1/2 + ε || 1/2) in nats."""
    a, b = 0.5 + epsilon, 0.5 - epsilon
    return a * math.log(2 * a) + b * math.log(2 * b)


@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(1, 10), Fraction(3, 10)])
def test_rate(epsilon):
    """For n fair coins exp(-n KL)/√(8nr(1-r)) <= P(X̄ >= r) <= exp(-n KL), r = 1/2 + ε, KL = KL(r || 1/2).

    The tail is a sum of exact integers, compared in logarithms divided by n; tolerance 1e-12, their rounding. The
    two-sided tail is within hoeffding, without tolerance, and its rate falls with n.
    """
    rates = []
    for n in (40, 80, 160, 320, 640, 1280, 2560):
        first = n // 2 + int(epsilon * n)
        term = total = math.comb(n, first)
        for j in range(first, n):
            term = term * (n - j) // (j + 1)
            total += term
        rates.append(math.log(2) - math.log(2 * total) / n)
        log_tail_by_n = math.log(total) / n - math.log(2)
        assert log_tail_by_n <= -divergence(float(epsilon)) + 1e-12
        peak = PEAK * n * (HALF + epsilon) * (HALF - epsilon)
        assert log_tail_by_n + math.log(peak) / (2 * n) >= -divergence(float(epsilon)) - 1e-12
        assert total <= Fraction(le.hoeffding(float(epsilon), n=n)) * 2 ** (n - 1)
    assert rates == sorted(rates, reverse=True)


def test_peak():
    """The chance that Bin(n, c/n) equals its mean c is at least 1/√(8 c (n - c)/n), with equality only at n = 2.

    Squares of exact rationals for all 0 < c < n <= 120; no tolerance.
    """
    for n in range(2, 121):
        for c in range(1, n):
            peak = Fraction(math.comb(n, c) * c**c * (n - c) ** (n - c), n**n)
            assert PEAK * c * (n - c) * peak**2 >= n
            assert n == 2 or 8 * c * (n - c) * peak**2 > n


def test_two_is_the_best_constant():
    """KL(1/2 + ε || 1/2) = Σ (2ε)^2j / (2j (2j - 1)) >= 2ε², and no constant above 2 serves in the exponent.

    What a partial sum leaves lies between 0 and the next term over 1 - 4ε², a geometric series. Tolerance
    1e-15, the rounding of the logarithms. Then, for 2.1 and 2.01, a holdout size at which one term of the
    binomial exceeds 2 exp(-cε²n).
    """
    for epsilon in (0.4, 0.2, 0.1, 0.05, 0.01):
        terms = [(2 * epsilon) ** (2 * j) / (2 * j * (2 * j - 1)) for j in range(1, 100)]
        assert terms[0] == pytest.approx(2 * epsilon**2, rel=1e-15)
        for j in (1, 2, 3, 10, 98):
            left = divergence(epsilon) - sum(terms[:j])
            assert -1e-15 <= left <= terms[j] / (1 - 4 * epsilon**2) + 1e-15
    for constant, epsilon, n in ((2.1, 0.1, 20_000), (2.01, 0.05, 1_000_000)):
        j = n // 2 + round(epsilon * n)
        log_term = math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) - n * math.log(2)
        assert math.log(2) - constant * epsilon**2 * n < log_term <= math.log(2) - 2 * epsilon**2 * n


def test_bound_at_zero():
    """At ε = 0, where the tail is 1, the bound is 1: it is never more, and no less there. No tolerance."""
    for n in (1, 1000):
        assert binomial_tail(n, HALF, Fraction(0)) == 1 == le.hoeffding(0, n=n)
