"""The partner attack on the parameter-free Ladder, what certainty takes, and an attack without the points."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from exact import HALF
from test_parameter_free import mcnemar

import leaderboard_edu as le

SHARE = Fraction(1, 4)  # of n log2 n submissions
UNTIL_RIGHT = 2 * math.e * math.log(2)  # of n^2 submissions


def attacked(labels, partners, seed):
    """Run the library's attack, and return its first and last wrong labels and the number of submissions."""
    account = le.ParameterFreeLadder(labels)
    attack = le.partner_attack(account.submit, n=len(labels), partners=partners, rng=np.random.default_rng(seed))
    assert len(account.transcript) == len(attack.submissions)
    start, end = (np.flatnonzero(vector != labels) for vector in (attack.submissions[0], attack.predictions))
    return start.tolist(), end.tolist(), len(attack.submissions)


def followed(wrong, n, partners):
    """Return what the attack leaves wrong and how often it submits, by going through the wrong labels of the start."""
    left, label, submissions = [], 0, 1
    while label < n:
        beyond = min(label + partners, n - 1)
        following = [j for j in wrong if label < j <= beyond]
        if label in wrong and following:
            submissions += following[0] - label
            label = following[0] + 1
        else:
            submissions += beyond - label
            left += [label] if label in wrong else []
            label += 1
    return left, submissions


def test_what_the_attack_reads():
    """Wrong at the end are only labels that T right ones follow in the start, and perhaps its last wrong label.

    Through the library: 30 seeds for all n up to 12 and T up to 4, against the wrong labels of the start. The second
    kind is left just if an odd number of the others stays. No tolerance.
    """
    for n, partners, seed in product(range(1, 13), range(1, 5), range(30)):
        labels = np.random.default_rng([n, seed]).integers(0, 2, n)
        start, end, submissions = attacked(labels, partners, seed)
        assert (end, submissions) == followed(start, n, partners)
        isolated = [j for j in start if j + partners < n and not set(start) & set(range(j + 1, j + partners + 1))]
        assert set(end) <= {*isolated, *start[-1:]}
        assert isolated or len(end) == len(start) % 2


def run_law(n, partners):
    """Return the chance that a wrong label is followed by T right ones, in a sequence of n coins; exactly."""
    state = {None: Fraction(1)}  # right labels since the last wrong one
    hit = Fraction(0)
    for _ in range(n):
        following = {}
        for since, p in state.items():
            after = None if since is None else since + 1
            for key in (0, after):
                following[key] = following.get(key, 0) + p / 2
        hit += following.pop(partners, 0)
        state = following
    return hit


def test_probability_of_a_mistake():
    """A wrong label is followed by T right ones with probability at most (n - T)/2^(T+1), and hardly less.

    Exact chains for n up to 300. With T + 1 = ceil(log2(n/delta)) it is at most delta; with one partner less it
    can be above.
    """
    for n, partners in product((1, 2, 5, 20, 100, 300), range(1, 14)):
        bound = Fraction(max(n - partners, 0), 2 ** (partners + 1))
        assert run_law(n, partners) <= bound
        assert n < 100 or partners < 12 or run_law(n, partners) >= Fraction(98, 100) * bound
    for n, delta in product((20, 100, 300), (0.5, 0.05, 0.01)):
        assert run_law(n, math.ceil(math.log2(n / delta)) - 1) <= delta
    assert run_law(300, math.ceil(math.log2(300 / 0.3)) - 2) > 0.3


def mean_submissions(n, partners):
    """Return the mean number of submissions from a uniform start: a recursion over the labels that are left, floats.

    Of m labels left the first is right or wrong, each half the time; a wrong one is followed by t - 1 right ones and a
    wrong one with probability 2^-t. If it is followed by T right ones, these cost T submissions each, too, or what is
    left of the labels.
    """
    mean = np.zeros(n + 1)
    isolated = np.zeros(n + 1)  # the same when all labels left are right
    for m in range(1, n + 1):
        isolated[m] = isolated[m - 1] + min(partners, m - 1)
    for m in range(1, n + 1):
        tries = min(partners, m - 1)
        wrong = sum((t + mean[m - 1 - t]) / 2**t for t in range(1, tries + 1))
        after = m - 1 - tries
        wrong += (tries + isolated[m - 1] - isolated[after] + mean[after]) / 2**tries
        mean[m] = (tries + mean[m - 1] + wrong) / 2
    return 1 + mean[n]


def most_submissions(n, partners):
    """Return the theorem's bound on the mean."""
    t = partners
    return 1 + n * (t + 2 + (t * t - 2) / 2**t) / (4 - 2 ** (1 - t)) + t * (t - 1) / 2


