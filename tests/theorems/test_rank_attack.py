"""The two-account attack on a board of ranks: exact, optimal, and what a displayed precision leaves of it."""

import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import count, pairwise, product
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from scripted import ScriptedGenerator

import leaderboard_edu as le
from leaderboard_edu._rank_attacks import find_mark, read_borders

sys.path.append(str(Path(__file__).parents[2] / "book"))
from pictures.rank_attack import lucky_mixtures, read_board


def first_is(vector):
    """Return a generator that makes an attack begin with this vector."""
    return ScriptedGenerator((int("".join(map(str, reversed(vector))), 2),), len(vector))


def attack(board, first):
    """Run the rank attack from a first vector; return its result, the ranks it saw and the leader after each."""
    ranks, leaders = [], []

    def submit(account, predictions):
        ranks.append(board.submit(account, predictions))
        leaders.append(min("AB", key=lambda name: board.rank(name) if name in board.accounts() else np.inf))
        return ranks[-1]

    return le.rank_attack(submit, n=len(first), rng=first_is(first)), ranks, leaders


class Ranks(le.RankBoard):
    """The library's board, with a view of it for the test."""

    def accounts(self):
        return self.standings()

    def rank(self, name):
        return self.standings().index(name) + 1


class CoinRanks:
    """Plain ranks of any number of accounts, whose ties are put in a new random order before every answer."""

    def __init__(self, labels, rng):
        self._labels, self._rng, self._best = np.asarray(labels), rng, {}

    def accounts(self):
        return tuple(self._best)

    def submit(self, account, predictions):
        wrong = int(np.count_nonzero(self._labels != predictions))
        self._best[account] = min(wrong, self._best.get(account, wrong))
        return self.rank(account)

    def rank(self, name):
        order = sorted(self._best, key=lambda other: (self._best[other], self._rng.random()))
        return order.index(name) + 1


class AnyRanks(CoinRanks):
    """Each rank that the definition allows, drawn anew before every answer: equal scores may share one, too."""

    def rank(self, name):
        own, best = self._best[name], list(self._best.values())
        return int(self._rng.integers(1 + sum(b < own for b in best), 1 + sum(b <= own for b in best)))


def test_all_labels():
    """n + 1 submissions give all labels, and the lead changes just when a label is tested that was wrong at first.

    Every label vector and every first vector for n = 1 to 5. Submission k + 1 has the first k - 1 labels right, label k
    flipped and the others as at first. No tolerance.
    """
    for n in range(1, 6):
        for labels, first in product(product((0, 1), repeat=n), repeat=2):
            result, ranks, leaders = attack(Ranks(labels), first)
            assert result.predictions.tolist() == list(labels)
            assert len(ranks) == len(result.submissions) == n + 1
            assert result.submissions[0].tolist() == list(first)
            assert [a != b for a, b in pairwise(leaders)] == [a != b for a, b in zip(labels, first, strict=True)]
            for k in range(1, n + 1):
                expected = np.where(np.arange(n) < k - 1, labels, first)
                expected[k - 1] ^= 1
                assert result.submissions[k].tolist() == expected.tolist()


BOARDS = {
    "first come first": Ranks,
    "coins": lambda labels: CoinRanks(labels, np.random.default_rng(1)),
    "any": lambda labels: AnyRanks(labels, np.random.default_rng(1)),
}


@pytest.mark.parametrize("ties", BOARDS)
def test_others_on_the_board(ties):
    """Accounts of others do not matter, tied with the attacker's or not, nor how ties are ordered or share ranks.

    n = 4: every label vector and first vector, with ten other accounts, two at each score. No tolerance: the rank is
    compared with the leader's.
    """
    n = 4
    for labels, first in product(product((0, 1), repeat=n), repeat=2):
        board = BOARDS[ties](labels)
        for name, wrong in product(range(2), range(n + 1)):
            board.submit((name, wrong), np.asarray(labels) ^ (np.arange(n) < wrong))
        assert attack(board, first)[0].predictions.tolist() == list(labels)


def own_rank_attack(board, n):
    """Attack as Zheng words it: the account that does not lead watches whether its own rank changes."""
    best, leader, chaser = np.zeros(n, dtype=int), "A", "B"
    board.submit(leader, best)
    for label in range(n):
        trial = best ^ (np.arange(n) == label)
        before = board.rank(chaser) if chaser in board.accounts() else board.rank(leader) + 1
        if board.submit(chaser, trial) < before:
            best, leader, chaser = trial, chaser, leader
    return best


