"""What a notebook starts is bounded by the kernel, and ends with it."""

import errno
import os
import re
import time
from types import SimpleNamespace

import psutil
import pytest

from instructor import confine
from instructor.examiner import Stage
from instructor.limits import Limits, patiently
from instructor.wire import GoneError, Wire

FORKS = """import os
import time

for count in range(600):
    try:
        child = os.fork()
    except OSError as error:
        raise ValueError(f"{count} and no more: {error}")
    if not child:
        time.sleep(100)
        os._exit(0)"""
SLEEP = "123454322"
SLEEPERS = f"""import subprocess

subprocess.Popen(["setsid", "-f", "sleep", "{SLEEP}"])
subprocess.Popen(["sleep", "{SLEEP}"], start_new_session=True)"""

bounded = pytest.mark.skipif(not confine.bounds_processes(), reason="this kernel bounds no processes")


@pytest.fixture
def run(tmp_path):
    """Run a cell where nothing watches it."""
    stage = Stage(Limits(), 0)
    with stage.fork(str(tmp_path)) as end:
        yield Wire(end, lambda error: ("RuntimeError", str(error))).root.run
    stage.process.kill()
    stage.process.wait()


@bounded
def test_the_kernel_starts_no_more_than_some(run):
    found = re.match(r"ValueError: (\d+) and no more", run(FORKS) or "")
    assert found
    assert 300 < int(found[1]) < 320


def sleepers():
    return [process for process in psutil.process_iter(["cmdline"]) if SLEEP in (process.info["cmdline"] or [])]


@bounded
def test_all_ends_with_the_notebook(run):
    """Also what left its session."""
    assert run(SLEEPERS) is None
    until = time.monotonic() + 20
    while len(sleepers()) < 2:
        assert time.monotonic() < until
    with pytest.raises(GoneError):
        run("import os\n\nos._exit(0)")
    while left := sleepers():
        if time.monotonic() > until:
            for process in left:
                process.kill()
            pytest.fail("something outlived the notebook")


@pytest.mark.skipif(not confine.version(), reason="without Landlock more is missing")
def test_it_is_told_where_the_kernel_bounds_none(monkeypatch):
    monkeypatch.setattr(confine, "_unshare", lambda: False)
    assert "can start as many processes as the system lets them" in confine.missing()


def test_it_is_told_where_there_is_no_landlock(monkeypatch):
    """There we have seen a notebook in a container write among the submissions."""
    monkeypatch.setattr(confine, "version", lambda: 0)
    assert "read and change your files" in confine.missing()


@pytest.mark.parametrize("error", [BlockingIOError(), RuntimeError("can't start new thread")])
def test_the_grader_waits_for_room(error):
    """What a notebook takes is free again when it is cut off."""
    tries = [error, error]

    def start():
        if tries:
            raise tries.pop()
        return "started"

    assert patiently(start) == "started"
    tries[:] = [error] * 9
    with pytest.raises(OSError, match="no more processes") as raised:
        patiently(start, patience=0)
    assert raised.value.errno == errno.EAGAIN


def test_the_numbers_of_all_processes_are_left_alone(monkeypatch):
    """Before Linux 6.14 root would bound those of the whole machine."""
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release="6.13.9-77-generic"))
    assert not confine._counts_numbers()
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release="6.14-rc1"))
    assert confine._counts_numbers()
