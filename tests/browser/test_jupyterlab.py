"""The chapters in a real JupyterLab: every cell runs, and the sentences show numbers, not markup.

This is what Binder opens: JupyterLab at the top of the repository, at the path that the button of the chapter's page
has (`tests/book/test_repository_links.py`). It decides how numbers get into sentences (see CONTRIBUTING.md).
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

from tools import contents

ROOT = Path(__file__).parents[2]
CHAPTERS = contents.chapters()
UNTRACKED = shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", "*_cache", ".hypothesis")
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},  # cells out of sight are there to be read
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}

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
    for _ in range(240):
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
        wait_until_served(process, f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}", folder / "project"
        process.terminate()
        process.wait(30)


def run_cells(page):
    """Run all cells of the open notebook, wait until the page is quiet; return the counts and what each cell shows."""
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel")
    counts = page.evaluate(RUN_ALL)
    shown, before = page.evaluate(SHOWN), None
    while shown != before:  # evaluated roles and formulas arrive after the last cell
        page.wait_for_timeout(1500)
        shown, before = page.evaluate(SHOWN), shown
    return counts, shown


def twin_faults(page, seconds=10):
    """Return the live figures on a page that show no picture, or the same one after a key on their first slider."""
    faults = []
    for number, twin in enumerate(page.locator(".widget-interact").all(), start=1):
        picture = twin.locator("img")
        before = picture.get_attribute("src") if picture.count() == 1 else None
        twin.locator(".noUi-handle").first.press("ArrowRight")
        for _ in range(10 * seconds):
            if picture.count() == 1 and picture.get_attribute("src") != before:
                break
            page.wait_for_timeout(100)
        else:
            faults.append(f"live figure {number} does not respond")
        faults += [] if before else [f"live figure {number} shows no picture"]
    return faults


def run_all(chromium, address, notebook, seconds=10):
    """Open a notebook and run it; return the counts, what each cell shows, and what is wrong with live figures."""
    page = chromium.new_page(viewport={"width": 1280, "height": 2000})
    page.goto(f"{address}/lab/tree/{notebook}.ipynb?reset")  # without the notebooks that were open before
    counts, shown = run_cells(page)
    faults = twin_faults(page, seconds)
    twins = page.locator(".widget-interact").count()
    page.close()
    return counts, shown, (twins, faults)


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


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_run_all(chromium, lab, chapter):
    """Every cell runs without error and no sentence shows raw markup or the name of a number."""
    address, folder = lab
    counts, shown, (twins, faults) = run_all(chromium, address, chapter)
    source = (folder / f"{chapter}.ipynb").read_text()
    assert counts
    assert run_faults(counts, shown, source) == []
    assert twins == source.count("live = widgets.interactive(")
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


def test_an_unanswered_question_says_why(chromium, lab):
    """In a student notebook as it is handed out, each check says what is missing and names a section of the book."""
    address, folder = lab
    name = "book/exercises/student/ladder/ladder"
    counts, shown, _ = run_all(chromium, address, name)
    assert counts == list(range(1, len(counts) + 1))
    checks = [cell["text"] for cell in shown if "results:" in cell["text"]]
    assert len(checks) == (folder / f"{name}.ipynb").read_text().count("grader.check(")
    for text in checks:
        assert re.search(r"message: See \w.*AssertionError: .*returns? None", text)


def test_a_number_is_shown_and_a_glued_one_is_not(chromium, lab):
    """The eval role shows its number in a sentence; glue, the other candidate, still shows the bare name."""
    address, folder = lab
    cells = [
        nbformat.v4.new_code_cell(
            'from myst_nb import glue\ntails = {"share": f"{0.25 + 0.5:.3f}"}\nglue("portion", tails["share"])'
        ),
        nbformat.v4.new_markdown_cell('By eval {eval}`tails["share"]`, by glue {glue:text}`portion`.'),
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / "trial.ipynb")
    _, shown, _ = run_all(chromium, address, "trial")
    assert shown[1]["text"].strip() == "By eval 0.750, by glue portion."


def test_planted_dead_twin_is_found(chromium, lab):
    """One that shows nothing, one that shows the same whatever its slider says, and one that responds."""
    address, folder = lab
    draw = "import matplotlib.pyplot as plt\nfrom ipywidgets import interactive\n\n\ndef draw(k):\n    plt.plot([0, k])"
    cells = [
        nbformat.v4.new_code_cell(source)
        for source in (
            "from ipywidgets import interactive\n\ninteractive(lambda k: None, k=(1, 5))",
            f"{draw.replace('k])', '1])')}\n\n\ninteractive(draw, k=(1, 5))",
            f"{draw}\n\n\ninteractive(draw, k=(1, 5))",
        )
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / "dead.ipynb")
    *_, (twins, faults) = run_all(chromium, address, "dead", seconds=2)
    nothing = ["live figure 1 does not respond", "live figure 1 shows no picture"]
    assert (twins, faults) == (3, [*nothing, "live figure 2 does not respond"])