def test_own_rank_needs_ties_that_stay():
    """Watching one's own rank works while equal scores never reorder and fails otherwise; comparing always works.

    All 64 label vectors with n = 6 from the zero vector, with no, one and three other accounts at each score: on the
    library's board no failure, with others and ties ordered by coins some. No tolerance.
    """
    n, failures = 6, {}
    for labels, others, ties in product(product((0, 1), repeat=n), (0, 1, 3), ("first come first", "coins")):
        boards = [BOARDS[ties](labels) for _ in range(2)]
        for board, name, wrong in product(boards, range(others), range(n + 1)):
            board.submit((name, wrong), np.asarray(labels) ^ (np.arange(n) < wrong))
        assert attack(boards[0], (0,) * n)[0].predictions.tolist() == list(labels)
        failed = own_rank_attack(boards[1], n).tolist() != list(labels)
        failures[ties, others] = failures.get((ties, others), 0) + failed
    assert [failures["first come first", others] for others in (0, 1, 3)] == [0, 0, 0]
    assert [failures["coins", others] > 0 for others in (0, 1, 3)] == [False, True, True]


def transcripts(n, analyst, k):
    """Return the different lists of ranks that an analyst gets to see, over all label vectors."""
    seen = set()
    for labels in product((0, 1), repeat=n):
        board, ranks = le.RankBoard(labels), ()
        for _ in range(k):
            ranks += (board.submit(*analyst(ranks)),)
        seen.add(ranks)
    return seen


def test_no_attack_is_faster():
    """Two accounts alone on the board see at most 2**(k - 1) different answers, so n + 1 submissions are needed.

    n = 2, k = 3: every rule for the second and third submission after "00" by account A. The most is 4, and no rule
    gets there with k = 2. The attack gets 2**(k - 1) of them with k submissions, for n up to 6, and its leading vector
    then is the labels for as many of the label vectors. No tolerance.
    """
    moves = list(product("AB", product((0, 1), repeat=2)))
    most = {}
    for second, after_one, after_two in product(moves, repeat=3):

        def analyst(ranks, second=second, thirds=(after_one, after_two)):
            return ("A", (0, 0)) if not ranks else second if len(ranks) == 1 else thirds[ranks[1] - 1]

        for k in (2, 3):
            most[k] = max(most.get(k, 0), len(transcripts(2, analyst, k)))
    assert most == {2: 2, 3: 4}
    for n in range(1, 7):
        attacks = [(labels, *attack(Ranks(labels), (0,) * n)) for labels in product((0, 1), repeat=n)]
        for k in range(1, n + 2):
            assert len({tuple(ranks[:k]) for _, _, ranks, _ in attacks}) == 2 ** (k - 1)
            found = [(result.submissions[:k] == labels).all(axis=1).any() for labels, result, _, _ in attacks]
            assert sum(found) == 2 ** (k - 1)


@cache
def after(order, account, wrong, n):
    """Submit to a board with these accounts and best counts in order; return the rank and the new order."""
    board = le.RankBoard([0] * n)
    for name, best in order:
        board.submit(name, np.arange(n) < best)
    rank = board.submit(account, np.arange(n) < wrong)
    best = dict(order)
    best[account] = min(wrong, best.get(account, wrong))
    return rank, tuple((name, best[name]) for name in board.standings())


@cache
def least_total(possible, k, n):
    """Return the least number of submissions, at most k for each and added up, that tell the possible labels apart."""
    if len(possible) == 1:
        return 0
    if k == 0:
        return np.inf
    totals = []
    for account, u in product("AB", product((0, 1), repeat=n)):
        groups = {}
        for labels, order in possible:
            rank, new = after(order, account, sum(a != b for a, b in zip(u, labels, strict=True)), n)
            groups.setdefault(rank, []).append((labels, new))
        totals.append(len(possible) + sum(least_total(tuple(group), k - 1, n) for group in groups.values()))
    return min(totals)


