"""How long a chapter is: what is read first, its main line, and what is folded below it.

A heading of the form "Proof: what it shows — why open it" begins a fold, which ends at the next heading of its level or
above, or at a rule `***`. Folded are also proofs (`prf:proof`), `dropdown`s and hidden code.

What is counted: the words of sentences, tables, captions, code and printed results; a formula in a sentence is a word,
one on a line of its own ten. A minute is 200 words, one picture, or one table that hidden code makes.

`python -m tools.main_line competitions` prints the measures of a chapter, and where it is beyond its budget.
"""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from tools.contents import ROOT

KINDS = "Proof|Check|Details|Example|Background|History|For implementers|For teachers"
FOLD = re.compile(rf"({KINDS}): (.+) — (.+)")
FOLDED_DIRECTIVES = {"dropdown", "prf:proof"}
NOT_READ = {"image", "raw", "toctree", "bibliography", "figure"}
HIDDEN, REMOVED = {"hide-input", "hide-cell"}, {"remove-input", "remove-cell"}

WORDS_A_MINUTE, WORDS_OF_A_FORMULA = 200, 10

MAIN_LINE_WORDS, LIVING_PICTURE = 1900, 100
CODE_CELLS, CODE_LINES, CODE_WIDTH, OUTPUT_LINES = range(3, 6), 10, 42, 8
STATEMENT_WORDS, TITLE_WORDS = 35, 14

PARSER = MarkdownIt("commonmark").enable("table")
PARSER.use(colon_fence_plugin).use(dollarmath_plugin, double_inline=True).use(myst_role_plugin)


@dataclass
class Layer:
    """What is read in one layer of a chapter."""

    words: int = 0
    pictures: int = 0
    living: int = 0
    code: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    statements: list[tuple[str, int]] = field(default_factory=list)


@dataclass
class Length:
    """A chapter, measured: its main line, what is folded, and the titles of its folds."""

    main: Layer = field(default_factory=Layer)
    folded: Layer = field(default_factory=Layer)
    titles: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def minutes(self) -> tuple[int, int]:
        """Minutes for the main line, and with everything."""
        layers = self.main, self.folded
        main, folded = (layer.words / WORDS_A_MINUTE + layer.pictures for layer in layers)
        return math.ceil(main), math.ceil(main + folded)

    def __str__(self) -> str:
        """Say it as the pages do."""
        main, everything = self.minutes
        return f"{main} minutes" + (f", {everything} with everything" if everything > main else "")


def length(notebook: nbformat.NotebookNode) -> Length:
    """Measure a chapter."""
    found, level = Length(), 0  # the level of the heading whose fold is open, 0 on the main line
    for cell in notebook.cells:
        if cell.cell_type == "code":
            add_code(found, cell, folded=bool(level))
        elif cell.cell_type == "markdown":
            tokens = PARSER.parse(cell.source)
            for at, token in enumerate(tokens):
                if token.type == "heading_open":
                    level = begin(found, tokens[at + 1].content, int(token.tag[1]), level)
                elif token.type == "hr":
                    level = 0
                add(found, found.folded if level else found.main, token)
    return found


def begin(found: Length, title: str, level: int, open_level: int) -> int:
    """Note a heading; return the level of the fold that is open after it."""
    if not FOLD.fullmatch(title):
        if re.match(f"({KINDS}):", title):
            found.faults.append(f"the title of a fold is 'kind: what — why open it', not {title!r}")
        return 0 if level <= open_level else open_level
    if 0 < open_level < level:
        found.faults.append(f"a fold within a fold: {title!r}")
    found.titles.append(title)
    return level


def add(found: Length, layer: Layer, token: Token) -> None:
    """Count what a token says."""
    if token.type == "inline":
        layer.words += words(token)
    elif token.type.startswith("math_block"):
        layer.words += WORDS_OF_A_FORMULA
    elif token.type in {"fence", "colon_fence"}:
        name, braces, title = token.info.strip().removeprefix("{").partition("}")
        if not braces or name.startswith("code"):
            layer.words += len(token.content.split())
        elif name == "math":
            layer.words += WORDS_OF_A_FORMULA
        elif name not in NOT_READ:
            inner = found.folded if name in FOLDED_DIRECTIVES else layer
            before = inner.words
            for part in PARSER.parse(title + "\n\n" + body(token.content)):
                add(found, inner, part)
            if name.startswith("prf:") and name != "prf:proof":
                inner.statements.append((title.strip() or name, inner.words - before))
        layer.pictures += name in {"image", "figure"}


