"""The landing page's cards and figure, the citation and the formulas of each page."""

import json
import re
import sys
import tomllib
from functools import cache

import nbformat
import numpy as np
import pytest
import yaml
from bs4 import BeautifulSoup
from chapters import CHAPTERS, HTML, PAGES, ROOT, parsed
from docutils import nodes
from docutils.utils import new_document
from nbformat.v4 import new_markdown_cell, new_notebook

import leaderboard_edu as le

sys.path.append(str(ROOT / "book" / "_extensions"))
from every_page import citation, keep_together
from landing import parts, read_chapter

from tools.main_line import length, read

BOOK = yaml.safe_load((ROOT / "CITATION.cff").read_text())


def plain(text):
    """Return a text as it is typed, on one line."""
    return " ".join(text.replace("’", "'").split())


def card_faults(html, root, chapters):
    """Return what is wrong with the cards: their number and order, and what each says and where it leads."""
    cards = BeautifulSoup(html, "html.parser").select(".chapter-cards .sd-card")
    faults = [] if len(cards) == len(chapters) else [f"{len(cards)} cards for {len(chapters)} chapters"]
    for number, (card, page) in enumerate(zip(cards, chapters, strict=False), start=1):
        first = "".join(json.loads((root / f"{page}.ipynb").read_text())["cells"][0]["source"])
        title, time = re.search(r"# (.+)", first)[1], str(length(read(page, root)))
        said = {
            "title": plain(card.select_one(".sd-card-title").get_text()) == plain(f"{number}. {title}"),
            "description": len(plain(card.select_one(".sd-card-text").get_text()).split()) >= 5,
            "reading time": plain(card.select_one(".sd-card-footer").get_text()) == time,
            "link": [tag["href"] for tag in card.select("a")] == [page.removeprefix("book/") + ".html"],
        }
        faults += [f"card {number}: {what} of {page}" for what, right in said.items() if not right]
    return faults


def test_cards():
    """One for every chapter of the table of contents, with its reading time."""
    assert card_faults((HTML / f"{PAGES[0]}.html").read_text(), ROOT, CHAPTERS) == []


@pytest.fixture
def small_book(tmp_path):
    """Return a folder with a table of contents of two chapters and a page, and the cards that it should have."""
    (tmp_path / "book").mkdir()
    files = [{"file": f"book/{name}"} for name in ("a", "page", "b")]
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump({"parts": [{"caption": "One", "chapters": files}]}))
    for name in ("a", "b"):
        text = f"# Of {name}\n\n" + "word " * (1000 if name == "a" else 1200)
        about = {"description": f"What the chapter {name} derives."}
        notebook = new_notebook(cells=[new_markdown_cell(text)], metadata=about)
        nbformat.write(notebook, tmp_path / "book" / f"{name}.ipynb")
    cards = "".join(
        f'<div class="sd-card"><p class="sd-card-title">{n}. Of {x}</p><p class="sd-card-text">What the chapter {x}'
        f' derives.</p><p class="sd-card-footer">{5 + n} minutes</p><a href="{x}.html"></a></div>'
        for n, x in ((1, "a"), (2, "b"))
    )
    return tmp_path, f'<div class="chapter-cards">{cards}</div>'


def test_planted_cards_are_found(small_book):
    """Each thing that a card says can be wrong."""
    root, good = small_book
    chapters = ["book/a", "book/b"]
    assert card_faults(good, root, chapters) == []
    for old, new in (("1. Of", "2. Of"), ("7 minutes", "8 minutes"), ("b.html", "a.html"), ("chapter a derives", "")):
        assert card_faults(good.replace(old, new), root, chapters), old
    assert card_faults(good, root, chapters[::-1])
    assert card_faults(good, root, [*chapters, "book/c"]) == ["2 cards for 3 chapters"]


def test_a_new_chapter_gets_its_card(small_book):
    """From the table of contents and the notebook alone; a page that is no notebook gets none."""
    root, _ = small_book
    (chapters,) = parts(root).values()
    assert [(chapter.page, chapter.title) for chapter in chapters] == [("book/a", "Of a"), ("book/b", "Of b")]


@pytest.mark.parametrize(("what", "old"), [("description", "What the"), ("title", "# Of")])
def test_chapter_without_its_card_is_refused(small_book, what, old):
    """The message names the notebook and what it lacks."""
    root, _ = small_book
    path = root / "book" / "a.ipynb"
    new = {"description": "\\n", "title": ""}[what]
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ValueError, match=rf"^book/a\.ipynb: no {what} in its "):
        read_chapter(root, "book/a")


BOARDS = {"every": le.FullDisclosure, "ladder": lambda labels: le.Ladder(labels, eta="1/20")}


@cache
def lit(board, k, n=1000, seed=2015):
    """Return which squares of a board are lit after k submissions, from the votes that its releases give."""
    labels = np.random.default_rng(seed).integers(0, 2, n)
    used = BOARDS[board](labels)
    attack = le.boosting_attack(used.submit, n=n, k=k, rng=np.random.default_rng(seed))
    kept = [vector if released <= 0.5 else 1 - vector for vector, released in used.transcript]
    votes = 2 * np.sum(kept, axis=0, dtype=int) - k
    guess = np.where(votes == 0, attack.predictions, votes > 0)
    return guess == labels