@pytest.mark.parametrize(("n", "longest"), [(1, 6), (2, 6), (3, 4)])
def test_always_all_labels(n, longest):
    """An attack that always finds all labels makes at least n + 1 submissions for some labels, and on average.

    Every attack with two accounts alone on the board, of at most 6 submissions for n = 1 and 2 and of at most 4 for
    n = 3: none succeeds always within n, and the least average over all label vectors is n + 1 exactly. No tolerance.
    """
    start = tuple((labels, ()) for labels in product((0, 1), repeat=n))
    averages = [least_total(start, k, n) / 2**n for k in range(1, longest + 1)]
    assert averages == [np.inf] * n + [n + 1] * (longest - n)


def rounded(c, n, m):
    """Return the level of a count of wrong labels: its loss in steps of 1/m, rounded half up."""
    return (2 * c * m + n) // (2 * n)


def test_where_rounding_stops_the_attack():
    """With losses rounded to 1/m the attack ends at the largest blind count up to its first, or with no wrong label.

    A count is blind if the next lower one has the same level; n - m counts are, none for m >= n. If n >= 2m - 1 the
    attack so gains at most one label, and some first vectors gain it; at n = 4 and m = 3 some gain two. Every first
    vector for zero labels (a board treats all label vectors alike), n = 1 to 8 and m = 1 to n + 2, with other accounts
    on the board at every score. No tolerance.
    """
    for n in range(1, 9):
        for m in range(1, n + 3):
            blind = [c for c in range(1, n + 1) if rounded(c - 1, n, m) == rounded(c, n, m)]
            assert len(blind) == max(0, n - m)
            gains = set()
            for first in product((0, 1), repeat=n):
                board = Ranks([0] * n, precision=Fraction(1, m))
                for wrong in range(n + 1):
                    board.submit(wrong, np.arange(n) < wrong)
                start, end = sum(first), int(attack(board, first)[0].predictions.sum())
                assert end == max((c for c in blind if c <= start), default=0)
                gains.add(start - end)
            assert max(gains) == 1 or n < 2 * m - 1


def test_yardstick():
    """An account passes one of level j >= 1 just if its vector has at most T wrong labels, the most of a lower level.

    Every n = 1 to 8 and m = 1 to n + 2, every yardstick and every count, also by an account that did not pass before
    (with each count that does not). No tolerance.
    """
    for n in range(1, 9):
        for m, mark in product(range(1, n + 3), range(n + 1)):
            if rounded(mark, n, m) == 0:
                continue
            edge = max(c for c in range(n + 1) if rounded(c, n, m) < rounded(mark, n, m))
            for earlier, wrong in product([None, *range(edge + 1, n + 1)], range(n + 1)):
                board = le.RankBoard([0] * n, precision=Fraction(1, m))
                board.submit("mark", np.arange(n) < mark)
                if earlier is not None:
                    assert board.submit("other", np.arange(n) < earlier) == 2
                assert (board.submit("other", np.arange(n) < wrong) == 1) == (wrong <= edge)


def enough(n, m):
    """Return the largest count of wrong labels with a loss of at most 1/2 - 1/(2 m); below zero if there is none."""
    return (m - 1) * n // (2 * m)


def test_complement_as_yardstick():
    """A classifier with a loss of at most 1/2 - 1/(2 m) passes its complement; for even m no other one does.

    Each vector has a complement with the other n - c labels wrong, on the board of the library: every count c for
    n = 1 to 12 and m = 1 to n + 2. For odd m all with a loss below 1/2 pass. The fewer labels are wrong, the higher is
    the boundary below the complement. No tolerance.
    """
    for n in range(1, 13):
        for m in range(1, n + 3):
            passing, edges = [], []
            for wrong in range(n + 1):
                board = le.RankBoard([0] * n, precision=Fraction(1, m))
                board.submit("complement", np.arange(n) >= wrong)
                if board.submit("classifier", np.arange(n) < wrong) == 1:
                    passing.append(wrong)
                    edges.append(max(c for c in range(n) if rounded(c, n, m) < rounded(n - wrong, n, m)))
            assert passing == list(range((n + 1) // 2 if m % 2 else enough(n, m) + 1))
            assert set(range(enough(n, m) + 1)) <= set(passing)
            assert edges == sorted(edges, reverse=True)


def test_edge_above_a_file():
    """On the way from a file to its complement the first rise of the level is at the edge right above the file.

    So a yardstick there has at most n/m labels, rounded up, more wrong than the file: an account for each is all
    that the reading of labels uses up. Every n = 1 to 12, m = 1 to n and every count. No tolerance.
    """
    for n in range(1, 13):
        for m, wrong in product(range(1, n + 1), range(n + 1)):
            above = [c for c in range(n + 1) if rounded(c, n, m) > rounded(wrong, n, m)]
            rises = [c for c in range(1, n + 1) if rounded(c - 1, n, m) <= rounded(wrong, n, m) < rounded(c, n, m)]
            assert rises == above[:1]
            assert all((c - wrong - 1) * m < n for c in rises)  # by at most n/m, rounded up


class Watched(le.RankBoard):
    """A rounded board with all labels zero, and another account at each count or none, that keeps what is submitted."""

    def __init__(self, n, m, counts=None):
        super().__init__([0] * n, precision=Fraction(1, m))
        self.sent = []
        for wrong in range(n + 1) if counts is None else counts:
            self.submit(("other", wrong), np.arange(n) < wrong)

    def watch(self, account, file):
        self.sent.append((account, int(np.sum(file))))
        return self.submit(account, file)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 3), (4, 2), (6, 1), (6, 2), (6, 3), (6, 6), (8, 4), (8, 2), (9, 3)])
