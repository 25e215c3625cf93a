"""The command that audits files: what it reads, what it writes, and what it says of wrong files."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from contests import honest_contest

import leaderboard_edu as le
from leaderboard_edu.__main__ import main

LABELS = "id,label,public\np1,0,1\np2,1,1\np3,1,0\np4,0,0\n"
LOG = "team,time,p4,p3,p2,p1\nann,2027-01-01T09:00,0,1,1,0\nbob,2027-01-01T10:00,1,1,1,0\nann,2027-01-02,0,0,1,0\n"
FILE = "id,prediction\np4,0\np3,1\np2,1\np1,0\n"
FILES = {
    "manifest": {
        "manifest.csv": "file,team,time\nb.csv,bob,2027-01-01T10:00\na.csv,ann,2027-01-01 09:00\nc.csv,ann,2027-01-02",
        "a.csv": FILE,
        "b.csv": FILE.replace("p4,0", "p4,1"),
        "c.csv": FILE.replace("p3,1", "p3,0"),
    },
    "names": {
        "ann_2027-01-01T090000.csv": FILE,
        "bob_2027-01-01T100000.csv": FILE.replace("p4,0", "p4,1"),
        "ann_2027-01-02.csv": FILE.replace("p3,1", "p3,0"),
        "notes.txt": "not a submission",
    },
    "folders": {
        "ann/2027-01-01T090000.csv": FILE,
        "bob/2027-01-01T100000.csv": FILE.replace("p4,0", "p4,1"),
        "ann/2027-01-02.csv": FILE.replace("p3,1", "p3,0"),
    },
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with good files, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "log.csv").write_text(LOG)
    return tmp_path


def fill(folder, files):
    """Write files into a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def run(capsys, *arguments):
    """Run the command and return its exit code, what it printed, and what it complained of."""
    try:
        code = main(["audit", *arguments])
    except SystemExit as error:
        code = error.code
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def expected():
    """Return the audit of the good files."""
    log = le.SubmissionLog(
        teams=["ann", "bob", "ann"],
        times=["2027-01-01T09:00", "2027-01-01T10:00", "2027-01-02"],
        predictions=[[0, 1, 1, 0], [0, 1, 1, 1], [0, 1, 0, 0]],
    )
    return le.audit([0, 1, 1, 0], log, [True, True, False, False])


def test_a_csv_log_is_audited(folder, capsys):
    assert run(capsys, "labels.csv", "log.csv") == (0, f"{expected()}\n", "")
    assert sorted(path.name for path in folder.iterdir()) == ["labels.csv", "log.csv"]


def test_a_parquet_log_is_audited(folder, capsys):
    le.SubmissionLog.read("log.csv").write("log.parquet")
    assert run(capsys, "labels.csv", "log.parquet") == (0, f"{expected()}\n", "")


@pytest.mark.parametrize("kind", FILES)
def test_a_folder_is_audited(kind, folder, capsys):
    fill(folder / "log", FILES[kind])
    assert run(capsys, "labels.csv", "log") == (0, f"{expected()}\n", "")


def test_progress_is_shown_on_a_terminal(folder, capsys, monkeypatch):
    fill(folder / "log", FILES["names"])
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, printed, bars = run(capsys, "labels.csv", "log")
    assert (code, printed) == (0, f"{expected()}\n")
    assert "3/3" in bars
    assert "8/8" in bars


@pytest.mark.parametrize("public", ["board", "scored.csv"])
def test_public_rows_stand_in_a_column_or_a_file(public, folder, capsys):
    fill(folder, {"labels.csv": LABELS.replace("public", "board"), "scored.csv": "id,why\np2,\np1,easy\n"})
    assert run(capsys, "labels.csv", "log.csv", "--public", public) == (0, f"{expected()}\n", "")
    assert "0 final" in run(capsys, "labels.csv", "log.csv")[1]


