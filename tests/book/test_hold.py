"""The programs of *Hold a board*, each run as its platform would: an empty folder, a process, files in, JSON out."""

import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import yaml
from chapters import ROOT

import leaderboard_edu as le
from leaderboard_edu.__main__ import main

PROGRAMS = ROOT / "book" / "hold"
LABELS = np.random.default_rng(3).integers(0, 2, 200)
# What the platforms give a process, besides what the project needs to be found.
SPARE = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"}


def right(share):
    """Return predictions of which about this share is right."""
    draw = np.random.default_rng(int(1000 * share))
    return np.where(draw.random(LABELS.size) < share, LABELS, 1 - LABELS)


class Codabench:
    """A worker: each submission has folders of its own, and one folder stays."""

    def __init__(self, folder):
        self.folder, self.runs = folder, 0
        (folder / "data").mkdir()

    def start(self, account, predictions, name="predictions.txt"):
        """Start a container, as far as a process is one."""
        self.runs += 1
        app = self.folder / f"run{self.runs}"
        for part in ("program", "input/ref", "input/res", "output"):
            (app / part).mkdir(parents=True)
        (app / "data").symlink_to(self.folder / "data")
        for file in ("codabench_score.py", "metadata.yaml"):
            shutil.copy(PROGRAMS / file, app / "program")
        np.savetxt(app / "input" / "ref" / "labels.txt", LABELS, fmt="%g")
        np.savetxt(app / "input" / "res" / name, predictions, fmt="%g")
        command = yaml.safe_load((app / "program" / "metadata.yaml").read_text())["command"].split()
        assert command[0] == "python3"
        return subprocess.Popen(
            [sys.executable, *(word.replace("/app", str(app)) for word in command[1:])],
            cwd=app / "program",
            env={**SPARE, **({"ACCOUNT": account} if account else {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ), app / "output" / "scores.json"

    def finish(self, process, scores):
        """Return the scores, or what the program says if it fails."""
        out, error = process.communicate()
        assert out == ""
        assert scores.exists() == (process.returncode == 0)
        return json.loads(scores.read_text())["loss"] if scores.exists() else error

    def score(self, *submission, **changed):
        return self.finish(*self.start(*submission, **changed))

    @property
    def log(self):
        return self.folder / "data" / "board.sqlite"


HOSTED = """
import json, sys
from evalai_main import evaluate
labels, path, phase, team, target = sys.argv[1:]
submission = {"id": 7, "participant_team": int(team), "participant_team_name": "Team " + team}
output = evaluate(labels, path, phase, submission_metadata=submission)
(part,) = output["result"]
assert part["test_split"] == output["submission_result"]
json.dump(part["test_split"], open(target, "w"))
"""
REMOTE = """
import json, sys
from evalai_remote import evaluate_remotely
labels, path, phase, team, target = sys.argv[1:]
submission = {"id": 7, "participant_team": int(team), "participant_team_name": "Team " + team}
(part,) = json.loads(json.dumps(evaluate_remotely(path, phase, submission)["result"]))
assert (part["split"], part["show_to_participant"]) == ("test_split", True)
json.dump(part["accuracies"], open(target, "w"))
"""


class EvalAI:
    """A worker that calls the function in a process of its own."""

    def __init__(self, folder, driver):
        self.folder, self.driver, self.runs = folder, driver, 0
        for name in ("evalai_main.py", "evalai_remote.py"):
            shutil.copy(PROGRAMS / name, folder)
        np.savetxt(folder / "labels.txt", LABELS, fmt="%g")

    def start(self, team, predictions, phase="test"):
        self.runs += 1
        path, target = self.folder / f"submission{self.runs}.txt", self.folder / f"scores{self.runs}.json"
        np.savetxt(path, predictions, fmt="%g")
        return subprocess.Popen(
            [sys.executable, "-c", self.driver, "labels.txt", path, phase, team, target],
            cwd=self.folder,
            env={**SPARE, "BOARD_FOLDER": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ), target

    def finish(self, process, target):
        """Return the scores, or the last line of the error, which the worker sends to the participant."""
        _, error = process.communicate()
        assert target.exists() == (process.returncode == 0)
        return json.loads(target.read_text())["Loss"] if target.exists() else error.splitlines()[-1]

    def score(self, *submission, **changed):
        return self.finish(*self.start(*submission, **changed))

    @property
    def log(self):
        return self.folder / "test.sqlite"


@pytest.fixture(params=["Codabench", "EvalAI", "EvalAI, remote"])
def platform(request, tmp_path):
    if request.param == "Codabench":
        return Codabench(tmp_path)
    return EvalAI(tmp_path, REMOTE if "remote" in request.param else HOSTED)


def rows(platform):
    """Return the submissions that the log holds."""
    return le.BoardLog(platform.log, LABELS, mechanism=lambda y: le.SimplifiedLadder(y, eta="1/100")).submissions()


def test_one_after_the_other(platform):
    """As a board that is never shut down would answer."""
    alone = le.Leaderboard(LABELS, mechanism=lambda y: le.SimplifiedLadder(y, eta="1/100"))
    sent = [("1", right(0.6)), ("2", right(0.7)), ("1", right(0.55)), ("1", right(0.8)), ("2", right(0.71))]
    shown = [platform.score(*each) for each in sent]
    assert shown == [alone.submit(*each) for each in sent]
    assert shown[2] == shown[0]  # the Ladder remembers
    assert rows(platform).teams == ("1", "2", "1", "1", "2")


def test_two_at_once(platform):
    """Each has its answer, and the board both; that the log was not there yet is no matter."""
    started = [platform.start(team, right(share)) for team, share in (("1", 0.6), ("2", 0.7), ("1", 0.6))]
    shown = [platform.finish(*each) for each in started]
    assert shown[0] == shown[2] != shown[1]
    assert sorted(rows(platform).teams) == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (right(0.6)[:-1], "predictions must have 200 entries, one per holdout label, got 199"),
        (right(0.6) / 2, "predictions must be classes, not probabilities"),
        ([], "predictions must"),
    ],
)
def test_a_bad_submission(platform, predictions, message):
    """The participant reads why; the log has no row of it."""
    platform.score("1", right(0.6))
    assert message in platform.score("1", predictions)
    assert len(rows(platform)) == 1


def test_codabench_without_a_file_or_an_account(tmp_path):
    """Nothing of the labels is in the message, and no log is touched."""
    platform = Codabench(tmp_path)
    message = platform.score("1", right(0.6), name="answers.txt")
    assert message.startswith("Not scored: ")
    assert message.endswith("predictions.txt not found.\n")
    assert platform.score(None, right(0.6)) == "Not scored: the worker does not say whose submission this is.\n"
    assert len(rows(platform)) == 0


def test_codabench_where_nothing_lasts(tmp_path):
    """A folder that can only be read, as on a worker that was not changed, is said to be one."""
    platform = Codabench(tmp_path)
    shutil.rmtree(tmp_path / "data")
    assert platform.score("1", right(0.6)).endswith("unable to open database file; no log was begun\n")


def test_evalai_has_a_log_for_each_phase(tmp_path):
    platform = EvalAI(tmp_path, HOSTED)
    for phase in ("dev", "test"):
        platform.score("1", right(0.6), phase=phase)
    assert {path.name for path in tmp_path.glob("*.sqlite")} == {"dev.sqlite", "test.sqlite"}


def test_the_code_of_the_page_runs(tmp_path, monkeypatch, capsys):
    """In its order; then the log is audited, and who opens it again has the same boards."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall("```python\n(.*?)```", (PROGRAMS.parent / "hold_a_board.md").read_text(), re.DOTALL)
    assert len(blocks) == 3
    boards = []
    for _ in range(2):
        place = {"labels": LABELS, "predictions": right(0.7)}
        exec("".join(blocks), place)
        boards.append([place[name] for name in ("board", "noisy")])
    boards[0][1].submit("ann", right(0.6))
    assert boards[0][1].standings() == boards[1][1].standings() != ()
    assert len(boards[0][0].submissions()) == 2
    (tmp_path / "labels.csv").write_text("id,label\n" + "".join(f"{i},{y}\n" for i, y in enumerate(LABELS)))
    assert main(["audit", "labels.csv", "log.csv"]) == 0
    assert "2 submissions by 1 teams, 200 labels" in capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.name)
def test_programs_are_short_and_on_the_page(path):
    assert len(path.read_text().splitlines()) <= 30
    assert f"literalinclude}} hold/{path.name}\n" in (PROGRAMS.parent / "hold_a_board.md").read_text()
