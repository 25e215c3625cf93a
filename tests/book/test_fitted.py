"""Attacks of one account that are fitted to the board: what they send, and what they make of the answers."""

from functools import partial
from itertools import pairwise

import fitted
import jointly
import numpy as np
import pytest

import leaderboard_edu as le
from book import competition
from book.pictures import real_competition
from tools.main_line import read

LABELS = np.random.default_rng(0).integers(0, 2, 3000, dtype=np.uint8)
# Eve knows the first thousand labels, and thinks that all others are ones.
SURE = np.append(np.full(1000, 0.9), np.zeros(2000))
START = fitted.Start(np.append(LABELS[:1000], np.ones(2000, dtype=np.uint8)), np.arange(3000)[::-1], SURE)
UNSURE = slice(1000, None)


LADDER = partial(le.Ladder, eta="1/100")
WAIT = fitted.ATTACKS["wait, 100 files"]


def played(attack, seed=1, board=LADDER, files=100):
    """Return what an attack sends to a board, so many files, what it is shown, and its final file."""
    board, sent, shown = board(LABELS), [], []

    def submit(file):
        sent.append(file.copy())
        shown.append(board.submit(file))
        return shown[-1]

    final = attack(submit, START, np.random.default_rng(seed))
    assert len(sent) == files
    return np.array(sent), np.array(shown), final


def passed(shown):
    """Say which answers are lower than all before."""
    return shown < np.minimum.accumulate(np.append(1, shown))[:-1]


def test_least_sure_comes_first():
    """A chance of one half comes before one of nearly one or nought, in either direction."""
    begin = fitted.start(np.array([0, 1, 1]), np.array([120, 130, 255], dtype=np.uint8))
    assert begin.labels.tolist() == [1, 0, 2]
    assert begin.turned(np.array([1])).tolist() == [0, 0, 1]
    assert begin.sure == pytest.approx([15 / 255, 5 / 255, 1])


def test_who_waits_turns_less_after_a_move():
    """Nine tenths of a step less than before, and after other files a seventh; half of what is sure at first."""
    sent, shown, _ = played(WAIT)
    turned = (sent[:-1, :1000] != START.file[:1000]).sum(axis=1)
    less = np.where(passed(shown[:-1]), 0.9, 1 / 7) * LABELS.size / 100
    expected = 500 - np.append(0, np.cumsum(less))[:-1]
    assert np.abs(turned - np.maximum(expected, 0)).max() <= 0.5 + 1e-9
    assert turned[-1] < turned[0] == 500


def test_who_has_few_files_begins_later():
    """With fifty two thirds of that half are turned at first."""
    sent, shown, _ = played(fitted.ATTACKS["wait, 50 files"], files=50)
    turned = (sent[:-1, :1000] != START.file[:1000]).sum(axis=1)
    less = np.where(passed(shown[:-1]), 0.9, 1 / 7) * LABELS.size / 100
    expected = 500 * 4 * 50 / 305 - np.append(0, np.cumsum(less))[:-1]
    assert np.abs(turned - np.maximum(expected, 0)).max() <= 0.5 + 1e-9
    _, shown, _ = played(fitted.ATTACKS["coins, 50 files"], board=le.FullDisclosure, files=50)
    assert shown[-1] < shown[0]


@pytest.mark.parametrize("seed", range(3))
def test_only_guesses_vote_that_passed_a_step(seed):
    """The final file is their majority."""
    sent, shown, final = played(WAIT, seed)
    votes = sent[:-1][passed(shown[:-1])][:, UNSURE].astype(int)
    assert 10 < len(votes) < 100
    more = 2 * votes.sum(axis=0) - len(votes)
    assert (final[UNSURE] == np.where(more == 0, START.file[UNSURE], more > 0)).all()


def test_their_majority_guesses_better_than_coins():
    """In twenty games, by more than four standard errors of what is right by luck."""
    right = [np.sum(played(WAIT, seed)[2][UNSURE] == LABELS[UNSURE]) for seed in range(20)]
    assert np.mean(right) > 1000 + 4 * np.sqrt(500 / 20)


