"""The audit of a finished competition: what its statistics are, whom they find, and how often they are wrong."""

import numpy as np
import pandas
import pytest
from contests import Contest, blend, climb, forests, honest_contest, thresholds, weak
from scipy.stats import beta, binom, binomtest, chi2, hypergeom

import leaderboard_edu as le
from leaderboard_edu._suspicion import coin_marks, distinct, flip_marks, tail, vote_tails

WITHIN = 4  # standard errors


def coins(rng, k, n, classes=2):
    return rng.integers(0, classes, (k, n)).astype(np.uint8)


def plain_mark(before, file, truth, classes):
    """Say whether a file is a coin file, row by row and test by test."""
    rows = sided = right = 0
    for i in range(len(file)):
        three = [earlier[i] for earlier in before]
        if len(set(three)) == 2:
            rows += 1
            sided += file[i] == max(three, key=three.count)
            right += file[i] == truth[i]
    if rows == 0 or binomtest(sided, rows, 3 / 5, alternative="less").pvalue > 0.01:
        return False
    return all(
        binomtest(count, rows, 1 / 2, alternative="greater").pvalue > 0.01
        and binomtest(count, rows, 1 / classes, alternative="less").pvalue > 0.01
        for count in (sided, right)
    )


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("lean", [0.0, 0.1, 0.3])
def test_coin_marks_are_what_they_say(classes, lean):
    rng = np.random.default_rng(1)
    truth = coins(rng, 1, 600, classes)[0]
    files = np.where(rng.random((40, 600)) < lean, truth, coins(rng, 40, 600, classes))
    found = set(coin_marks(files, truth, np.arange(40), classes).tolist())
    assert found == {t for t in range(3, 40) if plain_mark(files[t - 3 : t], files[t], truth, classes)}


def test_coins_are_marked_and_files_that_just_resemble_each_other_are_not():
    """A file that goes with the two on three fifths of the rows is the border of the null: one in a hundred."""
    rng = np.random.default_rng(2)
    n, repetitions, marked, honest = 800, 400, 0, 0
    for _ in range(repetitions):
        truth = coins(rng, 1, n)[0]
        marked += coin_marks(coins(rng, 4, n), truth, np.arange(4), 2).size
        three = coins(rng, 3, n)
        two = (three.sum(axis=0) > 1).astype(np.uint8)
        file = np.where(rng.random(n) < 3 / 5, two, 1 - two)
        honest += coin_marks(np.vstack([three, file[None]]), truth, np.arange(4), 2).size
    assert marked / repetitions > 0.9
    assert honest / repetitions <= 0.01 + WITHIN * np.sqrt(0.01 * 0.99 / repetitions)


def test_a_weak_file_that_knows_something_is_no_coin_file():
    """Its errors are independent, as those of coins; but it is right on more than half of the rows."""
    rng = np.random.default_rng(3)
    truth = coins(rng, 1, 5000)[0]
    files = np.where(rng.random((30, 5000)) < 0.1, truth, coins(rng, 30, 5000))
    assert coin_marks(files, truth, np.arange(30), 2).size <= 1
    assert coin_marks(files, coins(rng, 1, 5000)[0], np.arange(30), 2).size > 20


def test_flip_marks_are_what_they_say():
    rng = np.random.default_rng(4)
    base = coins(rng, 1, 300)[0]
    files = [base]
    for changed in (1, 2, 3, 2, 40):
        file = files[0].copy()
        file[rng.choice(300, changed, replace=False)] ^= 1
        files.append(file)
    found = flip_marks(np.array(files), np.arange(6)).tolist()
    assert found == [t for t in range(1, 6) if plain_flip(files[:t], files[t])]
    assert 4 in found
    assert not {3, 5} & set(found)


def plain_flip(before, file):
    """Say whether a file is marked for flips, pair by pair."""
    pairs = [(sum(file > other), sum(file < other)) for other in before]
    return min(map(sum, pairs)) <= 2 and any(more and fewer and more + fewer <= 4 for more, fewer in pairs)


