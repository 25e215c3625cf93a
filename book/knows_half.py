"""Attacks on boards of classification by an Eve who knows half.

Of the other labels she is unsure. She guesses them all and walks down past
borders, plays attacks of the library on them, or tries one after another,
with labels that she knows to bring her files to a border.
"""

import itertools
import math
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import compress
from statistics import NormalDist
from typing import Any

import numpy as np

from boards import (
    CLOSE,
    GOOD,
    LABELS,
    TEAMS,
    UNSURE,
    Contest,
    File,
    Send,
    SpentError,
)

IN_DOUBT = 200  # files at most of an attack that solves for all answers
PASSED = 4  # teams that a file is expected to pass at a time


def lucky(contest: Contest, rng: np.random.Generator) -> File:
    """Guess what a classifier is unsure of, and keep what is shown best."""
    start = contest.start
    assert start is not None
    for _ in range(contest.limit):
        guess = rng.integers(0, 2, LABELS)
        contest.alone(np.where(start == UNSURE, guess, start))
    assert contest.best is not None
    return contest.best


def spoilt(
    contest: Contest, rng: np.random.Generator
) -> tuple[File, float, Callable[[float], File]]:
    """Return where Eve starts, how far guesses spread a loss, and how she
    makes a file of some loss: she turns labels that she knows."""
    start = contest.start
    assert start is not None
    unsure = start == UNSURE
    known = np.flatnonzero(~unsure)

    def bad(loss: float) -> File:
        file = np.where(unsure, rng.integers(0, 2, LABELS), start)
        turned = round(LABELS * (loss - CLOSE))
        file[known[: min(max(turned, 0), known.size)]] ^= 1
        return file

    return start, np.sqrt(np.sum(unsure)) / 2 / LABELS, bad


def hint(chance: float, moved: bool) -> float:
    """Return by how much the guesses of a file are better than coins.

    On average, and in their standard deviation, if a file moves a board
    with this chance. One that does not has told that they are worse.
    """
    chance, luck = min(max(chance, 1e-9), 1 - 1e-9), NormalDist()
    share = chance if moved else chance - 1
    return luck.pdf(luck.inv_cdf(chance)) / share


def stairs(
    contest: Contest,
    rng: np.random.Generator,
    eta: float,
    margin: bool,
    places: int = 1,
    accounts: int = 1,
    listening: bool = False,
) -> File:
    """Walk down from a bad file, and keep the guess that takes each step.

    Eve turns what she knows, but for as much as brings her guesses right
    above the next border: those that cross it are better than others.
    The lower, the less she has turned. In the end they vote. With several
    places as many files can cross a border; each has a fresh account. Of
    several accounts each walks down by itself, and all vote together. Who
    is listening lets silent files vote, too, against themselves.
    """
    start, spread, bad = spoilt(contest, rng)
    unsure, vote = start == UNSURE, np.zeros(LABELS)
    most = 0.5 if listening else 0.4

    for account in range(accounts):
        send: Send = partial(contest.submit, account or "Eve")
        send = contest.afresh if places > 1 else send
        end = contest.limit * (account + 1) // accounts
        shown, crossed = send(bad(1.0)), 0
        while left := end - len(contest.shown):
            border = shown - (eta if margin else eta / 2)
            steps = max(1, 1 + int((border - CLOSE) / eta))
            rare = (steps * places - crossed) / left
            above = -NormalDist().inv_cdf(min(most, rare)) * spread
            file = bad(border + above)
            moved = (released := send(file)) < shown
            crossed += moved
            if listening:
                away = CLOSE + np.mean((file != start) & ~unsure) - border
                chance = NormalDist().cdf(-away / spread)
                vote += hint(chance, moved) * (2.0 * file - 1)
            elif moved:
                vote += 2.0 * file - 1
            if crossed == places:
                shown, crossed = released, 0
    guess = np.where(vote == 0, rng.integers(0, 2, LABELS), vote > 0)
    return np.where(unsure, guess, start)