def wrong_states(html):
    """Return the positions of the slider at which a wall, or what is said of both, is not what the attack gives."""
    data = json.loads(BeautifulSoup(html, "html.parser").select_one(".interactive-figure script").string)
    squares = data["sets"][data["states"][0]["squares"]]
    wrong = []
    for at, (k, alt) in enumerate(zip(data["sliders"][0]["values"], data["alts"], strict=True)):
        walls = {board: lit(board, k) for board in BOARDS}
        same = all([square[at] == "1" for square in squares[board]] == list(wall) for board, wall in walls.items())
        every, ladder = (f"{wall.sum():,}" for wall in walls.values())
        if not same or f"{every} of them right" not in alt or f"and {ladder} from the Ladder" not in alt:
            wrong.append(k)
    return wrong


def test_the_walls_are_what_the_attack_gives():
    """Square by square."""
    html = (HTML / f"{PAGES[0]}.html").read_text()
    assert wrong_states(html) == []
    said = re.search(r"guesses ([\d,]+) of them right", html)[1]
    assert wrong_states(html.replace(f"guesses {said} of", "guesses 499 of"))
    square = re.search(r'"ladder":\["([01]+)', html)[1]
    flipped = square[:-1] + "10"[int(square[-1])]
    assert wrong_states(html.replace(f'"ladder":["{square}', f'"ladder":["{flipped}')) == [10_000]


def citation_faults(page, title):
    """Return what the citation on a parsed page lacks of the book's title and version, or of the page's own title."""
    block = page.select_one(".page-tools details")
    if block is None or "Cite" not in block.summary.get_text():
        return ["no citation"]
    sentence, bibtex = (plain(block.select_one(tag).get_text()) for tag in ("p", "pre"))
    due = [BOOK["title"], f"ersion {BOOK['version']}", str(BOOK["date-released"])[:4], title]
    return [f"{text!r} is missing" for text in map(plain, due) for where in (sentence, bibtex) if text not in where]


@pytest.mark.parametrize("page", PAGES)
def test_each_page_can_be_cited(page):
    """As CITATION.cff has it; a page within the book by its own title."""
    tree = parsed(HTML / f"{page}.html")
    title = BOOK["title"] if page == PAGES[0] else tree.select_one("h1").get_text()
    assert citation_faults(tree, title.removesuffix("#")) == []


def test_planted_citation_is_found():
    """A page without one, and one that cites another edition or page."""
    cite = citation(BOOK, "The Ladder", None)
    good = (
        f'<div class="page-tools"><details><summary>Cite this</summary><p>{cite["sentence"]}</p><pre>{cite["bibtex"]}'
    )

    def faults(html, title):
        return citation_faults(BeautifulSoup(html, "html.parser"), title)

    assert faults(good, "The Ladder") == []
    assert faults(good, "Ranks alone")
    assert faults(good.replace(BOOK["version"], "9.9"), "The Ladder")
    assert faults(good.replace("details", "div"), "The Ladder")


def test_citation():
    """What an instructor pastes into a bibliography."""
    book = {"authors": [{"name": "A & B"}], "title": "T", "version": "1.2.0", "date-released": "2027-01-02"}
    cite = citation(book, "Fano’s 50%", "https://example.org/f.html")
    assert cite["sentence"] == "A & B. “Fano’s 50%”. In: T, version 1.2.0, 2027. https://example.org/f.html"
    assert cite["bibtex"].splitlines() == [
        "@incollection{reliable-leaderboards-fano-s-50,",
        r"  author = {{A \& B}},",
        r"  title = {Fano’s 50\%},",
        "  booktitle = {T},",
        "  year = {2027},",
        "  note = {Version 1.2.0},",
        "  url = {https://example.org/f.html},",
        "}",
    ]
    assert citation(book, None, None)["bibtex"].startswith("@book{reliable-leaderboards,")


def test_one_version():
    """The book and the library are released together."""
    assert BOOK["version"] == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def parted_formulas(html):
    """Return the formulas in the text that a line break can part from the punctuation after them."""
    formula = (
        r'(<span class="no-break">[^<]*)?<span class="math[^"]*"><math>((?:(?!</math>).)*)</math></span>[.,;:!?)\]”’%]'
    )
    return [match[2] for match in re.finditer(formula, html, flags=re.S) if not match[1]]


@pytest.mark.parametrize("page", PAGES)
def test_no_line_begins_with_a_comma(page):
    """A formula keeps its punctuation."""
    article = (HTML / f"{page}.html").read_text().partition("<article")[2].partition("</article>")[0]
    assert parted_formulas(article) == []


def test_planted_comma_is_found():
    """Behind a formula that stands alone."""
    math = '<span class="math notranslate"><math><mi>x</mi></math></span>'
    assert parted_formulas(f"If {math}, then") == ["<mi>x</mi>"]
    assert parted_formulas(f'If <span class="no-break">({math}),</span> then {math} and') == []


def test_what_stays_together():
    """A formula and its full stop, also where two pieces of text are the same; a number and its per cent."""
    parts = [nodes.strong("", "b"), nodes.Text("."), nodes.math("", "a"), nodes.Text(".")]
    page = new_document("page")
    page += nodes.paragraph("", "", *parts)
    page += nodes.paragraph("", "", nodes.Text("With 95 % at least."))
    keep_together(None, page, "page")
    assert page.astext() == "b.a.\n\nWith 95\u00a0% at least."
    assert [span.astext() for span in page.findall(nodes.inline)] == ["a."]
