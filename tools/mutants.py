"""Break one expression at a time and record which theorem test notices: `python -m tools.mutants`.

The mutants are listed in `tests/theorems/mutants.toml`. A mutant is killed only by an AssertionError of the test named
for it, where the same test passes on an unchanged copy. The survivors stay in the record, with the reason.

What the record says of a mutant is kept while the files it was found with are the same: the mutated file, that of the
test, what this imports from beside it or from `book/pictures`, and `tests/conftest.py`. A verdict also depends on the
other files of the library and on the packages installed, which are not compared; `python -m tools.mutants --all` runs
every mutant.
"""

import ast
import hashlib
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from tools.syntax import replaced

ROOT = Path(__file__).resolve().parents[1]
THEOREMS = ROOT / "tests" / "theorems"
LIST = THEOREMS / "mutants.toml"
RECORD = ROOT / "book" / "data" / "mutants.json"
TIMEOUT = 300  # seconds for one test, far more than any needs; all of them together get ten times as long
PARSING = Lock()  # Python's parser counts its depth for all threads together: two at once end in a SystemError
KILLED = (1, ["AssertionError"])  # what pytest returns, and all that is raised, if a test refutes a mutant


@dataclass(frozen=True)
class Mutant:
    """One changed expression of a library file, or of a test's statement, and the theorem test that should notice."""

    where: str  # file, and after "::" the function or class
    old: str
    new: str
    test: str
    reason: str = ""  # why it survives, if it does

    @property
    def path(self) -> Path:
        name = self.where.partition("::")[0]
        if name.startswith("pictures/"):
            return ROOT / "book" / name
        return (THEOREMS if name.startswith("test_") else ROOT / "leaderboard_edu") / name

    def mutated(self) -> str:
        """Return the source of the file with the change; raise ValueError unless it has exactly one place."""
        name = self.where.partition("::")[2]
        try:
            with PARSING:
                return replaced(self.path.read_text(), name, self.old, self.new)
        except ValueError as error:
            raise ValueError(f"{self.where}: {error}") from None


# Each run is a fork of a process that has imported pytest and SciPy, but neither the library nor a test.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["pytest", "scipy.optimize", "scipy.special", "scipy.stats"])


