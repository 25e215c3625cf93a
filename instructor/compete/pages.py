"""What is written of a competition: pages and tables for the teacher, and what each team was told."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from fractions import Fraction

from instructor.compete.play import Board, Submission, Team, decimal
from instructor.compete.plot import plots
from instructor.templates import render

COLUMNS = ["mechanism", "place", "team", "submissions", "count", "of", "loss", "file", "line"]
COLUMNS += ["final_place", "final_count", "final_of", "final_loss", "gap", "error"]


def written(boards: list[Board], teams: list[Team], played: list[Submission], refused: list[str]) -> dict[str, str]:
    """Return the files to write, their text by their name, given what was refused of the folder of the teams."""
    problems = refused + [problem for team in teams for problem in team.problems]
    sessions = [name.removesuffix(".txt") for name in dict.fromkeys(submission.file for submission in played)]
    about = {"boards": boards, "refused": refused, "sessions": sessions}
    files = {
        "board.html": render("standings.html", title="The board", plots={}, final=False, **about),
        "standings.html": render("standings.html", title="Standings", plots=plots(boards), final=True, **about),
        "standings.csv": _csv(
            [COLUMNS, *([row.get(name) for name in COLUMNS] for board in boards for row in board.rows)]
        ),
        "problems.txt": "".join(f"{problem}\n" for problem in problems) or "No problems.\n",
    }
    for team in teams:
        for board in boards:
            files[f"told/{team.name}/{board.name}.csv"] = _csv(_told(board, played, team.name))
        if team.problems:
            files[f"told/{team.name}/problems.txt"] = "".join(f"{problem}\n" for problem in team.problems)
    return files


def _told(board: Board, played: list[Submission], team: str) -> list[list[object]]:
    """Return the rows of what a board answered to a team."""
    rows: list[list[object]] = [["count", "of", "loss", "file", "line"] if board.of else ["place", "file", "line"]]
    for answer, submission in zip(board.answers, played, strict=True):
        if submission.team == team:
            loss = [board.of, decimal(Fraction(answer, board.of))] if board.of else []
            rows.append([answer, *loss, submission.file, submission.line])
    return rows


def _csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as the text of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
