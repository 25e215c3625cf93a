"""Marks that a person writes into the table beside the table are merged, and never lost."""

import csv
import json
import zipfile

import nbformat
import pytest
from hostile import as_cell, as_text
from small_sets import PROOF, case, question, solution, write

from instructor.batch import grade_folder
from instructor.grading import Grade, Report
from instructor.limits import Limits
from instructor.marks import merge
from instructor.proofs import Answer, Mark, code_of
from instructor.release import release
from instructor.table import table_rows

PROOFS = [{"name": "q4", "points": 8}]
ANN, BOB, EVE = (code_of(name) for name in ("ann", "bob", "eve"))


def merged(path, *, proofs=PROOFS, files=True, **digests):
    answers = {
        (name, digest): {proof["name"]: Answer("blank" if name == "bob" else "", []) for proof in proofs}
        for name, digest in digests.items()
    }
    return merge(path, proofs, {"q1": 2}, answers, files=files)


@pytest.fixture
def sheet(tmp_path):
    """A table as it is first written."""
    path = tmp_path / "out.marks.csv"
    assert merged(path, ann="1", bob="2") == ({}, [])
    return path


def test_a_new_table_has_a_row_for_each_file(sheet):
    assert sheet.read_text() == (f"file,code,sha256,state,q4 (8),comment\nann,{ANN},1,,,\nbob,{BOB},2,blank,,\n")


def test_an_anonymous_table_names_nobody_and_is_in_the_order_of_codes(tmp_path):
    merged(tmp_path / "out.marks.csv", files=False, eve="3", bob="2", ann="1")
    rows = list(csv.reader((tmp_path / "out.marks.csv").open()))
    assert rows[0] == ["code", "sha256", "state", "q4 (8)", "comment"]
    assert [row[0] for row in rows[1:]] == sorted([ANN, BOB, EVE])


def test_the_name_of_a_file_is_no_formula(tmp_path):
    merged(tmp_path / "out.marks.csv", **{"=1+1": "1"})
    assert "\n'=1+1," in (tmp_path / "out.marks.csv").read_text()


def test_of_several_proofs_the_state_names_those_that_are_blank(tmp_path):
    merged(tmp_path / "out.marks.csv", proofs=[*PROOFS, {"name": "q5", "points": 2}], ann="1", bob="2")
    assert [row["state"] for row in csv.DictReader((tmp_path / "out.marks.csv").open())] == ["", "q4 blank; q5 blank"]


