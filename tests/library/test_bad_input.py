"""Bad input is refused at the door: the message names the argument and echoes the value, and nothing has changed."""

import math
import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import leaderboard_edu as le

NAN = float("nan")
LABELS = (0, 1, 1, 0)


def rng():
    return np.random.default_rng(0)


@pytest.fixture
def used():
    """Return an account of each kind and a board of each kind, of four labels, that have all been used."""
    accounts = {
        "account": le.FullDisclosure(LABELS),
        "ladder": le.Ladder(LABELS),
        "simplified": le.SimplifiedLadder(LABELS),
        "free": le.ParameterFreeLadder(LABELS),
        "real": le.ParameterFreeLadder(LABELS, loss="squared"),
    }
    boards = {"board": le.Leaderboard(LABELS), "top": le.TopBoard(LABELS, ranks=3), "ranks": le.RankBoard(LABELS)}
    for account in accounts.values():
        account.submit([0, 1, 0, 1])
    for board in boards.values():
        board.submit("ann", [0, 1, 0, 1])
        board.submit("bob", [0, 0, 0, 0])
    return SimpleNamespace(accounts=accounts, boards=boards, **accounts, **boards)


def state(used):
    """Return all that the accounts and the boards show, and what they remember."""
    accounts = [*used.accounts.values(), *used.board._mechanisms.values(), *used.top._ranks]
    seen = [[(vector.tolist(), released) for vector, released in account.transcript] for account in accounts]
    remembered = [np.asarray(account._best).tolist() for account in accounts if hasattr(account, "_best")]
    shown = [board.standings() for board in used.boards.values()]
    return seen, remembered, shown, np.array(used.top._vectors).tolist(), dict(used.ranks._best)


class Plain(le.Mechanism):
    def _release(self, submission):
        return 0.0


def idle(submit, *, n, k, rng):
    """Submit nothing and check nothing."""
    return le.AttackResult(np.zeros(4), np.zeros((0, 4)))


def simulate(analyst=idle, **changed):
    given = {"mechanism": le.FullDisclosure, "n": 4, "k": 2, "repetitions": 2, "rng": rng(), **changed}
    return le.simulate_leaderboard_error(analyst, **given)


def histories(**changed):
    return le.release_histories(**{"mechanism": "ladder", "eta": "1/2", "k": 3, **changed})


def interleaved(**changed):
    given = {"mechanism": "ladder", "eta": "1/2", "k": 3, "accounts": 2, "choose_account": len, **changed}
    return le.InterleavedCode(**given)


def multi_account(submit, **changed):
    return le.multi_account_attack(submit, **{"n": 4, "k": 2, "accounts": 2, "rng": rng(), **changed})


def partner(submit, **changed):
    """Call the partner attack with one argument changed."""
    return le.partner_attack(submit, **{"n": 4, "partners": 2, "rng": rng(), **changed})


def yardstick(submit, **changed):
    """Call the yardstick attack with one argument changed."""
    return le.yardstick_attack(submit, **{"n": 4, "precision": "1/2", "files": [LABELS], **changed})


def climb(attack, submit, **changed):
    return attack(submit, **{"n": 4, "k": 2, "rng": rng(), **changed})


def deviation(**changed):
    return le.tree_deviation(**{"mechanism": "ladder", "eta": "1/2", "n": 4, "k": 2, **changed})


