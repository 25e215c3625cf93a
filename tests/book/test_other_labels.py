"""The best attack on other sets of public labels: what is drawn, who starts, who leads, and that it is played so."""

import fitted
import jointly
import numpy as np
import other_labels
import pytest

import leaderboard_edu as le
from book import competition

CROWDS = [(begins, *crowd) for begins, crowds in other_labels.CROWDS.items() for crowd in crowds]


def test_a_hundred_sets_of_public_labels():
    """Each as large as the competition's, no two alike, all rows about as often."""
    sets = np.array([other_labels.public_set(number) for number in range(other_labels.SETS)])
    assert sets.sum(axis=1).tolist() == [3600] * 100
    assert len(np.unique(sets, axis=0)) == 100
    often = sets.sum(axis=0)
    assert often.mean() == 30
    assert often.std() == pytest.approx(np.sqrt(100 * 0.3 * 0.7), rel=0.03)


@pytest.mark.parametrize("size", [other_labels.SIZE, *other_labels.OTHER_SIZES])
def test_what_is_stored(size):
    """A row for each start, board and crowd; the same games on all boards; who is alone is first."""
    assert len(other_labels.stored(size)) == other_labels.SETS
    for played in other_labels.stored(size):
        assert [tuple(row[:4]) for row in played] == other_labels.games(size)
        for begins in other_labels.CROWDS:
            assert len({row[4] for row in played if row[0] == begins}) == 1
        for *_, games, alone, first, _ in played:
            assert 0 <= alone <= first <= games


@pytest.mark.parametrize(("size", "step"), [(900, "1/50"), (1800, "1/71"), (3600, "1/100"), (7200, "1/141")])
def test_the_step_is_0_6_roots(size, step):
    assert str(other_labels.step(size)) == step
    assert float(other_labels.step(size)) * np.sqrt(size) == pytest.approx(0.6, abs=0.005)


@pytest.mark.parametrize(("size", "m"), [(3600, 100), (900, 50)])
def test_a_set_is_played_as_told(monkeypatch, size, m):
    """From the honest models that rounding shows a step behind the best honest team; ahead of all its files, or not."""
    held, number, step = competition.competition(), 5, size / m
    public = other_labels.public_set(number, size)
    labels = held.labels[public]
    monkeypatch.setattr(other_labels, "CROWDS", {"behind": ((1, 20),), "level": ((1, 20),)})
    boards = "every score", other_labels.SIMPLE
    monkeypatch.setattr(other_labels, "WORLDS", {name: other_labels.WORLDS[name] for name in boards})
    boards = *boards, other_labels.FEWER_COINS
    policies = [each["policy"] for each in held.about["accounts"]]

    def wrong(files):
        return np.sum((files != held.labels)[..., public], axis=-1)

    def least(world):
        sent = competition.log(world)
        honest = [policies[team] not in ("booster", "pairer", "many") for team in sent.teams]
        return np.min(wrong(sent.predictions)[honest])

    def printed(count):
        return np.floor(count / step + 0.5)

    rows = {tuple(row[:2]): row[4:] for row in other_labels.play_set(number, size)}
    starts, exact, best = other_labels.starts(size), least("full"), printed(least("simplified"))
    assert {policies[account] for account in starts}.isdisjoint({"booster", "pairer", "many"})
    for begins, steps in (("behind", best + 1), ("level", best)):
        chosen = [account for account, start in starts.items() if printed(wrong(start.file)) == steps]
        before = np.array([wrong(starts[account].file) for account in chosen])
        for board in boards:
            ends = []
            for account in chosen:
                made = (
                    le.FullDisclosure(labels) if board == "every score" else le.SimplifiedLadder(labels, eta=f"1/{m}")
                )
                rng, start = np.random.default_rng([number, account]), starts[account]
                if board == "every score":
                    eve = jointly.Scored(start, rng)
                else:
                    eve = jointly.Silent(start, rng, 1 / m, 1 / m / 2, 20)
                    eve.first = {other_labels.SIMPLE: 2600, other_labels.FEWER_COINS: 1500}[board]
                end = eve.attack(lambda file, made=made: made.submit(file[public]), 20)
                assert len(made.transcript) == 20
                best_sent = min(np.sum(file != labels) for file, _ in made.transcript)  # which need not be the last
                ends.append((best_sent, wrong(end)))
            lowest, after = np.array(ends).T
            shown, to_beat = (lowest, exact) if board == "every score" else (printed(lowest), best)
            found = [len(chosen), np.sum(shown < to_beat), np.sum(shown <= to_beat), np.sum(before - after)]
            assert rows[begins, board] == found


@pytest.mark.parametrize("board", other_labels.WORLDS)
@pytest.mark.parametrize(("begins", "accounts", "each"), CROWDS)
def test_shares_of_all_games(board, begins, accounts, each):
    """Of all games alone and first, and labels gained a game; the error by leaving out one set after the other."""
    rows = [row[4:] for played in other_labels.stored() for row in played if row[:4] == [begins, board, accounts, each]]
    assert len(rows) == 100
    games, *ends = np.array(rows, dtype=float).T
    *means, of, count = other_labels.ends_on_sets(board, accounts, each, begins, other_labels.SIZE)
    assert (of, count) == (games.sum(), ends[0].sum())
    for (mean, error), end in zip(means, ends, strict=True):
        assert mean == pytest.approx(end.sum() / games.sum())
        without = (end.sum() - end) / (games.sum() - games)
        jackknife = np.sqrt(99 / 100 * np.sum((without - without.mean()) ** 2))
        assert error == pytest.approx(jackknife, rel=0.05)


