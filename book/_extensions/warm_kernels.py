"""Kernels that begin where their imports have ended: forks of one process that imports what chapters import.

Otherwise each of twenty kernels imports the same for two seconds. `launch_kernel` takes the place of the function of
`jupyter_client` that starts a kernel; run as a program, this file is the process that forks.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from functools import cache
from importlib import import_module
from typing import Any

IMPORTED = ("ipykernel.ipkernel", "matplotlib.pyplot", "scipy.stats", "altair")


class Fork:
    """A kernel that another process has forked, by what `jupyter_client` asks of a `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Return None while the kernel runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        """Return at once: it is called after the end."""
        return 0

    def send_signal(self, number: int) -> None:
        """Send the kernel a signal."""
        os.kill(self.pid, number)


@cache
def forking() -> tuple[subprocess.Popen[str], threading.Lock]:
    """Start the process that forks. It ends when this one does, since nobody writes to it any more."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, __file__], **pipes), threading.Lock()


def launch_kernel(command: list[str], *, env: dict[str, str], cwd: str, **_: Any) -> Fork:
    """Return a kernel with the arguments of this command, in a folder, in an environment."""
    process, lock = forking()
    assert process.stdin
    assert process.stdout
    with lock:
        process.stdin.write(json.dumps([command[3:], env, cwd]) + "\n")  # after python -m ipykernel_launcher
        process.stdin.flush()
        return Fork(int(process.stdout.readline()))


def main() -> None:
    """Fork a kernel for each line read, and print its process id."""
    from ipykernel.kernelapp import IPKernelApp

    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as each kernel does
    del sys.path[0]
    for module in IMPORTED:
        import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the kernels
    for line in sys.stdin:
        arguments, env, cwd = json.loads(line)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(2, 1)
            os.setpgrp()
            os.chdir(cwd)
            os.environ.clear()
            os.environ.update(env, JPY_PARENT_PID=str(os.getppid()))
            IPKernelApp.launch_instance(argv=arguments)
            os._exit(0)
        os.setpgid(pid, pid)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
