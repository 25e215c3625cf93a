"""What the instructor's guide says can be done and counted is so."""

import csv
import os
import re
import subprocess
import sys

import nbformat
import pytest

from tools.exercises import EXERCISES, ROOT, read_set, sources

GUIDE = (ROOT / "book" / "instructors_guide.md").read_text(encoding="utf-8")


def rows(heading):
    """Return the table under a heading, a list of cells for each row."""
    lines = [line for line in section(heading) if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def section(heading):
    """Return the lines under a heading."""
    return GUIDE.partition(f"## {heading}\n")[2].partition("\n## ")[0].splitlines()


def test_its_commands_give_a_graded_table(tmp_path):
    """From a released set to twenty rows: ten with full marks, ten with none."""
    blocks = re.findall(r"^```bash\n(.*?)^```", GUIDE, flags=re.M | re.S)
    script = "\n".join(blocks).replace(".venv/bin/python", sys.executable)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "All 20 files were graded."
    with (tmp_path / "trial.csv").open() as file:
        table = list(csv.DictReader(file))
    questions = read_set(EXERCISES / "boosting_attack.ipynb").questions
    full = sum(question.points for question in questions if not question.manual)
    assert [(row["status"], row["points"]) for row in table] == [("graded", str(full))] * 10 + [("graded", "0")] * 10
    assert {row["possible"] for row in table} == {str(full)}
    assert {row["pending"] for row in table} == {str(sum(question.points for question in questions if question.manual))}
    assert len(list((tmp_path / "trial.feedback").iterdir())) == 20


@pytest.mark.parametrize("syllabus", ["A course of four weeks", "A course of ten weeks"])
def test_syllabi_name_questions_that_exist(syllabus):
    """Each set named after its chapter, no question beyond its last; the long course has every set in order."""
    weeks = [line for line in section(syllabus) if re.match(r"\d+\. ", line)]
    found = []
    for week in weeks:
        read, _, collect = week.partition("*Collect*: ")
        chapters = re.findall(r"\((\w+)\.ipynb\)", read)
        for name, questions in re.findall(r"`(\w+)` ((?:(?:, |and |to )?(?:q\d|the proof) ?)+)", collect):
            assert name in chapters
            found.append(name)
            exercises = read_set(EXERCISES / f"{name}.ipynb")
            code = [question.name for question in exercises.questions if not question.manual]
            assert set(re.findall(r"q\d", questions)) <= set(code)
            assert "the proof" not in questions or any(question.manual for question in exercises.questions)
    assert len(weeks) == (10 if "ten" in syllabus else 4)
    assert len(found) == len(set(found)) >= 7
    if "ten" in syllabus:
        assert sorted(found) == [path.stem for path in sources()]


def test_reading_times_are_those_of_the_chapters():
    table = {re.search(r"\((\w+)\.ipynb\)", row[0])[1]: int(row[1]) for row in rows("How long it takes")}
    assert sorted(table) == [path.stem for path in sources()]
    for name, minutes in table.items():
        box = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells[0].source
        stated = re.search(r"\*\*Reading time\.?\*\*:? (?:(\d+) minutes|(An hour))", box)
        assert minutes == (60 if stated[2] else int(stated[1]))


def test_it_counts_the_sets():
    words = {9: "nine", 13: "thirteen", 15: "fifteen"}
    assert f"{words[len(sources())]} sets, one for each chapter" in GUIDE
