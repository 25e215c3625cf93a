"""What one account gets from a board, with attacks fitted to it.

Eve has a file, and knows which of its labels she is least sure of. She
sends files of all labels and hears what the board shows; which labels it
scores she does not know. The chapter on a real competition tells of this.

`python book/fitted.py` plays all games and keeps them in `data/fitted.json`
(some ten minutes); the chapter reads them, and plays first games again.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from statistics import NormalDist
from typing import Any

import numpy as np

import leaderboard_edu as le
from competition import (
    MECHANISMS,
    PATH,
    competition,
    is_honest,
    log,
    shown,
)
from jointly import SHARE, Ranked, Rounded, Scored, Silent, Tested
from knows_half import hint

DAYS, DAILY = 61, 5  # what the first game allows an account
FILES = 223  # that Eve sends there
LIMITS = 20, 50, 100  # files, on boards that allow no more
UNSURE = 2000  # labels that she turns or guesses
GAMES = 50  # from her own model
PLAYED = PATH.with_name("fitted.json")
STEP = 0.01
MOVED = "Ladder, 1/100", "simplified, 1/100"
RANKS = "exact ranks"  # among the other accounts of the first game
ROUNDED = "every score, 1/100"
BOARDS: dict[str, Callable[..., Any]] = {
    "every score": MECHANISMS["full"],
    "parameter-free": MECHANISMS["free"],
    "simplified, 1/100": MECHANISMS["simplified"],
    "Ladder, 1/100": MECHANISMS["ladder"],
}
ACCOUNTS = {  # that share what they are told, and the files of each
    f"{board}: {k} accounts of 20": (board, k, 20)
    for k in (2, 3)
    for board in (*BOARDS, ROUNDED)
}
TOGETHER = 40, 60

File = np.ndarray
Submit = Callable[[File], float]
Attack = Callable[..., File]


@dataclass(frozen=True)
class Start:
    """A file, and all labels in order, the least sure first."""

    file: File
    labels: np.ndarray
    sure: np.ndarray  # of each label, how much likelier it is than not
    share: float = SHARE  # of all labels, on the board

    def turned(self, places: np.ndarray) -> File:
        """Return the file with the labels at these places turned."""
        file = self.file.copy()
        file[places] ^= 1
        return file


def start(file: File, chances: np.ndarray) -> Start:
    """Return a start from a file and its probabilities, of 255."""
    sure = np.abs(2 * chances.astype(int) - 255)
    return Start(file, np.argsort(sure, kind="stable"), sure / 255)


def vote(
    submit: Submit,
    start: Start,
    rng: np.random.Generator,
    files: int = FILES,
) -> File:
    """Turn unsure labels by coins, and let the better files vote.

    The mean of none and of all turned is what coins have on average.
    """
    unsure = start.labels[:UNSURE]
    ends = [submit(start.turned(unsure[:size])) for size in (0, UNSURE)]
    middle = sum(ends) / 2

    def loss(flips: np.ndarray) -> float:
        return 0.5 + submit(start.turned(unsure[flips == 1])) - middle

    run = le.boosting_attack(loss, n=UNSURE, k=files - 3, rng=rng)
    file = start.turned(unsure[run.predictions == 1])
    submit(file)
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

    def send(self, turned: int) -> tuple[bool, np.ndarray]:
        """Send a file with as many of the surest labels turned.

        What is unsure is guessed anew. Return whether the board moved, and
        the guess as votes.
        """
        file = self.start.file ^ (self.place >= self.place.size - turned)
        guess = self.rng.integers(0, 2, UNSURE, dtype=np.uint8)
        file[self.unsure] = guess
        shown = self.submit(file)
        moved = shown < self.lowest
        self.lowest = min(shown, self.lowest)
        return moved, 2.0 * guess - 1

    def moves(self, turned: int) -> bool:
        """Send such a file; if the board moves its guess votes."""
        moved, guess = self.send(turned)
        self.votes += moved * guess
        return moved

    def end(self) -> File:
        """Send the file for which the guesses have voted."""
        file = self.start.file.copy()
        same = file[self.unsure]
        voted = np.where(self.votes == 0, same, self.votes > 0)
        file[self.unsure] = voted
        self.submit(file)
        return file


def wait_down(
    submit: Submit,
    start: Start,
    rng: np.random.Generator,
    files: int,
) -> File:
    """Walk down, and wait above each border until the board moves.

    Half of what is sure is turned at first, or less if files are few. After
    a move Eve turns nearly a step less, after other files a small part of
    one: so she needs not know where the borders are.
    """
    walk, size = Walk(submit, start, rng), start.file.size
    turned = (size - UNSURE) / 2 * min(1, 4 * files / (DAYS * DAILY))
    for _ in range(files - 1):
        moves = walk.moves(round(max(turned, 0)))
        turned -= size / 100 * (0.9 if moves else 1 / 7)
    return walk.end()


SCORED = 0.3  # of all labels, on the board
LUCK = np.sqrt(SCORED * UNSURE) / 2 / 3600  # what guesses spread a loss by
TEST = np.sqrt(SCORED * UNSURE / 2) / 3600  # what a paired test asks, about
STEPS = {  # and by how much a file has to be below what is shown
    "parameter-free": (TEST, TEST),
    "simplified, 1/100": (STEP, STEP / 2),
    "Ladder, 1/100": (STEP, STEP),
}


def believed(
    submit: Submit, start: Start, unsure: np.ndarray, votes: np.ndarray
) -> File:
    """Send what votes and the model together say of unsure labels."""
    file = start.file.copy()
    odds = 2 * np.arctanh(start.sure[unsure]) * (2.0 * file[unsure] - 1)
    odds += 2 / np.sqrt(SCORED * UNSURE) * votes
    file[unsure] = odds > 0
    submit(file)
    return file


def listen(
    submit: Submit,
    start: Start,
    rng: np.random.Generator,
    board: str,
    files: int,
) -> File:
    """Let all files vote, by how much better than coins they must be.

    Where every score is shown that is said. Else see `listen_down`.
    """
    if board in STEPS:
        return listen_down(submit, start, rng, *STEPS[board], files)
    unsure = start.labels[:UNSURE]
    guesses = rng.integers(0, 2, (files - 1, UNSURE), dtype=np.uint8)
    losses = []
    for guess in guesses:
        file = start.file.copy()
        file[unsure] = guess
        losses.append(submit(file))
    luck = (np.mean(losses) - losses) / LUCK
    return believed(submit, start, unsure, luck @ (2.0 * guesses - 1))


class Belief:
    """What Eve believes of the losses of files with some labels turned.

    Her model says `losses`, by how many are turned. In truth all may lie
    beside these, and away from one half by a factor: two numbers that she
    learns from what she is told, as a Kalman filter does.
    """

    def __init__(self, losses: File) -> None:
        self.losses = losses
        self.mean = np.zeros(2)
        self.doubt = np.diag([0.01**2, 0.15**2])

    def loss(self, turned: int) -> float:
        """Return the loss with so many labels turned, on average."""
        off, factor = self.mean
        return float(
            self.losses[turned] + off + factor * (self.losses[turned] - 0.5)
        )

    def spread(self, turned: int) -> float:
        """Return by how much a file's loss may be away from that."""
        at = self.at(turned)
        return float(np.sqrt(at @ self.doubt @ at + LUCK**2))

    def at(self, turned: int) -> np.ndarray:
        """Return by how much the two numbers change the loss."""
        return np.array([1.0, self.losses[turned] - 0.5])

    def closest(self, loss: float) -> int:
        """Return how many labels to turn for a loss of this size."""
        off, factor = self.mean
        believed = self.losses + off + factor * (self.losses - 0.5)
        found = np.searchsorted(believed, loss)
        return int(min(found, self.losses.size - 1))

    def hear(self, turned: int, told: float, z: float) -> None:
        """Learn from whether a file moved the board."""
        spread, share = self.spread(turned), self.doubt @ self.at(turned)
        self.mean = self.mean - share / spread * told
        rest = np.outer(share, share) / spread**2
        self.doubt = self.doubt - rest * told * (told + z)

    def see(self, turned: int, loss: float, error: float) -> None:
        """Learn from a loss that was shown for the labels turned."""
        share = self.doubt @ self.at(turned)
        whole = self.spread(turned) ** 2 + error**2
        self.mean = self.mean + share / whole * (loss - self.loss(turned))
        self.doubt = self.doubt - np.outer(share, share) / whole


