"""Each interactive figure has a live twin, which redraws without delay; `tests/browser/test_jupyterlab.py` runs it."""

import json
import re
from pathlib import Path

import pytest
from chapters import CHAPTERS, ROOT, cells, read, tags


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_figure_has_a_live_twin(chapter):
    """One each, which is not on the page."""
    code = cells(read(chapter), "code")
    live = [cell for cell in code if "live" in tags(cell)]
    assert len(live) == sum("le.interactive_figure(" in cell.source for cell in code)
    assert all("remove-cell" in tags(cell) for cell in live)


def undebounced(source, seconds):
    """Return the sliders of a twin that redraw while they are dragged, where that takes over a tenth of a second."""
    sliders = re.findall(r"widgets\.\w*Slider\((?:[^()]|\([^()]*\))*\)", source)
    return [slider for slider in sliders if max(seconds.values()) > 0.1 and "continuous_update=False" not in slider]


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
