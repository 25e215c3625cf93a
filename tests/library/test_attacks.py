"""The attacks, and the curve of the boosting attack."""

import dataclasses
from collections import Counter
from functools import partial
from math import comb, inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le
from leaderboard_edu._draws import draw_submissions

seeds = st.integers(0, 2**32 - 1)
keeps = st.sampled_from(["aligned", "half"])


def only_callable(submit):
    """Return an object that can be called and has nothing else: any look at an attribute fails."""

    class Board:
        def __call__(self, *submission):
            return submit(*submission)

        def __getattribute__(self, name):
            pytest.fail(f"the attack looked at {name}")

    return Board()


BOARDS = [
    le.FullDisclosure,
    lambda labels: le.FullDisclosure(labels, precision="1/10"),
    lambda labels: le.SimplifiedLadder(labels, eta="1/20"),
    le.ParameterFreeLadder,
]


def random_labels(n, seed):
    return np.random.default_rng([seed, n]).integers(0, 2, n)


def majority(coins, votes):
    """Return the sign of the sum of votes, each +1 or -1 in every label, as labels; ties fall as the coins."""
    tally = sum(votes, np.zeros(coins.size))
    return [int(coin if vote == 0 else vote > 0) for coin, vote in zip(coins, tally, strict=True)]


@given(seed=seeds, n=st.integers(1, 80), k=st.integers(1, 20), keep=keeps)
def test_attack_by_definition(seed, n, k, keep):
    """Coins are drawn first, then k submissions; each votes, and ties fall as the coins."""
    board = le.FullDisclosure(random_labels(n, seed))
    attack = le.boosting_attack(only_callable(board.submit), n=n, k=k, rng=np.random.default_rng(seed), keep=keep)
    drawn = draw_submissions(np.random.default_rng(seed), k + 1, n).astype(int)
    coins, submissions = drawn[0], drawn[1:]
    assert np.array_equal(attack.submissions, submissions)
    assert [seen.tolist() for seen, _ in board.transcript] == submissions.tolist()
    votes = []
    for submission, (_, released) in zip(submissions, board.transcript, strict=True):
        if released <= 0.5:
            votes.append(2 * submission - 1)
        elif keep == "aligned":
            votes.append(1 - 2 * submission)
    assert attack.predictions.tolist() == majority(coins, votes)


@given(seed=seeds, n=st.integers(1, 80), k=st.integers(1, 20), board=st.sampled_from(BOARDS))
def test_improved_votes_exactly_on_falls(seed, n, k, board):
    """A vector votes if its release is strictly below the one before, not below the lowest; the first always does."""
    account = board(random_labels(n, seed))
    attack = le.boosting_attack(
        only_callable(account.submit), n=n, k=k, rng=np.random.default_rng(seed), keep="improved"
    )
    drawn = draw_submissions(np.random.default_rng(seed), k + 1, n).astype(int)
    shown = [inf, *(released for _, released in account.transcript)]
    votes = [2 * drawn[t] - 1 for t in range(1, k + 1) if shown[t] < shown[t - 1]]
    assert attack.predictions.tolist() == majority(drawn[0], votes)
    assert np.array_equal(attack.submissions, drawn[1:])


@given(
    seed=seeds, n=st.integers(1, 80), k=st.integers(1, 20), accounts=st.integers(1, 25), board=st.sampled_from(BOARDS)
)
def test_accounts_submit_in_turn_and_vote_by_definition(seed, n, k, accounts, board):
    """The first vector of an account votes by its side of 1/2, a later one only if it lowers its account's release."""
    shared, calls = le.Leaderboard(random_labels(n, seed), mechanism=board), []

    def submit(account, predictions):
        calls.append((account, predictions, shared.submit(account, predictions)))
        return calls[-1][2]

    attack = le.multi_account_attack(
        only_callable(submit), n=n, k=k, accounts=accounts, rng=np.random.default_rng(seed)
    )
    drawn = draw_submissions(np.random.default_rng(seed), k + 1, n).astype(int)
    assert [account for account, _, _ in calls] == [t % accounts for t in range(k)]
    assert np.array_equal([predictions for _, predictions, _ in calls], drawn[1:])
    votes = []
    for t, (_, submission, released) in enumerate(calls):
        sign = 2 * submission.astype(int) - 1
        if t < accounts:
            votes.append(sign if released <= 0.5 else -sign)
        elif released < calls[t - accounts][2]:
            votes.append(sign)
    assert attack.predictions.tolist() == majority(drawn[0], votes)
    assert np.array_equal(attack.submissions, drawn[1:])


