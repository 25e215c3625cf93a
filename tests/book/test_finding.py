"""Finding things: terms linked on first use, the index, the map, reading times, previous and next, figures named."""

import re
import sys

import nbformat
import pytest
from bs4 import BeautifulSoup
from chapters import CHAPTERS, HTML, PAGES, ROOT, built_or_skip, directives, parsed, read, text_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

sys.path.append(str(ROOT / "book" / "_extensions"))
import glossary_links as glossary
from statements import index_form

from tools.main_line import length

NO_RUNNING_TEXT = (
    "h1, h2, h3, h4, h5, h6, figcaption, caption, dt, pre, code, script, style, .math, strong, em, svg, details, nav, "
    ".cell, .admonition-title, .definition, a:not(.term), .rubric, .topic"
)


def page(name):
    """Return a built page without its scripts, pictures and formulas."""
    path = built_or_skip(HTML / f"{name}.html")
    html = re.sub(r"<(script|style|math|svg)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.S)
    return re.sub(r"data:[^\"]*", "", html)


def parse(html):
    """Return a page as a tree that may be changed."""
    return BeautifulSoup(html, "html.parser")


def seen(name):
    """Return a built page as a tree to look at."""
    return parsed(HTML / f"{name}.html")


# Terms


def glossary_terms():
    """Return the terms of the glossary with the first words of their definitions."""
    text = (ROOT / "book" / "glossary.md").read_text()
    return dict(re.findall(r"^(\w.*)\n  (.*)$", text, flags=re.M))


def term_faults(html, terms):
    """Return what is wrong with the links to the glossary on a page: missing, late, twice, out of place, mute."""
    article = parse(html).select_one("article.bd-article")
    forbidden = {id(tag) for tag in article.select(NO_RUNNING_TEXT)}
    interrupting = [link for link in article.select("a.term") if any(id(tag) in forbidden for tag in link.parents)]
    faults = [f"{link.text!r} stands in a place for no link" for link in interrupting]
    faults += [f"{link.text!r} has no definition" for link in article.select("a.term") if not link.get("title")]
    for box in article.select(":is(div.admonition, p):-soup-contains('What you need first.')"):
        box.decompose()
    for tag in article.select(NO_RUNNING_TEXT):
        tag.decompose()
    for link in article.select("a.term"):
        link.replace_with(f"[[{link.text}]]")
    text = "\n\n".join(p.get_text().replace("’", "'") for p in article.select("p"))
    for term in sorted(terms, key=len, reverse=True):
        stem = re.escape(term[1:]).replace(r"\ ", r"\s+")
        stem = f"{stem[:-1]}(?:y|ies)" if term.endswith("y") else f"{stem}(?:s|es)?"
        pattern = rf"(?<![\w-])(\[\[)?[{term[0]}{term[0].upper()}]{stem}(\]\])?(?![\w-])"
        linked = [bool(match[1] and match[2]) for match in re.finditer(pattern, text)]
        if linked and (not linked[0] or any(linked[1:])):
            faults.append(f"{term}: of its {len(linked)} uses the first must be the only link")
        text = re.sub(pattern, " — ", text)
    return faults


@pytest.mark.parametrize("name", [name for name in PAGES if glossary.has_term_links(name)])
def test_the_first_use_of_a_term_is_a_link(name):
    """On each page, for each term that has no everyday meaning."""
    assert term_faults(page(name), set(glossary_terms()) - glossary.EVERYDAY) == []


def test_pages_without_term_links_are_few_and_exist():
    """An exception for a page that is gone would hide nothing, but say something wrong."""
    assert set(PAGES) >= glossary.WITHOUT_TERM_LINKS
    assert not glossary.WITHOUT_TERM_LINKS & set(CHAPTERS)
    assert set(glossary_terms()) >= glossary.EVERYDAY


def test_pointing_at_a_term_shows_its_definition():
    """The first sentence, in letters: no TeX."""
    links = [link for chapter in CHAPTERS for link in seen(chapter).select("a.term")]
    titles = {link["href"].split("#")[1]: link["title"] for link in links}
    assert titles["term-boosting-attack"].startswith("Submitting random vectors and taking a majority vote")
    assert titles["term-entropy"] == "The mean of ln(1/p): how uncertain one draw from a law is."
    assert [title for title in titles.values() if re.search(r"[\\$]", title) or not title.endswith(".")] == []


@pytest.mark.parametrize(
    ("term", "place"),
    [
        ("release", "competitions.html#def-protocol"),
        ("holdout", "competitions.html#def-risk"),
        ("Kullback–Leibler divergence", "fano_lower_bound.html#def-entropy"),
        ("Bayesian bootstrap", "general_metrics.html#def-bayesian-bootstrap"),
        ("LadderBoot", "ladder_boot.html#alg-ladder-boot"),
        ("host", "competitions.html#notion-host"),
        ("analyst", "competitions.html#notion-analyst"),
    ],
)
def test_the_glossary_leads_to_the_definition(term, place):
    """One that has the term as its title wins, then one that emphasises it; a theorem or a later emphasis does not."""
    (entry,) = [tag for tag in seen("book/glossary").select("dl.glossary dt") if tag.get_text().rstrip("#") == term]
    assert [link["href"] for link in entry.find_next("dd").select("a")] == [place]


LINK = '<a class="term" title="What one sends." href="#t">{}</a>'


def article(body):
    """Return a page with this body."""
    return f'<article class="bd-article">{body}</article>'


@pytest.mark.parametrize(
    "body",
    [
        f"<p>A {LINK.format('submission')}, and more submissions.</p>",
        f"<h2>Submissions</h2><p>Two {LINK.format('Submissions')}, a true submission.</p>",
        f"<p>The <strong>submission</strong>: a {LINK.format('submission')}.</p>",
        f"<p>An {LINK.format('empirical risk')} is no risk, and no empirical risk else.</p>",
        "<p>Nothing of that kind.</p>",
    ],
)
def test_good_term_links_pass(body):
    """The first use in a sentence is linked, longer terms win, and headings and bold words do not count."""
    assert term_faults(article(body), {"submission", "empirical risk"}) == []


@pytest.mark.parametrize(
    "body",
    [
        "<p>A submission.</p>",
        f"<p>A submission, a {LINK.format('submission')}.</p>",
        f"<p>A {LINK.format('submission')}, a {LINK.format('submission')}.</p>",
        f"<p>Fine.</p><h2>A {LINK.format('submission')}</h2>",
        f"<p><code>{LINK.format('submission')}</code></p>",
        '<p>A <a class="term">submission</a>.</p>',
    ],
)
def test_planted_term_fault_is_found(body):
    """Missing, late, twice, in a heading, in code, without a definition."""
    assert term_faults(article(body), {"submission", "empirical risk"})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Submissions and histories", ["submission", "history"]),
        ("the empirical\nrisk", ["empirical risk"]),
        ("an analyst’s tree, the analyst's tree", ["analyst's tree", "analyst's tree"]),
        ("a ladder, the Ladder, the simplified Ladder", ["Ladder", "simplified Ladder"]),
        ("a re-submission, a submission-like thing, resubmissions", []),
        ("losses", ["loss"]),
    ],
)
def test_forms_of_terms(text, found):
    """Plural, capital, line break, either apostrophe; not a part of another word."""
    terms = dict.fromkeys(
        ["submission", "history", "empirical risk", "analyst's tree", "Ladder", "simplified Ladder", "loss"]
    )
    order = glossary.terms_in_order(terms)
    assert [order[match.lastindex - 1] for match in glossary.compile_terms(terms).finditer(text)] == found