def test_marks_are_merged_with_their_comments(sheet):
    sheet.write_text(f'\ufeffcode,sha256,state,q4 (8),comment\n{ANN},1,,7.5,"well, done"\n{BOB},2,blank,0,\n')
    assert merged(sheet, ann="1", bob="2", eve="3")[0] == {
        "ann": Mark({"q4": 7.5}, "well, done"),
        "bob": Mark({"q4": 0}, ""),
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_is_extended_the_way_a_spreadsheet_left_it(sheet, encoding, end):
    """Semicolons, decimal commas, columns of one's own, another order, rows of one's own."""
    before = [
        "mine;comment;q4 (8);code;state;sha256;file",
        f"é;schön;7,5;{ANN};;1;ann",
        f";later;;{BOB};blank;2;bob",
        "mean;;7,5;;;;",
    ]
    sheet.write_bytes("".join(line + end for line in before).encode(encoding))
    marks, left = merged(sheet, ann="1", bob="2", eve="3")
    assert marks == {"ann": Mark({"q4": 7.5}, "schön")}
    assert left == ["row 4 of out.marks.csv, q4 (8): 7,5: no file has the code ''"]
    after = "".join(line + end for line in [*before, f";;;{EVE};;3;eve"])
    assert sheet.read_bytes() == after.encode(encoding)
    merged(sheet, ann="1", bob="2", eve="3")
    assert sheet.read_bytes() == after.encode(encoding)


def test_a_file_that_is_gone_keeps_its_row_and_its_mark_is_not_merged(sheet):
    before = f"code,sha256,state,q4 (8),comment\n{ANN},1,,7,\n{EVE},3,,5,\n"
    sheet.write_text(before)
    marks, left = merged(sheet, ann="1")
    assert list(marks) == ["ann"]
    assert left == [f"row 3 of out.marks.csv, q4 (8): 5: no file has the code '{EVE}'"]
    assert sheet.read_text() == before


def test_the_mark_of_a_file_that_has_changed_is_not_merged(sheet):
    """Nor lost: once the mark is taken away, the row is that of the new file."""
    sheet.write_text(f"code,sha256,state,q4 (8),comment\n{ANN},1,,7,early\n")
    marks, left = merged(sheet, ann="other")
    assert marks == {}
    assert left == [
        f"row 2 of out.marks.csv, q4 (8): 7: the file of {ANN} has changed since; empty the mark, grade again, "
        "and mark it anew"
    ]
    assert f"{ANN},1,,7,early" in sheet.read_text()
    sheet.write_text(sheet.read_text().replace(",7,", ",,"))
    assert merged(sheet, ann="other") == ({}, [])
    assert f"{ANN},other,,,early" in sheet.read_text()


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([f"{ANN},1,,9,"], f"row 2 ({ANN}), q4 (8): 9 is not between 0 and 8"),
        ([f"{ANN},1,,-1,"], f"row 2 ({ANN}), q4 (8): -1 is not between 0 and 8"),
        ([f"{ANN},1,,good,"], f"row 2 ({ANN}), q4 (8): 'good' is not a number"),
        ([f"{ANN},1,,nan,"], f"row 2 ({ANN}), q4 (8): 'nan' is not a number"),
        ([f"{ANN},1,,7,", f"{ANN},1,,,"], f"row 3: the code {ANN} has row 2 already"),
    ],
)
def test_slips_are_refused(sheet, rows, complaint):
    before = "\n".join(["code,sha256,state,q4 (8),comment", *rows, f"{BOB},2,,x,"]) + "\n"
    sheet.write_text(before)
    with pytest.raises(ValueError, match="correct this") as refused:
        merged(sheet, ann="1", bob="2")
    assert complaint in str(refused.value).split("\n  ")
    assert f"row {len(rows) + 2} ({BOB}), q4 (8): 'x' is not a number" in str(refused.value)
    assert sheet.read_text() == before


def test_a_column_that_is_gone_is_missed(sheet):
    sheet.write_text(f"code,sha256,state,q4,comment\n{ANN},1,,7,\n")
    with pytest.raises(ValueError, match=r"has no column q4 \(8\)"):
        merged(sheet, ann="1")


@pytest.fixture
def course(tmp_path):
    """An autograder, and two notebooks with a proof, of which one is blank."""
    code = question(
        "q1",
        answer=solution("double", "2 * x"),
        visible=case("double", "two", "double(2) == 4"),
        hidden=case("double", "ten", "double(10) == 20", hidden=True),
        wrong=[],
    )
    student, autograder, _ = release(write(tmp_path / "small.ipynb", *code, *PROOF), tmp_path / "course")
    notebook = nbformat.read(student / "small.ipynb", as_version=4)
    (tmp_path / "in").mkdir()
    nbformat.write(notebook, tmp_path / "in" / "bob.ipynb")
    (cell,) = [cell for cell in notebook.cells if "Type your answer" in cell.source]
    cell.source = "My proof of $x$."
    nbformat.write(notebook, tmp_path / "in" / "ann.ipynb")
    return autograder


