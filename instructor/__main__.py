"""The command line: `python -m instructor check | release | grade | compete`."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import re
import signal
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import FrameType

from instructor.batch import grade_folder
from instructor.check import check_set
from instructor.compete import compete
from instructor.limits import Limits
from instructor.release import release, released_files
from instructor.sources import EXERCISES, choose, sources
from instructor.table import many


def main() -> int:
    """Run one command: return 0 if all is well, 1 if not, 2 for arguments that make no sense, 130 if interrupted."""
    arguments = _parser().parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return int(arguments.run(arguments))
    except ValueError as error:
        print(f"python -m instructor {arguments.command}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EAGAIN):
            raise
        print(f"NOT COMPLETE: {error}. Make room; the same command, given again, goes on from here.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("INTERRUPTED: the same command, given again, goes on from here.", file=sys.stderr)
        return 130


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m instructor", description="Tools for teachers.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    check = commands.add_parser("check", help="check that the exercise sets grade as they should")
    check.add_argument(
        "sets",
        nargs="*",
        metavar="SET",
        help="a set, such as boosting_attack, or the path of a source; all sets by default",
    )
    check.set_defaults(run=_check)

    hand_out = commands.add_parser("release", help="make student folder, autograder and answer key of a set")
    hand_out.add_argument("set", metavar="SET", help="a set, such as boosting_attack, or the path of a source")
    hand_out.add_argument("out", metavar="OUT", type=Path, help="the folder to write into")
    hand_out.add_argument("--book", metavar="URL", help="where the book is published: feedback links to its pages")
    hand_out.add_argument("--questions", metavar="q1,q2", help="some questions of the set; all by default")
    hand_out.add_argument("--replace", action="store_true", help="put it in the place of an earlier release")
    hand_out.set_defaults(run=_release)

    mark = commands.add_parser("grade", help="grade a folder of submissions into a table")
    mark.add_argument("autograder", metavar="ZIP", type=Path, help="the autograder that `release` made")
    mark.add_argument("submissions", metavar="SUBMISSIONS", type=Path, help="a folder of notebooks")
    mark.add_argument("out", metavar="OUT.csv", type=Path, help="the table to write")
    mark.add_argument("--jobs", type=_positive, help="how many to grade at the same time; one for each core by default")
    mark.add_argument("--seconds", type=_positive, default=Limits.seconds, help="for a cell or test (%(default)s)")
    mark.add_argument("--memory", type=_positive, default=Limits.memory, help="megabytes (%(default)s)")
    mark.add_argument("--file", type=_positive, default=Limits.file, help="megabytes of a file (%(default)s)")
    mark.add_argument("--again", action="append", default=[], metavar="FILE", help="grade this file of the table anew")
    mark.add_argument("--anonymous", action="store_true", help="codes, not names of files, where proofs are marked")
    mark.add_argument(
        "--roster", type=Path, metavar="CSV", help="the class list: plain, or exported by Canvas or Moodle"
    )
    mark.add_argument(
        "--due", metavar="TIME", help="such as '2026-11-20 23:59', by this machine's clock without a zone"
    )
    mark.add_argument("--title", help="what the gradebook calls the assignment; like the autograder by default")
    mark.set_defaults(run=_grade)

    board = commands.add_parser("compete", help="rank teams under the mechanisms of the book")
    board.add_argument("folder", metavar="FOLDER", type=Path, help="labels and submissions of the teams")
    board.set_defaults(run=_compete)
    return parser


def _positive(text: str) -> int:
    """Return a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1 is needed, not {text}")
    return int(text)


def _source(name: str) -> Path:
    """Return the source of a set of the book, or a source of one's own."""
    path = Path(name) if name.endswith(".ipynb") else EXERCISES / f"{name}.ipynb"
    if name.endswith(".ipynb") and not path.is_file():
        raise ValueError(f"there is no file {name}")
    if not path.is_file():
        raise ValueError(f"no exercise set {name}; the book has {', '.join(path.stem for path in sources())}")
    return path.resolve()


def _check(arguments: argparse.Namespace) -> int:
    """Check sets, line by line; return 1 if anything is wrong. Several are checked beside each other."""
    paths = [_source(name) for name in arguments.sets] or sources()
    if len(paths) == 1:
        failures = _report(paths[0])
    else:
        with ProcessPoolExecutor(min(len(paths), os.cpu_count() or 1)) as pool:
            failures = 0
            for said, wrong in pool.map(_reported, paths):
                print(said, end="", flush=True)
                failures += wrong
    print(many(failures, "failure") if failures else "all sets grade as they should")
    return int(failures > 0)


def _reported(path: Path) -> tuple[str, int]:
    """Return what was checked of a set, in this process alone, and how much of it is wrong."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        failures = _report(path, jobs=1)
    return said.getvalue(), failures


def _report(path: Path, jobs: int | None = None) -> int:
    """Print what was checked of a set; return how much of it is wrong."""
    started = time.monotonic()
    print(path.stem, flush=True)
    failures = 0
    for passed, line in check_set(path, EXERCISES if path.parent == EXERCISES else None, jobs=jobs):
        failures += not passed
        print(f"  {'ok  ' if passed else 'FAIL'}  {line}", flush=True)
    print(f"  {time.monotonic() - started:.0f} s", flush=True)
    return failures


def _release(arguments: argparse.Namespace) -> int:
    """Release a set that grades as it should; write nothing of one that does not."""
    path = _source(arguments.set)
    with tempfile.TemporaryDirectory() as folder:
        if arguments.questions:
            path = choose(path, re.split(r"[\s,]+", arguments.questions.strip(" ,")), Path(folder))
        released_files(path, arguments.out, arguments.book, replace=arguments.replace)
        if _report(path):
            print(f"NOT RELEASED: {arguments.set} does not grade as it should.", file=sys.stderr)
            return 1
        for written in release(path, arguments.out, arguments.book, replace=arguments.replace):
            print(f"wrote {written}")
    return 0


def _grade(arguments: argparse.Namespace) -> int:
    """Grade a folder."""
    limits = Limits(seconds=arguments.seconds, memory=arguments.memory, file=arguments.file)
    where = arguments.autograder, arguments.submissions, arguments.out
    about = {"again": arguments.again, "roster": arguments.roster, "due": arguments.due, "title": arguments.title}
    return grade_folder(*where, jobs=arguments.jobs, limits=limits, anonymous=arguments.anonymous, **about)


def _compete(arguments: argparse.Namespace) -> int:
    """Rank the teams; return 1 if files or lines were refused."""
    problems = compete(arguments.folder)
    for problem in problems:
        print(f"  {problem}")
    print(f"wrote {arguments.folder / 'standings'}")
    print(f"NOT COMPLETE: {len(problems)} refused." if problems else "Nothing was refused.")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
