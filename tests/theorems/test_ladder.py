"""The two Ladders: every decision, how often they release, and how close they stay to the best loss so far."""

from fractions import Fraction
from itertools import product
from math import floor

import numpy as np
import pytest
from exact import HALF
from hypothesis import given, settings
from hypothesis import strategies as st

import leaderboard_edu as le

LADDERS = {"ladder": le.Ladder, "simplified": le.SimplifiedLadder}
MOST_CHANGES = {"ladder": lambda m: m, "simplified": lambda m: m + 1}
UPPER = {"ladder": Fraction(1), "simplified": HALF}  # of the invariant, in steps of eta
LOWER = HALF


def rounded(x, m):
    """Return a rational rounded half up to multiples of 1/m."""
    return Fraction(floor(x * m + HALF), m)


def decide(name, best, loss, m):
    """Return the release that follows `best`, with rational numbers, as the papers' boxes have it for losses."""
    margin = Fraction(1, m) if name == "ladder" else 0
    return rounded(loss, m) if best is None or loss < best - margin else best


def play(name, counts, n, m):
    """Submit vectors with these counts of wrong labels and return the releases, floats j/m, as rationals."""
    account = LADDERS[name](np.zeros(n), eta=Fraction(1, m))
    released = [account.submit(np.arange(n) < wrong) for wrong in counts]
    assert all(shown == round(shown * m) / m for shown in released)
    return [Fraction(round(shown * m), m) for shown in released]


@pytest.mark.parametrize("name", LADDERS)
def test_decisions(name):
    """Both Ladders decide as rational arithmetic does, for every count of wrong labels and every best so far.

    The whole grid for every m up to 20 and n = m, 2 m and 40: a first submission brings the account to each
    level, a second has each count. Zheng's rule, "below the last release", must equal the library's minimum.
    No tolerance.
    """
    for m in range(1, 21):
        for n in {m, 2 * m, 40}:
            first = {rounded(Fraction(c, n), m): c for c in range(n + 1)}
            for best, wrong in product(first, range(n + 1)):
                expected = [best, decide(name, best, Fraction(wrong, n), m)]
                assert play(name, [first[best], wrong], n, m) == expected


def test_ties_are_refused():
    """At a loss of exactly R - eta the Ladder refuses and plain floats err: 0.7 < 0.8 - 0.1 is true. No tolerance.

    All ties c/n = (j - 1)/m with m from 2 to 20 and n = m; the float rule accepts some of them, the library none.
    """
    accepted_by_floats = []
    for m in range(2, 21):
        for j in range(1, m + 1):
            assert play("ladder", [j, j - 1], m, m) == [Fraction(j, m)] * 2
            if (j - 1) / m < j / m - 1 / m:
                accepted_by_floats.append((m, j))
    assert (10, 8) in accepted_by_floats


def test_grid():
    """With eta = 1/m there are m + 1 releases, all within [0, 1]; other steps have floor(1/eta + 1/2) + 1, some above.

    The first releases over all counts, for m up to 12 and n = m to 2 m; then all steps p/q with q up to 30, over
    enough losses to meet every rounding cell: the largest value is within [0, 1] just if the fractional part of 1/eta
    is below 1/2; it is 1.05 for eta = .35 and 1.2 for eta = .6. No tolerance.
    """
    for m in range(1, 13):
        for n in range(m, 2 * m + 1):
            assert {play("ladder", [c], n, m)[0] for c in range(n + 1)} == {Fraction(j, m) for j in range(m + 1)}
    largest = {}
    for q in range(1, 31):
        for eta in {Fraction(p, q) for p in range(1, q + 1)}:
            values = {floor(Fraction(c, 2 * q) / eta + HALF) * eta for c in range(2 * q + 1)}
            assert len(values) == floor(1 / eta + HALF) + 1
            largest[eta] = max(values)
            assert (largest[eta] <= 1) == ((1 / eta) % 1 < HALF)
            if eta.numerator > 1:
                with pytest.raises(ValueError, match="must be 1/m"):
                    le.Ladder([0, 1], eta=eta)
    assert (largest[Fraction("0.35")], largest[Fraction("0.6")]) == (Fraction("1.05"), Fraction("1.2"))


def test_algorithms_differ():
    """Losses .50, .44, .39, .34 at eta = 1/10: Algorithm 1 releases .5 .5 .4 .4, the simplified .5 .4 .4 .3."""
    counts = (50, 44, 39, 34)
    assert play("ladder", counts, 100, 10) == [Fraction(j, 10) for j in (5, 5, 4, 4)]
    assert play("simplified", counts, 100, 10) == [Fraction(j, 10) for j in (5, 4, 4, 3)]


def test_simplified_is_the_rounded_minimum():
    """The simplified Ladder releases the rounded minimum of the losses so far, whichever way ties are rounded.

    All sequences of three counts of n = 6 labels, m up to 5; the rule "below the last release" with rounding
    half up, half down, up and down, and for half up also the library. No tolerance.
    """
    rules = {
        "half up": rounded,
        "half down": lambda x, m: Fraction(-floor(HALF - x * m), m),
        "down": lambda x, m: Fraction(floor(x * m), m),
        "up": lambda x, m: Fraction(-floor(-x * m), m),
    }
    for m, counts in product(range(1, 6), product(range(7), repeat=3)):
        losses = [Fraction(c, 6) for c in counts]
        for rule, nearest in rules.items():
            best, released = None, []
            for loss in losses:
                best = nearest(loss, m) if best is None or loss < best else best
                released.append(best)
            assert released == [nearest(min(losses[:t]), m) for t in (1, 2, 3)]
            if rule == "half up":
                assert released == play("simplified", counts, 6, m)


