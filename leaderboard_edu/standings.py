"""Which submissions count, whom the leader is told from, and intervals for what a board shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._holdout import Holdout
from leaderboard_edu._validation import one_of, probability, whole_number
from leaderboard_edu.bounds import best_eta, multi_account_bound
from leaderboard_edu.leaderboard import Standing
from leaderboard_edu.log import Replay, SubmissionLog, check_labels, replay
from leaderboard_edu.mechanisms import SimplifiedLadder

__all__ = [
    "LeaderComparison",
    "StandingInterval",
    "best_counts",
    "compare_to_leader",
    "daily_limit",
    "final_choice",
    "ladder_intervals",
    "last_counts",
]

Mask = NDArray[np.bool_]
CORRECTIONS = ("none", "bonferroni", "holm")


def daily_limit(log: SubmissionLog, *, submissions: int = 5) -> Mask:
    """Say which submissions a limit a day lets through: the first ones of a team on each day, in UTC.

    Parameters
    ----------
    log : SubmissionLog
        Of k submissions.
    submissions : int
        How many a team may make on a day.

    Returns
    -------
    ndarray of bool, shape (k,)
        True for those that are let through. ``log.submissions(kept)`` is the log of them, and
        ``log.submissions(~kept)`` says what was dropped.

    Raises
    ------
    ValueError
        If `submissions` is not a whole number of at least 1.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 1: limits on the rate of submissions.

    Examples
    --------
    >>> times = ["2027-01-01T09:00", "2027-01-01T23:59:59", "2027-01-02T00:00"]
    >>> log = SubmissionLog(
    ...     teams=["ann"] * 3, times=times, predictions=[[0], [1], [0]]
    ... )
    >>> daily_limit(log, submissions=1).tolist()
    [True, False, True]
    """
    limit = whole_number(submissions, "submissions")
    return _first(zip(log.teams, log.times.astype("datetime64[D]").tolist(), strict=True), range(len(log)), limit)


def last_counts(log: SubmissionLog) -> Mask:
    """Say which submissions count if it is the last one of each team.

    Parameters
    ----------
    log : SubmissionLog
        Of k submissions.

    Returns
    -------
    ndarray of bool, shape (k,)
        True for those that count, to be given to ``log.submissions``.

    References
    ----------
    A policy of hosts; it leaves nothing to choose by the public board, but the time to stop.

    Examples
    --------
    >>> log = SubmissionLog(
    ...     teams=["ann", "bob", "ann"],
    ...     times=["2027-01-01"] * 3,
    ...     predictions=[[0], [1], [0]],
    ... )
    >>> last_counts(log).tolist()
    [False, True, True]
    """
    return _first(log.teams, range(len(log) - 1, -1, -1), 1)


def best_counts(played: Replay, *, submissions: int = 1) -> Mask:
    """Say which submissions count if they are those of each team for which it was shown the best.

    Parameters
    ----------
    played : Replay
        Of k submissions. What counts is what the board showed, not what it hid.
    submissions : int
        How many of a team count, at most.

    Returns
    -------
    ndarray of bool, shape (k,)
        True for those that count, to be given to ``log.submissions``. Of those that were shown the same, the
        earlier count; so on a Ladder it is the last one accepted.

    Raises
    ------
    ValueError
        If `submissions` is not a whole number of at least 1.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, section 1: teams are ranked by their best submission.

    Examples
    --------
    >>> log = SubmissionLog(
    ...     teams=["ann"] * 3,
    ...     times=["2027-01-01"] * 3,
    ...     predictions=[[0, 0], [0, 1], [1, 0]],
    ... )
    >>> best_counts(replay(log, [1, 1])).tolist()
    [False, True, False]
    """
    limit = whole_number(submissions, "submissions")
    goodness = played.shown if played.larger_is_better else -played.shown
    return _first(played.log.teams, np.argsort(-goodness, kind="stable").tolist(), limit)


def final_choice(
    played: Replay, chosen: Mapping[Hashable, Sequence[int]] | None = None, *, submissions: int = 2
) -> Mask:
    """Say which submissions count if each team chooses some in the end.

    Parameters
    ----------
    played : Replay
        Of k submissions.
    chosen : mapping from team to sequence of int, optional
        The places in the log, from 0, of what a team has chosen. For others its best count, as for `best_counts`.
    submissions : int
        How many a team may choose, at most.

    Returns
    -------
    ndarray of bool, shape (k,)
        True for those that count, to be given to ``log.submissions``.

    Raises
    ------
    ValueError
        If a team is not in the log, chooses none or too many, or what is not its own.

    References
    ----------
    The policy of Kaggle's competitions: two final submissions, of which the better one counts.

    Examples
    --------
    >>> log = SubmissionLog(
    ...     teams=["ann", "ann", "bob", "bob"],
    ...     times=["2027-01-01"] * 4,
    ...     predictions=[[0], [1], [1], [0]],
    ... )
    >>> final_choice(replay(log, [1]), {"bob": [3]}, submissions=1).tolist()
    [False, True, False, True]
    """
    counts = best_counts(played, submissions=submissions)
    teams = played.log.teams
    for team, places in (chosen or {}).items():
        own = [i for i, other in enumerate(teams) if other == team]
        if not 1 <= len(set(places)) == len(places) <= submissions or not set(places) <= set(own):
            raise ValueError(f"chosen must name 1 to {submissions} places of {team!r} in the log, got {places!r}")
        counts[own] = False
        counts[list(places)] = True
    return counts


def _first(keys: Iterable[Hashable], order: Sequence[int] | range, count: int) -> Mask:
    """Say which entries are among the first so many of their key, in this order."""
    of, seen = list(keys), Counter[Hashable]()
    mask = np.zeros(len(of), dtype=bool)
    for i in order:
        seen[of[i]] += 1
        mask[i] = seen[of[i]] <= count
    return mask


@dataclass(frozen=True)
class LeaderComparison:
    """A submission in the final standings, compared with the one of the leader.

    Attributes
    ----------
    rank : int
        1 is best; equal losses share a rank.
    team : hashable
        Whose submission it is.
    loss : float
        Its share of wrong labels.
    behind : float
        By how much its loss is above the leader's.
    p_value : float
        Of the exact sign test that the leader's submission is better than this one; 1 for the leader.
    adjusted : float
        The p-value after the correction: compare it with the level.

    References
    ----------
    As for `compare_to_leader`.

    Examples
    --------
    >>> LeaderComparison(rank=2, team="ann", loss=0.25, behind=0.125, p_value=0.02, adjusted=0.04).behind
    0.125
    """

    rank: int
    team: Hashable
    loss: float
    behind: float
    p_value: float
    adjusted: float


def compare_to_leader(
    log: SubmissionLog, labels: ArrayLike, *, correction: str = "holm"
) -> tuple[LeaderComparison, ...]:
    """Compare each submission with that of the leader, on labels that none of them was chosen by.

    The leader is the submission with the fewest wrong labels, the earliest of several. Nobody knows before who that
    will be, so the corrections count all ordered pairs of two of the m submissions, m (m - 1) comparisons.

    Parameters
    ----------
    log : SubmissionLog
        The m submissions that count, of one or more for each team.
    labels : array_like, shape (n,)
        The labels of the rows of the log, whole numbers or strings as for `Mechanism`.
    correction : {"holm", "bonferroni", "none"}
        How the p-values are adjusted. "bonferroni" multiplies them by the number of comparisons, "holm" the smallest
        of all pairs by it, the next one by one less, and so on, and lets none be less than one before it.

    Returns
    -------
    tuple of LeaderComparison
        One for each submission, best first, equal ones in the order of the log.

    Raises
    ------
    ValueError
        If the log is empty, it and `labels` are not of one kind, the lengths differ or the correction is unknown.

    Notes
    -----
    What is promised needs submissions that are *fixed before the labels are drawn*, or that depend on other labels
    only, such as those of a public board, and labels that are independent draws. Then "holm" and "bonferroni" promise,
    with probability 1 - level at least, that every submission whose adjusted value is at most the level is truly worse
    than the leader's: that the leader is compared on the labels that made it leader is paid for. Unadjusted, this
    holds for one pair that was named before, and "none" promises nothing about the whole table.

    To ask only who may be the best, fewer comparisons are enough: with that probability the submission with the
    smallest true risk is among those with ``p_value > level / (m - 1)``.

    None of this holds on the labels of a board that teams have learned from; see `ladder_intervals`.

    References
    ----------
    Q. McNemar, 1947, as for `sign_test`; S. Holm, A simple sequentially rejective multiple test procedure, 1979.

    Examples
    --------
    >>> log = SubmissionLog(
    ...     teams=["ann", "bob"],
    ...     times=["2027-01-01"] * 2,
    ...     predictions=[[1] * 8, [0] * 7 + [1]],
    ... )
    >>> for row in compare_to_leader(log, [1] * 8):
    ...     print(row.rank, row.team, row.p_value, row.adjusted)
    1 ann 1.0 1.0
    2 bob 0.0078125 0.015625
    """
    from scipy.stats import binom

    check_labels(log, labels)
    holdout = Holdout(labels)
    one_of(correction, "correction", CORRECTIONS)
    if not len(log):
        raise ValueError("log must hold a submission at least, got none")
    right = np.array([holdout.checked(row) == holdout.labels for row in log.predictions], dtype=np.float64)
    wins = right @ (1 - right).T  # labels that the first has right and the second has not
    p_values = binom.sf(wins - 1, wins + wins.T, 0.5)
    wrong = holdout.labels.size - right.sum(axis=1)
    leader = int(wrong.argmin())
    adjusted = _adjusted(p_values, correction)
    return tuple(
        LeaderComparison(
            rank=1 + int(np.count_nonzero(wrong < wrong[i])),
            team=log.teams[i],
            loss=float(wrong[i] / holdout.labels.size),
            behind=float((wrong[i] - wrong[leader]) / holdout.labels.size),
            p_value=float(p_values[leader, i]),
            adjusted=float(adjusted[leader, i]),
        )
        for i in np.argsort(wrong, kind="stable").tolist()
    )


def _adjusted(p_values: NDArray[np.float64], correction: str) -> NDArray[np.float64]:
    """Return the p-values of all ordered pairs, adjusted for all that are off the diagonal."""
    if correction == "none":
        return p_values
    pairs = ~np.eye(len(p_values), dtype=bool)
    values = p_values[pairs]
    if correction == "bonferroni":
        values = values * values.size
    else:
        order = np.argsort(values)
        values[order] = np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1))
    adjusted = np.ones_like(p_values)
    adjusted[pairs] = np.minimum(values, 1)
    return adjusted


@dataclass(frozen=True)
class StandingInterval(Standing):
    """A row of a leaderboard, with an interval for the smallest true risk of what the account has submitted.

    Attributes
    ----------
    rank, account, score, submissions
        As for `Standing`.
    low, high : float
        The ends of the interval.

    References
    ----------
    As for `ladder_intervals`.

    Examples
    --------
    >>> row = StandingInterval(rank=1, account="ann", score=0.25, submissions=3, low=0.0, high=0.5)
    >>> row.high - row.low
    0.5
    """

    low: float
    high: float


def ladder_intervals(log: SubmissionLog, labels: ArrayLike, *, delta: float = 0.05) -> tuple[StandingInterval, ...]:
    """Return the standings of the simplified Ladder with the finest step that its bound affords, with intervals.

    The step is ``best_eta(n=n, k=k, accounts=M, delta=delta)`` for the k submissions of the log by its M teams, and the
    intervals reach one step to either side. If no step is affordable they are from 0 to 1.

    Parameters
    ----------
    log : SubmissionLog
        All submissions on n rows.
    labels : array_like, shape (n,)
        The labels of these rows, whole numbers or strings as for `Mechanism`.
    delta : float
        The probability of failure, strictly between 0 and 1.

    Returns
    -------
    tuple of StandingInterval
        One for each team, best first.

    Raises
    ------
    ValueError
        If the log is empty or an argument is not as described.

    Notes
    -----
    This holds *under adaptivity*: if this board, with this step, was all that the teams were told of independent
    labels, then with probability 1 - `delta` every interval contains the smallest true risk of what its team has
    submitted, at all times, whatever rule the teams followed together, as long as the rule was fixed before the labels
    were drawn. Of a log that was made on another board it holds if the submissions do not depend on the labels: then a
    replay shows what the teams would have been shown. It does not hold if they were chosen by what the other board
    said of the same labels.

    References
    ----------
    W. Zheng, Toward a Better Understanding of Leaderboard, 2015, section 4, corrected: `multi_account_bound`.

    Examples
    --------
    >>> best_eta(n=1300, k=2, accounts=2)
    Fraction(1, 10)
    >>> predictions = np.zeros((2, 1300), dtype=int)
    >>> predictions[0, :390] = 1
    >>> log = SubmissionLog(
    ...     teams=["ann", "bob"],
    ...     times=["2027-01-01"] * 2,
    ...     predictions=predictions,
    ... )
    >>> for row in ladder_intervals(log, [0] * 1300):
    ...     print(row.account, row.score, row.low, row.high)
    bob 0.0 0.0 0.1
    ann 0.3 0.2 0.4
    """
    if not len(log):
        raise ValueError("log must hold a submission at least, got none")
    n, k, accounts = len(log.row_ids), len(log), len(set(log.teams))
    affordable = multi_account_bound(1, n=n, k=k, accounts=accounts) <= probability(delta, "delta")
    eta = best_eta(n=n, k=k, accounts=accounts, delta=delta) if affordable else Fraction(1)
    standings = replay(log, labels, lambda y: SimplifiedLadder(y, eta=eta)).standings
    return tuple(_with_interval(row, eta) for row in standings)


def _with_interval(row: Standing, eta: Fraction) -> StandingInterval:
    """Return a row whose score is a multiple of eta, with an interval of one step to either side."""
    step = round(row.score / eta)
    low, high = max(step - 1, 0) * eta, min(Fraction(1), (step + 1) * eta)
    return StandingInterval(row.rank, row.account, row.score, row.submissions, low=float(low), high=float(high))
