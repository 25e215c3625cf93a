"""What the attack that weighs all answers together believes, against draws of labels and of public rows."""

import fitted
import numpy as np
import pytest
from jointly import FACTOR, SHARE, Joint, Ranked, crossed, fallen, height, inside
from scipy.stats import norm, truncnorm

import leaderboard_edu as le

SIZE = 2000


@pytest.mark.parametrize(
    ("low", "high"), [(-1.0, 0.5), (0.3, 2.0), (-np.inf, -0.4), (1.0, np.inf), (2.5, 2.6), (7.0, 9.0)]
)
def test_a_normal_number_in_an_interval(low, high):
    """Its mean and variance, as SciPy has them; far out an exponential's, whose variance is off by 6 / low²."""
    mean, var = inside(3.0, 4.0, 3.0 + 2 * low, 3.0 + 2 * high)
    exact = truncnorm(low, high, loc=3.0, scale=2.0)
    assert mean == pytest.approx(exact.mean(), rel=0.01 if low > 6 else 1e-6)
    assert var == pytest.approx(exact.var(), rel=6 / low**2 if low > 6 else 1e-4)


def drawn(games, sure, files, rng):
    """Draw which labels the model has right and which are public; return how many public ones files have wrong."""
    found = []
    for _ in range(games):
        believed = np.clip(sure * (1 + FACTOR * rng.normal()), -1, 1)
        right = rng.random(SIZE) < (1 + believed) / 2
        public = rng.permutation(SIZE) < SHARE * SIZE
        found.append([np.sum(public & (right != (file > 0))) for file in files])
    return np.array(found)


@pytest.fixture(scope="module")
def files():
    """Return a model's sureness, and three files: its own, half turned, and one that shares most with the second."""
    rng = np.random.default_rng(1)
    sure = rng.uniform(0, 0.8, SIZE)
    second = np.where(np.arange(SIZE) < SIZE // 2, -1.0, 1.0)
    third = np.where(rng.random(SIZE) < 0.1, -second, second)
    return sure, [np.ones(SIZE), second, third]


def test_means_and_covariances_are_those_of_draws(files):
    """Of wrong public labels of three files; four standard errors, of which a tenth of a variance is more than that."""
    sure, sent = files
    wrong = drawn(20_000, sure, sent, np.random.default_rng(2))
    joint = Joint(sure)
    for file in sent:
        joint.hear(file, -np.inf, np.inf)
    for i in range(3):
        mean, error = le.mean_and_error(wrong[:, i])
        assert abs(joint.mean[i] - mean) < 4 * error
        for j in range(3):
            parts = (wrong[:, i] - wrong[:, i].mean()) * (wrong[:, j] - wrong[:, j].mean())
            mean, error = le.mean_and_error(parts)
            assert abs(joint.cov[i, j] - mean) < 4 * error
            assert i != j or 0.1 * mean > 4 * error


def test_an_answer_moves_the_belief_as_it_moves_draws(files):
    """The second file is better than its mean: so much better is the third, and by so much likelier are its labels."""
    sure, sent = files
    wrong = drawn(20_000, sure, sent, np.random.default_rng(3))
    joint = Joint(sure)
    _, _, _, var, _ = joint.moments(sent[1])
    before = joint.moments(sent[1])[0]
    joint.hear(sent[1], -np.inf, before - np.sqrt(var) / 2)
    heard = wrong[wrong[:, 1] < before - np.sqrt(var) / 2]
    mean, error = le.mean_and_error(heard[:, 1])
    assert abs(joint.at[0] - mean) < 4 * error + 0.5  # draws are whole numbers
    each, rest = joint.effects()
    mean, error = le.mean_and_error(heard[:, 2])
    assert abs(rest + each @ sent[2] - mean) < 4 * error + 0.5
    assert 0.1 * abs(rest + each @ sent[2] - joint.moments(sent[2])[0]) > 0.5


@pytest.mark.parametrize("rate", [0.2, 0.6])
def test_so_many_borders_are_crossed_on_average(rate):
    """By files at that height; a tenth more or less is another height."""
    width, spread = 36.0, 30.0
    high = height(rate, crossed(width, spread))
    luck = np.random.default_rng(4).normal(size=400_000)
    passed = sum(luck < -high - at / spread for at in (0, width / 2, 1.5 * width, 2.5 * width))
    mean, error = le.mean_and_error(passed)
    assert abs(mean - rate) < 4 * error < 0.1 * rate
    assert norm.cdf(-high) < rate


@pytest.mark.parametrize("labels", [2.0, 6.0])
def test_a_file_falls_by_so_many_labels_on_average(labels):
    """Where a test asks for a least gain, and a loss is exact; a tenth more or less is another height."""
    least, spread = 15.0, 14.0
    high = height(labels, fallen(least, spread))
    below = np.random.default_rng(5).normal(size=400_000) * spread + high * spread
    mean, error = le.mean_and_error(np.where(below < 0, least - below, 0))
    assert abs(mean - labels) < 4 * error < 0.1 * labels


def test_a_place_says_between_which_teams_a_file_is():
    """What is heard of each file holds of its wrong public labels; the files of a game stay near the next team."""
    rng, size = np.random.default_rng(5), 3 * SIZE
    labels, public = rng.integers(0, 2, size, dtype=np.uint8), rng.permutation(size) < SHARE * size
    sure = rng.uniform(0, 0.8, size)
    file = labels ^ (rng.random(size) > (1 + sure) / 2).astype(np.uint8)
    begin = fitted.Start(file, np.argsort(sure), sure)
    others = np.sort(rng.integers(300, 800, 100))
    eve, best, wrongs = Ranked(begin, rng, others), [size], []

    def submit(sent):
        wrongs.append(int(np.sum((sent != labels)[public])))
        best[0] = min(best[0], wrongs[-1])
        return 1 + np.sum(others <= best[0])

    eve.attack(submit, 40)
    heard = list(zip(eve.joint.low, wrongs, eve.joint.high, strict=False))
    assert len(wrongs) == len(heard) + 1 == 40
    assert all(low < wrong < high for low, wrong, high in heard)
    passed = [high - low for low, _, high in heard if high < np.inf]
    assert len(passed) >= 5
    assert max(passed[1:]) <= np.max(np.diff(np.append(others[:1] - 300, others)))
    silent = [(wrong - low) / eve.spread for low, wrong, high in heard if high == np.inf]
    assert np.mean(silent) < 2