# Index and list of statements


def statements(text):
    """Return label and title of each statement with a title."""
    found = [d for d in directives(text) if d.name.startswith("prf:") and d.name != "prf:proof" and d.title]
    return [(d.options["label"], d.title) for d in found]


ALL_STATEMENTS = [(chapter, label) for chapter in CHAPTERS for label, _ in statements(text_of(read(chapter)))]


def unlisted(tree, targets):
    """Return the targets that no link of a page's article leads to."""
    links = {link["href"].removeprefix("../") for link in tree.select("article a[href]")}
    return [target for target in targets if target not in links]


def test_every_statement_is_in_the_index_and_in_the_list():
    """Both lead to the statement itself."""
    assert len(ALL_STATEMENTS) > 50
    assert unlisted(seen("genindex"), [f"{chapter}.html#{label}" for chapter, label in ALL_STATEMENTS]) == []
    assert unlisted(seen("book/statements"), [f"{chapter[5:]}.html#{label}" for chapter, label in ALL_STATEMENTS]) == []


def test_planted_gap_in_a_list_is_found():
    """A link to the page is not a link to the statement."""
    assert unlisted(parse(article('<a href="book/a.html#thm">A</a>')), ["book/a.html#thm"]) == []
    assert unlisted(parse(article('<a href="book/a.html">A</a>')), ["book/a.html#thm"])