# kind of failure: bad value, what the message says is expected, what it echoes
VECTORS = {
    "too short": ([0, 1, 1], "must have 4 entries", "3"),
    "too long": ([0, 1, 1, 0, 0], "must have 4 entries", "5"),
    "empty": ([], "must not be empty", "[]"),
    "two-dimensional": ([[0, 1], [1, 0]], "must be one-dimensional", "shape (2, 2)"),
    "a single number": (1, "must be one-dimensional", "shape ()"),
    "nothing": (None, "must be one-dimensional", "shape ()"),
    "ragged": ([[0, 1], [1]], "must be one-dimensional", "rows of unequal length: [[0, 1], [1]]"),
    "NaN": ([0, 1, NAN, 0], "must hold no missing values: fill them", "nan at position 2"),
    "infinite": ([0, 1, math.inf, 0], "must be classes, whole numbers or strings", "inf at position 2"),
    "a fraction": ([0, 1, 2.5, 0], "must be classes, whole numbers or strings: for others choose", "2.5 at position 2"),
    "one row": ([[0, 1, 1, 0]], "must be one-dimensional, one entry for each label, such as values[0]", "shape (1, 4)"),
    "one-hot": (np.eye(4)[:, :2], "must be one-dimensional, one entry for each label: values.argmax(axis=1)", "shape"),
    "a missing object": ([1, None, 0, 0], "must hold no missing values: fill them", "None at position 1"),
    "NaN among strings": (np.array(["a", NAN, "b", "a"], object), "must hold no missing values", "nan at position 1"),
    "mixed": (["a", 1, "b", "a"], "must hold numbers or strings, all of one kind", "1 at position 1"),
    "numbers, then strings": ([1, 0, "b", 1], "must hold numbers or strings, all of one kind", "'b' at position 2"),
    "objects": ([{}, {}, {}, {}], "must hold numbers or strings, all of one kind", "{} at position 0"),
    "a huge whole number": ([0, 1, 10**20, 0], "must hold numbers or strings", "dtype object with first entry 0"),
    "a huge float": ([0, 1, 1e20, 0], "must hold classes below 2**53 where they are floats, which", "1e+20"),
    "bytes": ([b"a", b"b", b"a", b"a"], "must hold numbers or strings", "dtype |S1 with first entry b'a'"),
    "complex": ([0, 1, 1j, 0], "must hold numbers", "dtype complex128 with first entry 0j"),
    "dates": (np.zeros(4, dtype="M8[D]"), "must hold numbers", "dtype datetime64[D] with first entry "),
}
LENGTHS = ("too short", "too long")
# Where either kind is right; in two of them the predictions are then of another.
FREE_KINDS = (
    "FullDisclosure",
    "Ladder",
    "SimplifiedLadder",
    "ParameterFreeLadder",
    "Leaderboard",
    "TopBoard",
    "RankBoard",
    "count_wrong, labels",
    "empirical_risk, labels",
    "sign_test, labels",
)
OTHER_KIND = {  # than the labels
    "strings": (["0", "1", "1", "0"], "must be numbers, as the labels are, not strings: ", "'0'"),
    "a probability": (
        [0, 1, 0.25, 0],
        "must be classes, not probabilities: (p >= 0.5).astype(int)",
        "0.25 at position 2",
    ),
}
# callable and argument: how to call it with a bad value, the name that the message must begin with
VECTOR_TAKERS = {
    "FullDisclosure": (lambda used, bad: le.FullDisclosure(bad), "labels"),
    "FullDisclosure.submit": (lambda used, bad: used.account.submit(bad), "predictions"),
    "Ladder": (lambda used, bad: le.Ladder(bad), "labels"),
    "Ladder.submit": (lambda used, bad: used.ladder.submit(bad), "predictions"),
    "SimplifiedLadder": (lambda used, bad: le.SimplifiedLadder(bad), "labels"),
    "SimplifiedLadder.submit": (lambda used, bad: used.simplified.submit(bad), "predictions"),
    "ParameterFreeLadder": (lambda used, bad: le.ParameterFreeLadder(bad), "labels"),
    "ParameterFreeLadder.submit": (lambda used, bad: used.free.submit(bad), "predictions"),
    "Leaderboard": (lambda used, bad: le.Leaderboard(bad), "labels"),
    "Leaderboard.submit": (lambda used, bad: used.board.submit("ann", bad), "predictions"),
    "Leaderboard.submit, new account": (lambda used, bad: used.board.submit("new", bad), "predictions"),
    "TopBoard": (lambda used, bad: le.TopBoard(bad, ranks=3), "labels"),
    "TopBoard.submit": (lambda used, bad: used.top.submit("ann", bad), "predictions"),
    "TopBoard.submit, new account": (lambda used, bad: used.top.submit("new", bad), "predictions"),
    "RankBoard": (lambda used, bad: le.RankBoard(bad), "labels"),
    "RankBoard.submit": (lambda used, bad: used.ranks.submit("ann", bad), "predictions"),
    "RankBoard.submit, new account": (lambda used, bad: used.ranks.submit("new", bad), "predictions"),
    "count_wrong, predictions": (lambda used, bad: le.count_wrong(bad, LABELS), "predictions"),
    "count_wrong, labels": (lambda used, bad: le.count_wrong(LABELS, bad), "labels"),
    "empirical_risk, predictions": (lambda used, bad: le.empirical_risk(bad, LABELS), "predictions"),
    "empirical_risk, labels": (lambda used, bad: le.empirical_risk(LABELS, bad), "labels"),
    "sign_test, labels": (lambda used, bad: le.sign_test(bad, LABELS, LABELS), "labels"),
    "sign_test, first": (lambda used, bad: le.sign_test(LABELS, bad, LABELS), "first"),
    "sign_test, second": (lambda used, bad: le.sign_test(LABELS, LABELS, bad), "second"),
}
KIND_TAKERS = {taker: call for taker, call in VECTOR_TAKERS.items() if taker not in FREE_KINDS}
REALS = {
    **{kind: VECTORS[kind] for kind in (*LENGTHS, "empty", "two-dimensional", "ragged", "mixed", "complex", "one-hot")},
    "NaN": ([0.5, NAN, 0.5, 0.5], "must be finite", "nan at position 1"),
    "infinite": ([0.5, 0.5, -math.inf, 0.5], "must be finite", "-inf at position 2"),
    "strings": (["0", "1", "1", "0"], "must hold numbers: ", "'0'"),
    "words": (["a", "1", "1", "0"], "must hold numbers,", "'a'"),
}
REAL_TAKERS = {
    "leaderboard_error, released": (lambda used, bad: le.leaderboard_error(bad, [0.5] * 4), "released"),
    "leaderboard_error, true_risks": (lambda used, bad: le.leaderboard_error([0.5] * 4, bad), "true_risks"),
    "ParameterFreeLadder, real": (lambda used, bad: le.ParameterFreeLadder(bad, loss="absolute"), "labels"),
    "Mechanism, real": (lambda used, bad: Plain(bad, classes=False), "labels"),
    "ParameterFreeLadder.submit, real": (lambda used, bad: used.real.submit(bad), "predictions"),
}
SIZES = {
    "zero": 0,
    "negative": -3,
    "fractional": 2.5,
    "a whole float": 4.0,
    "NaN": NAN,
    "bool": True,
    "string": "4",
    "nothing": None,
    "list": [4],
    "Fraction": Fraction(4),
}
SIZE_TAKERS = {
    "boosting_attack, n": (lambda used, bad: le.boosting_attack(used.account.submit, n=bad, k=2, rng=rng()), "n"),
    "boosting_attack, k": (lambda used, bad: le.boosting_attack(used.account.submit, n=4, k=bad, rng=rng()), "k"),
    "multi_account_attack, n": (lambda used, bad: multi_account(used.board.submit, n=bad), "n"),
    "multi_account_attack, k": (lambda used, bad: multi_account(used.board.submit, k=bad), "k"),
    "multi_account_attack, accounts": (lambda used, bad: multi_account(used.board.submit, accounts=bad), "accounts"),
    "rank_attack, n": (lambda used, bad: le.rank_attack(used.ranks.submit, n=bad, rng=rng()), "n"),
    "partner_attack, n": (lambda used, bad: partner(used.account.submit, n=bad), "n"),
    "partner_attack, partners": (lambda used, bad: partner(used.account.submit, partners=bad), "partners"),
    "swap_attack, k": (lambda used, bad: climb(le.swap_attack, used.account.submit, k=bad), "k"),
    "block_attack, n": (lambda used, bad: climb(le.block_attack, used.account.submit, n=bad), "n"),
    "block_attack, k": (lambda used, bad: climb(le.block_attack, used.account.submit, k=bad), "k"),
    "least_squares_attack, n": (lambda used, bad: climb(le.least_squares_attack, used.account.submit, n=bad), "n"),
    "least_squares_attack, k": (lambda used, bad: climb(le.least_squares_attack, used.account.submit, k=bad), "k"),
    "message_passing_attack, n": (lambda used, bad: climb(le.message_passing_attack, used.account.submit, n=bad), "n"),
    "message_passing_attack, k": (lambda used, bad: climb(le.message_passing_attack, used.account.submit, k=bad), "k"),
    "yardstick_attack, n": (lambda used, bad: yardstick(used.ranks.submit, n=bad), "n"),
    "message_passing, rounds": (lambda used, bad: le.message_passing([LABELS], [0.5], rounds=bad), "rounds"),
    "enumeration_attack, n": (lambda used, bad: climb(le.enumeration_attack, used.account.submit, n=bad), "n"),
    "enumeration_attack, k": (lambda used, bad: climb(le.enumeration_attack, used.account.submit, k=bad), "k"),
    "TopBoard, ranks": (lambda used, bad: le.TopBoard(LABELS, ranks=bad), "ranks"),
    "boosting_curve, n": (lambda used, bad: le.boosting_curve(n=bad, k=2, rng=rng()), "n"),
    "boosting_curve, k": (lambda used, bad: le.boosting_curve(n=4, k=bad, rng=rng()), "k"),
    "boosting_accuracy, n": (lambda used, bad: le.boosting_accuracy(n=bad, k=2), "n"),
    "boosting_accuracy, k": (lambda used, bad: le.boosting_accuracy(n=4, k=bad), "k"),
    "hoeffding, n": (lambda used, bad: le.hoeffding(0.1, n=bad), "n"),
    "union_bound, n": (lambda used, bad: le.union_bound(0.1, n=bad, k=2), "n"),
    "union_bound, k": (lambda used, bad: le.union_bound(0.1, n=4, k=bad), "k"),
    "tree_size, k": (lambda used, bad: le.tree_size("ladder", eta="1/2", k=bad), "k"),
    "tree_size, accounts": (lambda used, bad: le.tree_size("ladder", eta="1/2", k=2, accounts=bad), "accounts"),
    "worst_tree_size, k": (lambda used, bad: le.worst_tree_size("ladder", eta="1/2", k=bad), "k"),
    "worst_tree_size, accounts": (
        lambda used, bad: le.worst_tree_size("ladder", eta="1/2", k=2, accounts=bad),
        "accounts",
    ),
    "release_histories, k": (lambda used, bad: histories(k=bad), "k"),
    "HistoryCode, k": (lambda used, bad: le.HistoryCode("ladder", eta="1/2", k=bad), "k"),
    "InterleavedCode, k": (lambda used, bad: interleaved(k=bad), "k"),
    "InterleavedCode, accounts": (lambda used, bad: interleaved(accounts=bad), "accounts"),
    "ladder_bound, n": (lambda used, bad: le.ladder_bound(0.1, eta="1/2", n=bad, k=2), "n"),
    "ladder_bound, k": (lambda used, bad: le.ladder_bound(0.1, eta="1/2", n=4, k=bad), "k"),
    "multi_account_bound, n": (lambda used, bad: le.multi_account_bound("1/2", n=bad, k=2), "n"),
    "multi_account_bound, k": (lambda used, bad: le.multi_account_bound("1/2", n=4, k=bad), "k"),
    "multi_account_bound, accounts": (
        lambda used, bad: le.multi_account_bound("1/2", n=4, k=2, accounts=bad),
        "accounts",
    ),
    "tree_deviation, n": (lambda used, bad: deviation(n=bad), "n"),
    "tree_deviation, k": (lambda used, bad: deviation(k=bad), "k"),
    "tree_deviation, accounts": (lambda used, bad: deviation(accounts=bad), "accounts"),
    "samples_needed, k": (lambda used, bad: le.samples_needed("1/2", k=bad), "k"),
    "samples_needed, accounts": (lambda used, bad: le.samples_needed("1/2", k=2, accounts=bad), "accounts"),
    "best_eta, n": (lambda used, bad: le.best_eta(n=bad, k=2), "n"),
    "best_eta, k": (lambda used, bad: le.best_eta(n=99, k=bad), "k"),
    "best_eta, accounts": (lambda used, bad: le.best_eta(n=99, k=2, accounts=bad), "accounts"),
    "fano_bound, n": (lambda used, bad: le.fano_bound(n=bad, k=2), "n"),
    "fano_bound, k": (lambda used, bad: le.fano_bound(n=4, k=bad), "k"),
    "decoder_error, n": (lambda used, bad: le.decoder_error(0.1, n=bad, k=2), "n"),
    "decoder_error, k": (lambda used, bad: le.decoder_error(0.1, n=4, k=bad), "k"),
    "simulate_leaderboard_error, n": (lambda used, bad: simulate(n=bad), "n"),
    "simulate_leaderboard_error, k": (lambda used, bad: simulate(k=bad), "k"),
    "simulate_leaderboard_error, repetitions": (lambda used, bad: simulate(repetitions=bad), "repetitions"),
}
JOBS = {"zero": 0, "fractional": 1.5, "a whole float": 2.0, "bool": True, "string": "two", "list": [2]}
JOB_TAKERS = {
    "simulate_leaderboard_error, n_jobs": (lambda used, bad: simulate(n_jobs=bad), "n_jobs"),
    "replicate, n_jobs": (lambda used, bad: le.replicate(len, repetitions=2, rng=rng(), n_jobs=bad), "n_jobs"),
    "submission_budget, n_jobs": (
        lambda used, bad: le.submission_budget(len, repetitions=6, rng=rng(), n_jobs=bad),
        "n_jobs",
    ),
}
PAIRS = {**SIZES, "one": 1}
PAIR_TAKERS = {"swap_attack, n": (lambda used, bad: climb(le.swap_attack, used.account.submit, n=bad), "n")}
DEVIATIONS = {"negative": -0.1, "NaN": NAN, "infinite": math.inf, "bool": True, "string": "0.1", "nothing": None}
DEVIATIONS |= {"bytes": b"0.1", "array": np.array(0.1), "complex": 1j, "too large for a float": 10**400}
DEVIATION_TAKERS = {
    "hoeffding, epsilon": (lambda used, bad: le.hoeffding(bad, n=4), "epsilon"),
    "union_bound, epsilon": (lambda used, bad: le.union_bound(bad, n=4, k=2), "epsilon"),
    "ladder_bound, epsilon": (lambda used, bad: le.ladder_bound(bad, eta="1/2", n=4, k=2), "epsilon"),
    "ErrorSample.share_above, epsilon": (lambda used, bad: le.ErrorSample(np.zeros(2)).share_above(bad), "epsilon"),
}
PROBABILITIES = {**DEVIATIONS, "above one": 1.5, "a large Fraction": Fraction(10**400)}
PROBABILITY_TAKERS = {
    "kl_bernoulli, p": (lambda used, bad: le.kl_bernoulli(bad, 0.5), "p"),
    "kl_bernoulli, q": (lambda used, bad: le.kl_bernoulli(0.5, bad), "q"),
}
INNER_PROBABILITIES = {**PROBABILITIES, "zero": 0, "one": 1.0, "zero as a float": 1e-400}
INNER_PROBABILITY_TAKERS = {
    "tree_deviation, delta": (lambda used, bad: deviation(delta=bad), "delta"),
    "samples_needed, delta": (lambda used, bad: le.samples_needed("1/2", k=2, delta=bad), "delta"),
    "best_eta, delta": (lambda used, bad: le.best_eta(n=99, k=2, delta=bad), "delta"),
    "decoder_error, epsilon": (lambda used, bad: le.decoder_error(bad, n=4, k=2), "epsilon"),
}
BIASES = {"one half": 0.5, "above one half": 0.75}
BIAS_TAKERS = {"decoder_error, epsilon": INNER_PROBABILITY_TAKERS["decoder_error, epsilon"]}
PRECISIONS = {
    "not one over": "3/100",
    "a decimal that is not": "0.03",
    "a float that is not": 0.3,
    "zero": 0,
    "negative": Fraction(-1, 10),
    "negative float": -0.1,
    "above one": 2,
    "above one, float": 1.5,
    "NaN": NAN,
    "bool": True,
    "words": "fine",
    "over zero": "1/0",
    "list": [0.1],
    "subnormal": 1e-320,
}
PRECISION_TAKERS = {
    "FullDisclosure, precision": (lambda used, bad: le.FullDisclosure(LABELS, precision=bad), "precision"),
    "boosting_accuracy, precision": (lambda used, bad: le.boosting_accuracy(n=4, k=2, precision=bad), "precision"),
    "Ladder, eta": (lambda used, bad: le.Ladder(LABELS, eta=bad), "eta"),
    "SimplifiedLadder, eta": (lambda used, bad: le.SimplifiedLadder(LABELS, eta=bad), "eta"),
    "RankBoard, precision": (lambda used, bad: le.RankBoard(LABELS, precision=bad), "precision"),
    "tree_size, eta": (lambda used, bad: le.tree_size("ladder", eta=bad, k=2), "eta"),
    "worst_tree_size, eta": (lambda used, bad: le.worst_tree_size("ladder", eta=bad, k=2), "eta"),
    "release_histories, eta": (lambda used, bad: histories(eta=bad), "eta"),
    "HistoryCode, eta": (lambda used, bad: le.HistoryCode("ladder", eta=bad, k=2), "eta"),
    "InterleavedCode, eta": (lambda used, bad: interleaved(eta=bad), "eta"),
    "ladder_bound, eta": (lambda used, bad: le.ladder_bound(0.1, eta=bad, n=4, k=2), "eta"),
    "multi_account_bound, eta": (lambda used, bad: le.multi_account_bound(bad, n=4, k=2), "eta"),
    "tree_deviation, eta": (lambda used, bad: deviation(eta=bad), "eta"),
    "samples_needed, eta": (lambda used, bad: le.samples_needed(bad, k=2), "eta"),
}
THRESHOLDS = {
    "negative": -1,
    "negative Fraction": Fraction(-1, 2),
    "a negative string": "-1/2",
    "NaN": NAN,
    "infinite": math.inf,
    "infinite, string": "inf",
    "bool": True,
    "numpy bool": np.bool_(True),
    "words": "one",
    "empty": "",
    "over zero": "1/0",
    "nothing": None,
    "list": [1],
    "array": np.array(1.0),
    "complex": 1j,
    "bytes": b"1",
}
THRESHOLD_TAKERS = {
    "ParameterFreeLadder, threshold": (lambda used, bad: le.ParameterFreeLadder(LABELS, threshold=bad), "threshold"),
    "ParameterFreeLadder, threshold, real": (
        lambda used, bad: le.ParameterFreeLadder(LABELS, threshold=bad, loss="squared"),
        "threshold",
    ),
}
LOSSES = {"unknown": "hinge", "upper case": "SQUARED", "empty": "", "nothing": None, "number": 2, "list": ["squared"]}
LOSS_TAKERS = {
    "ParameterFreeLadder, loss": (lambda used, bad: le.ParameterFreeLadder(LABELS, loss=bad), "loss"),
}
KEEPS = {"unknown": "best", "upper case": "HALF", "empty": "", "nothing": None, "number": 1, "list": ["half"]}
RULE_TAKERS = {
    "boosting_attack, keep": (
        lambda used, bad: le.boosting_attack(used.account.submit, n=4, k=2, rng=rng(), keep=bad),
        "keep",
    ),
}
KEEP_TAKERS = {
    "boosting_curve, keep": (lambda used, bad: le.boosting_curve(n=4, k=2, rng=rng(), keep=bad), "keep"),
    "boosting_accuracy, keep": (lambda used, bad: le.boosting_accuracy(n=4, k=2, keep=bad), "keep"),
}
NAMES = {"the class": le.Ladder, "upper case": "Ladder", "unknown": "full", "nothing": None, "list": ["ladder"]}
NAME_TAKERS = {
    "tree_size, mechanism": (lambda used, bad: le.tree_size(bad, eta="1/2", k=2), "mechanism"),
    "worst_tree_size, mechanism": (lambda used, bad: le.worst_tree_size(bad, eta="1/2", k=2), "mechanism"),
    "release_histories, mechanism": (lambda used, bad: histories(mechanism=bad), "mechanism"),
    "HistoryCode, mechanism": (lambda used, bad: le.HistoryCode(bad, eta="1/2", k=2), "mechanism"),
    "InterleavedCode, mechanism": (lambda used, bad: interleaved(mechanism=bad), "mechanism"),
    "tree_deviation, mechanism": (lambda used, bad: deviation(mechanism=bad), "mechanism"),
}
COUNTS = {"unknown": "paper", "upper case": "EXACT", "nothing": None, "number": 1, "list": ["exact"]}
COUNT_TAKERS = {
    "ladder_bound, count": (lambda used, bad: le.ladder_bound(0.1, eta="1/2", n=4, k=2, count=bad), "count"),
    "multi_account_bound, count": (lambda used, bad: le.multi_account_bound("1/2", n=4, k=2, count=bad), "count"),
    "tree_deviation, count": (lambda used, bad: deviation(count=bad), "count"),
    "samples_needed, count": (lambda used, bad: le.samples_needed("1/2", k=2, count=bad), "count"),
    "best_eta, count": (lambda used, bad: le.best_eta(n=99, k=2, count=bad), "count"),
}
GENERATORS = {"seed": 0, "nothing": None, "legacy": np.random.RandomState(0), "module": np.random}
GENERATOR_TAKERS = {
    "boosting_attack, rng": (lambda used, bad: le.boosting_attack(used.account.submit, n=4, k=2, rng=bad), "rng"),
    "multi_account_attack, rng": (lambda used, bad: multi_account(used.board.submit, rng=bad), "rng"),
    "rank_attack, rng": (lambda used, bad: le.rank_attack(used.ranks.submit, n=4, rng=bad), "rng"),
    "partner_attack, rng": (lambda used, bad: partner(used.account.submit, rng=bad), "rng"),
    "swap_attack, rng": (lambda used, bad: climb(le.swap_attack, used.account.submit, rng=bad), "rng"),
    "enumeration_attack, rng": (lambda used, bad: climb(le.enumeration_attack, used.account.submit, rng=bad), "rng"),
    "block_attack, rng": (lambda used, bad: climb(le.block_attack, used.account.submit, rng=bad), "rng"),
    "least_squares_attack, rng": (
        lambda used, bad: climb(le.least_squares_attack, used.account.submit, rng=bad),
        "rng",
    ),
    "message_passing_attack, rng": (
        lambda used, bad: climb(le.message_passing_attack, used.account.submit, rng=bad),
        "rng",
    ),
    "boosting_curve, rng": (lambda used, bad: le.boosting_curve(n=4, k=2, rng=bad), "rng"),
    "simulate_leaderboard_error, rng": (lambda used, bad: simulate(rng=bad), "rng"),
}
PICTURE = {"sliders": [le.Slider("k", "k", [1])], "rows": str, "alt": str, "data": str}
NOT_FUNCTIONS = {"nothing": None, "number": 3, "string": "submit", "a vector": [0, 1]}
FUNCTION_TAKERS = {
    "boosting_attack, submit": (lambda used, bad: le.boosting_attack(bad, n=4, k=2, rng=rng()), "submit"),
    "multi_account_attack, submit": (lambda used, bad: multi_account(bad), "submit"),
    "rank_attack, submit": (lambda used, bad: le.rank_attack(bad, n=4, rng=rng()), "submit"),
    "partner_attack, submit": (lambda used, bad: partner(bad), "submit"),
    "swap_attack, submit": (lambda used, bad: climb(le.swap_attack, bad), "submit"),
    "enumeration_attack, submit": (lambda used, bad: climb(le.enumeration_attack, bad), "submit"),
    "block_attack, submit": (lambda used, bad: climb(le.block_attack, bad), "submit"),
    "least_squares_attack, submit": (lambda used, bad: climb(le.least_squares_attack, bad), "submit"),
    "message_passing_attack, submit": (lambda used, bad: climb(le.message_passing_attack, bad), "submit"),
    "yardstick_attack, submit": (lambda used, bad: yardstick(bad), "submit"),
    "Leaderboard, mechanism": (lambda used, bad: le.Leaderboard(LABELS, mechanism=bad), "mechanism"),
    "TopBoard, mechanism": (lambda used, bad: le.TopBoard(LABELS, ranks=3, mechanism=bad), "mechanism"),
    "release_histories, choose_account": (lambda used, bad: histories(choose_account=bad), "choose_account"),
    "InterleavedCode, choose_account": (lambda used, bad: interleaved(choose_account=bad), "choose_account"),
    "simulate_leaderboard_error, analyst": (lambda used, bad: simulate(analyst=bad), "analyst"),
    "simulate_leaderboard_error, mechanism": (lambda used, bad: simulate(mechanism=bad), "mechanism"),
    "interactive_figure, draw": (lambda used, bad: le.interactive_figure(bad, **PICTURE), "draw"),
    "interactive_figure, rows": (lambda used, bad: le.interactive_figure(str, **PICTURE | {"rows": bad}), "rows"),
    "interactive_figure, alt": (lambda used, bad: le.interactive_figure(str, **PICTURE | {"alt": bad}), "alt"),
    "interactive_figure, data": (lambda used, bad: le.interactive_figure(str, **PICTURE | {"data": bad}), "data"),
    "static_figure, draw": (lambda used, bad: le.static_figure(bad, alt="A line rises."), "draw"),
}
ACCOUNTS = {"list": ["ann"], "dict": {"name": "ann"}, "array": np.zeros(2), "list in a tuple": ("ann", [1])}
ACCOUNT_TAKERS = {
    "Leaderboard.submit, account": (lambda used, bad: used.board.submit(bad, [0, 1, 1, 0]), "account"),
    "TopBoard.submit, account": (lambda used, bad: used.top.submit(bad, [0, 1, 1, 0]), "account"),
    "RankBoard.submit, account": (lambda used, bad: used.ranks.submit(bad, [0, 1, 1, 0]), "account"),
}
# what a maker of mechanisms makes instead, and its echo
MADE = {
    "nothing": (lambda labels: None, "must make a leaderboard_edu.Mechanism", "None"),
    "a tuple": (tuple, "must make a leaderboard_edu.Mechanism", "("),
    "a class": (lambda labels: le.Ladder, "must make a leaderboard_edu.Mechanism", repr(le.Ladder)),
}
MAKER_TAKERS = {
    "Leaderboard.submit, mechanism": (
        lambda used, bad: le.Leaderboard(LABELS, mechanism=bad).submit("ann", LABELS),
        "mechanism",
    ),
    "TopBoard, what is made": (lambda used, bad: le.TopBoard(LABELS, ranks=3, mechanism=bad), "mechanism"),
    "simulate_leaderboard_error, what is made": (lambda used, bad: simulate(mechanism=bad), "mechanism"),
}


