"""Confine a process that runs a student's code: what it may read, write, signal, use, and find in memory.

On Linux the kernel's Landlock does most of it, also for root: nothing is read but Python, the system and the notebook's
own folder, nothing is written outside that folder, no other process is looked into, and there is no TCP; what it lets
pass, `instructor.seccomp` refuses. Where it is missing (`missing`), only Python itself refuses to write elsewhere, and
code that means harm finds a way around that.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import struct
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

import psutil

from instructor.limits import PROCESSES, Limits
from instructor.seccomp import machine, refuse

LIBRARY = Path(__file__).resolve().parents[1] / "leaderboard_edu"
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 4, 36, 38
NEW_USERS, NEW_NUMBERS = 0x10000000, 0x20000000  # what a process may have of its own: accounts, and process numbers
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls of Landlock, the same on all processors
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
FILES = 13  # rights on files and folders that the first version knows
MORE_FILES = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # what later ones added: moving, cutting off, devices
TCP, SIGNALS = (4, 0b11), (6, 0b10)  # since which version, and the rights
RESERVED = 300  # numbers that are given to processes once only
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def version() -> int:
    """Return which version of Landlock the kernel has, 0 if none."""
    if sys.platform != "linux":
        return 0
    known: int = ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    return max(0, known)


def missing() -> str:
    """Return what cannot be kept from a student's code on this system, in a sentence; nothing if all can."""
    known = version()
    if not known:
        return "This system has no Landlock: submissions can read and change your files, hidden tests too, and use TCP."
    lost = [what for what, (since, _) in {"use TCP": TCP, "end your other processes": SIGNALS}.items() if known < since]
    lost += [] if machine() else ["change the modes of your files, limit your other processes and use sockets"]
    lost += [] if bounds_processes() else ["start as many processes as the system lets them"]
    return f"This system does not keep submissions from all: they can {' and '.join(lost)}." if lost else ""


def hide() -> None:
    """Let no process of the same account look into the memory of this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def adopt() -> None:
    """Become the parent of the processes that lose theirs below this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _landlock(scratch: str) -> None:
    """Let this process and all that it starts read the system and Python, and change nothing but a folder."""
    known, libc = version(), ctypes.CDLL(None, use_errno=True)
    if not known:
        return
    everything = sum((right for since, right in MORE_FILES.items() if since <= known), (1 << FILES) - 1)
    network, scope = (rights if since <= known else 0 for since, rights in (TCP, SIGNALS))
    numbers = [everything, network, scope][: 1 + (known >= TCP[0]) + (known >= SIGNALS[0])]
    rules = struct.pack(f"<{len(numbers)}Q", *numbers)
    ruleset = libc.syscall(CREATE_RULESET, rules, ctypes.c_size_t(len(rules)), 0)
    python = {sys.prefix, sys.base_prefix, *map(os.path.realpath, (sys.prefix, sys.base_prefix))}
    readable = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/sys", "/run/systemd/resolve", *python}
    allowed = [(scratch, everything), (str(LIBRARY), READ_FILE | READ_DIR)]
    allowed += [(place, EXECUTE | READ_FILE | READ_DIR) for place in readable]
    allowed += [(place, READ_FILE | WRITE_FILE) for place in DEVICES]
    for place, rights in allowed:
        if os.path.exists(place):
            folder = os.open(place, os.O_PATH | os.O_CLOEXEC)
            libc.syscall(ADD_RULE, ruleset, 1, struct.pack("<Qi", rights, folder), 0)
            os.close(folder)
    if libc.syscall(RESTRICT_SELF, ruleset, 0):
        raise OSError(ctypes.get_errno(), "Landlock cannot be used")
    os.close(ruleset)


def _unshare() -> bool:
    """Give what this process starts from now on numbers of its own, and say if it worked.

    Without an account of its own, only root may.
    """
    what = NEW_NUMBERS | (NEW_USERS if os.geteuid() else 0)
    return sys.platform == "linux" and not ctypes.CDLL(None).unshare(what)


