"""The bounds as functions; what they state is tested in tests/theorems."""

import math
from fractions import Fraction
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc, rel_entr
from scipy.stats import binom

import leaderboard_edu as le

deviations = st.floats(0, 1)
sizes = st.integers(1, 10**6)
denominators = st.integers(1, 1000)
accounts_used = st.integers(1, 1000)
failures = st.floats(1e-9, 0.999)
counts = st.sampled_from(["exact", "published"])
names = st.sampled_from(["ladder", "simplified"])


@given(epsilon=deviations, n=sizes, k=sizes)
def test_probabilities(epsilon, n, k):
    bound = le.union_bound(epsilon, n=n, k=k)
    assert type(bound) is float
    assert 0 <= le.hoeffding(epsilon, n=n) <= bound <= 1
    assert le.union_bound(epsilon, n=n + 1, k=k) <= bound <= le.union_bound(epsilon, n=n, k=k + 1)


@given(n=st.integers(1, 3000), k=st.integers(1, 3000), keep=st.sampled_from(["aligned", "half"]))
def test_accuracy_is_between_a_half_and_one(n, k, keep):
    accuracy = le.boosting_accuracy(n=n, k=k, keep=keep)
    assert type(accuracy) is float
    assert 0.5 <= accuracy <= 1


@pytest.mark.parametrize("keep", ["aligned", "half"])
def test_more_submissions_help(keep):
    values = [le.boosting_accuracy(n=100, k=k, keep=keep) for k in range(1, 60)]
    assert all(after >= before - 1e-12 for before, after in pairwise(values))
    assert values[-1] > values[0] + 0.1


def test_large_deviations():
    assert le.hoeffding(1e6, n=10) == 0


@given(epsilon=deviations, m=denominators, n=st.integers(1, 10**9), k=sizes, accounts=accounts_used, count=counts)
def test_bounds_over_the_tree(epsilon, m, n, k, accounts, count):
    """Probabilities that fall with n and epsilon and grow with k, m and the number of accounts."""

    def ladder(epsilon=epsilon, m=m, n=n, k=k):
        return le.ladder_bound(epsilon, eta=Fraction(1, m), n=n, k=k, count=count)

    def several(m=m, n=n, k=k, accounts=accounts):
        return le.multi_account_bound(Fraction(1, m), n=n, k=k, accounts=accounts, count=count)

    for bound in (ladder, several):
        value = bound()
        assert type(value) is float
        assert bound(n=2 * n) <= value <= min(bound(k=k + 1), bound(m=m + 1))
        assert 0 <= value <= 1
    assert ladder(epsilon=2 * epsilon) <= ladder() <= ladder(epsilon=0) == 1
    assert several() <= several(accounts=accounts + 1)


@given(name=names, m=denominators, n=sizes, k=sizes, accounts=accounts_used, delta=failures, count=counts)
@settings(max_examples=50)
def test_deviation_and_sample_size_grow(name, m, n, k, accounts, delta, count):
    """Of the published counts, those for one account of the Ladder and for several come from different papers."""
    given = {"eta": Fraction(1, m), "k": k, "accounts": accounts, "delta": delta}
    harder = [{"eta": Fraction(1, m + 1)}, {"k": k + 1}, {"delta": delta / 2}]
    if (name, accounts, count) != ("ladder", 1, "published"):
        harder.append({"accounts": accounts + 1})
    deviation = le.tree_deviation(name, n=n, count=count, **given)
    needed = le.samples_needed(count=count, **given)
    assert (type(deviation), type(needed)) == (float, int)
    assert deviation > le.tree_deviation(name, n=2 * n, count=count, **given)
    for change in harder:
        assert deviation <= le.tree_deviation(name, n=n, count=count, **(given | change))
        assert needed <= le.samples_needed(count=count, **(given | change))


@given(name=names, epsilon=deviations, m=denominators, n=sizes, k=sizes, accounts=accounts_used)
def test_published_counts_are_never_below_the_exact_ones(name, epsilon, m, n, k, accounts):
    eta, several = Fraction(1, m), {"k": k, "accounts": accounts}
    values = [
        (
            le.ladder_bound(epsilon, eta=eta, n=n, k=k, count=count),
            le.multi_account_bound(eta, n=n, count=count, **several),
            le.tree_deviation(name, eta=eta, n=n, count=count, **several),
            le.samples_needed(eta, count=count, **several),
            le.best_eta(n=10**3 * k * n, count=count, k=min(k, 20)),
        )
        for count in ("exact", "published")
    ]
    assert all(exact <= published for exact, published in zip(*values, strict=True))


