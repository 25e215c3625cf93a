"""The metrics of scikit-learn, as functions of predictions, labels and weights."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._extras import extra

Floats = NDArray[np.float64]
#: What each kind of labels and predictions looks like, the widest first: the first that a scorer takes is its own.
KINDS: dict[str, tuple[list[Any], list[Any]]] = {
    "classes": (["a", "b", "c"], ["a", "b", "c"]),
    "numbers": ([0.25, 0.5, 1.0], [0.5, 0.25, 1.0]),
    "binary": ([0, 1, 1, 0], [0, 1, 0, 1]),
}


class Scorer:
    """A scorer of scikit-learn by its name; a loss without its prefix "neg_" is the loss itself."""

    def __init__(self, name: str) -> None:
        with extra("data"):
            from sklearn.metrics import get_scorer, get_scorer_names
        known = get_scorer_names()
        if name not in known and f"neg_{name}" not in known:
            raise ValueError(f"name must be one of sklearn.metrics.get_scorer_names(), such as 'roc_auc', got {name!r}")
        self.name = name
        self.larger_is_better = name in known
        self._score = get_scorer(name if name in known else f"neg_{name}")
        self._answers = _answers()
        self.targets = self._kind()
        self.takes_weights = self._takes_weights()
        ranks = self.targets == "binary" and self._answers.asked != "predict"
        explains = self.targets == "numbers" and f"neg_{name.removeprefix('neg_')}" not in known
        self.needs_spread = ("labels",) if ranks or explains else ()

    def _kind(self) -> str:
        """Return what labels and predictions are."""
        for kind, (predictions, labels) in KINDS.items():
            try:
                self._ask(np.array(predictions), np.array(labels))
            except (TypeError, ValueError):
                continue
            return kind
        raise ValueError(f"name must be a metric of one number or class for each entry, got {self.name!r}")

    def _takes_weights(self) -> bool:
        """Say whether the scorer takes weights of the entries."""
        predictions, labels = map(np.array, KINDS[self.targets])
        try:
            self._ask(predictions, labels, np.ones(len(labels)))
        except TypeError:
            return False
        return True

    def _ask(self, predictions: NDArray[Any], labels: NDArray[Any], weights: Floats | None = None) -> float:
        """Return what scikit-learn says; what it sets by convention comes without its warning."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            score = float(self._score(self._answers, predictions, labels, sample_weight=weights))
        return score if self.larger_is_better else -score

    def plain(self, predictions: NDArray[Any], labels: NDArray[Any], weights: Floats | None = None) -> float:
        """Return the score, NaN where it is undefined."""
        predictions, labels = _coded(predictions, labels)
        if weights is not None:
            some = weights > 0
            predictions, labels, weights = predictions[some], labels[some], weights[some]
        if self.needs_spread and (labels == labels[0]).all():
            return np.nan
        try:
            return self._ask(predictions, labels, weights)
        except ValueError as error:
            raise ValueError(f"predictions must be as {self.name!r} of scikit-learn takes them, got: {error}") from None

    def weighted(self, predictions: NDArray[Any], labels: NDArray[Any]) -> Callable[[Floats], Floats]:
        """Return the scores (…, B) of predictions (…, n) as a function of weights (B, n)."""
        rows, labels = _coded(predictions.reshape(-1, labels.size), labels)

        def scores(weights: Floats) -> Floats:
            found = np.array([[self.plain(row, labels, shares) for shares in weights] for row in rows])
            return found.reshape(*predictions.shape[:-1], len(weights))

        return scores


def _coded(predictions: NDArray[Any], labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return strings as whole numbers in their order, which scikit-learn takes."""
    if labels.dtype.kind != "T":
        return predictions, labels
    _, codes = np.unique(np.concatenate([labels, predictions.ravel()]), return_inverse=True)
    return codes[labels.size :].reshape(predictions.shape), codes[: labels.size]


def _answers() -> Any:
    """Return an estimator whose answers are what it is asked about, and which knows what it was asked for last."""
    from sklearn.base import BaseEstimator, ClassifierMixin

    class Answers(ClassifierMixin, BaseEstimator):
        classes_ = np.array([0, 1])

        def predict(self, answers: NDArray[Any]) -> NDArray[Any]:
            self.asked = "predict"
            return answers

        def decision_function(self, answers: NDArray[Any]) -> NDArray[Any]:
            self.asked = "decision_function"
            return answers

        def predict_proba(self, answers: NDArray[Any]) -> NDArray[Any]:
            self.asked = "predict_proba"
            return np.column_stack([1 - answers, answers])

    return Answers()
