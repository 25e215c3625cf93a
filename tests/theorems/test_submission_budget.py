"""The cost of a step-forward attack, the law of its first step, the idealised attack, medians and budgets."""

import math
from fractions import Fraction
from functools import cache
from itertools import count, permutations, product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaln
from scipy.stats import beta, binom, norm

import leaderboard_edu as le


def within(values, expected, errors=4):
    """Say whether the mean of replicates is within some standard errors of what is expected."""
    values = np.asarray(values)
    return abs(values.mean() - expected) <= errors * values.std(ddof=1) / math.sqrt(len(values))


def budget_of(overfitting):
    """Return a budget with so many lengths of attack, 50 features an iteration."""
    iterations = np.arange(1, np.shape(overfitting)[1] + 1)
    return le.SubmissionBudget(50 * iterations, iterations, np.asarray(overfitting, dtype=float))


def longest(submissions, iterations):
    """Return over how many features so many iterations can go, as the proposition says, or None."""
    if iterations * (iterations + 1) > 2 * submissions:
        return None
    return math.floor(Fraction(submissions, iterations) + Fraction(iterations - 1, 2))


def test_cost():
    """I iterations over p features cost pI - I(I-1)/2 submissions, counted on a board that always improves.

    All p <= 7; and for each N <= 40 and I the most features are those that a search finds.
    """
    rng = np.random.default_rng(0)
    cost = {}
    for p in range(1, 8):
        x, y = rng.normal(size=(9, p)), rng.normal(size=9)
        for iterations in range(1, p + 1):
            falling = count(0, -1)
            attack = le.step_forward_attack(
                lambda predictions, board=falling: next(board),
                training=le.Sample(x, y),
                features=x,
                iterations=iterations,
            )
            cost[p, iterations] = len(attack.submissions)
            budget = le.SubmissionBudget(np.array([p]), np.array([iterations]), np.zeros((6, 1)))
            assert len(attack.submissions) == budget.submissions[0]
    for submissions in range(1, 41):
        for iterations in range(1, 10):
            fits = [p for p in range(iterations, 60) if sum(range(p - iterations + 1, p + 1)) <= submissions]
            assert longest(submissions, iterations) == max(fits, default=None)
    assert [cost.get((p, i)) for p, i in ((5, 3), (7, 7))] == [12, 28]


def one_step(n, r0, r, r1):
    """Return the over-fitting of a regression on one feature, both holdout sets of size n."""
    return -2 * (n - 1) / n * r0 * (r - r1)