GRID = list(product((1, 2, 10, 1000), (1, 2, 1000, 10**9), (1, 2, 1000), (0.05, 0.9), ("exact", "published")))


@pytest.mark.parametrize(("m", "k", "accounts", "delta", "count"), GRID)
def test_sample_size_step_and_bound_agree_to_the_unit(m, k, accounts, delta, count):
    """One label fewer and the bound exceeds delta, the deviation half a step, and the step is too fine."""
    given = {"k": k, "accounts": accounts, "count": count}
    eta = Fraction(1, m)
    n = le.samples_needed(eta, delta=delta, **given)
    assert le.multi_account_bound(eta, n=n, **given) <= delta < le.multi_account_bound(eta, n=n - 1, **given)
    assert le.tree_deviation("simplified", eta=eta, n=n, delta=delta, **given) <= 0.5 / m * (1 + 1e-15)
    assert le.tree_deviation("simplified", eta=eta, n=n - 1, delta=delta, **given) >= 0.5 / m * (1 - 1e-15)
    assert le.best_eta(n=n, delta=delta, **given) == eta
    if m > 1:
        assert le.best_eta(n=n - 1, delta=delta, **given) == Fraction(1, m - 1)
    else:
        with pytest.raises(ValueError, match=rf"^n must be at least {n} for any step at all, got {n - 1}$"):
            le.best_eta(n=n - 1, delta=delta, **given)


@given(m=denominators, n=st.integers(100, 10**6), k=sizes, delta=failures, count=counts)
def test_deviation_inverts_the_bound(m, n, k, delta, count):
    """To 1e-9: a rounding of epsilon by one part in 10**16 moves the exponent, at most 10**4.5, by as many parts."""
    epsilon = le.tree_deviation("ladder", eta=Fraction(1, m), n=n, k=k, delta=delta, count=count)
    assert le.ladder_bound(epsilon, eta=Fraction(1, m), n=n, k=k, count=count) == pytest.approx(delta, rel=1e-9)


def test_one_submission_is_hoeffding():
    """With k = 1 the tree is its root, whatever the step and the number of accounts."""
    for m, accounts, n in product((1, 7), (1, 5), (10, 400)):
        bound = le.multi_account_bound(Fraction(1, m), n=n, k=1, accounts=accounts)
        assert bound == pytest.approx(le.hoeffding(0.5 / m, n=n), rel=1e-12)
        assert le.samples_needed(Fraction(1, m), k=1, accounts=accounts) == math.ceil(2 * m * m * math.log(2 / 0.05))
        assert le.ladder_bound(0.1, eta=Fraction(1, m), n=n, k=1) == pytest.approx(le.hoeffding(0.1, n=n), rel=1e-12)


chances = st.floats(0, 1)


@given(p=chances, q=st.floats(1e-6, 1 - 1e-6))
def test_divergence_against_scipy(p, q):
    """To 1e-14 absolutely, twice over the rounding of SciPy's two terms, each below 15 in size."""
    assert le.kl_bernoulli(p, q) == pytest.approx(rel_entr(p, q) + rel_entr(1 - p, 1 - q), abs=1e-14)


NEAR_THE_ENDS = (5e-324, 1e-300, 1e-20, 1e-16, 1e-8, 0.1, 0.3, 0.5, 0.7, 1 - 1e-8, 1 - 2**-53)


@pytest.mark.parametrize("q", NEAR_THE_ENDS)
def test_divergence_to_ten_digits(q):
    """Against mpmath with 400 digits: laws near the ends, and laws so close that the definition cancels."""
    close = [q * (1 + d) for d in (1e-15, -1e-12, 1e-9, -1e-6, 1e-3, 0.05, 0.09, -0.11, 0.4, -0.6)]
    for p in (0, 1, *NEAR_THE_ENDS, *(p for p in close if 0 <= p <= 1)):
        with mpmath.workdps(400):
            x, y = mpmath.mpf(p), mpmath.mpf(q)
            low = x * mpmath.log(x / y) if x else 0
            exact = float(low + ((1 - x) * mpmath.log((1 - x) / (1 - y)) if x < 1 else 0))
        assert le.kl_bernoulli(p, q) == pytest.approx(exact, rel=1e-10, abs=1e-323)


