"""The bulk engine: the decisions of the readable attacks bit by bit, and the laws of what it draws instead."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from leaderboard_edu import (
    FullDisclosure,
    ParameterFreeLadder,
    _simulated_votes,
    boosting_attack,
    count_wrong,
    swap_attack,
)
from leaderboard_edu._bits import Counters, Walks
from leaderboard_edu._draws import draw_submissions, draw_words, unpack
from leaderboard_edu.experiments import (
    boosting_curve,
    simulate_boosting,
    simulate_parameter_free,
    simulate_swap,
)

KEEPS = ("aligned", "half")
THRESHOLDS = (0, 1, "3/2", 0.3, 2, Fraction(1, 7))
LEVEL = 1e-3  # of each test that compares laws; its comparisons share the level among them
seeds = st.integers(0, 2**32 - 1)


def seeded(*seed):
    return np.random.default_rng(seed)


def plain_curve(n, k, rng, keep):
    """Return the accuracy after each submission, and how many labels were ties, from all submissions at once."""
    drawn = draw_submissions(rng, k + 1, n).astype(np.int32)
    coins, votes = drawn[0], 2 * drawn[1:] - 1
    above = 2 * drawn[1:].sum(axis=1) > n
    votes[above] *= -1 if keep == "aligned" else 0
    tally = votes.cumsum(axis=0)
    wrong = np.where(tally == 0, coins, tally > 0).sum(axis=1)
    return 1 - wrong / n, np.count_nonzero(tally == 0, axis=1)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 127, 128, 200, 4000])
def test_boosting_by_definition(n, keep):
    """Final vote and curve equal the plain ones without tolerance, at lengths around the engine's blocks."""
    expected, ties = plain_curve(n, 1000, seeded(n), keep)
    assert ties.any() or (n, keep) == (1, "aligned")
    for k in (1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 1000):
        curve = boosting_curve(n=n, k=k, rng=seeded(n), keep=keep)
        assert curve.tolist() == expected[:k].tolist()
        final = simulate_boosting(n=n, k=k, rng=seeded(n), keep=keep)
        assert type(final) is float
        assert final == expected[k - 1]


@given(seed=seeds, n=st.integers(1, 300), k=st.integers(1, 200), keep=st.sampled_from(KEEPS))
def test_boosting_by_definition_anywhere(seed, n, k, keep):
    expected, _ = plain_curve(n, k, seeded(seed), keep)
    assert boosting_curve(n=n, k=k, rng=seeded(seed), keep=keep).tolist() == expected.tolist()
    assert simulate_boosting(n=n, k=k, rng=seeded(seed), keep=keep) == expected[-1]


@pytest.mark.parametrize("keep", KEEPS)
def test_blocks_of_the_vote_do_not_matter(monkeypatch, keep):
    monkeypatch.setattr(_simulated_votes, "BLOCK", 1)
    expected, _ = plain_curve(200, 150, seeded(6), keep)
    for k in (16, 17, 150):
        assert simulate_boosting(n=200, k=k, rng=seeded(6), keep=keep) == expected[k - 1]


@given(seed=seeds, n=st.integers(1, 150), k=st.integers(1, 40), keep=st.sampled_from(KEEPS))
def test_boosting_is_the_attack(seed, n, k, keep):
    attack = boosting_attack(FullDisclosure(np.zeros(n)).submit, n=n, k=k, rng=seeded(seed), keep=keep)
    assert simulate_boosting(n=n, k=k, rng=seeded(seed), keep=keep) == 1 - count_wrong(attack.predictions, [0] * n) / n


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize(("side_by_side", "block"), [(1, 1), (12, 500), (6400, 2**20)])
def test_repetitions_are_single_runs(monkeypatch, keep, side_by_side, block):
    """Each repetition is the run of its child, however many run side by side and however much is drawn at a time."""
    monkeypatch.setattr(_simulated_votes, "SIDE_BY_SIDE", side_by_side)
    monkeypatch.setattr(_simulated_votes, "CURVE_BLOCK", block)
    curves = boosting_curve(n=200, k=150, rng=seeded(5), keep=keep, repetitions=7)
    assert curves.shape == (7, 150)
    expected = [plain_curve(200, 150, child, keep)[0].tolist() for child in seeded(5).spawn(7)]
    assert curves.tolist() == expected
    assert [boosting_curve(n=200, k=150, rng=child, keep=keep).tolist() for child in seeded(5).spawn(7)] == expected


