"""A notebook cannot earn points by what it does to the grader: its code and the tests are in two processes."""

import re
from pathlib import Path

import pytest
from hostile import SUBMISSIONS, as_cell, as_text
from small_sets import case, question, solution, write

from instructor import confine, seccomp
from instructor.examiner import WITHHELD
from instructor.feedback import feedback_page
from instructor.grading import Autograder, grade
from instructor.limits import Limits
from instructor.release import release
from instructor.sources import ROOT

SECRET = "7 of the hidden labels"
RIGHT = {
    "double": "def double(x):\n    return 2 * x",
    "read": "def read(submit):\n    return [submit([int(i == j) for j in range(3)]) for i in range(3)]",
    "board": "def board(labels):\n    return lambda guess: sum(a != b for a, b in zip(labels, guess))",
}
HIDDEN_READ = f"""# HIDDEN
def test_labels(read):
    labels = [0, 1, 1]

    def submit(guess):
        assert len(guess) == 3, "{SECRET}, and the length"
        return sum(a * b for a, b in zip(guess, labels))

    assert read(submit) == labels, "{SECRET}"
"""
HIDDEN_BOARD = f"""# HIDDEN
def test_board(board):
    shown = board([0, 1, 1])
    assert shown([1, 1, 1]) == 1, "{SECRET}"
    assert shown([1, 0, 0]) == 3, "{SECRET}"
"""


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    hidden = {
        "double": case("double", "ten", f"double(10) == 20, '{SECRET}'", hidden=True),
        "read": HIDDEN_READ,
        "board": HIDDEN_BOARD,
    }
    visible = {
        "double": "double(2) == 4, 'two'",
        "read": "read(lambda guess: guess[1]) == [0, 1, 0], 'a lambda'",
        "board": "board([0, 1])([0, 0]) == 1, 'one'",
    }
    parts = {"double": "x", "read": "submit", "board": "labels"}
    cells = []
    for number, (name, argument) in enumerate(parts.items(), 1):
        expression = RIGHT[name].partition("return ")[2]
        cells += question(
            f"q{number}",
            answer=solution(name, expression).replace("(x):", f"({argument}):", 1),
            visible=case(name, "seen", visible[name]),
            hidden=hidden[name],
            wrong=[],
        )
    return release(write(folder / "small.ipynb", *cells), folder / "out")[1]


def double(body):
    """Return an answer to the first question with a body."""
    return "def double(x):\n" + "\n".join(f"    {line}" for line in body.split("\n"))


GC = """import gc

for thing in gc.get_objects():
    if getattr(thing, "__name__", "").startswith("test_"):
        thing.__code__ = (lambda *_: None).__code__"""
EQUAL = """class Equal:
    def __eq__(self, other):
        return True

    __hash__ = None

    def __getattr__(self, name):
        return lambda *_: Equal()

    def __call__(self, *_):
        return Equal()

    def __array__(self, *_):
        return 20

    __index__ = __int__ = __abs__ = __len__ = lambda self: 20
    __sub__ = __rsub__ = __getitem__ = lambda self, other: Equal()
"""
LESS = """class Less(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__"""
ARRAY = """import numpy as np


class Any(np.ndarray):
    def __eq__(self, other):
        return True

    __hash__ = None"""
SEEK = """import os

found = []
for folder in ("{folder}", "{root}", ".", ".."):
    for place, _, names in os.walk(folder):
        for name in names if "site-packages" not in place else []:
            try:
                text = open(os.path.join(place, name), "rb").read()
            except OSError:
                continue
            if b"hidden labels" in text or name.endswith(".zip"):
                found.append(text[-300:])
raise ValueError(found)"""
VARIABLES = """import os

text = open("/proc/self/environ").read() if os.path.exists("/proc/self/environ") else ""
raise ValueError("kept to myself" in text + str(os.environ), os.environ["HOME"] == os.getcwd())"""
NAMES = """import os

found = []
for folder in ("{folder}", "{root}", "{root}/tests", "/", ".."):
    try:
        found += os.listdir(folder)
    except OSError:
        pass
raise ValueError(found)"""
MEMORY = """import re, os

found = []
for process in filter(str.isdigit, os.listdir("/proc")):
    try:
        maps = open(f"/proc/{process}/maps").read() if process != os.readlink("/proc/self") else ""
        memory = open(f"/proc/{process}/mem", "rb") if maps else None
        for low, high in re.findall(r"^(\\w+)-(\\w+) rw", maps, flags=re.M):
            memory.seek(int(low, 16))
            found += re.findall(rb"7 of the hidden.{40}", memory.read(int(high, 16) - int(low, 16)))
    except (OSError, ValueError, OverflowError):
        pass
raise ValueError(found)"""
REACH = """import ctypes, os, resource, socket, subprocess

libc = ctypes.CDLL(None)
stage = os.getppid()
place = b"{folder}/mine"


def mode():
    if libc.chmod(place, 0) or os.stat(place).st_mode & 0o777 == 0:
        return
    raise OSError


def keeps():
    if libc.shmget(0x7E57, 4096, 0o1600) < 0:
        raise OSError


tries = {
    "mode": mode,
    "limits": lambda: resource.prlimit(stage, resource.RLIMIT_NPROC, resource.prlimit(stage, resource.RLIMIT_NPROC)),
    "speed": lambda: os.sched_setaffinity(stage, os.sched_getaffinity(stage)),
    "packets": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "desktop": lambda: socket.socket(socket.AF_UNIX),
    "keeps": keeps,
}
reached = []
for name, reach in tries.items():
    try:
        reach()
        reached.append(name)
    except OSError:
        pass
subprocess.run(["true"], check=True)
raise ValueError(reached)"""
LEAVE = """import ctypes, os

name = f"/dev/shm/left-{os.getppid()}"
there = os.path.exists(name)
ctypes.CDLL(None).open(name.encode(), os.O_CREAT | os.O_RDWR, 0o600)
if there:
    raise ValueError("it is still there")"""
