"""The study that plays every attack on every board, and what its table says."""

import inspect
import json
import re
from collections import Counter
from copy import deepcopy
from itertools import combinations_with_replacement, pairwise, product
from math import comb, hypot, log, sqrt
from statistics import NormalDist

import boards
import catalogue
import competition
import few_files
import fitted
import honest_games
import jointly
import knows_half
import knows_nothing
import matrix
import numpy as np
import other_labels
import pytest
from bs4 import BeautifulSoup
from chapters import HTML, ROOT, parsed, words_of
from honest_cost import honest_cost, told
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from scipy.stats import binom

import leaderboard_edu as le
from book.pictures import mechanisms_compared, real_competition, silent_board
from tools import studies as runner


@pytest.mark.nightly
def test_every_first_contest_is_as_stored():
    """The chapter plays the quick ones; here are those that it leaves out, too."""
    stored, again = mechanisms_compared.results()["first"], matrix.first()
    assert [*again] == [*stored]
    for board, row in again.items():
        assert [*row] == [*stored[board]]
        for attack, found in row.items():
            assert found == pytest.approx(stored[board][attack])


@pytest.mark.parametrize("ladder", boards.LADDERS)
def test_fresh_accounts_hear_rounded_losses(ladder):
    """The votes of fresh accounts end alike on a Ladder and on a board that rounds."""
    ends = [matrix.contest(board, "votes, fresh accounts", np.random.default_rng(3)) for board in (ladder, LOSSES)]
    assert ends[0] == ends[1]


LOSSES, HUNDREDTHS = "losses in 1/100", "Ladder, 1/100"


def test_borders_read_every_label_of_a_ladder():
    """From a classifier, in tenths; the file is then as wrong on fresh labels as two draws differ."""
    found = matrix.contest("simplified Ladder, 1/10", "borders", np.random.default_rng(4))
    assert found["recovered"] == 1
    assert found["files"] == found["accounts"] in (4013, 4014)
    assert found["damage"] == pytest.approx(2 * 0.3 * 0.7, abs=4 * 0.4 * (0.3 * 0.7 / 4000) ** 0.5)


@pytest.mark.parametrize("board", ["simplified Ladder, 1/10", "three places, 1/10"])
def test_luck_near_a_border(board):
    """One account's classifier is shown the tenth below: half a tenth by rounding, and what its loss is beyond it."""
    found = matrix.contest(board, "luck near a border", np.random.default_rng(8))
    assert found["error"] == pytest.approx(boards.CLOSE - 0.2)
    assert boards.CLOSE - 0.25 < found["damage"] < boards.CLOSE - 0.24
    assert (found["files"], found["accounts"]) == (1000, 1)


def test_stairs_gain_more_than_luck():
    """From the same classifier; on a Ladder more than climbing from coins, on three places with three files a step."""
    for board, attack, least in (
        ("Ladder, 1/100", "stairs", 0.05),
        ("simplified Ladder, 1/10", "stairs", 0.02),
        ("three places, 1/10", "stairs, three places", 0.035),
    ):
        found = matrix.contest(board, attack, np.random.default_rng(10))
        assert found["damage"] > least
        assert found["damage"] == pytest.approx(boards.CLOSE * found["recovered"], abs=0.001)
    assert found["files"] == found["accounts"] == 5000


def test_friends_who_walk_down_gain_more():
    """Each walks with its own files; a vote of more accounts gains more, and places do not count accounts."""
    found = [
        matrix.contest("Ladder, 1/100", attack, np.random.default_rng(11))
        for attack in ("stairs", "stairs, 2 accounts", "stairs, 10 accounts")
    ]
    assert [each["accounts"] for each in found] == [1, 2, 10]
    assert [each["files"] for each in found] == [1000, 2000, 5000]
    assert all(one["damage"] + 0.01 < other["damage"] for one, other in pairwise(found))


@pytest.mark.parametrize("board", boards.EVERY)
def test_five_accounts_read_what_forgets(board):
    """A flip for each label, and what it takes to find a border."""
    found = matrix.contest(board, "in turn", np.random.default_rng(12))
    assert (found["recovered"], found["damage"], found["accounts"]) == (1, 0.5, 5)
    assert 4000 < found["files"] < 4050


def test_the_best_attack_with_so_many_accounts():
    """Of all with as many accounts, or with fewer; with a thousand files each the study of all attacks counts, too."""
    heads = few_files.HEADS
    for board in filter(None, mechanisms_compared.COUNTED):
        shares = [mechanisms_compared.gained_by(board, number) for number in heads]
        assert shares == sorted(shares)
        gains = [
            (many, each, gain)
            for each in (20, 50, 100, 200, 500, 1000)
            for attack in few_files.BOARDS[board]
            for many, gain in zip(heads, mechanisms_compared.played_with(each)[board][attack], strict=True)
        ]
        pooled = board in ("exact losses", "three places, 1/10")  # there only the number of all files counts
        for number, share in zip(heads, shares, strict=True):
            as_many = [
                gain
                for many, each, gain in gains
                if (many * each <= 20 * number if pooled else many <= number and each <= 20)
            ]
            assert share == max(as_many)
        more = [mechanisms_compared.gained_by(board, number, 1000) for number in heads]
        assert all(one >= other for one, other in zip(more, shares, strict=True))
        places = board == "three places, 1/10"
        for share, number in zip(more, heads, strict=True):
            least = max(
                cell["recovered"][0]
                for attack, cell in mechanisms_compared.results()["results"][board].items()
                if catalogue.ATTACKS[attack].informed == 0.265
                and cell["files" if places else "accounts"][0] <= number * (1000 if places else 1)
            )
            assert share >= least
        assert places or more[-1] == 1
    assert mechanisms_compared.gained_by(None, 1) == 0  # one file has no luck on average
    hidden = [mechanisms_compared.share_hidden(board) for board in mechanisms_compared.DRAWN]
    assert hidden == sorted(hidden)


@pytest.mark.nightly
def test_few_files_are_played_as_stored():
    """The first repetition again, board by board."""
    stored, again = json.loads(mechanisms_compared.FEW_FILES.read_text())["first"], few_files.first()
    assert [*again] == [*stored]
    for board, limits in again.items():
        for each, row in limits.items():
            assert row == {name: pytest.approx(values) for name, values in stored[board][each].items()}


@pytest.mark.parametrize(("board", "name"), [(board, name) for board, row in few_files.BOARDS.items() for name in row])
def test_few_files_gain_what_is_stored(board, name):
    """Two accounts of 50 files, on other labels: within four standard errors; no account sends more."""
    gains = [few_files.gain(board, name, 50, 2, rng) for rng in np.random.default_rng(22).spawn(12)]
    stored = mechanisms_compared.played_with(50)[board][name][few_files.HEADS.index(2)]
    error = np.std(gains, ddof=1) * (1 / 12 + 1 / few_files.REPETITIONS) ** 0.5
    assert abs(np.mean(gains) - stored) < 4 * error


@pytest.mark.parametrize("each", few_files.LIMITS)
def test_the_fewest_accounts_read_all(each):
    """And one fewer does not, on the same labels; no account sends more than it may."""
    board = "Ladder, 1/100"
    fewest = round(few_files.fewest(board, each, 5))
    for accounts, all_of_them in ((fewest, True), (fewest - 1, False)):
        rng = np.random.default_rng(5)
        contest, labels = few_files.game(board, each, accounts, rng)
        file = few_files.BOARDS[board]["marks"](contest, rng, accounts)
        assert np.array_equal(file, labels) == all_of_them
        assert max(contest.accounts.values()) <= each
        assert len(contest.accounts) <= accounts
    stored = mechanisms_compared.played_with(each)[board]["read by"][0]
    assert abs(fewest - stored) <= 2


def test_what_few_files_cost_honest_teams():
    """Few sent more where every score was shown. The planner promises least, with a step that hides more."""
    sent = Counter(mechanisms_compared.honest_log()[0].teams)
    assert sum(files > few_files.FEW for files in sent.values()) == 8
    plan = le.plan_board(4000, teams=200, submissions=few_files.FEW, scores="team")
    assert plan.mechanism == "team"
    assert mechanisms_compared.on_own_score(plan.eta) == pytest.approx(plan.guarantee[0])
    assert plan.guarantee[0] < mechanisms_compared.on_own_score() < mechanisms_compared.on_own_score(together=2)
    assert 200 * few_files.FEW == mechanisms_compared.ALL_FILES < few_files.ALL


@pytest.mark.parametrize("wrong", silent_board.STOOD)
def test_three_guesses_turned_near_a_border(wrong):
    """Every case, played on the Ladder: whether it moves, and what is right if turned guesses are kept just then."""
    ends = silent_board.turned(wrong)
    labels = np.zeros(boards.LABELS, dtype=int)
    assert len(ends) == 8
    moves, right = 0, []
    for case, end in ends.items():
        board = le.SimplifiedLadder(labels, eta="1/100")
        file = np.arange(boards.LABELS) < wrong - sum(case)
        file[-3:] = case  # of the three as many are wrong
        assert np.sum(file) == wrong
        before = board.submit(file)
        file[-3:] ^= True
        assert np.sum(file) == end
        moved = board.submit(file) < before
        assert moved == (end < silent_board.BORDER)
        moves += moved
        right.append(np.sum(~file[-3:] if moved else file[-3:]))
    assert silent_board.right_after(wrong) == (moves, np.mean(right))


@pytest.mark.parametrize("wrong", silent_board.STOOD)
def test_where_letters_of_three_guesses_stand(wrong):
    """Each case stands above its end, its letters in order, and no two in one place."""
    rows = silent_board.turned_rows(wrong)["letters"]
    words = {}
    for end, height, place, letter in zip(*(rows[key] for key in ("end", "height", "place", "letter")), strict=True):
        words.setdefault((end, height), {})[place] = letter
    cases = {tuple(word[i] == "w" for i in range(3)): end for (end, _), word in words.items()}
    assert cases == silent_board.turned(wrong)
    for end in set(rows["end"]):
        heights = sorted(height for at, height in words if at == end)
        assert heights == [*range(1, len(heights) + 1)]


@pytest.mark.parametrize("narrow", [True, False])
def test_how_three_guesses_are_drawn(narrow):
    """The border lies between two counts, printed as it says; the first letter is bold, wrong ones are orange."""
    layers = silent_board.draw_turned(narrow).to_dict()["layer"]
    words = [layer for layer in layers if layer["mark"].get("text", "").split()[-1:] in (["0.73"], ["0.72"])]
    (border,) = {layer["encoding"]["x"]["datum"] for layer in layers if layer["mark"]["type"] == "rule"}
    labels = np.zeros(boards.LABELS)
    for layer, side, wrong in zip(words, ("right", "left"), (border + 0.5, border - 0.5), strict=True):
        shown = le.SimplifiedLadder(labels).submit(np.arange(boards.LABELS) < wrong)
        assert layer["encoding"]["x"]["datum"] == border
        assert (layer["mark"]["align"], float(layer["mark"]["text"].split()[-1])) == (side, shown)
    letters = [layer for layer in layers if layer["encoding"].get("text", {}).get("field") == "letter"]
    assert len(letters) == 6
    for layer in letters:
        (only,) = layer["transform"]
        first, wrong = "place == 0" in only["filter"], "'w'" in only["filter"]
        assert (layer["mark"]["fontWeight"] == "bold") == first
        assert layer["mark"]["color"] == le.TEXT_COLOURS["full_disclosure" if wrong else "independent"]


