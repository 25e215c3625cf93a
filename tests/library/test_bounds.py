"""The bounds as functions; what they state is tested in tests/theorems."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

deviations = st.floats(0, 1)
sizes = st.integers(1, 10**6)


@given(epsilon=deviations, n=sizes, k=sizes)
def test_probabilities(epsilon, n, k):
    bound = le.union_bound(epsilon, n=n, k=k)
    assert type(bound) is float
    assert 0 <= le.hoeffding(epsilon, n=n) <= bound <= 1
    assert le.union_bound(epsilon, n=n + 1, k=k) <= bound <= le.union_bound(epsilon, n=n, k=k + 1)


@given(n=st.integers(1, 3000), k=st.integers(1, 3000), keep=st.sampled_from(["aligned", "half"]))
def test_accuracy_is_between_a_half_and_one(n, k, keep):
    accuracy = le.boosting_accuracy(n=n, k=k, keep=keep)
    assert type(accuracy) is float
    assert 0.5 <= accuracy <= 1


@pytest.mark.parametrize("keep", ["aligned", "half"])
def test_more_submissions_help(keep):
    values = [le.boosting_accuracy(n=100, k=k, keep=keep) for k in range(1, 60)]
    assert all(after >= before - 1e-12 for before, after in pairwise(values))
    assert values[-1] > values[0] + 0.1


def test_large_deviations():
    assert le.hoeffding(1e6, n=10) == 0
