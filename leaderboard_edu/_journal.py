"""A journal: a file of what a long run has found so far, from which it goes on after it was stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Entry = TypeVar("Entry")


class Journal:
    """A file with a JSON value on each line: the first describes the run, the others are its entries.

    The file is begun if it is not there. A last line that was cut off is dropped. A file of another run is refused
    with a ValueError, and left as it is.
    """

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        self._path = path
        self._lines: list[str] = []
        header = json.dumps(run)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if header.startswith(text):  # new, or cut off in its first line
            path.write_text(header + "\n", encoding="utf-8")
            return
        first, *self._lines = text.splitlines(keepends=True)
        if first != header + "\n":
            raise ValueError(f"{path} begins with {first[:200]!r}, not with {header}")
        if self._lines and not self._lines[-1].endswith("\n"):
            self._lines.pop()
            os.truncate(path, len("".join([first, *self._lines]).encode()))

    def entries(self, read: Callable[[Any], Entry]) -> Iterator[Entry]:
        """Yield the entries that the file held, each as `read` takes it; a ValueError names a line that is none."""
        for number, line in enumerate(self._lines, 2):
            try:
                entry = read(json.loads(line))
            except (KeyError, TypeError, ValueError):
                raise ValueError(f"{self._path}, line {number} is damaged") from None
            yield entry

    def add(self, entry: Any) -> None:
        """Write an entry, so that it outlasts a crash; take it back if there is no room for all of it."""
        before = self._path.stat().st_size
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            os.truncate(self._path, before)
            raise