def stairs_by_rank(
    contest: Contest,
    rng: np.random.Generator,
    last: float = 0.5,
    accounts: int = 1,
    listening: bool = False,
) -> File:
    """Walk down past other teams, as `stairs` does from step to step.

    A border lies where the next team stands, which no board shows. Eve
    guesses it from her rank, as if teams stood at equal distances up to
    the last one. If her files pass teams more often than she wants she
    turns more labels, and else fewer. She may be listening, as there.
    """
    start, spread, bad = spoilt(contest, rng)
    unsure, vote = start == UNSURE, np.zeros(LABELS)
    most = 0.5 if listening else 0.4

    for account in range(accounts):
        send: Send = partial(contest.submit, account or "Eve")
        end = contest.limit * (account + 1) // accounts
        end = min(end, len(contest.shown) + contest.each)
        rank, wrong = send(bad(last + 0.03)), 0.0  # behind all of them
        while left := end - len(contest.shown):
            ahead = rank - 1 - account  # her other accounts stand in front
            if ahead < 1:
                break
            border = GOOD + (last - GOOD) * (ahead - 1) / (TEAMS - 1)
            rare = min(most, max(ahead / PASSED, 1) / left)
            above = -NormalDist().inv_cdf(rare) * spread
            file = bad(border + wrong + above)
            if moved := (now := send(file)) < rank:
                wrong += 0.001
            if listening or moved:
                weight = hint(rare, moved) if listening else 1.0
                vote += weight * (2.0 * file - 1)
            wrong -= 0.001 * rare
            rank = now
    guess = np.where(vote == 0, rng.integers(0, 2, LABELS), vote > 0)
    return np.where(unsure, guess, start)


def half_known(attack: Any) -> Any:
    """Return an attack of the library, played where Eve is unsure.

    What she knows is right, so a loss tells what the others have wrong.
    """

    def play(contest: Contest, rng: np.random.Generator) -> File:
        start = contest.start
        assert start is not None
        unsure = np.flatnonzero(start == UNSURE)

        def whole(guess: File) -> File:
            file = start.copy()
            file[unsure] = guess
            return file

        def ask(guess: File) -> float:
            shown: float = contest.by_turns(whole(guess))
            return shown * LABELS / unsure.size

        try:
            run = attack(ask, n=unsure.size, k=contest.limit, rng=rng)
        except SpentError:
            assert contest.best is not None
            return contest.best
        return whole(run.predictions)

    return play


def in_doubt(contest: Contest, rng: np.random.Generator) -> File:
    """Hear all exact losses together, and toss coins where doubt is left.

    What is believed of the guesses is the least vector that explains all
    losses. Coins fall where it is small, on fewer guesses every time.
    """
    start = contest.start
    assert start is not None
    unsure = np.flatnonzero(start == UNSURE)
    files, size = min(contest.limit, IN_DOUBT), unsure.size
    signs, right = np.zeros((0, size)), np.zeros(0)
    belief = np.zeros(size)

    def whole(guess: np.ndarray) -> File:
        file = start.copy()
        file[unsure] = guess > 0
        return file

    for sent in range(files):
        guess = np.where(belief > 0, 1.0, -1.0)
        tossed = np.argsort(np.abs(belief))
        tossed = tossed[: round(size * (1 - 0.8 * sent / files))]
        guess[tossed] = 2.0 * rng.integers(0, 2, tossed.size) - 1
        wrong = LABELS * contest.by_turns(whole(guess))
        signs = np.vstack([signs, guess])
        right = np.append(right, size - 2 * wrong)
        belief = signs.T @ np.linalg.solve(signs @ signs.T, right)
    return whole(belief)