def test_number_of_submissions():
    """The mean is at most 1 + n (T+2+(T^2-2)/2^T)/(4-2^(1-T)) + T(T-1)/2, about a quarter of n log2 n.

    The recursion for the mean against all starts for n up to 10, tolerance 1e-9, and 40 attacks through the library
    with n = 300, within four standard errors; and against the bound for n up to 5000, of which it is at least 97
    hundredths where n is at least 1000. There T + 1 = ceil(log2(n/delta)), delta = 1/20, and at n = 2^1000 the
    bound is a quarter of n log2 n but for a fortieth of it.
    """
    for n, partners in product(range(1, 11), range(1, 6)):
        every = [[j for j in range(n) if start[j]] for start in product((0, 1), repeat=n)]
        plain = sum(followed(wrong, n, partners)[1] for wrong in every) / 2**n
        assert mean_submissions(n, partners) == pytest.approx(plain, abs=1e-9)
        assert plain <= most_submissions(n, partners)
    labels = np.arange(300) % 3 == 0
    runs = np.array([attacked(labels, 12, seed)[2] for seed in range(40)])
    assert abs(runs.mean() - mean_submissions(300, 12)) <= 4 * runs.std(ddof=1) / math.sqrt(40)
    for n in (1000, 5000):
        partners = math.ceil(math.log2(n / 0.05)) - 1
        assert 0.97 <= mean_submissions(n, partners) / most_submissions(n, partners) <= 1
    assert abs(most_submissions(2**1000, 1004) / (SHARE * 2**1000 * 1000) - 1) < 1 / 40


def test_certainty_takes_all_pairs():
    """With two labels wrong only the flip of just these two is accepted, so each pair has to be tried.

    Every first vector, every pair and every second vector for n = 2 to 6, through the library. Without a pair that was
    not tried the release stays 2/n, and for n >= 4 the error below 1/2 - 1/n. No tolerance.
    """
    for n in range(2, 7):
        vectors = list(product((0, 1), repeat=n))
        for pair in combinations(range(n), 2):
            losses = tuple(int(j in pair) for j in range(n))
            for second in vectors:
                account = le.ParameterFreeLadder(np.zeros(n))
                assert account.submit(losses) == 2 / n
                accepted = account.submit(second) < 2 / n
                assert accepted == (not any(second))
        assert (abs(Fraction(2, n) - HALF) < HALF - Fraction(1, n)) == (n >= 4)


def falls(n, wrong):
    """Return the law of the fall when each of n labels is flipped with probability 1/n: {fall: probability}, floats."""
    law = {}
    for g, b in product(range(wrong + 1), range(n - wrong + 1)):
        if mcnemar(n, g, b, 1):
            flipped = g + b
            p = math.comb(wrong, g) * math.comb(n - wrong, b) * (n - 1) ** (n - flipped) / n**n
            law[g - b] = law.get(g - b, 0) + p
    return law


def mean_until_right(n):
    """Return the mean number of submissions until at most one label is wrong, for each number of them at first."""
    mean = [0.0, 0.0]
    for wrong in range(2, n + 1):
        law = falls(n, wrong)
        chance = sum(law.values())
        mean.append((1 + sum(p * mean[wrong - fall] for fall, p in law.items())) / chance)
    return mean


def test_without_the_points():
    """Flipping a set that holds each point with probability 1/n ends at most one label wrong, after O(n^2) submissions.

    A submission falls with probability at least w(w-1)/(2 e n^2), which is nearly attained at two wrong labels, and the
    mean number is at most 1 + 2 e ln 2 n^2: the exact chain for n up to 30, where it is above 3/4 of that. Then 30 runs
    through the library with n = 12, where the analyst's rules are functions of the features and not of the points;
    within four standard errors.
    """
    for n in (2, 3, 5, 10, 20, 30):
        for wrong in range(2, n + 1):
            assert sum(falls(n, wrong).values()) >= wrong * (wrong - 1) / (2 * math.e * n * n)
        assert (0 if n < 30 else 0.75) <= max(mean_until_right(n)) / (UNTIL_RIGHT * n * n) <= 1
    assert sum(falls(100, 2).values()) <= 1.02 / (math.e * 100 * 100)
    n, took, started = 12, [], []
    for rng in np.random.default_rng(29).spawn(30):
        labels, features = rng.integers(0, 2, n), rng.random((n, 20 * n * n))  # a fresh feature for each submission
        account = le.ParameterFreeLadder(labels)
        kept, lowest = [], account.submit(np.zeros(n, dtype=int))
        started.append(round(lowest * n))
        for t in range(20 * n * n):
            if lowest * n < 1.5:
                break

            def rule(x, flips=(*kept, t)):
                return sum(x[:, i] < 1 / n for i in flips) % 2

            released = account.submit(rule(features))
            if released < lowest:
                kept, lowest = [*kept, t], released
        took.append(len(account.transcript) - 1)
        assert lowest * n < 1.5
    exact = np.array(mean_until_right(n))
    expected = np.mean([exact[w] for w in started])
    assert abs(np.mean(took) - expected) <= 4 * np.std(took, ddof=1) / math.sqrt(30)
