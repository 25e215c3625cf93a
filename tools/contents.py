"""What the book consists of, read from `_toc.yml`: its pages in the order of reading, and which are chapters.

The Sphinx extensions, the other tools and the tests take it from here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Entry:
    """A page of the book: its name in `_toc.yml`, the part it stands in, and its depth there, 0 for a chapter."""

    page: str
    part: str
    depth: int

    @property
    def path(self) -> str:
        """The address of the page within the built book."""
        return f"{self.page}.html"


def entries(root: Path = ROOT) -> list[Entry]:
    """Return all pages of the book in a folder, in the order of reading; the first page is in no part."""

    def walk(files: list[dict[str, Any]], part: str, depth: int) -> Iterator[Entry]:
        for file in files:
            yield Entry(file["file"], part, depth)
            yield from walk(file.get("sections", []), part, depth + 1)

    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    found = [Entry(toc["root"], "", 0)] if "root" in toc else []
    for part in toc["parts"]:
        found += walk(part["chapters"], part["caption"], 0)
    return found


def pages(root: Path = ROOT) -> list[str]:
    """Return the names of all pages in the order of reading, such as "book/ladder"."""
    return [entry.page for entry in entries(root)]


def is_chapter(page: str, root: Path = ROOT) -> bool:
    """Say whether a page is a chapter: a notebook in the folder `book` itself."""
    return Path(page).parent == Path("book") and (root / f"{page}.ipynb").is_file()


def chapters(root: Path = ROOT) -> list[str]:
    """Return the names of the chapters in the order of reading."""
    return [page for page in pages(root) if is_chapter(page, root)]