@pytest.mark.parametrize("mechanism", [le.Ladder, le.SimplifiedLadder])
@given(
    seed=seeds, n=st.integers(1, 80), k=st.integers(1, 20), m=st.integers(1, 40), more=st.sampled_from([0, 1, 10**6])
)
def test_fresh_accounts_are_full_disclosure(mechanism, seed, n, k, m, more):
    """With an account for every submission, a Ladder stops nothing: it rounds, and that is all."""
    labels = random_labels(n, seed)
    board = le.Leaderboard(labels, mechanism=lambda y: mechanism(y, eta=1 / m))
    account = le.FullDisclosure(labels, precision=1 / m)
    many = le.multi_account_attack(board.submit, n=n, k=k, accounts=k + more, rng=np.random.default_rng(seed))
    one = le.boosting_attack(account.submit, n=n, k=k, rng=np.random.default_rng(seed))
    assert np.array_equal(many.predictions, one.predictions)
    assert np.array_equal(many.submissions, one.submissions)


@given(seed=seeds, n=st.integers(1, 200))
def test_an_empty_vote_is_all_coins(seed, n):
    attack = le.boosting_attack(lambda _: 1.0, n=n, k=4, rng=np.random.default_rng(seed), keep="half")
    assert np.array_equal(attack.predictions, draw_submissions(np.random.default_rng(seed), 1, n)[0])


@given(seed=seeds, n=st.integers(1, 80), keep=keeps)
def test_curve_is_the_attack_at_every_length(seed, n, keep):
    curve = le.boosting_curve(n=n, k=15, rng=np.random.default_rng(seed), keep=keep)
    assert curve.shape == (15,)
    for t in range(1, 16):
        board = le.FullDisclosure(np.zeros(n))
        attack = le.boosting_attack(board.submit, n=n, k=t, rng=np.random.default_rng(seed), keep=keep)
        assert curve[t - 1] == 1 - le.empirical_risk(attack.predictions, np.zeros(n))


def of_one_account(attack):
    return lambda submit, **given: attack(lambda u: submit("ann", u), **given)


def by_ranks(submit, *, n, k, rng):
    """Run the rank attack, which always makes n + 1 submissions."""
    assert k == n + 1
    return le.rank_attack(submit, n=n, rng=rng)


# The same call for every attack: a submit that takes an account and a vector, n, k and rng.
VOTES = {
    **{keep: of_one_account(partial(le.boosting_attack, keep=keep)) for keep in ("aligned", "half", "improved")},
    **{f"accounts: {m}": partial(le.multi_account_attack, accounts=m) for m in (1, 2)},
}
CLIMBS = {"swap": of_one_account(le.swap_attack), "enumeration": of_one_account(le.enumeration_attack)}
READERS = {
    "blocks": of_one_account(le.block_attack),
    "least squares": of_one_account(le.least_squares_attack),
    "message passing": of_one_account(le.message_passing_attack),
}
ATTACKS = {**VOTES, **CLIMBS, **READERS, "rank": by_ranks}
every_attack = pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)


@pytest.mark.parametrize("attack", VOTES.values(), ids=VOTES)
def test_the_final_vector_is_not_submitted(attack):
    board, calls = le.Leaderboard(random_labels(200, 0)), []
    result = attack(lambda *call: calls.append(call) or board.submit(*call), n=200, k=50, rng=np.random.default_rng(0))
    assert len(calls) == 50
    assert all(not np.array_equal(seen, result.predictions) for _, seen in calls)


