"""Metrics of scikit-learn: what it says itself, with weights and ties, in its direction, and what is undefined."""

import builtins
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import leaderboard_edu as le

skm = pytest.importorskip("sklearn.metrics")
MATRICES = ("f1_samples", "jaccard_samples", "precision_samples", "recall_samples")  # several labels for each entry
NAMES = [name for name in skm.get_scorer_names() if name not in MATRICES]
METRICS = {name: le.Metric.from_sklearn(name) for name in NAMES}
CLASSES = np.array(["ant", "bee", "cow"])
#: By functions, so that the direction is not the scorer's word; the last of a row says whether larger is better.
BY_HAND = {
    "roc_auc": (skm.roc_auc_score, True),
    "average_precision": (skm.average_precision_score, True),
    "log_loss": (skm.log_loss, False),
    "brier_score": (skm.brier_score_loss, False),
    "neg_log_loss": (lambda y, p, **more: -skm.log_loss(y, p, **more), True),
    "f1": (lambda y, p, **more: skm.f1_score(y, p, zero_division=0, **more), True),
    "f1_macro": (lambda y, p, **more: skm.f1_score(y, p, average="macro", **more), True),
    "accuracy": (skm.accuracy_score, True),
    "balanced_accuracy": (skm.balanced_accuracy_score, True),
    "matthews_corrcoef": (skm.matthews_corrcoef, True),
    "r2": (skm.r2_score, True),
    "mean_squared_error": (skm.mean_squared_error, False),
    "median_absolute_error": (skm.median_absolute_error, False),
    "root_mean_squared_error": (skm.root_mean_squared_error, False),
}


def drawn(metric, rng, n, ties):
    """Return predictions and labels as the metric takes them; two classes at least occur."""
    if metric.targets == "classes":
        return CLASSES[rng.integers(0, 3, n)], CLASSES[np.r_[0, 1, rng.integers(0, 3, n - 2)]]
    labels = np.r_[0, 1, rng.integers(0, 2, n - 2)] if metric.targets == "binary" else rng.uniform(0.1, 2, n)
    if metric.targets == "binary" and not metric.needs_spread:
        return np.r_[0, 1, rng.integers(0, 2, n - 2)], labels
    predictions = rng.uniform(0.01, 0.99, n)
    return (predictions.round(1).clip(0.1, 0.9) if ties else predictions), labels


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@pytest.mark.parametrize("name", BY_HAND)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 40), ties=st.booleans())
def test_by_the_functions(name, seed, n, ties):
    """The value to the last digit, and with weights what scikit-learn says of them."""
    metric, (function, larger) = le.Metric.from_sklearn(name), BY_HAND[name]
    rng = np.random.default_rng(seed)
    p, y = drawn(metric, rng, n, ties)
    assert metric.larger_is_better is larger
    assert metric(p, y) == function(y, p)
    weights = rng.exponential(size=(3, n))
    expected = [function(y, p, sample_weight=row) for row in weights]
    assert metric(p, y, weights=weights) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_every_scorer_of_one_number_or_class(name):
    """It prefers the truth, and a matrix of predictions has a row of scores for each."""
    metric, rng = METRICS[name], np.random.default_rng(3)
    p, y = drawn(metric, rng, 30, ties=True)
    truth = np.clip(y, 0.01, 0.99) if metric.needs_spread and metric.targets == "binary" else y
    best, other = metric(truth, y), metric(p, y)
    if name != "positive_likelihood_ratio":  # infinite for the truth, and scikit-learn then says 1
        assert best >= other if metric.larger_is_better else best <= other
    own, labels = metric.checked(p, "predictions"), metric.checked(y, "labels")
    counts = rng.multinomial(30, np.full(30, 1 / 30), size=4).astype(float)
    together = metric.law(np.stack([own, metric.checked(truth, "predictions")]), labels)(counts)
    assert together.shape == (2, 4)
    for row, share in zip(together[0], counts, strict=True):
        i = np.repeat(np.arange(30), share.astype(int))
        if len(set(y[i])) > 1:
            assert row == pytest.approx(metric(p[i], y[i]), abs=1e-9, nan_ok=True)


def test_weights_where_scikit_learn_takes_them():
    """The others are resampled."""
    plain = {name for name, metric in METRICS.items() if metric.weighted is None}
    assert {"rand_score", "adjusted_rand_score", "neg_max_error"} <= plain
    assert not plain & {"accuracy", "average_precision", "f1", "neg_log_loss", "r2", "roc_auc"}
    with pytest.raises(ValueError, match=r"^weights must be None for 'max_error', which is no function of weights$"):
        le.Metric.from_sklearn("max_error")([1, 2], [1, 3], weights=[[1, 2]])


