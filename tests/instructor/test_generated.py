"""The files for readers come from the source, work where they lie, and give nothing away."""

import math
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from instructor.check import check_committed
from instructor.generate import assign, generated, to_chapter
from instructor.secrets import given_away
from instructor.sources import EXERCISES, read_set, sources

PAGE = Path("pages/boosting_attack.md")
NOTEBOOK = Path("student/boosting_attack/boosting_attack.ipynb")
TEST = Path("student/boosting_attack/tests/q4.py")


@pytest.fixture(scope="module", params=sources(), ids=lambda path: path.stem)
def exercises(request):
    return read_set(request.param)


@pytest.fixture(scope="module")
def files(exercises, tmp_path_factory):
    return generated(exercises, assign(exercises, tmp_path_factory.mktemp("first")))


def test_committed_files_are_what_the_source_gives(exercises, files):
    assert check_committed(files, exercises.name, EXERCISES)[0]


def test_generating_again_gives_the_same_bytes(exercises, files, tmp_path):
    assert generated(exercises, assign(exercises, tmp_path)) == files


@pytest.mark.parametrize("damage", ["change", "remove", "add"])
def test_a_difference_from_the_source_is_noticed(exercises, files, tmp_path, damage):
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert check_committed(files, exercises.name, tmp_path)[0]
    test = tmp_path / "student" / exercises.name / "tests" / "q1.py"
    if damage == "change":
        test.write_text(test.read_text().replace("assert", "assert True or", 1))
    elif damage == "remove":
        test.unlink()
    else:
        test.with_name("q99.py").write_text("")
    assert not check_committed(files, exercises.name, tmp_path)[0]


def test_nothing_is_given_away(exercises, files):
    assert [line for path, text in files.items() for line in given_away(exercises, path, text)] == []


def test_numbers_in_the_words_of_a_solution():
    """Those of the competition's set follow from its answer to the third question, and from the bounds of the proof."""
    questions = read_set(EXERCISES / "real_competition.ipynb").questions
    text, answer, words = (getattr(questions[2], part)[0].source for part in ("text", "answer", "words"))
    one, other, both, size, n = 130, 110, 2000, 12_000, 3600
    assert f"{size:,}\nrows, {n:,} of them public, with {one}, {other} and {both:,} mistakes" in text
    exec(answer, scope := {"np": np, "math": math})
    lead, unrelated = scope["lead_errors"](one, other, both, size, n)
    assert f"of the lead is {lead:.4f}, and it would be {unrelated:.4f} for unrelated files" in words
    assert [round((wrong + both) / size, 2) for wrong in (one, other)] == [0.18, 0.18]
    assert (one + other) * 50 == size
    proof = "".join(cell.source for cell in questions[5].answer)
    m, d = 9, 0.02
    alike, any_files = math.sqrt(2 * d * math.log(m) / n), math.sqrt(math.log(m) / (2 * n))
    said = f"$n = {n}$, $m = {m}$ and $d = {d}$ the two bounds of part 3 are {alike:.4f} and {any_files:.4f}."
    assert said in proof
    factor = math.ceil(10 * 4 * math.sqrt(math.log(2))) / 10
    assert f"$4 \\sqrt{{\\ln 2}} < {factor}$" in proof
    assert f"a factor of at most {factor}" in questions[5].text[0].source


def lines_that_tell():
    """Return a name, a path and a line that must not be in that file."""
    one = next(path for path in sources() if path.stem == "boosting_attack")
    q4, q6 = read_set(one).questions[3], read_set(one).questions[5]
    solution = next(line for line in q4.answer[0].source.split("\n") if "betainc(half" in line).strip()
    wrong = next(line for line in q4.wrong[2].source.split("\n") if "inv_cdf" in line).strip()
    hidden = next(line for line in q4.hidden[0].source.split("\n") if "values = [" in line).strip()
    words = q4.words[0].source.split("\n")[0]
    proof = next(line for line in q6.answer[0].source.split("\n") if "bijection" in line)
    yield from [(f"solution in {path.name}", path, solution) for path in (NOTEBOOK, TEST)]
    yield from [(f"words in {path.name}", path, words) for path in (NOTEBOOK, TEST)]
    yield from [(f"proof in {path.name}", path, proof) for path in (NOTEBOOK, TEST)]
    yield from [(f"wrong answer in {path.name}", path, wrong) for path in (PAGE, NOTEBOOK, TEST)]
    yield from [(f"hidden test in {path.name}", path, hidden) for path in (PAGE, NOTEBOOK, TEST)]


@pytest.mark.parametrize(("path", "line"), [pytest.param(*rest, id=name) for name, *rest in lines_that_tell()])
def test_a_planted_line_is_found(path, line):
    exercises = read_set(EXERCISES / "boosting_attack.ipynb")
    text = (EXERCISES / path).read_text()
    if path == NOTEBOOK:
        notebook = nbformat.reads(text, as_version=4)
        notebook.cells[4]["source"] += f"\n{line}"
        text = nbformat.writes(notebook)
    else:
        text += f"\n  {line.replace(chr(39), chr(34))}\n"
    assert given_away(exercises, path, text)


def test_the_page_shows_each_part(exercises, files):
    page = files[Path("pages") / f"{exercises.name}.md"]
    assert page.count(":::{dropdown}") == len(exercises.questions)
    assert "{code-cell}" not in page
    assert "SOLUTION" not in page
    assert f"book/exercises/student/{exercises.name}/{exercises.name}.ipynb`{{.student-notebook}}" in page
    for question in exercises.questions:
        shown, _, folded = page.partition(question.text[0].source)[2].partition("::::{dropdown}")
        assert f"*{question.points} points.*" in shown
        assert question.answer[-1].source.split("\n")[-2].strip() in folded.split("::::")[0]
        assert all(cell.source in folded.split("::::")[0] for cell in question.words)


def test_the_student_notebook_works_in_its_folder(tmp_path):
    """With the first question answered, its check passes, and the others say what is wrong."""
    folder = tmp_path / "boosting_attack"
    shutil.copytree(EXERCISES / NOTEBOOK.parent, folder, ignore=shutil.ignore_patterns(".OTTER_LOG"))
    notebook = nbformat.read(folder / NOTEBOOK.name, as_version=4)
    answer = read_set(EXERCISES / "boosting_attack.ipynb").questions[0].answer[0].source
    (stub,) = (cell for cell in notebook.cells if cell.source.startswith("def right_vote"))
    stub["source"] = answer
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(folder)}}).execute()
    said = {cell.source: cell.outputs[0].data for cell in notebook.cells if cell.source.startswith("grader.check(")}
    assert said.pop('grader.check("q1")')["text/plain"] == "q1 results: All test cases passed!"
    assert len(said) == 4
    for shown in said.values():
        assert "AssertionError: " in shown["text/plain"]
        assert to_chapter("boosting_attack", "").partition("#")[0] in shown["text/html"]
