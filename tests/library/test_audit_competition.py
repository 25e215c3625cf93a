"""The audit of the book's own competition, in each of its four worlds."""

import pytest

import leaderboard_edu as le
from book.competition import MECHANISMS, competition, log

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
