"""The best attack on other sets of public labels: what is drawn, who starts, who leads, and that it is played so."""

import fitted
import numpy as np
import other_labels
import pytest

import leaderboard_edu as le
from book import competition
from book.pictures import real_competition

CROWDS = [(begins, *crowd) for begins, crowds in other_labels.CROWDS.items() for crowd in crowds]


def test_a_hundred_sets_of_public_labels():
    """Each as large as the competition's, no two alike, all rows about as often."""
    sets = np.array([other_labels.public_set(number) for number in range(other_labels.SETS)])
    assert sets.sum(axis=1).tolist() == [3600] * 100
    assert len(np.unique(sets, axis=0)) == 100
    often = sets.sum(axis=0)
    assert often.mean() == 30
    assert often.std() == pytest.approx(np.sqrt(100 * 0.3 * 0.7), rel=0.03)


def test_what_is_stored():
    """A row for each start, board and crowd; the same games on all boards; who is alone is first."""
    assert len(other_labels.stored()) == other_labels.SETS
    for played in other_labels.stored():
        assert [tuple(row[:4]) for row in played] == [
            (begins, board, *crowd)
            for begins, crowds in other_labels.CROWDS.items()
            for board in other_labels.WORLDS
            for crowd in crowds
        ]
        for begins in other_labels.CROWDS:
            assert len({row[4] for row in played if row[0] == begins}) == 1
        for *_, games, alone, first, _ in played:
            assert 0 <= alone <= first <= games


def test_a_set_is_played_as_told(monkeypatch):
    """From the honest models that rounding shows a step behind the best honest team; ahead of all its files, or not."""
    held, number = competition.competition(), 5
    public = other_labels.public_set(number)
    labels = held.labels[public]
    monkeypatch.setattr(other_labels, "CROWDS", {"behind": ((1, 20),), "level": ((1, 20),)})
    boards = ("every score", "simplified, 1/100")
    monkeypatch.setattr(other_labels, "WORLDS", {name: other_labels.WORLDS[name] for name in boards})
    policies = [each["policy"] for each in held.about["accounts"]]

    def least(world):
        sent = competition.log(world)
        honest = [policies[team] not in ("booster", "pairer", "many") for team in sent.teams]
        return np.min(np.sum((sent.predictions != held.labels)[:, public], axis=1)[honest])

    exact, best = least("full"), int(least("simplified") / 36 + 0.5)
    rows = other_labels.play_set(number)
    for begins, steps in (("behind", best + 1), ("level", best)):
        chosen = [
            account
            for account, start in other_labels.starts().items()
            if int(np.sum(start.file[public] != labels) / 36 + 0.5) == steps
        ]
        ends = {board: [] for board in boards}
        for board in boards:
            for account in chosen:
                made, start = fitted.BOARDS[board](labels), other_labels.starts()[account]
                end = fitted.jointly(
                    lambda file, made=made: made.submit(file[public]),
                    start,
                    np.random.default_rng([number, account]),
                    board,
                    20,
                )
                assert len(made.transcript) == 20
                ends[board].append(np.sum(end[public] != labels))
        before = [np.sum(other_labels.starts()[account].file[public] != labels) for account in chosen]
        wrong = np.array(ends["every score"])
        found = [len(chosen), np.sum(wrong < exact), np.sum(wrong <= exact), np.sum(before - wrong)]
        assert next(row[4:] for row in rows if row[:2] == [begins, "every score"]) == found
        wrong = np.array(ends["simplified, 1/100"])
        shown = (wrong / 36 + 0.5).astype(int)
        found = [len(chosen), np.sum(shown < best), np.sum(shown <= best), np.sum(before - wrong)]
        assert next(row[4:] for row in rows if row[:2] == [begins, "simplified, 1/100"]) == found


@pytest.mark.parametrize("board", other_labels.WORLDS)
@pytest.mark.parametrize(("begins", "accounts", "each"), CROWDS)
def test_means_of_sets(board, begins, accounts, each):
    """Of the shares of games alone and first, and of labels gained a game; sets without such a start do not count."""
    found = []
    for played in other_labels.stored():
        (row,) = (row for row in played if row[:4] == [begins, board, accounts, each])
        if row[4]:
            found.append([value / row[4] for value in row[5:]])
    assert len(found) > 80
    for mine, values in zip(
        real_competition.elsewhere(board, accounts, each, begins), zip(*found, strict=True), strict=True
    ):
        assert mine == pytest.approx((np.mean(values), np.std(values, ddof=1) / len(values) ** 0.5))


def test_what_the_hundred_sets_say():
    """Rounding takes the lead from Eve; with 50 files or friends the Ladder does more; from level she leads more."""
    alone = real_competition.alone_elsewhere
    every, rounded, simple = ("every score", fitted.ROUNDED, "simplified, 1/100")
    assert alone(simple)[0] < 0.01 > alone(rounded)[0]
    assert alone(every)[0] > 0.2
    for crowd in ((1, 50), (3, 20)):
        (least, wide), (more, wider) = alone(simple, *crowd), alone(rounded, *crowd)
        assert more - least > 4 * np.hypot(wide, wider)
    assert alone(simple, begins="level")[0] > alone(simple)[0] + 4 * alone(simple, begins="level")[1]


@pytest.mark.nightly
def test_sets_are_played_again():
    """What is stored is what the attack does; but beliefs invert matrices, which differs from machine to machine."""
    more = []
    for number in (0, 57):
        again, before = other_labels.play_set(number), other_labels.stored()[number]
        assert [row[:5] for row in again] == [row[:5] for row in before]
        more += [(new[7] - old[7]) / new[4] for new, old in zip(again, before, strict=True) if new[4]]
    mean, error = le.mean_and_error(np.array(more))
    assert abs(mean) < max(4 * error, 0.1)
