"""JupyterLite beside the book: the chapters and student notebooks in the reader's own browser.

`make book` runs this last. It stages what JupyterLite serves in `_build/lite` and has `jupyter lite` build the
site in `_build/html/lite`, as `jupyter_lite_config.json` says. Nothing is fetched.

The kernel is Pyodide, whose packages come from its public CDN. Its lock file is extended by the library and by
what live figures need, so that their imports just work. `book/data/pyodide-lock.json` is the lock file of the
release that the kernel extension expects, unchanged.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import Distribution, distribution, requires, version
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_PYTHON_VERSION
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from book.studies import STUDIES
from tools.contents import chapters

ROOT = Path(__file__).parents[1]
STAGE, SITE = ROOT / "_build" / "lite", ROOT / "_build" / "html" / "lite"
LOCK = "static/pyodide-lock/pyodide-lock.json"
# Packages that Pyodide lacks and live figures or the exercises need.
REPACKED = [
    *("comm", "dill", "fastjsonschema", "fica", "ipylab", "ipywidgets", "jupyter-core", "nbformat", "otter-grader"),
    "python-frontmatter",
]
# In the place of a compiled module of a package whose other modules are of use.
STAND_IN = b'''"""Stands in for a compiled module: its functions are there and fail when they are called."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)

    def missing(*args, **kwargs):
        raise NotImplementedError(f"{name} is compiled, which the browser cannot run")

    return missing
