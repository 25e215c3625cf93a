"""Each interactive figure has a live twin, which redraws without delay; `tests/browser/test_jupyterlab.py` runs it."""

import json
from pathlib import Path

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
