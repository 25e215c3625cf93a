"""The enumeration attack on a Ladder: its chain of counts, against the attack itself."""

import math
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from exact import HALF
from scipy.special import gammaln

import leaderboard_edu as le


def level(wrong, n, m):
    """Return the loss in steps of 1/m, rounded half up."""
    return math.floor(Fraction(wrong * m, n) + HALF)


def moves(name, wrong, after, n, m):
    """Say whether a Ladder at level(wrong) releases a submission with `after` wrong labels as a new best."""
    best = level(wrong, n, m)
    return Fraction(after, n) < Fraction(best - 1, m) if name == "ladder" else level(after, n, m) < best


def step(name, wrong, n, m):
    """Return the law of the next count: {wrong labels: probability}, exactly.

    Of s flipped labels h were wrong, with hypergeometric probability; s is a power of two up to n, all equally likely.
    """
    sizes = [2**j for j in range(n.bit_length())]
    following = {}
    for s in sizes:
        for h in range(max(0, s - n + wrong), min(s, wrong) + 1):
            p = Fraction(comb(wrong, h) * comb(n - wrong, s - h), comb(n, s) * len(sizes))
            after = wrong + s - 2 * h
            state = after if moves(name, wrong, after, n, m) else wrong
            following[state] = following.get(state, 0) + p
    return following


LADDERS = {"ladder": le.Ladder, "simplified": le.SimplifiedLadder}


@pytest.mark.parametrize("name", LADDERS)
def test_one_step(name):
    """Averaged over all sets of each size, a flip moves the release with the probability of the chain.

    n = 4 and 6 and every m from 1 to n, every count of wrong labels, every set of 1, 2 and 4 labels. No tolerance.
    """
    for n in (4, 6):
        for m in range(1, n + 1):
            for wrong in range(n + 1):
                seen = {}
                for s in (1, 2, 4):
                    for flips in combinations(range(n), s):
                        account = LADDERS[name](np.zeros(n), eta=Fraction(1, m))
                        vector = (np.arange(n) < wrong).astype(int)
                        before = account.submit(vector)
                        vector[list(flips)] ^= 1
                        state = int(vector.sum()) if account.submit(vector) < before else wrong
                        seen[state] = seen.get(state, 0) + Fraction(1, 3 * comb(n, s))
                assert seen == step(name, wrong, n, m)


@pytest.mark.parametrize("name", LADDERS)
def test_law_of_the_attack(name):
    """After ten submissions the count of the attack's best vector follows the chain of counts.

    n = 12, eta = 1/6, 4000 replicates; each probability within four standard errors of the exact one, and counts that
    the chain excludes never occur.
    """
    n, m, k, replicates = 12, 6, 10, 4000
    exact = {wrong: Fraction(comb(n, wrong), 2**n) for wrong in range(n + 1)}
    for _ in range(k - 1):
        following = {}
        for wrong, p in exact.items():
            for state, q in step(name, wrong, n, m).items():
                following[state] = following.get(state, 0) + p * q
        exact = following
    seen = {}
    for rng in np.random.default_rng(11).spawn(replicates):
        account = LADDERS[name](np.zeros(n), eta=Fraction(1, m))
        wrong = int(le.enumeration_attack(account.submit, n=n, k=k, rng=rng).predictions.sum())
        seen[wrong] = seen.get(wrong, 0) + 1
    assert seen.keys() <= exact.keys()
    for wrong, p in exact.items():
        assert abs(seen.get(wrong, 0) / replicates - p) <= 4 * math.sqrt(p * (1 - p) / replicates)


def gain_law(n, wrong, s):
    """Return the law of the gain when s labels are flipped: wrong labels before minus after, listed set by set."""
    counts = {}
    for flips in combinations(range(n), s):
        gain = sum(1 if j < wrong else -1 for j in flips)
        counts[gain] = counts.get(gain, 0) + 1
    return {gain: Fraction(count, comb(n, s)) for gain, count in counts.items()}


def test_gain():
    """The gain of s flips has mean -s (1-2x) and variance 4 s x (1-x) (n-s)/(n-1), x the loss; large gains are rare.

    For x < 1/2 and every g >= 1, P(G >= g) <= (c/(n-c))^g P(G <= -g), with equality at s = 1. Every set of labels for
    n = 2 to 9, all c and s. No tolerance.
    """
    for n in range(2, 10):
        for wrong in range(n + 1):
            for s in range(1, n + 1):
                law, x = gain_law(n, wrong, s), Fraction(wrong, n)
                mean = sum(gain * p for gain, p in law.items())
                assert mean == -s * (1 - 2 * x)
                assert sum(gain**2 * p for gain, p in law.items()) - mean**2 == 4 * s * x * (1 - x) * Fraction(
                    n - s, n - 1
                )
                for g in range(1, s + 1):
                    if 2 * wrong < n:
                        up = sum(p for gain, p in law.items() if gain >= g)
                        down = sum(p for gain, p in law.items() if gain <= -g)
                        bound = Fraction(wrong, n - wrong) ** g * down
                        assert up <= bound
                        assert up == bound or s > 1


def bound_on_a_move(wrong, n, gain):
    """Return at most how likely a flip is that gains so much: 1 / (1 + ((n-c)/c)^g)."""
    return 1 / (1 + Fraction(n - wrong, wrong) ** gain)


def chance_of_gain(n, wrong, s):
    """Return P(G >= 1) for s flips by log-gamma, up to what lies twelve standard deviations off."""
    mended = np.arange(s // 2 + 1, min(s, wrong, s // 2 + 6 * math.isqrt(s) + 8) + 1)
    spoiled = s - mended
    logarithm = gammaln([wrong + 1, n - wrong + 1, s + 1, n - s + 1]).sum() - gammaln(n + 1)
    below = gammaln(mended + 1) + gammaln(wrong - mended + 1) + gammaln(spoiled + 1) + gammaln(n - wrong - spoiled + 1)
    return np.exp(logarithm - below).sum()


def test_wait():
    """From c < n/2 wrong labels a move takes at least 1 + ((n-c)/c)^g submissions on average, g the gain that it needs.

    n = 20 and every m up to 20, both Ladders, the chance of a move from the chain. No tolerance. The bound is
    approached, if slowly, since most flips of many labels gain or lose: at n = 2^36, c = n/2 - 1 and g = 1, which is
    what the simplified Ladder needs at eta = 1/n, the chance is above ten elevenths of it.
    """
    n = 20
    for name, m, wrong in product(LADDERS, range(1, n + 1), range(1, n // 2)):
        needed = next((g for g in range(1, wrong + 1) if moves(name, wrong, wrong - g, n, m)), None)
        if needed is not None:
            chance = sum(p for state, p in step(name, wrong, n, m).items() if state != wrong)
            assert chance <= bound_on_a_move(wrong, n, needed)
    for n in (2**4, 2**36):
        wrong = n // 2 - 1
        chance = np.mean([chance_of_gain(n, wrong, 2**j) for j in range(n.bit_length())])
        assert chance <= bound_on_a_move(wrong, n, 1)
        exact = sum(p for state, p in step("simplified", wrong, n, n).items() if state != wrong) if n < 100 else chance
        assert abs(chance - exact) < 1e-9
    assert chance > Fraction(10, 11) * bound_on_a_move(wrong, n, 1)
