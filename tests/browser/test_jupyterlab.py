"""The chapters in a real JupyterLab: every cell runs, the sentences show numbers, the live figures respond.

This is what Binder opens: JupyterLab at the top of the repository, at the path that the button of the chapter's page
has (`tests/book/test_repository_links.py`). It decides how numbers get into sentences (see CONTRIBUTING.md). One page
of the lab shows all of them, one after the other.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import jupytext
import nbformat
import pytest

from tools import contents

ROOT = Path(__file__).parents[2]
CHAPTERS = contents.chapters()
# Each chapter takes its kernel's time again, which the build has spent on it before.
AT_NIGHT = [pytest.param(chapter, marks=pytest.mark.nightly) for chapter in ("book/index", *CHAPTERS[1:])]
UNTRACKED = shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", "*_cache", ".hypothesis")
PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},  # cells out of sight are there to be read
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}

SHOW = """async (path) => {
  const panel = await window.jupyterapp.commands.execute("docmanager:open", {path});
  await panel.revealed;
}"""
CLOSE = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.sessionContext.shutdown();
  panel.dispose();
}"""
EXECUTE = """async (code) => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const {content} = await kernel.requestExecute({code, store_history: false}).done;
  return content.status === "ok" ? [] : [`${content.ename}: ${content.evalue}`];
}"""
# `ipywidgets.interactive` swallows the errors of the function that it calls, so the function is called directly.
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
"""
RUN_ALL = """async () => {
  const app = window.jupyterapp, panel = app.shell.currentWidget, session = panel.sessionContext;
  await panel.context.ready;
  await session.ready;
  const idle = async () => {
    while (session.kernelDisplayStatus !== "idle") await new Promise((done) => setTimeout(done, 100));
  };
  await idle();
  await app.commands.execute("notebook:run-all-cells");
  await idle();
  return panel.content.widgets.filter((cell) => cell.model.type === "code").map((cell) => cell.model.executionCount);
}"""
SHOWN = """() => [...document.querySelectorAll(".jp-Notebook .jp-Cell")].map((cell) => {
  const markdown = cell.classList.contains("jp-MarkdownCell");
  const parts = cell.querySelectorAll(markdown ? ".jp-MarkdownOutput, .myst" : ".jp-OutputArea-output");
  return {markdown, text: [...parts].map((part) => part.innerText).join("\\n").replace(/\\s+/g, " ")};
})"""


def wait_until_served(process, address):
    """Wait until JupyterLab answers."""
    for _ in range(960):
        assert process.poll() is None, "JupyterLab stopped"
        try:
            with urllib.request.urlopen(f"{address}/api", timeout=2):
                return
        except OSError:
            time.sleep(0.25)  # another process starts: there is nothing to wait on but the clock
    pytest.fail("JupyterLab did not answer")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on a copy of the project, with settings of its own, and give its address and the copy."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT, folder / "project", ignore=UNTRACKED)
    landing = jupytext.read(ROOT / "book" / "index.md")  # text, which JupyterLab opens so where Jupytext is installed
    nbformat.write(landing, folder / "project" / "book" / "index.ipynb")
    for name, setting in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(setting))
    places = {"CONFIG_DIR": "config", "DATA_DIR": "data", "RUNTIME_DIR": "runtime"}
    environment = os.environ | {f"JUPYTER_{key}": str(folder / value) for key, value in places.items()}
    environment |= {f"JUPYTERLAB_{key}_DIR": str(folder / key.lower()) for key in ("SETTINGS", "WORKSPACES")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    port = 18000 + os.getpid() % 2000
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder / 'project'}"]
    command += ["--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            wait_until_served(process, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}", folder / "project"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:  # it may hang while it stops its extensions
                process.kill()
                process.wait()


def run_cells(page, source, seconds=15):
    """Run all cells of the open notebook; return the counts, what each cell shows in the end, and what is wrong.

    Numbers in sentences and formulas arrive after the last cell: a fault is one that stays.
    """
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel")
    counts, before = page.evaluate(RUN_ALL), None
    for _ in range(4 * seconds):
        shown = page.evaluate(SHOWN)
        faults = run_faults(counts, shown, source)
        if shown == before and not faults:
            break
        before = shown
        page.wait_for_timeout(250)
    return counts, shown, faults


def within(page, seconds, holds):
    """Wait until a condition holds on a page, at most this long, and say whether it does."""
    for _ in range(10 * seconds):
        if holds():
            return True
        page.wait_for_timeout(100)
    return False


def twin_fault(page, twin, seconds):
    """Return what is wrong with a live figure: it shows no picture, or the same after a key on its first slider."""
    picture = twin.locator("svg.marks")
    if not within(page, seconds, lambda: picture.count() == 1):
        return "shows no picture"
    before, slider = picture.inner_html(), twin.locator(".noUi-handle").first
    at_end = slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemax")
    slider.press("ArrowLeft" if at_end else "ArrowRight")
    responds = within(page, seconds, lambda: picture.count() == 1 and picture.inner_html() != before)
    return None if responds else "does not respond"


def twin_faults(page, number, seconds=60):
    """Return what is wrong with the live figures of a page, so many in number, which come after its last cell."""
    twins = page.locator(".widget-interact")
    if not within(page, seconds, lambda: twins.count() == number):
        return [f"{twins.count()} live figures are there in place of {number}"]
    found = {place: twin_fault(page, twin, seconds) for place, twin in enumerate(twins.all(), start=1)}
    return [f"live figure {place} {fault}" for place, fault in found.items() if fault]


@pytest.fixture(scope="module")
def page(chromium, lab):
    """Open a chapter in JupyterLab as its button does, and return the page of the lab."""
    page = chromium.new_page(viewport={"width": 1280, "height": 2000})
    page.set_default_timeout(90_000)
    page.goto(f"{lab[0]}/lab/tree/{CHAPTERS[0]}.ipynb")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.evaluate(CLOSE)
    yield page
    page.close()


@contextmanager
def open_in(page, notebook):
    """Open a notebook in the lab, and close it with its kernel in the end."""
    page.evaluate(SHOW, f"{notebook}.ipynb")
    try:
        yield
    finally:
        page.evaluate(CLOSE)


def raw_markup(shown):
    """Return the markup that the sentences of a notebook show."""
    prose = " ".join(cell["text"] for cell in shown if cell["markdown"])
    return re.findall(r"\{(?:eval|glue|prf|admonition|dropdown|exercise)\S*|:::", prose)


def run_faults(counts, shown, source):
    """Return what went wrong in a run: cells left out, errors, raw markup, the name of a number in place of it."""
    faults = [] if counts == list(range(1, len(counts) + 1)) else [f"cells ran as {counts}"]
    faults += [cell["text"] for cell in shown if not cell["markdown"] and "Traceback" in cell["text"]]
    prose = " ".join(cell["text"] for cell in shown if cell["markdown"])
    asked = re.findall(r"\{eval\}`([^`]+)`", source.replace('\\"', '"'))
    names = [name for name in asked if re.search(rf"\b{re.escape(name)}(?!\w)", prose)]
    return faults + raw_markup(shown) + names


@pytest.mark.parametrize("chapter", [CHAPTERS[0], *AT_NIGHT])
def test_run_all(page, lab, chapter):
    """Every cell runs without error, no sentence shows raw markup or the name of a number, and live figures work.

    These at their defaults and at the ends of their ranges.
    """
    source = (lab[1] / f"{chapter}.ipynb").read_text()
    with open_in(page, chapter):
        counts, _, faults = run_cells(page, source)
        twins = source.count(".live(")
        faults += twin_faults(page, twins) + page.evaluate(EXECUTE, CALL_THE_TWIN)
    assert counts
    assert twins
    assert faults == []


@pytest.mark.parametrize(
    ("counts", "text", "markdown"),
    [
        ([1, 3], "Fine.", True),
        ([1, None], "Fine.", True),
        ([1, 2], "Traceback (most recent call last)", False),
        ([1, 2], "as {prf:ref}`ladder` says", True),
        ([1, 2], ":::{note}", True),
        ([1, 2], "It is share of them.", True),
        ([1, 2], 'It is tails["share"] of them.', True),
    ],
)
def test_planted_run_is_found(counts, text, markdown):
    """A cell that did not run, an error, markup, a name in place of its number."""
    source = r"It is {eval}`share` of them, or {eval}`tails[\"share\"]`."  # as in the file of a notebook
    assert run_faults(counts, [{"markdown": markdown, "text": text}], source)
    assert run_faults([1, 2], [{"markdown": markdown, "text": "It is 0.25 of them."}], source) == []


def test_an_unanswered_question_says_why(page, lab):
    """In a student notebook as it is handed out, each check says what is missing and names a section of the book."""
    name = "book/exercises/student/ladder/ladder"
    source = (lab[1] / f"{name}.ipynb").read_text()
    with open_in(page, name):
        counts, shown, _ = run_cells(page, source, seconds=2)  # the checks are faults, as they should be
    assert counts == list(range(1, len(counts) + 1))
    checks = [cell["text"] for cell in shown if "results:" in cell["text"]]
    assert len(checks) == source.count("grader.check(")
    for text in checks:
        assert re.search(r"message: See \w.*AssertionError: .*returns? None", text)


def test_a_number_is_shown_and_a_glued_one_is_not(page, lab):
    """The eval role shows its number in a sentence; glue, the other candidate, still shows the bare name."""
    cells = [
        nbformat.v4.new_code_cell(
            'from myst_nb import glue\ntails = {"share": f"{0.25 + 0.5:.3f}"}\nglue("portion", tails["share"])'
        ),
        nbformat.v4.new_markdown_cell('By eval {eval}`tails["share"]`, by glue {glue:text}`portion`.'),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=PYTHON)
    nbformat.write(notebook, lab[1] / "trial.ipynb")
    with open_in(page, "trial"):
        _, shown, _ = run_cells(page, notebook.cells[1].source)
    assert shown[1]["text"].strip() == "By eval 0.750, by glue portion."


@pytest.mark.nightly
def test_planted_dead_twin_is_found(page, lab):
    """Shows nothing; shows the same whatever its slider says; responds; responds, but not at the end; one is missed."""
    figure = """import altair as alt
