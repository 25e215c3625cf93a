"""The audit of a finished competition: other boards, public and final losses, files that look like an attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._audit_report import page, summary, write_page
from leaderboard_edu._extras import extra
from leaderboard_edu._log_files import PathLike
from leaderboard_edu._suspicion import Suspicion, suspicions
from leaderboard_edu._validation import check_told_apart, class_vector, probability
from leaderboard_edu.bounds import best_eta, multi_account_bound
from leaderboard_edu.leaderboard import RankBoard, Standing, TopBoard
from leaderboard_edu.log import Replay, SubmissionLog, check_labels, replay
from leaderboard_edu.mechanisms import FullDisclosure, Ladder, ParameterFreeLadder, SimplifiedLadder
from leaderboard_edu.planning import BoardPlan, plan_board
from leaderboard_edu.standings import best_counts

__all__ = ["Audit", "AuditedBoard", "Suspicion", "TeamGap", "audit"]

MOST_CLASSES = 1000
FIRST = 10  # of the standings
BOARDS: dict[str, Callable[[ArrayLike], Any]] = {
    "every score": FullDisclosure,
    "Ladder, 1/100": partial(Ladder, eta="1/100"),
    "simplified Ladder, 1/100": partial(SimplifiedLadder, eta="1/100"),
    "parameter-free Ladder": ParameterFreeLadder,
    "ranks only": RankBoard,
    "three places, 1/10": partial(TopBoard, ranks=3, mechanism=partial(SimplifiedLadder, eta="1/10")),
}


@dataclass(frozen=True)
class AuditedBoard:
    """What a board would have shown of the files of a contest, had nobody reacted to it.

    Attributes
    ----------
    name : str
        Which board.
    first : tuple of (hashable, float or None)
        The first ten: team, and the loss that is shown for it; a board of ranks shows none.
    improvements : int
        How often a team was shown something better than all before it, its first submission apart.

    References
    ----------
    As for `audit`.

    Examples
    --------
    >>> AuditedBoard(name="ranks only", first=(("ann", None),), improvements=0).first[0][0]
    'ann'
    """

    name: str
    first: tuple[tuple[Hashable, float | None], ...]
    improvements: int


@dataclass(frozen=True)
class TeamGap:
    """The file of a team that was the best on the scored rows, and what the other rows say of it.

    Attributes
    ----------
    team : hashable
        Whose file it is.
    submissions : int
        How many files the team sent.
    file : int
        The place of this one in the log, from 0.
    public : float
        Its loss on the rows that the board scored.
    final : float or None
        Its loss on the other rows; None if the board scored all.
    low, high : float
        An interval for its true risk minus `public`.
    luck : tuple of (float, float) or None
        Between which values final - public lies if the split of the rows is all there is to it.

    References
    ----------
    As for `audit`.

    Examples
    --------
    >>> row = TeamGap(
    ...     team="eve",
    ...     submissions=200,
    ...     file=7,
    ...     public=0.25,
    ...     final=0.375,
    ...     low=0.1,
    ...     high=0.15,
    ...     luck=(-0.05, 0.05),
    ... )
    >>> row.gap
    0.125
    """

    team: Hashable
    submissions: int
    file: int
    public: float
    final: float | None
    low: float
    high: float
    luck: tuple[float, float] | None

    @property
    def gap(self) -> float | None:
        """By how much the final loss is above the public one."""
        return None if self.final is None else self.final - self.public


@dataclass(frozen=True)
class Audit:
    """What a log and its labels say about a finished competition; `print` shows a summary.

    Attributes
    ----------
    rows, scored : int
        How many labels there are, and how many of them the board scored.
    classes : int
        How many classes labels and files have.
    submissions, teams : int
        How many there are.
    boards : tuple of AuditedBoard
        What each board would have shown.
    gaps : tuple of TeamGap
        One for each team, by public loss, best first.
    suspicions : tuple of Suspicion
        Files that look like an attack.
    step : Fraction or None
        The finest step with which a simplified Ladder would have been honest to within one step, whatever the teams
        did; None if there is none.
    plan : BoardPlan
        For a board with as many scored labels and as many files, public scores, and open accounts if a suspected player
        has several: then files are counted as a mean for each team, else as the most of one.
    delta, level : float
        As given.

    References
    ----------
    As for `audit`.

    Examples
    --------
    >>> log = SubmissionLog(
    ...     teams=["ann"], times=["2027-01-01"], predictions=[[0, 1]]
    ... )
    >>> audit([0, 1], log).suspects
    ()
    """

    rows: int
    scored: int
    classes: int
    submissions: int
    teams: int
    boards: tuple[AuditedBoard, ...]
    gaps: tuple[TeamGap, ...]
    suspicions: tuple[Suspicion, ...]
    step: Fraction | None
    plan: BoardPlan
    delta: float
    level: float

    @property
    def suspects(self) -> tuple[tuple[Hashable, ...], ...]:
        """The suspected players, each with all of its accounts."""
        return _players(self.suspicions)

    def __str__(self) -> str:
        """Return a summary of at most thirty lines."""
        return summary(self)

    def to_html(self) -> str:
        """Return a page that needs nothing else, with tables and pictures."""
        return page(self)

    def write(self, path: PathLike) -> None:
        """Write this page to a file; one that is there is replaced when the new one is complete."""
        write_page(path, page(self))


def audit(
    labels: ArrayLike,
    log: SubmissionLog,
    public: ArrayLike | None = None,
    *,
    delta: float = 0.05,
    level: float = 0.01,
    progress: bool = False,
) -> Audit:
    """Audit a finished competition under the 0/1 loss.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The labels: classes as numbers or strings.
    log : SubmissionLog
        All submissions on these rows, which predict classes.
    public : array_like of bool, shape (n,), optional
        Which rows the board scored. The others are final: nobody was told anything of them. Without it the board
        scored all rows.
    delta : float
        The probability, strictly between 0 and 1, that some interval of the table of gaps fails.
    level : float
        The probability, strictly between 0 and 1, of any suspicion in the whole contest under honest play.
    progress : bool
        Whether to show a bar, which needs tqdm.

    Returns
    -------
    Audit
        With boards, gaps, suspicions and a plan for next time.

    Raises
    ------
    ValueError
        If an argument is not as described, the log is empty, or labels and files have no class in common or more than
        a thousand classes.

    Notes
    -----
    *Boards.* The log is played to each of them as it is. A team that had been shown something else might have gone on
    in another way, attackers above all; so a board is not acquitted by what it would have shown of these files.

    *Gaps.* For each team, its best file on the scored rows. With final rows, `low` and `high` bound its true risk minus
    its public loss, by the exact binomial interval on the final rows, corrected for the number of teams. This holds
    *under adaptivity*, with a probability of 1 - `delta` for all teams together, if the rows are independent draws and
    nobody was told anything of the final ones. `luck` is the exact hypergeometric range of final minus public loss
    over random splits of the rows, corrected for the number of submissions. This holds for *fixed submissions* only,
    those that were chosen without the board, and for the best of them; a gap above it is more than the luck of
    choosing. Without final rows, `low` and `high` come from the scored rows, corrected for the number of submissions,
    and hold for fixed submissions only. `step` says what could have been promised under adaptivity: had the board been
    a simplified Ladder with this step, it would have been off by less than one step.

    *Suspicions.* Files that repeat an earlier one of their team do not count. A file is marked

    - as a *coin file* if on the rows on which exactly two of the team's last three files agree it sides with these two
      on significantly fewer than 3/5, which is the rule of succession, and as often as a coin does, and is right as
      often as a coin is (binomial tests at one hundredth);
    - for *flips* if it differs from an earlier file of its team in one label or two, and not as by a threshold that
      moves: from some earlier file, by up to four labels in both directions.

    The null model of honest play is that each file of a team, given its earlier ones, is marked with a probability of
    at most one half, whatever the team does. So the number of marks has at most the tail of a fair binomial, which is
    the p-value. Accounts whose files are hardly further apart than those of each are tested together, too; of those
    with three files at most, the stretch of time with most marks. If an account has coin files, *votes* of them are
    looked for in the whole log: a file that was made without knowledge of independent coin files agrees with each on
    one half of their rows but for luck, and the sum of squares of what is above has an exact tail bound. That tells a
    vote of coin files from an honest blend: the parts of a blend are no coin files. The p-values are corrected by
    Holm's method for the whole contest, with half of the level for votes.

    Measured in the book's competition, played in four worlds: 80 of 2,483 honest files are marked as coin files, 4 of
    3,564 for flips, no honest account has a p-value below one half, and the suspected players are the three attackers.

    What is not found: an attack of few files, since a dozen marks are a matter of chance; changes of three labels or
    more that are not drawn by coins; single files of many accounts, unless few others come between them. A suspicion
    is a reason to ask, no proof.

    References
    ----------
    A. Blum and M. Hardt, The Ladder, 2015, sections 4 and 5; W. Zheng, Toward a Better Understanding of Leaderboard,
    2015, sections 3 and 6: the attacks. S. Holm, 1979, as for `compare_to_leader`.

    Examples
    --------
    >>> import numpy as np
    >>> from leaderboard_edu import FullDisclosure, boosting_attack
    >>> rng = np.random.default_rng(0)
    >>> labels = rng.integers(0, 2, 2000)
    >>> sent = boosting_attack(
    ...     FullDisclosure(labels[:1000]).submit, n=1000, k=50, rng=rng
    ... ).submissions
    >>> files = np.hstack([sent, rng.integers(0, 2, (50, 1000))])
    >>> log = SubmissionLog(
    ...     teams=["eve"] * 50, times=["2027-01-01"] * 50, predictions=files
    ... )
    >>> found = audit(labels, log, public=np.arange(2000) < 1000)
    >>> found.suspects
    (('eve',),)
    """
    if not isinstance(log, SubmissionLog):
        raise ValueError(f"log must be a SubmissionLog, got {log!r}")
    if not len(log):
        raise ValueError("log must hold a submission at least, got none")
    probability(delta, "delta")
    probability(level, "level")
    truth, codes, classes = _encoded(labels, log)
    scored = _scored(public, truth.size)
    wrong = (codes != truth).astype(np.uint8)
    right_and_wrong = SubmissionLog(teams=log.teams, times=log.times, predictions=wrong[:, scored])
    sent = Counter(log.teams)
    with _bar(progress, total=len(BOARDS) + len(sent)) as bar:
        boards, played = [], None
        for name, maker in BOARDS.items():
            replayed = replay(right_and_wrong, np.zeros(right_and_wrong.predictions.shape[1]), maker)
            played = played or replayed
            boards.append(_board(name, replayed))
            bar.update()
        assert played is not None
        suspected = suspicions(codes, truth, log.teams, classes=classes, level=level, tick=bar.update)
    n = int(np.count_nonzero(scored))
    return Audit(
        rows=truth.size,
        scored=n,
        classes=classes,
        submissions=len(log),
        teams=len(sent),
        boards=tuple(boards),
        gaps=_gaps(wrong, scored, played, delta),
        suspicions=suspected,
        step=_step(n=n, k=len(log), accounts=len(sent), delta=delta),
        plan=_plan(n, sent, classes, delta, open_accounts=any(len(player) > 1 for player in _players(suspected))),
        delta=delta,
        level=level,
    )


def _players(found: tuple[Suspicion, ...]) -> tuple[tuple[Hashable, ...], ...]:
    """Return the accounts that are suspected together, with others or of a vote of others."""
    players: list[list[Hashable]] = []
    for each in found:
        accounts = {*each.teams, *each.voters}
        joined = [account for player in players if accounts & set(player) for account in player]
        players = [player for player in players if not accounts & set(player)]
        players.append(list(dict.fromkeys([*joined, *each.voters, *each.teams])))
    return tuple(tuple(player) for player in players)


def _plan(n: int, sent: Counter[Hashable], classes: int, delta: float, *, open_accounts: bool) -> BoardPlan:
    """Return a plan for a board like this one."""
    submissions = -(-sent.total() // len(sent)) if open_accounts else max(sent.values())
    return plan_board(
        n,
        teams=len(sent),
        submissions=submissions,
        classes=max(classes, 2),
        open_accounts=open_accounts,
        confidence=1 - Fraction(str(delta)),
    )


def _encoded(labels: ArrayLike, log: SubmissionLog) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Return labels and predictions as numbers of classes, and how many classes there are."""
    check_labels(log, labels)
    truth = class_vector(labels, "labels").tolist()
    rows = log.predictions
    check_told_apart(rows, "log")
    if rows.dtype == np.uint8:
        seen = set(np.flatnonzero(np.bincount(rows.ravel())).tolist())
    else:
        seen = set().union(*(np.unique(row).tolist() for row in rows))
    own = sorted(set(truth))
    if not seen & set(own):
        raise ValueError(f"labels and log must have classes in common, got {own[:3]} and {sorted(seen)[:3]}")
    if len(seen) > MOST_CLASSES:
        raise ValueError(f"log must predict classes, at most {MOST_CLASSES:,}, got {len(seen):,} different values")
    number = {name: i for i, name in enumerate(sorted(seen | set(own)))}
    codes = np.empty((len(log) + 1, len(truth)), dtype=np.min_scalar_type(len(number)))
    for code, row in zip(codes, [truth, *rows], strict=True):
        names, places = np.unique(row, return_inverse=True)
        code[:] = np.array([number[name] for name in names.tolist()])[places]
    return codes[0], codes[1:], len(number)


