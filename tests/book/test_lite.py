"""JupyterLite beside the book: all that can be said of it without starting it."""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

import pytest
from chapters import CHAPTERS, HTML, ROOT, built_or_skip, parsed
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import lite

NEEDED_EXTENSIONS = {"@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "jupyterlab-myst"}
# What functions import and readers' browsers need not have: a chapter that uses scikit-learn imports it in a cell, live
# figures are drawn by JupyterLab, and nobody reads Parquet files there.
LEFT_OUT = {"pyarrow", "scikit-learn", "vl-convert-python"}


@pytest.fixture(scope="module")
def site():
    """Return the folder of the built site."""
    built_or_skip(lite.SITE / lite.LOCK)
    return lite.SITE


def launch_faults(page, root):
    """Return what is wrong with the links of a page to JupyterLite, which must be there."""
    links = [tag["href"] for tag in parsed(page).select("a[href*='lite/']")]
    faults = [] if links else [f"{page.name}: no link"]
    for link in links:
        parts = urlsplit(link)
        notebook = parse_qs(parts.query).get("path", [""])[0]
        listing = root / "lite" / "api" / "contents" / Path(notebook).parent / "all.json"
        names = [entry["path"] for entry in json.loads(listing.read_text())["content"]] if listing.is_file() else []
        if (page.parent / parts.path).resolve() != root.resolve() / "lite" / "lab" / "index.html":
            faults.append(f"{page.name}: {link} does not lead to the lab")
        if notebook not in names or not (root / "lite" / "files" / notebook).is_file():
            faults.append(f"{page.name}: {link} names no notebook of the lab")
    return faults


def lock_faults(path):
    """Return what is wrong with a lock file: wheels that lie beside it and dependencies of any package."""
    packages, faults = json.loads(path.read_text())["packages"], []
    for name, package in packages.items():
        wheel = path.parent / package["file_name"]
        if package["file_name"].startswith("https://"):
            if not package["file_name"].startswith(f"{PYODIDE_CDN_URL}/"):
                faults.append(f"{name}: {package['file_name']} is not Pyodide's address")
        elif not wheel.is_file():
            faults.append(f"{name}: there is no {wheel.name}")
        elif hashlib.sha256(wheel.read_bytes()).hexdigest() != package["sha256"]:
            faults.append(f"{name}: {wheel.name} has another hash")
        missing = [other for other in package["depends"] if canonicalize_name(other) not in packages]
        faults += [f"{name}: its dependency {other} is missing" for other in missing]
    return faults


def version_faults(requirements, packages):
    """Return the packages of a lock file whose version the requirements do not admit."""
    faults = []
    for requirement in map(Requirement, requirements):
        number = packages.get(requirement.name, {}).get("version", "0")
        if not requirement.specifier.contains(number):
            faults.append(f"{requirement} does not admit {number}")
    return faults


installed = cache(packages_distributions)


def import_faults(code, packages):
    """Return what a module imports, within functions too, that is not loaded together with the library.

    The kernel loads what a cell imports and what that depends on; whatever else a function imports is not there.
    """
    loaded, names = set(), ["leaderboard-edu"]
    while names:
        name = canonicalize_name(names.pop())
        if name not in loaded:
            loaded.add(name)
            names += packages[name]["depends"]
    imported = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            imported |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported.add(node.module.split(".")[0])
    ours = {"leaderboard_edu", "pictures", *(path.stem for path in (ROOT / "book").glob("*.py"))}
    bring = installed()
    asked = {module: {canonicalize_name(name) for name in bring.get(module, [])} for module in imported - ours}
    return sorted(
        f"{module} is not loaded with the library"
        for module, names in asked.items()
        if module not in sys.stdlib_module_names and not names & (loaded | LEFT_OUT)
    )


def staged_faults(files):
    """Return the files of the site that are not the chapters and student notebooks as they are in the project."""
    student = [path for path in (ROOT / "book" / "exercises" / "student").rglob("*") if path.is_file()]
    results = [
        ROOT / "book" / "data" / f"{study}.json"
        for study in (*lite.STUDIES, "matrix", "few_files", "fitted", "honest_games", "other_labels")
    ]
    results.append(ROOT / "book" / "data" / "competition.npz")
    modules = [
        *(
            ROOT / "book" / f"{name}.py"
            for name in (
                *(
                    "studies",
                    "competition",
                    "honest_cost",
                    "honest_games",
                    "blum_hardt",
                    "fitted",
                    "jointly",
                    "few_files",
                ),
                *("other_labels", "boards", "knows_nothing", "knows_half", "catalogue", "matrix"),
            )
        ),
        *(ROOT / "book" / "pictures").glob("*.py"),
    ]
    sources = [*modules, *(ROOT / f"{chapter}.ipynb" for chapter in CHAPTERS)]
    allowed = {path.relative_to(ROOT) for path in [*sources, *student, *results]}
    found = {path.relative_to(files) for path in files.rglob("*") if path.is_file()}
    faults = [f"{name} is missing" for name in allowed - found] + [f"{name} is foreign" for name in found - allowed]
    for name in found & allowed:
        content = (files / name).read_bytes()
        if content != (ROOT / name).read_bytes():
            faults.append(f"{name} differs: build the book anew")
        text = content.decode(errors="replace")
        if re.search(r"# (HIDDEN|BEGIN (SOLUTION|TESTS))", text):
            faults.append(f"{name} holds solutions or hidden tests")
        if name.suffix == ".ipynb" and json.loads(text)["metadata"].get("kernelspec", {}).get("language") != "python":
            faults.append(f"{name} names no language, so JupyterLite would ask for a kernel")
    return faults


def test_jupyter_lite_checks(site):
    """JupyterLite's own check, by the same configuration."""
    command = [Path(sys.executable).with_name("jupyter"), "lite", "check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (site / lite.LOCK).exists()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_can_be_launched(site, chapter):
    """From its page and from the page of its exercises, by relative links."""
    assert launch_faults(HTML / f"{chapter}.html", HTML) == []
    assert launch_faults(HTML / f"{chapter.replace('book/', 'book/exercises/pages/')}.html", HTML) == []


def test_only_what_readers_get_is_staged(site):
    """No source of an exercise, with its solutions and hidden tests."""
    assert staged_faults(site / "files") == []


def test_lock_file(site):
    """Every wheel of ours with its hash, everything else at Pyodide's address, every dependency there."""
    assert lock_faults(site / lite.LOCK) == []
    packages = json.loads((site / lite.LOCK).read_text())["packages"]
    assert packages["leaderboard-edu"]["imports"] == ["leaderboard_edu"]
    assert packages["otter-grader"]["imports"] == ["otter"]


def test_versions_are_admitted(site):
    """The library runs with the versions that Pyodide has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    ours = [*project["dependencies"], *extras["figures"], *extras["studies"]]
    ours = [line for line in ours if Requirement(line).name in lite.imported([line])]  # some have no use in a browser
    packages = json.loads((site / lite.LOCK).read_text())["packages"]
    assert version_faults(ours, packages) == []
    assert {Requirement(line).name for line in ours} == set(packages["leaderboard-edu"]["depends"])


def test_what_functions_import_is_loaded(site):
    """Of the library, and of the modules beside the chapters."""
    packages = json.loads((site / lite.LOCK).read_text())["packages"]
    modules = [*(ROOT / "leaderboard_edu").glob("*.py"), *(site / "files" / "book").glob("*.py")]
    modules += (site / "files" / "book" / "pictures").glob("*.py")
    assert len(modules) > 40
    assert {path.name: faults for path in modules if (faults := import_faults(path.read_text(), packages))} == {}


def test_the_same_lock_again(site, tmp_path):
    """The lock file and the wheels depend on nothing but the project."""
    lite.write_lock(tmp_path / "lock" / "lock.json")
    assert (tmp_path / "lock" / "lock.json").read_bytes() == (site / lite.LOCK).read_bytes()


def test_the_wheel_holds_the_library(site):
    """All of it, as it is now, its style included."""
    (wheel,) = (site / lite.LOCK).parent.glob("leaderboard_edu-*-none-any.whl")
    with ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    files = [path for path in (ROOT / "leaderboard_edu").iterdir() if path.is_file()]
    assert held == {f"leaderboard_edu/{path.name}": path.read_bytes() for path in files}


def test_repacked_without_its_compiled_parts(site):
    """ruptures works from its wheel as far as chapters use it; what is compiled says so when it is called."""
    (wheel,) = (site / lite.LOCK).parent.glob("ruptures-*-none-any.whl")
    code = (
        "import ruptures; assert '.whl' in ruptures.__file__; signal = [0.0] * 5 + [1.0] * 4; import numpy as np\n"
        "print(ruptures.Binseg(model='l2', min_size=1, jump=1).fit(np.array(signal)).predict(n_bkps=1))\n"
        "ruptures.KernelCPD(kernel='linear').fit(np.array(signal)).predict(n_bkps=1)"
    )
    environment = os.environ | {"PYTHONPATH": str(wheel)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "[5, 9]\n"
    assert "NotImplementedError: ekcpd_L2 is compiled" in done.stderr


# The parts of the kernel that the startup script changes, and of Pyodide that it needs.
KERNEL = """
import sys
from types import SimpleNamespace

sys.modules["pyodide"] = sys.modules["pyodide.ffi"] = SimpleNamespace(jsnull="null")
hook = SimpleNamespace()
hook.write_format_data = lambda data, metadata: setattr(hook, "data", data)
shell = SimpleNamespace(
    kernel=SimpleNamespace(run=None),
    displayhook=hook,
    display_pub=SimpleNamespace(publish=lambda data, metadata: print(data, metadata)),
)
get_ipython = lambda: shell
before = {*dir(), "before"}
"""


def after_startup(folder, code):
    """Return what code prints that is run in a folder after the startup script."""
    startup = (ROOT / "tools" / "lite_startup.py").read_text()
    command = [sys.executable, "-P", "-c", KERNEL + startup + code]  # as in the browser, without the folder itself
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_startup(tmp_path):
    """After it, a module beside the notebook is found, and nothing is left in the reader's folder and names."""
    (tmp_path / "beside.py").write_text("found = True")
    assert after_startup(tmp_path, "print(set(dir()) - before)\nimport beside") == "set()\n"
    assert [path.name for path in tmp_path.iterdir()] == ["beside.py"]


def test_none_is_shown_as_null(tmp_path):
    """In what is displayed, and in what a cell results in; other values stay."""
    chart = "{'layer': [{'axis': None, 'width': 0}], 'text': b''}"
    code = f"chart = {chart}\nshell.display_pub.publish(data=chart, metadata={{}})\n"
    code += "hook.write_format_data(chart, {})\nprint(hook.data)"
    null = chart.replace("None", "'null'")
    assert after_startup(tmp_path, code) == f"{null} {{}}\n{null}\n"


def test_settings(site):
    """The kernel and the extensions are there, the lock file is named, and a release has notebooks of its own."""
    settings = json.loads((site / "jupyter-lite.json").read_text())["jupyter-config-data"]
    assert {extension["name"] for extension in settings["federated_extensions"]} >= NEEDED_EXTENSIONS
    kernel = settings["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    assert (site / kernel["loadPyodideOptions"]["lockFileURL"]).is_file()
    assert lite.version("leaderboard-edu") in settings["contentsStorageName"]
    assert lite.version("leaderboard-edu") in settings["settingsStorageName"]


def test_planted_launch_links_are_found(site, tmp_path):
    """Absolute, to no notebook, or none at all."""
    for name in ("api", "files"):
        shutil.copytree(site / name, tmp_path / "lite" / name)
    good = "../lite/lab/index.html?path=book/ladder.ipynb"
    bad = ["https://example.org/lite/lab/index.html?path=book/ladder.ipynb", "../lite/lab/index.html?path=x", ""]
    (tmp_path / "book").mkdir()
    found = []
    for number, link in enumerate([good, *bad]):
        page = tmp_path / "book" / f"{number}.html"
        page.write_text(f'<a href="{link}">x</a>')
        found.append(bool(launch_faults(page, tmp_path)))
    assert found == [False, True, True, True]


def test_planted_lock_is_found(tmp_path):
    """A wheel that is not there, from elsewhere, or changed; a dependency that is not there."""
    (tmp_path / "a.whl").write_bytes(b"wheel")
    good = {"file_name": "a.whl", "sha256": hashlib.sha256(b"wheel").hexdigest(), "depends": ["Num_Py"]}
    numpy = {"file_name": f"{PYODIDE_CDN_URL}/numpy.whl", "depends": []}
    wrong = [{"file_name": "none.whl"}, {"file_name": "https://example.org/a.whl"}, {"sha256": "0"}, {"depends": ["b"]}]
    lock = tmp_path / "lock.json"
    lock.write_text(json.dumps({"packages": {"a": good, "num-py": numpy}}))
    assert lock_faults(lock) == []
    for change in wrong:
        lock.write_text(json.dumps({"packages": {"a": good | change, "num-py": numpy}}))
        assert lock_faults(lock), change


def test_planted_version_is_found():
    """Too new, or not there."""
    assert version_faults(["numpy>=2.0,<3"], {"numpy": {"version": "2.4.6"}}) == []
    assert version_faults(["numpy>=2.0,<3"], {"numpy": {"version": "3.0"}})
    assert version_faults(["numpy>=2.0"], {})


def test_planted_import_is_found():
    """Within a function, of a package that is installed here, or nowhere; what others depend on is loaded with them."""
    packages = {"leaderboard-edu": {"depends": ["IPython"]}, "ipython": {"depends": ["jedi"]}, "jedi": {"depends": []}}
    late = "import json, jedi, sklearn.metrics\nfrom . import x\n\ndef f():\n    {}\n"
    assert import_faults(late.format("from IPython import display"), packages) == []
    assert import_faults(late.format("import ipywidgets.x"), packages) == ["ipywidgets is not loaded with the library"]
    assert import_faults(late.format("from nowhere import x"), packages) == ["nowhere is not loaded with the library"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("book/exercises/ladder.ipynb", "{}"),
        ("book/ladder.ipynb", '{"metadata": {}}'),
        ("book/exercises/student/ladder/tests/q1.py", "# HIDDEN\n"),
        ("book/ladder.ipynb", None),
    ],
)
def test_planted_file_is_found(tmp_path, name, text):
    """A source, a notebook of no language, a hidden test, a file that is missing."""
    lite.stage_notebooks(tmp_path)
    assert staged_faults(tmp_path) == []
    (tmp_path / name).unlink() if text is None else (tmp_path / name).write_text(text)
    assert staged_faults(tmp_path)
