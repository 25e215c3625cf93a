"""Over whom the theorems quantify: analysts whose rules are fixed before the holdout is drawn, one or many."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom
from test_accounts import DRAWN, GAIN

import leaderboard_edu as le

LABELS = Fraction(4, 9)  # of m² times a bracket: how many the guarantee of M accounts needs
ROUNDING = 3 / 2  # of 1/m: the gain that a guarantee of 1/m leaves to the attack


class FreshBits:
    """A world whose points are rows of independent fair bits and whose labels are coins: R_D is 1/2 for everything."""

    def __init__(self, n, bits, rng):
        self.points = rng.integers(0, 2, (n, bits), dtype=np.int8)
        self.labels = rng.integers(0, 2, n)


def vote(signs):
    """Return the classifier that is the majority of the first bits of a point with these signs, ties by the last."""

    def classifier(x):
        tally = (2 * x[:, :-1].astype(int) - 1) @ np.array(signs)
        return np.where(tally == 0, x[:, -1], tally > 0)

    return classifier


def vote_of_bits(world, accounts, m):
    """Submit f_t(x) = x_t from each of M - 1 fresh accounts; return the classifier for the last one, and the board.

    Nothing but the releases decides: the points are only handed to the classifiers, as the host does.
    """
    board = le.Leaderboard(world.labels, mechanism=lambda y: le.SimplifiedLadder(y, eta=Fraction(1, m)))
    signs = [1 if board.submit(t, world.points[:, t]) <= 0.5 else -1 for t in range(accounts - 1)]
    return vote(signs), board


MECHANISMS = {
    "full disclosure": le.FullDisclosure,
    "Ladder": lambda y: le.Ladder(y, eta="1/10"),
    "simplified": lambda y: le.SimplifiedLadder(y, eta="1/10"),
    "parameter-free": le.ParameterFreeLadder,
    "LadderBoot": lambda y: le.LadderBoot(y, loss="zero_one", rng=np.random.default_rng(1)),
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_point_reader(name):
    """For f = g at the points of the holdout and 1 - g elsewhere R_S(f) = 0 and R_D(f) = 1, so no bound holds.

    y = g(x) with uniform x, n = 2000: f is wrong at each of 10000 fresh points, g at none, and every mechanism answers
    both alike, so one of the two errors is at least 1/2. The Ladder's bound for one submission of an analyst
    promises an error of at most 0.15 up to a chance of 0.02; here it is 1, with certainty. No tolerance.
    """

    def g(x):
        return (x > 0.3).astype(int)

    rng = np.random.default_rng(17)
    points, fresh = rng.random(2000), rng.random(10_000)
    labels = g(points)

    def f(x):
        return np.where(np.isin(x, points), g(x), 1 - g(x))

    assert np.all(f(fresh) != g(fresh))
    assert le.empirical_risk(f(points), labels) == 0
    after_f, after_g = (MECHANISMS[name](labels).submit(h(points)) for h in (f, g))
    assert after_f == after_g
    errors = [le.leaderboard_error([after_f], [1]), le.leaderboard_error([after_g], [0])]
    assert max(errors) >= 0.5
    if name == "Ladder":
        assert le.ladder_bound(0.05, eta="1/10", n=2000, k=1) < 0.02
        assert errors[0] == 1


def gain_of_accounts(n, accounts, m):
    """Return the leaderboard error that M fresh accounts reach with probability 2/3 for odd m, 1/2 for even m."""
    return (GAIN if m % 2 else DRAWN) * math.sqrt((accounts - 1) / n) - 1 / math.sqrt(2 * n) - 1 / (2 * m)


def labels_needed(accounts, m):
    """Return the size below which M accounts go beyond an error of 1/m with such a probability."""
    return LABELS * m**2 * ((GAIN if m % 2 else DRAWN) * math.sqrt(accounts - 1) - 1 / math.sqrt(2)) ** 2


def test_accounts_without_points():
    """The vote of M fresh accounts that saw no point is as right as the boosting attack there, and a coin elsewhere.

    So its true risk is one half, as `test_accounts.py` takes for granted where it measures errors. Points of M = 401
    random bits, f_t(x) = x_t; n = 900, m = 9, 40 replicates: both shares of right labels within four standard errors.
    """
    n, accounts, m = 900, 401, 9
    right, right_on_fresh = [], []
    for child in np.random.SeedSequence(31).spawn(40):
        rng = np.random.default_rng(child)
        world, fresh = (FreshBits(n, accounts, rng) for _ in range(2))
        classifier, _ = vote_of_bits(world, accounts, m)
        right.append(1 - le.empirical_risk(classifier(world.points), world.labels))
        right_on_fresh.append(1 - le.empirical_risk(classifier(fresh.points), fresh.labels))
    exact = le.boosting_accuracy(n=n, k=accounts - 1, precision=Fraction(1, m))
    for found, expected in ((right, exact), (right_on_fresh, 0.5)):
        mean, error = le.mean_and_error(found)
        assert abs(mean - expected) < 4 * error


def test_labels_that_accounts_cost():
    """A guarantee of η = 1/m for M accounts needs 4m²/9 (c √(M-1) - 1/√2)² labels, c = 1/4 for odd m, 1/32 for even m.

    One label fewer, and the error of the fresh accounts exceeds η; with one more it does not, by its formula, for 24
    pairs of m and M. Then the attack itself at m = 9, M = 401 and the last size below: in 20 replicates the error
    exceeds η in at least two thirds (in all of them).
    """
    for m in (9, 10, 21, 50, 99, 999):
        for accounts in (1000, 4001, 10**5, 10**6):
            needed = labels_needed(accounts, m)
            assert gain_of_accounts(needed - 1, accounts, m) > 1 / m > gain_of_accounts(needed + 1, accounts, m)
    accounts, m = 401, 9
    n = math.ceil(labels_needed(accounts, m)) - 1
    assert n >= accounts - 1
    exceeded = []
    for child in np.random.SeedSequence(32).spawn(20):
        world = FreshBits(n, accounts, np.random.default_rng(child))
        classifier, board = vote_of_bits(world, accounts, m)
        exceeded.append(le.leaderboard_error([board.submit("last", classifier(world.points))], [0.5]) > 1 / m)
    assert np.mean(exceeded) >= 2 / 3


def largest_holdout(m):
    """Return how many labels a guarantee of 1/m can do with for any number of accounts: infinitely many at coarse m."""
    margin = (GAIN if m % 2 else DRAWN) - ROUNDING / m
    return 1 / (2 * margin**2) if margin > 0 else math.inf


def test_where_accounts_bind():
    """For odd m >= 7 and even m >= 50 a holdout above 1/(2 (c - 3/(2 m))^2) has to grow with the accounts.

    With n labels and n + 1 of its accounts the analyst goes beyond 1/m, by its formula, just if n is above that number,
    c = 1/4 and 1/32; for other m at no n. Just where it does, many accounts need more than M - 1 labels. All m up to
    100, n from 2 to 10^9 on a grid and one label beside the number, which itself is a tie for m = 50.
    """
    for m in range(1, 101):
        edge = largest_holdout(m)
        binds = m >= (7 if m % 2 else 50)
        assert binds == (edge < math.inf) == (labels_needed(10**12, m) > 10**12 - 1)
        beside = [round(edge) - 1, round(edge) + 1] if binds else []
        for n in [*beside, *(round(2 * 10 ** (j / 4)) for j in range(36))]:
            assert (gain_of_accounts(n, n + 1, m) > 1 / m) == (n > edge)


def participants_bound(epsilon, n, m, participants):
    """Return the logarithm of the bound for participants with M_i accounts and k_i submissions, own releases only."""
    nodes = sum(le.tree_size("simplified", eta=Fraction(1, m), k=k, accounts=M) for M, k in participants)
    return math.log(2 * nodes) - 2 * epsilon**2 * n


def shown_off(epsilon, n, m):
    """Return which counts of wrong labels a simplified Ladder first shows more than ε + η/2 away from one half."""
    shown = np.array([le.mechanisms.level(c, n, m) for c in range(n + 1)]) / m
    return np.abs(shown - 0.5) > epsilon + 1 / (2 * m)


@pytest.mark.parametrize("P", [1, 2, 100, 10_000])
def test_participants(P):
    """Participants who see only their own releases break ε + η/2 with chance at most 2 exp(-2ε²n) Σ #T_k(M).

    One coin classifier each on coin labels: their releases are independent, so the chance that some account is off is
    1 - (1 - p)^P with an exact binomial p. Compared in logarithms with a relative tolerance of 1e-9, SciPy's own. At
    n = 20000 an exponent of 2.1 in the place of 2 is refuted, at n = 100 one participant's bound for all.
    """
    for n, m, epsilon in ((100, 100, 0.15), (100, 100, 0.25), (20_000, 20_000, 0.1)):
        off = shown_off(epsilon, n, m)
        log_p = np.logaddexp.reduce(binom.logpmf(np.arange(n + 1)[off], n, 0.5))
        log_some = log_p + math.log(P) if log_p < -30 else math.log(-math.expm1(P * math.log1p(-math.exp(log_p))))
        assert log_some <= participants_bound(epsilon, n, m, [(1, 1)] * P) + 1e-9 * abs(log_some)


def test_participants_at_length():
    """Two participants with 80 submissions each are off by ε + η/2 more often than 2 exp(-2ε²n) twice allows.

    So #T_k(M) has to stand in the bound. n = 9, m = 3, ε = 0.33: random vectors, of which one with at most one wrong
    label, or the first with at most one right, is off; 200 replicates with a share of at least 0.9, where without the
    tree the bound is 0.56. No tolerance.
    """
    n, m, epsilon, k = 9, 3, 0.33, 80
    broken = []
    for child in np.random.SeedSequence(33).spawn(200):
        world = FreshBits(n, 2 * k, np.random.default_rng(child))
        board = le.Leaderboard(world.labels, mechanism=lambda y: le.SimplifiedLadder(y, eta=Fraction(1, m)))
        released = [[board.submit(who, world.points[:, t]) for t in range(who, 2 * k, 2)] for who in range(2)]
        errors = [le.leaderboard_error(shown, np.full(k, 0.5)) for shown in released]
        broken.append(max(errors) > epsilon + 1 / (2 * m))
    assert math.log(np.mean(broken)) <= participants_bound(epsilon, n, m, [(1, k)] * 2)
    assert np.mean(broken) >= 0.9 > 4 * math.exp(-2 * epsilon**2 * n)


def test_participants_who_read_the_board():
    """One who reads the releases of 400 others breaks the bound of participants who see only their own.

    One account and one submission each: 400 random bits, then the vote of the last. n = 900, m = 9, ε = 0.1, where the
    bound is below 2e-5; the last account is off in each of 20 replicates. No tolerance.
    """
    n, m, epsilon, people = 900, 9, 0.1, 401
    assert math.exp(participants_bound(epsilon, n, m, [(1, 1)] * people)) < 2e-5
    for child in np.random.SeedSequence(34).spawn(20):
        world = FreshBits(n, people, np.random.default_rng(child))
        classifier, board = vote_of_bits(world, people, m)
        assert le.leaderboard_error([board.submit("last", classifier(world.points))], [0.5]) > epsilon + 1 / (2 * m)
