"""What is folded, what is left, and how long it is. `tools.main_line` counts; the extension `folds` folds the pages."""

import pytest
from chapters import CHAPTERS, RETOLD, read
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.main_line import length, over_budget

WORDS = "word " * 100


def notebook(*cells):
    """Return a chapter of texts and cells."""
    return new_notebook(cells=[new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells])


def code(source, *tags, printed="", **metadata):
    """Return a cell of code with what it printed."""
    outputs = [new_output("stream", text=printed)] if printed else []
    return new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)} | metadata)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_titles_of_folds(chapter):
    """They have the form that folds, and no fold is in another."""
    assert length(read(chapter)).faults == []


@pytest.mark.parametrize("chapter", RETOLD)
def test_budget(chapter):
    """A chapter told in two layers is read in a quarter of an hour."""
    assert over_budget(read(chapter)) == []


PROOF = "### Proof: all of it — to see why"


@pytest.mark.parametrize(
    ("cells", "main", "folded"),
    [
        (["# Title", WORDS], 101, 0),
        (['one $x+y$, `two three` {eval}`a["b"]`; – and'], 6, 0),
        (["One\n\n$$\nx\n$$\n\n```{math}\ny\n```\n"], 21, 0),
        (["| a | b |\n|---|---|\n| c | d |"], 4, 0),
        ([f"{PROOF}\n\n{WORDS}", WORDS], 0, 207),
        ([f"{PROOF}\n\n{WORDS}", f"### A claim\n\n{WORDS}"], 102, 107),
        ([f"{PROOF}\n\n{WORDS}", f"#### A step\n\n{WORDS}"], 0, 209),
        ([f"{PROOF}\n\n{WORDS}", f"***\n\n{WORDS}"], 100, 107),
        ([f"{PROOF}\n\n{WORDS}", code("a = 1", printed="b c")], 0, 112),
        ([f":::{{dropdown}} Answer\n{WORDS}\n:::"], 0, 101),
        ([f"```{{prf:proof}}\n{WORDS}\n```"], 0, 100),
        ([f"::::{{prf:lemma}} Of *b*\n:label: lem-b\n\n{WORDS}\n::::"], 102, 0),
        ([code("a = 1", "hide-input", printed="b c")], 2, 3),
        ([code("a = 1", "remove-input", printed="b c")], 2, 0),
        ([code("a = 1", "remove-cell", printed="b c")], 0, 0),
        ([code("a", "hide-input", mystnb={"figure": {"caption": "Two words"}})], 2, 1),
    ],
)
def test_words_of_both_layers(cells, main, folded):
    """Each thing that is read, counted by hand."""
    found = length(notebook(*cells))
    assert (found.main.words, found.folded.words) == (main, folded)


def test_minutes():
    """Two hundred words, a picture or a table made by hidden code are one; what has begun counts."""
    figure = code("a", "remove-input", mystnb={"figure": {"caption": "Words"}})
    assert str(length(notebook(WORDS * 4))) == "2 minutes"
    assert str(length(notebook(WORDS * 4, figure))) == "4 minutes"
    assert str(length(notebook(WORDS * 4, code("a = 1\ntable(a)", "remove-input")))) == "3 minutes"
    assert str(length(notebook(WORDS * 4, code("a = 1", "remove-input")))) == "2 minutes"
    assert str(length(notebook(WORDS * 4, f"{PROOF}\n\n{WORDS}"))) == "2 minutes, 3 with everything"


BOX = ":::{{prf:theorem}} T\n:label: thm-t\n\n{}\n:::"
GOOD = [
    "# Title",
    code("a = 1"),
    code("b = 2", printed="1\n" * 8),
    code("x" * 42 + "\n" * 9 + "y"),
    code("figure", "hide-input", mystnb={"figure": {"caption": "A figure."}}),
    code("figure.live()", "live", "remove-cell"),
    "word " * 1700,
    BOX.format("word " * 34),
    f"{PROOF}\n\n" + "word " * 5000,
    code("x" * 100, printed="1\n" * 100),
]


def test_good_chapter_is_within_its_budget():
    """At the limits, and long where it is folded."""
    assert over_budget(notebook(*GOOD)) == []


@pytest.mark.parametrize(
    ("at", "cell", "fault"),
    [
        (0, "word " * 100, "words on the main line"),
        (0, code("another.live()", "live", "remove-cell"), "words on the main line"),
        (1, "# Title", "2 cells of code"),
        (0, notebook(code("a"), code("b"), code("c")), "6 cells of code"),
        (1, code("x" * 43), "43 wide"),
        (1, code("x\n" * 10 + "y"), "11 lines of code"),
        (2, code("b", printed="1\n" * 9), "9 lines of results"),
        (7, BOX.format("word " * 35), "36 words in the box"),
        (0, "### Proof: all of it", "kind: what — why"),
        (8, "### Proof: " + "word " * 7 + "— " + "word " * 7, "words in the title"),
        (8, f"{PROOF}\n\nText\n\n#{PROOF}", "a fold within a fold"),
    ],
)
def test_planted_excess_is_found(at, cell, fault):
    """Each limit, one beyond it."""
    replaced = cell.cells if hasattr(cell, "cells") else [cell]
    (found,) = over_budget(notebook(*GOOD[:at], *replaced, *GOOD[at + 1 :]))
    assert fault in found