@given(seed=seeds, parts=st.lists(st.integers(0, 20), min_size=1, max_size=6))
def test_counters(seed, parts):
    """A carry-save tree counts as plain addition does; ties fall as the coins."""
    rng = seeded(seed)
    rows = draw_words(rng, 2 * sum(parts), 130)
    rows = rows[: sum(parts)] & rows[sum(parts) :] if seed % 2 else rows[: sum(parts)]
    coins = draw_words(rng, 1, 130)[0]
    plain = unpack(rows, 130).sum(axis=0, dtype=int)
    counters, first = Counters(3), 0
    for part in parts:
        counters.add(list(rows[first : first + part].copy()))
        first += part
    counted = sum(unpack(plane, 130).astype(int) << level for level, plane in enumerate(counters.planes))
    assert np.all(counted == plain)
    expected = np.where(2 * plain == len(rows), unpack(coins, 130), 2 * plain > len(rows))
    assert np.array_equal(unpack(counters.majority(coins), 130), expected)


@given(
    seed=seeds,
    drift=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=30),
    last=st.integers(1, 16),
    alike=st.booleans(),
)
def test_walks(seed, drift, last, alike):
    """Walks are below 0 when plain ones are, also after they went far to either side and came back.

    All go up and down in the same turns, or each in turns of its own.
    """
    rng = seeded(seed)
    steps = 16 * (len(drift) - 1) + last
    down = (np.arange(steps)[:, None] + (0 if alike else rng.integers(0, 2, 64))) % 2 == 1
    move = rng.random((steps, 64)) < np.where(
        down, 1 - np.repeat(drift, 16)[:steps, None], np.repeat(drift, 16)[:steps, None]
    )
    plain = np.cumsum(np.where(down, -1, 1) * move, axis=0) - 1
    flip = draw_words(rng, 1, 64)

    def packed(bits):
        return np.packbits(bits, axis=-1, bitorder="little").view("<u8").astype(np.uint64)

    walks, below = Walks((1,), furthest=steps + 1), []
    for first in range(0, steps, 16):
        block = slice(first, first + 16)
        downs = down[block, 0].tolist() if alike else list(packed(down[block]))
        below += walks.take(downs, packed(move[block]), flip[0])[:, 0].tolist()
    final = sum(unpack(plane, 64).astype(int) << level for level, plane in enumerate([*walks.lower, *walks.upper]))
    bits = 3 + len(walks.upper)
    ends = final - (final >= 2 ** (bits - 1)) * 2**bits
    expected = np.count_nonzero((plain < 0) != unpack(flip, 64), axis=1)
    assert (below, ends.tolist()) == (expected.tolist(), plain[-1].tolist())


def is_accepted(g, b, n, c):
    """Say whether a mean gain exceeds c standard errors: d/n > c s/√n, s² = (g + b - d²/n)/(n - 1), in fractions."""
    if n == 1 or g <= b:
        return False
    mean = Fraction(g - b, n)
    variance = (g + b - n * mean**2) / (n - 1)
    return mean**2 * n > c**2 * variance


@pytest.mark.parametrize("c", [*map(Fraction, THRESHOLDS), Fraction(10**30), Fraction(1, 10**30), Fraction(math.pi)])
def test_accepted_pairs(c):
    """The labels that may break are those of the paired test, exactly, for any threshold."""
    for n in (*range(1, 12), 40):
        largest = _simulated_votes._largest_broken(n, c)
        for g, b in product(range(n + 1), repeat=2):
            if g + b <= n:
                assert (b <= largest[g]) == is_accepted(g, b, n, c)


@pytest.mark.parametrize("c", [Fraction(1), Fraction(3, 2), Fraction(math.e)])
def test_accepted_pairs_at_a_million(c):
    n = 10**6
    largest = _simulated_votes._largest_broken(n, c)
    for g in (0, 1, 2, 3, 17, 999, 250_000, 250_707, 499_999):
        b = int(largest[g])
        assert b == -1 or is_accepted(g, b, n, c)
        assert not is_accepted(g, b + 1, n, c)


