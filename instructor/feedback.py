"""The page that tells a student what became of a submission, without anything of the hidden tests."""

from __future__ import annotations

from html import escape

from instructor.grading import Grade, Report

LONGEST = 600  # characters of one message
MOST = 10  # errors of cells

STATUSES = {
    "graded": "Every question was graded.",
    "partial": "Something was cut off; the rest was graded.",
    "timeout": "Nothing could be graded: the notebook used up its time.",
    "crashed": "Nothing could be graded: the notebook ended the process that ran it.",
    "unreadable": "The file could not be read as a notebook.",
}

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Feedback: {name}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid; padding-left: 0.8em; }}
h1, p, li {{ overflow-wrap: anywhere; }}
</style>
<h1>{name}</h1>
<p>{status} {note}</p>
{body}
<p><small>SHA-256 of the file: {digest}</small></p>
</html>
"""


def feedback_page(name: str, digest: str, report: Report, pending: dict[str, float]) -> str:
    """Return the page on one submission; everything that comes from it is bounded and escaped."""
    parts = []
    if report.status in ("graded", "partial"):
        points = sum(grade.points for grade in report.questions.values())
        possible = sum(grade.possible for grade in report.questions.values())
        parts.append(f"<p><strong>{points:g} of {possible:g} points</strong> for the questions in code.</p>")
        parts += [_question(name, grade) for name, grade in report.questions.items()]
    parts += [f"<h2>{name}</h2>\n<p>{points:g} points, graded by hand.</p>" for name, points in pending.items()]
    if report.errors:
        parts.append("<h2>Cells that stopped with an error</h2>")
        parts += [_message(f"cell {cell}: {text}") for cell, text in list(report.errors.items())[:MOST]]
    note = f"({escape(_cut(report.note))})" if report.note else ""
    status = STATUSES[report.status]
    return PAGE.format(name=escape(name), status=status, note=note, body="\n".join(parts), digest=digest or "unknown")


def _question(name: str, grade: Grade) -> str:
    """Return the part on one question: visible tests with their messages, hidden ones as a number."""
    lines = [f"<h2>{name}: {grade.points:g} of {grade.possible:g} points</h2>"]
    if grade.trouble:
        why = "ran out of time" if grade.trouble == "timeout" else "ended the process that ran it"
        lines.append(f"<p>Your answer, or its cell, {why}.</p>")
    for case in grade.cases:
        if not case.hidden and not case.passed:
            lines += [_message(case.message), f"<p>{case.see}</p>" if case.see else ""]
    hidden = [case.passed for case in grade.cases if case.hidden]
    visible = [case.passed for case in grade.cases if not case.hidden]
    lines.append(
        f"<p>Tests passed: {sum(visible)} of {len(visible)} visible, {sum(hidden)} of {len(hidden)} hidden.</p>"
    )
    return "\n".join(lines)


def _message(text: str) -> str:
    """Return a message as it was raised, bounded."""
    return f"<pre>{escape(_cut(text))}</pre>"


def _cut(text: str) -> str:
    """Return a text, or its beginning if it is long."""
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"