def expecting(expectation, values):
    """Return {kind: (value, what the message says is expected, the echo)} for values echoed in full."""
    return {kind: (value, expectation, repr(value)) for kind, value in values.items()}


CALLS = [
    (VECTOR_TAKERS, VECTORS),
    (KIND_TAKERS, OTHER_KIND),
    (REAL_TAKERS, REALS),
    (SIZE_TAKERS, expecting("must be a whole number of at least 1", SIZES)),
    (JOB_TAKERS, expecting("must be None or a whole number other than 0", JOBS)),
    (PAIR_TAKERS, expecting("must be a whole number of at least 2", PAIRS)),
    (THRESHOLD_TAKERS, expecting("must be a rational number of at least 0", THRESHOLDS)),
    (LOSS_TAKERS, expecting("must be one of 'zero_one', 'squared', 'absolute'", LOSSES)),
    (DEVIATION_TAKERS, expecting("must be a finite number of at least 0", DEVIATIONS)),
    (PRECISION_TAKERS, expecting("must be 1/m for a whole number m", PRECISIONS)),
    (PROBABILITY_TAKERS, expecting("must be a number from 0 to 1", PROBABILITIES)),
    (INNER_PROBABILITY_TAKERS, expecting("must be a number strictly between 0 and 1", INNER_PROBABILITIES)),
    (BIAS_TAKERS, expecting("must be below 1/2", BIASES)),
    (NAME_TAKERS, expecting("must be one of 'ladder', 'simplified'", NAMES)),
    (COUNT_TAKERS, expecting("must be one of 'exact', 'published'", COUNTS)),
    (RULE_TAKERS, expecting("must be one of 'aligned', 'half', 'improved'", KEEPS)),
    (KEEP_TAKERS, expecting("must be one of 'aligned', 'half'", KEEPS)),
    (GENERATOR_TAKERS, expecting("must be a numpy.random.Generator", GENERATORS)),
    (FUNCTION_TAKERS, expecting("must be callable", NOT_FUNCTIONS)),
    (ACCOUNT_TAKERS, expecting("must be hashable", ACCOUNTS)),
    (MAKER_TAKERS, MADE),
]
# Where any length is right; the other vector is then told that it differs.
FREE_LENGTHS = (*FREE_KINDS, "ParameterFreeLadder, real", "Mechanism, real", "leaderboard_error, released")
CASES = [
    pytest.param(call, name, *failure, id=f"{taker}: {kind}")
    for takers, failures in CALLS
    for taker, (call, name) in takers.items()
    for kind, failure in failures.items()
    if not (taker in FREE_LENGTHS and kind in LENGTHS)
]


