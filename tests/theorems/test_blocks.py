"""Flipping blocks of labels, against every first file, and against the best that any attack can do on small boards.

Also how honest few scores are, and the attacks beside which the host's rule of thumb is printed.
"""

import math
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

sys.path.append(str(Path(__file__).parents[2] / "book"))
from pictures.boosting_attack import (
    best_known,
    block_loss,
    furthest,
    lowest_loss,
    luckiest_loss,
    weighed_loss,
)

import leaderboard_edu as le


@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 1), (5, 2), (7, 3), (8, 4), (9, 2), (10, 7), (6, 6)])
def test_blocks_on_every_file(n, k):
    """The better side of each block, counted for every file, leaves 1/2 - sum of b gamma_b / n, to rounding (1e-12)."""
    wrong = 0
    for file in product((0, 1), repeat=n):
        blocks = [[bit for i, bit in enumerate(file) if i * k // n == j] for j in range(k)]
        wrong += sum(min(sum(block), len(block) - sum(block)) for block in blocks)
    exact = Fraction(wrong, n * 2**n)
    assert block_loss(k, n) == pytest.approx(float(exact), abs=1e-12)


def most_right(n, k):
    """Return the share of right labels of the best attack with k exact losses, by trying all, on coin labels."""
    files = list(product((0, 1), repeat=n))

    @cache
    def best(possible, k):
        """Return the number of right labels that the best continuation gets, summed over the labels still possible."""
        if not k:
            return sum(max(ones, len(possible) - ones) for ones in map(sum, zip(*possible, strict=True)))
        values = []
        for file in files:
            answers = {}
            for labels in possible:
                answers.setdefault(sum(a != b for a, b in zip(file, labels, strict=True)), []).append(labels)
            values.append(sum(best(tuple(rest), k - 1) for rest in answers.values()))
        return max(values)

    return Fraction(best(tuple(files), k), n * 2**n)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_no_attack_beats_counting(n, k):
    """No attack beats the bound; blocks attain the best at k = 1 and miss it by 1/16 at n = 4, k = 2, 3."""
    least = float(1 - most_right(n, k))
    assert lowest_loss(k, n) <= least
    missed = 1 / 16 if n == 4 and k > 1 else 0
    assert block_loss(k, n) - least == pytest.approx(missed, abs=1e-12)


def halved(size, wrong):
    """Return what halves of a block can hold: the chance and wrong labels of the first half."""
    half = size // 2
    ways = [math.comb(half, c) * math.comb(size - half, wrong - c) for c in range(wrong + 1)]
    return [(Fraction(way, math.comb(size, wrong)), c) for c, way in enumerate(ways) if way]


@cache
def gain(size, wrong):
    """Return how many labels more are right, on average, after halving a block."""
    apart = (p * (min(c, size // 2 - c) + min(wrong - c, size - size // 2 - wrong + c)) for p, c in halved(size, wrong))
    return min(wrong, size - wrong) - sum(apart)


@cache
def halving(blocks, more):
    """Return the mean number of wrong labels after halving `more` times the block where this gains most."""
    if not more:
        return Fraction(sum(min(wrong, size - wrong) for size, wrong in blocks))
    size, wrong = max(blocks, key=lambda block: gain(*block))
    rest = list(blocks)
    rest.remove((size, wrong))
    halves = [(p, (size // 2, c), (size - size // 2, wrong - c)) for p, c in halved(size, wrong)]
    return sum(p * halving(tuple(sorted([*rest, *pair])), more - 1) for p, *pair in halves)


@pytest.mark.parametrize("k", range(4, 9))
def test_halving_beats_blocks(k):
    """Halving each time the block where this gains most leaves a smaller mean loss of 16 labels than k equal blocks."""
    least = sum(math.comb(16, c) * halving(((16, c),), k - 1) for c in range(17)) / Fraction(16 * 2**16)
    assert float(least) < block_loss(k, 16) - 1e-12


class FirstFile(np.random.Generator):
    """A generator that draws one given file."""

    def __init__(self, file):
        super().__init__(np.random.PCG64())
        self.file = np.array(file)

    def integers(self, *_):
        return self.file.copy()


@pytest.mark.parametrize("k", range(1, 9))
def test_halving_is_played(k):
    """Over every first file of eight labels the attack leaves what the exact recursion does, or less as it looks ahead.

    It asks k losses, from k = 4 on it is ahead of k equal blocks, and at k = 8 nothing is wrong.
    """
    labels = np.arange(8) % 2
    asked, wrong = [], 0
    for file in product((0, 1), repeat=8):
        board = le.FullDisclosure(labels)
        attack = le.block_attack(lambda u, b=board: asked.append(1) or b.submit(u), n=8, k=k, rng=FirstFile(file))
        wrong += np.count_nonzero(attack.predictions != labels)
    exact = sum(math.comb(8, c) * halving(((8, c),), k - 1) for c in range(9))
    assert len(asked) == k * 2**8
    assert wrong == exact if k < 4 else wrong < exact
    assert k < 4 or k == 8 or wrong < 8 * 2**8 * block_loss(k, 8)
    assert k < 8 or wrong == 0


@pytest.mark.parametrize("seed", range(5))
def test_least_squares_reads_all(seed):
    """With forty losses of twenty labels least squares has every label, and with one at least half of them."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 20)
    board = le.FullDisclosure(labels)
    asked = []
    attack = le.least_squares_attack(lambda u: asked.append(1) or board.submit(u), n=20, k=40, rng=rng)
    assert np.array_equal(attack.predictions, labels)
    assert len(asked) == 40
    assert np.count_nonzero(le.least_squares_attack(board.submit, n=20, k=1, rng=rng).predictions != labels) <= 10


@pytest.mark.parametrize("seed", range(2))
def test_coin_files_tell_every_label(seed):
    """Half as many coin files as labels, 4,000 of these, and their exact losses tell all; a quarter leaves a fifth."""
    rng = np.random.default_rng(seed)
    n = 4000
    labels = rng.integers(0, 2, n)
    board = le.FullDisclosure(labels)
    attack = le.message_passing_attack(board.submit, n=n, k=round(0.5 * n), rng=rng)
    assert np.array_equal(attack.predictions, labels)
    attack = le.message_passing_attack(board.submit, n=n, k=n // 4, rng=rng)
    assert np.mean(attack.predictions != labels) > 0.2


@pytest.mark.parametrize(("n", "k"), [(400, 4), (400, 40), (4000, 10), (4000, 100)])
def test_rule_of_thumb(n, k):
    """At these sizes our best attack gains between 85 % and 100 % of √(k/n)/2.

    The mean of 10,000/k attacks, to four standard errors; the gain of one, about χ_k/(2√n), has a standard deviation
    of at most about 1/(2√(2n)), and of its labels' luck no more.
    """
    gain = 0.5 - best_known(k, n, np.random.default_rng(n + k), 10_000 // k)
    error = 4 / (2 * math.sqrt(2 * n) * math.sqrt(10_000 // k))
    most = 0.5 * math.sqrt(k / n)
    assert 0.85 * most - error < gain < most + error


@pytest.mark.parametrize(("n", "m"), [(3, 2), (4, 2), (5, 3), (5, 10), (4, 50)])
def test_weighed_votes(n, m):
    """Two coin files, weighed by one half minus the loss that a rounding board shows: against all pairs of files.

    To four standard errors of 40,000 runs: a loss has a standard deviation of at most one half.
    """
    board = le.FullDisclosure([0] * n, precision=f"1/{m}")
    vectors = np.array(list(product((0, 1), repeat=n)))
    weight = [Fraction(1, 2) - Fraction(board.submit(vector)).limit_denominator(m) for vector in vectors]
    right = Fraction(0)
    for (first, u), (second, v) in product(zip(weight, vectors, strict=True), repeat=2):
        for one, other in zip(u, v, strict=True):
            lead = first * (1 - 2 * int(one)) + second * (1 - 2 * int(other))
            right += Fraction((lead > 0) + (lead >= 0), 2)
    gain = float(right / (4**n * n) - Fraction(1, 2))
    rng = np.random.default_rng(n + m)
    assert 0.5 - weighed_loss(2, n, m, rng, runs=40_000) == pytest.approx(gain, abs=4 * 0.5 / 200)


@pytest.mark.parametrize(("k", "values"), [(1, 2), (2, 5), (3, 4), (5, 3)])
def test_few_scores(k, values):
    """An analyst's files are counted by listing what it may have heard before; the union bound is then 1/20."""
    files = sum(1 for t in range(k) for _ in product(range(values), repeat=t))
    for n in (100, 4000):
        assert le.union_bound(furthest(k, n, values), n=n, k=files) == pytest.approx(0.05, rel=1e-9)
        assert furthest(k, n) == furthest(k, n, values=n + 1)
    assert furthest(k, 100, values, delta=0.01) > furthest(k, 100, values)


@pytest.mark.parametrize("k", [2, 3])
def test_only_so_many_files(k):
    """Whatever three labels are, an analyst who sends something new after each answer sends no more files than that.

    Here one whose answers are counts, as 4 values, among whose files all that could occur are counted.
    """
    rng = np.random.default_rng(k)
    sends = {}
    for labels in product((0, 1), repeat=3):
        heard = ()
        for _ in range(k):
            file = sends.setdefault(heard, tuple(rng.integers(0, 2, 3)))
            heard += (sum(a != b for a, b in zip(file, labels, strict=True)),)
    assert k < len(sends) <= sum(4**t for t in range(k))


def test_counting_is_sharp():
    """Who hears which of (n+1)^k random files is the best, as k answers of n+1 values can say, gains 97 % of the bound.

    The exact mean of the smallest loss, for a million labels and k = 10.
    """
    n, k = 10**6, 10
    tail = binom.cdf(np.arange(n), n, 0.5)
    with np.errstate(divide="ignore"):
        smallest = np.sum(np.exp((n + 1.0) ** k * np.log1p(-tail))) / n
    assert lowest_loss(k, n) <= smallest <= 0.5 - 0.97 * (0.5 - lowest_loss(k, n))


def test_final_files():
    """The bound counts (n+1)^k files, in whole numbers; to rounding (1e-12), and never below 0."""
    for n, k in ((10, 1), (1000, 3), (4000, 10)):
        assert lowest_loss(k, n) == pytest.approx(0.5 - math.sqrt(math.log((n + 1) ** k) / (2 * n)), abs=1e-12)
    assert lowest_loss(2000, 4000) == 0


@pytest.mark.parametrize(("n", "k"), [(1, 3), (3, 2), (4, 3)])
def test_luckiest_file(n, k):
    """The mean of the smallest loss over every list of k files, to rounding (1e-12)."""
    counts = [sum(file) for file in product((0, 1), repeat=n)]
    exact = Fraction(sum(min(tried) for tried in product(counts, repeat=k)), n * 2 ** (n * k))
    assert luckiest_loss(k, n) == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("n", [2, 10, 37, 100, 1000])
def test_blocks_against_ranks(n):
    """Blocks beat the ranks' loss 1/2 - (k-1)/(2n) for k = 2 to n, from n/2 on by a single submission, to 1e-12."""
    for k in range(2, n + 1):
        assert block_loss(k, n) < 0.5 - (k - 1) / (2 * n) - 0.9 / (2 * n)
        if k >= n / 2:
            assert block_loss(k, n) == pytest.approx(0.5 - k / (2 * n), abs=1e-12)


def play_tests(truth, k):
    """Return the guesses that end an attack by tests on a Ladder, whose first labels are known."""
    n, width, u = 48, 4, len(truth)
    labels = np.append(np.zeros(n - u, dtype=int), truth)
    mine = np.append(np.ones(n - u, dtype=int), np.zeros(u, dtype=int))
    end, wrong = mine.copy(), int(np.sum(mine != labels))
    board = le.Ladder(labels, eta=Fraction(width, n))
    shown = board.submit(mine)
    for block in np.array_split(np.arange(n - u, n), k):
        file = mine.copy()
        file[: wrong - width * (round(n // width * shown) - 1)] ^= 1
        file[block] ^= 1
        now = board.submit(file)
        end[block] ^= now < shown
        shown = now
    return end[n - u :]


@pytest.mark.parametrize(("u", "k"), [(3, 1), (4, 1), (5, 2), (8, 3), (9, 4)])
def test_tests_at_borders_of_a_ladder(u, k):
    """For all labels, they right as many guesses in the mean as blocks with exact scores: sum of b gamma_b, exactly."""
    truths = [np.array(bits) for bits in product((0, 1), repeat=u)]
    right = sum(int(np.sum(play_tests(truth, k) == truth)) for truth in truths)
    sizes = [len(block) for block in np.array_split(np.arange(u), k)]
    gained = sum(Fraction(b * math.comb(b - 1, b // 2), 2**b) for b in sizes)
    assert Fraction(right, 2**u) - Fraction(u, 2) == gained
    assert gained <= math.sqrt(math.log(2) / 2 * k * u)


@pytest.mark.parametrize(("u", "k"), [(3, 1), (4, 1), (4, 2), (5, 2)])
def test_no_answers_of_yes_or_no_right_more(u, k):
    """Whatever k answers mean, they choose among 2^k files: the best of all such sets stays below the bound."""
    files = np.array(list(product((0, 1), repeat=u)))
    agree = np.sum(files[:, None] == files, axis=2)
    best = max(agree[list(chosen)].max(0).mean() for chosen in combinations(range(2**u), 2**k)) - u / 2
    assert best <= math.sqrt(math.log(2) / 2 * k * u)
    sizes = [len(block) for block in np.array_split(np.arange(u), k)]
    assert best >= sum(b * math.comb(b - 1, b // 2) / 2**b for b in sizes)


def test_the_bound_on_yes_and_no_is_nearly_reached():
    """By the best of 2^k coin files, which k answers can name: more than nine tenths of the bound."""
    k, u = 40, 4000
    below = 2.0**k * binom.logcdf(np.arange(u + 1), u, 0.5)
    mean = np.sum(-np.expm1(below))
    bound = math.sqrt(math.log(2) / 2 * k * u)
    assert 0.92 * bound < mean - u / 2 < bound
