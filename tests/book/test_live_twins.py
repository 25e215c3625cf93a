"""Each interactive figure has a live twin, which redraws without delay; `tests/browser/test_jupyterlab.py` runs it."""

import ast
import json
from pathlib import Path

import nbformat
import pytest
from chapters import CHAPTERS, ROOT, cells, read, tags


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_figure_has_a_live_twin(chapter):
    """One each, which is not on the page, and whose further controls are named in words."""
    code = cells(read(chapter), "code")
    live = [cell for cell in code if "live" in tags(cell)]
    figures = sum("figure-says" in tags(cell) for cell in code)
    assert sum(cell.source.count(".live(") for cell in live) == figures
    assert all("remove-cell" in tags(cell) for cell in live)
    controls = "".join(cell.source for cell in live)
    assert controls.count("widgets.") == controls.count("description=")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_twin_answers_within_a_tenth_of_a_second(chapter):
    """At its defaults, and wherever its controls do not wait until they are let go."""
    timed = json.loads((ROOT / "book" / "data" / "benchmarks.json").read_text())["live"]
    assert Path(chapter).name in timed, f"{chapter} is not timed: run `.venv/bin/python -m tools.benchmarks live`"
    seconds = timed[Path(chapter).name]
    assert seconds["default"] <= 0.1
    assert seconds["slowest"] <= 0.1 or any(
        "continuous_update=False" in cell.source for cell in cells(read(chapter), "code")
    )


def names_taken(notebook):
    """Return the names that later cells read and live cells, which a build leaves out, have changed."""
    taken, found = set(), []
    for cell in cells(notebook, "code"):
        names = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)]
        stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        if "live" in tags(cell):
            taken |= stored
            continue
        found += sorted({name.id for name in names} & taken - stored)
        taken -= stored
    return found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_live_cells_take_no_names(chapter):
    """In Binder they run, too, so what comes after must not read what they assign."""
    assert names_taken(read(chapter)) == []


def test_a_name_that_is_taken_is_found():
    """Unless the cell that reads it has assigned it anew."""
    cell = nbformat.v4.new_code_cell
    live = cell("walked = figure.live()", metadata={"tags": ["live"]})
    before, after, anew = cell("walked = 1"), cell("print(walked)"), cell("walked = 2\nprint(walked)")
    for last, found in ((after, ["walked"]), (anew, [])):
        assert names_taken(nbformat.v4.new_notebook(cells=[before, live, last])) == found
