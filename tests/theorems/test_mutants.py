"""Mutants have one place each, and the record of their fates is that of the present files."""

import copy
import json

import pytest

from tools import mutants
from tools.syntax import replaced

SOURCE = """
LIMIT = 2  # a comment

class Board:
    def step(self, losses, best):
        wrong, n = losses.sum(), len(losses)
        kept = [loss for loss in losses if loss < best]
        return (wrong < best) + wrong / (n + LIMIT) - len(kept) / n

def step(wrong, n):
    return wrong / (n + LIMIT)
"""


def test_record_is_current():
    """book/data/mutants.json says of each listed mutant what running it gives; what changed since runs again."""
    stored = json.loads(mutants.RECORD.read_text())
    assert mutants.record(stored)["mutants"] == stored["mutants"]


def test_most_are_killed():
    """At least 300 mutants are killed, and each survivor has its reason."""
    rows = json.loads(mutants.RECORD.read_text())["mutants"]
    assert sum(row["killed"] for row in rows) >= 300
    assert all(row["killed"] or row["reason"].endswith(".") for row in rows)


def test_changed_files_and_rows_are_checked_again(monkeypatch):
    """A verdict is found anew if a file it was found with has changed, or its row is missing, edited or lacks one."""
    stored = json.loads(mutants.RECORD.read_text())
    checked = []
    monkeypatch.setattr(mutants, "check", checked.extend)
    monkeypatch.setattr(mutants, "contents", lambda mutant: [str(mutant.path.relative_to(mutants.ROOT))])
    stored = mutants.record(stored)
    checked.clear()
    assert mutants.record(stored) == stored
    assert not checked
    for file in ("leaderboard_edu/bounds.py", "tests/theorems/test_swap.py"):
        old = copy.deepcopy(stored)
        old["hashes"][file] = "of another version"
        assert mutants.record(old) == stored
        assert {mutant.path for mutant in checked} == {mutants.ROOT / file}
        checked.clear()
    for edited in (stored["mutants"][1:], [{**stored["mutants"][0], "killed": False}, *stored["mutants"][1:]]):
        assert mutants.record({**stored, "mutants": edited}) == stored
        assert [mutant.where for mutant in checked] == [stored["mutants"][0]["where"]]
        checked.clear()


def test_files_of_a_verdict():
    """They are the mutated file, the test's, what this imports from beside it or from the pictures, and conftest.py."""
    mutant = mutants.Mutant("bounds.py::union_bound", "", "", "test_rank_attack.py::test_yardstick")
    assert mutants.contents(mutant) == [
        "book/pictures/rank_attack.py",
        "leaderboard_edu/bounds.py",
        "tests/conftest.py",
        "tests/theorems/scripted.py",
        "tests/theorems/test_rank_attack.py",
    ]
    drawn = "book/pictures/boosting_attack.py"
    mutant = mutants.Mutant("pictures/boosting_attack.py::edge", "", "", "test_blocks.py::test_luckiest_file")
    assert mutants.contents(mutant) == [drawn, "tests/conftest.py", "tests/theorems/test_blocks.py"]


def test_only_a_refuted_statement_kills():
    """A survivor without a reason, a crash, and a mutant that dies in spite of its reason are errors."""
    place, test = ("bounds.py::union_bound", "2 * k * math.exp(-2 * epsilon * epsilon * n)"), "test_hoeffding.py"
    same = mutants.Mutant(*place, "k * 2 * math.exp(-2 * epsilon * epsilon * n)", f"{test}::test_exact_tails")
    crash = mutants.Mutant(*place, "unknown", f"{test}::test_exact_tails")
    dead = mutants.Mutant(*place, "0", f"{test}::test_exact_tails", "No reason.")
    with pytest.raises(RuntimeError) as found:
        mutants.check([same, crash, dead])
    told = str(found.value).splitlines()[1:]
    assert [line.rpartition(": ")[2] for line in told] == ["(0, [])", "(1, ['NameError'])", "(1, ['AssertionError'])"]
    with pytest.raises(ValueError, match=r"bounds\.py::union_bound: .* does 0 times: no_such\(\)"):
        mutants.check([mutants.Mutant(place[0], "no_such()", "0", f"{test}::test_exact_tails")])


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        ("Board.step", "wrong/(n+LIMIT)", "0", "return (wrong < best) + 0 - len(kept) / n"),
        ("Board.step", "wrong, n = losses.sum(), len(losses)", "wrong, n = 0, 1", "wrong, n = (0, 1)"),
        ("step", "wrong / (n + LIMIT)", "wrong", "return wrong"),
        ("", "LIMIT = 2", "LIMIT = 3", "LIMIT = 3"),
        # As if `wrong` and `n`, or a parameter, or the variable of the list had been renamed since:
        (
            "Board.step",
            "bad / (m + LIMIT)",
            "bad / (m - LIMIT)",
            "return (wrong < best) + wrong / (n - LIMIT) - len(kept) / n",
        ),
        ("Board.step", "(bad < best) + bad / (n + LIMIT)", "bad <= best", "return (wrong <= best) - len(kept) / n"),
        (
            "Board.step",
            "[x for x in losses if x < b]",
            "[x for x in losses if x > b]",
            "kept = [loss for loss in losses if loss > best]",
        ),
    ],
)
def test_place(name, old, new, line):
    """A place is found by the syntax, in the named function only, and under new names of local variables."""
    before, after = replaced(SOURCE, "", "LIMIT = 2", "LIMIT = 2"), replaced(SOURCE, name, old, new)
    changed = [b.strip() for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert changed == [line]


@pytest.mark.parametrize(
    ("name", "old", "message"),
    [
        ("Board.step", "n", "2 times: n"),
        ("Board.step", "wrong / (n + 1)", "0 times"),
        ("Board.step", "x / (x + LIMIT)", "0 times"),  # two variables cannot both be x
        ("Board.step", "x < y", "2 times"),
        ("Board.step", "LEAST + 1", "0 times"),
        ("", "MOST = 2", "0 times"),  # a constant of the module is no local variable
        ("Board.walk", "n", "the name must be defined once, but is 0 times"),
    ],
)
def test_place_gone_or_ambiguous(name, old, message):
    """What has no place, or several, is an error that says what was looked for."""
    with pytest.raises(ValueError, match=message):
        replaced(SOURCE, name, old, "0")


def test_one_mutant_is_parsed_at_a_time(monkeypatch):
    """While another thread parses, Python may find that its parser's depth does not fit, and raise SystemError."""
    mutant, locked = mutants.Mutant("bounds.py::union_bound", "", "", ""), []
    monkeypatch.setattr(mutants, "replaced", lambda *told: str(locked.append(mutants.PARSING.locked())))
    mutant.mutated()
    assert locked == [True]
    assert not mutants.PARSING.locked()
