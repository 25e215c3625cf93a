"""`grade --roster`: a row for each student, files that are surely somebody's, and what Canvas and Moodle import."""

import csv
import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hostile import as_cell, as_text
from small_sets import question, write

from instructor.gradebook import canvas_column, class_rows, outscored, unmarked, without_time, write_class
from instructor.limits import Limits
from instructor.owners import owners
from instructor.release import release
from instructor.roster import read_roster
from instructor.sources import ROOT

PLAIN = "id,name,email\n10001,Ada Lovelace,ada@example.org\n10002,Alan Turing,\n"
# As Canvas exports a gradebook: lib/gradebook_exporter.rb in github.com/instructure/canvas-lms.
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,boosting_attack (771),Ladder boot (772),Final Score
    Points Possible,,,,,20.00,20.00,(read only)
"Lovelace, Ada",501,10001,ada@example.org,Group A,,,
"Turing, Alan",502,10002,alan@example.org,Group B,12.00,,60.00
"Student, Test",503,,0f1e2d,Group A,,,
"""
# As Moodle writes a grading worksheet of an assignment, and as it exports grades (grade/import/csv/tests).
WORKSHEET = """Identifier,"Full name","Email address",Status,Grade,"Maximum grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 771","Ada Lovelace",Ada@example.org,"Submitted for grading",,20.00,Yes,"Friday, 20 November",-,
"Participant 772","Alan Turing",alan@example.org,"No submission",3,20.00,Yes,-,-,"Well, well"
"""
GRADES = """"First name",Surname,"ID number",Institution,Department,"Email address","Course total"
Ada,Lovelace,10001,,,Ada@example.org,56.00
Alan,Turing,10002,,,alan@example.org,75.00
"""


def roster_of(folder, text, due=None):
    path = folder / "class.csv"
    path.write_text(text, encoding="utf-8")
    return read_roster(path, due)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (PLAIN, ["10001", "10002"]),
        ("\ufeffID;Name\r\n10001;Ada Lovelace\r\n;\r\n10002;Alan Turing\r\n", ["10001", "10002"]),
        (CANVAS, ["501", "502"]),
        (CANVAS.replace(",", ";").replace("; ", ", "), ["501", "502"]),
        ("LastName,FirstName,ID,SIS Login ID,Section\nLovelace,Ada,501,,\nTuring,Alan,502,,\n", ["501", "502"]),
        (WORKSHEET, ["771", "772"]),
        (GRADES, ["10001", "10002"]),
        (GRADES.replace("10001", "").replace("10002", ""), ["Ada@example.org", "alan@example.org"]),
    ],
)  # fmt: skip
def test_lists_are_read_as_they_come(tmp_path, text, ids):
    students = roster_of(tmp_path, text).students
    assert [student.id for student in students] == ids
    assert {student.name for student in students} <= {"Ada Lovelace", "Alan Turing", "Lovelace, Ada", "Turing, Alan"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name\nAda\n", "has no column of ids"),
        ("", "has no column of ids"),
        ("id,name\n", "names no students"),
        ("id,name\n,Ada\n", "row 2 of {} has no id"),
        ("id,name\n10001,Ada\n10002,Alan\n10001,Alan\n", "rows 2 and 4 of {} have the same id, 10001"),
        ("id,email\n1,a@b.c\n2,A@b.c\n", "rows 2 and 3 of {} have the same email, A@b.c"),
        ("id,id\n1,2\n", "two columns with the same title"),
        ("id,due\n1,2026-11-20\n", "due in row 2 of {} must be a date and a time such as 2026-11-20 23:59, not 2026-"),
        ("id,submitted\n1,yesterday\n", "submitted in row 2 of {} must be a date and a time"),
        ("id,name\n1,\"Ada\nx", "{} is not CSV"),
    ],
)  # fmt: skip
def test_lists_that_make_no_sense_are_refused(tmp_path, text, says):
    with pytest.raises(ValueError, match=r".") as error:
        roster_of(tmp_path, text)
    assert says.format(tmp_path / "class.csv") in str(error.value)


def test_other_encodings_are_refused(tmp_path):
    (tmp_path / "class.csv").write_bytes("id,name\n1,Zoë".encode("latin-1"))
    with pytest.raises(ValueError, match="CSV in UTF-8"):
        read_roster(tmp_path / "class.csv", None)


def grade(submissions, out, *options, autograder="no.zip"):
    command = [sys.executable, "-m", "instructor", "grade", str(autograder), str(submissions), str(out), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_all_is_refused_before_anything_is_graded(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "class.csv").write_text(PLAIN)
    (tmp_path / "out.canvas.csv").write_text(PLAIN)
    (tmp_path / "class.csv").write_text(CANVAS.replace("Ladder boot", "boosting_attack"))
    (tmp_path / "boosting_attack-autograder.zip").write_text("not looked into")
    for says, *options in (
        ("there is no file nowhere.csv", "--roster=nowhere.csv"),
        ("--due needs a class list", "--due=2026-11-20 23:59"),
        ("--due must be a date and a time", f"--roster={tmp_path}/out.canvas.csv", "--due=tomorrow"),
        ("must not lie among the submissions", f"--roster={tmp_path}/in/class.csv"),
        ("would be replaced", f"--roster={tmp_path}/out.canvas.csv"),
        ("more than one column of the class list begins with boosting_attack", f"--roster={tmp_path}/class.csv"),
    ):
        zipped = tmp_path / "boosting_attack-autograder.zip"
        done = grade(tmp_path / "in", tmp_path / "out.csv", *options, autograder=zipped)
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == [zipped.name, "class.csv", "in", "out.canvas.csv"]


TWO = "id,name,login,email,file\n2026,Ada Lovelace,ada,ada.lovelace@x.org,\n20002,Zoë Müller-Öz,zoe7,,special.ipynb\n"
NOBODY = "no id or name of the class list is in it"
WHOSE = [  # a file, its cells, and whose it is or why that is not known
    ("20002.ipynb", [], "20002"),
    ("20002/hw.ipynb", [], "20002"),
    ("in/hw2-20002-final.ipynb", [], "20002"),
    ("ZOE7_hw2.ipynb", [], "20002"),
    ("ada_lovelace_x_org.ipynb", [], "2026"),
    ("Ada Lovelace_9_assignsubmission_file_/hw.ipynb", [], "2026"),
    ("Lovelace, Ada.ipynb", [], "2026"),
    ("mulleroezzoe_1_2_hw.ipynb", [], NOBODY),
    ("mullerozzoe_1_2_hw.ipynb", [], "20002"),
    ("Mu\u0308ller-O\u0308z Zoe\u0308.ipynb", [], "20002"),
    ("Muller-Oz Zoe.ipynb", [], "20002"),
    ("2026.ipynb", [], "2026"),
    ("ada.ipynb", [], "2026"),
    ("2026/hw.ipynb", [], "2026"),
    ("X_2026_assignsubmission_file/hw.ipynb", [], "2026"),
    ("hw2_2026.ipynb", [], NOBODY),
    ("hw_2026_1_final.ipynb", [], NOBODY),
    ("2026_ada_hw.ipynb", [], NOBODY),
    ("120002.ipynb", [], NOBODY),
    ("a_20002x.ipynb", [], NOBODY),
    ("hw.ipynb", ["text", "Student:   2026"], "2026"),
    ("hw.ipynb", ["x = 1\n#ID =20002"], "20002"),
    ("hw.ipynb", ["> **id:** `ZOE7`"], "20002"),
    ("hw.ipynb", ["student: Ada Lovelace"], "2026"),
    ("hw.ipynb", ["id = 2026", "grid: 2026", "# idea: 2026", "ids: 2026", "student: group 2026"], NOBODY),
    ("hw.ipynb", ["student: 2026", "student: 20002"], "a line in it says 2026 and 20002"),
    ("2026.ipynb", ["student: 20002"], "a line in it says 20002; the file name says 2026"),
    ("20002/Ada Lovelace.ipynb", [], "the folder says 20002; the name says 2026"),
    ("20002 and zoe7/ada.ipynb", [], "the folder says 20002; the file name says 2026"),
    ("special.ipynb", ["student: 2026"], "20002"),
    ("Ada Lovelace 2026/special.ipynb", [], "20002"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "cells", "whose"), WHOSE)
def test_files_are_somebodys_or_nobodys(tmp_path, file, cells, whose):
    path = tmp_path / "notebook"
    path.write_text(as_text([as_cell(source) for source in cells]))
    known, lost, perhaps = owners({file: path}, roster_of(tmp_path, TWO), Limits())
    assert {name: student.id for name, student in known.items()} | lost == {file: whose}
    named = {student.id for student, files in perhaps.items() if files == [file]}
    assert named == {number for number in ("2026", "20002") if number in whose and file in lost}


def test_two_students_of_one_name_need_an_id(tmp_path):
    roster = roster_of(tmp_path, "id,name\n30001,Jan Li\n30002,Jan Li\n30003,Mary Jan Li\n")
    files = dict.fromkeys(["Jan Li.ipynb", "Jan Li 30002.ipynb", "Mary Jan Li.ipynb"], tmp_path)
    known, lost, _ = owners(files, roster, Limits())
    assert {name: student.id for name, student in known.items()} == {
        "Jan Li 30002.ipynb": "30002",
        "Mary Jan Li.ipynb": "30003",
    }
    assert lost == {"Jan Li.ipynb": "the name says 30001 and 30002"}


def test_an_address_is_not_the_login_that_it_begins_with(tmp_path):
    roster = roster_of(tmp_path, "id,login,email\n30001,anna,\n30002,,anna.berg@example.org\n")
    files = dict.fromkeys(["anna.berg@example.org.ipynb", "anna_hw.ipynb"], tmp_path)
    known, lost, _ = owners(files, roster, Limits())
    assert ([student.id for student in known.values()], lost) == (["30002", "30001"], {})


def test_of_a_canvas_name_only_the_students_number_counts(tmp_path):
    """The number behind it is the file's; here it is another student's. What students called the file counts, too."""
    roster = roster_of(tmp_path, CANVAS)
    files = ["ada_LATE_501_502_hw_502.ipynb", "alan_502_501_hw.ipynb", "ada_501_900_10002.ipynb"]
    known, lost, _ = owners(dict.fromkeys(files, tmp_path), roster, Limits())
    assert {name: student.id for name, student in known.items()} == {files[0]: "501", files[1]: "502"}
    assert lost == {files[2]: "the file name says 501 and 502"}


def row(file, points="", status="graded", proof="4", note=""):
    return {
        "file": file, "sha256": "0", "status": status, "q1 (6)": points, "q2 (4)": proof,
        "points": points, "possible": "6", "pending": "4", "note": note, "look": "", "feedback": f"{file}.html",
    }  # fmt: skip


NOON = datetime(2026, 11, 20, 12).astimezone()


def class_of(roster, *rows, hours=(), perhaps=None):
    """Return the class's rows for files that lie in folders named after ids, handed in so long after noon."""
    times = {row["file"]: NOON + timedelta(hours=late) for row, late in zip(rows, hours, strict=True)}
    return class_rows(roster, list(rows), owners_of(roster, *rows), times, perhaps or {})


