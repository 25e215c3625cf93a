"""The exercise sets of the book as they are written: notebooks of questions, answers, tests and wrong answers.

A source, `book/exercises/<name>.ipynb`, is the only form edited by hand. It is an otter-grader notebook, and in
addition holds wrong answers, in cells tagged `wrong-answer: q1`, which are taken out before otter sees it. A visible
test begins with the section that explains what it looks at, `# See ladder: The grid`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import yaml

ROOT = Path(__file__).resolve().parents[1]
EXERCISES = ROOT / "book" / "exercises"
COUNTED = "There are five questions in code and one proof. They get harder."
WRONG_ANSWER = "wrong-answer: "
BEGIN_QUESTION = "# BEGIN QUESTION"
SEE = re.compile(r"# See (\w+): (.+)\n")

Cell = Any  # a notebook cell; nbformat is not typed


@dataclass
class Question:
    """One question of a source notebook, its cells sorted by what they are for."""

    name: str
    manual: bool
    points: int
    whole: bool = True  # it is earned whole or not at all; else each hidden test earns a share
    text: list[Cell] = field(default_factory=list)
    answer: list[Cell] = field(default_factory=list)
    words: list[Cell] = field(default_factory=list)  # what a solution in code says besides
    visible: list[Cell] = field(default_factory=list)
    hidden: list[Cell] = field(default_factory=list)
    wrong: list[Cell] = field(default_factory=list)


@dataclass(frozen=True)
class ExerciseSet:
    """A source notebook: its name, the cells before the first question, the questions, and all cells otter gets."""

    name: str
    opening: list[Cell]
    questions: list[Question]
    notebook: Any


def sources() -> list[Path]:
    """Return the source notebooks, in order of name."""
    return sorted(EXERCISES.glob("*.ipynb"))


def read_set(path: Path) -> ExerciseSet:
    """Read a source notebook; its wrong answers leave the notebook and go to their questions."""
    notebook = nbformat.read(path, as_version=4)
    opening: list[Cell] = []
    questions: dict[str, Question] = {}
    block, current = "", None
    for cell in notebook.cells:
        question = wrong_answer_to(cell)
        if question:
            if question not in questions:
                raise ValueError(f"{path.name}: a wrong answer to {question} must come after that question")
            questions[question].wrong.append(cell)
        elif cell.cell_type == "raw":
            block, current = _enter(cell.source, current, path)
            if current:
                questions[current.name] = current
        elif current:
            _place(cell, current, block)
        else:
            opening.append(cell)
    notebook.cells = [cell for cell in notebook.cells if not wrong_answer_to(cell)]
    return ExerciseSet(path.stem, opening, list(questions.values()), notebook)


def choose(path: Path, names: list[str], folder: Path) -> Path:
    """Write a source with some of its questions into a folder, under the same name, and return where it is."""
    questions = [question.name for question in read_set(path).questions]
    if unknown := [name for name in names if name not in questions]:
        raise ValueError(f"{path.stem} has no {', '.join(unknown)}; it has {', '.join(questions)}")
    notebook = nbformat.read(path, as_version=4)
    kept, current = [], None
    for cell in notebook.cells:
        if cell.cell_type == "raw" and cell.source.startswith(BEGIN_QUESTION):
            current = yaml.safe_load(cell.source)["name"]
        if (wrong_answer_to(cell) or current or names[0]) in names:
            cell.source = cell.source.replace(COUNTED, "").rstrip()
            kept.append(cell)
        if cell.cell_type == "raw" and cell.source.startswith("# END QUESTION"):
            current = None
    notebook.cells = kept
    nbformat.write(notebook, folder / path.name)
    return folder / path.name


def wrong_answer_to(cell: Cell) -> str | None:
    """Return the question to which a cell is a wrong answer, if it is one."""
    tags = [tag for tag in cell.metadata.get("tags", []) if tag.startswith(WRONG_ANSWER)]
    return tags[0].removeprefix(WRONG_ANSWER) if tags else None


def _enter(boundary: str, current: Question | None, path: Path) -> tuple[str, Question | None]:
    """Return the block that follows a raw cell, such as "tests", and the question it belongs to."""
    title, _, body = boundary.partition("\n")
    if title == BEGIN_QUESTION:
        config = yaml.safe_load(body) or {}
        missing = [key for key in ("name", "points") if key not in config]
        if missing:
            raise ValueError(f"{path.name}: the cell {boundary!r} gives no {' and no '.join(missing)}")
        whole = config.get("all_or_nothing", True)
        return "", Question(config["name"], config.get("manual", False), config["points"], whole)
    if title == "# END QUESTION":
        return "", None
    return title.removeprefix("# BEGIN ").lower() if title.startswith("# BEGIN ") else "", current


def _place(cell: Cell, question: Question, block: str) -> None:
    """Put a cell of a question where it belongs."""
    if block == "solution":
        in_words = cell.cell_type == "markdown" and not question.manual
        (question.words if in_words else question.answer).append(cell)
    elif block == "tests":
        hidden = cell.source.startswith("# HIDDEN")
        (question.hidden if hidden else question.visible).append(cell)
    else:
        question.text.append(cell)
