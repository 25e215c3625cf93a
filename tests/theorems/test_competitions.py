"""What a board of fixed, of chosen, and of reacting submissions shows on average, and how far reacting can go."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom
from scripted import ScriptedGenerator

import leaderboard_edu as le

VARIANCE = Fraction(1, 4)  # of one loss, at most
MEAN_MAX = 2  # in √(ln k / (2n))
NATS_PER_BIT = math.log(2)

# A world of two equally likely points, whose label is the point's own number with probability 4/5.
WORLD = {(x, y): Fraction(4 if x == y else 1, 10) for x in (0, 1) for y in (0, 1)}
CLASSIFIERS = tuple(itertools.product((0, 1), repeat=2))  # f[x] is the label of x


def true_risk(f):
    """Return the true risk of a classifier."""
    return sum(chance for (x, y), chance in WORLD.items() if f[x] != y)


def holdouts(n):
    """Yield the probability of each holdout of n points, and a function that gives a classifier's empirical risk."""
    for points in itertools.product(WORLD, repeat=n):
        labels = [y for _, y in points]

        def risk(f, points=points, labels=labels):
            return Fraction(le.empirical_risk([f[x] for x, _ in points], labels)).limit_denominator(n)

        yield math.prod(WORLD[point] for point in points), risk


def vectors(n):
    """Return all vectors of n zeros and ones."""
    return list(itertools.product((0, 1), repeat=n))


@pytest.mark.parametrize("risk", [Fraction(1, 2), Fraction(3, 10), Fraction(0)])
def test_fixed_classifier(risk):
    """A fixed classifier's empirical risk has the true risk r as mean and r(1 - r)/n as variance.

    All label vectors of n = 5 points, with their exact probabilities; equal as fractions.
    """
    n, f = 5, (0, 1, 1, 0, 1)
    mean = square = Fraction(0)
    for y in vectors(n):
        wrong = sum(a != b for a, b in zip(f, y, strict=True))
        chance = risk**wrong * (1 - risk) ** (n - wrong)
        empirical = Fraction(le.empirical_risk(f, y)).limit_denominator(n)
        mean += chance * empirical
        square += chance * empirical**2
    assert mean == risk
    assert square - mean**2 == risk * (1 - risk) / n


@pytest.mark.parametrize("weights", [(1, 0, 0, 0), (1, 2, 3, 4), (0, 1, 1, 0)])
def test_random_classifier(weights):
    """For f chosen at random, independently of S, E R_S(f) = E R_D(f), and given f the variance is r(1-r)/n <= 1/(4n).

    f is one of the four classifiers of two points, of risks 1/5, 1/2, 1/2 and 4/5, with the given weights; all
    holdouts of n = 3 points with their probabilities. Equal as fractions; r(1 - r) <= 1/4 with equality at r = 1/2.
    """
    n = 3
    prior = dict(zip(CLASSIFIERS, (Fraction(w, sum(weights)) for w in weights), strict=True))
    mean = sum(chance * prior[f] * risk(f) for chance, risk in holdouts(n) for f in prior)
    assert mean == sum(prior[f] * true_risk(f) for f in prior)
    for f in prior:
        variance = sum(chance * (risk(f) - true_risk(f)) ** 2 for chance, risk in holdouts(n))
        assert variance == true_risk(f) * (1 - true_risk(f)) / n <= VARIANCE / n


def test_random_classifier_varies():
    """Not conditionally on f the variance can exceed 1/(4n): labels all 0 and a fair choice of constants give 1/4.

    Both outcomes for each n, exactly; no tolerance.
    """
    for n in (1, 2, 10, 1000):
        risks = [le.empirical_risk(np.full(n, constant), np.zeros(n)) for constant in (0, 1)]
        assert np.mean(risks) == 0.5
        assert np.var(risks) == 0.25 >= VARIANCE / n