def owners_of(roster, *rows):
    by_id = {student.id: student for student in roster.students}
    return {row["file"]: by_id[row["file"].partition("/")[0]] for row in rows}


def test_each_student_has_a_row_and_the_last_file_counts(tmp_path):
    roster = roster_of(tmp_path, PLAIN + "10003,Zoe,\n")
    files = [
        row("10002/a.ipynb", "5"), row("10002/b.ipynb", "", "timeout", note="q1: timeout"), row("10002/c.ipynb", "1"),
        row("10001/b.ipynb", "6"), row("10001/a.ipynb", "2"),
    ]  # fmt: skip
    two, one, three = (class_of(roster, *files, hours=(3, 1, 2, 1, 1))[place] for place in (0, 1, 2))
    assert (two["id"], two["name"], two["file"], two["points"]) == ("10001", "Ada Lovelace", "10001/b.ipynb", "6")
    assert two["note"] == "handed in as well: 10001/a.ipynb (2 points)"
    assert (one["file"], one["feedback"], one["q1 (6)"]) == ("10002/a.ipynb", "10002/a.ipynb.html", "5")
    assert one["note"] == "handed in as well: 10002/b.ipynb (timeout), 10002/c.ipynb (1 points)"
    assert (three["id"], three["status"], list(three)) == ("10003", "missing", list(one))
    assert not any(cell for column, cell in three.items() if column not in ("id", "name", "status"))


