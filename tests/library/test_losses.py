"""Counts of wrong labels, empirical risk, and the loss of each entry."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

pairs = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=100)


@given(pairs=pairs)
def test_count_and_risk(pairs):
    predictions, labels = map(list, zip(*pairs, strict=True))
    wrong = sum(u != y for u, y in pairs)
    flipped = [1 - u for u in predictions]
    assert le.count_wrong(predictions, labels) == wrong == len(pairs) - le.count_wrong(flipped, labels)
    assert le.empirical_risk(predictions, labels) == wrong / len(pairs)


def test_kinds_of_binary_vectors():
    assert le.count_wrong((True, False, True), [1.0, 1.0, 0.0]) == 2
    assert type(le.count_wrong([0], [1])) is int


class Witness(le.ParameterFreeLadder):
    """Releases nothing of interest, and keeps the losses that it was given."""

    def _show(self, losses):
        self.losses = losses
        return 0.0


def losses(predictions, labels, **options):
    account = Witness(labels, **options)
    account.submit(predictions)
    return account.losses


quarters = st.integers(-40, 40).map(lambda q: q / 4)


@given(pairs=st.lists(st.tuples(quarters, quarters), min_size=1, max_size=20))
def test_loss_of_each_entry(pairs):
    predictions, labels = map(list, zip(*pairs, strict=True))
    assert losses(predictions, labels, loss="squared").tolist() == [(u - y) * (u - y) for u, y in pairs]
    assert losses(predictions, labels, loss="absolute").tolist() == [max(u, y) - min(u, y) for u, y in pairs]


@given(pairs=pairs)
def test_losses_agree_on_binary_labels(pairs):
    predictions, labels = map(np.array, zip(*pairs, strict=True))
    wrong = [int(u != y) for u, y in pairs]
    for options in ({}, {"loss": "zero_one"}, {"loss": "squared"}, {"loss": "absolute"}):
        for kind in (np.uint8, np.int64, bool, float):
            found = losses(predictions.astype(kind), labels.astype(kind), **options)
            assert found.tolist() == wrong
            assert found.dtype == (np.float64 if options.get("loss", "zero_one") != "zero_one" else np.uint8)


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_small_whole_numbers_do_not_wrap(loss):
    """Bytes are made floats before they are subtracted."""
    small = np.array([0, 3], dtype=np.uint8)
    assert losses(small, small[::-1], loss=loss).tolist() == ([9, 9] if loss == "squared" else [3, 3])
