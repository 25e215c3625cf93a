"""The tests never look at stale pages: whatever the build reads, a change of it means a new build."""

import shutil

import pytest
from chapters import ROOT

from tools.built import READ, WRITTEN, stamp


@pytest.fixture
def project(tmp_path):
    """Return a copy of all that the build reads."""
    for name in READ:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns(*WRITTEN))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_stamp_is_of_contents(project):
    """A constant of the library changes it, even if size and time stay; a new time or a cache does not."""
    before = stamp(project)
    bounds = project / "leaderboard_edu" / "bounds.py"
    bounds.touch()
    for cache in ("__pycache__", ".ruff_cache"):
        (project / "book" / cache).mkdir()
        (project / "book" / cache / "x").touch()
    assert stamp(project) == before
    text = bounds.read_text()
    assert "-2 * epsilon" in text
    bounds.write_text(text.replace("-2 * epsilon", "-3 * epsilon"))
    assert stamp(project) != before


@pytest.mark.parametrize("name", ["book/ladder.ipynb", "_toc.yml", "constraints.txt", "tools/lite.py"])
def test_each_file_counts(project, name):
    """Its content and its name."""
    before = stamp(project)
    (project / name).write_bytes((project / name).read_bytes() + b" ")
    changed = stamp(project)
    (project / name).rename((project / name).with_suffix(".other"))
    assert len({before, changed, stamp(project)}) == 3


def test_the_surroundings_count(project, monkeypatch):
    """Links on the pages come from them."""
    before = stamp(project)
    monkeypatch.setenv("SITE", "https://example.org/book/")
    assert stamp(project) != before