@pytest.mark.parametrize(
    ("files", "counts"),
    [
        ([("a.ipynb", "5", "graded", 1), ("b.pdf", "", "unreadable", 2)], "a.ipynb"),
        ([("a.ipynb", "0", "partial", 1), ("b.ipynb", "", "timeout", 2)], "a.ipynb"),
        ([("a.ipynb", "", "crashed", 1), ("b.pdf", "", "unreadable", 2)], "b.pdf"),
        ([("a.ipynb", "5", "graded", 1), ("b.ipynb", "0", "graded", 1)], "a.ipynb"),
        ([("a.ipynb", "10", "graded", 1), ("b.ipynb", "9", "graded", 1)], "a.ipynb"),
        ([("a.ipynb", "5", "graded", 1), ("b.ipynb", "0", "graded", 2)], "b.ipynb"),
        ([("ada_10001_9_a.ipynb", "5", "graded", 1), ("ada_10001_8_b.ipynb", "0", "graded", 2)], "ada_10001_9_a.ipynb"),
    ],
)
def test_what_was_graded_counts_then_the_last_then_that_with_more_points(tmp_path, files, counts):
    """The times of what Canvas named are those of the download, and say nothing."""
    rows = [row(f"10001/{file}", points, status) for file, points, status, _ in files]
    (ada,) = class_of(roster_of(tmp_path, "id\n10001\n"), *rows, hours=[hour for *_, hour in files])
    assert ada["file"] == f"10001/{counts}"


