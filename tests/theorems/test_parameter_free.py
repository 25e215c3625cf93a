"""The parameter-free Ladder: McNemar's form of its test, ties, and how often random submissions are accepted."""

import math
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb

import numpy as np
from exact import HALF
from scipy.special import log_ndtr, ndtri_exp

import leaderboard_edu as le

THRESHOLDS = (Fraction(0), HALF, Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5))


def squared_t(gains):
    """Return the sign of the mean gain and the squared paired t statistic as a fraction; None stands for infinity."""
    n, mean = len(gains), Fraction(sum(gains), len(gains))
    variance = sum((gain - mean) ** 2 for gain in gains) / Fraction(n - 1)
    return mean > 0, None if variance == 0 else n * mean**2 / variance


def accepts(before, after, threshold):
    """Say whether the library accepts the losses `after` when those accepted last are `before`."""
    account = le.ParameterFreeLadder(np.zeros(len(before)), threshold=threshold)
    account.submit(before)
    released = account.submit(after)
    accepted = account.accepted == 2
    assert released == sum(after if accepted else before) / len(before)
    return accepted


def test_paired_t_test():
    """The decision is that of the paired t-test with rational numbers, for every pair of submissions.

    All pairs of vectors with n = 2 to 4 and six thresholds; statistic, standard deviation (denominator n - 1) and
    comparison are fractions. No tolerance.
    """
    for n in range(2, 5):
        for before, after in product(product((0, 1), repeat=n), repeat=2):
            positive, t2 = squared_t([b - a for b, a in zip(before, after, strict=True)])
            for c in THRESHOLDS:
                expected = positive and (t2 is None or t2 > c**2)
                assert accepts(before, after, c) == expected


def mcnemar(n, g, b, c):
    """Return the test as the theorem has it."""
    d = g - b
    return d > 0 and d**2 * (n - 1 + c**2) > c**2 * n * (g + b)


def test_mcnemar():
    """With g labels mended and b broken the test is d > 0 and d^2 (n-1+c^2) > c^2 n (g+b); c = 1: d^2 > g+b.

    Every n = 2 to 12 and g + b <= n, six thresholds, against the fraction of the t statistic and against the library.
    No tolerance.
    """
    for n in range(2, 13):
        for g in range(n + 1):
            for b in range(n + 1 - g):
                before = (1,) * g + (0,) * (n - g)
                after = (0,) * g + (1,) * b + (0,) * (n - g - b)
                positive, t2 = squared_t([x - y for x, y in zip(before, after, strict=True)])
                for c in THRESHOLDS:
                    expected = positive and (t2 is None or t2 > c**2)
                    assert mcnemar(n, g, b, c) == expected
                    assert accepts(before, after, c) == expected
                assert mcnemar(n, g, b, 1) == (g > b and (g - b) ** 2 > g + b)


def test_single_flip_is_a_tie():
    """One label mended has t = 1 exactly, for every n: refused at threshold 1, accepted below; a pair is accepted.

    n = 2 to 60 with fractions, and the library's decision to n = 300. With the standard deviation of denominator n the
    statistic of a single flip is n/(n-1) > 1, so that form would accept every one. No tolerance.
    """
    for n in range(2, 61):
        gains = [1] + [0] * (n - 1)
        assert squared_t(gains) == (True, 1)
        mean = Fraction(1, n)
        assert n * mean**2 / (sum((gain - mean) ** 2 for gain in gains) / n) == Fraction(n, n - 1)
    for n in range(2, 301):
        one, none = np.arange(n) < 1, np.zeros(n)
        assert not accepts(one, none, 1)
        assert accepts(one, none, Fraction(999_999, 1_000_000))
        assert accepts(np.arange(n) < 2, none, 1)


def float_accepts(n):
    """Decide a single flip as most code would: in floats, with NumPy's mean and standard deviation."""
    before, after = (np.arange(n) < 1).astype(float), np.zeros(n)
    return after.mean() < before.mean() - (after - before).std(ddof=1) / math.sqrt(n)


def test_floats_accept_ties():
    """The same test in floats accepts single flips for some n and refuses them for others; the library for none.

    n = 2 to 300. Which n depends on rounding errors, so only that there are some of each kind is claimed.
    """
    accepted = [float_accepts(n) for n in range(2, 301)]
    assert any(accepted)
    assert not all(accepted)
    assert not any(accepts(np.arange(n) < 1, np.zeros(n), 1) for n in range(2, 301))


