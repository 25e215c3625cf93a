"""What a release holds: all that students and graders need, and nothing that students should not see."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from otter.api import grade_submission

from instructor.grading import Autograder, grade
from instructor.release import release
from instructor.secrets import given_away
from instructor.sources import EXERCISES, ROOT, read_set

SOURCE = EXERCISES / "boosting_attack.ipynb"
BOOK = "https://example.org/reliable-leaderboards/"


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return release(SOURCE, tmp_path_factory.mktemp("released"), BOOK)


@pytest.fixture(scope="module")
def solved(released, tmp_path_factory):
    """The student notebook of the release with the reference answers, but a wrong one to q2 and none to q5."""
    notebook = nbformat.read(released[0] / f"{SOURCE.stem}.ipynb", as_version=4)
    q1, q2, q3, q4, *_ = read_set(SOURCE).questions
    answers = {question.answer[0].id: question.answer[0].source for question in (q1, q2, q3, q4)}
    answers[q2.answer[0].id] = q2.wrong[0].source
    for cell in notebook.cells:
        cell["source"] = answers.get(cell.id, cell.source)
    path = tmp_path_factory.mktemp("solved") / f"{SOURCE.stem}.ipynb"
    nbformat.write(notebook, path)
    return path


def test_otter_and_our_grader_agree(released, solved):
    """The zip is graded by otter itself, as on Gradescope, and by `instructor grade`: same tests, same points."""
    _, autograder, _ = released
    theirs = grade_submission(str(solved), str(autograder), quiet=True)
    ((_, ours),) = grade([solved], Autograder.read(autograder))
    assert ours.status == "graded"
    for name, question in ours.questions.items():
        results = theirs.results[name].test_case_results
        assert [case.passed for case in question.cases] == [result.passed for result in results]
        assert question.points == pytest.approx(theirs.results[name].score, abs=1e-4)
        assert question.possible == pytest.approx(theirs.results[name].possible, abs=1e-4)
    shares = [question.points / question.possible for question in ours.questions.values()]
    assert shares == [1, 0, 1, 1, 0]
    assert any(case.hidden and case.passed for case in ours.questions["q2"].cases)


def test_the_zip_has_what_gradescope_runs(released):
    with zipfile.ZipFile(released[1]) as archive:
        names = set(archive.namelist())
        environment = archive.read("environment.yml").decode()
        questions = json.loads(archive.read("questions.json"))
    assert {"setup.sh", "run_autograder", "run_otter.py", "otter_config.json", "environment.yml"} <= names
    assert {f"tests/q{i}.py" for i in range(1, 6)} <= names
    assert "files/leaderboard_edu/__init__.py" in names
    assert "leaderboard-edu" not in environment  # it is on no package index, so it travels along
    for package in ("numpy", "scipy", "otter-grader"):
        assert f"- {package}==" in environment
    assert [question["manual"] for question in questions] == [False] * 5 + [True]


def test_the_student_folder_works_alone(released, tmp_path):
    """Its library is imported from it, not from this clone."""
    shutil.copytree(released[0], tmp_path / "home")
    code = "import leaderboard_edu as le; print(le.__file__); print(le.hoeffding(0.1, n=100))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "home", capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.splitlines()[0]).is_relative_to(tmp_path / "home")
    assert ROOT not in Path(done.stdout.splitlines()[0]).parents


def test_students_get_no_secret(released):
    exercises = read_set(SOURCE)
    texts = {path.relative_to(released[0]): path.read_text() for path in released[0].rglob("*") if path.is_file()}
    student = {Path("student") / path: text for path, text in texts.items() if "leaderboard_edu" not in path.parts}
    assert len(student) == 6
    assert [line for path, text in student.items() for line in given_away(exercises, path, text)] == []


@pytest.mark.parametrize("book", [BOOK, None])
def test_feedback_leads_to_the_book(released, tmp_path, book):
    student = released[0] if book else release(SOURCE, tmp_path)[0]
    tests = "".join(path.read_text() for path in (student / "tests").glob("*.py"))
    if book:
        assert f"See <a href='{BOOK}book/boosting_attack.html#" in tests
    else:
        assert "in the chapter “The boosting attack”." in tests
        assert "href" not in tests
    assert "../" not in tests


def test_the_key_has_the_answers(released):
    key = "\n".join(cell.source for cell in nbformat.read(released[2], as_version=4).cells)
    for question in read_set(SOURCE).questions:
        for cell in question.answer + question.words + question.hidden + question.wrong:
            assert cell.source in key
    assert "for teachers only" in key


def test_the_key_earns_full_marks(released):
    _, autograder, key = released
    ((_, report),) = grade([key], Autograder.read(autograder))
    assert report.status == "graded"
    assert all(question.points == question.possible for question in report.questions.values())
    assert nbformat.read(key, as_version=4).metadata.otter.assignment_name == SOURCE.stem


def test_a_release_is_the_same_to_the_byte(released, tmp_path):
    again = release(SOURCE, tmp_path, BOOK)
    for first, second in zip(released[1:], again[1:], strict=True):
        assert first.read_bytes() == second.read_bytes()
    for path in released[0].rglob("*.py"):
        assert path.read_bytes() == (again[0] / path.relative_to(released[0])).read_bytes()


def test_nothing_is_overwritten(released):
    before = released[1].read_bytes()
    with pytest.raises(ValueError, match="already there; --replace puts"):
        release(SOURCE, released[0].parent)
    assert released[1].read_bytes() == before


def test_an_address_that_is_none_is_refused(tmp_path):
    with pytest.raises(ValueError, match="must begin with http:// or https://, but is nonsense"):
        release(SOURCE, tmp_path / "out", "nonsense")
    assert not (tmp_path / "out").exists()
