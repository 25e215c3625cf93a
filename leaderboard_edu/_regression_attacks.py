"""Attacks on regression boards."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._attack_result import AttackResult
from leaderboard_edu._extras import extra
from leaderboard_edu._regression import regression, univariate_predictions
from leaderboard_edu._samples import Sample, checked_sample, checked_selection
from leaderboard_edu._validation import number_valued, real_matrix, real_vector, whole_number


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

    class SquaredDeviations(BaseCost):  # as the model "l2" of ruptures, from sums that are taken once
        model, min_size = "l2", 1

        def fit(self, signal: NDArray[np.float64]) -> None:
            self.signal = signal
            centred = signal - signal.mean()
            self.sums: list[float] = np.cumsum(np.r_[0.0, centred]).tolist()
            self.squares: list[float] = np.cumsum(np.r_[0.0, centred**2]).tolist()

        def error(self, start: int, end: int) -> float:
            total = self.sums[end] - self.sums[start]
            return self.squares[end] - self.squares[start] - total * total / (end - start)

    search = Binseg(custom_cost=SquaredDeviations(), min_size=1, jump=1)
    return int(search.fit(signal).predict(n_bkps=jumps)[-2])
