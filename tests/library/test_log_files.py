"""Logs in CSV and Parquet files: what is written is read again, and a wrong file is told where it is wrong."""

import csv
import re
from datetime import datetime

import numpy as np
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pyarrow import parquet

import leaderboard_edu as le

FORMATS = ["csv", "parquet"]


@st.composite
def logs(draw):
    """Draw logs with any names and finite numbers."""
    k, n = draw(st.integers(0, 4)), draw(st.integers(1, 5))
    numbers = draw(
        st.sampled_from([st.integers(0, 1), st.integers(0, 9), st.integers(-300, 300), st.floats(-1e300, 1e300)])
    )
    ids = st.text(max_size=5).filter(lambda name: name not in ("team", "time"))
    return le.SubmissionLog(
        teams=draw(st.lists(st.text(max_size=6), min_size=k, max_size=k)),
        times=sorted(draw(st.lists(st.datetimes(), min_size=k, max_size=k))),
        predictions=draw(arrays.arrays(float, (k, n), elements=numbers.map(float))),
        row_ids=draw(st.lists(ids, min_size=n, max_size=n, unique=True)),
    )


def content(log):
    """Return all that a log holds, so that it can be compared."""
    return log.teams, log.times.tolist(), log.predictions.tolist(), log.predictions.dtype, log.row_ids


@pytest.mark.parametrize("suffix", FORMATS)
@given(log=logs())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_round_trip(tmp_path, suffix, log):
    log.write(tmp_path / f"log.{suffix}")
    assert content(le.SubmissionLog.read(tmp_path / f"log.{suffix}")) == content(log)
    assert [path.name for path in tmp_path.iterdir()] == [f"log.{suffix}"]


def small(**changed):
    """Return a log of two submissions."""
    given = {
        "teams": ["ann", "bob, the second"],
        "times": ["2027-01-01T09:00", "2027-01-01T11:00+01:00"],
        "predictions": [[0, 1], [1, 1]],
        "row_ids": ["p7", "p9"],
    }
    return le.SubmissionLog(**given | changed)


@pytest.mark.parametrize("suffix", FORMATS)
def test_round_trip_of_words(tmp_path, suffix):
    log = small(predictions=[["late", "on time"], ["a, b", 'said "no"']])
    log.write(tmp_path / f"log.{suffix}")
    assert content(le.SubmissionLog.read(tmp_path / f"log.{suffix}")) == content(log)


def test_a_csv_file_is_plain(tmp_path):
    small().write(tmp_path / "log.csv")
    text = (tmp_path / "log.csv").read_text()
    assert text.splitlines() == [
        "team,time,p7,p9",
        "ann,2027-01-01T09:00:00Z,0,1",
        '"bob, the second",2027-01-01T10:00:00Z,1,1',
    ]


def test_a_parquet_file_has_instants_and_bytes(tmp_path):
    small().write(str(tmp_path / "log.parquet"))
    schema = parquet.read_schema(tmp_path / "log.parquet")
    assert (schema.names, schema.types[2:]) == (["team", "time", "p7", "p9"], [pyarrow.uint8()] * 2)
    assert schema.types[1] == pyarrow.timestamp("ms", tz="UTC")


@pytest.mark.parametrize(
    "times",
    [
        ["2027-01-01T09:00", "2027-01-01T11:00+01:00"],
        pyarrow.array([datetime(2027, 1, 1, 9), datetime(2027, 1, 1, 10)], pyarrow.timestamp("ns")),
        pyarrow.array([datetime(2027, 1, 1, 9), datetime(2027, 1, 1, 10)], pyarrow.timestamp("us", tz="Asia/Tokyo")),
    ],
    ids=["strings", "no zone", "a zone"],
)
def test_times_of_other_writers(tmp_path, times):
    """A timestamp with a zone counts from the epoch in UTC, too."""
    table = {"team": ["ann", "bob, the second"], "time": times, "p7": [0, 1], "p9": [True, True]}
    parquet.write_table(pyarrow.table(table), tmp_path / "log.parquet")
    assert content(le.SubmissionLog.read(tmp_path / "log.parquet")) == content(small())


def test_a_csv_file_of_other_writers(tmp_path):
    """A byte order mark, Windows' ends of lines, an empty last line, numbers written as floats."""
    lines = ["\ufeffteam,time,p7,p9", "ann,2027-01-01 09:00,0.0, 1", '"bob, the second",2027-01-01T10:00:00Z,1e0,1', ""]
    (tmp_path / "log.CSV").write_bytes("\r\n".join([*lines, ""]).encode())
    assert content(le.SubmissionLog.read(tmp_path / "log.CSV")) == content(small())