def test_who_votes_turns_only_what_is_unsure():
    """The first two files turn nothing and everything that is unsure, and the final one is sent: it guesses well."""
    sent, _, final = played(fitted.vote, board=le.FullDisclosure, files=fitted.FILES)
    assert np.sum(final[UNSURE] == LABELS[UNSURE]) > 1000 + 4 * np.sqrt(500)
    assert (sent[:, :1000] == START.file[:1000]).all()
    assert (sent[:2, UNSURE] == [[1], [0]]).all()
    assert (sent[-1] == final).all()
    assert 0.4 < np.mean(sent[2:-1, UNSURE]) < 0.6


def test_a_game_says_what_board_and_sealed_labels_say():
    """Of a file that is sent again and again."""

    def again(submit, begin, rng):
        for _ in range(fitted.FILES):
            submit(begin.file)
        return begin.file

    held = competition.competition()
    begin = fitted.Start(np.zeros(12_000, dtype=np.uint8), np.arange(12_000), np.zeros(12_000))
    games = fitted.play(LADDER, again, begin, 2)
    assert games.public.tolist() == [held.labels[held.public].mean()] * 2
    assert games.sealed.tolist() == [held.labels[~held.public].mean()] * 2
    assert games.shown.tolist() == [games.before] * 2 == [round(games.public[0], 2)] * 2


@pytest.mark.nightly
def test_all_games_are_played_to_the_same_bytes(tmp_path, monkeypatch):
    """What is stored is what the attacks do; the chapter plays the first game of each series again."""
    stored = fitted.PLAYED.read_text().splitlines()
    monkeypatch.setattr(fitted, "PLAYED", tmp_path / "fitted.json")
    fitted.main()
    again = fitted.PLAYED.read_text().splitlines()
    assert len(again) == len(stored)
    # Joint beliefs invert matrices, which differs in last digits from machine to machine.
    assert [line for line in again if "joint" not in line] == [line for line in stored if "joint" not in line]
    fitted.stored.cache_clear()
    now = fitted.stored()
    monkeypatch.undo()
    fitted.stored.cache_clear()
    before = fitted.stored()
    differences = [3600 * (now[key].public.mean() - before[key].public.mean()) for key in before if "joint" in key[1]]
    mean, error = le.mean_and_error(np.array(differences))
    assert abs(mean) < max(4 * error, 0.1)


@pytest.mark.parametrize("board", ["every score", "simplified, 1/100", "Ladder, 1/100"])
def test_who_listens_gains_more_from_few_files(board):
    """Than by the vote, or by waiting, from the same files; lower public losses, in the mean over starts."""
    games, eve = fitted.stored(), fitted.eves_account()
    other = "coins" if board == "every score" else "wait"
    lower = [
        games[account, f"{other}, 50 files", board].public.mean()
        - games[account, "listen, 50 files", board].public.mean()
        for account in fitted.starts()
        if account != eve
    ]
    mean, error = le.mean_and_error(np.array(lower))
    assert mean > 4 * error


@pytest.mark.parametrize("board", ["every score", "Ladder, 1/100"])
def test_who_listens_hears_the_board_only(board):
    """A submit function is all that it gets; every file but the last guesses the unsure, and no more are sent."""
    start, sent = fitted.eves_start(), []
    made = fitted.BOARDS[board](competition.competition().labels[competition.competition().public])

    def submit(file):
        sent.append(file.copy())
        return made.submit(file[competition.competition().public])

    final = fitted.listen(submit, start, np.random.default_rng(3), board, 50)
    assert len(sent) == 50
    assert (final == sent[-1]).all()
    unsure, sure = start.labels[:2000], start.labels[2000:]
    assert (final[sure] == start.file[sure]).all()
    for one, other in pairwise(sent[:-1]):
        assert np.mean(one[unsure] != other[unsure]) == pytest.approx(0.5, abs=4 * 0.5 / 2000**0.5)
    again = fitted.again(fitted.eves_account(), "listen, 50 files", board, 1)
    assert again.shown.size == 1


