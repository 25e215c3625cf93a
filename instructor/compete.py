"""Standings of a class competition under the mechanisms of the book, computed anew from the files at each call.

A competition is a folder:

labels.txt
    Two lines of N characters, one for each item: its label, 0 or 1, and its part, p for the public board or
    f for the final ranking. Only the teacher has this file.
teams/TEAM/SESSION.txt
    What a team hands in for a session: each line is a submission, N characters 0 or 1. Teams need not know
    which items are public.
competition.toml
    Optional settings: `eta`, the step of the Ladders, "1/100" by default; `limit`, the number of submissions
    that count for a team, 0 for no limit; `mechanisms`, a list of the boards, all by default.

The order of play: sessions in the order of their names, where 2 comes before 10; in a session first the first
line of every team, in the order of the teams' names, then the second lines, and so on. So a later session
never changes what a board said before. Only the rank board lets teams touch each other.
"""

from __future__ import annotations

import csv
import io
import math
import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu import (
    FullDisclosure,
    Ladder,
    Leaderboard,
    ParameterFreeLadder,
    RankBoard,
    SimplifiedLadder,
    count_wrong,
    leaderboard_error,
)

Vector = NDArray[np.uint8]
Row = dict[str, Any]  # a team on a board: the columns of standings.csv that it has

MECHANISMS: dict[str, tuple[str, Any]] = {
    "full_disclosure": ("Full disclosure", FullDisclosure),
    "ladder": ("Ladder", Ladder),
    "simplified_ladder": ("Simplified Ladder", SimplifiedLadder),
    "parameter_free_ladder": ("Parameter-free Ladder", ParameterFreeLadder),
    "rank_board": ("Rank board", None),
}
DEFAULTS = {"eta": "1/100", "limit": 0, "mechanisms": list(MECHANISMS)}
FINEST = 10**6  # steps of eta; up to here a float tells them apart with much to spare
LARGEST = 2**26  # bytes of a file, 64 MB
LITTER = {"Thumbs.db", "desktop.ini", "__MACOSX"}  # what systems leave in folders, beside names that begin with a dot
OURS = {"board.html", "problems.txt", "standings.csv", "standings.html", "told"}

COLUMNS = ["mechanism", "place", "team", "submissions", "count", "of", "loss", "file", "line"]
COLUMNS += ["final_place", "final_count", "final_of", "final_loss", "gap", "error"]
BOARD = {
    "Place": "{place}",
    "Team": "{team}",
    "Loss shown": "{count}/{of} =\N{NO-BREAK SPACE}{loss}",
    "Submissions": "{submissions}",
}
STANDINGS = {
    "Place": "{place}",
    "Team": "{team}",
    "Final place": "{final_place}{mark}",
    "Loss shown": BOARD["Loss shown"],
    "Final loss": "{final_count}/{final_of} =\N{NO-BREAK SPACE}{final_loss}",
    "Gap": "{gap}",
    "Error": "{error}",
    "Submissions": "{submissions}",
}
LOSSES = {"Loss shown", "Gap", "Error"}  # what a board that shows only places lacks


@dataclass(frozen=True)
class Competition:
    """The labels, which items are public, and the settings."""

    labels: Vector
    public: NDArray[np.bool_]
    eta: str
    limit: int
    mechanisms: list[str]


@dataclass(frozen=True)
class Submission:
    """A line of a team's file: its public entries, and how many of its final entries are wrong."""

    team: str
    file: str
    line: int
    public: Vector
    final_wrong: int


@dataclass(frozen=True)
class Team:
    """What a team handed in, and what was refused of it."""

    name: str
    submissions: list[Submission] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Board:
    """What a board answered to each submission, and where that led.

    The answers are losses in steps of 1/`of`. A board that shows no losses answers with places, and `of` is 0. `worst`
    is the largest leaderboard error of a team, and `first` that of the first place.
    """

    name: str
    of: int
    answers: list[int]
    rows: list[Row]
    worst: float
    first: float


