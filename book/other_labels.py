"""The best attack on other sets of public labels: what one draw is worth.

Which 3,600 of the 12,000 labels are public was drawn once. Here a hundred
other sets are drawn, and as many of other sizes. The honest files of the
competition are replayed on each, and Eve plays anew: from the models of
those honest accounts that led the competition, if they are printed a step
behind the best on the set, or level with it.

`python book/other_labels.py` plays all games, and keeps in
`data/other_labels.json` how often she ends first (some forty minutes).
"""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

import fitted
import leaderboard_edu as le
from competition import PATH, competition, honest_log
from jointly import Silent

STORED = PATH.with_name("other_labels.json")
SETS, SIZE, OTHER_SIZES = 100, 3600, (900, 1800, 7200)
SIMPLE, FEW, COINS = "simplified, 1/100", 20, 1500
WORLDS = {  # of each board, whose teams are replayed
    "every score": "full",
    fitted.ROUNDED: "simplified",
    SIMPLE: "simplified",
}
FEWER_COINS = f"{SIMPLE}: {COINS:,} coins first"  # Eve has another constant
CROWDS = {  # accounts and files of each, from which starts
    "behind": ((1, 20), (1, 50), (2, 20), (3, 20)),
    "level": ((1, 20), (1, 50), (3, 20)),
}

Share = tuple[float, float]  # a mean, and its standard error
Ends = tuple[Share, Share, Share, int, int]


def public_set(number: int, size: int = SIZE) -> np.ndarray:
    """Return which labels are public in a set, drawn at random."""
    rng = np.random.default_rng([number, 2026])
    found = np.zeros(competition().labels.size, dtype=bool)
    found[rng.choice(found.size, size, replace=False)] = True
    return found


def step(size: int) -> Fraction:
    """Return the step of the simplified Ladder: 0.6 roots of the labels."""
    return Fraction(1, round(math.sqrt(size) / 0.6))


@cache
def starts(size: int = SIZE) -> dict[int, fitted.Start]:
    """Return the models of the leading honest accounts."""
    share = size / competition().labels.size
    models = fitted.honest_models().items()
    return {
        account: replace(begins, share=share) for account, begins in models
    }


def board_of(name: str, size: int) -> Callable[[Any], Any]:
    """Return what makes a board from its labels."""
    if name in (SIMPLE, FEWER_COINS):
        return partial(le.SimplifiedLadder, eta=step(size))
    return (fitted.BOARDS | fitted.JOINT_BOARDS)[name]


def attack(
    submit: fitted.Submit,
    start: fitted.Start,
    rng: np.random.Generator,
    name: str,
    files: int,
) -> fitted.File:
    """Play the best attack on a board, in its step."""
    if name in (SIMPLE, FEWER_COINS):
        eta = float(step(round(start.share * start.file.size)))
        eve = Silent(start, rng, eta, eta / 2, files)
        if name == FEWER_COINS:
            eve.first = COINS
        return eve.attack(submit, files)
    return fitted.jointly(submit, start, rng, name, files)


def games(size: int) -> list[tuple[str, str, int, int]]:
    """Return from which start, on which board, by which crowd is played."""
    few = (1, FEW)
    boards = [*WORLDS] if size == SIZE else ["every score", SIMPLE]
    return [
        (begins, board, *crowd)
        for begins, crowds in CROWDS.items()
        for board in (*boards, FEWER_COINS)
        for crowd in crowds
        if crowd == few or (size == SIZE and board != FEWER_COINS)
    ]


def play_set(number: int, size: int = SIZE) -> list[list[Any]]:
    """Play all games on a set of public labels.

    Return for each start, board, number of accounts and of files of each
    how many games there are, in how many Eve ends alone in front, and
    first, and by how many labels her files get better in all of them.
    """
    public = public_set(number, size)
    labels = competition().labels[public]

    def least(board: str) -> float:
        sent = honest_log(WORLDS.get(board, "simplified")).rows(public)
        rows = le.replay(sent, labels, board_of(board, size)).standings
        return min(float(row.score) for row in rows)

    best, models = least(SIMPLE), []
    for account, start in starts(size).items():
        printed = board_of(SIMPLE, size)(labels).submit(start.file[public])
        models.append((account, round((printed - best) / step(size))))
    found = []
    for begins, board, accounts, each in games(size):
        to_beat, ends = least(board), np.zeros(3, dtype=int)
        behind = int(begins == "behind")
        chosen = [account for account, steps in models if steps == behind]
        for account in chosen:
            shown, gained = play(
                number, size, account, board, accounts, each
            )
            alone, first = shown < to_beat - 1e-9, shown < to_beat + 1e-9
            ends += (alone, first, gained)
        found.append(
            [begins, board, accounts, each, len(chosen), *ends.tolist()]
        )
    return found