def test_level():
    """Two classifiers fixed in advance: the better by chance passes with probability about Phi(-1) = .1587.

    Two fixed classifiers of equal risk: g ~ Bin(s, 1/2) among the s labels where they differ. P(d > 0, d^2 > s) is
    exact, for s from 100 to 3000; its distance to Phi(-1) is at most 0.56 / sqrt(s) (Berry and Esseen; the third
    absolute moment of a fair sign is 1).
    """
    phi = 0.5 * math.erfc(1 / math.sqrt(2))
    assert round(phi, 4) == 0.1587
    for s in (100, 101, 1000, 3000):
        ways = sum(comb(s, g) for g in range(s + 1) if mcnemar(s, g, s - g, 1))
        assert abs(ways / 2**s - phi) <= 0.56 / math.sqrt(s)


def test_pairs():
    """Flipping a pair of labels is accepted just if both were wrong; a swap just if both were, whatever the labels.

    Every vector of losses and every pair for n = 2 to 7, and each single label, which never is. No tolerance.
    """
    for n in range(2, 8):
        for losses in product((0, 1), repeat=n):
            for pair in combinations(range(n), 2):
                after = [loss ^ (j in pair) for j, loss in enumerate(losses)]
                assert accepts(losses, after, 1) == (losses[pair[0]] == losses[pair[1]] == 1)
            for j in range(n):
                assert not accepts(losses, [loss ^ (i == j) for i, loss in enumerate(losses)], 1)


def test_start():
    """The first submission is accepted whatever its loss, even with all labels wrong; with n = 1 no other one is.

    Every first vector for n = 1 to 6, at thresholds up to a million. No tolerance.
    """
    for n in range(1, 7):
        for first in product((0, 1), repeat=n):
            for c in (0, 1, 10**6):
                account = le.ParameterFreeLadder(np.zeros(n), threshold=c)
                assert account.submit(first) == sum(first) / n
    account = le.ParameterFreeLadder([0], threshold=0)
    assert [account.submit([1]), account.submit([0])] == [1, 1]


def widths(n, k, delta):
    """Return how far below n/2 the counts and distances stay, and how far above it the first count does."""
    return math.sqrt(n * math.log(4 * k / delta) / 2), math.sqrt(n * math.log(2 / delta) / 2)


def most_accepted(n, k, delta, *, log=False):
    """Return the bound on the number of accepted random submissions, which holds with probability 1 - delta.

    With `log` its second argument is ln k.
    """
    a, ell = math.log(2 / delta), math.log(4 / delta) + (k if log else math.log(k))
    return 1 + (math.sqrt(a) + math.sqrt(ell)) / math.sqrt(1 - math.sqrt(2 * ell / n))


def test_number_accepted():
    """The roots of the distances of successive accepted submissions add up to less than the fall in wrong labels.

    So of k random submissions at most 1 + (x + x1)/sqrt(n/2 - x) are accepted with probability 1 - delta. 200
    replicates with n = 400 and k = 400: the first claim holds in each, and the bound at delta = 1/2 in each in which
    the good event of the proof happens, without tolerance; it happens in at least half of them. The 2k events of the
    proof have exact probabilities that add up to at most delta; with widths smaller by a fifth they would not. The two
    forms of the bound agree to 1e-12.
    """
    n, k, delta, held = 400, 400, 0.5, 0
    x, x1 = widths(n, k, delta)
    for rng in np.random.default_rng(13).spawn(200):
        account = le.ParameterFreeLadder(np.zeros(n))
        le.boosting_attack(account.submit, n=n, k=k, rng=rng, keep="improved")
        accepted, near, previous = [], n, math.inf
        for vector, released in account.transcript:
            if accepted:
                near = min(near, int(np.count_nonzero(vector != accepted[-1])))
            if released < previous:
                accepted.append(vector)
            previous = released
        distances = [np.count_nonzero(a != b) for a, b in pairwise(accepted)]
        fall = int(accepted[0].sum()) - int(accepted[-1].sum())
        assert sum(map(math.sqrt, distances)) < fall or len(accepted) == 1
        wrong = [int(vector.sum()) for vector, _ in account.transcript]
        good = min(near, *wrong) >= n / 2 - x and wrong[0] <= n / 2 + x1
        assert not good or len(accepted) <= most_accepted(n, k, delta)
        held += good
    assert math.isclose(most_accepted(n, k, delta), 1 + (x + x1) / math.sqrt(n / 2 - x), rel_tol=1e-12)
    assert held / 200 >= 1 - delta

    def events(scale):
        below = sum(comb(n, c) for c in range(n + 1) if c < n / 2 - scale * x) / 2**n
        above = sum(comb(n, c) for c in range(n + 1) if c > n / 2 + scale * x1) / 2**n
        return (2 * k - 1) * below + above

    assert events(1) <= delta < events(0.8)


def improved(losses, fall, differ):
    """Return losses that differ from others in so many labels, and are fewer by `fall`."""
    wrong, right = np.flatnonzero(losses), np.flatnonzero(losses == 0)
    mended, broken = (differ + fall) // 2, (differ - fall) // 2
    after = losses.copy()
    after[wrong[:mended]], after[right[:broken]] = 0, 1
    return after