import leaderboard_edu as le

def draw(narrow):
    return alt.Chart(alt.NamedData("bar")).mark_bar().encode(x=alt.X("length:Q").scale(domain=[0, 5]))

def figure(length):
    says, numbers = lambda k: f"Bar {k}.", lambda k: {"k": k}
    rows = lambda k: {"bar": {"length": [length(k)]}}
    return le.interactive_figure(draw, sliders=[le.Slider("k", "k", [1, 2])], rows=rows, alt=says, data=numbers)
"""
    cells = [
        nbformat.v4.new_code_cell(source)
        for source in (
            "from ipywidgets import interactive\n\ninteractive(lambda k: None, k=(1, 5))",
            f"{figure}\nfigure(lambda k: 3).live()",
            "figure(lambda k: k).live()",
            "import ipywidgets\n\ncontrol = ipywidgets.IntSlider(1, 1, 5)\n"
            "live = figure(lambda k: 1 / (k - 5)).live(k=control)\nlive",
        )
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=PYTHON), lab[1] / "dead.ipynb")
    with open_in(page, "dead"):
        run_cells(page, "")
        faults = twin_faults(page, 4, seconds=10) + page.evaluate(EXECUTE, CALL_THE_TWIN)
        missed = twin_faults(page, 5, seconds=1)
    planted = ["live figure 1 shows no picture", "live figure 2 does not respond"]
    assert faults == [*planted, "ZeroDivisionError: division by zero"]
    assert missed == ["4 live figures are there in place of 5"]
