"""Attacks: they see a `submit` callable and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._draws import draw_submissions
from leaderboard_edu._validation import BinaryVector, board, generator, one_of, whole_number

__all__ = [
    "AttackResult",
    "boosting_attack",
    "enumeration_attack",
    "multi_account_attack",
    "rank_attack",
    "swap_attack",
]

KEEP = ("aligned", "half")  # the rules that look at one loss at a time
RULES = (*KEEP, "improved")


@dataclass(frozen=True, eq=False)
class AttackResult:
    """What an attack ends with.

    Attributes
    ----------
    predictions : ndarray of uint8, shape (n,)
        The final vector. The attack has not submitted it.
    submissions : ndarray of uint8, shape (k, n)
        What it submitted, in order.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 5.

    Examples
    --------
    >>> AttackResult(np.array([0, 1]), np.array([[0, 0], [1, 1]])).submissions.shape
    (2, 2)
    """

    predictions: BinaryVector
    submissions: BinaryVector


def _vote(submission: BinaryVector, kept: bool, keep: str) -> NDArray[np.int8]:
    """Return the vote of a submission, +1 for label 1 and -1 for label 0, or its opposite if aligned, or none."""
    sign = 1 if kept else -1 if keep == "aligned" else 0
    return np.where(submission == 1, sign, -sign).astype(np.int8)


def _majority(tally: NDArray[np.int64], coins: BinaryVector) -> BinaryVector:
    """Return the label each tally favours; a tie, an empty vote included, falls as its coin."""
    labels = np.where(tally == 0, coins, tally > 0).astype(np.uint8)
    labels.setflags(write=False)
    return labels


def boosting_attack(
    submit: Callable[[BinaryVector], float],
    *,
    n: int,
    k: int,
    rng: np.random.Generator,
    keep: str = "aligned",
) -> AttackResult:
    """Attack a board that shows losses: submit `k` random vectors and take a majority of the better ones.

    Parameters
    ----------
    submit : callable
        Takes a vector of `n` labels and returns the released loss.
    n : int
        The number of labels of a submission.
    k : int
        The number of submissions.
    rng : numpy.random.Generator
        Draws first one coin for each label, which decides its ties, then the submissions.
    keep : {"aligned", "half", "improved"}
        "aligned": a vector with released loss above 1/2 votes with every label flipped. "half": it
        does not vote. A release of exactly 1/2 counts as not above. "improved": a vector votes when
        its release is strictly below the one before; the first always does.

    Returns
    -------
    AttackResult
        The majority vote, which is not submitted, and the `k` submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 5 ("half") and 5.1 ("improved"); W. Zheng, Toward a Better
    Understanding of Leaderboard, 2015, section 2.1 ("aligned").

    Examples
    --------
    >>> from leaderboard_edu.mechanisms import FullDisclosure
    >>> board = FullDisclosure(np.zeros(100))
    >>> attack = boosting_attack(board.submit, n=100, k=400, rng=np.random.default_rng(1))
    >>> board.submit(attack.predictions) < 0.2
    True
    """
    submit = board(submit, "submit")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(keep, "keep", RULES)
    coins = draw_submissions(generator(rng), 1, n)[0]
    submissions = draw_submissions(rng, k, n)
    tally = np.zeros(n, dtype=np.int64)
    previous = math.inf
    for submission in submissions:
        released = submit(submission)
        tally += _vote(submission, released < previous if keep == "improved" else released <= 0.5, keep)
        previous = released
    return AttackResult(_majority(tally, coins), submissions)


def multi_account_attack(
    submit: Callable[[Hashable, BinaryVector], float],
    *,
    n: int,
    k: int,
    accounts: int,
    rng: np.random.Generator,
) -> AttackResult:
    """Run the boosting attack through several accounts, each of which submits in turn.

    The first release of an account tells on which side of 1/2 a vector lies: it votes as in the
    boosting attack with aligned votes. A later vector votes only if it lowers the release of its
    account, since a board that shows the best score so far says nothing about the others.

    Parameters
    ----------
    submit : callable
        Takes an account, a whole number from 0 on, and a vector of `n` labels, and returns the
        released loss.
    n : int
        The number of labels of a submission.
    k : int
        The number of submissions, of all accounts together.
    accounts : int
        The number of accounts; with `k` of them, every submission comes from a fresh one.
    rng : numpy.random.Generator
        Used as by `boosting_attack`.

    Returns
    -------
    AttackResult
        The majority vote, which is not submitted, and the `k` submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 6 and Figure 1, for fresh
    accounts. How to use fewer accounts than submissions is not said there.

    Examples
    --------
    >>> from leaderboard_edu import Leaderboard, SimplifiedLadder, count_wrong
    >>> labels = np.zeros(101)
    >>> board = Leaderboard(labels, mechanism=SimplifiedLadder)
    >>> attack = multi_account_attack(board.submit, n=101, k=400, accounts=400, rng=np.random.default_rng(1))
    >>> count_wrong(attack.predictions, labels) < 20
    True
    """
    submit = board(submit, "submit")
    n, k, accounts = whole_number(n, "n"), whole_number(k, "k"), whole_number(accounts, "accounts")
    coins = draw_submissions(generator(rng), 1, n)[0]
    submissions = draw_submissions(rng, k, n)
    tally = np.zeros(n, dtype=np.int64)
    previous: dict[int, float] = {}
    for t, submission in enumerate(submissions):
        account = t % accounts
        released = submit(account, submission)
        if account in previous:
            tally += _vote(submission, released < previous[account], "half")
        else:
            tally += _vote(submission, released <= 0.5, "aligned")
        previous[account] = released
    return AttackResult(_majority(tally, coins), submissions)


def rank_attack(submit: Callable[[Hashable, BinaryVector], int], *, n: int, rng: np.random.Generator) -> AttackResult:
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
    submit = board(submit, "submit")
    n = whole_number(n, "n")
    best = draw_submissions(generator(rng), 1, n)[0]
    submissions = [best]
    leader, chaser = "A", "B"
    lead = submit(leader, best)
    for label in range(n):
        trial = _flipped(best, label)
        submissions.append(trial)
        rank = submit(chaser, trial)
        if rank <= lead:
            best, lead, leader, chaser = trial, rank, chaser, leader
    return _result(best, np.array(submissions))


def _flipped(vector: BinaryVector, labels: int | NDArray[np.int64] | list[int]) -> BinaryVector:
    """Return a read-only copy of a vector with the labels at some positions flipped."""
    changed = vector.copy()
    changed[labels] ^= 1
    changed.setflags(write=False)
    return changed


def _result(best: BinaryVector, submissions: BinaryVector) -> AttackResult:
    """Return the end of an attack, which no one may change."""
    submissions.setflags(write=False)
    return AttackResult(best, submissions)


def swap_attack(submit: Callable[[BinaryVector], float], *, n: int, k: int, rng: np.random.Generator) -> AttackResult:
    """Climb a board by swaps: exchange a random one with a random zero, and keep what lowers the release.

    Parameters
    ----------
    submit : callable
        Takes a vector of `n` labels and returns the released loss.
    n : int
        The number of labels of a submission, at least 2.
    k : int
        The number of submissions. The first is a random vector with n // 2 ones.
    rng : numpy.random.Generator
        Draws the first vector, then a pair of positions for each swap, uniformly.

    Returns
    -------
    AttackResult
        The best vector, and the `k` submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 3 and Figure 1.

    Examples
    --------
    >>> from leaderboard_edu.mechanisms import ParameterFreeLadder
    >>> board = ParameterFreeLadder([0, 1] * 10)
    >>> attack = swap_attack(board.submit, n=20, k=400, rng=np.random.default_rng(0))
    >>> board.submit(attack.predictions)
    0.0
    """
    submit = board(submit, "submit")
    n, k = whole_number(n, "n", least=2), whole_number(k, "k")
    order = generator(rng).permutation(n)
    ones, zeros = order[: n // 2], order[n // 2 :]
    pairs = rng.integers([ones.size, zeros.size], size=(k - 1, 2))
    best = _flipped(np.zeros(n, dtype=np.uint8), ones)
    submissions = np.empty((k, n), dtype=np.uint8)
    submissions[0] = best
    lowest = submit(best)
    for t, (i, j) in enumerate(pairs, start=1):
        submissions[t] = trial = _flipped(best, [ones[i], zeros[j]])
        released = submit(trial)
        if released < lowest:
            best, lowest = trial, released
            ones[i], zeros[j] = zeros[j], ones[i]
    return _result(best, submissions)


def enumeration_attack(
    submit: Callable[[BinaryVector], float], *, n: int, k: int, rng: np.random.Generator
) -> AttackResult:
    """Climb a board by brute force: flip a random set of labels, and keep what lowers the release.

    Parameters
    ----------
    submit : callable
        Takes a vector of `n` labels and returns the released loss.
    n : int
        The number of labels of a submission.
    k : int
        The number of submissions. The first is a random vector.
    rng : numpy.random.Generator
        Draws the first vector, then for each submission the number of labels to flip, a power of two
        of at most `n` (all equally likely), and the labels.

    Returns
    -------
    AttackResult
        The best vector, and the `k` submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    Notes
    -----
    A step must be large enough to be seen, and how large that is depends on the board and on how far
    the climb has got. So the attack tries all scales.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, Figure 2. How many labels the
    enumeration changes at a time is not said there.

    Examples
    --------
    >>> from leaderboard_edu.mechanisms import FullDisclosure
    >>> board = FullDisclosure([0, 1] * 10)
    >>> attack = enumeration_attack(board.submit, n=20, k=400, rng=np.random.default_rng(0))
    >>> board.submit(attack.predictions)
    0.0
    """
    submit = board(submit, "submit")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    best = draw_submissions(generator(rng), 1, n)[0]
    sizes = 2 ** rng.integers(0, n.bit_length(), size=k - 1)
    submissions = np.empty((k, n), dtype=np.uint8)
    submissions[0] = best
    lowest = submit(best)
    for t, size in enumerate(sizes, start=1):
        submissions[t] = trial = _flipped(best, rng.choice(n, size=size, replace=False, shuffle=False))
        released = submit(trial)
        if released < lowest:
            best, lowest = trial, released
    return _result(best, submissions)