def test_marks_reach_table_and_feedback(course, tmp_path, capsys):
    out = tmp_path / "out.csv"

    def run(**more):
        capsys.readouterr()
        assert grade_folder(course, tmp_path / "in", out, jobs=1, limits=Limits(), **more) == 0
        ann, bob = csv.DictReader(out.open())
        return ann, bob, capsys.readouterr().out

    ann, bob, said = run()
    assert (ann["q4 (8)"], ann["points"], ann["possible"], ann["pending"]) == ("pending", "0", "2", "8")
    assert "No marks of a person yet; their place: " in said
    sheet = tmp_path / "out.marks.csv"
    sheet.write_text(sheet.read_text().replace(",,,\n", ',,7.5,"<b>Fine</b>"\n') + ",nobody,,,3,\n")
    ann, bob, said = run()
    assert (ann["q4 (8)"], ann["points"], ann["possible"], ann["pending"]) == ("7.5", "7.5", "10", "0")
    assert (bob["q4 (8)"], bob["points"], bob["possible"], bob["pending"]) == ("pending", "0", "2", "8")
    assert "Marks of a person, for 1 file: " in said
    assert "NOT MERGED: row 4 of out.marks.csv" in said
    feedback = (tmp_path / "out.feedback" / ann["feedback"]).read_text()
    assert "<h2>q4: 7.5 of 8 points</h2>" in feedback
    assert "<strong>7.5 of 10 points</strong>, the proof among them" in feedback
    assert "&lt;b&gt;Fine&lt;/b&gt;" in feedback
    feedback = (tmp_path / "out.feedback" / bob["feedback"]).read_text()
    assert "<strong>0 of 2 points</strong> for the questions in code" in feedback
    assert "q4, of 8 points, is not marked yet" in feedback
    page = tmp_path / "out.proofs.html"
    assert "ann.ipynb" in page.read_text()
    assert "7.5 of 8" in page.read_text()
    run(anonymous=True)
    assert "My proof of" in page.read_text()
    assert "ann.ipynb" not in page.read_text()


def test_marks_reach_the_class_and_its_gradebooks(course, tmp_path):
    """A student whose proof nobody has marked has an empty cell there."""
    roster, out, sheet = (tmp_path / name for name in ("class.csv", "out.csv", "out.marks.csv"))
    roster.write_text("id,name,email\n10001,Ann Ape,ann@example.org\n10002,Bob Bee,bob@example.org\n")
    for number, name in (("10001", "ann"), ("10002", "bob")):
        (tmp_path / "in" / f"{name}.ipynb").rename(tmp_path / "in" / f"{number}.ipynb")
    for _ in range(2):
        assert grade_folder(course, tmp_path / "in", out, jobs=1, limits=Limits(), roster=roster) == 0
        ann, bob = csv.DictReader((tmp_path / "out.class.csv").open())
        sheet.write_text(sheet.read_text().replace(",,,\n", ",,7.5,\n"))
    assert (ann["q4 (8)"], ann["points"], ann["pending"]) == ("7.5", "7.5", "0")
    assert (bob["q4 (8)"], bob["points"], bob["pending"]) == ("pending", "0", "8")
    for name in ("out.canvas.csv", "out.moodle.csv"):
        last = {row[0]: row[-1] for row in csv.reader((tmp_path / name).open()) if row[-1] in ("7.5", "")}
        assert sorted(last.values()) == ["", "7.5"]
        assert "7.5" not in [grade for student, grade in last.items() if "Bob" in student or "10002" in student]