@pytest.mark.parametrize(("call", "name", "value", "expectation", "echo"), CASES)
def test_refused(used, call, name, value, expectation, echo):
    before = state(used)
    with pytest.raises(ValueError, match=f"^{name} {re.escape(expectation)}.* got {re.escape(echo)}"):
        call(used, value)
    assert state(used) == before


ATTACKS = {
    "boosting_attack": lambda submit: climb(le.boosting_attack, submit),
    "boosting_attack, improved": lambda submit: climb(le.boosting_attack, submit, keep="improved"),
    "multi_account_attack": multi_account,
    "multi_account_attack, one": lambda submit: multi_account(submit, accounts=1),
    "rank_attack": lambda submit: le.rank_attack(submit, n=4, rng=rng()),
    "partner_attack": partner,
    "swap_attack": lambda submit: climb(le.swap_attack, submit),
    "enumeration_attack": lambda submit: climb(le.enumeration_attack, submit),
    "yardstick_attack": lambda submit: yardstick(submit, accounts=4),
}
DIGITS = {  # they count with what they hear
    "block_attack": lambda submit: climb(le.block_attack, submit),
    "least_squares_attack": lambda submit: climb(le.least_squares_attack, submit),
    "message_passing_attack": lambda submit: climb(le.message_passing_attack, submit),
}