def test_one_step():
    """The over-fitting of a regression on one feature is -2 (n-1)/n r0 (r - r'), up to rounding errors of floats."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 30))
        data = le.split_sample(rng.normal(size=(3 * n, 1)), rng.exponential(size=3 * n), rng=rng)
        sets = (data.training, data.public, data.final)
        correlations = [np.corrcoef(x[:, 0], y)[0, 1] for x, y in sets]
        public, final = (np.mean((le.linear_predictions(data.training, x, columns=[0]) - y) ** 2) for x, y in sets[1:])
        assert math.isclose(public - final, one_step(n, *correlations), abs_tol=1e-12)


def test_permuted_moments():
    """Permuting the response leaves a correlation of mean 0 and mean square 1 / (n - 1), for all vectors: in fractions.

    r^2 is S_xy^2 / (S_xx S_yy), of which only S_xy changes.
    """
    for x, y in (((1, 2, 4, 8, 16), (0, 0, 1, 1, 5)), ((0, 0, 1), (1, 2, 9)), ((1, 5, 2, 2, 0, 7), (3, 1, 4, 1, 5, 9))):
        n = len(x)
        u, v = ([Fraction(value) - Fraction(sum(z), n) for value in z] for z in (x, y))
        products = [sum(a * b for a, b in zip(u, order, strict=True)) for order in permutations(v)]
        assert sum(products) == 0
        squares = Fraction(sum(s * s for s in products), len(products))
        assert squares / (sum(a * a for a in u) * sum(b * b for b in v)) == Fraction(1, n - 1)


def law(n):
    """Return the law of a squared correlation of n normal values with anything."""
    return beta(0.5, (n - 2) / 2)


def test_correlation_law():
    """A normal feature's squared correlation with any response is Beta(1/2, (n-2)/2); two features' are independent.

    Shares of 20,000 replicates within four standard errors, responses of three kinds, n = 3, 5 and 12.
    """
    rng = np.random.default_rng(1)
    for n, y in ((3, [0, 0, 1]), (5, [1, 2, 4, 8, 100]), (12, np.sqrt(np.arange(12)))):
        x = rng.standard_normal((20_000, 2, n))
        x -= x.mean(axis=2, keepdims=True)
        v = np.asarray(y) - np.mean(y)
        squares = (x @ v) ** 2 / ((x**2).sum(axis=2) * (v @ v))
        for t in (0.05, 0.2, 0.5):
            assert within(squares[:, 0] > t, law(n).sf(t))
            assert within((squares > t).all(axis=1), law(n).sf(t) ** 2)


def best_square(q, n, nodes=200_001):
    """Return the expected largest squared correlation of q independent features."""
    t = np.linspace(0, 1, nodes) ** 3
    return float(np.trapezoid(1 - law(n).cdf(t) ** q, t))


def test_best_square():
    """The best of q squares has the mean of the integral: q / (q + 2) for n = 4 and 1 / (n - 1) for q = 1.

    For n = 4 the law has the distribution function sqrt(t). The integration error is at most what half the nodes
    change, and that is small. For n = 147 and q = 100, 4000 replicates within four standard errors.
    """
    for q, n, mean in (*((q, 4, q / (q + 2)) for q in (1, 2, 7, 50)), *((1, n, 1 / (n - 1)) for n in (3, 10, 147))):
        error = abs(best_square(q, n) - best_square(q, n, nodes=100_001))
        assert abs(best_square(q, n) - mean) <= error < 1e-5
    draws = np.random.default_rng(2).beta(0.5, 145 / 2, size=(4000, 100)).max(axis=1)
    assert within(draws, best_square(100, 147))


@cache
def tails(n, n0):
    """Return a grid of t with S(t) and T(t) of the theorem, by Gauss-Legendre quadrature."""
    t = np.linspace(-60, 60, 2401) / min(n, n0)
    x, weight = np.polynomial.legendre.leggauss(100)
    top = min(1, 9 / math.sqrt(n0))
    s = (x + 1) / 2 * top
    weight = weight * top * (1 - s**2) ** (n0 / 2 - 2) / math.exp(betaln(0.5, n0 / 2 - 1))
    a = np.clip((t[:, None] + s**2) / (2 * s), -1, 1)
    part = 2 * s * (1 - a**2) ** (n / 2 - 1) / ((n - 2) * math.exp(betaln(0.5, n / 2 - 1)))
    return t, beta.sf((1 + a) / 2, n / 2 - 1, n / 2 - 1) @ weight, part @ weight


def idealised(p, iterations, n, n0, stops=True):
    """Return the expected over-fitting of the idealised attack."""
    t, tail, part = tails(n, n0)
    middle, tail = (t[1:] + t[:-1]) / 2, (tail[1:] + tail[:-1]) / 2
    weight = binom.cdf(iterations - 1, p - 1, np.clip(tail, 0, 1))
    if stops:
        weight = np.where(middle > 0, weight, (1 - tail) ** (p - 1))
    return (n - 1) / n * p * float(weight @ np.diff(part))


def by_correlations(r0, r, r1, iterations, n, stops=True):
    """Run the idealised attack on correlations with the response in the three sets, a row for each challenge."""
    gains, places = 2 * r0 * r - r0**2, np.arange(r0.shape[1])
    order = np.argsort(-gains, axis=1)
    ordered, harm = (np.take_along_axis(v, order, axis=1) for v in (gains, r0 * (r - r1)))
    chosen = (places < iterations) & ((ordered > 0) | (not stops) | (places == 0))
    return -2 * (n - 1) / n * (harm * chosen).sum(axis=1)


def drawn(p, iterations, n, n0, rng, stops=True, draws=4000):
    """Draw the idealised attack from its definition."""
    correlations = (
        rng.choice([-1, 1], size=(draws, p)) * np.sqrt(rng.beta(0.5, m / 2 - 1, size=(draws, p))) for m in (n0, n, n)
    )
    return by_correlations(*correlations, iterations, n, stops)


def idealised_on(data, iterations):
    """Return the over-fitting of the idealised attack on the correlations of a challenge."""
    correlations = [
        scaled.response[None] @ scaled.features / (len(scaled.response) - 1)
        for scaled in (data.training, data.public, data.final)
    ]
    return by_correlations(*correlations, iterations, len(data.public.response))[0]


@pytest.mark.parametrize(
    ("p", "iterations", "n", "n0"), [(1, 1, 30, 30), (2, 2, 40, 60), (15, 15, 147, 148), (41, 3, 147, 148)]
)
def test_idealised(p, iterations, n, n0):
    """The idealised attack has the expected over-fitting of the theorem: 4000 draws within four standard errors."""
    rng = np.random.default_rng(3)
    for stops in (True, False):
        assert within(drawn(p, iterations, n, n0, rng, stops=stops), idealised(p, iterations, n, n0, stops))


def test_attack_that_goes_on():
    """Without a rule to stop, selecting all features gains nothing; with it there is over-fitting left.

    More than half of that of the worst way to spend 120 submissions, and so does one iteration over 120 features. That
    one is within the tolerance of 0.05, fifteen iterations over fifteen reach it, by less than a tenth.
    """
    ways = [(longest(120, i), i) for i in range(1, 16)]
    values = [idealised(p, i, 147, 147) for p, i in ways]
    assert abs(idealised(15, 15, 147, 147, stops=False)) < 1e-6
    assert min(values) / 2 > values[-1] > min(values)
    assert min(values) / 2 > values[0] > min(values)
    assert values[0] > -0.05 > values[-1] > -0.055


@pytest.mark.parametrize("n_bootstrap", [None, 10])
def test_accounts_never_stop(n_bootstrap):
    """With a fresh account for each iteration, as many iterations as features select all: the attack that goes on.

    Five features, one iteration each. The longest attack of the planner is off by as much as the regression on all
    features, in each of forty repetitions; tolerance 1e-9: rounding. With one account it has stopped before in most.
    """

    def draw(rng):
        return le.split_sample(*le.simulate_design(n=90, p=5, correlation=0, rng=rng), rng=rng)

    regressions = []
    for rng in np.random.default_rng(7).spawn(40):
        data = draw(rng)
        public, final = (
            np.mean((le.linear_predictions(data.training, part.features, columns=range(5)) - part.response) ** 2)
            for part in (data.public, data.final)
        )
        regressions.append(public - final)
    fresh, one = (
        le.submission_budget(
            draw,
            repetitions=40,
            rng=np.random.default_rng(7),
            alpha=0.15,
            n_bootstrap=n_bootstrap,
            fresh_accounts=accounts,
            fraction=1,
        ).overfitting[:, -1]
        for accounts in (True, False)
    )
    assert np.abs(fresh - regressions).max() < 1e-9
    assert np.mean(np.abs(one - regressions) > 1e-9) > 0.5


def test_first_iteration():
    """One iteration on the Ladder at level 1/2 over independent normal features is the idealised attack's.

    But for the rounding of releases, which hides differences below 1/n: four hundred replicates with n = 100 and 60
    features, less the idealised attack on the same data, within four standard errors of 0; at level .15 the
    over-fitting is smaller by more than that.
    """
    values = []
    for rng in np.random.default_rng(4).spawn(400):
        data = le.split_sample(*le.simulate_design(n=300, p=60, correlation=0, rng=rng), rng=rng)
        runs = [le.simulate_step_forward(data, iterations=1, alpha=alpha) for alpha in (0.5, 0.15)]
        values.append([run.overfitting(1) - idealised_on(data, 1) for run in runs])
    largest, smaller = np.transpose(values)
    assert within(largest, 0)
    assert smaller.mean() > 4 * smaller.std(ddof=1) / math.sqrt(400)


class UnroundedLadder(le.PairedTestLadder):
    """The Ladder with exact releases."""

    def _show(self, losses):
        return losses.mean()


def test_rounding_stops_the_attack():
    """With many iterations the attack on the Ladder at level 1/2 falls behind the idealised one because of rounding.

    Fifteen iterations over fifteen independent features, n = 147: with exact releases, 300 replicates, less the
    idealised attack on the same data, within four standard errors of 0; with rounded ones, on 150 of these data, less
    over-fitting than with exact ones by more than four, and less than 0.05.
    """
    exact, rounded, hidden = [], [], []
    for number, rng in enumerate(np.random.default_rng(8).spawn(300)):
        data = le.split_sample(*le.simulate_design(n=441, p=15, correlation=0, rng=rng), rng=rng)
        found = []
        for board in (UnroundedLadder, le.PairedTestLadder)[: 1 + (number < 150)]:
            attack = le.step_forward_attack(
                board(data.public.response, alpha=0.5).submit,
                training=data.training,
                features=data.public.features,
                iterations=15,
            )
            public, final = (
                np.mean((le.linear_predictions(data.training, x, columns=attack.selected) - y) ** 2)
                for x, y in (data.public, data.final)
            )
            found.append(public - final)
        exact.append(found[0] - idealised_on(data, 15))
        rounded += found[1:]
        hidden += [value - found[0] for value in found[1:]]
    assert within(exact, 0)
    assert np.mean(rounded) > -0.05
    assert np.mean(hidden) > 4 * np.std(hidden, ddof=1) / math.sqrt(150)


def best_of_two(rho):
    """Return the mean of the larger of the squares of two standard normal variables with this correlation."""
    return 1 + 2 / math.pi * math.sqrt(1 - rho**2)


def test_correlated_features():
    """For a normal response (n-1) E max r^2 is that of normal variables: 1 + 2/pi sqrt(1 - rho^2) for two features.

    max(a, b) = (a + b)/2 + |a - b|/2, and the squares differ by a product of independent variables. Fixed features
    with n = 10 and correlation 0, .6 and .95, 100,000 responses, within four standard errors.
    """
    rng = np.random.default_rng(5)
    n = 10
    basis = np.linalg.qr(np.c_[np.ones(n), rng.normal(size=(n, 2))])[0][:, 1:]
    y = rng.normal(size=(100_000, n)) * 3 + 7
    v = y - y.mean(axis=1, keepdims=True)
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    for rho in (0, 0.6, 0.95):
        u = np.stack([basis[:, 0], rho * basis[:, 0] + math.sqrt(1 - rho**2) * basis[:, 1]])
        assert within(((v @ u.T) ** 2).max(axis=1), best_of_two(rho) / (n - 1))


def test_correlation_lowers_the_best_square():
    """E max r^2 of six features is the integral for uncorrelated ones, and below it by over four standard errors else.

    Fixed features with n = 10, each correlated with the next by .7 or by -.7, and uncorrelated; 20,000 responses.
    """
    rng = np.random.default_rng(15)
    n, p = 10, 6
    basis = np.linalg.qr(np.c_[np.ones(n), rng.normal(size=(n, p))])[0][:, 1:]
    y = rng.normal(size=(20_000, n))
    v = (y - y.mean(axis=1, keepdims=True)) / np.linalg.norm(y - y.mean(axis=1, keepdims=True), axis=1, keepdims=True)
    bound = quad(lambda t: 1 - (2 * norm.cdf(math.sqrt(t)) - 1) ** p, 0, np.inf)[0] / (n - 1)
    for rho in (0, 0.7, -0.7):
        u = [basis[:, 0]]
        for j in range(1, p):
            u.append(rho * u[-1] + math.sqrt(1 - rho**2) * basis[:, j])
        squares = ((v @ np.transpose(u)) ** 2).max(axis=1)
        error = squares.std() / math.sqrt(20_000)
        assert within(squares, bound) if rho == 0 else squares.mean() < bound - 4 * error


def test_best_square_is_at_most_logarithmic():
    """E max r^2 is at most (2 ln p + 2) / (n - 1) for a normal response, and 2 ln p is right for very many features.

    Independent features, by the integral. One feature has half of the bound; p = 10^300 and n = 10^6 have .99 of it.
    """
    t = np.linspace(1e-6, 0.003, 3000)  # P(r^2 > t) is 10^-300 in between
    many = t[0] + np.trapezoid(-np.expm1(1e300 * np.log1p(-law(10**6).sf(t))), t)
    means = [(n, p, best_square(p, n)) for n, p in ((50, 1), (50, 10), (147, 285), (1000, 10_000))]
    for n, p, mean in (*means, (10**6, 1e300, many)):
        bound = (2 * math.log(p) + 2) / (n - 1)
        assert 0.499 * bound < mean < bound
    assert many > 0.99 * bound


def test_median_interval_covers():
    """The interval covers the median of a continuous law with 1 - 2 P(Bin(R, 1/2) <= k-1), at least 95 %, just so.

    All patterns of values above and below, R = 6 to 12. The next interval inwards covers with less than 95 %.
    """
    for repetitions in range(6, 13):
        sizes = np.arange(1, repetitions + 1)
        signs = np.array(list(product((-1, 1), repeat=repetitions)))
        low, high = budget_of((signs * sizes).T).intervals
        k = max(k for k in range(1, repetitions) if 2 * binom.cdf(k - 1, repetitions, 0.5) <= 0.05)
        covered = np.mean((low < 0) & (high > 0))
        assert math.isclose(covered, 1 - 2 * binom.cdf(k - 1, repetitions, 0.5))
        assert covered >= 0.95 > 1 - 2 * binom.cdf(k, repetitions, 0.5)


def test_median_interval_with_ties():
    """With ties the interval covers every median at least as often, by the exact law of all samples.

    Laws on 0, 1, 2 whose median is 1, or anything from 0 to 1, R = 6 and 8.
    """
    for weights, medians in (((3, 4, 3), (1,)), ((1, 1, 0), (0, 0.5, 1)), ((2, 1, 1), (0, 1)), ((0, 1, 0), (1,))):
        for repetitions in (6, 8):
            samples = np.array(list(product(range(3), repeat=repetitions)))
            chances = np.prod(np.array(weights)[samples] / sum(weights), axis=1)
            low, high = budget_of(samples.T).intervals
            for m in medians:
                assert chances[(low <= m) & (m <= high)].sum() >= 0.95


def test_announced_budget():
    """A budget is announced too large with probability at most 1/40, however many lengths there are: all patterns.

    R = 8 repetitions, all lengths on the same draws. The second median lies just below the tolerance, so each of its
    values is above with probability 1/2. The others look safe in every repetition.
    """
    signs = np.array(list(product((-0.5, 1.5), repeat=8)))  # of what lies below -1, plus and minus a half
    for lengths in (2, 3, 5):
        too_large, unsafe = 0, 0
        for values in signs:
            overfitting = np.full((8, lengths), 5.0)
            overfitting[:, 1] = values - 1.5
            budget = budget_of(overfitting)
            too_large += budget.safe(1) > budget.submissions[0]
            unsafe += budget.unsafe(1) is not None
        assert 0 < too_large / len(signs) <= 1 / 40
        assert too_large / len(signs) == binom.cdf(0, 8, 0.5)
        assert unsafe == too_large
