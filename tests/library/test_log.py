"""A log of submissions, its files, and what a board shows when it is played."""

from datetime import datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

DAY = "2027-01-01"


def make(teams, vectors, times=None):
    """Return a log; without times all submissions are of one instant."""
    return le.SubmissionLog(teams=teams, times=times or [DAY] * len(teams), predictions=vectors)


@pytest.fixture
def log():
    rng = np.random.default_rng(5)
    return make(rng.integers(0, 4, 30).tolist(), rng.integers(0, 2, (30, 12)))


LABELS = np.random.default_rng(6).integers(0, 2, 12)
MECHANISMS = {
    "full disclosure": le.FullDisclosure,
    "rounded": lambda labels: le.FullDisclosure(labels, precision="1/5"),
    "Ladder": lambda labels: le.Ladder(labels, eta="1/6"),
    "parameter-free": le.ParameterFreeLadder,
    "shared weights": lambda labels: le.BayesBootLadder(
        labels, metric="mse", weights="shared", n_posterior=20, rng=np.random.default_rng(2)
    ),
}
BOARDS = {"ranks": le.RankBoard, "top": lambda labels: le.TopBoard(labels, ranks=3)}


def by_hand(board, log):
    """Return all answers and the standings."""
    answers = [
        board.submit(team, vector) for team, vector in zip(log.teams, log.predictions.astype(float), strict=True)
    ]
    return answers, board.standings()


@pytest.mark.parametrize("make_mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_a_replay_is_the_board_by_hand(log, make_mechanism):
    result = le.replay(log, LABELS, make_mechanism)
    answers, standings = by_hand(le.Leaderboard(LABELS, mechanism=make_mechanism), log)
    assert result.shown.tolist() == answers
    assert result.standings == standings
    assert result.log is log


@pytest.mark.parametrize("make_board", BOARDS.values(), ids=BOARDS)
def test_a_replay_of_a_whole_board(log, make_board):
    result = le.replay(log, LABELS, make_board)
    assert (result.shown.tolist(), result.standings) == by_hand(make_board(LABELS), log)


def test_what_draws_when_it_is_made_draws_as_often_as_by_hand(log):
    """Mechanisms of one generator: the first one made is used."""

    def maker(rng):
        return lambda labels: le.BayesBootLadder(labels, metric="mse", weights="shared", n_posterior=9, rng=rng)

    result = le.replay(log, LABELS, maker(np.random.default_rng(3)))
    answers, _ = by_hand(le.Leaderboard(LABELS, mechanism=maker(np.random.default_rng(3))), log)
    assert result.shown.tolist() == answers


def test_replay_says_which_way_is_better(log):
    assert not le.replay(log, LABELS).larger_is_better
    correlation = le.replay(log, LABELS, lambda labels: le.FullDisclosure(labels, metric="pearson"))
    assert correlation.larger_is_better


@pytest.mark.parametrize(
    ("labels", "mechanism", "message"),
    [
        ([0, 1], le.FullDisclosure, r"^labels must have 3 entries, one for each row of the log, got 2$"),
        ([0, 1, 0.5], le.FullDisclosure, r"^labels must be classes, .*, got 0.5 at position 2$"),
        ([0, 1, 1], None, r"^mechanism must be callable, got None$"),
        ([0, 1, 1], list, r"^mechanism must make a leaderboard_edu.Mechanism or a board with submit, got \[0, 1, 1\]$"),
        ([0, 1, 1], le.Ladder, r"^submission 1 of 'bob': predictions must be classes, .*, got 0.5 at position 1$"),
    ],
)
def test_replay_refuses(labels, mechanism, message):
    log = make(["ann", "bob"], [[0, 0, 0], [0, 0.5, 0]])
    with pytest.raises(ValueError, match=message):
        le.replay(log, labels, mechanism)


def test_an_empty_log_shows_nothing():
    result = le.replay(make([], np.zeros((0, 2))), [0, 1])
    assert (len(result.log), result.shown.shape, result.standings) == (0, (0,), ())


def test_a_log_is_frozen_and_keeps_its_own_copy():
    given_times, given_vectors = np.array([DAY], "datetime64[s]"), np.zeros((1, 2), np.uint8)
    log = make(["ann"], given_vectors, given_times)
    given_vectors[:] = 1
    given_times += 1
    assert (log.predictions.tolist(), str(log.times[0])) == ([[0, 0]], "2027-01-01T00:00:00")
    with pytest.raises(AttributeError):
        log.teams = ()
    for array in (log.times, log.predictions):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, np.float32, float])
def test_labels_take_a_byte(kind):
    log = make(["ann"], np.array([[0, 1, 1]], dtype=kind))
    assert (log.predictions.dtype, log.predictions.tolist()) == (np.uint8, [[0, 1, 1]])


@pytest.mark.parametrize("value", [256, -1, 0.5])
def test_other_numbers_are_floats(value):
    log = make(["ann"], [[0, value]])
    assert (log.predictions.dtype, log.predictions.tolist()) == (np.float64, [[0, value]])


