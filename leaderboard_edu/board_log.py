"""A board on disk: an append-only log of submissions, which is the state, and from which the board is rebuilt."""

from __future__ import annotations

import hashlib
import inspect
import math
import os
import secrets
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._boards import board_of, parameters
from leaderboard_edu._holdout import check_rows, row_names
from leaderboard_edu._log_files import PathLike
from leaderboard_edu._validation import function, instant, vector
from leaderboard_edu.log import SubmissionLog

__all__ = ["BoardLog"]

FIRST: np.datetime64 = np.datetime64("0001-01-01T00:00:00", "s")
KIND = 0x4C424C31  # the application_id of a log
PATIENCE = 60  # seconds that a submission waits for others
SAME = 1e-9  # releases that differ by less than this share are equal: another machine adds in another order
SCHEMA = f"""
PRAGMA application_id = {KIND};
CREATE TABLE header (labels TEXT NOT NULL, mechanism TEXT NOT NULL, seed TEXT NOT NULL);
CREATE TABLE submissions (
    number INTEGER PRIMARY KEY, account TEXT NOT NULL, time TEXT NOT NULL,
    dtype TEXT NOT NULL, predictions BLOB NOT NULL, released REAL NOT NULL
);
CREATE TRIGGER unchanged BEFORE UPDATE ON submissions BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER kept BEFORE DELETE ON submissions BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""


class BoardLog:
    """A board whose state is a log on disk, so that no crash loses what was shown to somebody.

    A submission is on disk when `submit` returns. Opening the log again plays it to a new board and compares what that
    shows with what was shown. Several processes may hold the same log: their submissions come one after the other, and
    each first plays what the others have added.

    Parameters
    ----------
    path : path-like
        The log, an SQLite file; it is begun if it is not there.
    labels : array_like, shape (n,)
        The holdout labels. They are not in the log, only their SHA-256.
    mechanism : callable
        Called with the labels. It makes a mechanism, as for `Leaderboard`, which then has one for each account; or a
        board, such as `RankBoard`. One that draws at random takes `rng`, too, and draws from that alone.

    Raises
    ------
    ValueError
        If an argument is not as described, the file is damaged, no log, or was begun with other labels or another
        mechanism, or a row does not lead to what it says was shown. From `submit`: if the account is not a string, the
        time is before that of the last row, or the board refuses the predictions. Then no row is added.
    OSError
        If the file cannot be read or written, or others hold it for a minute. Then no row is added.

    Notes
    -----
    The journal is SQLite's rollback journal, which is gone when nobody writes: the log is one file to copy, and needs
    no memory shared by the processes, which may be containers. With ``synchronous=EXTRA`` the end of the journal is on
    disk, too, before `submit` returns; with ``FULL`` a power failure could bring it back and undo the last row.

    A crash after the row was written and before the answer came through leaves a row that nobody was told of. Sent
    again, it is one more submission. A crash while a log is begun may leave a file that ends in ``.new``.

    Submission number t draws from ``PCG64([seed, t])``, with a secret seed that is in the log. NumPy may change what
    it draws from there in a later release; opening then names the row. Whoever has the log has the noise.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 2.1: a board is a function of the submissions so far.

    Examples
    --------
    >>> import tempfile
    >>> from leaderboard_edu import Ladder
    >>> path = tempfile.mkdtemp() + "/board.sqlite"
    >>> board = BoardLog(path, [0, 1, 1, 0], mechanism=lambda y: Ladder(y, eta="1/4"))
    >>> board.submit("ann", [0, 1, 1, 1])
    0.25
    >>> again = BoardLog(path, [0, 1, 1, 0], mechanism=lambda y: Ladder(y, eta="1/4"))
    >>> again.standings()
    (Standing(rank=1, account='ann', score=0.25, submissions=1),)
    """

    def __init__(self, path: PathLike, labels: ArrayLike, *, mechanism: Callable[..., Any]) -> None:
        self._path, self._lock, self._seed = Path(path), threading.Lock(), 0
        self._labels, self._rows = _compact(labels, "labels"), row_names(labels)
        self._rng = np.random.Generator(np.random.PCG64())
        self._maker = function(mechanism, "mechanism")
        if "rng" in inspect.signature(mechanism).parameters:
            self._maker = partial(mechanism, rng=self._rng)
        digest = hashlib.sha256(self._labels.dtype.str.encode() + self._labels.tobytes()).hexdigest()
        header = {"labels": digest, "mechanism": parameters(self._restart(), self._rng)}
        if not self._path.exists():
            self._create(header)
        with self._opened("BEGIN") as db:
            self._seed = self._check(db, header)
            self._restart()
            rows = self._unseen(db)
        self._replay(rows)

    def submit(self, account: str, predictions: ArrayLike, *, time: Any = None) -> Any:
        """Score a submission of an account and return what the board shows for it, when the row is on disk.

        `time` is an ISO string or a datetime, UTC without a zone; by default it is now.
        """
        if not isinstance(account, str) or account.encode(errors="replace").decode() != account or not account:
            raise ValueError(f"account must be a name, a string, got {account!r}")
        packed = _compact(predictions, "predictions")
        check_rows(predictions, "predictions", self._rows)
        with self._lock, self._opened("BEGIN IMMEDIATE") as db:
            self._replay(self._unseen(db))
            moment = max(instant(datetime.now(UTC), "time"), self._last) if time is None else instant(time, "time")
            if moment < self._last:
                raise ValueError(f"time must not be before the last submission, {self._last}, got {time!r}")
            try:
                shown = self._play(account, packed, moment)
                row = (self._played, account, str(moment), packed.dtype.str, zlib.compress(packed.tobytes(), 1))
                db.execute("INSERT INTO submissions VALUES (?, ?, ?, ?, ?, ?)", (*row, float(shown)))
                db.execute("COMMIT")
            except BaseException:
                self._restart()  # the board may know what the log does not
                raise
        return shown

    def standings(self) -> tuple[Any, ...]:
        """Return what the board shows, as its own method returns it, after all submissions of all processes."""
        with self._lock:
            with self._opened("BEGIN") as db:
                rows = self._unseen(db)
            self._replay(rows)
            return tuple(self._board.standings())

    def submissions(self) -> SubmissionLog:
        """Return all submissions as a log, which can be written to a CSV or Parquet file and played to other boards."""
        with self._opened("BEGIN") as db:
            rows = db.execute("SELECT account, time, dtype, predictions FROM submissions ORDER BY number").fetchall()
        teams, times, dtypes, packed = zip(*rows, strict=True) if rows else ((), (), (), ())
        vectors = [_unpacked(dtype, blob) for dtype, blob in zip(dtypes, packed, strict=True)]
        predictions = np.stack(vectors) if rows else np.empty((0, self._labels.size), dtype=np.uint8)
        return SubmissionLog(
            teams=teams,
            times=np.array(times, "datetime64[s]"),
            predictions=predictions,
            row_ids=() if self._rows is None else [str(row) for row in self._rows],
        )

    def _restart(self) -> Any:
        """Take a new board, which has seen nothing, and return what was made for it."""
        self._rng.bit_generator.state = np.random.PCG64([self._seed, 0]).state
        self._played, self._last = 0, FIRST
        self._board, made = board_of(self._labels, self._maker)
        return made

    def _play(self, account: str, packed: NDArray[Any], moment: np.datetime64) -> Any:
        """Give the board the next submission, with the noise of its number."""
        self._played, self._last = self._played + 1, moment
        self._rng.bit_generator.state = np.random.PCG64([self._seed, self._played]).state
        return self._board.submit(account, packed)

    def _unseen(self, db: Any) -> list[tuple[Any, ...]]:
        """Return the rows that the board has not seen."""
        if db.execute("SELECT coalesce(max(number), 0) FROM submissions").fetchone()[0] < self._played:
            self._restart()  # the file was put back to an earlier state
        rows = db.execute("SELECT * FROM submissions WHERE number > ? ORDER BY number", (self._played,)).fetchall()
        return list(rows)

    def _replay(self, rows: list[tuple[Any, ...]]) -> None:
        """Play rows to the board, and compare what it shows with what was shown."""
        for number, account, time, dtype, packed, released in rows:
            try:
                shown = self._play(account, _unpacked(dtype, packed), np.datetime64(time, "s"))
                if number != self._played:
                    raise ValueError(f"row {self._played} is missing")
                if not math.isclose(shown, released, rel_tol=SAME, abs_tol=SAME):
                    raise ValueError(f"it showed {released}, and the same submissions now lead to {shown}")
            except (TypeError, ValueError, zlib.error) as error:
                self._restart()
                raise ValueError(f"{self._path}, row {number} is damaged: {error}") from error

    @contextmanager
    def _opened(self, begin: str) -> Iterator[Any]:
        """Open the file for a transaction, which is taken back unless it is committed; errors are said plainly."""
        import sqlite3

        address = f"{self._path.absolute().as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = EXTRA")
                db.execute(begin)
                yield db
        except sqlite3.Error as error:
            if type(error) is sqlite3.DatabaseError:
                raise ValueError(
                    f"path must be an undamaged log of a board, got {str(self._path)!r}: {error}"
                ) from error
            raise OSError(f"{self._path}: {error}; no submission was added") from error

    def _create(self, header: dict[str, str]) -> None:
        """Begin the log under another name; it gets its own when it is complete, unless another process was first."""
        import sqlite3

        new = self._path.with_name(f"{self._path.name}.{secrets.token_hex(4)}.new")
        try:
            with closing(sqlite3.connect(new)) as db:
                db.executescript(SCHEMA)
                db.execute("INSERT INTO header VALUES (?, ?, ?)", (*header.values(), str(secrets.randbits(128))))
                db.commit()
            os.link(new, self._path)
        except FileExistsError:
            pass
        except sqlite3.Error as error:
            raise OSError(f"{self._path}: {error}; no log was begun") from error
        finally:
            new.unlink(missing_ok=True)

    def _check(self, db: Any, header: dict[str, str]) -> int:
        """Return the seed, if the file is a log of these labels and this mechanism."""
        if db.execute("PRAGMA application_id").fetchone()[0] != KIND:
            raise ValueError(f"path must be a log of a board, or not there, got '{self._path}' of something else")
        labels, mechanism, seed = db.execute("SELECT labels, mechanism, seed FROM header").fetchone()
        if header["labels"] != labels:
            kind = "strings" if self._labels.dtype.kind == "U" else "numbers"
            raise ValueError(
                f"labels must be those that {self._path} was begun with, in their order, got other ones, "
                f"{self._labels.size:,} {kind}"
            )
        if header["mechanism"] != mechanism:
            raise ValueError(
                f"mechanism must be as in {self._path}, which was begun with {mechanism}, got {header['mechanism']}"
            )
        return int(seed)


def _compact(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return labels or predictions as they are stored: as bytes or whole numbers if they are that, floats, or text."""
    given = vector(values, name)
    if given.dtype.kind not in "buif":
        given = np.array(given.tolist())  # of one width, in bytes
    for dtype in ("u1", "<i8", "<f8") if given.dtype.kind in "buif" else (given.dtype,):
        with np.errstate(invalid="ignore"):
            array: NDArray[Any] = given.astype(dtype)
        if (array == given).all():
            break
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def _unpacked(dtype: str, packed: bytes) -> NDArray[Any]:
    """Return what a row holds."""
    return np.frombuffer(zlib.decompress(packed), dtype)