def turned(
    contest: Contest, rng: np.random.Generator
) -> tuple[File, list[int], list[int]]:
    """Return a file with all that Eve knows wrong, where that is, and which
    labels she is unsure of."""
    start = contest.start
    assert start is not None
    unsure, guess = start == UNSURE, rng.integers(0, 2, LABELS)
    known = np.flatnonzero(~unsure).tolist()
    file = np.where(unsure, guess, 1 - start)
    return file, known, np.flatnonzero(unsure).tolist()


def with_turned(file: File, labels: list[int]) -> File:
    """Return a copy of a file with some labels turned."""
    copy = file.copy()
    copy[labels] ^= 1
    return copy


def to_border(
    send: Send, file: File, wrong: list[int]
) -> tuple[File, float]:
    """Right known labels one by one until that moves the board; return the
    file before, and what the board showed of it."""
    shown = send(file)
    while send(with_turned(file, wrong[-1:])) == shown:
        file = with_turned(file, [wrong.pop()])
    return file, shown


def in_turn_known(contest: Contest, rng: np.random.Generator) -> File:
    """Test each label that Eve is unsure of at a border, where a right flip
    is shown a lower loss; of a board that shows the loss of every file."""
    file, wrong, unsure = turned(contest, rng)
    mark, shown = to_border(contest.by_turns, file, wrong)
    with suppress(SpentError):
        for label in unsure:
            if contest.by_turns(with_turned(mark, [label])) < shown:
                wrong.append(label)
    return with_turned(mark, wrong)


def partners_known(contest: Contest, rng: np.random.Generator) -> File:
    """Turn each label that Eve is unsure of together with one that she
    knows to be wrong: two righted labels are accepted, one is a tie."""
    file, wrong, unsure = turned(contest, rng)
    with suppress(SpentError):
        for label in unsure:
            if len(contest.shown) % contest.each == 0:  # a fresh account
                shown = contest.by_turns(file)
            both = with_turned(file, [label, wrong[-1]])
            if (now := contest.by_turns(both)) < shown:
                wrong.pop()
                file, shown = both, now
    return with_turned(file, wrong)