GUESSED = f"""raise ValueError('assert read(submit)  ==  labels, "{SECRET}"')"""
CLOSURE = """def read(submit):
    places = [*(submit.__closure__ or ())] + [vars(submit), getattr(submit, "__defaults__", None)]
    for place in places:
        for value in vars(place).values() if hasattr(place, "__dict__") else [place]:
            if isinstance(value, list) and len(value) == 3:
                return value"""
FRAMES = """import sys


def read(submit):
    frame = sys._getframe()
    while frame:
        if "labels" in frame.f_locals:
            return frame.f_locals["labels"]
        frame = frame.f_back"""
ASK_MORE = """def read(submit):
    for name in ("labels", "__closure__", "func", "__globals__"):
        try:
            return getattr(submit, name)
        except Exception:
            pass
    return submit._wire.ask(1, submit._number, ("__closure__",), {})"""
LATER = """kept = []


def read(submit):
    kept.append(submit)
    return [submit([int(i == j) for j in range(3)]) for i in range(3)]


def board(labels):
    return lambda guess: kept[-1](guess)"""
BRING_DOUBLE = """kept = []


def double(x):
    kept.append(x)
    return 2 * x"""
BRING_READ = """def read(submit):
    raise ValueError(f"called with {kept}")"""
LATER_THREAD = """import threading

kept = []


def read(submit):
    def go_on():
        while True:
            try:
                submit([1, 1, 1])
            except BaseException:
                pass

    threading.Thread(target=go_on, daemon=True).start()
    return [submit([int(i == j) for j in range(3)]) for i in range(3)]"""
SWALLOW = """def read(submit):
    try:
        submit([1])
    except BaseException:
        pass
    return [submit([int(i == j) for j in range(3)]) for i in range(3)]"""
LEAK = """def read(submit):
    try:
        submit([1])
    except BaseException as error:
        raise ValueError(f"it says: {error!r} {error.__cause__!r} {error.__traceback__!r}")"""
SELF = """def board(labels):
    def shown(guess):
        return shown

    return shown"""
PING = """def read(submit):
    def length():
        return submit(length)

    class Long(list):
        def __len__(self):
            return submit(self)

    submit(Long())"""
WIRE = """import gc
import struct

import msgpack


def say(*frames):
    for thing in gc.get_objects():
        if type(thing).__name__ == "Wire":
            for frame in frames:
                thing._socket.sendall(frame)


def framed(*message, size=None):
    body = msgpack.packb(list(message))
    return struct.pack("<I", len(body) if size is None else size) + body"""
IMITATE = double("say(framed(2, True, []))\nreturn 5")
DONE = double("say(framed(2, 20, []), framed(2, 20, []), b'{\"finished\": true}\\n')\nreturn 5")
LONG = double("say(framed(2, 1, [], size=2**32 - 1))\nreturn 20")
NOISE = double("import os\nsay(os.urandom(10**6))\nreturn 20")
EXTS = [
    "msgpack.ExtType(9, msgpack.packb([0, 'x']))",  # the first object of the grader's own end
    "msgpack.ExtType(10, msgpack.packb(0))",
    "msgpack.ExtType(10, msgpack.packb(10**6))",
    "msgpack.ExtType(8, msgpack.packb({'bit_generator': '__class__'}))",
    "msgpack.ExtType(7, msgpack.packb(['|O', b'x' * 8]))",
    "msgpack.ExtType(6, b'\\\\xff' * 20)",
    "msgpack.ExtType(3, msgpack.packb('__import__'))",
    "msgpack.ExtType(5, msgpack.packb([1, 0]))",
    "msgpack.ExtType(77, b'')",
]
THREE, BUT_FIRST, BUT_READ, BUT_BOARD = (2, 2, 2), (0, 2, 2), (2, 0, 2), (2, 2, 0)