def probe(folder: Path, tests: list[str]) -> None:
    """In a process of its own, run tests of the copy in `folder`; write down the exit code and what was raised."""
    os.chdir(folder)
    sys.path[:0] = [str(folder), str(folder / "book")]  # before what whoever started this has put there
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["HYPOTHESIS_PROFILE"] = "mutant"
    log = os.open("log", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    import pytest

    import leaderboard_edu

    assert Path(leaderboard_edu.__file__).resolve().parents[1] == folder, leaderboard_edu.__file__
    raised = []

    class Recorder:
        def pytest_exception_interact(self, call: pytest.CallInfo[None]) -> None:
            if call.excinfo:
                raised.append(call.excinfo.type.__name__)

    ids = [str(folder / "tests" / "theorems" / test) for test in tests]
    code = pytest.main([*ids, "-x", "-q", "-p", "no:cacheprovider"], plugins=[Recorder()])
    Path("result.json").write_text(json.dumps([int(code), raised]))


def outcome(tests: list[str], mutant: Mutant | None = None) -> tuple[int, list[str]]:
    """Run theorem tests on a copy of everything; return pytest's exit code and the names of what was raised."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for part in ("leaderboard_edu", "tests/theorems", "book/pictures"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "tests" / "conftest.py", folder / "tests")
        if mutant:
            (folder / mutant.path.relative_to(ROOT)).write_text(mutant.mutated())
        process = FORKS.Process(target=probe, args=(folder, tests))
        process.start()
        process.join(TIMEOUT if mutant else 10 * TIMEOUT)
        if process.is_alive():
            process.kill()
            process.join()
        if not (folder / "result.json").exists():
            log = (folder / "log").read_text() if (folder / "log").exists() else ""
            raise RuntimeError(f"no result for {mutant or tests}:\n{log}")
        code, raised = json.loads((folder / "result.json").read_text())
        return code, raised


def check(mutants: list[Mutant]) -> None:
    """Run mutants and raise RuntimeError unless those die, and only those, that have no reason to survive."""
    gone = []
    for mutant in mutants:
        try:
            mutant.mutated()
        except ValueError as error:
            gone.append(str(error))
    if gone:
        raise ValueError("\n".join(gone))
    with ThreadPoolExecutor(2) as pool:
        unchanged = pool.submit(outcome, sorted({mutant.test for mutant in mutants}))
        found = list(pool.map(lambda mutant: outcome([mutant.test], mutant), mutants))
    if unchanged.result()[0] != 0:
        raise RuntimeError(f"the unchanged run of the named tests failed: {unchanged.result()[1]}")
    pairs = zip(mutants, found, strict=True)
    wrong = [f"{mutant}: {result}" for mutant, result in pairs if (result == KILLED) == bool(mutant.reason)]
    if wrong:
        raise RuntimeError("\n".join(["survived without a reason, or were killed in spite of one:", *wrong]))


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def statement(test: str) -> str:
    """Return what a theorem test states: the first line of its docstring."""
    file, name = test.split("::")
    (function,) = (f for f in syntax(THEOREMS / file).body if isinstance(f, ast.FunctionDef) and f.name == name)
    return (ast.get_docstring(function) or "").splitlines()[0]


@cache
def read_by(path: Path) -> set[Path]:
    """Return the test file at `path`, what it imports from beside it or from `book/pictures`, and what that imports."""
    found = {path}
    for node in ast.walk(syntax(path)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        for name in names:
            picture = name.startswith("pictures.")
            other = ROOT / "book" / f"{name.replace('.', '/')}.py" if picture else path.with_name(f"{name}.py")
            found |= read_by(other) if other.exists() else set()
    return found


def contents(mutant: Mutant) -> list[str]:
    """Return the files that the verdict on a mutant is recorded with, from the root of the project."""
    tests = read_by(THEOREMS / mutant.test.split("::")[0])
    return sorted(str(path.relative_to(ROOT)) for path in {mutant.path, ROOT / "tests" / "conftest.py", *tests})


def record(stored: dict[str, Any]) -> dict[str, Any]:
    """Return the record, after running the mutants that `stored` lacks or has with other contents."""
    mutants = [Mutant(**table) for table in tomllib.loads(LIST.read_text())["mutant"]]
    files = sorted({file for mutant in mutants for file in contents(mutant)})
    hashes = {file: hashlib.sha256((ROOT / file).read_bytes()).hexdigest() for file in files}
    same = {file for file in files if stored["hashes"].get(file) == hashes[file]}
    rows, changed = [], []
    for mutant in mutants:
        row = {
            "where": mutant.where,
            "change": [mutant.old, mutant.new],
            "test": mutant.test,
            "statement": statement(mutant.test),
            "killed": not mutant.reason,
        }
        rows.append({**row, "reason": mutant.reason} if mutant.reason else row)
        if rows[-1] not in stored["mutants"] or not same.issuperset(contents(mutant)):
            changed.append(mutant)
    if changed:
        check(changed)
    rows.sort(key=lambda row: (row["where"], row["change"], row["test"]))
    return {"hashes": hashes, "mutants": rows}


if __name__ == "__main__":
    known = {"hashes": {}, "mutants": []} if "--all" in sys.argv else json.loads(RECORD.read_text())
    new = record(known)
    RECORD.write_text(json.dumps(new, indent=1, ensure_ascii=False) + "\n")
    killed = sum(row["killed"] for row in new["mutants"])
    print(f"{killed} of {len(new['mutants'])} mutants killed: {RECORD.relative_to(ROOT)}")
