"""A log on disk outlives its processes: kill -9 at each write, at random moments and among others, and a full disk."""

import ctypes
import errno
import multiprocessing
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from itertools import chain, count, product
from pathlib import Path

import numpy as np
import pytest

import leaderboard_edu as le

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are killed as Linux does it")

MEMORY = Path("/dev/shm")
N = 40
LABELS = np.random.default_rng(1).integers(0, 2, N)
SPAWN = multiprocessing.get_context("forkserver")  # a child costs a fork and no import
SPAWN.set_forkserver_preload(["leaderboard_edu", "pytest", "sqlite3"])


def mechanism(y, rng):
    """Draw at random, so that the noise, too, is found again."""
    return le.BayesBootLadderBoot(y, metric="zero_one", n_posterior=9, n_bootstrap=1, rng=rng)


def hold(path):
    return le.BoardLog(path, LABELS, mechanism=mechanism)


def file(name, number):
    """Return what an account sends as its submission of this number: no two are equal."""
    return np.random.default_rng([int(name), number]).integers(0, 2, N)


@pytest.fixture
def path():
    """Return a path in a folder in memory, if that can be: a killed process leaves what it gave to the system."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name) / "board.sqlite"


# What the children do. A child sends each answer when it has it.


def submit(end, path, name, many=None, together=None):
    """Submit so many files, or without end, perhaps when others are ready, too."""
    board = hold(path)
    if together:
        together.wait()
    for number in count() if many is None else range(many):
        end.send((name, number, board.submit(name, file(name, number))))
        if together:
            time.sleep(0.001)  # so that the others have their turn


def submit_hooked(end, path, at, fate):
    """Submit three files; the call number `at` to the system that changes a file meets its fate."""
    calls = hook(at, fate)
    submit(end, path, "1", 3)
    end.send(calls[0])


def submit_on_a_full_disk(end, path, at):
    """Try to submit twice, without room from call number `at` on, and submit once more with room."""
    board, number, calls = hold(path), 0, hook(at, "full")
    for attempt in range(3):
        if attempt == 2:
            calls[0] = -(10**9)
        try:
            end.send(("1", number, board.submit("1", file("1", number))))
            number += 1
        except OSError as error:
            end.send(str(error))


def submit_without_permission(end, path):
    """Try to submit, to read and to begin a log where nothing may be written."""
    if os.geteuid() == 0:
        os.setuid(65534)
    end.send(len(hold(path).submissions()))
    for attempt in (lambda: hold(path).submit("1", file("1", 0)), lambda: hold(path.with_name("other"))):
        try:
            attempt()
        except OSError as error:
            end.send(str(error))


class Vfs(ctypes.Structure):
    """The beginning of SQLite's list of what it asks the system for, up to the functions made for tests like these."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("version", "size", "longest_path")),
        *((name, ctypes.c_void_p) for name in ("next", "name", "data", *(f"method_{i}" for i in range(13)))),
        ("set_call", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)),
        ("get_call", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)),
    ]


HANDLE, ADDRESS, SIZE = ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t
CALLS = {
    b"write": (SIZE, HANDLE, ADDRESS, SIZE),
    b"pwrite": (SIZE, HANDLE, ADDRESS, SIZE, ctypes.c_long),
    b"pwrite64": (SIZE, HANDLE, ADDRESS, SIZE, ctypes.c_int64),
    b"ftruncate": (ctypes.c_int, HANDLE, ctypes.c_int64),
    b"unlink": (ctypes.c_int, ctypes.c_char_p),
}
KEPT = []  # functions that SQLite holds