@pytest.mark.parametrize("n", [1, 2, 3])
def test_best_of_unequal(n):
    """E min R_S(f_t) <= min R_D(f_t) for fixed f_1, ..., f_k, also of unequal risks; equal for k = 1.

    Every set of the four classifiers of two points, on all holdouts of n points with their probabilities; exact.
    The best of all four loses the rarer label of each point, which gives its mean in closed form.
    """
    for k in (1, 2, 3, 4):
        for chosen in itertools.combinations(CLASSIFIERS, k):
            mean = sum(chance * min(risk(f) for f in chosen) for chance, risk in holdouts(n))
            best = min(true_risk(f) for f in chosen)
            assert mean <= best
            assert k > 1 or mean == best
    # The last `mean` is that of all four. If x is drawn m times, the rarer of its two labels is lost.
    lost = [sum(math.comb(m, j) * 4**j * min(j, m - j) for j in range(m + 1)) * Fraction(1, 5**m) for m in range(n + 1)]
    assert mean == sum(Fraction(math.comb(n, m), 2**n) * (lost[m] + lost[n - m]) for m in range(n + 1)) / n


def test_mean_of_the_worst_deviation():
    """E max (R_D(f_t) - R_S(f_t)) <= √(ln k / (2n)) for fixed f_1, ..., f_k, and no constant above 2 serves.

    Independent coins, by the formula of the best of k, with log(1 - cdf) for a k of many digits; tolerance 1e-12, the
    rounding of a sum of n terms. At n = 10⁵ and k = 10¹⁰⁰ the mean is above √(ln k / (2.05 n)). Then all sets of
    unequal classifiers of a small world, exactly; for k = 1 both sides are 0.
    """
    for n in (1, 2, 10, 1000, 100_000):
        below = np.minimum(binom.cdf(np.arange(n), n, 0.5), 1 - 1e-16)
        for k in (1, 2, 3, 10, 1000, 10**6, 10**20, 10**100):
            deviation = 0.5 - np.sum(np.exp(float(k) * np.log1p(-below))) / n
            assert deviation <= math.sqrt(math.log(k) / (MEAN_MAX * n)) + 1e-12
            assert k > 1 or abs(deviation) <= 1e-12
    assert deviation > math.sqrt(math.log(k) / (2.05 * n))
    for k in (1, 2, 3, 4):
        for chosen in itertools.combinations(CLASSIFIERS, k):
            worst = sum(chance * max(true_risk(f) - risk(f) for f in chosen) for chance, risk in holdouts(3))
            assert worst <= math.sqrt(math.log(k) / (MEAN_MAX * 3))


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 2), (2, 4), (4, 2)])
def test_best_of_k(n, k):
    """The smallest loss of k independent coins has mean (1/n) Σ_c Pr{Bin(n, 1/2) > c}^k, at most one half.

    Every list of k submissions against one label vector; the formula summed with fractions. Equal.
    """
    y = vectors(n)[-1]
    counts = [le.count_wrong(u, y) for u in vectors(n)]
    smallest = [min(chosen) for chosen in itertools.product(counts, repeat=k)]
    mean = Fraction(sum(smallest), n * len(smallest))
    more_wrong = [Fraction(sum(math.comb(n, d) for d in range(c + 1, n + 1)), 2**n) for c in range(n)]
    assert mean == sum(chance**k for chance in more_wrong) / n
    assert mean <= Fraction(1, 2)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_one_bit_of_feedback(n):
    """Flipping a random vector when its loss is above one half gains C(n-1, ⌊n/2⌋)/2^n, for every label vector.

    Every submission to the real mechanism, one per board; equal as fractions.
    """
    for y in vectors(n):
        total = 0
        for u in vectors(n):
            kept = le.FullDisclosure(y).submit(u) <= 0.5
            total += le.count_wrong(u if kept else [1 - label for label in u], y)
        assert Fraction(total, n * 2**n) == Fraction(1, 2) - Fraction(math.comb(n - 1, n // 2), 2**n)


@pytest.mark.parametrize(("n", "k", "m"), [(400, 1000, 21), (400, 1000, 20), (4000, 4000, 100_000), (4000, 4000, 64)])
def test_final_submission(n, k, m):
    """Only the vote, submitted as number k + 1, makes the leaderboard error r/(4e) - 1/√(2n) - 1/(2m), r = √(k/n).

    r is capped at 1 and 1/m <= 1/√n. In 30 replicates the share that reaches the bound must not lie more than four
    standard errors, √(2/9/30) each, below 2/3. In every run the error is accuracy - 1/2 up to the rounding,
    1/(2m), and 1e-12. Without the vote the error of the k fixed vectors is below √(ln(2k/δ)/(2n)) + 1/(2m) with
    δ = 1e-6, which the vote exceeds every time. At m = 64 all of them reach the bound, and without 1/e it is refuted.
    """
    assert m * m >= n
    bound = 1 / 4 / math.e * min(1, math.sqrt(k / n)) - 1 / math.sqrt(2 * n) - 1 / (2 * m)
    fixed = math.sqrt(math.log(2 * k / 1e-6) / (2 * n)) + 1 / (2 * m)
    reached = []
    for child in np.random.SeedSequence([n, m]).spawn(30):
        rng = np.random.default_rng(child)
        labels = rng.integers(0, 2, n)
        board = le.FullDisclosure(labels, precision=Fraction(1, m))
        attack = le.boosting_attack(board.submit, n=n, k=k, rng=rng)
        board.submit(attack.predictions)
        shown = np.minimum.accumulate([released for _, released in board.transcript])
        risks = np.full(k + 1, 0.5)
        error = le.leaderboard_error(shown, risks)
        assert le.leaderboard_error(shown[:k], risks[:k]) <= fixed < error
        accuracy = 1 - le.empirical_risk(attack.predictions, labels)
        assert abs(error - (accuracy - 0.5)) <= 1 / (2 * m) + 1e-12
        reached.append(error >= bound)
    assert np.mean(reached) >= 2 / 3 - 4 * math.sqrt(2 / 9 / 30)


@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-6])
def test_one_bit_ceiling(delta):
    """One bit from each of k submissions gains more than √((k ln 2 + ln(1/δ))/(2n)) with probability at most δ.

    The union over the 2^k possible final vectors, with exact binomial tails: 2^k times the tail at the ceiling
    is at most δ. At nine tenths of the ceiling it is not, so the constant ln 2 is right. The boosting attack's
    expected gain stays below the ceiling, and above half of it for small k/n.
    """
    for n, k in [(20_000, 100), (40_000, 400), (100_000, 300)]:
        ceiling = math.sqrt((k * NATS_PER_BIT + math.log(1 / delta)) / (2 * n))
        log_tail = [binom.logsf(math.ceil(n * (0.5 + share * ceiling)) - 1, n, 0.5) for share in (1, 0.9)]
        assert k * math.log(2) + log_tail[0] <= math.log(delta)
        assert k * math.log(2) + log_tail[1] > math.log(delta)
        gain = le.boosting_accuracy(n=n, k=k) - 0.5
        assert 0.5 * math.sqrt(k * math.log(2) / (2 * n)) < gain < ceiling


