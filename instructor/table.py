"""The table of a run: plain rows, computed once, and the file they are written to."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from instructor.examiner import MISSING
from instructor.feedback import page_name
from instructor.grading import Autograder, Grade, Report
from instructor.proofs import Mark

Graded = tuple[str, str, Report]  # the name of a file, its SHA-256, and its report
Row = dict[str, str]  # what is in each column
DECIDED = "decided"  # the status of a file that was not graded, or not to the end, and got its points from a person


def paper(tests: Autograder, graded: list[Graded]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the questions with their points: those that were graded, and those that a person must grade."""
    points = {question["name"]: question["points"] for question in tests.questions}
    manual = {question["name"] for question in tests.questions if question["manual"]}
    if not points:  # made by otter alone
        points = {name: grade.possible for *_, report in graded for name, grade in report.questions.items()}
    return {q: p for q, p in points.items() if q not in manual}, {q: p for q, p in points.items() if q in manual}


def table_rows(
    graded: list[Graded],
    points: dict[str, float],
    pending: dict[str, float],
    beside: Sequence[str],
    look: dict[str, str],
    marks: dict[str, Mark],
) -> list[Row]:
    """Return a row for each file. What could not be graded has no points: an empty cell is not a zero."""
    rows = []
    for (name, digest, report), others in zip(graded, beside, strict=True):
        known = report.status in ("graded", "partial")
        given = marks[name].points if name in marks else {}
        earned = {question: report.questions[question].points for question in points} if known else {}
        earned |= {question: number for question, number in given.items() if question in points}
        by_hand = not set(given).isdisjoint(points or given) and len(earned) == len(points)
        numbers = [f"{earned[question]:g}" if question in earned else "" for question in points]
        proofs = [f"{given[question]:g}" if question in given else "pending" for question in pending]
        left = sum(most for question, most in pending.items() if question not in given)
        possible = sum(points.values()) + sum(pending.values()) - left
        total = sum(earned.values()) + sum(given[question] for question in pending if question in given)
        status = DECIDED if by_hand and report.status != "graded" else report.status
        rows.append(
            {"file": name, "sha256": digest, "status": status}
            | dict(zip(titles(points), numbers, strict=True))
            | dict(zip(titles(pending), proofs, strict=True))
            | {"points": f"{total:g}" if known or by_hand else "", "possible": f"{possible:g}"}
            | {"pending": f"{left:g}", "note": _note(report, others), "look": look[name]}
            | {"feedback": page_name(name)}
        )
    return rows


def titles(points: dict[str, float]) -> list[str]:
    """Return the title of the column of each question: its name, and the most that it can earn."""
    return [f"{name} ({most:g})" for name, most in points.items()]


def _note(report: Report, beside: str) -> str:
    """Return what was cut off, which cells with code, counted from 1, stopped with an error, and what came along.

    Answers that are not there are named where nothing else says why their question earned nothing.
    """
    stopped = f"error in cell {', '.join(report.errors)}" if report.errors else ""
    gone = [f"{name} ({question})" for question, grade in report.questions.items() for name in _missing(grade)]
    absent = f"not there: {', '.join(gone)}" if gone else ""
    return "; ".join(filter(None, [report.note, stopped, absent, beside]))


def _missing(grade: Grade) -> list[str]:
    """Return the answers that the tests of a question asked for in vain."""
    if grade.points or grade.trouble:
        return []
    found = (re.match(r"`(\w+)` is not there", case.message) for case in grade.cases if case.error == MISSING)
    return list(dict.fromkeys(match[1] for match in found if match))


def many(number: int, what: str) -> str:
    """Return a number of things, in the plural if it is not one."""
    return f"{number} {what}{'s' * (number != 1)}"


def write_table(path: Path, rows: list[Row]) -> None:
    """Write rows under the titles of their columns."""
    write_csv(path, [list(rows[0]), *([as_text(cell) for cell in row.values()] for row in rows)])


def as_text(cell: str) -> str:
    """Return a text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell


def write_csv(path: Path, lines: Sequence[Sequence[str]]) -> None:
    """Write a file of lines, complete or not at all."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    new = path.with_suffix(".csv.new")
    new.write_text(text.getvalue(), encoding="utf-8")
    new.replace(path)
