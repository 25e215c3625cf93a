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

from instructor.grading import grade, unpacked
from instructor.release import release
from instructor.sources import EXERCISES, ROOT

RECORD = ROOT / "book" / "data" / "benchmarks.json"
GRADED, NOTEBOOKS = "boosting_attack", 20
ROUNDS = 3


def measure(count: int = NOTEBOOKS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return seconds for each notebook, solved and unsolved by turns: our grader, otter alone, and a kernel's start."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        student, autograder, key = release(EXERCISES / f"{GRADED}.ipynb", folder)
        copies = [folder / f"{i}.ipynb" for i in range(count)]
        for i, copy in enumerate(copies):
            shutil.copy(student / f"{GRADED}.ipynb" if i % 2 else key, copy)
        with unpacked(autograder) as tests:
            times = [_round(copies, autograder, tests) for _ in range(rounds)]
    seconds = {kind: float(f"{min(each[kind] for each in times):.3g}") for kind in times[0]}
    return {"set": GRADED, "notebooks": count, "seconds": seconds}


def _round(copies: list[Path], autograder: Path, tests: Path) -> dict[str, float]:
    """Return the seconds that one notebook takes in each way."""
    from nbclient import NotebookClient
    from otter.api import grade_submission

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
