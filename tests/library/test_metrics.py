"""Metrics: the score itself, the score of a weighted holdout set, and resamples."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import leaderboard_edu as le
from leaderboard_edu import metrics

ORACLES = {
    "mse": lambda p, y: np.mean((p - y) ** 2),
    "mae": lambda p, y: np.mean(np.abs(p - y)),
    "zero_one": lambda p, y: np.mean(p != y),
    "pearson": lambda p, y: scipy.stats.pearsonr(p, y)[0],
    "spearman": lambda p, y: scipy.stats.spearmanr(p, y)[0],
    "lin_concordance": lambda p, y: (
        2 * np.mean((p - p.mean()) * (y - y.mean())) / (p.var() + y.var() + (p.mean() - y.mean()) ** 2)
    ),
}
WEIGHTED = [name for name, metric in le.METRICS.items() if metric.weighted is not None]


def vectors(seed, n, ties):
    """Return predictions and labels that are related, with ties if asked for."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    p = y + rng.normal(size=n)
    return (p.round(), y.round()) if ties else (p, y)


def test_known_metrics_and_their_direction():
    assert {name for name, metric in le.METRICS.items() if metric.larger_is_better} == {
        "pearson",
        "spearman",
        "lin_concordance",
        "c_index",
    }
    assert set(ORACLES) == set(WEIGHTED)
    assert set(le.METRICS) - set(WEIGHTED) == {"c_index"}


@pytest.mark.parametrize("name", WEIGHTED)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 40), ties=st.booleans())
def test_whole_weights_repeat_entries(name, seed, n, ties):
    """The score under whole weights is that of a longer holdout set, by an independent formula."""
    p, y = vectors(seed, n, ties or name == "zero_one")
    counts = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n))
    entries = np.repeat(np.arange(n), counts)
    if len(set(p[entries])) > 1 and len(set(y[entries])) > 1:
        expected = ORACLES[name](p[entries], y[entries])
        assert le.METRICS[name](p, y, weights=[counts]) == pytest.approx([expected], abs=1e-9)
        assert le.METRICS[name](p[entries], y[entries]) == pytest.approx(expected, abs=1e-9)


def pairs_in_order(p, y):
    """Return the share of pairs, of a 0 and a 1, in which the 1 has the higher score; a tie counts half."""
    gaps = np.subtract.outer(p[y == 1], p[y == 0])
    return np.mean((gaps > 0) + (gaps == 0) / 2)


SCIKIT = {
    "roc_auc": pairs_in_order,
    "accuracy": lambda p, y: np.mean(p == y),
    "balanced_accuracy": lambda p, y: np.mean([np.mean(p[y == label] == label) for label in np.unique(y)]),
    "mean_squared_error": lambda p, y: np.mean((p - y) ** 2),
    "max_error": lambda p, y: np.max(np.abs(p - y)),
}


@pytest.mark.parametrize("name", SCIKIT)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 30))
def test_metrics_of_scikit_learn_with_ties_and_weights(name, seed, n):
    """By independent formulas; whole weights repeat entries, also where there is no weighted form."""
    rng = np.random.default_rng(seed)
    y, p = np.r_[0, 1, rng.integers(0, 2, n)], rng.integers(0, 2 if "accuracy" in name else 4, n + 2)
    counts = np.r_[1, 1, rng.multinomial(n, np.full(n, 1 / n))]
    metric, more = le.Metric.from_sklearn(name), np.repeat(np.arange(n + 2), counts)
    assert metric(p, y) == pytest.approx(SCIKIT[name](p, y))
    expected = pytest.approx([SCIKIT[name](p, y), SCIKIT[name](p[more], y[more])])
    assert metric.law(p, y)(np.array([np.ones(n + 2), counts])) == expected
    assert (metric.weighted is None) == (name == "max_error")
    if metric.weighted is not None:
        assert metric(p, y, weights=[np.full(n + 2, 0.5), counts / 7]) == expected