@pytest.mark.parametrize("questions", ["q1", "q1 and q4", "q4"])
def test_a_person_decides_what_was_not_graded(tmp_path, capsys, questions):
    """Code that was cut off, or a file that is no notebook, by its points; a proof alone by its mark."""
    code = question(
        "q1",
        answer=solution("double", "2 * x"),
        visible=case("double", "two", "double(2) == 4"),
        hidden=case("double", "ten", "double(10) == 20", hidden=True),
        wrong=[],
    )
    cells = code * ("q1" in questions) + PROOF * ("q4" in questions)
    _, autograder, _ = release(write(tmp_path / "small.ipynb", *cells), tmp_path / "course")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann.ipynb").write_text(as_text([as_cell("import os\nos._exit(1)"), as_cell("x = 1")]))
    (tmp_path / "in" / "bob.pdf").write_text("%PDF")
    out, sheet = tmp_path / "out.csv", tmp_path / "out.marks.csv"

    def run():
        ended = grade_folder(autograder, tmp_path / "in", out, jobs=1, limits=Limits())
        return ended, list(csv.DictReader(out.open())), capsys.readouterr().out

    ended, rows, said = run()
    assert ended == 1
    assert rows[1]["status"] == "unreadable"
    assert f"their place: {sheet}." in said
    ours = ["q1 (2)"] * ("q1" in questions) + ["q4 (8)"] * (questions == "q4")
    sheet_rows = list(csv.DictReader(sheet.open()))
    for row in sheet_rows:
        row |= dict.fromkeys(ours, "1.5") | {"comment": "Fine."}
    with sheet.open("w") as file:
        writer = csv.DictWriter(file, list(sheet_rows[0]))
        writer.writeheader()
        writer.writerows(sheet_rows)
    ended, rows, said = run()
    assert ended == 0, said
    left = "graded" if questions == "q4" else "decided"
    assert [(row["status"], row["points"]) for row in rows] == [(left, "1.5"), ("decided", "1.5")]
    assert f"2 files: {'1 graded, 1' if questions == 'q4' else 2} decided." in said
    assert rows[0]["pending"] == ("8" if "and" in questions else "0")
    for row in rows:
        page = (tmp_path / "out.feedback" / row["feedback"]).read_text()
        assert ("q1: 1.5 points, given by a person." in page) == ("q1" in questions)
    (tmp_path / "in" / "bob.pdf").write_text("%PDF, another one")
    assert run()[0] == 1


def test_points_of_a_person_must_be_known_for_all_of_what_was_not_graded():
    """A partial one is decided by points for some: the others were tested."""
    grades = {name: Grade(number, 2, "", ()) for name, number in (("q1", 2), ("q2", 0))}
    graded = [("ann", "1", Report("partial", "", grades, {})), ("bob", "2", Report("timeout", "", grades, {}))]
    marks = {name: Mark({"q2": 1}, "") for name in ("ann", "bob")}
    ann, bob = table_rows(graded, {"q1": 2, "q2": 2}, {}, ["", ""], {"ann": "", "bob": ""}, marks)
    assert (ann["status"], ann["q1 (2)"], ann["q2 (2)"], ann["points"]) == ("decided", "2", "1", "3")
    assert (bob["status"], bob["q1 (2)"], bob["q2 (2)"], bob["points"]) == ("timeout", "", "1", "")


def test_a_slip_is_told_before_the_grading(course, tmp_path):
    (tmp_path / "out.marks.csv").write_text(f"code,sha256,state,q4 (8),comment\n{ANN},1,,x,\n")
    with pytest.raises(ValueError, match="is not a number"):
        grade_folder(course, tmp_path / "in", tmp_path / "out.csv", jobs=1, limits=Limits())
    assert not (tmp_path / "out.journal").exists()


def test_a_release_from_before_has_no_page(course, tmp_path):
    """Its list of questions tells nothing of the proof, which stays pending."""
    old = tmp_path / "old.zip"
    with zipfile.ZipFile(course) as archive, zipfile.ZipFile(old, "w") as new:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "questions.json":
                kept = ("name", "points", "manual")
                content = json.dumps([{key: question[key] for key in kept} for question in json.loads(content)])
            new.writestr(name, content)
    grade_folder(old, tmp_path / "in", tmp_path / "out.csv", jobs=1, limits=Limits())
    assert next(csv.DictReader((tmp_path / "out.csv").open()))["pending"] == "8"
    assert not (tmp_path / "out.marks.csv").exists()
