"""JupyterLite in a real browser: the lab opens a chapter, and, each night, whole chapters run in it.

The machine that runs the tests may not reach Pyodide's network, so its files come from the registries: Python itself
from npm, packages in plain Python from PyPI, and compiled ones from a program there that carries a copy of them for
the same Python. They are the same versions, except NumPy, and were packed anew, so their hashes are replaced in the
lock file that the browser gets. Three small ones, which no registry has compiled for the browser, run there as plain
Python. `book/running.md` tells readers so.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from bs4 import BeautifulSoup
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_PYTHON_VERSION, PYODIDE_VERSION
from packaging.utils import canonicalize_name
from test_jupyterlab import SETTINGS, SHOWN, raw_markup, run_cells, twin_faults
from visits import CHAPTERS, HTML, missing, serve

from tools import lite

CARRIER = "open-webui==0.12.4"
OTHER_VERSIONS = {"numpy": "2.4.3"}  # where the carrier has not the version of the lock file
# In place of what Altair's check of a chart needs: rpds-py is in Rust, and pyrsistent was its model.
PLAIN_RPDS = "pyrsistent-as-rpds-py==2.1.0"
RPDS = b"from pyrsistent_as_rpds.pure import HashTrieMap, HashTrieSet, List\n"
# What the kernel and the chapters ask for.
STARTS = ["ipython", "jedi", "leaderboard-edu", "micropip", "scikit-learn"]
CHAPTER = CHAPTERS[0]
TYPES = {".json": "application/json", ".mjs": "text/javascript", ".wasm": "application/wasm"}
LISTED = """async () => {
  const folder = await window.jupyterapp.serviceManager.contents.get("book", {content: true});
  return folder.content.map((entry) => entry.path);
}"""
PRINTED = """() => {
  const text = (output) => [output.text ?? output.data?.["text/plain"] ?? ""].flat().join("");
  const cells = window.jupyterapp.shell.currentWidget.content.widgets;
  return cells.map((cell) => (cell.model.toJSON().outputs ?? []).map(text));
}"""
# What a picture shows of axes and legends that are not switched off.
FURNITURE = ".role-axis, .role-legend"
TITLES = ".role-axis-title text, .role-legend-title text"


@pytest.fixture(scope="module")
def folder_site():
    """Return the address of the built book, one folder down, as on a server with several projects."""
    if not (HTML / "lite" / lite.LOCK).exists():
        missing("there is no _build/html/lite: run `make book` first")
    with serve(HTML.parent) as address:
        yield f"{address}/html"


def needed(packages):
    """Return the packages that the kernel and the chapters need, with all that those depend on."""
    found, names = {}, list(STARTS)
    while names:
        name = canonicalize_name(names.pop())
        if name not in found:
            found[name] = packages[name]
            names += packages[name]["depends"]
    return found


def run(*command):
    """Run a command, and show what it says if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def fetch(folder, packages):
    """Put into a folder what Pyodide's network would give: Python and the wheels of packages."""
    wheels = [package for package in packages.values() if package["file_name"].startswith(PYODIDE_CDN_URL)]
    plain = [wheel for wheel in wheels if wheel["file_name"].endswith("-none-any.whl")]
    run("npm", "pack", "--silent", f"--pack-destination={folder}", f"pyodide@{PYODIDE_VERSION}")
    with tarfile.open(folder / f"pyodide-{PYODIDE_VERSION}.tgz") as archive:
        for member in archive.getmembers():
            (folder / Path(member.name).name).write_bytes(archive.extractfile(member).read())
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"--dest={folder}"]
    without_machine = ["--platform=any", f"--python-version={PYODIDE_PYTHON_VERSION}", "--only-binary=:all:"]
    pyrsistent = f"pyrsistent=={packages['pyrsistent']['version']}"
    wanted = [f"{wheel['name']}=={wheel['version']}" for wheel in plain]
    run(*pip, *without_machine, *wanted, pyrsistent, PLAIN_RPDS)
    run(*pip, CARRIER)
    with ZipFile(next(folder.glob("open_webui-*.whl"))) as carrier:
        for name in carrier.namelist():
            if "/pyodide/" in name and name.endswith("_wasm32.whl"):
                (folder / Path(name).name).write_bytes(carrier.read(name))
    Path(carrier.filename).unlink()
    safe = [file for file in distribution("markupsafe").files if file.suffix == ".py"]  # without its fast part
    in_plain_python = {
        "pyrsistent": modules(folder, "pyrsistent-"),
        "rpds-py": modules(folder, "pyrsistent_as_rpds") | {"rpds.py": RPDS},
        "markupsafe": {file.as_posix(): file.read_binary() for file in safe},
    }
    for name, files in in_plain_python.items():
        lite.pack_modules(folder / Path(packages[name]["file_name"]).name, files)


def modules(folder, name):
    """Return the modules in the wheel in plain Python whose file begins with a name."""
    (wheel,) = folder.glob(f"{name}*-none-any.whl")
    with ZipFile(wheel) as archive:
        return {file: archive.read(file) for file in archive.namelist() if file.endswith(".py")}


