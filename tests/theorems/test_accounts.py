"""Several accounts: how many histories an analyst can see, the code that proves it, and what follows."""

import math
from fractions import Fraction
from functools import cache, partial
from itertools import count, pairwise, product

import numpy as np
import pytest
from exact import HALF
from scipy.special import gammaln
from scipy.stats import binom
from test_ladder import LADDERS, decide, play, rounded
from test_tree import bits_for, decoded, followers

import leaderboard_edu as le

SMALL = [(m, accounts, k) for m in (1, 2, 3) for accounts in (2, 3, 4) for k in range(1, 7)]
HALF_STEP = HALF  # of eta: what the rounding costs, and what the deviations may cost
LOGARITHM = 1  # between the two ends of the size of the logarithm
LABELS_SAVED = 27 / 32


def falls(limit, steps):
    """Count the sequences of `steps` whole numbers, at least 0, with a sum of at most `limit`."""
    ways = [1] + [0] * limit
    for _ in range(steps):
        ways = [sum(ways[: total + 1]) for total in range(limit + 1)]
    return sum(ways)


def count_bound(m, accounts, k):
    """Return the smaller of the two counts of the proof, each added up over the lengths 0 to k - 1."""
    interleaved = sum(falls(min(accounts, k) * m, steps) for steps in range(k))
    return min(interleaved, sum((m + 1) ** steps for steps in range(k)))


@cache
def largest(name, m, depth, state):
    """Return the largest number of nodes below a history, whatever account the analyst uses; by rational arithmetic."""
    if depth == 1:
        return 1
    return 1 + max(
        sum(
            largest(name, m, depth - 1, tuple(sorted((*state[:i], level, *state[i + 1 :]), key=str)))
            for level in followers(name, m, 2 * m, last)
        )
        for i, last in enumerate(state)
    )


ANALYSTS = {
    "in turns": lambda history: len(history) % 2,
    "after a fall": lambda history: sum(a != b for a, b in pairwise(history)) % 2,
    "by the last release": lambda history: history[-1] % 2 if history else 0,
}


def test_count():
    """#T <= min(C(k+M'm, M'm+1), ((m+1)^k - 1)/m), M' = min(M, k), whatever the analyst and the mechanism.

    The formula, against the two counts added up one length at a time; the worst analyst by rational arithmetic
    equals the library's and never exceeds it. m up to 3, M up to 4, k up to 6. No tolerance.
    """
    for m, accounts, k in SMALL:
        eta = Fraction(1, m)
        bound = count_bound(m, accounts, k)
        for name in LADDERS:
            assert le.tree_size(name, eta=eta, k=k, accounts=accounts) == bound
            worst = largest(name, m, k, (None,) * min(accounts, k))
            assert le.worst_tree_size(name, eta=eta, k=k, accounts=accounts) == worst <= bound


def test_bound_is_not_attained():
    """The bound on #T is attained for M = 1, simplified, and for k <= M + 1; m = 2, M = 2, k = 9: 921 against 1287.

    The worst analyst by rational arithmetic against the two counts added up one length at a time. No tolerance.
    """
    assert largest("simplified", 2, 9, (None, None)) == 921
    assert le.tree_size("simplified", eta="1/2", k=9, accounts=2) == count_bound(2, 2, 9) == 1287
    for m, k in product((1, 2, 3), range(1, 9)):
        assert largest("simplified", m, k, (None,)) == sum(falls(m, steps) for steps in range(k))
    for name, m, accounts in product(LADDERS, (1, 2, 3), (1, 2, 3)):
        for k in range(1, accounts + 2):
            assert largest(name, m, k, (None,) * accounts) == count_bound(m, accounts, k)


def test_every_analyst():
    """The dynamic programme finds the best of all analysts: m = 1, M = 2, k = 4, each of the 2^7 rules tried."""
    for name in LADDERS:
        inner = [history for length in range(3) for history in product((0, 1), repeat=length)]
        sizes = set()
        for choice in product((0, 1), repeat=len(inner)):
            rule = dict(zip(inner, choice, strict=True))
            sizes.add(sum(1 for _ in le.release_histories(name, eta=1, k=4, choose_account=rule.__getitem__)))
        assert max(sizes) == le.worst_tree_size(name, eta=1, k=4, accounts=2)
        assert len(sizes) > 1


