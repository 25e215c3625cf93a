"""Files that look like an attack: what marks one, and how often honest play would be marked as often.

The files are held against each other and against the truth. The null model of honest play is stated once, here:

    Each file of an honest team, given its earlier ones, is marked with a probability of at most one half.

Then the number of marks among m files is no larger, in distribution, than the heads of m fair coins, whatever rule the
team follows, and their tail is the p-value. Its half is a wide margin: a file whose labels resembled those of the
earlier ones, row by row and independently, would be marked with a probability of a hundredth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Codes = NDArray[Any]  # classes by number, shape (k, n)
Places = NDArray[np.intp]  # of files in the log, growing
Teams = tuple[Hashable, ...]

WINDOW = 3  # files that a coin file is held against
RESEMBLANCE = 3 / 5  # rule of succession: two of three say so, and the fourth with probability (2 + 1) / (3 + 2)
MARK = 0.01  # level of the tests that make a coin file
HONEST = 0.5  # how often an honest file is marked at most
FLIPS = 2  # labels
APART = 0.05  # accounts are looked at together if their files are hardly further apart than those of each
KINDS = ("coin files", "flips", "votes")


@dataclass(frozen=True)
class Suspicion:
    """Accounts whose files look like an attack, and how often honest play would.

    Attributes
    ----------
    kind : {"coin files", "flips", "votes"}
        "coin files": where two of the team's last three files disagree with the third, the next one sides as a coin
        does, and is right as often as one. "flips": a file differs from an earlier one in one or two labels, and not
        as by a threshold that moves. "votes": a file agrees or disagrees with earlier coin files more than a file can
        that was made without them.
    teams : tuple of hashable
        Whose the files are; of several accounts that act as one, all.
    files : tuple of int
        Their places in the log, from 0.
    among : int
        How many files could have been found: of these accounts, or for votes of the whole log.
    p_value : float
        At most the probability of as many under honest play.
    adjusted : float
        The same for the whole contest, by Holm's correction.
    voters : tuple of hashable
        For votes, whose coin files they are votes of.

    References
    ----------
    As for `audit`.

    Examples
    --------
    >>> found = Suspicion(kind="flips", teams=("eve",), files=(1, 2, 3), among=3, p_value=0.125, adjusted=1.0)
    >>> len(found.files) / found.among
    1.0
    """

    kind: str
    teams: Teams
    files: tuple[int, ...]
    among: int
    p_value: float
    adjusted: float
    voters: Teams = ()


class Found(NamedTuple):
    """What one test says of one account or group."""

    kind: str
    teams: Teams
    files: Places
    among: int
    p_value: float
    voters: Teams = ()


def suspicions(
    codes: Codes, truth: Codes, teams: Sequence[Hashable], *, classes: int, level: float, tick: Callable[[], Any]
) -> tuple[Suspicion, ...]:
    """Return what honest play would not show in the whole contest, but with probability `level`.

    Half of it is for coin files and flips. Votes are looked for only if there are coin files, with the other half.
    """
    own: dict[Hashable, Places] = {team: distinct(codes, places) for team, places in _places(teams).items()}
    found: list[Found] = []
    for unit in [*((team,) for team in own), *_together(codes, own, classes)]:
        places = np.sort(np.concatenate([own[team] for team in unit]))
        found += [_coin_files(codes, truth, teams, unit, places, classes), _flips(codes, unit, own)]
        if len(unit) == 1:
            tick()
    found.append(_stretch(codes, truth, teams, own, classes))
    kept = _kept(found, level)
    coins = [each for each in kept if each.kind == "coin files"]
    return (*kept, *_kept([_votes(codes, teams, each, classes, level) for each in coins], level))


def _kept(found: list[Found], level: float) -> list[Suspicion]:
    """Return what is left after Holm's correction at half the level, and says something that stronger ones do not."""
    ordered = sorted(found, key=lambda each: each.p_value)
    factors = 2.0 * np.arange(len(ordered), 0, -1)
    adjusted = np.maximum.accumulate(factors * [each.p_value for each in ordered]) if ordered else factors
    kept: list[Suspicion] = []
    for each, value in zip(ordered, adjusted.tolist(), strict=True):
        files = tuple(each.files.tolist())
        suspicion = Suspicion(each.kind, each.teams, files, each.among, each.p_value, value, each.voters)
        if value <= level and not any(_within(suspicion, other) for other in kept):
            kept.append(suspicion)
    return sorted(kept, key=lambda each: KINDS.index(each.kind))


