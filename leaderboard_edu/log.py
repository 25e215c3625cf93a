"""The log of a competition: who submitted what and when; its files, and what another board would have shown."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._boards import board_of
from leaderboard_edu._holdout import row_names, same_rows
from leaderboard_edu._log_files import PathLike, Table, Times, check_row_ids, read_file, write_file
from leaderboard_edu._validation import function, hashable, instant, of_objects, unchangeable, vector
from leaderboard_edu.mechanisms import FullDisclosure, Mechanism

__all__ = ["Replay", "SubmissionLog", "replay"]

FIRST, LAST = np.datetime64("0001-01-01T00:00:00", "s"), np.datetime64("9999-12-31T23:59:59", "s")


@dataclass(frozen=True, eq=False, kw_only=True)
class SubmissionLog:
    """Submissions of all teams in the order in which they came, which also decides between equal times.

    Parameters
    ----------
    teams : sequence of hashable, length k
        Who made each submission.
    times : array_like, shape (k,)
        When: ISO strings, datetimes of Python or NumPy, not decreasing. Without a zone they are UTC; what is below
        a second is cut off.
    predictions : array_like, shape (k, n)
        A row for each submission and a column for each row of the holdout; finite numbers, or strings.
    row_ids : sequence of str, length n
        The names of the rows of the holdout, all different; by default those of the columns of a frame, or "0", "1"
        and so on.

    Attributes
    ----------
    teams : tuple of hashable
    times : ndarray of datetime64[s], shape (k,)
        In UTC. Read-only.
    predictions : ndarray, shape (k, n)
        Of uint8 if all are whole numbers from 0 to 255, such as labels, else float64 or strings. Read-only.
    row_ids : tuple of str

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 4: all submissions of a competition, in their order.

    Examples
    --------
    >>> log = SubmissionLog(
    ...     teams=["ann", "bob", "ann"],
    ...     times=["2027-01-01T09:00", "2027-01-01T12:30", "2027-01-02T09:00"],
    ...     predictions=[[0, 1, 1], [0, 0, 0], [0, 1, 0]],
    ... )
    >>> log.rows([0, 2]).predictions.tolist()
    [[0, 1], [0, 0], [0, 0]]
    >>> log.submissions([0, 2]).teams
    ('ann', 'ann')
    """

    teams: Sequence[Hashable]
    times: Times
    predictions: NDArray[Any]
    row_ids: Sequence[str] = ()

    def __post_init__(self) -> None:
        teams = tuple(hashable(team, "teams") for team in self.teams)
        times = _instants(self.times)
        predictions = _matrix(self.predictions)
        k, n = predictions.shape
        row_ids = tuple(self.row_ids) or tuple(map(str, getattr(self.predictions, "columns", range(n))))
        for name, found, wanted, each in (
            ("teams", len(teams), k, "submission"),
            ("times", times.size, k, "submission"),
            ("row_ids", len(row_ids), n, "row of the holdout"),
        ):
            if found != wanted:
                raise ValueError(f"{name} must have {wanted} entries, one for each {each}, got {found}")
        check_row_ids(row_ids)
        times.setflags(write=False)
        for name, value in (("teams", teams), ("times", times), ("predictions", predictions), ("row_ids", row_ids)):
            object.__setattr__(self, name, value)

    @classmethod
    def read(cls, path: PathLike) -> SubmissionLog:
        """Read a log from a file, `.csv` or `.parquet`, which needs the extra `tables`.

        Its columns are `team`, `time` and one for each row of the holdout, which the column is named after. Predictions
        are all numbers or all strings; in a CSV file a string must not look like a number, in a Parquet file it may. A
        ValueError says in which line and column a file is wrong.
        """
        table = read_file(path)
        return cls(teams=table.teams, times=table.times, predictions=table.predictions, row_ids=table.row_ids)

    def write(self, path: PathLike) -> None:
        """Write the log to a file, `.csv` or `.parquet`, as `read` takes it; teams must be strings.

        A file that is there is replaced when the new one is complete.
        """
        write_file(path, Table(self.teams, self.times, self.predictions, self.row_ids))

    def __len__(self) -> int:
        """Return the number of submissions."""
        return len(self.teams)

    def rows(self, index: Any) -> SubmissionLog:
        """Return the log on some rows of the holdout: a slice, positions, or one truth value for each row."""
        chosen = np.arange(len(self.row_ids))[index]
        return SubmissionLog(
            teams=self.teams,
            times=self.times,
            predictions=self.predictions[:, chosen],
            row_ids=[self.row_ids[i] for i in chosen],
        )

    def submissions(self, index: Any) -> SubmissionLog:
        """Return the log of some submissions: a slice, growing positions, or one truth value for each submission."""
        chosen = np.arange(len(self))[index]
        return SubmissionLog(
            teams=[self.teams[i] for i in chosen],
            times=self.times[chosen],
            predictions=self.predictions[chosen],
            row_ids=self.row_ids,
        )


def _instants(values: Any) -> Times:
    """Return times as seconds in UTC, in a new array."""
    given = np.asarray(values)
    if given.dtype.kind == "M":
        times = given.astype("datetime64[s]")
    else:
        times = np.array([instant(value, "times") for value in given.ravel().tolist()], "datetime64[s]")
        times = times.reshape(given.shape)
    if times.ndim != 1:
        raise ValueError(f"times must be one-dimensional, got shape {times.shape}")
    strange = ~((times >= FIRST) & (times <= LAST))
    if strange.any():
        raise ValueError(f"times must be of the years 1 to 9999, got {times[strange][0]}")
    earlier = np.flatnonzero(times[1:] < times[:-1])
    if earlier.size:
        i = int(earlier[0])
        raise ValueError(f"times must not decrease, got {times[i + 1]} after {times[i]} at position {i + 1}")
    return times


def _matrix(values: ArrayLike) -> NDArray[Any]:
    """Return predictions in a new array, compact if they are small whole numbers."""
    try:
        given = np.asarray(values)
        if given.dtype.kind == "U" and not isinstance(values, np.ndarray):
            given = np.asarray(values, dtype=object)  # numbers among strings stay what they are
    except ValueError:
        raise ValueError("predictions must have rows of equal length, got rows of unequal length") from None
    if given.ndim != 2 or given.shape[1] == 0:
        raise ValueError(f"predictions must have a row for each submission and a column at least, got {given.shape}")
    if given.dtype.kind in "UO":
        given = of_objects(given.ravel(), "predictions").reshape(given.shape)
    if given.dtype.kind == "T":
        strings = given.copy()
        strings.setflags(write=False)
        return strings
    if given.dtype.kind not in "buif":
        raise ValueError(f"predictions must hold numbers or strings, got dtype {given.dtype}")
    if not np.isfinite(given).all():
        raise ValueError(f"predictions must be finite, got {given[~np.isfinite(given)][0]}")
    compact = given.astype(np.uint8) if 0 <= given.min(initial=0) <= given.max(initial=0) <= 255 else None
    kept = compact if compact is not None and (compact == given).all() else given.astype(np.float64)
    return unchangeable(kept)  # so that boards need not copy it


@dataclass(frozen=True, eq=False)
class Replay:
    """What a board showed while a log was played to it.

    Attributes
    ----------
    log : SubmissionLog
        What was submitted.
    shown : ndarray of float, shape (k,)
        What the team of each submission was shown for it, at its time. Read-only.
    standings : tuple
        What the board shows at the end, as its own method returns it.
    larger_is_better : bool
        Whether larger values are better; losses and ranks are not.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 4.

    Examples
    --------
    >>> log = SubmissionLog(
    ...     teams=["ann"], times=["2027-01-01"], predictions=[[0, 1]]
    ... )
    >>> replay(log, [1, 1]).shown.tolist()
    [0.5]
    """

    log: SubmissionLog
    shown: NDArray[np.float64]
    standings: tuple[Any, ...]
    larger_is_better: bool = False


def replay(log: SubmissionLog, labels: ArrayLike, mechanism: Callable[[ArrayLike], Any] = FullDisclosure) -> Replay:
    """Play a log to a board, submission after submission, and return what it shows.

    The submissions stay as they were made. A team that had been shown something else might have gone on in another
    way; what is shown here is what would have happened had nobody reacted.

    Parameters
    ----------
    log : SubmissionLog
        Of k submissions on n rows.
    labels : array_like, shape (n,)
        The labels of these rows.
    mechanism : callable
        Called with the labels. It makes a mechanism, as for `Leaderboard`, which then has one for each team; or a
        board, an object with `submit(account, predictions)` and `standings()`, such as `RankBoard`.

    Returns
    -------
    Replay
        With the answers and the standings of the board, as it would have given them by hand.

    Raises
    ------
    ValueError
        If `labels` has another length than the rows or an index of pandas that is not the `row_ids` of the log,
        `mechanism` makes neither, or what it makes refuses the labels or a submission; the message then begins with
        the place of the submission in the log, from 0.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 4: the submissions of a competition, given to the Ladder.

    Examples
    --------
    >>> from leaderboard_edu import Ladder, RankBoard
    >>> log = SubmissionLog(
    ...     teams=["ann", "bob", "ann"],
    ...     times=["2027-01-01"] * 3,
    ...     predictions=[[0, 0, 1], [0, 1, 1], [1, 1, 1]],
    ... )
    >>> replay(log, [1, 1, 1], lambda y: Ladder(y, eta="1/10")).shown.tolist()
    [0.7, 0.3, 0.0]
    >>> replay(log, [1, 1, 1], RankBoard).standings
    ('ann', 'bob')
    """
    check_labels(log, labels)
    board, made = board_of(labels, function(mechanism, "mechanism"))
    shown = np.empty(len(log))
    for i, (team, predictions) in enumerate(zip(log.teams, log.predictions, strict=True)):
        try:
            shown[i] = board.submit(team, predictions)
        except ValueError as error:
            raise ValueError(f"submission {i} of {team!r}: {error}") from error
    shown.setflags(write=False)
    return Replay(log, shown, tuple(board.standings()), isinstance(made, Mechanism) and made.larger_is_better)


def check_labels(log: SubmissionLog, labels: ArrayLike) -> None:
    """Refuse labels that are not one for each row of the log; an index of pandas must be its `row_ids`."""
    n, found = len(log.row_ids), vector(labels, "labels").size
    rows = row_names(labels)
    if found != n:
        known = set() if rows is None else set(map(str, rows))
        extra = [row_id for row_id in log.row_ids if row_id not in known]
        named = f", which has {extra[0]!r} without a label" if len(extra) == n - found else ""
        raise ValueError(f"labels must have {n} entries, one for each row of the log{named}, got {found}")
    if rows is not None:
        same_rows([str(row) for row in rows], "labels", log.row_ids, "row_ids of the log")