def test_tests_of_who_is_not_certain():
    """With certain labels they gain what the proposition says; with a tenth of them wrong less, yet most of it."""
    played = {
        right: le.mean_and_error(
            np.array([silent_board.tests_with_doubts(right, rng) for rng in np.random.default_rng(8).spawn(2000)])
        )
        for right in (1, 0.9)
    }
    blocks = [len(block) for block in np.array_split(np.arange(2120), 12)]
    by_formula = sum(b * comb(b - 1, b // 2) / 2**b for b in blocks) / 1060
    assert abs(played[1][0] - by_formula) < 4 * played[1][1] < 0.1 * by_formula
    assert played[1][0] - played[0.9][0] > 4 * hypot(played[1][1], played[0.9][1])
    assert played[0.9][0] > 0.8 * by_formula


def test_stems_and_stories_say_how_many():
    """Stems below the border end in their length; under each file stands how many the list has for it."""
    ax = Figure().subplots()
    silent_board.answers_to([-19, 15, 0, -3])(ax)
    digits = [text for text in ax.texts if text.get_text().isdigit()]
    assert [(text.get_position()[0], text.get_text()) for text in digits] == [(1, "19"), (4, "3")]
    ax = Figure().subplots()
    mechanisms_compared.draw_stories(ax)
    names = [label.get_text() for label in ax.get_xticklabels()]
    stories = [[*combinations_with_replacement("abc", told)] for told in range(4)]
    assert names == [f"file {i}:\n{len(each)}" for i, each in enumerate(stories, start=1)]
    orange = to_hex(le.TEXT_COLOURS["full_disclosure"])
    told = [text.get_text() for text in ax.texts if to_hex(text.get_color()) == orange]
    falls = np.diff([0, *(49 - round(100 * float(each)) for each in told), 2])
    letters = ["D" * fall + "A" for fall in falls[:-1]]
    says = parsed(HTML / "book" / "mechanisms_compared.html").text
    assert f"{', '.join(told)}, is {', '.join(letters)}. The board can fall" in " ".join(says.split())
    assert f"append a D for the other: {' '.join(letters)} {'D' * falls[-1]}. Now" in " ".join(says.split())


def test_six_accounts_at_two_borders():
    """Each moves the board once at each border, and sends nothing more before the next."""
    sent, between = silent_board.sent_at_borders()
    for border in (sent[:between], sent[between:]):
        moves = [account for account, moved in border if moved]
        assert sorted(moves) == list(range(6))
        for account in range(6):
            own = [moved for name, moved in border if name == account]
            assert own[-1]
            assert sum(own) == 1


@pytest.mark.parametrize("chance", [0.05, 0.5, 0.9])
def test_a_hint_is_the_mean_of_what_crossed(chance):
    """Of a normal variable that is below its quantile, with a minus, and of one that is not; within four errors."""
    z = np.random.default_rng(23).standard_normal(200_000)
    below = z < NormalDist().inv_cdf(chance)
    for moved in (True, False):
        drawn = -z[below == moved]
        error = drawn.std() / drawn.size**0.5
        assert knows_half.hint(chance, moved) == pytest.approx(drawn.mean(), abs=4 * error)
        assert abs(knows_half.hint(chance, moved)) > 40 * error  # so a tenth off would be seen


def test_who_tosses_where_doubt_is_left_gains_more():
    """Than by coins for all guesses, weighed by their losses, which gain what the formula says."""
    more, plain = [], []
    for seed in range(40):
        more.append(few_files.gain("exact losses", "in doubt", 50, 1, np.random.default_rng(seed)))
        game, labels = few_files.game("exact losses", 50, 1, np.random.default_rng(seed))
        rng, unsure = np.random.default_rng(100 + seed), game.start == boards.UNSURE
        coins = rng.integers(0, 2, (50, 4000))
        losses = [game.alone(np.where(unsure, coin, game.start)) for coin in coins]
        vote = (np.mean(losses) - losses) @ (2 * coins - 1) > 0
        plain.append(1 - np.mean(vote[unsure] != labels[unsure]) * unsure.sum() / 1060)
    (most, wide), (less, narrow) = le.mean_and_error(np.array(more)), le.mean_and_error(np.array(plain))
    assert abs(less - 0.8 * sqrt(50 / 2120)) < 4 * narrow + 0.004
    assert most - less > 4 * hypot(wide, narrow)


def test_who_listens_gains_more_from_few_files():
    """On the same labels as who lets only those vote that moved the board, in the mean of contests."""
    step, gains = {"eta": 0.01, "margin": True}, []
    for listening in (False, True):
        ends = []
        for rng in np.random.default_rng(24).spawn(30):
            game, labels = few_files.game(HUNDREDTHS, 50, 1, rng)
            ends.append(np.mean(knows_half.stairs(game, rng, listening=listening, **step) == labels))
        gains.append((np.array(ends) - 0.735) / 0.265)
    assert np.mean(gains[1]) > np.mean(gains[0]) + 0.01
    # Fifty votes of one bit gain no more than aligned votes where every score is shown.
    most = 2 * le.boosting_accuracy(n=2120, k=50, keep="aligned") - 1
    assert np.mean(gains[1]) < most + 4 * gains[1].std(ddof=1) / 30**0.5


@pytest.mark.parametrize(("files", "accounts", "reads"), [(160, 15, True), (140, 15, False), (200, 13, False)])
def test_fifteen_accounts_read_every_label(files, accounts, reads):
    """With 160 files each, as the text says; not with an eighth fewer, nor with thirteen accounts and more files."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        contest, labels = few_files.game("simplified Ladder, 1/100", files, accounts, rng)
        file = knows_half.marks_known(contest, rng, eta=0.01, margin=False, accounts=accounts)
        assert np.array_equal(file, labels) == reads


def test_too_few_files_to_find_a_border():
    """Nothing is read, and the file is that of the guesses."""
    rng = np.random.default_rng(17)
    labels = rng.integers(0, 2, boards.LABELS)
    known = boards.classifier(boards.CLOSE, labels, rng)
    game = boards.Contest(boards.BOARDS[HUNDREDTHS](labels), 5, known, each=5)
    file = knows_half.marks_known(game, rng, eta=0.01, margin=True, accounts=1)
    assert np.mean(file != labels) == pytest.approx(boards.CLOSE, abs=4 * 0.5 * (2 * boards.CLOSE / 4000) ** 0.5)
    assert np.array_equal(file[known != boards.UNSURE], labels[known != boards.UNSURE])


def test_what_one_account_gains_and_how_many_read_all():
    """Of an Eve who knows some labels, and of one who does not; from the study, attack by attack."""
    stored = mechanisms_compared.results()["results"]
    for board in boards.BOARDS:
        for informed in (True, False):
            best, damage = mechanisms_compared.best_alone(board, informed)
            assert stored[board][best]["damage"][0] == damage
            alone = {
                name: cell["damage"][0]
                for name, cell in stored[board].items()
                if not catalogue.ATTACKS[name].many or name.endswith("1,000 files")
            }
            knowing = {name: gain for name, gain in alone.items() if bool(catalogue.ATTACKS[name].informed) == informed}
            assert max(knowing.values()) == damage
    heads = {board: mechanisms_compared.accounts_that_read_all(board) for board in boards.BOARDS}
    assert heads["three places, 1/10"] is None
    assert (heads["exact losses"], heads["exact ranks"]) == (1, 3)
    assert heads["Ladder, 1/100"] == round(stored["Ladder, 1/100"]["marks, half known"]["accounts"][0])


@pytest.mark.parametrize(
    ("attack", "board"),
    [
        ("blocks", "exact losses"),
        ("votes", "losses in 1/100"),
        ("swaps", "parameter-free Ladder"),
        ("design", "exact losses"),
    ],
)
def test_who_knows_half_plays_on_the_rest(attack, board):
    """Her files keep what she knows; of the rest her final one has more right than by luck, by four standard errors."""
    rng = np.random.default_rng(14)
    labels = rng.integers(0, 2, boards.LABELS)
    start = boards.classifier(boards.CLOSE, labels, rng)
    known = start != boards.UNSURE
    game = boards.Contest(boards.BOARDS[board](labels), boards.NAME, start=start)
    final = catalogue.ATTACKS[f"{attack}, {catalogue.HALF_KNOWN}"].play(game, rng)
    assert len(game.sent) <= boards.NAME
    assert all((file[known] == labels[known]).all() for file in [*game.sent, final])
    assert np.mean(final[~known] == labels[~known]) > 0.5 + 4 * 0.5 / np.sqrt(np.sum(~known))


def test_what_is_turned_is_wrong_in_truth():
    start = np.array([0, 1, boards.UNSURE, boards.UNSURE])
    assert boards.true_loss(np.array([1, 1, 0, 1]), start) == boards.CLOSE + 0.25


def test_a_classifier_that_knows_where_it_is_unsure():
    """It is right elsewhere, and its guesses leave it the loss that it is said to have."""
    rng = np.random.default_rng(9)
    labels = rng.integers(0, 2, boards.LABELS)
    start = boards.classifier(boards.CLOSE, labels, rng)
    unsure = start == boards.UNSURE
    assert np.mean(unsure) / 2 == boards.CLOSE == boards.true_loss(labels, start)
    assert np.array_equal(start[~unsure], labels[~unsure])


def test_attacks_that_were_added_come_last():
    """So the generators of those that were there, in their order, are what they were."""
    added = [attack in matrix.LATER for _, attack in matrix.CELLS]
    assert added == sorted(added)
    rest = [cell for cell, why in matrix.MATRIX.items() if not why(*cell) and cell[1] not in matrix.LATER]
    assert matrix.CELLS[: len(rest)] == rest


@pytest.mark.parametrize("ladder", boards.LADDERS)
def test_marks_read_every_label_of_a_ladder(ladder):
    """With coin files, from not many more accounts than a step has labels, 40, and about as many files as labels."""
    found = matrix.contest(ladder, "marks", np.random.default_rng(5))
    assert found["recovered"] == 1
    assert 40 < found["accounts"] < 100
    assert 4000 < found["files"] < 4100


@pytest.mark.parametrize(
    ("board", "attack", "accounts", "files"),
    [
        ("losses in 1/100", "in turn", 3, (2120, 2170)),
        ("parameter-free Ladder", "partners in turn", 3, (2120, 2130)),
        ("Ladder, 1/100", "marks", 15, (2120, 2230)),
        ("simplified Ladder, 1/100", "marks", 15, (2120, 2200)),
        ("ranks in 1/100", "yardsticks", 17, (2120, 2270)),
        ("exact ranks", "rank attack, 3 accounts", 3, (2121, 2121)),
    ],
)
def test_few_accounts_who_know_half_read_every_label(board, attack, accounts, files):
    """A file for each of 2,120 labels, and those that find borders; no account sends more than 1,000."""
    for seed in range(3):
        found = matrix.contest(board, f"{attack}, {catalogue.HALF_KNOWN}", np.random.default_rng(seed))
        assert (found["recovered"], found["damage"]) == (1, pytest.approx(0.265))
        assert found["accounts"] == accounts
        assert files[0] <= found["files"] <= files[1]


@pytest.mark.parametrize("seed", range(3))
def test_yardsticks_of_who_knows_half_and_guesses_badly(seed):
    """With most guesses wrong her accounts are too few, and late ones read the rest: nothing is claimed unread."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, boards.LABELS)
    start = boards.classifier(boards.CLOSE, labels, rng)

    class Unlucky:
        """Guesses are wrong a little more often than coins."""

        def integers(self, low, high, size):
            return labels ^ (rng.random(size) < 0.54)

    game = boards.Contest(boards.BOARDS["ranks in 1/100"](labels), 5000, start)
    assert np.array_equal(knows_half.yardsticks_known(game, Unlucky(), width=40), labels)
    assert max(game.accounts.values()) <= 1000


def test_marks_of_who_knows_half():
    """No account sends more than its files; ten accounts read until no border is left, a part of the labels."""
    rng = np.random.default_rng(15)
    labels = rng.integers(0, 2, boards.LABELS)
    game = boards.Contest(boards.BOARDS["Ladder, 1/100"](labels), 5000, boards.classifier(boards.CLOSE, labels, rng))
    file = knows_half.marks_known(game, rng, eta=0.01, margin=True, accounts=10)
    known = game.start != boards.UNSURE
    assert np.array_equal(file[known], labels[known])
    assert len(game.accounts) == 10
    # At each border ten guesses are found wrong; these and what she knows, forty for each, pay for the borders.
    read = 0.5 - np.mean(file[~known] != labels[~known])
    borders = 2120 * read / 10
    assert borders == pytest.approx((1880 + 2120 * read) / 40, abs=2 + 4 * np.sqrt(2120) / 2 / 10)


@pytest.mark.parametrize(
    ("board", "attack"), [("losses in 1/100", "one by one"), ("parameter-free Ladder", "partners")]
)
def test_one_account_reads_a_label_with_each_file(board, attack):
    """All but those that find a border: a thousand of 2,120, and half of the labels that are read were wrong."""
    found = matrix.contest(board, f"{attack}, {catalogue.HALF_KNOWN}", np.random.default_rng(16))
    assert (found["files"], found["accounts"]) == (1000, 1)
    assert found["recovered"] == pytest.approx(1000 / 2120, abs=40 / 2120 + 4 * np.sqrt(2120) / 2120)


def test_added_attacks_are_played(tmp_path, monkeypatch):
    """A stored study that lacks them is the same again once only they are played."""
    monkeypatch.setattr(runner, "RECORDS", tmp_path)
    stored = mechanisms_compared.results()
    without = deepcopy(stored)
    for kind in ("first", "results"):
        for row in without[kind].values():
            for attack in matrix.LATER[:2]:  # which are quick to play
                row.pop(attack, None)
    assert runner.lacks(without)
    assert not runner.lacks(stored)
    extended = runner.extend_matrix(without)
    for board, row in stored["results"].items():
        assert extended["results"][board].keys() == row.keys()
        for attack, kinds in row.items():
            for kind, values in kinds.items():
                assert extended["results"][board][attack][kind] == pytest.approx(values)


def test_other_teams_on_a_board_of_ranks():
    """One account climbs past teams that others have put there; on an empty board it would always be first."""
    rng = np.random.default_rng(6)
    labels, board = np.zeros(boards.LABELS, dtype=int), le.RankBoard(np.zeros(boards.LABELS, dtype=int))
    boards.seat(board, labels, rng)
    assert len(board.standings()) == 199
    assert [board.submit(f"right in {share}", np.arange(4000) >= 4000 * share) for share in (0.8, 0.6, 0.4)] == [
        1,
        pytest.approx(101, abs=12),
        pytest.approx(201, abs=1),
    ]
    assert matrix.contest("exact ranks", "groups of 128", rng)["damage"] > 0.05


def test_votes_of_a_few():
    """Ten accounts climb, and their vote gains more than the best of one account."""
    rng = np.random.default_rng(7)
    ten = matrix.contest("simplified Ladder, 1/100", "groups, 10 accounts", rng)
    assert (ten["files"], ten["accounts"]) == (5000, 10)
    assert ten["damage"] > 0.05 > matrix.contest("simplified Ladder, 1/100", "groups of 1024", rng)["damage"]


def test_true_losses():
    """That of a coin file, and those of a classifier's file, of its opposite and of one in between."""
    start = np.zeros(4, dtype=int)
    assert boards.true_loss(start, None) == 0.5
    losses = [boards.true_loss(np.array(file), start) for file in ([0] * 4, [1] * 4, [1, 0, 0, 0])]
    assert losses == pytest.approx([0.3, 0.7, 0.4])


def test_an_attacker_has_so_many_files():
    """More are refused, and the best file is the last that lowered what was shown."""
    game = boards.Contest(le.FullDisclosure([0, 0, 0]), 3)
    game.board = le.Leaderboard([0, 0, 0])
    for file in ([1, 1, 1], [1, 0, 0], [1, 1, 0]):
        game.alone(file)
    assert (game.best, game.shown) == ([1, 0, 0], [1, 1 / 3, 2 / 3])
    with pytest.raises(boards.SpentError):
        game.afresh([0, 0, 0])


def test_promises():
    """Each is the bound at the files and accounts that it is for, on Ladders for 200 teams at once; where nothing is
    covered there is none."""
    ladder = le.tree_deviation("ladder", eta="1/100", n=4000, k=1000, delta=0.05 / 200) + 0.01
    assert mechanisms_compared.promise("Ladder, 1/100", False) == ladder
    assert mechanisms_compared.promise("Ladder, 1/100", True) is None
    places = le.tree_deviation("simplified", eta="1/10", n=4000, k=5000, accounts=3) + 0.05
    assert mechanisms_compared.promise("three places, 1/10", True) == places
    for board in ("exact losses", "exact ranks", "parameter-free Ladder", "LadderBoot"):
        assert mechanisms_compared.promise(board, False) is None


def test_who_stands_on_three_places():
    """The first three honest accounts whose loss is rounded to the best tenth, to the end."""
    tenths, standing = mechanisms_compared.podium()
    log, labels, _ = mechanisms_compared.honest_log()
    losses = np.mean(log.predictions != labels, axis=1)
    assert tenths == {0.3: len({log.teams[i] for i in np.flatnonzero(losses < 0.35)}), 0.4: tenths[0.4]}
    assert tenths.total() == len(set(log.teams))
    first = [(log.teams[i], 0.3) for i in np.flatnonzero(losses < 0.35)[:3]]
    assert sorted(standing) == sorted(first)


def test_prices():
    """What a board hides of an honest team, by replaying the log, and on three places from who stands there."""
    log, labels, truth = mechanisms_compared.honest_log()
    assert log.predictions.shape == (len(truth), len(labels))
    for board, maker in (
        ("losses in 1/100", lambda y: le.FullDisclosure(y, precision="1/100")),
        ("Ladder, 1/100", le.Ladder),
        ("exact ranks", le.RankBoard),
    ):
        cost = honest_cost(log, truth, told(log, labels, maker))
        share = cost.gain[cost.hidden].sum() / cost.gain.sum()
        assert mechanisms_compared.price(board) == (cost.hidden.sum(), cost.hidden.size, pytest.approx(share))
    assert mechanisms_compared.price("simplified Ladder, 1/100") == mechanisms_compared.price("losses in 1/100")
    board, moves = le.TopBoard(labels, ranks=3, mechanism=lambda y: le.SimplifiedLadder(y, eta="1/10")), []
    for team, file in zip(log.teams, log.predictions, strict=True):
        board.submit(team, file)
        moves.append(board.standings())
    cost = honest_cost(log, truth, np.array([now != before for before, now in pairwise([(), *moves])]))
    assert mechanisms_compared.price("three places, 1/10")[0] == cost.hidden.sum()


def test_worst_attacks():
    """Who can open accounts can also use one only; a column of the worst holds the largest mean."""
    for board in boards.BOARDS:
        row = mechanisms_compared.results()["results"][board]
        most = max(found["damage"][0] for found in row.values())
        assert mechanisms_compared.worst(board, True)[1]["damage"][0] == pytest.approx(most, abs=0.01)
        alone = mechanisms_compared.worst(board, False)[1]
        places = board == "three places, 1/10"  # which count files
        assert alone["files" if places else "accounts"][0] == (1000 if places else 1)
    assert mechanisms_compared.worst("LadderBoot", True)[0] == "Freedman, fresh accounts"
    assert mechanisms_compared.worst(matrix.MEAN_SQUARES, True) is None


def test_promises_of_places_and_at_the_end():
    """The theorem's, with half a step for rounding; at the end all files are fixed, and a union bound holds."""
    within = le.tree_deviation("simplified", eta="1/10", n=4000, k=10_000, accounts=3, delta=0.05)
    assert mechanisms_compared.on_places(10_000) == pytest.approx(within + 0.05)
    assert le.union_bound(mechanisms_compared.at_the_end(10_000), n=4000, k=10_000) == pytest.approx(0.05)
    worst = BeautifulSoup(mechanisms_compared.worst_table().data, "html.parser")
    for row in worst.select("tbody tr"):
        promise = row.find_all("td")[3].text
        assert promise == "none" or promise.endswith("*") == ("Ladder" in row.th.text)


@pytest.mark.parametrize("files", [20, 50, 1000])
def test_no_play_passes_the_bound_of_the_ladder(files):
    """It counts what one account can hear from a simplified Ladder: the ways to fall a hundred times at most."""
    ladder = "simplified Ladder, 1/100"
    assert mechanisms_compared.histories(ladder, files) == comb(files + 100, files)
    assert mechanisms_compared.gained_by(ladder, 1, files) < mechanisms_compared.at_most(ladder, 1, files)


def worse(board):
    """Return how many labels regulars pay on a board with 20 files: those that validate name."""
    found = []
    for game in json.loads(honest_games.PATH.read_text())["games"]:
        for i, policy in enumerate(game["policies"]):
            named = "last" if policy == "truster" else "best"
            if policy != "visitor":
                found.append(game["boards"][board][1][named][i] - game["boards"]["every score"][0][named][i])
    return f"{3600 * np.mean(found) / 8400:.1f}"


def test_the_decision_says_how_often_eve_leads_alone():
    """From behind and tied: alone on two boards, with friends, with more files, with errors."""
    page = BeautifulSoup(real_competition.decision_table().data, "html.parser")
    assert [head.text for head in page.select("thead th")][1:] == ["a step behind", "tied"]
    rows = {row.th.text: [cell.text for cell in row.find_all("td")] for row in page.select("tbody tr")}
    played = {
        "every score": ("every score", 1, 20),
        "simplified Ladder": (other_labels.SIMPLE, 1, 20),
        "… and two friends": (other_labels.SIMPLE, 3, 20),
        "… or 50 files": (other_labels.SIMPLE, 1, 50),
    }
    assert list(rows) == [*played]
    for name, crowd in played.items():
        for cell, begins in zip(rows[name], ("behind", "level"), strict=True):
            share, error = other_labels.elsewhere(*crowd, begins)[0]
            digits = 1 if share < 0.01 else 0
            assert cell == f"{100 * share:.{digits}f} ± {100 * error:.{digits}f}"


def test_the_table_of_the_competition():
    """What boards hide and tell in the replay, and what teams pay."""
    page = BeautifulSoup(real_competition.answer_table().data, "html.parser")
    rows = {row.th.text: [cell.text for cell in row.find_all("td")] for row in page.select("tbody tr")}
    studied = {
        "every score": "exact losses",
        fitted.ROUNDED: "losses in 1/100",
        "simplified, 1/100": "simplified Ladder, 1/100",
        "Ladder, 1/100": "Ladder, 1/100",
    }
    for board, other in studied.items():
        lies, of = mechanisms_compared.moves(other)
        assert rows[board][:2] == [f"{100 * mechanisms_compared.price(other)[2]:.0f}", f"{100 * lies / of:.0f}"]
        assert rows[board][2:] == [worse(board)]
    assert rows.keys() - studied == {"parameter-free"}


def test_where_an_attack_is_left_out_others_read_all():
    """By an Eve who knows as little; said of no other board."""
    said = set()
    for board, found in mechanisms_compared.results()["results"].items():
        if board in boards.BOARDS and catalogue.why_not(board, "marks") == catalogue.READ:
            said.add(board)
            assert any(found[name]["recovered"][0] == 1 for name in found if not catalogue.ATTACKS[name].informed)
    assert said == {"exact losses", "losses in 1/100", "parameter-free Ladder"}


@pytest.mark.parametrize("files", [1, 2, 10, 200])
def test_the_luckiest_of_the_last_files(files):
    """What the best of coin files gains at the end is what such files gain, when they are drawn."""
    unsure = round(2 * 0.265 * 4000)
    right = np.random.default_rng(files).binomial(unsure, 0.5, (2000, files)).max(axis=1)
    mean, error = le.mean_and_error(right / (unsure / 2) - 1)
    assert mechanisms_compared.luckiest(files) == pytest.approx(mean, abs=4 * error)
    assert mechanisms_compared.gained_by(None, files) == mechanisms_compared.luckiest(files)


def test_stairs_gain_what_the_study_says():
    """One account with a thousand files, in both studies: within four standard errors of both means."""
    mean, error, *_ = mechanisms_compared.results()["results"]["Ladder, 1/100"]["stairs"]["damage"]
    again = mechanisms_compared.played_with(1000)["Ladder, 1/100"]["stairs"][0]
    assert abs(0.265 * again - mean) < 4 * (1 + 20 / few_files.REPETITIONS) ** 0.5 * error


def test_a_gain_is_a_share_of_what_the_file_could_gain():
    """Of the labels that she is unsure of, twice the share that is right beyond one half; one contest, played again."""
    rng = np.random.default_rng(16)
    labels = rng.integers(0, 2, 4000)
    known = boards.classifier(0.265, labels, rng)
    game = boards.Contest(boards.BOARDS["Ladder, 1/100"](labels), 50, known)
    right = np.mean(knows_half.stairs(game, rng, eta=0.01, margin=True, listening=True) == labels)
    gain = few_files.gain("Ladder, 1/100", "stairs", 50, 1, np.random.default_rng(16))
    assert gain == pytest.approx((right - 0.735) / 0.265)
    assert gain > 0.02


def test_every_pair_is_in_the_table():
    """With what was measured, the worst of a board first, or with the reason why it was not played."""
    page = BeautifulSoup(mechanisms_compared.full_table().data, "html.parser")
    stored, played, order, lowest = mechanisms_compared.results()["results"], set(), {}, {}
    for row in page.select("tbody tr"):
        board, (attack, damage, accounts) = row.th.text, (each.text for each in row.find_all("td"))
        names = {attack, catalogue.by_rank(attack)} & set(catalogue.ATTACKS)
        found, kinds = names & set(stored[board]), row["data-is"].split()
        assert ("many" in kinds) == all(name in mechanisms_compared.MANY for name in names)
        assert ("unplayed" in kinds) == (not found)
        order.setdefault(board, []).append(attack)
        if not found:
            assert damage in {catalogue.why_not(board, name) for name in names}
            assert damage.startswith(("not tried: ", "cannot work: "))
            continue
        (name,) = found
        played.add((board, name))
        measured = stored[board][name]
        mean, error = (float(each.replace("−", "-")) for each in damage.split(" ± "))
        assert (mean, error) == pytest.approx(measured["damage"][:2], abs=0.0006)
        assert int(accounts.replace(",", "")) == pytest.approx(measured["accounts"][0], abs=0.5)
        assert measured["damage"][0] <= lowest.get(board, 1)
        lowest[board] = measured["damage"][0]
    assert played == {cell for cell in matrix.CELLS if cell[0] in boards.BOARDS}
    for board in boards.BOARDS:
        assert sorted(order[board]) == sorted(mechanisms_compared.rows_of_attacks())


def test_boards_of_regression_say_their_units():
    """In both tables; a damage that may be chance has its error beside it."""
    page = BeautifulSoup(mechanisms_compared.regression_table().data, "html.parser")
    units = [row.small.text for row in page.select("tbody tr")]
    assert units == ["squared error"] * 4 + ["concordance"] * 2
    stored = mechanisms_compared.results()["results"]
    for board, row in zip(matrix.REGRESSION, page.select("tbody tr"), strict=True):
        for fit, shown in zip(matrix.FITS, row.find_all("td"), strict=True):
            mean, _ = shown.text.replace("−", "-").split(" ± ") if fit in stored[board] else (None, None)
            assert mean is None or float(mean) == pytest.approx(stored[board][fit]["damage"][0], abs=0.0006)
    rows = BeautifulSoup(mechanisms_compared.worst_table().data, "html.parser").select("tr[data-is~=regression]")
    assert len(rows) == 6
    for row in rows:
        damage = row.find_all("td")[0].text
        assert damage.endswith("(concordance)" if "Bayesian" in row.th.text else "(squared error)")
        assert ("±" in damage) == ("the largest of several, and perhaps chance" in row.th.text)
    assert sum("±" in row.text for row in rows) == 2


def test_ranks_are_the_simplified_ladder_without_its_losses():
    """Whoever hears the lowest level of each account, and when, knows all ranks; so ranks tell no attack more."""
    rng = np.random.default_rng(13)
    labels = rng.integers(0, 2, 400)
    ranks, ladders = le.RankBoard(labels, precision="1/20"), le.Leaderboard(labels, mechanism=twentieths)
    shown, since = {}, {}
    for time in range(400):
        account, file = int(rng.integers(20)), labels ^ (rng.random(400) < rng.uniform(0.2, 0.6))
        rank, released = ranks.submit(account, file), ladders.submit(account, file)
        if released < shown.get(account, 2):
            shown[account], since[account] = released, time
        order = sorted(shown, key=lambda name: (shown[name], since[name]))
        assert list(ranks.standings()) == order
        assert order[rank - 1] == account


def twentieths(labels):
    """Return a simplified Ladder in twentieths."""
    return le.SimplifiedLadder(labels, eta="1/20")


def test_stairs_past_other_teams():
    """They gain more than luck; exact ranks have more borders than ranks in hundredths, and so have a wide field, two
    accounts and ten."""
    found = {
        (board, attack): matrix.contest(board, attack, np.random.default_rng(14))
        for board, attack in (
            ("exact ranks", "stairs by rank"),
            *(("ranks in 1/100", f"stairs by rank{more}") for more in ("", ", wide field", ", 2 accounts")),
        )
    }
    exact, coarse, wide, two = (each["damage"] for each in found.values())
    assert exact > coarse + 0.01
    assert coarse > 0.035
    assert wide > coarse + 0.003
    assert two > coarse + 0.01
    assert [each["accounts"] for each in found.values()] == [1, 1, 1, 2]
    assert all(each["files"] <= 1000 * each["accounts"] for each in found.values())
    assert all(each["damage"] == pytest.approx(boards.CLOSE * each["recovered"], abs=0.001) for each in found.values())


@pytest.mark.parametrize("board", boards.RANKS)
def test_other_teams_do_not_disturb_yardsticks(board):
    """Among 199 teams as many accounts read every label as where they are alone, or a few more."""
    ends = []
    for among in (False, True):
        rng = np.random.default_rng(15)
        labels = rng.integers(0, 2, boards.LABELS)
        game = boards.Contest(boards.BOARDS[board](labels), boards.ALL)
        if among:
            boards.seat(game.board, labels, rng)
        file = knows_nothing.yardsticks(game, rng, "1/4000" if board == "exact ranks" else "1/100")
        assert np.array_equal(file, labels)
        ends.append(len(game.accounts))
    assert ends[0] == pytest.approx(ends[1], abs=20)
    stored = mechanisms_compared.results()["results"][board]["yardsticks"]["accounts"][0]
    assert ends[1] == pytest.approx(stored, abs=20)


def test_a_walk_moves_at_its_borders():
    """For files below the border, more than a step under what is shown; those that moved it gain what stairs gain."""
    above, moved, losses = silent_board.walk(seed=7)
    assert above.shape == moved.shape == losses.shape == (1000,)
    assert (moved[1:] == (above[1:] < 0)).all()
    assert not moved[0]
    assert 20 < np.median(above[1:]) < 80
    gained = [boards.CLOSE - silent_board.walk(seed)[2][-1] for seed in range(20)]
    mean, error, *_ = mechanisms_compared.results()["results"]["Ladder, 1/100"]["stairs"]["damage"]
    # Two means of twenty contests each; the labels of a file also have luck of their own, the classifier's is none.
    assert abs(np.mean(gained) - mean) < 4 * np.hypot(error, np.std(gained, ddof=1) / np.sqrt(20))


def test_moves_of_boards():
    """Of the scores that fall from one file to another, those without a fall on the sealed labels; on the Ladder the
    fewest."""
    log, labels, truth = mechanisms_compared.honest_log()
    board, last, counts = boards.BOARDS["Ladder, 1/100"](labels), {}, [0, 0]
    for i, team in enumerate(log.teams):
        shown = board.submit(team, log.predictions[i])
        if team in last and shown < last[team][0]:
            counts[0] += bool(truth[i] >= last[team][1])
            counts[1] += 1
        if team not in last or shown < last[team][0]:
            last[team] = shown, truth[i]
    assert mechanisms_compared.moves("Ladder, 1/100") == tuple(counts)
    shares = {name: false / of for name in boards.BOARDS for false, of in [mechanisms_compared.moves(name)]}
    useful = [name for name in shares if name not in boards.TENTHS]
    assert min(useful, key=shares.get) == "Ladder, 1/100"


@pytest.mark.parametrize("accounts", catalogue.PAIRS)
def test_few_accounts_read_labels_from_exact_ranks(accounts):
    """A label for each file but the first, among other teams; two accounts stop when the one behind has sent its
    thousand, of which both send as many but for luck, and the labels left are as they were drawn."""
    rng = np.random.default_rng(16)
    labels = rng.integers(0, 2, boards.LABELS)
    game = boards.Contest(le.RankBoard(labels), min(boards.ALL, 1000 * accounts))
    boards.seat(game.board, labels, rng)
    senders = []
    send = game.board.submit
    game.board.submit = lambda account, file: senders.append(account) or send(account, file)
    found = knows_nothing.in_front(game, rng, accounts)
    read = len(game.sent) - 1
    assert np.array_equal(found[:read], labels[:read])
    assert np.mean(found[read:] == labels[read:]) == pytest.approx(0.5, abs=0.05) if read < 4000 else read == 4000
    assert set(senders) == set(range(accounts))
    most = max(map(senders.count, senders))
    assert most == 1000 if accounts == 2 else most <= 1000
    assert read == 4000 if accounts == 5 else 1750 < read < 2000
    stored = mechanisms_compared.results()["results"]["exact ranks"][f"rank attack, {accounts} accounts"]
    assert stored["damage"][0] == pytest.approx(read / 8000, abs=0.02)


@pytest.mark.parametrize("rows", [2, 3, 8, 50, 100])
def test_a_design_tells_every_label(rows):
    """Lindström's: as many labels as the numbers below have ones in binary, each time."""
    turned, owners = knows_nothing.detecting(rows)
    rng = np.random.default_rng(18)
    assert turned.shape == (rows, sum(number.bit_count() for number in range(rows)))
    assert set(turned.flat) <= {0, 1}
    for _ in range(20):
        labels = rng.integers(0, 2, owners.size)
        assert (knows_nothing.detected(turned @ labels, turned, owners) == labels).all()


@pytest.mark.parametrize("k", [2, 10, 100])
def test_a_design_reads_what_files_are_enough_for(k):
    """Of a thousand labels, each time; the others are guessed, and no more files are sent."""
    labels = np.random.default_rng(19).integers(0, 2, 1000)
    run = knows_nothing.design_attack(le.FullDisclosure(labels).submit, n=1000, k=k, rng=np.random.default_rng(20))
    read = sum(number.bit_count() for number in range(k - 1))
    assert len(run.submissions) == k
    right = np.sum(run.predictions == labels)
    assert right == pytest.approx(read + (1000 - read) / 2, abs=4 * (1000 - read) ** 0.5 / 2)


@pytest.mark.parametrize("number", [8, 100, 2120, 5001])
@pytest.mark.parametrize("tests", [1, 7, 42, 999])
def test_blocks_of_odd_size(number, tests):
    """Disjoint, in order, of sizes that differ by two at most; as many as tests, and fewer than two are left."""
    blocks = knows_half.odd_blocks([*range(number)], tests)
    sizes = [len(block) for block in blocks]
    assert [label for block in blocks for label in block] == [*range(sum(sizes))]
    assert all(size % 2 for size in sizes)
    assert max(sizes) - min(sizes) in (0, 2)
    assert len(blocks) == min(tests, number)
    assert number - sum(sizes) < 2


@pytest.mark.parametrize(
    ("board", "heads"), [("parameter-free Ladder", 1), ("parameter-free Ladder", 3), ("exact ranks", 4)]
)
@pytest.mark.parametrize("each", [20, 50, 500])
def test_a_block_is_taken_just_if_most_of_it_was_wrong(board, heads, each):
    """By the paired test with known labels beside it, and on ranks by who passes; no account sends more than it may."""
    rng = np.random.default_rng(26)
    game, labels = few_files.game(board, each, heads, rng)
    unsure = game.start == boards.UNSURE
    end = few_files.BOARDS[board]["split"](game, rng, heads)
    assert np.array_equal(end[~unsure], labels[~unsure])
    assert max(game.accounts.values()) <= each
    assert len(game.shown) > 0.9 * each * heads
    best, taken, tests = game.sent[0], 0, 0
    for file in game.sent[1:]:
        block = unsure & (file != best)
        if not block.any():
            continue  # what a fresh account begins with
        tests += 1
        assert block.sum() % 2
        if np.mean(best[block] != labels[block]) > 0.5:
            best, taken = file, taken + 1
    assert 0.3 * tests < taken < 0.7 * tests
    assert np.array_equal(best[unsure], end[unsure])


@pytest.mark.parametrize("files", [20, 50])
@pytest.mark.parametrize("board", boards.LADDERS)
def test_blocks_are_split_right_above_a_border(board, files):
    """Once the border is found, a file moves the board just if most guesses of its block were wrong: so none that moved
    it had more right than wrong, and what it ends with has fewer wrong than before, block by block."""
    rng = np.random.default_rng(25)
    contest, labels = few_files.game(board, files, 1, rng)
    end = few_files.BOARDS[board]["split"](contest, rng, 1)
    sent = np.array(contest.sent)
    assert len(sent) <= files
    unsure = contest.start == boards.UNSURE
    blocks = (sent != sent[0]) & unsure
    tested = [i for i in range(len(sent)) if blocks[i].any()]
    assert len(tested) >= files - 8
    assert all(blocks[i].sum() % 2 for i in tested)
    shown = np.array(contest.shown)
    for i in tested:
        block = blocks[i]
        most_wrong = np.mean(sent[0][block] == labels[block]) < 0.5
        assert (shown[i] < shown[i - 1]) == most_wrong
        assert (end[block] == sent[i if most_wrong else 0][block]).all()


@pytest.mark.parametrize("n", [1, 3, 100, 1000])
def test_exact_losses_of_a_design_are_read(n):
    """With files that do not depend on what they are told."""
    labels, sent = np.random.default_rng(19).integers(0, 2, (2, n)), []
    for truth in labels:
        run = knows_nothing.design_attack(le.FullDisclosure(truth).submit, n=n, k=n, rng=np.random.default_rng(20))
        assert (run.predictions == truth).all()
        sent.append(run.submissions)
    assert np.array_equal(*sent)


@pytest.mark.parametrize(("attack", "left"), [("design", 0), (f"design, {catalogue.HALF_KNOWN}", 0.235)])
def test_one_account_reads_exact_losses_by_a_design(attack, left):
    """All that it does not know, with the files that an account has."""
    found = matrix.contest("exact losses", attack, np.random.default_rng(21))
    assert (found["recovered"], found["accounts"]) == (1, 1)
    assert found["files"] <= 1000
    assert found["damage"] == 0.5 - left


def test_blocks_of_several_accounts():
    """Two accounts read more labels of exact losses than one, and three more; none sends more than its files."""
    found = [
        matrix.contest("exact losses", attack, np.random.default_rng(17))
        for attack in ("blocks", "blocks, 2 accounts", "blocks, 3 accounts")
    ]
    assert [each["accounts"] for each in found] == [1, 2, 3]
    assert all(each["files"] <= 1000 * each["accounts"] for each in found)
    assert all(one["damage"] + 0.04 < other["damage"] for one, other in pairwise(found))


@pytest.mark.parametrize("world", ["full", "ladder"])
def test_what_honest_teams_pay_in_a_game(world):
    """False moves and hand-ins, counted file by file from what the board showed, and the definition by hand."""
    held, log = competition.competition(), competition.log(world)
    truth = np.mean(log.predictions[:, ~held.public] != held.labels[~held.public], axis=1)
    shown, policies = competition.shown(world), real_competition.owners()
    false = moves = improved = 0
    handed = {}
    for team in set(log.teams):
        if policies[team] in competition.PLAYERS:
            continue
        lowest = last = best = None
        for i in (i for i, sender in enumerate(log.teams) if sender == team):
            improved += best is not None and truth[i] < best
            best = truth[i] if best is None else min(best, truth[i])
            if lowest is None or shown[i] < lowest:
                moves += lowest is not None
                false += lowest is not None and truth[i] >= last
                lowest, last = shown[i], truth[i]
        handed[team] = last
    cost, told_falsely = real_competition.outcome(world)
    assert told_falsely == (false, moves)
    assert cost.hidden.size == improved
    kept = {team: true for team, _, true in real_competition.standings(world)}
    assert {team: kept[team] for team in handed} == pytest.approx(handed)


def test_what_is_said_of_the_game_that_is_told():
    """The alternative texts have the numbers of its files, and of what is believed; sentences those of two files."""
    wrong, shown, _, _, aims = real_competition.tied_game()
    page = " ".join(parsed(HTML / "book" / "real_competition.html").text.split())
    border = next(c for c in range(3600) if (2 * c * 100 + 3600) // 7200 == 45)  # the least that is printed 0.45
    assert list(shown[:2]) == [0.45, 0.45]
    assert aims[1][0] == pytest.approx(border, abs=1)
    assert f"Her second file should have {aims[1][0]:,.1f} wrong labels, on average; from {border:,} on the" in page
    assert f"It has {wrong[1]:,}, and the board is silent" in page
    good, bad = real_competition.answers_turned()
    inside = np.sum((good | bad) & real_competition.guessed())
    others = good.sum() + bad.sum() - inside
    tally = f"{good.sum()} were wrong, and {bad.sum()} right; {inside} of them are guesses, and {others} others she"
    assert f"Of the answers that she reverses {tally}" in page
    assert good.sum() - bad.sum() == real_competition.model_wrong() - wrong[-1]
    words = words_of("book/real_competition", "draw_staircase")
    assert f"begins with {wrong[0]:,} wrong labels" in words
    assert f"to {wrong[-2]:,}, and jumps to {wrong[-1]:,} with the last file" in words
    ax = Figure().subplots()
    real_competition.draw_belief(ax)
    *guesses, heavy = (100 * line.get_ydata() for line in ax.lines[:-1])
    low, high, least, most = (f(guesses, axis=0)[i] for i in (0, -1) for f in (np.min, np.max))
    words = words_of("book/real_competition", "draw_belief")
    assert len(guesses) == 60
    assert f"All begin between {low:.0f} and {high:.0f} per cent" in words
    assert f"up to {most:.0f} and down to {least:.0f}" in words
    assert f"falls from {heavy[0]:.0f} to {heavy[-1]:.0f} per cent" in words


def test_files_on_borders_are_drawn():
    """Each bell lies on the border that the board then has, as wide as the errors say, orange below; dots are files."""
    wrong, shown, *_, aims = real_competition.tied_game()
    page = " ".join(parsed(HTML / "book" / "real_competition.html").text.split())
    told = f"that she expects {aims[10][0]:,.0f} wrong labels, a border. By chance it has {wrong[10]:,}, and the board"
    assert told in page
    best = [min(shown[:i]) for i in range(1, 20)]  # as printed before each file
    borders = [next(c for c in range(3600) if (200 * c + 3600) // 7200 == round(100 * each)) for each in best]
    assert shown[9] == shown[10]  # silence
    words = words_of("book/real_competition", "draw_test")
    assert words.startswith("Files 11 to 15, each with a bell on a border. File 11 falls above")
    for width in (5.6, 3.4):
        ax = Figure(figsize=(width, 3.0)).subplots()
        real_competition.draw_test(ax)
        halves = [each.get_paths()[0].vertices for each in ax.collections[:-1]]
        dots = [line.get_xydata()[0] for line in ax.lines]
        assert [tuple(dot) for dot in dots] == [(file, wrong[file - 1]) for file in range(11, 16)]
        moves = [shown[file - 1] < shown[file - 2] for file in range(11, 16)]
        assert moves == [False, True, True, True, False]  # as the alternative text says
        leak, grey = (to_hex(le.COLOURS[name]) for name in ("full_disclosure", "independent"))
        assert [to_hex(line.get_color()) for line in ax.lines] == [leak if each else grey for each in moves]
        for file, above, below in zip(range(11, 16), halves[::2], halves[1::2], strict=True):
            aim, spread = aims[file - 1]
            assert aim == pytest.approx(borders[file - 2], abs=0.6)
            assert min(above[:, 1]) == pytest.approx(borders[file - 2], abs=0.6)
            assert max(below[:, 1]) == pytest.approx(borders[file - 2], abs=0.6)
            for half in (above, below):
                off = (half[:, 1] - borders[file - 2]) / spread
                bell = half[:, 0] > file + 0.01
                assert half[bell, 0] == pytest.approx(file + 0.75 * np.exp(-(off[bell] ** 2) / 2), abs=0.05)
            assert np.ptp([*above[:, 1], *below[:, 1]]) == pytest.approx(5 * spread)
        assert (to_hex(ax.collections[0].get_facecolor()[0]), to_hex(ax.collections[1].get_facecolor()[0])) == (
            grey,
            leak,
        )
        lines = {segment[0][1] for segment in ax.collections[-1].get_segments()}
        assert sorted(lines) == pytest.approx(sorted({borders[file - 2] for file in range(11, 16)}))
        at = {text.get_text(): text.get_position()[1] for text in ax.texts}
        assert at["silence"] > wrong[10] > max(lines) > wrong[11] > at["it moves"]


def test_how_far_apart_files_are_is_drawn():
    """The bars are the shares of pairs, teams alike; the first is as wide as luck, and a chapter says both numbers."""
    held, sent = competition.competition(), competition.honest_log("full")
    wrong = (sent.predictions != held.labels)[:, ~held.public].sum(axis=1)
    shares, luck = [], []
    for team in set(sent.teams):
        at = np.flatnonzero(np.array(sent.teams) == team)
        pairs = [(i, j) for i in at for j in at if i < j]
        if pairs:
            apart = [3600 * abs(int(wrong[i]) - int(wrong[j])) / 8400 for i, j in pairs]
            shares.append(np.histogram(apart, np.arange(0, 505, 24))[0] / len(pairs))
            files = sent.predictions[:, held.public]
            luck.append(np.median([np.sqrt(np.sum(files[i] != files[j])) for i, j in pairs]))
    assert round(np.median(luck)) == real_competition.LUCK == 24
    ax = Figure().subplots()
    real_competition.draw_apart(ax)
    assert [bar.get_height() for bar in ax.patches] == pytest.approx(100 * np.mean(shares, axis=0))
    assert f"it has {ax.patches[0].get_height():.0f} per cent" in words_of("book/real_competition", "draw_apart")
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(100)  # none is cut off
    (grey,) = {bar.get_facecolor() for bar in ax.patches[1:]}
    assert ax.patches[0].get_facecolor() != grey
    assert ax.get_xlim()[1] >= ax.patches[-1].get_x() + ax.patches[-1].get_width()
    told = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert list(told) == ["closer than 24", "farther apart"]
    assert told["farther apart"] > told["closer than 24"] >= 24
    differ, by_luck, weights = real_competition.pairs_apart()
    assert sum(weights) == pytest.approx(1)
    rng = np.random.default_rng(4)
    drawn = rng.choice(differ.size, 200_000, p=weights)
    reversed_by_luck = np.mean(differ[drawn] + by_luck[drawn] * rng.standard_normal(drawn.size) < 0)
    assert reversed_by_luck == pytest.approx(0.1, abs=0.01)  # one pair in ten, as the chapter says


def test_why_one_board_is_advised():
    """With one account and with more she leads least on the simplified Ladder, which costs what rounding costs."""
    boards = "every score", fitted.ROUNDED, "simplified, 1/100"
    for asked in ((1, 20, "behind"), (1, 20, "level"), (1, 50, "behind"), (3, 20, "behind")):
        alone = {name: other_labels.elsewhere(name, *asked)[0][0] for name in boards}
        assert min(alone.values()) == alone["simplified, 1/100"]
    least, *others = (real_competition.honest_games.price(name, True)[0] for name in boards)
    assert max(abs(price - 0.0016) for price in others) < 0.0001
    assert least < 0.0003


def test_what_a_lead_costs():
    """The prices are those of the mechanism, in labels that Eve's model has to correct."""
    held = competition.competition()
    n, hers = held.public.sum(), real_competition.model_wrong()
    printed = [le.SimplifiedLadder(np.zeros(n)).submit(np.arange(n) < wrong) for wrong in range(hers + 1)]
    best = min(row[1] for row in real_competition.standings("full") if row[0] != fitted.eves_account())
    exact = next(hers - wrong for wrong in range(hers, 0, -1) if wrong < round(n * best))
    front = min(row[1] for row in real_competition.standings("simplified") if row[0] != fitted.eves_account())
    tie = next(hers - wrong for wrong in range(hers, 0, -1) if printed[wrong] <= front + 1e-9)
    alone = next(hers - wrong for wrong in range(hers, 0, -1) if printed[wrong] < front - 1e-9)
    assert real_competition.prices() == [exact, tie, alone]


def test_games_and_two_borders_are_drawn():
    """A dot is a game; it lies in a band if the board prints its last file as well as the best team, or better."""
    begins, ends = real_competition.ends_on_flights(other_labels.SIMPLE, 20)
    assert ends.size == 18 * 10
    begins = np.repeat(begins, 10)
    prints = np.array([le.SimplifiedLadder(np.zeros(3600)).submit(np.arange(3600) < wrong) for wrong in ends])
    tied, alone = np.isclose(prints, 0.28), prints < 0.275
    least = next(wrong for wrong in range(1035, 0, -1) if (200 * wrong + 3600) // 7200 == 28)  # that a tie asks for
    for width in (5.6, 3.4):
        ax = Figure(figsize=(width, 2.8)).subplots()
        real_competition.draw_reach(ax)
        (dots,) = ax.lines
        assert np.array_equal(dots.get_xydata(), np.transpose([begins - least, begins - ends]))
        pale, dark = (band.get_paths()[0] for band in ax.collections)
        up = dots.get_xydata() + np.array([0, 0.5])  # a dot on an edge is inside
        assert np.array_equal(pale.contains_points(up), tied)
        assert np.array_equal(dark.contains_points(up), alone)
        for lack in range(1, 37):  # a step apart
            rows = [(lack, lack + more) for more in (-0.5, 0.5, 35.5, 36.5)]
            assert list(pale.contains_points(rows)) == [False, True, True, False]
            assert list(dark.contains_points(rows)) == [False, False, False, True]
        words = {text.get_text(): text.get_position() for text in ax.texts}
        assert pale.contains_point(words["she is tied"])
        assert dark.contains_point(words["she leads alone"])
        (low, high), (left, right) = ax.get_ylim(), ax.get_xlim()
        assert np.all((dots.get_xydata() > (left, low)) & (dots.get_xydata() < (right, high)))
    lacks = begins - least
    words = words_of("book/real_competition", "draw_reach")
    assert not alone.any(), words  # none in the dark corner
    assert 0.45 < tied.mean() < 0.5  # nearly half
    assert np.mean(lacks[tied] < 10) > 0.5
    assert (lacks > 0).all()
    assert lacks.max() < 36.5


def test_a_refusal_is_an_answer():
    """Of a silent board that refuses files worse than coins a thousand tests at one half read more than half."""
    unsure = round(2 * boards.CLOSE * boards.LABELS)

    def gain(rng):
        blocks = knows_half.odd_blocks(list(range(unsure)), 990)
        wrong = rng.random(unsure) < 0.5
        mark = boards.LABELS // 2 + 1  # wrong labels, of a file that is just refused
        net = np.array([len(block) - 2 * wrong[block].sum() for block in blocks])
        return -net[mark + net <= boards.LABELS // 2].sum() / (unsure / 2)

    gains = [gain(rng) for rng in np.random.default_rng(4).spawn(40)]
    assert np.mean(gains) - 4 * np.std(gains) / np.sqrt(40) > 0.5


def test_how_often_she_leads_is_counted_from_the_games():
    """For each board, start and crowd of the tables; of two attacks on the Ladder the one that leads more often."""
    played = json.loads(other_labels.STORED.read_text(encoding="utf-8"))["sizes"]["3600"]
    for begins, (accounts, files) in product(("behind", "level"), ((1, 20), (3, 20))):
        shares = []
        for board in ("every score", fitted.ROUNDED, other_labels.SIMPLE):
            forms = {board, other_labels.FEWER_COINS} if board == other_labels.SIMPLE else {board}
            keys = [[begins, form, accounts, files] for form in forms]
            rows_of = [[row for part in played for row in part if row[:4] == key] for key in keys]
            counts = [np.sum([row[4:6] for row in found], axis=0) for found in rows_of if found]
            shares.append(max(alone / games for games, alone in counts))
            said = real_competition.alone_in(board, accounts, files, begins)
            assert float(said) == pytest.approx(100 * shares[-1], abs=0.51)
        assert shares == sorted(shares, reverse=True)  # each board is broken less often than the one above
        assert accounts == 1 or begins == "behind" or min(shares) > 0.5  # none of the three holds


def test_how_many_stories_a_board_can_tell():
    """Counted anew for two accounts with three files, two with one story each where nothing is shown."""
    answers = np.arange(101)
    never_up = sum((101 - answers) * (answers + 1))  # ways to set the middle one of three answers between the others
    wanted = {
        "exact losses": 2121**6,  # 0 to 2,120 guesses are right
        "exact ranks": 201**6,
        "parameter-free Ladder": comb(4003, 3) ** 2,
        "simplified Ladder, 1/100": int(never_up) ** 2,
        "three places, 1/10": sum(11**answers for answers in range(7)),  # any six answers, or fewer
        None: 2,
    }
    assert wanted.keys() == mechanisms_compared.COUNTED.keys()
    for board, number in wanted.items():
        assert mechanisms_compared.stories(board, 2, 3) == pytest.approx(log(number), rel=1e-12)
        assert mechanisms_compared.at_most(board, 2, 3) == pytest.approx(sqrt(2 * log(number) / 2120))
    falls = sum(200 - low for low in range(200) for _ in range(low + 1))  # of three ranks: the middle and the last
    assert mechanisms_compared.stories("exact ranks", 1, 2) == pytest.approx(log(200 * 201 / 2))
    assert mechanisms_compared.stories("exact ranks", 1, 3) == pytest.approx(log(falls))
    long = comb(1199, 1000) ** 2 * 2**2000  # longer than 201 values for each answer would allow, if that were all
    assert mechanisms_compared.stories("exact ranks", 2, 1000) == pytest.approx(
        log(comb(1199, 1000)) * 2 + 2000 * log(2)
    )
    assert long < 201**2000
    assert mechanisms_compared.stories("three places, 1/10", 2, 1000) == pytest.approx(log(comb(2031, 31)))  # falls


def test_lottery_tickets_are_bounded_sharply():
    """As many independent tickets as stories: the luckiest stays below the bound on average, and comes near it."""
    correct = np.arange(1000, 2120)
    for files in (1, 3, 9):
        below = np.exp(2121.0**files * np.log1p(-binom.sf(correct, 2120, 0.5)))  # that no ticket has more
        luckiest = (1000 + np.sum(1 - below) - 1060) / 1060
        most = mechanisms_compared.at_most("exact losses", 1, files)
        assert luckiest < most
    assert luckiest > 0.95 * most  # a tenth off in its square would be noticed


@pytest.mark.parametrize(("files", "heads"), list(product(few_files.LIMITS, few_files.HEADS)))
def test_no_attack_passes_what_the_stories_allow(files, heads):
    """On no board that is counted, and on each of them more files allow more."""
    for board in mechanisms_compared.COUNTED:
        most = mechanisms_compared.at_most(board, heads, files)
        assert mechanisms_compared.gained_by(board, heads, files) <= most
        assert most <= mechanisms_compared.at_most(board, heads, files + 1) <= 1


def test_on_places_files_count():
    """As many files gain as much, whoever sends them; where accounts count, ten gain more."""
    places = mechanisms_compared.gained_by("three places, 1/10", 1, 1000)
    assert mechanisms_compared.gained_by("three places, 1/10", 10, 100) == places
    shared = mechanisms_compared.gained_by("three places, 1/10", 10, 20)  # of few files
    assert mechanisms_compared.gained_by("three places, 1/10", 1, 200) == shared
    assert mechanisms_compared.gained_by("three places, 1/10", 1, 199) < shared
    assert mechanisms_compared.gained_by("three places, 1/10", 1, 100) < places
    silent = [mechanisms_compared.gained_by("simplified Ladder, 1/100", *crowd) for crowd in ((10, 100), (1, 1000))]
    assert silent[0] > silent[1]


def test_the_picture_of_what_is_taken():
    """A bar for each board as the study has it, on a whole scale, before a pale one for what no attack exceeds."""
    assert (mechanisms_compared.ACCOUNTS, mechanisms_compared.FILES) == ((1, 2, 10, 200), (20, 100, 1000))
    for narrow in (True, False):
        pale, bar, *ends, _ = mechanisms_compared.draw_taken(narrow).to_dict()["layer"]
        inside, outside = (end["transform"][0]["filter"].removeprefix("datum.most - datum.gain ") for end in ends)
        assert inside.replace(">", "<=") == outside  # each limit once
        assert [end["mark"]["align"] for end in ends] == ["right", "left"]
        for mark, field, opacity in ((pale, "most", 0.25), (bar, "gain", None)):
            assert (mark["encoding"]["x"]["field"], mark["mark"].get("opacity")) == (field, opacity)
            assert mark["encoding"]["x"]["scale"]["domain"] == [0, 1]
            assert mark["encoding"]["x2"] == {"datum": 0}
    assert {board: name for board, (name, _) in mechanisms_compared.DRAWN.items()} == {
        "exact losses": "every score",
        "exact ranks": "every rank",
        "simplified Ladder, 1/100": "simplified Ladder",
        "three places, 1/10": "three best (tenths)",
        None: "nothing, until the end",
    }
    for heads, files in product(mechanisms_compared.ACCOUNTS, mechanisms_compared.FILES):
        rows = mechanisms_compared.taken_rows(heads, files)["taken"]
        assert list(rows["gain"]) == [mechanisms_compared.gained_by(b, heads, files) for b in mechanisms_compared.DRAWN]
        assert list(rows["most"]) == [mechanisms_compared.at_most(b, heads, files) for b in mechanisms_compared.DRAWN]
        for gain, says in zip(rows["gain"], rows["says"], strict=True):
            assert says.endswith(f" {100 * gain:.0f} %")
        told = mechanisms_compared.taken_numbers(heads, files)
        assert list(rows["board"]) == [name for name, _ in mechanisms_compared.DRAWN.values()]
        assert [*told] == [*rows["board"], "parameter-free Ladder"]
        for board, name in mechanisms_compared.COUNTED.items():
            gain, most = (f(board, heads, files) for f in (mechanisms_compared.gained_by, mechanisms_compared.at_most))
            assert told[name] == f"{100 * gain:.0f} % (at most {np.ceil(100 * most):.0f} %)"
            assert gain >= max(
                mechanisms_compared.gained_by(board, fewer, each)
                for fewer in mechanisms_compared.ACCOUNTS
                for each in mechanisms_compared.FILES
                if fewer <= heads and each <= files
            )  # more accounts or files never gain less
        limits = [f"≤ {np.ceil(100 * most):.0f} %" if most < 1 else "" for most in rows["most"]]
        assert list(rows["limit"]) == limits


def test_what_two_starts_take_is_drawn():
    """Each arrow goes from her model past the border before which nobody is; tied, hers is the worse of the two."""
    ax = Figure().subplots()
    mechanisms_compared.draw_borders(ax)
    borders = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "None"]
    assert borders == [36, 72]
    hers, best = ([dot.get_xdata()[0] for dot in ax.lines[start::2]] for start in (2, 3))
    tips = [(text.xyann[0], text.xy[0]) for text in ax.texts if isinstance(text, Annotation)]
    assert [start for start, _ in tips] == hers
    assert all(tip > borders[1] for _, tip in tips)
    behind, tied = zip(hers, best, strict=True)
    prices = [other_labels.price_elsewhere(other_labels.SIMPLE, each) for each in ("behind", "level")]
    assert [borders[1] + 0.5 - start for start in hers] == pytest.approx(prices)  # to the first file beyond
    assert 0 < behind[0] < borders[0] < behind[1] < borders[1]
    assert borders[0] < tied[0] < tied[1] < borders[1]
    texts = {text.get_text(): text.get_position() for text in ax.texts if text.get_text()}
    printed = [f"0.{level}" for level in (29, 28, 27)]
    assert [texts[each][0] for each in printed] == [18, 54, 90]  # amid their steps
    lacks = [f"{price:.0f} labels" for price in prices]
    rows = [(texts[name][1], texts[says][1]) for name, says in zip(("a step behind", "level"), lacks, strict=True)]
    starts = [dot.get_ydata()[0] for dot in ax.lines[2::2]]
    assert [name for name, _ in rows] == starts
    assert all(abs(says - name) < 0.6 for name, says in rows)
    assert texts["her model"][0] < borders[0] < texts["the best"][0] < borders[1]


def test_what_eve_lacks_and_corrects_is_drawn():
    """Lines and bars are as long as all games say, beside how often she led; so are the words on them."""
    panels = Figure().subplots(1, 2)
    real_competition.draw_lacks(*panels)
    played = {
        "a step behind": (1, 20, "behind"),
        "50 files": (1, 50, "behind"),
        "two friends": (3, 20, "behind"),
        "tied": (1, 20, "level"),
    }
    corrects_more = []
    for ax, board in zip(panels, ("every score", other_labels.SIMPLE), strict=True):
        lines = [line.get_xdata()[1] for line in ax.lines if line.get_marker() == "None"]
        bars = [bar.get_width() for bar in ax.patches]
        assert [label.get_text() for label in ax.get_yticklabels()] == [*played]
        for row, (line, bar, (*crowd, begins)) in enumerate(zip(lines, bars, played.values(), strict=True)):
            alone, _, corrects, _, _ = other_labels.elsewhere(board, *crowd, begins=begins)
            assert (line, bar) == (other_labels.price_elsewhere(board, begins), corrects[0])
            share = f"{100 * alone[0]:.1f} %" if alone[0] < 0.01 else f"{100 * alone[0]:.0f} %"
            words = [text.get_text() for text in ax.texts if abs(text.get_position()[1] - row) < 0.3]
            assert words == [f"{line:.0f}", f"{bar:.0f}", share]
            assert ax.get_yticks()[row] == row
        corrects_more.append([bar > line for line, bar in zip(lines, bars, strict=True)])
    assert corrects_more == [[False, True, True, True], [False] * 4]  # as the alternative text says


def test_what_a_lead_takes_is_said():
    """How often she leads, before the host's decision, what she lacks and corrects; and what her bound is."""
    page = parsed(HTML / "book" / "mechanisms_compared.html")
    says = " ".join(page.text.replace("\xa0", " ").split())
    ladder = other_labels.SIMPLE
    behind, tied, best = (
        100 * other_labels.elsewhere(ladder, many, begins=at)[0][0]
        for many, at in ((1, "behind"), (1, "level"), (3, "level"))
    )
    assert f"and led alone in {behind:.1f} % of our games." in says
    level, crowd = (other_labels.elsewhere(ladder, many, begins="level")[2][0] for many in (1, 3))
    assert f"From level she corrects {level:.0f}, and led in {tied:.0f} %. Two friends can pass" in says
    assert f"anew: the three correct {crowd:.0f}, and she led in {best:.0f} % (" in says
    coins = real_competition.tossers_lead(36)
    few = real_competition.tossers_lead(guesses=600)
    assert f"the sketch has her lead from a step behind in {few} % of games, if all 1,560 are, in {coins} %;" in says
    behind, tied = (other_labels.price_elsewhere(ladder, begins) for begins in ("behind", "level"))
    assert f"she has to correct {behind:.0f} labels, on average, from behind, and {tied:.0f} from a tie (" in says
    bound = sqrt(600 * log(comb(120, 20)) / 2)
    assert f"With 20 files our bound lets her correct {bound:.0f} of the 600, more than she lacks" in says
    assert bound > behind
    one, three = (other_labels.elsewhere(ladder, accounts)[2][0] for accounts in (1, 3))
    assert f"From behind she corrects {one:.0f} in games, with two friends {three:.0f}." in says
    exact, corrects = other_labels.price_elsewhere("every score"), other_labels.elsewhere("every score")[2][0]
    assert f"from behind she lacks {exact:.0f}, and corrects {corrects:.0f}." in says


def test_what_makes_a_lead_likelier():
    """The table of the competition's chapter, on both boards, and over all games from leading models."""
    page = parsed(HTML / "book" / "real_competition.html")
    (table,) = (each for each in page.select("table") if "level, two friends" in each.text)
    rows = [[cell.text.replace("\xa0", " ").strip() for cell in row.select("td")] for row in table.select("tbody tr")]
    starts = {
        "starts behind": (1, "behind"),
        "behind, two friends": (3, "behind"),
        "starts level": (1, "level"),
        "level, two friends": (3, "level"),
    }
    played = {"simplified Ladder": other_labels.SIMPLE, "every score": "every score"}
    assert [head.text.strip() for head in table.select("th")] == ["20 files each", *played]
    assert [row[0] for row in rows] == [*starts]
    for (_, *cells), (many, begins) in zip(rows, starts.values(), strict=True):
        shares = [other_labels.elsewhere(board, many, begins=begins)[0][0] for board in played.values()]
        assert cells == [f"{100 * each:.1f} %" if each < 0.01 else f"{100 * each:.0f} %" for each in shares]
    ends = [other_labels.elsewhere(other_labels.SIMPLE, begins=begins) for begins in ("behind", "level")]
    over_all = sum(end[0][0] * end[3] for end in ends) / sum(end[3] for end in ends)
    says = " ".join(page.text.replace("\xa0", " ").split())
    fifty = other_labels.elsewhere(other_labels.SIMPLE, 1, 50)[0][0]
    assert f"(with 50 files, from a step behind, in {100 * fifty:.0f} %; with 20, from all that begin tied" in says
    assert f"a step behind, in {100 * over_all:.0f} %)" in says
    (alone, _), (first, _), *_ = ends[0]
    others = np.mean(other_labels.level_elsewhere())
    assert f"(She ties in {100 * (first - alone):.0f} %, which" in says
    assert f"leads from behind in {real_competition.tossers_lead(36)} % of games, in a sketch." in says
    lacks = other_labels.price_elsewhere(other_labels.SIMPLE)
    one, three = (other_labels.elsewhere(other_labels.SIMPLE, accounts)[2][0] for accounts in (1, 3))
    assert f"a step to the second: she lacks {lacks:.0f}, and corrects {one:.0f}." in says
    assert f"From behind a lead takes {lacks:.0f} labels, on average, half a step" in says
    assert f"to the second. Together they correct {three:.0f} (" in says
    assert f"usually {others:.0f} honest teams share her place" in says


def test_what_a_host_is_told_of_each_board():
    """Promises and what teams pay, in sentences, tables and drawn: from the games and counts themselves."""

    regulars = {"climber", "blender", "tinkerer", "returner", "truster"}

    def worse_by(board, kinds=regulars):
        worse = []
        for game in honest_games.games():
            free, (_, limited) = game["boards"]["every score"][0], game["boards"][board]
            for i, policy in enumerate(game["policies"]):
                named = "last" if policy == "truster" else "best"
                last = "last" if board == blind else named  # without labels nobody knows which is best
                if policy in kinds:
                    worse.append(limited[last][i] - free[named][i])
        return np.mean(worse) / 8400, np.std(worse, ddof=1) / np.sqrt(len(worse)) / 8400

    def pays(board, kinds=regulars):
        mean, error = (3600 * each for each in worse_by(board, kinds))
        digits = 0 if error > 1.9 else 1  # two figures of a small error, one of a large
        return f"{mean:.{digits}f} ± {error:.{digits}f}"

    def visitors(board):
        return f"{3600 * worse_by(board, {'visitor'})[0]:.0f}"

    def within(files, n, step=0.0):
        return f"{np.ceil(1000 * (sqrt(log(2 * files / 0.05) / (2 * n)) + step / 2)) / 1000:.3f}"

    everybody, bob = {*regulars, "visitor"}, {"climber"}
    blind, rounded, own = "nothing, no own rows", "simplified, 1/100", "simplified, one's own"
    silent = [f"nothing, {rows} own rows" for rows in (9600, 1000)]
    # any three of 200 teams that share: a file for each word of at most 59 answers among 300 steps
    shared = within(comb(200, 3) * comb(360, 59), 3600, 0.01)
    own_best, at_end = within(200 * comb(120, 19), 3600, 0.01), within(200, 3600)
    page = parsed(HTML / "book" / "mechanisms_compared.html")
    says = " ".join(page.text.replace("\xa0", " ").split())
    for sentence in (
        f"all losses of 200 files are within {within(200, 2000)} of the truth. Files twice as far apart",
        f"If all 5,600 labels wait for the end, 200 losses are within {within(200, 5600)} of the truth;",
        f"stand low: where no order is shown they keep their first file, and lose {visitors(own)}.",
        f"So with 95 % no own best loss is off by more than {own_best}, whatever anyone does,",
        f"The promise of {own_best} holds if teams do not share what they see.",
        f"still have labels for that; those that do not lose {pays(blind, bob | {'blender', 'tinkerer'})}.",
        f"own best losses in hundredths are within {shared} on 3,600 labels.",
    ):
        assert sentence in says

    def cells(words):
        (table,) = (each for each in page.select("table") if words in each.text)
        rows = table.select("tbody tr")
        return [[cell.text.replace("\xa0", " ").strip() for cell in row.select("td")] for row in rows]

    assert [row[-1] for row in cells("only one’s own of these")] == ["none", "none", "none", own_best, at_end]
    there = parsed(HTML / "book" / "real_competition.html")
    said = " ".join(there.text.replace("\xa0", " ").split())
    paid = {board: "{:.1f} ± {:.1f}".format(*(3600 * each for each in worse_by(board))) for board in (rounded, *silent)}
    assert f"teams that send more than a file or two, pay {paid[rounded]} labels: a quarter of a step." in said
    assert f"This costs Bob’s kind {pays(own, bob)} labels, silence would cost {pays(blind, bob)} (" in said
    shown = {
        "every score": "every score",
        "best losses, rounded": rounded,
        "own best, rounded": own,
        "nothing, 9,600 labels of their own": silent[0],
        "nothing, 1,000": silent[1],
        "nothing, none (their last file)": blind,
    }
    told = {"every score": "every score", "simplified Ladder": other_labels.SIMPLE}
    leads = {
        name: [f"{100 * other_labels.elsewhere(board, many, begins='level')[0][0]:.0f} %" for many in (1, 3)]
        for name, board in told.items()
    }
    shows = {"every score": "every score", "simplified Ladder": rounded, "to each its own best": own}
    assert cells("Bob loses") == [
        [name, *leads.get(name, ["no order"] * 2), pays(board, bob)]
        for name, board in (shows | {"nothing until the end": blind}).items()
    ]
    assert all(worse_by(board, {"truster"})[0] < 1 / 3600 for board in ("every score", rounded, own, *silent, blind))
    assert all(honest_games.labels_lost(board) == pays(board) for board in shown.values())
    assert honest_games.labels_lost(rounded, None) == pays(rounded, everybody)
    assert cells("regulars") == [
        [name, *(pays(board, who) for who in (bob, regulars, everybody))] for name, board in shown.items()
    ]
    assert f"and pay {paid[silent[0]]}. By 1,000 they" in said
    assert f"and without any, when they name their last file, {pays(blind).split()[0]} (" in said
    assert f"even here; the others lose {pays(blind, bob | {'blender', 'tinkerer'})})." in said
    for board in (*silent, blind, own):
        assert f"and pay {visitors(board)}: that is an assumption" in said
    assert 0.2 < worse_by(rounded)[0] / 0.01 < 0.3  # a quarter of a step
    (least, _), (ladder, within_ladder), (own_price, _), (many, error), (some, _), (none, _) = map(
        worse_by, shown.values()
    )
    assert max(least, many) < 1 / 3600 < error  # next to nothing, as is said
    assert max(abs(some - ladder), abs(own_price - ladder)) < within_ladder  # as much
    assert 6 < none / ladder < 7


def test_one_bob_in_two_games():
    """His files are the same until a gain that only exact scores show; then he sends as many more without one."""
    held = competition.competition()
    every, silent = (real_competition.bobs_files(world) for world in ("full", "simplified"))
    assert real_competition.owners()[real_competition.BOB] == "climber"
    for world, files in (("full", every), ("simplified", silent)):
        log = competition.log(world)
        sent = [i for i, team in enumerate(log.teams) if team == real_competition.BOB]
        wrong = np.sum(log.predictions[sent][:, held.public] != held.labels[held.public], axis=1)
        assert list(wrong) == list(files)
        best, since = 9999, 0
        for shown in competition.shown(world)[sent]:
            since = 0 if shown < best else since + 1
            best = min(best, shown)
        assert since == 5  # files without a better score, and he gives up
    credited = [
        next(true for team, _, true in real_competition.standings(world) if team == real_competition.BOB)
        for world in ("full", "simplified")
    ]
    mean, error = honest_games.price("simplified, 1/100", True, "climber")
    assert abs(credited[1] - credited[0] - mean) < error  # he pays about what his kind pays
    assert np.array_equal(every[: len(silent)], silent)
    assert silent[-1] == min(silent) < min(silent[:-1])  # a gain, which the Ladder does not show
    ladder = le.SimplifiedLadder(np.zeros(3600))
    prints = [ladder.submit(np.arange(3600) < wrong) for wrong in every]
    assert prints[: len(silent)] == list(competition.shown("simplified")[sent])
    ax = Figure().subplots()
    real_competition.draw_bob(ax)
    for box, printed, number in zip(ax.patches, prints, range(1, 25), strict=True):
        assert (box.get_y(), box.get_height()) == pytest.approx((3600 * printed - 18, 36))
        assert box.get_x() + 0.5 == number
        assert box.get_alpha() == (0.45 if number <= len(silent) else 0.15)
    both, more = (line for line in ax.lines if line.get_marker() == "o")
    assert [*both.get_ydata(), *more.get_ydata()] == list(every)
    assert len(both.get_ydata()) == len(silent)
    words = words_of("book/real_competition", "draw_bob")
    levels = {text.get_text() for text in ax.texts if text.get_text().startswith("0.")}
    assert levels == {f"{printed:.2f}" for printed in prints} == set(re.findall(r"0\.\d\d", words))
    assert f"down to {min(every):,}, into a pale" in words
    assert prints.index(0.31) == 8  # the ninth
    assert len(silent) == 14
    assert "fourteenth dot lies in the same box as the ninth" in words


def test_the_sketch_of_two_thousand_eves():
    """Its gain is that of beliefs weighed by Bayes' rule, from models that lean and from coins; our numbers."""

    def plainly(guesses, low, high, rng):
        chance = rng.uniform(low, high, guesses)
        right = rng.random(guesses) < chance
        belief = chance.copy()
        up = 0.5 + 0.5 / (hypot(sqrt(guesses) / 2, 9.4) * sqrt(2 * np.pi))  # how often it passes, if a coin is right
        for _ in range(18):
            repeats = rng.random(guesses) < 0.5
            passes = np.sum(repeats == right) - guesses / 2 + rng.normal(0, 9.4) > 0
            if_right = np.where(repeats == passes, up, 1 - up)
            belief = belief * if_right / (belief * if_right + (1 - belief) * (1 - if_right))
        turned = belief < 0.5 - 1e-9
        return np.sum(~right[turned]) - np.sum(right[turned])

    for asked in ((600, 0.5, 0.58), (1560, 0.5, 0.5)):
        gains = [plainly(*asked, rng) for rng in np.random.default_rng(5).spawn(1000)]
        sketched = jointly.sketch(*asked, np.random.default_rng(3))
        errors = hypot(np.std(gains) / sqrt(len(gains)), sketched.std() / sqrt(len(sketched)))
        assert abs(np.mean(gains) - sketched.mean()) < 4 * errors
        assert 0.9 < sketched.std() / np.std(gains) < 1.1  # each Eve has luck of her own
        assert sketched.shape == (2000,)  # as is said
    begins, ends = real_competition.ends_on_flights(other_labels.SIMPLE, 20)
    real = np.mean(np.repeat(begins, 10) - ends)
    mine = np.array([jointly.sketch(600, 0.5, 0.58, np.random.default_rng(seed)) for seed in range(3)])
    text = " ".join(parsed(HTML / "book" / "real_competition.html").text.replace("\xa0", " ").split())
    assert f"on average such Eves gain {mine.mean():.0f}, give or take {mine.std():.0f}. The real attack, which" in text
    assert f"chooses where to toss, gains {real:.0f} (" in text
    far_off = jointly.sketch(1560, 0.5, 0.5, np.random.default_rng(2), elsewhere=15)
    for step in (36, 72):  # of those who only toss coins
        for guesses in (600, 1560):
            eves = jointly.sketch(guesses, 0.5, 0.5, np.random.default_rng(2))
            leads = [eve >= above + step for eve in eves for above in range(1, step + 1)]
            assert real_competition.tossers_lead(step, guesses) == f"{100 * np.mean(leads):.0f}"
    leaning = jointly.sketch(600, 0.5, 0.58, np.random.default_rng(1))
    narrow, wide = (np.mean([eve >= above + s for eve in leaning for above in range(1, s + 1)]) for s in (24, 36))
    page = " ".join(parsed(HTML / "book" / "real_competition.html").text.replace("\xa0", " ").split())
    thirds = [int(real_competition.tossers_lead(elsewhere=off)) for off in (15, 9.4)]
    assert 30 < min(thirds) < 36  # about a third, or more
    assert f"Eve would lead from behind in {100 * narrow:.0f} % of games in a sketch" in page
    assert f"in {100 * wide:.1f} %. Against mere coins" in page
    more = [eve >= above + 36 for eve in far_off for above in range(1, 37)]
    assert real_competition.tossers_lead(elsewhere=15) == f"{100 * np.mean(more):.0f}"
    held, begins = competition.competition(), fitted.eves_start()
    guesses = begins.labels[: fitted.UNSURE][held.public[begins.labels[: fitted.UNSURE]]]
    assert guesses.size == 600
    assert np.mean(begins.file[guesses] == held.labels[guesses]) == pytest.approx((0.5 + 0.58) / 2, abs=0.005)
    off_by = hypot(sqrt(600) / 2, 9.4)
    assert off_by == pytest.approx(real_competition.tied_game()[4][1:, 1].mean(), abs=0.1)
    assert round(off_by) == 15  # as the chapter says, and nine of errors elsewhere
    game_off = real_competition.tied_game()[4][1:, 1].mean()
    assert round(sqrt(game_off**2 - 600 / 4)) == 9
    assert f"{100 * (0.5 + 0.5 / (game_off * sqrt(2 * np.pi))):.1f}" == "51.3"
    passes = 0.5 + 0.5 / (off_by * sqrt(2 * np.pi))
    # as many as such a model has: of all its errors, less those of coins
    others = (real_competition.model_wrong() - 1560 / 2) / (3600 - 1560)
    assert round(sqrt((3600 - 1560) * others * (1 - others))) == 15
    code = inspect.getsource(jointly.sketch).split('"""')[2]
    (height,) = map(float, re.findall(r"odds \+= ([\d.]+) / spread", code))
    assert re.findall(r"\d\.[1-9]", code.replace(f"{height}", "")) == ["0.5"]  # a root
    assert height / off_by == pytest.approx(log(passes / (1 - passes)), abs=0.001)
    answers, errors = (inspect.signature(jointly.sketch).parameters[each].default for each in ("answers", "elsewhere"))
    assert errors == 9.4
    assert answers == len(real_competition.tied_game()[0]) - 2  # the first file always moves, the last is the result
    three = jointly.sketch(600, 0.5, 0.58, np.random.default_rng(4), answers=54)
    one = jointly.sketch(600, 0.5, 0.58, np.random.default_rng(4))
    assert 2 < three.mean() / one.mean() < 3  # as a fold says of three accounts


def test_the_sketch_that_is_shown():
    """The cell of the chapter gains what the sketch does, on average, and its last game is counted from its beliefs."""
    cells = json.loads((ROOT / "book" / "real_competition.ipynb").read_text())["cells"]
    (code,) = ("".join(cell["source"]) for cell in cells if cell["id"] == "rc-beliefs")
    gains = []
    for rng in np.random.default_rng(8).spawn(2000):
        known = {"np": np, "rng": rng, "print": lambda *told: gains.append(int(told[0]) - int(told[1]))}
        exec(code, known)
    sketched = jointly.sketch(600, 0.5, 0.58, np.random.default_rng(6))
    errors = hypot(np.std(gains), sketched.std()) / sqrt(2000)
    assert abs(np.mean(gains) - sketched.mean()) < 4 * errors
    assert 0.9 < np.std(gains) / sketched.std() < 1.1
    shift = log((0.5 + 0.5 / (15.4 * sqrt(2 * np.pi))) / (0.5 - 0.5 / (15.4 * sqrt(2 * np.pi))))
    assert round(shift, 2) == 0.05
