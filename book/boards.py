"""Boards of classification, and contests on them: what is sent and shown.

Labels are coin flips. Eve may start from a classifier: one that is wrong
anywhere, or one that knows half of the labels and guesses the rest.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import leaderboard_edu as le

LABELS, NAME, ALL = 4000, 1000, 5000  # files of one account, and of many
PLACES = 3
NOISE = 0.3  # loss of the classifier that an informed attack starts from
CLOSE = 0.265  # that of one near a border of tenths, unsure of some labels
UNSURE = 2  # stands in its file for a label that it can only guess

File = np.ndarray
Send = Callable[[File], Any]


class SpentError(Exception):
    """All files that an attack may send have been sent."""


def full(labels: File, precision: str | None = None) -> le.Leaderboard:
    """Return a board that shows every loss."""
    maker = partial(le.FullDisclosure, precision=precision)
    return le.Leaderboard(labels, mechanism=maker)


def ladder(labels: File, maker: Any, eta: str) -> le.Leaderboard:
    """Return a board with a Ladder of this step for each account."""
    return le.Leaderboard(labels, mechanism=partial(maker, eta=eta))


def places(labels: File, eta: str) -> le.TopBoard:
    """Return a board of three places, with a Ladder for each."""
    maker = partial(le.SimplifiedLadder, eta=eta)
    return le.TopBoard(labels, ranks=PLACES, mechanism=maker)


BOARDS: dict[str, Callable[[File], Any]] = {
    "exact losses": full,
    "losses in 1/100": partial(full, precision="1/100"),
    "exact ranks": le.RankBoard,
    "ranks in 1/100": partial(le.RankBoard, precision="1/100"),
    "parameter-free Ladder": partial(
        le.Leaderboard, mechanism=le.ParameterFreeLadder
    ),
    "Ladder, 1/100": partial(ladder, maker=le.Ladder, eta="1/100"),
    "simplified Ladder, 1/100": partial(
        ladder, maker=le.SimplifiedLadder, eta="1/100"
    ),
    "simplified Ladder, 1/10": partial(
        ladder, maker=le.SimplifiedLadder, eta="1/10"
    ),
    "three places, 1/10": partial(places, eta="1/10"),
}
EVERY = ("exact losses", "losses in 1/100")
RANKS = ("exact ranks", "ranks in 1/100")
LADDERS = ("Ladder, 1/100", "simplified Ladder, 1/100")
TENTHS = ("simplified Ladder, 1/10", "three places, 1/10")
TEAMS, GOOD = 199, 0.3  # others on a board of ranks, and the best's loss


@dataclass
class Contest:
    """What one attacker sends to a board, and what it shows."""

    board: Any
    limit: int
    start: File | None = None
    shown: list[float] = field(default_factory=list)
    sent: list[File] = field(default_factory=list)
    lowest: float = math.inf
    best: File | None = None  # the last file that lowered what is shown
    accounts: Counter[Hashable] = field(default_factory=Counter)
    each: int = NAME  # files that one account may send

    def submit(self, account: Hashable, file: File) -> Any:
        """Hand a file on, unless the attacker has sent all of its files."""
        if len(self.shown) == self.limit:
            raise SpentError
        released = self.board.submit(account, file)
        if released < self.lowest:
            self.lowest, self.best = released, file
        self.shown.append(released)
        self.sent.append(file)
        self.accounts[account] += 1
        return released

    def alone(self, file: File) -> Any:
        """Send a file from one account."""
        return self.submit("Eve", file)

    def afresh(self, file: File) -> Any:
        """Send a file from a fresh account."""
        return self.submit(len(self.shown), file)

    def by_turns(self, file: File) -> Any:
        """Send a file from the first account that has some left."""
        return self.submit(len(self.shown) // self.each, file)


def seat(
    board: Any, labels: File, rng: np.random.Generator, last: float = 0.5
) -> None:
    """Let other teams send a file each: from a good one to a coin file."""
    for team, loss in enumerate(np.linspace(GOOD, last, TEAMS)):
        board.submit(f"team {team}", labels ^ (rng.random(LABELS) < loss))


def classifier(
    loss: float | None, labels: File, rng: np.random.Generator
) -> File | None:
    """Return what Eve knows of the labels, if she has such a classifier.

    One is wrong anywhere. The other, near a border, knows where it is
    unsure: there it guesses, and all its guesses are as good in truth.
    """
    if loss == CLOSE:
        unsure = rng.permutation(LABELS) < round(2 * CLOSE * LABELS)
        return np.where(unsure, UNSURE, labels)
    return labels ^ (rng.random(LABELS) < loss) if loss else None


def true_loss(file: File, start: File | None) -> float:
    """Return the loss to be expected of a file on fresh labels."""
    if start is None:
        return 0.5
    if np.any(start == UNSURE):
        return CLOSE + float(np.mean((start != UNSURE) & (file != start)))
    apart = np.mean(file != start)
    return float(NOISE * (1 - apart) + (1 - NOISE) * apart)
