"""What one account gets from a board, with attacks fitted to it.

Eve has a file, and knows which of its labels she is least sure of. She
sends files of all labels and hears what the board shows; which labels it
scores she does not know. The chapter on a real competition plays this.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import leaderboard_edu as le
from competition import competition

DAYS, DAILY = 61, 5
FILES = DAYS * DAILY  # that one account may send
UNSURE = 2000  # labels that she turns or guesses
GAMES = 50  # of each attack that is quoted

File = np.ndarray
Submit = Callable[[File], float]
Attack = Callable[[Submit, "Start", np.random.Generator], File]


@dataclass(frozen=True)
class Start:
    """A file, and all labels in order, the least sure first."""

    file: File
    labels: np.ndarray

    def turned(self, places: np.ndarray) -> File:
        """Return the file with the labels at these places turned."""
        file = self.file.copy()
        file[places] ^= 1
        return file


def start(file: File, chances: np.ndarray) -> Start:
    """Return a start from a file and its probabilities, of 255."""
    doubt = np.abs(2 * chances.astype(int) - 255)
    return Start(file, np.argsort(doubt, kind="stable"))


def vote(submit: Submit, start: Start, rng: np.random.Generator) -> File:
    """Turn unsure labels by coins, and let the better files vote.

    The mean of none and of all turned is what coins have on average.
    """
    unsure = start.labels[:UNSURE]
    ends = [submit(start.turned(unsure[:size])) for size in (0, UNSURE)]
    middle = sum(ends) / 2

    def loss(flips: np.ndarray) -> float:
        return 0.5 + submit(start.turned(unsure[flips == 1])) - middle

    k = FILES - 3
    run = le.boosting_attack(loss, n=UNSURE, k=k, rng=rng)
    file = start.turned(unsure[run.predictions == 1])
    submit(file)
    return file


def climb(
    submit: Submit,
    start: Start,
    rng: np.random.Generator,
    group: int,
    pool: int = UNSURE,
) -> File:
    """Turn a group of the least sure; keep what is shown a lower loss."""
    file, lowest = start.file, submit(start.file)
    for _ in range(FILES - 1):
        trial = file.copy()
        places = rng.choice(pool, group, replace=False)
        trial[start.labels[places]] ^= 1
        if (shown := submit(trial)) < lowest:
            file, lowest = trial, shown
    return file


@dataclass
class Walk:
    """Files with some sure labels turned, and votes for their guesses."""

    submit: Submit
    start: Start
    rng: np.random.Generator
    lowest: float = 1.0

    def __post_init__(self) -> None:
        self.unsure = self.start.labels[:UNSURE]
        self.place = np.argsort(self.start.labels)  # in that order
        self.votes = np.zeros(UNSURE)

    def moves(self, turned: int) -> bool:
        """Send a file with as many of the surest labels turned.

        What is unsure is guessed anew. If the board moves the guess votes.
        """
        file = self.start.file ^ (self.place >= self.place.size - turned)
        guess = self.rng.integers(0, 2, UNSURE, dtype=np.uint8)
        file[self.unsure] = guess
        shown = self.submit(file)
        if shown >= self.lowest:
            return False
        self.votes, self.lowest = self.votes + 2.0 * guess - 1, shown
        return True

    def end(self) -> File:
        """Send the file for which the guesses have voted."""
        file = self.start.file.copy()
        same = file[self.unsure]
        voted = np.where(self.votes == 0, same, self.votes > 0)
        file[self.unsure] = voted
        self.submit(file)
        return file


def walk_down(
    submit: Submit, start: Start, rng: np.random.Generator
) -> File:
    """Begin bad on purpose, and let the guesses vote that cross a border.

    All that is sure is turned in the first file, and nothing in the last
    but one.
    """
    walk, sure = Walk(submit, start, rng), start.file.size - UNSURE
    for turned in np.linspace(sure, 0, FILES - 1).astype(int):
        walk.moves(turned)
    return walk.end()


def wait_down(
    submit: Submit, start: Start, rng: np.random.Generator
) -> File:
    """Walk down, and wait above each border until the board moves.

    Half of what is sure is turned at first. After a move Eve turns nearly a
    step less, after other files a fourteenth of one: so she needs not know
    where the borders are.
    """
    walk, size = Walk(submit, start, rng), start.file.size
    turned = (size - UNSURE) / 2
    for _ in range(FILES - 1):
        moves = walk.moves(round(max(turned, 0)))
        turned -= size / 100 * (0.9 if moves else 1 / 14)
    return walk.end()


@dataclass(frozen=True)
class Games:
    """What each game ends with.

    `shown` is the lowest loss that the board showed, `public` and `sealed`
    are those of the file that Eve ends with, and `before` is what the
    board would have shown of her start alone.
    """

    before: float
    shown: np.ndarray
    public: np.ndarray
    sealed: np.ndarray

    def first(self, games: int) -> "Games":
        """Return the first games."""
        ends = self.shown, self.public, self.sealed
        return Games(self.before, *(each[:games] for each in ends))

    def steps(self, size: float) -> np.ndarray:
        """Return by how many steps of this size the board moved."""
        return np.rint((self.before - self.shown) / size).astype(int)


def play(
    board: Callable[[Any], Any], attack: Attack, start: Start, games: int
) -> Games:
    """Play an attack on fresh boards, with other coins in each game."""
    held = competition()
    public, rest = np.flatnonzero(held.public), np.flatnonzero(~held.public)
    labels = held.labels[public]
    before = board(labels).submit(start.file[public])
    found = []
    for seed in range(games):
        made, shown = board(labels), []

        def submit(
            file: File, made: Any = made, shown: list[float] = shown
        ) -> float:
            shown.append(made.submit(file[public]))
            return shown[-1]

        final = attack(submit, start, np.random.default_rng(seed))
        assert len(shown) == FILES
        wrong = final != held.labels
        losses = wrong[public].mean(), wrong[rest].mean()
        found.append((min(shown), *losses))
    return Games(before, *np.array(found).T)