def listen_down(
    submit: Submit,
    start: Start,
    rng: np.random.Generator,
    step: float,
    below: float,
    files: int,
) -> File:
    """Walk down, and let silent files vote, too, against themselves.

    Eve aims so that two in five of her files cross a border, or fewer if
    borders are few; she stops where the vote can take one step more.
    """
    walk, sure = Walk(submit, start, rng), start.labels[UNSURE:][::-1]
    size, normal = start.file.size, NormalDist()
    least = (np.sum(1 - start.sure[sure]) + UNSURE) / 2 / size
    losses = least + np.append(0, np.cumsum(start.sure[sure])) / size
    belief = Belief(losses)

    def goal() -> float:
        return belief.loss(0) + 0.007 + step

    turned = belief.closest(goal() + step * files / 2)
    (moved, guess), z = walk.send(turned), 9.0  # the first file moves it
    for left in range(files - 2, -1, -1):
        told = hint(normal.cdf(z), moved)  # of the last file
        walk.votes += told * LUCK / belief.spread(turned) * guess
        belief.hear(turned, told, z)
        if moved:
            lucky = walk.lowest + told * LUCK
            belief.see(turned, lucky, step / 4)
        belief.doubt[0, 0] += 0.001**2  # for what is turned back
        if left:
            border = walk.lowest - below
            rare = max(0.02, (border - goal()) / step) / left
            high = -normal.inv_cdf(min(0.4, rare)) * belief.spread(turned)
            turned = belief.closest(border + high)
            z = (border - belief.loss(turned)) / belief.spread(turned)
            moved, guess = walk.send(turned)
    return believed(submit, start, walk.unsure, walk.votes)


