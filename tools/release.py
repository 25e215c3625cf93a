"""Write the files of a release, from the built pages, into a folder: `python -m tools.release [folder]`, else `dist`.

`python -m tools.release --notes` prints the newest section of `CHANGELOG.md` instead.

The book as one PDF and as an archive of its pages, the library as a wheel and in source, and checksums of all. The
version is that of `pyproject.toml`; every date is that of the commit, or SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import yaml

from tools.contents import ROOT, Entry, entries
from tools.pdf import write_pdf

HTML = ROOT / "_build" / "html"
CHANGES = ROOT / "CHANGELOG.md"
NAME = "reliable-leaderboards"


def version() -> str:
    """Return the version of the book and its library."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def date() -> datetime:
    """Return the date that the files carry."""
    git = ["git", "log", "-1", "--format=%ct"]
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or subprocess.check_output(git, cwd=ROOT, text=True)
    return datetime.fromtimestamp(int(seconds), UTC)


def notes(changes: str) -> tuple[str, str]:
    """Return the heading and the text of the newest section of the list of changes."""
    heading, _, text = changes.partition("\n## ")[2].partition("\n## ")[0].partition("\n")
    return heading, text.strip() + "\n"


def check_tag(tag: str, changes: str) -> None:
    """Stop unless a tag is the version, and the newest section of the list of changes is that of the version, dated."""
    if tag != f"v{version()}":
        sys.exit(f"the tag is {tag}, but pyproject.toml makes this v{version()}")
    heading, _ = notes(changes)
    if not re.fullmatch(rf"{re.escape(version())} \(\d{{4}}-\d\d-\d\d\)", heading):
        sys.exit(f"the newest section of CHANGELOG.md must be '{version()} (YYYY-MM-DD)', but is '{heading}'")


def archive(folder: Path, target: Path, made: datetime) -> None:
    """Pack a folder so that the same files and date give the same bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = f"{target.stem}/{file.relative_to(folder).as_posix()}"
            entry = zipfile.ZipInfo(name, made.timetuple()[:6])
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())


def library(target: Path, made: datetime) -> None:
    """Build the library in source, and from that its wheel, with the tools that are installed."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(int(made.timestamp()))}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(ROOT)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def book_pdf(html: Path, target: Path, pages: list[Entry], made: datetime) -> None:
    """Print pages of the book, with a title page that says what this file is."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    note = f"""<p>Version {version()}, {made:%d %B %Y}</p>
        <p>Printed from the web pages of the book, which are its main form: there the interactive figures move,
        of which this file shows the first state, and every cell can be run. Code that only draws a figure is left out.
        Answers and solutions stand at the end.</p><p>Text and figures: CC BY 4.0. Code: BSD 3-Clause.</p>"""
    write_pdf(html, target, pages, title=config["title"], author=config["author"], note=note, made=made)


def write_checksums(folder: Path) -> None:
    """Write SHA256SUMS for the files of a folder, as `sha256sum --check` reads it."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(lines))


def main(target: Path, pages: list[Entry]) -> None:
    """Write all files anew into a folder, the PDF with these pages."""
    if "TAG" in os.environ:
        check_tag(os.environ["TAG"], CHANGES.read_text(encoding="utf-8"))
    if not (HTML / "index.html").exists():
        sys.exit(f"there are no built pages in {HTML.relative_to(ROOT)}: run `make book` first")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    made = date()
    library(target, made)
    archive(HTML, target / f"{NAME}-{version()}-html.zip", made)
    book_pdf(HTML, target / f"{NAME}-{version()}.pdf", pages, made)
    write_checksums(target)
    for file in sorted(target.iterdir()):
        print(f"{file.stat().st_size / 1e6:8.2f} MB  {file.name}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--notes"]:
        print(notes(CHANGES.read_text(encoding="utf-8"))[1], end="")
    else:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist", entries())
