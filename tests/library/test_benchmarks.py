"""What the benchmarks compare is the same experiment, and the record says where each part was measured."""

import json
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


def test_what_is_replayed_is_what_is_scored(monkeypatch):
    """Full disclosure shows what the script computes, and each board is handed the same log."""
    calls = []
    monkeypatch.setattr(benchmarks, "best_times", lambda *given: calls.append(given) or [2.0, 3.0])
    rows = benchmarks.measure_replays(teams=3, k=20, n=30)
    (script, *scored), (play, *played) = calls[0]
    assert script(*scored) == play(*played).shown.tolist()
    assert len({id(given[1][1]) for given in calls}) == 1
    for (alone, *scored), (play, *played) in calls:
        assert len(alone(*scored)) == len(play(*played).shown) == 20
    assert [row["ratio"]["reached"] for row in rows] == [1.5] * len(benchmarks.PLAYED)


def test_a_part_brings_its_machine(tmp_path, monkeypatch):
    """Measured alone, it leaves the others as they are."""
    before = json.loads(benchmarks.RECORD.read_text())
    (tmp_path / "record.json").write_text(json.dumps(before))
    monkeypatch.setattr(benchmarks, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(benchmarks, "machine", lambda: {"processor": "another"})
    monkeypatch.setitem(benchmarks.MORE, "live", lambda: {"ladder": {"default": 0.05}})
    benchmarks.main("live")
    after = json.loads((tmp_path / "record.json").read_text())
    assert after["measured_on"].keys() == set(benchmarks.MORE) | {"grading"}
    assert {key for key in after if after[key] != before[key]} == {"live", "measured_on"}
    assert after["measured_on"] == before["measured_on"] | {"live": {"processor": "another"}}