@pytest.mark.parametrize("name", LADDERS)
def test_code(name):
    """Every interleaved history has one word of (1 + M'm) ceil(log2 k) bits, at most (M m + 1) log2(2 k).

    All histories of three analysts with M = 3, of which they use two, m up to 4 and k up to 6: round trip, different
    words, one length; the comparison with the budget is 2^length <= (2 k)^(M m + 1), in whole numbers.
    """
    for m, k in product(range(1, 5), range(1, 7)):
        for analyst in ANALYSTS.values():
            code = le.InterleavedCode(name, eta=Fraction(1, m), k=k, accounts=3, choose_account=analyst)
            histories = list(le.release_histories(name, eta=Fraction(1, m), k=k, choose_account=analyst))
            words = [code.encode(history) for history in histories]
            length = (1 + min(3, k) * m) * bits_for(k)
            assert {len(word) for word in words} == {length} == {code.length}
            assert len(set(words)) == len(histories) <= 2**length <= (2 * k) ** (3 * m + 1)
            assert [decoded(code, word) for word in words] == histories
            assert code.budget == pytest.approx(math.log2((2 * k) ** (3 * m + 1)), rel=1e-12)


def test_analyst_is_needed():
    """The same word means different histories to different analysts: the decoder has to replay the right one."""
    in_turns, after_a_fall = (
        le.InterleavedCode("simplified", eta="1/2", k=4, accounts=2, choose_account=ANALYSTS[rule])
        for rule in ("in turns", "after a fall")
    )
    word = in_turns.encode((1, 2, 0))
    assert decoded(after_a_fall, word) not in (None, (1, 2, 0))


def test_height_is_in_steps_of_eta():
    """A fall by s steps is s eta high: the falls of an account, in steps, add up to (1 - last release)/eta. Exact."""
    code = le.InterleavedCode("simplified", eta="1/4", k=5, accounts=1, choose_account=lambda history: 0)
    for history in le.release_histories("simplified", eta="1/4", k=5):
        word = code.encode(history)
        steps = [int(word[i : i + 3], 2) for i in range(3, len(word), 3)]
        written = sum(step > 0 for step in steps)
        assert Fraction(written, 4) == 1 - Fraction(history[-1] if history else 4, 4)


def test_bound_is_the_union_over_nodes():
    """Pr{some account's lberr > eta} <= 2 #T exp(-eta^2 n / 2): deviations may take half a step, rounding the other.

    The library's number against the counts of the proof in whole numbers, the larger ones by the library's tree_size,
    which another test compares. n is chosen so that the bound is about exp(-1) and exp(-20); one n gives 1.
    Tolerance 1e-9 relative, the rounding of exp and log.
    """
    for m, accounts, k in product((1, 2, 3, 10), (1, 2, 4, 30), (1, 2, 6, 100)):
        small = m <= 3 and k <= 6
        size = count_bound(m, accounts, k) if small else le.tree_size("simplified", eta=1 / m, k=k, accounts=accounts)
        for which, nodes in (("exact", size), ("published", (2 * k) ** (accounts * m + 1))):
            for logarithm in (1, 20, -1):
                n = max(1, round(2 * m * m * (math.log(2 * nodes) + logarithm)))
                expected = math.exp(min(0, math.log(2 * nodes) - float(2 * (HALF_STEP / m) ** 2 * n)))
                bound = le.multi_account_bound(Fraction(1, m), n=n, k=k, accounts=accounts, count=which)
                assert bound == pytest.approx(expected, rel=1e-9, abs=0)