@pytest.mark.parametrize("size", [other_labels.SIZE, *other_labels.OTHER_SIZES])
@pytest.mark.parametrize("begins", other_labels.CROWDS)
def test_the_better_of_two_attacks_counts(size, begins):
    """On the simplified Ladder, with few files."""
    both = other_labels.SIMPLE, other_labels.FEWER_COINS
    found = [other_labels.ends_on_sets(board, 1, 20, begins, size) for board in both]
    alone = other_labels.alone_elsewhere(other_labels.SIMPLE, begins=begins, size=size)
    assert alone[0] == max(ends[0][0] for ends in found)
    assert alone in [ends[0] for ends in found]


@pytest.mark.parametrize(("begins", "steps"), [("behind", 1), ("level", 0)])
@pytest.mark.parametrize("board", ["every score", fitted.ROUNDED, other_labels.SIMPLE])
def test_what_a_lone_lead_takes(monkeypatch, board, begins, steps):
    """The fewest labels to correct until the board, played, shows less than the best honest file; on two sets."""
    held, found = competition.competition(), []
    for number in range(2):
        public = other_labels.public_set(number)
        labels = held.labels[public]
        best, least = (
            min(
                np.round(other_labels.board_of(name, 3600)(labels).submit(file[public]), 9)
                for file in competition.honest_log(other_labels.WORLDS[name]).predictions
            )
            for name in (other_labels.SIMPLE, board)
        )
        for start in other_labels.starts().values():
            file = start.file[public].copy()
            printed = other_labels.board_of(other_labels.SIMPLE, 3600)(labels).submit(file)
            if round(100 * (printed - best)) != steps:
                continue
            wrong = np.flatnonzero(file != labels)
            takes = next(k for k in range(wrong.size) if shown(board, labels, file, wrong[:k]) < least - 1e-6)
            found.append(takes)
    monkeypatch.setattr(other_labels, "SETS", 2)
    monkeypatch.setattr(other_labels, "honest_wrong", other_labels.honest_wrong.__wrapped__)  # it keeps counts
    assert len(found) > 10
    assert other_labels.price_elsewhere.__wrapped__(board, begins) == pytest.approx(np.mean(found))


def test_how_many_share_the_best_print(monkeypatch):
    """Honest teams that a replay on the simplified Ladder prints as the best; on three sets."""
    held, found = competition.competition(), []
    for number in range(3):
        public = other_labels.public_set(number)
        sent = competition.honest_log("simplified").rows(public)
        rows = le.replay(sent, held.labels[public], other_labels.board_of(other_labels.SIMPLE, 3600)).standings
        found.append(sum(row.score < min(each.score for each in rows) + 1e-9 for row in rows))
    monkeypatch.setattr(other_labels, "SETS", 3)
    monkeypatch.setattr(other_labels, "honest_wrong", other_labels.honest_wrong.__wrapped__)  # it keeps counts
    assert len(set(found)) > 1
    assert other_labels.level_elsewhere.__wrapped__().tolist() == found


def shown(board, labels, file, righted):
    """Return what a new board shows for a file with some answers righted."""
    better = file.copy()
    better[righted] = labels[righted]
    return other_labels.board_of(board, 3600)(labels).submit(better)


def test_what_the_hundred_sets_say():
    """Rounding takes the lead from Eve; with 50 files or friends the Ladder does more; from level she leads more."""
    alone = other_labels.alone_elsewhere
    every, rounded, simple = ("every score", fitted.ROUNDED, "simplified, 1/100")
    assert alone(simple)[0] < 0.01 > alone(rounded)[0]
    assert alone(every)[0] > 0.2
    for crowd in ((1, 50), (3, 20)):
        (least, wide), (more, wider) = alone(simple, *crowd), alone(rounded, *crowd)
        assert more - least > 4 * np.hypot(wide, wider)
    assert alone(simple, begins="level")[0] > alone(simple)[0] + 4 * alone(simple, begins="level")[1]
    (tied, wide), (exact, wider) = (other_labels.elsewhere(board)[1] for board in (simple, every))
    assert tied - exact > 2 * np.hypot(wide, wider)  # alone or tied, she is first more often
    for size in other_labels.OTHER_SIZES:  # the advised step, on fewer labels and on more
        assert alone(simple, size=size)[0] < 0.015
        assert alone(every, size=size)[0] > 0.2
        assert alone(simple, size=size, begins="level")[0] < alone(every, size=size, begins="level")[0] - 0.4


@pytest.mark.nightly
def test_sets_are_played_again():
    """What is stored is what the attack does; but beliefs invert matrices, which differs from machine to machine."""
    more = []
    for number, size in ((57, 3600), (3, 900), (4, 7200)):
        again, before = other_labels.play_set(number, size), other_labels.stored(size)[number]
        assert [row[:5] for row in again] == [row[:5] for row in before]
        more += [(new[7] - old[7]) / new[4] for new, old in zip(again, before, strict=True) if new[4]]
    mean, error = le.mean_and_error(np.array(more))
    assert abs(mean) < max(4 * error, 0.1)


def test_the_best_have_just_passed_a_border():
    """From level the next border is farther than from behind, as the text says, by more than four standard errors."""
    labels, far = competition.competition().labels, {"level": [], "behind": []}
    models = other_labels.starts().values()
    for number in range(other_labels.SETS):
        public = other_labels.public_set(number)
        wrong = np.array([np.sum((start.file != labels)[public]) for start in models])
        printed = (2 * wrong * 100 + 3600) // 7200  # hundredths, halves upwards
        to_border = wrong - (36 * printed - 18) + 1
        for steps, begins in enumerate(far):
            far[begins].append(to_border[printed == printed.min() + steps].mean())
    more, error = le.mean_and_error(np.subtract(far["level"], far["behind"]))
    assert more > 4 * error
