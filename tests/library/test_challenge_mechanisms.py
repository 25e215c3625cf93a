"""The mechanisms for regression challenges: paired test, bootstrap release, Bayesian bootstrap, repetitions refused."""

import inspect
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le
from leaderboard_edu import _judges
from leaderboard_edu._judges import critical_value, wins_needed


def random_submissions(seed, n, k):
    """Return labels and submissions that come closer to them, by and large."""
    rng = np.random.default_rng(seed)
    labels = rng.normal(size=n)
    noise = np.linspace(1.5, 0.3, k)[:, None]
    return labels, labels + noise * rng.normal(size=(k, n))


@pytest.mark.parametrize("loss", ["squared", "absolute"])
@given(seed=st.integers(0, 10**6), n=st.integers(2, 30), alpha=st.sampled_from([0.01, 0.15, 0.5]))
def test_paired_test_is_that_of_scipy(loss, seed, n, alpha):
    """Each decision, by the p-value of the one-sided paired t-test on the losses."""
    labels, submissions = random_submissions(seed, n, 12)
    board = le.PairedTestLadder(labels, alpha=alpha, loss=loss)
    best = None
    for submission in submissions:
        losses = np.abs(submission - labels) ** (2 if loss == "squared" else 1)
        accepts = best is None or scipy.stats.ttest_rel(losses, best, alternative="less").pvalue < alpha
        before = board.accepted
        released = board.submit(submission)
        assert board.accepted - before == accepts
        best = losses if accepts else best
        assert released == math.floor(best.sum() + 0.5) / n