def test_a_threshold_that_moves_is_no_flip():
    """Its files are ordered, those of an attack are not, though they turn single labels."""
    rng = np.random.default_rng(18)
    scores = rng.normal(size=200)
    sweep = np.array([scores > cut for cut in rng.uniform(-1, 1, 100)], dtype=np.uint8)
    sweep = sweep[distinct(sweep, np.arange(100))]
    assert min(np.count_nonzero(sweep[t] != sweep[:t], axis=1).min() for t in range(1, len(sweep))) == 1
    assert flip_marks(sweep, np.arange(len(sweep))).size == 0
    single = sweep[0] ^ np.eye(200, dtype=np.uint8)[rng.permutation(200)[:50]]
    assert flip_marks(single, np.arange(50)).size > 45


@pytest.mark.parametrize(("marked", "among"), [(0, 0), (0, 5), (3, 5), (5, 5), (20, 30)])
def test_tail_counts_heads(marked, among):
    assert tail(marked, among) == pytest.approx(binom.pmf(np.arange(marked, among + 1), among, 0.5).sum())


def test_honest_marks_at_the_border_of_the_null_raise_no_more_alarms_than_said():
    """Each file is marked with probability one half, or less if many were marked before."""
    rng = np.random.default_rng(5)
    repetitions = 20_000
    for among in (5, 17, 60):
        fair = rng.random((repetitions, among)) < 0.5
        wary = fair & ~((fair.cumsum(axis=1) > among / 3) & (rng.random(fair.shape) < 0.3))
        for marks in (fair, wary):
            p_values = np.array([tail(m, among) for m in range(among + 1)])[marks.sum(axis=1)]
            for level in (0.2, 0.05, 0.01):
                error = np.sqrt(level * (1 - level) / repetitions)
                assert np.mean(p_values <= level) <= level + WITHIN * error


def test_vote_tails_bound_the_chance_of_a_file_that_knows_nothing():
    """They are above the tail of chi square, which is their limit, and hold for files of any kind."""
    rng = np.random.default_rng(6)
    repetitions, v = 300, 15
    found = []
    for _ in range(repetitions):
        codes = np.vstack([coins(rng, v, 300), np.zeros((1, 300), np.uint8)])
        found.append(vote_tails(codes, np.arange(v), 2)[-1])
        agree = (codes[:v] == 0).sum(axis=1)
        square = float(((2 * agree - 300) ** 2 / 300).sum())
        assert found[-1] == pytest.approx(min((1 - 2 * s) ** (-v / 2) * np.exp(-s * square) for s in GRID), rel=1e-3)
        assert found[-1] >= chi2.sf(square, v) - 1e-9
    for level in (0.5, 0.1, 0.02):
        assert np.mean(np.array(found) <= level) <= level + WITHIN * np.sqrt(level * (1 - level) / repetitions)


GRID = np.linspace(0, 0.499, 1000)


@pytest.mark.parametrize("kind", ["majority", "aligned", "weighed"])
def test_votes_of_any_kind_are_seen(kind):
    rng = np.random.default_rng(7)
    files = coins(rng, 60, 1000)
    weights = {"majority": np.ones(60), "aligned": rng.choice([-1, 1], 60), "weighed": rng.normal(size=60)}[kind]
    vote = (weights @ (2.0 * files - 1) > 0).astype(np.uint8)
    tails = vote_tails(np.vstack([files, vote, coins(rng, 1, 1000)]), np.arange(60), 2)
    assert tails[60] < 1e-20
    assert tails[61] > 1e-3


@pytest.mark.parametrize("rows", [400, 3000])
@pytest.mark.parametrize("seed", range(3))
def test_honest_teams_are_not_suspected(seed, rows):
    """Not those that blend, vote, climb, move thresholds, change seeds or are weak."""
    found = honest_contest(seed, rows).audit()
    assert found.suspicions == ()
    assert found.teams == 40


