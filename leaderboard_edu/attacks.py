"""Attacks: they see a `submit` callable and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._draws import draw_submissions
from leaderboard_edu._extras import extra
from leaderboard_edu._regression import regression, univariate_predictions
from leaderboard_edu._samples import Sample, checked_sample, checked_selection
from leaderboard_edu._validation import (
    BinaryVector,
    generator,
    number_valued,
    one_of,
    real_matrix,
    real_vector,
    whole_number,
)
from leaderboard_edu._votes import KEEP, majority, vote

__all__ = [
    "AttackResult",
    "averaging_attack",
    "boosting_attack",
    "enumeration_attack",
    "freedman_attack",
    "last_jump",
    "multi_account_attack",
    "partner_attack",
    "rank_attack",
    "step_forward_attack",
    "swap_attack",
]

RULES = (*KEEP, "improved")


@dataclass(frozen=True, eq=False)
class AttackResult:
    """What an attack ends with.

    Attributes
    ----------
    predictions : ndarray of uint8 or float, shape (n,)
        The final vector. The attack has not submitted it.
    submissions : ndarray of the same dtype, shape (k, n)
        What it submitted, in order.
    selected : tuple of int
        The features that an attack by regression has chosen, in order; empty for the others.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 5.

    Examples
    --------
    >>> AttackResult(np.array([0, 1]), np.array([[0, 0], [1, 1]])).submissions.shape
    (2, 2)
    """

    predictions: NDArray[Any]
    submissions: NDArray[Any]
    selected: tuple[int, ...] = ()


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
    submit = number_valued(submit, "submit")
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
    submit = number_valued(submit, "submit")
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
            trial = _flipped(best, [label, partner])
            submissions.append(trial)
            released = submit(trial)
            if released < lowest:
                best, lowest, settled = trial, released, partner
                break
        label = settled + 1
    return _result(best, np.array(submissions))


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
    submit = number_valued(submit, "submit")
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


def freedman_attack(
    submit: Callable[[NDArray[np.float64]], float],
    *,
    training: Sample,
    features: NDArray[np.float64],
    top: int,
    larger_is_better: bool = False,
) -> AttackResult:
    """Attack a regression board: submit one model for each feature and combine the features that score best.

    Parameters
    ----------
    submit : callable
        Takes predictions, one for each holdout label, and returns the released score.
    training : Sample
        Features (n0, p) and response (n0,) that the attacker has for fitting.
    features : array_like, shape (n, p)
        The features of the holdout set.
    top : int
        How many features the final regression combines, at most p and n0 - 1. Of features with equal
        releases the first ones are taken.
    larger_is_better : bool
        The direction of the score; False, the default, for a loss.

    Returns
    -------
    AttackResult
        The predictions of the least-squares regression on the selected features, which are not
        submitted; the p submissions; the selected features, best first.

    Raises
    ------
    ValueError
        If an argument is not as described. An error raised by `submit` is passed on.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Freedman's
    attack; D. A. Freedman, A note on screening regression equations, 1983.

    Examples
    --------
    >>> from leaderboard_edu import PairedTestLadder, simulate_design, split_sample
    >>> rng = np.random.default_rng(0)
    >>> data = split_sample(*simulate_design(n=60, p=20, rng=rng), rng=rng)
    >>> board = PairedTestLadder(data.public.response)
    >>> attack = freedman_attack(board.submit, training=data.training, features=data.public.features, top=3)
    >>> len(attack.submissions), len(attack.selected)
    (20, 3)
    """
    submit = number_valued(submit, "submit")
    training = checked_sample(training)
    holdout = real_matrix(features, "features", columns=training.features.shape[1])
    checked_selection(top, "top", training)
    submissions = univariate_predictions(training, holdout)
    submissions.setflags(write=False)  # a board gets them, and not the right to change them
    released = np.array([float(submit(submission)) for submission in submissions])
    selected = tuple(np.argsort(-released if larger_is_better else released, kind="stable")[:top].tolist())
    return AttackResult(regression(training, holdout, selected), submissions, selected)


def step_forward_attack(
    submit: Callable[[NDArray[np.float64]], float],
    *,
    training: Sample,
    features: NDArray[np.float64],
    iterations: int,
    accepted: Callable[[], int] | None = None,
) -> AttackResult:
    """Attack a board that shows its best score so far: add the feature that made the last jump, and go on.

    Each iteration submits, for every feature not yet selected, the regression on it and the selected
    ones, and selects the feature at which the releases last jump. **Without a jump the attack stops**:
    no feature that is left is seen to improve on what the board shows. The very first submission
    counts as a jump, since a board accepts it.

    Parameters
    ----------
    submit, training, features : as for `freedman_attack`
        The board and the data.
    iterations : int
        How many features to select at most; at most p and n0 - 1.
    accepted : callable or None
        None, the default: the releases carry no noise, repeating a submission changes nothing, and a jump is a
        change. Otherwise an oracle that
        says how many submissions the board has accepted so far, as in the paper; the places of the
        jumps are found by `last_jump`.

    Returns
    -------
    AttackResult
        The predictions of the regression on the selected features, all submissions, and the
        selected features in order.

    Raises
    ------
    ValueError
        If an argument is not as described. An error raised by `submit` is passed on.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Algorithm 7
    without its line 5, which submits the univariate models again.

    Examples
    --------
    >>> from leaderboard_edu import PairedTestLadder, simulate_design, split_sample
    >>> rng = np.random.default_rng(0)
    >>> data = split_sample(*simulate_design(n=60, p=100, rng=rng), rng=rng)
    >>> board = PairedTestLadder(data.public.response)
    >>> attack = step_forward_attack(
    ...     board.submit, training=data.training, features=data.public.features, iterations=3
    ... )
    >>> len(attack.submissions)
    297
    """
    submit = number_valued(submit, "submit")
    training = checked_sample(training)
    p = training.features.shape[1]
    holdout = real_matrix(features, "features", columns=p)
    checked_selection(iterations, "iterations", training)
    if accepted is not None:
        accepted = number_valued(accepted, "accepted")
    selected: list[int] = []
    submissions: list[NDArray[np.float64]] = []  # a matrix for each iteration
    shown = math.inf
    for _ in range(iterations):
        remaining = [j for j in range(p) if j not in selected]
        before = accepted() if accepted else 0
        trials = np.array([regression(training, holdout, [*selected, j]) for j in remaining])
        trials.setflags(write=False)  # as in `freedman_attack`
        released = [submit(trial) for trial in trials]
        submissions.append(trials)
        jump = last_jump(released, jumps=accepted() - before if accepted else None, shown=shown)
        if jump is None:
            break
        selected.append(remaining[jump])
        shown = released[-1]
    predictions = regression(training, holdout, selected)
    return AttackResult(predictions, np.concatenate(submissions), tuple(selected))


def averaging_attack(
    submit: Callable[[NDArray[np.float64]], float],
    *,
    training: Sample,
    features: NDArray[np.float64],
    iterations: int,
    repeats: int,
    accepted: Callable[[], int] | None = None,
) -> AttackResult:
    """Run the step-forward attack on averages: submit each model many times, so that noise cancels.

    Parameters
    ----------
    submit, training, features, iterations, accepted : as for `step_forward_attack`
        The board, the data, and how the attack goes on.
    repeats : int
        How many times each model is submitted. The noise of the average is smaller by the root of it.

    Returns
    -------
    AttackResult
        As of `step_forward_attack`, each model `repeats` times among the submissions.

    Raises
    ------
    ValueError
        If an argument is not as described. An error raised by `submit` is passed on, that of a
        mechanism that refuses repetitions, too.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Discussion.

    Examples
    --------
    >>> from leaderboard_edu import LadderBoot, simulate_design, split_sample
    >>> rng = np.random.default_rng(0)
    >>> data = split_sample(*simulate_design(n=60, p=20, rng=rng), rng=rng)
    >>> board = LadderBoot(data.public.response, rng=rng)
    >>> sets = {"training": data.training, "features": data.public.features}
    >>> attack = averaging_attack(
    ...     board.submit, **sets, iterations=1, repeats=50, accepted=lambda: board.accepted
    ... )
    >>> len(attack.submissions)
    1000
    """
    submit = number_valued(submit, "submit")
    repeats = whole_number(repeats, "repeats")
    attack = step_forward_attack(
        lambda predictions: float(np.mean([submit(predictions) for _ in range(repeats)])),
        training=training,
        features=features,
        iterations=iterations,
        accepted=accepted,
    )
    return AttackResult(attack.predictions, np.repeat(attack.submissions, repeats, axis=0), attack.selected)


def last_jump(released: ArrayLike, *, jumps: int | None = None, shown: float = math.inf) -> int | None:
    """Return the index at which a board that shows its best score so far last jumped, or None if it did not.

    Parameters
    ----------
    released : array_like, shape (t,)
        The releases, oldest first.
    jumps : int or None
        None, the default: a jump is a release that differs from the one before. Otherwise how many there
        are; they are found in the noise by binary segmentation, which splits where the squared
        deviations from the means of the segments fall most.
    shown : float
        What the board showed before; infinity, the default, if it showed nothing yet: then the first
        release is a jump, unless `jumps` is 0.

    Returns
    -------
    int or None
        The index of the last jump, from 0; None if there is none.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    E. Chaibub Neto et al., Reducing overfitting in challenge-based competitions, 2016, Figure 5;
    A. J. Scott and M. Knott, A cluster analysis method for grouping means in the analysis of variance, 1974.

    Examples
    --------
    >>> last_jump([1.0, 1.0, 0.9, 0.9]), last_jump([0.9, 0.9], shown=0.9), last_jump([1.01, 0.99, 0.91, 0.9], jumps=2)
    (2, None, 2)
    """
    signal = real_vector(released, "released")
    if not (isinstance(shown, Real) and -math.inf < shown <= math.inf):
        raise ValueError(f"shown must be a finite number or infinity, got {shown!r}")
    if jumps is None:
        changes = np.flatnonzero(np.diff(signal, prepend=shown))
        return int(changes[-1]) if changes.size else None
    if whole_number(jumps, "jumps", least=0) > signal.size:
        raise ValueError(f"jumps must be at most the number of releases, {signal.size}, got {jumps}")
    first = 1 if shown < math.inf else 0
    if jumps < 2 - first:
        return None if jumps == 0 else 0
    return _last_segment(np.r_[[shown] * first, signal], jumps - 1 + first) - first


def _last_segment(signal: NDArray[np.float64], jumps: int) -> int:
    """Return the start of the last segment of a signal with so many jumps, by binary segmentation."""
    with extra("studies"):
        from ruptures import Binseg
        from ruptures.base import BaseCost

    class SquaredDeviations(BaseCost):  # type: ignore[misc]  # as the model "l2" of ruptures, from sums that are taken once
        model, min_size = "l2", 1

        def fit(self, signal: NDArray[np.float64]) -> None:
            self.signal = signal
            centred = signal - signal.mean()
            self.sums = np.cumsum(np.r_[0.0, centred]).tolist()
            self.squares = np.cumsum(np.r_[0.0, centred**2]).tolist()

        def error(self, start: int, end: int) -> float:
            total = self.sums[end] - self.sums[start]
            return self.squares[end] - self.squares[start] - total * total / (end - start)  # type: ignore[no-any-return]

    search = Binseg(custom_cost=SquaredDeviations(), min_size=1, jump=1)
    return int(search.fit(signal).predict(n_bkps=jumps)[-2])
