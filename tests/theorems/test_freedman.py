"""Scores without signal, the paired-test Ladder's level and records, and adding a feature by residuals."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import t as student

import leaderboard_edu as le

FACTOR = 4  # of the variance of a permuted score


def scaled(values):
    """Return values with mean 0 and variance 1, denominator n - 1."""
    values = np.asarray(values, dtype=float)
    return (values - values.mean()) / values.std(ddof=1)


def all_permutations(values):
    """Return every order of the values, a row each."""
    return np.array(list(permutations(values)))


@pytest.mark.parametrize("n", [2, 3, 6])
def test_permuted_score(n):
    """A permuted response gives a score mean (n-1)/n + mean p² and variance 4 Σ(p - mean)²/n², a correlation 1/(n-1).

    Compared with every permutation of n values, for ten random predictions. Tolerance 1e-12: rounding.
    """
    rng = np.random.default_rng(n)
    for p in rng.normal(size=(10, n)):
        every = all_permutations(scaled(rng.normal(size=n)))
        scores = ((p - every) ** 2).mean(axis=1)
        assert abs(scores.mean() - ((n - 1) / n + (p**2).mean())) < 1e-12
        assert abs(scores.var() - FACTOR * ((p - p.mean()) ** 2).sum() / n**2) < 1e-12
        correlations = every @ scaled(p) / (n - 1)
        assert abs(correlations.mean()) < 1e-12
        assert abs(correlations.var() - 1 / (n - 1)) < 1e-12


@pytest.mark.parametrize(("n0", "n"), [(3, 3), (5, 4), (4, 5), (5, 5)])
def test_one_feature(n0, n):
    """The regression on one feature, fitted on the training set, is expected to score (n-1)/n · n0/(n0-1).

    Every permutation of the training response, and of the public one, through the library. Tolerance 1e-12: rounding.
    """
    rng = np.random.default_rng(n0)
    x, z, y, labels = (scaled(rng.normal(size=size)) for size in (n0, n, n0, n))
    scores = [
        le.METRICS["mse"](
            le.linear_predictions(le.Sample(x[:, None], np.array(trained)), z[:, None], columns=[0]), np.array(public)
        )
        for trained, public in product(permutations(y), list(permutations(labels)))
    ]
    assert abs(np.mean(scores) - (n - 1) / n * n0 / (n0 - 1)) < 1e-12


def test_difference_without_board():
    """Without a look at the board, public minus final error is on average the difference of the mean squares.

    Every permutation of both responses, n = 5 and n = 4, so the scores of the mean differ by 1/4 - 1/5 as well.
    Tolerance 1e-12: rounding.
    """
    rng = np.random.default_rng(1)
    p, q = rng.normal(size=5), rng.normal(size=4)
    public = ((p - all_permutations(scaled(rng.normal(size=5)))) ** 2).mean()
    final = ((q - all_permutations(scaled(rng.normal(size=4)))) ** 2).mean()
    expected = (p**2).mean() - (q**2).mean() + 1 / 4 - 1 / 5
    assert abs(public - final - expected) < 1e-12


@pytest.mark.parametrize("alpha", [0.01, 0.15, 0.5])
@pytest.mark.parametrize("n", [3, 20])
def test_level(n, alpha):
    """Two submissions fixed in advance, with normal differences of losses and mean 0, are told apart at level alpha.

    40 000 vectors of gains, of which 2000 go through the library; four standard errors of the shares. Against a label
    of 0 the losses of the first submission are large constants, from which those of the second deviate by the gains.
    """
    rng = np.random.default_rng(n)
    accepted, boards = 0, 40_000
    c = student.isf(alpha, n - 1)
    gains = rng.normal(size=(boards, n))
    decisions = gains.mean(axis=1) > c * gains.std(axis=1, ddof=1) / math.sqrt(n)
    for gain, decision in zip(gains[:2000], decisions, strict=False):
        board = le.PairedTestLadder(np.zeros(n), alpha=alpha)
        board.submit(np.sqrt(np.full(n, 100.0)))
        board.submit(np.sqrt(100.0 - gain))
        accepted += board.accepted == 2
        assert (board.accepted == 2) == decision
    share = decisions.mean()
    assert abs(share - alpha) <= 4 * math.sqrt(alpha * (1 - alpha) / boards)
    assert abs(accepted / 2000 - alpha) <= 4 * math.sqrt(alpha * (1 - alpha) / 2000)


def test_records():
    """At alpha = 1/2 exchangeable submissions are accepted 1 + 1/2 + … + 1/k times on average.

    Every order of k = 1 to 6 different losses, through the library; an equality of fractions. It is below 1 + ln k.
    """
    for k in range(1, 7):
        total = 0
        for order in permutations(range(1, k + 1)):
            board = le.PairedTestLadder([0, 0], alpha=0.5)
            for guess in order:
                board.submit([guess, 0])
            total += board.accepted
        harmonic = sum(Fraction(1, t) for t in range(1, k + 1))
        assert Fraction(total, math.factorial(k)) == harmonic
        assert k == 1 or harmonic < 1 + math.log(k)


def small_data(rng, *, n0=12, n=8, p=7):
    """Return sets whose response depends on the first two features; the last is the sum of these two."""
    sets = []
    for size in (n0, n, n):
        x = rng.normal(size=(size, p))
        x[:, -1] = x[:, 0] + x[:, 1]
        x -= x.mean(axis=0)
        sets.append(le.Sample(x, scaled(3 * x[:, 0] - 2 * x[:, 1] + rng.normal(size=size))))
    return le.ChallengeData(*sets)


def test_frisch_waugh_lovell():
    """Adding a feature by residuals gives the predictions of the regression on all features.

    The step-forward simulation, which works on residuals, has the errors of least-squares fits on its selected
    features, and each release of the strict Ladder is the rounded loss of such a fit. Twenty data sets with a
    redundant feature; tolerance 1e-9: rounding.
    """
    for child in np.random.default_rng(2).spawn(20):
        data = small_data(child)
        run = le.simulate_step_forward(data, iterations=6, alpha=0.5)
        for s in range(1, len(run.selected) + 1):
            for sample, errors in ((data.public, run.public), (data.final, run.final)):
                fit = le.linear_predictions(data.training, sample.features, columns=run.selected[:s])
                assert abs(np.mean((fit - sample.response) ** 2) - errors[s - 1]) < 1e-9
        board = le.PairedTestLadder(data.public.response, alpha=0.5)
        le.step_forward_attack(board.submit, training=data.training, features=data.public.features, iterations=6)
        released = [shown for _, shown in board.transcript]
        assert released == pytest.approx(np.concatenate(run.released).tolist(), abs=1e-9)


def test_number_of_submissions():
    """I iterations of the step-forward attack make pI - I(I-1)/2 submissions, and it stops where nothing changed.

    Counted on boards that lower their release at a known submission of each iteration, for all p up to 6; a board
    that stands still after the first iteration gets p + (p - 1) submissions and one feature is selected.
    """
    for p in range(1, 7):
        training = le.Sample(np.random.default_rng(p).normal(size=(8, p)), np.arange(8.0))
        for iterations in range(1, p + 1):
            shown = iter(range(10**6, 0, -1))
            attack = le.step_forward_attack(
                lambda _, s=shown: next(s), training=training, features=np.eye(p), iterations=iterations
            )
            assert len(attack.submissions) == p * iterations - iterations * (iterations - 1) // 2
            assert attack.selected == tuple(range(p - 1, p - 1 - iterations, -1))
        attack = le.step_forward_attack(lambda _: 1.0, training=training, features=np.eye(p), iterations=p)
        assert len(attack.submissions) == p + (p - 1)
        assert attack.selected == (0,)
