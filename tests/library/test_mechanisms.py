"""Full disclosure, the Ladders, and what every mechanism keeps to itself."""

from fractions import Fraction
from itertools import product
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
MECHANISMS = [le.FullDisclosure, *LADDERS, le.ParameterFreeLadder]
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


@pytest.mark.parametrize(
    ("mechanism", "options"),
    [(le.Ladder, {"eta": "1/10"}), (le.SimplifiedLadder, {"eta": "1/10"}), (le.ParameterFreeLadder, {})],
)
def test_a_refused_submission_leaves_no_trace(mechanism, options):
    disturbed, left_alone = (mechanism(np.zeros(20), **options) for _ in range(2))
    bad = ([0] * 19, ["0"] * 20, [0.5] * 20, None, [[0] * 20])
    for wrong in (18, 11, 12, 3, 0):
        for predictions in bad:
            before = disturbed.accepted
            with pytest.raises(ValueError, match=r"^predictions must "):
                disturbed.submit(predictions)
            assert disturbed.accepted == before
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


@pytest.mark.parametrize(
    ("mechanism", "options", "expected"),
    [
        (le.FullDisclosure, {"precision": "1/10"}, (0.3, 0.5)),
        (le.Ladder, {"eta": "1/10"}, (0.3, 0.3)),
        (le.SimplifiedLadder, {"eta": "1/10"}, (0.3, 0.3)),
        (le.ParameterFreeLadder, {}, (0.25, 0.25)),
        (le.ParameterFreeLadder, {"loss": "squared"}, (0.25, 0.25)),
    ],
)
def test_transcript_holds_what_was_seen(mechanism, options, expected):
    account = mechanism([0, 1, 1, 0], **options)
    assert account.transcript == ()
    predictions = np.array([0, 1, 1, 1])
    released = account.submit(predictions)
    predictions[:] = 0
    later = account.submit([0, 0, 0, 0])
    (first, shown), (second, last) = account.transcript
    assert (first.tolist(), shown) == ([0, 1, 1, 1], released)
    assert second.tolist() == [0, 0, 0, 0]
    assert (shown, last) == expected
    assert last == later


@pytest.mark.parametrize(
    ("mechanism", "options"), [(le.FullDisclosure, {}), (le.ParameterFreeLadder, {"loss": "absolute"})]
)
def test_transcript_is_read_only(mechanism, options):
    account = mechanism([0, 1], **options)
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
    public = {name for name in dir(account) if not name.startswith("_")}
    assert public - {"accepted"} == {"larger_is_better", "submit", "transcript"}  # the host may count what it accepts
    assert account.larger_is_better is False


def test_a_mechanism_says_what_it_releases():
    with pytest.raises(TypeError, match="abstract"):
        le.Mechanism([0, 1])


LOSSES = {
    "zero_one": lambda u, y: int(u != y),
    "squared": lambda u, y: (u - y) ** 2,
    "absolute": lambda u, y: abs(u - y),
}
REAL_LOSSES = ("squared", "absolute")
seeds = st.integers(0, 2**32 - 1)
thresholds = st.sampled_from([0, 1, 2, "3/2", "1/3", 0.25, 0.5, Fraction(7, 5), Fraction(1, 10)])


def is_better(losses, best, threshold):
    """Say, in fractions, whether a paired t-test finds losses lower than the best ones."""
    gains, n, c = [old - new for new, old in zip(losses, best, strict=True)], len(losses), Fraction(threshold)
    if n == 1:
        return False
    mean = Fraction(sum(gains), n)
    variance = sum((gain - mean) ** 2 for gain in gains) / (n - 1)
    return mean > 0 and mean**2 > c**2 * variance / n


def by_definition(labels, submissions, threshold, loss):
    """Return, in fractions, which submissions are accepted and what is released after each."""
    accepted, shown, best = [], [], None
    for submission in submissions:
        losses = [LOSSES[loss](Fraction(u), Fraction(y)) for u, y in zip(submission, labels, strict=True)]
        accepted.append(best is None or is_better(losses, best, threshold))
        best = losses if accepted[-1] else best
        shown.append(floor(sum(best) + Fraction(1, 2)) / len(labels))
    return accepted, shown


def run(account, submissions):
    """Return which submissions the account accepts and what it releases after each."""
    accepted, shown = [], []
    for submission in submissions:
        before = account.accepted
        shown.append(account.submit(submission))
        accepted.append(account.accepted > before)
    return accepted, shown


def decisions(labels, submissions, **options):
    """Return which submissions a fresh account accepts."""
    return run(le.ParameterFreeLadder(labels, **options), submissions)[0]


