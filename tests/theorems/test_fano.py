"""Information, Fano's inequality, and the lower bound on the leaderboard error of every mechanism."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from exact import HALF

import leaderboard_edu as le

NATS = math.log  # of every entropy and divergence here
TWO_OUTCOMES = math.log(2)  # the largest entropy of "right or wrong"
CLOSED = 12  # in the closed form of the lower bound
FIXED = 2  # in the upper bound for fixed submissions


def divergence(p, q):
    """Return KL(p || q) of two laws on the same finite set, in nats."""
    return math.fsum(a * NATS(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def entropy(p):
    """Return the entropy of a finite law, in nats."""
    return -math.fsum(a * NATS(a) for a in p if a > 0)


def needle_law(needle, n, k, epsilon):
    """Return the law of the k counts of ones in n throws, coin `needle` being biased, as {counts: Fraction}."""
    law = {}
    for counts in product(range(n + 1), repeat=k):
        chance = Fraction(1)
        for coin, count in enumerate(counts):
            p = HALF - epsilon if coin == needle else HALF
            chance *= math.comb(n, count) * p**count * (1 - p) ** (n - count)
        law[counts] = chance
    return law


def random_joint(rng, k, outcomes):
    """Return a joint law of a uniform V on k values and an outcome, shape (k, outcomes)."""
    return rng.dirichlet(np.full(outcomes, 0.5), size=k) / k


def test_kl_bernoulli():
    """KL(p || q) = p ln(p/q) + (1-p) ln((1-p)/(1-q)), never below 2 (p-q)^2, zero only for equal laws.

    On a grid of p and q against the definition, tolerance 1e-14; for close laws against (p-q)^2/(2 q (1-q)) with
    the next order's size, 2 abs(p-q)/(q (1-q)), as relative tolerance. The order of the arguments matters.
    """
    grid = [j / 20 for j in range(21)]
    for p, q in product(grid, grid[1:-1]):
        assert le.kl_bernoulli(p, q) == pytest.approx(divergence((p, 1 - p), (q, 1 - q)), abs=1e-14)
        assert le.kl_bernoulli(p, q) >= 2 * (p - q) ** 2 - 1e-15
    for q, d in product((0.1, 0.5, 0.8), (1e-3, 1e-6, 1e-9)):
        p = q + d
        second_order = (p - q) ** 2 / (2 * q * (1 - q))
        assert le.kl_bernoulli(p, q) == pytest.approx(second_order, rel=2 * d / (q * (1 - q)))
    assert le.kl_bernoulli(0.25, 0.5) < le.kl_bernoulli(0.5, 0.25)


def test_series_of_the_divergence():
    """2 eps^2 <= KL(1/2 - eps || 1/2) <= 4 ln 2 eps^2 for 0 <= eps <= 1/2, with equality above at eps = 1/2.

    Tolerance 1e-15 of rounding; at the end the divergence is ln 2.
    """
    for epsilon in np.linspace(0.005, 0.5, 100):
        value = le.kl_bernoulli(0.5 - epsilon, 0.5)
        assert 2 * epsilon**2 - 1e-15 <= value <= 4 * math.log(2) * epsilon**2 + 1e-15
    assert le.kl_bernoulli(0, 0.5) == pytest.approx(4 * math.log(2) * 0.25, abs=1e-15)


def test_information_of_the_haystack():
    """I(V; X) <= n KL(1/2 - eps || 1/2): the average divergence from the fair coins is exactly that.

    By enumeration of all counts for k = 3, n = 1 and 2: the divergence of P_v from all-fair equals n KL (tolerance
    1e-13, rounding), and exceeds I(V; X) by the divergence of the mixture from all-fair. With the arguments swapped
    it is another number.
    """
    for n, epsilon in product((1, 2), (Fraction(1, 10), Fraction(2, 5))):
        laws = [[float(x) for x in needle_law(v, n, 3, epsilon).values()] for v in range(3)]
        fair = [float(x) for x in needle_law(0, n, 3, Fraction(0)).values()]
        mixture = [sum(column) / 3 for column in zip(*laws, strict=True)]
        information = sum(divergence(law, mixture) for law in laws) / 3
        average = sum(divergence(law, fair) for law in laws) / 3
        assert average == pytest.approx(n * le.kl_bernoulli(float(HALF - epsilon), 0.5), abs=1e-13)
        assert average - information == pytest.approx(divergence(mixture, fair), abs=1e-13)
        assert 0 < information < average
        assert abs(divergence(fair, laws[0]) - average) > 1e-5


def test_information_is_averaged_divergence():
    """I(V; X) = H(V) - H(V | X) = mean KL(P_v || mixture), and no other centre gives less. Tolerance 1e-12."""
    rng = np.random.default_rng(5)
    for k, outcomes in product((2, 3, 5), (2, 4, 7)):
        joint = random_joint(rng, k, outcomes)
        marginal = joint.sum(axis=0)
        conditional = sum(x * entropy(joint[:, i] / x) for i, x in enumerate(marginal) if x > 0)
        information = sum(divergence(row * k, marginal) for row in joint) / k
        assert information == pytest.approx(math.log(k) - conditional, abs=1e-12)
        for centre in rng.dirichlet(np.ones(outcomes), size=5):
            assert sum(divergence(row * k, centre) for row in joint) / k >= information - 1e-12


def test_chain_rule():
    """KL of a pair is KL of X plus the mean KL of Y given x, infinite with the left side where q(x) = 0 < p(x).

    Random laws of pairs with about a fifth of the entries zero, some with q(x) = 0 < p(x): there any law stands for
    the missing one of Y given x. Tolerance 1e-12 where both sides are finite; all three kinds occur.
    """
    rng = np.random.default_rng(16)

    def kl(p, q):
        return math.inf if np.any(p[q == 0] > 0) else divergence(p[p > 0], q[p > 0])

    kinds = set()
    for _ in range(300):
        P, Q = (weights / weights.sum() for weights in rng.random((2, 2, 3)) * (rng.random((2, 2, 3)) > 0.2) + 1e-300)
        P, Q = (np.where(law < 1e-200, 0, law) for law in (P, Q))
        px, qx = P.sum(axis=1), Q.sum(axis=1)
        rows = np.array([Q[x] / qx[x] if qx[x] > 0 else rng.dirichlet(np.ones(3)) for x in (0, 1)])
        right = kl(px, qx) + sum(px[x] * kl(P[x] / px[x], rows[x]) for x in (0, 1) if px[x] > 0)
        left = kl(P.ravel(), Q.ravel())
        assert left == right if math.isinf(left) else left == pytest.approx(right, abs=1e-12)
        kinds.add((math.isinf(left), bool(np.any((qx == 0) & (px > 0)))))
    assert kinds == {(False, False), (True, False), (True, True)}


def error_and_information(joint):
    """Return the error of the best guess of V from the outcome, and I(V; X) in nats."""
    k, marginal = joint.shape[0], joint.sum(axis=0)
    return 1 - joint.max(axis=0).sum(), sum(divergence(row * k, marginal) for row in joint) / k


def test_fano_inequality():
    """h(P) + P ln(k-1) >= ln k - I for every guess of a uniform V on k values, hence P >= 1 - (I + ln 2)/ln k.

    Random joint laws; their best guess, their worst and a random one. Equality for a symmetric channel whose errors
    are uniform, which a wrong
    logarithm or a wrong count of alternatives would violate. Tolerance 1e-12.
    """
    rng = np.random.default_rng(6)
    laws = [random_joint(rng, k, outcomes) for k, outcomes in product((2, 3, 5, 10), (2, 5, 20)) for _ in range(20)]
    for joint in laws:
        best, information = error_and_information(joint)
        k, outcomes = joint.shape
        guess = joint[rng.integers(0, k, outcomes), np.arange(outcomes)]
        for error in (best, 1 - joint.min(axis=0).sum(), 1 - guess.sum()):
            assert entropy((error, 1 - error)) + error * NATS(k - 1) >= NATS(k) - information - 1e-12
            assert error >= 1 - (information + TWO_OUTCOMES) / NATS(k) - 1e-12
    for k, error in product((3, 5, 10), (0.1, 0.4)):
        channel = np.full((k, k), error / (k - 1) / k)
        np.fill_diagonal(channel, (1 - error) / k)
        found, information = error_and_information(channel)
        assert found == pytest.approx(error, abs=1e-12)
        fano = entropy((error, 1 - error)) + error * NATS(k - 1)
        assert fano == pytest.approx(NATS(k) - information, abs=1e-12)


def test_reduction():
    """If lberr < eps/2, the first release below 1/2 - eps/2 is the needle's; one more is not always so. No tolerance.

    k = 4, eps = 1/4: all release sequences on a grid of 1/16 around the two risks, in whole sixteenths.
    """
    k, half, epsilon = 4, 8, 4
    misled = 0
    for needle in range(k):
        risks = [half if t < needle else half - epsilon for t in range(k)]
        for released in product(range(3, 11), repeat=k):
            error = max(abs(r - risk) for r, risk in zip(released, risks, strict=True))
            below = [t for t, r in enumerate(released) if 2 * r < 2 * half - epsilon]
            guess = below[0] if below else None
            if 2 * error < epsilon:
                assert guess == needle
            misled += 2 * error == epsilon and guess != needle
            assert le.leaderboard_error(np.array(released) / 16, np.array(risks) / 16) == error / 16
    assert misled > 0


def test_decoder_error():
    """The best guess is the coin with the fewest ones, and decoder_error is its error, ties at random.

    All counts of k coins in n throws by Fractions: the posterior's maximum, which is the error of every best guess,
    for k up to 4 and n up to 3. Tolerance 1e-12, the rounding of the library's sum.
    """
    for k, n, epsilon in product((1, 2, 3, 4), (1, 2, 3), (Fraction(1, 10), Fraction(1, 3))):
        laws = [needle_law(v, n, k, epsilon) for v in range(k)]
        right = sum(max(law[counts] for law in laws) for counts in laws[0]) / k
        assert le.decoder_error(float(epsilon), n=n, k=k) == pytest.approx(float(1 - right), abs=1e-12)
        for counts in laws[0]:
            likeliest = [v for v in range(k) if laws[v][counts] == max(law[counts] for law in laws)]
            assert likeliest == [v for v in range(k) if counts[v] == min(counts)]


def test_decoder_by_simulation():
    """decoder_error at k = 200 coins and n = 100 throws, against 4000 simulated needles; four standard errors."""
    rng = np.random.default_rng(8)
    for epsilon in (0.1, 0.15):
        needle = rng.binomial(100, 0.5 - epsilon, 4000)
        fewest = rng.binomial(100, 0.5, (4000, 199))
        ties = (fewest == needle[:, None]).sum(axis=1)
        right = (fewest >= needle[:, None]).all(axis=1) / (1 + ties)
        error = 1 - right
        standard_error = error.std(ddof=1) / math.sqrt(4000)
        assert abs(le.decoder_error(epsilon, n=100, k=200) - error.mean()) < 4 * standard_error


def explicit(epsilon, n, k):
    """Return (eps/2) (1 - (n KL + ln 2)/ln k), with its own divergence."""
    q = 0.5 - epsilon
    information = n * divergence((q, 1 - q), (0.5, 0.5))
    return epsilon / 2 * (1 - (information + TWO_OUTCOMES) / NATS(k))


def test_explicit_lower_bound():
    """fano_bound is the maximum over eps of (eps/2) (1 - (n KL(1/2-eps || 1/2) + ln 2)/ln k), never below 0.

    Against a grid of 20,000 values of eps up to twice the scale sqrt(ln k/n). The function f is concave and
    f(0) = 0, so f(eps)/eps falls, and between grid points j and j + 1 it is at most (1 + 1/j) f(j).
    """
    for n, k in product((1, 10, 1000, 10**6), (3, 10, 1000, 10**6)):
        scale = min(0.5, 2 * math.sqrt(math.log(k) / n))
        grid, j = max((explicit(scale * j / 20_000, n, k), j) for j in range(1, 20_000))
        assert grid * (1 - 1e-12) <= le.fano_bound(n=n, k=k) <= grid * (1 + 1 / (j - 1))
    assert le.fano_bound(n=10, k=1) == le.fano_bound(n=10, k=2) == 0


def test_closed_form():
    """fano_bound >= L/(3 ln k) min(1/2, sqrt(L/(12 n ln 2))), L = ln(k/2), for all n >= 1 and k >= 3.

    The closed form uses KL <= 4 ln 2 eps^2. It is never above; and with 4 ln 2 replaced by the true second order, 2,
    so 12 ln 2 by 6, the ratio to fano_bound tends to 1 for large n: tolerance 1e-3 at n = 10^8. From k = 4 on it is at
    least sqrt(ln k/(24 n ln 2))/6, with equality at k = 4; tolerance 1e-12 there.
    """
    for n, k in product((1, 10, 1000, 10**6, 10**8), (3, 4, 100, 10**6)):
        a, top = math.log(k / 2) / math.log(k), math.log(k / 2)
        closed = a / 3 * min(0.5, math.sqrt(top / (CLOSED * n * math.log(2))))
        assert closed <= le.fano_bound(n=n, k=k)
        if k >= 4 and top <= n * math.log(8):
            assert closed >= math.sqrt(math.log(k) / (24 * n * math.log(2))) / 6 - 1e-12
        if k == 4 and top <= n * math.log(8):
            assert closed == pytest.approx(math.sqrt(math.log(4) / (24 * n * math.log(2))) / 6, rel=1e-12)
        if n == 10**8:
            assert le.fano_bound(n=n, k=k) == pytest.approx(a / 3 * math.sqrt(top / (6 * n)), rel=1e-3)


def test_lower_bound_by_the_best_decoder():
    """Fano's bound on the error never exceeds the exact error of the best guess, at any bias. Tolerance 1e-12.

    n from 1 and k from 3 to 1000, and n = 10^4 with k = 10^50, forty biases each. With logarithms of mixed base the
    last would be violated: there both say that the needle is found when n KL is about ln k.
    """
    for n, k in (*product((1, 10, 100, 1000), (3, 10, 100, 1000)), (10**4, 10**50)):
        for epsilon in np.geomspace(1e-3, 0.49, 40):
            claimed = explicit(epsilon, n, k) * 2 / epsilon
            assert claimed <= le.decoder_error(float(epsilon), n=n, k=k) + 1e-12


def best_bias(n, k):
    """Return the bias at which the explicit bound is largest, on a grid."""
    return max((j / 10_000 for j in range(1, 5000)), key=lambda epsilon: explicit(epsilon, n, k))


def test_every_estimator_obeys():
    """No estimator beats fano_bound on the haystack: the running minimum of the empirical risks, and two constants.

    k = 50, n = 100 and the bias eps that maximises the bound; 2000 replicates, the needle drawn uniformly. The mean
    error plus four standard errors is not below the bound. The constant 1/2 - eps/2 errs by eps/2, without chance. At
    k = 10^50 this is 1.5 times the bound for n = 10^4, tolerance 0.03, and at n = 1 less than 1.02 times.
    """
    n, k = 100, 50
    rng = np.random.default_rng(9)
    epsilon = best_bias(n, k)
    needles = rng.integers(0, k, 2000)
    biases = np.where(np.arange(k) == needles[:, None], 0.5 - epsilon, 0.5)
    shown = np.minimum.accumulate(rng.binomial(n, biases) / n, axis=1)
    risks = np.minimum.accumulate(biases, axis=1)
    for released in (shown, np.full_like(shown, 0.5), np.full_like(shown, 0.5 - epsilon / 2)):
        errors = np.abs(released - risks).max(axis=1)
        assert errors.mean() + 4 * errors.std(ddof=1) / math.sqrt(2000) >= le.fano_bound(n=n, k=k)
    times = []
    for n, k in ((100, 50), (10**4, 10**50), (1, 10**50)):
        epsilon = best_bias(n, k)
        constant = le.leaderboard_error(np.full(2, 0.5 - epsilon / 2), np.array([0.5, 0.5 - epsilon]))
        times.append(constant / le.fano_bound(n=n, k=k))
    assert min(times) >= 1
    assert times[0] < 2
    assert times[1] == pytest.approx(1.5, abs=0.03)
    assert times[2] < 1.02


def test_fixed_submissions():
    """For k fixed submissions the running minimum has E lberr <= sqrt(ln(2k)/(2n)): the lower bound's rate is right.

    Independent coins, for which the worst deviation is as large as it gets: 2000 replicates at three sizes. The mean
    less four standard errors is below the bound, and at k = n = 1000 above three quarters of it.
    """
    rng = np.random.default_rng(10)
    for n, k in ((100, 10), (1000, 100), (1000, 1000)):
        risks = rng.binomial(n, 0.5, (2000, k)) / n
        worst = np.abs(risks - 0.5).max(axis=1)
        errors = np.abs(np.minimum.accumulate(risks, axis=1) - 0.5).max(axis=1)
        standard_error = worst.std(ddof=1) / math.sqrt(2000)
        bound = math.sqrt(math.log(2 * k) / (FIXED * n))
        assert np.all(errors <= worst)
        assert worst.mean() - 4 * standard_error <= bound
    assert worst.mean() > 0.75 * bound