@pytest.mark.parametrize("late", [0, 1])
@pytest.mark.parametrize("bad", [None, NAN, np.float64("nan"), "0.5", True, np.True_, 1j, [0.5]], ids=repr)
@pytest.mark.parametrize("attack", [*ATTACKS.values(), *DIGITS.values()], ids=[*ATTACKS, *DIGITS])
def test_an_answer_that_is_no_number_is_refused(attack, bad, late):
    """The first one or a later one."""
    answers = iter([0.5] * late + [bad] * 9)
    with pytest.raises(ValueError, match=f"^{re.escape(f'submit must return a number, got {bad!r}')}$"):
        attack(lambda *_: next(answers))


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_numbers_of_all_kinds_are_answers(attack):
    """Infinity too, which may stand for a submission that is not shown."""
    answers = iter([math.inf, Fraction(1, 2), np.float32(0.5), 1, np.int64(1)])
    assert len(attack(lambda *_: next(answers)).submissions) in (2, 3, 4, 5)


@pytest.mark.parametrize("attack", DIGITS.values(), ids=DIGITS)
def test_who_counts_with_losses_refuses_infinity(attack):
    """A submission that is not shown has no digits to use."""
    answers = iter([Fraction(1, 2), 1])
    assert len(attack(lambda _: next(answers)).submissions) == 2
    with pytest.raises(ValueError, match=r"^submit must return a finite number, got inf$"):
        attack(lambda _: math.inf)