@pytest.fixture(scope="module")
def network(request, folder_site):
    """Return a folder with the files of Pyodide's network and the lock file that goes with them."""
    if not shutil.which("npm"):
        missing("no npm, which has Pyodide")
    lock = json.loads((HTML / "lite" / lite.LOCK).read_text())
    folder = request.config.cache.mkdir(f"pyodide-{PYODIDE_VERSION}")
    for name, version in OTHER_VERSIONS.items():
        package = lock["packages"][name]
        package["file_name"] = package["file_name"].replace(package["version"], version)
        package["version"] = version
    packages = needed(lock["packages"])
    wheels = {
        name: folder / Path(package["file_name"]).name
        for name, package in packages.items()
        if package["file_name"].startswith(PYODIDE_CDN_URL)
    }
    if not all(wheel.exists() for wheel in wheels.values()):
        fetch(folder, packages)
    for name, wheel in wheels.items():
        packages[name]["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return folder, lock


def show_all_cells(route):
    """Let the test speak to the lab, and draw the cells that are out of sight too."""
    settings = json.loads((HTML / "lite" / "jupyter-lite.json").read_text())
    overrides = {f"@jupyterlab/{name.replace('/', ':')}": value for name, value in SETTINGS.items()}
    settings["jupyter-config-data"] |= {"exposeAppInBrowser": True, "settingsOverrides": overrides}
    route.fulfill(json=settings)


@pytest.fixture
def visit(chromium, folder_site):
    """Return a function that launches a chapter from its page; it gives the lab and what was asked from elsewhere."""
    context = chromium.new_context(viewport={"width": 1280, "height": 2000})

    def launch(answer, lock=None, chapter=CHAPTER):
        elsewhere = []

        def note(route):
            elsewhere.append(route.request.url)
            answer(route)

        context.route(lambda url: url.startswith("http") and not url.startswith(f"{folder_site}/"), note)
        context.route(re.compile(r"/lite/jupyter-lite\.json"), show_all_cells)
        if lock:
            context.route(f"{folder_site}/lite/{lite.LOCK}", lambda route: route.fulfill(json=lock))
        page = context.new_page()
        page.goto(f"{folder_site}/{chapter}.html")
        page.locator(".dropdown-launch-buttons > button").click()
        with context.expect_page() as opened:
            page.locator(".dropdown-launch-buttons a[href*='lite/']").click()
        opened.value.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
        return opened.value, elsewhere

    yield launch
    context.close()


def test_the_lab_opens_a_chapter(visit):
    """One click on the chapter's page, no markup in the sentences, all chapters in the lab.

    It asks no host but Pyodide's, which gives no answer here: everything shown comes from the book's own files.
    """
    lab, elsewhere = visit(lambda route: route.abort())
    boxes = "[...document.querySelectorAll('.jp-Notebook aside')]"
    lab.wait_for_function(f"() => {boxes}.some(box => box.innerText.includes('fixed classifier'))")
    assert raw_markup(lab.evaluate(SHOWN)) == []
    assert set(lab.evaluate(LISTED)) >= {f"{chapter}.ipynb" for chapter in CHAPTERS}
    lab.wait_for_timeout(5000)  # for what starts late
    assert elsewhere
    assert [url for url in elsewhere if not url.startswith(f"{PYODIDE_CDN_URL}/")] == []


def drawn(chapter):
    """Return the titles of axes and legends, and how many of these there are, in each interactive figure of a page."""
    page = BeautifulSoup((HTML / f"{chapter}.html").read_text(), "html.parser")
    pictures = page.select(".interactive-figure svg.wide")
    return [([title.text for title in one.select(TITLES)], len(one.select(FURNITURE))) for one in pictures]


@pytest.mark.nightly
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_runs(visit, network, chapter):
    """Every cell, with the numbers in the sentences and the results that are on the page.

    Its live figures respond, and show the axes that the page shows, none that is switched off.
    """
    folder, lock = network
    shipped = Path(__file__).parents[2] / "book" / "data" / "pyodide-lock.json"
    assert (folder / "pyodide-lock.json").read_bytes() == shipped.read_bytes()

    def answer(route):
        name = Path(route.request.url).name
        if not route.request.url.startswith(f"{PYODIDE_CDN_URL}/") or not (folder / name).is_file():
            return route.abort()
        kind, anyone = TYPES.get(Path(name).suffix, "application/zip"), {"Access-Control-Allow-Origin": "*"}
        return route.fulfill(body=(folder / name).read_bytes(), content_type=kind, headers=anyone)

    lab, elsewhere = visit(answer, lock, chapter)
    lab.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=180_000)
    notebook = nbformat.read(HTML / "lite" / "files" / f"{chapter}.ipynb", as_version=4)
    counts, _, faults = run_cells(lab, nbformat.writes(notebook))
    assert len(counts) == sum(cell.cell_type == "code" for cell in notebook.cells)
    assert faults == []
    printed = dict(zip((cell.id for cell in notebook.cells), lab.evaluate(PRINTED), strict=True))
    checked = [cell for cell in notebook.cells if "nbval-check-output" in cell.metadata.get("tags", [])]
    assert checked
    for cell in checked:
        assert printed[cell.id] == [output.get("text") or output.data["text/plain"] for output in cell.outputs]
    assert twin_faults(lab, len(drawn(chapter))) == []
    twins = lab.locator(".widget-interact").all()
    shown = [(twin.locator(TITLES).all_text_contents(), twin.locator(FURNITURE).count()) for twin in twins]
    assert shown == drawn(chapter)
    assert shown
    assert [url for url in elsewhere if not url.startswith(f"{PYODIDE_CDN_URL}/")] == []
