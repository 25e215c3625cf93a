"""The swap attack on the parameter-free Ladder: a pure death chain, its times, its limit, and where it stalls."""

import math
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import hypergeom

import leaderboard_edu as le


def wrong_at_start(n, ones):
    """Return the law of the number of wrong ones when n // 2 ones are placed at random, as fractions."""
    size = n // 2
    ways = {w: comb(n - ones, w) * comb(ones, size - w) for w in range(size + 1)}
    return {w: Fraction(way, comb(n, size)) for w, way in ways.items() if way}


def chance(n, ones, wrong_ones):
    """Return the probability that a random swap is accepted."""
    wrong_zeros = wrong_ones - n // 2 + ones
    return Fraction(wrong_ones * wrong_zeros, (n // 2) * (n - n // 2))


def law(n, ones, k, number=Fraction):
    """Return the law of the wrong labels after k submissions: {wrong labels: probability}, exactly or in floats."""
    state = {w: number(p) for w, p in wrong_at_start(n, ones).items()}
    for _ in range(k - 1):
        following = {}
        for w, p in state.items():
            q = number(chance(n, ones, w))
            following[w] = following.get(w, 0) + p * (1 - q)
            if q:
                following[w - 1] = following.get(w - 1, 0) + p * q
        state = following
    return {2 * w - n // 2 + ones: p for w, p in state.items()}


def wrong_law(n, ones, k):
    """Return the law of the wrong ones after k submissions, in floats, from the same chain: an array from 0 on."""
    p = hypergeom(n, n - ones, n // 2).pmf(np.arange(n // 2 + 1))
    q = np.array([float(max(0, chance(n, ones, w))) for w in range(n // 2 + 1)])
    for _ in range(k - 1):
        fallen = p * q
        p = p - fallen
        p[:-1] += fallen[1:]
    return p


def mean_accuracy(n, ones, k):
    """Return the expected accuracy after k submissions."""
    wrong = 2 * np.arange(n // 2 + 1) - n // 2 + ones
    return 1 - float(wrong_law(n, ones, k) @ wrong) / n


def limit(t):
    """Return the limit of the accuracy after t n submissions."""
    return 1 - 1 / (2 + 2 * t)


def chance_to_be_off(n, t, epsilon):
    """Return the probability that the accuracy after t n submissions is off its limit by more than epsilon."""
    off = np.abs(1 - np.arange(n // 2 + 1) / (n // 2) - limit(t)) > epsilon
    return float(wrong_law(n, n // 2, max(1, round(t * n)))[off].sum())


def test_death_chain():
    """A swap is accepted in w1 w0 of the (n//2)(n - n//2) cases, and then w1 and w0 both fall by one.

    Every label vector and every vector with n // 2 ones for n = 2 to 7, every swap, through the library. No tolerance.
    """
    for n in range(2, 8):
        for labels, vector in product(product((0, 1), repeat=n), repeat=2):
            if sum(vector) != n // 2:
                continue
            ones = [j for j in range(n) if vector[j]]
            zeros = [j for j in range(n) if not vector[j]]
            accepted = 0
            for i, j in product(ones, zeros):
                account = le.ParameterFreeLadder(labels)
                before = account.submit(vector)
                after = account.submit([1 - u if position in (i, j) else u for position, u in enumerate(vector)])
                both = labels[i] == 0 and labels[j] == 1
                accepted += after < before
                assert (after < before) == both
                assert not both or round(n * (before - after)) == 2
            wrong_ones = sum(labels[i] == 0 for i in ones)
            assert sum(labels[j] == 1 for j in zeros) == wrong_ones - n // 2 + sum(labels)
            assert Fraction(accepted, len(ones) * len(zeros)) == chance(n, sum(labels), wrong_ones)


@pytest.mark.parametrize(("n", "ones", "k"), [(6, 3, 1), (6, 3, 4), (6, 2, 7), (7, 4, 5), (8, 4, 9)])
def test_law_of_the_attack(n, ones, k):
    """The attack's wrong labels follow the chain's law, for balanced and other labels.

    4000 replicates of the library's attack on the library's mechanism; each probability within four standard errors
    of the exact one, and values that the chain excludes never occur.
    """
    replicates, exact, seen = 4000, law(n, ones, k), {}
    labels = np.arange(n) < ones
    for rng in np.random.default_rng(7).spawn(replicates):
        account = le.ParameterFreeLadder(labels)
        attack = le.swap_attack(account.submit, n=n, k=k, rng=rng)
        wrong = le.count_wrong(attack.predictions, labels)
        seen[wrong] = seen.get(wrong, 0) + 1
    assert seen.keys() <= exact.keys()
    for wrong, p in exact.items():
        error = math.sqrt(p * (1 - p) / replicates)
        assert abs(seen.get(wrong, 0) / replicates - p) <= 4 * error


def test_hitting_times():
    """The time from w0 to w wrong pairs has mean sum (h/j)^2 and variance sum (h/j)^4 - (h/j)^2, j from w+1 to w0.

    The exact law of the time for h = 4 from the chain, summed until less than 1e-16 is left, gives both within 1e-9
    relative. To the end the mean is at most pi^2/6 h^2 = pi^2/24 n^2.
    """
    h = 4
    for w0, w in ((4, 3), (4, 1), (3, 0), (4, 0)):
        p = np.zeros(w0 + 1)
        p[w0] = 1.0
        q = (np.arange(w0 + 1) / h) ** 2
        mean, square, t = 0.0, 0.0, 0
        while p[w + 1 :].sum() > 1e-16 and t < 20_000:
            t += 1
            arrival = p[w + 1] * q[w + 1]
            fallen = p * q
            fallen[: w + 1] = 0
            p = p - fallen
            p[:-1] += fallen[1:]
            mean, square = mean + t * arrival, square + t * t * arrival
        terms = [Fraction(h, j) ** 2 for j in range(w + 1, w0 + 1)]
        assert mean == pytest.approx(float(sum(terms)), rel=1e-9)
        assert square - mean**2 == pytest.approx(float(sum(term**2 - term for term in terms)), rel=1e-9)
    for h in (1, 2, 10, 500):
        assert sum(Fraction(h, j) ** 2 for j in range(1, h + 1)) <= Fraction(math.pi) ** 2 / 6 * h**2


def test_limit():
    """The accuracy after k = t n submissions tends to 1 - 1/(2 + 2 t).

    The expected accuracy of the exact chain for n = 100, 400, 1600 and t = 1/2, 1, 2: the distance falls at least by
    half each time n grows fourfold, and is below 1/n.
    """
    for t in (0.5, 1, 2):
        distances = [abs(mean_accuracy(n, n // 2, round(t * n)) - limit(t)) for n in (100, 400, 1600)]
        assert distances[1] < distances[0] / 2
        assert distances[2] < distances[1] / 2
        assert all(distance < 1 / n for distance, n in zip(distances, (100, 400, 1600), strict=True))


def test_limit_in_probability():
    """The probability of being off the limit by more than epsilon falls like e^(-cn).

    Exact chains for t = 0, 1/2, 1 and 2. With epsilon = 1/20 its logarithm grows by a factor of at least 1.7 from
    n = 400 to 800 and to 1600, where 1/n would have 1.12 and 1.1. At the start it is at most 2 exp(-n epsilon^2). At
    n = 6400 being off by more than 1/50 has a probability below 1/100.
    """
    for t in (0, 0.5, 1, 2):
        logs = [math.log(chance_to_be_off(n, t, 0.05)) for n in (400, 800, 1600)]
        assert logs[1] <= 1.7 * logs[0]
        assert logs[2] <= 1.7 * logs[1]
        assert chance_to_be_off(6400, t, 0.02) < 0.01
    for n in (10, 100, 1000):
        for epsilon in (0.01, 0.05, 0.1, 0.2):
            assert chance_to_be_off(n, 0, epsilon) <= 2 * math.exp(-n * epsilon**2)


def test_stalls():
    """On labels with another number of ones the attack ends with exactly abs(ones - n // 2) labels wrong.

    Every label vector with n = 2 to 7, with so many submissions that the exact chain has ended but for a probability
    of 1e-6; and at n = 1000 with four numbers of ones, where the event-driven simulation must end there. No tolerance.
    """
    for n in range(2, 8):
        for labels in product((0, 1), repeat=n):
            account = le.ParameterFreeLadder(labels)
            attack = le.swap_attack(account.submit, n=n, k=400, rng=np.random.default_rng(sum(labels)))
            end = abs(sum(labels) - n // 2)
            assert law(n, sum(labels), 400, float).get(end, 0) > 1 - 1e-6
            assert le.count_wrong(attack.predictions, labels) == end
    for ones in (500, 470, 512, 1000):
        run = le.simulate_swap(n=1000, k=10**9, ones=ones, rng=np.random.default_rng(3))
        assert run.released[-1] == abs(ones - 500)


def test_time_to_stall():
    """With another number of ones, off by D, the attack ends after at most 1 + h (n-h) H_D / D submissions on average.

    The mean of the exact chain over its start, for n = 2 to 12 and every number of ones; the infinite sum behind it
    against its closed form after 10^4 terms, for D up to 6, where what is left is below 1e-4. For coin labels and even
    n the mean error at the end is C(n-1, n/2) / 2^n, without tolerance.
    """
    for n in range(2, 13):
        h = n // 2
        for ones in range(n + 1):
            off = abs(ones - h)
            if off:
                mean = 0
                for w, p in wrong_at_start(n, ones).items():
                    pairs = min(w, w - h + ones)
                    mean += p * (1 + sum(Fraction(h * (n - h), j * (j + off)) for j in range(1, pairs + 1)))
                assert mean <= 1 + h * (n - h) * sum(Fraction(1, j) for j in range(1, off + 1)) / off
    for off in range(1, 7):
        closed = sum(1 / j for j in range(1, off + 1)) / off
        assert sum(1 / (j * (j + off)) for j in range(1, 10_001)) == pytest.approx(closed, abs=1e-4)
    for n in range(2, 21, 2):
        error = sum(Fraction(comb(n, ones) * abs(ones - n // 2), n * 2**n) for ones in range(n + 1))
        assert error == Fraction(comb(n - 1, n // 2), 2**n)
