"""The files of a log: a row for each submission, with team, time and a prediction for each row of the holdout."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._extras import extra
from leaderboard_edu._validation import STRINGS, instant

Times: TypeAlias = NDArray[np.datetime64]
PathLike: TypeAlias = str | os.PathLike[str]
COLUMNS = ["team", "time"]  # before those of the rows of the holdout


class Table(NamedTuple):
    """What a file holds."""

    teams: Sequence[Hashable]
    times: Times
    predictions: NDArray[Any]
    row_ids: Sequence[str]


def read_file(path: PathLike) -> Table:
    """Read a file of the format that its suffix names; a ValueError says where it is wrong."""
    reader, _ = _format(Path(path))
    return reader(Path(path))


def write_file(path: PathLike, table: Table) -> None:
    """Write a file under another name, which gets its own when it is complete."""
    target = Path(path)
    _, writer = _format(target)
    for team in table.teams:
        if not isinstance(team, str):
            raise ValueError(f"teams must be strings to be written to a file, got {team!r}")
    new = target.with_name(f"{target.name}.new")
    try:
        writer(new, table)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def check_row_ids(row_ids: Sequence[str], name: str = "row_ids") -> None:
    """Refuse names that are no strings, or that a file could not tell apart."""
    seen = set(COLUMNS)
    for row_id in row_ids:
        if not isinstance(row_id, str):
            raise ValueError(f"{name} must be strings, got {row_id!r}")
        if row_id in seen:
            raise ValueError(f"{name} must be different, and none 'team' or 'time', got {row_id!r}")
        seen.add(row_id)


def _check_columns(columns: list[str], name: str) -> None:
    """Refuse a file whose columns are not team, time and the rows of the holdout."""
    if columns[:2] != COLUMNS or len(columns) < 3:
        raise ValueError(f"{name} must be 'team', 'time' and a column for each row of the holdout, got {columns[:3]}")
    check_row_ids(columns[2:], name)


def _read_csv(path: Path) -> Table:
    """Read a CSV file in UTF-8, with or without a byte order mark; empty lines count for nothing."""
    teams: list[Hashable] = []
    times: list[np.datetime64] = []
    vectors: list[NDArray[Any]] = []
    strings = False  # as most predictions of the first line are
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file, strict=True)
        try:
            columns = first_line(lines, path)
            _check_columns(columns, f"{path}, line 1: the columns")
            for fields in filter(None, lines):
                here = f"{path}, line {lines.line_num}"
                if len(fields) != len(columns):
                    raise ValueError(
                        f"{here}: it must have {len(columns)} fields, as the first line, got {len(fields)}"
                    )
                teams.append(fields[0])
                times.append(instant(fields[1], f"{here}, column 'time'"))
                if times[-2:] != sorted(times[-2:]):
                    raise ValueError(f"{here}, column 'time' must not be before the line above, got {fields[1]!r}")
                strings = strings if vectors else _mostly([_is_string(field) for field in fields[2:]])
                vectors.append((_strings if strings else _numbers)(fields[2:], columns[2:], here))
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: it must be text in UTF-8, got {error}") from None
        except csv.Error as error:
            raise ValueError(f"{path}, line {lines.line_num}: it must be CSV, got {error}") from None
    predictions = np.array(vectors) if vectors else np.zeros((0, len(columns) - 2))
    return Table(teams, np.array(times, "datetime64[s]"), predictions, columns[2:])


def first_line(lines: Iterator[list[str]], path: Path) -> list[str]:
    """Return the columns of a CSV file, and refuse the semicolons that spreadsheets write in much of Europe."""
    columns = next(lines, [])
    if len(columns) == 1 and ";" in columns[0]:
        raise ValueError(
            f"{path}, line 1: commas must be between the columns, as after "
            f"pandas.read_csv(path, sep=';', decimal=',').to_csv(path, index=False), got {columns[0][:40]!r}"
        )
    return columns


def _mostly(strings: Sequence[bool]) -> bool:
    """Say whether most are strings, or the first of as many of both: a column that is no prediction may be another."""
    return 2 * sum(strings) + strings[0] > len(strings)


def _is_string(field: str) -> bool:
    """Say whether a field holds a class that is no number."""
    try:
        float(field)
    except ValueError:
        return bool(field.strip())
    return False


def _strings(fields: list[str], columns: list[str], here: str) -> NDArray[Any]:
    """Return the classes of a line; none may look like a number."""
    for field, column in zip(fields, columns, strict=True):
        if not _is_string(field):
            raise ValueError(
                f"{here}, column {column!r} must be a word, as the first predictions are, or the log a .parquet file, "
                f"got {field!r}"
            )
    return np.array(fields, dtype=STRINGS)


def _numbers(fields: list[str], columns: list[str], here: str) -> NDArray[Any]:
    """Return the predictions of a line; digits, one in each field, are read at once."""
    digits = "".join(fields)
    if len(digits) == len(fields) and digits.isascii() and digits.isdigit() and "" not in fields:
        return np.frombuffer(digits.encode(), np.uint8) - np.uint8(ord("0"))
    return np.array([_number(field, column, here) for field, column in zip(fields, columns, strict=True)])


def _number(field: str, column: str, here: str) -> float:
    """Return the number in a field."""
    try:
        number = float(field)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{here}, column {column!r} must be a finite number, got {field!r}")
    return number


def _write_csv(path: Path, table: Table) -> None:
    """Write a CSV file in UTF-8, times in UTC; a string that looks like a number would be read as one."""
    if table.predictions.dtype.kind == "T":
        for field in np.unique(table.predictions).tolist():
            if not _is_string(field):
                raise ValueError(f"predictions must be words in a CSV file: write a .parquet file, got {field!r}")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, *table.row_ids])
        for team, time, vector in zip(table.teams, table.times, table.predictions, strict=True):
            writer.writerow([team, f"{time}Z", *vector.tolist()])


def _read_parquet(path: Path) -> Table:
    """Read a Parquet file; times are timestamps, in UTC if they have no zone, or ISO strings."""
    with extra("tables"):
        import pyarrow
        from pyarrow import parquet
    try:
        table = parquet.read_table(path)
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"{path}: it must be a Parquet file, got {error}") from None
    columns = table.column_names
    _check_columns(columns, f"{path}: the columns")
    if table.column(0).null_count:
        raise ValueError(
            f"{path}, column 'team' must name a team in each row, got {table.column(0).null_count} without"
        )
    strings = _mostly([column.slice(0, 1).to_numpy().dtype.kind == "O" for column in table.columns[2:]])
    vectors = [
        (_words if strings else _finite)(column, name, path)
        for name, column in zip(columns[2:], table.columns[2:], strict=True)
    ]
    return Table(table.column(0).to_pylist(), _times(table.column(1), path), np.stack(vectors, axis=1), columns[2:])


def _times(column: Any, path: Path) -> Times:
    """Return the times of a column of a Parquet file."""
    stamps = column.to_numpy()
    values = stamps.astype("datetime64[us]").tolist() if stamps.dtype.kind == "M" else column.to_pylist()
    times = [instant(value, f"{path}, row {i}, column 'time'") for i, value in enumerate(values, 1)]
    for i, (before, time) in enumerate(pairwise(times), 2):
        if time < before:
            raise ValueError(f"{path}, row {i}, column 'time' must not be before the row above, got '{time}'")
    return np.array(times, "datetime64[s]")


def _finite(column: Any, name: str, path: Path) -> NDArray[Any]:
    """Return the predictions in a column of a Parquet file."""
    values = column.to_numpy()
    strange = ~np.isfinite(values) if values.dtype.kind in "buif" else np.ones(len(values), bool)
    if strange.any():
        i = int(strange.argmax())
        got = column[i].as_py()
        raise ValueError(f"{path}, row {i + 1}, column {name!r} must be a finite number, got {got!r}")
    return np.asarray(values)


def _words(column: Any, name: str, path: Path) -> NDArray[Any]:
    """Return the classes in a column of a Parquet file."""
    for i, value in enumerate(column.to_pylist(), 1):
        if not isinstance(value, str):
            raise ValueError(
                f"{path}, row {i}, column {name!r} must be a string, as the first predictions are, got {value!r}"
            )
    return np.array(column.to_pylist(), dtype=STRINGS)


def _write_parquet(path: Path, table: Table) -> None:
    """Write a Parquet file, times as timestamps in UTC."""
    with extra("tables"):
        import pyarrow
        from pyarrow import parquet
    times = pyarrow.array(table.times.astype("datetime64[ms]"), pyarrow.timestamp("ms", tz="UTC"))
    columns = [pyarrow.array(_plain(column)) for column in np.asfortranarray(table.predictions).T]
    teams = pyarrow.array(table.teams, pyarrow.string())
    parquet.write_table(pyarrow.table([teams, times, *columns], names=[*COLUMNS, *table.row_ids]), path)


def _plain(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column as Arrow takes it."""
    return column.astype(object) if column.dtype.kind == "T" else column


def _format(path: Path) -> tuple[Callable[[Path], Table], Callable[[Path, Table], None]]:
    """Return what reads and writes files with this suffix."""
    formats = {".csv": (_read_csv, _write_csv), ".parquet": (_read_parquet, _write_parquet)}
    if path.suffix.lower() not in formats:
        raise ValueError(f"path must end in .csv or .parquet, got {str(path)!r}")
    return formats[path.suffix.lower()]