@every_attack
@given(seed=seeds, n=st.integers(2, 70))
def test_what_every_attack_returns(attack, seed, n):
    """It calls k times, blocks n times at most, with what it says it submitted, and no one can change its vectors."""
    board, calls = le.RankBoard(random_labels(n, seed)), []

    def submit(account, predictions):
        assert not predictions.flags.writeable
        calls.append(predictions.copy())
        return board.submit(account, predictions)

    result = attack(only_callable(submit), n=n, k=n + 1, rng=np.random.default_rng(seed))
    k = n if attack is READERS["blocks"] else n + 1
    assert (len(calls), result.submissions.shape, result.predictions.shape) == (k, (k, n), (n,))
    assert np.array_equal(calls, result.submissions)
    assert (result.predictions.dtype, result.submissions.dtype) == (np.uint8, np.uint8)
    assert set(np.unique([*calls, result.predictions])) <= {0, 1}
    assert not result.predictions.flags.writeable
    assert not result.submissions.flags.writeable


@every_attack
@given(seed=seeds, n=st.integers(2, 70))
def test_the_same_seed_submits_the_same(attack, seed, n):
    """All chance comes from the generator; a constant board is one on which nothing else can differ."""
    first, again, other = (
        attack(lambda *_: 2, n=n, k=n + 1, rng=np.random.default_rng([seed, extra])) for extra in (0, 0, 1)
    )
    assert np.array_equal(first.submissions, again.submissions)
    assert np.array_equal(first.predictions, again.predictions)
    assert n < 20 or not np.array_equal(first.submissions[0], other.submissions[0])


@given(seed=seeds, n=st.integers(1, 70), k=st.integers(1, 20))
def test_all_voters_submit_the_same(seed, n, k):
    """Random vectors do not depend on the board, the rule or the number of accounts."""
    board = le.Leaderboard(random_labels(n, seed))
    submitted = [
        attack(submit, n=n, k=k, rng=np.random.default_rng(seed)).submissions
        for attack in VOTES.values()
        for submit in (board.submit, lambda *_: 0.75)
    ]
    assert all(np.array_equal(submissions, submitted[0]) for submissions in submitted)


@given(seed=seeds, n=st.integers(1, 70), bystanders=st.integers(0, 3))
def test_ranks_alone_give_away_all_labels(seed, n, bystanders):
    """Two accounts, one label at a time; accounts that were there before do not disturb them."""
    labels, rng, called = random_labels(n, seed), np.random.default_rng(seed), []
    board = le.RankBoard(labels)
    for name in range(bystanders):
        board.submit(name, rng.integers(0, 2, n))

    def submit(account, predictions):
        called.append(account)
        return board.submit(account, predictions)

    attack = le.rank_attack(only_callable(submit), n=n, rng=rng)
    assert np.array_equal(attack.predictions, labels)
    assert len(called) == n + 1
    assert set(called) == {"A", "B"}
    wrong = [le.count_wrong(submission, labels) for submission in attack.submissions]
    for t in range(n):
        best = attack.submissions[np.argmin(wrong[: t + 1])]
        assert np.flatnonzero(attack.submissions[t + 1] != best).tolist() == [t]


def best_before(shown):
    """Return, for each submission but the first, which earlier one is the first with the lowest release."""
    return [int(np.argmin(shown[:t])) for t in range(1, len(shown))]


