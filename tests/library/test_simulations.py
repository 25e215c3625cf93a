"""The simulations: what a trajectory says, memory, and bad input."""

import math
import re
import tracemalloc

import numpy as np
import pytest

from leaderboard_edu._bits import count_ones
from leaderboard_edu.experiments import (
    Trajectory,
    boosting_curve,
    simulate_bayes_boot,
    simulate_boosting,
    simulate_parameter_free,
    simulate_swap,
)
from leaderboard_edu.mechanisms import BayesBootLadder, BayesBootLadderBoot

KEEPS = ("aligned", "half")


def seeded(*seed):
    return np.random.default_rng(seed)


def test_trajectory_between_acceptances():
    run = Trajectory(10, 9, *(np.array(column) for column in ([1, 4, 6], [6, 5, 2], [6, 4, 3], [6, 4, 2])))
    assert run.accuracy(range(1, 10)).tolist() == [0.4, 0.4, 0.4, 0.6, 0.6, 0.7, 0.7, 0.7, 0.7]
    assert run.shown_loss([[3, 4], [5, 9]]).tolist() == [[0.6, 0.4], [0.4, 0.2]]
    assert (run.accuracy(4), run.shown_loss(6)) == (0.6, 0.2)
    assert run == run != Trajectory(10, 9, run.submissions, run.released, run.final, run.shown)
    with pytest.raises(AttributeError):
        run.n = 11


def peak(work):
    """Return the largest memory that a call holds at a time, in MB, its result included."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("keep", KEEPS)
def test_memory_of_boosting(keep):
    """Never all submissions: these are 25 MB for the vote, and 50 MB and 100 MB for the curves."""
    assert peak(lambda: simulate_boosting(n=10**6, k=200, rng=seeded(0), keep=keep)) < 10
    assert peak(lambda: boosting_curve(n=4000, k=1000, rng=seeded(0), keep=keep, repetitions=100)) < 30
    assert peak(lambda: boosting_curve(n=10**6, k=800, rng=seeded(0), keep=keep)) < 40


def test_memory_of_the_bayesian_bootstrap():
    """Scores come in blocks of submissions, weightings and resamples in blocks of draws; all at once would be more.

    In MB: 60 for the scores of 1500 submissions under 1000 weightings and their moments, 170 for the weightings of
    one decision, 330 for the resamples of one release.
    """
    rng = seeded(0)
    labels = rng.normal(size=209)
    submissions = labels + rng.normal(size=(1500, 209))
    assert peak(lambda: simulate_bayes_boot(submissions, labels, weights="shared", rng=seeded(1))) < 40
    board = BayesBootLadder(labels, n_posterior=100_000, rng=seeded(2))
    board.submit(submissions[0])
    assert peak(lambda: board.submit(submissions[1])) < 60
    noisy = BayesBootLadderBoot(labels, n_bootstrap=200_000, rng=seeded(3))
    assert peak(lambda: noisy.submit(submissions[0])) < 150


def test_memory_of_the_parameter_free_board():
    assert peak(lambda: simulate_parameter_free(n=4000, k=100_000, rng=seeded(0), method="words")) < 5
    assert peak(lambda: simulate_parameter_free(n=4000, k=10**9, rng=seeded(0))) < 5
    assert peak(lambda: simulate_swap(n=1000, k=10**12, rng=seeded(0))) < 1


RNG = np.random.default_rng(0)
BAD = {
    "n": (0, -1, 2.0, "4", True, None),
    "k": (0, 1.5, None, False),
    "rng": (0, None, np.random.RandomState(0)),
    "keep": ("improved", "all", None, 1),
    "repetitions": (0, -3, 2.5, "2"),
    "threshold": (-1, "-1/2", math.nan, math.inf, "one", None),
    "method": ("bits", None, 0),
    "ones": (-1, 0.5, "3"),
}
TAKERS = {
    simulate_boosting: ("n", "k", "rng", "keep"),
    boosting_curve: ("n", "k", "rng", "keep", "repetitions"),
    simulate_parameter_free: ("n", "k", "rng", "threshold", "method"),
    simulate_swap: ("n", "k", "rng", "ones"),
}


@pytest.mark.parametrize(
    ("simulate", "name", "bad"),
    [(simulate, name, bad) for simulate, names in TAKERS.items() for name in names for bad in BAD[name]],
)
def test_bad_input(simulate, name, bad):
    """The message begins with the argument and echoes the value."""
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got {re.escape(repr(bad))}$"):
        simulate(**{"n": 4, "k": 3, "rng": RNG, name: bad})


@pytest.mark.parametrize(
    ("simulate", "name", "bad"),
    [
        (simulate_swap, "n", 1),
        (simulate_swap, "ones", 5),
        (simulate_swap, "k", 2**53),
        (simulate_parameter_free, "k", 2**53),
    ],
)
def test_bad_size(simulate, name, bad):
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got {bad}$"):
        simulate(**{"n": 4, "k": 3, "rng": RNG, name: bad})


@pytest.mark.parametrize("bad", [0, 4, -1, 1.0, [1, 4], [0.5], "1", None, True])
@pytest.mark.parametrize("method", ["accuracy", "shown_loss"])
def test_bad_time(method, bad):
    run = simulate_swap(n=4, k=3, rng=seeded(0))
    with pytest.raises(ValueError, match=rf"^t must hold whole numbers from 1 to 3, got {re.escape(repr(bad))}$"):
        getattr(run, method)(bad)


def test_count_ones():
    assert count_ones(np.array([[0, 1], [3, 2**64 - 1]], dtype=np.uint64)).tolist() == [1, 66]
