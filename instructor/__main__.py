"""The command line: `python -m instructor check [SET ...]`."""

from __future__ import annotations

import argparse
import sys
import time

from instructor.check import check_set
from tools.exercises import EXERCISES, sources


def main() -> int:
    """Check the named sets, or all, line by line; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m instructor", description="Tools for teachers.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check that the exercise sets grade as they should")
    check.add_argument("sets", nargs="*", metavar="SET", help="names of sets, such as boosting_attack; all by default")
    names = parser.parse_args().sets
    paths = [EXERCISES / f"{name}.ipynb" for name in names] if names else sources()
    missing = [path.stem for path in paths if not path.exists()]
    if missing or not paths:
        parser.error(f"no exercise set {', '.join(missing)} in {EXERCISES}")
    failures = 0
    for path in paths:
        started = time.monotonic()
        print(path.stem, flush=True)
        for passed, line in check_set(path):
            failures += not passed
            print(f"  {'ok  ' if passed else 'FAIL'}  {line}", flush=True)
        print(f"  {time.monotonic() - started:.0f} s", flush=True)
    print(f"{failures} failures" if failures else "all sets grade as they should")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