ATTACKS = {
    "coin files": lambda c: c.attack("eve", le.boosting_attack, k=100),
    "the better half": lambda c: c.attack("eve", le.boosting_attack, k=100, keep="half"),
    "unsure labels": lambda c: c.attack("eve", le.boosting_attack, unsure=800, k=100),
    "several accounts": lambda c: c.attack("eve", le.multi_account_attack, unsure=800, k=80, accounts=8),
    "several accounts of coin files": lambda c: c.attack("eve", le.multi_account_attack, k=80, accounts=8),
    "fresh accounts": lambda c: c.attack("eve", le.multi_account_attack, k=100, accounts=100),
    "swaps": lambda c: c.attack("eve", le.swap_attack, k=60),
    "partners": lambda c: c.attack("eve", le.partner_attack, partners=2, unsure=40),
    "two that read ranks": lambda c: read_ranks(c),
}


def read_ranks(contest):
    """Play the rank attack on the first rows, beside a model."""
    board = le.RankBoard(contest.labels[:60])
    rest = contest.model() > 0

    def submit(account, file):
        rest[:60] = file
        contest.send(f"eve {account}", rest)
        return board.submit(account, file)

    le.rank_attack(submit, n=60, rng=contest.rng)


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_found_among_honest_teams(attack):
    contest = Contest(11, 1600)
    for i, play in enumerate((climb, blend, thresholds, forests, weak)):
        play(contest, f"team {i}", 15)
    for i in range(5):
        contest.send(f"visitor {i}", contest.model() > 0)
    ATTACKS[attack](contest)
    found = contest.audit()
    (player,) = found.suspects
    assert all(team.startswith("eve") for team in player)
    assert all({contest.sent[place][0] for place in each.files} <= set(each.teams) for each in found.suspicions)
    attackers = {team for team, _ in contest.sent if team.startswith("eve")}
    assert len(player) >= 0.9 * len(attackers)
    last = len(contest.sent) - 1
    votes = {place for each in found.suspicions if each.kind == "votes" for place in each.files}
    assert votes == ({last} if attack in list(ATTACKS)[:6] else set())


def test_a_vote_from_another_account_names_it():
    """Who sends the vote of somebody else's coin files acts with them."""
    contest = Contest(12, 1600)
    climb(contest, "ann", 15)
    contest.attack("eve", le.boosting_attack, k=80)
    contest.sent[-1] = ("mallory", contest.sent[-1][1])
    found = contest.audit()
    assert found.suspects == (("eve", "mallory"),)
    votes = next(each for each in found.suspicions if each.kind == "votes")
    assert (votes.teams, votes.voters, votes.files) == (("mallory",), ("eve",), (len(contest.sent) - 1,))


def test_a_blend_of_good_files_is_no_vote():
    contest = Contest(13, 3000)
    for _ in range(4):
        blend(contest, "bob", 25)
    assert contest.audit().suspicions == ()


def flipping(rng, team, n, files):
    """Return what somebody sends who turns two labels at a time, beginning with a model of coins."""
    sent = [(team, coins(rng, 1, n)[0])]
    for _ in range(files - 1):
        file = sent[0][1].copy()
        file[rng.choice(np.flatnonzero(file))] = 0
        file[rng.choice(np.flatnonzero(sent[0][1] == 0))] = 1
        sent.append((team, file))
    return sent


def log_of(sent):
    """Return the log of teams and files."""
    return le.SubmissionLog(
        teams=[team for team, _ in sent], times=["2027-01-01"] * len(sent), predictions=[file for _, file in sent]
    )


def test_p_values_are_corrected_for_all_tests():
    """Two teams, two tests each, and one of those that are too small: five tests at half of the level."""
    rng = np.random.default_rng(9)
    sent = flipping(rng, "eve", 900, 21) + flipping(rng, "mallory", 900, 26)
    mallory, eve = le.audit(coins(rng, 1, 900)[0], log_of(sent)).suspicions
    assert (mallory.teams, mallory.p_value, mallory.adjusted) == (("mallory",), 2**-25, 2 * 5 * 2**-25)
    assert (eve.teams, eve.p_value, eve.adjusted) == (("eve",), 2**-20, 2 * 4 * 2**-20)
    assert (eve.files, eve.among) == (tuple(range(1, 21)), 20)
    sent = flipping(rng, "eve", 900, 21) + flipping(rng, "mallory", 900, 21)
    assert [each.adjusted for each in le.audit(coins(rng, 1, 900)[0], log_of(sent)).suspicions] == [10 * 2**-20] * 2


