"""The table of a class, a row for each student, and the files that Canvas and Moodle import."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from instructor.owners import Owners, marked_late, named_by_canvas
from instructor.roster import SUBMITTED, Roster, Student, read_roster
from instructor.sources import sources
from instructor.table import Row, titles, write_csv, write_table

NAMED = 10  # so many whose proofs wait for a mark are named
BEFORE = datetime.min.replace(tzinfo=UTC)
OWN = ("file", "sha256", "status")  # columns of a file's row that are not in a student's as they are


def class_rows(
    roster: Roster,
    rows: list[Row],
    owners: Owners,
    times: dict[str, datetime],
    perhaps: dict[Student, list[str]],
) -> list[Row]:
    """Return a row for each student: of several files the last one that was graded counts.

    Who has none is told which files, given to nobody, could be theirs.
    """
    handed_in: dict[Student, list[Row]] = defaultdict(list)
    for row in rows:
        if row["file"] in owners:
            handed_in[owners[row["file"]]].append(row)
    made = []
    for student in roster.students:
        files, could_be = handed_in[student], perhaps.get(student, [])
        row = _counted(student, files, roster, times) if files else _missing(rows[0], could_be)
        made.append({"id": student.id, "name": student.name} | row)
    return made


def _missing(any_row: Row, could_be: list[str]) -> Row:
    note = f"given to nobody, but could be theirs: {', '.join(could_be)}" if could_be else ""
    empty = {column: "" for column in any_row if column not in OWN}
    return {"file": "", "status": "missing", "late": ""} | empty | {"note": note}


def _counted(student: Student, files: list[Row], roster: Roster, times: dict[str, datetime]) -> Row:
    *others, last = sorted(files, key=lambda row: _weight(row, student, _time(row["file"], roster, times)))
    late = _late(student.submitted or _time(last["file"], roster, times), student.due or roster.due, last["file"])
    also = [_with_points(row) for row in others]
    note = "; ".join(filter(None, [last["note"], f"handed in as well: {', '.join(also)}" if also else ""]))
    kept = {column: cell for column, cell in last.items() if column not in OWN}
    return {"file": last["file"], "status": last["status"], "late": late} | kept | {"note": note}


def outscored(roster: Roster, students: list[Row], rows: list[Row], owners: Owners) -> list[str]:
    """Return of which students a file with more points does not count."""
    best: dict[Student, Row] = {}
    for row in rows:
        student = owners.get(row["file"])
        if student and (student not in best or _points(row) > _points(best[student])):
            best[student] = row
    return [
        f"  FEWER POINTS {row['id']} {row['name']}: {_with_points(row)} counts, and not {_with_points(best[student])}"
        for student, row in zip(roster.students, students, strict=True)
        if student in best and _points(row) < _points(best[student])
    ]


def not_there(roster: Roster, files: Iterable[str]) -> list[str]:
    """Return which files the class list names that nobody handed in."""
    known = {name for file in files for name in (file, PurePosixPath(file).name)}
    wrong = [student for student in roster.students if student.file and student.file not in known]
    return [f"  NO SUCH FILE {student.id} {student.name}: the class list names {student.file}" for student in wrong]


def without_time(roster: Roster, students: list[Row]) -> list[str]:
    """Say once if Moodle's worksheet has no times that can be read for those who handed in."""
    pairs = zip(roster.students, students, strict=True)
    who = [student for student, row in pairs if roster.is_worksheet and row["file"] and not student.submitted]
    column = next((title for title in roster.columns if title.strip().lower() == SUBMITTED), "")
    such = f", such as {who[0].cells[column]!r}" if who and column else ""
    return [f"No time is known of {len(who)} of those who handed in: {SUBMITTED!r} gives none{such}."] if who else []


def unmarked(students: list[Row], pending: dict[str, float], states: dict[str, str]) -> list[str]:
    """Return whose proof still waits for a mark, ten and how many more, given what is known of the proofs of a file."""
    waiting = [row for row in students if any(row[title] == "pending" for title in titles(pending))]
    named = [
        f"{row['id']} {row['name']}{f': {state}' if (state := states.get(row['file'])) else ''}" for row in waiting
    ]
    more = [f"and {len(waiting) - NAMED} more"] if len(waiting) > NAMED else []
    return [f"  unmarked   {line}" for line in named[:NAMED] + more]


def _weight(row: Row, student: Student, time: datetime | None) -> tuple[bool, bool, datetime, float, str]:
    """Return what decides which of a student's files counts."""
    return student.lists(row["file"]), bool(row["points"]), time or BEFORE, _points(row), row["file"]


def _points(row: Row) -> float:
    """Return the points of a file; one that could not be graded has fewer than none."""
    return float(row["points"] or -1)


def _with_points(row: Row) -> str:
    return f"{row['file']} ({row['points'] + ' points' if row['points'] else row['status']})"


def _time(name: str, roster: Roster, times: dict[str, datetime]) -> datetime | None:
    """Return the time of a file, if it is not that of a download."""
    return None if roster.is_worksheet or named_by_canvas(name) else times[name]


