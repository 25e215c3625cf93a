"""LadderBoot: the law of a release, signal and noise at a jump, averaging, a fixed seed, and the start."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

import leaderboard_edu as le

FOURTH = 3  # the fourth moment of a standard normal


def squares(losses):
    """Return predictions whose squared losses against labels of 0 are the given ones."""
    return np.sqrt(np.asarray(losses, dtype=float))


def release_law(losses, b):
    """Return the law of a release over b resamples, by listing all draws; fractions."""
    draws = b * len(losses)
    values = Counter(Fraction(sum(drawn), draws) for drawn in product(losses, repeat=draws))
    return {value: Fraction(count, len(losses) ** draws) for value, count in values.items()}


@pytest.mark.parametrize(("losses", "b"), [((0, 1, 4), 1), ((0, 1, 4), 2), ((2, 2), 3), ((0, 9), 4)])
def test_release_law(losses, b):
    """A release has mean the mean loss and variance s²/(bn) exactly, s² with denominator n.

    Compared in fractions with the law that lists all draws, and with 4000 releases of the mechanism: their mean and
    variance lie within four standard errors, which come from the exact law's second and fourth moments.
    """
    n = len(losses)
    law = release_law(losses, b)
    mean = Fraction(sum(losses), n)
    variance = sum((loss - mean) ** 2 for loss in losses) / n / (b * n)
    assert sum(value * p for value, p in law.items()) == mean
    assert sum((value - mean) ** 2 * p for value, p in law.items()) == variance
    board = le.LadderBoot(np.zeros(n), n_bootstrap=b, rng=np.random.default_rng(b))
    shown = np.array([board.submit(squares(losses)) for _ in range(4000)])
    assert abs(shown.mean() - mean) <= 4 * math.sqrt(variance / 4000) + 1e-12
    fourth = float(sum((value - mean) ** 4 * p for value, p in law.items()))
    error = math.sqrt(max(fourth - float(variance) ** 2, 0) / 4000)
    assert abs(((shown - float(mean)) ** 2).mean() - variance) <= 4 * error + 1e-12


def test_average_is_more_resamples():
    """The average of T releases with b resamples has the law of one release with bT.

    Laws of two losses, as fractions: T-fold convolutions against the list of all draws. Then through the attack: the
    averages of 20 repetitions at b = 1 have the spread of b = 20, within four standard errors of 1500 normal averages.
    """
    for b, repeats in ((1, 2), (1, 3), (2, 2)):
        law = release_law((0, 3), b)
        sums = {Fraction(0): Fraction(1)}
        for _ in range(repeats):
            convolved = Counter()
            for (x, p), (y, q) in product(sums.items(), law.items()):
                convolved[x + y] += p * q
            sums = convolved
        assert {value / repeats: p for value, p in sums.items()} == release_law((0, 3), b * repeats)
    labels = np.random.default_rng(1).normal(size=30)
    board = le.LadderBoot(labels, n_bootstrap=1, rng=np.random.default_rng(2))
    means = []

    def submit(_):
        return board.submit(np.zeros(30))

    for _ in range(1500):
        attack = le.averaging_attack(
            submit,
            training=le.Sample(np.arange(4.0)[:, None], np.arange(4.0)),
            features=np.zeros((30, 1)),
            iterations=1,
            repeats=20,
            accepted=lambda: 1,
        )
        assert len(attack.submissions) == 20 == len(board.transcript) - 20 * len(means)
        means.append(np.mean([shown for _, shown in board.transcript[-20:]]))
    spread = (labels**2).std() / math.sqrt(20 * 30)
    assert abs(np.std(means) / spread - 1) <= 4 / math.sqrt(2 * 1500)


def test_the_attack_takes_the_average():
    """Three features, three releases of each: the means last change at the second, nothing else of them does."""
    shown = iter([1, 1, 1, 0, 0.25, 1.25, 0.5, 0.5, 0.5])
    attack = le.averaging_attack(
        lambda _: next(shown),
        training=le.Sample(np.random.default_rng(0).normal(size=(6, 3)), np.arange(6.0)),
        features=np.zeros((4, 3)),
        iterations=1,
        repeats=3,
    )
    assert attack.selected == (1,)


def test_signal():
    """An accepted submission lowers the mean of the releases by over c √b sd/s standard deviations of them.

    2000 random pairs of loss vectors, four sizes: whenever LadderBoot accepts, the fall exceeds the bound, and
    whenever it refuses, it does not. So the bound is the least that can be said.
    """
    rng = np.random.default_rng(3)
    decisions = Counter()
    for n, b, alpha in ((5, 1, 0.15), (20, 10, 0.15), (20, 100, 0.01), (50, 7, 0.4)):
        c = student.isf(alpha, n - 1)
        for _ in range(500):
            last, new = rng.exponential(size=n), rng.exponential(size=n)
            board = le.LadderBoot(np.zeros(n), alpha=alpha, n_bootstrap=b, rng=rng)
            board.submit(squares(last))
            board.submit(squares(new))
            fall = (last.mean() - new.mean()) / (last.std() / math.sqrt(b * n))
            bound = c * math.sqrt(b) * (last - new).std(ddof=1) / last.std()
            decisions[board.accepted] += 1
            assert (board.accepted == 2) == (fall > bound)
    assert min(decisions.values()) > 100


def test_normal_noise():
    """Squared normal residuals have variance 2 σ⁴, so the noise is √(2/(bn)) times the error.

    The moments by numerical integration, tolerance 1e-8; then the spread of 2000 releases for 4000 residuals, quantiles
    of the normal law, within four standard errors, 1/√4000 each; 4000 quantiles bring s within .003 of the law's.
    """
    sigma = 1.7
    fourth = norm(scale=sigma).expect(lambda e: e**4)
    assert abs(fourth - FOURTH * sigma**4) < 1e-8
    assert abs(fourth - sigma**4 - 2 * sigma**4) < 1e-8
    rng = np.random.default_rng(4)
    residuals = sigma * norm.ppf((np.arange(4000) + 0.5) / 4000)
    board = le.LadderBoot(np.zeros(4000), n_bootstrap=3, rng=rng)
    shown = [board.submit(residuals) for _ in range(2000)]
    predicted = math.sqrt(2 / (3 * 4000)) * np.mean(residuals**2)
    assert abs(np.std(shown) / predicted - 1) <= 4 / math.sqrt(4000) + 0.003


def test_better_need_not_be_quieter():
    """A prediction with the smaller error can have the larger noise: it is s that counts.

    Two loss vectors, an inequality of exact standard deviations, and equal losses are released without noise.
    """
    one_large, equal = np.r_[np.zeros(99), 40.0], np.full(100, 0.5)
    assert one_large.mean() < equal.mean()
    assert one_large.std() > equal.std() == 0
    board = le.LadderBoot(np.zeros(100), n_bootstrap=1, rng=np.random.default_rng(5))
    assert {board.submit(squares(equal)) for _ in range(10)} == {board.submit(squares(equal))}


class FixedSeed(le.LadderBoot):
    """LadderBoot that draws the same resamples every time."""

    def _show(self, losses):
        self._rng = np.random.default_rng(99)
        return super()._show(losses)


def test_fixed_seed():
    """With a seed that never changes the release changes at acceptances and nowhere else.

    100 boards of 30 random submissions. Each release is the same weighted mean of the last accepted losses, the
    weights being what the board releases for unit losses; tolerance 1e-12: rounding.
    """
    rng = np.random.default_rng(6)
    probe = [FixedSeed(np.zeros(8), n_bootstrap=2, rng=rng).submit(squares(unit)) for unit in np.eye(8)]
    for _ in range(100):
        board = FixedSeed(np.zeros(8), n_bootstrap=2, rng=rng)
        last, before = None, None
        for losses in rng.exponential(size=(30, 8)):
            accepted = board.accepted
            released = board.submit(squares(losses))
            assert (released != before) == (board.accepted > accepted)
            last = losses if board.accepted > accepted else last
            assert abs(released - np.dot(probe, last)) < 1e-12
            before = released


def test_first_submission():
    """The first submission is accepted whatever it is; a board that starts from losses of 0 accepts nothing.

    100 random sequences of ten submissions for each of three levels; the same sequences, so the start makes the
    difference.
    """
    rng = np.random.default_rng(7)
    for alpha in (0.01, 0.15, 0.5):
        for losses in rng.exponential(size=(100, 10, 5)):
            board, printed = (le.LadderBoot(np.zeros(5), alpha=alpha, n_bootstrap=100, rng=rng) for _ in range(2))
            board.submit(squares(losses[0]))
            assert board.accepted == 1
            printed.submit(np.zeros(5))  # losses of 0
            assert {printed.submit(squares(one)) for one in losses} == {0.0}
            assert printed.accepted == 1


def test_refusing_repetitions_is_no_cure():
    """Different submissions that are not accepted average the noise of the last accepted losses away.

    2000 unrelated submissions to a board that refuses what is nearer than 1: none is refused, and the mean of their
    releases lies within four standard errors, s/sqrt(bnT), of the exact score.
    """
    rng = np.random.default_rng(8)
    labels = rng.normal(size=30)
    board = le.RefuseRepeats(le.LadderBoot(labels, n_bootstrap=1, rng=rng), distance=1)
    losses = (rng.normal(size=30) / 2) ** 2
    board.submit(labels + squares(losses))
    shown = [board.submit(10 * rng.normal(size=30)) for _ in range(2000)]
    assert abs(np.mean(shown) - losses.mean()) <= 4 * losses.std() / math.sqrt(30 * 2000)


def simulated(seed):
    """Return a small challenge."""
    rng = np.random.default_rng(seed)
    return le.split_sample(*le.simulate_design(n=75, p=40, rng=rng), rng=rng)


@pytest.mark.parametrize("n_bootstrap", [None, 100])
def test_a_fresh_account_for_each_iteration(n_bootstrap):
    """With a fresh account each iteration selects what the first would on what is left, whatever was accepted before.

    The simulation against a new mechanism for each iteration: regressions, releases and the search for the last jump
    one by one. Three challenges, three iterations; tolerance 1e-9 for the releases: rounding.
    """
    for data in map(simulated, range(3)):
        run = le.simulate_step_forward(
            data, iterations=3, n_bootstrap=n_bootstrap, rng=np.random.default_rng(9), fresh_accounts=True
        )
        draws, chosen = np.random.default_rng(9), []
        for found in run.released:
            board = (
                le.PairedTestLadder(data.public.response)
                if n_bootstrap is None
                else le.LadderBoot(data.public.response, n_bootstrap=n_bootstrap, rng=draws)
            )
            left = [j for j in range(40) if j not in chosen]
            released = [
                board.submit(le.linear_predictions(data.training, data.public.features, columns=[*chosen, j]))
                for j in left
            ]
            assert len(found) == len(released)
            assert np.abs(found - released).max() < 1e-9
            chosen.append(left[le.last_jump(released, jumps=n_bootstrap and board.accepted)])
        assert run.selected == tuple(chosen)
        assert len(chosen) == 3


@pytest.mark.parametrize("share", ["1/3", "1/2", "2/3"])
def test_told_a_share(share):
    """Told a share of the submissions accepted in an iteration, rounded up, the attack looks for as many jumps.

    The simulation against the attack on the board with an oracle that counts in fractions. Two challenges, four
    iterations at level 1/2, 10,000 resamples.
    """
    for data in map(simulated, (1, 2)):
        board = le.LadderBoot(data.public.response, alpha=0.5, n_bootstrap=10_000, rng=np.random.default_rng(9))
        counts = [0, 0]

        def accepted(board=board, counts=counts):
            counts[1] += math.ceil(Fraction(share) * (board.accepted - counts[0]))
            counts[0] = board.accepted
            return counts[1]

        attack = le.step_forward_attack(
            board.submit, training=data.training, features=data.public.features, iterations=4, accepted=accepted
        )
        run = le.simulate_step_forward(
            data,
            iterations=4,
            alpha=0.5,
            n_bootstrap=10_000,
            rng=np.random.default_rng(9),
            told=float(Fraction(share)),
        )
        assert run.selected == attack.selected
        assert len(run.selected) > 1
