"""The boosting attack and its curve."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le
from leaderboard_edu._draws import draw_submissions

seeds = st.integers(0, 2**32 - 1)
keeps = st.sampled_from(["aligned", "half"])


def only_callable(submit):
    """Return an object that can be called and has nothing else: any look at an attribute fails."""

    class Board:
        def __call__(self, predictions):
            return submit(predictions)

        def __getattribute__(self, name):
            pytest.fail(f"the attack looked at {name}")

    return Board()


def random_labels(n, seed):
    return np.random.default_rng([seed, n]).integers(0, 2, n)


@given(seed=seeds, n=st.integers(1, 80), k=st.integers(1, 20), keep=keeps)
def test_attack_by_definition(seed, n, k, keep):
    """Coins are drawn first, then k submissions; each votes, and ties fall as the coins."""
    board = le.FullDisclosure(random_labels(n, seed))
    attack = le.boosting_attack(only_callable(board.submit), n=n, k=k, rng=np.random.default_rng(seed), keep=keep)
    drawn = draw_submissions(np.random.default_rng(seed), k + 1, n).astype(int)
    coins, submissions = drawn[0], drawn[1:]
    assert np.array_equal(attack.submissions, submissions)
    assert [seen.tolist() for seen, _ in board.transcript] == submissions.tolist()
    votes = np.zeros(n)
    for submission, (_, released) in zip(submissions, board.transcript, strict=True):
        if released <= 0.5:
            votes += 2 * submission - 1
        elif keep == "aligned":
            votes -= 2 * submission - 1
    expected = [coin if vote == 0 else int(vote > 0) for coin, vote in zip(coins, votes, strict=True)]
    assert attack.predictions.tolist() == expected


@given(seed=seeds, n=st.integers(1, 200))
def test_an_empty_vote_is_all_coins(seed, n):
    attack = le.boosting_attack(lambda _: 1.0, n=n, k=4, rng=np.random.default_rng(seed), keep="half")
    assert np.array_equal(attack.predictions, draw_submissions(np.random.default_rng(seed), 1, n)[0])


@given(seed=seeds, n=st.integers(1, 80), keep=keeps)
def test_curve_is_the_attack_at_every_length(seed, n, keep):
    curve = le.boosting_curve(n=n, k=15, rng=np.random.default_rng(seed), keep=keep)
    assert curve.shape == (15,)
    for t in range(1, 16):
        board = le.FullDisclosure(np.zeros(n))
        attack = le.boosting_attack(board.submit, n=n, k=t, rng=np.random.default_rng(seed), keep=keep)
        assert curve[t - 1] == 1 - le.empirical_risk(attack.predictions, np.zeros(n))


def test_the_final_vector_is_not_submitted():
    board = le.FullDisclosure(random_labels(200, 0))
    attack = le.boosting_attack(board.submit, n=200, k=50, rng=np.random.default_rng(0))
    assert len(board.transcript) == 50
    assert all(not np.array_equal(seen, attack.predictions) for seen, _ in board.transcript)


def test_exactly_one_half_counts_as_not_above():
    kept = {}
    for released in (0.5, np.nextafter(0.5, 1)):
        attack = le.boosting_attack(lambda _, r=released: r, n=64, k=1, rng=np.random.default_rng(4))
        kept[released] = np.array_equal(attack.predictions, attack.submissions[0])
        assert kept[released] or np.array_equal(attack.predictions, 1 - attack.submissions[0])
    assert list(kept.values()) == [True, False]


@pytest.mark.parametrize("error", [RuntimeError, ValueError, TypeError, KeyError])
def test_errors_of_submit_are_passed_on(error):
    board, raised = le.FullDisclosure([0, 1, 0, 1]), error("the board is closed")

    def submit(predictions):
        if len(board.transcript) == 3:
            raise raised
        return board.submit(predictions)

    with pytest.raises(error, match="the board is closed") as caught:
        le.boosting_attack(submit, n=4, k=10, rng=np.random.default_rng(0))
    assert caught.value is raised
    assert len(board.transcript) == 3


def test_a_submission_of_the_wrong_size_is_the_board_s_error():
    board = le.FullDisclosure([0, 1, 0, 1])
    with pytest.raises(ValueError, match="predictions must have 4 entries"):
        le.boosting_attack(board.submit, n=5, k=10, rng=np.random.default_rng(0))
    assert board.transcript == ()


def test_a_board_cannot_change_what_was_submitted():
    def submit(predictions):
        predictions[0] = 1

    with pytest.raises(ValueError, match="read-only"):
        le.boosting_attack(submit, n=4, k=1, rng=np.random.default_rng(0))


def test_result_is_frozen():
    attack = le.boosting_attack(lambda _: 0.0, n=70, k=3, rng=np.random.default_rng(0))
    assert [field.name for field in dataclasses.fields(attack)] == ["predictions", "submissions"]
    assert (attack.predictions.dtype, attack.submissions.dtype) == (np.uint8, np.uint8)
    assert (attack.predictions.shape, attack.submissions.shape) == ((70,), (3, 70))
    assert attack == attack != dataclasses.replace(attack)
    assert hash(attack) == hash(attack)
    with pytest.raises(dataclasses.FrozenInstanceError):
        attack.predictions = None
