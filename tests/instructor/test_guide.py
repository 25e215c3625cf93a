"""What the instructor's guide says can be done and counted is so."""

import csv
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from instructor.__main__ import _parser
from instructor.compete import compete
from instructor.examiner import SLACK
from instructor.limits import THREADS, Limits
from instructor.owners import owners
from instructor.roster import read_roster
from instructor.sources import EXERCISES, ROOT, read_set, sources

GUIDE = (ROOT / "book" / "instructors_guide.md").read_text(encoding="utf-8")


def rows(heading):
    """Return the table under a heading, a list of cells for each row."""
    lines = [line for line in section(heading) if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def section(heading):
    """Return the lines under a heading."""
    return GUIDE.partition(f"## {heading}\n")[2].partition("\n## ")[0].splitlines()


@pytest.mark.nightly
def test_its_commands_give_a_graded_table(tmp_path):
    """From a released set to twenty rows: ten with full marks, ten with none, whose proofs are marked; then a class."""
    blocks = re.findall(r"^```bash\n(.*?)^```", GUIDE, flags=re.M | re.S)
    script = "\n".join(blocks).replace(".venv/bin/python", sys.executable)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "All 20 files were graded." in done.stdout.splitlines()
    with (tmp_path / "trial.csv").open() as file:
        table = list(csv.DictReader(file))
    questions = read_set(EXERCISES / "boosting_attack.ipynb").questions
    full = sum(question.points for question in questions if not question.manual)
    assert [(row["status"], row["points"]) for row in table] == [("graded", str(full))] * 10 + [("graded", "0")] * 10
    proof = sum(question.points for question in questions if question.manual)
    sums = [(row["possible"], row["pending"]) for row in table]
    assert sums == [(str(full), str(proof))] * 10 + [(str(full + proof), "0")] * 10  # blank proofs were given no points
    page = (tmp_path / "trial.proofs.html").read_text()
    assert "10 answers, 10 blank, 0 not found." in page
    assert page.count("The same, but for spaces, as") == 10
    assert len(list((tmp_path / "trial.feedback").iterdir())) == 20
    with (tmp_path / "graded.class.csv").open() as file:
        students = list(csv.DictReader(file))
    assert [(row["name"], row["file"], row["status"], row["points"]) for row in students] == [
        ("Ada Lovelace", "hw2_10001.ipynb", "graded", str(full)),
        ("Alan Turing", "Alan Turing.ipynb", "graded", "0"),
        ("Grace Hopper", "", "missing", ""),
    ]
    made = [path.name + "/" * path.is_dir() for path in tmp_path.iterdir()]
    ignored = subprocess.run(["git", "check-ignore", *made], cwd=ROOT, capture_output=True, text=True, check=False)
    assert sorted(ignored.stdout.splitlines()) == sorted(made)


@pytest.mark.parametrize("sign", [",", ";"])
def test_its_command_gives_blank_proofs_no_points(tmp_path, sign):
    """Whatever a spreadsheet puts between cells; what has a mark, and what was not found, stays."""
    (command,) = re.findall(r"^sed .*", GUIDE, flags=re.M)
    table = tmp_path / "trial.marks.csv"
    lines = ["code,sha256,state,q6 (8),comment", "b,1,blank,,", "c,2,blank,3,", "d,3,,,blank", "e,4,not found,,"]
    table.write_text("\n".join(lines).replace(",", sign))
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    lines[1] = "b,1,blank,0,"
    assert table.read_text().splitlines() == [line.replace(",", sign) for line in lines]


def test_its_examples_of_names_and_lists_are_understood(tmp_path):
    (block,) = re.findall(r"^```\n(lovelace.*?)^```", GUIDE, flags=re.M | re.S)
    for example, number in zip(block.split("\n\n"), ("501", "771"), strict=True):
        file, _, text = example.partition("\n")
        (tmp_path / "class.csv").write_text(text)
        known, _, _ = owners({file: tmp_path}, read_roster(tmp_path / "class.csv", None), Limits())
        assert [student.id for student in known.values()] == [number]


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
            assert [question.name for question in exercises.questions if question.manual] == ["q6"]
            assert set(re.findall(r"q\d", questions)) <= set(code)
            assert "the proof" not in questions or any(question.manual for question in exercises.questions)
    assert len(weeks) == (10 if "ten" in syllabus else 4)
    assert len(found) == len(set(found)) >= 7
    if "ten" in syllabus:
        missing = {path.stem for path in sources()} - set(found)
        assert not missing, f"give {missing} a place in the course of ten weeks: chapter, goal, what to collect"


def test_reading_times_are_those_of_the_chapters():
    """Each row names one chapter twice, in its link and in the role that says how long it takes."""
    table = {re.search(r"\((\w+)\.ipynb\)", row[0])[1]: row[1] for row in rows("How long it takes")}
    missing = {path.stem for path in sources()} ^ set(table)
    assert not missing, f"the table 'How long it takes' needs one row for each chapter with a set: {missing}"
    assert table == {name: f"{{reading-time}}`{name}`" for name in table}


@pytest.mark.parametrize("name", ["course-2/in/a.ipynb", "trial2/b.ipynb", "class/c.ipynb", "graded.csv"])
def test_git_leaves_alone_what_it_says(name):
    assert not subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT, check=False).returncode


