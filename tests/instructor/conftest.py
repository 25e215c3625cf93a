"""Small exercise sets for the tests of the instructor tools, and the tables of hostile notebooks, which are printed."""

from pathlib import Path

import pytest
from small_sets import case, function, solution, write

TABLES = Path(__file__).parents[2] / "_build" / "hostile"


@pytest.fixture(scope="session")
def show():
    """Return a function that keeps the lines of a table, from any worker, for the end of the run."""

    def keep(name, lines):
        TABLES.mkdir(parents=True, exist_ok=True)
        (TABLES / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    return keep


def pytest_sessionstart(session):
    """Forget the tables of the last run."""
    if not hasattr(session.config, "workerinput"):
        for table in TABLES.glob("*.txt"):
            table.unlink()


def pytest_terminal_summary(terminalreporter):
    """Print the tables."""
    for table in sorted(TABLES.glob("*.txt")):
        terminalreporter.section(table.stem)
        terminalreporter.write(table.read_text(encoding="utf-8"))


@pytest.fixture
def write_source(tmp_path):
    """Return a function that writes a source notebook and returns its path."""
    return lambda *cells: write(tmp_path / "small.ipynb", *cells)


@pytest.fixture
def double():
    """Return the parts of a sound question about doubling a number."""
    return {
        "answer": solution("double", "x + x + 0 * x"),
        "visible": case("double", "two", "double(2) == 4, 'two'"),
        "hidden": case("double", "three", "double(3) == 6, 'three'", hidden=True),
        "wrong": ["# Squares.\n" + function("double", "    return x**2"), "# Four.\ndef double(x):\n    return 5"],
    }
