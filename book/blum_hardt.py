"""What Blum & Hardt drew of a contest, of the stored competition.

The chapter on a real competition shows it, and the record of the papers'
figures quotes it. Each function takes a log, and the labels with what
says which of them are public.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

import leaderboard_edu as le

if TYPE_CHECKING:
    from book.competition import Competition

HALVES = 20  # splits of the private labels


def played(
    log: le.SubmissionLog,
    held: Competition,
    mechanism: Callable[[Any], Any] = le.FullDisclosure,
) -> le.Replay:
    """Return what a board shows if the log is replayed on it."""
    return le.replay(
        log.rows(held.public), held.labels[held.public], mechanism
    )


def fifty_best(
    log: le.SubmissionLog, held: Competition
) -> dict[str, np.ndarray]:
    """Return what two boards showed of the fifty best by private loss.

    Under `missed` are the private labels that each has wrong, under `log`
    public and private log loss of the best files of the fifty leading
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


def both_boards(fifty: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return how the boards differ, and what looks worse in public."""
    full, free = fifty["full"], fifty["free"]
    private = fifty["missed"].mean(axis=1)
    public_log, private_log = fifty["log"]
    return {
        "same": int((free == full).sum()),
        "furthest": np.abs(free - full).max(),
        "above": 100 * np.mean(full > private),
        "gap": np.mean(full - private),
        "above_log": 100 * np.mean(public_log > private_log),
    }


def split_gaps(fifty: dict[str, np.ndarray]) -> np.ndarray:
    """Return by how much losses differ on two halves, for each split."""
    missed, rng = fifty["missed"], np.random.default_rng(3)
    gaps = []
    for _ in range(HALVES):
        halves = np.split(rng.permutation(missed.shape[1]), 2)
        left, right = (missed[:, half].mean(axis=1) for half in halves)
        gaps.append(left - right)
    return np.array(gaps)


def fresh_splits(
    fifty: dict[str, np.ndarray], held: Competition
) -> dict[str, Any]:
    """Return the spread of the gaps, and how far the real one is in it.

    The real split has parts of other sizes, so its gap is compared with a
    standard deviation of its own.
    """
    gaps, private = split_gaps(fifty), fifty["missed"].mean(axis=1)
    sd = gaps.std(axis=0, ddof=1).mean()
    public, sealed = held.public.sum(), (~held.public).sum()
    scale = math.sqrt((1 / public + 1 / sealed) / (4 / sealed))
    above, below = (gaps > 0).mean(axis=1), (gaps < 0).mean(axis=1)
    return {
        "sd": sd,
        "spread": np.ptp(private),
        "sds": both_boards(fifty)["gap"] / (scale * sd),
        "same": 100 * np.maximum(above, below).mean(),
    }


def first_ten(
    log: le.SubmissionLog,
    held: Competition,
    mechanism: Callable[[Any], Any] = le.FullDisclosure,
) -> list[Hashable]:
    """Return the first ten accounts of the public board, in order."""
    board = played(log, held, mechanism)
    return [row.account for row in board.standings[:10]]


def changes(
    log: le.SubmissionLog, held: Competition
) -> list[tuple[int, Hashable, Hashable]]:
    """Return where the parameter-free Ladder changes the first ten.

    Each change is a rank, who has it on full disclosure, and who then.
    """
    orders = (
        first_ten(log, held, mechanism)
        for mechanism in (le.FullDisclosure, le.ParameterFreeLadder)
    )
    both = enumerate(zip(*orders, strict=True), start=1)
    return [(rank, old, new) for rank, (old, new) in both if old != new]


def ten_compared(
    log: le.SubmissionLog, held: Competition, correction: str
) -> tuple[le.LeaderComparison, ...]:
    """Compare the best files of the first ten on the private labels."""
    board = played(log, held)
    first = {row.account for row in board.standings[:10]}
    best = le.best_counts(board)
    best &= [team in first for team in log.teams]
    ten = log.submissions(best).rows(~held.public)
    return le.compare_to_leader(
        ten, held.labels[~held.public], correction=correction
    )
