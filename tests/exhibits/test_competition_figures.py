"""The first paper's figures of a real contest, on the stored competition: what is claimed of it, recomputed."""

import numpy as np
import pytest

import leaderboard_edu as le
from book import competition
from book.blum_hardt import fifty_best, first_ten, split_gaps, ten_compared
from tools.verdicts import real_competition

NUMBERS = real_competition()
CONTEST = competition.log("full"), competition.competition()


def test_blum_hardt_figure_2():
    """The two boards show nearly the same, within a hundredth, where the fifty lie; most look worse than they are."""
    found = fifty_best(*CONTEST)
    private = found["missed"].mean(axis=1)
    assert np.abs(found["free"] - found["full"]).max() < 0.01
    assert np.all(np.sort(private) == private)
    assert (found["full"] > private).sum() >= 40
    assert NUMBERS["blum-hardt-figure-2"]["gap"] == pytest.approx((found["full"] - private).mean())


def test_blum_hardt_figure_3():
    """Splits move a file by more than half of what the fifty differ by; the real gap is within one such deviation.

    Files of one competition move together: were they independent, of fifty files about 28 would be on one side.
    """
    numbers, missed = NUMBERS["blum-hardt-figure-3"], fifty_best(*CONTEST)["missed"]
    gaps, rng = split_gaps(missed), np.random.default_rng(2)
    assert gaps.shape == (20, 50)
    halves = [missed[0, rng.permutation(missed.shape[1])[::2]].mean() for _ in range(4000)]
    assert 2 * np.std(halves) == pytest.approx(numbers["sd"], rel=4 / np.sqrt(2 * 4000))
    assert numbers["drawn"] == pytest.approx(gaps.std(axis=0, ddof=1).mean())
    assert numbers["sd"] > numbers["spread"] / 2
    assert abs(numbers["sds"]) < 1
    coins = np.random.default_rng(1).standard_normal((20_000, 50)) > 0
    alone = np.maximum(coins.mean(axis=1), 1 - coins.mean(axis=1))
    ours = np.maximum((gaps > 0).mean(axis=1), (gaps < 0).mean(axis=1))
    assert ours.mean() > alone.mean() + 4 * alone.std() / np.sqrt(20)


def test_blum_hardt_full_figure_6():
    """One of the ten is told apart after the correction: the first of the public board, with twice the others' lag."""
    rows = ten_compared(*CONTEST, "bonferroni")
    (told,) = (row for row in rows if row.adjusted <= 0.05)
    assert told.team == first_ten(*CONTEST, le.FullDisclosure)[0]
    assert told.behind > 2 * max(row.behind for row in rows if row is not told)
    assert [row.adjusted <= 0.05 for row in rows] == [row.adjusted <= 0.05 for row in ten_compared(*CONTEST, "holm")]


def test_blum_hardt_full_table_1():
    """Neighbours change places, and no test tells those that change apart."""
    numbers = NUMBERS["blum-hardt-full-table-1"]
    assert 0 < numbers["moved"] < 10
    assert numbers["furthest"] <= 2
    full, free = first_ten(*CONTEST, le.FullDisclosure), first_ten(*CONTEST, le.ParameterFreeLadder)
    assert numbers["enters"] == "11"
    assert len(set(free) - set(full)) == 1
    moved = first_ten(*CONTEST, le.FullDisclosure)[numbers["first"] :]
    assert all(row.adjusted > 0.05 for row in ten_compared(*CONTEST, "holm") if row.team in moved)
