"""The live twin of an interactive figure works at its defaults and at the ends of its ranges.

`ipywidgets.interactive` swallows the errors of the function that it calls, so the function is called directly.
"""

import json
import re
from pathlib import Path

import jupytext
import nbclient
import pytest
from chapters import CHAPTERS, ROOT, cells, read, tags
from nbformat.v4 import new_code_cell, new_notebook

CALL_THE_TWIN = """
def _ends(widget):
    if hasattr(widget, "_options_values"):
        return widget._options_values[0], widget._options_values[-1]
    return (widget.min, widget.max) if hasattr(widget, "min") else (widget.value,)


_defaults = {widget._kwarg: widget.value for widget in live.kwargs_widgets}
live.f(**_defaults)
for _widget in live.kwargs_widgets:
    for _value in _ends(_widget):
        live.f(**_defaults | {_widget._kwarg: _value})
import matplotlib.pyplot

matplotlib.pyplot.close("all")
live.update()
assert not matplotlib.pyplot.get_fignums(), "the figure is drawn, but not shown"
del live
"""


def twin_faults(notebook):
    """Return what is wrong with the live cells of a notebook, after running it up to the last of them."""
    live = [cell for cell in cells(notebook, "code") if "live" in tags(cell)]
    if not live:
        return ["no cell tagged live"]
    faults = [f"{cell.source[:40]!r} is not tagged remove-cell" for cell in live if "remove-cell" not in tags(cell)]
    code = []
    for cell in cells(notebook, "code"):
        code.append(new_code_cell(cell.source))
        if cell in live:
            code.append(new_code_cell(CALL_THE_TWIN))
        if cell is live[-1]:
            break
    try:
        nbclient.execute(new_notebook(cells=code, metadata=notebook.metadata), timeout=30, cwd=ROOT / "book")
    except nbclient.exceptions.CellExecutionError as error:
        faults.append(f"{error.ename}: {error.evalue}")
    return faults


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_live_twin(chapter):
    """One for each interactive figure."""
    figures = sum("le.interactive_figure(" in cell.source for cell in cells(read(chapter), "code"))
    assert sum("live" in tags(cell) for cell in cells(read(chapter), "code")) == figures
    assert twin_faults(read(chapter)) == []


def undebounced(source, seconds):
    """Return the sliders of a twin that redraw while they are dragged, where that takes over a tenth of a second."""
    sliders = re.findall(r"widgets\.\w*Slider\((?:[^()]|\([^()]*\))*\)", source)
    return [slider for slider in sliders if max(seconds.values()) > 0.1 and "continuous_update=False" not in slider]


def test_landing_page_has_a_twin():
    """Its source is text, which JupyterLab opens as a notebook where Jupytext is installed."""
    assert twin_faults(jupytext.read(ROOT / "book" / "index.md")) == []


def recorded(chapter):
    """Return the seconds of a chapter's twin, as `python -m tools.benchmarks live` measured them."""
    seconds = json.loads((ROOT / "book" / "data" / "benchmarks.json").read_text())["live"]
    assert Path(chapter).name in seconds, "not measured: run `.venv/bin/python -m tools.benchmarks live`"
    return seconds[Path(chapter).name]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_twin_answers_within_a_tenth_of_a_second(chapter):
    """At its defaults; a slider that makes it slower waits until it is let go."""
    (source,) = [cell.source for cell in cells(read(chapter), "code") if "live" in tags(cell)]
    assert recorded(chapter)["default"] <= 0.1
    assert source.count("Slider(") >= 1
    assert undebounced(source, recorded(chapter)) == []


def test_planted_slow_twin_is_found():
    """One slider of two, and only where it matters."""
    source = "widgets.IntSlider(min=min(1, 2)), widgets.SelectionSlider(options=[1], continuous_update=False)"
    assert undebounced(source, {"default": 0.05, "slowest": 0.2}) == ["widgets.IntSlider(min=min(1, 2))"]
    assert undebounced(source, {"default": 0.05, "slowest": 0.09}) == []


def notebook_with(function, *, tagged=("live", "remove-cell"), name="live"):
    """Return a notebook whose twin calls this function of a slider from 1 to 3."""
    twin = f"from ipywidgets import interactive\n{name} = interactive({function}, n=(1, 3), keep=['half', 'all'])"
    return new_notebook(cells=[new_code_cell(twin, metadata={"tags": list(tagged)})])


@pytest.mark.parametrize(
    "notebook",
    [
        new_notebook(cells=[new_code_cell("1")]),
        notebook_with("lambda n, keep: n", tagged=["live"]),
        notebook_with("lambda n, keep: 1 / (n - 3)"),
        notebook_with("lambda n, keep: {'half': 1}[keep]"),
        notebook_with("lambda n, keep: n", name="alive"),
        notebook_with("lambda n, keep: [__import__('pylab').ioff(), __import__('pylab').figure()]"),
    ],
    ids=["none", "on the page", "fails at the end", "fails at the last option", "has another name", "is not shown"],
)
def test_planted_fault_is_found(notebook):
    """A twin that is missing, shown dead on the page, or broken somewhere in its range."""
    assert twin_faults(notebook)


def test_good_twin_passes():
    """And one that works does not."""
    assert twin_faults(notebook_with("lambda n, keep: n")) == []
