"""The files of a competition: read what the teacher and the teams put there, and put the standings in their place."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from instructor.compete.play import MECHANISMS, Competition, Submission, Team, Vector, natural
from leaderboard_edu import Ladder, count_wrong

DEFAULTS = {"eta": "1/100", "limit": 0, "mechanisms": list(MECHANISMS)}
FINEST = 10**6  # steps of eta; up to here a float tells them apart with much to spare
LARGEST = 2**26  # bytes of a file, 64 MB
LITTER = {"Thumbs.db", "desktop.ini", "__MACOSX"}  # what systems leave in folders, beside names that begin with a dot
OURS = {"board.html", "problems.txt", "standings.csv", "standings.html", "told"}


def read_competition(folder: Path) -> Competition:
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


def read_teams(folder: Path, competition: Competition) -> tuple[list[Team], list[str]]:
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


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder, in natural order, without what systems leave behind."""
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".") and path.name not in LITTER]
    except OSError as error:
        raise ValueError(f"{folder}: {error.strerror}") from None
    return sorted(paths, key=lambda path: natural(path.name))


def check_output(out: Path, teams: Path) -> None:
    """Refuse an output folder that would take something else with it."""
    if not out.parent.is_dir() or out.is_relative_to(teams.resolve()):
        raise ValueError(f"{out}: expected the output in a folder that exists and is not that of the teams")
    others = [path.name for path in _entries(out) if path.name not in OURS] if out.exists() else []
    if others:
        raise ValueError(f"{out}: would be replaced, but holds other files: {', '.join(others)}; move them")


def replace(out: Path, files: dict[str, str]) -> None:
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
