"""Binder's recipe: repo2docker reads the project as meant. It needs no Docker for that, and nothing is built."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chapters import ROOT
from test_project import project_files


@pytest.fixture
def project(tmp_path):
    """Return a copy of the project as Binder gets it."""
    for path in project_files():
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return tmp_path


def recipe_faults(project):
    """Return what is wrong with the image that Binder would build."""
    command = [Path(sys.executable).with_name("jupyter-repo2docker"), "--no-build", "--debug", "."]
    without_docker = os.environ | {"DOCKER_HOST": "tcp://localhost:1"}
    done = subprocess.run(command, cwd=project, env=without_docker, capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"no recipe: {done.stderr[-300:]}"]
    recipe, faults = done.stdout, []
    asked = (ROOT / "runtime.txt").read_text().strip().removeprefix("python-")
    if f"conda environment for python={asked}\n" not in done.stderr:
        faults.append(f"Python is not {asked}, which runtime.txt asks for")
    whole = recipe.find("COPY --chown=0:0 src/ ${REPO_DIR}/\n")
    pinned = recipe.find('pip install --no-cache-dir -r "requirements.txt"')
    if not 0 < whole < pinned:  # it names constraints.txt and the library
        faults.append("requirements.txt is not installed, or before the other files are there")
    # The library comes with `-e .` and then once more as a package: its dependencies are there by then.
    library = re.search(r"^-e \.$", (project / "requirements.txt").read_text(), flags=re.M)
    if not library and "pip install --no-cache-dir .\n" not in recipe[pinned:]:
        faults.append("the library is not installed")
    return faults


def test_binder_installs_what_is_pinned(project):
    """The Python of runtime.txt, requirements.txt and the library."""
    assert recipe_faults(project) == []


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("runtime.txt", "python-3.12\n", "Python is not"),
        ("runtime.txt", "python-3.10\n", "no recipe"),
        ("requirements.txt", "numpy\n", "before the other files"),
        (".binder/requirements.txt", "numpy\n", "Python is not"),
    ],
)
def test_planted_recipe_is_found(project, name, text, fault):
    """Another Python, one that the library does not admit, a library left out, a folder that hides the files."""
    if name == "requirements.txt":
        (project / "pyproject.toml").unlink()
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text(text)
    assert [found for found in recipe_faults(project) if fault in found]