def test_sample_sizes():
    """samples_needed is the least n with 2 #T exp(-eta^2 n/2) <= delta, and best_eta inverts it, to the unit.

    2 m^2 ln(2 #T/delta) by logarithms of whole numbers for moderate sizes; and Zheng's "10^3 samples for eta = .1,
    10^6 for .01" fall short for k = 1000, M = 1, delta = .05.
    """
    for m, accounts, k, delta in product((1, 3, 10, 40), (1, 2, 5), (1, 10, 1000), (0.01, 0.05, 0.3)):
        size = le.tree_size("simplified", eta=Fraction(1, m), k=k, accounts=accounts)
        exact = 2 * m * m * (math.log(2 * size) - math.log(delta))
        needed = le.samples_needed(Fraction(1, m), k=k, accounts=accounts, delta=delta)
        assert needed - 1 < exact + 1e-6
        assert exact - 1e-6 <= needed
        assert le.best_eta(n=needed, k=k, accounts=accounts, delta=delta) == Fraction(1, m)
        if m > 1:
            assert le.best_eta(n=needed - 1, k=k, accounts=accounts, delta=delta) == Fraction(1, m - 1)
    assert le.samples_needed("1/10", k=1000) > 10 * 10**3
    assert le.samples_needed("1/100", k=1000) > 6 * 10**6


def test_large_sample_sizes():
    """At m = M = 1000 and k = 10^9 the sample size is right to the unit: Stirling's series in decimals. No tolerance.

    ln C(N, r) from ln x! = (x + 1/2) ln x - x + ln(2 pi)/2 + 1/(12 x) - 1/(360 x^3) + 1/(1260 x^5) - ..., whose
    error is below the next term, 1/(1680 x^7) < 10^-45 for x >= 10^6; sixty digits.
    """
    from decimal import ROUND_CEILING, Decimal, localcontext

    with localcontext() as context:
        context.prec = 60
        half = Decimal(1) / 2
        two_pi = 2 * Decimal("3.14159265358979323846264338327950288419716939937510582097494459")

        def log_factorial(x):
            x = Decimal(x)
            series = 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5)
            return (x + half) * x.ln() - x + two_pi.ln() / 2 + series

        m, accounts, k = 1000, 1000, 10**9
        drops = accounts * m
        nodes = log_factorial(k + drops) - log_factorial(drops + 1) - log_factorial(k - 1)
        exact = 2 * m * m * (nodes + (2 / Decimal.from_float(0.05)).ln())
        assert int(exact.to_integral_value(ROUND_CEILING)) == le.samples_needed("1/1000", k=k, accounts=accounts)


def test_worst_analyst_with_two_accounts():
    """No analyst with two accounts and two submissions exceeds the union bound; by exact enumeration, n = 60, m = 10.

    Labels are fair coins, every true risk is 1/2. The second submission may come from either account and flip any
    number of labels, depending on the first release. The bound is slack; eta/2 + eps is the stated deviation.
    """
    n, m = 60, 10
    for epsilon in (Fraction(j, 20) for j in range(2, 7)):
        limit = epsilon + HALF_STEP / m
        total, size = Fraction(0), 1
        by_release: dict[Fraction, list[int]] = {}
        for wrong in range(n + 1):
            by_release.setdefault(rounded(Fraction(wrong, n), m), []).append(wrong)
        for released, counts in by_release.items():
            size += 1
            if abs(released - HALF) > limit:
                total += Fraction(sum(math.comb(n, c) for c in counts), 2**n)
                continue
            ways = dict.fromkeys(product(range(n + 1), (None, released)), 0)
            for flips, first in product(range(n + 1), counts):
                for mended in range(max(0, flips - n + first), min(flips, first) + 1):
                    second = Fraction(first - 2 * mended + flips, n)
                    weight = math.comb(flips, mended) * math.comb(n - flips, first - mended)
                    for last in (None, released):
                        if abs(decide("simplified", last, second, m) - HALF) > limit:
                            ways[flips, last] += weight
            total += Fraction(max(ways.values()), 2**n)
        bound = math.log(2 * size) - float(2 * epsilon**2 * n)
        assert total > 0
        assert math.log(total) <= bound


def test_which_is_better():
    """Releases that differ by eta + 2 eps order the true risks if deviations stay below eps; 2 eta when eps = eta/2.

    For every pair of levels that are 1, 2 or 3 steps apart and n = 8 m labels: the largest best loss behind the
    smaller release plus eps, against the smallest one behind the larger release minus eps. At a lead of d steps this
    is decided at eps = (d - 1) eta/2, and no longer at half a label more. Half-up rounding saves the equality.
    """
    for m in (2, 5, 10):
        n = 8 * m
        losses: dict[Fraction, list[Fraction]] = {}
        for wrong in range(n + 1):
            losses.setdefault(play("simplified", [wrong], n, m)[0], []).append(Fraction(wrong, n))
        for ahead, behind in product(losses, losses):
            lead = (behind - ahead) * m
            if lead in (1, 2, 3):
                room = min(losses[behind]) - max(losses[ahead])
                epsilon = (lead - 1) * HALF_STEP / m
                assert 2 * epsilon < room
                assert not 2 * (epsilon + Fraction(1, 2 * n)) < room


