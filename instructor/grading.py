"""Grade notebooks in parallel, by processes that examine one after the other (`instructor.examiner`)."""

from __future__ import annotations

import ast
import contextlib
import errno
import fcntl
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from instructor.examiner import READY, remove
from instructor.limits import CLOCK, STEPS, Limits, patiently

ROOT = Path(__file__).resolve().parents[1]
# What students' processes have of this one's variables: others may hold secrets.
KEPT = re.compile(r"PATH|LD_LIBRARY_PATH|PYTHON(PATH|HOME)|LANG|LANGUAGE|LC_\w+|TZ|\w+_NUM_THREADS")
FOLDER = "leaderboard-edu-grades-"  # how the folder of a worker begins, in the folder for temporary files
START = 120  # seconds that a new process may take until it can examine


@dataclass(frozen=True)
class Case:
    """The outcome of one test: what was raised and said, and where the book explains it."""

    hidden: bool
    passed: bool
    error: str
    message: str
    see: str


@dataclass(frozen=True)
class Grade:
    """The outcome of one question: points, why it was cut off if it was, and the tests in the order of the source."""

    points: float
    possible: float
    trouble: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Report:
    """The outcome of one notebook.

    `status` is "graded", "partial" (something was cut off, the rest was tested), "timeout" or "crashed" (nothing
    could be tested), or "unreadable"; `errors` are what cells raised, by the number of the cell. `late` says that the
    clock cut something off, which a busy machine may have to answer for.
    """

    status: str
    note: str
    questions: dict[str, Grade]
    errors: dict[str, str]
    late: bool = False

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Report:
        """Return the report that was written as plain data."""
        questions = {
            name: Grade(**(grade | {"cases": tuple(Case(**case) for case in grade["cases"])}))
            for name, grade in plain["questions"].items()
        }
        return cls(plain["status"], plain["note"], questions, plain["errors"], plain.get("late", False))


@dataclass(frozen=True)
class Autograder:
    """What is in an autograder: the tests and the files that notebooks may need, by name, and the list of questions.

    They are kept in memory: a test on the disk could be read by the notebooks that it is for.
    """

    tests: dict[str, str]
    files: dict[str, bytes]
    questions: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> Autograder:
        """Read an autograder that `release` or otter made."""
        try:
            with zipfile.ZipFile(path) as archive:
                content = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        except (OSError, zipfile.BadZipFile) as error:
            raise ValueError(f"{path} is not an autograder: {error}") from error
        tests = {
            name: text.decode() for name, text in sorted(content.items()) if re.fullmatch(r"tests/[^/]+\.py", name)
        }
        questions = json.loads(content.get("questions.json", b"[]"))
        if not tests and not questions:
            raise ValueError(f"{path} is not an autograder: it holds no tests")
        files = {name.removeprefix("files/"): data for name, data in content.items() if name.startswith("files/")}
        return cls(tests, files, questions)

    def test(self, question: str) -> Any:
        """Return the tests of a question, to be called in this process: never with an answer of a student."""
        from otter.test_files.exception_test import ExceptionTestFile

        return ExceptionTestFile.from_string(self.tests[f"tests/{question}.py"])

    def answers(self) -> dict[str, str]:
        """Return the names that the tests ask for, each with its question."""
        found: dict[str, str] = {}
        for name, text in self.tests.items():
            functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
            found |= {argument.arg: Path(name).stem for function in functions for argument in function.args.args}
        return found


Note = Callable[[Path, Report | None], None]


def grade(
    notebooks: list[Path],
    autograder: Autograder,
    *,
    jobs: int | None = None,
    limits: Limits | None = None,
    note: Note = lambda path, report: None,
) -> Iterator[tuple[Path, Report]]:
    """Grade notebooks, yielding each with its report as soon as it is done.

    `note` is told, from any thread, which is begun, and its report before another is begun in its place.
    What the clock cut off is graded once more in the end, one after the other.
    """
    late = []
    for path, report in _grade_together(notebooks, autograder, jobs=jobs, limits=limits or Limits(), note=note):
        if report.late:
            late.append(path)
        else:
            yield path, report
    yield from _grade_together(late, autograder, jobs=1, limits=limits or Limits(), note=note, alone=True)


