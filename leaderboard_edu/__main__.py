"""`python -m leaderboard_edu audit LABELS LOG`: audit a finished competition."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from leaderboard_edu._audit_files import read_competition
from leaderboard_edu.auditing import audit

LABELS = "CSV with the columns id and label, and maybe public"
LOG = (
    "CSV or Parquet with the columns team, time and one for each id; or a folder with a CSV (id, prediction) for each "
    "submission, named TEAM_TIME.csv or TEAM/TIME.csv, or listed in manifest.csv (file, team, time)"
)
PUBLIC = "another column of LABELS that marks the rows the board scored, or a CSV file with their id"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 2 if a file is wrong."""
    parser = argparse.ArgumentParser(prog="python -m leaderboard_edu", description="Tools for leaderboards.")
    command = parser.add_subparsers(required=True).add_parser("audit", help="audit a finished competition")
    command.add_argument("labels", metavar="LABELS", type=Path, help=LABELS)
    command.add_argument("log", metavar="LOG", type=Path, help=LOG)
    command.add_argument("--public", metavar="COLUMN|FILE", help=PUBLIC)
    command.add_argument("--out", metavar="FILE", type=Path, help="write a report, an HTML page, to this file")
    given = parser.parse_args(arguments)
    try:
        if given.out is not None and not given.out.parent.is_dir():
            raise ValueError(f"--out must be a file in a folder that is there, got '{given.out}'")
        _check("LABELS", LABELS, given.labels, given.labels.is_file())
        _check("LOG", LOG, given.log, given.log.is_file() or given.log.is_dir())
        progress = sys.stderr.isatty() and find_spec("tqdm") is not None
        labels, log, public = read_competition(given.labels, given.log, given.public, progress=progress)
        found = audit(labels, log, public, progress=progress)
        if given.out is not None:
            found.write(given.out)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(found)
    if given.out is not None:
        print(f"\nThe report: {given.out}")
    return 0


def _check(name: str, form: str, path: Path, right: bool) -> None:
    """Refuse what is not there, or a folder where a file should be."""
    if not right:
        raise ValueError(
            f"{name} must be {form}, got '{path}', which is {'a folder' if path.exists() else 'not there'}"
        )


if __name__ == "__main__":
    sys.exit(main())