def test_size_of_the_logarithm():
    """ln theta <= ln C(k+L, L+1)/(L+1) <= 1 + ln theta, theta = (k+L)/(L+1), for L = M m.

    Whole numbers up to L = 2000 and k = 10^6, log-gamma for L = 10^5 and k = 10^9 (where it is good to 1e-9 of the
    result). The lower end is attained at k = 1. Tolerance 1e-9.
    """
    for drops, k in (*product((1, 5, 50, 2000), (1, 2, 100, 10**6)), (10**5, 10**9)):
        if drops <= 2000:
            logarithm = math.log(math.comb(k + drops, drops + 1))
        else:
            logarithm = gammaln(k + drops + 1) - gammaln(drops + 2) - gammaln(k)
        excess = logarithm / (drops + 1) - math.log((k + drops) / (drops + 1))
        assert -1e-9 <= excess <= LOGARITHM + 1e-9
        assert k > 1 or abs(excess) < 1e-9
    assert excess > 0.999


def test_two_ways_to_spend_the_error():
    """If ln(2 #T/delta) = c m^a: eta* = (2b)^(2/(2+a)), and the sum is least at eta = (a b)^(2/(2+a)), b^2 = c/(2n).

    Against a grid of steps with a spacing of 7e-5, relatively. At a = 1 the same error needs 27/32 of the labels.
    Tolerance 1e-6 for the value, which is flat there, and 1e-3 for the place.
    """
    for a, c, n in product((0.3, 0.7, 1.0), (2.0, 9.0), (10**3, 10**6)):
        b = math.sqrt(c / (2 * n))
        m = np.geomspace(1e-2, 1e4, 200_000)
        error = 1 / (2 * m) + b * m ** (a / 2)
        best = (a * b) ** (2 / (2 + a))
        assert error.min() == pytest.approx((0.5 + 1 / a) * best, rel=1e-6)
        assert 1 / m[error.argmin()] == pytest.approx(best, rel=1e-3)
        convention = (2 * b) ** (2 / (2 + a))
        assert b * convention ** (-a / 2) == pytest.approx(convention / 2, rel=1e-12)
        if a == 1:
            assert (error.min() / convention) ** 3 == pytest.approx(LABELS_SAVED, rel=1e-5)