@given(seed=seeds, n=st.integers(2, 60), k=st.integers(1, 40), board=st.sampled_from(BOARDS))
def test_a_swap_exchanges_a_one_and_a_zero(seed, n, k, board):
    account = board(random_labels(n, seed))
    attack = le.swap_attack(only_callable(account.submit), n=n, k=k, rng=np.random.default_rng(seed))
    shown = [released for _, released in account.transcript]
    assert len(shown) == k
    assert set(attack.submissions.sum(axis=1)) == {n // 2}
    for trial, best in zip(attack.submissions[1:], best_before(shown), strict=True):
        assert np.count_nonzero(trial != attack.submissions[best]) == 2
    assert np.array_equal(attack.predictions, attack.submissions[np.argmin(shown)])


@given(seed=seeds, n=st.integers(1, 60), partners=st.integers(1, 5), board=st.sampled_from(BOARDS))
def test_partners_are_the_labels_that_follow(seed, n, partners, board):
    """Each trial flips a label and one of the next few in the best vector so far, and nothing is tried twice."""
    account = board(random_labels(n, seed))
    attack = le.partner_attack(only_callable(account.submit), n=n, partners=partners, rng=np.random.default_rng(seed))
    shown = [released for _, released in account.transcript]
    assert np.array_equal(attack.submissions, [vector for vector, _ in account.transcript])
    pairs = []
    for trial, best in zip(attack.submissions[1:], best_before(shown), strict=True):
        pairs.append(tuple(np.flatnonzero(trial != attack.submissions[best])))
    assert all(0 < second - first <= partners for first, second in pairs)
    assert pairs == sorted(set(pairs))
    assert np.array_equal(attack.predictions, attack.submissions[np.argmin(shown)])
    assert not attack.predictions.flags.writeable
    assert not attack.submissions.flags.writeable


@given(seed=seeds, n=st.integers(1, 60), k=st.integers(1, 40), board=st.sampled_from(BOARDS))
def test_an_enumeration_flips_a_power_of_two(seed, n, k, board):
    account = board(random_labels(n, seed))
    attack = le.enumeration_attack(only_callable(account.submit), n=n, k=k, rng=np.random.default_rng(seed))
    shown = [released for _, released in account.transcript]
    assert len(shown) == k
    for trial, best in zip(attack.submissions[1:], best_before(shown), strict=True):
        assert np.count_nonzero(trial != attack.submissions[best]) in {2**j for j in range(n.bit_length())}
    assert np.array_equal(attack.predictions, attack.submissions[np.argmin(shown)])


@given(seed=seeds, n=st.integers(1, 60), k=st.integers(1, 40), board=st.sampled_from(BOARDS), data=st.data())
def test_an_enumeration_of_one_size(seed, n, k, board, data):
    account, size = board(random_labels(n, seed)), data.draw(st.integers(1, n))
    attack = le.enumeration_attack(account.submit, n=n, k=k, rng=np.random.default_rng(seed), size=size)
    shown = [released for _, released in account.transcript]
    for trial, best in zip(attack.submissions[1:], best_before(shown), strict=True):
        assert np.count_nonzero(trial != attack.submissions[best]) == size


@pytest.mark.parametrize("size", [0, 2.5, True, 5])
def test_no_enumeration_of_such_a_size(size):
    with pytest.raises(ValueError, match=r"^size must be .*, got "):
        le.enumeration_attack(lambda _: 0.5, n=4, k=2, rng=np.random.default_rng(0), size=size)


def assert_uniform(found, values, draws):
    """Check that no other values were drawn and that the count of each is within four standard errors."""
    counts, p = Counter(found), 1 / len(values)
    assert set(counts) == set(values)
    assert all(abs(counts[value] - draws * p) <= 4 * sqrt(draws * p * (1 - p)) for value in values)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [6, 7])
def test_pairs_to_swap_are_uniform(n, seed):
    """On a board that never moves every pair of a one and a zero of the start is as likely: 20,000 draws."""
    attack = le.swap_attack(lambda _: 0.5, n=n, k=20_001, rng=np.random.default_rng(seed))
    start, trials = attack.submissions[0], attack.submissions[1:]
    found = [tuple(np.flatnonzero(trial != start)) for trial in trials]
    pairs = {tuple(sorted((i, j))) for i in np.flatnonzero(start == 1) for j in np.flatnonzero(start == 0)}
    assert len(pairs) == (n // 2) * (n - n // 2)
    assert_uniform(found, pairs, 20_000)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "sizes"), [(1, [1]), (3, [1, 2]), (4, [1, 2, 4]), (7, [1, 2, 4])])
