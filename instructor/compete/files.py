"""The files of a competition: read what the teacher and the teams put there, and put the standings in their place."""

from __future__ import annotations

import re
import tempfile
import tomllib
import unicodedata
from collections.abc import Callable
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
VALUE = re.compile(rb"[01](\.0*(e\+00)?)?")  # a label as tables and NumPy write it
NUMBER = re.compile(r"(?<=[^0-9])[0-9]+[a-z]?$")  # what of `Session 2` may be the name of a session
EXAMPLES = 3  # of the faults of a file
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
    paths, faults = _admitted(folder, Path.is_dir, "expected a folder for each team and nothing else")
    teams, problems = [], [f"teams/{fault}" for fault in faults]
    sessions = {file.stem for path in paths for file in path.glob("[0-9]*.txt")}
    for path in paths:
        try:
            teams.append(_read_team(path, competition, sessions))
        except ValueError as error:
            problems.append(f"teams/{path.name}: {error}")
    if not teams:
        raise ValueError("; ".join([f"{folder}: expected a folder for each team, got none", *problems]))
    return teams, problems


def _admitted(folder: Path, fits: Callable[[Path], bool], expected: str) -> tuple[list[Path], list[str]]:
    """Return what is in a folder under a name of its own and fits, and what is wrong with the rest."""
    named: dict[str, list[Path]] = {}
    problems = []
    for path in _entries(folder):
        try:
            _check_name(path)
            if not fits(path):
                raise ValueError(expected)
            named.setdefault(_bare(path.name), []).append(path)
        except ValueError as error:
            problems.append(f"{_printable(path)}: {error}")
    problems += [_one_name(paths) for paths in named.values() if len(paths) > 1]
    return [paths[0] for paths in named.values() if len(paths) == 1], problems


def _bare(name: str) -> str:
    """Return a name without what people and systems write now one way, now another."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(letter for letter in folded if unicodedata.category(letter) not in {"Pc", "Pd", "Zs"})


def _one_name(paths: list[Path]) -> str:
    """Say that names are too much alike."""
    names = [path.name for path in paths]
    if len({unicodedata.normalize("NFKC", name) for name in names}) < len(names):
        names = [ascii(name) for name in names]  # they may look the same
    return (
        f"{' and '.join(names)}: the same name but for case, spaces, hyphens, underscores or Unicode form; "
        "none of them counts; rename them or put them together"
    )


def _check_name(path: Path) -> None:
    """Refuse links, and names that make trouble on a page or in a spreadsheet, which takes some for formulas."""
    if not path.name.isprintable() or path.name[0] in "=+-@":
        raise ValueError("expected a name of printable characters that does not begin with =, +, - or @")
    if path.is_symlink():
        raise ValueError("expected the file or folder itself, got a link")


def _printable(path: Path) -> str:
    """Return a name in a form that can be printed."""
    return path.name if path.name.isprintable() else ascii(path.name)


def _read_team(folder: Path, competition: Competition, sessions: set[str]) -> Team:
    """Read the submissions of a team, session by session, given the sessions of all teams that are numbers."""
    expected = "expected only files whose names end in .txt"
    paths, faults = _admitted(folder, lambda path: path.suffix == ".txt", expected)
    team = Team(folder.name, problems=[f"team {folder.name}, {fault}" for fault in faults])
    for path in paths:
        try:
            meant = NUMBER.search(path.stem)
            if meant and meant[0] in sessions:
                raise ValueError(
                    f"expected {meant[0]}.txt, as that session is called; under this name it is another one"
                )
            lines = _lines(_content(path))
            if not lines:
                raise ValueError("expected a submission on each line, got an empty file")
            problems = _submit(team, path.name, lines, competition)
        except ValueError as error:
            problems = [f": {error}"]
        team.problems.extend(f"team {team.name}, {path.name}{problem}" for problem in problems)
    return team


def _submit(team: Team, file: str, lines: list[tuple[int, bytes]], competition: Competition) -> list[str]:
    """Add the lines of a file to the submissions of a team; say which are faulty, and which are over the limit."""
    labels, public, limit = competition.labels, competition.public, competition.limit
    faults: list[tuple[int, str]] = []
    over: list[int] = []
    for number, line in lines:
        try:
            entries = _symbols(line, "01", labels.size)
        except ValueError as error:
            faults.append((number, str(error)))
            continue
        if 0 < limit <= len(team.submissions):
            over.append(number)
            continue
        final_wrong = count_wrong(entries[~public], labels[~public])
        team.submissions.append(Submission(team.name, file, number, entries[public], final_wrong))
    problems = [_merged(faults)] if faults else []
    if len(faults) == len(lines) and _lies_down([line for _, line in lines], labels.size):
        problems[0] += "; a line seems to be an item: transpose the file, so that each line is a submission"
    return problems + ([f", {_run(over)}: over the limit of {limit} submissions a team"] if over else [])


def _lies_down(lines: list[bytes], n: int) -> bool:
    """Return whether lines look like items: one value on each, or as many lines as items, maybe below a heading."""
    counts = [sum(1 for _ in VALUE.finditer(line)) for line in lines]
    return len(lines) > 1 and (max(counts) == 1 or (len(lines) in {n, n + 1} and max(counts) < n))


def _merged(faults: list[tuple[int, str]]) -> str:
    """Write one message for the faulty lines of a file; lines that follow each other and have the same are a run."""
    grouped = groupby(faults, key=itemgetter(1))
    runs = [f"{_run([number for number, _ in run])}: {fault}" for fault, run in grouped]
    if len(runs) == 1:
        return f", {runs[0]}"
    return f": {len(faults)} lines refused, the first: {'; '.join(runs[:EXAMPLES])}"


def _run(numbers: list[int]) -> str:
    """Write the numbers of lines, the first and the last."""
    return f"lines {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"line {numbers[0]}"


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