@pytest.mark.parametrize("name", ["pearson", "spearman"])
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-8, 1, 1e8]))
def test_equal_values_leave_a_correlation_undefined(name, seed, scale):
    """Also where rounding leaves a variance; a value of weight 0 does not count, however far away it is."""
    rng = np.random.default_rng(seed)
    p, y = np.r_[np.full(6, 0.1), 0.7, 1e9] * scale, np.r_[rng.random(6), 0.3, 0.2]
    few = np.r_[rng.integers(0, 5, 5), 1, 0, 0]
    assert np.isnan(le.METRICS[name](p, y, weights=[few])).all()
    assert np.isnan(le.METRICS[name](y, p, weights=[few])).all()
    more = np.r_[1, 1, 1, 1, 1, 1, 2, 0]
    repeated = ORACLES[name](np.repeat(p, more), np.repeat(y, more))
    assert le.METRICS[name](p, y, weights=[more])[0] == pytest.approx(repeated, abs=1e-9)


def test_a_far_value_without_weight_costs_no_digits():
    """Both forms of moments, against the list without it."""
    p, y = np.r_[1e9, 1, 2, 3, 4, 5], np.r_[0, 1, 3, 2, 5, 4.0]
    for name in ("pearson", "lin_concordance"):
        weighted = le.METRICS[name](p, y, weights=[[0, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]])
        assert weighted == pytest.approx([le.METRICS[name](p[1:], y[1:]), le.METRICS[name](p, y)], abs=1e-9)


def test_resamples_come_in_blocks(monkeypatch):
    """The same scores, as a multiset, however many are held at a time; the undefined ones are drawn again."""
    p, y = np.r_[np.full(6, 0.1), 0.7], np.r_[np.full(6, 0.3), 0.2]
    whole = le.METRICS["pearson"].resampled(p, y, draws=500, rng=np.random.default_rng(1))
    assert whole == pytest.approx(np.full(500, -1.0))
    monkeypatch.setattr("leaderboard_edu.metrics.ENTRIES", 70)
    p, y = vectors(1, 7, ties=False)
    small = le.METRICS["pearson"].resampled(p, y, draws=500, rng=np.random.default_rng(1))
    monkeypatch.undo()
    whole = le.METRICS["pearson"].resampled(p, y, draws=500, rng=np.random.default_rng(1))
    assert np.sort(small) == pytest.approx(np.sort(whole))


@pytest.mark.parametrize("name", ["pearson", "c_index", "lin_concordance"])
def test_resamples_of_an_undefined_score_are_refused(name):
    """They would be drawn again for ever."""
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"^predictions must have a finite score, got nan"):
        le.METRICS[name].resampled(np.ones(4), np.ones(4), draws=3, rng=rng)
    assert rng.random() == np.random.default_rng(0).random()


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_are_shares(name):
    """Multiplying weights changes nothing, and rows are scored one by one."""
    p, y = vectors(1, 12, ties=name == "zero_one")
    weights = np.random.default_rng(2).exponential(size=(5, 12))
    together = le.METRICS[name](p, y, weights=weights)
    assert together == pytest.approx(le.METRICS[name](p, y, weights=7 * weights))
    assert together == pytest.approx([le.METRICS[name](p, y, weights=[row])[0] for row in weights])


@pytest.mark.parametrize("name", WEIGHTED)
def test_many_submissions_at_once(name):
    """A matrix of predictions gives a row of scores for each."""
    rng = np.random.default_rng(3)
    y, predictions, weights = rng.normal(size=10), rng.normal(size=(4, 10)), rng.exponential(size=(6, 10))
    if name == "zero_one":
        y, predictions = y.round(), predictions.round()
    together = le.METRICS[name].law(predictions, y)(weights)
    assert together.shape == (4, 6)
    for row, p in zip(together, predictions, strict=True):
        assert row == pytest.approx(le.METRICS[name](p, y, weights=weights))


