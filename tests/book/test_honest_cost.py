"""What a board hides of a log: a log by hand, and boards that show all or nothing."""

import numpy as np

import leaderboard_edu as le
from book.honest_cost import false_moves, honest_cost, places, records, told

LABELS = np.zeros(10, dtype=np.uint8)


def log_of(*rows):
    """Return a log of (team, day, number of wrong labels)."""
    return le.SubmissionLog(
        teams=[team for team, _, _ in rows],
        times=[f"2027-01-{day:02d}" for _, day, _ in rows],
        predictions=[np.arange(10) < wrong for _, _, wrong in rows],
    )


LOG = log_of(("ann", 1, 5), ("bob", 1, 6), ("ann", 2, 4), ("ann", 4, 5), ("ann", 5, 1), ("bob", 6, 5), ("bob", 7, 6))
TRUTH = np.array([0.5, 0.6, 0.4, 0.3, 0.2, 0.5, 0.7])


def test_full_disclosure_hides_what_looks_worse():
    """Ann's third file is better in truth than her second, and looks worse; a day later she sees a better one."""
    shown = told(LOG, LABELS)
    assert shown.tolist() == [True, True, True, False, True, True, False]
    cost = honest_cost(LOG, TRUTH, shown)
    assert np.allclose(cost.gain, [0.1, 0.1, 0.1, 0.1])
    assert cost.hidden.tolist() == [False, True, False, False]
    assert cost.days.tolist() == [0, 1, 0, 0]


def test_a_coarse_ladder_hides_more_and_some_for_ever():
    """Of 5, 4 and 1 wrong labels a step of one half shows the first and the last, of 6 and 5 only the first."""
    cost = honest_cost(LOG, TRUTH, told(LOG, LABELS, lambda y: le.SimplifiedLadder(y, eta="1/2")))
    assert cost.hidden.tolist() == [True, True, False, True]
    assert cost.days.tolist() == [3, 1, 0, np.inf]


def test_ranks_show_only_who_was_overtaken():
    """Bob comes behind Ann; neither gets past the other afterwards."""
    assert told(LOG, LABELS, le.RankBoard).tolist() == [True, True, False, False, False, False, False]
    swapped = log_of(("ann", 1, 5), ("bob", 1, 6), ("bob", 2, 4))
    assert told(swapped, LABELS, le.RankBoard).tolist() == [True, True, True]


def test_places_show_only_what_takes_one():
    """Of one place, and of two: equal losses take none, and who is passed by oneself moves down."""
    for ranks, shown in ((1, [1, 0, 1, 0, 1, 0, 0]), (2, [1, 1, 1, 0, 1, 0, 0])):
        assert told(LOG, LABELS, lambda y, ranks=ranks: le.TopBoard(y, ranks=ranks)).tolist() == shown


def test_records_begin_with_the_first_of_each_team():
    assert places(LOG) == {"ann": [0, 2, 3, 4], "bob": [1, 5, 6]}
    assert records(LOG, np.zeros(7)).tolist() == [True, True, False, False, False, False, False]
    assert honest_cost(LOG.submissions([0, 1]), TRUTH[:2], np.array([True, True])).gain.size == 0


def test_a_move_is_false_if_the_file_is_no_better_than_the_one_shown_before():
    """Ann's second is as good as her first; her last is better than it, though not than the third, which was hidden."""
    truth = np.array([0.5, 0.6, 0.5, 0.3, 0.4, 0.5, 0.7])
    assert false_moves(LOG, truth, told(LOG, LABELS)) == (1, 3)
    assert false_moves(LOG, truth - np.array([0, 0, 0.1, 0, 0, 0, 0]), told(LOG, LABELS)) == (1, 3)
    assert false_moves(LOG, truth, np.ones(7, dtype=bool)) == (3, 5)
    assert false_moves(LOG, truth, np.array([True, True, *[False] * 5])) == (0, 0)
