"""Attacks by votes: each of many random vectors votes as its release says."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable

import numpy as np

from leaderboard_edu._attack_result import AttackResult
from leaderboard_edu._draws import draw_submissions
from leaderboard_edu._validation import BinaryVector, generator, number_valued, one_of, whole_number
from leaderboard_edu._votes import KEEP, majority, vote

RULES = (*KEEP, "improved")


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
    submit = number_valued(submit, "submit")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(keep, "keep", RULES)
    coins = draw_submissions(generator(rng), 1, n)[0]
    submissions = draw_submissions(rng, k, n)
    tally = np.zeros(n, dtype=np.int64)
    previous = math.inf
    for submission in submissions:
        released = submit(submission)
        tally += vote(submission, released < previous if keep == "improved" else released <= 0.5, keep)
        previous = released
    return AttackResult(majority(tally, coins), submissions)


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
    submit = number_valued(submit, "submit")
    n, k, accounts = whole_number(n, "n"), whole_number(k, "k"), whole_number(accounts, "accounts")
    coins = draw_submissions(generator(rng), 1, n)[0]
    submissions = draw_submissions(rng, k, n)
    tally = np.zeros(n, dtype=np.int64)
    previous: dict[int, float] = {}
    for t, submission in enumerate(submissions):
        account = t % accounts
        released = submit(account, submission)
        if account in previous:
            tally += vote(submission, released < previous[account], "half")
        else:
            tally += vote(submission, released <= 0.5, "aligned")
        previous[account] = released
    return AttackResult(majority(tally, coins), submissions)