def plain_trajectory(n, k, seed, threshold):
    """Run the attack itself at every length; return Trajectory's four lists, repeated between acceptances."""
    rows = []
    for t in range(1, k + 1):
        board = ParameterFreeLadder(np.zeros(n), threshold=threshold)
        attack = boosting_attack(board.submit, n=n, k=t, rng=seeded(seed), keep="improved")
        seen = [released for _, released in board.transcript]
        accepted = [i for i in range(t) if i == 0 or seen[i] < seen[i - 1]]
        shown = round(n * board.submit(attack.predictions))
        rows.append((accepted[-1] + 1, round(n * seen[-1]), int(attack.predictions.sum()), shown))
    return rows


@pytest.mark.parametrize("block", [1, 2**15])
@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("n", [1, 2, 5, 64, 100, 201])
def test_words_is_the_attack(monkeypatch, n, threshold, block):
    """Submission by submission the decisions, the vote and the board of boosting_attack on ParameterFreeLadder."""
    monkeypatch.setattr(_simulated_votes, "BLOCK", block)
    k = 40
    expected = plain_trajectory(n, k, n, threshold)
    for end in (1, 2, 17, k):
        run = simulate_parameter_free(n=n, k=end, rng=seeded(n), threshold=threshold, method="words")
        columns = run.submissions, run.released, run.final, run.shown
        assert all(column.dtype == np.int64 for column in columns)
        changes = list(dict.fromkeys(expected[:end]))
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == changes
        t = np.arange(1, end + 1)
        assert run.accuracy(t).tolist() == [1 - row[2] / n for row in expected[:end]]
        assert run.shown_loss(t).tolist() == [row[3] / n for row in expected[:end]]


@pytest.mark.parametrize("seed", [1, 3, 16])
def test_words_over_many_blocks(monkeypatch, seed):
    """A long run in blocks of 100 against the plain rule, submission by submission; some accepted ones come late."""
    monkeypatch.setattr(_simulated_votes, "BLOCK", 3200)
    n, k = 2000, 2500
    coins, *submissions = draw_submissions(seeded(seed), k + 1, n).astype(int)
    best, accepted = submissions[0], [(1, int(submissions[0].sum()))]
    for t, submission in enumerate(submissions[1:], 2):
        if is_accepted(np.count_nonzero(submission < best), np.count_nonzero(submission > best), n, 1):
            best = submission
            accepted.append((t, int(best.sum())))
    run = simulate_parameter_free(n=n, k=k, rng=seeded(seed), method="words")
    assert list(zip(run.submissions.tolist(), run.released.tolist(), strict=True)) == accepted
    assert accepted[-1][0] > 201
    tally = sum(2 * submissions[t - 1] - 1 for t, _ in accepted)
    assert run.final[-1] == np.where(tally == 0, coins, tally > 0).sum()


def fits(observed, law, comparisons=1):
    """Say whether counts fit a law, by a chi-square test; outcomes expected less than five times are one."""
    total = sum(observed.values())
    assert set(observed) <= set(law)
    common = [outcome for outcome, p in law.items() if total * p >= 5]
    expected = [total * float(law[outcome]) for outcome in common]
    counts = [observed[outcome] for outcome in common]
    if total - sum(counts) or total - sum(expected) > 1e-6:
        expected.append(total - sum(expected))
        counts.append(total - sum(counts))
    return len(counts) == 1 or stats.chisquare(counts, expected).pvalue > LEVEL / comparisons


def alike(first, second, comparisons):
    """Say whether two samples of whole numbers come from one law: chi-square on bins of about equal size."""
    edges = np.unique(np.quantile(np.concatenate([first, second]), np.linspace(0, 1, 21)[:-1]))
    table = [
        np.bincount(np.searchsorted(edges, sample, side="right"), minlength=edges.size + 1)
        for sample in (first, second)
    ]
    table = np.array(table)
    return stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue > LEVEL / comparisons


def outcome(run):
    return tuple(
        zip(*(column.tolist() for column in (run.submissions, run.released, run.final, run.shown)), strict=True)
    )


def enumerated_law(n, k, c):
    """Return the law of a whole trajectory over every draw of coins and submissions, by plain code."""
    counts = Counter()
    for coins, *submissions in product(range(2**n), repeat=k + 1):
        rows, best, votes = [], None, []
        for t, submission in enumerate(submissions, 1):
            if best is None or accepts(submission, best, n, c):
                best = submission
                votes.append(submission)
                ones = [2 * sum(vote >> j & 1 for vote in votes) for j in range(n)]
                final = sum((2 * o + (coins >> j & 1) > 2 * len(votes)) << j for j, o in enumerate(ones))
                shown = final if accepts(final, best, n, c) else best
                rows.append((t, best.bit_count(), final.bit_count(), shown.bit_count()))
        counts[tuple(rows)] += 1
    return {key: Fraction(count, 2 ** (n * (k + 1))) for key, count in counts.items()}