def test_who_loses_points_is_listed(tmp_path):
    """Ten points are more than nine, also as text; of the others nothing is said."""
    roster = roster_of(tmp_path, PLAIN + "10003,Zoe,\n10004,Yan,\n")
    rows = [
        row("10001/a.ipynb", "10"), row("10001/b.ipynb", "9"), row("10002/a.ipynb", "3"), row("10002/b.ipynb", "4"),
        row("10003/a.pdf", "", "unreadable"), row("who.ipynb", "10"),
    ]  # fmt: skip
    students = class_of(roster, *rows[:-1], hours=(1, 2, 1, 2, 0))
    assert outscored(roster, students, rows, owners_of(roster, *rows[:-1])) == [
        "  FEWER POINTS 10001 Ada Lovelace: 10001/b.ipynb (9 points) counts, and not 10001/a.ipynb (10 points)"
    ]


def test_a_file_that_is_nobodys_is_named_to_those_who_have_none(tmp_path):
    roster = roster_of(tmp_path, PLAIN + "10003,Zoe,\n")
    ada, alan, _ = roster.students
    perhaps = {ada: ["x.ipynb", "y.ipynb"], alan: ["x.ipynb"]}
    students = class_of(roster, row("10002/a.ipynb", "3"), hours=[0], perhaps=perhaps)
    assert [student["note"] for student in students] == [
        "given to nobody, but could be theirs: x.ipynb, y.ipynb", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("modified", "late"),
    [
        ("Friday, 20 November 2026, 11:14 PM", "14 min"),
        ("Friday, 20 November 2026,  12:14 AM", ""),
        ("Friday, 20 November 2026, 23:14", "14 min"),
        ("Freitag, 20. November 2026, 23:14", None),
        ("-", None),
    ],
)
def test_the_time_of_a_worksheet_is_that_of_its_column(tmp_path, modified, late):
    """What cannot be read is said once, and the file's time, that of the download, says nothing."""
    roster = roster_of(tmp_path, WORKSHEET.replace("Friday, 20 November", modified), "2026-11-20 23:00")
    students = class_of(roster, row("771/hw.ipynb", "1"), hours=[99])
    assert students[0]["late"] == (late or "")
    column = "'last modified (submission)'"
    said = f"No time is known of 1 of those who handed in: {column} gives none, such as {modified!r}."
    assert without_time(roster, students) == ([said] if late is None else [])


