"""Submissions to a small set that do what they should not, and the row that each must get.

The set has three questions in code, `double`, `half` and `triple`, of two points each, and a proof.
"""

import json

from instructor import confine

RIGHT = {
    "double": "def double(x):\n    return 2 * x",
    "half": "def half(x):\n    return x / 2",
    "triple": "def triple(x):\n    return 3 * x",
}
OPENING = 'import otter\n\ngrader = otter.Notebook("small.ipynb")'
ALL, LAST_TWO, NONE = (2, 2, 2), (0, 2, 2), ("", "", "")


def notebook(*first, **answers):
    """Return a notebook as text: cells that come first, and answers in place of the right ones."""
    codes = [OPENING, *first]
    for name, code in (RIGHT | answers).items():
        codes += [code, f'grader.check("{name}")']
    return as_text([as_cell(code) for code in codes if code is not None])


def as_cell(code):
    """Return a code cell as plain data."""
    return {"cell_type": "code", "id": f"c{abs(hash(code))}", "metadata": {}, "source": code, "outputs": []}


def as_text(cells, **more):
    """Return a notebook as text."""
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more)


def in_function(body):
    """Return an answer to the first question with a body."""
    return "def double(x):\n" + "\n".join(f"    {line}" for line in body.split("\n"))


STUBBORN = """while True:
    try:
        while True:
            pass
    except BaseException:
        pass"""

FORGED = """import otter
import otter.test_files

otter.Notebook.check = lambda *_, **__: "q1 results: All test cases passed!"
otter.test_files.ExceptionTestFile.run = lambda *_: None"""

LIBRARY = """import leaderboard_edu as le
import numpy as np

le.boosting_accuracy = lambda **_: 1.0
np.array_equal = lambda *_: True"""

BUILTINS = """import builtins

builtins.abs = lambda x: 0
builtins.AssertionError = ZeroDivisionError"""

DAEMON = """import subprocess

subprocess.Popen(["setsid", "-f", "sleep", "{seconds}"])
subprocess.Popen(["sleep", "{seconds}"], start_new_session=True)"""

ORPHAN = """import os

os.kill(os.getppid(), 9)
while True:
    pass"""

FLOOD = """import os

while True:
    for pipe in range(3, 64):
        try:
            os.write(pipe, b"x" * 65536)
        except OSError:
            pass"""

POOL = """from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(2)
pool.submit(print, "used once").result()"""

WORDLESS = """class Wordless(Exception):
    def __str__(self):
        return 1 / 0"""

FORK = """import os

copy = os.fork()"""

CHILDREN = """import os
import time

for _ in range(6):
    if not os.fork():
        kept = b"x" * 10**8
        time.sleep(1000)
time.sleep(1000)"""

# Bombs and fillers stop by themselves somewhere beyond the limits: then the test fails, and the machine lives.
BOMB = """import os


def bomb(apart):
    count = os.open("count", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    while os.fstat(count).st_size < 1000:
        try:
            if not os.fork() and apart:
                os.setsid()
        except OSError:
            continue
        os.write(count, b".")  # two for each process"""

THREADS = """import threading
import time

threading.stack_size(2**16)
for _ in range(250):
    threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
time.sleep(1)"""

SHELL_BOMB = """import subprocess

bomb = "b() { [ $1 -gt 5 ] && sleep 5 || { b $(($1 + 1)) | b $(($1 + 1)) & }; wait; }; b 0"
subprocess.run(["sh", "-c", bomb])"""

EMPTY_FILES = """import os
import time

for i in range(13_000):
    os.mknod(str(i))
time.sleep(1)"""

NAMELESS_FILES = """import os
import time

kept = []
for i in range(40):
    kept.append(open(str(i), "wb", 0))
    os.remove(str(i))
    kept[-1].write(bytes(10**7))
time.sleep(1)"""

MEMORY_FILES = """import os
import time

kept = []
for i in range(40):
    kept.append(os.memfd_create("memory"))
    os.write(kept[-1], bytes(10**7))
time.sleep(1)"""

FILES = """for i in range(1000):
    with open(str(i), "wb") as file:
        file.write(bytes(10**6))"""

DELETED = [as_cell(code) for code in (OPENING, RIGHT["half"], RIGHT["triple"])]
TWICE = [as_cell(code) for code in (*RIGHT.values(), RIGHT["double"].replace("2", "5"))]
TESTS_EDITED = as_text(
    [as_cell("def double(x):\n    return 0"), *DELETED],
    metadata={"otter": {"tests": {"q1": "def test(): pass"}}},
)
NO_METADATA = json.dumps({"cells": [{"cell_type": "code", "source": [code]} for code in RIGHT.values()]})
DEEP = '{"cells": ' + "[" * 100_000 + "]" * 100_000 + "}"

