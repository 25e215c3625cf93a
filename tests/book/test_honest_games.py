"""The games of other honest teams: what the file holds, that a limit is kept, and that they can be played again."""

from collections import Counter
from itertools import pairwise

import honest_games
import numpy as np
import pytest
from chapters import words_of
from matplotlib.figure import Figure

import leaderboard_edu as le
from book.competition import MECHANISMS, PLAYERS
from book.pictures import real_competition
from tools import flights, make_competition, teams
from tools import honest_games as maker


def test_what_is_stored():
    """In each game 186 teams of the six honest kinds; nobody sends more than the limit, some would."""
    wanted = {kind: count for kind, (_, count) in teams.POLICIES.items() if kind not in PLAYERS}
    assert len(honest_games.games()) == len(maker.GAMES)
    for game in honest_games.games():
        assert Counter(game["policies"]) == wanted
        assert [*game["boards"]] == [*maker.BOARDS]
        for free, limited in game["boards"].values():
            assert {len(values) for ends in (free, limited) for values in ends.values()} == {186}
            assert max(limited["sent"]) <= honest_games.LIMIT
            assert min(free["best"] + free["last"]) > 0.2 * honest_games.SEALED
        free, limited = game["boards"]["every score"]
        assert max(limited["sent"]) == honest_games.LIMIT < max(free["sent"])


def test_who_trusts_validation_sends_the_same_everywhere():
    """Where there is no limit; but for one that comes first, and waits."""
    for game in honest_games.games():
        own = np.array(game["policies"]) == "truster"
        lasts = np.array([free["last"] for free, _ in game["boards"].values()])[:, own]
        assert np.mean(lasts == lasts[0]) > 0.95


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", [None, "climber", "truster"])
@pytest.mark.parametrize("board", maker.BOARDS)
def test_what_teams_pay(board, kind, named):
    """Team by team: who validates, or has nothing to go by, hands in its last file, others the board's best."""
    for limited in (False, True):
        worse = []
        for game in honest_games.games():
            for i, policy in enumerate(game["policies"]):
                if kind in (None, policy):
                    scored = "last" if named and policy == "truster" else "best"
                    file = "last" if board == "nothing, no own rows" else scored
                    before = game["boards"]["every score"][0][scored][i]
                    worse.append((game["boards"][board][limited][file][i] - before) / 8400)
        found = honest_games.price(board, limited, kind, named)
        assert found == pytest.approx((np.mean(worse), np.std(worse, ddof=1) / len(worse) ** 0.5))


@pytest.mark.parametrize(
    ("board", "scores", "ranked"),
    [
        ("simplified, 1/100", [0.5, 0.5, 0.49], True),
        ("simplified, one's own", [0.5, 0.5, 0.49], False),
        ("nothing, 9600 own rows", [1000 / 9600, 5000 / 9600, 0.0], False),
        ("nothing, 1000 own rows", [1.0, 0.0, 0.0], False),
        ("nothing, no own rows", [1.0, 1.0, 1.0], False),
    ],
)
def test_what_a_team_is_told(board, scores, ranked, monkeypatch):
    """Board by board: the score or the loss on one's own rows, and the rank only if all see the scores."""
    public, labels = flights.rows().public, flights.rows().late[flights.TRAINING :]
    heard = []

    def scripted(team):
        for wrong, own in ((1800, range(1000)), (1782, range(2000, 7000)), (1781, ())):
            file = labels.copy()
            file[np.flatnonzero(public)[:wrong]] ^= 1
            errors = np.isin(np.arange(9600), own)
            heard.append((yield teams.Submission(file, file, "scripted", errors=errors)))
            yield 0.4

    monkeypatch.setitem(teams.POLICIES, "climber", (scripted, 22))
    one = next(team for team in maker.honest(1) if team.policy == "climber")
    mechanism, told = maker.BOARDS[board]
    records = make_competition.game(mechanism, [one], told=told)
    assert [answer.shown for answer in heard] == pytest.approx(scores)
    assert [record.shown for record in records] == pytest.approx(scores)
    assert {(answer.rank, answer.accounts) for answer in heard} == {(1, 1) if ranked else (50, 100)}


def test_which_own_rows_a_file_has_wrong():
    """A recipe's, as its loss says; of the file that came with the data those that were late."""
    late = []
    for team in maker.honest(1):
        if team.policy == "visitor" and team.rng(4).random() < 0.15:
            first = next(teams.visitor(team))
            own = flights.split(team.number)[1]
            assert (first.what, first.errors.sum()) == ("never late", flights.rows().late[own].sum())
            late.append(first.errors.mean())
    assert len(late) > 3
    assert max(late) < 0.5


def test_own_rows_are_needed_where_nothing_is_shown():
    """A file without a model has none, and is refused by name."""
    file = np.zeros(12_000, dtype=np.uint8)
    with pytest.raises(ValueError, match="own rows, got 'coins'"):
        make_competition.nothing(teams.Answer(0.5, 1, 1), teams.Submission(file, file, "coins"), rows=10)


def test_other_games_have_other_teams():
    """Their numbers, of which all that they draw depends, are no other game's; the first game is as it was."""
    numbers = [team.number for game in range(3) for team in teams.teams(game)]
    assert len(set(numbers)) == len(numbers)
    assert [team.number for team in teams.teams()] == list(range(len(teams.teams())))
    assert teams.teams(1)[0].skill != teams.teams()[0].skill