def test_most_often_alone_and_most_often_level():
    """Each is the largest of the attacks with as many files; who is alone is level, too."""
    for board in real_competition.WORLDS:
        for files in fitted.LIMITS:
            alone, level, *_ = real_competition.in_front(board, files)
            tried = [f"{name}, {files} files" for name in ("wait", "coins", "listen", "joint")]
            found = [
                real_competition.leads(attack, board)[:2]
                for attack in tried
                if (next(iter(fitted.starts().keys() - {fitted.eves_account()})), attack, board) in fitted.stored()
            ]
            assert alone == max(one for one, _ in found)
            assert level[0] == max(both[0] for _, both in found)
            assert alone[0] <= level[0]


@pytest.mark.parametrize("board", ["every score", "simplified, 1/100", "Ladder, 1/100"])
def test_how_many_wrong_labels_tie_and_lead(board):
    """What boards show of files with so many wrong labels, and with one more, beside the best of the others."""
    held, eve = competition.competition(), fitted.eves_account()
    labels, model = held.labels[held.public], fitted.starts()[eve].file[held.public]
    wrong = np.flatnonzero(model != labels)
    assert real_competition.model_wrong() == len(wrong)
    after = fitted.stored()[eve, "joint, 50 files", board].public
    assert real_competition.wrong_after(board) == pytest.approx(len(labels) * after)
    rest = [row[1] for row in real_competition.standings(real_competition.WORLDS[board]) if row[0] != eve]
    tie, alone = real_competition.enough(board)
    shown = []
    for left in (tie + 1, tie, alone + 1, alone):
        file = model.copy()
        file[wrong[: len(wrong) - left]] ^= 1
        made = fitted.BOARDS[board](labels)
        shown.append(made.submit(file) - min(rest))
    assert shown[0] > 1e-9 > abs(shown[1])
    assert abs(shown[2]) < 1e-9
    assert shown[3] < -1e-9


@pytest.mark.parametrize(("name", "board", "accounts", "each"), [(name, *of) for name, of in fitted.ACCOUNTS.items()])
def test_accounts_in_turn_have_a_mechanism_each(name, board, accounts, each):
    """What is told to each is what its own mechanism shows; and on a Ladder Eve, who shares all, begins anew."""
    maker = (fitted.BOARDS | fitted.JOINT_BOARDS)[board]
    held = competition.competition()
    labels = held.labels[held.public]
    rng = np.random.default_rng(12)
    files = labels ^ (rng.random((accounts * each, labels.size)) < rng.uniform(0.2, 0.5, (accounts * each, 1)))
    made, told = fitted.JOINT_BOARDS[name](labels), []
    for begin in range(0, len(files), each):
        own = maker(labels)
        told += [own.submit(file) for file in files[begin : begin + each]]
    assert [made.submit(file) for file in files] == told

    losses, eve = [], fitted.eves_start()
    made = fitted.JOINT_BOARDS[name](labels)

    def submit(file):
        losses.append(np.mean(file[held.public] != labels))
        return made.submit(file[held.public])

    fitted.jointly(submit, eve, np.random.default_rng(13), name, accounts * each)
    assert len(losses) == accounts * each
    if board not in ("every score", fitted.ROUNDED):
        for account in range(1, accounts):
            assert losses[account * each] > losses[account * each - 1] + 0.02  # bad on purpose once more


