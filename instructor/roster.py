"""The class list: a plain one, a gradebook exported from Canvas, or a worksheet or grades exported from Moodle."""

from __future__ import annotations

import csv
import io
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

# Those of a plain list, of Canvas and of Moodle, in small letters; the first that is filled in is shown.
IDS = ("id number", "id", "sis user id", "identifier", "username", "login", "sis login id", "email", "email address")
FIRST, LAST = ("first name", "firstname"), ("last name", "surname", "lastname")
SUBMITTED = "last modified (submission)"  # of Moodle's worksheet
MOODLE_TIMES = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")
NOBODY = ("points possible", "student, test", "")  # rows of Canvas that are no students


@dataclass(frozen=True, eq=False)
class Student:
    """A row of the class list, with its cells as they are; `ids` are by column."""

    name: str
    ids: dict[str, str]
    file: str
    submitted: datetime | None
    due: datetime | None
    cells: dict[str, str]

    @property
    def id(self) -> str:
        """The id that is shown."""
        return next(iter(self.ids.values()))

    def lists(self, file: str) -> bool:
        """Say whether the column *file* names a file, with its folders or without."""
        return bool(self.file) and self.file in (file, PurePosixPath(file).name)

    def first_id(self, *columns: str) -> str:
        """Return what is in the first of some columns of ids that is filled in."""
        return next((self.ids[column] for column in columns if column in self.ids), "")


@dataclass(frozen=True)
class Roster:
    """The students of a class, the titles of the list's columns, and when work is due."""

    students: list[Student]
    columns: list[str]
    due: datetime | None

    @property
    def from_canvas(self) -> bool:
        """Whether it is a gradebook that Canvas exported."""
        return {"id", "section"} <= self._titles and not self._titles.isdisjoint({"student", "lastname"})

    @property
    def is_worksheet(self) -> bool:
        """Whether it is a grading worksheet of Moodle."""
        return {"identifier", "grade"} <= self._titles

    @property
    def _titles(self) -> set[str]:
        return {column.strip().lower() for column in self.columns}


def read_roster(path: Path, due: str | None) -> Roster:
    """Read a class list; raise ValueError if it, or the time at which work is due, makes no sense."""
    deadline = moment(due, "--due") if due else None
    columns, *rows = _rows(path) or [[]]
    titles = [column.strip().lower() for column in columns]
    if len(set(columns)) < len(columns):
        raise ValueError(f"{path} has two columns with the same title: {columns}")
    if not set(titles) & set(IDS):
        raise ValueError(f"{path} has no column of ids, such as {', '.join(IDS)}: its first row is {columns}")
    students = []
    seen: dict[tuple[str, str], int] = {}
    for number, row in enumerate(rows, start=2):
        cells = dict(zip(columns, row + [""] * len(columns), strict=False))
        by_title = {title: cell.strip() for title, cell in zip(titles, cells.values(), strict=True)}
        if any(by_title.values()) and by_title.get("student", "-").lower() not in NOBODY:
            student = _student(by_title, cells, f"row {number} of {path}")
            students.append(student)
            for column, value in student.ids.items():
                first = seen.setdefault((column, value.casefold()), number)
                if first != number:
                    raise ValueError(f"rows {first} and {number} of {path} have the same {column}, {value}")
    if not students:
        raise ValueError(f"{path} names no students")
    return Roster(students, columns, deadline)


def _rows(path: Path) -> list[list[str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read as CSV in UTF-8: {error}") from error
    header = text.partition("\n")[0]
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=max(",;", key=header.count), strict=True))
    except csv.Error as error:
        raise ValueError(f"{path} is not CSV: {error}") from None


def _student(by_title: dict[str, str], cells: dict[str, str], where: str) -> Student:
    ids = {column: by_title[column] for column in IDS if by_title.get(column)}
    if not ids:
        raise ValueError(f"{where} has no id")
    if "identifier" in ids:
        ids["identifier"] = ids["identifier"].split()[-1]  # "Participant 123456"
    whole = next((by_title[title] for title in ("name", "full name", "student") if title in by_title), "")
    first, last = (next((by_title[title] for title in titles if title in by_title), "") for titles in (FIRST, LAST))
    times = {column: by_title.get(column, "") for column in ("submitted", "due")}
    submitted, due = (moment(time, f"{column} in {where}") if time else None for column, time in times.items())
    submitted = submitted or _moodle_time(by_title.get(SUBMITTED, ""))
    return Student(whole or f"{first} {last}".strip(), ids, by_title.get("file", ""), submitted, due, cells)


def _moodle_time(text: str) -> datetime | None:
    """Return a time as Moodle writes it in English, such as "Friday, 20 November 2026, 11:14 PM", if it is one."""
    for form in MOODLE_TIMES:
        with suppress(ValueError):
            return datetime.strptime(" ".join(text.split()), form).astimezone()
    return None


def moment(text: str, what: str) -> datetime:
    """Return a time; without a zone it is one of this machine's."""
    try:
        if not re.search(r"\d:\d", text):
            raise ValueError
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise ValueError(f"{what} must be a date and a time such as 2026-11-20 23:59, not {text}") from None
