"""Write the page and the student notebook of every exercise set anew from its source: `python -m instructor.generate`.

Otter makes the student notebook; the line of a visible test that names a section of the book becomes a link, and a
question is earned whole or not at all, unless it says otherwise.
"""

from __future__ import annotations

import copy
import html
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import yaml
from docutils.nodes import make_id

from instructor.sources import BEGIN_QUESTION, EXERCISES, ROOT, SEE, Cell, ExerciseSet, read_set, sources

NOT_FOR_READERS = re.compile(r"\s*# (Write your answer here\.|BEGIN SOLUTION.*|END SOLUTION)")


def to_chapter(chapter: str, section: str) -> str:
    """Return a link to a section of the book from a student notebook in the book's own folder."""
    return f"See <a href='../../../{chapter}.ipynb#{make_id(section)}'>{html.escape(section)}</a>."


def assign(exercises: ExerciseSet, folder: Path, link: Callable[[str, str], str] = to_chapter) -> Path:
    """Run otter's assign in a folder; return the folder `dist`, which then holds `autograder` and `student`."""
    from otter.assign import main as otter_assign

    source = folder / f"{exercises.name}.ipynb"
    notebook = copy.deepcopy(exercises.notebook)
    for cell in notebook.cells:
        see = SEE.match(cell.source) if cell.cell_type == "code" else None
        if see:
            help_only = {"failure_message": link(*see.groups()), "points": 0}
            config = yaml.safe_dump(help_only, width=10**6, allow_unicode=True)
            cell["source"] = f'""" # BEGIN TEST CONFIG\n{config}""" # END TEST CONFIG\n{cell.source[see.end() :]}'
        elif cell.cell_type == "raw" and cell.source.startswith(BEGIN_QUESTION):
            settings = {"all_or_nothing": True} | yaml.safe_load(cell.source)
            cell["source"] = f"{BEGIN_QUESTION}\n{yaml.safe_dump(settings)}"
    nbformat.write(notebook, source)
    try:
        otter_assign(str(source), str(folder / "dist"), no_run_tests=True)
    except Exception as error:
        raise RuntimeError(f"otter refused {exercises.name}: {error}") from error
    return folder / "dist"


def generated(exercises: ExerciseSet, dist: Path) -> dict[Path, str]:
    """Return the files to commit for a set, their text by their path in `book/exercises`."""
    student = Path("student") / exercises.name
    notebook_path = student / f"{exercises.name}.ipynb"
    notebook = nbformat.read(dist / "student" / f"{exercises.name}.ipynb", as_version=4)
    files = {Path("pages") / f"{exercises.name}.md": page(exercises, notebook)}
    _number_cells(notebook)
    files[notebook_path] = _tidy(nbformat.writes(notebook, indent=1) + "\n", notebook_path)
    for test in sorted((dist / "student" / "tests").glob("*.py")):
        path = student / "tests" / test.name
        files[path] = _tidy(test.read_text(encoding="utf-8"), path)
    return files


def _number_cells(notebook: Any) -> None:
    """Give cells the ids that nbstripout gives them; those that otter added have random ones."""
    for number, cell in enumerate(notebook.cells):
        cell["id"] = str(number)


def _tidy(text: str, path: Path) -> str:
    """Return code as ruff writes it."""
    ruff = str(Path(sys.executable).with_name("ruff"))
    for command in (["check", "--fix-only"], ["format"]):
        arguments = [ruff, *command, "--no-cache", "--stdin-filename", str(EXERCISES / path), "-"]
        run = subprocess.run(arguments, input=text, cwd=ROOT, capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(f"ruff refused {path}: {run.stderr.strip()}")
        text = run.stdout
    return text


def page(exercises: ExerciseSet, student: Any) -> str:
    """Return the page of the book: questions, the code to start from, and solutions folded away."""
    stubs = {cell.id: cell.source for cell in student.cells}
    title, _, introduction = exercises.opening[0].source.partition("\n")
    parts = [
        f"% Made by `make exercises` from book/exercises/{exercises.name}.ipynb: edit that file, not this one.",
        title,
        _where_to_work(exercises.name),
        introduction.strip(),
        *(_code(cell) for cell in exercises.opening[1:]),
    ]
    for question in exercises.questions:
        parts += [_show(cell) for cell in question.text if cell.cell_type == "markdown"]
        parts.append(f"*{question.points} points.*")
        parts += [_code_block(stubs[cell.id]) for cell in question.answer if cell.cell_type == "code"]
        parts += [_code(cell) for cell in question.text if cell.cell_type == "code"]
        parts.append(_folded("Proof and rubric" if question.manual else "Solution", question.answer + question.words))
    return "\n\n".join(parts) + "\n"


def _where_to_work(name: str) -> str:
    """Return the paragraph that leads to the chapter and to the student notebook."""
    return (
        f"These are the exercises of [](../../{name}.ipynb). Work on them in the student notebook,\n"
        f"`book/exercises/student/{name}/{name}.ipynb`{{.student-notebook}}. On your own machine, `make live` opens\n"
        'JupyterLab. There `grader.check("q1")` says at once what is wrong with an answer. It runs the visible tests\n'
        "only; a teacher's hidden tests ask for more. Solutions are folded away on this page: try first."
    )


def _show(cell: Cell) -> str:
    """Return a cell of a source as MyST Markdown."""
    return str(cell.source) if cell.cell_type == "markdown" else _code(cell)


def _code(cell: Cell) -> str:
    """Return a code cell as it is shown to readers."""
    return _code_block("\n".join(line for line in cell.source.split("\n") if not NOT_FOR_READERS.fullmatch(line)))


def _code_block(code: str) -> str:
    """Return code as a block that the build does not run."""
    return f"```python\n{code}\n```"


def _folded(title: str, cells: list[Cell]) -> str:
    """Return cells under a title that unfolds them."""
    return "\n\n".join([f"::::{{dropdown}} {title}", *(_show(cell) for cell in cells), "::::"])


def write(files: dict[Path, str], name: str) -> None:
    """Write the files of a set in place of those that were there."""
    shutil.rmtree(EXERCISES / "student" / name, ignore_errors=True)
    for path, text in files.items():
        (EXERCISES / path).parent.mkdir(parents=True, exist_ok=True)
        (EXERCISES / path).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Generate every set."""
    for source in sources():
        try:
            exercises = read_set(source)
            with tempfile.TemporaryDirectory() as folder:
                files = generated(exercises, assign(exercises, Path(folder)))
        except (ValueError, RuntimeError) as error:
            sys.exit(str(error))
        write(files, exercises.name)
        print(f"{exercises.name}: wrote {len(files)} files")


if __name__ == "__main__":
    main()
