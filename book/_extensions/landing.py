"""Sphinx extension: the directive `chapter-cards` shows a card for every chapter, grouped by part.

Parts and order come from _toc.yml; the title from the notebook's first cell; the line that says what the chapter
derives from `description` in the notebook's metadata; the minutes from the extension `chapter_map`. So a new
chapter gets its card by itself.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.contents import entries, is_chapter


@dataclass(frozen=True)
class Chapter:
    """What a card says of a chapter; `page` is its name in _toc.yml."""

    page: str
    title: str
    description: str


def read_chapter(root: Path, page: str) -> Chapter:
    """Return what the notebook of a chapter says about itself."""
    notebook = json.loads((root / f"{page}.ipynb").read_text(encoding="utf-8"))
    first = "".join(notebook["cells"][0]["source"])
    found = {
        "title": re.search(r"^# (.+)$", first, flags=re.M),
        "description": re.match(r".+", notebook["metadata"].get("description", "")),
    }
    for what, match in found.items():
        if match is None:
            place = "metadata" if what == "description" else "first cell"
            raise ValueError(f"{page}.ipynb: no {what} in its {place}, which the card on the landing page needs")
    return Chapter(page, found["title"][1], found["description"][0])


def parts(root: Path) -> dict[str, list[Chapter]]:
    """Return the chapters of each part that has any, in the order of reading."""
    found: dict[str, list[Chapter]] = {}
    for entry in entries(root):
        if is_chapter(entry.page, root):
            found.setdefault(entry.part, []).append(read_chapter(root, entry.page))
    return found


def cards(chapters: list[Chapter], first: int) -> str:
    """Return the grid of cards of one part as MyST, its chapters numbered from `first` on."""
    lines = [":::::{grid} 1 2 2 2", ":gutter: 3", ":class-container: chapter-cards", ""]
    for number, chapter in enumerate(chapters, start=first):
        lines += [f"::::{{grid-item-card}} {number}. {chapter.title}", f":link: /{chapter.page}", ":link-type: doc", ""]
        time = f"{{reading-time}}`{Path(chapter.page).name}`"
        lines += [chapter.description, ":::{card-footer}", time, ":::", "::::"]
    return "\n".join([*lines, ":::::"])


class ChapterCards(SphinxDirective):
    """Sections, one for each part, with a card for each chapter."""

    def run(self) -> list[nodes.Node]:
        """Build the sections; the page depends on the notebooks that the cards are read from."""
        root, number, sections = Path(self.env.srcdir), 1, []
        for caption, chapters in parts(root).items():
            section = nodes.section("", nodes.title(caption, caption), ids=[nodes.make_id(caption)])
            section["names"] = [nodes.fully_normalize_name(caption)]
            self.state.nested_parse(cards(chapters, number).splitlines(), self.content_offset, section)
            sections.append(section)
            number += len(chapters)
            for chapter in chapters:
                self.env.note_dependency(str(root / f"{chapter.page}.ipynb"))
        self.env.note_dependency(str(root / "_toc.yml"))
        return sections


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("chapter-cards", ChapterCards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
