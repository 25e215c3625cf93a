"""What Eve gains of a board if she has few accounts, and they few files.

In the study of all attacks an account has a thousand files. Here the limit
is an argument, and so is the number of accounts, of which each attack makes
what it can. So one sees what a limit is worth, and what the board is.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import boards
import knows_half
import knows_nothing
import leaderboard_edu as le
from boards import CLOSE, LABELS, Contest, File

FEW = 20  # files of an account, as the chapters advise
LIMITS = FEW, 50, 100, 200, 500, 1000
HEADS = 1, 2, 3, 10, 20, 200  # accounts
ALL = 10_000  # files of all together
ONE_TEST = 0.008  # about a step of the paired test: the luck of two guesses
REPETITIONS, SEED = 24, 21

Play = Callable[[Contest, np.random.Generator, int], File]


def in_turn(attack: Any) -> Play:
    """Return an attack that one account after the other goes on with."""

    def play(
        contest: Contest, rng: np.random.Generator, accounts: int
    ) -> File:
        found: File = attack(contest, rng)
        return found

    return play


def called(attack: Any, **options: Any) -> Play:
    """Return an attack of the study with options of its own."""

    def play(
        contest: Contest, rng: np.random.Generator, accounts: int
    ) -> File:
        found: File = attack(contest, rng, accounts=accounts, **options)
        return found

    return play


def split(
    contest: Contest,
    rng: np.random.Generator,
    accounts: int,
    eta: float,
    margin: bool,
) -> File:
    """Turn a block of guesses at a time, right above a border.

    First Eve halves the range in which the number of her wrong labels lies,
    until she knows it. Then a file with as many as may be moves the board
    just if more guesses of the block were wrong than right.
    """
    file, known, unsure = knows_half.turned(contest, rng)
    width = LABELS * Fraction(eta).limit_denominator(LABELS)
    tests = max(1, contest.limit - accounts - round(math.log2(width)) - 1)
    blocks = knows_half.odd_blocks(unsure, tests)
    wrong, low, high = list[int](), 0, LABELS
    lowest = partial(knows_half.fewest_wrong, eta=eta, margin=margin)

    for account in range(accounts):
        end = contest.limit * (account + 1) // accounts
        end = min(end, len(contest.shown) + contest.each)
        shown = contest.submit(account, file)
        if account == 0:
            low, high = (
                math.ceil(width * (round(shown / eta) + half))
                for half in (Fraction(-1, 2), Fraction(1, 2))
            )
        while len(contest.shown) < end and blocks:
            middle = (low + high) // 2 if high - low > 1 else low
            righted = known[: middle - lowest(shown)]
            if len(righted) < middle - lowest(shown):
                break  # there is no border left
            block = [] if high - low > 1 else blocks[0]
            tried = knows_half.with_turned(file, [*righted, *block])
            now = contest.submit(account, tried)
            moved, shown = now < shown, now
            if block:
                wrong += block * moved
                blocks = blocks[1:]
            else:
                low, high = (low, middle) if moved else (middle, high)
    return knows_half.with_turned(file, [*known, *wrong])


def split_in_front(
    contest: Contest, rng: np.random.Generator, accounts: int
) -> File:
    """Play the rank attack with a block of guesses at a time."""
    tests = max(1, contest.limit - accounts)
    return knows_nothing.in_front(contest, rng, accounts, tests)


def on_places(
    contest: Contest, rng: np.random.Generator, accounts: int
) -> File:
    """Walk down with fresh accounts, three for each step of the places."""
    step: dict[str, Any] = {"eta": 0.1, "margin": False, "places": 3}
    return knows_half.stairs(contest, rng, listening=True, **step)


def on_steps(eta: float, margin: bool) -> dict[str, Play]:
    """Return the attacks on a Ladder with steps: walks, and tests."""
    step = {"eta": eta, "margin": margin}
    return {
        "stairs": called(knows_half.stairs, listening=True, **step),
        "split": called(split, **step),
        "marks": called(knows_half.marks_known, **step),
    }


BOARDS: dict[str, dict[str, Play]] = {  # and what is played on them
    "exact losses": {
        "in doubt": in_turn(knows_half.in_doubt),
        "messages": in_turn(
            knows_half.half_known(le.message_passing_attack)
        ),
        "design": in_turn(
            knows_half.half_known(knows_nothing.design_attack)
        ),
    },
    "exact ranks": {
        "stairs by rank": called(knows_half.stairs_by_rank, listening=True),
        "split": split_in_front,
        "rank attack": called(knows_nothing.in_front),
    },
    "parameter-free Ladder": {
        "stairs": called(
            knows_half.stairs, eta=ONE_TEST, margin=True, listening=True
        ),
        "split": in_turn(knows_half.tested),
        "partners": in_turn(knows_half.partners_known),
    },
    "simplified Ladder, 1/100": on_steps(0.01, margin=False),
    "Ladder, 1/100": on_steps(0.01, margin=True),
    "three places, 1/10": {"stairs": on_places},
}
COUNT_FILES = "exact losses", "three places, 1/10"  # and not accounts


def game(
    board: str, each: int, heads: int, rng: np.random.Generator
) -> tuple[Contest, File]:
    """Return a contest of so many accounts and files, and its labels."""
    labels = rng.integers(0, 2, LABELS)
    made = boards.BOARDS[board](labels)
    if board in boards.RANKS:
        boards.seat(made, labels, rng)
    known = boards.classifier(CLOSE, labels, rng)
    limit = min(each * heads, ALL)
    return Contest(made, limit, known, each=each), labels


def gain(
    board: str, attack: str, each: int, heads: int, rng: np.random.Generator
) -> float:
    """Play an attack once; return the share that Eve gains."""
    contest, labels = game(board, each, heads, rng)
    end = BOARDS[board][attack](contest, rng, heads)
    if board not in COUNT_FILES:
        assert len(contest.accounts) <= heads
        assert max(contest.accounts.values()) <= each
    return float(1 - np.mean(end != labels) / CLOSE)


def fewest(board: str, each: int, seed: int) -> float:
    """Return with how many accounts the board's last attack reads all."""
    *_, attack = BOARDS[board]

    def reads_all(heads: int) -> bool:
        rng = np.random.default_rng(seed)
        return gain(board, attack, each, heads, rng) == 1

    heads = range(1, HEADS[-1] + 1)
    return float(1 + bisect_left(heads, True, key=reads_all))