def accepts(submission, best, n, c):
    return is_accepted((best & ~submission).bit_count(), (submission & ~best).bit_count(), n, c)


@pytest.mark.parametrize(
    ("n", "k", "c"), [(4, 3, 1), (5, 2, 1), (4, 3, Fraction(1, 3)), (3, 4, 0), (5, 2, 2), (1, 5, 1)]
)
def test_events_have_the_exact_law(n, k, c):
    """Whole trajectories, with votes and board, against all 2^(n(k+1)) draws: 6000 runs, chi-square test."""
    rng = seeded(n, k)
    observed = Counter(outcome(simulate_parameter_free(n=n, k=k, rng=rng, threshold=c)) for _ in range(6000))
    assert fits(observed, enumerated_law(n, k, c), comparisons=6)


@pytest.mark.parametrize(("n", "k", "c"), [(60, 200, 1), (101, 1000, 1), (80, 300, 0), (64, 400, "1/2")])
def test_events_and_words_are_alike(n, k, c):
    """Acceptances, the last one's number, release, final vote and board: 1500 runs each, two-sample chi-square."""
    samples = []
    for method in ("events", "words"):
        rng = seeded(n, k, len(method))
        runs = [simulate_parameter_free(n=n, k=k, rng=rng, threshold=c, method=method) for _ in range(1500)]
        samples.append(
            [
                (run.submissions.size, run.submissions[-1], run.released[-1], run.final[-1], run.shown[-1])
                for run in runs
            ]
        )
    for first, second in zip(*(np.array(sample).T for sample in samples), strict=True):
        assert alike(first, second, comparisons=20)