def test_sets_to_flip_are_uniform(n, sizes, seed):
    """Every power of two up to n is as likely, and so is every set of that size: 20,000 draws."""
    attack = le.enumeration_attack(lambda _: 0.5, n=n, k=20_001, rng=np.random.default_rng(seed))
    flipped = (attack.submissions[1:] != attack.submissions[0]).tolist()
    assert_uniform(map(sum, flipped), sizes, 20_000)
    for size in sizes:
        sets = [tuple(row) for row in flipped if sum(row) == size]
        assert len(set(sets)) == comb(n, size)
        assert_uniform(sets, set(sets), len(sets))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("climb", CLIMBS.values(), ids=CLIMBS)
def test_where_a_climb_starts(climb, seed):
    """Every start of 8 labels, of those with four ones for swaps, is as likely: 20,000 draws."""
    rng = np.random.default_rng(seed)
    starts = [tuple(climb(lambda *_: 0.5, n=8, k=1, rng=rng).predictions.tolist()) for _ in range(20_000)]
    ones = [4] if climb is CLIMBS["swap"] else range(9)
    assert len(set(starts)) == sum(comb(8, count) for count in ones)
    assert {sum(start) for start in starts} == set(ones)
    assert_uniform(starts, set(starts), 20_000)


def test_exactly_one_half_counts_as_not_above():
    kept = {}
    for released in (0.5, np.nextafter(0.5, 1)):
        attack = le.boosting_attack(lambda _, r=released: r, n=64, k=1, rng=np.random.default_rng(4))
        kept[released] = np.array_equal(attack.predictions, attack.submissions[0])
        assert kept[released] or np.array_equal(attack.predictions, 1 - attack.submissions[0])
    assert list(kept.values()) == [True, False]


@every_attack
@pytest.mark.parametrize("error", [RuntimeError, ValueError, TypeError, KeyError])
def test_errors_of_submit_are_passed_on(attack, error):
    calls, raised = [], error("the board is closed")

    def submit(account, predictions):
        if len(calls) == 3:
            raise raised
        calls.append(predictions)
        return 1

    with pytest.raises(error, match="the board is closed") as caught:
        attack(submit, n=4, k=5, rng=np.random.default_rng(0))
    assert caught.value is raised
    assert len(calls) == 3


@every_attack
@pytest.mark.parametrize("make", [le.Leaderboard, le.RankBoard, lambda labels: le.TopBoard(labels, ranks=2)])
def test_a_submission_of_the_wrong_size_is_the_board_s_error(attack, make):
    board = make([0, 1, 0, 1])
    with pytest.raises(ValueError, match="predictions must have 4 entries"):
        attack(board.submit, n=5, k=6, rng=np.random.default_rng(0))
    assert board.standings() == ()


@every_attack
def test_a_board_cannot_change_what_was_submitted(attack):
    def submit(account, predictions):
        predictions[0] = 1

    with pytest.raises(ValueError, match="read-only"):
        attack(submit, n=4, k=5, rng=np.random.default_rng(0))


def test_result_is_frozen():
    attack = le.boosting_attack(lambda _: 0.0, n=70, k=3, rng=np.random.default_rng(0))
    assert [field.name for field in dataclasses.fields(attack)] == ["predictions", "submissions", "selected"]
    assert (attack.predictions.dtype, attack.submissions.dtype) == (np.uint8, np.uint8)
    assert (attack.predictions.shape, attack.submissions.shape) == ((70,), (3, 70))
    assert attack == attack != dataclasses.replace(attack)
    assert hash(attack) == hash(attack)
    with pytest.raises(dataclasses.FrozenInstanceError):
        attack.predictions = None
