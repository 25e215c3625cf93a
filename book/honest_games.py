"""What boards and limits, and silence, cost honest teams that play anew.

`python -m tools.honest_games` plays them and writes the file read here.
In each game 186 new teams of the competition's six honest kinds play on
each board, without a limit and with one of twenty files; nobody attacks.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import leaderboard_edu as le

PATH = Path(__file__).parent / "data" / "honest_games.json"
LIMIT = 20  # files of a team
#: Each is told its best loss, in hundredths, and no rank.
ITS_OWN = "simplified, one's own"
#: By how many labelled rows of their own teams choose if nothing is shown.
SILENT = {
    9600: "nothing, 9600 own rows",
    1000: "nothing, 1000 own rows",
    0: "nothing, no own rows",
}
#: All kinds but visitors, who send a file or two.
REGULARS = "climber", "blender", "tinkerer", "returner", "truster"
#: Those of them that do not validate what they send.
FOLLOWERS = "climber", "blender", "tinkerer"
SEALED = 8400  # labels that decide


@cache
def games() -> list[dict[str, Any]]:
    """Return for each game its teams' kinds, and what they handed in.

    By board, without and with the limit: the sealed labels, of 8,400, that
    the file has wrong which is a team's best by what it was told, and its
    last one, and how many files it sent.
    """
    found: list[dict[str, Any]] = json.loads(PATH.read_text())["games"]
    return found


def boards() -> set[str]:
    """Return the names of the boards."""
    return set(games()[0]["boards"])


def handed(
    board: str,
    limited: bool,
    kind: str | tuple[str, ...] | None = None,
    named: bool = True,
) -> np.ndarray:
    """Return the sealed losses of what teams hand in, game after game.

    Of one kind of teams, or of several, or of all. A team names what the
    board calls its best; one that sends only what its own validation calls
    better names its last, unless the board names. Where nothing is shown a
    team names the best by its own rows, or the last if it has none.
    """
    found, kinds = [], None if kind is None else {*np.atleast_1d(kind)}
    for game in games():
        ends = game["boards"][board][limited]
        for policy, best, last in zip(
            game["policies"], ends["best"], ends["last"], strict=True
        ):
            if kinds is None or policy in kinds:
                own = named and policy == "truster"
                found.append(last if own or board == SILENT[0] else best)
    return np.array(found) / SEALED


@cache
def price(
    board: str,
    limited: bool = False,
    kind: str | tuple[str, ...] | None = None,
    named: bool = True,
) -> tuple[float, float]:
    """Return by how much what teams hand in is worse: mean and error.

    In sealed loss, than what they hand in where every score is shown,
    without a limit.
    """
    worse = handed(board, limited, kind, named) - handed(
        "every score", False, kind, named
    )
    mean, error = le.mean_and_error(worse)
    return mean, error


def labels_lost(
    board: str, kinds: str | tuple[str, ...] | None = REGULARS
) -> str:
    """Say how many labels of 3,600 teams lose, with the standard error."""
    mean, error = (3600 * each for each in price(board, True, kinds))
    digits = 0 if error > 1.9 else 1
    return f"{mean:.{digits}f} ± {error:.{digits}f}"


def winners(board: str, limited: bool) -> np.ndarray:
    """Return the lowest sealed loss that is handed in, game by game."""
    by_game = handed(board, limited).reshape(len(games()), -1)
    lowest: np.ndarray = by_game.min(axis=1)
    return lowest