def test_its_container_has_room_for_what_notebooks_may_use():
    """Each has at its side the process that examines it and the one it is forked from."""
    (command,) = re.findall(r"^docker run .*?(?=^```)", GUIDE, flags=re.M | re.S)
    words = command.replace("\\\n", " ").split()
    dockerfile = ROOT / words[words.index("-f") + 1]
    assert "ENV container=" in dockerfile.read_text()
    arguments = _parser().parse_args(words[words.index("grade") :])
    assert words[words.index("--memory") + 1] == "6g"
    assert arguments.jobs * (arguments.memory + SLACK + 200) < 6_000
    assert arguments.jobs * (THREADS + 10) < int(words[words.index("--pids-limit") + 1])


def test_students_are_told_the_version_that_the_tools_use():
    (pin,) = re.findall(r"^otter-grader==.+$", (ROOT / "requirements.txt").read_text(), flags=re.M)
    assert f"`pip install jupyterlab numpy scipy {pin}`" in GUIDE


def test_the_attack_day_runs(tmp_path, monkeypatch, capsys):
    """The code on the page of the class competition: an honest team, a random vote that leads, labels by ranks."""
    page = (ROOT / "book" / "class_competition.md").read_text(encoding="utf-8")
    labels, save, guess, vote, ranks = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
    (settings,) = re.findall(r"^```toml\n(.*?)^```", page, flags=re.M | re.S)
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    names = {"y": rng.integers(0, 2, 600), "N": 600}
    exec(labels.replace("FOLDER", str(tmp_path)), names)
    (tmp_path / "competition.toml").write_text(settings.replace("limit = 20", "limit = 0"))
    names["predictions"] = np.where(rng.random(600) < 0.3, 1 - names["y"], names["y"])
    exec(save, names)
    exec(guess, names)
    for team, session in (("ann", "1.txt"), ("eve", "5a.txt")):
        (tmp_path / "teams" / team).mkdir(parents=True)
        (tmp_path / session).rename(tmp_path / "teams" / team / session)
    assert compete(tmp_path) == []
    shutil.copy(tmp_path / "standings" / "told" / "eve" / "full_disclosure.csv", tmp_path)
    exec(vote, names)
    (tmp_path / "5b.txt").rename(tmp_path / "teams" / "eve" / "5b.txt")
    assert compete(tmp_path) == []
    with (tmp_path / "standings" / "standings.csv").open() as file:
        first = next(
            row for row in csv.DictReader(file) if (row["mechanism"], row["place"]) == ("full_disclosure", "1")
        )
    assert (first["team"], first["final_place"]) == ("eve", "2")
    small = tmp_path / "FOLDER"
    small.mkdir()
    (small / "labels.txt").write_text("0110100011010\nppppppppppppf\n")
    exec(ranks, {})
    assert capsys.readouterr().out[:12] == "011010001101"