def hook(at, fate):
    """Let SQLite's call number `at` that changes a file meet its fate; return the list that holds the number of calls.

    "after": the process is killed when the call is done; "half": when half is written, or nothing done; "full": from
    there on nothing is written for lack of room.
    """
    library = ctypes.CDLL("libsqlite3.so.0")
    library.sqlite3_vfs_find.restype = ctypes.POINTER(Vfs)
    vfs = library.sqlite3_vfs_find(None)
    calls = [0]

    def hooked(name, kind, original):
        def call(*arguments):
            calls[0] += 1
            if calls[0] >= at and fate == "full" and b"write" in name:
                ctypes.set_errno(errno.ENOSPC)
                return -1
            if calls[0] == at and fate == "half":
                if b"write" in name:
                    original(*arguments[:2], arguments[2] // 2, *arguments[3:])
                os.kill(os.getpid(), signal.SIGKILL)
            result = original(*arguments)
            if calls[0] == at and fate == "after":
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return kind(call)

    for name, (result, *arguments) in CALLS.items():
        if address := vfs.contents.get_call(vfs, name):
            kind = ctypes.CFUNCTYPE(result, *arguments, use_errno=True)
            KEPT.append(hooked(name, kind, kind(address)))
            vfs.contents.set_call(vfs, name, ctypes.cast(KEPT[-1], ctypes.c_void_p))
    os.link = hooked(b"link", lambda call: call, os.link)
    return calls


# What is expected of them.


def start(task, *arguments):
    """Start a child and return it with the end of the pipe at which its answers come."""
    end, far = SPAWN.Pipe(duplex=False)
    child = SPAWN.Process(target=task, args=(far, *arguments))
    child.start()
    far.close()
    return child, end


def received(child, end, code=-signal.SIGKILL):
    """Return all that a child sent before it ended, as it should have."""
    answers = []
    with end:
        try:
            while True:
                answers.append(end.recv())
        except EOFError:
            child.join()
    assert child.exitcode == code
    return answers


def check(path, acknowledged, unacknowledged=1):
    """Check that a log holds what was acknowledged and little else, in one order, and that this is its board."""
    assert sorted(set(acknowledged)) == sorted(acknowledged)
    if not path.exists():
        assert acknowledged == []
        return
    board = hold(path)
    log = board.submissions()
    with closing(sqlite3.connect(path)) as db:
        ((sound,),) = db.execute("PRAGMA integrity_check").fetchall()
        rows = db.execute("SELECT number, account, released, (SELECT seed FROM header) FROM submissions").fetchall()
    assert sound == "ok"
    assert [row[0] for row in rows] == list(range(1, len(log) + 1))
    seen = dict.fromkeys(log.teams, 0)
    found = []
    for (_, team, released, _), vector in zip(rows, log.predictions, strict=True):
        np.testing.assert_array_equal(vector, file(team, seen[team]))
        found.append((team, seen[team], released))
        seen[team] += 1
    assert set(acknowledged) <= set(found)
    assert len(found) <= len(acknowledged) + unacknowledged
    rng = np.random.default_rng()
    fresh = le.Leaderboard(LABELS, mechanism=lambda y: mechanism(y, rng))
    for (number, team, released, seed), vector in zip(rows, log.predictions, strict=True):
        rng.bit_generator.state = np.random.PCG64([int(seed), number]).state
        assert fresh.submit(team, vector) == released
    assert board.standings() == fresh.standings()


def calls_of_three():
    """Return how many calls change a file while a log is begun and has three submissions."""
    with tempfile.TemporaryDirectory() as folder:
        *_, calls = received(*start(submit_hooked, Path(folder) / "board.sqlite", 10**9, "after"), code=0)
    if not calls:
        pytest.skip("Python has an SQLite of its own, whose calls cannot be hooked")
    return calls


@pytest.mark.nightly
def test_killed_at_each_write(path):
    """From the first byte on: after each call that changes a file, and after half of what it writes."""
    calls, kills, left = calls_of_three(), 0, set()
    for at, fate in product(range(1, calls + 1), ("half", "after")):
        target = path.with_name(f"{at}-{fate}")
        answers = received(*start(submit_hooked, target, at, fate))
        check(target, answers)
        board = hold(target)
        left.add((len(answers), len(board.submissions())))
        check(target, [*answers, ("2", 0, board.submit("2", file("2", 0)))])
        kills += 1
    assert kills >= 100
    assert left == {(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3)}


def test_killed_at_random(path):
    """One file through twenty processes, each killed some milliseconds after its first answer."""
    draw, answers = random.Random(2), []
    for name in range(20):
        child, end = start(submit, path, str(name))
        assert end.poll(20)
        time.sleep(draw.uniform(0, 0.01))
        child.kill()
        answers += received(child, end)
        check(path, answers, unacknowledged=name + 1)


@pytest.mark.parametrize("processes", [2, 4])
def test_processes_submit_at_once(path, processes):
    """Nothing is lost, nothing is doubled, and all is in one order."""
    together = SPAWN.Barrier(processes)
    children = [start(submit, path, str(name), 25, together) for name in range(processes)]
    answers = [received(*child, code=0) for child in children]
    assert [len(each) for each in answers] == [25] * processes
    check(path, [*chain(*answers)], unacknowledged=0)


def test_killed_among_others(path):
    """What the others were told holds, and none of them waits for the dead."""
    together = SPAWN.Barrier(3)
    children = [start(submit, path, str(name), 20 if name else None, together) for name in range(3)]
    (victim, end), *others = children
    assert end.poll(20)
    time.sleep(0.01)
    victim.kill()
    answers = received(victim, end)
    for child in others:
        answers += received(*child, code=0)
    check(path, answers)


def test_a_full_disk(path):
    """One message, and nothing half-written, whichever write lacks room; with room again, the board goes on."""
    hold(path)
    failures, _ = 0, calls_of_three()
    for at in range(1, 40):
        target = path.with_name(f"{at}")
        target.write_bytes(path.read_bytes())
        answers = received(*start(submit_on_a_full_disk, target, at), code=0)
        messages = [answer for answer in answers if isinstance(answer, str)]
        check(target, [answer for answer in answers if answer not in messages], unacknowledged=0)
        assert set(messages) <= {f"{target}: database or disk is full; no submission was added"}
        assert len(messages) < len(answers) == 3
        failures += len(messages)
    assert failures >= 20


def test_nothing_may_be_written(path):
    """What is there can be read."""
    hold(path).submit("1", file("1", 0))
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        answers = received(*start(submit_without_permission, path), code=0)
    finally:
        path.parent.chmod(0o755)
    assert answers == [
        1,
        f"{path}: attempt to write a readonly database; no submission was added",
        f"{path.with_name('other')}: unable to open database file; no log was begun",
    ]
    assert [each.name for each in path.parent.iterdir()] == [path.name]