@pytest.mark.parametrize("limit", [1, 7, 20])
def test_a_limit_is_kept(limit, monkeypatch):
    """Who has sent so many files sends no more, and what came before is what it was."""

    def keen(team):
        for draw in range(25):
            file = team.rng(draw).integers(0, 2, 12_000).astype(np.uint8)
            yield teams.Submission(file, file, "coins")
            yield 0.4

    monkeypatch.setitem(teams.POLICIES, "climber", (keen, 22))
    everyone = [team for team in maker.honest(1) if team.policy == "climber"]
    free, limited = (make_competition.game(MECHANISMS["full"], everyone, limit=most) for most in (np.inf, limit))
    sent = Counter(record.account for record in free)
    assert Counter(record.account for record in limited) == {each: min(limit, count) for each, count in sent.items()}
    ends = maker.handed(limited)
    sealed, labels = ~flights.rows().public, flights.rows().late[flights.TRAINING :]
    for account, (best, last, files) in ends.items():
        own = [record for record in limited if record.account == account]
        first = min(own, key=lambda record: record.shown)
        for record, wrong in ((first, best), (own[-1], last)):
            assert wrong == np.sum(record.submission.file[sealed] != labels[sealed])
        assert files == len(own)


def test_the_rounded_board_shows_every_score():
    """Rounded to hundredths, half up; also one that is worse than before."""
    board = maker.BOARDS["every score, 1/100"][0](np.zeros(1000, dtype=int))
    for wrong, shown in ((295, 0.3), (294, 0.29), (400, 0.4)):
        assert board.submit(np.arange(1000) < wrong) == pytest.approx(shown)
    assert isinstance(board, le.FullDisclosure)


@pytest.mark.nightly
@pytest.mark.parametrize("board", maker.BOARDS)
def test_the_first_days_are_played_as_stored(board):
    """Of the first game, with the limit: rows, models, policies and boards."""
    again = maker.play(maker.GAMES[0], board, maker.LIMIT, maker.FIRST)
    assert again == honest_games.games()[0]["first days"][board]


def test_what_the_picture_says():
    """Who pays: the order of kinds, and labels of 3,600; what a limit does is less than four."""
    told = words_of("book/real_competition", "draw_paid")
    assert "Bob’s square lies at 21, that of all at 8" in told
    ax = Figure().subplots()
    real_competition.draw_paid(ax)
    others = "blender", "tinkerer", "returner"
    regulars = "climber", *others, "truster"
    kinds = "climber", others, "truster", regulars
    drawn = [mark.get_xdata()[0] for mark in ax.lines if mark.get_marker() in "osD"]
    boards = "every score", "simplified, 1/100"
    means = [3600 * honest_games.price(board, True, kind)[0] for kind in kinds for board in boards]
    assert drawn == pytest.approx(means)
    assert [round(drawn[i]) for i in (1, -1)] == [21, 8]
    bars = [line.get_segments()[0] for line in ax.collections]
    errors = [3600 * honest_games.price(board, True, kind)[1] for kind in kinds for board in boards]
    assert [(end[0] - start[0]) / 2 for start, end in bars] == pytest.approx(errors)
    colours = {text.get_text(): text.get_color() for text in ax.texts}
    assert colours == {
        "limit alone": le.TEXT_COLOURS["full_disclosure"],
        "simplified": le.TEXT_COLOURS["simplified"],
    }
    marks = [line.get_color() for line in ax.lines if line.get_marker() in "os"][:2]
    assert marks == [le.COLOURS["full_disclosure"], le.COLOURS["simplified"]]
    names = [name.get_text() for name in ax.get_yticklabels()]
    assert names == ["Bob’s kind, 22", "other regulars, 68", "Ann’s kind, 28", "all regulars, 118"]
    assert 22 + 68 + 28 == 118 == 186 - honest_games.games()[0]["policies"].count("visitor")
    visits = [3600 * honest_games.price(board, True, "visitor")[0] for board in boards]
    assert max(visits) < 1.1  # hardly anything
    words = words_of("book/real_competition", "draw_all_paid")
    assert "Of the squares that of Bob’s kind is farthest right, at 21, then those who blend, tinker" in words
    order = "climber", "blender", "tinkerer", "returner", "visitor", "truster"
    assert (*order, None) == tuple(real_competition.KINDS)
    pays = [honest_games.price("simplified, 1/100", True, kind)[0] for kind in order]
    assert round(3600 * pays[0]) == 21
    assert all(more > less + 0.0001 for more, less in pairwise(pays))
    assert all(honest_games.price("every score", True, kind)[0] < 0.0011 for kind in order)
    assert "The diamonds lie near zero, but for those who visit, at 20." in words
    for kind in order:
        silent = honest_games.price("nothing, 9600 own rows", True, kind)[0]
        assert round(3600 * silent) == 20 if kind == "visitor" else abs(silent) < 0.0011
    for board in real_competition.PAID:
        everyone, bobs = {"every score": (0, 0), "Ladder, 1/100": (3, 8)}.get(board, (2, 6))
        for kind, wanted in ((None, everyone), ("climber", bobs)):
            assert round(1000 * honest_games.price(board, False, kind)[0]) == wanted
            limit = honest_games.handed(board, True, kind) - honest_games.handed(board, False, kind)
            assert -0.0001 < limit.mean() < 0.0011


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("board", maker.BOARDS)
def test_who_wins(board, limited):
    """The lowest of what teams name, in each game: the last file of those that validate, or go by nothing."""
    lowest = []
    for game in honest_games.games():
        ends = game["boards"][board][limited]
        named = zip(game["policies"], ends["best"], ends["last"], strict=True)
        blind = board == "nothing, no own rows"
        lowest.append(min(last if blind or policy == "truster" else best for policy, best, last in named) / 8400)
    assert honest_games.winners(board, limited) == pytest.approx(lowest)