def test_progress_is_shown_to_its_end(capsys):
    contest = honest_contest(17, 200, teams=2, files=3)
    le.audit(contest.labels, contest.log(), progress=True)
    assert f"{6 + 4}/{6 + 4}" in capsys.readouterr().err


def test_files_sent_again_do_not_count():
    rng = np.random.default_rng(10)
    sent = flipping(rng, "eve", 900, 6)
    labels = coins(rng, 1, 900)[0]
    assert le.audit(labels, log_of(sent * 10)).suspicions == ()
    (found,) = le.audit(labels, log_of(flipping(rng, "eve", 900, 15) * 2)).suspicions
    assert found.among == 14


def test_small_accounts_are_judged_by_their_worst_stretch():
    rng = np.random.default_rng(14)
    labels = coins(rng, 1, 1500)[0]
    honest = [np.where(rng.random(1500) < 0.8, labels, 1 - labels) for _ in range(30)]
    files = np.vstack([honest[:15], coins(rng, 40, 1500), honest[15:]])
    found = next(
        each for each in le.audit(labels, log_of(list(enumerate(files)))).suspicions if each.kind == "coin files"
    )
    marks = np.isin(np.arange(3, 70), coin_marks(files, labels, np.arange(70), 2))
    stretches = {(i, j): binom.sf(marks[i:j].sum() - 1, j - i, 0.5) for i in range(67) for j in range(i + 1, 68)}
    i, j = min(stretches, key=stretches.get)
    assert found.p_value == pytest.approx(67 * 68 / 2 * stretches[i, j])
    assert found.files == tuple((3 + i + np.flatnonzero(marks[i:j])).tolist())
    assert found.teams == found.files
    assert set(found.teams) <= set(range(15, 58))


def test_boards_show_what_a_replay_shows():
    contest = honest_contest(5, 600, teams=4, files=6)
    found, log, rows = contest.audit(), contest.log(), contest.public
    ladder = le.replay(log.rows(rows), contest.labels[rows], lambda y: le.Ladder(y, eta="1/100"))
    board = next(board for board in found.boards if board.name == "Ladder, 1/100")
    assert board.first == tuple((row.account, row.score) for row in ladder.standings[:10])
    best, improvements = {}, 0
    for team, shown in zip(log.teams, ladder.shown, strict=True):
        improvements += team in best and shown < best[team]
        best[team] = min(shown, best.get(team, 1))
    assert board.improvements == improvements > 0
    ranks = next(board for board in found.boards if board.name == "ranks only")
    order = le.replay(log.rows(rows), contest.labels[rows], le.RankBoard).standings
    assert ranks.first == tuple((team, None) for team in order[:10])
    assert len({board.name for board in found.boards}) == 6


def test_gaps_are_exact():
    contest = honest_contest(6, 600, teams=4, files=6)
    found, log = contest.audit(), contest.log()
    wrong = log.predictions != contest.labels
    n, m = contest.public.sum(), (~contest.public).sum()
    assert [row.public for row in found.gaps] == sorted(row.public for row in found.gaps)
    for row in found.gaps:
        own = [i for i, team in enumerate(log.teams) if team == row.team]
        losses = wrong[own][:, contest.public].mean(axis=1)
        assert (row.file, row.submissions) == (own[int(losses.argmin())], len(own))
        assert row.public == losses.min()
        count = int(wrong[row.file][~contest.public].sum())
        assert row.final == count / m
        assert row.gap == row.final - row.public
        share = 0.05 / 2 / found.teams
        assert binom.cdf(count, m, row.high + row.public) == pytest.approx(share)
        assert binom.sf(count - 1, m, row.low + row.public) == pytest.approx(share)
        assert row.low + row.public == pytest.approx(beta.ppf(share, count, m - count + 1))
        total = int(wrong[row.file].sum())
        gaps = np.array([(total - c) / m - c / n for c in range(n + 1)])
        mass = hypergeom.pmf(np.arange(n + 1), n + m, total, n)
        outside = (gaps < row.luck[0] - 1e-9) | (gaps > row.luck[1] + 1e-9)
        assert mass[outside].sum() <= 0.05 / found.submissions
        assert mass[(gaps <= row.luck[0] + 1e-9) | (gaps >= row.luck[1] - 1e-9)].sum() > 0.05 / found.submissions / 2


