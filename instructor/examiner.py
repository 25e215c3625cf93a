"""Examine notebooks one after the other, each in processes that end at their limits, whatever the notebook does.

`python -m instructor.examiner FOLDER LIMITS`, started by `instructor.grading`, reads the path of a notebook from each
line of its input and writes a line of JSON for each. It forks for each notebook, so that starting a student's process
costs nothing. When a cell or a question goes on for too long or ends the process, another fork does the rest.

This contains accidents, not attacks: a student's code runs with the rights of the teacher.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import inspect
import json
import os
import random
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import time
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

MESSAGE = 2_000  # characters of a message that are kept
MANY = 20  # cells that a report names
LONGEST = 10**6  # bytes of a line that a student's process may say
PR_SET_CHILD_SUBREAPER = 36
STEPS = 10  # a notebook may take so many times what one of its cells or tests may take


@dataclass(frozen=True)
class Limits:
    """What a notebook may use: seconds for each cell and each test, megabytes of memory and of the file itself."""

    seconds: float = 20
    memory: int = 2_000
    file: int = 20


@dataclass
class Record:
    """What is known of one notebook: the cases of each question, what cells raised, and what was cut off and why."""

    cases: dict[str, list[dict[str, Any]]]
    errors: dict[int, str] = field(default_factory=dict)
    cut: dict[int | str, str] = field(default_factory=dict)  # by number of cell or name of question
    done: set[str] = field(default_factory=set)


def code_cells(path: Path, limits: Limits) -> list[str]:
    """Return the code of a notebook, cell by cell; raise ValueError if it cannot be read as one."""
    try:
        if not path.is_file():
            raise ValueError("not a file")
        if path.stat().st_size > limits.file * 10**6:
            raise ValueError(f"larger than {limits.file} MB")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot be read: {describe(error)}") from error
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError("not a notebook: it is not JSON") from error
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise ValueError("not a notebook: it has no list of cells")
    sources = [cell.get("source") for cell in cells if cell.get("cell_type") == "code"]
    lines = [[source] if isinstance(source, str) else source for source in sources]
    if not all(isinstance(source, list) and all(isinstance(line, str) for line in source) for source in lines):
        raise ValueError("not a notebook: it has a code cell without source text")
    return ["".join(source) for source in lines]


def describe(error: BaseException) -> str:
    """Return what an exception says, bounded in length, whatever its text is made by."""
    try:
        text = str(error)
    except BaseException:
        text = "(its message cannot be shown)"
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    said = kind + (text if len(text) <= MESSAGE else f"{text[:MESSAGE]} … ({len(text)} characters)")
    return said.encode(errors="backslashreplace").decode()


def remove(folder: str) -> None:
    """Remove a folder, however deep it is and whatever its permissions are."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*command, folder], stderr=subprocess.DEVNULL, check=False)


