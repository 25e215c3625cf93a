"""Full disclosure, and what every mechanism keeps to itself."""

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le


def release(wrong, n, precision=None):
    """Submit a vector with `wrong` of `n` labels wrong."""
    return le.FullDisclosure(np.zeros(n), precision=precision).submit(np.arange(n) < wrong)


def test_rounding_is_half_up():
    """The release is the loss rounded half up to 1/m in exact arithmetic, for every small count, size and grid."""
    for n in range(1, 13):
        for m in range(1, 13):
            for wrong in range(n + 1):
                level = floor(Fraction(wrong * m, n) + Fraction(1, 2))
                assert release(wrong, n, Fraction(1, m)) == level / m


@given(n=st.integers(1, 300), m=st.integers(1, 10**6), data=st.data())
def test_rounding_moves_by_half_a_step_at_most(n, m, data):
    wrong = data.draw(st.integers(0, n))
    shown = release(wrong, n, Fraction(1, m))
    assert abs(shown - wrong / n) <= 0.5 / m + 1e-12
    assert 0 <= shown <= 1
    if wrong:
        assert release(wrong - 1, n, Fraction(1, m)) <= shown


@pytest.mark.parametrize("precision", ["1/100", "0.01", 0.01, Fraction(1, 100), np.float64(0.01)])
def test_ways_to_write_a_grid(precision):
    assert release(1, 3, precision) == 0.33


def test_unrounded():
    assert [release(wrong, 8) for wrong in range(9)] == [wrong / 8 for wrong in range(9)]


def test_a_grid_of_one():
    assert [release(wrong, 2, 1) for wrong in range(3)] == [0, 1, 1]


def test_labels_are_copied():
    labels = np.zeros(4, dtype=np.uint8)
    account = le.FullDisclosure(labels)
    labels[:] = 1
    assert account.submit([0, 0, 0, 0]) == 0


def test_transcript_holds_what_was_seen():
    account = le.FullDisclosure([0, 1, 1, 0], precision="1/10")
    assert account.transcript == ()
    predictions = np.array([0, 1, 1, 1])
    released = account.submit(predictions)
    predictions[:] = 0
    account.submit([0, 0, 0, 0])
    (first, shown), (second, _) = account.transcript
    assert (first.tolist(), shown) == ([0, 1, 1, 1], released)
    assert second.tolist() == [0, 0, 0, 0]
    assert shown == 0.3


def test_transcript_is_read_only():
    account = le.FullDisclosure([0, 1])
    account.submit([0, 0])
    with pytest.raises(ValueError, match="read-only"):
        account.transcript[0][0][0] = 1
    with pytest.raises(AttributeError):
        account.transcript = ()
    with pytest.raises(AttributeError):
        account.transcript.clear()


def test_nothing_public_but_the_interface():
    account = le.FullDisclosure([0, 1])
    assert {name for name in dir(account) if not name.startswith("_")} == {"larger_is_better", "submit", "transcript"}
    assert account.larger_is_better is False


def test_a_mechanism_says_what_it_releases():
    with pytest.raises(TypeError, match="abstract"):
        le.Mechanism([0, 1])
