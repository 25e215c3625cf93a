"""Break the library in one expression at a time and record which theorem test notices: `python -m tools.mutants`.

A mutant is killed only by an AssertionError of the test named for it, after the same test passed on an
unchanged copy. The survivors stay in the record, with the reason.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "book" / "data" / "mutants.json"
TIMEOUT = 120

LEMMA = "test_hoeffding.py::test_composition"
TAILS = "test_hoeffding.py::test_exact_tails"
LARGE_TAILS = "test_hoeffding.py::test_large_tails"
UNION = "test_union_bound.py::test_independent_classifiers"
ERROR = "test_union_bound.py::test_leaderboard_error"
ADAPTIVE = "test_union_bound.py::test_adaptive_analyst_breaks_it"
ATTACK = "test_boosting_accuracy.py::test_attack_on_every_draw"
CURVE = "test_boosting_accuracy.py::test_curve_on_every_draw"
LISTS = "test_boosting_accuracy.py::test_every_list_of_submissions"
VALUES = "test_boosting_accuracy.py::test_exact_values"
PIVOTAL = "test_boosting_accuracy.py::test_pivotal"
EVEN = "test_boosting_accuracy.py::test_even_votes"
LIMIT = "test_boosting_accuracy.py::test_limit"
CUT = "test_boosting_accuracy.py::test_rounding_only_moves_the_cut"
PAPERS = "test_boosting_simulation.py::test_papers_sizes"
VOTE_EDGE = "test_theorem_5_1.py::test_edge_of_one_vote"
EXPECTED = "test_theorem_5_1.py::test_expected_accuracy"
REACH = "test_adversarial_error.py::test_edge_by_enumeration"
FIXED = "test_competitions.py::test_fixed_classifier"
BEST = "test_competitions.py::test_best_of_k"
ONE_BIT = "test_competitions.py::test_one_bit_of_feedback"
FINAL = "test_competitions.py::test_final_submission"


@dataclass(frozen=True)
class Mutant:
    """One changed expression of a library file and the theorem test that should notice."""

    file: str
    old: str
    new: str
    test: str
    reason: str = ""  # why it survives, if it does


MUTANTS = [
    Mutant("losses.py", "count_nonzero(u != y)", "count_nonzero(u == y)", FIXED),
    Mutant("losses.py", "count_nonzero(u != y)", "count_nonzero(u > y)", BEST),
    Mutant("losses.py", "wrong / np.size(labels)", "wrong / (np.size(labels) + 1)", FIXED),
    Mutant("mechanisms.py", "return wrong / n", "return 1 - wrong / n", ONE_BIT),
    Mutant("leaderboard.py", "np.abs(shown - ", "np.abs(0 * shown - ", FINAL),
    Mutant("bounds.py", "2 * k * math.exp", "k * math.exp", TAILS),
    Mutant("bounds.py", "2 * k * math.exp", "2 * math.exp", UNION),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-2.1 * epsilon * epsilon * n", LARGE_TAILS),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-1.9 * epsilon * epsilon * n", LEMMA),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-4 * epsilon * epsilon * n", TAILS),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-2 * epsilon * n", LEMMA),
    Mutant("bounds.py", "min(1.0, 2", "max(1.0, 2", LEMMA),
    Mutant("bounds.py", "min(1.0, 2", "min(2.0, 2", LEMMA),
    Mutant("bounds.py", "(np.asarray(votes) + 1) // 2", "np.asarray(votes) // 2", EVEN),
    Mutant("bounds.py", "half == 0, 0.5", "half == 0, 0.0", LISTS),
    Mutant(
        "bounds.py",
        "betainc(np.maximum(half, 1), np.maximum(half, 1), right)",
        "betainc(half, half, right)",
        LISTS,
        "The same function: the values at half = 0 are thrown away by the line itself.",
    ),
    Mutant("bounds.py", "cut = n // 2 if", "cut = (n - 1) // 2 if", LISTS),
    Mutant(
        "bounds.py",
        "cut = n // 2 if",
        "cut = (n - 1) // 2 if",
        PIVOTAL,
        "Aligned votes do not feel the ties: C(n-1, n/2 - 1) = C(n-1, n/2) for even n. The better half does.",
    ),
    Mutant("bounds.py", "(n * (2 * (m // 2) + 1) - 1) //", "(n * (2 * (m // 2) + 1)) //", CUT),
    Mutant("bounds.py", "2 * (m // 2) + 1", "m", CUT),
    Mutant("bounds.py", "binom.pmf(cut, n - 1, 0.5)", "binom.pmf(cut, n, 0.5)", VOTE_EDGE),
    Mutant("bounds.py", "0.5 + pivotal / 2", "0.5 + pivotal / 4", EXPECTED),
    Mutant("bounds.py", "0.5 + pivotal / 2", "0.5 + pivotal", PIVOTAL),
    Mutant("bounds.py", "pivotal / (4 * kept)", "pivotal / (2 * kept)", LIMIT),
    Mutant("bounds.py", "pivotal / (4 * kept)", "pivotal / 2", VALUES),
    Mutant("bounds.py", "binom.cdf(cut, n, 0.5)", "0.5", VALUES),
    Mutant(
        "bounds.py",
        "binom.cdf(cut, n, 0.5)",
        "0.5",
        LIMIT,
        "A limit is blind to ties at one half, whose share vanishes like 1/√n. The exact values are not.",
    ),
    Mutant("bounds.py", "np.arange(k + 1)", "np.arange(k)", VALUES),
    Mutant("attacks.py", "submit(submission) <= 0.5", "submit(submission) < 0.5", ATTACK),
    Mutant("attacks.py", "submit(submission) <= 0.5", "submit(submission) >= 0.5", ADAPTIVE),
    Mutant("attacks.py", "submit(submission) <= 0.5", "submit(submission) <= 0.51", REACH),
    Mutant(
        "attacks.py", "2 * int(np.count_nonzero(submission)) <= n", "2 * int(np.count_nonzero(submission)) < n", CURVE
    ),
    Mutant("attacks.py", "np.where(tally == 0, coins, tally > 0)", "np.where(tally == 0, 0, tally > 0)", ATTACK),
    Mutant("attacks.py", "np.where(tally == 0, coins, tally > 0)", "np.where(tally == 0, 1, tally > 0)", ATTACK),
    Mutant("attacks.py", 'keep == "aligned" else 0', 'keep == "aligned" else -1', PAPERS),
    Mutant("attacks.py", '-1 if keep == "aligned" else 0', "0", PAPERS),
    Mutant("attacks.py", "submission == 1, sign, -sign", "submission == 1, sign, 0", ATTACK),
    Mutant("mechanisms.py", "(2 * wrong * m + n) // (2 * n)", "(2 * wrong * m + n - 1) // (2 * n)", ATTACK),
    Mutant("mechanisms.py", "(2 * wrong * m + n) // (2 * n)", "(2 * wrong * m) // (2 * n)", ATTACK),
    Mutant("mechanisms.py", "submission != self._labels", "submission == self._labels", ATTACK),
    Mutant("mechanisms.py", "return wrong / n", "return (wrong + 1) / (n + 1)", REACH),
    Mutant("leaderboard.py", "np.minimum.accumulate(risks)", "risks", ERROR),
    Mutant("leaderboard.py", "np.max(np.abs(shown", "np.max((shown", ERROR),
    Mutant("leaderboard.py", "np.max(np.abs", "np.mean(np.abs", ERROR),
    Mutant(
        "_draws.py",
        "words[:, -1] >>= np.uint64(-n % 64)",
        "words[:, -1] &= np.uint64(2**64 - 1)",
        PAPERS,
        "Other bits of the same fair words are used: no theorem can tell. The library's test of the layout does.",
    ),
]

# Runs in its own process, in a directory that holds nothing but a copy of the library, which is imported first.
PROBE = """
import json, sys
from pathlib import Path
import leaderboard_edu, pytest
assert Path(leaderboard_edu.__file__).resolve().parents[1] == Path.cwd(), leaderboard_edu.__file__
raised = []
class Recorder:
    def pytest_exception_interact(self, call):
        raised.append(call.excinfo.type.__name__)