def test_divergence_at_the_ends():
    assert [le.kl_bernoulli(p, p) for p in (0, 0.3, 1)] == [0, 0, 0]
    assert [le.kl_bernoulli(p, q) for p, q in ((1, 0), (0, 1), (0.3, 0), (0.3, 1))] == [math.inf] * 4
    assert le.kl_bernoulli(0, 0.5) == le.kl_bernoulli(1, 0.5) == pytest.approx(math.log(2), rel=1e-15)


@given(n=sizes, k=sizes)
def test_lower_bound(n, k):
    """Between 0 and 1/4; more submissions raise it, more labels lower it, to a rounding of 1e-15."""
    bound = le.fano_bound(n=n, k=k)
    assert type(bound) is float
    assert 0 <= bound < 0.25
    assert bound <= le.fano_bound(n=n, k=2 * k) + 1e-15
    assert bound >= le.fano_bound(n=2 * n, k=k) - 1e-15
    assert (bound > 0) == (k > 2)


@pytest.mark.parametrize("n", [1, 3, 10**9, 10**15, 10**20])
@pytest.mark.parametrize("k", [3, 10**9, 10**50, 10**300, 10**400])
def test_lower_bound_is_the_maximum(n, k):
    """Against 100,000 biases up to the edge 1/2 or to the last that helps, with Pinsker's 2 eps**2 <= KL.

    By concavity the grid's maximum is at most one part in j low, j its place; it lies past 5000, so 2e-4.
    """
    log_k = math.log(k)
    budget = (log_k - math.log(2)) / n
    j = np.arange(1, 100_000)
    epsilon = min(0.5, math.sqrt(budget / 2)) * j / 100_000
    even = (2 * epsilon) ** 2
    series = sum(even**i / (2 * i * (2 * i - 1)) for i in range(1, 20))  # of KL(1/2 - eps || 1/2)
    full = np.where(
        epsilon < 0.2,
        series,
        math.log(2) + (0.5 - epsilon) * np.log(0.5 - epsilon) + (0.5 + epsilon) * np.log(0.5 + epsilon),
    )
    value = epsilon / 2 * (budget - full) * n / log_k
    assert j[value.argmax()] > 5000
    assert value.max() * (1 - 1e-9) <= le.fano_bound(n=n, k=k) <= value.max() * (1 + 2e-4)


def error_by_definition(epsilon, n, k):
    """Return the error of guessing the coin with the fewest ones: all counts and all numbers of ties, in Fractions."""
    fair = [Fraction(math.comb(n, c), 2**n) for c in range(n + 1)]
    needle = [
        math.comb(n, c) * (Fraction(1, 2) - epsilon) ** c * (Fraction(1, 2) + epsilon) ** (n - c) for c in range(n + 1)
    ]
    right = Fraction(0)
    for c in range(n + 1):
        for ties in range(k):
            others = math.comb(k - 1, ties) * fair[c] ** ties * sum(fair[c + 1 :]) ** (k - 1 - ties)
            right += needle[c] * others / (ties + 1)
    return 1 - right


@pytest.mark.parametrize("k", [2, 3, 10, 40])
@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_decoder_error_by_definition(n, k):
    """To 1e-13, the rounding of a sum of chances."""
    for epsilon in (Fraction(1, 1000), Fraction(1, 10), Fraction(49, 100)):
        exact = error_by_definition(epsilon, n, k)
        assert le.decoder_error(float(epsilon), n=n, k=k) == pytest.approx(float(exact), abs=1e-13)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n", [1, 30, 900, 1074, 1200, 1296, 10**4])
def test_a_single_coin_is_found(n):
    """Where chances of 2**-n vanish too."""
    assert le.decoder_error(0.1, n=n, k=1) == pytest.approx(0, abs=1e-13)


def test_decoder_error_of_two_coins():
    """A hundred thousand throws of two coins: the other has fewer ones, or as many and wins. To 1e-11, its rounding."""
    n = 10**5
    count = np.arange(n + 1)
    for epsilon in (1e-4, 1e-3, 0.01):
        needle = binom.pmf(count, n, 0.5 - epsilon)
        error = np.sum(needle * (binom.cdf(count - 1, n, 0.5) + binom.pmf(count, n, 0.5) / 2))
        assert le.decoder_error(epsilon, n=n, k=2) == pytest.approx(error, abs=1e-11)


