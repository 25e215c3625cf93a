"""A competition and its boards: what each answers to every submission, and where that leads."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu import (
    FullDisclosure,
    Ladder,
    Leaderboard,
    ParameterFreeLadder,
    RankBoard,
    SimplifiedLadder,
    count_wrong,
    leaderboard_error,
)

Vector = NDArray[np.uint8]
Row = dict[str, Any]  # a team on a board: the columns of standings.csv that it has

MECHANISMS: dict[str, tuple[str, Any]] = {
    "full_disclosure": ("Full disclosure", FullDisclosure),
    "ladder": ("Ladder", Ladder),
    "simplified_ladder": ("Simplified Ladder", SimplifiedLadder),
    "parameter_free_ladder": ("Parameter-free Ladder", ParameterFreeLadder),
    "rank_board": ("Rank board", None),
}


@dataclass(frozen=True)
class Competition:
    """The labels, which items are public, and the settings."""

    labels: Vector
    public: NDArray[np.bool_]
    eta: str
    limit: int
    mechanisms: list[str]


@dataclass(frozen=True)
class Submission:
    """A line of a team's file: its public entries, and how many of its final entries are wrong."""

    team: str
    file: str
    line: int
    public: Vector
    final_wrong: int


@dataclass(frozen=True)
class Team:
    """What a team handed in, and what was refused of it."""

    name: str
    submissions: list[Submission] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Board:
    """What a board answered to each submission, and where that led.

    The answers are losses in steps of 1/`of`. A board that shows no losses answers with places, and `of` is 0. `worst`
    is the largest leaderboard error of a team, and `lead` that of the board as a whole, as if
    all teams were one.
    """

    name: str
    of: int
    answers: list[int]
    rows: list[Row]
    worst: float
    lead: float

    @property
    def title(self) -> str:
        """Return what the board is called on a page."""
        return MECHANISMS[self.name][0]


def in_order(teams: list[Team]) -> list[Submission]:
    """Return all submissions in the order of play: by session, line and team."""
    return sorted((submission for team in teams for submission in team.submissions), key=_turn)


def _turn(submission: Submission) -> tuple[object, ...]:
    """Return the key of the order of play: session, line, team."""
    return natural(submission.file), submission.line, natural(submission.team)


def natural(name: str) -> tuple[list[int | str], str]:
    """Return a key that sorts names as people do, 2 before 10 and 1 before 1b; the name itself decides ties."""
    parts = re.split("([0-9]+)", name.removesuffix(".txt"))
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], name


def play(name: str, competition: Competition, teams: list[Team], played: list[Submission]) -> Board:
    """Submit everything to one board, in order, and see what it credits the teams with."""
    labels = competition.labels[competition.public]
    of, answers, places = _answers(name, labels, competition.eta, played)
    # A board that shows only places goes by losses all the same.
    best = answers if of else [count_wrong(submission.public, labels) for submission in played]
    final_of = competition.labels.size - labels.size
    pairs = [(count / of, hit.final_wrong / final_of) for count, hit in zip(best, played, strict=True) if of]
    rows, errors = [], [0.0]
    for team in teams:
        turns = [t for t, submission in enumerate(played) if submission.team == team.name]
        row: Row = {"mechanism": name, "team": team.name, "submissions": len(turns)}
        rows.append(row)
        if not turns:
            continue
        credited = min(turns, key=best.__getitem__)  # the first of the lowest: what is shown only ever falls
        hit, count = played[credited], best[credited]
        row |= {"place": places[team.name], "file": hit.file, "line": hit.line, "final_count": hit.final_wrong}
        row |= {"final_of": final_of, "final_loss": decimal(Fraction(hit.final_wrong, final_of))}
        if of:
            errors.append(_error([pairs[t] for t in turns]))
            gap = Fraction(hit.final_wrong, final_of) - Fraction(count, of)
            row |= {"count": count, "of": of, "loss": decimal(Fraction(count, of)), "gap": decimal(gap)}
            row["error"] = decimal(errors[-1])
    _rank(rows)
    return Board(name, of, answers, rows, max(errors), _error(pairs))


def _answers(name: str, labels: Vector, eta: str, played: list[Submission]) -> tuple[int, list[int], dict[Any, int]]:
    """Return the steps of a board, what it answers to each submission in those, and the places of the teams."""
    mechanism = MECHANISMS[name][1]
    if mechanism is None:
        ranks = RankBoard(labels)
        answers = [ranks.submit(submission.team, submission.public) for submission in played]
        return 0, answers, {team: place for place, team in enumerate(ranks.standings(), 1)}
    stepped = issubclass(mechanism, Ladder | SimplifiedLadder)
    of = Fraction(eta).denominator if stepped else labels.size
    board = Leaderboard(labels, mechanism=partial(mechanism, eta=eta) if stepped else mechanism)
    answers = [round(board.submit(submission.team, submission.public) * of) for submission in played]
    return of, answers, {row.account: row.rank for row in board.standings()}


def _error(pairs: list[tuple[float, float]]) -> float:
    """Return the leaderboard error of losses released and final losses; what is shown is the lowest so far."""
    if not pairs:
        return 0.0
    released, final = np.array(pairs).T
    return leaderboard_error(np.minimum.accumulate(released), final)


def _rank(rows: list[Row]) -> None:
    """Add the final places and put the rows in the order of the board, those without a submission last."""
    final = [row["final_count"] for row in rows if "place" in row]
    for row in rows:
        if "place" in row:
            row["final_place"] = 1 + sum(other < row["final_count"] for other in final)
            row["mark"] = " ▼" if row["final_place"] > row["place"] else ""
    rows.sort(key=lambda row: row.get("place", math.inf))


def decimal(number: float | Fraction) -> str:
    """Return a number with four decimals; zero without a sign."""
    return f"{float(number):z.4f}"
