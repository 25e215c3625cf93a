"""A budget of submissions: the grid of attacks, the draws they see, the verdicts, and bad input."""

import itertools

import numpy as np
import pytest

import leaderboard_edu as le


def challenge(rng, n=20, p=60):
    """Draw a small challenge whose response has nothing to do with its features."""
    return le.split_sample(*le.simulate_design(n=3 * n, p=p, correlation=0.5, rng=rng), rng=rng)


def budget(draw=challenge, **options):
    """Run a small budget."""
    options = {"repetitions": 6, "rng": np.random.default_rng(1), "fraction": 0.05} | options
    return le.submission_budget(draw, **options)


@pytest.mark.parametrize(
    ("p", "fraction", "features", "iterations", "submissions"),
    [
        (285, 0.02, [50, 100, 150, 200, 250, 285], [1, 2, 3, 4, 5, 6], [50, 199, 447, 794, 1240, 1695]),
        (300, 0.02, [50, 100, 150, 200, 250, 300], [1, 2, 3, 4, 5, 6], [50, 199, 447, 794, 1240, 1785]),
        (30, 0.02, [30], [1], [30]),
        (4, 1, [1, 2, 3, 4], [1, 2, 3, 4], [1, 3, 6, 10]),
        (7, 0.3, [3, 7], [1, 2], [3, 13]),
    ],
)
def test_grid(p, fraction, features, iterations, submissions):
    """The paper's lengths, fewer features than one iteration has, all features, a share that is no whole number."""
    found = budget(lambda rng: challenge(rng, p=p), fraction=fraction, repetitions=6)
    assert found.features.tolist() == features
    assert found.iterations.tolist() == iterations
    assert found.submissions.tolist() == submissions
    assert found.overfitting.shape == (6, len(features))


@pytest.mark.parametrize("fresh_accounts", [False, True])
@pytest.mark.parametrize("n_bootstrap", [None, 10])
def test_attacks_by_hand(n_bootstrap, fresh_accounts):
    """Each repetition attacks one draw with parts of its features, with a child of the generator."""
    board = {"alpha": 0.3, "n_bootstrap": n_bootstrap, "fresh_accounts": fresh_accounts}
    found = budget(**board)
    for row, rng in zip(found.overfitting, np.random.default_rng(1).spawn(6), strict=True):
        data = challenge(rng)
        for value, iterations in zip(row, (1, 2, 3), strict=True):
            columns = rng.choice(60, size=20 * iterations, replace=False)
            part = le.ChallengeData(
                *(le.Sample(s.features[:, columns], s.response) for s in (data.training, data.public, data.final))
            )
            run = le.simulate_step_forward(part, iterations=iterations, rng=rng, **board)
            assert value == run.public[-1] - run.final[-1]


def test_workers_do_not_matter():
    """One process or two."""
    assert np.array_equal(budget(n_jobs=1).overfitting, budget(n_jobs=2).overfitting)


def test_verdicts():
    """Safe and unsafe are read off the intervals, from the first length on; undecided is neither."""
    middle = np.array([0, -1, -2, -5, 0])
    found = le.SubmissionBudget(50 * np.arange(1, 6), np.arange(1, 6), middle + np.arange(-3, 4)[:, None] / 3)
    assert np.allclose(found.medians, middle)
    assert np.allclose(found.intervals, [middle - 1, middle + 1])
    assert (found.safe(0.5), found.unsafe(0.5)) == (0, 447)
    assert (found.safe(2), found.unsafe(2)) == (199, 794)  # a lower end at the tolerance is within it
    assert (found.safe(1), found.unsafe(1)) == (50, 794)  # an upper end at the tolerance is not below it
    assert (found.safe(7), found.unsafe(7)) == (1240, None)


BAD = [
    ({"draw": 3}, "draw must be callable, got 3"),
    ({"draw": lambda rng: 3}, "draw must return a leaderboard_edu.ChallengeData, got 3"),
    ({"repetitions": 5}, "repetitions must be a whole number of at least 6, got 5"),
    ({"rng": 1}, "rng must be a numpy.random.Generator"),
    ({"fraction": 0}, "fraction must be above 0, got 0"),
    ({"fraction": 1.5}, "fraction must be a number from 0 to 1, got 1.5"),
    ({"alpha": 0.7}, "alpha must be above 0 and at most 0.5"),
    ({"n_bootstrap": 0}, "n_bootstrap must be a whole number of at least 1, got 0"),
    ({"fraction": 1}, "fraction must select fewer features than the 20 training rows, got 1"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_input(options, message):
    """What is wrong is named and echoed."""
    with pytest.raises(ValueError, match="^" + message.replace("(", r"\(")):
        budget(**options)


def test_draws_of_different_sizes_are_refused():
    """The lengths of attack come from the number of features."""
    sizes = itertools.cycle((60, 30))
    with pytest.raises(ValueError, match=r"^draw must return the same number of features each time, got 30 and 60"):
        budget(lambda rng: challenge(rng, p=next(sizes)), n_jobs=1)


def test_too_few_repetitions_have_no_interval():
    with pytest.raises(ValueError, match=r"^overfitting must have at least 6 rows, got 5"):
        le.SubmissionBudget(np.array([50]), np.array([1]), np.zeros((5, 1))).intervals  # noqa: B018


@pytest.mark.parametrize("tolerance", [-0.1, np.nan, "much"])
def test_bad_tolerance(tolerance):
    """A tolerance is a finite number of at least zero."""
    found = budget()
    for ask in (found.safe, found.unsafe):
        with pytest.raises(ValueError, match=r"^tolerance must be a finite number of at least 0"):
            ask(tolerance)


def test_a_refused_plan_draws_nothing():
    rng = np.random.default_rng(0)
    for options in ({"alpha": 0.7}, {"n_bootstrap": 0}, {"fraction": 0}):
        with pytest.raises(ValueError, match=f"^{next(iter(options))} must"):
            le.submission_budget(challenge, repetitions=6, rng=rng, **options)
    assert rng.bit_generator.seed_seq.n_children_spawned == 0


def test_a_tiny_fraction_is_one_iteration_over_all_features():
    plan = le.submission_budget(challenge, repetitions=6, rng=np.random.default_rng(0), fraction=5e-324)
    assert (plan.features.tolist(), plan.iterations.tolist()) == ([60], [1])
