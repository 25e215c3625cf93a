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
    # The library comes with `-e .[book]` and then once more as a package: its dependencies are there by then.
    library = re.search(r"^-e \.\[book\]$", (project / "requirements.txt").read_text(), flags=re.M)
    if not library and "pip install --no-cache-dir .\n" not in recipe[pinned:]:
        faults.append("the library is not installed")
    return faults


def test_binder_installs_what_is_pinned(project):
    """The Python of runtime.txt, requirements.txt and the library."""
    assert recipe_faults(project) == []


def test_planted_recipe_is_found(project):
    """A folder that hides the files from Binder: another Python, and nothing that is pinned."""
    (project / ".binder").mkdir()
    (project / ".binder" / "requirements.txt").write_text("numpy\n")
    assert len(recipe_faults(project)) >= 2