def body(directive: str) -> str:
    """Return what a directive says, without its options."""
    return re.sub(r"\A(?:\s*:[\w-]+:.*\n)+", "", directive)


def words(token: Token) -> int:
    """Count the words of a line; a formula or a role is one."""
    text = ""
    for part in token.children or []:
        is_word = part.type.startswith("math") or part.type == "myst_role"
        text += "x" if is_word else " " if part.type in {"softbreak", "hardbreak"} else part.content
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def add_code(found: Length, cell: nbformat.NotebookNode, *, folded: bool) -> None:
    """Count a cell: its code, what it printed, and the picture it shows."""
    tags = set(cell.metadata.get("tags", []))
    layer = found.folded if folded or "hide-cell" in tags else found.main
    if "remove-cell" in tags:
        layer.living += "live" in tags  # the twin of an interactive figure
        return
    if not tags & REMOVED:
        source = found.folded if tags & HIDDEN else layer
        source.words += len(cell.source.split())
        source.code.append(cell.source)
    if figure := cell.metadata.get("mystnb", {}).get("figure"):
        layer.pictures += 1
        layer.words += sum(words(token) for token in PARSER.parse(figure.get("caption", "")))
    elif "remove-input" in tags and isinstance(ast.parse(cell.source).body[-1], ast.Expr):
        layer.pictures += 1  # what the hidden code shows
    result = "".join(printed(cell))
    if result and not tags & {"hide-output", "remove-output"}:
        layer.words += len(result.split())
        layer.results.append(result)


def printed(cell: nbformat.NotebookNode) -> Iterator[str]:
    """Yield what the stored outputs of a cell print."""
    for output in cell.get("outputs", []):
        yield output.text if output.output_type == "stream" else output.get("data", {}).get("text/plain", "")


def over_budget(notebook: nbformat.NotebookNode) -> list[str]:
    """Return where a chapter is longer than a main line may be."""
    found = length(notebook)
    main = found.main
    total = main.words + LIVING_PICTURE * main.living
    faults = list(found.faults)
    if total > MAIN_LINE_WORDS:
        faults.append(f"{total} words on the main line, at most {MAIN_LINE_WORDS}")
    if len(main.code) not in CODE_CELLS:
        faults.append(f"{len(main.code)} cells of code on the main line, not {CODE_CELLS[0]} to {CODE_CELLS[-1]}")
    for source in main.code:
        lines = source.splitlines()
        widest = max(map(len, lines), default=0)
        if len(lines) > CODE_LINES or widest > CODE_WIDTH:
            faults.append(f"{len(lines)} lines of code, {widest} wide: {lines[0]!r}")
    for result in main.results:
        lines = result.splitlines()
        if len(lines) > OUTPUT_LINES:
            faults.append(f"{len(lines)} lines of results: {lines[0]!r}")
    faults += [f"{count} words in the box {name!r}" for name, count in main.statements if count > STATEMENT_WORDS]
    faults += [
        f"{len(title.split())} words in the title {title!r}"
        for title in found.titles
        if len(title.replace("—", " ").split()) > TITLE_WORDS
    ]
    return faults


def read(name: str, root: Path = ROOT) -> nbformat.NotebookNode:
    """Return the notebook of a page, such as "book/ladder"."""
    notebook: nbformat.NotebookNode = nbformat.read(root / f"{name}.ipynb", as_version=4)
    return notebook


def main(names: list[str]) -> None:
    """Print the measures of chapters, and where they are beyond their budget."""
    for name in names:
        notebook = read(f"book/{name}")
        found = length(notebook)
        print(f"{name}: {found}; {found.main.words} words, {found.main.pictures} pictures on the main line")
        print("".join(f"  {fault}\n" for fault in over_budget(notebook)), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