def index_faults(tree):
    """Return the entries of the index that are no words, out of order, or lead nowhere."""
    faults = []
    for table in tree.select("table.indextable"):
        items = [item for item in table.select("li") if not item.find_parent("li")]
        names = [item.find(string=True).strip() for item in items]
        faults += [f"junk: {name!r}" for name in names if not re.match(r"\w", name) or re.search(r"[\\${}]", name)]
        faults += [
            f"{name!r} leads nowhere" for name, item in zip(names, items, strict=True) if not item.select("a[href]")
        ]
        if names != sorted(names, key=str.lower):
            faults.append(f"out of order: {names}")
        faults += [f"{name!r} is there twice" for name in names if [*map(str.lower, names)].count(name.lower()) > 1]
    return faults


def test_the_index_is_sorted_and_without_junk():
    """It is there, reached from the table of contents of each page, and clean."""
    assert len(seen("genindex").select("table.indextable li")) > 100
    assert index_faults(seen("genindex")) == []
    for name in PAGES:
        assert seen(name).select('.bd-sidebar-primary a[href$="genindex.html"]')


@pytest.mark.parametrize(
    "rows",
    [
        '<li><a href="#">b</a></li><li><a href="#">a</a></li>',
        '<li><a href="#">$a$</a></li>',
        "<li>a</li>",
        '<li><a href="#">a</a></li><li><a href="#">A</a></li>',
    ],
)
def test_planted_index_fault_is_found(rows):
    """Out of order, markup, no link, twice."""
    assert index_faults(parse(f'<table class="indextable">{rows}</table>'))
    assert (
        index_faults(parse('<table class="indextable"><li><a href="#">a</a></li><li>B <a href="#">c</a></li></table>'))
        == []
    )


@pytest.mark.parametrize(
    ("title", "entry"),
    [
        ("The simplified Ladder, for losses", "simplified Ladder"),
        ("Hoeffding's inequality", "Hoeffding's inequality"),
        ("A fixed classifier", "fixed classifier"),
        ("Boosting attack, corrected from Blum & Hardt, Theorem 5.1", "boosting attack"),
        ("Anything goes", "anything goes"),
        ("BayesBootLadder", "BayesBootLadder"),
        ("Frisch, Waugh and Lovell", "Frisch, Waugh and Lovell"),
    ],
)
def test_form_of_an_index_entry(title, entry):
    """No article, no addition, a small letter unless it is a name."""
    assert index_form(title) == entry


# The map and the reading times


def needed(chapter):
    """Return the chapters that a chapter links to as needed."""
    (paragraph,) = re.findall(r"\*\*What you need first\.\*\*.*", text_of(read(chapter)))
    return {f"book/{name}" for name in re.findall(r"\]\((\w+)\.ipynb\)", paragraph)}