class Examiner:
    """A process ready to examine: everything a student's code may need is imported, and the tests are read."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        import scipy.optimize
        import scipy.special
        import scipy.stats  # noqa: F401
        from IPython.core.interactiveshell import InteractiveShell
        from otter.test_files import create_test_file
        from traitlets.config import Config

        class Shell(InteractiveShell):
            """IPython without a terminal or a browser, and without printed tracebacks."""

            def enable_gui(self, gui: Any = None) -> None:
                """`%matplotlib inline` asks for this."""

            def ask_exit(self) -> None:
                """A notebook may call `exit()`; the cells after it run all the same."""

            def _tee(self, channel: str) -> Any:
                """Keep nothing of what is printed: IPython would keep all of it, and slowly."""
                return contextlib.nullcontext()

            def showtraceback(self, *_: Any, **__: Any) -> None:
                """Nobody reads what is printed."""

            showsyntaxerror = showtraceback

        self.limits = limits
        self.files = folder / "files"
        self.tests = {}
        for path in sorted((folder / "tests").glob("*.py")):
            test = create_test_file(str(path), None)
            for case in test.test_cases:
                case.body.test_func = _with_own_builtins(case.body.test_func)
            self.tests[test.name] = test
        config = Config()
        config.HistoryManager.enabled = False
        shell: type[InteractiveShell] = Shell
        self.shell = shell(config=config)

    def examine(self, path: Path) -> dict[str, Any]:
        """Return the report on one notebook."""
        try:
            cells = code_cells(path, self.limits)
        except ValueError as error:
            return {"status": "unreadable", "note": str(error), "questions": {}, "errors": {}}
        record = Record({name: [] for name in self.tests})
        deadline = time.monotonic() + STEPS * self.limits.seconds
        while self._goes_on(cells, record, deadline):
            pass
        return self._report(record)

    def _goes_on(self, cells: list[str], record: Record, deadline: float) -> bool:
        """Run the cells and tests that are left, and return whether some are left again, after one was cut off."""
        scratch = os.path.realpath(tempfile.mkdtemp())
        if self.files.is_dir():
            shutil.copytree(self.files, scratch, dirs_exist_ok=True)
        ours, theirs = os.pipe()
        if not os.fork():
            try:
                os.close(ours)
                confine(scratch, theirs, self.limits)
                self._be_student(cells, record, theirs)
            finally:
                os._exit(1)
        os.close(theirs)
        try:
            return self._follow(Pipe(ours), record, deadline)
        finally:
            os.close(ours)
            end_descendants()
            remove(scratch)

    def _be_student(self, cells: list[str], record: Record, pipe: int) -> None:
        """In the student's process: run the cells, then the tests of each question."""
        import numpy

        random.seed(0)  # what a notebook draws without a seed is the same each time, but for `default_rng()`
        numpy.random.seed(0)  # noqa: NPY002
        say = Speaker(pipe)
        for number, code in enumerate(cells):
            if number not in record.cut:
                say(cell=number)
                result = self.shell.run_cell(code)
                error = result.error_before_exec or result.error_in_exec
                if error is not None:
                    say(error=describe(error))
        for name, test in self.tests.items():
            if name not in record.done and name not in record.cut:
                say(question=name)
                for case in test.test_cases:
                    say(case=_run(case, self.shell.user_ns))
        say(finished=True)

    def _follow(self, pipe: Pipe, record: Record, deadline: float) -> bool:
        """Note what a student's process says until it is over; return whether something is left to do."""
        doing: int | str | None = None
        asked = 0
        while True:
            said = pipe.read(min(self.limits.seconds, deadline - time.monotonic()))
            match said:
                case {"cell": int(number)}:
                    doing = number
                    record.errors.pop(number, None)
                case {"error": str(text)} if isinstance(doing, int):
                    record.errors[doing] = text
                case {"question": str(name)}:
                    doing = name
                    asked += 1
                    record.cases[name] = []
                case {"case": dict(case)} if isinstance(doing, str):
                    record.cases[doing].append(case)
                    if len(record.cases[doing]) == len(self.tests[doing].test_cases):
                        record.done.add(doing)
                case {"finished": True}:
                    return False
                case "timeout" | "crashed" if doing is None or time.monotonic() >= deadline:
                    record.cut |= {name: said for name in self.tests if name not in record.done}
                    return False
                case "crashed" if asked > 1:  # perhaps by something that an earlier question left behind
                    return True
                case "timeout" | "crashed" if doing is not None:
                    record.cut[doing] = said
                    return True

    def _report(self, record: Record) -> dict[str, Any]:
        """Return the status of a notebook, what was cut off, and the points and cases of each question."""
        cells = {number: why for number, why in record.cut.items() if isinstance(number, int)}
        questions, troubles = {}, []
        for name, test in self.tests.items():
            cases = record.cases[name]
            lost = next(iter(cells.values()), "") if any(case["error"] == MISSING for case in cases) else ""
            trouble = record.cut.get(name, lost)
            troubles.append(trouble)
            unseen = [_case(case, False, trouble, "was not run to its end") for case in test.test_cases[len(cases) :]]
            points = [case.points for case in test.test_cases]
            earned = [number for number, case in zip(points, cases, strict=False) if case["passed"]]
            questions[name] = {
                "points": round(sum(earned), 4),
                "possible": round(sum(points), 4),
                "trouble": trouble,
                "cases": cases + unseen,
            }
        if not record.cut:
            status = "graded"
        elif not all(troubles):
            status = "partial"
        else:
            status = "timeout" if "timeout" in troubles else "crashed"
        what = [
            f"cell {name + 1}: {why}" if isinstance(name, int) else f"{name}: {why}" for name, why in record.cut.items()
        ]
        more = [f"{len(what) - MANY} more"] if len(what) > MANY else []
        errors = {str(number + 1): text for number, text in sorted(record.errors.items())[:MANY]}
        return {"status": status, "note": ", ".join(what[:MANY] + more), "questions": questions, "errors": errors}


MISSING = "missing"
READY = "ready"


def _case(case: Any, passed: bool, error: str, message: str) -> dict[str, Any]:
    """Return the outcome of a test as plain data; `error` is the name of what was raised, empty if nothing was."""
    see = case.failure_message or ""
    return {"hidden": case.hidden, "passed": passed, "error": error, "message": message, "see": see}