def test_whose_proof_waits_for_a_mark_is_named(tmp_path):
    """Ten, and how many more; what was not found among them."""
    roster = roster_of(tmp_path, "id,name\n" + "".join(f"{10000 + number},N{number}\n" for number in range(14)))
    rows = [row(f"{10000 + number}/a.ipynb", "1", proof="4" if number == 1 else "pending") for number in range(13)]
    students = class_of(roster, *rows, hours=[0] * 13)
    said = unmarked(students, {"q2": 4}, {"10000/a.ipynb": "not found", "10002/a.ipynb": ""})
    assert said[:2] == ["  unmarked   10000 N0: not found", "  unmarked   10002 N2"]
    assert (len(said), said[-1]) == (11, "  unmarked   and 2 more")
    assert len(unmarked(students[:11], {"q2": 4}, {})) == 10


def test_the_file_that_the_list_names_counts_even_if_it_is_older(tmp_path):
    roster = roster_of(tmp_path, "id,file\n10001,a.ipynb\n")
    (ada,) = class_of(roster, row("10001/a.ipynb", "1"), row("10001/b.ipynb", "6"), hours=(1, 2))
    assert (ada["points"], ada["note"]) == ("1", "handed in as well: 10001/b.ipynb (6 points)")


@pytest.mark.parametrize(
    ("due", "own", "submitted", "file", "late"),
    [
        (None, "", "", "hw.ipynb", ""),
        ("2026-11-20 12:00", "", "", "hw.ipynb", ""),
        ("2026-11-20 11:59:59", "", "", "hw.ipynb", "1 min"),
        ("2026-11-20 09:46", "", "", "hw.ipynb", "2 h 14 min"),
        ("2026-11-20 09:00", "", "", "hw.ipynb", "3 h"),
        ("2026-11-17 11:00", "", "", "hw.ipynb", "3 d 1 h"),
        ("2026-11-17 11:00", "2026-11-21 11:00", "", "hw.ipynb", ""),
        (None, "2026-11-20 11:30", "", "hw.ipynb", "30 min"),
        ("2026-11-20 11:00", "", "2026-11-20 10:59", "hw.ipynb", ""),
        ("2026-11-20 13:00", "", "2026-11-20 13:05", "hw.ipynb", "5 min"),
        (None, "", "", "lovelaceada_LATE_501_9_hw.ipynb", "marked LATE"),
        ("2026-11-20 11:00", "", "", "lovelaceada_LATE_501_9_hw.ipynb", "marked LATE"),
        ("2026-11-20 11:00", "", "", "lovelaceada_501_9_hw.ipynb", ""),
        ("2026-11-20 11:00", "", "2026-11-20 12:00", "lovelaceada_501_9_hw.ipynb", "1 h"),
        (None, "", "", "LATE_hw.ipynb", ""),
    ],
)
def test_late_by_how_much(tmp_path, due, own, submitted, file, late):
    roster = roster_of(tmp_path, f"id,due,submitted\n10001,{own},{submitted}\n", due)
    (ada,) = class_of(roster, row(f"10001/{file}", "6"), hours=(0,))
    assert ada["late"] == late


def test_a_time_without_a_zone_is_local(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "America/New_York")
        time.tzset()
        local, zoned = (roster_of(tmp_path, PLAIN, f"2026-11-20T11:00{zone}").due for zone in ("", "+01:00"))
    time.tzset()
    assert [due.astimezone(UTC).hour for due in (local, zoned)] == [16, 10]