def odd_blocks(labels: list[int], tests: int) -> list[list[int]]:
    """Divide labels into as many blocks, of odd sizes that hardly differ.

    With an odd number of guesses more of them are wrong than right, or
    fewer. With more tests than labels each label is a block, and with an
    even number left over one label is in none.
    """
    odd = max(1, (len(labels) // tests - 1) // 2 * 2 + 1)
    more = max(0, min(tests, (len(labels) - tests * odd) // 2))
    sizes = [odd + 2] * more + [odd] * (tests - more)
    ends = np.cumsum([0, *sizes]).tolist()
    blocks = [labels[a:b] for a, b in itertools.pairwise(ends)]
    return [block for block in blocks if block]


def tested(contest: Contest, rng: np.random.Generator) -> File:
    """Turn a block of guesses at a time, and as many known labels with it
    that a paired test accepts the file just if most of them were wrong.

    With `righted` known labels and one more guess righted than spoilt the
    test accepts, with one fewer it does not; a file that is accepted is
    the next to be compared with.
    """
    file, known, unsure = turned(contest, rng)
    tests = contest.limit - math.ceil(contest.limit / contest.each)
    with suppress(SpentError):
        for block in odd_blocks(unsure, max(1, tests)):
            righted = math.isqrt(len(block)) // 2
            while (righted + 1) ** 2 <= len(block) + righted:
                righted += 1
            if len(contest.shown) % contest.each == 0:  # a fresh account
                shown = contest.by_turns(file)
            tried = with_turned(file, [*block, *known[:righted]])
            if (now := contest.by_turns(tried)) < shown:
                file, shown, known = tried, now, known[righted:]
    return with_turned(file, known)


def enough(wrong: list[int], unsure: list[int], width: int) -> int:
    """Return how many accounts have a border for each wrong label."""
    errors = len(unsure) / 2
    return math.ceil(errors / (1 + (len(wrong) + errors) // width))


def fewest_wrong(shown: float, eta: float, margin: bool) -> int:
    """Return with how few wrong labels a Ladder stays at what it shows."""
    step = Fraction(eta).limit_denominator(LABELS)
    below = 1 if margin else Fraction(1, 2)
    return math.ceil(LABELS * step * (round(shown / eta) - below))


def marks_known(
    contest: Contest,
    rng: np.random.Generator,
    eta: float,
    margin: bool,
    accounts: int | None = None,
) -> File:
    """Read labels at borders, with few accounts or as few as read all.

    A right flip moves an account, which is blind from then on. When all
    are, Eve rights as many labels as a step has, which she knows or has
    read: then all stand right above the next border, and see again. So
    each account reads a label that is wrong at each of the steps. Of those
    that see, the one that has sent least sends the next flip, and none
    sends more than its files.

    With a margin a fresh account is first sent the file of the step
    before, which is shown what the others are shown.
    """
    file, wrong, unsure = turned(contest, rng)
    above, first, opened, sent = file, file, 1, contest.accounts

    def search(file: File) -> float:
        """Send a file from an account that stands where the first does."""
        nonlocal opened
        if sent[opened - 1] == contest.each:
            contest.submit(opened, first)
            opened += 1
        shown: float = contest.submit(opened - 1, file)
        return shown

    known = wrong.copy()
    try:
        mark, shown = to_border(search, file, wrong)
    except SpentError:  # before a border was found: nothing is read
        return with_turned(first, known)
    seeing: list[int] = []  # of those that stand where the mark does
    lowest = partial(fewest_wrong, eta=eta, margin=margin)
    most = accounts or enough(wrong, unsure, round(eta * LABELS))
    with suppress(SpentError):
        for label in unsure:
            while not seeing:
                if opened < most:
                    contest.submit(opened, above if margin else mark)
                    seeing.append(opened)
                    opened += 1
                    continue
                width = lowest(shown) - lowest(shown - eta)
                if len(wrong) >= width:
                    above, mark = mark, with_turned(mark, wrong[:width])
                    wrong, shown = wrong[width:], shown - eta
                    left = (
                        sent[one] < contest.each for one in range(opened)
                    )
                    seeing = [*compress(range(opened), left)]
                elif accounts:
                    return with_turned(mark, wrong)
                else:
                    most += 1
            one = min(seeing, key=sent.__getitem__)
            tried = with_turned(mark, [label])
            if moved := contest.submit(one, tried) < shown - eta / 2:
                wrong.append(label)
            if moved or sent[one] == contest.each:
                seeing.remove(one)
    return with_turned(mark, wrong)


def yardsticks_known(
    contest: Contest, rng: np.random.Generator, width: int
) -> File:
    """Do the same with ranks: an account that moves passes a yardstick.

    A second yardstick waits one step ahead, so that whoever has passed the
    first stands behind it, and passes it at the next border.
    """
    file, wrong, unsure = turned(contest, rng)
    contest.submit("stick 0", file)
    mark, _ = to_border(partial(contest.submit, "stick 1"), file, wrong)
    contest.submit("stick 0", mark)
    accounts = enough(wrong, unsure, width)
    seeing, opened, passed, last = list[int](), 0, 0, 0
    for label in unsure:
        while not seeing:
            if opened < accounts:
                contest.submit(opened, mark)
                seeing.append(opened)
                opened += 1
            elif len(wrong) > width:  # one is left for the other yardstick
                mark, wrong = (
                    with_turned(mark, wrong[:width]),
                    wrong[width:],
                )
                ahead = with_turned(mark, wrong[-1:])
                contest.submit(f"stick {last}", ahead)
                seeing, passed, last = list(range(opened)), 0, 1 - last
            else:
                accounts += 1
        tried = with_turned(mark, [label])
        if contest.submit(seeing[-1], tried) == passed + 2:
            seeing.pop()
            passed += 1
            wrong.append(label)
    return with_turned(mark, wrong)
