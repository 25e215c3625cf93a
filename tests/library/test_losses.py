"""Counts of wrong labels, and empirical risk."""

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
