"""Several accounts: how many histories an analyst can see, the code that proves it, and what follows."""

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

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
GAIN = 1 / 4  # of the boosting attack, times the root of the submissions for a label
DRAWN = 1 / 32  # what is left of it if labels are known by chance


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


def account_by_account(history, analyst, m):
    """Return for each account the steps at which its release fell, a step once for every level, filled up with 0."""
    lists: dict[int, list[int]] = {account: [] for account in range(3)}
    levels = dict.fromkeys(lists, m)
    for t, released in enumerate(history):
        account = analyst(history[:t])
        lists[account] += [t + 1] * (levels[account] - released)
        levels[account] = released
    return [steps + [0] * (m - len(steps)) for steps in lists.values()]


def test_code_account_by_account():
    """One list of steps an account decodes too, once unused places are filled; it takes 1 + M m numbers, as one list.

    The reader asks the analyst who submits. All histories of three analysts, M = 3, m up to 3, k up to 6: the lists
    tell them apart together with the number of releases, and are replayed. Without names no list tells who submits.
    """
    for name, m, k in product(LADDERS, (1, 2, 3), (2, 4, 6)):
        for analyst in ANALYSTS.values():
            histories = list(le.release_histories(name, eta=Fraction(1, m), k=k, choose_account=analyst))
            for history in histories:
                lists = account_by_account(history, analyst, m)
                assert [len(steps) for steps in lists] == [m] * 3  # no account falls more often than it has places
                replayed: tuple[int, ...] = ()
                levels = [m] * 3
                for t in range(len(history)):
                    account = analyst(replayed)
                    levels[account] -= lists[account].count(t + 1)
                    replayed += (levels[account],)
                assert replayed == history


def test_accounts_cost_at_most_in_proportion():
    """M accounts need at most M times the labels of one: #T(M) <= #T(1)^M, whole numbers, no tolerance.

    At eta = 1/10 and M = 100 it is 6 to 7 times for k = 100, 22 to
    23 times for k = 1000 and 38 to 39 times for k = 10^4.
    """
    for m, accounts, k in product((1, 2, 5, 10), (1, 2, 3, 10, 50), (1, 2, 3, 10, 100)):
        one = le.tree_size("simplified", eta=Fraction(1, m), k=k)
        assert le.tree_size("simplified", eta=Fraction(1, m), k=k, accounts=accounts) <= one**accounts
        needed = [le.samples_needed(Fraction(1, m), k=k, accounts=each) for each in (1, accounts)]
        assert needed[1] <= accounts * needed[0]
    for k, times in ((100, 6), (1000, 22), (10**4, 38)):
        ratio = le.samples_needed("1/10", k=k, accounts=100) / le.samples_needed("1/10", k=k)
        assert times < ratio < times + 1


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


def worst_of_two(n, m, limit):
    """Return the largest chance that one of two submissions shows more than `limit` off 1/2, and the size of the tree.

    Labels are fair coins, every true risk is 1/2. The second submission may come from either account and flip any
    number of labels, depending on the first release.
    """
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
    return total, size


def test_worst_analyst_with_two_accounts():
    """No analyst with two accounts and two submissions exceeds 2 #T exp(-2 eps^2 n), beyond eta/2 + eps; exactly.

    #T counts the nodes that n labels can reach. n = 60, m = 10: the bound is slack. n = 2 to 8, m = 1000 and the
    deviation 1/2, the largest that there is: without #T it is exceeded each time, by the same analysts.
    """
    cases = [(60, 10, Fraction(j, 20)) for j in range(2, 7)]
    cases += [(n, 1000, HALF - HALF_STEP / 1000 - Fraction(1, 10**9)) for n in range(2, 9)]
    for n, m, epsilon in cases:
        worst, size = worst_of_two(n, m, epsilon + HALF_STEP / m)
        assert worst > 0
        assert math.log(worst) <= math.log(2 * size) - float(2 * epsilon**2 * n)
        assert n == 60 or math.log(worst) > math.log(2) - float(2 * epsilon**2 * n)


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


def through_fresh_accounts(n, accounts, m, rng, *, drawn=None, told=None):
    """Let an analyst with a fresh account for each submission attack a Ladder; return the error of the last account.

    A point carries fair bits, of which submission t shows number t, and the last one is their aligned vote. It may
    also carry a flag that gives its label, 0, away: each point with chance `drawn`, or `told` of the n points, of
    whose number the analyst is told. All of these, or if it is told as many as bring the cut to the middle of the
    others, are submitted wrong, and in the end right if it is told, else by one more bit.
    """
    bits = rng.integers(0, 2, (n, accounts))
    known = np.arange(n) < told if told else rng.random(n) < (drawn or 0)
    labels = np.where(known, 0, rng.integers(0, 2, n))
    board = le.Leaderboard(labels, mechanism=lambda y: le.SimplifiedLadder(y, eta=Fraction(1, m)))
    wrong = known
    if told:
        cut = max(c for c in range(n + 1) if rounded(Fraction(c, n), m) <= HALF)
        wrong = np.arange(n) < cut - (n - told) // 2
        assert wrong.sum() <= told
    tally = np.zeros(n, dtype=int)
    for t in range(accounts - 1):
        submission = np.where(known, wrong, bits[:, t])
        tally += (2 * bits[:, t] - 1) * (1 if board.submit(t, submission) <= 0.5 else -1)
    vote = np.where(tally == 0, bits[:, -1], tally > 0)
    released = board.submit("last", np.where(known, 0 if told else bits[:, -1], vote))
    return (1 - told / n if told else 1) / 2 - released