def binary_climb(seed, n, k):
    """Return labels and k submissions, most of which get better labels as they go, so that some are accepted."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    return labels, [labels ^ (rng.random(n) < rng.random() * (1 - t / (k + 1))) for t in range(k)]


def real_climb(seed, n, k):
    """Return the same in quarters, which floats hold exactly."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(-12, 13, n)
    spread = [rng.integers(0, 9 - 8 * t // k) for t in range(k)]
    return labels / 4, [(labels + rng.integers(-s, s + 1, n)) / 4 for s in spread]


@given(seed=seeds, n=st.integers(1, 60), k=st.integers(1, 12), threshold=thresholds)
def test_parameter_free_ladder_is_a_paired_t_test(seed, n, k, threshold):
    """Every decision and every release is that of the test in fractions; the releases never rise."""
    labels, submissions = binary_climb(seed, n, k)
    account = le.ParameterFreeLadder(labels, threshold=threshold)
    accepted, shown = run(account, submissions)
    assert (accepted, shown) == by_definition(labels.tolist(), np.array(submissions).tolist(), threshold, "zero_one")
    assert shown == sorted(shown, reverse=True)
    assert {type(released) for released in shown} == {float}
    last = max(t for t in range(k) if accepted[t])
    assert shown[-1] == le.empirical_risk(submissions[last], labels)


@pytest.mark.parametrize("loss", REAL_LOSSES)
@given(seed=seeds, n=st.integers(1, 60), k=st.integers(1, 12), threshold=thresholds)
def test_every_loss_makes_the_same_decisions_on_binary_labels(loss, seed, n, k, threshold):
    labels, submissions = binary_climb(seed, n, k)
    whole = run(le.ParameterFreeLadder(labels, threshold=threshold), submissions)
    assert run(le.ParameterFreeLadder(labels, threshold=threshold, loss=loss), submissions) == whole


@pytest.mark.parametrize("loss", REAL_LOSSES)
@given(seed=seeds, n=st.integers(1, 40), k=st.integers(1, 12), threshold=thresholds)
def test_parameter_free_ladder_on_real_labels(loss, seed, n, k, threshold):
    """The same, with mean losses rounded half up to 1/n; quarters keep all but the deviation exact."""
    labels, submissions = real_climb(seed, n, k)
    account = le.ParameterFreeLadder(labels, threshold=threshold, loss=loss)
    accepted, shown = run(account, submissions)
    assert (accepted, shown) == by_definition(labels.tolist(), np.array(submissions).tolist(), threshold, loss)
    assert shown == sorted(shown, reverse=True)


@pytest.mark.parametrize("loss", LOSSES)
def test_one_label_put_right_is_a_tie(loss):
    """At one standard error it is refused for every n, wherever it is; two labels at once are accepted."""
    for n in range(2, 301):
        wrong = np.ones(n)
        one, two = wrong.copy(), wrong.copy()
        one[n // 3] = two[n // 3] = two[-1] = 0
        assert run(le.ParameterFreeLadder(np.zeros(n), loss=loss), [wrong, one, two]) == (
            [True, False, True],
            [1, 1, (n - 2) / n],
        )


@pytest.mark.parametrize("loss", REAL_LOSSES)
def test_a_tie_of_real_losses(loss):
    """One loss that falls by an amount no float holds exactly is a tie too."""
    for n in range(2, 301):
        worse = np.where(np.arange(n) == n // 2, 0.3, 0.1)
        assert decisions(np.zeros(n), [worse, np.full(n, 0.1)], loss=loss) == [True, False]


@pytest.mark.parametrize(("rest", "accepted"), [(2e-9, True), (4e-10, False), (0, False), (-1e-6, False), (1e-6, True)])
@pytest.mark.parametrize("n", [10, 300])
def test_how_close_real_losses_tie(n, rest, accepted):
    """Gains of 1 and x make a statistic of about 1 + x; up to a billionth it counts as 1."""
    worse, better = np.zeros(n), np.zeros(n)
    worse[0] = 1
    (worse if rest > 0 else better)[1] = abs(rest)
    assert decisions(np.zeros(n), [worse, better], loss="absolute") == [True, accepted]


@pytest.mark.parametrize("loss", REAL_LOSSES)
@given(seed=seeds, n=st.integers(1, 40), power=st.integers(-60, 60), threshold=thresholds)
def test_units_do_not_matter(loss, seed, n, power, threshold):
    """Neither do the sign, the origin and the order of the labels."""
    labels, submissions = real_climb(seed, n, 10)
    order = np.random.default_rng(seed).permutation(n)
    expected = decisions(labels, submissions, threshold=threshold, loss=loss)
    for change in (lambda v: v * 2.0**power, lambda v: -v, lambda v: v + 1000, lambda v: v[order]):
        changed = [change(submission) for submission in submissions]
        assert decisions(change(labels), changed, threshold=threshold, loss=loss) == expected


@pytest.mark.parametrize("loss", REAL_LOSSES)
@pytest.mark.parametrize("threshold", [0, 1, 10**6])
def test_a_difference_without_spread(loss, threshold):
    """When all losses move by the same amount the sign decides, whatever the threshold."""
    submissions = [np.full(5, value) for value in (0.5, 0.75, 0.5, 0.25)]
    assert decisions(np.zeros(5), submissions, threshold=threshold, loss=loss) == [True, False, False, True]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("threshold", [0, 1])
def test_one_label_has_no_deviation(loss, threshold):
    """The first submission is accepted and no other."""
    account = le.ParameterFreeLadder([0], threshold=threshold, loss=loss)
    assert run(account, [[1], [0], [1]]) == ([True, False, False], [1, 1, 1])


@pytest.mark.parametrize("loss", LOSSES)
@given(seed=seeds, n=st.integers(1, 60), threshold=thresholds)
def test_the_same_again_is_refused(loss, seed, n, threshold):
    rng = np.random.default_rng(seed)
    labels, submission = rng.integers(0, 2, (2, n)) if loss == "zero_one" else rng.normal(size=(2, n))
    assert decisions(labels, [submission] * 3, threshold=threshold, loss=loss) == [True, False, False]


@pytest.mark.parametrize(
    ("total", "released"), [(0, 0), (0.49, 0), (0.5, 0.25), (1.49, 0.25), (1.5, 0.5), (4.25, 1), (9.5, 2.5)]
)
def test_real_losses_are_rounded_half_up_to_one_over_n(total, released):
    """With four labels the release is the sum of the losses, rounded half up, over four; it can exceed 1."""
    assert le.ParameterFreeLadder(np.zeros(4), loss="absolute").submit([0, total, 0, 0]) == released


def accepted_counts(n, **options):
    """Return the pairs (g, b) for which g labels put right and b put wrong are accepted."""
    counts = set()
    for g, b in product(range(n + 1), repeat=2):
        if g + b <= n:
            start, then = np.arange(n) < g, (np.arange(n) >= g) & (np.arange(n) < g + b)
            if decisions(np.zeros(n), [start, then], **options)[1]:
                counts.add((g, b))
    return counts


@pytest.mark.parametrize(
    "ways",
    [
        (1, "1", 1.0, Fraction(1), np.int64(1), np.float64(1)),
        ("3/2", "1.5", 1.5, Fraction(3, 2)),
        (0.5, "1/2", "5e-1", Fraction(1, 2), np.float64(0.5)),
        (0, 0.0, "0", Fraction(0), -0.0),
        (3, "3", np.int64(3)),
    ],
)
@pytest.mark.parametrize("loss", LOSSES)
def test_ways_to_write_a_threshold(ways, loss):
    """All mean the same number: g > b and (g - b)^2 (n - 1 + c^2) > c^2 n (g + b), for every g and b."""
    n, c = 12, Fraction(ways[0])
    counts = ((g, b) for g, b in product(range(n + 1), repeat=2) if g + b <= n)
    expected = {(g, b) for g, b in counts if g > b and (g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)}
    for threshold in ways:
        assert accepted_counts(n, threshold=threshold, loss=loss) == expected


def test_no_threshold_is_one_standard_error():
    assert accepted_counts(12) == accepted_counts(12, threshold=1)


def test_a_float_threshold_counts_with_its_exact_value():
    """With 6 right, 5 wrong and 91 labels the statistic is 3/10 exactly; the float 0.3 is a bit less than that."""
    start, then = np.arange(91) < 6, (np.arange(91) >= 6) & (np.arange(91) < 11)
    assert Fraction(0.3) < Fraction(3, 10)
    for threshold, accepted in ((0.3, True), ("0.3", False), ("3/10", False), (Fraction(3, 10), False)):
        assert decisions(np.zeros(91), [start, then], threshold=threshold) == [True, accepted]


@pytest.mark.parametrize(("kind", "threshold"), [(np.uint8, 16), (np.int64, 4 * 10**9)])
def test_a_numpy_threshold_does_not_overflow(kind, threshold):
    for c in (threshold, kind(threshold)):
        account = le.ParameterFreeLadder(np.zeros(10), threshold=c)
        assert [account.submit(np.arange(10) < 5), account.submit(np.arange(10) < 3)] == [0.5, 0.5]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("predictions", "largest"), [([1e200, 0], "inf"), ([1.3e154, 1.3e154], "1.6"), ([1e78, 0], "1e")]
)
def test_an_infinite_loss_is_refused(predictions, largest):
    """The test takes squares of losses, which must be finite too."""
    account = le.ParameterFreeLadder([0, 0], loss="squared")
    for _ in range(2):
        with pytest.raises(ValueError, match=f"^predictions must have a finite loss, also when squared, got {largest}"):
            account.submit(predictions)
        assert account.submit([1, 1]) == 1
    assert len(account.transcript) == 2


@pytest.mark.parametrize("loss", ["squared", "zero_one"])
@pytest.mark.parametrize("threshold", [10**400, "1e400"])
def test_a_threshold_beyond_floats_is_refused(threshold, loss):
    with pytest.raises(ValueError, match=r"^threshold must be a rational"):
        le.ParameterFreeLadder([0, 1], threshold=threshold, loss=loss)