def _counts_numbers() -> bool:
    """Say whether the greatest number of a process can be set for some alone: before Linux 6.14 it is that of all."""
    return tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (6, 14)


def bounds_processes() -> bool:
    """Say whether the kernel can bound the processes of a notebook; those of root it counts by their numbers alone."""
    child = os.fork()
    if not child:
        os._exit(not _unshare())
    return os.waitpid(child, 0)[1] == 0 and (os.geteuid() != 0 or _counts_numbers())


def fence() -> None:
    """Go on in another process, which starts no more than some, all of which end when it ends.

    The kernel ends all that have numbers of their own with the first of them, which does nothing else. It bounds how
    many have one account, unless it is that of root, and how high their numbers are. Where it does not give them
    numbers of their own, this process goes on as it is.
    """
    if not _unshare():
        return
    if os.fork():
        os._exit(0)
    most = RESERVED + PROCESSES
    if _counts_numbers():
        with contextlib.suppress(OSError):
            Path("/proc/sys/kernel/pid_max").write_text(str(most), encoding="ascii")
    student = os.fork()
    if student:
        os.closerange(3, 1024)  # who asks the student must see it end
        while os.wait()[0] != student:
            pass
        os._exit(0)
    if os.geteuid():
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def stay_on(core: int) -> None:
    """Use one core alone, counted from any: tests and answers take turns, and to wake another core takes long."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[core % len(cores)]})


def limit(limits: Limits) -> None:
    """Limit the memory and the files of this process."""
    memory = psutil.Process().memory_info().vms + limits.memory * 10**6
    for what, value in [
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, limits.file * 10**6),
        (resource.RLIMIT_CORE, 0),
    ]:
        resource.setrlimit(what, (value, value))


def mute(*kept: int) -> None:
    """Give this process a session of its own, nothing to read, nobody who hears it, and no open files but some."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    low = 3
    for number in sorted(kept):
        os.closerange(low, number)
        low = number + 1
    os.closerange(low, 1024)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = sys.stderr = os.fdopen(1, "w", encoding="utf-8")


def confine(scratch: str) -> None:
    """Make this process a student's, in a folder of its own."""
    os.chdir(scratch)
    os.environ |= {"HOME": scratch, "TMPDIR": scratch, "MPLCONFIGDIR": scratch, "MPLBACKEND": "agg"}
    os.environ |= {"PIP_NO_INDEX": "1", "PIP_DRY_RUN": "1"}  # `%pip install` would change what others are graded with
    tempfile.tempdir = None
    sys.path[0] = scratch
    sys.argv = [""]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("otter", "instructor")]:
        del sys.modules[name]
    sys.modules["otter"] = _no_otter()
    sys.addaudithook(_keep_inside(scratch))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _landlock(scratch)
    refuse()


def _no_otter() -> types.ModuleType:
    """Return a module in whose place notebooks find otter: its checks do nothing, and nothing is there to patch."""

    class Notebook:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            return lambda *_, **__: None

    module = types.ModuleType("otter")
    vars(module)["Notebook"] = Notebook
    return module


# What changes a place, where its paths stand among the arguments, and the folders that these start from.
CHANGES = {
    "os.chmod": ((0, 2),),
    "os.link": ((0, 2), (1, 3)),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "sqlite3.connect": ((0, None),),
}
WRITTEN = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _keep_inside(scratch: str) -> Any:
    """Return an audit hook that refuses to open for writing, change or remove what is not in the folder.

    Python cannot take a hook back. It guards against mistakes: there are ways around it.
    """

    def refuse(path: Any, folder: int | None) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        start = os.readlink(f"/proc/self/fd/{folder}") if folder is not None and folder >= 0 else ""
        place = os.path.realpath(os.path.join(start, os.fsdecode(path)))
        if place != scratch and not place.startswith((scratch + os.sep, os.devnull)):
            raise PermissionError(f"only the working folder may be changed, not {place}")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and arguments[2] and arguments[2] & WRITTEN:
            refuse(arguments[0], None)
        for path, folder in CHANGES.get(event, ()):
            refuse(arguments[path], None if folder is None else arguments[folder])

    return hook
