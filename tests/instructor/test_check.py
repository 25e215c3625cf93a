"""`python -m instructor check` notices what it is there to notice."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from small_sets import PROOF, case, question, solution, write

from instructor import __main__ as command_line
from instructor import naive
from instructor.check import check_grading, check_set, check_source, check_unearned
from instructor.generate import assign
from instructor.grading import Autograder
from instructor.limits import Limits
from instructor.sources import choose, read_set, sources


def failures(findings):
    return [line for passed, line in findings if not passed]


def test_what_grades_wrongly_is_reported(write_source, double, tmp_path):
    """One run: a broken reference, points for nothing, tests that say nothing, wrong answers that nobody rejects."""
    right = "# Doubles after all.\ndef double(x):\n    return 2 * x"
    crashes = "# Misspelt.\ndef half(x):\n    return y / 2"
    source = write_source(
        *question("q1", **double | {"wrong": [double["wrong"][0], right]}),
        *question(
            "q2",
            answer=solution("half", "x / 2 if x < 5 else 0"),
            visible=case("half", "four", "half(4) * 2 == 4"),
            hidden=case("half", "ten", "half(10) == 5, 'ten'", hidden=True),
            wrong=["# Hangs.\ndef half(x):\n    while True:\n        pass", crashes],
        ),
        *question(
            "q3",
            answer=solution("nothing", "None if x else x"),
            visible=case("nothing", "none", "nothing is None or nothing(1) is None"),
            hidden=case("nothing", "zero", "not nothing(0), 'zero'", hidden=True),
            wrong=["# Itself.\ndef nothing(x):\n    return x", "# None.\ndef nothing(x):\n    return None"],
        ),
    )
    reported = failures(check_set(source, committed=tmp_path, limits=Limits(seconds=2)))
    assert "make exercises" in reported.pop(0)
    assert reported == [
        "the reference solution gets 4 of 6 points: q1 2 of 2, q2 0 of 2, q3 2 of 2",
        "the unsolved release gets 2 of 6 points: q1 0 of 2, q2 0 of 2, q3 2 of 2",
        "visible tests say what is missing: not so, q2 (TypeError: unsupported operand type(s) for *: "
        "'NoneType' and 'int')",
        "q1, wrong answer: Doubles after all. NO hidden test rejects it",
        "q1 has NO wrong answer that a visible test recognises",
        "q2, wrong answer: Hangs. NO hidden test rejects it",
        "q2, wrong answer: Misspelt. NO hidden test rejects it",
        "q2 has NO wrong answer that a visible test recognises",
        "q3, wrong answer: Itself. NO hidden test rejects it",
        "q3, wrong answer: None. NO hidden test rejects it",
    ]


@pytest.mark.parametrize(
    ("answer", "hidden", "said"),
    [
        ("x + x + 0 * x", "double(3) > 0", "an answer that returns True earns 2 of 2 points"),
        ("x + x + 0 * x", "double(3) > 1 and double(7)", "an answer that returns x earns 2 of 2 points"),
        ("x + x + 0 * x", "double(2) == 4", "always what the first visible test wants earns 2 of 2 points"),
        ("lambda y: x + y", "double(3)(8) == 4", "always what the first visible test wants earns 2 of 2 points"),
        (
            "lambda y: x + y",
            "double(3)(0) == 7 - double(2)(2)",
            "returns what the visible tests want earns 2 of 2 points",
        ),
        ("lambda y: x + y", "double(3)(8) == 11", "an answer that knows nothing earns 0 of 2 points"),
        ("x + x + 0 * x", "double(3) == 6", "an answer that knows nothing earns 0 of 2 points"),
        (
            "[x, 4, x + x]",
            "len(double(3)) == 3 and max(abs(a - b) for a, b in zip(double(3), (3, 4, 6), strict=True)) < 1",
            "is right but returns NaN after the first entry, always, earns 2 of 2 points",
        ),
        (
            "[x, 4, x + x]",
            "all(abs(a - b) < 1 for a, b in zip(double(3), (3, 4, 6), strict=True))",
            "an answer that knows nothing earns 0 of 2 points",
        ),
        (
            "[x, 4, x + x]",
            "len(double(9)) == 3 and all(a in (3, 4, 6) for a in double(3))",
            "is right but returns an array without rows, after half of the calls, earns 2 of 2 points",
        ),
        ("x + x + 0 * x", "next(n for n in iter(int, 1) if double(n)) == 1", "knows nothing earns 0 of 2 points"),
    ],
)
def test_what_is_not_earned_is_reported(write_source, double, tmp_path, monkeypatch, answer, hidden, said):
    """A constant, an argument, what a visible test shows, also of a function; a test that takes for ever is failed."""
    monkeypatch.setattr(naive, "SECONDS", 1)
    visible = "double(2)(2) == 4 and double(3)(0) == 3, 'two'" if "lambda" in answer else "double(2) == 4, 'two'"
    visible = "list(double(2)) == [2, 4, 4], 'two'" if "[" in answer else visible
    cells = question(
        "q1",
        answer=solution("double", answer),
        visible=case("double", "two", visible),
        hidden=case("double", "three", f"{hidden}, 'three'", hidden=True),
        wrong=[],
    )
    cells[0].source += "\nall_or_nothing: false"  # else no test is as weak as all of them together
    exercises = read_set(write_source(*cells))
    (autograder,) = (assign(exercises, tmp_path) / "autograder").glob("*.zip")
    ((passed, line),) = check_unearned(exercises, Autograder.read(autograder))
    assert line.endswith(said)
    assert passed == ("knows nothing" in said)


def test_a_question_is_earned_whole(write_source, double, tmp_path):
    """Unless its hidden tests are declared to be parts, a wrong answer that passes one of two earns nothing."""
    cells = question("q1", **double | {"hidden": case("double", "one", "double(1) == 2, 'one'", hidden=True)})
    cells.insert(8, new_code_cell(case("double", "nine", "double(9) == 18, 'nine'", hidden=True)))
    wrong = "# Right for small numbers.\ndef double(x):\n    return min(2 * x, 4)"
    cells[-2].source = wrong
    assert not failures(check_graded(cells, write_source, tmp_path / "whole"))
    cells[0].source += "\nall_or_nothing: false"
    assert not failures(check_graded(cells, write_source, tmp_path / "parts"))
    (said,) = failures(check_graded(cells, write_source, tmp_path / "slip", whole=True))
    assert said == "q1, wrong answer: Right for small numbers. It earns 1 of 2 points"


def check_graded(cells, write_source, folder, *, whole=None):
    folder.mkdir()
    exercises = read_set(write_source(*cells))
    made = assign(exercises, folder)
    exercises.questions[0].whole = exercises.questions[0].whole if whole is None else whole
    return check_grading(exercises, made)


def test_a_sound_source_passes(write_source, double):
    assert not failures(check_source(read_set(write_source(*question("q1", **double)))))


@pytest.mark.parametrize(
    ("part", "value", "complaint"),
    [
        ("hidden", "# HIDDEN\nassert double(3) == 6", "a cell that should define a function does not: '# HIDDEN"),
        ("answer", "double = 3", "a cell that should define a function does not: 'double = 3'"),
        ("wrong", ["# Misspelt.\ndef double(x:", "# None."], "was never closed"),
    ],
)
def test_what_is_no_question_is_refused(monkeypatch, capsys, write_source, double, part, value, complaint):
    """With one line that quotes the cell."""
    assert run(monkeypatch, "check", write_source(*question("q1", **double | {part: value}))) == 2
    assert complaint in capsys.readouterr().err


def test_a_leaking_release_is_reported(write_source, double, tmp_path):
    """The solution also stands in the metadata of its cell, which go out with the student notebook."""
    cells = question("q1", **double)
    (answer,) = (cell for cell in cells if "# BEGIN SOLUTION NO PROMPT" in cell.source)
    answer.metadata["note"] = "return x + x + 0 * x"
    _, reported = failures(check_set(write_source(*cells), committed=tmp_path))
    assert reported == "given away in student/small/small.ipynb: return x + x + 0 * x"


@pytest.mark.parametrize(
    ("part", "value", "complaint"),
    [
        ("wrong", ["# Zero.\ndef double(x):\n    return 0"], "1 wrong answers"),
        ("wrong", ["def double(x):\n    return 0"] * 2, "without its comment"),
        ("hidden", case("double", "seen", "double(3) == 6"), "0 hidden tests"),
        ("visible", "# Visible\ndef test_two(double):\n    assert double(2) == 4", "# Visible"),
        ("visible", case("double", "two", "double(2) == 4").replace("The grid", "The net"), "The net"),
        ("visible", case("double", "two", "double(2) == 4").replace("ladder", "snake"), "snake"),
        ("hidden", case("double, env", "env", "double(3) == 6", hidden=True), "['env']"),
        (
            "hidden",
            "# HIDDEN\ndef test_library(double):\n    import leaderboard_edu as le\n    assert le",
            "['leaderboard_edu']",
        ),
        (
            "hidden",
            "# HIDDEN\ndef test_library(double):\n    assert __import__('leaderboard_edu')",
            "['__import__']",
        ),
        ("answer", solution("double", "2 * other(x)"), "['other']"),
    ],
)
def test_a_faulty_source_is_reported(write_source, double, part, value, complaint):
    other = question(
        "q2",
        answer=solution("other", "x"),
        visible=case("other", "one", "other(1) == 1"),
        hidden=case("other", "two", "other(2) == 2", hidden=True),
        wrong=["# Zero.\ndef other(x):\n    return 0", "# One.\ndef other(x):\n    return 1"],
    )
    source = write_source(*question("q1", **double | {part: value}), *other)
    (reported,) = failures(check_source(read_set(source)))
    assert reported.startswith("q1 ")
    assert complaint in reported


def test_a_wrong_answer_to_no_question_is_refused(write_source, double):
    cells = question("q1", **double)
    with pytest.raises(ValueError, match="a wrong answer to q1 must come after that question"):
        read_set(write_source(cells[-1], *cells[:-1]))


def test_a_source_that_otter_refuses_is_reported(write_source, double, tmp_path):
    cells = question("q1", **double)
    cells.pop(9)
    (reported,) = failures(check_set(write_source(*cells, *question("q2", **double)), committed=tmp_path))
    assert "otter refused small" in reported


def run(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["instructor", *map(str, arguments)])
    return command_line.main()


@pytest.mark.parametrize(("passed", "status"), [(True, 0), (False, 1)])
def test_the_exit_status_tells(monkeypatch, capsys, passed, status):
    monkeypatch.setattr(command_line, "check_set", lambda path, committed, jobs: iter([(True, "one"), (passed, "two")]))
    assert run(monkeypatch, "check", "boosting_attack") == status
    assert ("FAIL  two" in capsys.readouterr().out) == (not passed)


def test_sets_beside_each_other_are_told_in_order(monkeypatch, capfd, tmp_path):
    """And what is wrong with one of them is wrong with all."""
    cells = [*PROOF[:3], new_markdown_cell("No more than an answer."), *PROOF[4:]]
    paths = [write(tmp_path / "bare.ipynb", *cells), write(tmp_path / "sound.ipynb", *PROOF)]
    assert run(monkeypatch, "check", *paths) == 1
    lines = capfd.readouterr().out.splitlines()
    assert [line for line in lines if line in ("bare", "sound")] == ["bare", "sound"]
    fault = "  FAIL  q4 has a model answer and a rubric"
    assert lines.index("bare") < lines.index(fault) < lines.index("sound")
    assert [lines.count(fault), lines[-1]] == [1, "1 failure"]


@pytest.mark.parametrize("arguments", [("check", "no_such_set"), ("release", "no_such_set", "out")])
def test_an_unknown_set_is_refused(monkeypatch, capsys, arguments):
    assert run(monkeypatch, *arguments) == 2
    assert "no exercise set no_such_set; the book has boosting_attack, " in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("check", "exam/one.ipynb"), ("release", "exam/one.ipynb", "out")])
def test_a_missing_source_of_ones_own_is_named(monkeypatch, capsys, arguments):
    assert run(monkeypatch, *arguments) == 2
    assert "there is no file exam/one.ipynb\n" in capsys.readouterr().err


def test_release_looks_at_its_arguments_before_it_checks(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(command_line, "check_set", lambda *_: pytest.fail("checked"))
    (tmp_path / "file").touch()
    (tmp_path / "boosting_attack-key.ipynb").touch()
    for out, more, said in [
        (tmp_path, (), "boosting_attack-key.ipynb: already there"),
        (tmp_path / "file", (), f"{tmp_path / 'file'} is not a folder"),
        (tmp_path / "new", ("--book", "nonsense"), "must begin with http:// or https://, but is nonsense"),
    ]:
        assert run(monkeypatch, "release", "boosting_attack", out, *more) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "said"), [("\npoints: 2", "no points"), ("\nname: q1\npoints: 2", "no name and no points")]
)
def test_a_question_without_its_keys_is_refused(write_source, double, old, said):
    cells = question("q1", **double)
    cells[0].source = cells[0].source.replace(old, "")
    with pytest.raises(ValueError, match=f"^small.ipynb: the cell '# BEGIN QUESTION.* gives {said}$"):
        read_set(write_source(*cells))


def test_a_source_of_ones_own_is_checked(monkeypatch, capsys, write_source, double):
    """Nothing made from it is committed in the book."""
    source = write_source(*question("q1", **double))
    assert run(monkeypatch, "check", source) == 0
    assert run(monkeypatch, "release", source, source.parent / "out") == 0
    assert "committed" not in capsys.readouterr().out
    assert (source.parent / "out" / "small-autograder.zip").exists()


def test_chosen_questions_are_released(monkeypatch, capsys, write_source, double, tmp_path):
    """Those alone; what is there stays, unless it is to be replaced."""
    other = {part: value.replace("double", "twice") for part, value in double.items() if part != "wrong"}
    wrong = [source.replace("double", "twice") for source in double["wrong"]]
    source = write_source(*question("q1", **double), *question("q2", **other, wrong=wrong))
    assert run(monkeypatch, "release", source, tmp_path / "out", "--questions", "q2") == 0
    assert [path.name for path in (tmp_path / "out" / "small" / "tests").glob("*.py")] == ["q2.py"]
    assert "double" not in (tmp_path / "out" / "small" / "small.ipynb").read_text()
    assert "double" not in (tmp_path / "out" / "small-key.ipynb").read_text()
    assert [*Autograder.read(tmp_path / "out" / "small-autograder.zip").answers()] == ["twice"]
    monkeypatch.setattr(command_line, "check_set", lambda path, committed, jobs: iter([(True, "as before")]))
    assert run(monkeypatch, "release", source, tmp_path / "out") == 2
    assert "--replace puts the new release in its place" in capsys.readouterr().err
    assert run(monkeypatch, "release", source, tmp_path / "out", "--replace", "--questions", "q1") == 0
    assert [path.name for path in (tmp_path / "out" / "small" / "tests").glob("*.py")] == ["q1.py"]
    assert run(monkeypatch, "release", source, tmp_path / "out", "--replace", "--questions", " q1, q2 ") == 0
    assert run(monkeypatch, "release", source, tmp_path / "out", "--questions", "q2,q7") == 2
    assert "small has no q7; it has q1, q2" in capsys.readouterr().err


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_some_questions_are_not_said_to_be_six(path, tmp_path):
    text = choose(path, ["q1"], tmp_path).read_text()
    assert "five questions in code" in path.read_text()
    assert "five questions" not in text
    assert "get harder" not in text


def test_a_set_that_grades_wrongly_is_not_released(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(command_line, "check_set", lambda path, committed, jobs: iter([(False, "broken")]))
    assert run(monkeypatch, "release", "boosting_attack", tmp_path / "out") == 1
    assert "NOT RELEASED" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
