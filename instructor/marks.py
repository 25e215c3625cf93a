"""The marks that a person gives, in a table beside the table of a run: rows are added to it, never taken.

They are for proofs, and for code that could not be graded.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from instructor.proofs import Answers, Mark, code_of
from instructor.table import as_text, titles

CODE, DIGEST, STATE, COMMENT = "code", "sha256", "state", "comment"


class Sheet:
    """The table of marks as a person left it, with all its columns, and the way it was written."""

    def __init__(
        self, path: Path, proofs: Sequence[dict[str, Any]], code: dict[str, float], first: Sequence[str] = ()
    ) -> None:
        """Read a table, if it is there, or begin one with some columns before those of the proofs.

        It may have columns for questions in `code`, too, and begins with them if there are no proofs.
        """
        self.path = path
        points = {question["name"]: question["points"] for question in proofs}
        self._proofs = dict(zip(titles(points), points.items(), strict=True))
        by_hand = dict(zip(titles(code), code.items(), strict=True))
        raw = path.read_bytes() if path.exists() else b""
        self._encoding = _encoding(raw)
        text = raw.decode(self._encoding)
        head = text.partition("\n")[0]
        self._delimiter = ";" if head.count(";") > head.count(",") else ","
        self._end = "\r\n" if head.endswith("\r") else "\n"
        self._rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=self._delimiter))
        if not self._rows:
            self._rows = [[*first, CODE, DIGEST, STATE, *(self._proofs or by_hand), COMMENT]]
        self._columns = {title.strip(): number for number, title in reversed([*enumerate(self._rows[0])])}
        missing = {CODE, DIGEST, STATE, *self._proofs, COMMENT} - set(self._columns)
        if missing:
            raise ValueError(f"{path} has no column {', '.join(sorted(missing))}: put it back, or move the file away")
        self._proofs |= {title: question for title, question in by_hand.items() if title in self._columns}
        self._check()

    def _cell(self, row: list[str], column: str) -> str:
        number = self._columns[column]
        return row[number].strip() if number < len(row) else ""

    def _written(self, row: list[str]) -> dict[str, str]:
        """Return what is written in a row for marks, by column."""
        return {column: cell for column in self._proofs if (cell := self._cell(row, column))}

    def _check(self) -> None:
        """Refuse what can only be a slip: marks that are none, and two rows of one code."""
        wrong, seen = [], dict[str, int]()
        for number, row in enumerate(self._rows[1:], start=2):
            code = self._cell(row, CODE)
            if code and code in seen:
                wrong.append(f"row {number}: the code {code} has row {seen[code]} already")
            seen.setdefault(code, number)
            for column, cell in self._written(row).items() if code else ():
                most = self._proofs[column][1]
                mark = _number(cell)
                if mark is None:
                    wrong.append(f"row {number} ({code}), {column}: {cell!r} is not a number")
                elif not 0 <= mark <= most:
                    wrong.append(f"row {number} ({code}), {column}: {cell} is not between 0 and {most:g}")
        if wrong:
            raise ValueError("\n  ".join([f"{self.path}: correct this, then grade again", *wrong]))

    def marks(self, digests: dict[str, str]) -> tuple[dict[str, Mark], list[str]]:
        """Return the marks by code, given the SHA-256 to each code, and what to say of those that are left out."""
        found, left = {}, []
        for number, row in enumerate(self._rows[1:], start=2):
            code, written = self._cell(row, CODE), self._written(row)
            if not written:
                continue
            what = f"row {number} of {self.path.name}, {', '.join(f'{column}: {c}' for column, c in written.items())}"
            if code not in digests:
                left.append(f"{what}: no file has the code {code!r}")
            elif self._cell(row, DIGEST) != digests[code]:
                left.append(
                    f"{what}: the file of {code} has changed since; empty the mark, grade again, and mark it anew"
                )
            else:
                points = {self._proofs[column][0]: _number(cell) or 0 for column, cell in written.items()}
                found[code] = Mark(points, self._cell(row, COMMENT))
        return found, left

    def extend(self, new: list[dict[str, str]]) -> None:
        """Add rows for codes that have none, and bring rows without a mark up to date; what was written stays."""
        there = {self._cell(row, CODE): row for row in self._rows[1:]}
        before = [list(row) for row in self._rows]
        for values in new:
            row = there.get(values[CODE])
            if row is None:
                self._rows.append([values.get(title.strip(), "") for title in self._rows[0]])
            elif not self._written(row):
                row += [""] * (len(self._rows[0]) - len(row))
                for column in (DIGEST, STATE):
                    row[self._columns[column]] = values[column]
        if self._rows != before or not self.path.exists():
            self._write()

    def _write(self) -> None:
        """Write the table the way it was written, complete or not at all."""
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self._delimiter, lineterminator=self._end).writerows(self._rows)
        new = self.path.with_suffix(".csv.new")
        new.write_bytes(text.getvalue().encode(self._encoding, errors="replace"))
        new.replace(self.path)


def _encoding(raw: bytes) -> str:
    """Return how a table was saved: with a mark at its beginning, as UTF-8, or as older spreadsheets do."""
    if raw.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    try:
        raw.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _number(cell: str) -> float | None:
    """Return a mark, written with a point or a comma."""
    try:
        mark = float(cell.replace(",", "."))
    except ValueError:
        return None
    return mark if math.isfinite(mark) else None


def merge(
    path: Path,
    proofs: Sequence[dict[str, Any]],
    code: dict[str, float],
    answers: dict[tuple[str, str], Answers],
    *,
    files: bool,
) -> tuple[dict[str, Mark], list[str]]:
    """Return the marks by file, and what to say of those that are left out; give each file, with its SHA-256, a row.

    With `files` a new table has the names of the files, else only codes.
    """
    sheet = Sheet(path, proofs, code, ["file"] if files else [])
    codes = {code_of(name): name for name, _ in answers}
    marks, left = sheet.marks({code_of(name): digest for name, digest in answers})
    rows = [
        {"file": as_text(name) if files else "", CODE: code_of(name), DIGEST: digest, STATE: state(found)}
        for (name, digest), found in answers.items()
    ]
    sheet.extend(rows if files else sorted(rows, key=lambda row: row[CODE]))
    return {codes[code]: mark for code, mark in marks.items()}, left


def state(answers: Answers) -> str:
    """Return which answers are blank or not found, with their questions if there are several."""
    states = {question: answer.state for question, answer in answers.items() if answer.state}
    return "; ".join(
        states.values() if len(answers) == 1 else [f"{question} {states[question]}" for question in states]
    )
