"""Small exercise sets for the tests of the instructor tools."""

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook, new_raw_cell
from small_sets import CONFIG, case, function, solution


@pytest.fixture
def write_source(tmp_path):
    """Return a function that writes a source notebook and returns its path."""

    def write(*cells):
        path = tmp_path / "small.ipynb"
        kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        notebook = new_notebook(cells=[new_raw_cell(CONFIG), new_markdown_cell("# Small\n\nText."), *cells])
        notebook.metadata.update(kernel)
        nbformat.write(notebook, path)
        return path

    return write


@pytest.fixture
def double():
    """Return the parts of a sound question about doubling a number."""
    return {
        "answer": solution("double", "x + x + 0 * x"),
        "visible": case("double", "two", "double(2) == 4"),
        "hidden": case("double", "three", "double(3) == 6, 'three'", hidden=True),
        "wrong": ["# Squares.\n" + function("double", "    return x**2"), "# Four.\ndef double(x):\n    return 4"],
    }