# name: cells in place of answers or before them, status, points
ATTACKS = {
    "nothing": ({}, "graded", THREE),
    "replaces the tests' code": ({"first": GC, "double": double("return 0")}, "graded", BUT_FIRST),
    "returns what equals everything": ({"first": EQUAL, "double": double("return Equal()")}, "graded", BUT_FIRST),
    "a list that equals everything": (
        {"first": EQUAL, "read": "def read(submit):\n    return Equal()"},
        "graded",
        BUT_READ,
    ),
    "a board that equals everything": (
        {"first": EQUAL, "board": "def board(labels):\n    return Equal()"},
        "graded",
        BUT_BOARD,
    ),
    "a whole number that equals everything": ({"first": LESS, "double": double("return Less()")}, "graded", BUT_FIRST),
    "an array that equals everything": (
        {"first": ARRAY, "double": double("return np.zeros(1).view(Any)")},
        "graded",
        BUT_FIRST,
    ),
    "NaN": ({"double": double("return float('nan')")}, "graded", BUT_FIRST),
    "arrays of NaN": (
        {"double": double("import numpy as np\nreturn np.frombuffer(b'\\xff' * 800)")},
        "graded",
        BUT_FIRST,
    ),
    "a generator that never ends": (
        {"read": "import itertools\n\n\ndef read(submit):\n    return itertools.count()"},
        "graded",
        BUT_READ,
    ),
    "yields for ever": ({"double": double("while True:\n    yield x")}, "graded", BUT_FIRST),
    "a huge array": (
        {"double": double("import numpy as np\nreturn np.zeros(10**8, dtype=np.int8)")},
        "graded",
        BUT_FIRST,
    ),
    "a whole number of millions of digits": ({"double": double("return 1 << 30_000_000")}, "graded", BUT_FIRST),
    "a list of lists of lists": (
        {"double": double("value = []\nfor _ in range(10**6):\n    value = [value]\nreturn value")},
        "graded",
        BUT_FIRST,
    ),
    "a list that holds itself": (
        {"double": double("value = []\nvalue.append(value)\nreturn value")},
        "graded",
        BUT_FIRST,
    ),
    "prints 200 MB": ({"double": double("print('x' * 200_000_000)\nreturn 2 * x")}, "graded", THREE),
    "seeks the tests on the disk": ({"first": SEEK}, "graded", THREE),
    "lists names elsewhere": ({"first": NAMES}, "graded", THREE),
    "looks into the variables of the shell": ({"first": VARIABLES}, "graded", THREE),
    "seeks the tests in memory": ({"first": MEMORY}, "graded", THREE),
    "reaches for what is outside": ({"first": REACH}, "graded", THREE),
    "leaves something for its second try": (
        {"first": LEAVE, "board": "def board(labels):\n    import os\n    os._exit(1)"},
        "partial",
        BUT_BOARD,
    ),
    "raises a line that it has found": ({"first": GUESSED}, "graded", THREE),
    "looks into the closure": ({"read": CLOSURE}, "graded", BUT_READ),
    "looks into the frames": ({"read": FRAMES}, "graded", BUT_READ),
    "asks the other end for attributes": ({"read": ASK_MORE}, "graded", BUT_READ),
    "brings what a hidden test called it with to the next question": (
        {"double": BRING_DOUBLE, "read": BRING_READ},
        "graded",
        (2, 0, 2),
    ),
    "keeps a function and calls it later": ({"read": LATER, "board": None}, "graded", BUT_BOARD),
    "keeps a function and calls it all the time": ({"read": LATER_THREAD}, "graded", THREE),
    "swallows what the board objects to": ({"read": SWALLOW}, "graded", BUT_READ),
    "asks why the board objects": ({"read": LEAK}, "graded", BUT_READ),
    "a board that returns itself": ({"board": SELF}, "graded", BUT_BOARD),
    "calls back from calling back": ({"read": PING}, "graded", BUT_READ),
    "imitates an answer": ({"first": WIRE, "double": IMITATE}, "graded", BUT_FIRST),
    "answers before it is asked": ({"first": WIRE, "double": DONE}, "graded", BUT_FIRST),
    "announces a long message": ({"first": WIRE, "double": LONG}, "partial", BUT_FIRST),
    "noise": ({"first": WIRE, "double": NOISE}, "partial", BUT_FIRST),
    "closes all its files": ({"double": double("import os\nos.closerange(3, 1000)\nreturn 20")}, "partial", BUT_FIRST),
    "floods the other end": (
        {"first": WIRE, "double": double("while True:\n    say(framed(0, 0, [], {}))")},
        "partial",
        BUT_FIRST,
    ),
    "answers from a copy": (
        {"double": double("import os, time\nif not os.fork():\n    return 20\ntime.sleep(1)\nreturn 5")},
        "graded",
        BUT_FIRST,
    ),
    "leaves the answer to a copy": (
        {"double": double("import os\nif os.fork():\n    os._exit(0)\nreturn 20")},
        "partial",
        BUT_FIRST,
    ),
    "an assertion of its own": (
        {"double": double("raise AssertionError('passed: True, points: 2')")},
        "graded",
        BUT_FIRST,
    ),
    **{
        f"bytes that stand for nothing, {number}": (
            {"first": WIRE, "double": double(f"say(framed(2, {ext}, []))\nreturn 20")},
            None,
            BUT_FIRST,
        )
        for number, ext in enumerate(EXTS, 1)
    },
}


