"""Grade notebooks with otter in processes of their own, which end at a time limit whatever the notebooks do.

Run as `python -m instructor.grading AUTOGRADER NOTEBOOK ...`, this module is such a process: it grades
one notebook after the other and prints a line of JSON for each.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[1]
SECONDS_PER_NOTEBOOK = 60


@dataclass(frozen=True)
class Case:
    """The outcome of one test on one notebook; a failure carries its message."""

    hidden: bool
    passed: bool
    message: str


@dataclass(frozen=True)
class Grade:
    """The outcome of one question: points, and the test cases in the order of the source."""

    points: float
    possible: float
    cases: tuple[Case, ...]


Grades = dict[str, Grade]


def grade(notebooks: list[Path], autograder: Path, *, limit: float = SECONDS_PER_NOTEBOOK) -> Iterator[Grades | None]:
    """Grade notebooks, yielding the grades of each in order; None where otter gave none within the limit."""
    count = max(1, min(len(notebooks), os.cpu_count() or 1))
    workers = [Worker(notebooks[i::count], autograder, limit) for i in range(count)]
    try:
        for i in range(len(notebooks)):
            yield workers[i % count].result()
    finally:
        for worker in workers:
            worker.close()


class Worker:
    """A process that grades notebooks one after the other; after a hang or a crash a new one takes the rest."""

    def __init__(self, notebooks: list[Path], autograder: Path, limit: float) -> None:
        self._rest = list(notebooks)
        self._autograder = autograder
        self.limit = limit
        self._scratch = tempfile.TemporaryDirectory()  # what otter leaves behind goes with it
        self._start()

    def _start(self) -> None:
        command = [sys.executable, "-m", "instructor.grading", str(self._autograder), *map(str, self._rest)]
        environment = os.environ | {"TMPDIR": self._scratch.name}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, cwd=ROOT, text=True, env=environment, **streams)

    def result(self) -> Grades | None:
        """Wait for the grades of the next notebook, for as long as the limit allows."""
        watchdog = threading.Timer(self.limit, self.stop)
        watchdog.daemon = True
        watchdog.start()
        line = self._process.stdout.readline()
        watchdog.cancel()
        del self._rest[0]
        if line.endswith("\n"):
            return _read(line)
        self.stop()
        if self._rest:
            self._start()
        return None

    def stop(self) -> None:
        """End the process and all that it started."""
        if self._process.poll() is None:
            _kill_family(self._process.pid)
        self._process.wait()

    def close(self) -> None:
        """Stop for good and remove what was left behind."""
        self.stop()
        self._scratch.cleanup()


def _kill_family(pid: int) -> None:
    """Kill a process and all that it started: a notebook's kernel is in a process group of its own."""
    with contextlib.suppress(psutil.NoSuchProcess):
        parent = psutil.Process(pid)
        family = [*parent.children(recursive=True), parent]
        for process in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(family, timeout=5)


def _read(line: str) -> Grades:
    """Read what a worker printed for one notebook."""
    return {
        question: Grade(points, possible, tuple(Case(*case) for case in cases))
        for question, (points, possible, cases) in json.loads(line).items()
    }


def _plain(question: Any) -> tuple[float, float, list[tuple[bool, bool, str]]]:
    """Return otter's result for a question as numbers and text."""
    cases = [(case.test_case.hidden, case.passed, case.message or "") for case in question.test_case_results]
    return question.score, question.possible, cases


def main(autograder: str, *notebooks: str) -> None:
    """Grade notebooks and print a line for each; a crash ends the process."""
    from otter.api import grade_submission

    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints must not end up among the results
    for notebook in notebooks:
        results = grade_submission(notebook, autograder, quiet=True)
        print(json.dumps({name: _plain(results.results[name]) for name in results.test_files}), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
