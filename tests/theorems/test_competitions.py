"""What a board of fixed, of chosen, and of reacting submissions shows on average, and how far reacting can go."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import leaderboard_edu as le


def vectors(n):
    """Return all vectors of n zeros and ones."""
    return list(itertools.product((0, 1), repeat=n))


@pytest.mark.parametrize("risk", [Fraction(1, 2), Fraction(3, 10), Fraction(0)])
def test_fixed_classifier(risk):
    """A fixed classifier's empirical risk has the true risk r as mean and r(1 - r)/n as variance.

    All label vectors of n = 5 points, with their exact probabilities; equal as fractions.
    """
    n, f = 5, (0, 1, 1, 0, 1)
    mean = square = Fraction(0)
    for y in vectors(n):
        wrong = sum(a != b for a, b in zip(f, y, strict=True))
        chance = risk**wrong * (1 - risk) ** (n - wrong)
        empirical = Fraction(le.empirical_risk(f, y)).limit_denominator(n)
        mean += chance * empirical
        square += chance * empirical**2
    assert mean == risk
    assert square - mean**2 == risk * (1 - risk) / n


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 2), (2, 4), (4, 2)])
def test_best_of_k(n, k):
    """The smallest loss of k independent coins has mean (1/n) Σ_c Pr{Bin(n, 1/2) > c}^k, at most one half.

    Every list of k submissions against one label vector; the formula summed with fractions. Equal.
    """
    y = vectors(n)[-1]
    counts = [le.count_wrong(u, y) for u in vectors(n)]
    smallest = [min(chosen) for chosen in itertools.product(counts, repeat=k)]
    mean = Fraction(sum(smallest), n * len(smallest))
    more_wrong = [Fraction(sum(math.comb(n, d) for d in range(c + 1, n + 1)), 2**n) for c in range(n)]
    assert mean == sum(chance**k for chance in more_wrong) / n
    assert mean <= Fraction(1, 2)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_one_bit_of_feedback(n):
    """Flipping a random vector when its loss is above one half gains C(n-1, ⌊n/2⌋)/2^n, for every label vector.

    Every submission to the real mechanism, one per board; equal as fractions.
    """
    for y in vectors(n):
        total = 0
        for u in vectors(n):
            kept = le.FullDisclosure(y).submit(u) <= 0.5
            total += le.count_wrong(u if kept else [1 - label for label in u], y)
        assert Fraction(total, n * 2**n) == Fraction(1, 2) - Fraction(math.comb(n - 1, n // 2), 2**n)


@pytest.mark.parametrize(("n", "k", "m"), [(400, 1000, 21), (400, 1000, 20), (4000, 4000, 100_000)])
def test_final_submission(n, k, m):
    """Only the vote, submitted as number k + 1, makes the leaderboard error 5r/(24e) - 1/√(2n) - 1/(2m), r = √(k/n).

    r is capped at 1 and 1/m <= 1/√n. In 30 replicates the share that reaches the bound must not lie more than four
    standard errors, √(2/9/30) each, below 2/3. Without the vote the error of the k fixed vectors is below
    √(ln(2k/δ)/(2n)) + 1/(2m) with δ = 1e-6, which the vote exceeds every time.
    """
    assert m * m >= n
    bound = 5 / 24 / math.e * min(1, math.sqrt(k / n)) - 1 / math.sqrt(2 * n) - 1 / (2 * m)
    fixed = math.sqrt(math.log(2 * k / 1e-6) / (2 * n)) + 1 / (2 * m)
    reached = []
    for child in np.random.SeedSequence([n, m]).spawn(30):
        rng = np.random.default_rng(child)
        board = le.FullDisclosure(rng.integers(0, 2, n), precision=Fraction(1, m))
        attack = le.boosting_attack(board.submit, n=n, k=k, rng=rng)
        board.submit(attack.predictions)
        shown = np.minimum.accumulate([released for _, released in board.transcript])
        risks = np.full(k + 1, 0.5)
        error = le.leaderboard_error(shown, risks)
        assert le.leaderboard_error(shown[:k], risks[:k]) <= fixed < error
        reached.append(error >= bound)
    assert np.mean(reached) >= 2 / 3 - 4 * math.sqrt(2 / 9 / 30)


@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-6])
def test_one_bit_ceiling(delta):
    """One bit from each of k submissions gains more than √((k ln 2 + ln(1/δ))/(2n)) with probability at most δ.

    The union over the 2^k possible final vectors, with exact binomial tails: 2^k times the tail at the ceiling
    is at most δ. At nine tenths of the ceiling it is not, so the constant ln 2 is right. The boosting attack's
    expected gain stays below the ceiling, and above half of it for small k/n.
    """
    for n, k in [(20_000, 100), (40_000, 400), (100_000, 300)]:
        ceiling = math.sqrt((k * math.log(2) + math.log(1 / delta)) / (2 * n))
        log_tail = [binom.logsf(math.ceil(n * (0.5 + share * ceiling)) - 1, n, 0.5) for share in (1, 0.9)]
        assert k * math.log(2) + log_tail[0] <= math.log(delta)
        assert k * math.log(2) + log_tail[1] > math.log(delta)
        gain = le.boosting_accuracy(n=n, k=k) - 0.5
        assert 0.5 * math.sqrt(k * math.log(2) / (2 * n)) < gain < ceiling