def arcs(tree):
    """Return the pairs of chapters that the arcs of the map join, read off their ends: the later one, what it needs."""
    rows = tree.select(".chapter-map svg g")
    chapter = {row.select_one("circle")["cy"]: f"book/{row.select_one('a')['href'][:-5]}" for row in rows}
    ends = [re.findall(r",(\d+)", path["d"]) for row in rows for path in row.select("path")]
    return sorted((chapter[end[-1]], chapter[end[0]]) for end in ends)


def told(tree):
    """Return the pairs that the map tells in words."""
    items = tree.select(".chapter-map li")
    title = {item.select_one("a").text: f"book/{item.select_one('a')['href'][:-5]}" for item in items}
    pairs = []
    for item in items:
        words = item.get_text().rsplit(" needs ", 1)[1].removesuffix(".")
        names = [] if words == "no other chapter" else words.split("; ")
        pairs += [(title[item.select_one("a").text], title[name]) for name in names]
    return sorted(pairs)


def needs_of_later_chapters(pairs, order):
    """Return the pairs in which a chapter needs itself or a later one."""
    return [pair for pair in pairs if order.index(pair[1]) >= order.index(pair[0])]


def test_the_map_draws_and_tells_what_the_chapters_need():
    """It cannot be out of date; and a book is read forwards."""
    pairs = sorted((chapter, other) for chapter in CHAPTERS for other in needed(chapter))
    assert len(pairs) > len(CHAPTERS)
    assert arcs(seen("book/index")) == pairs
    assert told(seen("book/index")) == pairs
    assert needs_of_later_chapters(pairs, CHAPTERS) == []


def test_planted_need_of_a_later_chapter_is_found():
    """A circle would be one, too."""
    assert needs_of_later_chapters([("b", "a")], ["a", "b"]) == []
    assert needs_of_later_chapters([("a", "b")], ["a", "b"]) == needs_of_later_chapters([("a", "b")], ["a", "b", "c"])
    assert needs_of_later_chapters([("a", "a")], ["a", "b"])


def test_reading_times_agree():
    """The chapter, the map and the instructor's guide say what is measured."""
    guide = seen("book/instructors_guide")
    for chapter in CHAPTERS:
        time = str(length(read(chapter)))
        assert seen(chapter).select_one("h1 + .reading-time").text == time
        link = f'a[href="{chapter[5:]}.html"]'
        assert seen("book/index").select_one(f".chapter-map svg {link} .time").text == time
        assert [row for row in guide.select(f"tr:has({link})") if row.select("td")[1].text == time]


# Previous and next


def numbered(tree):
    """Return the pages in the contents at the side that have a number, by their number there."""
    links = tree.select(".bd-sidebar-primary .bd-links a.internal")
    numbers = {link["href"]: re.match(r"(\d+)\. ", link.get_text().strip()) for link in links}
    return {int(found[1]): href for href, found in numbers.items() if found}


def test_chapters_are_numbered():
    """Through all parts, in the contents and in the title; other pages have no number."""
    expected = dict(enumerate((f"{chapter[5:]}.html" for chapter in CHAPTERS), start=1))
    assert numbered(seen("book/index")) == expected
    for number, chapter in enumerate(CHAPTERS, start=1):
        assert seen(chapter).select_one("article h1 .section-number").text == f"{number}. "
    assert not seen("book/exercises/pages/ladder").select("article .section-number")


def heading(name):
    """Return the title of a page."""
    return seen(name).select_one("article h1").get_text().rstrip("#").strip()


def path_faults(tree, previous, following):
    """Return how the footer of a page differs from what comes before and after: title and end of the address."""
    faults = []
    for side, want in (("left-prev", previous), ("right-next", following)):
        links = tree.select(f".prev-next-footer a.{side}")
        got = [(link.select_one(".prev-next-title").text.strip(), link["href"].rsplit("/", 1)[-1]) for link in links]
        if got != ([want] if want else []):
            faults.append(f"{side}: {got}, not {want}")
    return faults