def lines(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def written(tmp_path, text, *rows, name="boosting_attack"):
    """Return the class's three files and what is said of them."""
    roster = roster_of(tmp_path, text)
    students = class_of(roster, *rows, hours=[0] * len(rows))
    said = write_class(tmp_path / "out.csv", roster, name, students, {"q1": 6}, {"q2": 4})
    return *(lines(tmp_path / f"out.{kind}.csv") for kind in ("class", "canvas", "moodle")), said


def test_a_canvas_gradebook_comes_back_with_its_column(tmp_path):
    files = row("501/hw.ipynb", "9.5"), row("502/hw.ipynb", "0")
    table, canvas, moodle, said = written(tmp_path, CANVAS, *files)
    assert canvas == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "boosting_attack (771)"],
        ["    Points Possible", "", "", "", "", "10"],
        ["Lovelace, Ada", "501", "10001", "ada@example.org", "Group A", "9.5"],
        ["Turing, Alan", "502", "10002", "alan@example.org", "Group B", "0"],
    ]
    assert moodle[:2] == [["ID number", "Email address", "boosting_attack"], ["10001", "ada@example.org", "9.5"]]
    assert table[0][:7] == ["id", "name", "file", "status", "late", "q1 (6)", "q2 (4)"]
    assert f"For Canvas, column boosting_attack (771): {tmp_path}/out.canvas.csv." in said[1]


def test_a_moodle_worksheet_comes_back_with_its_grades(tmp_path):
    """What Moodle compares stays as it was: who was graded there and is not here has no grade, so nothing changes."""
    _, canvas, moodle, _ = written(tmp_path, WORKSHEET, row("771/hw.ipynb", "9.5"))
    before = lines(tmp_path / "class.csv")
    column = before[0].index("Grade")
    assert [line[column] for line in moodle] == ["Grade", "9.5", ""]
    assert [line[:column] + line[column + 1 :] for line in moodle] == [
        line[:column] + line[column + 1 :] for line in before
    ]
    assert canvas[2] == ["Ada Lovelace", "", "771", "Ada@example.org", "", "9.5"]


@pytest.mark.parametrize("text", [PLAIN, GRADES])
def test_other_lists_make_both_files(tmp_path, text):
    _, canvas, moodle, _ = written(tmp_path, text, row("10001/hw.ipynb", "9.5"))
    address = roster_of(tmp_path, text).students[0].ids.get("email address", "ada@example.org")
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "boosting_attack"]
    assert canvas[2] == ["Ada Lovelace", "", "10001", address, "", "9.5"]
    assert moodle[:2] == [["ID number", "Email address", "boosting_attack"], ["10001", address, "9.5"]]


def test_nobody_gets_a_zero_for_what_is_not_known(tmp_path):
    """Missing, not graded, a proof that nobody has marked: empty cells, which the summary counts."""
    text = PLAIN + "10003,Zoe,\n10004,Yan,\n"
    files = (
        row("10001/hw.ipynb", "6", proof="pending"), row("10002/hw.ipynb", status="crashed", proof="pending"),
        row("10003/pending", "0", status="partial"),
    )  # fmt: skip
    _, canvas, moodle, said = written(tmp_path, text, *files)
    assert [line[-1] for line in canvas[2:]] == [line[-1] for line in moodle[1:]] == ["", "", "0", ""]
    assert said[0] == "Class of 4: 3 handed in, 0 late, 1 missing."
    assert said[1] == "  missing    10004 Yan"
    assert said[-1].startswith("There 3 of 4 students have an empty cell")


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("boosting_attack", "boosting_attack (771)"),
        ("ladder_boot", "Ladder boot (772)"),
        ("ladder", "ladder"),
        ("boosting", "boosting (b) (773)"),
        ("boost", "boost"),
    ],
)
def test_the_column_of_a_set(tmp_path, name, column):
    """An underscore may be a space there, and the name of another set may begin with that of this one."""
    roster = roster_of(tmp_path, CANVAS.replace("Final Score", "boosting (b) (773)"))
    assert canvas_column(name, roster) == column


