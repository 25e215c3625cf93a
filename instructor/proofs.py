"""The answers that a person marks: found in notebooks, and put on one page, to be compared.

An answer is what stands between the heading of its question and the next one, in whatever cells, and was not in the
notebook that was handed out.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from instructor.examiner import joined, read_cells
from instructor.limits import Limits
from instructor.markdown import Cell, render, rendered
from instructor.sources import Question
from instructor.templates import render as fill

ANSWER = "otter_answer_cell"  # the tag of the cells in which otter wants answers
MARKER = re.compile(r"<!-- (BEGIN|END) QUESTION -->")
LETTERS = str.maketrans("0123456789abcdef", "bcdfghjkmnpqrstv")


@dataclass(frozen=True)
class Answer:
    """An answer, cell by cell. If `state` says "blank" or "not found", the cells are what else a student wrote."""

    state: str
    cells: list[Cell]

    @property
    def content(self) -> tuple[str, ...]:
        """What two answers have in common if they are the same but for spaces."""
        text = "".join("".join(cell["source"].split()) for cell in self.cells)
        return text, *(data for cell in self.cells for data in cell["attachments"].values())


Answers = dict[str, Answer]  # by question


@dataclass(frozen=True)
class Mark:
    """What a person gave to a file: points for some proofs, and words."""

    points: dict[str, float]
    comment: str


@dataclass(frozen=True)
class Shown:
    """An answer on the page."""

    code: str
    file: str
    state: str
    html: str
    same: list[str]
    mark: str


def heading(question: Question) -> str:
    """Return the first line of a question, by which it is found in a notebook."""
    lines = [line for cell in question.text for line in cell.source.splitlines()]
    return next((line.strip() for line in lines if line.strip()), question.name)


def parts(question: Question) -> dict[str, str]:
    """Return what is shown beside the answers to a question: its text, the rubric and the reference proof."""
    solution = "\n\n".join(cell.source for cell in question.answer)
    rubric = re.search(r"^.*\bRubric\b", solution, flags=re.MULTILINE)
    end = rubric.start() if rubric else len(solution)
    text = "\n\n".join(cell.source for cell in question.text)
    return {"text": text, "proof": solution[:end], "rubric": solution[end:]}


def code_of(name: str) -> str:
    """Return a code that stands for a file: letters without vowels, which no spreadsheet takes for a number."""
    return hashlib.sha256(name.encode()).hexdigest()[:8].translate(LETTERS)


def find(path: Path, questions: Sequence[dict[str, Any]], limits: Limits) -> Answers:
    """Return the answer to each question that a person marks."""
    by_hand = [question for question in questions if "given" in question]
    try:
        cells = [_plain(cell) for cell in read_cells(path, limits)]
    except ValueError:
        cells = []
    places = _sections(cells, questions)
    inside = {number for question in by_hand for number in places.get(question["name"], ())}
    others = [cell for number, cell in enumerate(cells) if number not in inside and cell["cell_type"] == "markdown"]
    found = {}
    for question in by_hand:
        own = _own([cells[number] for number in places.get(question["name"], ())], question["given"])
        state = "blank" if question["name"] in places else "not found"
        found[question["name"]] = Answer("", own) if own else Answer(state, _own(others, question["given"]))
    return found


def _plain(cell: dict[str, Any]) -> Cell:
    """Return what matters of a cell: its kind, its text, its images, and whether otter asks for an answer in it."""
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    kind = cell.get("cell_type")
    return {
        "cell_type": kind if kind in ("markdown", "code") else "raw",
        "source": (joined(cell.get("source")) or "").replace("\r\n", "\n").encode(errors="replace").decode(),
        "attachments": dict(_images(cell.get("attachments"))),
        "answer": kind == "markdown" and isinstance(tags, list) and ANSWER in tags,
    }


def _images(attachments: Any) -> list[tuple[str, str]]:
    """Return the attachments that are images, in base64, with their names."""
    found = []
    for name, kinds in attachments.items() if isinstance(attachments, dict) else ():
        if isinstance(kinds, dict):
            data = joined(kinds.get("image/png") or kinds.get("image/jpeg"))
            found += [(name, data)] if data else []
    return found


def _sections(cells: list[Cell], questions: Sequence[dict[str, Any]]) -> dict[str, range]:
    """Return the numbers of the cells from the heading of each question to the next; tags tell if a heading is gone."""
    texts = [cell["source"] if cell["cell_type"] != "code" else "" for cell in cells]
    lines = [{line.strip() for line in text.splitlines()} for text in texts]
    by_hand = [question["name"] for question in questions if "given" in question]
    tagged = [number for number, cell in enumerate(cells) if cell["answer"]]
    starts = dict(zip(by_hand, tagged, strict=True)) if len(tagged) == len(by_hand) else {}
    for question in questions:
        there = [number for number, those in enumerate(lines) if question["heading"] in those]
        starts |= {question["name"]: there[0]} if there else {}
    ends = sorted({*starts.values(), len(cells)})
    return {name: range(start, ends[ends.index(start) + 1]) for name, start in starts.items()}


def _own(cells: list[Cell], given: list[str]) -> list[Cell]:
    """Return the cells that a student wrote, without what was given; a given text may have been written on."""
    own = []
    for cell in cells:
        text = cell["source"].strip()
        before = [source for source in given if text.startswith(source)]
        text = MARKER.sub("", text.removeprefix(max(before, key=len, default=""))).strip()
        if text or cell["attachments"]:
            own.append(cell | {"source": text})
    return own


def page(
    title: str, questions: list[dict[str, Any]], answers: dict[str, Answers], marks: dict[str, Mark], *, files: bool
) -> str:
    """Return the page with the answers of all files; with `files` these have their names, else only codes."""
    names = list(answers) if files else sorted(answers, key=code_of)
    boards = []
    for question in questions:
        these = {name: answers[name][question["name"]] for name in names}
        boards.append(
            {"name": question["name"], "points": question["points"]}
            | {part: render([_text(question[part])]) for part in ("text", "rubric", "proof")}
            | {"answers": _shown(question["name"], these, marks, files)}
        )
    return fill("proofs.html", title=title, boards=boards)


def _text(source: str) -> Cell:
    return {"cell_type": "markdown", "source": source, "attachments": {}}


def _shown(question: str, answers: dict[str, Answer], marks: dict[str, Mark], files: bool) -> list[Shown]:
    """Return the answers to a question as they are shown, those that are the same with the codes of the others."""
    same = defaultdict(list)
    for name, answer in answers.items():
        same[answer.content].append(code_of(name))
    pages = rendered([answer.cells for answer in answers.values() if answer.cells])
    shown = []
    for name, answer in answers.items():
        code = code_of(name)
        others = [other for other in same[answer.content] if other != code] if not answer.state else []
        mark = marks[name].points.get(question) if name in marks else None
        content = next(pages) if answer.cells else ""
        shown.append(
            Shown(code, name if files else "", answer.state, content, others, "" if mark is None else f"{mark:g}")
        )
    return shown