def _within(each: Suspicion, other: Suspicion) -> bool:
    """Say whether a suspicion adds nothing to another one."""
    same = each.kind == other.kind and set(each.teams) <= set(other.teams)
    return same and (each.kind != "votes" or set(each.files) <= set(other.files))


def _places(teams: Sequence[Hashable]) -> dict[Hashable, Places]:
    """Return the places of the files of each team."""
    places: dict[Hashable, list[int]] = {}
    for place, team in enumerate(teams):
        places.setdefault(team, []).append(place)
    return {team: np.array(at, dtype=np.intp) for team, at in places.items()}


def distinct(codes: Codes, places: Places) -> Places:
    """Return the places of files without those that repeat an earlier one."""
    first: dict[bytes, int] = {}
    for place in places.tolist():
        first.setdefault(codes[place].tobytes(), place)
    return np.array(sorted(first.values()), dtype=np.intp)


def tail(marked: ArrayLike, among: ArrayLike) -> NDArray[np.float64]:
    """Return the probability of so many marks or more under honest play, at most."""
    from scipy.stats import binom

    return np.asarray(binom.sf(np.asarray(marked) - 1, among, HONEST))


def coin_marks(codes: Codes, truth: Codes, places: Places, classes: int) -> Places:
    """Return the coin files among the fourth and later ones: neither the three before nor the truth speaks of them.

    Only rows count on which exactly two of the three agree. A file that resembles the others sides with the two on
    three fifths of them at least, by the rule of succession; one that was drawn by coins, on one half, and on no fewer
    than 1/classes, and on as many it is right. It is marked if the counts refute the first and do not refute the
    second, for the two and for the truth, each at a hundredth.
    """
    from scipy.stats import binom

    rows, sided, right = np.zeros((3, max(places.size - WINDOW, 0)), dtype=np.int64)
    for t in range(rows.size):
        first, second, third = codes[places[t : t + WINDOW]]
        file = codes[places[t + WINDOW]]
        one, two, three = first == second, first == third, second == third
        contested = (one | two | three) & ~(one & two)
        rows[t] = np.count_nonzero(contested)
        sided[t] = np.count_nonzero(contested & (file == np.where(three, second, first)))
        right[t] = np.count_nonzero(contested & (file == truth))
    marked = binom.cdf(sided, rows, RESEMBLANCE) <= MARK
    for count in (sided, right):
        marked &= (binom.sf(count - 1, rows, 0.5) > MARK) & (binom.cdf(count, rows, 1 / classes) > MARK)
    found: Places = places[WINDOW:][marked]
    return found


def _coin_files(
    codes: Codes, truth: Codes, teams: Sequence[Hashable], unit: Teams, places: Places, classes: int
) -> Found:
    """Test an account, or several together; then only those are named of which most files are marked."""
    marked = coin_marks(codes, truth, places, classes)
    among = max(places.size - WINDOW, 0)
    p_value = float(tail(marked.size, among))
    if len(unit) > 1:
        of = [teams[place] for place in places[WINDOW:].tolist()]
        marks = [teams[place] for place in marked.tolist()]
        unit = tuple(team for team in unit if 2 * marks.count(team) > of.count(team))
        marked = marked[[team in unit for team in marks]]
    return Found("coin files", unit, marked, among, p_value)


def _stretch(codes: Codes, truth: Codes, teams: Sequence[Hashable], own: dict[Hashable, Places], classes: int) -> Found:
    """Test accounts that are too small for a test of their own, in the order of time: the worst stretch of m files.

    There are m (m + 1) / 2 stretches, and by so much the smallest of their p-values is multiplied.
    """
    small = [places for places in own.values() if places.size <= WINDOW]
    places = np.sort(np.concatenate([*small, np.zeros(0, dtype=np.intp)]))
    at = np.flatnonzero(np.isin(places[WINDOW:], coin_marks(codes, truth, places, classes)))
    m = max(places.size - WINDOW, 0)
    best = (1.0, 0, 0)
    for i, begin in enumerate(at.tolist()):  # the worst one begins and ends with a mark
        tails = tail(np.arange(1, at.size - i + 1), at[i:] - begin + 1)
        best = min(best, (float(tails.min()), i, i + int(tails.argmin()) + 1))
    marked = places[WINDOW:][at[best[1] : best[2]]]
    p_value = min(1.0, m * (m + 1) / 2 * best[0]) if at.size else 1.0
    return Found("coin files", tuple(dict.fromkeys(teams[i] for i in marked.tolist())), marked, m, p_value)


