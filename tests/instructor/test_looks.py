"""The column *look* names what is there, and nothing in notebooks as they are handed out and solved."""

import nbformat
import pytest
from hostile import as_cell, as_text
from test_boundary import CLOSURE, EQUAL, FRAMES, GC, MEMORY

from instructor.limits import Limits
from instructor.look import looks
from instructor.release import answer_key
from instructor.sources import EXERCISES, read_set, sources

LONG = """def f(x):
    '''{}'''
    total = 0  # {}
    for i in range(x):
        total += {} * i ** 2 - i
        if total > 3 * x:
            total = total / 2 - i + x
        elif total < -3 * x:
            total = total / 5 + i - x
        else:
            total = (total + i) * (total - i)
    return total / x + 1"""


def found(tmp_path, *notebooks, answers=None):
    """Return what is said of notebooks of some cells each, in their order."""
    files = {}
    for number, cells in enumerate(notebooks):
        path = tmp_path / f"{number}.ipynb"
        path.write_text(as_text([as_cell(code) for code in cells]))
        files[path.name] = (path, path.read_text())
    return list(looks(files, answers or {"f": "q1"}, Limits()).values())


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (GC, "uses gc"),
        (CLOSURE, "uses __closure__, __defaults__"),
        (FRAMES, "uses _getframe"),
        (EQUAL, "uses __eq__"),
        (MEMORY, "uses /proc"),
        ("from ctypes import CDLL", "uses ctypes"),
        ("x = __import__('ins' 'pect')\ngetattr(x, 'inspect')", "uses inspect"),
        ("this is (no Python, import gc", "uses gc"),
        ("# gc and inspect\ngcd = 1\ninspection = '/process'", ""),
    ],
)
def test_words(tmp_path, code, said):
    assert found(tmp_path, [code]) == [said]


def test_the_same_answer(tmp_path):
    """Whatever its docstring and its comments; another number makes it another answer, and short ones do not count."""
    first, second = LONG.format("Mine.", "sum up", 3), LONG.format("My own.", "adds", 3)
    short = "def f(x):\n    return [" + 30 * "x, " + "x]"
    said = found(tmp_path, [first], ["1", second], [LONG.format("Mine.", "sum up", 4)], [short], ["2", short])
    assert said == ["q1 as in 1.ipynb", "q1 as in 0.ipynb", "", "", ""]


def test_all_answers_together(tmp_path):
    """Short ones that are all the same; what is as it was handed out is no answer, and one that differs is enough."""
    short = ["def f(x):\n    return [" + 15 * "x, " + "x]", "def g(x):\n    return [" + 15 * "x, " + "x]"]
    left = [f"def {name}(x):\n    'Return x.'\n    ..." for name in "fghijklmnopqrst"]
    other = [short[0], short[1].replace("x]", "x + 1]")]
    answers = {name: f"q{name}" for name in "fghijklmnopqrst"}
    notebooks = [short, ["# mine", *reversed(short)], other, [short[0], *left[1:]], ["1", short[0], *left[1:]]]
    said = found(tmp_path, *notebooks, answers=answers)
    assert said == ["all answers as in 1.ipynb", "all answers as in 0.ipynb", "", "", ""]


def test_the_same_file(tmp_path):
    said = found(tmp_path, ["1"], ["1"], ["2"], ["1"])
    assert said == [f"the same file as in {other}.ipynb and 1 more" for other in (1, 0)] + [
        "",
        "the same file as in 0.ipynb and 1 more",
    ]


def test_the_books_own_notebooks_need_no_look(tmp_path):
    """Neither unsolved nor solved."""
    answers, files = {}, {}
    for source in sources():
        questions = [question for question in read_set(source).questions if not question.manual]
        answers |= {question.answer[0].source.partition("def ")[2].partition("(")[0]: "q" for question in questions}
        nbformat.write(answer_key(source), tmp_path / source.name)
        for path in (tmp_path / source.name, EXERCISES / "student" / source.stem / source.name):
            files[str(path)] = (path, str(path))
    assert set(looks(files, answers, Limits()).values()) == {""}
