"""Grading ends, whatever a notebook does."""

import nbformat
import psutil
from small_sets import question

from instructor.grading import Worker
from tools.exercises import assign, read_set

HANGS = """from pathlib import Path
import os

Path({path!r}).write_text(str(os.getpid()))
while True:
    pass
"""


def runs(pid):
    """Return whether a process runs; a dead one may wait for its parent to notice."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


def test_a_hang_costs_only_itself(write_source, double, tmp_path):
    """One worker has two notebooks. The first never ends: its kernel is killed, and the second is graded."""
    exercises = read_set(write_source(*question("q1", **double)))
    dist = assign(exercises, tmp_path)
    (autograder,) = (dist / "autograder").glob("*.zip")
    reference = dist / "autograder" / "small.ipynb"
    notebook = nbformat.read(reference, as_version=4)
    (answer,) = (cell for cell in notebook.cells if cell.source.startswith("def double"))
    pid = tmp_path / "pid"
    answer["source"] = HANGS.format(path=str(pid))
    nbformat.write(notebook, tmp_path / "hangs.ipynb")
    worker = Worker([tmp_path / "hangs.ipynb", reference], autograder, limit=15)
    assert worker.result() is None
    assert not runs(int(pid.read_text()))
    worker.limit = 120
    grade = worker.result()["q1"]
    worker.stop()
    assert grade.points == grade.possible == 2
    assert [(case.hidden, case.passed) for case in grade.cases] == [(False, True), (True, True)]