@pytest.mark.parametrize("n", [1, 2, 7, 40, 2001])
def test_probability_of_acceptance(n):
    """Every P(g fixed and accepted) against whole numbers out of 2^n, to one part in 10^9, down to 2^-2001."""
    largest = _simulated_votes._largest_broken(n, Fraction(1))
    for wrong in {0, 1, min(3, n), n // 3, n // 2, n}:
        right = n - wrong
        upto = np.cumsum([math.comb(right, b) for b in range(right + 1)], dtype=object)
        found = _simulated_votes._log_accepted(wrong, right, largest)
        for g in range(wrong + 1):
            ways = math.comb(wrong, g) * upto[min(largest[g], right)] if largest[g] >= 0 else 0
            expected = math.log(ways) - n * math.log(2) if ways else -math.inf
            assert found[g] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n", [999_999, 10**6])
def test_log_binomial_at_a_million(n):
    """Against log-gammas, whose own rounding is about 1e-8, near the middle and at the ends."""
    log = _simulated_votes._log_binomial(n)
    for j in (0, 1, n // 3, n // 2 - 500, n // 2, n // 2 + 20_000, n):
        exact = math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) - n * math.log(2)
        assert log[j] == pytest.approx(exact, abs=1e-7)


def test_waiting_times():
    """Geometric for a probability of 0.3; 1 for a certain and infinite for an impossible success; huge, not wrapped."""
    waits = Counter(_simulated_votes._waiting(seeded(0), np.full(20_000, 0.3)).astype(int).tolist())
    assert fits(waits, {j: 0.3 * 0.7 ** (j - 1) for j in range(1, 100)})
    assert _simulated_votes._waiting(seeded(0), [1.0, 0.0]).tolist() == [1, math.inf]
    huge = _simulated_votes._waiting(seeded(0), np.full(1000, 1e-300)) * 1e-300
    assert stats.kstest(huge, "expon").pvalue > LEVEL


def test_what_has_no_weight_is_never_drawn():
    """Not even by the smallest number that a generator returns, zero."""
    smallest = SimpleNamespace(random=lambda: 0.0)
    assert _simulated_votes._draw_index(smallest, np.array([-math.inf, -2000.0, -2000.0])) == 1


@pytest.mark.parametrize("n", [1, 2, 10, 1000, 200_000])
def test_events_at_any_length(n):
    """A run as long as can be is increasing in time, falling in loss, and one seed gives one run."""
    run = simulate_parameter_free(n=n, k=2**53 - 1, rng=seeded(n))
    assert run.submissions[0] == 1
    assert np.all(np.diff(run.submissions) > 0)
    assert np.all(np.diff(run.released) < 0)
    assert run.submissions[-1] < 2**53
    assert outcome(run) == outcome(simulate_parameter_free(n=n, k=2**53 - 1, rng=seeded(n)))
    assert run.released[0] == draw_submissions(seeded(n), 2, n)[1].sum()


def swap_law(n, k, ones, times):
    """Return the law of the wrong labels at some times, from the law of the start and the chance of each swap."""
    half = n // 2
    law = {
        (j, j + ones - half): Fraction(math.comb(n - ones, j) * math.comb(ones, half - j), math.comb(n, half))
        for j in range(max(0, half - ones), min(half, n - ones) + 1)
    }
    law = {(pair, ()): p for pair, p in law.items()}
    for t in range(1, k + 1):
        if t > 1:
            law = step_of_swap(law, half * (n - half))
        if t in times:
            seen = {}
            for (pair, path), p in law.items():
                seen[pair, (*path, sum(pair))] = p
            law = seen
    paths = Counter()
    for (_, path), p in law.items():
        paths[path] += p
    return paths


def step_of_swap(law, pairs):
    following = Counter()
    for ((w1, w0), path), p in law.items():
        success = Fraction(w1 * w0, pairs)
        following[(w1, w0), path] += p * (1 - success)
        if success:
            following[(w1 - 1, w0 - 1), path] += p * success
    return following


@pytest.mark.parametrize(("n", "ones"), [(2, 0), (2, 1), (5, 2), (6, 3), (6, 1), (7, 5), (8, 8), (9, 4)])
def test_swap_has_the_exact_law(n, ones):
    """Wrong labels after 1, 4 and 12 submissions, jointly, against the death chain in fractions; 6000 runs."""
    times = (1, 4, 12)
    law = swap_law(n, 12, ones, times)
    assert sum(law.values()) == 1
    rng = seeded(n, ones)
    runs = [simulate_swap(n=n, k=12, rng=rng, ones=ones) for _ in range(6000)]
    observed = Counter(tuple(np.rint(n * run.shown_loss(times)).astype(int).tolist()) for run in runs)
    assert fits(observed, law, comparisons=8)


@pytest.mark.parametrize(("n", "ones", "k"), [(16, None, 60), (17, None, 60), (16, 5, 100), (10, 10, 30)])
def test_swap_is_like_the_attack(n, ones, k):
    """Acceptances, the last one's number and the wrong labels: 800 runs of each, two-sample chi-square."""
    labels = np.arange(n) < (n // 2 if ones is None else ones)
    simulated, attacked = [], []
    rng = seeded(n, k)
    for _ in range(800):
        run = simulate_swap(n=n, k=k, rng=rng, ones=ones)
        simulated.append((run.submissions.size, run.submissions[-1], run.final[-1]))
        board = ParameterFreeLadder(labels)
        attack = swap_attack(board.submit, n=n, k=k, rng=rng)
        seen = [math.inf, *(released for _, released in board.transcript)]
        accepted = [t for t in range(1, k + 1) if seen[t] < seen[t - 1]]
        attacked.append((len(accepted), accepted[-1], count_wrong(attack.predictions, labels)))
    for first, second in zip(np.array(simulated).T, np.array(attacked).T, strict=True):
        assert alike(first, second, comparisons=12)


def test_swap_ends_where_it_must():
    """With n // 2 ones the labels are found, and otherwise all but the surplus; final, released and shown are one."""
    for n, ones in ((1000, None), (1001, None), (1000, 300), (40, 40)):
        run = simulate_swap(n=n, k=10**9, rng=seeded(n), ones=ones)
        surplus = 0 if ones is None else abs(n // 2 - ones)
        assert run.released[-1] == surplus
        assert np.all(np.diff(run.released) == -2)
        assert np.array_equal(run.released, run.final)
        assert np.array_equal(run.released, run.shown)


def test_long_waits_of_swaps_are_counted_exactly():
    """A run of 2^53 - 1 submissions begins like a shorter one of the same seed."""
    longest = simulate_swap(n=10_000, k=2**53 - 1, rng=seeded(0)).submissions
    shorter = simulate_swap(n=10_000, k=10**6, rng=seeded(0)).submissions
    assert shorter.tolist() == [t for t in longest.tolist() if t <= 10**6]
    assert simulate_swap(n=10_000, k=1, rng=seeded(0)).submissions.tolist() == [1]
