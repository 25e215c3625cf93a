"""The stored competition: 200 accounts, 12,000 labels, four boards.

`python -m tools.make_competition` plays it and writes the file that is
read here. The teams react to what the board answers, so they played once
under each of the boards: four worlds, with the same teams.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import leaderboard_edu as le

PATH = Path(__file__).parent / "data" / "competition.npz"
START = np.datetime64("2014-03-03T00:00:00", "s")
PLAYERS = ("booster", "pairer", "many")  # policies that play the board
#: The boards under which it was played.
MECHANISMS: dict[str, Callable[..., Any]] = {
    "full": le.FullDisclosure,
    "ladder": partial(le.Ladder, eta="1/100"),
    "simplified": partial(le.SimplifiedLadder, eta="1/100"),
    "free": le.ParameterFreeLadder,
}


@dataclass(frozen=True)
class Competition:
    """What the worlds share.

    `labels` are those of the holdout set, and `public` says which of them
    the board scored. `probabilities` are those, of 255, of the best files
    of the fifty accounts `leading` on the public board of the world
    "full". `about` says source, licence, the policies, whose an account
    is, and what each file is.
    """

    labels: np.ndarray
    public: np.ndarray
    leading: np.ndarray
    probabilities: np.ndarray
    about: dict[str, Any]


@cache
def _stored() -> dict[str, np.ndarray]:
    with np.load(PATH) as file:
        return dict(file)


@cache
def competition() -> Competition:
    """Return labels, their public part, and who the teams are."""
    stored = _stored()
    return Competition(
        labels=stored["labels"],
        public=stored["public"],
        leading=stored["leading"],
        probabilities=stored["probabilities"],
        about=json.loads(str(stored["about"])),
    )


def files(world: str) -> np.ndarray:
    """Return for each submission the number of its file.

    Equal files have equal numbers, in all worlds.
    """
    return _stored()[f"{world}_files"]


def shown(world: str) -> np.ndarray:
    """Return the losses that the board answered."""
    return _stored()[f"{world}_shown"]


def log(world: str) -> le.SubmissionLog:
    """Return who sent what and when, in one of the worlds."""
    stored = _stored()
    # A file is kept as its difference from the one before.
    pool = np.bitwise_xor.accumulate(stored["files"], axis=0)
    bits = np.unpackbits(pool[files(world)], axis=1)
    times = START + stored[f"{world}_seconds"].astype("timedelta64[s]")
    return le.SubmissionLog(
        teams=stored[f"{world}_accounts"].tolist(),
        times=times,
        predictions=bits[:, : stored["labels"].size],
    )


def is_honest(account: Any) -> bool:
    """Say whether an account is that of an honest team."""
    accounts = competition().about["accounts"]
    return accounts[account]["policy"] not in PLAYERS


def honest_log(world: str) -> le.SubmissionLog:
    """Return what the honest teams sent in one of the worlds."""
    sent = log(world)
    return sent.submissions(np.array([*map(is_honest, sent.teams)]))
