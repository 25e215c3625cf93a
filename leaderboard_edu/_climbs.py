"""Attacks that climb: they change the best vector so far, and keep what lowers the release."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from leaderboard_edu._attack_result import AttackResult, finished, flipped
from leaderboard_edu._draws import draw_submissions
from leaderboard_edu._validation import BinaryVector, generator, number_valued, whole_number


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
    submit = number_valued(submit, "submit")
    n, k = whole_number(n, "n", least=2), whole_number(k, "k")
    order = generator(rng).permutation(n)
    ones, zeros = order[: n // 2], order[n // 2 :]
    pairs = rng.integers([ones.size, zeros.size], size=(k - 1, 2))
    best = flipped(np.zeros(n, dtype=np.uint8), ones)
    submissions = np.empty((k, n), dtype=np.uint8)
    submissions[0] = best
    lowest = submit(best)
    for t, (i, j) in enumerate(pairs, start=1):
        submissions[t] = trial = flipped(best, [ones[i], zeros[j]])
        released = submit(trial)
        if released < lowest:
            best, lowest = trial, released
            ones[i], zeros[j] = zeros[j], ones[i]
    return finished(best, submissions)


def partner_attack(
    submit: Callable[[BinaryVector], float], *, n: int, partners: int, rng: np.random.Generator
) -> AttackResult:
    """Read the labels off a parameter-free Ladder: flip each label together with one after the other of the next ones.

    A pair of labels is accepted just if both were wrong. When it is, the first of the two and all labels up to the
    second are settled, since a wrong one between them would have been accepted before. A label that no partner
    lifts is taken to be right.

    Parameters
    ----------
    submit : callable
        Takes a vector of `n` labels and returns the released loss.
    n : int
        The number of labels of a submission.
    partners : int
        With how many of the following labels a label is tried at most. With T of them more than one label of the
        result is wrong with a probability of at most n / 2**(T + 1), whatever the labels are.
    rng : numpy.random.Generator
        Draws the first submission.

    Returns
    -------
    AttackResult
        The best vector, and the submissions: about n (T + 2) / 4 on average.

    Raises
    ------
    ValueError
        If an argument is not as described, or `submit` returns no number. An error that it raises is passed on.

    References
    ----------
    The chapter on the parameter-free Ladder, theorem "Partners"; the idea of changing two labels at a time is that of
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 3.

    Examples
    --------
    >>> from leaderboard_edu.mechanisms import ParameterFreeLadder
    >>> board = ParameterFreeLadder([0, 1] * 50)
    >>> attack = partner_attack(board.submit, n=100, partners=12, rng=np.random.default_rng(0))
    >>> board.submit(attack.predictions) <= 0.01, len(attack.submissions) < 500
    (True, True)
    """
    submit = number_valued(submit, "submit")
    n, partners = whole_number(n, "n"), whole_number(partners, "partners")
    best = draw_submissions(generator(rng), 1, n)[0]
    submissions = [best]
    lowest = submit(best)
    label = 0
    while label < n:
        settled = label
        for partner in range(label + 1, min(label + partners, n - 1) + 1):
            trial = flipped(best, [label, partner])
            submissions.append(trial)
            released = submit(trial)
            if released < lowest:
                best, lowest, settled = trial, released, partner
                break
        label = settled + 1
    return finished(best, np.array(submissions))


def enumeration_attack(
    submit: Callable[[BinaryVector], float], *, n: int, k: int, rng: np.random.Generator, size: int | None = None
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
        Draws the first vector, then for each submission the number of labels to flip, and the labels.
    size : int or None
        The number of labels to flip. None, the default, for a power of two of at most `n`, all equally likely.

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
    the climb has got. So the attack tries all scales, unless it is told one.

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
    submit = number_valued(submit, "submit")
    n, k = whole_number(n, "n"), whole_number(k, "k")
    size = None if size is None else whole_number(size, "size", most=n)
    best = draw_submissions(generator(rng), 1, n)[0]
    sizes = np.full(k - 1, size) if size else 2 ** rng.integers(0, n.bit_length(), size=k - 1)
    submissions = np.empty((k, n), dtype=np.uint8)
    submissions[0] = best
    lowest = submit(best)
    for t, flips in enumerate(sizes, start=1):
        submissions[t] = trial = flipped(best, rng.choice(n, size=flips, replace=False, shuffle=False))
        released = submit(trial)
        if released < lowest:
            best, lowest = trial, released
    return finished(best, submissions)