def _scored(public: ArrayLike | None, n: int) -> NDArray[np.bool_]:
    """Return which rows the board scored."""
    if public is None:
        return np.ones(n, dtype=bool)
    scored = np.asarray(public)
    if scored.shape != (n,) or scored.dtype != bool:
        raise ValueError(f"public must hold {n} truth values, got shape {scored.shape} and dtype {scored.dtype}")
    if not scored.any():
        raise ValueError("public must mark a row at least, got none")
    return scored


def _bar(progress: bool, *, total: int) -> Any:
    """Return a bar of tqdm, or what does as if."""
    if progress:
        with extra("studies"):
            from tqdm import tqdm

        return tqdm(total=total)
    return _NoBar()


class _NoBar:
    """What a bar does if none is shown."""

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *args: object) -> None:
        """Leave nothing behind."""

    def update(self) -> None:
        """Show nothing."""


def _board(name: str, played: Replay) -> AuditedBoard:
    """Return what a board has shown."""
    best: dict[Hashable, float] = {}
    improvements = 0
    for team, shown in zip(played.log.teams, played.shown.tolist(), strict=True):
        improvements += shown < best.get(team, -np.inf)
        best[team] = min(shown, best.get(team, np.inf))
    return AuditedBoard(name, tuple(_row(row) for row in played.standings[:FIRST]), improvements)


