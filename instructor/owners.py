"""Whose file is it? Found by ids and names, and never guessed."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from instructor.examiner import joined, read_cells
from instructor.limits import Limits
from instructor.roster import Roster, Student

# How Canvas and Moodle name what they hand out: name, id of the student, and what the file was called.
CANVAS = re.compile(r".*?(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<rest>.+)")
MOODLE = re.compile(r".*_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)")
# `student: 12345` or `id: 12345`, as text or as a comment; in a comment an equals sign does as well.
LINE = re.compile(r"[\s>*_-]*(?:(?:student|id)[\s*_]*:|#[\s#*_]*(?:student|id)[\s*_]*[:=])(.{1,200})", re.IGNORECASE)

Owners = dict[str, Student]


def owners(
    files: dict[str, Path], roster: Roster, limits: Limits
) -> tuple[Owners, dict[str, str], dict[Student, list[str]]]:
    """Return whose each file is, why it is not known of the others, and whose these could be."""
    ids = Index((words(value), student) for student in roster.students for value in student.ids.values())
    names = Index((spelt, student) for student in roster.students for spelt in _spellings(student.name))
    known, lost = {}, {}
    perhaps: dict[Student, list[str]] = defaultdict(list)
    for name, path in files.items():
        claims = _claims(name, path, roster, ids, names, limits)
        common = set.intersection(*claims.values()) if claims else set()
        if len(common) == 1:
            (known[name],) = common
        else:
            lost[name] = "; ".join(f"{what} says {_listed(who, roster)}" for what, who in claims.items()) or (
                "no id or name of the class list is in it"
            )
            for student in set[Student]().union(*claims.values()):
                perhaps[student].append(name)
    return known, lost, perhaps


def _claims(name: str, path: Path, roster: Roster, ids: Index, names: Index, limits: Limits) -> dict[str, set[Student]]:
    """Return what says whose a file is. The class list knows best; all others must agree."""
    *folders, file = PurePosixPath(name).parts
    parts = [*folders, PurePosixPath(file).stem]
    if listed := {student for student in roster.students if student.lists(name)}:
        return {"the class list": listed}
    found = {
        "a line in it": set().union(*(ids.found(text) | names.found(text) for text in _lines(path, limits))),
        "the folder": set().union(*(_by_id(part, roster, ids) for part in folders)),
        "the file name": _by_id(parts[-1], roster, ids),
        "the name": set().union(*(names.found(part) for part in parts)),
    }
    return {what: who for what, who in found.items() if who}


def _by_id(part: str, roster: Roster, ids: Index) -> set[Student]:
    """Return whose id is in a part of a path; where a platform put it, a short one counts, too."""
    for pattern in (MOODLE, CANVAS) if roster.from_canvas else (MOODLE,):
        match = pattern.fullmatch(part)
        if match and ids.found(match["id"]):
            return ids.found(match["id"]) | ids.found(match["rest"])
    return ids.found(part)


def _lines(path: Path, limits: Limits) -> list[str]:
    """Return what a notebook says of whose it is."""
    try:
        texts = [joined(cell.get("source")) or "" for cell in read_cells(path, limits)]
    except ValueError:
        return []
    matches = [LINE.match(line) for text in texts for line in text.splitlines()]
    return [match[1] for match in matches if match]


def named_by_canvas(name: str) -> bool:
    """Say whether Canvas gave a file its name."""
    return bool(CANVAS.fullmatch(PurePosixPath(name).name))


def marked_late(name: str) -> bool:
    """Say whether Canvas marked a file as late."""
    match = CANVAS.fullmatch(PurePosixPath(name).name)
    return bool(match and match["late"])


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, without case and accents."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return tuple(re.findall(r"[^\W_]+", plain.casefold()))


def _spellings(name: str) -> set[tuple[str, ...]]:
    """Return a name with the last name first or last, and in one word, as Canvas has it."""
    parts = words(name)
    turned = {parts[cut:] + parts[:cut] for cut in range(len(parts))}
    return turned | {("".join(parts),) for parts in turned}


class Index:
    """Students by what they are called, which is found in a text as whole words.

    A number of fewer than five digits, or a word of fewer than four letters, could be there by accident: it counts
    only if it is the whole text.
    """

    def __init__(self, entries: Iterable[tuple[tuple[str, ...], Student]]) -> None:
        self._students: dict[tuple[str, ...], set[Student]] = defaultdict(set)
        for key, student in entries:
            if key:
                self._students[key].add(student)
        self._longest = max(map(len, self._students), default=0)

    def found(self, text: str) -> set[Student]:
        """Return whom a text calls; of what begins at the same word, the longest counts."""
        said, place = words(text), 0
        found: set[Student] = set()
        while place < len(said):
            sizes = range(min(self._longest, len(said) - place), 0, -1)
            keys = (said[place : place + size] for size in sizes)
            key = next((key for key in keys if key in self._students and (key == said or not _short(key))), None)
            found |= self._students[key] if key else set()
            place += len(key) if key else 1
        return found


def _short(key: tuple[str, ...]) -> bool:
    return len(key) == 1 and len(key[0]) < (5 if key[0].isdecimal() else 4)


def _listed(students: set[Student], roster: Roster) -> str:
    return " and ".join(student.id for student in roster.students if student in students)
