"""Grade a folder of submissions: a table with a row for every file, a page of feedback for each, and a summary.

What is graded is written down at once in a journal beside the table. Run again after an interruption, or when more
files have come in, it grades only what the journal does not hold.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from tqdm import tqdm

from instructor.confine import missing
from instructor.examiner import told_name
from instructor.feedback import feedback_page, page_name
from instructor.gradebook import class_list, class_rows, not_there, outscored, unmarked, without_time, write_class
from instructor.grading import Autograder, Report, grade
from instructor.limits import Limits
from instructor.look import looks
from instructor.marks import Sheet, merge, state
from instructor.owners import owners
from instructor.proofs import Answers, Mark, find
from instructor.proofs import page as proofs_page
from instructor.table import DECIDED, Graded, Row, many, paper, table_rows, write_table
from leaderboard_edu._journal import Journal

STATUSES = ("graded", "partial", "timeout", "crashed", "unreadable")
WARNING = "Submissions are programs, run by your account: for an exam, use the container of the instructor's guide."
CONTAINER = "container"  # the variable that says so: podman sets it, our Dockerfile too


FATAL_TRIES = 2  # so often a notebook may have been begun and not ended
FATAL = Report("crashed", "took the grader with it", {}, {})

Key = tuple[str, str]  # the name of a file and its SHA-256


def grade_folder(
    autograder: Path,
    submissions: Path,
    out: Path,
    *,
    jobs: int | None,
    limits: Limits,
    again: Sequence[str] = (),
    anonymous: bool = False,
    roster: Path | None = None,
    due: str | None = None,
    title: str | None = None,
) -> int:
    """Grade every file in a folder and below, write the table and the feedback; return 0 only if all were graded.

    Files named in `again`, as they are in the table, are graded anew. If `anonymous`, codes stand for files where
    proofs are marked. With the list of a class there is a table of it, too, and each file must be somebody's;
    `title` is what the assignment is called in a gradebook, if not like the autograder.
    """
    if not autograder.is_file():
        raise ValueError(f"there is no file {autograder}")
    found, hidden = _files(submissions)
    beside = _handed_in(found, submissions)
    files = list(beside)
    if not files:
        raise ValueError(f"{submissions} holds no files")
    if out.suffix != ".csv" or out.is_dir() or not out.absolute().parent.is_dir():
        raise ValueError(f"{out} is not the name of a .csv file in a folder that exists")
    if out.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(f"the table must not lie among the submissions, as {out} does in {submissions}")
    for folder in _feedback_folders(out):
        ours = folder.is_dir() and all(page.suffix == ".html" for page in folder.iterdir())
        if folder.exists() and (folder.samefile(submissions) or not ours):
            raise ValueError(f"{folder} is not a folder of feedback, and would be replaced: move it away")
    assignment, exact = title or autograder.stem.removesuffix("-autograder"), title is not None
    students = class_list(roster, due, assignment, submissions, out, exact=exact)
    if said_first := "\n".join(filter(None, ["" if os.environ.get(CONTAINER) else WARNING, missing()])):
        print(said_first, file=sys.stderr)
    if hidden:
        print(f"Hidden files are left out: {hidden}.", file=sys.stderr)
    settings = {"autograder": _digest(autograder), **asdict(limits)}
    record = out.with_suffix(".journal")
    tests = Autograder.read(autograder)
    proofs = [question for question in tests.questions if "given" in question]
    sheet = out.with_suffix(".marks.csv")
    code = {question["name"]: question["points"] for question in tests.questions if not question["manual"]}
    if proofs or sheet.exists():
        Sheet(sheet, proofs, code)  # a slip in it is told before the grading
    with _locked(record):
        journal = _begun(record, settings)
        keys = {path: (_name(path, submissions), _digest(path)) for path in files}
        known, tried = _read(journal)
        for name in again:
            if name not in {name for name, _ in keys.values()}:
                raise ValueError(f"{submissions} holds no file {name} that could be graded again")
        anew = {key for key in keys.values() if key[0] in again}
        known |= {key: FATAL for key, count in tried.items() if count >= FATAL_TRIES and key not in known}
        known = {key: report for key, report in known.items() if key not in anew}
        left = [path for path in files if keys[path] not in known]
        if len(left) < len(files):
            print(f"{len(files) - len(left)} of {many(len(files), 'file')} were graded before.", file=sys.stderr)
        suspects = [path for path in left if tried[keys[path]]]  # one of them may take the others with it
        others = [path for path in left if path not in suspects]
        with tqdm(total=len(left), unit="file", disable=not left) as bar:
            for some, side_by_side in ((suspects, 1), (others, jobs)):
                for key, report in _graded(some, keys, journal, tests, side_by_side, limits):
                    known[key] = report
                    bar.update()
        graded = [(*keys[path], known[keys[path]]) for path in files]
        points, pending = paper(tests, graded)
        answers = {keys[path]: find(path, tests.questions, limits) if proofs else {} for path in files}
        by_hand = proofs or sheet.exists() or any(report.status != "graded" for *_, report in graded)
        marks, left_out = merge(sheet, proofs, code, answers, files=not anonymous) if by_hand else ({}, [])
        _write_feedback(out, graded, pending, marks)
        look = looks({keys[path][0]: (path, keys[path][1]) for path in files}, tests.answers(), limits)
        rows = table_rows(graded, points, pending, list(beside.values()), look, marks)
        write_table(out, rows)
        if proofs:
            _write_page(out, proofs, {name: found for (name, _), found in answers.items()}, marks, files=not anonymous)
        states = {name: state(found) for (name, _), found in answers.items()}
        lost: dict[str, str] = {}
        said: list[str] = []
        if students:
            paths = {keys[path][0]: path for path in files}
            known_owners, lost, perhaps = owners(paths, students, limits)
            times = {file: datetime.fromtimestamp(path.lstat().st_mtime).astimezone() for file, path in paths.items()}
            in_class = class_rows(students, rows, known_owners, times, perhaps)
            said = write_class(out, students, assignment, in_class, points, pending, exact=exact)
            said += unmarked(in_class, pending, states) + without_time(students, in_class)
            said += outscored(students, in_class, rows, known_owners) + not_there(students, paths)
    return _summarise(out, rows, len(marks), left_out, said, lost)


def _files(folder: Path) -> tuple[list[Path], int]:
    """Return all files in a folder and below, and how many hidden ones, such as `.DS_Store`, are not among them.

    A folder that cannot be read, or a link to one, stands for its files.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder")
    closed: list[Path] = []
    found = []
    for place, folders, names in os.walk(folder, onerror=lambda error: closed.append(Path(error.filename))):
        linked = [name for name in folders if name.startswith(".") or (Path(place) / name).is_symlink()]
        found += [Path(place) / name for name in names + linked]
        folders[:] = [name for name in folders if not name.startswith(".")]
    shown = [path for path in found if not path.name.startswith(".")]
    return sorted(shown + closed), len(found) - len(shown)


