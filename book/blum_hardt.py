"""What Blum & Hardt drew of a contest, of the stored competition.

The chapter on a real competition shows it, and the record of the papers'
figures quotes it. `held` is what `competition.competition()` returns.
"""

import math
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

import leaderboard_edu as le

Log = le.SubmissionLog
Board = Callable[[Any], Any]
Fifty = dict[str, np.ndarray]


def played(
    log: Log, held: Any, board: Board = le.FullDisclosure
) -> le.Replay:
    """Return what a board shows if the log is replayed on it."""
    return le.replay(log.rows(held.public), held.labels[held.public], board)


def fifty_best(log: Log, held: Any) -> Fifty:
    """Return what two boards showed of the fifty best by sealed loss.

    Under `missed` are the sealed labels that each has wrong, under `log`
    public and sealed log loss of the best files of the fifty leading
    accounts.
    """
    missed = (log.predictions != held.labels)[:, ~held.public]
    at = np.argsort(missed.sum(axis=1), kind="stable")[:50]
    chances = np.clip(held.probabilities / 255, 0.01, 0.99)
    losses = -np.log(np.where(held.labels == 1, chances, 1 - chances))
    parts = held.public, ~held.public
    return {
        "full": played(log, held).shown[at],
        "free": played(log, held, le.ParameterFreeLadder).shown[at],
        "missed": missed[at],
        "log": np.array([losses[:, part].mean(axis=1) for part in parts]),
    }


def both_boards(fifty: Fifty) -> dict[str, Any]:
    """Return how the boards differ, and what looks worse in public."""
    full, free, log = fifty["full"], fifty["free"], fifty["log"]
    sealed = fifty["missed"].mean(axis=1)
    return {
        "same": int((free == full).sum()),
        "furthest": np.abs(free - full).max(),
        "above": 100 * np.mean(full > sealed),
        "gap": np.mean(full - sealed),
        "above_log": 100 * np.mean(log[0] > log[1]),
    }


def split_gaps(missed: np.ndarray) -> np.ndarray:
    """Return by how much losses differ on two halves, for 20 splits."""
    rng, n = np.random.default_rng(3), missed.shape[1]
    splits = (np.split(rng.permutation(n), 2) for _ in range(20))
    return np.array(
        [
            missed[:, left].mean(axis=1) - missed[:, right].mean(axis=1)
            for left, right in splits
        ]
    )


def fresh_splits(fifty: Fifty, held: Any) -> dict[str, Any]:
    """Return the spread of the gaps, and how far the real one is in it.

    The standard deviation of a file's gap is exact, over all splits; the
    mean of the files is returned, and of what 20 splits gave. The real
    split has parts of other sizes, so its gap is compared with a standard
    deviation of its own.
    """
    gaps = split_gaps(fifty["missed"])
    p, n = fifty["missed"].mean(axis=1), fifty["missed"].shape[1]
    sd = np.mean(2 * np.sqrt(p * (1 - p) / (n - 1)))
    public, sealed = held.public.sum(), (~held.public).sum()
    scale = math.sqrt((1 / public + 1 / sealed) / (4 / sealed))
    above, below = (gaps > 0).mean(axis=1), (gaps < 0).mean(axis=1)
    return {
        "sd": sd,
        "drawn": gaps.std(axis=0, ddof=1).mean(),
        "spread": np.ptp(fifty["missed"].mean(axis=1)),
        "sds": both_boards(fifty)["gap"] / (scale * sd),
        "same": 100 * np.maximum(above, below).mean(),
    }


def first_ten(log: Log, held: Any, board: Board) -> list[Hashable]:
    """Return the first ten accounts of the public board, in order."""
    return [row.account for row in played(log, held, board).standings[:10]]


def changes(
    log: Log, held: Any, board: Board = le.ParameterFreeLadder
) -> list[tuple[int, Hashable, Hashable]]:
    """Return ranks, who has them on full disclosure, and who then."""
    old = first_ten(log, held, le.FullDisclosure)
    new = first_ten(log, held, board)
    rows = zip(range(1, 11), old, new, strict=True)
    return [row for row in rows if row[1] != row[2]]


def ten_compared(
    log: Log, held: Any, correction: str
) -> tuple[le.LeaderComparison, ...]:
    """Compare the best files of the first ten on the sealed labels."""
    best = le.best_counts(played(log, held))
    first = first_ten(log, held, le.FullDisclosure)
    best &= [team in first for team in log.teams]
    ten = log.submissions(best).rows(~held.public)
    y = held.labels[~held.public]
    return le.compare_to_leader(ten, y, correction=correction)
