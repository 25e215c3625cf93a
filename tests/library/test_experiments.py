"""Repeated experiments."""

import math
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le


def simulate(analyst=le.boosting_attack, *, seed=0, **changed):
    given = {"mechanism": le.FullDisclosure, "n": 50, "k": 20, "repetitions": 6, "n_jobs": 1, **changed}
    return le.simulate_leaderboard_error(analyst, rng=np.random.default_rng(seed), **given)


def test_only_the_seed_matters():
    first = simulate(repetitions=12).errors
    assert np.array_equal(simulate(repetitions=12).errors, first)
    assert np.array_equal(simulate(repetitions=12, n_jobs=2).errors, first)
    assert not np.array_equal(simulate(repetitions=12, seed=1).errors, first)


@pytest.mark.parametrize("n_jobs", [None, -1, np.int64(2)])
def test_workers_as_in_joblib(n_jobs):
    """Whoever works, the errors are the same."""
    assert np.array_equal(simulate(n_jobs=n_jobs).errors, simulate().errors)


def test_samples_come_back_from_workers():
    """A result of any experiment can be sent between processes, wherever its class is defined."""
    for cls in (le.ErrorSample, le.Trajectory, le.StepForwardRun, le.FreedmanRun, le.SubmissionBudget):
        assert pickle.loads(pickle.dumps(cls)) is cls
    (back,) = pickle.loads(pickle.dumps([simulate()]))
    assert np.array_equal(back.errors, simulate().errors)


def test_longer_runs_begin_alike():
    assert np.array_equal(simulate().errors, simulate(repetitions=12).errors[:6])


@pytest.mark.parametrize("keep", ["aligned", "half"])
def test_full_disclosure_errs_by_what_boosting_gains(keep):
    """The attack's final vector is the best of all, so the error is its accuracy over 1/2.

    400 replicates; within four standard errors, of about 0.0013 each. Without the final submission the error
    would be near 0.1.
    """
    sample = simulate(partial(le.boosting_attack, keep=keep), n=200, k=200, repetitions=400)
    gain = le.boosting_accuracy(n=200, k=200, keep=keep) - 0.5
    assert sample.standard_error < 0.002
    assert abs(sample.mean - gain) < 4 * sample.standard_error


def test_error_by_definition():
    """The board shows the best release so far and, last, the final vector: here the first submission flipped."""
    seen = []

    def analyst(submit, *, n, k, rng):
        assert (n, k) == (10, 3)
        vectors = rng.integers(0, 2, (k, n))
        seen.append([submit(vector) for vector in vectors])
        return le.AttackResult(1 - vectors[0], vectors)

    sample = simulate(analyst, n=10, k=3, repetitions=40)
    for error, shown in zip(sample.errors, seen, strict=True):
        board = np.minimum.accumulate([*shown, 1 - shown[0]])
        assert error == pytest.approx(np.abs(board - 0.5).max(), abs=1e-12)


def test_a_fresh_mechanism_and_fresh_labels_each_time():
    made = []

    def mechanism(labels):
        made.append((labels, le.Ladder(labels, eta="1/5")))
        return made[-1][1]

    simulate(mechanism=mechanism, n=64, k=5, repetitions=4)
    assert [len(account.transcript) for _, account in made] == [6] * 4
    assert len({labels.tobytes() for labels, _ in made}) == 4
    assert {labels.shape for labels, _ in made} == {(64,)}
    assert not any(np.array_equal(labels, account.transcript[0][0]) for labels, account in made)


def test_labels_are_fair_coins():
    """The share of ones among 40,000 labels is 1/2, to four standard errors."""
    drawn = []
    simulate(mechanism=lambda labels: drawn.append(labels) or le.FullDisclosure(labels), n=1000, k=1, repetitions=40)
    assert abs(np.mean(drawn) - 0.5) < 4 * 0.5 / math.sqrt(40_000)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_of_the_analyst_are_passed_on(n_jobs):
    def analyst(submit, *, n, k, rng):
        raise KeyError("the analyst gave up")

    with pytest.raises(KeyError, match="the analyst gave up"):
        simulate(analyst, n_jobs=n_jobs)


def test_a_mechanism_must_be_made():
    with pytest.raises(ValueError, match=r"^mechanism must make a leaderboard_edu.Mechanism, got 'board'$"):
        simulate(mechanism=lambda labels: "board")


@given(errors=st.lists(st.integers(0, 64).map(lambda c: c / 64), min_size=2, max_size=12), c=st.integers(0, 64))
def test_sample_by_definition(errors, c):
    sample = le.ErrorSample(np.array(errors))
    mean = math.fsum(errors) / len(errors)
    squares = math.fsum((error - mean) ** 2 for error in errors)
    assert sample.mean == pytest.approx(mean, abs=1e-12)
    assert sample.standard_error == pytest.approx(math.sqrt(squares / (len(errors) - 1) / len(errors)), abs=1e-12)
    assert sample.share_above(c / 64) == sum(error > c / 64 for error in errors) / len(errors)
    assert {type(value) for value in (sample.mean, sample.standard_error, sample.share_above(0))} == {float}


def test_sample_of_one():
    sample = simulate(repetitions=1)
    assert sample.errors.shape == (1,)
    assert sample.mean == sample.errors[0]
    assert math.isnan(sample.standard_error)


def test_sample_is_frozen():
    sample = simulate(repetitions=2)
    with pytest.raises(AttributeError):
        sample.errors = None
    assert sample == sample != le.ErrorSample(sample.errors)