@given(seed=st.integers(0, 10**6), n=st.integers(2, 40))
def test_paired_test_on_counts(seed, n):
    """Under the 0/1 loss with the level of one standard error it is the parameter-free Ladder."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    alpha = scipy.stats.t.sf(1 + 1e-9, n - 1)  # a hair above one: a tie stays a tie
    paired = le.PairedTestLadder(labels, alpha=alpha, loss="zero_one")
    free = le.ParameterFreeLadder(labels)
    for submission in rng.integers(0, 2, (15, n)):
        assert paired.submit(submission) == free.submit(submission)


@pytest.mark.parametrize("alpha", [0.01, 0.5])
def test_a_repetition_is_no_improvement(alpha):
    """Nor are the same losses in other places, at any level, however their sum is rounded."""
    rng = np.random.default_rng(0)
    board = le.PairedTestLadder(np.zeros(7), alpha=alpha)
    predictions = rng.normal(size=7)
    for again in (predictions, predictions, -predictions, *(rng.permutation(predictions) for _ in range(200))):
        board.submit(again)
    assert board.accepted == 1


@given(seed=st.integers(0, 10**6), alpha=st.sampled_from([0.01, 0.15, 0.5]), b=st.integers(1, 50))
def test_ladder_boot_decides_as_the_paired_test(seed, alpha, b):
    """Whatever noise it releases."""
    labels, submissions = random_submissions(seed, 12, 15)
    plain = le.PairedTestLadder(labels, alpha=alpha)
    noisy = le.LadderBoot(labels, alpha=alpha, n_bootstrap=b, rng=np.random.default_rng(seed))
    for submission in submissions:
        plain.submit(submission)
        noisy.submit(submission)
        assert noisy.accepted == plain.accepted


@pytest.mark.parametrize("b", [1, 10])
def test_release_noise_has_the_stated_law(b):
    """Mean and standard deviation within four standard errors; the denominator n - 1 is far outside."""
    losses, draws = np.array([0.0, 1, 4, 9, 25]), 20_000
    board = le.LadderBoot(np.zeros(5), n_bootstrap=b, rng=np.random.default_rng(1))
    released = np.array([board.submit(np.sqrt(losses)) for _ in range(draws)])
    sd = losses.std() / math.sqrt(b * losses.size)
    fourth = scipy.stats.moment(released, 4) / sd**4
    error = sd / 2 * math.sqrt((fourth - 1) / draws)  # of the standard deviation, by the delta method
    assert abs(released.mean() - losses.mean()) < 4 * sd / math.sqrt(draws)
    assert abs(released.std() - sd) < 4 * error
    assert abs(released.std() - sd * math.sqrt(5 / 4)) > 4 * error


def test_release_noise_is_that_of_resamples():
    """One draw of b n losses has the law of the mean of b means, here by listing both."""
    losses, b = np.array([0.0, 1.0]), 2  # four draws with replacement: a binomial number of ones
    board = le.LadderBoot([0, 0], n_bootstrap=b, rng=np.random.default_rng(2))
    released = np.array([board.submit(losses) for _ in range(8000)])
    counts = np.bincount((released * 4).round().astype(int), minlength=5)
    assert scipy.stats.chisquare(counts, 8000 * scipy.stats.binom.pmf(np.arange(5), 4, 0.5)).pvalue > 1e-4


@pytest.mark.parametrize("mechanism", [le.LadderBoot, le.BayesBootLadderBoot])
def test_noise_can_grow_with_the_number_of_submissions(mechanism):
    """The callable is asked for each release with the number of the submission."""
    asked = []
    board = mechanism(np.arange(5), n_bootstrap=lambda t: asked.append(t) or 10, rng=np.random.default_rng(0))
    for _ in range(3):
        board.submit(np.arange(5) % 3)
    assert asked == [1, 2, 3]


@pytest.mark.parametrize("mechanism", [le.LadderBoot, le.BayesBootLadderBoot])
def test_a_release_that_fails_leaves_nothing_half_done(mechanism):
    """The submission would be accepted, and is at the second try, but how many resamples to take is no number."""
    answers = iter([10, 0, 10])
    board = mechanism(np.arange(5), n_bootstrap=lambda t: next(answers), rng=np.random.default_rng(0))
    better = np.arange(5) + 0.1 * np.arange(5) % 2
    board.submit(np.arange(5)[::-1])
    with pytest.raises(ValueError, match=r"^n_bootstrap must be"):
        board.submit(better)
    assert (board.accepted, len(board.transcript)) == (1, 1)
    board.submit(better)
    assert (board.accepted, len(board.transcript)) == (2, 2)


@given(st.fractions(1, 200), st.integers(1, 300))
def test_wins_needed_is_the_least_number(odds, draws):
    """By the definition of posterior odds."""
    needed = wins_needed(odds, draws)
    assert next(wins for wins in range(draws + 1) if wins >= odds * (draws - wins)) == needed


@pytest.mark.parametrize("metric", sorted(le.METRICS))
def test_shared_weights_decide_as_all_draws_say(metric):
    """Counted outright, with the weights that the generator gives."""
    labels, submissions = random_submissions(3, 15, 10)
    if metric == "zero_one":
        labels, submissions = labels.round(), submissions.round()
    rng, twin = np.random.default_rng(4), np.random.default_rng(4)
    board = le.BayesBootLadder(labels, metric=metric, odds=3, n_posterior=60, weights="shared", rng=rng)
    score = le.METRICS[metric]
    weights = score.draw_weights(60, 15, twin)
    best = submissions[0]
    board.submit(best)
    for submission in submissions[1:]:
        gain = score.law(submission, labels)(weights) - score.law(best, labels)(weights)
        wins = np.count_nonzero(gain > 0 if score.larger_is_better else gain < 0)
        before = board.accepted
        released = board.submit(submission)
        assert board.accepted - before == (wins >= 3 * (60 - wins))
        best = submission if board.accepted > before else best
        assert released == math.floor(score(best, labels) * 15 + 0.5) / 15


@pytest.mark.parametrize(("odds", "draws"), [(6, 7), (3, 20), (Fraction(567, 100), 100)])
def test_stopping_early_leaves_the_law_as_it_is(odds, draws):
    """With two labels a weighting wins with a known probability, so acceptance is a binomial tail.

    Losses fall by 0.9 on one label and rise by 0.1 on the other: better if the first has a share above 0.1.
    """
    seeds = np.random.SeedSequence(5).spawn(3000)
    accepted = []
    for seed in seeds:
        board = le.BayesBootLadder([0, 0], metric="mae", odds=odds, n_posterior=draws, rng=np.random.default_rng(seed))
        board.submit([1, 1])
        board.submit([0.1, 1.1])
        accepted.append(board.accepted == 2)
    needed = wins_needed(odds, draws)
    expected, fewer = scipy.stats.binom.sf([needed - 1, needed], draws, 0.9)
    error = math.sqrt(expected * (1 - expected) / len(accepted))
    assert abs(np.mean(accepted) - expected) < 4 * error
    assert expected - fewer > 8 * error


def test_early_stopping_draws_fewer_weights():
    """A hopeless submission is refused after as many draws as a refusal takes, and no more."""
    rng, twin = np.random.default_rng(6), np.random.default_rng(6)
    board = le.BayesBootLadder(np.zeros(9), metric="mse", odds=3, n_posterior=100, rng=rng)
    board.submit(np.ones(9))
    board.submit(np.full(9, 2.0))
    twin.standard_exponential((26, 9))  # 100 draws allow 25 losses
    assert rng.standard_exponential() == twin.standard_exponential()


def test_fresh_weights_can_be_retried_and_shared_ones_cannot():
    """A submission that wins under about half of the weightings, sent until it is accepted."""
    labels, p = np.zeros(2), [1, 1]
    rival = [0.5, 1.32]  # as good on average
    for weights, expected in (("fresh", True), ("shared", False)):
        results = []
        for seed in range(20):
            rng = np.random.default_rng(seed)
            board = le.BayesBootLadder(labels, metric="mse", odds=2, n_posterior=30, weights=weights, rng=rng)
            board.submit(p)
            first = board.submit(rival) and board.accepted
            for _ in range(300):
                board.submit(rival)
            results.append(first == 1 and board.accepted == 2)
        assert any(results) == expected


@pytest.mark.parametrize("metric", ["lin_concordance", "mse", "c_index"])
def test_bayes_boot_ladder_boot_releases_resamples(metric):
    """The mean over b resamples, within four standard errors of the mean of many; the sign of the metric is kept."""
    labels, submissions = random_submissions(7, 12, 1)
    board = le.BayesBootLadderBoot(labels, metric=metric, n_bootstrap=5, n_posterior=10, rng=np.random.default_rng(8))
    released = np.array([board.submit(submissions[0]) for _ in range(300)])
    score = le.METRICS[metric]
    alone = score.resampled(submissions[0], labels, draws=20_000, rng=np.random.default_rng(9))
    assert board.larger_is_better == score.larger_is_better
    assert abs(released.mean() - alone.mean()) < 4 * alone.std() / math.sqrt(5 * 300)
    ratio = released.std() / (alone.std() / math.sqrt(5))
    assert abs(ratio - 1) < 4 * math.sqrt((scipy.stats.kurtosis(released) + 2) / (4 * 300))


def test_full_disclosure_of_any_metric():
    board = le.FullDisclosure([1.0, 2, 3], metric="pearson", precision="1/10")
    assert (board.larger_is_better, board.submit([1, 2, 4]), board.submit([3, 2, 1])) == (True, 1.0, -1.0)
    assert le.FullDisclosure([0, 0, 0, 1], metric="mse").submit([0, 0, 0, 3]) == 1.0


def test_refused_repetitions_change_nothing():
    """Neither the score nor the transcript; another submission goes through."""
    board = le.RefuseRepeats(le.LadderBoot(np.zeros(4), rng=np.random.default_rng(0)), distance=0.5)
    board.submit([1, 1, 1, 1])
    seen = board.transcript
    for again in ([1, 1, 1, 1], [1, 1, 1, 1.9], [1, 1, 1, 2]):
        with pytest.raises(ValueError, match=r"^predictions must differ from submission 1 by more than 0\.5, got"):
            board.submit(again)
    assert board.transcript == seen
    board.submit([1, 1, 1, 2.1])  # at 0.55
    assert len(board.transcript) == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: le.PairedTestLadder([1.0]), "labels must have at least 2 entries for a paired test, got"),
        (lambda rng: le.PairedTestLadder([1, 2], alpha=0), "alpha must be above 0 and at most 0.5"),
        (lambda rng: le.PairedTestLadder([1, 2], alpha=0.6), "alpha must be above 0 and at most 0.5"),
        (lambda rng: le.PairedTestLadder([1, 2], alpha=5e-324), "alpha must not be too small for its quantile"),
        (lambda rng: le.LadderBoot([1, 2], n_bootstrap=0, rng=rng), "n_bootstrap must be a whole number of at least 1"),
        (lambda rng: le.LadderBoot([1, 2], n_bootstrap=10**13, rng=rng), "n_bootstrap must be at most"),
        (
            lambda rng: le.LadderBoot([1, 2], n_bootstrap=lambda t: 0, rng=rng).submit([1, 2]),
            "n_bootstrap must be a whole number of at least 1",
        ),
        (lambda rng: le.BayesBootLadder([1, 2], odds=0.5, rng=rng), "odds must be at least 1, below which worse"),
        (lambda rng: le.BayesBootLadder([1, 2], odds=math.inf, rng=rng), "odds must be a rational number"),
        (lambda rng: le.BayesBootLadder([1, 2], n_posterior=0, rng=rng), "n_posterior must be a whole number"),
        (lambda rng: le.BayesBootLadder([1, 2], metric="r2", rng=rng), "metric must be one of 'mse', 'mae'"),
        (lambda rng: le.BayesBootLadder([1, 2], weights="new", rng=rng), "weights must be one of 'fresh', 'shared'"),
        (lambda rng: le.BayesBootLadder([2, 2], metric="pearson", rng=rng), "labels must not be constant"),
        (lambda rng: le.FullDisclosure([2, 2], metric="c_index"), "labels must not be constant"),
        (
            lambda rng: le.BayesBootLadder([1, 2], metric="pearson", rng=rng).submit([3, 3]),
            "predictions must not be constant",
        ),
        (lambda rng: le.BayesBootLadder([1, 2], rng=rng).submit([1, math.inf]), "predictions must be finite, got inf"),
        (lambda rng: le.BayesBootLadder([1, 2], metric="mse", rng=rng).submit([1e200, 0]), "predictions must have a"),
        (lambda rng: le.RefuseRepeats([1, 2]), "mechanism must be a Mechanism without submissions"),
        (lambda rng: le.RefuseRepeats(le.PairedTestLadder([1, 2]), distance=-1), "distance must be a finite number"),
    ],
)
def test_bad_input_names_the_argument(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call(np.random.default_rng(0))


@pytest.mark.parametrize("weights", ["fresh", "shared"])
@pytest.mark.parametrize("metric", ["pearson", "spearman"])
def test_ties_in_floats_are_refused(metric, weights):
    """A shifted submission has the same correlation under every weighting, which floats compute with other digits."""
    for child in np.random.default_rng(20).spawn(40):
        labels = child.normal(size=30)
        p = labels + child.normal(size=30)
        board = le.BayesBootLadder(labels, metric=metric, odds=1, n_posterior=50, weights=weights, rng=child)
        board.submit(p)
        board.submit(p + 100)
        assert board.accepted == 1
        accepted = le.simulate_bayes_boot(
            [p, p + 100], labels, metric=metric, odds=1, n_posterior=50, weights=weights, rng=child
        )
        assert accepted.tolist() == [0]


def test_the_release_is_rounded_half_up():
    """A mean error of 1/4 of two labels is half a step of 1/2."""
    board = le.BayesBootLadder([0, 0], metric="mae", rng=np.random.default_rng(0))
    assert board.submit([0.5, 0]) == 0.5


def test_refusing_repetitions_keeps_the_direction():
    for board in (
        le.PairedTestLadder([0, 1, 2]),
        le.BayesBootLadder([0, 1, 2], metric="pearson", rng=np.random.default_rng(0)),
    ):
        assert le.RefuseRepeats(board).larger_is_better == board.larger_is_better


def test_real_labels_are_copied():
    labels = np.array([0.0, 1.0, 2.0])
    board = le.PairedTestLadder(labels)
    labels[:] = 7
    assert board.submit([0, 1, 2]) == 0


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_decisions_do_not_depend_on_the_units(scale):
    """What counts as rounding is a share of the loss."""
    labels, submissions = random_submissions(3, 30, 12)
    for make in (
        lambda y: le.PairedTestLadder(y, alpha=0.3),
        lambda y: le.BayesBootLadder(y, metric="mse", odds=2, rng=np.random.default_rng(0)),
    ):
        boards = make(labels), make(labels * scale)
        for submission in submissions:
            for board, unit in zip(boards, (1, scale), strict=True):
                board.submit(submission * unit)
            assert boards[0].accepted == boards[1].accepted
        assert boards[0].accepted > 2


def test_the_level_may_be_tiny():
    """The critical value does not take the level from one; against the tail at it."""
    n, alpha = 10, 1e-13
    assert scipy.stats.t.sf(critical_value(alpha, n), n - 1) == pytest.approx(alpha, rel=1e-9)
    le.PairedTestLadder(np.zeros(n), alpha=1e-17)


@pytest.mark.parametrize("weights", ["fresh", "shared"])
def test_simulation_refuses_what_the_board_refuses(weights):
    with pytest.raises(ValueError, match=r"^predictions must have a finite score, got inf"):
        le.simulate_bayes_boot(
            [[0, 0], [1e200, 0]], [0, 1], metric="mse", weights=weights, rng=np.random.default_rng(0)
        )
    with pytest.raises(ValueError, match=r"^predictions must have a finite score, got nan"):
        le.simulate_bayes_boot(
            [[1, 1, 1], [1, 2, 3]],
            [1, 1, 1],
            metric="lin_concordance",
            weights=weights,
            rng=np.random.default_rng(0),
        )


@pytest.mark.parametrize("weights", ["fresh", "shared"])
@pytest.mark.parametrize("metric", sorted(le.METRICS))
def test_simulation_accepts_what_the_board_accepts(metric, weights):
    """More submissions than are scored at a time; two wins for each loss of 42 weightings is a whole number."""
    labels, submissions = random_submissions(3, 15, 150)
    if metric == "zero_one":
        labels, submissions = labels > 0, submissions > 0
    options = {"metric": metric, "odds": 2, "n_posterior": 42, "weights": weights}
    board, accepted = le.BayesBootLadder(labels, **options, rng=np.random.default_rng(9)), []
    for submission in submissions:
        before = board.accepted
        board.submit(submission)
        accepted.append(board.accepted > before)
    simulated = le.simulate_bayes_boot(submissions, labels, **options, rng=np.random.default_rng(9))
    assert simulated.tolist() == np.flatnonzero(accepted).tolist()
    assert len(simulated) > 3


def test_a_win_count_at_the_threshold_accepts():
    """With two labels, one better and one worse by as much, about half of an even number of weightings win."""
    ties = 0
    for seed in range(60):
        options = {"metric": "mae", "odds": 1, "n_posterior": 4, "weights": "shared"}
        board = le.BayesBootLadder([0, 0], **options, rng=np.random.default_rng(seed))
        drawn = np.random.default_rng(seed).standard_exponential((4, 2))
        wins = np.count_nonzero(drawn[:, 0] > drawn[:, 1])
        accepted = le.simulate_bayes_boot([[1, 1], [0.5, 1.5]], [0, 0], **options, rng=np.random.default_rng(seed))
        board.submit([1, 1])
        board.submit([0.5, 1.5])
        assert (board.accepted == 2) == (accepted.tolist() == [0, 1]) == (wins >= 2)
        ties += wins == 2
    assert ties > 0


@pytest.mark.parametrize("weights", ["fresh", "shared"])
def test_rounding_about_zero_is_no_improvement(weights):
    """Constant predictions have the concordance 0, which floats find as numbers of either sign."""
    rng = np.random.default_rng(0)
    labels, constants = rng.normal(size=30) + 5, np.multiply.outer(rng.normal(size=20), np.ones(30))
    board = le.BayesBootLadder(labels, odds=1, weights=weights, rng=rng)
    for constant in constants:
        board.submit(constant)
    assert board.accepted == 1
    assert le.simulate_bayes_boot(constants, labels, odds=1, weights=weights, rng=rng).tolist() == [0]


def test_ties_of_negative_scores_are_refused():
    for child in np.random.default_rng(21).spawn(40):
        labels = child.normal(size=30)
        p = child.normal(size=30) - labels
        board = le.BayesBootLadder(labels, metric="pearson", odds=1, n_posterior=50, rng=child)
        board.submit(p)
        board.submit(p + 100)
        assert board.accepted == 1


def test_perfect_submissions_are_not_beaten():
    """A gain of zero at a loss of zero is a tie, on every board."""
    labels = np.arange(5.0)
    for board in (
        le.PairedTestLadder(labels, alpha=0.5),
        le.BayesBootLadder(labels, metric="mse", odds=1, rng=np.random.default_rng(0)),
    ):
        board.submit(labels)
        board.submit(labels)
        assert board.accepted == 1


def test_early_acceptance_draws_fewer_weights():
    """At odds of one, fifty wins of a hundred decide."""
    rng, twin = np.random.default_rng(6), np.random.default_rng(6)
    board = le.BayesBootLadder(np.ones(9), metric="mse", odds=1, n_posterior=100, rng=rng)
    board.submit(np.full(9, 3.0))
    board.submit(np.ones(9))
    twin.standard_exponential((50, 9))
    assert board.accepted == 2
    assert rng.standard_exponential() == twin.standard_exponential()


def test_few_weights_at_a_time(monkeypatch):
    """Where not even one weighting fits into the memory allowed, blocks are drawn all the same."""
    monkeypatch.setattr(_judges, "ENTRIES", 5)
    board = le.BayesBootLadder(np.arange(7.0), metric="mse", n_posterior=10, rng=np.random.default_rng(0))
    board.submit(np.zeros(7))
    board.submit(np.arange(7.0))
    assert board.accepted == 2


@pytest.mark.parametrize("mechanism", [le.LadderBoot, le.BayesBootLadderBoot])
def test_a_release_that_fails_draws_nothing(mechanism):
    rng = np.random.default_rng(0)
    board = mechanism(np.arange(5), n_bootstrap=lambda t: [10, 0][t - 1], rng=rng)
    board.submit(np.arange(5)[::-1])
    before = rng.bit_generator.state
    with pytest.raises(ValueError, match=r"^n_bootstrap must be"):
        board.submit(np.arange(5) + 0.1)
    assert rng.bit_generator.state == before


def test_shared_weights_of_the_noisy_board_cannot_be_retried():
    """As for the board with exact releases, and the releases differ all the same."""
    for seed in range(20):
        board = le.BayesBootLadderBoot(
            [0, 0], metric="mse", odds=2, n_posterior=30, weights="shared", rng=np.random.default_rng(seed)
        )
        board.submit([1.1, 0.9])
        board.submit([0.5, 1.32])
        first = board.accepted
        released = {board.submit([0.5, 1.32]) for _ in range(100)}
        assert board.accepted == first
        assert len(released) > 1


def test_half_a_step_is_rounded_up():
    assert le.PairedTestLadder([0, 0], loss="absolute").submit([0.5, 0]) == 0.5


def test_rounding_is_a_small_share():
    """A gain of less than a billionth of the loss is a tie."""
    board = le.PairedTestLadder(np.zeros(3), alpha=0.5)
    board.submit(np.ones(3))
    board.submit(np.full(3, 1 - 2e-10))
    assert board.accepted == 1
    board.submit(np.full(3, 1 - 2e-8))
    assert board.accepted == 2


def test_repetitions_of_any_earlier_submission_are_refused():
    """Equal ones only, however small the difference, if no distance is given; the number is that of the earlier one."""
    board = le.RefuseRepeats(le.PairedTestLadder([0, 1, 2]))
    for predictions in ([1e-200, 0, 0], [2e-200, 0, 0], [1, 0, 0]):
        board.submit(predictions)
    with pytest.raises(ValueError, match=r"^predictions must differ from submission 1 by more than 0, got"):
        board.submit([1e-200, 0, 0])
    near = le.RefuseRepeats(le.PairedTestLadder([0, 1, 2]), distance=0.1)
    near.submit([1e-200, 0, 0])
    with pytest.raises(ValueError, match=r"^predictions must differ from submission 1 by more than 0\.1, got"):
        near.submit([2e-200, 0, 0])


def test_refusing_repetitions_counts_submissions():
    """The noise that grows sees the number of the submission."""
    asked = []
    inner = le.LadderBoot([0, 1, 2], n_bootstrap=lambda t: asked.append(t) or 1, rng=np.random.default_rng(0))
    board = le.RefuseRepeats(inner)
    board.submit([0, 0, 0])
    board.submit([1, 1, 1])
    assert asked == [1, 2]
    with pytest.raises(ValueError, match=r"^mechanism must be a Mechanism without submissions"):
        le.RefuseRepeats(inner)


def test_refusing_repetitions_remembers_its_own_submissions():
    """What else the inner board gets does not show on the outer one, nor is it an earlier submission there."""
    inner = le.PairedTestLadder([0, 1, 2])
    board = le.RefuseRepeats(inner)
    first = board.submit([0, 0, 0])
    inner.submit([1, 1, 1])
    assert [(seen.tolist(), shown) for seen, shown in board.transcript] == [([0, 0, 0], first)]
    board.submit([1, 1, 1])
    with pytest.raises(ValueError, match=r"^predictions must differ from submission 2 by more than 0, got"):
        board.submit([1, 1, 1])
    assert (len(board.transcript), len(inner.transcript)) == (2, 3)


@pytest.mark.parametrize(("mechanism", "options"), [(le.LadderBoot, {}), (le.BayesBootLadderBoot, {"metric": "mse"})])
def test_a_submission_without_a_score_asks_for_no_resamples(mechanism, options):
    asked, rng = [], np.random.default_rng(0)
    board = mechanism([0.0, 1, 2], n_bootstrap=lambda t: asked.append(t) or 10, rng=rng, **options)
    with pytest.raises(ValueError, match=r"^predictions must have a finite"):
        board.submit([1e200, 0, 0])
    assert asked == []


def test_a_score_too_large_to_be_rounded_is_refused():
    """It is finite, but in steps of 1/1000 it is not."""
    board = le.FullDisclosure([0, 0], metric="mse", precision="1/1000")
    with pytest.raises(ValueError, match=r"^predictions must have a finite score in steps of 1/1000, got 1e\+306"):
        board.submit([1e153, 1e153])
    assert board.transcript == ()


def test_defaults_are_those_of_the_paper():
    """Level .15, and odds of 5.67 that belong to it, on every board and in every simulation."""
    defaults = {
        function: {name: given.default for name, given in inspect.signature(function).parameters.items()}
        for function in (
            le.PairedTestLadder,
            le.LadderBoot,
            le.BayesBootLadder,
            le.BayesBootLadderBoot,
            le.simulate_step_forward,
            le.simulate_bayes_boot,
            le.submission_budget,
        )
    }
    for options in defaults.values():
        assert options.get("alpha", 0.15) == 0.15
        assert options.get("odds", 5.67) == 5.67
        assert options.get("n_posterior", 1000) == 1000
        assert "alpha" in options or "odds" in options
