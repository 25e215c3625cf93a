"""Full disclosure, the Ladders, and what every mechanism keeps to itself."""

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


LADDERS = [le.Ladder, le.SimplifiedLadder]
MECHANISMS = [le.FullDisclosure, *LADDERS]
wrongs = st.lists(st.integers(0, 24), min_size=1, max_size=12)


def submit(account, wrong, n):
    """Submit a vector with `wrong` of `n` zero labels wrong."""
    return account.submit(np.arange(n) < wrong)


@pytest.mark.parametrize("mechanism", LADDERS)
@given(counts=wrongs, m=st.integers(1, 30), seed=st.integers(0, 2**32 - 1))
def test_releases_of_a_ladder(mechanism, counts, m, seed):
    """Multiples of eta that never rise; the first is the rounded loss, however bad; only the count decides."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 24)
    account, plain = mechanism(labels, eta=1 / m), mechanism(np.zeros(24), eta=1 / m)
    shown = [account.submit(labels ^ rng.permutation(np.arange(24) < wrong)) for wrong in counts]
    assert shown == [submit(plain, wrong, 24) for wrong in counts]
    assert shown == sorted(shown, reverse=True)
    assert set(shown) <= {j / m for j in range(m + 1)}
    assert shown[0] == release(counts[0], 24, Fraction(1, m))
    assert {type(released) for released in shown} == {float}


@pytest.mark.parametrize(("mechanism", "last"), [(le.Ladder, 0.33), (le.SimplifiedLadder, 0.32)])
@pytest.mark.parametrize("eta", ["1/100", "0.01", "1e-2", 0.01, Fraction(1, 100), np.float64(0.01), None])
def test_ways_to_write_a_step(mechanism, last, eta):
    """All mean 1/100, and so does no step at all: losses of 66/99, 33/99 and 32/99 show it."""
    account = mechanism(np.zeros(99)) if eta is None else mechanism(np.zeros(99), eta=eta)
    assert [submit(account, wrong, 99) for wrong in (66, 33, 32)] == [0.67, 0.33, last]


@pytest.mark.parametrize("mechanism", LADDERS)
def test_a_refused_submission_leaves_no_trace(mechanism):
    disturbed, left_alone = (mechanism(np.zeros(20), eta="1/10") for _ in range(2))
    bad = ([0] * 19, [2] * 20, [0.5] * 20, None, [[0] * 20])
    for wrong in (18, 11, 12, 3, 0):
        for predictions in bad:
            before = disturbed._best
            with pytest.raises(ValueError, match=r"^predictions must "):
                disturbed.submit(predictions)
            assert disturbed._best is before
        assert submit(disturbed, wrong, 20) == submit(left_alone, wrong, 20)
    assert len(disturbed.transcript) == 5


@pytest.mark.parametrize(
    ("mechanism", "shown", "rank_of_bob"),
    [(le.Ladder, [0.5, 0.5, 0.4, 0.4], 1), (le.SimplifiedLadder, [0.5, 0.4, 0.4, 0.3], 2)],
)
def test_accounts_on_a_board(mechanism, shown, rank_of_bob):
    """Each account has a Ladder of its own; the board ranks what was released, not the losses."""
    board = le.Leaderboard(np.zeros(100), mechanism=lambda labels: mechanism(labels, eta="1/10"))
    for wrong, released in zip((50, 44, 39, 34), shown, strict=True):
        assert board.submit("ann", np.arange(100) < wrong) == released
        assert board.submit("bob", np.arange(100) < 44) == 0.4
    rows = [(row.rank, row.account, row.score, row.submissions) for row in board.standings()]
    assert rows == [(1, "ann", shown[-1], 4), (rank_of_bob, "bob", 0.4, 4)]


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_labels_are_copied(mechanism):
    labels = np.zeros(4, dtype=np.uint8)
    account = mechanism(labels)
    labels[:] = 1
    assert account.submit([0, 0, 0, 0]) == 0


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_transcript_holds_what_was_seen(mechanism):
    account = mechanism([0, 1, 1, 0], **{"precision" if mechanism is le.FullDisclosure else "eta": "1/10"})
    assert account.transcript == ()
    predictions = np.array([0, 1, 1, 1])
    released = account.submit(predictions)
    predictions[:] = 0
    later = account.submit([0, 0, 0, 0])
    (first, shown), (second, last) = account.transcript
    assert (first.tolist(), shown) == ([0, 1, 1, 1], released)
    assert second.tolist() == [0, 0, 0, 0]
    assert (shown, last) == (0.3, 0.5 if mechanism is le.FullDisclosure else 0.3)
    assert last == later


def test_transcript_is_read_only():
    account = le.FullDisclosure([0, 1])
    account.submit([0, 0])
    with pytest.raises(ValueError, match="read-only"):
        account.transcript[0][0][0] = 1
    with pytest.raises(AttributeError):
        account.transcript = ()
    with pytest.raises(AttributeError):
        account.transcript.clear()


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_nothing_public_but_the_interface(mechanism):
    account = mechanism([0, 1])
    assert isinstance(account, le.Mechanism)
    assert {name for name in dir(account) if not name.startswith("_")} == {"larger_is_better", "submit", "transcript"}
    assert account.larger_is_better is False


def test_a_mechanism_says_what_it_releases():
    with pytest.raises(TypeError, match="abstract"):
        le.Mechanism([0, 1])
