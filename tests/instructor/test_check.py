"""`python -m instructor check` notices what it is there to notice."""

import pytest
from small_sets import case, question, solution

from instructor import __main__ as command_line
from instructor.check import check_set, check_source
from tools.exercises import read_set


def failures(findings):
    return [line for passed, line in findings if not passed]


def test_what_grades_wrongly_is_reported(write_source, double, tmp_path):
    """One run: a wrong answer that is right, a broken reference, points for nothing, useless wrong answers."""
    right = "# Doubles after all.\ndef double(x):\n    return 2 * x"
    crashes = "# Misspelt.\ndef half(x):\n    return y / 2"
    source = write_source(
        *question("q1", **double | {"wrong": [double["wrong"][0], right]}),
        *question(
            "q2",
            answer=solution("half", "x / 2 if x < 5 else 0"),
            visible=case("half", "four", "half(4) == 2"),
            hidden=case("half", "ten", "half(10) == 5, 'ten'", hidden=True),
            wrong=["# Floors.\ndef half(x):\n    return 2", crashes],
        ),
        *question(
            "q3",
            answer=solution("nothing", "None if x else x"),
            visible=case("nothing", "none", "nothing is None or nothing(1) is None"),
            hidden=case("nothing", "zero", "nothing(0) == 0, 'zero'", hidden=True),
            wrong=["# Itself.\ndef nothing(x):\n    return x", "# None.\ndef nothing(x):\n    return None"],
        ),
    )
    reported = failures(check_set(source, committed=tmp_path))
    assert "make exercises" in reported.pop(0)
    assert reported == [
        "the reference solution gets 5 of 6 points: q1 2 of 2, q2 1 of 2, q3 2 of 2",
        "the unsolved release gets 1 of 6 points: q1 0 of 2, q2 0 of 2, q3 1 of 2",
        "q3, wrong answer: Itself. NO hidden test rejects it",
        "q1, wrong answer: Doubles after all. NO hidden test rejects it",
        "q2, wrong answer: Misspelt. NO hidden test rejects it",
    ]


def test_a_sound_source_passes(write_source, double):
    assert not failures(check_source(read_set(write_source(*question("q1", **double)))))


@pytest.mark.parametrize(
    ("part", "value", "complaint"),
    [
        ("wrong", ["# Zero.\ndef double(x):\n    return 0"], "1 wrong answers"),
        ("wrong", ["def double(x):\n    return 0"] * 2, "without its comment"),
        ("hidden", case("double", "seen", "double(3) == 6"), "0 hidden tests"),
        ("hidden", case("double, env", "env", "double(3) == 6", hidden=True), "['env']"),
        (
            "hidden",
            "# HIDDEN\ndef test_library(double):\n    import leaderboard_edu as le\n    assert le",
            "['leaderboard_edu']",
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


@pytest.mark.parametrize(("passed", "status"), [(True, 0), (False, 1)])
def test_the_exit_status_tells(monkeypatch, capsys, passed, status):
    monkeypatch.setattr("sys.argv", ["instructor", "check", "boosting_attack"])
    monkeypatch.setattr(command_line, "check_set", lambda path: iter([(True, "one"), (passed, "two")]))
    assert command_line.main() == status
    assert ("FAIL  two" in capsys.readouterr().out) == (not passed)


def test_an_unknown_set_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["instructor", "check", "no_such_set"])
    with pytest.raises(SystemExit, match="2"):
        command_line.main()
    assert "no exercise set no_such_set" in capsys.readouterr().err