@cache
def rivals_of(account: int) -> le.SubmissionLog:
    """Return the best public rows of all but Eve and an account."""
    held, sent = competition(), log("full")
    replayed = le.Replay(sent.rows(held.public), shown("full"), ())
    counts = le.best_counts(replayed)
    ours = np.isin(sent.teams, [account, eves_account()])
    return sent.submissions(counts & ~ours).rows(held.public)


class Ranks:
    """A board of places on which the other accounts stand already."""

    def __init__(self, labels: Any, account: int) -> None:
        self.board = le.RankBoard(labels)
        field = rivals_of(account)
        for team, file in zip(field.teams, field.predictions, strict=True):
            self.board.submit(team, file)

    def submit(self, file: File) -> float:
        """Return the place of the best of her files."""
        return float(self.board.submit("Eve", file))


class AccountsInTurn:
    """A mechanism for each account; one sends after the other."""

    def __init__(
        self, labels: Any, maker: Callable[..., Any], each: int
    ) -> None:
        self.labels, self.maker = labels, maker
        self.each, self.sent = each, 0

    def submit(self, file: File) -> float:
        """Return what the account is told whose turn it is."""
        if self.sent % self.each == 0:
            self.board = self.maker(self.labels)
        self.sent += 1
        return float(self.board.submit(file))


# Where the best attack plays, too.
JOINT_BOARDS: dict[str, Callable[..., Any]] = {
    ROUNDED: partial(le.FullDisclosure, precision="1/100")
}
JOINT_BOARDS |= {
    name: partial(
        AccountsInTurn, maker=(BOARDS | JOINT_BOARDS)[board], each=each
    )
    for name, (board, _, each) in ACCOUNTS.items()
}