EAST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    "time",
    [
        "2027-01-01T09:30:05",
        "2027-01-01 09:30:05.9",
        "2027-01-01T09:30:05Z",
        "2027-01-01T11:30:05+02:00",
        datetime(2027, 1, 1, 9, 30, 5, 999),
        datetime(2027, 1, 1, 11, 30, 5, tzinfo=EAST),
        np.datetime64("2027-01-01T09:30:05.999"),
    ],
)
def test_times_are_seconds_in_utc(time):
    assert make(["ann"], [[0]], [time]).times.tolist() == [datetime(2027, 1, 1, 9, 30, 5)]


@given(rows=st.sets(st.integers(0, 5), min_size=1), submissions=st.sets(st.integers(0, 7)))
def test_a_part_of_a_log(rows, submissions):
    """By positions and by truth values, of rows, of submissions, in either order."""
    rows, submissions = sorted(rows), sorted(submissions)
    vectors = np.random.default_rng(1).integers(0, 2, (8, 6))
    log = make(list("abcdabcd"), vectors, [f"2027-01-0{i + 1}" for i in range(8)])
    mask = np.isin(np.arange(6), rows)
    for part in (log.rows(rows).submissions(submissions), log.submissions(submissions).rows(mask)):
        assert part.predictions.tolist() == vectors[np.ix_(submissions, rows)].tolist()
        assert part.teams == tuple("abcdabcd"[i] for i in submissions)
        assert part.times.tolist() == [datetime(2027, 1, i + 1) for i in submissions]
        assert part.row_ids == tuple(str(i) for i in rows)


GOOD = {"teams": ["ann", "bob"], "times": ["2027-01-01", "2027-01-02"], "predictions": [[0, 1, 1], [1, 1, 1]]}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"teams": ["ann"]}, "teams must have 2 entries, one for each submission, got 1"),
        ({"teams": ["ann", ["bob"]]}, "teams must be hashable, such as a name, got ['bob']"),
        ({"times": ["2027-01-01"]}, "times must have 2 entries, one for each submission, got 1"),
        ({"times": ["2027-01-01", "noon"]}, "times must be in ISO format, such as '2027-01-31T09:00:00', got 'noon'"),
        ({"times": [1, 2]}, "times must be in ISO format, such as '2027-01-31T09:00:00', got 1"),
        ({"times": [["2027-01-01", "2027-01-02"]]}, "times must be one-dimensional, got shape (1, 2)"),
        ({"times": np.array(["2027-01-01", "NaT"], "M8")}, "times must be of the years 1 to 9999, got NaT"),
        ({"times": np.array(["2027-01-01", "12027-01-01"], "M8")}, "times must be of the years 1 to 9999, got 12027-"),
        (
            {"times": ["2027-01-02", "2027-01-01"]},
            "times must not decrease, got 2027-01-01T00:00:00 after 2027-01-02T00:00:00 at position 1",
        ),
        ({"predictions": [[0, 1, 1]]}, "teams must have 1 entries, one for each submission, got 2"),
        ({"predictions": [0, 1]}, "predictions must have a row for each submission and a column at least, got (2,)"),
        ({"predictions": [[], []]}, "predictions must have a row for each submission and a column at least, got (2, 0"),
        ({"predictions": [[0, 1], [1]]}, "predictions must have rows of equal length, got rows of unequal length"),
        (
            {"predictions": [["0"], [1]]},
            "predictions must hold numbers or strings, all of one kind, got 1 at position 1",
        ),
        ({"predictions": [[0.0], [np.nan]]}, "predictions must be finite, got nan"),
        ({"predictions": np.zeros((2, 2)), "row_ids": ["a"]}, "row_ids must have 2 entries, one for each row of the h"),
        ({"row_ids": ["a", "b"]}, "row_ids must have 3 entries, one for each row of the holdout, got 2"),
        ({"row_ids": ["a", "b", 3]}, "row_ids must be strings, got 3"),
        ({"row_ids": ["a", "b", "a"]}, "row_ids must be different, and none 'team' or 'time', got 'a'"),
        ({"row_ids": ["a", "b", "time"]}, "row_ids must be different, and none 'team' or 'time', got 'time'"),
    ],
)
def test_a_log_refuses(bad, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        le.SubmissionLog(**GOOD | bad)
    assert str(refused.value).startswith(message)


def test_a_board_keeps_a_log_as_it_is():
    """Nobody can make it writable, so no copy is needed; of what only looks so a board keeps its own."""
    log = make(["ann"], [[0, 1, 1]])
    for array in (log.predictions, log.rows([0, 1]).predictions[0], log.submissions([0]).predictions):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
    mechanism = le.FullDisclosure([0, 0, 0])
    mechanism.submit(log.predictions[0])
    assert np.shares_memory(mechanism.transcript[0][0], log.predictions)
    owner = np.zeros(3, np.uint8)
    view = owner[:]
    view.setflags(write=False)
    mechanism.submit(view)
    owner[:] = 1
    assert mechanism.transcript[1][0].tolist() == [0, 0, 0]
