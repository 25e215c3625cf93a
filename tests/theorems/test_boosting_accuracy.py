"""The exact accuracy of the boosting attack, against the attack itself run on every possible draw."""

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from exact import HALF, KEEPS, PRECISIONS, accuracies, enumerated_accuracy, majority, vote_counts
from scripted import every_generator

import leaderboard_edu as le


def grid(m: int | None) -> Fraction | None:
    return None if m is None else Fraction(1, m)


def last(values):
    *_, value = values
    return value


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize(("n", "k"), [(1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1), (4, 2)])
def test_attack_on_every_draw(n, k, keep):
    """boosting_accuracy is the mean accuracy of boosting_attack on FullDisclosure, for every label vector.

    The library's own attack and mechanism run on each of the 2^(n(k+1)) coins and submissions, exactly
    and with odd and even grids 1/m, on zero, one and mixed labels. Their mean must equal the exact
    value of another derivation without tolerance, and boosting_accuracy to 1e-12, its rounding.
    """
    for labels in (np.zeros(n), np.ones(n), np.arange(n) % 2):
        for m in (None, 2, 3):
            board = le.FullDisclosure(labels, grid(m))
            right = runs = 0
            for rng in every_generator(n, k):
                predictions = le.boosting_attack(board.submit, n=n, k=k, rng=rng, keep=keep).predictions
                right += n - le.count_wrong(predictions, labels)
                runs += 1
            assert Fraction(right, n * runs) == last(accuracies(n, k, keep, m))
            exact = le.boosting_accuracy(n=n, k=k, keep=keep, precision=grid(m))
            assert exact == pytest.approx(right / (n * runs), abs=1e-12)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize(("n", "k"), [(1, 3), (2, 3), (3, 2), (4, 2)])
def test_curve_on_every_draw(n, k, keep):
    """The mean of boosting_curve over every draw of coins and submissions is boosting_accuracy, at each length.

    Every accuracy is a multiple of 1/n, so that the sums are exact in floats up to 1e-12, the tolerance.
    """
    mean = np.mean([le.boosting_curve(n=n, k=k, rng=rng, keep=keep) for rng in every_generator(n, k)], axis=0)
    expected = [le.boosting_accuracy(n=n, k=t, keep=keep) for t in range(1, k + 1)]
    assert mean == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("m", PRECISIONS)
def test_every_list_of_submissions(keep, m):
    """boosting_accuracy averages the majority over all 2^(nk) lists of submissions, for each grid 1/m.

    Each list is enumerated by plain code, a tie counted as half; tolerance 1e-12, the rounding of
    the library's floats. The exact values that other tests use agree without tolerance.
    """
    for n, k in ((n, k) for n in range(1, 8) for k in range(1, 8) if n * k <= 14):
        exact = enumerated_accuracy(n, k, keep, m)
        assert exact == last(accuracies(n, k, keep, m))
        accuracy = le.boosting_accuracy(n=n, k=k, keep=keep, precision=grid(m))
        assert accuracy == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("m", PRECISIONS)
def test_exact_values(keep, m):
    """boosting_accuracy equals the chance that a sum of k votes in {-1, 0, 1} is positive, plus half a tie.

    The sum's distribution is built up in whole numbers out of 2^n, vote by vote; tolerance 1e-12.
    """
    for n in (1, 2, 5, 12, 25, 40):
        for k, exact in enumerate(accuracies(n, 41, keep, m), 1):
            accuracy = le.boosting_accuracy(n=n, k=k, keep=keep, precision=grid(m))
            assert accuracy == pytest.approx(float(exact), abs=1e-12)


def test_pivotal():
    """An aligned vote is right with probability p = 1/2 + P(Bin(n-1, 1/2) = n//2)/2 = 1/2 + E abs(S_n)/(2n).

    S_n is a sum of n fair signs. Exact rationals, no tolerance; the library's value at k = 1, where the majority
    is that single vote, to 1e-12.
    """
    for n in range(1, 200):
        p = Fraction(vote_counts(n, "aligned")[1], 2**n)
        pivotal = Fraction(math.comb(n - 1, n // 2), 2 ** (n - 1))
        distance = Fraction(sum(math.comb(n, c) * abs(n - 2 * c) for c in range(n + 1)), 2**n)
        assert p == HALF + pivotal / 2 == HALF + distance / (2 * n)
        assert le.boosting_accuracy(n=n, k=1) == pytest.approx(float(p), abs=1e-12)


def test_even_votes():
    """2h votes are worth 2h - 1: a majority of 2h votes with fair ties is right as often. No tolerance."""
    for p in (HALF, Fraction(11, 20), Fraction(9, 10)):
        for h in range(1, 20):
            assert majority(2 * h, p) == majority(2 * h - 1, p)
    for h in (1, 10, 500):
        assert le.boosting_accuracy(n=30, k=2 * h) == le.boosting_accuracy(n=30, k=2 * h - 1)


@pytest.mark.parametrize(("keep", "weight", "tolerance"), [("aligned", 2, 0.5), ("half", 1, 1.0)])
def test_limit(keep, weight, tolerance):
    """boosting_accuracy tends to Φ(√(2k/(πn))) for aligned votes and to Φ(√(k/(πn))) for the better half.

    Tolerance 0.5/√k for aligned: by Berry and Esseen's theorem, with the constant 0.4748, the majority of k
    votes is that close to normal. 1/√k for half, since about k/2 vectors vote. At the last size that is
    0.003 at most, and the other way of keeping differs by more than 0.04.
    """
    for k in (1000, 100_000):
        for ratio in (0.25, 1, 4):
            limit = NormalDist().cdf(math.sqrt(weight * ratio / math.pi))
            assert abs(le.boosting_accuracy(n=round(k / ratio), k=k, keep=keep) - limit) < tolerance / math.sqrt(k)
            other = NormalDist().cdf(math.sqrt((3 - weight) * ratio / math.pi))
            assert abs(other - limit) > 0.04


def test_rounding_only_moves_the_cut():
    """Rounding to 1/m keeps the submissions of at most ceil(n (m+1)/(2m)) - 1 wrong labels for even m.

    For odd m it keeps those below one half, and where n is odd it changes nothing. Compared with exact counts
    through the accuracy of one aligned vote; tolerance 1e-12. For even n and odd m it drops the ties, which
    leaves the aligned accuracy as it was and raises that of the better half.
    """
    for n in range(1, 40):
        for m in range(1, 20):
            cut = -(-n * (m + 1) // (2 * m)) - 1 if m % 2 == 0 else (n - 1) // 2
            p = HALF + Fraction(math.comb(n - 1, cut), 2**n)
            assert le.boosting_accuracy(n=n, k=1, precision=grid(m)) == pytest.approx(float(p), abs=1e-12)
    for k in (1, 6, 30):
        exact, odd = (
            [le.boosting_accuracy(n=10, k=k, keep=keep, precision=m) for keep in KEEPS] for m in (None, "1/3")
        )
        assert odd[0] == pytest.approx(exact[0], abs=1e-12)
        assert odd[1] > exact[1]