@pytest.mark.parametrize(("n", "k"), [(100, 10**18), (100, 10**30)])
def test_decoder_error_of_very_many_coins(n, k):
    """Where so many coins make up for chances like 2**-100: mpmath with 300 digits, to 1e-11, the rounding."""
    for epsilon in (0.3, 0.45, 0.49, 0.4999):
        with mpmath.workdps(300):
            bias = mpmath.mpf(0.5 - epsilon)
            right, no_fewer = 0, mpmath.mpf(1)
            for c in range(n + 1):
                tie = mpmath.binomial(n, c) / mpmath.mpf(2) ** n
                won = (no_fewer**k - (no_fewer - tie) ** k) / (k * tie)
                right += mpmath.binomial(n, c) * bias**c * (1 - bias) ** (n - c) * won
                no_fewer -= tie
            exact = float(1 - right)
        assert le.decoder_error(epsilon, n=n, k=k) == pytest.approx(exact, abs=1e-11)


@given(epsilon=st.floats(1e-3, 0.499), n=st.integers(1, 3000), k=sizes)
@settings(max_examples=50)
def test_decoder_error_is_better_than_a_guess(epsilon, n, k):
    """From 0 to 1 - 1/k; more coins make it harder, more throws easier, to a rounding of 1e-12."""
    error = le.decoder_error(epsilon, n=n, k=k)
    assert type(error) is float
    assert 0 <= error <= 1 - 1 / k + 1e-12
    assert le.decoder_error(epsilon, n=n + 1, k=k) - 1e-12 <= error <= le.decoder_error(epsilon, n=n, k=k + 1) + 1e-12


@pytest.mark.parametrize("keep", ["aligned", "half"])
def test_accuracy_is_never_above_one(keep):
    """Few labels and many submissions: rounding must not lift the sum over one."""
    for n in (1, 2, 3, 10, 1000):
        assert all(0.5 <= le.boosting_accuracy(n=n, k=k, keep=keep) <= 1 for k in (1, 2, 1000, 1001, 10**5, 10**6))


def test_accuracy_of_many_submissions():
    """A thousand million submissions are counted by their bulk: as the normal law says, to 1e-5."""
    n, k = 10**9, 10**9
    for keep, share in (("aligned", 1), ("half", 1 / 2)):
        limit = (1 + math.erf(math.sqrt(share * k / (math.pi * n)))) / 2
        assert le.boosting_accuracy(n=n, k=k, keep=keep) == pytest.approx(limit, abs=1e-5)


def test_the_bulk_of_the_votes_is_enough():
    """The sum over every number of votes differs by less than rounding."""
    n, k = 1000, 10**5
    votes, kept = np.arange(k + 1), binom.cdf(500, n, 0.5)
    half = np.maximum((votes + 1) // 2, 1)
    right = np.where(votes == 0, 0.5, betainc(half, half, 0.5 + binom.pmf(500, n - 1, 0.5) / (4 * kept)))
    every = np.sum(binom.pmf(votes, k, kept) * right)
    assert le.boosting_accuracy(n=n, k=k, keep="half") == pytest.approx(every, abs=1e-13)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"n": 10**15 + 1}, "n must be at most 1,000,000,000,000,000, got 1000000000000001"),
        ({"n": 10**400}, "n must be at most 1,000,000,000,000,000, got a number of about 401 digits"),
        ({"k": 10**5000}, "k must be at most 1,000,000,000,000,000, got a number of about 5001 digits"),
        ({"k": 10**13, "keep": "half"}, "k must be at most 1,000,000,000,000, got 10000000000000"),
    ],
)
def test_accuracy_refuses_what_it_cannot_count(changed, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        le.boosting_accuracy(**{"n": 10, "k": 10, **changed})


def test_union_bound_of_huge_numbers():
    """Beyond the range of floats too: k exp(-2 epsilon^2 n) by its logarithm."""
    assert le.union_bound(0.1, n=10, k=10**400) == 1.0
    assert le.union_bound(0.0, n=10**400, k=1) == 1.0
    assert le.union_bound(0.1, n=10**400, k=10**400) == 0.0
    assert le.union_bound(1e200, n=1, k=10**400) == 0.0
    assert le.union_bound(1e-200, n=10**400, k=1) == pytest.approx(2 * math.exp(-2))
    assert le.union_bound(1.0, n=400, k=10**330) == pytest.approx(math.exp(math.log(2) + 330 * math.log(10) - 800))
    assert le.union_bound(1.0, n=360, k=10**300) == pytest.approx(2 * math.exp(300 * math.log(10) - 720))