def _grade_together(
    notebooks: list[Path], autograder: Autograder, *, jobs: int | None, limits: Limits, note: Note, alone: bool = False
) -> Iterator[tuple[Path, Report]]:
    """Grade notebooks beside each other, as many as there are jobs."""
    if not notebooks:
        return
    _clean_up()
    count = min(len(notebooks), jobs or os.cpu_count() or 1)
    _check_room((count + 1) * limits.disk)
    workers = [Worker(autograder, limits, os.getpid() + number) for number in range(count)]
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def one(path: Path) -> Report:
        worker = idle.get()
        try:
            if not alone:
                note(path, None)
            report = worker.grade(path)
            _check_room(limits.disk)
            if not worker.closed and (alone or not report.late):
                note(path, report)
            return report
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(count) as pool:
        futures = {pool.submit(one, path): path for path in notebooks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.close()


def _hold(folder: str | Path) -> int:
    """Open and lock a folder; raise OSError if a process holds it. Whoever ends, or is killed, holds nothing."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    return held


def _started(folder: str) -> list[psutil.Process]:
    """Return the processes that come from a folder of a worker, as their environment tells."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if any(value.startswith(folder) for value in process.environ().values()):
                found.append(process)
    return found


def _clean_up() -> None:
    """End and remove what graders that were killed have left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with contextlib.suppress(OSError):
            held = _hold(folder)
            if os.fstat(held).st_uid == os.getuid():
                left = _started(str(folder))
                for process in left:
                    with contextlib.suppress(psutil.Error):
                        process.kill()
                psutil.wait_procs(left, timeout=1)
                remove(str(folder))
            os.close(held)


def _check_room(megabytes: int) -> None:
    """Raise OSError if notebooks may find the disk full: nobody loses points by that."""
    place = tempfile.gettempdir()
    if shutil.disk_usage(place).free < megabytes * 10**6:
        raise OSError(errno.ENOSPC, f"Notebooks must have {megabytes} MB to write in", place)


def _runs(process: psutil.Process) -> bool:
    """Say whether a process has not ended; one that has can be there for long, until whoever is above it looks."""
    with contextlib.suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


class Worker:
    """A process that examines notebooks, and another one in its place when it dies."""

    def __init__(self, autograder: Autograder, limits: Limits, core: int = 0) -> None:
        self._limits = limits
        new = tempfile.mkdtemp()
        self._held = _hold(new)  # before it has the name by which others find it
        self._scratch = os.path.join(os.path.dirname(new), FOLDER + os.path.basename(new))
        os.rename(new, self._scratch)  # what is left behind goes with it
        files = Path(self._scratch, "files")
        for name, data in autograder.files.items():
            (files / name).parent.mkdir(parents=True, exist_ok=True)
            (files / name).write_bytes(data)
        files.mkdir(exist_ok=True)
        self._begin = json.dumps({"tests": autograder.tests, "files": str(files)})
        self._command = [sys.executable, "-m", "instructor.examiner", json.dumps(asdict(limits)), str(core)]
        self._process: subprocess.Popen[str] | None = None  # started by the first notebook
        self.closed = False
        self._stopping = threading.Lock()

    def grade(self, path: Path) -> Report:
        """Return the report on one notebook, whatever happens to the process; it may not be the notebook's fault."""
        for _ in range(2):
            if self.closed:
                break
            if self._process is None:
                self._start()
            line = self._ask(json.dumps(str(path.absolute())), CLOCK * (STEPS + 2) * self._limits.seconds)
            if line.endswith("\n"):
                return Report.of(json.loads(line))
            self.stop()
        return Report("crashed", "it ended the process that grades", {}, {})

    def _start(self) -> None:
        place = dict.fromkeys(("TMPDIR", "IPYTHONDIR", "HOME"), self._scratch)
        known = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
        environment = known | place | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
        with self._stopping:
            if self.closed:
                return
            self._process = patiently(
                lambda: subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd=ROOT,
                    env=environment,
                    start_new_session=True,
                    text=True,
                    encoding="utf-8",
                )
            )
        if self._ask(self._begin, START) != f"{READY}\n" and not self.closed:
            self.stop()
            raise ValueError("the process that grades does not start: does `python -m instructor check` pass?")

    def _ask(self, question: str, seconds: float) -> str:
        """Write a line, and return the line that comes back, or less if none comes in time."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return ""
        watchdog = threading.Timer(seconds, self.stop)
        watchdog.daemon = True
        patiently(watchdog.start)
        try:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            return process.stdout.readline()
        except (OSError, ValueError):  # it has died, or was stopped: its pipes are closed
            return ""
        finally:
            watchdog.cancel()

    def stop(self) -> None:
        """End the process and all that it started, also what got away from it: its environment tells."""
        with self._stopping:  # the watchdog must be done before another process starts
            process, self._process = self._process, None
            if process is not None:
                self._end(process)

    def _end(self, process: subprocess.Popen[str]) -> None:
        family: list[psutil.Process] = []
        with contextlib.suppress(psutil.NoSuchProcess):
            family = psutil.Process(process.pid).children(recursive=True)
        process.kill()  # before the others: it may be stopped, and then they would wait for it as zombies
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout)):
            with contextlib.suppress(OSError):  # something may be left to write, and nobody there to read it
                pipe.close()
        for _ in range(10):  # one may start another while it is killed
            for other in family:
                with contextlib.suppress(psutil.Error):
                    other.kill()
            until = time.monotonic() + 1
            while any(map(_runs, family)) and time.monotonic() < until:
                time.sleep(0.01)
            family = _started(self._scratch)
            if not family:
                break

    def close(self) -> None:
        """Stop for good and remove what was left behind."""
        with self._stopping:
            self.closed = True
        self.stop()
        remove(self._scratch)
        os.close(self._held)