def test_number_accepted_is_attained():
    """On the good event as many submissions as the bound allows, rounded down, can be accepted.

    Through the library: each submission is as far below the last one as the test asks for at the least distance
    n/2 - x, from n/2 + x1 wrong labels down to n/2 - x. Two sizes, no tolerance; the bound is 5.49 and 6.31.
    """
    for n, k in ((400, 400), (10_000, 10**6)):
        x, x1 = widths(n, k, 0.5)
        losses = (np.arange(n) < math.floor(n / 2 + x1)).astype(int)
        account = le.ParameterFreeLadder(np.zeros(n))
        account.submit(losses)
        differ = math.ceil(n / 2 - x)
        fall = math.isqrt(differ) + 1
        differ += (differ - fall) % 2
        while losses.sum() - fall >= n / 2 - x:
            losses = improved(losses, fall, differ)
            account.submit(losses)
        assert account.accepted == len(account.transcript)
        assert account.accepted == math.floor(most_accepted(n, k, 0.5))


def limit_counts(log_k, runs, rng):
    """Return how many of k submissions are accepted as n grows, for many runs.

    Then losses are normal, and a submission is accepted if it lies sqrt 2 standard deviations below the last accepted
    one. The waiting time is geometric and the accepted level follows the tail; in logarithms, since k is huge.
    """
    level, log_time, count = rng.standard_normal(runs), np.zeros(runs), np.zeros(runs, dtype=int)
    while np.any(log_time <= log_k):
        count += log_time <= log_k
        tail = log_ndtr(-level - math.sqrt(2))
        exponential = rng.standard_exponential(runs)
        exact = np.log(np.ceil(exponential / -np.log1p(-np.exp(np.maximum(tail, -30)))))
        log_time = np.logaddexp(log_time, np.where(tail > -30, exact, np.log(exponential) - tail))
        level = -ndtri_exp(tail - rng.standard_exponential(runs))
    return count


def test_as_many_are_accepted():
    """The number accepted over sqrt(ln k) tends to one, and the bound is not a tenth too large for huge k.

    The limit for many labels, 400 runs each: its mean agrees with that of the library's simulation at n = 4000 within
    four standard errors of both, for k = 10^3 and 10^15. At ln k = 10^4 and 10^6 it is between 0.98 and 1 times
    sqrt(ln k), and of all runs a share of at least 1 - delta obeys the bound, all of them break nine tenths of it.
    """
    for k in (10**3, 10**15):
        limit = limit_counts(math.log(k), 400, np.random.default_rng(3))
        rngs = np.random.default_rng(4).spawn(400)
        simulated = [le.simulate_parameter_free(n=4000, k=k, rng=rng).submissions.size for rng in rngs]
        error = math.sqrt((np.var(limit) + np.var(simulated)) / 399)
        assert abs(limit.mean() - np.mean(simulated)) <= 4 * error
    delta, infinite = 0.05, 10**30
    for log_k in (10**4, 10**6):
        limit = limit_counts(log_k, 400, np.random.default_rng(5))
        assert 0.98 <= limit.mean() / math.sqrt(log_k) <= 1
        bound = most_accepted(infinite, log_k, delta, log=True)
        assert np.mean(limit <= bound) >= 1 - delta
        assert np.all(limit > 0.9 * bound)