def test_c_index_counts_pairs():
    """By listing all pairs; ties of the predictions count half, pairs with equal labels do not count."""
    p, y = np.array([1.0, 1, 3, 0, 2]), np.array([1.0, 2, 2, 0, 3])
    pairs = [(i, j) for i, j in itertools.permutations(range(5), 2) if y[i] < y[j]]
    right = sum(1 if p[i] < p[j] else 0.5 if p[i] == p[j] else 0 for i, j in pairs)
    assert le.METRICS["c_index"](p, y) == pytest.approx(right / len(pairs))
    assert le.METRICS["c_index"]([5, 5, 5], [1, 2, 3]) == 0.5  # a tie of all counts half


def test_own_metric_is_resampled():
    """A plain function is enough: its resamples are those of the entries."""
    median = le.Metric("median error", False, plain=lambda p, y: float(np.median(np.abs(p - y))))
    p, y = vectors(4, 15, ties=False)
    drawn = median.resampled(p, y, draws=200, rng=np.random.default_rng(5))
    assert median(p, y) == np.median(np.abs(p - y))
    assert set(drawn.round(12)) <= set(np.abs(p - y).round(12))  # n is odd: a median is an entry
    assert len(set(drawn)) > 3


def test_undefined_resamples_are_drawn_again():
    """Of two entries half of the resamples are constant."""
    drawn = le.METRICS["pearson"].resampled(
        np.array([0.0, 1.0]), np.array([0.0, 1.0]), draws=100, rng=np.random.default_rng(6)
    )
    assert (drawn == 1).all()


def test_weights_of_the_bayesian_bootstrap_are_uniform():
    """The share of an entry is Beta(1, n-1): its mean, and its distribution by Kolmogorov and Smirnov."""
    weights = le.METRICS["mse"].draw_weights(4000, 5, np.random.default_rng(7))
    shares = weights / weights.sum(axis=1, keepdims=True)
    for entry in shares.T:
        assert scipy.stats.kstest(entry, scipy.stats.beta(1, 4).cdf).pvalue > 1e-4
    assert scipy.stats.kstest(shares[:, 0], scipy.stats.beta(1, 5).cdf).pvalue < 1e-4  # the nearest wrong law


def test_weighted_correlations_stay_in_range():
    """Also when rounding would put a perfect one beyond."""
    y = np.array([0.1, 0.2, 0.3])
    weights = np.random.default_rng(8).exponential(size=(1000, 3))
    for name in ("pearson", "spearman"):
        assert np.abs(le.METRICS[name](y * 3, y, weights=weights)).max() <= 1