Table = dict[str, dict[str, dict[str, list[float]]]]


def table(rng: np.random.Generator) -> Table:
    """Play all once: gains by the number of accounts, and who reads all.

    Of a board that is read by fewer accounts nothing more is played.
    """
    found: Table = {}
    for board, attacks in BOARDS.items():
        for each in LIMITS:
            row: dict[str, list[float]] = {name: [] for name in attacks}
            for heads in HEADS:
                done = any(gains[-1:] == [1.0] for gains in row.values())
                for name, gains in row.items():
                    played = done or gain(board, name, each, heads, rng)
                    gains.append(float(played))
            if board != "three places, 1/10":
                seed = int(rng.integers(2**32))
                row["read by"] = [fewest(board, each, seed)]
            found.setdefault(board, {})[str(each)] = row
    return found


def first() -> Table:
    """Play the first repetition again."""
    return table(np.random.default_rng(SEED).spawn(REPETITIONS)[0])


def summary(results: list[Table]) -> dict[str, Any]:
    """Return what the file of the study holds: means, and the median of
    how many accounts read all."""
    found: dict[str, Any] = {}
    for board, limits in results[0].items():
        for each, row in limits.items():
            cell: dict[str, list[float]] = {}
            for name in row:
                drawn = [result[board][each][name] for result in results]
                over = np.median if name == "read by" else np.mean
                numbers = over(np.array(drawn), axis=0)
                cell[name] = [round(float(number), 4) for number in numbers]
            found.setdefault(board, {})[each] = cell
    return {
        "command": "make exhibits",
        "repetitions": len(results),
        "seed": SEED,
        "accounts": HEADS,
        "first": results[0],
        "results": found,
    }