def test_edge_at_coarse_even_steps():
    """For even m and sqrt(n) eta -> x the edge of a fresh account's vote falls by the factor exp(-x^2/2).

    Exact binomial probabilities at n = 10^6 and 10^8. The cut is off by one label at most, which moves the logarithm
    by 2 x/sqrt(n), and the expansion's next term is of the order x^4/n; tolerance 3 x/sqrt(n) + x^4/n.
    """
    for n, x in product((10**6, 10**8), (0.5, 1, 2, 3)):
        m = 2 * round(math.sqrt(n) / x / 2)
        cut = (n * (m + 1) - 1) // (2 * m)
        factor = binom.pmf(cut, n - 1, 0.5) / binom.pmf(n // 2, n - 1, 0.5)
        exact = math.sqrt(n) / m
        assert math.log(factor) == pytest.approx(-(exact**2) / 2, abs=3 * x / math.sqrt(n) + x**4 / n)


def through_fresh_accounts(board, names, submission):
    """Submit from an account that has not submitted yet."""
    return board.submit(next(names), submission)


def test_accounts_must_enter():
    """M fresh accounts reach an error of 5/24 sqrt((M-1)/n) - 1/sqrt(2 n) - eta/2 with probability 2/3, for odd m.

    n = 900 labels, M = 401 accounts, m = 9 and 99, 20 replicates each; the vote comes from the last account. All of
    them reach it. With the even m = 10 none does: there the bound is not claimed.
    """
    n, accounts = 900, 401
    shares = {}
    for m in (9, 99, 10):
        claimed = 5 / 24 * math.sqrt((accounts - 1) / n) - 1 / math.sqrt(2 * n) - 1 / (2 * m)
        errors = []
        for seed in np.random.SeedSequence(23).spawn(20):
            rng = np.random.default_rng(seed)
            board = le.Leaderboard(rng.integers(0, 2, n), mechanism=lambda y, m=m: le.SimplifiedLadder(y, eta=1 / m))
            submit = partial(through_fresh_accounts, board, count(1))
            attack = le.boosting_attack(submit, n=n, k=accounts - 1, rng=rng)
            errors.append(0.5 - board.submit("last", attack.predictions))
        shares[m] = np.mean(np.array(errors) >= claimed)
    assert shares[9] >= 2 / 3
    assert shares[99] >= 2 / 3
    assert shares[10] < 2 / 3


def test_fresh_accounts():
    """A fresh account for each submission equals full disclosure for odd m at any eta; for even m only if eta is fine.

    Odd m: the release says on which side of 1/2 the loss is, for every count (odd n), so the boosting attack's
    expected accuracy is that of full disclosure (every n); tolerance 1e-12. Even m, n = k = 1000: the gain over 1/2
    is below a hundredth of full disclosure's at eta = 1/10, and above a third of it at eta = 1/sqrt(n).
    """
    for n, m in product((5, 21), (1, 3, 7, 11)):
        for wrong in range(n + 1):
            assert (play("ladder", [wrong], n, m)[0] <= HALF) == (2 * wrong <= n)
    for n, m in product((20, 21, 1000), (1, 3, 11, 101)):
        fresh = le.boosting_accuracy(n=n, k=50, precision=Fraction(1, m))
        assert fresh == pytest.approx(le.boosting_accuracy(n=n, k=50), abs=1e-12)
    full = le.boosting_accuracy(n=1000, k=1000) - 0.5
    assert le.boosting_accuracy(n=1000, k=1000, precision="1/10") - 0.5 < full / 100
    assert le.boosting_accuracy(n=1000, k=1000, precision="1/32") - 0.5 > full / 3
    board = le.Leaderboard(np.zeros(21), mechanism=lambda y: le.Ladder(y, eta=1))
    shown = [board.submit(wrong, np.arange(21) < wrong) for wrong in range(22)]
    assert shown == [0.0] * 11 + [1.0] * 11


def test_attack_through_accounts():
    """Fresh accounts make of a Ladder a board that rounds; fewer leave the first votes and those that lower a release.

    n = 21, k = 30, eta = 1, 1/4 and 1/10, ten seeds: with k accounts the attack ends with the vector of the boosting
    attack on rounded full disclosure, bit for bit; with one and three it ends with the plain majority of its first
    votes, turned to the better side, and of later ones that lower the release of their account. No tolerance.
    """
    n, k = 21, 30
    for m, seed, accounts in product((1, 4, 10), range(10), (1, 3, k)):
        labels = np.random.default_rng(99).integers(0, 2, n)
        board = le.Leaderboard(labels, mechanism=lambda y, m=m: le.SimplifiedLadder(y, eta=1 / m))
        rng = np.random.default_rng(seed)
        attack = le.multi_account_attack(board.submit, n=n, k=k, accounts=accounts, rng=rng)
        rounded = le.FullDisclosure(labels, precision=1 / m)
        plain = le.boosting_attack(rounded.submit, n=n, k=k, rng=np.random.default_rng(seed))
        assert np.array_equal(attack.submissions, plain.submissions)
        if accounts == k:
            assert np.array_equal(attack.predictions, plain.predictions)
        tally, best = np.zeros(n, dtype=int), {}
        for t, (vector, loss) in enumerate(rounded.transcript):
            account = t % accounts
            first, falls = account not in best, loss < best.get(account, 2)
            tally += (2 * vector.astype(int) - 1) * ((1 if loss <= 0.5 else -1) if first else falls)
            best[account] = min(loss, best.get(account, 2))
        settled = tally != 0
        assert np.array_equal(attack.predictions[settled], tally[settled] > 0)