@pytest.mark.parametrize("name", ["roc_auc", "log_loss", "r2"])
def test_undefined_is_nan_or_refused(name):
    """Constant labels leave it undefined: of the holdout set they are refused, of a weighting they give NaN."""
    metric = le.Metric.from_sklearn(name)
    with pytest.raises(ValueError, match=f"^labels must not be constant, which leaves '{name}' undefined, got 1.0$"):
        le.FullDisclosure([1, 1, 1], metric=metric)
    scores = metric([0.25, 0.75, 0.5, 0.75], [0, 1, 0, 1], weights=[[1, 0, 1, 0], [1, 1, 1, 1]])
    assert np.isnan(scores[0])
    assert np.isfinite(scores[1])


def test_what_is_zero_by_convention_stays_zero():
    """Without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert le.Metric.from_sklearn("f1")([0, 0], [0, 0]) == 0
        assert le.Metric.from_sklearn("precision")([0, 0], [0, 1]) == 0


@pytest.mark.parametrize(
    "make", [le.FullDisclosure, lambda y, metric: le.BayesBootLadder(y, metric=metric, rng=np.random.default_rng(0))]
)
@pytest.mark.parametrize("name", ["roc_auc", "f1", "average_precision"])
@pytest.mark.parametrize("labels", [[0, 1, 2], ["no", "yes", "no"], [1, 2, 1]], ids=["three", "words", "one and two"])
def test_two_classes_are_zero_and_one(make, name, labels):
    """What stands for the positive class is never guessed."""
    got = re.escape(repr(next(y for y in labels if y not in (0, 1))))
    with pytest.raises(
        ValueError, match=rf"^labels must hold only 0 and 1, as '{name}' is of two classes: .*, got {got}$"
    ):
        make(labels, metric=le.Metric.from_sklearn(name))


@pytest.mark.parametrize(
    ("name", "predictions", "said"),
    [
        (
            "log_loss",
            [0.5, 1.5, 0.5],
            r"^predictions must be as 'log_loss' of scikit-learn takes them, got: .*greater than",
        ),
        ("f1", [0.5, 0.25, 0.5], r"^predictions must be as 'f1' of scikit-learn takes them, got: .*continuous"),
        ("roc_auc", ["a", "b", "a"], r"^predictions must hold numbers, got 'a'$"),
        (
            "roc_auc",
            np.full((3, 2), 0.5),
            r"^predictions must be one-dimensional, .* or values\[:, 1\] for scores, got",
        ),
        ("accuracy", ["a", "b", "a"], r"^predictions must be numbers, as the labels are"),
    ],
)
def test_predictions_that_are_refused(name, predictions, said):
    account = le.FullDisclosure([0, 1, 1], metric=le.Metric.from_sklearn(name))
    with pytest.raises(ValueError, match=said):
        account.submit(predictions)
    assert account.transcript == ()


@pytest.mark.parametrize("name", ["auc", "ROC_AUC", "", None, 3, ["roc_auc"], *MATRICES])
def test_unknown_names(name):
    with pytest.raises(ValueError, match=rf"^name must be .*, got {re.escape(repr(name))}$"):
        le.Metric.from_sklearn(name)


def test_a_missing_package_says_what_to_install(monkeypatch):
    found = builtins.__import__

    def absent(name, *more):
        if name.startswith("sklearn"):
            raise ModuleNotFoundError(f"No module named {name!r}", name="sklearn")
        return found(name, *more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(
        ModuleNotFoundError, match=r"^sklearn is not installed; .*: pip install 'leaderboard-edu\[data\]'$"
    ):
        le.Metric.from_sklearn("roc_auc")


def test_ten_classes_as_words_under_a_bootstrap():
    """Strings are weighted and resampled; the better file is accepted, the worse one is not."""
    rng = np.random.default_rng(0)
    names = np.array([f"class {i}" for i in range(10)])
    labels = rng.integers(0, 10, 400)
    good, bad = (np.where(rng.random(400) < share, labels, rng.integers(0, 10, 400)) for share in (0.9, 0.2))
    for name in ("f1_macro", "adjusted_rand_score"):
        metric = le.Metric.from_sklearn(name)
        account = le.BayesBootLadder(names[labels], metric=metric, n_posterior=20, rng=rng)
        assert account.submit(names[bad]) < account.submit(names[good]) == account.submit(names[bad])
        boot = le.BayesBootLadderBoot(names[labels], metric=metric, n_posterior=20, n_bootstrap=5, rng=rng)
        assert boot.submit(names[good]) == pytest.approx(metric(names[good], names[labels]), abs=0.1)
