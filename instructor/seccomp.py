"""Refuse a process the system calls that Landlock lets pass, by a filter that the kernel asks before each (seccomp).

They change files that the process cannot even read, limit or slow down other processes, leave something behind that the
next notebook finds, or open sockets that are not TCP. Pipes, threads, `fork` and pairs of sockets are as always.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

PR_SET_SECCOMP, FILTER = 22, 2
LOAD, EQUAL, ABOVE, RETURN = 0x20, 0x15, 0x35, 0x06  # what an instruction of the filter does
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # where it finds the call
ALLOW, IGNORE, REFUSE = 0x7FFF0000, 0x00050000, 0x00050000 | errno.EPERM
FOREIGN = 0x40000000  # calls from here on belong to another convention
CONVENTIONS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PRLIMIT = {"x86_64": 302, "aarch64": 261}  # its own limits a process may lower
CAPGET = {"x86_64": 125, "aarch64": 90}
CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITIES = 0x20080522  # the version of their layout
KEPT = 0b110  # of what root may do: reading and writing its folder and Python's, whomever they belong to
NO_SUCH = -1

# The numbers of each call, on x86_64 and on aarch64. Mode, owner, times and attributes of files stay as they are, and
# nobody is told: libraries set those of their own files.
IGNORED = {
    "chmod": (90, NO_SUCH),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, NO_SUCH),
    "fchown": (93, 55),
    "lchown": (94, NO_SUCH),
    "fchownat": (260, 54),
    "utime": (132, NO_SUCH),
    "utimes": (235, NO_SUCH),
    "futimesat": (261, NO_SUCH),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
REFUSED = {
    "socket": (41, 198),
    "io_uring_setup": (425, 425),  # would make the other calls in its own way
    # the speed of other processes
    "setpriority": (141, 140),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    # memory, queues and keys that outlive a process
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}


def machine() -> str:
    """Return which of the two processors this is, nothing if it is another or no Linux."""
    name = os.uname().machine if sys.platform == "linux" else ""
    return name if name in CONVENTIONS and sys.maxsize > 2**32 else ""


def refuse() -> None:
    """Give up what only root may do, and refuse the calls to this process and all that it starts, for good.

    `PR_SET_NO_NEW_PRIVS` must have been set.
    """
    name = machine()
    if not name:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    who, may = struct.pack("<Ii", CAPABILITIES, 0), ctypes.create_string_buffer(24)
    libc.syscall(CAPGET[name], who, may)
    effective, permitted, *_ = struct.unpack("<6I", may.raw)
    libc.syscall(CAPSET[name], who, struct.pack("<6I", effective & KEPT, permitted & KEPT, 0, 0, 0, 0))
    program = _filter(name)
    steps = ctypes.create_string_buffer(program, len(program))
    whole = struct.pack("@HP", len(program) // 8, ctypes.addressof(steps))
    if libc.prctl(PR_SET_SECCOMP, FILTER, whole, 0, 0):
        raise OSError(ctypes.get_errno(), "the filter of system calls cannot be used")


def _filter(name: str) -> bytes:
    """Return the filter: steps of what to do, how far to jump if so, and if not, and a number to do it with."""
    column = list(CONVENTIONS).index(name)
    calls = [(both[column], 1) for both in IGNORED.values() if both[column] != NO_SUCH]
    calls += [(both[column], 0) for both in REFUSED.values()]
    refused = len(calls) + 5  # so many steps lie between the first question about the number and the end
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, CONVENTIONS[name]),
        (RETURN, 0, 0, REFUSE),
        (LOAD, 0, 0, NUMBER),
        (ABOVE, refused, 0, FOREIGN),
        *((EQUAL, refused - place - before, 0, number) for place, (number, before) in enumerate(calls, 1)),
        (EQUAL, 0, 2, PRLIMIT[name]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (EQUAL, 0, 2, 0),  # 0 is the process itself
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, IGNORE),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)
