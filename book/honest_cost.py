"""What a board costs honest teams: the improvements that it hides.

An improvement is a file that is truly better than all that its team sent
before, by the sealed labels, which the board does not score. It is hidden
if the team is not told so: nothing better than before is shown to it.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

import leaderboard_edu as le


@dataclass(frozen=True)
class HonestCost:
    """True improvements in the order of teams and times, an entry each.

    `gain` is by how much the loss fell, `hidden` whether the board kept
    silent, `days` how long until the team was shown something better,
    infinity for never.
    """

    gain: np.ndarray
    hidden: np.ndarray
    days: np.ndarray


def places(log: le.SubmissionLog) -> dict[Hashable, list[int]]:
    """Return for each team where its submissions stand in the log."""
    found: dict[Hashable, list[int]] = {}
    for i, team in enumerate(log.teams):
        found.setdefault(team, []).append(i)
    return found


def records(log: le.SubmissionLog, values: np.ndarray) -> np.ndarray:
    """Say which values are lower than all before of the same team."""
    found = np.zeros(len(log), dtype=bool)
    for index in places(log).values():
        best = np.minimum.accumulate(values[index])
        found[index] = np.append(True, best[1:] < best[:-1])
    return found


def told(
    log: le.SubmissionLog,
    labels: np.ndarray,
    mechanism: Callable[[Any], Any] = le.FullDisclosure,
) -> np.ndarray:
    """Say after which submissions a board shows its team a better score.

    On a board of ranks: after which the team has overtaken somebody; on a
    board of the best few: after which that has changed.
    """
    board = mechanism(labels)
    if not isinstance(board, le.RankBoard | le.TopBoard):
        return records(log, le.replay(log, labels, mechanism).shown)
    found = np.zeros(len(log), dtype=bool)
    for i, team in enumerate(log.teams):
        before = board.standings()
        rank = board.submit(team, log.predictions[i])
        if isinstance(board, le.RankBoard):
            found[i] = team not in before or rank <= before.index(team)
        else:
            found[i] = board.standings() != before
    return found


def honest_cost(
    log: le.SubmissionLog, truth: np.ndarray, told: np.ndarray
) -> HonestCost:
    """Return what a board hid of a log whose files have these losses."""
    found = []
    for index in places(log).values():
        best = np.minimum.accumulate(truth[index])
        for j in np.flatnonzero(best[1:] < best[:-1]) + 1:
            now = index[j]
            later = log.times[[i for i in index[j:] if told[i]]]
            waits = (later - log.times[now]) / np.timedelta64(1, "D")
            days = waits[0] if waits.size else np.inf
            found.append((best[j - 1] - best[j], not told[now], days))
    gain, hidden, days = np.array(found, dtype=float).reshape(-1, 3).T
    return HonestCost(gain, hidden.astype(bool), days)


def false_moves(
    log: le.SubmissionLog, truth: np.ndarray, told: np.ndarray
) -> tuple[int, int]:
    """Return how many moves a board showed falsely, and how many in all.

    A move is what a team is told after its first file. It is false if the
    file is no better, by its true loss, than the last one told of before.
    """
    false = moves = 0
    for index in places(log).values():
        change = np.diff(truth[index][told[index]])
        false, moves = false + int(np.sum(change >= 0)), moves + change.size
    return false, moves
