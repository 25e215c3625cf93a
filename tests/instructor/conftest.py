"""Small exercise sets for the tests of the instructor tools."""

import pytest
from small_sets import case, function, solution, write


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