'''


def stage_notebooks(folder: Path) -> None:
    """Copy chapters, the modules and results they use, and student notebooks with their tests.

    All keep their paths in the project. The sources of the exercises, with their solutions, lie in
    `book/exercises/*.ipynb` and are left out.
    """
    (folder / "book" / "pictures").mkdir(parents=True)
    modules = tuple(
        f"book/{name}.py"
        for name in (
            *("studies", "competition", "honest_cost", "honest_games", "blum_hardt", "fitted", "jointly", "few_files"),
            *("other_labels", "boards", "knows_nothing", "knows_half", "catalogue", "matrix"),
        )
    )
    for source in (*(f"{chapter}.ipynb" for chapter in chapters()), *modules):
        shutil.copy(ROOT / source, folder / "book")
    for module in (ROOT / "book" / "pictures").glob("*.py"):
        shutil.copy(module, folder / "book" / "pictures")
    (folder / "book" / "data").mkdir()
    for data in (
        *(f"{study}.json" for study in (*STUDIES, "matrix", "few_files", "fitted", "honest_games", "other_labels")),
        "competition.npz",
    ):
        shutil.copy(ROOT / "book" / "data" / data, folder / "book" / "data")
    student = "book/exercises/student"
    shutil.copytree(ROOT / student, folder / student, ignore=shutil.ignore_patterns(".*", "__pycache__"))


def library_needs() -> list[str]:
    """Return the packages that the library may import: in the browser an import inside a function can fetch none.

    Data sets are left out: chapters that use them import what they need, which the kernel sees.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    return imported([*project["dependencies"], *extras["figures"], *extras["studies"]])


def imported(requirements: list[str]) -> list[str]:
    """Return the names of the packages that must be there, in the browser, when these are asked for."""
    wanted = map(Requirement, requirements)
    browser = {"sys_platform": "emscripten", "platform_system": "Emscripten", "extra": ""}
    return sorted(canonicalize_name(one.name) for one in wanted if not one.marker or one.marker.evaluate(browser))


def build_wheel(folder: Path) -> Path:
    """Build the wheel of the library, from a copy so that nothing is left behind, with the same bytes each time."""
    with tempfile.TemporaryDirectory() as copy:
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "leaderboard_edu", Path(copy, "leaderboard_edu"), ignore=ignored)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
        environment = os.environ | {"SOURCE_DATE_EPOCH": "315532800"}  # 1980, the first date that a zip can hold
        subprocess.run([*command, f"--wheel-dir={folder}", copy], check=True, env=environment)
    return next(folder.glob("leaderboard_edu-*.whl"))


def repack(package: Distribution, folder: Path) -> Path:
    """Put an installed package back into a wheel, with the same bytes each time and without a network.

    Compiled modules are replaced by stand-ins.
    """
    wheel = folder / f"{re.sub('[-.]', '_', package.name)}-{package.version}-py3-none-any.whl"
    by_installer = {"..", "__pycache__", "INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}
    files = [file for file in package.files or [] if not by_installer & set(file.parts)]
    compiled = {".c", ".h", ".pyx", ".so"}
    held = {file.as_posix(): file.read_binary() for file in files if file.suffix not in compiled}
    stand_ins = {re.sub(r"\..*", ".py", file.as_posix()): STAND_IN for file in files if file.suffix == ".so"}
    return pack(wheel, held | stand_ins)


def pack_startup(folder: Path) -> Path:
    """Put the script that the kernel runs first into a wheel, for Pyodide installs nothing else."""
    script = ROOT / "tools" / "lite_startup.py"
    return pack_modules(folder / "lite_startup-1-py3-none-any.whl", {script.name: script.read_bytes()})


def pack_modules(wheel: Path, files: dict[str, bytes]) -> Path:
    """Make a wheel of plain Python; its name says the package and its version."""
    name, number = wheel.name.split("-")[:2]
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    return pack(wheel, files | {f"{name}-{number}.dist-info/{part}": text.encode() for part, text in about.items()})


def pack(wheel: Path, files: dict[str, bytes]) -> Path:
    """Write a zip archive without the time of day in it."""
    with ZipFile(wheel, "w") as archive:
        for name in sorted(files):
            archive.writestr(ZipInfo(name), files[name], ZIP_DEFLATED)
    return wheel


def lock_entry(wheel: Path, depends: list[str]) -> dict[str, Any]:
    """Return what Pyodide's lock file says about a package; a file name is relative to the lock file."""
    name, number = wheel.name.split("-")[:2]
    with ZipFile(wheel) as archive:
        modules = [file for file in archive.namelist() if re.fullmatch(r"\w+(/__init__)?\.py", file)]
    return {
        "depends": depends,
        "file_name": wheel.name,
        "imports": sorted(module.removesuffix("/__init__.py").removesuffix(".py") for module in modules),
        "install_dir": "site",
        "name": canonicalize_name(name),
        "package_type": "package",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "unvendored_tests": False,
        "version": number,
    }


def write_lock(path: Path) -> None:
    """Write Pyodide's lock file, its packages at the CDN, with our wheels, which lie beside it."""
    lock = json.loads((ROOT / "book" / "data" / "pyodide-lock.json").read_text())
    for package in lock["packages"].values():
        package["file_name"] = f"{PYODIDE_CDN_URL}/{package['file_name']}"
    path.parent.mkdir(parents=True)
    library = library_needs()
    repacked = {*REPACKED, *(name for name in library if name not in lock["packages"])}
    there = repacked | lock["packages"].keys()
    wheels = {build_wheel(path.parent): library, pack_startup(path.parent): []}
    for name in sorted(repacked):
        needs = [need for need in imported(requires(name) or []) if need in there]
        wheels[repack(distribution(name), path.parent)] = needs
    for wheel, depends in wheels.items():
        entry = lock_entry(wheel, depends)
        lock["packages"][entry["name"]] = entry
    path.write_text(json.dumps(lock, indent=1, sort_keys=True))


def write_settings(path: Path) -> None:
    """Write the settings of the site. Edited notebooks are kept apart by release, so that old ones never hide new."""
    release = version("leaderboard-edu")
    startup = {"PYTHONSTARTUP": f"/lib/python{PYODIDE_PYTHON_VERSION}/site-packages/lite_startup.py"}
    kernel = {"loadPyodideOptions": {"lockFileURL": f"./{LOCK}", "packages": ["lite-startup"], "env": startup}}
    settings = {
        "appName": "Reliable Leaderboards",
        "contentsStorageName": f"Reliable Leaderboards {release}, notebooks",
        "settingsStorageName": f"Reliable Leaderboards {release}, settings",
        "disabledExtensions": ["jupyterlab-jupytext"],  # comes with otter; its work is done by a server
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
    }
    path.write_text(json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}, indent=1))


def main() -> None:
    """Stage everything and build the site."""
    for folder in (STAGE, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    (ROOT / ".jupyterlite.doit.db").unlink(missing_ok=True)  # its memory of the last build; the check reads it
    stage_notebooks(STAGE / "files")
    write_settings(STAGE / "jupyter-lite.json")
    build = [str(Path(sys.executable).with_name("jupyter")), "lite", "build"]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:  # it lists every file that it copies, which is of use only now
        sys.exit(f"jupyter lite build failed:\n{done.stdout}{done.stderr}")
    write_lock(SITE / LOCK)


if __name__ == "__main__":
    main()
