"""What the checks of the book share: where things are, and how a chapter is read."""

import gc
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup, NavigableString, Tag

from tools import contents

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"

PAGES, CHAPTERS = contents.pages(), contents.chapters()
# Every chapter is held to tools/main_line.py, but for those not retold yet.
PROOFS = {
    "ladder",
    "tree_compression",
    "multi_account_bound",
    "fano_lower_bound",
    "parameter_free_ladder",
    "freedman_attack",
    "ladder_boot",
    "general_metrics",
    "submission_budget",
}
RETOLD = [chapter for chapter in CHAPTERS if Path(chapter).name not in PROOFS]

# Fences whose content is not prose and holds no directive.
VERBATIM = {"", "bibliography", "code", "code-block", "code-cell", "image", "literalinclude", "math", "raw", "toctree"}


def built_or_skip(path: Path) -> Path:
    """Return a file or folder of the built book; without it skip, or fail on a machine that checks everything."""
    if not path.exists():
        must_be_built = os.environ.get("REQUIRE_BROWSER") or os.environ.get("CI")
        (pytest.fail if must_be_built else pytest.skip)(f"there is no {path.relative_to(ROOT)}: run `make book` first")
    return path


@cache
def parsed(page: Path) -> BeautifulSoup:
    """Return a built page as a tree that is kept, to look at and not to change.

    It has a hundred thousand parts: the garbage collector would walk through all of them again and again.
    """
    gc.disable()
    tree = BeautifulSoup(built_or_skip(page).read_text(encoding="utf-8"), "html.parser")
    gc.enable()
    gc.freeze()
    return tree


def text_outside(tag: Tag) -> str:
    """Return the text of a tag without code, formulas and terms that are defined, such as an argument, **line."""
    if tag.name in {"pre", "code", "script", "style", "dt"} or "math" in tag.get("class", []):
        return ""
    parts = (text_outside(part) if isinstance(part, Tag) else part for part in tag.children)
    return "".join(part for part in parts if type(part) in (str, NavigableString))


def read(chapter: str) -> nbformat.NotebookNode:
    """Return the notebook of a chapter, named as in the table of contents."""
    return nbformat.read(ROOT / f"{chapter}.ipynb", as_version=4)


def cells(notebook: nbformat.NotebookNode, kind: str) -> list[nbformat.NotebookNode]:
    """Return the cells of one kind, `markdown` or `code`, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def tags(cell: nbformat.NotebookNode) -> list[str]:
    """Return the tags of a cell."""
    return cell.metadata.get("tags", [])


def text_of(notebook: nbformat.NotebookNode) -> str:
    """Return all markdown of a notebook, so that what spans several cells is seen whole."""
    return "\n\n".join(cell.source for cell in cells(notebook, "markdown"))


@dataclass
class Directive:
    """A fenced block of MyST: ```{name} title, options, body. The name of a code block is empty."""

    name: str
    title: str
    options: dict[str, str]
    body: str


def blocks(text: str) -> Iterator[str | Directive]:
    """Split markdown into plain lines and directives; what is inside a directive stays in its body."""
    lines = iter(text.splitlines())
    for line in lines:
        opening = re.match(r"\s*(`{3,}|:{3,}|~{3,})\s*(?:\{([\w:+-]+)\})?(.*)$", line)
        if not opening:
            yield line
            continue
        fence, name, title = opening.groups()
        body = []
        for inner in lines:
            if re.fullmatch(rf"\s*{fence}{fence[0]}*\s*", inner):
                break
            body.append(inner)
        options = {}
        while body and (option := re.fullmatch(r"\s*:([\w-]+):\s*(.*)", body[0])):
            options[option[1]] = option[2]
            body.pop(0)
        yield Directive(name or "", title.strip(), options, "\n".join(body))


def directives(text: str) -> Iterator[Directive]:
    """Yield every directive, the nested ones too, in the order in which they open."""
    for block in blocks(text):
        if isinstance(block, Directive):
            yield block
            if block.name not in VERBATIM:
                yield from directives(block.body)


def says_something(alt: str) -> bool:
    """Say whether an alt text is in words: more than one, and no name of a file."""
    return len(alt.split()) > 1 and not re.search(r"\w\.(png|svg|jpe?g|gif|webp)\b", alt)


def figures_of(page: Tag) -> list[list[tuple[tuple[str, ...], str]]]:
    """Return, for each interactive figure of a page, what its controls show and its alt text, state by state."""
    figures = []
    for script in page.select('.interactive-figure script[type="application/json"]'):
        data = json.loads(script.string)
        shown = product(*(slider["shown"] for slider in data["sliders"]))
        figures.append(list(zip(shown, data["alts"], strict=True)))
    return figures


def words_of(chapter: str, figure: str) -> str:
    """Return the alternative text of a picture in a chapter, in one line."""
    (cell,) = (cell for cell in read(chapter).cells if f"    {figure}," in cell.source)
    return " ".join("".join(cell.source.split('"')[1::2]).split())