@pytest.fixture(scope="module")
def reports(autograder, tmp_path_factory, show):
    """All graded in one batch: the report on each, and the table of what happened, which is printed."""
    folder = tmp_path_factory.mktemp("attacks")
    paths = {}
    (autograder.parent / "mine").write_text("kept")
    for number, (name, (cells, *_)) in enumerate(ATTACKS.items()):
        codes = [cells.get("first"), *(cells.get(name, RIGHT[name]) for name in RIGHT)]
        paths[folder / f"{number}.ipynb"] = name
        text = as_text([as_cell(code) for code in codes if code])
        text = text.replace("{folder}", str(autograder.parent)).replace("{root}", str(ROOT))
        (folder / f"{number}.ipynb").write_text(text)
    with pytest.MonkeyPatch.context() as shell:
        shell.setenv("A_SECRET", "kept to myself")
        batch = grade([*paths], Autograder.read(autograder), limits=Limits(seconds=3, memory=700))
        found = {paths[path]: report for path, report in batch}
    lines = []
    for name in ATTACKS:
        points = [question.points for question in found[name].questions.values()]
        lines.append(f"{name:45} {found[name].status:8} {points} {found[name].note}")
    show("attacks on the boundary between the two processes", lines)
    return found


def test_the_book_counts_them(monkeypatch):
    """Those of both tables, as it parses them; the one that does nothing is no attack."""
    monkeypatch.chdir(ROOT / "book")
    cell = re.search(r"```{code-cell}\n:tags[^\n]*\n(.*?)```", Path("how_it_is_checked.md").read_text(), re.DOTALL)
    exec(cell[1], found := {})
    assert found["hostile"] == {"submissions": str(len(SUBMISSIONS)), "boundary": str(len(ATTACKS) - 1)}


@pytest.mark.parametrize("name", ATTACKS)
def test_no_points_that_are_not_earned(reports, name):
    _, status, points = ATTACKS[name]
    report = reports[name]
    assert report.status == (status or report.status) in ("graded", "partial")
    assert tuple(question.points for question in report.questions.values()) == points


def test_nothing_outside_is_reached_or_left_behind(reports):
    assert reports["looks into the variables of the shell"].errors == {"1": "ValueError: (False, True)"}
    if seccomp.machine():
        assert reports["reaches for what is outside"].errors == {"1": "ValueError: []"}
    assert reports["leaves something for its second try"].errors == {}


def test_nothing_of_the_hidden_tests_is_told(reports):
    """Neither in what a cell raised, nor in what an answer raised while a test ran."""
    for report in reports.values():
        shown = [case.message for question in report.questions.values() for case in question.cases if not case.hidden]
        assert not [text for text in [*shown, *report.errors.values()] if "hidden labels" in text]
    assert reports["raises a line that it has found"].errors == {"1": WITHHELD}
    if confine.version():
        assert reports["seeks the tests on the disk"].errors == {"1": "ValueError: []"}
        assert reports["lists names elsewhere"].errors == {"1": "ValueError: []"}
        assert reports["seeks the tests in memory"].errors == {"1": "ValueError: []"}
    brought = reports["brings what a hidden test called it with to the next question"]
    page = feedback_page("a.ipynb", "0" * 64, brought, {}, None)
    assert "called with [2]" in page  # by the visible test alone
    assert "10" not in brought.questions["q2"].cases[0].message
    assert reports["asks why the board objects"].questions["q2"].cases[1].message == f"{SECRET}, and the length"