def test_without_final_rows_the_intervals_are_for_fixed_files():
    contest = honest_contest(7, 600, teams=4, files=6)
    found = le.audit(contest.labels, contest.log())
    row = found.gaps[0]
    assert (row.final, row.gap, row.luck, found.scored) == (None, None, None, 600)
    count = round(600 * row.public)
    assert binom.cdf(count, 600, row.high + row.public) == pytest.approx(0.05 / 2 / found.submissions)
    assert "fixed" in str(found)


def test_intervals_hold_under_adaptivity():
    """For a file chosen by the public rows alone, however it was chosen."""
    rng = np.random.default_rng(8)
    repetitions, failed = 100, 0
    for _ in range(repetitions):
        labels = coins(rng, 1, 120)[0]
        log = le.SubmissionLog(teams=["eve"] * 30, times=["2027-01-01"] * 30, predictions=coins(rng, 30, 120))
        row = le.audit(labels, log, np.arange(120) < 60, delta=0.2).gaps[0]
        failed += not row.low <= 0.5 - row.public <= row.high
    assert failed / repetitions <= 0.2 + WITHIN * np.sqrt(0.2 * 0.8 / repetitions)
    assert failed


def test_step_is_that_of_the_bound():
    few = le.SubmissionLog(teams=["ann"], times=["2027-01-01"], predictions=[[0, 1]])
    assert le.audit([0, 1], few).step is None
    n = le.samples_needed("1/1", k=1)
    one = le.SubmissionLog(teams=["ann"], times=["2027-01-01"], predictions=np.zeros((1, n)))
    assert le.best_eta(n=n, k=1) == 1  # a step as wide as the range says nothing
    assert le.audit(np.zeros(n), one).step is None
    labels = np.zeros(40_000, dtype=int)
    log = le.SubmissionLog(teams=["ann"] * 2, times=["2027-01-01"] * 2, predictions=np.zeros((2, 40_000)))
    assert le.audit(labels, log).step == le.best_eta(n=40_000, k=2, accounts=1)


