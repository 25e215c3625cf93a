"""Time the grader: `python -m instructor.benchmark` writes its part of `book/data/benchmarks.json`."""

from __future__ import annotations

import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
import numpy as np

from instructor.confine import stay_on
from instructor.examiner import Stage
from instructor.grading import Autograder, grade
from instructor.limits import Limits
from instructor.release import release
from instructor.sources import EXERCISES, ROOT
from instructor.wire import Wire

RECORD = ROOT / "book" / "data" / "benchmarks.json"
GRADED, NOTEBOOKS = "boosting_attack", 20
ROUNDS = 3


def measure(count: int = NOTEBOOKS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return seconds for each notebook, solved and unsolved by turns: our grader, otter alone, and a kernel's start.

    And how many submissions a second cross from one process to the other.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        student, autograder, key = release(EXERCISES / f"{GRADED}.ipynb", folder)
        copies = [folder / f"{i}.ipynb" for i in range(count)]
        for i, copy in enumerate(copies):
            shutil.copy(student / f"{GRADED}.ipynb" if i % 2 else key, copy)
        times = [_round(copies, autograder) for _ in range(rounds)]
    seconds = {kind: float(f"{min(each[kind] for each in times):.3g}") for kind in times[0]}
    stay_on(0)
    trips = float(f"{max(_round_trips() for _ in range(rounds)):.2g}")
    return {"set": GRADED, "notebooks": count, "seconds": seconds, "round_trips": trips}


ATTACK = """import numpy as np


def attack(submit, times):
    labels = np.zeros(1000, dtype=int)
    for _ in range(times):
        submit(labels)"""


def _round_trips(times: int = 20_000) -> float:
    """Return how often a second an answer can submit a thousand labels to a test whose board does nothing."""
    stage = Stage(Limits(), 0)
    with tempfile.TemporaryDirectory() as folder, stage.fork(folder) as end:
        wire = Wire(end, lambda error: ("RuntimeError", str(error)))
        wire.root.run(ATTACK)
        attack = wire.root.get("attack")
        seconds = _timed(lambda: attack(lambda labels: 0.5, times))
    stage.process.kill()
    return times / seconds


def _round(copies: list[Path], autograder: Path) -> dict[str, float]:
    """Return the seconds that one notebook takes in each way."""
    from nbclient import NotebookClient
    from otter.api import grade_submission

    tests = Autograder.read(autograder)
    kernel = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")])
    by_otter = [partial(grade_submission, str(path), str(autograder), quiet=True) for path in copies[:2]]
    return {
        "kernel": _timed(NotebookClient(kernel).execute),
        "otter": sum(map(_timed, by_otter)) / len(by_otter),
        "one_core": _timed(lambda: list(grade(copies, tests, jobs=1))) / len(copies),
        "two_cores": _timed(lambda: list(grade(copies, tests, jobs=2))) / len(copies),
    }


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _machine() -> dict[str, Any]:
    """Return what the times depend on."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.machine(),
        "cores": os.cpu_count(),
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def main() -> None:
    """Measure the grader and write that into the record, whose other parts stay."""
    measured, machine = measure(), _machine()
    print(json.dumps(measured))
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    record["grading"] = measured
    record["measured_on"]["grading"] = machine
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
