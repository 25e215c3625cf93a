"""The union bound over classifiers fixed in advance, what adaptivity does to it, and the leaderboard error."""

import math
from fractions import Fraction

import numpy as np
import pytest
from exact import HALF, binomial_tail

import leaderboard_edu as le


@pytest.mark.parametrize("k", [1, 2, 10, 1000])
def test_independent_classifiers(k):
    """The union bound holds for k independent classifiers: 1 - (1 - tail)^k <= k tail <= union_bound.

    Exact rationals, no tolerance. Independence is the case in which the first step is close: the
    chance is at least k tail (1 - (k - 1) tail / 2) by Bonferroni, so nearly k tail while that is small.
    """
    for n in (1, 10, 40):
        for p in (HALF, Fraction(1, 5)):
            for epsilon in (Fraction(1, 10), Fraction(3, 10), HALF):
                tail = binomial_tail(n, p, epsilon)
                some = 1 - (1 - tail) ** k
                assert k * tail * (1 - (k - 1) * tail / 2) <= some <= k * tail
                assert some <= Fraction(le.union_bound(float(epsilon), n=n, k=k))


@pytest.mark.parametrize("k", [1, 3, 1000])
def test_k_times_hoeffding(k):
    """The union bound of k classifiers is k times Hoeffding's inequality, and at most 1. Equal to the last bit."""
    for n in (1, 100, 4000):
        for epsilon in (0.0, 0.01, 0.1, 0.3):
            assert le.union_bound(epsilon, n=n, k=k) == min(1, k * le.hoeffding(epsilon, n=n))


@pytest.mark.parametrize("k", [1, 20, 30_000])
def test_interval(k):
    """ε = √(ln(2k/δ)/(2n)) makes the union bound δ, and n = ceil(ln(2k/δ)/(2ε²)) is the least size that suffices.

    Relative tolerance 1e-12 for δ, the rounding of the exponent, which is at most 20. The sizes need none: n is
    enough for the bound and n - 1 is not.
    """
    for delta in (0.5, 0.05, 1e-4):
        for n in (1, 1000, 4000):
            epsilon = math.sqrt(math.log(2 * k / delta) / (2 * n))
            assert le.union_bound(epsilon, n=n, k=k) == pytest.approx(delta, rel=1e-12)
        for epsilon in (0.013, 0.05, 0.1):
            n = math.ceil(math.log(2 * k / delta) / (2 * epsilon**2))
            assert le.union_bound(epsilon, n=n, k=k) <= delta < le.union_bound(epsilon, n=n - 1, k=k)


def test_adaptive_analyst_breaks_it():
    """For an adaptive analyst the conclusion fails: the boosting attack's last vector deviates by 0.25 each time.

    n = 1000 fair labels, so every classifier has true risk 1/2; k = 1000 random submissions. In 20
    replicates out of 20 the final vector's empirical risk is below 1/4, an event of probability at most 1e-50 for
    1001 fixed classifiers. The submissions themselves, which are fixed in advance, keep to the bound: none
    of the 20000 deviates by 0.1, which happens with probability at most 20 union_bound = 1e-4.
    """
    n, k, replicates = 1000, 1000, 20
    assert le.union_bound(0.25, n=n, k=k + 1) < 1e-50
    assert replicates * le.union_bound(0.1, n=n, k=k) < 1e-4
    for child in np.random.SeedSequence(1).spawn(replicates):
        rng = np.random.default_rng(child)
        board = le.FullDisclosure(rng.integers(0, 2, n))
        attack = le.boosting_attack(board.submit, n=n, k=k, rng=rng)
        fixed = np.array([released for _, released in board.transcript])
        assert np.max(np.abs(fixed - 0.5)) < 0.1
        assert board.submit(attack.predictions) < 0.25


def test_leaderboard_error():
    """The leaderboard error of the running minimum is at most the largest deviation of one classifier.

    This carries the union bound over to the leaderboard. Compared with the definition written out with exact
    fractions, on random risks, for the running minimum and for releases that go up and down; no tolerance, the
    risks being multiples of 1/64.
    """
    rng = np.random.default_rng(2)
    for _ in range(200):
        k = int(rng.integers(1, 12))
        empirical = [Fraction(int(c), 64) for c in rng.integers(0, 65, k)]
        true = [Fraction(int(c), 64) for c in rng.integers(0, 65, k)]
        for shown in (empirical, [min(empirical[: t + 1]) for t in range(k)]):
            error = le.leaderboard_error([float(r) for r in shown], [float(r) for r in true])
            assert error == max(abs(shown[t] - min(true[: t + 1])) for t in range(k))
        assert error <= max(abs(e - r) for e, r in zip(empirical, true, strict=True))