@pytest.mark.parametrize("accounts", [1, 4])
def test_plan_is_for_a_board_like_this_one(accounts):
    """With open accounts if somebody seems to have several."""
    contest = Contest(15, 1600)
    climb(contest, "ann", 30)
    for account in range(accounts):
        for _ in range(40 // accounts):
            contest.send(f"eve {account}", contest.rng.integers(0, 2, 1600))
    found = contest.audit()
    assert [len(player) for player in found.suspects] == [accounts]
    each = 40 if accounts == 1 else 70 // 5
    plan = le.plan_board(800, teams=1 + accounts, submissions=each, open_accounts=accounts > 1)
    assert str(found.plan) == str(plan)
    assert plan.recommendation in str(found)


def test_classes_may_be_any_numbers():
    rng = np.random.default_rng(10)
    labels = rng.choice([-3, 500, 70_000], 300)
    files = np.where(rng.random((6, 300)) < 0.6, labels, rng.choice([-3, 500, 70_000], (6, 300)))
    log = le.SubmissionLog(teams=list("aabbcc"), times=["2027-01-01"] * 6, predictions=files)
    found = le.audit(labels, log)
    assert found.classes == 3
    assert found.gaps[0].public == min((file != labels).mean() for file in files)


@pytest.mark.parametrize("table", [list, np.array, pandas.Series])
def test_classes_may_be_words(table):
    """They are audited as the numbers that they stand for."""
    contest = honest_contest(16, 300, teams=2, files=5)
    names = np.array(["late", "on time"])
    log = contest.log()
    words = le.SubmissionLog(teams=log.teams, times=log.times, predictions=names[log.predictions])
    found = le.audit(table(names[contest.labels]), words, table(contest.public))
    assert str(found) == str(contest.audit())


def test_coin_files_of_many_classes_are_found():
    rng = np.random.default_rng(11)
    labels = rng.integers(0, 10, 1500)
    files = rng.integers(0, 10, (40, 1500))
    log = le.SubmissionLog(teams=["eve"] * 40, times=["2027-01-01"] * 40, predictions=files)
    assert le.audit(labels, log).suspects == (("eve",),)


def test_summary_is_short_and_says_what_counts():
    contest = honest_contest(5, 600, teams=5, files=8)
    contest.attack("eve", le.boosting_attack, k=60)
    text = str(contest.audit())
    assert len(text.splitlines()) <= 30
    assert "  eve: coin files, independent of earlier ones and of the truth, 5" in text
    assert "Suspected players: 1" in text


GOOD = le.SubmissionLog(teams=["ann"], times=["2027-01-01"], predictions=[[0, 1, 1]])
BAD = {
    "no log": ({"log": [[0, 1, 1]]}, "log must be a SubmissionLog, got [[0, 1, 1]]"),
    "empty log": ({"log": GOOD.submissions(slice(0))}, "log must hold a submission at least, got none"),
    "labels too short": ({"labels": [0, 1]}, "labels must have 3 entries, one for each row of the log, got 2"),
    "other classes": ({"labels": [5, 6, 7]}, "labels and log must have classes in common, got [5, 6, 7] and [0, 1]"),
    "public too short": ({"public": [True]}, "public must hold 3 truth values, got shape (1,) and dtype bool"),
    "public positions": ({"public": [0, 1, 2]}, "public must hold 3 truth values, got shape (3,) and dtype int64"),
    "nothing public": ({"public": [False] * 3}, "public must mark a row at least, got none"),
    "delta": ({"delta": 1}, "delta must be a number strictly between 0 and 1, got 1"),
    "level": ({"level": 0}, "level must be a number strictly between 0 and 1, got 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused(case):
    changed, message = BAD[case]
    given = {"labels": [0, 1, 1], "log": GOOD, **changed}
    with pytest.raises(ValueError, match="got") as error:
        le.audit(given.pop("labels"), given.pop("log"), **given)
    assert str(error.value) == message


def test_scores_are_no_classes():
    rng = np.random.default_rng(12)
    scores = np.c_[rng.random((2, 2999)), [0, 1]]
    log = le.SubmissionLog(teams=["ann"] * 2, times=["2027-01-01"] * 2, predictions=scores)
    labels = np.zeros(3000)
    with pytest.raises(ValueError, match=r"log must predict classes, at most 1,000, got \d,\d+ different values"):
        le.audit(labels, log)


@pytest.mark.nightly
@pytest.mark.parametrize("rows", [150, 400, 1500])
def test_honest_contests_are_suspected_as_rarely_as_said(rows):
    """In other contests than those above: a hundred, of which one in a hundred may be."""
    alarms = sum(bool(honest_contest(1000 + seed, rows).audit().suspicions) for seed in range(100))
    assert alarms <= 1 + WITHIN * np.sqrt(100 * 0.01 * 0.99)


@pytest.mark.nightly
@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_found_in_other_contests(attack):
    """Every attacker in ten contests, and nobody else."""
    for seed in range(10):
        contest = honest_contest(2000 + seed, 1600, teams=5, files=15)
        ATTACKS[attack](contest)
        named = {team for player in contest.audit().suspects for team in player}
        assert named
        assert all(team.startswith("eve") for team in named)
