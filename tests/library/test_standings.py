"""Which submissions count, comparisons with the leader, and intervals for the board."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le


def make(teams, times=None, vectors=None):
    """Return a log, by default of one instant and of vectors without errors."""
    k = len(teams)
    return le.SubmissionLog(
        teams=teams,
        times=["2027-01-01"] * k if times is None else times,
        predictions=np.zeros((k, 4), int) if vectors is None else vectors,
    )


def shown(teams, wrong):
    """Return the replay of submissions with these numbers of wrong labels of eight, on full disclosure."""
    vectors = np.arange(8) < np.reshape(wrong, (-1, 1))
    return le.replay(make(teams, vectors=vectors), np.zeros(8))


def places(mask):
    assert mask.dtype == bool
    return np.flatnonzero(mask).tolist()


def test_a_day_ends_at_midnight():
    times = ["2027-01-01T00:00:00", "2027-01-01T23:59:59", "2027-01-02T00:00:00", "2027-01-02T23:59:59"]
    assert places(le.daily_limit(make(["ann"] * 4, times), submissions=1)) == [0, 2]


def test_a_day_is_one_in_utc():
    """At two in the morning in the east it is still the day before."""
    times = ["2027-01-01T23:00:00Z", "2027-01-02T02:00:00+03:00"]
    assert places(le.daily_limit(make(["ann"] * 2, times), submissions=1)) == [0]


def test_the_limit_itself_is_let_through():
    log = make(["ann"] * 6 + ["bob"] * 5)
    kept = le.daily_limit(log)
    assert places(~kept) == [5]
    assert (log.submissions(kept).teams, log.submissions(~kept).teams) == (("ann",) * 5 + ("bob",) * 5, ("ann",))


def test_teams_have_limits_of_their_own():
    assert places(le.daily_limit(make([*"ababa"]), submissions=2)) == [0, 1, 2, 3]


@given(days=st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 4 * 86400)), max_size=25), limit=st.integers(1, 4))
def test_the_limit_by_definition(days, limit):
    days.sort(key=lambda day: day[1])
    teams, seconds = [team for team, _ in days], [second for _, second in days]
    log = make(teams, np.datetime64("1969-12-30", "s") + np.array(seconds, dtype=int))
    kept = le.daily_limit(log, submissions=limit)
    for i, (team, second) in enumerate(days):
        before = sum(other == team and at // 86400 == second // 86400 for other, at in days[:i])
        assert kept[i] == (before < limit)
    assert le.daily_limit(log.submissions(kept), submissions=limit).all()


def test_the_last_one_counts():
    assert places(le.last_counts(make(list("abaab")))) == [3, 4]


def test_the_best_one_counts_and_of_ties_the_earlier():
    played = shown(list("aabbab"), [3, 2, 4, 4, 2, 5])
    assert places(le.best_counts(played)) == [1, 2]
    assert places(le.best_counts(played, submissions=2)) == [1, 2, 3, 4]


def test_on_a_ladder_the_last_accepted_one_counts():
    """A better one that was refused was shown the same."""
    vectors = np.arange(20) < np.reshape([10, 5, 4], (3, 1))
    log = make(["ann"] * 3, vectors=vectors)
    assert places(le.best_counts(le.replay(log, np.zeros(20), lambda y: le.Ladder(y, eta="1/10")))) == [1]


def test_the_largest_counts_where_larger_is_better():
    log = make(["ann"] * 3, vectors=[[0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]])
    played = le.replay(log, [0, 0, 1, 1], lambda y: le.FullDisclosure(y, metric="pearson"))
    assert places(le.best_counts(played)) == [1]


def test_the_final_choice():
    played = shown(list("aaabbc"), [3, 2, 1, 4, 5, 6])
    assert places(le.final_choice(played)) == [1, 2, 3, 4, 5]
    assert places(le.final_choice(played, {"a": [0, 2], "b": [4]})) == [0, 2, 4, 5]
    assert places(le.final_choice(played, {"a": [0]}, submissions=1)) == [0, 3, 5]


@pytest.mark.parametrize("chosen", [[], [0, 1, 2], [1, 1], [3], [-1], [9]])
def test_a_choice_is_refused(chosen):
    played = shown(list("aaab"), [1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"^chosen must name 1 to 2 places of 'a' in the log, got \["):
        le.final_choice(played, {"a": chosen})
    with pytest.raises(ValueError, match=r"^chosen must name 1 to 2 places of 'nobody' in the log, got \[0\]$"):
        le.final_choice(played, {"nobody": [0]})


@pytest.mark.parametrize(
    "policy", [le.best_counts, le.final_choice, lambda played, **n: le.daily_limit(played.log, **n)]
)
def test_a_number_of_submissions_is_whole(policy):
    with pytest.raises(ValueError, match=r"^submissions must be a whole number of at least 1, got 0$"):
        policy(shown(["a"], [1]), submissions=0)


def test_one_submission_leads_alone():
    (row,) = le.compare_to_leader(make(["ann"]), [0, 0, 1, 1])
    assert row == le.LeaderComparison(rank=1, team="ann", loss=0.5, behind=0.0, p_value=1.0, adjusted=1.0)


@pytest.mark.parametrize(
    ("log", "labels", "more", "message"),
    [
        (make(["ann"]), [0, 1], {}, "labels must have 4 entries, one for each row of the log, got 2"),
        (make(["ann"]), [0, 1, 0, None], {}, "labels must hold no missing values: fill them, got None at position 3"),
        (
            make(["ann"]),
            list("abab"),
            {},
            "predictions must be strings, as the labels are, not numbers: names[predictions], "
            "the name of each class, got 0",
        ),
        (make([]), [0, 1, 0, 1], {}, "log must hold a submission at least, got none"),
        (
            make(["ann"]),
            [0, 1, 0, 1],
            {"correction": "Holm"},
            "correction must be one of 'none', 'bonferroni', 'holm', got 'Holm'",
        ),
    ],
)
def test_comparisons_are_refused(log, labels, more, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        le.compare_to_leader(log, labels, **more)
    assert str(refused.value) == message


def test_without_an_affordable_step_nothing_is_said():
    rows = le.ladder_intervals(make(["ann", "bob"]), [0, 0, 0, 1])
    assert [(row.low, row.high) for row in rows] == [(0, 1), (0, 1)]


def test_intervals_are_refused():
    with pytest.raises(ValueError, match=r"^log must hold a submission at least, got none$"):
        le.ladder_intervals(make([]), [0, 0, 0, 1])
    with pytest.raises(ValueError, match=r"^delta must be a number strictly between 0 and 1, got 1$"):
        le.ladder_intervals(make(["ann"]), [0, 0, 0, 1], delta=1)
    with pytest.raises(ValueError, match=r"^labels must have 4 entries, one for each row of the log, got 1$"):
        le.ladder_intervals(make(["ann"]), [0])
