"""Flipping blocks of labels, against every first file, and against the best that any attack can do on small boards."""

import math
import sys
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

sys.path.append(str(Path(__file__).parents[2] / "book"))
from pictures.boosting_attack import block_loss, lowest_loss, luckiest_loss


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