def test_files_of_an_attack():
    """One at least, each of the right length, of zeros and ones, with as many losses."""
    ranks = le.RankBoard(LABELS)
    for files, said in (([], "hold one file at least, got none"), ([[0, 1]], "have 4 entries, one per holdout label")):
        with pytest.raises(ValueError, match=f"^files must {said}"):
            yardstick(ranks.submit, files=files)
    with pytest.raises(ValueError, match=r"^files must hold only 0 and 1, as this attack needs labels 0 and 1, got 2"):
        le.message_passing([[0, 1], [2, 0]], [0.5, 0.5])
    with pytest.raises(ValueError, match=r"^losses must have 2 entries"):
        le.message_passing([[0, 1], [1, 0]], [0.5])
    assert ranks.standings() == ()


def test_a_maker_that_fails_leaves_no_account():
    """The board asks for a new mechanism only when an account is new, and a failed one is not listed."""
    made = [le.FullDisclosure(LABELS), None]
    board = le.Leaderboard(LABELS, mechanism=lambda labels: made.pop(0))
    board.submit("ann", LABELS)
    before = board.standings()
    with pytest.raises(ValueError, match=r"^mechanism must make .* got None"):
        board.submit("bob", LABELS)
    assert board.standings() == before
    assert board.submit("ann", [0, 0, 0, 0]) == 0.5
