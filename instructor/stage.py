"""Where the code of students runs: `python -m instructor.stage SOCKET LIMITS CORE`, started by `instructor.examiner`.

It has never read a test. For each line that it gets, the folder to work in, with a socket that comes along, it forks a
process with everything imported that a notebook may need. There the cells are run and the answers called, as the other
end of that socket asks (`instructor.wire`).
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from instructor.confine import confine, fence, limit, mute, stay_on
from instructor.limits import Limits, describe, patiently, text_of
from instructor.wire import GoneError, Wire

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

READY = b"ready"


def make_shell() -> InteractiveShell:
    """Return IPython without a terminal or a browser, which prints and keeps nothing, with what notebooks import."""
    import scipy.optimize
    import scipy.special
    import scipy.stats  # noqa: F401
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Shell(InteractiveShell):
        def enable_gui(self, gui: Any = None) -> None:
            """`%matplotlib inline` asks for this."""

        def ask_exit(self) -> None:
            """A notebook may call `exit()`; the cells after it run all the same."""

        def _tee(self, channel: str) -> Any:
            """Keep nothing of what is printed: IPython would keep all of it, and slowly."""
            return contextlib.nullcontext()

        def showtraceback(self, *_: Any, **__: Any) -> None:
            """Nobody reads what is printed."""

        showsyntaxerror = showtraceback

    config = Config()
    config.HistoryManager.enabled = False
    shell: type[InteractiveShell] = Shell
    return shell(config=config)


class Student:
    """What the tester asks of a notebook."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    def run(self, code: str) -> str | None:
        """Run a cell, and return what it raised."""
        result = self._shell.run_cell(code)
        error = result.error_before_exec or result.error_in_exec
        return None if error is None else describe(error)

    def has(self, name: str) -> bool:
        """Say whether a name has been given to something."""
        return name in self._shell.user_ns

    def get(self, name: str) -> Any:
        """Return what a name stands for."""
        return self._shell.user_ns[name]


def _be_student(shell: InteractiveShell, scratch: str, end: socket.socket) -> None:
    """Serve the other end, as a notebook in its own folder."""
    import numpy

    wire = Wire(end, lambda error: (type(error).__name__, text_of(error)), Student(shell), open_objects=True)
    confine(scratch)
    random.seed(0)  # what a notebook draws without a seed is the same each time, but for `default_rng()`
    numpy.random.seed(0)  # noqa: NPY002
    with contextlib.suppress(GoneError):
        wire.serve()


def main(number: str, limits: str, core: str) -> None:
    """Fork a student's process for each line."""
    shell, asked = make_shell(), socket.socket(fileno=int(number))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who has ended is gone
    asked.sendall(READY)
    while True:
        line, ends, *_ = socket.recv_fds(asked, 4096, 1)
        if not line:
            return
        if not patiently(os.fork):
            try:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                mute(*ends)
                stay_on(int(core))
                limit(Limits(**json.loads(limits)))
                fence()
                _be_student(shell, json.loads(line), socket.socket(fileno=ends[0]))
            finally:
                os._exit(1)
        os.close(ends[0])
        asked.sendall(READY)


if __name__ == "__main__":
    main(*sys.argv[1:])