def flip_marks(codes: Codes, places: Places) -> Places:
    """Return the files that differ from an earlier one in one label or two, and not as by a threshold that moves.

    Files of one model with several thresholds are ordered: of any two, one has all the ones of the other. So there must
    be an earlier file, at most twice as far, that has a one where this has a zero, and the other way round.
    """
    marked = []
    for t in range(1, places.size):
        before, file = codes[places[:t]], codes[places[t]]
        more, fewer = np.count_nonzero(file > before, axis=1), np.count_nonzero(file < before, axis=1)
        changed = more + fewer
        unordered = (changed <= 2 * FLIPS) & (more > 0) & (fewer > 0)
        marked.append(bool(changed.min() <= FLIPS and unordered.any()))
    found: Places = places[1:][np.array(marked, dtype=bool)]
    return found


def _flips(codes: Codes, unit: Teams, own: dict[Hashable, Places]) -> Found:
    """Test an account; of several together the files are compared within each."""
    marked = np.sort(np.concatenate([flip_marks(codes, own[team]) for team in unit]))
    among = sum(own[team].size - 1 for team in unit)
    return Found("flips", unit, marked, among, float(tail(marked.size, among)))


def vote_tails(codes: Codes, coins: Places, classes: int) -> NDArray[np.float64]:
    """Return for each file of the log how well it can be without knowledge of the coin files before it, at most.

    On the u rows on which the coin files are not all equal, let h be the rows on which a file agrees with one of v
    coin files before it. If it was made without them, z = 2 (h - u / classes) / sqrt(u) has mean 0 and is
    sub-Gaussian with variance 1, by Hoeffding's lemma, independently for each of them. So E exp(l z^2) is at most
    (1 - 2 l)^(-1/2), and the sum S of v of these squares has P(S >= s) <= (s / v)^(v / 2) exp((v - s) / 2) for s > v.
    """
    rows = np.flatnonzero((codes[coins] != codes[coins[0]]).any(axis=0)) if coins.size else np.zeros(0, dtype=np.intp)
    if not rows.size:
        return np.ones(len(codes))
    part = codes[:, rows]
    agree = np.zeros((len(codes), coins.size))
    for label in range(classes):
        agree += (part == label).astype(np.float32) @ (part[coins] == label).astype(np.float32).T
    squares = (2 * (agree - rows.size / classes)) ** 2 / rows.size
    earlier = coins < np.arange(len(codes))[:, None]
    voters = earlier.sum(axis=1)
    mean = np.divide((squares * earlier).sum(axis=1), voters, out=np.ones(len(codes)), where=voters > 0)
    mean = np.maximum(mean, 1)
    tails: NDArray[np.float64] = np.exp(voters / 2 * (np.log(mean) + 1 - mean))
    return tails


def _votes(codes: Codes, teams: Sequence[Hashable], found: Suspicion, classes: int, level: float) -> Found:
    """Test all files of the log for a vote of coin files, those of other accounts, too.

    Coin files have to be independent of each other: those that are none are taken out first.
    """
    share, coins = level / len(codes), np.array(found.files)
    coins = coins[vote_tails(codes, coins, classes)[coins] > share]
    tails = vote_tails(codes, coins, classes)
    tails[coins] = 1
    votes = np.flatnonzero(tails <= share)
    named = tuple(dict.fromkeys(teams[i] for i in votes.tolist()))
    return Found("votes", named, votes, len(codes), min(1.0, len(codes) * float(tails.min(initial=1))), found.teams)


def _together(codes: Codes, own: dict[Hashable, Places], classes: int) -> list[Teams]:
    """Return groups of accounts whose files are hardly further from each other's than from their own.

    This says who is looked at together; it accuses nobody. The distance of two accounts is by how much the mean
    distance of a file of the one to a file of the other is above that within each, relative to it; in a group no two
    accounts are further apart than `APART` (complete linkage).
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    names = [team for team, at in own.items() if at.size > 1]
    if len(names) < 2:
        return []
    alike = np.zeros((len(names), len(names)))  # on how many rows two files agree, on average
    for label in range(classes):
        share = np.array([(codes[own[team]] == label).mean(axis=0, dtype=np.float32) for team in names])
        alike += share @ share.T
    alike /= codes.shape[1]
    sizes = np.array([own[team].size for team in names])
    within = sizes * (1 - np.diag(alike)) / (sizes - 1)
    between = 1 - alike
    apart = np.maximum(between - (within[:, None] + within) / 2, 0) / np.maximum(between, math.ulp(1))
    np.fill_diagonal(apart, 0)
    part = fcluster(linkage(squareform(apart, checks=False), "complete"), APART, "distance")
    grouped = [tuple(names[i] for i in np.flatnonzero(part == label)) for label in np.unique(part)]
    return [group for group in grouped if len(group) > 1]