@pytest.mark.parametrize(
    ("title", "column"),
    [
        ("ladder proof", "Ladder proof (772)"),
        ("ladder code", "ladder code (771)"),
        ("ladder", "ladder"),
        ("Twice (8)", "Twice (8)"),
        ("new", "new"),
    ],
)
def test_a_title_says_which_column(tmp_path, title, column):
    """Code and proof of a set can be assignments of their own; what only begins with a title is another one."""
    own = "ladder code (771),Ladder proof (772),Twice (8),Twice (9)"
    text = CANVAS.replace("boosting_attack (771),Ladder boot (772),Final Score", own).replace(",60.00", ",60.00,")
    roster = roster_of(tmp_path, text)
    assert canvas_column(title, roster, exact=True) == column
    for several in ("ladder", "Twice"):
        with pytest.raises(ValueError, match="say which with --title"):
            canvas_column(several, roster)


def test_a_class_is_graded(tmp_path):
    """One has deleted the answer and has two files, one hands in nothing, and one file is nobody's."""
    cells = question(
        "q1",
        answer="def double(x):\n    return 2 * x",
        visible="# See ladder: The grid\ndef test_two(double):\n    assert double(2) == 4",
        hidden="# HIDDEN\ndef test_ten(double):\n    assert double(10) == 20",
        wrong=[],
    )
    zipped = release(write(tmp_path / "small.ipynb", *cells), tmp_path / "out")[1]
    (tmp_path / "class.csv").write_text("id,name,file\n10001,Ada,\n10002,Alan,\n10003,=1+1,hw.ipynb\n")
    (tmp_path / "in").mkdir()
    right = "def double(x):\n    return 2 * x"
    for file, source in {"10001": "x = 1", "10001-old": right, "10002": right, "10002-10003": right}.items():
        path = tmp_path / "in" / f"{file}.ipynb"
        path.write_text(as_text([as_cell(source)]))
        os.utime(path, (0, 0 if "old" in file else NOON.timestamp()))
    options = f"--roster={tmp_path}/class.csv", "--due=2026-11-20 09:46", "--again=10002-10003.ipynb"
    title = "--title=small proof"
    done = grade(tmp_path / "in", tmp_path / "table.csv", *options, title, autograder=zipped)
    assert done.returncode == 1, done.stderr
    said = done.stdout.splitlines()
    assert "  nobody's   10002-10003.ipynb: the file name says 10002 and 10003" in said
    assert "  FEWER POINTS 10001 Ada: 10001.ipynb (0 points) counts, and not 10001-old.ipynb (2 points)" in said
    assert "Class of 3: 2 handed in, 2 late, due 2026-11-20 09:46" in done.stdout
    assert "  missing    10003 =1+1" in said
    assert "  NO SUCH FILE 10003 =1+1: the class list names hw.ipynb" in said
    assert said[-1] == "NOT COMPLETE: 1 of 4 files needs a look."
    with (tmp_path / "table.class.csv").open() as file:
        ada, alan, third = csv.DictReader(file)
    assert (ada["q1 (2)"], ada["late"]) == ("0", "2 h 14 min")
    assert ada["note"] == "not there: double (q1); handed in as well: 10001-old.ipynb (2 points)"
    assert (alan["q1 (2)"], alan["note"]) == ("2", "")
    assert third["note"] == "given to nobody, but could be theirs: 10002-10003.ipynb"
    assert (third["name"], third["status"]) == ("'=1+1", "missing")
    assert lines(tmp_path / "table.canvas.csv")[2:] == [
        ["Ada", "", "10001", "", "", "0"], ["Alan", "", "10002", "", "", "2"], ["=1+1", "", "10003", "", "", ""],
    ]  # fmt: skip
    assert lines(tmp_path / "table.moodle.csv")[0] == ["ID number", "Email address", "small proof"]
    assert json.loads((tmp_path / "table.journal").read_text().splitlines()[-1])["file"]
    assert Path(tmp_path / "table.feedback" / ada["feedback"]).is_file()
