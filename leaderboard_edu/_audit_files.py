"""The files of a finished competition: labels, which of them the board scored, and the log, a file or a folder."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._extras import extra
from leaderboard_edu._log_files import first_line
from leaderboard_edu._validation import instant
from leaderboard_edu.log import SubmissionLog

TRUE, FALSE = ("1", "true", "yes", "public"), ("0", "false", "no", "private")
MANIFEST = "manifest.csv"


class Competition(NamedTuple):
    """What the files hold, rows in the order of the labels."""

    labels: NDArray[Any]
    log: SubmissionLog
    public: NDArray[np.bool_] | None


class Line(NamedTuple):
    """A line of a table: where it is, and its fields by column."""

    here: str
    fields: dict[str, str]


def read_competition(labels: Path, log: Path, public: str | None = None, *, progress: bool = False) -> Competition:
    """Read the files; a ValueError says which is wrong, and in which line.

    Parameters
    ----------
    labels : Path
        A CSV file with the columns `id` and `label`, and maybe `public`.
    log : Path
        A CSV or Parquet file, as `SubmissionLog.read` takes it; or a folder with a CSV file for each submission, whose
        columns are `id` and another one. Team and time stand in `manifest.csv`, with the columns `file`, `team` and
        `time`, or in the names: TEAM/TIME.csv or TEAM_TIME.csv.
    public : str, optional
        Another column of the labels that says which rows the board scored, or a CSV file with their `id`.
    progress : bool
        Whether to show a bar while the files of a folder are read, which needs tqdm.
    """
    table = list(_lines(labels, ["id", "label"]))
    if not table:
        raise ValueError(f"{labels}: there must be a line for each row, got none")
    rows = _rows(table)
    known = _values([(line.here, line.fields["label"]) for line in table], "column 'label'")
    scored = _public(labels, table, rows, public)
    found = (
        _folder(log, rows, known.dtype.kind, progress=progress)
        if log.is_dir()
        else _aligned(SubmissionLog.read(log), rows, log)
    )
    return Competition(known, found, scored)


def _lines(path: Path, needed: Sequence[str]) -> Iterator[Line]:
    """Yield the lines of a CSV file in UTF-8 that has these columns."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        try:
            columns = first_line(reader, path)
            for name in needed:
                if name not in columns:
                    raise ValueError(f"{path}, line 1: there must be a column {name!r}, got {columns[:5]}")
            if len(set(columns)) < len(columns):
                raise ValueError(f"{path}, line 1: the columns must be different, got {columns[:5]}")
            for fields in filter(None, reader):
                here = f"{path}, line {reader.line_num}"
                if len(fields) != len(columns):
                    raise ValueError(
                        f"{here}: it must have {len(columns)} fields, as the first line, got {len(fields)}"
                    )
                yield Line(here, dict(zip(columns, fields, strict=True)))
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: it must be text in UTF-8, got {error}") from None
        except csv.Error as error:
            raise ValueError(f"{path}, line {reader.line_num}: it must be CSV, got {error}") from None


def _rows(table: Sequence[Line]) -> dict[str, int]:
    """Return the place of each id; none may be there twice."""
    rows: dict[str, int] = {}
    for place, line in enumerate(table):
        row_id = line.fields["id"]
        if row_id in rows:
            raise ValueError(f"{line.here}, column 'id' must be different in each line, got {row_id!r} again")
        rows[row_id] = place
    return rows


