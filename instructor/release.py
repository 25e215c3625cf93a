"""Make what a course hands out and keeps of an exercise set: student folder, autograder, answer key."""

from __future__ import annotations

import html
import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import yaml
from docutils.nodes import make_id
from nbformat.v4 import new_markdown_cell

from instructor.generate import assign
from instructor.proofs import heading, parts
from instructor.sources import EXERCISES, ROOT, Cell, ExerciseSet, read_set, wrong_answer_to

LIBRARY = ROOT / "leaderboard_edu"
NEEDED = ("ipykernel", "joblib", "matplotlib", "mpmath", "numpy", "otter-grader", "pillow", "scipy")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every file in a zip, so that a release is the same to the byte


def release(path: Path, out: Path, book: str | None = None, *, replace: bool = False) -> list[Path]:
    """Write the release of a set into a folder and return what was written.

    `out/<set>/` is for students: the notebook, its visible tests and the library. `<set>-autograder.zip` is what
    `python -m instructor grade` and Gradescope take, `<set>-key.ipynb` holds the answers. `book` is the address at
    which the book's pages are; with it, feedback links to them. An earlier release stays unless it is to be replaced.
    """
    targets = released_files(path, out, book, replace=replace)
    exercises = read_set(path)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copytree(LIBRARY, folder / LIBRARY.name, ignore=shutil.ignore_patterns("__pycache__"))
        _configure(exercises, sorted(file.relative_to(folder) for file in folder.rglob("*") if file.is_file()))
        dist = assign(exercises, folder, _link(book))
        (archive,) = (dist / "autograder").glob("*.zip")
        out.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(targets[0], ignore_errors=True)
        shutil.copytree(dist / "student", targets[0])
        student = nbformat.read(targets[0] / f"{path.stem}.ipynb", as_version=4)
        _rewrite(archive, targets[1], {"questions.json": _questions(exercises, student)})
    nbformat.write(answer_key(path), targets[2])
    return targets


def released_files(path: Path, out: Path, book: str | None, *, replace: bool = False) -> list[Path]:
    """Return what the release of a set writes, once it is clear that it can: the address is one, nothing is there."""
    if book is not None and not book.startswith(("http://", "https://")):
        raise ValueError(f"the address of the book must begin with http:// or https://, but is {book}")
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is not a folder")
    targets = [out / path.stem, out / f"{path.stem}-autograder.zip", out / f"{path.stem}-key.ipynb"]
    there = [str(target) for target in targets if target.exists()]
    if there and not replace:
        raise ValueError(f"{', '.join(there)}: already there; --replace puts the new release in its place")
    return targets


def _configure(exercises: ExerciseSet, library: list[Path]) -> None:
    """Have otter put the library beside the notebook, where Python finds it, and ask for the versions of the book."""
    config = exercises.notebook.cells[0]
    title, _, body = config.source.partition("\n")
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE))
    settings = yaml.safe_load(body) | {
        "files": [path.as_posix() for path in library],
        "requirements": [f"{package}=={pins[package]}" for package in NEEDED],
    }
    config["source"] = f"{title}\n{yaml.safe_dump(settings)}"


def _link(book: str | None) -> Callable[[str, str], str]:
    """Return what makes the link to a section of the book, or names the section if no address is known."""

    def link(chapter: str, section: str) -> str:
        if book is None:
            return html.escape(f"See “{section}” in the chapter “{_title(chapter)}”.")
        address = f"{book.rstrip('/')}/book/{chapter}.html#{make_id(section)}"
        return f"See <a href='{html.escape(address)}'>{html.escape(section)}</a>."

    return link


def _title(chapter: str) -> str:
    """Return the title of a chapter, the first heading of its notebook."""
    first = nbformat.read(EXERCISES.parent / f"{chapter}.ipynb", as_version=4).cells[0]
    return str(re.findall(r"^# (.+)$", first.source, flags=re.MULTILINE)[0])


def _questions(exercises: ExerciseSet, student: nbformat.NotebookNode) -> str:
    """Return the list of questions: what the tests do not tell, and all that a person needs who marks a proof."""
    given = [text for cell in student.cells if (text := cell.source.strip())]
    questions = [
        {"name": q.name, "points": q.points, "manual": q.manual, "heading": heading(q)}
        | (parts(q) | {"given": given} if q.manual else {})
        for q in exercises.questions
    ]
    return json.dumps(questions, indent=1) + "\n"


def _rewrite(archive: Path, target: Path, extra: dict[str, str]) -> None:
    """Copy a zip with some files more, in order of name and without the times."""
    with zipfile.ZipFile(archive) as old:
        files = {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in sorted((files | {name: text.encode() for name, text in extra.items()}).items()):
            new.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)


def answer_key(path: Path) -> nbformat.NotebookNode:
    """Return a set's source as a notebook to read and to run: questions, answers, tests, and wrong answers as text.

    It is itself a submission that earns full marks.
    """
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    kept: list[Cell] = []
    for cell in notebook.cells:
        if cell.cell_type == "raw":
            if cell.source.startswith(("# BEGIN QUESTION", "# BEGIN TESTS")):
                rule = "---" if "QUESTION" in cell.source else "**Tests**"
                kept.append(new_markdown_cell(rule, id=cell.id))
        elif wrong_answer_to(cell):
            text = f"**A wrong answer that a hidden test rejects**\n\n```python\n{cell.source}\n```"
            kept.append(new_markdown_cell(text, id=cell.id))
        else:
            cell["metadata"] = {}
            kept.append(cell)
    kept[0]["source"] += "\n\n**Answer key: for teachers only.**"
    notebook.cells = kept
    notebook.metadata["otter"] = {"assignment_name": path.stem}  # otter's own engine asks for it
    return notebook