def _row(row: Any) -> tuple[Hashable, float | None]:
    """Return team and loss of a row of any of the boards."""
    if isinstance(row, Standing):
        return row.account, row.score
    return row if isinstance(row, tuple) else (row, None)


def _gaps(wrong: NDArray[np.uint8], scored: NDArray[np.bool_], played: Replay, delta: float) -> tuple[TeamGap, ...]:
    """Return the row of each team, best public loss first."""
    from scipy.stats import beta, hypergeom

    chosen = np.flatnonzero(best_counts(played))
    chosen = chosen[np.argsort(played.shown[chosen], kind="stable")]
    sent = Counter(played.log.teams)
    n, m = int(np.count_nonzero(scored)), int(np.count_nonzero(~scored))
    public, final = (wrong[chosen][:, rows].sum(axis=1, dtype=np.int64) for rows in (scored, ~scored))
    counts, size, tests = (final, m, chosen.size) if m else (public, n, len(played.log))
    tail = delta / (2 * tests)
    low = np.where(counts == 0, 0.0, beta.ppf(tail, counts, size - counts + 1))
    high = np.where(counts == size, 1.0, beta.ppf(1 - tail, counts + 1, size - counts))
    if m:
        least, most = (
            hypergeom.ppf(q, n + m, public + final, n)
            for q in (delta / (2 * len(played.log)), 1 - delta / (2 * len(played.log)))
        )
        lucky, unlucky = ((public + final - c) / m - c / n for c in (most, least))
    return tuple(
        TeamGap(
            team=(team := played.log.teams[place]),
            submissions=sent[team],
            file=int(place),
            public=float(public[i] / n),
            final=float(final[i] / m) if m else None,
            low=float(low[i] - public[i] / n),
            high=float(high[i] - public[i] / n),
            luck=(float(lucky[i]), float(unlucky[i])) if m else None,
        )
        for i, place in enumerate(chosen.tolist())
    )


def _step(*, n: int, k: int, accounts: int, delta: float) -> Fraction | None:
    """Return the finest step that the bound over accounts affords, if it is less than the whole range."""
    if multi_account_bound(1, n=n, k=k, accounts=accounts) > delta:
        return None
    step = best_eta(n=n, k=k, accounts=accounts, delta=delta)
    return step if step < 1 else None
