"""A board on disk: the log is the state, what is refused leaves no row, and a damaged file is said to be one."""

import re
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import leaderboard_edu as le

MEMORY = Path("/dev/shm")
N = 12
LABELS = np.random.default_rng(6).integers(0, 2, N)
FILES = np.random.default_rng(5).integers(0, 2, (30, N))
TEAMS = np.random.default_rng(4).choice(["ann", "bob", "eve"], 30).tolist()
SILENT = {
    "full disclosure": le.FullDisclosure,
    "Ladder": lambda y: le.Ladder(y, eta="1/6"),
    "parameter-free": lambda y: le.ParameterFreeLadder(y, loss="squared"),
    "ranks": le.RankBoard,
    "top": lambda y: le.TopBoard(y, ranks=2),
    "correlation": lambda y: le.FullDisclosure(y, metric="pearson"),
}
NOISY = {
    "LadderBoot": le.LadderBoot,
    "fresh weights": lambda y, rng: le.BayesBootLadder(y, metric="mse", n_posterior=20, rng=rng),
    "shared weights": lambda y, *, rng: le.BayesBootLadder(y, metric="mse", weights="shared", n_posterior=20, rng=rng),
}
EVERY = {**SILENT, **NOISY}


@pytest.fixture
def folder():
    """Return a folder, in memory if that can be: each row of a log waits for the disk, and no test here needs it to."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def path(folder):
    return folder / "board.sqlite"


@pytest.fixture
def begun(path):
    """Return a path at which a Ladder has six submissions."""
    fill(le.BoardLog(path, LABELS, mechanism=SILENT["Ladder"]), range(6))
    return path


def fill(board, chosen):
    """Submit some of the files, and return what is shown."""
    return [board.submit(TEAMS[i], FILES[i]) for i in chosen]


def reopen(path, labels=LABELS, mechanism=SILENT["Ladder"]):
    return le.BoardLog(path, labels, mechanism=mechanism)


def ask(path, command, *values):
    """Run a command on the file, past the library."""
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(command, values).fetchall()


def count(path):
    return ask(path, "SELECT count(*) FROM submissions")[0][0]


@pytest.mark.parametrize("mechanism", SILENT.values(), ids=SILENT)
def test_it_shows_what_the_board_shows(path, mechanism):
    """Also in the middle, and in the end, when it is opened again."""
    log = le.SubmissionLog(teams=TEAMS, times=["2027-01-01"] * 30, predictions=FILES)
    wanted = le.replay(log, LABELS, mechanism)
    board = le.BoardLog(path, LABELS, mechanism=mechanism)
    shown = fill(board, range(20))
    board = le.BoardLog(path, LABELS, mechanism=mechanism)
    assert shown + fill(board, range(20, 30)) == wanted.shown.tolist()
    assert board.standings() == le.BoardLog(path, LABELS, mechanism=mechanism).standings() == wanted.standings


@pytest.mark.parametrize("mechanism", EVERY.values(), ids=EVERY)
def test_the_same_log_is_the_same_board(path, mechanism):
    """Of two that were opened after some rows, each with its own generator, both go on as the first would have."""
    first = le.BoardLog(path, LABELS, mechanism=mechanism)
    fill(first, range(10))
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    second = le.BoardLog(copy, LABELS, mechanism=mechanism)
    assert second.standings() == first.standings()
    with pytest.raises(ValueError, match="must have 12 entries"):
        second.submit("ann", [0, 1])
    assert fill(second, range(10, 30)) == fill(first, range(10, 30))
    assert second.standings() == first.standings()
    released = ask(path, "SELECT released FROM submissions ORDER BY number")
    assert released == ask(copy, "SELECT released FROM submissions ORDER BY number")


def test_noise_is_another_in_each_log_and_each_row(folder, monkeypatch):
    """The same file again, of the same account or another."""
    seeds = iter([1, 2])
    monkeypatch.setattr("secrets.randbits", lambda bits: next(seeds))
    mechanism = partial(le.LadderBoot, n_bootstrap=10**10)
    boards = [le.BoardLog(folder / name, LABELS, mechanism=mechanism) for name in "ab"]
    shown = [board.submit(team, FILES[0]) for board in boards for team in ("ann", "bob", "ann")]
    assert len(set(shown)) == 6
    assert np.ptp(shown) < 1e-4


def test_two_boards_on_one_file_are_one(begun):
    """Whoever submits plays first what the other has added."""
    boards = [reopen(begun), reopen(begun)]
    shown = [boards[i % 2].submit(TEAMS[i], FILES[i]) for i in range(6, 30)]
    alone = le.Leaderboard(LABELS, mechanism=SILENT["Ladder"])
    assert [alone.submit(team, vector) for team, vector in zip(TEAMS, FILES, strict=True)][6:] == shown
    assert boards[0].standings() == boards[1].standings() == alone.standings()


CLASSES = np.array(["cat", "dog", "€", ""])
VECTORS = {
    "coins": (FILES, LABELS, "zero_one", np.uint8),
    "truth values": (FILES.astype(bool), LABELS.astype(float), "zero_one", np.uint8),
    "classes": (FILES * 7, LABELS * 7, "zero_one", np.uint8),
    "large classes": (FILES + 2**53, LABELS + 2**53, "zero_one", np.float64),
    "negative classes": (-FILES, -LABELS, "zero_one", np.float64),
    "strings": (CLASSES[FILES * 2 + 1], CLASSES[LABELS * 2 + 1], "zero_one", np.dtypes.StringDType(coerce=False)),
    "scores": (FILES - 0.3, LABELS * 1000, "mse", np.float64),
    "large scores": (FILES * 1e150, LABELS, "pearson", np.float64),
}


@pytest.mark.parametrize(("vectors", "labels", "metric", "dtype"), VECTORS.values(), ids=VECTORS)
def test_predictions_come_back_as_they_were(path, vectors, labels, metric, dtype):
    """And are scored as on a board without a log."""

    def mechanism(y):
        return le.FullDisclosure(y, metric=metric)

    alone = le.Leaderboard(labels, mechanism=mechanism)
    board = le.BoardLog(path, labels, mechanism=mechanism)
    for team, vector in zip(TEAMS, vectors, strict=True):
        assert board.submit(team, vector.tolist()) == alone.submit(team, vector)
    log = le.BoardLog(path, labels.tolist(), mechanism=mechanism).submissions()
    assert log.predictions.dtype == dtype
    np.testing.assert_array_equal(log.predictions, vectors.astype(dtype))
    assert log.teams == tuple(TEAMS)


def test_rows_of_pandas(path):
    """Labels with names: predictions have the same, and the log that is handed out, too."""
    pandas = pytest.importorskip("pandas")
    names = [f"item{i}" for i in range(N)]
    labels = pandas.Series(LABELS, index=names)
    board = le.BoardLog(path, labels, mechanism=le.RankBoard)
    board.submit("ann", pandas.Series(FILES[0], index=names))
    with pytest.raises(ValueError, match=r"^predictions must have the index of the labels"):
        board.submit("ann", pandas.Series(FILES[0], index=names[::-1]))
    log = board.submissions()
    assert log.row_ids == tuple(names)
    assert le.replay(log, labels, le.RankBoard).standings == board.standings()


def test_numbers_where_classes_are_strings(path):
    """The message names both kinds, and of the labels nothing else."""
    board = le.BoardLog(path, CLASSES[LABELS], mechanism=le.Ladder)
    said = (
        "predictions must be strings, as the labels are, not numbers: names[predictions], the name of each class, got 0"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        board.submit("ann", np.zeros(N, int))
    assert count(path) == 0


def test_a_row_is_compact(path):
    """12,000 coins need 1,500 bytes at least; less than twice that is taken."""
    board = le.BoardLog(path, np.zeros(12_000), mechanism=le.FullDisclosure)
    for _ in range(3):
        board.submit("ann", np.random.default_rng(0).integers(0, 2, 12_000))
    assert 1500 <= ask(path, "SELECT max(length(predictions)) FROM submissions")[0][0] < 3000


def test_times(path):
    """By default now, and never before the last one, whatever a clock says."""
    board = le.BoardLog(path, LABELS, mechanism=le.FullDisclosure)
    board.submit("ann", FILES[0], time="2027-01-31T09:00:00+01:00")
    with pytest.raises(
        ValueError, match=r"^time must not be before the last submission, 2027-01-31T08:00:00, got '2026"
    ):
        board.submit("ann", FILES[0], time="2026-01-31")
    board.submit("ann", FILES[0], time=datetime(2999, 1, 1, tzinfo=UTC))
    board.submit("ann", FILES[0])
    assert board.submissions().times.astype(str).tolist() == ["2027-01-31T08:00:00", *["2999-01-01T00:00:00"] * 2]
    other = le.BoardLog(path.with_name("other"), LABELS, mechanism=le.FullDisclosure)
    other.submit("ann", FILES[0])
    assert (
        abs(other.submissions().times[0] - np.datetime64(datetime.now(UTC).replace(tzinfo=None), "s")).astype(int) < 60
    )


def test_export(begun):
    """To a file and back; an empty log has no rows."""
    log = reopen(begun).submissions()
    log.write(begun.with_suffix(".csv"))
    again = le.SubmissionLog.read(begun.with_suffix(".csv"))
    np.testing.assert_array_equal(again.predictions, FILES[:6])
    assert (again.teams, len(again)) == (tuple(TEAMS[:6]), 6)
    empty = le.BoardLog(begun.with_name("empty"), LABELS, mechanism=le.RankBoard).submissions()
    assert empty.predictions.shape == (0, N)


REFUSED = {
    "short": ("ann", [0, 1], "predictions must have 12 entries"),
    "fraction": ("ann", [0.5] * N, "predictions must be classes, not probabilities"),
    "nan": ("ann", [float("nan")] * N, "predictions must hold no missing values"),
    "text": ("ann", ["a"] * N, "predictions must be numbers, as the labels are, not strings, got 'a'$"),
    "nothing": ("ann", None, "predictions must be one-dimensional"),
    "ragged": ("ann", [[0], [0, 1]], "predictions must be one-dimensional"),
    "matrix": ("ann", [[0] * N], "predictions must be one-dimensional"),
    "number": (7, [0] * N, "account must be a name, a string, got 7"),
    "no name": ("", [0] * N, "account must be a name, a string, got ''"),
    "half a letter": ("\ud800", [0] * N, "account must be a name"),
}


@pytest.mark.parametrize(("account", "predictions", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_leaves_no_row(begun, account, predictions, message):
    board = reopen(begun)
    before = begun.read_bytes()
    with pytest.raises(ValueError, match=f"^{message}"):
        board.submit(account, predictions)
    assert begun.read_bytes() == before
    assert fill(board, range(6, 30)) == fill(le.Leaderboard(LABELS, mechanism=SILENT["Ladder"]), range(30))[6:]


def test_a_board_that_fails_half_way_is_made_anew(path):
    """What it has seen is not in the log, so the next submission must not know of it."""

    class Fails(le.FullDisclosure):
        def submit(self, predictions):
            shown = super().submit(predictions) + 0 * len(self.transcript)
            if predictions[0] == 7:
                raise KeyboardInterrupt
            return shown + len(self.transcript)

    board, other = (le.BoardLog(path, LABELS, mechanism=lambda y: Fails(y, metric="mse")) for _ in range(2))
    first = board.submit("ann", FILES[0])
    with pytest.raises(KeyboardInterrupt):
        board.submit("ann", [7] * N)
    other.submit("bob", FILES[1])  # the number of the row is that of the failure
    assert board.submit("ann", FILES[0]) == first + 1
    assert board.standings() == other.standings()
    assert len(board.submissions()) == 3


BEGUN = r"labels must be those that .*board\.sqlite was begun with, in their order, got other ones, "
OTHERS = {
    "labels": ({"labels": 1 - LABELS}, f"{BEGUN}12 numbers$"),
    "their order": ({"labels": LABELS[::-1]}, f"{BEGUN}12 numbers$"),
    "number of labels": ({"labels": LABELS[:-1]}, f"{BEGUN}11 numbers$"),
    "kind of labels": ({"labels": LABELS.astype(str)}, f"{BEGUN}12 strings$"),
    "eta": (
        {"mechanism": lambda y: le.Ladder(y, eta="1/7")},
        r"mechanism must be as in .* with Ladder\(judge=MarginOnGrid\(m=6, margin=1\), m=6\), got Ladder\(.*m=7\)$",
    ),
    "mechanism": ({"mechanism": lambda y: le.SimplifiedLadder(y, eta="1/6")}, "mechanism must be as in"),
    "board": ({"mechanism": le.RankBoard}, "mechanism must be as in .* got RankBoard"),
}


@pytest.mark.parametrize(("changed", "message"), OTHERS.values(), ids=OTHERS)
def test_other_labels_or_parameters_are_refused(begun, changed, message):
    before = begun.read_bytes()
    with pytest.raises(ValueError, match=f"^{message}"):
        reopen(begun, **changed)
    assert begun.read_bytes() == before


Y = np.arange(4) % 2
DESCRIBED = {
    "FullDisclosure(counts=True, m=None, metric=zero_one, larger_is_better=False)": le.FullDisclosure,
    "Ladder(judge=MarginOnGrid(m=100, margin=1), m=100)": le.Ladder,
    "SimplifiedLadder(judge=MarginOnGrid(m=100, margin=0), m=100)": le.SimplifiedLadder,
    "ParameterFreeLadder(judge=PairedTest(loss='zero_one', threshold=1))": le.ParameterFreeLadder,
    "PairedTestLadder(judge=PairedTest(loss='squared', threshold=1.24977811))": le.PairedTestLadder,
    "LadderBoot(judge=PairedTest(loss='squared', threshold=1.24977811), n_bootstrap=10, rng=rng)": le.LadderBoot,
    "BayesBootLadder(judge=PosteriorOdds(metric=lin_concordance, n_posterior=1000, needed=851, rng=rng, shared=None), "
    "larger_is_better=True)": le.BayesBootLadder,
    "RankBoard(m=4)": le.RankBoard,
    "TopBoard(ranks=3 of Ladder(judge=MarginOnGrid(m=9, margin=1), m=9))": lambda y: le.TopBoard(
        y, ranks=3, mechanism=lambda z: le.Ladder(z, eta="1/9")
    ),
    "RefuseRepeats(distance=0.5, mechanism=Ladder(judge=MarginOnGrid(m=100, margin=1), m=100), "
    "larger_is_better=False)": lambda y: le.RefuseRepeats(le.Ladder(y), distance=0.5),
}


@pytest.mark.parametrize(("text", "mechanism"), DESCRIBED.items(), ids=lambda value: str(value)[:12])
def test_what_a_log_says_of_its_mechanism(path, text, mechanism):
    """Logs that exist say so: if an attribute is renamed, they are refused."""
    le.BoardLog(path, Y, mechanism=mechanism)
    assert ask(path, "SELECT mechanism FROM header") == [(text,)]


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        (7, "mechanism must be callable, got 7"),
        (lambda y: 7, "mechanism must make a leaderboard_edu.Mechanism or a board"),
        (
            lambda y: le.LadderBoot(y, rng=np.random.default_rng(1)),
            "mechanism must draw from the rng that it is called with",
        ),
        (
            lambda y: le.TopBoard(y, ranks=2, mechanism=lambda z: le.LadderBoot(z, rng=np.random.default_rng(1))),
            "mechanism must draw from the rng",
        ),
    ],
)
def test_a_bad_mechanism_begins_no_log(path, mechanism, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        le.BoardLog(path, LABELS, mechanism=mechanism)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("labels", [[], [0, 0.5], [[0, 1]], [[0], [0, 1]], ["a", 1], None, [0, None]])
def test_bad_labels_begin_no_log(path, labels):
    with pytest.raises(ValueError, match=r"^labels must"):
        le.BoardLog(path, labels, mechanism=le.Ladder)
    assert list(path.parent.iterdir()) == []


def unprotected(path, command, *values):
    """Change rows as somebody with the file could, who first takes away what forbids it."""
    ask(path, "DROP TRIGGER unchanged")
    ask(path, "DROP TRIGGER kept")
    ask(path, command, *values)


ROWS = {
    "release": (
        "UPDATE submissions SET released = 0.9 WHERE number = 3",
        "row 3 is damaged: it showed 0.9, and the same submissions now lead to 0",
    ),
    "account": ("UPDATE submissions SET account = 'zoe' WHERE number = 5", "row 5 is damaged: it showed"),
    "predictions": ("UPDATE submissions SET predictions = x'0102' WHERE number = 5", "row 5 is damaged: Error -3"),
    "type": ("UPDATE submissions SET dtype = 'nothing' WHERE number = 5", "row 5 is damaged: data type 'nothing'"),
    "time": ("UPDATE submissions SET time = 'noon' WHERE number = 2", "row 2 is damaged: Error parsing datetime"),
    "a row less": ("DELETE FROM submissions WHERE number = 3", "row 4 is damaged: row 3 is missing"),
    "all but the last": ("DELETE FROM submissions WHERE number < 6", "row 6 is damaged: row 1 is missing"),
}


@pytest.mark.parametrize(("command", "message"), ROWS.values(), ids=ROWS)
def test_a_changed_row_is_named(begun, command, message):
    unprotected(begun, command)
    with pytest.raises(ValueError, match=rf"board\.sqlite, {message}"):
        reopen(begun)


def test_rows_are_only_added(begun):
    for command in ("UPDATE submissions SET released = 0.9", "DELETE FROM submissions"):
        with pytest.raises(sqlite3.IntegrityError, match="the log is append-only"):
            ask(begun, command)
    assert count(begun) == 6


def test_a_board_notices_that_its_log_was_put_back(begun):
    """Rows that are gone must not be on the board either."""
    before = begun.read_bytes()
    board = reopen(begun)
    fill(board, range(6, 20))
    begun.write_bytes(before)
    assert fill(board, range(6, 9)) == fill(le.Leaderboard(LABELS, mechanism=SILENT["Ladder"]), range(9))[6:]
    assert count(begun) == 9


def foreign(path):
    path.unlink()
    ask(path, "CREATE TABLE scores (team TEXT)")


DAMAGES = {
    "text": lambda path: path.write_text("team,time\n" * 1000),
    "empty": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a page less": lambda path: path.write_bytes(path.read_bytes()[:-4096]),
    "a few bytes": lambda path: path.write_bytes(path.read_bytes()[:50]),
    "zeros": lambda path: path.write_bytes(path.read_bytes()[:4096] + bytes(path.stat().st_size - 4096)),
    "foreign tables": foreign,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_or_foreign_file_is_said_to_be_one(begun, damage):
    """And left as it is."""
    damage(begun)
    before = begun.read_bytes()
    with pytest.raises(
        ValueError, match=r"^path must be (an undamaged log of a board|a log of a board, or not there), got "
    ):
        reopen(begun)
    assert begun.read_bytes() == before
    assert list(begun.parent.iterdir()) == [begun]


@pytest.mark.parametrize("place", ["missing/board.sqlite", "."], ids=["no folder", "a folder"])
def test_a_path_where_no_file_can_be(folder, place):
    with pytest.raises(OSError, match="unable to open database file"):
        reopen(folder / place)


def test_a_path_as_text(begun, monkeypatch):
    """Relative, and with the signs that an address would need to have escaped."""
    monkeypatch.chdir(begun.parent)
    begun.rename("a ?#%41é.sqlite")
    assert len(reopen("a ?#%41é.sqlite").submissions()) == 6
