"""The search of the built book: typing the name of a theorem finds the theorem, first and by its anchor."""

import re
from pathlib import Path
from urllib.parse import quote

import nbformat
import pytest
import yaml
from visits import CHAPTERS

ROOT = Path(__file__).parents[2]
GREEK = {"delta": "δ"}


def statements(chapter):
    """Return label and title, as one would type it, of each statement with a title in a chapter."""
    cells = nbformat.read(ROOT / f"{chapter}.ipynb", as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    found = re.findall(r"^:::+\{prf:\w+\} (.+)\n:label: (\S+)$", text, flags=re.M)
    return [(label, as_typed(title)) for title, label in found]


def as_typed(title):
    """Return a title without citation and markup."""
    title = re.sub(r" \{cite:\w+\}`\w+`", "", title)
    formula = re.compile(r"\$([^$]*)\$")
    return formula.sub(lambda found: re.sub(r"\\(\w+)", lambda name: GREEK[name[1]], found[1]), title)


RESULTS = """(query) => {
  history.replaceState(null, "", "?q=" + encodeURIComponent(query));  // where the rule that ranks looks
  const found = Search._performSearch(...Search._parseQuery(query)).reverse();
  return found.slice(0, 3).map(([page, title, anchor]) => page + ".html" + anchor);
}"""


def missed(page, wanted):
    """Return the queries whose first result is not the wanted one, with what is first."""
    found = [(query, target, page.evaluate(RESULTS, query)) for query, target in wanted]
    return [f"{query!r} finds {first}, not {target}" for query, target, first in found if target not in first[:1]]


@pytest.fixture
def search(chromium, site):
    """Return the search page, its index loaded."""
    page = chromium.new_page()
    page.goto(f"{site}/search.html?q=risk")
    page.wait_for_function("() => typeof Search !== 'undefined' && Search.hasIndex()")
    yield page
    page.close()


def test_each_statement_is_found_by_its_title(search):
    """With the apostrophes of a keyboard, whatever the case."""
    wanted = [(title, f"{chapter}.html#{label}") for chapter in CHAPTERS for label, title in statements(chapter)]
    assert len(wanted) > 50
    assert missed(search, wanted) == []
    assert missed(search, [(title.lower(), target) for title, target in wanted]) == []


def test_each_topic_is_found_on_its_page(search):
    """What readers type, when they know no name: the page that is about it comes first, or a statement on it."""
    topics = yaml.safe_load((ROOT / "book" / "topics.yml").read_text())
    wanted = [(topic, f"book/{page}.html") for page, found in topics.items() for topic in found]
    first = {topic: search.evaluate(RESULTS, topic)[:1] for topic, _ in wanted}
    assert len(wanted) > 50
    assert [(topic, first[topic]) for topic, page in wanted if [page] != [f.split("#")[0] for f in first[topic]]] == []


def test_planted_misses_are_found(search):
    """Another anchor, and a query without any result."""
    assert missed(search, [("Fano's inequality", "book/fano_lower_bound.html#thm-decoder")])
    assert missed(search, [("qwxyz", "book/fano_lower_bound.html#thm-fano")])


def test_a_name_finds_the_statement_before_the_function(search):
    """And a function is found where the library is described."""
    wanted = [
        ("hoeffding", "book/hoeffding_union_bound.html#lem-hoeffding"),
        ("simulate_swap", "book/api/experiments.html#leaderboard_edu.simulate_swap"),
    ]
    assert missed(search, wanted) == []


@pytest.mark.parametrize(
    ("query", "target"),
    [
        ("fano’s inequality", "book/fano_lower_bound.html#thm-fano"),  # as a telephone types it
        ("simulate_swap", "book/api/experiments.html#leaderboard_edu.simulate_swap"),
    ],
)
def test_typing_a_name_and_following_the_first_result(chromium, site, query, target):
    """As a reader does it, to the end: the statement is on the screen."""
    page = chromium.new_page()
    page.goto(f"{site}/search.html?q={quote(query)}")
    first = page.locator("ul.search li a").first
    first.wait_for()
    assert first.get_attribute("href") == target
    first.click()
    page.wait_for_url(f"**/{target}")
    assert page.locator(f"[id='{target.split('#')[1]}']").is_visible()
    page.close()


SNIPPETS = """async (pages) => Promise.all(pages.map(async (page) => {
  const source = await (await fetch(page)).text();
  return Search.htmlToText(source, new URL(page, location).hash);
}))"""


def test_what_is_shown_of_a_page_is_its_text(search):
    """No buttons, no table of contents, no raw formulas; of a statement its own text."""
    pages = ["book/index.html", "book/ladder.html", "book/hoeffding_union_bound.html#thm-hoeffding"]
    assert "In your browser" in search.request.get(search.url.replace("search.html?q=risk", pages[1])).text()
    texts = search.evaluate(SNIPPETS, pages)
    assert all(len(text) > 100 for text in texts)
    assert not [text for text in texts if re.search(r"In your browser|Contents|\\\\[(\[a-z]|import numpy", text)]
    assert texts[2].startswith("Theorem") or "Hoeffding" in texts[2][:60]