def test_the_command_runs_as_a_module(folder):
    command = [sys.executable, "-m", "leaderboard_edu", "audit", "labels.csv", "log.csv", "--out", "report.html"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    assert done.stdout == f"{expected()}\n\nThe report: report.html\n"
    assert (folder / "report.html").read_text(encoding="utf-8") == expected().to_html()


# what is wrong: the files, the arguments, the message
LOG_FORM = (
    "CSV or Parquet with the columns team, time and one for each id; or a folder with a CSV (id, prediction) for each "
    "submission, named TEAM_TIME.csv or TEAM/TIME.csv, or listed in manifest.csv (file, team, time)"
)
MISSING = "there must be a prediction for each id, got none for 'p3' (1 in all)"
BAD = {
    "no labels": (
        {},
        ["none.csv", "log.csv"],
        "LABELS must be CSV with the columns id and label, and maybe public, got 'none.csv', which is not there\n",
    ),
    "no log": ({}, ["labels.csv", "none"], f"LOG must be {LOG_FORM}, got 'none', which is not there\n"),
    "a folder of labels": (
        {"folder/labels.csv": LABELS},
        ["folder", "log.csv"],
        "LABELS must be CSV with the columns id and label, and maybe public, got 'folder', which is a folder\n",
    ),
    "other suffix": ({"log.txt": LOG}, ["labels.csv", "log.txt"], "path must end in .csv or .parquet, got 'log.txt'"),
    "wrong columns": (
        {"labels.csv": "row,label\np1,0\n"},
        [],
        "labels.csv, line 1: there must be a column 'id', got ['row', 'label']",
    ),
    "column twice": (
        {"labels.csv": "id,label,label\np1,0,0\n"},
        [],
        "labels.csv, line 1: the columns must be different, got ['id', 'label', 'label']",
    ),
    "short line": (
        {"labels.csv": LABELS.replace("p3,1,0", "p3,1")},
        [],
        "labels.csv, line 4: it must have 3 fields, as the first line, got 2",
    ),
    "duplicate id": (
        {"labels.csv": LABELS.replace("p3,", "p1,")},
        [],
        "labels.csv, line 4, column 'id' must be different in each line, got 'p1' again",
    ),
    "mixed types": (
        {"labels.csv": LABELS.replace("p3,1", "p3,cat")},
        [],
        "labels.csv, line 4, column 'label' must be a number, as in the lines before, got 'cat'",
    ),
    "empty label": (
        {"labels.csv": LABELS.replace("p3,1", "p3,")},
        [],
        "labels.csv, line 4, column 'label' must not be empty",
    ),
    "no rows": ({"labels.csv": "id,label\n"}, [], "labels.csv: there must be a line for each row, got none"),
    "no CSV": (
        {"labels.csv": 'id,label\np1,"0\n'},
        [],
        "labels.csv, line 2: it must be CSV, got unexpected end of data",
    ),
    "no text": (
        {"labels.csv": b"id,label\np1,\xff\n"},
        [],
        "labels.csv: it must be text in UTF-8, got 'utf-8' codec can't decode byte 0xff in position 12: "
        "invalid start byte",
    ),
    "public is no truth value": (
        {"labels.csv": LABELS.replace("p3,1,0", "p3,1,2")},
        [],
        "labels.csv, line 4, column 'public' must be 1 or 0, got '2'",
    ),
    "no such column": (
        {},
        ["labels.csv", "log.csv", "--public", "seen"],
        "--public must be a column of labels.csv or a CSV file of ids, got 'seen'",
    ),
    "public id unknown": (
        {"seen.csv": "id\np1\np9\n"},
        ["labels.csv", "log.csv", "--public", "seen.csv"],
        "seen.csv, line 3, column 'id' must be an id of the labels, got 'p9'",
    ),
    "missing row": ({"log.csv": LOG.replace("p3", "p5")}, [], f"log.csv: {MISSING}"),
    "unknown row": (
        {"labels.csv": LABELS.replace("p3,1,0\n", "")},
        [],
        "log.csv: each column must be an id of the labels, got 'p3' (1 in all)",
    ),
    "a column of words": (
        {"log.csv": LOG.replace("p4", "note,p4").replace(",0,1,1,0", ",easy,0,1,1,0")},
        [],
        "log.csv, line 2, column 'note' must be a finite number, got 'easy'",
    ),
    "a column of numbers": (
        {"log.csv": "team,time,score,p4,p3,p2,p1\nann,2027-01-01T09:00,0.5,0,1,1,0\n"},
        [],
        "log.csv: each column must be an id of the labels, got 'score' (1 in all)",
    ),
    "semicolons": (
        {"labels.csv": LABELS.replace(",", ";")},
        [],
        "labels.csv, line 1: commas must be between the columns, as after pandas.read_csv(path, sep=';', decimal=',')"
        ".to_csv(path, index=False), got 'id;label;public'",
    ),
    "times": (
        {"log.csv": LOG.replace("2027-01-02", "2026-01-02")},
        [],
        "log.csv, line 4, column 'time' must not be before the line above, got '2026-01-02'",
    ),
    "empty folder": (
        {"log/notes.txt": ""},
        ["labels.csv", "log"],
        "log: there must be a CSV file of a submission at least, named TEAM_TIME.csv or TEAM/TIME.csv, or listed in",
    ),
    "name": (
        {"log/ann.csv": FILE},
        ["labels.csv", "log"],
        "log/ann.csv: its name must be TEAM_TIME.csv or TEAM/TIME.csv, or manifest.csv must say so",
    ),
    "time in a name": (
        {"log/ann_monday.csv": FILE},
        ["labels.csv", "log"],
        "log/ann_monday.csv: the time in its name must be in ISO format, such as '2027-01-31T09:00:00', got 'monday'",
    ),
    "file of the manifest": (
        {"log/manifest.csv": "file,team,time\na.csv,ann,2027-01-01\n"},
        ["labels.csv", "log"],
        "log/manifest.csv, line 2, column 'file' must name a file in log, got 'a.csv'",
    ),
    "missing row in a file": (
        {"log/ann_2027-01-01.csv": FILE.replace("p3,1\n", "")},
        ["labels.csv", "log"],
        f"log/ann_2027-01-01.csv: {MISSING}",
    ),
    "duplicate id in a file": (
        {"log/ann_2027-01-01.csv": FILE.replace("p3,", "p4,")},
        ["labels.csv", "log"],
        "log/ann_2027-01-01.csv, line 3, column 'id' must be different in each line, got 'p4' again",
    ),
    "mixed types in a file": (
        {"log/ann_2027-01-01.csv": FILE.replace("p3,1", "p3,cat")},
        ["labels.csv", "log"],
        "log/ann_2027-01-01.csv, line 3, column 'prediction' must be a number, as in the lines before, got 'cat'",
    ),
    "words for numbers": (
        {"log/ann_2027-01-01.csv": "id,prediction\np1,cat\np2,dog\np3,dog\np4,cat\n"},
        ["labels.csv", "log"],
        "log/ann_2027-01-01.csv, line 2, column 'prediction' must hold numbers, as the labels do, got 'cat'",
    ),
    "third column": (
        {"log/ann_2027-01-01.csv": "id,prediction,note\np1,1,\n"},
        ["labels.csv", "log"],
        "log/ann_2027-01-01.csv, line 1: the columns must be 'id' and one of predictions, "
        "got ['id', 'prediction', 'note']",
    ),
    "out": (
        {},
        ["labels.csv", "log.csv", "--out", "none/report.html"],
        "--out must be a file in a folder that is there, got 'none/report.html'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_files_are_named_with_their_line(case, folder, capsys):
    files, arguments, message = BAD[case]
    fill(folder, files)
    before = sorted(folder.rglob("*"))
    arguments = arguments or ["labels.csv", "log.csv"]
    out = [] if "--out" in arguments else ["--out", "report.html"]
    code, printed, complaint = run(capsys, *arguments, *out)
    assert (code, printed) == (2, "")
    assert complaint.startswith(f"error: {message}")
    assert complaint.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("arguments", [[], ["labels.csv"], ["labels.csv", "log.csv", "--new", "x"]])
def test_wrong_arguments_are_told(arguments, capsys):
    code, printed, complaint = run(capsys, *arguments)
    assert (code, printed) == (2, "")
    assert "usage: python -m leaderboard_edu" in complaint


def test_a_report_that_cannot_be_finished_leaves_the_old_one(folder, monkeypatch):
    fill(folder, {"report.html": "old"})
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("disk")))
    with pytest.raises(OSError, match="disk"):
        expected().write("report.html")
    assert (folder / "report.html").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["labels.csv", "log.csv", "report.html"]


class Page(HTMLParser):
    """What a page holds: its tags, all closed, its texts and its addresses."""

    VOID = ("meta", "line", "rect")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts, self.addresses = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "xlink:href", "action")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag in self.open:
            self.open.remove(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def report():
    """Return the audit of a contest with an attacker of a wicked name, and its page."""
    contest = honest_contest(3, 600, teams=5, files=8)
    name = "</td><script>alert('eve & co')</script>"
    for _ in range(60):
        contest.send(name, contest.rng.integers(0, 2, 600))
    found = contest.audit()
    return found, name, found.to_html()


def test_a_report_needs_nothing_else(report):
    _, _, text = report
    page = Page(text)
    assert page.addresses == []
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not re.search(r"https?:|@import|url\(", text)
    assert page.tags.count("svg") == 3
    assert "prefers-color-scheme: dark" in text
    assert "width=device-width" in text


def test_a_report_escapes_names(report):
    found, name, text = report
    assert name not in text
    assert name in Page(text).texts
    assert found.suspects == ((name,),)


def test_a_report_says_all_gaps_and_boards(report):
    found, _, text = report
    texts = Page(text).texts
    assert {row.team for row in found.gaps} <= set(texts)
    assert {f"{row.public:.4f}" for row in found.gaps} <= set(texts)
    assert {found.plan.rule, found.plan.recommendation, found.plan.code} <= set(texts)
    assert {board.name for board in found.boards} <= set(texts)
    assert {f"{row.low:+.4f} to {row.high:+.4f}" for row in found.gaps} <= set(texts)


def test_arrays_and_files_agree(folder, capsys):
    contest = honest_contest(4, 200, teams=5, files=6)
    log = contest.log()
    log.write(folder / "log.csv")
    lines = [
        f"{i},{label},{int(seen)}" for i, (label, seen) in enumerate(zip(contest.labels, contest.public, strict=True))
    ]
    np.random.default_rng(0).shuffle(lines)
    fill(folder, {"labels.csv": "\n".join(["id,label,public", *lines])})
    assert run(capsys, "labels.csv", "log.csv")[1] == f"{contest.audit()}\n"


@pytest.mark.parametrize("kind", ["log.csv", "log.parquet", "log"])
def test_words_are_classes(kind, folder, capsys):
    words = {"0": "no", "1": "yes"}
    labels = [line.split(",") for line in LABELS.splitlines()[1:]]
    table = ["id,label,public", *(f"{row},{words[label]},{seen}" for row, label, seen in labels)]
    fill(folder, {"labels.csv": "\n".join(table)})
    log = le.SubmissionLog.read("log.csv")
    files = np.array(["no", "yes"])[log.predictions]
    said = le.SubmissionLog(teams=log.teams, times=log.times, predictions=files, row_ids=log.row_ids)
    if kind == "log":
        for team, time, file in zip(said.teams, said.times, said.predictions, strict=True):
            name = f"log/{team}_{str(time).replace(':', '')}.csv"
            rows = zip(said.row_ids, file, strict=True)
            fill(folder, {name: "\n".join(["id,answer", *(f"{row},{word}" for row, word in rows)])})
    else:
        said.write(kind)
    assert run(capsys, "labels.csv", kind) == (0, f"{expected()}\n", "")