def test_levels_thin_out():
    """A level higher by b is at most 2 exp(-b x) times as likely; q(x) >= exp(-(x+1)^2 (1+(x+1)^2/n)/2)/(4 sqrt 2).

    Level x: the wrong labels are x standard deviations below the mean or more. Exact binomials for n = 100, 1000 and
    4000, x up to sqrt(n)/4 and three beta; the first without the factor 2 for the counts themselves.
    """
    for n in (100, 1000, 4000):
        below = np.cumsum([Fraction(comb(n, c), 2**n) for c in range(n // 2 + 1)])
        for x in np.linspace(0.5, math.sqrt(n) / 4, 9):
            first = math.floor((n - x * math.sqrt(n)) / 2)
            least = math.exp(-((x + 1) ** 2) * (1 + (x + 1) ** 2 / n) / 2) / (4 * math.sqrt(2))
            assert below[first] >= least
            for beta in (0.1, 0.5, 2):
                second = math.floor((n - (x + beta) * math.sqrt(n)) / 2)
                assert below[second] <= 2 * math.exp(-beta * x) * below[first]
                assert below[second] <= (1 + 1e-12) * math.exp(-2 * x * (first - second) / math.sqrt(n)) * below[first]


def test_little_gain():
    """The vote of the accepted vectors is one of N_v uniform vectors, so its loss is hardly below 1/2.

    The sets of at most v of k numbers that contain the first are N_v = sum of C(k-1, i), i < v, and at most k^(v-1):
    listed for k up to 8. A majority of uniform vectors, ties by coins, is uniform: its chance of each label is 1/2,
    exactly, for up to 6 votes. For n = 4000, k = 10^6 and delta = 1/20 the union over all sets, with the exact binomial
    tail, is at most delta, and for a gain smaller by a twentieth it is not.
    """
    for k in range(1, 9):
        for v in range(1, k + 1):
            sets = sum(1 for size in range(v) for _ in combinations(range(2, k + 1), size))
            assert sets == sum(comb(k - 1, i) for i in range(v))
            assert sets <= k ** (v - 1)
    for votes in range(7):
        halves = sum((2 * sum(u) > votes) + (2 * sum(u) >= votes) for u in product((0, 1), repeat=votes))
        assert Fraction(halves, 2 * 2**votes) == HALF
    n, k, delta = 4000, 10**6, 0.05
    v = math.floor(most_accepted(n, k, delta))
    sets = sum(comb(k - 1, i) for i in range(v))
    gain = math.sqrt(math.log(max(sets, 4 * k) / delta) / (2 * n))

    def union(scale):
        below = range(math.ceil(n / 2 - scale * n * gain))
        return sets * Fraction(sum(comb(n, c) for c in below), 2**n)

    assert union(1) <= delta < union(0.95)


def group_size(n, c):
    """Return the least r with r (n-1+c^2) > c^2 n."""
    return next(r for r in range(1, n * n + 2) if r * (n - 1 + c**2) > c**2 * n)


def test_groups():
    """Flipping r labels, r the least with r (n-1+c^2) > c^2 n, is accepted just if all were wrong; r <= floor(c^2) + 1.

    Every vector of losses and every group for n = 2 to 7, seven thresholds; no tolerance. For c = 1 the pairs take at
    most n (n-1) ln 2 submissions on average until at most one label is wrong, from any start: the exact sum for n up to
    60, in floats with room for 1e-12.
    """
    for n, c in product(range(2, 8), (*THRESHOLDS, Fraction(11, 5))):
        r = group_size(n, c)
        assert r <= math.floor(c**2) + 1
        if r > n:
            continue
        for losses in product((0, 1), repeat=n):
            for group in combinations(range(n), r):
                after = [loss ^ (j in group) for j, loss in enumerate(losses)]
                assert accepts(losses, after, c) == all(losses[j] for j in group)
    for n in range(2, 61):
        for start in (n, n - 1):
            mean = sum(n * (n - 1) / (w * (w - 1)) for w in range(start, 1, -2))
            assert mean <= n * (n - 1) * math.log(2) + 1e-12


def test_histories():
    """From w wrong labels the release can stay or fall by 2 or more; so there are sum C(k-1, v) C(n+2-v, v) histories.

    The steps by every pair of vectors for n = 2 to 5 through the library; the histories of fewer than k releases listed
    by these steps for n up to 9 and k up to 8. No tolerance.
    """
    for n in range(2, 6):
        reached = {w: set() for w in range(n + 1)}
        for before, after in product(product((0, 1), repeat=n), repeat=2):
            account = le.ParameterFreeLadder(np.zeros(n))
            account.submit(before)
            reached[sum(before)].add(round(n * account.submit(after)))
        assert reached == {w: {w, *range(w - 1)} for w in range(n + 1)}
    for n in range(2, 10):
        ends = dict.fromkeys(range(n + 1), 1)  # how many histories of the present length end with w wrong labels
        total = 1
        for k in range(1, 9):
            assert total == sum(comb(k - 1, v) * comb(n + 2 - v, v) for v in range(k) if v <= n // 2 + 1)
            total += sum(ends.values())
            ends = {w: ends[w] + sum(ends[x] for x in range(w + 2, n + 1)) for w in ends}


def test_no_guarantee():
    """Trying each pair of labels once brings the leaderboard error to 1/2 - 1/n, with n (n-1)/2 + 1 submissions.

    Every label vector from the zero vector for n = 2 to 7, and 20 coin label vectors with n = 40, through the library.
    No tolerance.
    """
    every = [labels for n in range(2, 8) for labels in product((0, 1), repeat=n)]
    coins = np.random.default_rng(19).integers(0, 2, (20, 40)).tolist()
    for labels in [*every, *coins]:
        n, account = len(labels), le.ParameterFreeLadder(labels)
        best = np.zeros(n, dtype=int)
        lowest = account.submit(best)
        for pair in combinations(range(n), 2):
            trial = best.copy()
            trial[list(pair)] ^= 1
            released = account.submit(trial)
            if released < lowest:
                best, lowest = trial, released
        shown = [released for _, released in account.transcript]
        assert len(shown) == n * (n - 1) // 2 + 1
        assert le.leaderboard_error(shown, np.full(len(shown), 0.5)) >= 0.5 - 1 / n - 1e-15
        assert le.count_wrong(best, labels) <= 1
