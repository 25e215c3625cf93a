"""`python -m instructor grade` gives every file its row, whatever the files are, and can be interrupted."""

import contextlib
import csv
import hashlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from types import SimpleNamespace

import psutil
import pytest
from hostile import SUBMISSIONS, in_function, notebook
from small_sets import PROOF, case, question, solution, write

from instructor import __main__ as command_line
from instructor import confine, grading
from instructor.examiner import Examiner, Pipe, Record, read_cells
from instructor.grading import FOLDER, Autograder, Worker, grade
from instructor.limits import Limits
from instructor.release import release
from instructor.sources import ROOT

SLEEP = "123454321"


def code_question(name, function, expression, two, ten):
    return question(
        name,
        answer=solution(function, expression),
        visible=case(function, "two", f"{function}(2) == {two}, 'a visible reason'"),
        hidden=case(function, "ten", f"abs({function}(10) - {ten}) < 1e-9, 'a hidden reason'", hidden=True),
        wrong=[],
    )


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    source = write(
        folder / "small.ipynb",
        *code_question("q1", "double", "2 * x", 4, 20),
        *code_question("q2", "half", "x / 2", 1, 5),
        *code_question("q3", "triple", "3 * x", 6, 30),
        *PROOF,
    )
    return release(source, folder / "out")[1]


def command(autograder, submissions, out, *options):
    return [sys.executable, "-m", "instructor", "grade", str(autograder), str(submissions), str(out), *options]