GOOD = ["team,time,p7,p9", "ann,2027-01-01,0,1", "bob,2027-01-02,1,1"]


def lines(*changed):
    """Return the lines of a good file, some of them changed."""
    return "\n".join([*changed, *GOOD[len(changed) :]]).encode()


NOT_ISO = "must be in ISO format, such as '2027-01-31T09:00:00', got"
WRONG_CSV = {
    "empty": (b"", ", line 1: the columns must be 'team', 'time' and a column for each row of the holdout, got []"),
    "no rows": (lines("team,time"), ", line 1: the columns must be 'team', 'time' and a column for each row of"),
    "another order": (lines("time,team,p7"), "of the holdout, got ['time', 'team', 'p7']"),
    "a column twice": (lines("team,time,p7,p7"), ", line 1: the columns must be different, and none 'team' or"),
    "too short": (lines(GOOD[0], "ann,2027-01-01,0"), ", line 2: it must have 4 fields, as the first line, got 3"),
    "too long": (lines(GOOD[0], "ann,2027-01-01,0,1,1"), ", line 2: it must have 4 fields, as the first line, got 5"),
    "a bad time": (lines(*GOOD[:2], "bob,noon,1,1"), f", line 3, column 'time' {NOT_ISO} 'noon'"),
    "an earlier time": (
        lines(*GOOD[:2], "bob,2026-12-31,1,1"),
        ", line 3, column 'time' must not be before the line above, got '2026-12-31'",
    ),
    "a word": (lines(*GOOD[:2], "bob,2027-01-02,1,yes"), ", line 3, column 'p9' must be a finite number, got 'yes'"),
    "a number": (
        lines(GOOD[0], "ann,2027-01-01,no,yes", "bob,2027-01-02,no,7"),
        ", line 3, column 'p9' must be a word, as the first predictions are, or the log a .parquet file, got '7'",
    ),
    "no word": (
        lines(GOOD[0], "ann,2027-01-01,no,"),
        ", line 2, column 'p9' must be a word, as the first predictions are, or the log a .parquet file, got ''",
    ),
    "nothing": (lines(GOOD[0], "ann,2027-01-01,,1"), ", line 2, column 'p7' must be a finite number, got ''"),
    "two and nothing": (lines(GOOD[0], "ann,2027-01-01,11,"), ", line 2, column 'p9' must be a finite number, got ''"),
    "a digit that is none": (lines(GOOD[0], "ann,2027-01-01,0,²"), ", line 2, column 'p9' must be a finite number, g"),
    "NaN": (lines(*GOOD[:2], "bob,2027-01-02,nan,1"), ", line 3, column 'p7' must be a finite number, got 'nan'"),
    "after a line break": (
        lines(GOOD[0], '"a\nnn",2027-01-01,0,x'),
        ", line 3, column 'p9' must be a finite number, got 'x'",
    ),
    "a number beside words": (
        lines("team,time,score,p7,p9", "ann,2027-01-01,0.5,no,yes"),
        ", line 2, column 'score' must be a word, as the first predictions are, or the log a .parquet file, got '0.5'",
    ),
    "a word beside numbers": (
        lines("team,time,note,p7,p9", "ann,2027-01-01,easy,0,1"),
        ", line 2, column 'note' must be a finite number, got 'easy'",
    ),
    "semicolons": (
        b"team;time;p7;p9\nann;2027-01-01;0,5;1",
        ", line 1: commas must be between the columns, as after pandas.read_csv(path, sep=';', decimal=',')"
        ".to_csv(path, index=False), got 'team;time;p7;p9'",
    ),
    "an open quote": (lines(*GOOD[:2], '"bob,2027-01-02,1,1'), ", line 3: it must be CSV, got unexpected end of data"),
    "Latin-1": ("team,time,p7\nchloé,2027-01-01,0".encode("latin-1"), ": it must be text in UTF-8, got "),
    "a table": (b"PAR1\x00\xff\xfe", ": it must be text in UTF-8, got "),
}


@pytest.mark.parametrize(("content", "message"), WRONG_CSV.values(), ids=WRONG_CSV)
def test_a_wrong_csv_file(tmp_path, content, message):
    path = tmp_path / "log.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"^{re.escape(str(path))}.*{re.escape(message)}"):
        le.SubmissionLog.read(path)