def test_a_common_offset_costs_no_digits():
    """Covariances are taken about the mean."""
    p, y = vectors(9, 30, ties=False)
    for name in ("pearson", "lin_concordance"):
        assert le.METRICS[name](p + 1e7, y + 1e7) == pytest.approx(le.METRICS[name](p, y), abs=1e-7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m["pearson"]([1, 1], [1, 2]), "predictions must not be constant, which leaves 'pearson' undefined"),
        (lambda m: m["spearman"]([1, 2], [3, 3]), "labels must not be constant, which leaves 'spearman' undefined"),
        (lambda m: m["c_index"]([1, 2], [3, 3]), "labels must not be constant, which leaves 'c_index' undefined"),
        (lambda m: m["mse"]([1, math.nan], [1, 2]), "predictions must be finite, got nan"),
        (lambda m: m["mse"]([1], [1, 2]), "predictions must have 2 entries, got 1"),
        (
            lambda m: m["mse"]([1, 2], [1, 2], weights=[[1, -1]]),
            "weights must be nonnegative and not all zero in a row",
        ),
        (lambda m: m["mse"]([1, 2], [1, 2], weights=[[0, 0]]), "weights must be nonnegative and not all zero in a row"),
        (lambda m: m["mse"]([1, 2], [1, 2], weights=[1, 1]), r"weights must be a matrix with rows and columns, got"),
        (lambda m: m["mse"]([1, 2], [1, 2], weights=[[1, 1, 1]]), "weights must have 2 columns, got 3"),
        (lambda m: m["c_index"]([1, 2], [1, 2], weights=[[1, 1]]), "weights must be None for 'c_index'"),
        (lambda m: le.Metric("own", True), "weighted or plain must be given for 'own', got None for both"),
        (
            lambda m: m["mse"].resampled(np.ones(2), np.ones(2), draws=0, rng=np.random.default_rng(0)),
            "draws must be a whole number of at least 1",
        ),
    ],
)
def test_bad_input_names_the_argument(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call(le.METRICS)


def test_deviations_from_weighted_means_give_the_same():
    """A far label without weight, or a common part: what is taken again by deviations is the value without it."""
    p, y = np.r_[0, 5, 3, 2, 1, 4.0] + 2, np.r_[1e9, 1, 2, 3, 4, 5]
    weights = [[0, 1, 1, 1, 1, 1]]
    for name in ("lin_concordance", "pearson"):
        metric = le.METRICS[name]
        assert metric(p, y, weights=weights) == pytest.approx([metric(p[1:], y[1:])], abs=1e-9)
        common = np.r_[0, 1e6 + np.arange(5)]
        assert metric(p, common, weights=weights) == pytest.approx([metric(p[1:], common[1:])], rel=1e-9)
    assert le.METRICS["spearman"]([1, 2, 3], [1, 3, 2], weights=[[1e-12, 1, 1e-13]]) == pytest.approx(9 / 11)
    for seed in range(20):  # a perfect order, however its sums are rounded
        y = np.random.default_rng(seed).normal(size=5)
        shares = np.random.default_rng(seed).exponential(size=(50, 5))
        assert le.METRICS["spearman"](-y, y, weights=shares).min() >= -1
        far, shares = np.r_[1e9, y], np.c_[np.zeros(50), shares]
        assert le.METRICS["pearson"](3 * far, far, weights=shares).max() <= 1


@pytest.mark.parametrize("scale", [1e-160, 1e-100, 1e100, 1e160])
def test_pearson_has_no_units(scale):
    p, y = np.array([1.0, 2, 4]), np.array([1.0, 3, 2])
    assert le.METRICS["pearson"](p * scale, y * scale) == pytest.approx(le.METRICS["pearson"](p, y))
    assert le.METRICS["pearson"](p * scale, y / scale) == pytest.approx(le.METRICS["pearson"](p, y))
    assert le.METRICS["pearson"]([0, 1e-13], [0, 1]) == 1


def test_resamples_of_several_submissions_are_defined_for_all():
    """A resample on which one of them is undefined is drawn again; a whole score that is not finite is refused."""
    y, two = np.arange(3.0), np.array([[0.0, 1, 2], [1, 1, 2]])
    found = le.METRICS["pearson"].resampled(two, y, draws=200, rng=np.random.default_rng(0))
    assert found.shape == (2, 200)
    assert np.isfinite(found).all()
    for one in (np.zeros(3), np.array([1e200, 0, 0])):
        metric = le.METRICS["mse" if one.any() else "pearson"]
        with pytest.raises(ValueError, match=r"^predictions must have a finite score, got"):
            metric.resampled(np.array([y, one]), y, draws=2, rng=np.random.default_rng(0))


def test_many_small_blocks_are_no_failure(monkeypatch):
    monkeypatch.setattr(metrics, "ENTRIES", 1)
    found = le.METRICS["mse"].resampled(np.ones(2), np.zeros(2), draws=metrics.TRIES + 5, rng=np.random.default_rng(0))
    assert found.shape == (metrics.TRIES + 5,)


def test_resampling_gives_up():
    """An own metric that is defined on no resample but the holdout set itself."""
    rare = le.Metric("rare", True, plain=lambda p, y: 1.0 if len(set(p.tolist())) == p.size else math.nan)
    with pytest.raises(ValueError, match=r"^metric must be defined on resamples, got 'rare' undefined on \d+"):
        rare.resampled(np.arange(40.0), np.arange(40.0), draws=1, rng=np.random.default_rng(0))