@pytest.mark.parametrize("wrong", [0, 17, 18, 19, 1000, 1025, 1026, 1061, 1062, 3600])
def test_a_rounded_score_says_between_which_borders_a_file_is(wrong):
    """Those numbers of wrong labels, and no others, that the board shows so; the eighteenth is rounded up."""
    start = fitted.eves_start()
    labels = np.zeros(3600, dtype=np.uint8)

    def shown(count):
        return fitted.JOINT_BOARDS[fitted.ROUNDED](labels).submit(np.arange(3600) < count)

    told = shown(wrong)
    low, high = jointly.Rounded(start, np.random.default_rng(0), fitted.STEP).rounds_to(told)
    assert low % 1 == high % 1 == 0.5
    for end, inside in ((low, 1), (high, -1)):
        if 0 <= end <= 3600:
            assert shown(round(end + inside / 2)) == told
            assert shown(round(end - inside / 2)) != told
    assert low < wrong < high


@pytest.mark.parametrize("files", [20, 50])
@pytest.mark.parametrize("board", real_competition.PAID)
def test_how_often_eve_is_first(board, files):
    """By hand from the stored games: below the lowest that another is shown, or level with it."""
    eve, world = fitted.eves_account(), real_competition.WORLDS.get(board, "simplified")
    best = {}
    for team, loss in zip(competition.log(world).teams, competition.shown(world), strict=True):
        best[team] = min(loss, best.get(team, 1.0))
    alone, level = [], []
    for account in fitted.starts().keys() - {eve}:
        games = fitted.stored()[account, f"joint, {files} files", board]
        assert games.shown.size == 10
        least = min(loss for team, loss in best.items() if team not in (account, eve))
        alone.append(np.mean(games.shown < least - 1e-9))
        level.append(np.mean(games.shown < least + 1e-9))
    found = real_competition.leads(f"joint, {files} files", board)[:2]
    assert [share for share, _ in found] == pytest.approx([np.mean(alone), np.mean(level)])


def test_what_eve_lacks_and_gains():
    """Means over models a step behind: to be level, and to be alone; and the less is told the less is gained."""
    held, eve = competition.competition(), fitted.eves_account()
    labels, gains = held.labels[held.public], {}
    boards = {
        "every score": "full",
        fitted.ROUNDED: "simplified",
        "simplified, 1/100": "simplified",
        "Ladder, 1/100": "ladder",
    }
    for board, world in boards.items():
        best = min(row[1] for row in real_competition.standings(world) if row[0] != eve)
        lacks, gained = [], []
        for account, begins in fitted.starts().items():
            if account == eve:
                continue
            wrong = np.count_nonzero(begins.file[held.public] != labels)
            ends = fitted.stored()[account, "joint, 50 files", board].public
            gained.append(wrong - 3600 * np.mean(ends))
            if board == "every score":
                lacks.append((wrong - round(3600 * best), wrong - round(3600 * best) + 1))
            else:  # printed as the best is up to half a step above it; 36 labels are a step
                most = round(3600 * best) + 17
                lacks.append((wrong - most, wrong - most + 36))
        started, ended = real_competition.ends_on_flights(board, 50)
        found = started.mean() - np.array([*real_competition.enough(board), ended.mean()])
        assert found == pytest.approx([*np.mean(lacks, axis=0), np.mean(gained)])
        gains[board] = found[2]
    every, rounded, simple, ladder = gains.values()
    assert every > rounded + 10 > simple + 15
    assert ladder > simple + 3


def named_by_audit(attack, board):
    """Say whether an audit names Eve, if she plays so among honest teams.

    Their log is that of their game on the simplified Ladder.
    """
    held, honest = competition.competition(), competition.log("simplified")
    honest = honest.submissions(real_competition.of_honest("simplified"))
    made, sent = fitted.BOARDS[board](held.labels[held.public]), []

    def submit(file):
        sent.append(file.copy())
        return made.submit(file[held.public])

    start = fitted.eves_start()
    attack(submit, start, np.random.default_rng(0))
    hours = np.arange(len(sent)) * np.timedelta64(1, "h")
    everything = le.SubmissionLog(
        teams=[*honest.teams, *["Eve"] * len(sent)],
        times=np.append(honest.times, honest.times[-1] + hours),
        predictions=np.vstack([honest.predictions, sent]),
    )
    found = le.audit(held.labels, everything, public=held.public)
    named = {team for player in found.suspects for team in player}
    assert named <= {"Eve"}  # and no honest team
    return "Eve" in named