def shares_reached(n, accounts, m, claimed, **known):
    """Return the share of 20 replicates in which the last account is off by at least what is claimed."""
    rngs = map(np.random.default_rng, np.random.SeedSequence(23).spawn(20))
    return np.mean([abs(through_fresh_accounts(n, accounts, m, rng, **known)) >= claimed for rng in rngs])


def least_error(n, accounts, m, free=None):
    """Return the error that M accounts reach with probability 2/3, of n labels `free` being unknown, all if None."""
    share = 1 if free is None else free / n
    return math.sqrt(share) * (GAIN * math.sqrt((accounts - 1) / n) - 1 / math.sqrt(2 * n)) - float(HALF_STEP / m)


def test_accounts_must_enter():
    """M fresh accounts reach an error of 1/4 sqrt((M-1)/n) - 1/sqrt(2 n) - eta/2 with probability 2/3, for odd m.

    The analyst sees no point: the points carry random bits. n = 900, 20 replicates each, all of which reach it. At
    m = 5 and M = 325 fewer than two thirds would with eta/2 left out, since a release of 2/5 is 1/10 off. At n = 2,
    M = 2 and m = 99, by exact count, half would with 1/sqrt(2 n) left out: then one of two labels is wrong. With the
    even m = 10 and no label known, none reaches it.
    """
    for accounts, m in ((401, 9), (401, 99), (325, 5)):
        assert shares_reached(900, accounts, m, least_error(900, accounts, m)) == 1
    assert shares_reached(900, accounts, m, least_error(900, accounts, m) + 0.5 / m) < 2 / 3
    assert shares_reached(900, 401, 10, least_error(900, 401, 10)) == 0
    errors = []
    for labels, first in product(product((0, 1), repeat=2), repeat=2):
        shown = play("simplified", [sum(np.not_equal(labels, first))], 2, 99)[0]
        vote = first if shown <= HALF else [1 - label for label in first]
        errors.append(abs(HALF - play("simplified", [sum(np.not_equal(labels, vote))], 2, 99)[0]))
    assert np.mean([error >= least_error(2, 2, 99) for error in errors]) >= 2 / 3
    assert np.mean([error >= least_error(2, 2, 99) + 1 / math.sqrt(4) for error in errors]) < 2 / 3


@pytest.mark.parametrize("m", [2, 3, 4, 9, 10])
def test_even_steps_and_known_labels(m):
    """For every m, with n0 >= n/m labels known: sqrt(n1/n) (1/4 sqrt((M-1)/n) - 1/sqrt(2 n)) - eta/2, n1 = n - n0.

    With probability 2/3, if the analyst knows n0; n = 900, M = 361, 20 replicates, all of which reach it. The cut is
    that of full disclosure on the other n1 labels, for every n and n0: whole numbers, no tolerance. For even m
    n0 <= (n-1)/m - 2 are not enough.
    """
    n, accounts = 900, 361
    told = -(-n // m)
    assert shares_reached(n, accounts, m, least_error(n, accounts, m, n - told), told=told) == 1
    for n in range(1, 80):
        cut = max(c for c in range(n + 1) if rounded(Fraction(c, n), m) <= HALF)
        for known in range(n):
            enough = 0 <= cut - (n - known) // 2 <= known
            assert enough >= (known * m >= n)
            assert m % 2 or not enough or known > Fraction(n - 1, m) - 2


def test_even_steps_and_drawn_labels():
    """For even m: 1/32 sqrt((M-1)/n) - 1/sqrt(2 n) - eta/2 with probability 1/2, every label known with chance 1/m.

    The analyst sees no point and submits all known labels wrong. 20 replicates at n = M = 2000 and m = 100, all of
    which reach it; n = 900 and m = 10, where plain boosting shows 1/2: the error is above a tenth in 15 or more.
    The constant: with n1 labels left the edge is that of a cut (n0 - n/m)/2 off the middle, and n1/n times a quarter
    of its ratio to the edge at the middle is at least 1/32 for all n0 within two standard deviations of n/m. Exact
    binomials by log-gamma, every n from 512 to 1500 for m = 2 and some larger ones: the least is 0.0348, at n = 532.
    """
    claimed = DRAWN * math.sqrt(1999 / 2000) - 1 / math.sqrt(4000) - float(HALF_STEP / 100)
    assert shares_reached(2000, 2000, 100, claimed, drawn=1 / 100) == 1
    assert shares_reached(900, 401, 10, 0.1, drawn=1 / 10) >= 0.75
    least = {}
    sizes = [(n, 2) for n in range(512, 1501)]
    for n, m in sizes + list(product((512, 600, 2001, 10**4, 10**6), (4, 10, 100, 10**4))):
        spread = 2 * math.sqrt(n * (m - 1)) / m
        known = np.arange(max(0, math.ceil(n / m - spread)), min(n - 1, math.floor(n / m + spread)) + 1)
        free, cut = n - known, (n * (m + 1) - 1) // (2 * m) - known
        logarithm = binom.logpmf(cut, free - 1, 0.5) - binom.logpmf(free // 2, free - 1, 0.5)
        least[n, m] = (free / n * GAIN * np.exp(logarithm)).min()
        assert least[n, m] >= DRAWN
    assert min(least, key=least.get) == (532, 2)
    assert least[532, 2] == pytest.approx(0.03484, abs=1e-5)


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
