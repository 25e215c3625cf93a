"""The record of mutants is what breaking the library again gives."""

import json

import pytest

from tools import mutants


def test_record_is_current():
    """book/data/mutants.json is what `python -m tools.mutants` writes. Every mutant runs again; equal to the byte."""
    assert mutants.record() == mutants.RECORD.read_text()


def test_most_are_killed():
    """At least 20 mutants are killed, and each survivor has its reason."""
    rows = json.loads(mutants.RECORD.read_text())
    assert sum(row["killed"] for row in rows) >= 20
    assert all(row["killed"] or row["reason"].endswith(".") for row in rows)


def test_only_a_refuted_statement_kills():
    """An exception that is no assertion does not kill a mutant, and a change that is not in the file is an error."""
    crash = mutants.Mutant("bounds.py", "2 * k * math.exp", "2 * unknown_name * math.exp", mutants.TAILS)
    assert not mutants.is_killed(crash)
    absent = mutants.Mutant("bounds.py", "no such expression", "", mutants.TAILS)
    with pytest.raises(ValueError, match="must occur once"):
        mutants.is_killed(absent)
