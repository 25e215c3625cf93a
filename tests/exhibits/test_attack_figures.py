"""The papers' figures of attacks, against ours: Blum & Hardt's Figure 1 (ICML version), Zheng's Figures 1 and 2."""

import numpy as np
from scipy.stats import binom, hypergeom

import leaderboard_edu as le
from tools.verdicts import boosting_a_ladder, enumeration, least_loss, parameter_free_losses, swap_mean


def test_blum_hardt_figure_1():
    """n = 4000: the reference mechanism's loss falls far below 1/2, the Ladder's hardly, the test set's not at all.

    30 replicates. The loss of the final vector after 100, 300 and 1000 submissions is within four standard errors of
    the exact expectation, which for the other way to keep votes lies outside that at 1000. What the parameter-free
    Ladder shows at 1000 is off by less than the paper's measure, the expected maximum deviation of k random vectors,
    from its exact law; the reference mechanism is off by more than three times that.
    """
    n, k, at = 4000, 1000, np.array([100, 300, 1000])
    rng = np.random.default_rng(1)
    accuracy = le.boosting_curve(n=n, k=k, rng=rng, keep="half", repetitions=30)[:, at - 1]
    mean, error = le.mean_and_error(accuracy)
    expected = [le.boosting_accuracy(n=n, k=int(t), keep="half", precision="1/100000") for t in at]
    assert np.all(np.abs(mean - expected) <= 4 * error)
    assert abs(mean[-1] - le.boosting_accuracy(n=n, k=k)) > 4 * error[-1]
    deviation = 0.5 - least_loss(n, k)
    assert 0 < 0.5 - parameter_free_losses().mean() < deviation
    assert mean[-1] - 0.5 > 3 * deviation


def test_blum_hardt_figure_1_test_set():
    """Labels that do not feed the board stay coins: N = 12000, of which n = 4000 are public, 20 replicates of 100.

    The mean loss of the final vector on the 8000 private labels is within four standard errors of 1/2; on the public
    ones it is not.
    """
    private, public = [], []
    for child in np.random.default_rng(2).spawn(20):
        labels = child.integers(0, 2, 12_000)
        board = le.FullDisclosure(labels[:4000], precision="1/100000")
        attack = le.boosting_attack(lambda u, b=board: b.submit(u[:4000]), n=12_000, k=100, rng=child, keep="half")
        wrong = attack.predictions != labels
        public.append(wrong[:4000].mean())
        private.append(wrong[4000:].mean())
    for losses, is_half in ((private, True), (public, False)):
        mean, error = le.mean_and_error(losses)
        assert (abs(mean - 0.5) <= 4 * error) == is_half


def test_zheng_figure_1():
    """n = 1000: boosting climbs from .5 to .8 within 1000 submissions, swaps to 3/4, boosting on the Ladder hardly.

    20 replicates. Boosting is within four standard errors of the exact expectation, which is .8 to one digit; swaps on
    the parameter-free Ladder within four standard errors of the death chain's exact mean, which is 3/4 to three digits;
    boosting on the Ladder with eta = 1/100, with the votes that lower the release, gains significantly less than a
    quarter of that on full disclosure, and so does the board: our reading of "robust".
    """
    n = k = 1000
    rng = np.random.default_rng(3)
    mean, error = le.mean_and_error(le.boosting_curve(n=n, k=k, rng=rng, repetitions=20)[:, -1])
    assert abs(mean - le.boosting_accuracy(n=n, k=k)) <= 4 * error
    assert round(le.boosting_accuracy(n=n, k=k), 1) == 0.8
    swaps, error = le.mean_and_error(
        [le.simulate_swap(n=n, k=k, rng=child).accuracy([k])[0] for child in rng.spawn(20)]
    )
    exact = swap_mean(n, k)
    assert abs(swaps - exact) <= 4 * error
    assert round(exact, 3) == 0.75
    gain, error = le.mean_and_error(0.5 - boosting_a_ladder())
    assert np.all(gain + 4 * error < (mean - 0.5) / 4)


def level(wrong, n, m):
    """Return losses wrong/n in steps of 1/m, rounded half up."""
    return (2 * wrong * m + n) // (2 * n)


def expected_release(n, m, k):
    """Return the simplified Ladder's expected release after k submissions of the enumeration attack, from its chain."""
    counts = np.arange(n + 1)
    law = binom(n, 0.5).pmf(counts)
    lowest, highest = 7 * n // 20, 13 * n // 20  # the chain leaves this range with a probability below 1e-16
    step = np.eye(n + 1)
    for wrong in range(lowest, highest + 1):
        sizes = [2**j for j in range(n.bit_length())]
        for size in sizes:
            hits = np.arange(max(0, size - n + wrong), min(size, wrong) + 1)
            after = wrong + size - 2 * hits
            p = hypergeom(n, wrong, size).pmf(hits) / len(sizes)
            seen = level(after, n, m) < level(wrong, n, m)
            np.add.at(step[wrong], after[seen], p[seen])
            step[wrong, wrong] -= p[seen].sum()
    for _ in range(k - 1):
        law = law @ step
    return float(law @ level(counts, n, m)) / m


def test_zheng_figure_2():
    """Enumeration climbs the simplified Ladder slowly: n = 1000, eta = .01 as the chain says, and n = 20000 slower.

    20 replicates with k = 1000: the mean release is within four standard errors of the chain's expectation, which for
    half as many submissions lies outside. The larger board, eta = .001, ends above that mean and below 1/2 in each
    of 20 replicates.
    """
    n, m, k = 1000, 100, 1000
    mean, error = le.mean_and_error(enumeration(n, m, runs=20))
    assert abs(mean - expected_release(n, m, k)) <= 4 * error
    assert abs(mean - expected_release(n, m, k // 2)) > 4 * error
    larger = enumeration(20_000, 1000, runs=20)
    assert np.all((mean < larger) & (larger < 0.5))