def test_a_yardstick_for_each_border(n, m):
    """From a file right above any border n + 1 submissions read all labels, from n/m + 1 accounts at most.

    Every such file, with other accounts at every count and alone. So many accounts are
    needed for some file, unless there are fewer than n/m - 1 wrong labels in all: with one fewer the reading breaks
    off. For m = n two accounts. No tolerance.
    """
    width, most = n // m, 0
    starts = [c for c in range(1, n + 1) if rounded(c, n, m) > rounded(c - 1, n, m)]
    for file, counts in product(product((0, 1), repeat=n), (None, ())):
        if sum(file) in starts:
            board = Watched(n, m, counts)
            flips = read_borders(board.watch, np.array(file), width, iter(range(width + 1)), range(n))
            assert [flip.passed for flip in flips] == [bool(wrong) for wrong in file]
            assert len(board.sent) == n + 1
            most = max(most, len({account for account, _ in board.sent}))
    assert most == min(width + 1, max(starts) + 2, n + 1)
    cut = read_borders(Watched(n, m).watch, np.arange(n) < max(starts), width, iter(range(most - 1)), range(n))
    assert len(cut) < n


def test_finding_a_border():
    """The search returns a file right above the border over the first file that beats its opposite.

    Every n = 1 to 10 and m = 1 to n, every count of wrong labels at the beginning or at the end of the file: the mark
    is the least count of the next level, after two submissions for each file and each step of the bisection. A file
    that does not beat its opposite is passed over. No tolerance.
    """
    for n in range(1, 11):
        for m, wrong, turn in product(range(1, n + 1), range(n + 1), (1, -1)):
            file = (np.arange(n) < wrong).astype(int)[::turn]
            if rounded(wrong, n, m) < rounded(n - wrong, n, m):
                board = Watched(n, m)
                found, mark = find_mark(board.watch, n, [1 - file, file], count())
                above = [c for c in range(n + 1) if rounded(c, n, m) > rounded(wrong, n, m)]
                assert (found.tolist(), mark.sum()) == (file.tolist(), above[0])
                assert len(board.sent) <= 4 + 2 * (n - 1).bit_length()


def test_a_cap_on_accounts():
    """Wide steps and a cap leave Eve the errors that she did not pay for; with enough accounts she finds all.

    400 labels, 120 of them wrong in her file, in tenths: with w + 1 = 41 accounts and two for each of at most ten
    comparisons nothing is left. With 30 she finds an error for each account that is not the yardstick and not spent
    on the search, exactly, since the labels that she reads were not touched by it. No tolerance.
    """
    labels = np.random.default_rng(4).integers(0, 2, 400)
    file = labels ^ (np.random.default_rng(5).permutation(400) < 120)
    wrong, sent, accounts = read_board(labels, 10, [file])
    assert wrong == 0
    search = sent - 401
    assert accounts <= 41 + search
    assert search <= 20
    left, _, opened = read_board(labels, 10, [file], 30)
    assert (left, opened) == (120 - (30 - search - 1), 30)