@pytest.mark.parametrize(
    ("attack", "board", "named"),
    [
        ("coins, 50 files", "every score", True),
        ("coins, 20 files", "every score", False),
        ("wait, 50 files", "simplified, 1/100", False),
        ("joint, 50 files", "simplified, 1/100", False),
    ],
)
def test_whom_an_audit_names(attack, board, named):
    """As the page says: votes of fifty coin files, not of twenty, nor the walk, nor the best attack."""
    play = fitted.ATTACKS[attack]
    assert named_by_audit(partial(play, board=board) if attack.startswith("joint") else play, board) == named


@pytest.mark.parametrize("board", ["every score", "simplified, 1/100"])
def test_how_often_her_file_is_first_by_the_sealed_labels(board):
    """Counted from the logs: the others have, each, its first file of those that are shown best."""
    held, eve = competition.competition(), fitted.eves_account()
    world = real_competition.WORLDS[board]
    log, shown = competition.log(world), competition.shown(world)
    sealed = np.mean(log.predictions != held.labels, axis=1, where=~held.public)
    credited = {}
    for team, told, true in zip(log.teams, shown, sealed, strict=True):
        if team not in credited or told < credited[team][0] - 1e-9:
            credited[team] = told, true
    won = 0
    for account in fitted.starts().keys() - {eve}:
        least = min(true for team, (_, true) in credited.items() if team not in (account, eve))
        won += sum(fitted.stored()[account, "joint, 20 files", board].sealed <= least + 1e-9)
    assert real_competition.sealed_wins(board, 20) == won > 0


def test_the_other_accounts_stand_on_the_board_of_ranks():
    """Their best files, scored by hand: a file with as many wrong labels as the best is second, one fewer leads."""
    held, eve = competition.competition(), fitted.eves_account()
    labels, account = held.labels[held.public], next(iter(fitted.starts().keys() - {eve}))
    sent, lowest = competition.log("full"), {}
    for team, file in zip(sent.teams, sent.predictions[:, held.public], strict=True):
        lowest[team] = min(np.sum(file != labels), lowest.get(team, labels.size))
    del lowest[account], lowest[eve]
    field = fitted.rivals_of(account)
    assert sorted(np.sum(field.predictions != labels, axis=1)) == sorted(lowest.values())
    for fewer, place in ((0, 2), (1, 1)):
        file = labels.copy()
        file[: min(lowest.values()) - fewer] ^= 1
        assert fitted.Ranks(labels, account).submit(file) == place


def test_the_walk_in_ten_lines_is_the_one_of_the_study():
    """With the same tosses it rights as many labels, in most games exactly: the two round what they restore."""
    begins = "bad, told", "for _ in range(49)", "end = start.file"
    cells = [cell.source for cell in read("book/real_competition").cells]
    walk = "\n".join(source[source.index(line) :] for line in begins for source in cells if line in source)
    code = compile(walk.partition("ends = {")[0], "the walk", "exec")
    start, held = fitted.eves_start(), competition.competition()
    guess, sure = np.split(start.labels, [fitted.UNSURE])
    names = {"np": np, "start": start, "unsure": guess, "sure": sure, "public": held.public}
    more = []
    for seed in range(60):
        board, other = (le.SimplifiedLadder(held.labels[held.public]) for _ in range(2))
        place = names | {"play": board, "rng": np.random.default_rng(seed)}
        exec(code, place)
        end = fitted.wait_down(
            lambda file, other=other: other.submit(file[held.public]), start, real_competition.Coins(seed), 50
        )
        missed = [np.sum(file[held.public] != held.labels[held.public]) for file in (place["end"], end)]
        more.append(missed[0] - missed[1])
        assert len(board.transcript) == len(other.transcript) == 50
    mean, error = le.mean_and_error(np.array(more))
    assert np.mean(np.array(more) == 0) > 0.5
    assert abs(mean) < 4 * error