def _run(case: Any, namespace: dict[str, Any]) -> dict[str, Any]:
    """Run one test with the answers that it asks for."""
    missing = [name for name in inspect.signature(case.body.test_func).parameters if name not in namespace]
    if missing:
        return _case(case, False, MISSING, f"`{missing[0]}` is not there: its cell is gone, or could not be run")
    try:
        case.body.call_func(namespace)
    except BaseException as error:  # an answer may call `sys.exit`
        return _case(case, False, type(error).__name__, describe(error))
    return _case(case, True, "", "")


def _with_own_builtins(function: types.FunctionType) -> types.FunctionType:
    """Return a test that does not notice when a notebook puts its own `sum` or `all` in place of Python's."""
    names = function.__globals__ | {"__builtins__": dict(vars(builtins))}
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


class Speaker:
    """What a student's process says, a line of JSON each; a copy of the process that a notebook forks says nothing."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._owner = pipe, os.getpid()

    def __call__(self, **message: Any) -> None:
        if os.getpid() != self._owner:
            os._exit(1)
        line = json.dumps(message).encode() + b"\n"
        while line:
            line = line[os.write(self._pipe, line) :]


class Pipe:
    """The other end: reads a message, or says that none came in time or that none will come."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._rest = pipe, b""

    def read(self, patience: float) -> dict[str, Any] | str:
        until = time.monotonic() + patience
        while b"\n" not in self._rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._pipe], [], [], left)[0]:
                return "timeout"
            more = os.read(self._pipe, 65536)
            if not more or len(self._rest) > LONGEST:
                return "crashed"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            message = json.loads(line)
        except ValueError:
            return "crashed"
        return message if isinstance(message, dict) else "crashed"


def confine(scratch: str, pipe: int, limits: Limits) -> None:
    """Make this process a student's: in a session and a folder of its own, mute, and with limits."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.closerange(3, pipe)
    os.closerange(pipe + 1, 1024)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = sys.stderr = os.fdopen(1, "w", encoding="utf-8")
    memory = psutil.Process().memory_info().vms + limits.memory * 10**6
    for limit, value in [
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, limits.file * 10**6),
        (resource.RLIMIT_CORE, 0),
    ]:
        resource.setrlimit(limit, (value, value))
    os.chdir(scratch)
    os.environ |= {"HOME": scratch, "TMPDIR": scratch, "MPLCONFIGDIR": scratch, "MPLBACKEND": "agg"}
    os.environ |= {"PIP_NO_INDEX": "1", "PIP_DRY_RUN": "1"}  # `%pip install` would change what others are graded with
    tempfile.tempdir = None
    sys.path[0] = scratch
    sys.argv = [""]  # it says where the tests are
    for name in [name for name in sys.modules if name.partition(".")[0] in ("otter", "instructor")]:
        del sys.modules[name]
    sys.modules["otter"] = _no_otter()
    sys.addaudithook(_keep_inside(scratch))


def _no_otter() -> types.ModuleType:
    """Return a module in whose place notebooks find otter: its checks do nothing, and nothing is there to patch."""

    class Notebook:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            return lambda *_, **__: None

    module = types.ModuleType("otter")
    vars(module)["Notebook"] = Notebook
    return module


# What changes a place, where its paths stand among the arguments, and the folders that these start from.
CHANGES = {
    "os.chmod": ((0, 2),),
    "os.link": ((0, 2), (1, 3)),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "sqlite3.connect": ((0, None),),
}
WRITTEN = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _keep_inside(scratch: str) -> Any:
    """Return an audit hook that refuses to open for writing, change or remove what is not in the folder.

    Python cannot take a hook back. It guards against mistakes: there are ways around it.
    """

    def refuse(path: Any, folder: int | None) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        start = os.readlink(f"/proc/self/fd/{folder}") if folder is not None and folder >= 0 else ""
        place = os.path.realpath(os.path.join(start, os.fsdecode(path)))
        if place != scratch and not place.startswith((scratch + os.sep, os.devnull)):
            raise PermissionError(f"only the working folder may be changed, not {place}")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and arguments[2] and arguments[2] & WRITTEN:
            refuse(arguments[0], None)
        for path, folder in CHANGES.get(event, ()):
            refuse(arguments[path], None if folder is None else arguments[folder])

    return hook


def end_descendants() -> None:
    """Kill all that this process has started."""
    while family := psutil.Process().children(recursive=True):
        for child in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(family, timeout=1)


def main(folder: str, limits: str) -> None:
    """Examine each notebook that a line of the input names."""
    with contextlib.suppress(AttributeError, OSError):  # Linux: processes that lose their parent become ours
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    examiner = Examiner(Path(folder), Limits(**json.loads(limits)))
    print(READY, file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(examiner.examine(Path(json.loads(line)))), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
