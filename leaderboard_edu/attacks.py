"""Attacks: they see a `submit` callable and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._draws import draw_submissions, draw_words, unpack
from leaderboard_edu._validation import BinaryVector, function, generator, one_of, whole_number

__all__ = ["AttackResult", "boosting_attack", "boosting_curve"]

KEEP = ("aligned", "half")


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
    """Return the vote of a submission, +1 for label 1 and -1 for label 0, or its opposite, or none."""
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
    """Attack a board that shows losses: submit `k` random vectors and take a majority of the better halves.

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
    keep : {"aligned", "half"}
        "aligned": a vector with released loss above 1/2 votes with every label flipped. "half": it
        does not vote. A release of exactly 1/2 counts as not above.

    Returns
    -------
    AttackResult
        The majority vote, which is not submitted, and the `k` submissions.

    Raises
    ------
    ValueError
        If an argument is not as described. An error raised by `submit` is passed on.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 5 ("half"); W. Zheng, Toward a Better
    Understanding of Leaderboard, 2015, section 2.1 ("aligned").

    Examples
    --------
    >>> from leaderboard_edu.mechanisms import FullDisclosure
    >>> board = FullDisclosure(np.zeros(100))
    >>> attack = boosting_attack(board.submit, n=100, k=400, rng=np.random.default_rng(1))
    >>> board.submit(attack.predictions) < 0.2
    True
    """
    function(submit, "submit")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(keep, "keep", KEEP)
    coins = draw_submissions(generator(rng), 1, n)[0]
    submissions = draw_submissions(rng, k, n)
    tally = np.zeros(n, dtype=np.int64)
    for submission in submissions:
        tally += _vote(submission, submit(submission) <= 0.5, keep)
    return AttackResult(_majority(tally, coins), submissions)


def boosting_curve(*, n: int, k: int, rng: np.random.Generator, keep: str = "aligned") -> NDArray[np.float64]:
    """Simulate the boosting attack on exact full disclosure: its accuracy after each of `k` submissions.

    Parameters
    ----------
    n : int
        The number of holdout labels.
    k : int
        The number of submissions.
    rng : numpy.random.Generator
        Used as by `boosting_attack`.
    keep : {"aligned", "half"}
        As for `boosting_attack`.

    Returns
    -------
    ndarray of float, shape (k,)
        Entry t-1 is the share of right labels in the final vector of an attack of t submissions.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    The holdout labels are all zero, which loses nothing: flipping a label, and every submission
    there, changes no loss, and uniform submissions and fair coins stay so. With the same seed,
    entry t-1 is exactly the accuracy of ``boosting_attack(..., k=t)`` on zero labels.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, Figure 1 of the ICML version; W. Zheng, 2015, Figure 1.

    Examples
    --------
    >>> curve = boosting_curve(n=1000, k=500, rng=np.random.default_rng(1))
    >>> bool(0.65 < curve[-1] < 0.75)
    True
    """
    n, k = whole_number(n, "n"), whole_number(k, "k")
    one_of(keep, "keep", KEEP)
    coins = draw_submissions(generator(rng), 1, n)[0]
    tally = np.zeros(n, dtype=np.int64)
    accuracy = np.empty(k)
    for t in range(k):
        submission = unpack(draw_words(rng, 1, n), n)[0]
        tally += _vote(submission, 2 * int(np.count_nonzero(submission)) <= n, keep)
        accuracy[t] = 1 - np.count_nonzero(_majority(tally, coins)) / n
    return accuracy