def test_the_game_that_is_told():
    """Its files are tests at borders: a move just if it is below; its last file is better than all, and ties."""
    wrong, shown, sealed, chances, aims = real_competition.tied_game()
    borders = real_competition.borders_met(shown)
    assert np.sum(np.diff(shown[:-1]) < 0) == 9  # of eighteen
    assert np.all((aims[1:, 0] - borders[:-1] + 1 >= 0) & (aims[1:, 0] - borders[:-1] < 4))  # at it, or just above
    assert np.all(np.abs(wrong[1:-1] - aims[1:, 0]) < 3 * aims[1:, 1])
    assert 0.5 < np.std((wrong[1:-1] - aims[1:, 0]) / aims[1:, 1]) < 1.5  # as sure as she says
    assert borders / 36 % 1 == pytest.approx(0.5)
    below = wrong[1:] < borders
    assert wrong.size == shown.size == 20
    assert np.array_equal(below, np.diff(shown) < 0)
    assert set(below[:-1]) == {True, False}
    tie, alone = real_competition.enough("simplified, 1/100")
    assert alone < wrong[-1] <= tie < wrong[:-1].min() - 100
    good, bad = (each.sum() for each in real_competition.answers_turned())
    assert good - bad == real_competition.model_wrong() - wrong[-1] > 0
    assert chances.shape == (19, 3600)
    end = fitted.ATTACKS["joint, 20 files"]  # the same attack, in one of its first twenty games
    held, losses = competition.competition(), []
    for seed in range(20):
        made = le.SimplifiedLadder(held.labels[held.public])

        def submit(file, made=made):
            return made.submit(file[held.public])

        file = end(submit, fitted.eves_start(), np.random.default_rng(seed), board="simplified, 1/100")
        losses.append((np.mean((file != held.labels)[held.public]), np.mean((file != held.labels)[~held.public])))
    assert (wrong[-1] / 3600, sealed[-1]) in losses
    falls = np.round(-100 * np.diff(shown[:-1]))
    assert sorted(falls)[-2:] == [1, 2]  # a step, once two
    model = fitted.eves_start().file != held.labels
    assert model[~held.public].mean() < sealed[-1]
    guess = real_competition.guess_turned()
    assert np.mean(np.diff(chances[:, guess]) < 0) > 0.6  # most answers speak against it
    one_label = 1 / (aims[1:, 1].mean() * np.sqrt(2 * np.pi))  # what it shifts the chance of a move by, at a border
    assert [round(100 * (0.5 + each * one_label / 2)) for each in (-1, 1)] == [49, 51]
    assert np.polyfit(np.arange(18), aims[1:, 1], 1)[0] < 0  # later files have fewer coins
    assert chances[0, guess] > 0.5 > chances[-1, guess]


@pytest.mark.parametrize("factor", [0.6, 1.0, 1.4])
def test_who_listens_learns_how_good_her_model_is(factor, monkeypatch):
    """An Eve whose model is less sure than it should be, or surer, gains as much; who cannot learn it gains less."""

    def gains(sure):
        begin = fitted.Start(mine.file, mine.labels, np.minimum(sure * mine.sure, 1))
        played = partial(fitted.listen, board="Ladder, 1/100", files=100)
        return 3600 * (0.3 - fitted.play(fitted.BOARDS["Ladder, 1/100"], played, begin, 60).public)

    mine = fitted.eves_start()
    learnt, plain = le.mean_and_error(gains(factor)), le.mean_and_error(gains(1.2))
    assert abs(learnt[0] - plain[0]) < 4 * np.hypot(learnt[1], plain[1])
    first = fitted.Belief.__init__

    def believing(belief, losses):
        first(belief, losses)
        belief.doubt[1, 1] = 0

    monkeypatch.setattr(fitted.Belief, "__init__", believing)
    credulous = le.mean_and_error(gains(factor))
    assert factor > 1 or learnt[0] - credulous[0] > 4 * np.hypot(learnt[1], credulous[1])