def run(*arguments, **environment):
    environment = os.environ | environment
    return subprocess.run(command(*arguments), cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def refusal(monkeypatch, capsys):
    """Return a function that gives what is said where nothing is graded, for which this process will do."""

    def said(*arguments):
        monkeypatch.setattr("sys.argv", command(*arguments)[2:])
        assert command_line.main() == 2
        return capsys.readouterr().err

    return said


def rows(out):
    with out.open(encoding="utf-8", newline="") as file:
        return {row["file"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def hostile(autograder, tmp_path_factory, show):
    """All hostile submissions graded in one run; the table, and what was printed."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "precious").write_text("kept")
    (folder / "folder").mkdir()
    (folder / "folder" / "precious").write_text("kept")
    (folder / "tmp").mkdir()
    for name, (text, *_) in SUBMISSIONS.items():
        path = folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for mark in ("outside", "precious", "folder"):
            text = text.replace(f"{{{mark}}}", str(folder / mark))
        path.write_text(text.replace("{seconds}", SLEEP))
    (folder / "in" / "dangling.ipynb").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "in" / "pipe.ipynb")
    (folder / "in" / ".DS_Store").write_text("hidden")
    options = ("--seconds=2", "--memory=500", "--anonymous")
    done = run(autograder, folder / "in", folder / "out.csv", *options, TMPDIR=str(folder / "tmp"))
    assert done.returncode == 1, done.stderr
    table = rows(folder / "out.csv").values()
    show("hostile notebooks", [f"{row['file']:45} {row['status']:8} {row['points']:>5} {row['note']}" for row in table])
    return folder, done


def test_what_the_clock_cut_off_is_tried_once_more_alone(monkeypatch, tmp_path):
    """Its second report counts, whatever it is; the others are graded once."""
    tries = []

    def together(paths, autograder, *, alone=False, **_):
        for path in paths:
            tries.append((path.stem, alone))
            slow = path.stem == "always" or (path.stem == "busy" and not alone)
            yield path, grading.Report("timeout" if slow else "graded", "", {}, {}, late=slow)

    monkeypatch.setattr(grading, "_grade_together", together)
    found = grading.grade([tmp_path / name for name in ("quick", "busy", "always")], None)
    assert {path.stem: report.status for path, report in found} == {
        "quick": "graded",
        "busy": "graded",
        "always": "timeout",
    }
    assert tries == [("quick", False), ("busy", False), ("always", False), ("busy", True), ("always", True)]


def shown(name):
    """Return how a file is called in the table."""
    name = os.fsencode(name).decode(errors="backslashreplace")
    return f"'{name}" if name.startswith("=") else name


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_each_file_gets_its_row(hostile, name):
    folder, _ = hostile
    _, status, points = SUBMISSIONS[name]
    row = rows(folder / "out.csv")[shown(name)]
    assert (row["status"], row["q1 (2)"], row["q2 (2)"], row["q3 (2)"]) == (status, *map(str, points))
    assert row["q4 (8)"] == "pending"
    assert row["pending"] == "8"
    assert row["points"] == ("" if "" in points else str(sum(points)))
    assert len(row["sha256"]) == 64


def test_every_file_has_one_row(hostile):
    """Hidden files have none; links that lead nowhere and pipes have."""
    folder, done = hostile
    table = rows(folder / "out.csv")
    unusual = {"dangling.ipynb", "pipe.ipynb"}
    assert set(table) == {*map(shown, SUBMISSIONS), *unusual}
    assert {table[name]["status"] for name in unusual} == {"unreadable"}
    assert "Hidden files are left out: 1." in done.stderr
    for name, (text, *_) in SUBMISSIONS.items():
        if not any(f"{{{mark}}}" in text for mark in ("outside", "precious", "folder", "seconds")):
            assert table[shown(name)]["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_every_file_has_a_row_for_its_mark(hostile):
    folder, _ = hostile
    with (folder / "out.marks.csv").open(encoding="utf-8", newline="") as file:
        sheet = list(csv.DictReader(file))
    assert set(sheet[0]) == {"code", "sha256", "state", "q4 (8)", "comment"}
    assert len({row["code"] for row in sheet}) == len(sheet) == len(SUBMISSIONS) + 2
    assert {row["state"] for row in sheet} == {"not found"}
    assert "right.ipynb" not in (folder / "out.proofs.html").read_text()


def test_notes_say_what_was_cut_off(hostile):
    table = rows(hostile[0] / "out.csv")
    assert table["loop_in_cell.ipynb"]["note"] == "cell 2: timeout"
    assert table["loop_in_function.ipynb"]["note"] == "q1: timeout"
    assert table["memory_in_children.ipynb"]["note"] == "cell 2: memory"
    for name in ("many_files", "files_without_names", "files_in_memory"):
        assert table[f"{name}.ipynb"]["note"] == "cell 2: files"
    # To make so many takes a busy machine's processor longer than a cell may.
    assert table["many_empty_files.ipynb"]["note"] in ("cell 2: files", "cell 2: timeout")
    assert table["bomb.ipynb"]["note"] == table["bomb_apart.ipynb"]["note"] == "cell 3: processes"
    assert table["bomb_in_function.ipynb"]["note"] == "q1: processes"
    assert table["bomb_in_shell.ipynb"]["note"] == "cell 2: processes"
    assert table["sleeps.ipynb"]["note"] == "q1: timeout"
    assert table["os_exit_in_function.ipynb"]["note"] == "q1: crashed"
    assert table["exits_everywhere.ipynb"]["note"] == "cell 2: crashed, cell 4: crashed, cell 6: crashed"
    assert table["large.ipynb"]["note"] == "larger than 20 MB"
    assert table["truncated.ipynb"]["note"] == "not a notebook: it is not JSON"
    assert table["exception.ipynb"]["note"] == "error in cell 2"
    assert table["list.ipynb"]["note"] == "not a notebook: it has no list of cells"


@pytest.mark.parametrize(
    ("passed", "said", "cut"),
    [
        ("processes", [{"cell": 0}, {"cell": 1}], {1: "processes"}),
        ("processes", [{"cell": 0}, {"cell": 1}, {"finished": True}], {}),
        ("timeout", [{"cell": 0}, {"cell": 1}], {0: "timeout"}),
    ],
)
def test_the_cell_that_passed_a_limit_is_named(passed, said, cut):
    """On a busy machine the next cell begins before the grader looks; what it says waits to be read."""
    out, into = os.pipe()
    os.write(into, b"".join(json.dumps(message).encode() + b"\n" for message in said))
    looks = iter(["", passed])
    watch = SimpleNamespace(due=True, used_up=False, step=lambda: None, over=lambda: next(looks))
    record = Record({})
    Examiner._follow(SimpleNamespace(parts=[]), Pipe(out), record, watch)
    assert record.cut == cut
    os.close(out)
    os.close(into)


def test_nothing_outside_was_touched(hostile):
    folder, _ = hostile
    assert (folder / "precious").read_text() == (folder / "folder" / "precious").read_text() == "kept"
    ours = [
        "folder",
        "in",
        "out.csv",
        "out.feedback",
        "out.journal",
        "out.marks.csv",
        "out.proofs.html",
        "precious",
        "tmp",
    ]
    assert sorted(path.name for path in folder.iterdir()) == ours


def test_nothing_is_left_behind(hostile):
    """No process and no file of a submission outlives the run."""
    folder, _ = hostile
    assert list((folder / "tmp").iterdir()) == []
    left = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            place = process.environ().get("TMPDIR", "")
            if SLEEP in process.cmdline() or place.startswith(str(folder)):
                left.append(process.cmdline())
    assert left == []


def test_the_summary_cannot_be_taken_for_success(hostile):
    folder, done = hostile
    files = len(SUBMISSIONS) + 2
    statuses = [status for _, status, _ in SUBMISSIONS.values()] + ["unreadable"] * 2
    counts = ", ".join(
        f"{statuses.count(status)} {status}" for status in ("graded", "partial", "timeout", "crashed", "unreadable")
    )
    lines = done.stdout.splitlines()
    assert lines[0] == f"{files} files: {counts}."
    bad = files - statuses.count("graded")
    assert lines[-1] == f"NOT COMPLETE: {bad} of {files} files need a look."
    assert len(lines) == bad + 6
    suspects = sum(bool(row["look"]) for row in rows(folder / "out.csv").values())
    assert 0 < suspects < files
    assert f"The column *look* says something of {suspects} files. It costs no points." in lines
    assert "  unreadable two\\nlines.ipynb: " in done.stdout
    assert "  partial    loop_in_cell.ipynb: cell 2: timeout" in lines
    assert f"Proofs to mark: {folder / 'out.proofs.html'}." in lines
    assert f"No marks of a person yet; their place: {folder / 'out.marks.csv'}." in lines
    assert "run by your account" in done.stderr
    assert confine.missing() in done.stderr


def test_who_uses_the_container_is_not_told_to(autograder, tmp_path, monkeypatch, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "no.ipynb").write_text("")
    for variable, told in (("", True), ("docker", False)):
        monkeypatch.setenv("container", variable)
        monkeypatch.setattr("sys.argv", command(autograder, tmp_path / "in", tmp_path / "out.csv")[2:])
        assert command_line.main() == 1
        assert ("use the container" in capsys.readouterr().err) == told


def test_feedback_says_why_and_tells_no_secret(hostile):
    feedback = hostile[0] / "out.feedback"
    table = rows(hostile[0] / "out.csv")
    pages = {f"{name}.html": (feedback / row["feedback"]).read_text() for name, row in table.items()}
    assert len({row["feedback"] for row in table.values()}) == len(table) == len(list(feedback.iterdir()))
    assert not [name for name, page in pages.items() if "a hidden reason" in page or "1e-9" in page]
    assert "a visible reason" in pages["library_patched.ipynb.html"]
    assert "See “The grid” in the chapter “The Ladder”." in pages["library_patched.ipynb.html"]
    assert "Tests passed: 1 of 1 visible, 0 of 1 hidden." in pages["wrong.ipynb.html"]
    assert "cell 2: ZeroDivisionError: division by zero" in pages["exception.ipynb.html"]
    assert "ran out of time" in pages["loop_in_function.ipynb.html"]
    assert "<h2>q4</h2>\n<p>8 points, not marked yet.</p>" in pages["right.ipynb.html"]
    assert "&lt;b&gt;" in pages["long_message.ipynb.html"]
    assert "<b>" not in pages["long_message.ipynb.html"]
    assert max(map(len, pages.values())) < 20_000


@pytest.mark.nightly
def test_a_notebook_has_ten_times_as_long_as_a_cell(autograder, tmp_path):
    """Forty cells take 0.1 seconds each: none is too slow by itself, but 2.5 seconds end before the questions come."""
    path = tmp_path / "slow.ipynb"
    path.write_text(
        notebook(*["import time\n\nend = time.process_time() + 0.1\nwhile time.process_time() < end:\n    pass"] * 40)
    )
    ((_, report),) = grade([path], Autograder.read(autograder), limits=Limits(seconds=0.25))
    assert (report.status, report.note) == ("timeout", "q1: timeout, q2: timeout, q3: timeout")


def test_draws_without_a_seed_repeat(hostile, autograder):
    """The same notebook draws the same from the generators of Python and NumPy in another process."""
    folder, _ = hostile
    table = rows(folder / "out.csv")
    ((_, report),) = grade([folder / "in" / "draws.ipynb"], Autograder.read(autograder))
    assert report.errors["2"] in (folder / "out.feedback" / table["draws.ipynb"]["feedback"]).read_text()


@pytest.mark.nightly
def test_a_process_that_is_killed_from_outside_is_replaced(autograder, tmp_path):
    """While it waits, and while it examines a notebook: the notebook is examined again."""
    path = tmp_path / "slow.ipynb"
    path.write_text(notebook("import time\n\ntime.sleep(1)"))
    worker = Worker(Autograder.read(autograder), Limits())
    assert worker.grade(path).status == "graded"
    worker._process.kill()
    assert worker.grade(path).status == "graded"
    killer = threading.Timer(0.3, worker._process.kill)
    killer.start()
    killed = worker._process
    assert worker.grade(path).status == "graded"
    assert killed.returncode == -signal.SIGKILL
    worker.close()


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_notebook_that_stops_the_grader_is_given_up(autograder, tmp_path, number):
    """It sends all above it to sleep or kills them, where the kernel lets it; without that it would be waited for."""
    path = tmp_path / "stops.ipynb"
    above = "import psutil\n\nfor above in psutil.Process().parents()[:2]:\n    above.send_signal({})"
    path.write_text(notebook(above.format(int(number))))
    ((_, report),) = grade([path], Autograder.read(autograder), limits=Limits(seconds=0.5))
    assert report.status == ("graded" if confine.version() >= confine.SIGNALS[0] else "crashed")


def test_a_grader_that_does_not_start_blames_nobody(autograder, tmp_path):
    broken = tmp_path / "broken.zip"
    shutil.copy(autograder, broken)
    with zipfile.ZipFile(broken, "a") as archive:
        archive.writestr("tests/q9.py", "this is no Python")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "right.ipynb").write_text(notebook())
    done = run(broken, tmp_path / "in", tmp_path / "out.csv")
    assert done.returncode == 2
    assert "the process that grades does not start" in done.stderr
    assert not (tmp_path / "out.csv").exists()
    assert journal(tmp_path / "out.csv") == []


@pytest.fixture(scope="module")
def class_of_nine(autograder, tmp_path_factory):
    """Nine submissions graded without interruption, by two processes; every third is wrong."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "in").mkdir()
    for i in range(9):
        pause = f"import time\n\ntime.sleep(0.3)  # {i}"
        answers = {} if i % 3 else {"double": in_function("return x")}
        (folder / "in" / f"{i}.ipynb").write_text(notebook(pause, **answers))
    done = run(autograder, folder / "in", folder / "out.csv", "--jobs=2")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "All 9 files were graded."
    return folder


def journal(out):
    """Return what the journal says of graded files; its last line may be torn."""
    lines = out.with_suffix(".journal").read_text().splitlines(keepends=True)[1:]
    return [entry for entry in (json.loads(line) for line in lines if line.endswith("\n")) if "report" in entry]


def test_grading_again_grades_nothing_and_gives_the_same(autograder, class_of_nine):
    out = class_of_nine / "out.csv"
    before = out.read_bytes(), out.with_suffix(".journal").read_bytes()
    done = run(autograder, class_of_nine / "in", out)
    assert "9 of 9 files were graded before." in done.stderr
    assert (out.read_bytes(), out.with_suffix(".journal").read_bytes()) == before
    afresh = class_of_nine / "afresh.csv"
    assert run(autograder, class_of_nine / "in", afresh, "--jobs=1").returncode == 0
    assert afresh.read_bytes() == before[0]


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)])
def test_an_interrupted_run_goes_on(autograder, class_of_nine, tmp_path, how):
    """Killed after some rows, even while it writes one, it grades each of the rest once and gives the same table."""
    out = tmp_path / "out.csv"
    arguments = command(autograder, class_of_nine / "in", out, "--jobs=2")
    process = subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not out.with_suffix(".journal").exists() or len(journal(out)) < 3:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(how)
    _, said = process.communicate(timeout=30)
    assert process.returncode == (-9 if how == signal.SIGKILL else 130)
    assert ("INTERRUPTED" in said) == (how != signal.SIGKILL)
    first = journal(out)
    assert 3 <= len(first) < 9
    assert not out.exists()
    with out.with_suffix(".journal").open("a") as file:
        file.write('{"file": "8.ipynb", "sha')
    done = run(autograder, class_of_nine / "in", out)
    assert done.returncode == 0, done.stderr
    assert f"{len(first)} of 9 files were graded before." in done.stderr
    assert journal(out)[: len(first)] == first
    assert sorted(entry["file"] for entry in journal(out)) == [f"{i}.ipynb" for i in range(9)]
    assert out.read_bytes() == (class_of_nine / "out.csv").read_bytes()