TABLE = {"team": ["ann", "bob"], "time": ["2027-01-01", "2027-01-02"], "p7": [0, 1], "p9": [1, 1]}
STAMPS = [datetime(2027, 1, 1), None]
WRONG_TABLES = {
    "no time": ({"time": None}, ": the columns must be 'team', 'time' and a column for each row of the holdout, got ["),
    "no team": ({"team": ["ann", None]}, ", column 'team' must name a team in each row, got 1 without"),
    "a bad time": ({"time": ["2027-01-01", "noon"]}, f", row 2, column 'time' {NOT_ISO} 'noon'"),
    "no instant": ({"time": pyarrow.array(STAMPS, pyarrow.timestamp("s"))}, f", row 2, column 'time' {NOT_ISO} None"),
    "an earlier time": (
        {"time": ["2027-01-02", "2027-01-01"]},
        ", row 2, column 'time' must not be before the row above, got '2027-01-01T00:00:00'",
    ),
    "nothing": ({"p9": [0, None]}, ", row 2, column 'p9' must be a finite number, got None"),
    "infinite": ({"p9": [float("inf"), 0]}, ", row 1, column 'p9' must be a finite number, got inf"),
    "words": ({"p9": ["yes", "no"]}, ", row 1, column 'p9' must be a finite number, got 'yes'"),
    "a number beside words": (
        {"p7": [0.5, 0.5], "p9": ["yes", "no"], "p11": ["no", "no"]},
        ", row 1, column 'p7' must be a string, as the first predictions are, got 0.5",
    ),
    "numbers": ({"p7": ["yes", "no"]}, ", row 1, column 'p9' must be a string, as the first predictions are, got 1"),
}


@pytest.mark.parametrize(("changed", "message"), WRONG_TABLES.values(), ids=WRONG_TABLES)
def test_a_wrong_parquet_file(tmp_path, changed, message):
    path = tmp_path / "log.parquet"
    table = {name: values for name, values in (TABLE | changed).items() if values is not None}
    parquet.write_table(pyarrow.table(table), path)
    with pytest.raises(ValueError, match=rf"^{re.escape(str(path))}{re.escape(message)}"):
        le.SubmissionLog.read(path)


def test_what_is_no_parquet_file(tmp_path):
    path = tmp_path / "log.parquet"
    path.write_bytes(lines())
    with pytest.raises(ValueError, match=rf"^{re.escape(str(path))}: it must be a Parquet file, got "):
        le.SubmissionLog.read(path)


def test_a_suffix_names_the_format(tmp_path):
    for call in (small().write, le.SubmissionLog.read):
        with pytest.raises(ValueError, match=r"^path must end in .csv or .parquet, got '.*log.json'$"):
            call(tmp_path / "log.json")
    with pytest.raises(FileNotFoundError):
        le.SubmissionLog.read(tmp_path / "log.csv")


@pytest.mark.parametrize("suffix", FORMATS)
def test_names_that_would_come_back_as_others_are_not_written(tmp_path, suffix):
    with pytest.raises(ValueError, match=r"^teams must be strings to be written to a file, got 3$"):
        small(teams=["ann", 3]).write(tmp_path / f"log.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_failed_write_leaves_the_old_file(tmp_path, suffix):
    """A lone surrogate has no place in UTF-8, which shows when a part is written."""
    path = tmp_path / f"log.{suffix}"
    small().write(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="surrogates"):
        small(teams=["ann", "\ud800"]).write(path)
    assert ([path], path.read_bytes()) == (list(tmp_path.iterdir()), before)


def test_without_the_extra(tmp_path, monkeypatch):
    """The message says what to install; CSV needs nothing."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'leaderboard-edu\[tables\]'$"):
        small().write(tmp_path / "log.parquet")
    small().write(tmp_path / "log.csv")


def test_a_large_table_by_the_standard_library(tmp_path):
    """Read back by another reader, number by number."""
    vectors = np.random.default_rng(4).integers(0, 2, (20, 500))
    log = le.SubmissionLog(teams=["ann"] * 20, times=["2027-01-01"] * 20, predictions=vectors)
    log.write(tmp_path / "log.csv")
    with (tmp_path / "log.csv").open(newline="") as file:
        assert [[int(row[str(j)]) for j in range(500)] for row in csv.DictReader(file)] == vectors.tolist()
