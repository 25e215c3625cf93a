"""Plain exact arithmetic for the theorem tests to compare with. Nothing here comes from the library."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, floor

import numpy as np

HALF = Fraction(1, 2)
KEEPS = ("aligned", "half")
PRECISIONS = (None, 1, 2, 3, 4, 5, 10)


def binomial_tail(n: int, p: Fraction, epsilon: Fraction) -> Fraction:
    """Return P(abs(Bin(n, p)/n - p) >= epsilon)."""
    a, b = p.numerator, p.denominator
    weight = sum(comb(n, j) * a**j * (b - a) ** (n - j) for j in range(n + 1) if abs(Fraction(j, n) - p) >= epsilon)
    return Fraction(weight, b**n)


def majority(k: int, p: Fraction) -> Fraction:
    """Return P(Bin(k, p) > k/2) + P(Bin(k, p) = k/2)/2."""
    a, b = p.numerator, p.denominator
    halves = sum(((2 * j > k) + (2 * j >= k)) * comb(k, j) * a**j * (b - a) ** (k - j) for j in range(k + 1))
    return Fraction(halves, 2 * b**k)


def is_kept(wrong: int, n: int, m: int | None) -> bool:
    """Say whether a submission with `wrong` of `n` labels wrong, rounded half up to 1/m, shows at most 1/2."""
    loss = Fraction(wrong, n)
    return loss <= HALF if m is None else Fraction(floor(loss * m + HALF), m) <= HALF


def sign_of_votes(wrong: int, n: int, keep: str, m: int | None) -> int:
    """Return what a submission votes with: 1 as it is, -1 flipped, 0 not at all."""
    return 1 if is_kept(wrong, n, m) else -1 if keep == "aligned" else 0


def vote_counts(n: int, keep: str, m: int | None = None) -> dict[int, int]:
    """Count, among all 2**n submissions, those whose vote on one label is right (1), wrong (-1) or absent (0)."""
    counts = {1: 0, -1: 0, 0: 0}
    for wrong_here, others in product((0, 1), range(n)):
        counts[(1 - 2 * wrong_here) * sign_of_votes(wrong_here + others, n, keep, m)] += comb(n - 1, others)
    return counts


def pair_counts(n: int, keep: str, m: int | None = None) -> dict[tuple[int, int], int]:
    """Count, among all 2**n submissions, the pairs of votes on two labels."""
    counts: dict[tuple[int, int], int] = {}
    for first, second, others in product((0, 1), (0, 1), range(n - 1)):
        sign = sign_of_votes(first + second + others, n, keep, m)
        votes = ((1 - 2 * first) * sign, (1 - 2 * second) * sign)
        counts[votes] = counts.get(votes, 0) + comb(n - 2, others)
    return counts


def accuracies(n: int, k: int, keep: str, m: int | None = None) -> Iterator[Fraction]:
    """Yield the chance that one label of the majority is right after 1, ..., k submissions, a tie counted half."""
    counts, tally = vote_counts(n, keep, m), {0: 1}
    for t in range(1, k + 1):
        following: dict[int, int] = {}
        for total, ways in tally.items():
            for vote, count in counts.items():
                following[total + vote] = following.get(total + vote, 0) + ways * count
        tally = following
        halves = sum(((total > 0) + (total >= 0)) * ways for total, ways in tally.items())
        yield Fraction(halves, 2 * 2 ** (n * t))


def sign_products(n: int, k: int, keep: str) -> Iterator[Fraction]:
    """Yield E[s s'] after 1, ..., k submissions: s is 1 or -1 as a label of the majority is right, a tie by a coin."""
    counts, tally = pair_counts(n, keep), {(0, 0): 1}
    for t in range(1, k + 1):
        following: dict[tuple[int, int], int] = {}
        for (first, second), ways in tally.items():
            for votes, count in counts.items():
                total = (first + votes[0], second + votes[1])
                following[total] = following.get(total, 0) + ways * count
        tally = following
        product_of_signs = sum(int(np.sign(first) * np.sign(second)) * ways for (first, second), ways in tally.items())
        yield Fraction(product_of_signs, 2 ** (n * t))


def enumerated_accuracy(n: int, k: int, keep: str, m: int | None = None) -> Fraction:
    """Run the attack on zero labels with each of the 2**(n k) lists of submissions and average the accuracy."""
    submissions = np.array(list(product((0, 1), repeat=n)))
    signs = np.array([sign_of_votes(int(row.sum()), n, keep, m) for row in submissions])
    votes_for_zero = (1 - 2 * submissions) * signs[:, None]
    tally = np.zeros((1, n), dtype=int)
    for _ in range(k):
        tally = (tally[:, None, :] + votes_for_zero[None, :, :]).reshape(-1, n)
    halves = int(2 * np.count_nonzero(tally > 0) + np.count_nonzero(tally == 0))
    return Fraction(halves, 2 * n * 2 ** (n * k))
