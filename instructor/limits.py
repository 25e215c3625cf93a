"""What a notebook may use while it is graded, and how what it raises is told."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Started = TypeVar("Started")

MESSAGE = 2_000  # characters of a message that are kept
STEPS = 10  # a notebook may take so many times what one of its cells or tests may take
CLOCK = 3  # and on the clock so many times the seconds of the processor
PROCESSES = 20  # at the same time: to look at each that forks can take as long as all others together
THREADS = 64  # of all of them together: where the kernel bounds none, two notebooks leave room for each other
PATIENCE = 30  # seconds in which there must be room for another process again


@dataclass(frozen=True)
class Limits:
    """What a notebook may use, all its processes together.

    Seconds of the processor for each cell and each test; megabytes of memory, of a file, its own and each that it
    writes, and of all that it writes.
    """

    seconds: float = 20
    memory: int = 2_000
    file: int = 20
    disk: int = 200


def patiently(start: Callable[[], Started], patience: float = PATIENCE) -> Started:
    """Start a process or a thread of the grader, if need be as soon as a notebook that took all room has ended."""
    until = time.monotonic() + patience
    while True:
        try:
            return start()
        except (BlockingIOError, RuntimeError) as error:  # so Python calls it for processes, and for threads
            if time.monotonic() > until:
                raise OSError(errno.EAGAIN, "The system starts no more processes") from error
        time.sleep(0.05)


def text_of(error: BaseException) -> str:
    """Return the text of an exception, bounded in length, whatever it is made by."""
    try:
        text = str(error)
    except BaseException:
        text = "(its message cannot be shown)"
    said = text if len(text) <= MESSAGE else f"{text[:MESSAGE]} … ({len(text)} characters)"
    return said.encode(errors="backslashreplace").decode()


def describe(error: BaseException) -> str:
    """Return the name of an exception, unless it is an assertion that failed, and its text."""
    return told(type(error).__name__, text_of(error))


def told(kind: str, text: str) -> str:
    """Return how an exception is told."""
    return text if kind == "AssertionError" else f"{kind}: {text}"