def compete(folder: Path, out: Path | None = None) -> list[str]:
    """Play a competition from its files and write the standings.

    Written are `standings.html` and `standings.csv`, which compare the boards with the final labels;
    `board.html`, which shows the boards alone; `problems.txt`; and for each team `told/TEAM/MECHANISM.csv`,
    what that board answered to each of its submissions, with `told/TEAM/problems.txt` if there were any.
    Only `board.html` and what is in `told` say nothing of the final labels. The same files give the same bytes.

    Parameters
    ----------
    folder : Path
        The competition, laid out as the module says.
    out : Path or None
        The folder to write, `standings` in `folder` by default. An earlier one is replaced, as a whole or not
        at all.

    Returns
    -------
    list of str
        A message for each file or run of lines that was refused, as in `problems.txt`; empty if there
        were none. What is refused does not stop anything else.

    Raises
    ------
    ValueError
        If the labels, the settings or the folder of the teams cannot be used, or `out` holds files of other
        origin or is not in a folder that exists. Then nothing was written.

    Notes
    -----
    A board credits a team with the submission at which its current release was set, a rank board with the
    best, the first of equals. In `standings.csv`, `count` of `of` is the loss shown: wrong labels of the public
    ones, or steps of eta. `final_count` of `final_of` is the final loss of the submission credited, which is
    line `line` of `file`; `gap` is the final loss minus the loss shown, and `error` is the leaderboard error
    with the final losses in place of the true risks. A rank board shows no loss.
    """
    out = (folder / "standings" if out is None else out).resolve()
    competition = _read_competition(folder)
    _check_output(out, folder / "teams")
    teams, problems = _read_teams(folder / "teams", competition)
    problems += [problem for team in teams for problem in team.problems]
    played = sorted((submission for team in teams for submission in team.submissions), key=_turn)
    boards = [_play(name, competition, teams, played) for name in competition.mechanisms]
    files = {
        "board.html": _page("The board", boards, BOARD),
        "standings.html": _page("Standings", boards, STANDINGS, LEGEND),
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
    _replace(out, files)
    return problems


def _turn(submission: Submission) -> tuple[object, ...]:
    """Return the key of the order of play: session, line, team."""
    return _natural(submission.file), submission.line, _natural(submission.team)


def _check_output(out: Path, teams: Path) -> None:
    """Refuse an output folder that would take something else with it."""
    if not out.parent.is_dir() or out.is_relative_to(teams.resolve()):
        raise ValueError(f"{out}: expected the output in a folder that exists and is not that of the teams")
    others = [path.name for path in _entries(out) if path.name not in OURS] if out.exists() else []
    if others:
        raise ValueError(f"{out}: would be replaced, but holds other files: {', '.join(others)}; move them")


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder, in natural order, without what systems leave behind."""
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".") and path.name not in LITTER]
    except OSError as error:
        raise ValueError(f"{folder}: {error.strerror}") from None
    return sorted(paths, key=lambda path: _natural(path.name))


def _natural(name: str) -> tuple[list[int | str], str]:
    """Return a key that sorts names as people do, 2 before 10 and 1 before 1b; the name itself decides ties."""
    parts = re.split("([0-9]+)", name.removesuffix(".txt"))
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], name


def _read_competition(folder: Path) -> Competition:
    """Read the labels and the settings."""
    try:
        lines = [line for _, line in _lines(_content(folder / "labels.txt"))]
        if len(lines) != 2:
            raise ValueError(f"expected two lines, the labels and their parts, got {len(lines)}")
        labels, public = _symbols(lines[0], "01", len(lines[0])), _symbols(lines[1], "fp", len(lines[0])).astype(bool)
        if public.all() or not public.any():
            raise ValueError("expected items of both parts, p and f, got one part only")
    except ValueError as error:
        raise ValueError(f"{folder / 'labels.txt'}: {error}") from None
    try:
        return Competition(labels, public, *_settings(folder / "competition.toml"))
    except ValueError as error:
        raise ValueError(f"{folder / 'competition.toml'}: {error}") from None


def _settings(path: Path) -> tuple[str, int, list[str]]:
    """Return eta, the limit and the mechanisms."""
    given: dict[str, Any] = tomllib.loads(_content(path).decode("utf-8-sig")) if path.exists() else {}
    unknown = sorted(given.keys() - DEFAULTS.keys())
    if unknown:
        raise ValueError(f"unknown setting {', '.join(unknown)}; expected {', '.join(DEFAULTS)}")
    eta, limit, mechanisms = (given.get(key, default) for key, default in DEFAULTS.items())
    Ladder([0], eta=eta)  # the library says what is wrong with it
    if not isinstance(eta, str) or Fraction(eta).denominator > FINEST:
        raise ValueError(f"eta must be a string such as '1/100' and at least 1/{FINEST}, got {eta!r}")
    if type(limit) is not int or limit < 0:
        raise ValueError(f"limit must be a whole number of at least 0, got {limit!r}")
    known = isinstance(mechanisms, list) and all(name in list(MECHANISMS) for name in mechanisms)
    if not known or not mechanisms or len(set(mechanisms)) < len(mechanisms):
        raise ValueError(f"mechanisms must be a list of some of {', '.join(MECHANISMS)}, each once, got {mechanisms!r}")
    return eta, limit, mechanisms


def _content(path: Path) -> bytes:
    """Return the bytes of a plain text file."""
    if not path.is_file():
        raise ValueError("expected a plain text file")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    if len(content) > LARGEST:
        raise ValueError(f"expected at most {LARGEST} bytes; split it")
    if b"\0" in content:
        raise ValueError("expected a plain text file, got binary data")
    return content


def _lines(content: bytes) -> list[tuple[int, bytes]]:
    """Return the lines that are not blank, with their numbers; a byte-order mark is left out."""
    lines = content.removeprefix(b"\xef\xbb\xbf").splitlines()
    return [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]


def _symbols(line: bytes, two: str, n: int) -> Vector:
    """Return a line of n characters, each one of two, as zeros and ones."""
    codes = np.frombuffer(line, dtype=np.uint8)
    strange = np.flatnonzero((codes != ord(two[0])) & (codes != ord(two[1])))
    if codes.size != n or strange.size:
        first = f", {chr(line[strange[0]])!a} at position {strange[0] + 1}" if strange.size else ""
        raise ValueError(f"expected {n} characters {two[0]} or {two[1]}, got {codes.size}{first}")
    return np.equal(codes, ord(two[1])).astype(np.uint8)


def _read_teams(folder: Path, competition: Competition) -> tuple[list[Team], list[str]]:
    """Read what the teams handed in; also say what in their folder is not a team."""
    teams, problems = [], []
    for path in _entries(folder):
        try:
            _check_name(path)
            if not path.is_dir():
                raise ValueError("expected a folder for each team and nothing else")
            teams.append(_read_team(path, competition))
        except ValueError as error:
            problems.append(f"teams/{_printable(path)}: {error}")
    if not teams:
        raise ValueError("; ".join([f"{folder}: expected a folder for each team, got none", *problems]))
    return teams, problems


def _check_name(path: Path) -> None:
    """Refuse links, and names that make trouble on a page or in a spreadsheet, which takes some for formulas."""
    if not path.name.isprintable() or path.name[0] in "=+-@":
        raise ValueError("expected a name of printable characters that does not begin with =, +, - or @")
    if path.is_symlink():
        raise ValueError("expected the file or folder itself, got a link")


def _printable(path: Path) -> str:
    """Return a name in a form that can be printed."""
    return path.name if path.name.isprintable() else ascii(path.name)


def _read_team(folder: Path, competition: Competition) -> Team:
    """Read the submissions of a team, session by session."""
    team = Team(folder.name)
    for path in _entries(folder):
        try:
            _check_name(path)
            if path.suffix != ".txt":
                raise ValueError("expected only files whose names end in .txt")
            lines = _lines(_content(path))
            if not lines:
                raise ValueError("expected a submission on each line, got an empty file")
        except ValueError as error:
            team.problems.append(f"team {team.name}, {_printable(path)}: {error}")
            continue
        faults = [(number, _submit(team, path.name, number, line, competition)) for number, line in lines]
        team.problems.extend(f"team {team.name}, {path.name}, {message}" for message in _merged(faults))
    return team


def _submit(team: Team, file: str, number: int, line: bytes, competition: Competition) -> str:
    """Add a line to the submissions of a team, or say why not."""
    labels, public = competition.labels, competition.public
    try:
        entries = _symbols(line, "01", labels.size)
    except ValueError as error:
        return str(error)
    if 0 < competition.limit <= len(team.submissions):
        return f"over the limit of {competition.limit} submissions a team"
    final_wrong = count_wrong(entries[~public], labels[~public])
    team.submissions.append(Submission(team.name, file, number, entries[public], final_wrong))
    return ""


def _merged(faults: list[tuple[int, str]]) -> Iterator[str]:
    """Write one message for lines that follow each other and have the same fault; most have none."""
    for fault, run in groupby(faults, key=itemgetter(1)):
        numbers = [number for number, _ in run]
        if fault:
            yield f"line{'s' * (len(numbers) > 1)} {' to '.join(map(str, sorted({numbers[0], numbers[-1]})))}: {fault}"


def _play(name: str, competition: Competition, teams: list[Team], played: list[Submission]) -> Board:
    """Submit everything to one board, in order, and see what it credits the teams with."""
    labels = competition.labels[competition.public]
    of, answers, places = _answers(name, labels, competition.eta, played)
    # A board that shows only places goes by losses all the same.
    best = answers if of else [count_wrong(submission.public, labels) for submission in played]
    final_of = competition.labels.size - labels.size
    pairs = [(count / of, hit.final_wrong / final_of) for count, hit in zip(best, played, strict=True) if of]
    rows, errors = [], [0.0]
    for team in teams:
        turns = [t for t, submission in enumerate(played) if submission.team == team.name]
        row: Row = {"mechanism": name, "team": team.name, "submissions": len(turns)}
        rows.append(row)
        if not turns:
            continue
        credited = min(turns, key=best.__getitem__)  # the first of the lowest: what is shown only ever falls
        hit, count = played[credited], best[credited]
        row |= {"place": places[team.name], "file": hit.file, "line": hit.line, "final_count": hit.final_wrong}
        row |= {"final_of": final_of, "final_loss": _decimal(Fraction(hit.final_wrong, final_of))}
        if of:
            errors.append(_error([pairs[t] for t in turns]))
            gap = Fraction(hit.final_wrong, final_of) - Fraction(count, of)
            row |= {"count": count, "of": of, "loss": _decimal(Fraction(count, of)), "gap": _decimal(gap)}
            row["error"] = _decimal(errors[-1])
    _rank(rows)
    return Board(name, of, answers, rows, max(errors), _error(pairs))


def _answers(name: str, labels: Vector, eta: str, played: list[Submission]) -> tuple[int, list[int], dict[Any, int]]:
    """Return the steps of a board, what it answers to each submission in those, and the places of the teams."""
    mechanism = MECHANISMS[name][1]
    if mechanism is None:
        ranks = RankBoard(labels)
        answers = [ranks.submit(submission.team, submission.public) for submission in played]
        return 0, answers, {team: place for place, team in enumerate(ranks.standings(), 1)}
    stepped = issubclass(mechanism, Ladder)
    of = Fraction(eta).denominator if stepped else labels.size
    board = Leaderboard(labels, mechanism=partial(mechanism, eta=eta) if stepped else mechanism)
    answers = [round(board.submit(submission.team, submission.public) * of) for submission in played]
    return of, answers, {row.account: row.rank for row in board.standings()}


def _error(pairs: list[tuple[float, float]]) -> float:
    """Return the leaderboard error of losses released and final losses; what is shown is the lowest so far."""
    if not pairs:
        return 0.0
    released, final = np.array(pairs).T
    return leaderboard_error(np.minimum.accumulate(released), final)


def _rank(rows: list[Row]) -> None:
    """Add the final places and put the rows in the order of the board, those without a submission last."""
    final = [row["final_count"] for row in rows if "place" in row]
    for row in rows:
        if "place" in row:
            row["final_place"] = 1 + sum(other < row["final_count"] for other in final)
            row["mark"] = " ▼" if row["final_place"] > row["place"] else ""
    rows.sort(key=lambda row: row.get("place", math.inf))


def _told(board: Board, played: list[Submission], team: str) -> list[list[object]]:
    """Return the rows of what a board answered to a team."""
    rows: list[list[object]] = [["count", "of", "loss", "file", "line"] if board.of else ["place", "file", "line"]]
    for answer, submission in zip(board.answers, played, strict=True):
        if submission.team == team:
            loss = [board.of, _decimal(Fraction(answer, board.of))] if board.of else []
            rows.append([answer, *loss, submission.file, submission.line])
    return rows


def _decimal(number: float | Fraction) -> str:
    """Return a number with four decimals; zero without a sign."""
    return f"{float(number):z.4f}"


def _csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as the text of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>TITLE</title>
<style>
:root { color-scheme: light dark; --text: #1a1a1a; --ground: #ffffff; --line: #c8c8c8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ececec; --ground: #15181c; --line: #4a5058; }
}
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
body { color: var(--text); background: var(--ground); }
div { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: right; white-space: nowrap; }
th { vertical-align: bottom; }
:is(th, td):nth-child(2) { min-width: 5rem; max-width: 16rem; text-align: left; }
td:nth-child(2) { white-space: normal; overflow-wrap: anywhere; }
@media (max-width: 480px) {
  th, td { padding: .3rem; font-size: .8rem; white-space: normal; }
}
</style>
</head>
<body>
<h1>TITLE</h1>
"""
LEGEND = """<p>A board credits a team with the submission that set what it shows for the team. <b>Final loss</b> is the
loss of that submission on the final items, which no board has used, and <b>final place</b> is the place by it; ▼ marks
a team that is worse off. <b>Gap</b> is the final loss minus the loss shown. <b>Error</b> is the leaderboard error: the
largest difference, over time, between the lowest loss shown and the lowest final loss so far, which stands for the
true one. The lowest of many is by chance a little too low, so where a board flatters the error comes out rather too
small.</p>
"""


def _page(title: str, boards: list[Board], columns: dict[str, str], end: str = "") -> str:
    """Return a page with a table for each board."""
    tables = "\n".join(_table(board, columns) for board in boards)
    return f"{HEAD.replace('TITLE', title)}{tables}\n{end}</body>\n</html>\n"


def _table(board: Board, columns: dict[str, str]) -> str:
    """Return the table of a board."""
    title = MECHANISMS[board.name][0]
    cells = {name: cell for name, cell in columns.items() if board.of or name not in LOSSES}
    lines = [f"<h2>{title}</h2>", f'<div role="region" aria-label="{title}" tabindex="0"><table>', "<tr>"]
    lines += [f'<th scope="col">{name}</th>' for name in cells] + ["</tr>"]
    for row in board.rows:
        lines += ["<tr>", *(f"<td>{_cell(cell, row)}</td>" for cell in cells.values()), "</tr>"]
    lines.append("</table></div>")
    if columns is STANDINGS and board.of:
        errors = f"{_decimal(board.worst)} at most for a team, {_decimal(board.first)} for the first place"
        lines.append(f"<p>Error of the board: {errors}.</p>")
    return "\n".join(lines)


def _cell(cell: str, row: Row) -> str:
    """Return what a table says of a team, nothing if it has made no submission."""
    try:
        return escape(cell.format(**row))
    except KeyError:
        return ""


def _replace(out: Path, files: dict[str, str]) -> None:
    """Write files into a new folder and put it in the place of the old one."""
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as holder:
        new, old = Path(holder, "new"), Path(holder, "old")
        for name, text in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        if out.exists():
            out.rename(old)
        try:
            new.rename(out)
        except BaseException:
            if old.exists():
                old.rename(out)
            raise