@pytest.mark.parametrize("number", range(len(PAGES)), ids=PAGES)
def test_previous_and_next_follow_the_table_of_contents(number):
    """A chapter is followed by its exercises, and these by the next chapter: the path never breaks."""
    around = [PAGES[i] if 0 <= i < len(PAGES) else None for i in (number - 1, number + 1)]
    sides = [name and (heading(name), f"{name.rsplit('/', 1)[-1]}.html") for name in around]
    assert path_faults(seen(PAGES[number]), *sides) == []
    if PAGES[number] in CHAPTERS:
        assert PAGES[number + 1] == PAGES[number].replace("book/", "book/exercises/pages/")


def test_planted_break_of_the_path_is_found():
    """A missing link, another page, another title, a link too many."""
    link = '<a class="right-next" href="../b.html"><p class="prev-next-title"> B </p></a>'
    footer = parse(f'<div class="prev-next-footer">{link}</div>')
    assert path_faults(footer, None, ("B", "b.html")) == []
    assert path_faults(parse("<div></div>"), None, ("B", "b.html"))
    assert path_faults(footer, None, ("B", "c.html"))
    assert path_faults(footer, None, ("C", "b.html"))
    assert path_faults(footer, None, None)


# Figures and statements in the text


def unnamed_figures(notebook):
    """Return the labelled figures that no sentence of the chapter refers to."""
    names = [cell.metadata.get("mystnb", {}).get("figure", {}).get("name") for cell in notebook.cells]
    referred = set(re.findall(r"\{numref\}`(?:[^`]*<)?([\w-]+)>?`", text_of(notebook)))
    return [name for name in names if name and name not in referred]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_figure_is_named_in_the_text(chapter):
    """A figure that no sentence mentions may be skipped, or cut."""
    assert unnamed_figures(read(chapter)) == []


def bare_statements(notebook, referred):
    """Return the labels of statements that nothing refers to and no sentence leads to."""
    text = text_of(notebook)
    return [
        label
        for label, _ in statements(text)
        if label not in referred
        and re.search(rf"(?:^#.*|^:::|^```)\s+(?::::+|```+)\{{prf:\w+\}}.*\n:label: {label}$", text, flags=re.M)
    ]


def all_references():
    """Return the labels of statements that some chapter refers to."""
    texts = [text_of(read(chapter)) for chapter in CHAPTERS]
    return {label for text in texts for label in re.findall(r"(?:\{prf:ref\}`(?:[^`]*<)?|\.ipynb#)([\w-]+)", text)}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_statement_is_introduced_or_referred_to(chapter):
    """A statement that comes out of nothing and leads to nothing could be left out."""
    assert bare_statements(read(chapter), all_references()) == []


def test_planted_orphans_are_found():
    """A figure without a sentence, a statement right after a heading that nothing uses."""
    figure = new_code_cell("", metadata={"mystnb": {"figure": {"name": "fig-a"}}})
    assert unnamed_figures(new_notebook(cells=[figure, new_markdown_cell("See {numref}`fig-a`.")])) == []
    assert unnamed_figures(new_notebook(cells=[figure, new_markdown_cell("See {numref}`the one <fig-a>`.")])) == []
    assert unnamed_figures(new_notebook(cells=[figure, new_markdown_cell("See {numref}`fig-ab`.")])) == ["fig-a"]

    def lemma(before):
        text = f"{before}\n\n:::{{prf:lemma}} Small\n:label: lem-a\n\nOne is small.\n:::"
        return nbformat.from_dict(new_notebook(cells=[new_markdown_cell(text)]))

    assert bare_statements(lemma("## Title"), set()) == ["lem-a"]
    assert bare_statements(lemma("## Title\n\nThis leads to it."), set()) == []
    assert bare_statements(lemma("## Title"), {"lem-a"}) == []