def chance_to_reach(finals, count, n):
    """Return the probability that one of the final vectors has at least `count` of n fair labels right."""
    hits = sum(max(n - le.count_wrong(final, y) for final in finals) >= count for y in vectors(n))
    return Fraction(hits, 2**n)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)])
def test_one_bit_of_any_analyst(n, k):
    """No 2^k final vectors hold one with a share above 1/2 + √((k ln 2 + ln(1/δ))/(2n)) with probability above δ.

    A share s > 1/2 exceeds the ceiling just when δ > 2^k exp(-2n(s - 1/2)²), so its probability must not exceed that.
    Every choice of 2^k vectors is tried, exactly; no tolerance. At n = k = 1 the probability is 1, of a bound
    of 1.21, and ln 1.6 in the place of ln 2 is refuted.
    """
    for finals in itertools.combinations(vectors(n), min(2**k, 2**n)):
        for count in range(n // 2 + 1, n + 1):
            bound = math.exp(k * NATS_PER_BIT - 2 * n * (count / n - 0.5) ** 2)
            assert chance_to_reach(finals, count, n) <= bound


@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 1), (3, 2)])
def test_one_bit_of_the_boosting_attack(n, k):
    """For given coins the boosting attack ends in at most 2^k vectors, and exceeds the ceiling as rarely as it must.

    The real attack on the real mechanism, for all coins, submissions and label vectors; the probability is over
    the labels, which are fair. Exact, no tolerance. The share of right labels, averaged over everything, is
    boosting_accuracy, to 1e-12.
    """
    rights = []
    for script in itertools.product(range(2**n), repeat=k + 1):
        finals, right = set(), []
        for y in vectors(n):
            attack = le.boosting_attack(le.FullDisclosure(y).submit, n=n, k=k, rng=ScriptedGenerator(script, n))
            finals.add(tuple(attack.predictions))
            right.append(n - le.count_wrong(attack.predictions, y))
        assert len(finals) <= 2**k
        for count in range(n // 2 + 1, n + 1):
            bound = math.exp(k * NATS_PER_BIT - 2 * n * (count / n - 0.5) ** 2)
            assert sum(r >= count for r in right) / 2**n <= bound
        rights += right
    assert np.mean(rights) / n == pytest.approx(le.boosting_accuracy(n=n, k=k), abs=1e-12)


def told_ahead(level, first, second, chance_of_one):
    """Return the probability that the sign test tells the first file ahead, of labels with this chance of a one."""
    total = Fraction(0)
    for y in vectors(len(first)):
        if le.sign_test(y, first, second) <= level:
            total += chance_of_one ** sum(y) * (1 - chance_of_one) ** (len(y) - sum(y))
    return total


@pytest.mark.parametrize("split", [0, 1, 4, 7])
def test_sign_test(split):
    """Of two files that are equally good, the first is told ahead with just the probability that is the level.

    All labels, and every value that the test can have. Of labels on which the first is worse, with at most that.
    """
    first, second = (1,) * 7, (0,) * split + (1,) * (7 - split)
    values = {Fraction(le.sign_test(y, first, second)) for y in vectors(7)}
    assert len(values) == split + 1
    for value in values:
        assert told_ahead(value, first, second, Fraction(1, 2)) == value
        assert told_ahead(value, first, second, Fraction(2, 5)) <= value
        assert (told_ahead(value, first, second, Fraction(3, 5)) > value) == (0 < value < 1)


# What a level is divided by: so many comparisons can go wrong, with four labels that a pair of files is split on. The
# smallest value of the test is then 1/16; a level a tenth too large reaches it where it should not.
SPLIT_OF_FOUR = Fraction(1, 16)


@pytest.mark.parametrize("part", [Fraction(1), Fraction(9, 10)])
def test_sign_tests_of_all_pairs(part):
    """With a level shared out among all ordered pairs, no file is told ahead of one as good, but with that probability.

    Two files on all vectors of four coin labels, on which both are equally good: the bound is attained.
    """
    files = [(0,) * 4, (1,) * 4]
    pairs = list(itertools.permutations(files, 2))
    alpha = part * len(pairs) * SPLIT_OF_FOUR
    level = alpha / len(pairs)
    wrong = [any(le.sign_test(y, *pair) <= level for pair in pairs) for y in vectors(4)]
    assert np.mean(wrong) <= alpha
    assert np.mean(wrong) == (alpha if part == 1 else 0)


@pytest.mark.parametrize("part", [Fraction(1), Fraction(9, 10)])
def test_best_file_is_among_the_winners(part):
    """With the level shared out among the others, one of them is seldom told ahead of the best: the bound is sharp.

    The vector of zeros is the best of three files if a label is one with probability 2/5; at one half all are as good.
    The others differ from it in four labels each, and not in the same ones. All vectors of eight labels.
    """
    best, *others = (0,) * 8, (1,) * 4 + (0,) * 4, (0,) * 4 + (1,) * 4
    alpha = part * len(others) * SPLIT_OF_FOUR
    level = alpha / len(others)
    for chance in (Fraction(2, 5), Fraction(1, 2)):
        lost = Fraction(0)
        for y in vectors(8):
            if any(le.sign_test(y, other, best) <= level for other in others):
                lost += chance ** sum(y) * (1 - chance) ** (8 - sum(y))
        assert lost <= alpha
    assert (lost > Fraction(96, 100) * alpha) == (part == 1)