def play(
    number: int,
    size: int,
    account: int,
    board: str,
    accounts: int,
    each: int,
) -> tuple[float, int]:
    """Play a game, and return what is shown of Eve, and what she gains."""
    public, start = public_set(number, size), starts(size)[account]
    labels = competition().labels[public]
    if accounts > 1:
        board = f"{board}: {accounts} accounts of {each}"
    made, shown = board_of(board, size)(labels), list[float]()

    def submit(file: fitted.File) -> float:
        shown.append(made.submit(file[public]))
        return shown[-1]

    rng = np.random.default_rng([number, account])
    end = attack(submit, start, rng, board, accounts * each)
    before, left = (
        np.sum(file[public] != labels) for file in (start.file, end)
    )
    return min(shown), int(before - left)


@cache
def stored(size: int = SIZE) -> list[list[list[Any]]]:
    """Return what `play_set` found, set by set."""
    sizes = json.loads(STORED.read_text(encoding="utf-8"))["sizes"]
    found: list[list[list[Any]]] = sizes[str(size)]
    return found


@cache
def ends_on_sets(
    board: str, accounts: int, each: int, begins: str, size: int
) -> Ends:
    """Return how an attack ends on all sets.

    How often Eve is alone in front, how often first, and how many labels
    she gains a game, each with its standard error, as sets are independent
    and games of a set are not; and how many games there are, and in how
    many she is alone.
    """
    key = [begins, board, accounts, each]
    games, *ends = np.transpose(
        [
            row[4:]
            for played in stored(size)
            for row in played
            if row[:4] == key
        ]
    )
    means = [end.sum() / games.sum() for end in ends]
    errors = [
        np.std(end - mean * games, ddof=1) * games.size**0.5 / games.sum()
        for end, mean in zip(ends, means, strict=True)
    ]
    alone, first, gained = zip(means, errors, strict=True)
    return alone, first, gained, int(games.sum()), int(ends[0].sum())


def elsewhere(
    board: str,
    accounts: int = 1,
    each: int = FEW,
    begins: str = "behind",
    size: int = SIZE,
) -> Ends:
    """Return the same of the attack that is more often alone in front.

    On the simplified Ladder two were played with few files.
    """
    boards = [board]
    if (board, accounts, each) == (SIMPLE, 1, FEW):
        boards.append(FEWER_COINS)
    found = (ends_on_sets(b, accounts, each, begins, size) for b in boards)
    return max(found, key=lambda ends: ends[0][0])


def alone_elsewhere(board: str, *crowd: int, **asked: Any) -> Share:
    """Return how often she is alone in front there, with its error."""
    return elsewhere(board, *crowd, **asked)[0]


def wrong_on_sets(files: np.ndarray, size: int = SIZE) -> np.ndarray:
    """Return how many labels of each set each file has wrong."""
    sets = np.array([public_set(number, size) for number in range(SETS)])
    wrong = (files != competition().labels).astype(np.float32)
    # Single precision holds whole numbers up to sixteen million.
    counts: np.ndarray = (wrong @ sets.T.astype(np.float32)).astype(int)
    return counts


@cache
def honest_wrong(world: str, size: int) -> np.ndarray:
    """Return the same of all honest files in a game."""
    return wrong_on_sets(honest_log(world).predictions, size)


def printed(wrong: np.ndarray, size: int = SIZE) -> np.ndarray:
    """Return losses in steps; halves round up."""
    m = step(size).denominator
    return (2 * wrong * m + size) // (2 * size)


@cache
def price_elsewhere(
    board: str, begins: str = "behind", size: int = SIZE
) -> float:
    """Return how many labels a lone lead takes, on average over all games.

    From models that are printed a step behind the best, or level with it.
    """
    least = honest_wrong(WORLDS[board], size).min(axis=0)
    enough = least - 1
    if board != "every score":  # a step better, after rounding
        border = size * (2 * printed(least, size) - 1)
        enough = (border - 1) // (2 * step(size).denominator)
    models = np.array([each.file for each in starts(size).values()])
    wrong = wrong_on_sets(models, size)
    best = honest_wrong(WORLDS[SIMPLE], size)
    steps = printed(wrong, size) - printed(best, size).min(axis=0)
    chosen = steps == int(begins == "behind")
    return float((wrong - enough)[chosen].mean())


@cache
def level_elsewhere() -> np.ndarray:
    """Return how many honest teams share the best print, on each set."""
    sent = honest_log(WORLDS[SIMPLE])
    shown = printed(honest_wrong(WORLDS[SIMPLE], SIZE))
    first = shown == shown.min(axis=0)
    teams = np.array(sent.teams)
    each = [first[teams == team].any(axis=0) for team in set(sent.teams)]
    found: np.ndarray = np.sum(each, axis=0)
    return found


def main() -> None:
    """Play all games and keep them, a line for each set."""
    from joblib import Parallel, delayed

    parts = []
    for size in (SIZE, *OTHER_SIZES):
        sets = Parallel(n_jobs=-1, verbose=5)(
            delayed(play_set)(number, size) for number in range(SETS)
        )
        lines = ",\n".join(map(json.dumps, sets))
        parts.append(f'"{size}": [\n{lines}]')
    command = "python book/other_labels.py"
    text = f'{{"command": "{command}", "sizes": {{{", ".join(parts)}}}}}\n'
    STORED.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