def test_margin_of_half_a_step():
    """Zheng's "if and only if by eta/2" is true off the middle; just on it half-up rounding refuses. No tolerance."""
    n, m = 40, 10
    for wrong in range(n + 1):
        lower = play("simplified", [20, wrong], n, m)[1] < HALF
        assert lower == (Fraction(wrong, n) < HALF - Fraction(1, 2 * m))
    assert play("simplified", [20, 18], n, m)[1] == HALF  # a loss of .45, just on the middle


@pytest.mark.parametrize("name", LADDERS)
def test_changes(name):
    """An accepted submission lowers the Ladder's release by eta at least; it changes at most m times, simplified m + 1.

    The first release counts as a change. Every level and every count of n = 40 labels for m up to 20; then every
    history of the trees with m up to 5 and k = m + 3, where the maximum is attained. No tolerance.
    """
    for m in range(1, 21):
        for best, loss in product((Fraction(j, m) for j in range(m + 1)), (Fraction(c, 40) for c in range(41))):
            after = decide(name, best, loss, m)
            assert after <= best
            if name == "ladder" and loss < best - Fraction(1, m):
                assert after <= best - Fraction(1, m)
    for m in range(1, 6):
        most = 0
        for history in le.release_histories(name, eta=Fraction(1, m), k=m + 3):
            assert list(history) == sorted(history, reverse=True)
            most = max(most, len(set(history)))
        assert most == MOST_CHANGES[name](m)


def test_margin_without_rounding():
    """A margin of eta without rounding also allows m changes and no more, the first release included. No tolerance.

    The longest falling sequence of losses c/n, each below the one before by more than 1/m, for all m up to 6 and n
    up to 6 m; m is attained from n = m^2 on.
    """
    for m in range(1, 7):
        for n in range(1, 6 * m + 1):
            longest: list[int] = []
            for wrong in range(n + 1):
                longest.append(1 + max((longest[c] for c in range(wrong) if (wrong - c) * m > n), default=0))
            assert max(longest) <= m
            assert max(longest) == m or n < m * m


@given(
    name=st.sampled_from(sorted(LADDERS)),
    n=st.integers(1, 60),
    m=st.integers(1, 25),
    shares=st.lists(st.fractions(0, 1, max_denominator=60), min_size=1, max_size=12),
)
@settings(max_examples=300)
def test_invariant(name, n, m, shares):
    """-eta/2 < R_t - (best loss so far) <= eta for the Ladder, <= eta/2 for the simplified one. No tolerance."""
    counts = [floor(share * n) for share in shares]
    for t, released in enumerate(play(name, counts, n, m), start=1):
        gap = (released - Fraction(min(counts[:t]), n)) * m
        assert -LOWER < gap <= UPPER[name]


@pytest.mark.parametrize("name", LADDERS)
def test_invariant_is_tight(name):
    """The upper ends eta and eta/2 are attained, the lower end -eta/2 is approached as n grows but never attained.

    All pairs of counts, m up to 4, n = 2 m, 4 m and 8 m. The largest gap is the stated one; the smallest
    is -1/2 + m/n steps, one label short of the middle. The Ladder's largest is that from n = m on. No tolerance.
    """
    for m, more in product(range(1, 7), range(4)):
        if name == "ladder":
            firsts = {play(name, [wrong, 0], m + more, m)[-1] for wrong in range(m + more + 1)}
            assert max(firsts) * m == UPPER[name]
    for m, multiple in product(range(1, 5), (2, 4, 8)):
        n = m * multiple
        gaps = {
            (released - Fraction(min(counts), n)) * m
            for counts in product(range(n + 1), repeat=2)
            for released in play(name, counts, n, m)[-1:]
        }
        assert max(gaps) == UPPER[name]
        assert min(gaps) == -LOWER + Fraction(m, n)


@given(
    name=st.sampled_from(sorted(LADDERS)),
    m=st.integers(1, 12),
    pairs=st.lists(st.tuples(st.integers(0, 24), st.sampled_from((-1, 0, 1))), min_size=1, max_size=8),
)
@settings(max_examples=300)
def test_reduction_to_deviations(name, m, pairs):
    """lberr <= eta + max |R_S - R_D|, for the simplified Ladder eta/2 + max |R_S - R_D|, whatever the true risks.

    Random counts of n = 24 labels; true risks within a hundredth of the empirical ones, so that the rounding shows.
    Tolerance 1e-12: the library's leaderboard error is a float.
    """
    counts = [c for c, _ in pairs]
    risks = [Fraction(c, 24) + Fraction(side, 100) for c, side in pairs]
    deviation = Fraction(max(abs(side) for _, side in pairs), 100)
    released = play(name, counts, 24, m)
    error = le.leaderboard_error([float(shown) for shown in released], [float(risk) for risk in risks])
    assert error <= UPPER[name] / m + deviation + 1e-12