def _number(text: str) -> float | None:
    """Return the finite number that a field holds, if it does."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _values(fields: Sequence[tuple[str, str]], what: str) -> NDArray[Any]:
    """Return classes, numbers or words as the first of them is."""
    wanted = None
    for here, text in fields:
        if not text.strip():
            raise ValueError(f"{here}, {what} must not be empty")
        kind = "a word" if _number(text) is None else "a number"
        wanted = wanted or kind
        if kind != wanted:
            raise ValueError(f"{here}, {what} must be {wanted}, as in the lines before, got {text!r}")
    return np.array([text if wanted == "a word" else float(text) for _, text in fields])


def _public(path: Path, table: Sequence[Line], rows: dict[str, int], public: str | None) -> NDArray[np.bool_] | None:
    """Return which rows the board scored, or None if nothing says so."""
    columns = table[0].fields
    if public is None and "public" not in columns:
        return None
    column = public or "public"
    if column in columns:
        return np.array([_truth(line, column) for line in table])
    if not Path(column).is_file():
        raise ValueError(f"--public must be a column of {path} or a CSV file of ids, got {public!r}")
    marked = list(_lines(Path(column), ["id"]))
    _rows(marked)
    mask = np.zeros(len(table), dtype=bool)
    for line in marked:
        mask[_row(line, rows)] = True
    return mask


def _truth(line: Line, column: str) -> bool:
    """Return the truth value in a column."""
    text = line.fields[column].strip().lower()
    if text not in TRUE + FALSE:
        raise ValueError(f"{line.here}, column {column!r} must be 1 or 0, got {line.fields[column]!r}")
    return text in TRUE


def _row(line: Line, rows: dict[str, int]) -> int:
    """Return the row that a line is about."""
    row_id = line.fields["id"]
    if row_id not in rows:
        raise ValueError(f"{line.here}, column 'id' must be an id of the labels, got {row_id!r}")
    return rows[row_id]


def _missing(path: Path, missing: Sequence[str]) -> ValueError:
    """Return the error for rows without prediction."""
    return ValueError(
        f"{path}: there must be a prediction for each id, got none for {missing[0]!r} ({len(missing):,} in all)"
    )


def _aligned(log: SubmissionLog, rows: dict[str, int], path: Path) -> SubmissionLog:
    """Return the log with its rows in the order of the labels."""
    places = {row_id: i for i, row_id in enumerate(log.row_ids)}
    if missing := [row_id for row_id in rows if row_id not in places]:
        raise _missing(path, missing)
    if unknown := [row_id for row_id in log.row_ids if row_id not in rows]:
        raise ValueError(
            f"{path}: each column must be an id of the labels, got {unknown[0]!r} ({len(unknown):,} in all)"
        )
    return log.rows([places[row_id] for row_id in rows])


def _folder(folder: Path, rows: dict[str, int], kind: str, *, progress: bool) -> SubmissionLog:
    """Read a folder, the files in the order of their times."""
    found = sorted(_submissions(folder), key=lambda each: each[:3])
    if not found:
        raise ValueError(
            f"{folder}: there must be a CSV file of a submission at least, named TEAM_TIME.csv or TEAM/TIME.csv, or "
            f"listed in {MANIFEST}, got none"
        )
    paths: Iterable[Path] = [path for _, _, path in found]
    if progress:
        with extra("studies"):
            from tqdm import tqdm

        paths = tqdm(paths, unit="file")
    files = np.stack([_file(path, rows, kind) for path in paths])
    return SubmissionLog(
        teams=[team for _, team, _ in found],
        times=np.array([time for time, _, _ in found]),
        predictions=files,
        row_ids=list(rows),
    )


def _submissions(folder: Path) -> Iterator[tuple[np.datetime64, str, Path]]:
    """Yield time, team and file of each submission in a folder."""
    if (folder / MANIFEST).is_file():
        for line in _lines(folder / MANIFEST, ["file", "team", "time"]):
            path = folder / line.fields["file"]
            if not path.is_file():
                raise ValueError(
                    f"{line.here}, column 'file' must name a file in {folder}, got {line.fields['file']!r}"
                )
            yield instant(line.fields["time"], f"{line.here}, column 'time'"), line.fields["team"], path
        return
    for path in sorted(folder.rglob("*.csv")):
        inside = path.relative_to(folder).with_suffix("")
        team, _, time = str(inside.as_posix()).rpartition("/") if len(inside.parts) > 1 else inside.name.rpartition("_")
        if not team:
            raise ValueError(f"{path}: its name must be TEAM_TIME.csv or TEAM/TIME.csv, or {MANIFEST} must say so")
        yield instant(time, f"{path}: the time in its name"), team, path


def _file(path: Path, rows: dict[str, int], kind: str) -> NDArray[Any]:
    """Read a submission: a prediction for each row, in the order of the labels."""
    table = list(_lines(path, ["id"]))
    others = [name for name in (table[0].fields if table else {}) if name != "id"]
    if table and len(others) != 1:
        raise ValueError(
            f"{path}, line 1: the columns must be 'id' and one of predictions, got {list(table[0].fields)[:5]}"
        )
    own = _rows(table)
    places = [_row(line, rows) for line in table]
    if missing := [row_id for row_id in rows if row_id not in own]:
        raise _missing(path, missing)
    column = others[0]
    values = _values([(line.here, line.fields[column]) for line in table], f"column {column!r}")
    if values.dtype.kind != kind:
        wanted, got = "words" if kind == "U" else "numbers", table[0].fields[column]
        raise ValueError(f"{table[0].here}, column {column!r} must hold {wanted}, as the labels do, got {got!r}")
    ordered = np.empty_like(values)
    ordered[places] = values
    return ordered
