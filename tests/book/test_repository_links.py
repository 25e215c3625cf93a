"""Links to Binder, to the source and for reporting an error are on every chapter, or nowhere without a repository."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup
from chapters import CHAPTERS, ROOT

REPOSITORY = "https://github.com/example/reliable-leaderboards"


def load_extension():
    """Return the extension of the book as a module."""
    path = ROOT / "book" / "_extensions" / "repository_links.py"
    spec = importlib.util.spec_from_file_location("repository_links", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("value", "url"),
    [
        (REPOSITORY, REPOSITORY),
        (f"{REPOSITORY}.git", REPOSITORY),
        (f"{REPOSITORY}/\n", REPOSITORY),
        ("git@github.com:example/reliable-leaderboards.git", REPOSITORY),
        ("ssh://git@github.com/example/reliable-leaderboards.git", REPOSITORY),
        ("../origin.git", None),
        ("/srv/git/origin.git", None),
        ("file:///srv/git/origin.git", None),
        ("https://user:secret@github.com/example/reliable-leaderboards", None),
        ("", None),
    ],
)
def test_repository_url(monkeypatch, tmp_path, value, url):
    """The same address from the variable and from the remote; an address that is not public gives none."""
    extension = load_extension()
    monkeypatch.setenv("REPOSITORY", value)
    assert extension.repository_url() == url
    monkeypatch.delenv("REPOSITORY")
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "--quiet"], check=True)
    if value.strip():
        subprocess.run(["git", "remote", "add", "origin", value.strip()], check=True)
    assert extension.repository_url() == url


def start_build(folder, environment):
    """Copy the book and start a build without executing anything; return the process."""
    unwanted = shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", "tests", "*_cache")
    shutil.copytree(ROOT, folder, ignore=unwanted)
    config = yaml.safe_load((folder / "_config.yml").read_text())
    config["execute"]["execute_notebooks"] = "off"
    (folder / "_config.yml").write_text(yaml.safe_dump(config))
    command = [Path(sys.executable).with_name("jupyter-book"), "build", folder]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    """Return the pages built with a public repository and those built without."""
    without = {name: value for name, value in os.environ.items() if not name.startswith("REPOSITORY")}
    environments = {"with": without | {"REPOSITORY": REPOSITORY}, "without": without}
    folder = tmp_path_factory.mktemp("builds")
    running = {name: start_build(folder / name, environment) for name, environment in environments.items()}
    for process in running.values():
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0, output[-3000:]
    return {name: folder / name / "_build" / "html" for name in running}


def links(page):
    """Return where the links of a page lead."""
    return [tag["href"] for tag in BeautifulSoup(page.read_text(), "html.parser").select("a[href]")]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_links_with_a_repository(builds, chapter):
    """Binder opens this very notebook in JupyterLab; the source and the form for errors are one click away."""
    found = links(builds["with"] / f"{chapter}.html")
    repository = re.escape(REPOSITORY)
    assert (ROOT / f"{chapter}.ipynb").is_file()
    assert [
        link
        for link in found
        if link == f"https://mybinder.org/v2/gh/example/reliable-leaderboards/main?urlpath=lab/tree/{chapter}.ipynb"
    ]
    assert [link for link in found if re.fullmatch(rf"{repository}/blob/main/{chapter}\.ipynb(\?plain=1)?", link)]
    assert [link for link in found if re.match(rf"{repository}/issues/new", link)]


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("build", ["with", "without"])
def test_the_lab_beside_the_pages(builds, chapter, build):
    """JupyterLite is one of the launch buttons, with Binder or alone, by a link that needs no repository."""
    page = BeautifulSoup((builds[build] / f"{chapter}.html").read_text(), "html.parser")
    (group,) = page.select(".dropdown-launch-buttons")
    found = [urlsplit(tag["href"]) for tag in group.select("a")]
    assert [link.netloc for link in found] == (["mybinder.org", ""] if build == "with" else [""])
    assert (found[-1].path, found[-1].query) == ("../lite/lab/index.html", f"path={chapter}.ipynb")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_links_without_a_repository(builds, chapter):
    """A button that leads nowhere is worse than none."""
    found = links(builds["without"] / f"{chapter}.html")
    assert found
    assert [link for link in found if "mybinder.org" in link or "issues/new" in link or "/blob/" in link] == []


def test_student_notebook_has_its_own_link(builds):
    """On the page of an exercise set, after the path of the student notebook, and only with a repository."""
    path = "book/exercises/student/boosting_attack/boosting_attack.ipynb"
    page = "book/exercises/pages/boosting_attack.html"
    opens = f"https://mybinder.org/v2/gh/example/reliable-leaderboards/main?urlpath=lab/tree/{path}"
    assert (ROOT / path).is_file()
    assert opens in links(builds["with"] / page)
    assert not [link for link in links(builds["without"] / page) if "mybinder.org" in link]