code = pytest.main([*sys.argv[2:], "-x", "-q", "-p", "no:cacheprovider"], plugins=[Recorder()])
Path(sys.argv[1]).write_text(json.dumps([int(code), raised]))
"""


def outcome(tests: list[str], mutant: Mutant | None = None) -> tuple[int, list[str]]:
    """Run theorem tests on a copy of the library; return pytest's exit code and the names of what was raised."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "leaderboard_edu"
        shutil.copytree(ROOT / "leaderboard_edu", copy, ignore=shutil.ignore_patterns("__pycache__"))
        if mutant:
            source = (copy / mutant.file).read_text()
            if source.count(mutant.old) != 1:
                raise ValueError(f"{mutant.old!r} must occur once in {mutant.file}, found {source.count(mutant.old)}")
            (copy / mutant.file).write_text(source.replace(mutant.old, mutant.new))
        result = copy.parent / "result.json"
        ids = [str(ROOT / "tests" / "theorems" / test) for test in tests]
        run = subprocess.run(
            [sys.executable, "-c", PROBE, str(result), *ids],
            cwd=copy.parent,
            env={**os.environ, "PYTHONPATH": str(copy.parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        if not result.exists():
            raise RuntimeError(f"no result for {mutant or tests}:\n{run.stdout}{run.stderr}")
        code, raised = json.loads(result.read_text())
        return code, raised


def is_killed(mutant: Mutant) -> bool:
    """Say whether the named test refutes the mutant, and by an assertion."""
    code, raised = outcome([mutant.test], mutant)
    return code == 1 and raised == ["AssertionError"]


def statement(test: str) -> str:
    """Return what a theorem test states: the first line of its docstring."""
    file, name = test.split("::")
    tree = ast.parse((ROOT / "tests" / "theorems" / file).read_text())
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return ast.get_docstring(function).splitlines()[0]


def record() -> str:
    """Run every mutant and return the record as JSON text."""
    code, raised = outcome(sorted({mutant.test for mutant in MUTANTS}))
    if code != 0:
        raise RuntimeError(f"the unchanged run of the named tests failed: {raised}")
    with ThreadPoolExecutor(2) as pool:
        killed = list(pool.map(is_killed, MUTANTS))
    unexpected = [mutant for mutant, dead in zip(MUTANTS, killed, strict=True) if dead == bool(mutant.reason)]
    if unexpected:
        raise RuntimeError(f"survived without a reason, or were killed in spite of one: {unexpected}")
    rows = []
    for mutant, dead in zip(MUTANTS, killed, strict=True):
        row = {
            "file": f"leaderboard_edu/{mutant.file}",
            "change": [mutant.old, mutant.new],
            "test": f"tests/theorems/{mutant.test}",
            "statement": statement(mutant.test),
            "killed": dead,
        }
        rows.append(row if dead else {**row, "reason": mutant.reason})
    rows.sort(key=lambda row: (row["file"], row["change"], row["test"]))
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    RECORD.write_text(record())
    rows = json.loads(RECORD.read_text())
    print(f"{sum(row['killed'] for row in rows)} of {len(rows)} mutants killed: {RECORD.relative_to(ROOT)}")