def _handed_in(files: list[Path], folder: Path) -> dict[Path, str]:
    """Return the files that have rows, each with what to say of those that came in the same folder.

    Who hands in a whole folder, with tests and library, hands in its notebooks.
    """
    together: dict[Path, list[Path]] = defaultdict(list)
    for path in files:
        first, *more = path.relative_to(folder).parts
        together[folder / first if more else path].append(path)
    rows: dict[Path, str] = {}
    for paths in together.values():
        notebooks = [path for path in paths if path.suffix.lower() == ".ipynb"]
        several = f"{len(notebooks)} notebooks in its folder" if len(notebooks) > 1 else ""
        kept = notebooks or paths
        unseen = f"{many(len(paths) - len(kept), 'other file')} in its folder" if len(kept) < len(paths) else ""
        linked = ", ".join(_name(path, folder) for path in paths if path.is_symlink() and path not in kept)
        links = f"not followed: {linked}" if linked else ""
        rows |= dict.fromkeys(kept, "; ".join(filter(None, [several, unseen, links])))
    return rows


def _name(path: Path, folder: Path) -> str:
    """Return how a file is called in the table."""
    return told_name(path.relative_to(folder))


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file, nothing if it cannot be read."""
    try:
        if path.is_symlink() or not path.is_file():  # reading a pipe could take for ever
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a file, so that only one process at a time grades into it."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"another process is grading into {path}") from None
        yield


def _graded(
    left: list[Path], keys: dict[Path, Key], journal: Journal, tests: Autograder, jobs: int | None, limits: Limits
) -> Iterator[tuple[Key, Report]]:
    """Grade files, and write down which are begun and what becomes of them."""
    lock = Lock()

    def note(path: Path, report: Report | None) -> None:
        name, digest = keys[path]
        with lock:
            journal.add({"file": name, "sha256": digest} | ({"report": asdict(report)} if report else {"begun": True}))

    try:
        for path, report in grade(left, tests, jobs=jobs, limits=limits, note=note):
            yield keys[path], report
    except (KeyboardInterrupt, GeneratorExit, OSError):
        with lock, suppress(OSError):  # on a full disk, too, there is mostly room for this line
            journal.add({"stopped": True})
        raise


def _begun(path: Path, settings: dict[str, Any]) -> Journal:
    """Return the journal, if it is one of this run."""
    try:
        return Journal(path, settings)
    except ValueError:
        raise ValueError(
            f"{path} was begun with another autograder or other limits: move it away, or write elsewhere"
        ) from None


def _read(journal: Journal) -> tuple[dict[Key, Report], Counter[Key]]:
    """Return the reports in the journal, and how often a file was being graded when everything died."""
    known: dict[Key, Report] = {}
    tried: Counter[Key] = Counter()
    try:
        for key, report in journal.entries(_entry):
            if key is None:  # stopped by hand: nobody is to blame
                tried.clear()
            elif report is None:
                tried[key] += 1
            else:
                known[key] = report
                del tried[key]
    except ValueError as error:
        raise ValueError(f"{error}: remove the line, and its file is graded again") from None
    return known, tried


def _entry(entry: Any) -> tuple[Key | None, Report | None]:
    """Return a file's name and SHA-256, if a line is about one, and the report on it, if it has been graded."""
    if "stopped" in entry:
        return None, None
    report = None if "begun" in entry else Report.of(entry["report"])
    if report:
        STATUSES.index(report.status)
    return (entry["file"], entry["sha256"]), report


