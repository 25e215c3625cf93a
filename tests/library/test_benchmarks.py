"""What the benchmarks compare is the same experiment."""

import math

import numpy as np
import pytest

from leaderboard_edu import Trajectory
from tools import benchmarks


@pytest.mark.parametrize("work", benchmarks.WORKS, ids=lambda work: work.name)
def test_benchmarks_compare_like_with_like(work):
    """Script and engine have one mean accuracy: 200 runs of each on 40 labels, to four standard errors."""
    rng, n, k, runs = np.random.default_rng([7]), 40, 60, 200
    script = np.array([np.ravel(work.script(n, k, rng))[-1] for _ in range(runs)])
    engine = work.engine(n, k, runs, rng)
    if not isinstance(engine, np.ndarray):
        engine = [run.accuracy(k) if isinstance(run, Trajectory) else run for run in engine]
    engine = np.array(engine).reshape(runs, -1)[:, -1]
    error = math.sqrt((script.var(ddof=1) + engine.var(ddof=1)) / runs)
    assert abs(script.mean() - engine.mean()) < 4 * error < 0.06
