"""The page that tells a student what became of a submission, without anything of the hidden tests."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from instructor.grading import Report
from instructor.proofs import Mark
from instructor.templates import render

STATUSES = {
    "graded": "Nothing was cut off.",
    "partial": "Something was cut off; the rest was graded.",
    "timeout": "Nothing could be graded: the notebook used up its time.",
    "crashed": "Nothing could be graded: the notebook ended the process that ran it.",
    "unreadable": "The file could not be read as a notebook.",
}
TROUBLES = {
    "timeout": "ran out of time",
    "crashed": "ended the process that ran it",
    "memory": "used more memory than there is for a notebook",
    "processes": "started more processes than a notebook may have",
    "files": "wrote more files than there is room for",
}


def feedback_page(name: str, digest: str, report: Report, pending: dict[str, float], mark: Mark | None) -> str:
    """Return the page on one submission; everything that comes from it is bounded and escaped."""
    decided = {question: number for question, number in mark.points.items() if question not in pending} if mark else {}
    grades = {question: replace(g, points=decided.get(question, g.points)) for question, g in report.questions.items()}
    report = replace(report, questions=grades)
    values = {
        "decided": decided,
        "name": name,
        "digest": digest or "unknown",
        "report": report,
        "pending": pending,
        "mark": mark,
    }
    return render("feedback.html", status=STATUSES[report.status], troubles=TROUBLES, **values)


def page_name(name: str) -> str:
    """Return the name of a file's page: short, plain, and another one for each file."""
    plain = re.sub(r"[^\w.-]+", "-", name.removesuffix(".ipynb"), flags=re.ASCII)[:60]
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.html".lstrip("-")
