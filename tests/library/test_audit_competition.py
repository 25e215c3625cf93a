"""The audit of the book's own competition, in each of its four worlds."""

import re

import numpy as np
import pytest

import leaderboard_edu as le
from book.competition import MECHANISMS, competition, log
from leaderboard_edu._suspicion import coin_marks, distinct, flip_marks, tail

ATTACKS = ("booster", "pairer", "many")


@pytest.mark.parametrize(
    "world", [pytest.param(world, marks=[pytest.mark.nightly] * (world != "full")) for world in MECHANISMS]
)
def test_the_three_attackers_are_named_and_no_honest_account(world):
    """Each with all of its accounts; so no honest one is suspected, where two might be."""
    contest = competition()
    found = le.audit(contest.labels, log(world), contest.public)
    policies = [account["policy"] for account in contest.about["accounts"]]
    suspected = sorted(tuple(sorted(player)) for player in found.suspects)
    owned = {name: tuple(i for i, policy in enumerate(policies) if policy == name) for name in ATTACKS}
    assert suspected == sorted(owned.values())
    votes = {each.teams[0]: each.files for each in found.suspicions if each.kind == "votes"}
    last = {team: len(found_at) and found_at[-1] for team in votes if (found_at := places(world, team))}
    assert {team: files[-1] for team, files in votes.items()} == last
    assert {policies[team] for team in votes} == {"booster", "many"}


def places(world, team):
    """Return the places of a team's files."""
    return [i for i, other in enumerate(log(world).teams) if other == team]


def test_honest_files_are_marked_rarely():
    """In all worlds together, where the null model says at most one half; the docstring of `le.audit` says so."""
    contest = competition()
    honest = {i for i, account in enumerate(contest.about["accounts"]) if account["policy"] not in ATTACKS}
    coins, flips, smallest = np.zeros(2, dtype=int), np.zeros(2, dtype=int), 1.0
    for world in MECHANISMS:
        codes, teams = log(world).predictions, log(world).teams
        for team in honest & set(teams):
            own = distinct(codes, np.array([i for i, other in enumerate(teams) if other == team]))
            for total, marked, among in (
                (coins, coin_marks(codes, contest.labels, own, 2).size, max(own.size - 3, 0)),
                (flips, flip_marks(codes, own).size, own.size - 1),
            ):
                total += (marked, among)
                smallest = min(smallest, float(tail(marked, among)))
    words = " ".join(le.audit.__doc__.split())
    said = re.search(r"(\d+) of (\S+) honest files are marked as coin files, (\d+) of (\S+) for flips", words)
    assert [int(number.replace(",", "")) for number in said.groups()] == [*coins, *flips]
    assert smallest == 0.5