@pytest.mark.parametrize("board", fitted.BOARDS)
def test_who_weighs_all_answers_gains_more(board):
    """Than who listens to one after the other, from the same files; and all that she gets is answers."""
    games, eve = fitted.stored(), fitted.eves_account()
    lower = [
        games[account, "listen, 50 files", board].public.mean() - games[account, "joint, 50 files", board].public.mean()
        for account in fitted.starts()
        if account != eve
    ]
    mean, error = le.mean_and_error(np.array(lower))
    assert mean > 4 * error
    sent, told = [], []
    held, begin = competition.competition(), fitted.starts()[eve]
    made = fitted.BOARDS[board](held.labels[held.public])

    def submit(file):
        sent.append(file.copy())
        told.append(made.submit(file[held.public]))
        return told[-1]

    final = fitted.jointly(submit, begin, np.random.default_rng(2), board, 20)
    answers = iter(told)
    replayed = fitted.jointly(lambda _: next(answers), begin, np.random.default_rng(2), board, 20)
    assert len(sent) == 20
    assert (final == replayed).all()


def heard(board, games, files, monkeypatch):
    """Play the best attack, and return of all of its files the wrong public labels, and between what Eve hears them."""
    held, begin = competition.competition(), fitted.eves_start()
    labels, found, first = held.labels[held.public], [], jointly.Joint.hear

    def hear(joint, file, low, high):
        said = (begin.file ^ (file < 0))[held.public]
        found.append((len(joint.mean), said, low, high))
        first(joint, file, low, high)

    monkeypatch.setattr(jointly.Joint, "hear", hear)
    for seed in range(games):
        made = fitted.BOARDS[board](labels)
        rng = np.random.default_rng(seed)
        fitted.jointly(lambda file, made=made: made.submit(file[held.public]), begin, rng, board, files)
    return [(place, said, np.sum(said != labels), low, high) for place, said, low, high in found]


@pytest.mark.parametrize("board", ["every score", "simplified, 1/100", "Ladder, 1/100"])
def test_what_eve_hears_is_true_and_no_less_than_the_board_said(board, monkeypatch):
    """A number, or an interval between borders as wide as a step, or from a border on."""
    step = {"every score": 1, "simplified, 1/100": 36, "Ladder, 1/100": 36}[board]
    for place, _, wrong, low, high in heard(board, 5, 30, monkeypatch):
        assert low < wrong < high
        assert high == np.inf or high - low <= step
        assert place > 0 or high < np.inf


def test_a_paired_test_asks_for_the_root_of_what_differs(monkeypatch):
    """On the public labels, of which Eve knows the share; where it is silent a file has hardly ever fewer wrong."""
    asked, differ, below, best = [], [], [], (0, 0)
    for place, said, wrong, low, high in heard("parameter-free", 10, 50, monkeypatch):
        if high < np.inf:
            assert low < wrong < high
            best = said, wrong
        else:
            assert place > 0
            asked.append((best[1] - low) ** 2)
            differ.append(np.sum(said != best[0]))
            below.append(wrong < low)
    ratio = np.array(asked) / np.array(differ)
    mean, error = le.mean_and_error(ratio)
    assert abs(mean - 1) < 4 * error < 0.02
    assert np.mean(below) < 0.03


def test_what_coins_leave_wrong():
    """By hand, of each file from which Eve may start, the one of account nought among them; without one, of hers."""
    held, eve = competition.competition(), fitted.eves_account()
    assert 0 in fitted.starts()
    for account, begin in fitted.starts().items():
        unsure = np.isin(np.arange(12_000), begin.labels[:2000])
        wrong = begin.file != held.labels
        left = np.sum(wrong & held.public & ~unsure) + np.sum(held.public & unsure) / 2
        assert real_competition.coins_leave(account) == left
        assert real_competition.start_wrong(account) == np.sum(wrong & held.public)
        if account == eve:
            assert real_competition.coins_leave() == left
