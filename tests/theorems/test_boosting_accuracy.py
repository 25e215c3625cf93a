"""The exact accuracy of the boosting attack, against the attack itself run on every possible draw."""

import math
from fractions import Fraction
from itertools import product
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
            board = le.FullDisclosure(labels, precision=grid(m))
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


@pytest.mark.parametrize("k", [1, 200, 33_000])
def test_one_label(k):
    """With n = 1 every aligned vote is right, so attack and curve have accuracy 1 after any number of submissions.

    No tolerance. The tally is k itself, and does not fit into 8 bits for the second k, nor into 16 for the third.
    """
    board = le.FullDisclosure([1])
    assert le.boosting_attack(board.submit, n=1, k=k, rng=np.random.default_rng(k)).predictions == [1]
    assert np.all(le.boosting_curve(n=1, k=k, rng=np.random.default_rng(k)) == 1)
    assert le.boosting_accuracy(n=1, k=k) == 1


@pytest.mark.parametrize("n", [64, 100, 500])
def test_submissions_are_independent(n):
    """The attack's submissions are uniform and independent: no two labels agree, or disagree, more than coins do.

    Written as signs, the entries of each column, and the products of each pair of columns or of rows, have a mean of
    0. Each mean is one of independent fair signs, so by Hoeffding's inequality and the union bound some mean
    reaches √(2 ln(2 · 10⁶ · count)/length) with probability at most 1e-6: the tolerance. A copied column gives 1.
    """
    k = 4000
    attack = le.boosting_attack(lambda _: 0.5, n=n, k=k, rng=np.random.default_rng(n))
    signs = 1.0 - 2.0 * attack.submissions
    rows = signs[:400]

    def largest(count, length):
        return math.sqrt(2 * math.log(2e6 * count) / length)

    assert np.max(np.abs(signs.mean(axis=0))) < largest(n, k)
    assert np.max(np.abs(signs.T @ signs / k - np.eye(n))) < largest(n * (n - 1) / 2, k)
    assert np.max(np.abs(rows @ rows.T / n - np.eye(400))) < largest(400 * 399 / 2, n) < 1


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


def test_jury():
    """J_N does not decrease: J_0 = 1/2, J_1 = p, and two votes more than 2h - 1 add C(2h-1, h) (p(1-p))^h (2p-1).

    Exact fractions, no tolerance; and boosting_accuracy, whose p is 1/2 + γ, to 1e-12.
    """
    for n in (1, 2, 9, 30):
        p = HALF + Fraction(math.comb(n - 1, n // 2), 2**n)
        jury = [majority(k, p) for k in range(30)]
        assert jury[:2] == [HALF, p]
        assert jury == sorted(jury)
        for h in range(1, 15):
            assert jury[2 * h + 1] - jury[2 * h - 1] == math.comb(2 * h - 1, h) * (p * (1 - p)) ** h * (2 * p - 1)
        assert [le.boosting_accuracy(n=n, k=k) for k in range(1, 30)] == pytest.approx(
            [float(accuracy) for accuracy in jury[1:]], abs=1e-12
        )


@pytest.mark.parametrize("keep", KEEPS)
def test_limit(keep):
    """boosting_accuracy tends to Φ(√(2k/(πn))) for aligned votes and to Φ(√(k/(πn))) for the better half.

    With z for the root, φ = Φ' and even k the next term of the expansion is -φ(z)(z + (π/2 - 1)z³)/(4k) for aligned
    votes and even n; for the half φ(z)((3/8 + π/4)z³ - z/8)/k for odd n, and -φ(z)z²/√(2k) for even n, where
    exact ties vote too. Tolerance 1/k² after the first two and 0.1/k after the last, the orders of what
    follows; found are 0.15/k², 0.24/k² and 0.03/k. The other way of keeping has a limit 0.04 away.
    """
    normal = NormalDist()
    for k, ratio, odd in product((1000, 100_000), (0.25, 1, 4), (0, 1)):
        n = round(k / ratio) + odd
        z = math.sqrt((2 if keep == "aligned" else 1) * k / (math.pi * n))
        if keep == "aligned":
            factor, rest = -(z + (math.pi / 2 - 1) * z**3) / (4 * k), 1 / k**2
        elif odd:
            factor, rest = ((3 / 8 + math.pi / 4) * z**3 - z / 8) / k, 1 / k**2
        else:
            factor, rest = -(z**2) / math.sqrt(2 * k), 0.1 / k
        if keep == "half" or not odd:
            accuracy = le.boosting_accuracy(n=n, k=k, keep=keep)
            assert abs(accuracy - normal.cdf(z) - factor * normal.pdf(z)) < rest
            other = normal.cdf(z / math.sqrt(2) if keep == "aligned" else z * math.sqrt(2))
            assert abs(other - accuracy) > 0.04


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