def test_no_border_no_attack():
    """Where no file beats its opposite, or the accounts run out in the search, the attack returns the first file.

    Two coin files of forty labels in halves, and a file with three of forty wrong and six accounts, which are three
    comparisons of seven. No tolerance.
    """
    labels = np.random.default_rng(4).integers(0, 2, 40)
    coins = np.random.default_rng(5).integers(0, 2, (2, 40))
    good = labels ^ (np.arange(40) < 3)
    for files, accounts, made in ((coins, None, 4), ([good], 6, 6)):
        board = le.RankBoard(labels, precision="1/2")
        attack = le.yardstick_attack(board.submit, n=40, precision="1/2", files=files, accounts=accounts)
        assert np.array_equal(attack.predictions, files[0])
        assert len(attack.submissions) == made


@pytest.mark.parametrize(("n", "m"), [(1, 1), (4, 4), (6, 2), (6, 3), (8, 4), (8, 2)])
def test_a_cap_on_files(n, m):
    """With at most so many files from each account Eve still reads all labels, from more accounts.

    From every file right above a border: no account sends more than it may, some send as many, and with one file each
    there are as many accounts as files. No tolerance.
    """
    starts = [c for c in range(1, n + 1) if rounded(c, n, m) > rounded(c - 1, n, m)]
    for each in (1, 2, 3):
        most = 0
        for file in product((0, 1), repeat=n):
            if sum(file) in starts:
                board = Watched(n, m)
                flips = read_borders(board.watch, np.array(file), n // m, count(), range(n), each)
                assert [flip.passed for flip in flips] == [bool(wrong) for wrong in file]
                most = max(most, *Counter(account for account, _ in board.sent).values())
        assert most == min(each, n)


def test_unbalanced_labels_need_no_classifier():
    """Where a label has a share of 1/2 + 1/(2 m) the file of this label alone beats its opposite, and reads all.

    Even m from 2 to 10, 40 m labels: with exactly this share read_board finds every label, with one less the two files
    are equals. No tolerance.
    """
    for m in range(2, 12, 2):
        n = 40 * m
        ones = (m + 1) * n // (2 * m)
        labels = (np.random.default_rng(m).permutation(n) < ones).astype(int)
        assert read_board(labels, m, [np.ones(n, dtype=int)])[0] == 0
        assert rounded(n - ones, n, m) < rounded(ones, n, m)
        assert rounded(n - ones + 1, n, m) == rounded(ones - 1, n, m)


def test_losses_from_ranks():
    """Each file gets the normal quantile of its place among all, whatever came in when, and messages read the labels.

    Files with 3, 9, 0, 5 of 16 labels wrong, against quantiles of Python's own; then 600 coin files of 1,000 labels.
    To rounding (1e-12), and without tolerance.
    """
    files = np.arange(16) < np.array([3, 9, 0, 5])[:, None]
    guesses = le.losses_from_ranks(le.RankBoard([0] * 16).submit, files)
    quantiles = [NormalDist().inv_cdf((place - 0.5) / 4) for place in (2, 4, 1, 3)]
    assert guesses == pytest.approx([0.5 + quantile / 8 for quantile in quantiles], abs=1e-12)
    rng = np.random.default_rng(0)
    labels, coins = rng.integers(0, 2, 1000), rng.integers(0, 2, (600, 1000))
    told = le.losses_from_ranks(le.RankBoard(labels).submit, coins)
    assert np.array_equal(le.message_passing(coins, told), labels)


def test_lucky_mixtures():
    """They are a real attack where a board has many names, and hardly gain with three.

    1,000 labels, three in ten wrong, 10,000 submissions in quarters: with thirty names each of the two borders gives
    thirty lucky files, and more than 0.05 of the loss is gone, with three names six and less than 0.02. On each of
    three boards.
    """
    for seed in range(3):
        rng = np.random.default_rng(seed)
        labels = rng.integers(0, 2, 1000)
        file = labels ^ (rng.random(1000) < 0.3)
        gain, moves = lucky_mixtures(labels, file, 10_000, rng, places=30, rarity=2)
        assert (moves, gain > 0.05) == (60, True)
        gain, moves = lucky_mixtures(labels, file, 10_000, rng)
        assert (moves, gain < 0.02) == (6, True)


def test_four_losses_tell_five_labels():
    """Four files have different exact losses for each of the 32 label vectors of five labels."""
    files = [[0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 1, 0, 1], [0, 1, 0, 0, 1]]
    boards = [le.FullDisclosure(labels) for labels in product((0, 1), repeat=5)]
    assert len({tuple(board.submit(file) for file in files) for board in boards}) == 2**5