def _feedback_folders(out: Path) -> tuple[Path, Path]:
    """Return where the pages are, and where they are written first."""
    return out.with_suffix(".feedback"), out.with_suffix(".feedback.new")


def _write_feedback(out: Path, graded: list[Graded], pending: dict[str, float], marks: dict[str, Mark]) -> None:
    """Write a page for each file, in place of those that were there."""
    folder, new = _feedback_folders(out)
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    for name, digest, report in graded:
        (new / page_name(name)).write_text(
            feedback_page(name, digest, report, pending, marks.get(name)), encoding="utf-8"
        )
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def _printable(text: str) -> str:
    """Return a text on one line, so that no name of a file can look like the summary."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _write_page(
    out: Path, proofs: list[dict[str, Any]], answers: dict[str, Answers], marks: dict[str, Mark], *, files: bool
) -> None:
    """Write the page with all proofs in one go."""
    new = out.with_suffix(".proofs.html.new")
    new.write_text(proofs_page(out.stem, proofs, answers, marks, files=files), encoding="utf-8")
    new.replace(out.with_suffix(".proofs.html"))


def _summarise(
    out: Path, rows: list[Row], marked: int, left_out: list[str], said: list[str], lost: dict[str, str]
) -> int:
    """Print what happened and where the results are; return 0 if every file was graded and is somebody's, else 1."""
    counts = Counter(row["status"] for row in rows)
    how = ", ".join(f"{counts[status]} {status}" for status in (*STATUSES, DECIDED) if counts[status])
    print(f"{many(len(rows), 'file')}: {how}.")
    for row in rows:
        if row["status"] not in ("graded", DECIDED):
            print(f"  {row['status']:10} {_printable(row['file'])}: {_printable(row['note'])}")
    for name, why in lost.items():
        print(f"  nobody's   {_printable(name)}: {_printable(why)}")
    print(f"Table: {out}. Feedback, a page for each file: {out.with_suffix('.feedback')}.")
    if out.with_suffix(".proofs.html").exists():
        print(f"Proofs to mark: {out.with_suffix('.proofs.html')}.")
    if out.with_suffix(".marks.csv").exists():
        given = f"Marks of a person, for {many(marked, 'file')}" if marked else "No marks of a person yet; their place"
        print(f"{given}: {out.with_suffix('.marks.csv')}.")
    for line in left_out:
        print(f"  NOT MERGED: {_printable(line)}")
    if suspects := sum(bool(row["look"]) for row in rows):
        print(f"The column *look* says something of {many(suspects, 'file')}. It costs no points.")
    print("".join(f"{_printable(line)}\n" for line in said), end="")
    bad = sum(row["status"] not in ("graded", DECIDED) or row["file"] in lost for row in rows)
    well = f"All {len(rows)} files were graded." if len(rows) > 1 else "The file was graded."
    print(f"NOT COMPLETE: {bad} of {many(len(rows), 'file')} need{'s' * (bad == 1)} a look." if bad else well)
    return int(bad > 0)