def _late(time: datetime | None, due: datetime | None, name: str) -> str:
    """Return by how much a file is late, in two units, rounded up to the minute."""
    if due is None or time is None or time <= due:
        return "marked LATE" if marked_late(name) else ""
    minutes = -((due - time) // timedelta(minutes=1))
    hours, days = minutes // 60, minutes // (24 * 60)
    parts = [f"{days} d", f"{hours % 24} h"] if days else [f"{hours} h"] * (hours > 0) + [f"{minutes % 60} min"]
    return " ".join(part for part in parts if not part.startswith("0 "))


def class_list(
    path: Path | None, due: str | None, name: str, submissions: Path, out: Path, *, exact: bool = False
) -> Roster | None:
    """Return the class list, if there is one, and all that will be made of it makes sense."""
    if path is None:
        if due:
            raise ValueError("--due needs a class list: give --roster, too")
        return None
    roster = read_roster(path, due)
    if path.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(f"the class list must not lie among the submissions, as {path} does in {submissions}")
    if path.resolve() in [file.resolve() for file in (out, *class_files(out))]:
        raise ValueError(f"the class list {path} would be replaced: write elsewhere than to {out}")
    canvas_column(name, roster, exact=exact)
    return roster


def class_files(out: Path) -> tuple[Path, Path, Path]:
    """Return where the table of the class, and what Canvas and Moodle import, are written."""
    return out.with_suffix(".class.csv"), out.with_suffix(".canvas.csv"), out.with_suffix(".moodle.csv")


def write_class(
    out: Path,
    roster: Roster,
    name: str,
    students: list[Row],
    points: dict[str, float],
    pending: dict[str, float],
    *,
    exact: bool = False,
) -> list[str]:
    """Write a class's three files for a set with this name, or with exactly this title; return what to say of them.

    Who was not graded to the end, or has a proof that nobody has marked, has an empty cell: nobody gets a zero by this.
    """
    table, canvas, moodle = class_files(out)
    unmarked = [row for row in students if any(row[title] == "pending" for title in titles(pending))]
    grades = ["" if row in unmarked else row["points"] for row in students]
    column = canvas_column(name, roster, exact=exact)
    write_table(table, students)
    write_canvas(canvas, roster, column, grades, sum(points.values()) + sum(pending.values()))
    write_moodle(moodle, roster, name, grades)
    absent = [row for row in students if row["status"] == "missing"]
    late = sum(bool(row["late"]) for row in students)
    due = f", {late} late, due {roster.due.isoformat(' ', 'minutes')}" if roster.due else f", {late} late"
    return [
        f"Class of {len(students)}: {len(students) - len(absent)} handed in{due}, {len(absent)} missing.",
        *(f"  missing    {row['id']} {row['name']}" for row in absent),
        f"Class: {table}. For Canvas, column {column}: {canvas}. For Moodle: {moodle}.",
        f"There {grades.count('')} of {len(students)} students have an empty cell: missing, not graded, or pending.",
    ]


def canvas_column(name: str, roster: Roster, *, exact: bool = False) -> str:
    """Return the title of the assignment's column: that of the gradebook, such as `ladder (12345)`, or the name.

    With `exact` no column will do that only begins with the name.
    """
    longer = [source.stem for source in sources() if source.stem.startswith(f"{name}_")]
    columns = [column.strip() for column in roster.columns] if roster.from_canvas else []
    found = [
        column for column in columns if _begins(column, name) and not any(_begins(column, other) for other in longer)
    ]
    called = name.replace(" ", "_").lower()
    same = [column for column in columns if re.sub(r"\s*\(\d+\)$", "", column).replace(" ", "_").lower() == called]
    found = [name] if name in columns else same or ([] if exact else found)
    if len(found) > 1:
        several = ", ".join(found)
        raise ValueError(
            f"more than one column of the class list begins with {name}: {several}; say which with --title"
        )
    return (found or [name])[0]


def _begins(column: str, name: str) -> bool:
    """Say whether the title of a column begins with the name of a set."""
    return bool(re.match(rf"{re.escape(name)}(?![^\W_])", column.replace(" ", "_"), re.IGNORECASE))


def write_canvas(path: Path, roster: Roster, column: str, grades: list[str], possible: float) -> None:
    """Write a gradebook with one assignment: who the students are as Canvas wrote it, and the grades."""
    if roster.from_canvas:
        columns = roster.columns[: [title.strip().lower() for title in roster.columns].index("section") + 1]
        who = [[student.cells[title] for title in columns] for student in roster.students]
    else:  # Canvas takes what is in the column ID for its own number
        columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
        who = [[student.name, "", *_number_and_address(student), ""] for student in roster.students]
    points = ["    Points Possible", *[""] * (len(columns) - 1), f"{possible:g}"]
    write_csv(path, [[*columns, column], points, *([*cells, grade] for cells, grade in zip(who, grades, strict=True))])


def write_moodle(path: Path, roster: Roster, name: str, grades: list[str]) -> None:
    """Write the worksheet with its grades filled in, or a list of grades by ID number and address."""
    if roster.is_worksheet:
        (column,) = (title for title in roster.columns if title.strip().lower() == "grade")
        filled = [student.cells | {column: grade} for student, grade in zip(roster.students, grades, strict=True)]
        write_csv(path, [roster.columns, *([cells[title] for title in roster.columns] for cells in filled)])
    else:
        who = [_number_and_address(student) for student in roster.students]
        lines = [[*both, grade] for both, grade in zip(who, grades, strict=True)]
        write_csv(path, [["ID number", "Email address", name], *lines])


def _number_and_address(student: Student) -> tuple[str, str]:
    return (
        student.first_id("sis user id", "id number", "id", "identifier"),
        student.first_id("email address", "email", "sis login id", "login", "username"),
    )
