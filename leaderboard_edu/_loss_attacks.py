"""Attacks on exact losses: they use every digit of what is shown."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._attack_result import AttackResult, finished, flipped
from leaderboard_edu._validation import (
    ATTACKED,
    BinaryVector,
    binary_vector,
    check_binary,
    generator,
    number_valued,
    real_matrix,
    real_vector,
    whole_number,
)


def promise(lead: int, size: int) -> float:
    """Return what halving a block with this lead, of right labels over wrong ones, gains, by the normal law."""
    spread = math.sqrt(size)
    t = abs(lead) / spread
    density = math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
    return spread * (density - t * math.erfc(t / math.sqrt(2)) / 2)


def block_attack(submit: Callable[[BinaryVector], float], *, n: int, k: int, rng: np.random.Generator) -> AttackResult:
    """Attack a board that shows exact losses: flip blocks of labels, and watch how far the loss moves.

    A flipped block tells how many more of its labels were right than wrong. Each submission flips the
    first half of the block where this promises most; in the end the blocks with more wrong labels are
    flipped. With few losses, up to about a hundredth of the labels, this is the best attack that we know.

    Parameters
    ----------
    submit : callable
        Takes a vector of `n` labels and returns its exact loss. Rounded losses mislead the attack.
    n : int
        The number of labels of a submission.
    k : int
        The number of submissions; fewer are made if all labels are known before.
    rng : numpy.random.Generator
        Draws the first vector.

    Returns
    -------
    AttackResult
        The vector of better blocks, which is not submitted, and the submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no finite number. An error that it raises is passed on.

    References
    ----------
    The chapter on the boosting attack, proposition "Flipping blocks", for equal blocks.

    Examples
    --------
    >>> from leaderboard_edu import FullDisclosure, count_wrong
    >>> labels = [0, 1, 1, 0] * 25
    >>> attack = block_attack(FullDisclosure(labels).submit, n=100, k=100, rng=np.random.default_rng(0))
    >>> count_wrong(attack.predictions, labels)
    0
    """
    submit = number_valued(submit, "submit", finite=True)
    n, k = whole_number(n, "n"), whole_number(k, "k")
    start = binary_vector(generator(rng).integers(0, 2, n), "start")
    submissions = [start]
    loss = float(submit(start))
    blocks = [(0, n, round(n * (1 - 2 * loss)))]  # lead: right minus wrong
    for _ in range(k - 1):
        best = max(
            (block for block in blocks if block[1] - block[0] > 1),
            key=lambda block: promise(block[2], block[1] - block[0]),
            default=None,
        )
        if best is None:
            break
        blocks.remove(best)
        first, last, lead = best
        middle = (first + last) // 2
        tried = flipped(start, np.arange(first, middle))
        submissions.append(tried)
        half = round(n * (float(submit(tried)) - loss))
        blocks += [(first, middle, half), (middle, last, lead - half)]
    worse = [np.arange(first, last) for first, last, lead in blocks if lead < 0]
    return finished(flipped(start, np.concatenate([*worse, np.zeros(0, dtype=np.int64)])), np.array(submissions))


def least_squares_attack(
    submit: Callable[[BinaryVector], float], *, n: int, k: int, rng: np.random.Generator
) -> AttackResult:
    """Attack a board that shows exact losses: fit all by least squares, and ask where least is known.

    A submission differs from the first in half of the quarter of labels on which the fit is smallest.
    With a tenth to a quarter as many losses as labels no attack that we know is better.

    Parameters
    ----------
    submit : callable
        Takes a vector of `n` labels and returns its loss.
    n : int
        The number of labels of a submission.
    k : int
        The number of submissions; with `n` independent ones the labels are known.
    rng : numpy.random.Generator
        Draws the first vector, then for each submission the labels that change.

    Returns
    -------
    AttackResult
        The signs of the fit, which are not submitted, and the `k` submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no finite number. An error that it raises is passed on.

    References
    ----------
    The chapter on the boosting attack, section "The digits tell every label".

    Examples
    --------
    >>> from leaderboard_edu import FullDisclosure, count_wrong
    >>> labels = [0, 1, 1, 0] * 5
    >>> attack = least_squares_attack(FullDisclosure(labels).submit, n=20, k=40, rng=np.random.default_rng(0))
    >>> count_wrong(attack.predictions, labels)
    0
    """
    submit = number_valued(submit, "submit", finite=True)
    n, k = whole_number(n, "n"), whole_number(k, "k")
    start = 2 * generator(rng).integers(0, 2, n) - 1
    fit, known = np.zeros(n), np.zeros((k, n))
    submissions = np.empty((k, n), dtype=np.uint8)
    for t in range(k):
        file = start.copy()
        if t:
            least = np.argsort(np.abs(fit) + 1e-3 * rng.random(n))[: -(-n // 4)]
            file[rng.permutation(np.sort(least))[: -(-n // 8)]] *= -1
        submissions[t] = file > 0
        lead = n * (1 - 2 * float(submit(binary_vector(file > 0, "file"))))
        new = file - known[:t].T @ (known[:t] @ file)
        if (length := new @ new) > 1e-6:
            fit += (lead - fit @ file) / length * new
            known[t] = new / math.sqrt(length)
    return finished(binary_vector(fit > 0, "labels"), submissions)


def message_passing_attack(
    submit: Callable[[BinaryVector], float], *, n: int, k: int, rng: np.random.Generator
) -> AttackResult:
    """Attack a board that shows losses: submit random vectors, and read the labels by message passing.

    From about half as many exact losses as labels on it reads everything, on large boards. No submission
    depends on an answer, so that a thousand accounts can send them on one day.

    Parameters
    ----------
    submit : callable
        Takes a vector of `n` labels and returns its loss.
    n : int
        The number of labels of a submission.
    k : int
        The number of submissions.
    rng : numpy.random.Generator
        Draws the submissions.

    Returns
    -------
    AttackResult
        The labels read, which are not submitted, and the `k` submissions.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no finite number. An error that it raises is passed on.

    References
    ----------
    D. L. Donoho, A. Maleki and A. Montanari, Message-passing algorithms for compressed sensing, 2009.

    Examples
    --------
    >>> from leaderboard_edu import FullDisclosure, count_wrong
    >>> labels = [0, 1, 1, 0] * 100
    >>> attack = message_passing_attack(FullDisclosure(labels).submit, n=400, k=300, rng=np.random.default_rng(0))
    >>> count_wrong(attack.predictions, labels)
    0
    """
    submit = number_valued(submit, "submit", finite=True)
    n, k = whole_number(n, "n"), whole_number(k, "k")
    submissions = generator(rng).integers(0, 2, (k, n)).astype(np.uint8)
    submissions.setflags(write=False)
    losses = [float(submit(submission)) for submission in submissions]
    return AttackResult(message_passing(submissions, losses), submissions)


def message_passing(files: ArrayLike, losses: ArrayLike, *, rounds: int = 100) -> BinaryVector:
    """Return the labels that random files and their losses tell, by approximate message passing.

    A guess between -1 and 1 for each label is moved towards what the losses leave unexplained. The last term of
    the rest takes off what a label has told itself in the round before.

    Parameters
    ----------
    files : array_like of {0, 1}, shape (k, n)
        Vectors of coin flips.
    losses : array_like, shape (k,)
        Their losses, or guesses of them.
    rounds : int
        How often the guesses are moved, if the losses are not explained before.

    Returns
    -------
    ndarray of uint8, shape (n,)
        The labels read.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    D. L. Donoho, A. Maleki and A. Montanari, Message-passing algorithms for compressed sensing, 2009; here with the
    posterior mean of labels of two values.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels, files = rng.integers(0, 2, 400), rng.integers(0, 2, (300, 400))
    >>> bool(np.all(message_passing(files, np.mean(files != labels, axis=1)) == labels))
    True
    """
    signs = 2 * check_binary(real_matrix(files, "files"), "files", ATTACKED) - 1
    k, n = signs.shape
    signs /= math.sqrt(k)
    leads = n * (1 - 2 * real_vector(losses, "losses", length=k)) / math.sqrt(k)
    rounds = whole_number(rounds, "rounds")
    guess, rest = np.zeros(n), leads
    for _ in range(rounds):
        noise = rest @ rest / k
        if noise < 1e-6:  # every loss is explained
            break
        guess = np.tanh((rest @ signs + guess) / noise)
        told = rest * np.sum(1 - guess**2) / noise / k
        rest = leads - signs @ guess + told
    return binary_vector(guess > 0, "labels")
