"""The built pages: every link resolves, and every picture says in words what it shows."""

import json
import re
from functools import cache
from itertools import count
from urllib.parse import unquote, urlsplit

import pytest
from chapters import CHAPTERS, PAGES, figures_of, parsed, read, says_something, text_outside

from instructor.generate import to_chapter
from instructor.sources import SEE, read_set, sources


@cache
def anchors(page):
    """Return what a link into a page can point to."""
    return {tag.get("id") or tag.get("name") for tag in parsed(page).select("[id], a[name]")}


def broken_links(page, root):
    """Return the internal links of a page, pictures and scripts included, that lead nowhere."""
    faults = []
    for tag in parsed(page).select("[href], [src]"):
        link = tag.get("href") or tag.get("src") or ""
        parts = urlsplit(link)
        if parts.scheme in {"http", "https", "mailto", "data"} or (parts.netloc and not parts.scheme):
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
        target = target / "index.html" if target.is_dir() else target
        if parts.scheme or parts.path.startswith("/") or not target.is_file() or not target.is_relative_to(root):
            faults.append(f"{page.name}: {link}")
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in anchors(target):
            faults.append(f"{page.name}: {link} has no such anchor")
    return faults


def poor_alt_texts(page):
    """Return the alt texts in the article that say nothing, of every state of an interactive figure too."""
    article = parsed(page).select_one("article.bd-article")
    alts = [image.get("alt", "") for image in article.select("img")]
    alts += [drawing.get("aria-label", "") for drawing in article.select("[role=img]")]
    for figure in figures_of(article):
        alts += [alt for _, alt in figure]
    return [f"{page.name}: {alt!r}" for alt in alts if not says_something(alt)]


def raw_markup(page):
    """Return the text of the article that the reader sees as markup: a table, a role, an emphasis that failed."""
    text = text_outside(parsed(page).select_one("article.bd-article"))
    markup = r"^\s*\|.*\||\{[a-z][\w:]*\}`?|(?<![\w)])\*\*\w|`\w|^:::|\$[^$\n]+\$"  # not 10**15
    found = re.findall(markup, text, flags=re.M)
    return [f"{page.name}: {text[:60]}" for text in found]


def test_every_link_resolves(built):
    """Readers never meet a dead end inside the book."""
    pages = [page for page in sorted(built.rglob("*.html")) if "_static" not in page.parts]
    assert [fault for page in pages for fault in broken_links(page, built.resolve())] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_has_an_alt_text(built, page):
    """A reader who does not see the pictures learns the same."""
    assert poor_alt_texts(built / f"{page}.html") == []


@pytest.mark.parametrize("page", PAGES)
def test_no_markup_shows(built, page):
    """What was written for the machine does not reach the reader."""
    assert raw_markup(built / f"{page}.html") == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_figures_of_a_chapter_are_on_its_page(built, chapter):
    """The check of alt texts cannot pass because there is no picture to look at."""
    article = parsed(built / f"{chapter}.html").select_one("article.bd-article")
    drawn = article.select(".interactive-figure .pictures > svg")
    assert drawn, f"{chapter} has no interactive figure: see *A new chapter* in CONTRIBUTING"
    static = sum(cell.source.count("le.static_figure(") for cell in read(chapter).cells)
    assert len(article.select("figure .static-figure > svg")) >= static


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_folds_bear_no_number(built, chapter):
    """That of the chapter would stand before each of them."""
    assert parsed(built / f"{chapter}.html").select("details.fold > summary .section-number") == []


@pytest.mark.parametrize("page", PAGES)
def test_no_live_widget_on_the_page(built, page):
    """Without a kernel a widget looks alive and is dead."""
    assert parsed(built / f"{page}.html").select('script[type*="widget-view"], .jupyter-widgets') == []


@pytest.fixture
def page_with(tmp_path):
    """Return a function that writes a page with this body, beside another page and a picture."""
    (tmp_path / "other.html").write_text('<p id="there">There.</p>')
    (tmp_path / "a b.png").touch()

    numbers = count()

    def write(body):
        page = tmp_path / f"page{next(numbers)}.html"  # each of its own name, since what was parsed is kept
        page.write_text(f'<article class="bd-article" id="here">{body}</article>')
        return page

    return write


def test_planted_dead_links_are_found(page_with, tmp_path):
    """Each of them leads nowhere, or only on one machine; pages, anchors, files and the world outside are fine."""
    (tmp_path.parent / "outside.html").touch()
    good = ["other.html#there", "#here", "#", "a%20b.png?v=1", "https://example.org/x"]
    assert broken_links(page_with("".join(f'<a href="{link}"></a>' for link in good)), tmp_path) == []
    dead = ["none.html", "other.html#nowhere", "#nowhere", "/other.html", "../outside.html", "file:///other.html"]
    found = broken_links(page_with("".join(f'<a href="{link}"></a>' for link in dead) + '<img src="c.png">'), tmp_path)
    assert [fault.split()[1] for fault in found] == [*dead, "c.png"]


def test_planted_alt_text_is_found(page_with):
    """In a picture and in a state that only a slider brings up."""
    good, bad = "Two lines rise to one.", "../_images/figure.png"
    states = json.dumps({"sliders": [{"shown": ["1", "2"]}], "alts": [good, bad]})
    script = f'<script type="application/json">{states}</script>'
    assert poor_alt_texts(page_with(f'<img alt="{good}">')) == []
    assert poor_alt_texts(page_with("<img>"))
    assert poor_alt_texts(page_with(f'<svg role="img" aria-label="{bad}"></svg>'))
    assert poor_alt_texts(page_with(f'<div class="interactive-figure"><img alt="{good}">{script}</div>'))


def test_planted_markup_is_found(page_with):
    """In the text, not in code, where it may be meant."""
    for text in ("| a | b |", "see {prf:ref}`thm`", "a **bold** word", "$n = 4$", ":::{note}"):
        assert raw_markup(page_with(f"<p>{text}</p>"))
        assert raw_markup(page_with(f"<p>Fine.</p><pre>{text}</pre>")) == []


def sections_named():
    """Return the sections that the visible tests of the exercise sets lead to, with the name of the set."""
    for source in sources():
        for question in read_set(source).questions:
            for cell in question.visible:
                yield pytest.param(*SEE.match(cell.source).groups(), id=f"{source.stem}-{question.name}")


@pytest.mark.parametrize(("chapter", "section"), [*sections_named()])
def test_feedback_leads_to_a_section(built, chapter, section):
    """The link under a failed test ends at the heading that it names."""
    target = re.search(r"#([^']+)'", to_chapter(chapter, section))[1]
    (found,) = parsed(built / "book" / f"{chapter}.html").select(f'section[id="{target}"] > :is(h2, h3)')
    assert found.get_text().rstrip("#").strip().replace("’", "'") == section
