"""Play the competition with other honest teams and write `book/data/honest_games.json`: `python -m tools.honest_games`.

The stored competition is one game. Here are more, with new teams, on more boards and with a limit of files. Models are
kept in `_build/competition`, so a run that was stopped goes on where it was.
"""

import json
from collections import Counter
from functools import partial
from typing import Any

import joblib
import numpy as np

import leaderboard_edu as le
from book.competition import MECHANISMS, PLAYERS
from book.honest_games import ITS_OWN, LIMIT, PATH, SILENT
from tools.contents import ROOT
from tools.flights import TRAINING, rows
from tools.make_competition import Record, accounts, all_of_it, game, nothing, own_score
from tools.teams import DAYS, Team, teams

GAMES = range(1, 5)
FIRST = 3  # days, after which what the teams have is kept too: a test plays them again
#: Each with the mechanism, and what of its answer a team is told.
BOARDS: dict[str, tuple[Any, Any]] = {
    "every score": (MECHANISMS["full"], all_of_it),
    "every score, 1/100": (partial(le.FullDisclosure, precision="1/100"), all_of_it),
    "parameter-free": (MECHANISMS["free"], all_of_it),
    "simplified, 1/100": (MECHANISMS["simplified"], all_of_it),
    "Ladder, 1/100": (MECHANISMS["ladder"], all_of_it),
    ITS_OWN: (MECHANISMS["simplified"], own_score),
    **{board: (MECHANISMS["full"], partial(nothing, rows=rows)) for rows, board in SILENT.items()},
}
LIMITS = np.inf, LIMIT


def honest(number: int) -> list[Team]:
    """Return the honest teams of a game."""
    return [team for team in teams(number) if team.policy not in PLAYERS]


def handed(records: list[Record]) -> dict[int, tuple[int, int, int]]:
    """Return by account the sealed labels that its best file has wrong, and its last, and how many files it sent.

    The best is by what the team was told, and the first of equals.
    """
    sealed, labels = ~rows().public, rows().late[TRAINING:]
    best: dict[int, Record] = {}
    last: dict[int, Record] = {}
    sent = Counter(record.account for record in records)
    for record in records:
        last[record.account] = record
        if record.account not in best or record.shown < best[record.account].shown:
            best[record.account] = record

    def wrong(record: Record) -> int:
        return int(np.sum((record.submission.file != labels)[sealed]))

    return {account: (wrong(record), wrong(last[account]), sent[account]) for account, record in best.items()}


def play(number: int, board: str, limit: float, days: float = DAYS) -> dict[str, list[int]]:
    """Play a game; return for each of its teams the wrong labels of best and last file (-1: none), and its files."""
    everyone = honest(number)
    mechanism, told = BOARDS[board]
    found = handed(game(mechanism, everyone, days=days, limit=limit, told=told))
    rows = (found.get(account, (-1, -1, 0)) for account in accounts(everyone).values())
    return dict(zip(("best", "last", "sent"), map(list, zip(*rows, strict=True)), strict=True))


def fit_models() -> None:
    """Fit most of the models in parallel: those that teams would want if each played alone."""
    tasks = [(team, honest(number)) for number in GAMES for team in honest(number)]
    joblib.Parallel(n_jobs=2, verbose=1)(joblib.delayed(_alone)(*task) for task in tasks)


def _alone(team: Team, everyone: list[Team]) -> None:
    game(MECHANISMS["full"], everyone, alone=team)


def record(number: int) -> dict[str, Any]:
    """Return what the file holds of a game."""
    return {
        "policies": [team.policy for team in honest(number)],
        "boards": {board: [play(number, board, limit) for limit in LIMITS] for board in BOARDS},
        "first days": {board: play(number, board, LIMIT, FIRST) for board in BOARDS},
    }


def main() -> None:
    """Play all games and write the file."""
    fit_models()
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(record)(number) for number in GAMES)
    PATH.write_text(json.dumps({"command": "python -m tools.honest_games", "games": found}) + "\n", encoding="utf-8")
    print(f"{PATH.relative_to(ROOT)}: {PATH.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
