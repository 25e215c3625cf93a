"""Comparisons with the leader and their corrections, and the intervals of the simplified Ladder."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le


def make(teams, vectors):
    """Return a log of one instant."""
    return le.SubmissionLog(teams=teams, times=["2027-01-01"] * len(teams), predictions=vectors)


@st.composite
def tables(draw):
    """Draw labels and the files of a few teams, some of them far better than others."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    m, n = draw(st.integers(1, 6)), draw(st.integers(1, 60))
    labels = rng.integers(0, 2, n)
    return labels, labels ^ (rng.random((m, n)) < rng.choice([0, 0.1, 0.5, 0.9], (m, 1)))


def holm(p_values):
    """Return adjusted values, one after the other as Holm has it: the level at which each would be told."""
    adjusted, largest = {}, 0.0
    left = dict(p_values)
    while left:
        key = min(left, key=left.get)
        largest = max(largest, min(1.0, left[key] * len(left)))
        adjusted[key] = largest
        del left[key]
    return adjusted


@given(table=tables())
def test_comparisons_by_definition(table):
    """Each pair by the sign test of two files, and each correction one value after the other."""
    labels, files = table
    m, n = files.shape
    log = make([f"team {i}" for i in range(m)], files)
    wrong = (files != labels).sum(axis=1).tolist()
    leader = wrong.index(min(wrong))
    pairs = {(i, j): le.sign_test(labels, files[i], files[j]) for i in range(m) for j in range(m) if i != j}
    corrected = {
        "none": pairs,
        "bonferroni": {pair: min(1, m * (m - 1) * p) for pair, p in pairs.items()},
        "holm": holm(pairs),
    }
    for correction, adjusted in corrected.items():
        rows = le.compare_to_leader(log, labels, correction=correction)
        order = sorted(range(m), key=lambda i: wrong[i])
        assert [row.team for row in rows] == [f"team {i}" for i in order]
        for row, i in zip(rows, order, strict=True):
            assert row.rank == 1 + sum(other < wrong[i] for other in wrong)
            assert (row.loss, row.behind) == (wrong[i] / n, (wrong[i] - wrong[leader]) / n)
            assert row.p_value == pairs.get((leader, i), 1)
            assert row.adjusted == pytest.approx(adjusted.get((leader, i), 1), rel=1e-12)


@pytest.mark.parametrize("correction", ["bonferroni", "holm"])
def test_the_leader_is_told_from_an_equal_one_as_rarely_as_promised(correction):
    """Thirty files are coins, as the labels are: nobody is better, and whoever leads has been lucky.

    In 1,000 contests the share of those in which the leader is told from anybody is at most the level, to four standard
    errors. Were the pairs counted only that the leader is in, it would be about a third.
    """
    rng, level, contests = np.random.default_rng(8), 0.05, 1000
    told = 0
    for _ in range(contests):
        labels, files = rng.integers(0, 2, 200), rng.integers(0, 2, (30, 200))
        rows = le.compare_to_leader(make(list(range(30)), files), labels, correction=correction)
        told += any(row.adjusted <= level for row in rows)
    assert told / contests <= level + 4 * np.sqrt(level * (1 - level) / contests)


def test_the_best_is_seldom_told_from_the_leader():
    """The note of `compare_to_leader`: at the level over the number of others the first file, none is better, stays."""
    rng, level, contests = np.random.default_rng(9), 0.2, 1000
    out = 0
    for _ in range(contests):
        labels, files = rng.integers(0, 2, 200), rng.integers(0, 2, (10, 200))
        rows = le.compare_to_leader(make(list(range(10)), files), labels, correction="none")
        out += any(row.team == 0 and row.p_value <= level / 9 for row in rows)
    assert out / contests <= level + 4 * np.sqrt(level * (1 - level) / contests)


def test_intervals_are_of_the_finest_step():
    """Half a step of rounding and half a step of deviation, to either side, and not beyond 0 and 1."""
    rng = np.random.default_rng(3)
    teams = ["ann", "bob", "cid", "ann"]
    labels = rng.integers(0, 2, 2000)
    files = labels ^ (rng.random((4, 2000)) < np.reshape([0.3, 0.0, 0.99, 0.2], (4, 1)))
    size = {"n": 2000, "k": 4, "accounts": 3}
    m = max(m for m in range(1, 50) if le.multi_account_bound(Fraction(1, m), **size) <= 0.1)
    eta = Fraction(1, m)
    assert m > 5
    rows = le.ladder_intervals(make(teams, files), labels, delta=0.1)
    board = le.Leaderboard(labels, mechanism=lambda y: le.SimplifiedLadder(y, eta=eta))
    for team, file in zip(teams, files, strict=True):
        board.submit(team, file)
    for row, standing in zip(rows, board.standings(), strict=True):
        assert (row.rank, row.account, row.score, row.submissions) == (
            standing.rank,
            standing.account,
            standing.score,
            standing.submissions,
        )
        assert row.low == pytest.approx(max(0, row.score - eta), abs=1e-15)
        assert row.high == pytest.approx(min(1, row.score + eta), abs=1e-15)