# name of the file: its text, then status and points of the three questions
SUBMISSIONS = {
    "right.ipynb": (notebook(), "graded", ALL),
    "wrong.ipynb": (notebook(double="def double(x):\n    return x**2"), "graded", LAST_TWO),
    "exception.ipynb": (notebook("1 / 0", double=in_function("raise KeyError(x)")), "graded", LAST_TWO),
    "syntax_error.ipynb": (notebook(double="def double(x:\n    return 2 * x"), "graded", LAST_TWO),
    "loop_in_cell.ipynb": (notebook(double="while True:\n    pass"), "partial", LAST_TWO),
    "loop_in_extra_cell.ipynb": (notebook("while True:\n    pass"), "partial", ALL),
    "loop_in_function.ipynb": (notebook(double=in_function("while True:\n    pass")), "partial", LAST_TWO),
    "loop_that_resists.ipynb": (notebook(double=in_function(STUBBORN)), "partial", LAST_TWO),
    "loops_everywhere.ipynb": (
        notebook(**dict.fromkeys(RIGHT, "while True:\n    pass")),
        "timeout",
        NONE,
    ),
    "sys_exit.ipynb": (notebook("import sys\n\nsys.exit(0)"), "graded", ALL),
    "sys_exit_in_function.ipynb": (notebook(double=in_function("raise SystemExit(0)")), "graded", LAST_TWO),
    "os_exit.ipynb": (notebook("import os\n\nos._exit(0)"), "partial", ALL),
    "os_exit_in_function.ipynb": (notebook(double=in_function("import os\nos._exit(0)")), "partial", LAST_TWO),
    "exits_everywhere.ipynb": (notebook(**dict.fromkeys(RIGHT, "import os\n\nos._exit(0)")), "crashed", NONE),
    "kills_its_parent.ipynb": (notebook("import os\n\nos.kill(os.getppid(), 9)"), "graded", ALL),
    "million_lines.ipynb": (notebook("for i in range(1_000_000):\n    print(i)"), "graded", ALL),
    "long_line.ipynb": (notebook('print("x" * 200_000_000)'), "graded", ALL),
    "long_message.ipynb": (
        notebook(double=in_function('raise ValueError("<b>" * 10_000_000)')),
        "graded",
        LAST_TWO,
    ),
    "cells_deleted.ipynb": (as_text(DELETED), "graded", LAST_TWO),
    "cells_twice.ipynb": (as_text(TWICE), "graded", LAST_TWO),
    "tests_edited.ipynb": (TESTS_EDITED, "graded", LAST_TWO),
    "no_metadata.ipynb": (NO_METADATA, "graded", ALL),
    "truncated.ipynb": (notebook()[:-40], "unreadable", NONE),
    "=1+1, 'renamed' ünd ☃.IPYNB": (notebook(), "graded", ALL),
    "late/of course/right.ipynb": (notebook(), "graded", ALL),
    "essay.docx": ("PK\x03\x04 not a notebook", "unreadable", NONE),
    "list.ipynb": ("[1, 2, 3]", "unreadable", NONE),
    "no_source.ipynb": (as_text([{"cell_type": "code"}]), "unreadable", NONE),
    "deep.ipynb": (DEEP, "unreadable", NONE),
    "empty.ipynb": ("", "unreadable", NONE),
    "large.ipynb": (notebook("#" * 21_000_000), "unreadable", NONE),
    "memory_hog.ipynb": (notebook(double=in_function("return len([x] * 10**11)")), "graded", LAST_TWO),
    "memory_by_and_by.ipynb": (
        notebook("rows = []\nwhile True:\n    rows.append(bytearray(10**7))"),
        "graded",
        ALL,
    ),
    "library_patched.ipynb": (notebook(LIBRARY, double=in_function("return 0")), "graded", LAST_TWO),
    "grader_patched.ipynb": (notebook(FORGED, double=in_function("return 0")), "graded", LAST_TWO),
    "builtins_patched.ipynb": (notebook(BUILTINS, double=in_function("return x + 1000")), "graded", LAST_TWO),
    "writes_outside.ipynb": (notebook('open("{outside}", "w").write("here")'), "graded", ALL),
    "removes_outside.ipynb": (notebook('import os\n\nos.remove("{precious}")'), "graded", ALL),
    "removes_a_folder_outside.ipynb": (
        notebook('import shutil\n\nshutil.rmtree("{folder}", ignore_errors=True)'),
        "graded",
        ALL,
    ),
    "kills_its_parent_and_lives_on.ipynb": (
        notebook(DAEMON, ORPHAN),
        "graded" if confine.version() >= confine.SIGNALS[0] else "partial",  # the cell stops, or is cut off
        ALL,
    ),
    "floods_its_pipes.ipynb": (notebook(double=FLOOD), "partial", LAST_TWO),
    "leaves_a_timer.ipynb": (
        notebook(
            double=in_function(
                "from threading import Timer\nimport os\nTimer(0.2, os._exit, [1]).start()\nreturn 2 * x"
            ),
            half="import time\n\n\ndef half(x):\n    time.sleep(0.3)\n    return x / 2",
        ),
        "graded",
        ALL,
    ),
    "message_that_fails.ipynb": (notebook(WORDLESS, double=in_function("raise Wordless")), "graded", LAST_TWO),
    "kills_its_group.ipynb": (notebook("import os\n\nos.killpg(0, 9)"), "partial", ALL),
    "memory_in_children.ipynb": (notebook(CHILDREN), "partial", ALL),
    "many_files.ipynb": (notebook(FILES), "partial", ALL),
    "many_files_in_function.ipynb": (notebook(double=in_function(f"{FILES}\nreturn 2 * x")), "partial", LAST_TWO),
    "many_empty_files.ipynb": (notebook(EMPTY_FILES), "partial", ALL),
    "files_without_names.ipynb": (notebook(NAMELESS_FILES), "partial", ALL),
    "files_in_memory.ipynb": (notebook(MEMORY_FILES), "partial", ALL),
    "bomb.ipynb": (notebook(BOMB, "bomb(False)"), "partial", ALL),
    "bomb_apart.ipynb": (notebook(BOMB, "bomb(True)"), "partial", ALL),
    "bomb_in_function.ipynb": (notebook(BOMB, double=in_function("bomb(True)\nreturn 2 * x")), "partial", LAST_TWO),
    "bomb_in_shell.ipynb": (notebook(SHELL_BOMB), "partial", ALL),
    "threads.ipynb": (notebook(THREADS), "partial", ALL),
    "sleeps.ipynb": (notebook(double=in_function("import time\ntime.sleep(10_000)")), "partial", LAST_TWO),
    "large_file.ipynb": (
        notebook(double=in_function('open("f", "wb").write(bytes(3 * 10**7))\nreturn 2 * x')),
        "graded",
        LAST_TWO,
    ),
    "seeks_the_tests.ipynb": (
        notebook('import sys\n\nraise ValueError(open(sys.argv[1] + "/tests/q1.py").read()[-300:])'),
        "graded",
        ALL,
    ),
    "draws.ipynb": (
        notebook("import random\nimport numpy\n\nraise ValueError(random.random() + numpy.random.rand())"),
        "graded",
        ALL,
    ),
    "pool_in_cell.ipynb": (
        notebook(POOL, double=in_function("return 2 * pool.submit(lambda: x).result()")),
        "graded",
        ALL,
    ),
    "source_is_no_text.ipynb": (
        as_text([{"cell_type": "code", "source": {"def": 1}}]),
        "unreadable",
        NONE,
    ),
    "starts_daemons.ipynb": (notebook(DAEMON), "graded", ALL),
    "forks.ipynb": (notebook(FORK), "graded", ALL),
    "no_text.ipynb": (notebook(double=in_function('raise ValueError("\\ud800")')), "graded", LAST_TWO),
    "deep_folders.ipynb": (
        notebook('import os\n\nfor _ in range(1500):\n    os.mkdir("d")\n    os.chdir("d")'),
        "graded",
        ALL,
    ),
    "two\nlines.ipynb": (notebook()[:-40], "unreadable", NONE),
    "語" * 80 + ".ipynb": (notebook(), "graded", ALL),
    "right.ipynb.html/right.ipynb": (notebook(), "graded", ALL),
    "undecodable\udcff.ipynb": (notebook(), "graded", ALL),
    "asks.ipynb": (notebook('name = input("Your name? ")'), "graded", ALL),
    "magic.ipynb": (
        notebook(
            "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1])\nawait __import__('asyncio').sleep(0)"
        ),
        "graded",
        ALL,
    ),
}