FULL = """
mount -t tmpfs -o size=2m none small
$GRADE & grader=$!
until [ "$(grep -c report small/out.journal)" -ge 3 ]; do sleep 0.02; done
cat /dev/zero > small/filler
wait $grader; echo $?
cp small/out.journal first.journal
rm small/filler; $GRADE; echo $?
cp -r small/out.* .
cat /dev/zero > small/filler
$GRADE; echo $?
cmp small/out.csv out.csv && diff -r small/out.feedback out.feedback
"""
IN_USER_SPACE = ["unshare", "--user", "--map-root-user", "--mount"]


@pytest.mark.nightly
def test_a_full_disk_loses_nothing(autograder, class_of_nine, tmp_path):
    """While rows are written, and when all are there and the pages are to be written once more."""
    if shutil.which("unshare") is None or subprocess.run([*IN_USER_SPACE, "true"], check=False).returncode:
        pytest.skip("a disk of 2 MB can be mounted only where user namespaces are allowed")
    (tmp_path / "small").mkdir()
    grading = shlex.join(command(autograder, class_of_nine / "in", tmp_path / "small" / "out.csv", "--jobs=2"))
    script = f"cd {shlex.quote(str(tmp_path))}\n{FULL.replace('$GRADE', f'(cd {ROOT} && {grading})')}"
    done = subprocess.run([*IN_USER_SPACE, "bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.isdecimal()] == ["1", "0", "1"]
    assert done.stderr.count("NOT COMPLETE: [Errno 28] No space left on device") == 2
    assert "Traceback" not in done.stderr
    assert 3 <= len(journal(tmp_path / "first.csv")) < 9
    assert sorted(entry["file"] for entry in journal(tmp_path / "out.csv")) == [f"{i}.ipynb" for i in range(9)]
    assert (tmp_path / "out.csv").read_bytes() == (class_of_nine / "out.csv").read_bytes()


@pytest.mark.nightly
def test_the_folders_of_killed_graders_are_removed(autograder, class_of_nine, tmp_path, monkeypatch):
    """At the start of the next command, but not those of a grader that still runs."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    held = Worker(Autograder.read(autograder), Limits())
    process = subprocess.Popen(
        command(autograder, class_of_nine / "in", tmp_path / "out.csv", "--jobs=1"),
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    while not begun(tmp_path / "out.csv"):
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert len(list(tmp_path.glob(f"{FOLDER}*"))) == 2
    ((_, report),) = grade([class_of_nine / "in" / "0.ipynb"], Autograder.read(autograder), jobs=1)
    assert report.status == "graded"
    assert [str(path) for path in tmp_path.glob(f"{FOLDER}*")] == [held._scratch]
    held.close()
    assert not list(tmp_path.glob(f"{FOLDER}*"))


def test_where_notebooks_write_must_be_room(autograder, class_of_nine, tmp_path, monkeypatch):
    """What was graded without it, and may have gone wrong for want of it, is not written down."""
    free = iter([10**9, 10**9, 10**8])
    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=next(free)))
    noted = []
    paths = [class_of_nine / "in" / f"{i}.ipynb" for i in range(3)]
    tests = Autograder.read(autograder)
    with pytest.raises(OSError, match="Notebooks must have 200 MB"):
        list(grade(paths, tests, jobs=1, note=lambda path, report: noted.append((path, report is None))))
    assert noted[:3] == [(paths[0], True), (paths[0], False), (paths[1], True)]
    assert (paths[1], False) not in noted
    free = iter([599 * 10**6])
    with pytest.raises(OSError, match="Notebooks must have 600 MB"):
        list(grade(paths, tests, jobs=2))


def test_a_notebook_that_takes_the_grader_with_it_is_passed_over(autograder, tmp_path):
    """Begun twice and never ended. What was graded beside it the first time is graded before it is begun again."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "fatal.ipynb").write_text(notebook("import time\n\ntime.sleep(1000)"))
    (tmp_path / "in" / "beside.ipynb").write_text(notebook("import time\n\ntime.sleep(1)"))
    out = tmp_path / "out.csv"
    for graded in (0, 1):
        process = subprocess.Popen(command(autograder, tmp_path / "in", out, "--jobs=2"), cwd=ROOT, stderr=-3)
        while begun(out).count("fatal.ipynb") != graded + 1 or "beside.ipynb" not in begun(out):
            assert process.poll() is None
            time.sleep(0.02)
        if graded:
            assert [entry["file"] for entry in journal(out)] == ["beside.ipynb"]
        process.kill()
        process.wait()
    done = run(autograder, tmp_path / "in", out)
    assert "2 of 2 files were graded before." in done.stderr
    row = rows(out)["fatal.ipynb"]
    assert (row["status"], row["points"], row["note"]) == ("crashed", "", "took the grader with it")
    (tmp_path / "in" / "fatal.ipynb").write_text(notebook())
    assert run(autograder, tmp_path / "in", out).returncode == 0


def begun(out):
    """Return the files that the journal says were begun."""
    path = out.with_suffix(".journal")
    lines = path.read_text().splitlines(keepends=True)[1:] if path.exists() else []
    entries = [json.loads(line) for line in lines if line.endswith("\n")]
    return [entry["file"] for entry in entries if "begun" in entry]


def test_one_file_is_graded_again(autograder, class_of_nine, tmp_path):
    for end in ("csv", "journal"):
        shutil.copy(class_of_nine / f"out.{end}", tmp_path)
    done = run(autograder, class_of_nine / "in", tmp_path / "out.csv", "--again=3.ipynb")
    assert "8 of 9 files were graded before." in done.stderr
    assert [entry["file"] for entry in journal(tmp_path / "out.csv")].count("3.ipynb") == 2
    assert (tmp_path / "out.csv").read_bytes() == (class_of_nine / "out.csv").read_bytes()
    done = run(autograder, class_of_nine / "in", tmp_path / "out.csv", "--again=none.ipynb")
    assert done.returncode == 2
    assert "holds no file none.ipynb" in done.stderr


def test_whole_folders(autograder, tmp_path):
    """With a notebook in it, a folder has rows for notebooks alone; a link is not followed and says what to do."""
    for name in (
        "ann/deep/a.ipynb",
        "ann/tests/q1.py",
        "ann/data.csv",
        "bob/1.ipynb",
        "bob/2.ipynb",
        "eve/a.txt",
        "eve/b.txt",
    ):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(notebook())
    (tmp_path / "key.ipynb").write_text(notebook())
    for link, target in (("linked", "bob"), ("ann/more", "../bob"), ("eve.ipynb", "../key.ipynb"), ("x.ipynb", "no")):
        (tmp_path / "in" / link).symlink_to(target)
    assert run(autograder, tmp_path / "in", tmp_path / "out.csv").returncode == 1
    table = rows(tmp_path / "out.csv")
    assert {name: (row["status"], row["note"]) for name, row in table.items()} == {
        "ann/deep/a.ipynb": ("graded", "3 other files in its folder; not followed: ann/more"),
        "bob/1.ipynb": ("graded", "2 notebooks in its folder"),
        "bob/2.ipynb": ("graded", "2 notebooks in its folder"),
        "eve/a.txt": ("graded", ""),
        "eve/b.txt": ("graded", ""),
        "eve.ipynb": ("unreadable", "a link to ../key.ipynb: hand in the file itself"),
        "linked": ("unreadable", "a link to bob: hand in the folder itself"),
        "x.ipynb": ("unreadable", "a link to no: hand in the file itself"),
    }
    for name in ("eve.ipynb", "x.ipynb"):
        assert [table[name][column] for column in ("points", "look", "sha256")] == ["", "", ""]


def test_no_folder_but_that_of_the_feedback_is_replaced(autograder, tmp_path, refusal):
    """Not even when the submissions are called like it."""
    folder = tmp_path / "out.feedback"
    folder.mkdir()
    (folder / "right.ipynb").write_text(notebook())
    assert "out.feedback is not a folder of feedback" in refusal(autograder, folder, tmp_path / "out.csv")
    assert (folder / "right.ipynb").exists()


def test_only_what_changed_or_is_new_is_graded(autograder, class_of_nine, tmp_path):
    shutil.copytree(class_of_nine / "in", tmp_path / "in")
    for end in ("csv", "journal"):
        shutil.copy(class_of_nine / f"out.{end}", tmp_path)
    (tmp_path / "in" / "0.ipynb").write_text(notebook())
    (tmp_path / "in" / "late.ipynb").write_text(notebook())
    (tmp_path / "in" / "8.ipynb").unlink()
    done = run(autograder, tmp_path / "in", tmp_path / "out.csv")
    assert "7 of 9 files were graded before." in done.stderr
    table = rows(tmp_path / "out.csv")
    assert list(table) == [*(f"{i}.ipynb" for i in range(8)), "late.ipynb"]
    assert [table[name]["points"] for name in ("0.ipynb", "3.ipynb", "late.ipynb")] == ["6", "4", "6"]
    assert len(list((tmp_path / "out.feedback").iterdir())) == 9
    assert not list((tmp_path / "out.feedback").glob("8-*"))


def test_a_journal_of_another_run_is_refused(autograder, class_of_nine, refusal):
    out = class_of_nine / "out.csv"
    before = out.with_suffix(".journal").read_bytes()
    said = refusal(autograder, class_of_nine / "in", out, "--seconds=7")
    assert "begun with another autograder or other limits" in said
    assert out.with_suffix(".journal").read_bytes() == before


UNKNOWN = {"file": "", "sha256": "", "report": {"status": "fine", "note": "", "questions": {}, "errors": {}}}


@pytest.mark.parametrize("damage", ["", "[1]", '{"file": "0.ipynb"}', json.dumps(UNKNOWN)])
def test_a_damaged_journal_is_refused(autograder, class_of_nine, tmp_path, refusal, damage):
    settings, *rest = (class_of_nine / "out.journal").read_text().splitlines()
    (tmp_path / "out.journal").write_text("\n".join([settings, damage, *rest]) + "\n")
    assert "out.journal, line 2 is damaged" in refusal(autograder, class_of_nine / "in", tmp_path / "out.csv")


def test_two_cannot_grade_into_one_table(autograder, class_of_nine):
    import fcntl

    out = class_of_nine / "out.csv"
    with out.with_suffix(".journal").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = run(autograder, class_of_nine / "in", out)
    assert done.returncode == 2
    assert "another process is grading into" in done.stderr


@pytest.mark.parametrize(
    ("autograder_is", "submissions_are", "out_is", "complaint"),
    [
        ("missing.zip", "in", "out.csv", "there is no file "),
        ("in/0.ipynb", "in", "out.csv", "0.ipynb is not an autograder"),
        ("hollow.zip", "in", "out.csv", "hollow.zip is not an autograder: it holds no tests"),
        (None, "nowhere", "out.csv", "nowhere is not a folder"),
        (None, "empty", "out.csv", "empty holds no files"),
        (None, "in", "in/out.csv", "must not lie among the submissions"),
        (None, "in", "out.txt", "out.txt is not the name of a .csv file"),
        (None, "in", "nowhere/out.csv", "in a folder that exists"),
        (None, "in", "folder.csv", "folder.csv is not the name of a .csv file"),
    ],
)
def test_bad_arguments_are_refused(autograder, tmp_path, refusal, autograder_is, submissions_are, out_is, complaint):
    (tmp_path / "in").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "in" / "0.ipynb").write_text(notebook())
    with zipfile.ZipFile(tmp_path / "hollow.zip", "w") as archive:
        archive.writestr("setup.sh", "")
    before = sorted(tmp_path.rglob("*"))
    autograder = tmp_path / autograder_is if autograder_is else autograder
    assert complaint in refusal(autograder, tmp_path / submissions_are, tmp_path / out_is)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04\xff", "a zip file, no notebook"),
        (b"%PDF-1.7\n\xff", "a PDF, no notebook"),
        (b"\xff\xfe{}", "not a notebook: it is not text in UTF-8"),
        (b"<html>", "not a notebook: it is not JSON"),
    ],
)
def test_an_unreadable_file_says_what_it_is(tmp_path, content, says):
    (tmp_path / "hw.ipynb").write_bytes(content)
    with pytest.raises(ValueError, match=f"^{says}$"):
        read_cells(tmp_path / "hw.ipynb", Limits())