def jointly(
    submit: Submit,
    start: Start,
    rng: np.random.Generator,
    board: str,
    files: int,
    rivals: le.SubmissionLog | None = None,
) -> File:
    """Weigh all answers of a board together.

    Who is told places knows how many labels the rivals have wrong.
    """
    if rivals is not None:
        held = competition()
        wrong = rivals.predictions != held.labels[held.public]
        ranked = Ranked(start, rng, np.sort(np.sum(wrong, axis=1)))
        return ranked.attack(submit, files)
    each = files
    if board in ACCOUNTS:
        board, _, each = ACCOUNTS[board]
    if board == "every score":
        return Scored(start, rng).attack(submit, files)
    if board == "parameter-free":
        return Tested(start, rng, each).attack(submit, files)
    if board == ROUNDED:
        return Rounded(start, rng, STEP).attack(submit, files)
    return Silent(start, rng, *STEPS[board], each).attack(submit, files)


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
        return Games(self.before, *(each[:games] for each in self.ends()))

    def ends(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what is shown, public and sealed losses."""
        return self.shown, self.public, self.sealed


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
        assert len(shown) in (*LIMITS, *TOGETHER, FILES)
        wrong = final != held.labels
        losses = wrong[public].mean(), wrong[rest].mean()
        found.append((min(shown), *losses))
    return Games(before, *np.array(found).T)


ATTACKS: dict[str, Attack] = {
    "coins": vote,
    **{f"coins, {k} files": partial(vote, files=k) for k in LIMITS},
    **{f"wait, {k} files": partial(wait_down, files=k) for k in LIMITS},
    **{f"listen, {k} files": partial(listen, files=k) for k in LIMITS},
    **{
        f"joint, {k} files": partial(jointly, files=k)
        for k in {*LIMITS, *TOGETHER}
    },
}


def eves_account() -> int:
    """Return the number of the account that attacks by boosting."""
    accounts = competition().about["accounts"]
    return [each["policy"] for each in accounts].index("booster")


@cache
def starts() -> dict[int, Start]:
    """Return whose file an attack may start from, Eve's own model first.

    The others are the honest files that a Ladder prints as it prints hers.
    """
    eve, played = eves_account(), log("full")
    mine = played.predictions[played.teams.index(eve)]
    found = {eve: start(mine, left_by()[eve])}
    return found | printed_as(first_shown(mine))


def eves_start() -> Start:
    """Return Eve's own model, from which her attacks start."""
    return starts()[eves_account()]


@cache
def leaders() -> dict[int, Start]:
    """Return the honest files that a Ladder prints a step better."""
    return printed_as(first_shown(eves_start().file) - STEP)


def left_by() -> dict[int, np.ndarray]:
    """Return what probabilities, of 255, the leading accounts left."""
    held = competition()
    return dict(zip(held.leading.tolist(), held.probabilities, strict=True))


@cache
def honest_models() -> dict[int, Start]:
    """Return the best files of the honest among the leading accounts.

    Of those that lead where every score is shown.
    """
    return {
        account: start((chances > 127).astype(np.uint8), chances)
        for account, chances in left_by().items()
        if is_honest(account)
    }


def printed_as(loss: float) -> dict[int, Start]:
    """Return those that a new Ladder prints so."""
    return {
        account: begins
        for account, begins in honest_models().items()
        if abs(first_shown(begins.file) - loss) < STEP / 2
    }


def first_shown(file: File) -> float:
    """Return what a new Ladder prints for a file."""
    held = competition()
    board = MECHANISMS["ladder"](held.labels[held.public])
    return float(board.submit(file[held.public]))


def series() -> dict[tuple[int, str, str], int]:
    """Return how many games are played: from whose file, how, on what."""
    eve, *honest = starts()
    found = {(eve, "coins", "every score"): 10}
    for files in LIMITS:
        for board in ("every score", "Ladder, 1/100"):
            for each in (few_files(board), "listen"):
                found[eve, f"{each}, {files} files", board] = GAMES
        for board in BOARDS:
            found[eve, f"joint, {files} files", board] = 20
            for account in honest:
                games = 10 if files <= 50 else 5
                found[account, f"joint, {files} files", board] = games
    for account in leaders():
        for board in BOARDS:
            for files in LIMITS:
                found[account, f"joint, {files} files", board] = 10
    for account in honest:
        for files in (20, 50):
            for board in (RANKS, ROUNDED):
                found[account, f"joint, {files} files", board] = 10
        for board, (_, many, each) in ACCOUNTS.items():
            found[account, f"joint, {many * each} files", board] = 10
    for account in honest:
        for board in BOARDS:
            for files in LIMITS:
                for each in (few_files(board), "listen"):
                    found[account, f"{each}, {files} files", board] = 10
    for account in leaders():
        for board in BOARDS:
            for each in (few_files(board), "listen"):
                found[account, f"{each}, 50 files", board] = 40
    return found


def few_files(board: str) -> str:
    """Return the simple attack from few files, to compare with."""
    return "coins" if board == "every score" else "wait"


def again(account: int, attack: str, board: str, games: int) -> Games:
    """Play the first games of a series."""
    begins, played = (starts() | leaders())[account], ATTACKS[attack]
    if attack.startswith(("listen", "joint")):
        played = partial(played, board=board)
    if board == RANKS:
        played = partial(played, rivals=rivals_of(account))
        return play(partial(Ranks, account=account), played, begins, games)
    return play((BOARDS | JOINT_BOARDS)[board], played, begins, games)


@cache
def stored() -> dict[tuple[int, str, str], Games]:
    """Return all games, as they are kept."""
    text, found = PLAYED.read_text(encoding="utf-8"), {}
    for account, attack, board, before, *ends in json.loads(text)["games"]:
        games = Games(before, *map(np.array, ends))
        found[account, attack, board] = games
    return found


def main() -> None:
    """Play all games and keep them, a line for each series."""
    rows = []
    for (account, attack, board), games in series().items():
        found = again(account, attack, board, games)
        lists = [each.tolist() for each in found.ends()]
        rows.append([account, attack, board, found.before, *lists])
    lines = ",\n".join(map(json.dumps, rows))
    command = "python book/fitted.py"
    text = f'{{"command": "{command}", "games": [\n{lines}]}}\n'
    PLAYED.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
