"""Attacks on boards that show ranks and nothing else."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import chain, count
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._attack_result import AttackResult, finished, flipped
from leaderboard_edu._draws import draw_submissions
from leaderboard_edu._validation import (
    BinaryVector,
    binary_vector,
    generator,
    grid_denominator,
    number_valued,
    real_matrix,
    whole_number,
)

Submit = Callable[[Hashable, BinaryVector], int]


def rank_attack(submit: Submit, *, n: int, rng: np.random.Generator) -> AttackResult:
    """Read all labels off a board that shows only ranks, with two accounts and n + 1 submissions.

    One account leads with the best vector so far. The other submits it with one label flipped, each
    label in its turn; if it takes the lead the flip was right and the two change roles, else the
    label was right before.

    Parameters
    ----------
    submit : callable
        Takes an account, "A" or "B", and a vector of `n` labels, and returns the rank of the account, 1
        for the best.
    n : int
        The number of labels of a submission.
    rng : numpy.random.Generator
        Draws the first submission.

    Returns
    -------
    AttackResult
        The best vector, and the n + 1 submissions. All labels are right if whoever is strictly better
        stands in front, both accounts are fresh and no one else submits meanwhile.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 2.2.

    Examples
    --------
    >>> from leaderboard_edu.leaderboard import RankBoard
    >>> labels = [0, 1, 1, 0, 1]
    >>> attack = rank_attack(RankBoard(labels).submit, n=5, rng=np.random.default_rng(0))
    >>> attack.predictions.tolist() == labels, len(attack.submissions)
    (True, 6)
    """
    submit = number_valued(submit, "submit")
    n = whole_number(n, "n")
    best = draw_submissions(generator(rng), 1, n)[0]
    submissions = [best]
    leader, chaser = "A", "B"
    lead = submit(leader, best)
    for label in range(n):
        trial = flipped(best, label)
        submissions.append(trial)
        rank = submit(chaser, trial)
        if rank <= lead:
            best, lead, leader, chaser = trial, rank, chaser, leader
    return finished(best, np.array(submissions))


def yardstick_attack(
    submit: Submit,
    *,
    n: int,
    precision: str | Fraction | float,
    files: Iterable[ArrayLike],
    accounts: int | None = None,
    each: int | None = None,
) -> AttackResult:
    """Read all labels off a board that shows ranks of rounded losses, with an account that stands still.

    From a file that stands in front of its opposite a bisection finds one right above a border between
    two levels. One account, the yardstick, submits it. Each label is then flipped in its turn from an
    account behind: it passes the yardstick if and only if the flip is right. When a whole level's worth
    of errors is known, all are corrected, and the first that passed is the next yardstick.

    Parameters
    ----------
    submit : callable
        Takes an account, a whole number from 0 on, and a vector of `n` labels, and returns the rank of
        the account, 1 for the best.
    n : int
        The number of labels of a submission.
    precision : str, Fraction or float
        The grid 1/m to which the board rounds losses.
    files : iterable of array_like of {0, 1}, shape (n,)
        Where to start, tried in order until one stands in front of its opposite: a classifier's file, or
        as many coin files as one likes. They are drawn one at a time.
    accounts : int or None
        How many accounts may be opened; None, the default, for any number.
    each : int or None
        How many submissions an account may make; None, the default, for any number.

    Returns
    -------
    AttackResult
        The file as far as it is read, which is not submitted, and the submissions. All labels are right
        if equal levels stay in the order of their arrival, nobody else submits meanwhile, and the accounts last: one
        more than a level has labels, and two for each comparison of the search, unless n/m is not whole.
        If the search finds no border, the first of the files and the submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    References
    ----------
    The chapter on the rank attack, lemma "Yardstick" and proposition "A yardstick for each border".

    Examples
    --------
    >>> from leaderboard_edu import RankBoard, count_wrong
    >>> labels = np.array([0, 1, 1, 0] * 10)
    >>> board = RankBoard(labels, precision="1/10")
    >>> start = labels ^ (np.arange(40) % 4 == 0)
    >>> attack = yardstick_attack(board.submit, n=40, precision="1/10", files=[start])
    >>> count_wrong(attack.predictions, labels), len(board.standings())
    (0, 17)
    """
    submit = number_valued(submit, "submit")
    n, m = whole_number(n, "n"), grid_denominator(precision, "precision")
    names = count() if accounts is None else iter(range(whole_number(accounts, "accounts")))
    each = None if each is None else whole_number(each, "each")
    starts = (binary_vector(file, "files", length=n) for file in files)
    first = next(starts, None)
    if first is None:
        raise ValueError("files must hold one file at least, got none")
    submissions = []

    def keep(account: Hashable, file: BinaryVector) -> int:
        submissions.append(binary_vector(file, "file"))
        rank: int = submit(account, submissions[-1])
        return rank

    found = first.copy()
    if border := find_mark(keep, n, chain([first], starts), names):
        file, mark = border
        found = file.copy()
        width = n // m if n % m == 0 else n  # of a level, if it can be known
        order = range(n)[::-1]  # first what the bisection did not touch
        for flip in read_borders(keep, mark, width, names, order, each):
            found[flip.label] = mark[flip.label] ^ flip.passed
    found.setflags(write=False)
    return finished(found, np.array(submissions))


def in_front(submit: Submit, accounts: Iterator[Hashable], better: BinaryVector, worse: BinaryVector) -> bool | None:
    """Say whether the first file has a lower level than the second; None if there are no two accounts left."""
    first, second = next(accounts, None), next(accounts, None)
    if second is None:
        return None
    behind = submit(first, worse)
    return submit(second, better) <= behind


def find_mark(
    submit: Submit, n: int, files: Iterable[BinaryVector], accounts: Iterator[Hashable]
) -> tuple[BinaryVector, BinaryVector] | None:
    """Return a file, and one on the way to its opposite at a border; None if none is found."""
    places = np.arange(n)
    for file in files:
        ahead = in_front(submit, accounts, file, 1 - file)
        if ahead is None:
            return None
        if ahead:
            break
    else:
        return None
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        ahead = in_front(submit, accounts, file, file ^ (places < middle))
        if ahead is None:
            return None
        low, high = (low, middle) if ahead else (middle, high)
    return file, file ^ (places < high)


class Flip(NamedTuple):
    """Which label was flipped, by whom, and whether the file passed."""

    label: int
    account: Hashable
    passed: bool


def read_borders(
    submit: Submit,
    mark: BinaryVector,
    width: int,
    accounts: Iterator[Hashable],
    order: Iterable[int],
    each: int | None = None,
) -> list[Flip]:
    """Test labels against one yardstick after another.

    An account that has sent `each` files is not used again.
    """
    flips: list[Flip] = []
    waiting: list[Hashable] = []
    ahead: list[tuple[Hashable, int, int]] = []
    mark, yard = mark.copy(), next(accounts, None)
    if yard is None:
        return flips
    lead, sent = submit(yard, mark.copy()), Counter([yard])
    for label in order:
        while waiting and sent[waiting[-1]] == each:
            waiting.pop()
        account = waiting.pop() if waiting else next(accounts, None)
        if account is None:  # she may open no more
            break
        file = mark.copy()
        file[label] ^= 1
        rank = submit(account, file)
        sent[account] += 1
        flips.append(Flip(label, account, rank <= lead))
        if rank > lead:
            waiting.append(account)
            continue
        lead += 1
        ahead.append((account, rank, label))
        if len(ahead) == width:  # on to the next border
            passed, ranks, labels = zip(*ahead, strict=True)
            mark[list(labels)] ^= 1
            waiting += [yard, *passed[1:]]
            yard, lead, ahead = passed[0], ranks[0], []
    return flips


def losses_from_ranks(submit: Submit, files: ArrayLike) -> NDArray[np.float64]:
    """Guess the losses of random vectors from the rank that each comes in at, one account each.

    From the ranks the whole order is built. The losses of coin files are almost normal, with mean 1/2 and standard
    deviation 1/(2 sqrt(n)); a vector gets the quantile of its place. `message_passing` reads labels from such guesses.

    Parameters
    ----------
    submit : callable
        Takes an account, a whole number from 0 on, and a vector of n labels, and returns the rank of the account, 1
        for the best. Nobody else may be on the board.
    files : array_like of {0, 1}, shape (k, n)
        Vectors of coin flips, which are submitted in this order.

    Returns
    -------
    ndarray of float, shape (k,)
        The guesses.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    References
    ----------
    The chapter on the rank attack, section "Two accounts are slow; six hundred are not".

    Examples
    --------
    >>> from leaderboard_edu import RankBoard
    >>> board = RankBoard([0, 0, 0, 0])
    >>> losses_from_ranks(board.submit, [[0, 1, 1, 0], [0, 0, 0, 1], [1, 1, 0, 1]]).round(2).tolist()
    [0.5, 0.26, 0.74]
    """
    from scipy.special import ndtri

    submit = number_valued(submit, "submit")
    sent = [binary_vector(file, "files") for file in real_matrix(files, "files")]
    order: list[int] = []
    for account, file in enumerate(sent):
        order.insert(int(submit(account, file)) - 1, account)
    place = np.empty(len(sent))
    place[order] = np.arange(len(sent)) + 0.5
    guesses: NDArray[np.float64] = 0.5 + ndtri(place / len(sent)) / (2 * math.sqrt(sent[0].size))
    return guesses
