"""One's own data: classes of any number and kind, series and frames, files of strings, and a newcomer's two CSVs."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leaderboard_edu as le

NAMES = np.array(["airplane", "bird", "cat", "deer", "a", "é", "", "the class with a long name", "1", "nan"])
#: Ways to hand in classes that are given as codes from 0 to 9.
KINDS = {
    "lists of numbers": lambda codes: codes.tolist(),
    "large and negative numbers": lambda codes: 10**9 * codes - 5,
    "bytes": lambda codes: codes.astype(np.uint8),
    "floats": lambda codes: codes.astype(float),
    "objects": lambda codes: codes.astype(object),
    "lists of strings": lambda codes: NAMES[codes].tolist(),
    "strings": lambda codes: NAMES[codes],
    "strings of varying width": lambda codes: NAMES[codes].astype(np.dtypes.StringDType()),
    "objects that are strings": lambda codes: NAMES[codes].astype(object),
    "a column": lambda codes: codes[:, None],
    "pandas, numbers": lambda codes: pd.Series(codes),
    "pandas, nullable": lambda codes: pd.Series(codes, dtype="Int64"),
    "pandas, strings": lambda codes: pd.Series(NAMES[codes]),
    "pandas, categories": lambda codes: pd.Series(NAMES[codes], dtype="category"),
    "pandas, a categorical": lambda codes: pd.Categorical(NAMES[codes]),
    "pandas, a frame": lambda codes: pd.DataFrame({"label": NAMES[codes]}),
    "Polars, numbers": lambda codes: pl.Series(codes),
    "Polars, strings": lambda codes: pl.Series(NAMES[codes]),
    "Polars, categories": lambda codes: pl.Series(NAMES[codes], dtype=pl.Categorical),
    "Polars, a frame": lambda codes: pl.DataFrame({"label": NAMES[codes]}),
}
MECHANISMS = {
    "FullDisclosure": le.FullDisclosure,
    "Ladder": lambda y: le.Ladder(y, eta="1/10"),
    "SimplifiedLadder": lambda y: le.SimplifiedLadder(y, eta="1/10"),
    "ParameterFreeLadder": le.ParameterFreeLadder,
    "PairedTestLadder": lambda y: le.PairedTestLadder(y, loss="zero_one"),
    "LadderBoot": lambda y: le.LadderBoot(y, loss="zero_one", rng=np.random.default_rng(0)),
    "BayesBootLadder": lambda y: le.BayesBootLadder(y, metric="zero_one", rng=np.random.default_rng(0)),
    "BayesBootLadderBoot": lambda y: le.BayesBootLadderBoot(y, metric="zero_one", rng=np.random.default_rng(0)),
    "RefuseRepeats": lambda y: le.RefuseRepeats(le.Ladder(y, eta="1/10"), distance=0.1),
}
BOARDS = {
    "Leaderboard": le.Leaderboard,
    "TopBoard": lambda y: le.TopBoard(y, ranks=2),
    "RankBoard": le.RankBoard,
}


def ten_classes(n=60, k=8):
    """Return labels of ten classes and files that get better."""
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 10, n)
    return labels, [np.where(rng.random(n) < t / k, labels, rng.integers(0, 10, n)) for t in range(k)]


def test_every_mechanism_is_tried():
    """One that is added is found by its base class."""
    public = [getattr(le, name) for name in le.__all__]
    kinds = {each.__name__ for each in public if isinstance(each, type) and issubclass(each, le.Mechanism)}
    assert kinds - {"Mechanism"} == set(MECHANISMS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_only_right_and_wrong_matters(mechanism, kind):
    """A mechanism shows what it shows for labels 0 whose files have a one where they are wrong."""
    labels, files = ten_classes()
    account, plain = (MECHANISMS[mechanism](y) for y in (KINDS[kind](labels), np.zeros(60, int)))
    for file in files:
        assert account.submit(KINDS[kind](file)) == plain.submit(file != labels)
    seen = account.transcript[3][0]
    assert seen.tolist() == np.asarray(KINDS[kind](files[3])).ravel().tolist()
    assert not seen.flags.writeable


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", BOARDS)
def test_boards_of_any_classes(make, kind):
    labels, files = ten_classes()
    board, plain = (BOARDS[make](y) for y in (KINDS[kind](labels), np.zeros(60, int)))
    for account, file in zip("abcabcab", files, strict=True):
        assert board.submit(account, KINDS[kind](file)) == plain.submit(account, file != labels)
    assert board.standings() == plain.standings()


@pytest.mark.parametrize("kind", KINDS)
def test_functions_of_any_classes(kind):
    labels, files = ten_classes()
    y, first, second = (KINDS[kind](codes) for codes in (labels, files[5], files[2]))
    wrong = int(np.sum(files[5] != labels))
    assert (le.count_wrong(first, y), le.empirical_risk(first, y)) == (wrong, wrong / 60)
    zeros = np.zeros(60, int)
    assert le.sign_test(y, first, second) == le.sign_test(zeros, files[5] != labels, files[2] != labels) < 0.05
    assert type(le.count_wrong(first, y)) is int


@given(seed=st.integers(0, 10**6), n=st.integers(1, 30), classes=st.integers(1, 300))
def test_counts_are_exact(seed, n, classes):
    """By comparing entry by entry, also where some numbers fit a byte and others do not, or none of both."""
    rng = np.random.default_rng(seed)
    labels, file = rng.integers(0, classes, n), rng.integers(-2, classes + 2, n)
    wrong = sum(u != y for u, y in zip(file.tolist(), labels.tolist(), strict=True))
    for kind in (np.int64, np.float64, np.int16, object):
        assert le.count_wrong(file.astype(kind), labels) == wrong
    assert le.count_wrong([str(u) for u in file], [str(y) for y in labels]) == wrong


def test_a_class_that_does_not_occur_is_a_wrong_guess():
    """A refusal would tell which classes are among the labels; so would a board that shows another loss for them."""
    for labels, file in (([0, 1, 1], [0, 7, -300]), (["cat", "dog", "dog"], ["cat", "Dog", "a longer name"])):
        assert le.Ladder(labels, eta="1/3").submit(file) == 2 / 3
    assert le.count_wrong([1.0, True, 2], [1, 1, 2]) == 0


def test_big_numbers_that_floats_confuse():
    """Whole numbers are told apart, and floats that may stand for several are refused."""
    b = 2**53
    assert le.count_wrong([b + 1, 2**62], [b, 2**62]) == 1
    assert le.count_wrong([-1, 2**62], [2**63 + 1, 2**64 - 1]) == 2
    assert le.count_wrong([1 - b, b - 1.0], [1 - b, b - 1]) == 0
    log = le.SubmissionLog(teams=["ann"], times=["2027-01-01"], predictions=[[b, b + 1]])
    for merged in (
        lambda: le.count_wrong([b + 1, 1.0], [b, 1]),
        lambda: le.count_wrong([-b, 1], [-b - 1, 1.0]),
        lambda: le.count_wrong([2**63, -1], [2**63 + 1, 2**64 - 1]),
        lambda: le.Ladder([0, b]).submit([0.5, float(b)]),
        lambda: le.replay(log, [b + 1, b + 1]),
        lambda: le.audit([b, b + 1], log),
    ):
        with pytest.raises(
            ValueError, match=r"must hold classes below 2\*\*53 where they are floats.*: number the class"
        ):
            merged()


def test_repetitions_of_big_numbers():
    """They are compared exactly, as their losses are."""
    account = le.RefuseRepeats(le.FullDisclosure([2**63, 2**63 + 2]))
    assert [account.submit(file) for file in ([2**63, 2**63 + 1], [-1, -2], [2**63, 2**63 + 2])] == [0.5, 1, 0]


@pytest.mark.parametrize("make", [*MECHANISMS.values(), *BOARDS.values()], ids=[*MECHANISMS, *BOARDS])
def test_another_kind_is_refused(make):
    """Both kinds are named, and what to do if it could not hide a mistake; nothing has changed."""
    numbers, strings = "numbers, as the labels are, not strings", "strings, as the labels are, not"
    for labels, file, said in (
        ([3, 4], ["3", "4"], f"{numbers}: predictions.astype(int), got '3'"),
        ([3, 4], ["cat", "4"], f"{numbers}, got 'cat'"),
        ([3, 4], ["3.0", "4.0"], f"{numbers}, got '3.0'"),
        ([3, 4], ["3", "9" * 30], f"{numbers}, got '3'"),
        (["3", "4"], [3, 4], f"{strings} numbers: names[predictions], the name of each class, got 3"),
        (["3", "4"], [3.0, 4.0], f"{strings} numbers: names[predictions], the name of each class, got 3.0"),
        (["3", "4"], [0.5, 0.25], f"{strings} probabilities: np.where(p >= 0.5, 'yes', 'no'), got 0.5"),
    ):
        board = make(labels)
        submit = board.submit if isinstance(board, le.Mechanism) else lambda u, board=board: board.submit("ann", u)
        with pytest.raises(ValueError, match=f"^predictions must be {re.escape(said)}$"):
            submit(file)
        assert submit(labels) in (0.0, 1)


ROWS = pd.Series([0, 1, 1, 0], index=["a", "b", "c", "d"])
TAKERS = {
    **{name: lambda y, u, make=make: make(y).submit(u) for name, make in MECHANISMS.items()},
    **{name: lambda y, u, make=make: make(y).submit("ann", u) for name, make in BOARDS.items()},
    "Metric": lambda y, u: le.METRICS["mse"](u, y),
    "count_wrong": lambda y, u: le.count_wrong(u, y),
    "sign_test": lambda y, u: le.sign_test(y, [0, 0, 0, 0], u),
}


@pytest.mark.parametrize("take", TAKERS.values(), ids=TAKERS)
def test_rows_are_never_aligned_in_silence(take):
    """Of two indices the second must be the first, in its order; where one has none, rows match by position."""
    with pytest.raises(
        ValueError, match=r"^(predictions|second) must have the index of the labels as index, .* 'd' at"
    ):
        take(ROWS, ROWS[::-1])
    with pytest.raises(ValueError, match=r"\.to_numpy\(\) to go by position, got 0 at position 0 instead of 'a'$"):
        take(ROWS, ROWS.reset_index(drop=True))
    same = take(ROWS, ROWS.copy())
    for one, other in ((ROWS.to_numpy(), ROWS[::-1]), (ROWS, ROWS.tolist()), (ROWS.to_frame(), ROWS.to_frame())):
        assert take(one, other) == same
    with pytest.raises(ValueError, match=r"must have 4 entries"):
        take(ROWS, ROWS[:3])


def test_a_frame_of_several_columns_is_refused():
    """It says which to take; tables of scores and rows that lie are told otherwise."""
    columns = {"id": [7, 8], "label": ["cat", "dog"]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        with pytest.raises(
            ValueError, match=r"^labels must be one-dimensional, one column, such as frame\['label'\], got"
        ):
            le.Leaderboard(frame)
    names, shares = ["cat", "dog", "elk"], np.eye(3) / 2
    classes = (
        r"^predictions must be one-dimensional, one entry for each label: {} of a column for each class, or frame\['elk"
    )
    for frame, largest in (
        (pd.DataFrame(shares, columns=names), r"frame\.idxmax\(axis=1\)"),
        (pl.DataFrame(shares, schema=names), r"frame\.to_numpy\(\)\.argmax\(axis=1\)"),
    ):
        with pytest.raises(ValueError, match=classes.format(largest)):
            le.Leaderboard(names).submit("ann", frame)
    assert le.Leaderboard(names).submit("ann", pd.DataFrame(shares, columns=names).idxmax(axis=1)) == 0
    with pytest.raises(ValueError, match=r"values.argmax\(axis=1\) of a column for each class, or values\[:, 1\] for "):
        le.Ladder([0, 1, 2]).submit(np.eye(3))
    with pytest.raises(
        ValueError, match=r"^predictions must be one-dimensional, .* such as values\[0\], got shape \(1, 3"
    ):
        le.Ladder([0, 1, 2]).submit([[0, 1, 2]])


MISSING = [
    pd.Series([0, None, 1]),
    pd.Series([0, None, 1], dtype="Int64"),
    pd.Series(["a", None, "b"]),
    pd.Series(["a", None, "b"], dtype="category"),
    pd.Series([pd.NA, pd.NA, 1]),
    pl.Series([0, None, 1]),
    pl.Series(["a", None, "b"]),
]


@pytest.mark.parametrize("missing", MISSING, ids=range(len(MISSING)))
def test_missing_values_are_refused(missing):
    with pytest.raises(ValueError, match=r"^labels must hold no missing values: fill them, got .* at position [01]$"):
        le.Leaderboard(missing)


def test_labels_of_a_board_are_its_own():
    """What is handed in may change afterwards, before the second account comes, too."""
    for labels in (np.array([0, 1]), pd.Series([0, 1]), [0, 1]):
        board = le.Leaderboard(labels)
        labels[0] = 1
        assert [board.submit(account, [0, 1]) for account in ("ann", "bob")] == [0, 0]


def test_a_board_makes_its_first_mechanism_at_once():
    """So that labels that the mechanism refuses are refused when the board is made; each account has one of its own."""
    made = []
    board = le.Leaderboard([0, 1], mechanism=lambda y: made.append(le.FullDisclosure(y)) or made[-1])
    assert len(made) == 1
    for account in "aab":
        board.submit(account, [0, 0])
    assert [len(mechanism.transcript) for mechanism in made] == [2, 1]
    with pytest.raises(ValueError, match=r"^labels must hold numbers, got 'a'$"):
        le.Leaderboard(["a", "b"], mechanism=lambda y: le.FullDisclosure(y, metric="mse"))


def test_boards_of_real_labels():
    """The board leaves the check of labels to the mechanism."""
    board = le.Leaderboard([0.5, 2.5], mechanism=lambda y: le.FullDisclosure(y, metric="mse"))
    assert board.submit("ann", pl.Series([0.5, 1.5])) == 0.5


# logs


def strings_log(**changed):
    given = {"teams": ["ann", "bob"], "times": ["2027-01-01"] * 2, "predictions": [["cat", "é, 1"], ["dog", "dog"]]}
    return le.SubmissionLog(**given | changed)


def test_a_log_of_strings():
    log = strings_log()
    assert le.replay(log, ["cat", "dog"]).shown.tolist() == [0.5, 0.5]
    assert [row.team for row in le.compare_to_leader(log, ["dog", "dog"])] == ["bob", "ann"]
    assert [row.account for row in le.ladder_intervals(log, ["dog", "dog"])] == ["bob", "ann"]
    assert le.audit(["dog", "cat"], log).classes == 3
    assert not log.predictions.flags.writeable
    with pytest.raises(ValueError, match=r"^submission 0 of 'ann': predictions must be numbers, as the labels are"):
        le.replay(log, [0, 1])
    with pytest.raises(ValueError, match=r"^predictions must hold numbers or strings, all of one kind, got 1 at"):
        strings_log(predictions=[["cat", 1], ["dog", "dog"]])


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_of_strings(tmp_path, suffix):
    path = tmp_path / f"log.{suffix}"
    strings_log().write(path)
    assert le.SubmissionLog.read(path).predictions.tolist() == [["cat", "é, 1"], ["dog", "dog"]]


@pytest.mark.parametrize("name", ["1", "1e5", "nan", "", " "])
def test_strings_that_look_like_numbers(tmp_path, name):
    """A CSV file cannot say that they are none, so that none is written; Parquet can."""
    log = strings_log(predictions=[["cat", name], ["dog", "dog"]])
    path = tmp_path / "log.csv"
    path.write_text("what was there")
    with pytest.raises(
        ValueError, match=rf"^predictions must be words in a CSV file: write a \.parquet file, got '{name}'$"
    ):
        log.write(path)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["what was there"]
    log.write(tmp_path / "log.parquet")
    assert le.SubmissionLog.read(tmp_path / "log.parquet").predictions.tolist() == log.predictions.tolist()


def test_the_first_predictions_say_what_a_file_holds(tmp_path):
    """A word among numbers is refused where it stands, and so are numbers and empty fields among words."""
    path = tmp_path / "log.csv"
    head = "team,time,r1,r2\n"
    for lines, said in (
        ("ann,2027-01-01,0,1\nbob,2027-01-01,cat,1\n", "line 3, column 'r1' must be a finite number, got 'cat'"),
        (
            "ann,2027-01-01,cat,1\n",
            "line 2, column 'r2' must be a word, as the first predictions are, or the log a .parq",
        ),
        ("ann,2027-01-01,a,a\nbob,2027-01-01,a,\n", "line 3, column 'r2' must be a word, as the first predictions are"),
        ("ann,2027-01-01,,1\n", "line 2, column 'r1' must be a finite number, got ''"),
    ):
        path.write_text(head + lines)
        with pytest.raises(ValueError, match=re.escape(said)):
            le.SubmissionLog.read(path)
    pl.DataFrame({"team": ["ann"], "time": ["2027-01-01"], "r1": [1], "r2": ["cat"]}).write_parquet(
        tmp_path / "p.parquet"
    )
    with pytest.raises(ValueError, match=r", row 1, column 'r2' must be a finite number, got 'cat'$"):
        le.SubmissionLog.read(tmp_path / "p.parquet")


def test_labels_name_the_rows_of_a_log():
    """An index of pandas is that of the log, or refused; frames name rows by their columns."""
    frame = pd.DataFrame([["cat", "dog"], ["dog", "dog"]], columns=["r1", "r2"])
    for table in (frame, pl.from_pandas(frame)):
        assert strings_log(predictions=table).row_ids == ("r1", "r2")
    log = strings_log(predictions=frame)
    labels = pd.Series(["cat", "dog"], index=["r1", "r2"])
    assert le.replay(log, labels).shown.tolist() == le.replay(log, labels.tolist()).shown.tolist() == [0, 0.5]
    for function in (le.replay, le.compare_to_leader, le.ladder_intervals):
        with pytest.raises(
            ValueError, match=r"^labels must have the row_ids of the log as index, .* got 'r2' at position 0"
        ):
            function(log, labels[::-1])
        with pytest.raises(
            ValueError,
            match=r"^labels must have 2 entries, one for each row of the log, which has 'r1' without a label, got 1$",
        ):
            function(log, labels[1:])
        with pytest.raises(ValueError, match=r"^labels must have 2 entries, one for each row of the log, got 1$"):
            function(log, labels[1:].rename({"r2": "r3"}))


# attacks


def test_attacks_say_that_they_need_binary_labels():
    board = le.FullDisclosure(["cat", "dog"])
    with pytest.raises(
        ValueError, match=r"^submit must take labels 0 and 1, which this attack needs: predictions must be"
    ):
        le.boosting_attack(board.submit, n=2, k=2, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"^files must hold only 0 and 1, as this attack needs labels 0 and 1, got 2"):
        le.yardstick_attack(le.RankBoard([0, 1]).submit, n=2, precision="1/2", files=[[0, 2]])


# frames of what the library returns


def test_standings_are_frames(tmp_path):
    """Rows of a board, of comparisons and of intervals, in both packages, without help."""
    log = strings_log()
    held = le.BoardLog(tmp_path / "board.sqlite", ["cat", "dog"], mechanism=le.FullDisclosure)
    for team, file in zip(log.teams, log.predictions, strict=True):
        held.submit(team, file)
    for rows in (
        held.standings(),
        le.replay(log, ["cat", "dog"]).standings,
        le.compare_to_leader(log, ["cat", "dog"]),
        le.ladder_intervals(log, ["cat", "dog"]),
    ):
        expected = [{name: getattr(row, name) for name in row.__dataclass_fields__} for row in rows]
        assert pd.DataFrame(rows).to_dict("records") == pl.DataFrame(rows).to_dicts() == expected


@pytest.mark.parametrize("files", [{}, {"ann": [0, 0], "bob": [0, 1]}], ids=["empty", "two"])
@pytest.mark.parametrize(("make", "columns"), [("TopBoard", ["account", "loss"]), ("RankBoard", ["account"])])
def test_places_and_ranks_are_frames(make, columns, files):
    """Of columns with names, by the code of the docstring in both packages, also while nobody has submitted."""
    board = BOARDS[make]([0, 1])
    for account, file in files.items():
        board.submit(account, file)
    rows = [row if make == "TopBoard" else (row,) for row in board.standings()]
    first, second = re.findall("``(.*?)``", board.standings.__doc__)
    frame, polars = (eval(code, {"pandas": pd, "polars": pl, "board": board}) for code in (first, second))
    assert list(frame.columns) == polars.columns == columns
    assert list(frame.itertuples(index=False, name=None)) == polars.rows() == rows


def test_rows_are_named_once():
    """A row that stands twice in the labels, or in a file, is found by its name."""
    labels = pd.Series([0, 1, 1], index=["a", "b", "b"])
    with pytest.raises(ValueError, match=r"^labels must name each row once in its index, got 'b' twice$"):
        le.Leaderboard(labels)
    board = le.Leaderboard(pd.Series([0, 1, 1], index=["a", "b", "c"]))
    with pytest.raises(ValueError, match=r"^predictions must name each row once in its index, got 'b' twice$"):
        board.submit("ann", labels)


# as a newcomer would


def test_a_csv_of_ten_classes(tmp_path):
    """Ten names in a CSV of labels and one of predictions, with pandas and with Polars."""
    labels, files = ten_classes(1000)
    names = np.array([f"class {i}" for i in range(10)])
    pd.DataFrame({"id": range(1000), "label": names[labels]}).to_csv(tmp_path / "labels.csv", index=False)
    for i, file in enumerate(files):
        pd.DataFrame({"id": range(1000), "label": names[file]}).to_csv(tmp_path / f"{i}.csv", index=False)
    truth = pd.read_csv(tmp_path / "labels.csv", index_col="id")
    board = le.Leaderboard(truth["label"], mechanism=lambda y: le.SimplifiedLadder(y, eta="1/20"))
    polars = le.Leaderboard(pl.read_csv(tmp_path / "labels.csv")["label"], mechanism=board._maker)
    for i, file in enumerate(files):
        submission = pd.read_csv(tmp_path / f"{i}.csv", index_col="id")
        shown = board.submit(f"team {i % 3}", submission["label"])
        assert shown == polars.submit(f"team {i % 3}", pl.read_csv(tmp_path / f"{i}.csv")["label"])
        best = min(np.mean(file != labels) for file in files[i % 3 : i + 1 : 3])
        assert shown == np.floor(best * 20 + 0.5) / 20
    assert pd.DataFrame(board.standings()).account.tolist() == ["team 1", "team 0", "team 2"]
    shuffled = pd.read_csv(tmp_path / "7.csv", index_col="id").sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match=r"^predictions must have the index of the labels as index"):
        board.submit("team 1", shuffled)


def test_a_csv_of_scores(tmp_path):
    """Scores for two classes, judged by AUC, on a board that discloses all and on one that asks for posterior odds."""
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    labels = rng.random(300) < 0.3
    table = pd.DataFrame(
        {"y": labels.astype(int), **{f"s{i}": (i * labels + rng.normal(size=300)).round(1) for i in range(4)}}
    )
    table.to_csv(tmp_path / "scores.csv", index=False)
    read = pd.read_csv(tmp_path / "scores.csv")
    auc = le.Metric.from_sklearn("roc_auc")
    expected = [metrics.roc_auc_score(read["y"], read[f"s{i}"]) for i in range(4)]
    full = le.Leaderboard(read["y"], mechanism=lambda y: le.FullDisclosure(y, metric=auc))
    assert [full.submit(f"team {i}", read[f"s{i}"]) for i in range(4)] == expected
    assert [row.account for row in full.standings()] == ["team 3", "team 2", "team 1", "team 0"]
    ladder = le.BayesBootLadder(read["y"], metric=auc, n_posterior=50, rng=np.random.default_rng(0))
    assert ladder.larger_is_better
    shown = [ladder.submit(read[f"s{i}"]) for i in (1, 0, 3, 2)]
    rounded = [np.floor(score * 300 + 0.5) / 300 for score in expected]
    assert shown == [rounded[1], rounded[1], rounded[3], rounded[3]]
    log = le.SubmissionLog(teams=["ann"] * 4, times=["2027-01-01"] * 4, predictions=read.drop(columns="y").to_numpy().T)
    played = le.replay(log, read["y"], lambda y: le.FullDisclosure(y, metric=auc))
    assert played.shown.tolist() == expected
    assert played.larger_is_better
