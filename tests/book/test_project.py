"""What holds the project together: errata with their tests, the table of contents, the README, no foreign path."""

import ast
import re
import subprocess
from pathlib import Path

import pytest
from chapters import CHAPTERS, PAGES, ROOT


def names_of_tests(path):
    """Return the names of the test functions of a file, those in classes too."""
    tree = ast.parse(path.read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def errata_faults(text, root):
    """Return the entries of the errata, or numbered items in them, that name no test, or one that does not exist."""
    parts = re.split(r"^## (\d+)\. .*$", text, flags=re.M)
    numbers, bodies = parts[1::2], parts[2::2]
    faults = [] if numbers else ["no entry"]
    faults += [f"entry {number} occurs twice" for number in set(numbers) if numbers.count(number) > 1]
    faults += [f"not an entry: {heading!r}" for heading in re.findall(r"^## (?!\d+\. ).*$", text, flags=re.M)]
    for number, body in zip(numbers, bodies, strict=True):
        lines = re.findall(r"^\s*Test: .+$", body, flags=re.M)
        tests = re.findall(r"`([^`]+)::(\w+)`", "\n".join(lines))
        corrections = re.findall(r"^\d+\. ", body, flags=re.M)
        if not tests or len(lines) < len(corrections):
            faults.append(f"entry {number} makes a correction without naming its test")
        for path, name in tests:
            if not (root / path).is_file() or name not in names_of_tests(root / path):
                faults.append(f"entry {number} names {path}::{name}, which does not exist")
    return faults


def foreign_paths(path, text, root):
    """Return the paths in a file that exist on one machine only: absolute ones, and those that leave the project."""
    found = re.findall(r"(?<![\w/.])/(?:home|root|Users|mnt|workspace)/\w+", text)
    if root.parent != Path("/"):
        found += re.findall(rf"(?<![\w/.]){re.escape(str(root.parent))}/\w+", text)
    ups = re.findall(r"(?<![\w./])(?:\.\./)+\w+", text)
    return found + [up for up in ups if not (path.parent / up).resolve().is_relative_to(root)]


def project_files():
    """Return the files of the project, new ones included, that are text."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    generated, binary = {".git", ".venv", "_build", "__pycache__"}, {".png", ".ico", ".woff2", ".pdf", ".zip", ".npz"}
    paths = [ROOT / name for name in listed.stdout.splitlines()] if listed.returncode == 0 else ROOT.rglob("*")
    return [p for p in paths if p.is_file() and p.suffix not in binary and not generated & set(p.parts)]


def test_every_entry_of_the_errata_has_a_test():
    """A correction of a paper is a claim, and a claim can fail."""
    assert errata_faults((ROOT / "book" / "errata.md").read_text(), ROOT) == []


def test_every_chapter_is_in_the_table_of_contents():
    """A notebook that is not listed would not be read, one that is listed must exist."""
    assert {f"book/{path.stem}" for path in (ROOT / "book").glob("*.ipynb")} == set(CHAPTERS)
    missing = [page for page in PAGES if not any((ROOT / f"{page}{end}").exists() for end in (".ipynb", ".md"))]
    assert missing == []


def test_readme_names_the_two_commands():
    """They are the first thing that a newcomer needs, and the Makefile has them."""
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    named = set(re.findall(r"(?:^|`)make (\w+)", readme, flags=re.M))
    assert {"book", "test"} <= named <= set(re.findall(r"^(\w+):", makefile, flags=re.M))


def test_no_path_of_one_machine():
    """The project works wherever it is put, alone."""
    faults = {}
    for path in project_files():
        if path != Path(__file__) and (found := foreign_paths(path, path.read_text(errors="ignore"), ROOT.resolve())):
            faults[str(path.relative_to(ROOT))] = found
    assert faults == {}


ENTRY = "## 14. Rounding\n\nIt is stated too strongly.\n\nTest: `tests/test_a.py::test_rounding`\n"


@pytest.fixture
def small_project(tmp_path):
    """Return a folder with one test file."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("def test_rounding():\n    pass\n\n\ndef rounding():\n    pass\n")
    return tmp_path


def test_good_errata_pass(small_project):
    """One test or several."""
    assert errata_faults(ENTRY, small_project) == []
    assert errata_faults(ENTRY.replace("ing`", "ing`, `tests/test_a.py::test_rounding`"), small_project) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("::test_rounding", "::test_other"),
        ("::test_rounding", "::rounding"),
        ("test_a.py", "test_b.py"),
        ("Test: ", "See "),
        ("It is", "1. One.\n2. Two.\n\nIt is"),
        ("## 14. ", "## "),
        (ENTRY, ""),
        (ENTRY, ENTRY + ENTRY),
    ],
)
def test_planted_erratum_is_found(small_project, old, new):
    """A test that is not there, is no test, or is not named."""
    assert errata_faults(ENTRY.replace(old, new), small_project)


def test_planted_path_is_found(tmp_path):
    """Out of the project; system programs, addresses and what lies inside are fine."""
    project = tmp_path / "project"
    for text in ("open('/home/ann/data')", "see ../elsewhere/notes.md", f"in {tmp_path}/shared there is"):
        assert foreign_paths(project / "README.md", text, project)
    good = "/usr/bin/env bash, href='../index.html', a/home/b, https://x.org/home/y, …/../z"
    assert foreign_paths(project / "book" / "page.md", good, project) == []


def entries_without_id(bibliography):
    """Return the keys of the entries that have neither a DOI nor an arXiv id."""
    entries = re.findall(r"^@\w+\{(\w+),(.*?)^\}", bibliography, flags=re.M | re.S)
    known = r"^\s*(?:doi = \{10\.\d+/|eprint = \{\d{4}\.\d{5}\})"
    return [key for key, body in entries if not re.search(known, body, flags=re.M)]


def test_every_reference_can_be_found():
    """By its DOI or its arXiv id."""
    bibliography = (ROOT / "book" / "references.bib").read_text()
    assert bibliography.count("\n@") >= 5
    assert entries_without_id(bibliography) == []
    assert entries_without_id(bibliography.replace("doi = {10.", "url = {10.")) != []


def test_extensions_have_names_of_their_own():
    """Who imports `pictures` from beside the chapters gets no extension of Sphinx, whatever was imported before."""
    extensions = {path.stem for path in (ROOT / "book" / "_extensions").glob("*.py")}
    beside = {path.stem for path in (ROOT / "book").iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    assert "pictures" in beside
    assert extensions & beside == set()
