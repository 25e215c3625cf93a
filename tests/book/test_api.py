"""The reference of the library: every public name is there once, and code in sentences leads to it."""

import re
import sys

import pytest
from bs4 import BeautifulSoup
from chapters import CHAPTERS, HTML, PAGES, ROOT, parsed

import leaderboard_edu

sys.path.append(str(ROOT / "book" / "_extensions"))
from api import public_names


def seen(page):
    """Return a built page as a tree to look at."""
    return parsed(HTML / f"{page}.html")


def documented():
    """Return the public names with the page that documents each, as often as one does."""
    pages = [page for page in PAGES if page.startswith("book/api/")]
    places = [(tag["id"], page) for page in pages for tag in seen(page).select("dt.sig[id]")]
    return sorted((name, page) for name, page in places if name.count(".") == 1)


def test_every_public_name_is_documented_once():
    """On the page of the module that gives it to the library, under the name by which it is imported."""
    due = [
        (f"leaderboard_edu.{name}", f"book/api/{module}") for module, names in public_names().items() for name in names
    ]
    assert documented() == sorted(due)
    assert {name for names in public_names().values() for name in names} == set(leaderboard_edu.__all__)
    linked = {link["href"].partition("#")[2] for link in seen("book/api/index").select("article li a")}
    assert linked == {name for name, _ in due}


def test_a_page_says_what_a_docstring_says():
    """Signature, arguments, and an example to copy."""
    entry = seen("book/api/bounds").find(id="leaderboard_edu.samples_needed").parent
    assert re.match(r"samples_needed\(eta, \*, k, accounts=1, delta=0\.05", entry.dt.get_text().strip())
    described = [name.find(string=True) for name in entry.select_one(".field-list dd").select("dt")]
    assert described == ["eta", "k", "accounts", "delta", "count"]
    assert ">>> samples_needed" in entry.select_one("pre").get_text()


PLACES = {
    name: f"api/{module}.html#leaderboard_edu.{name}" for module, names in public_names().items() for name in names
}


def link_faults(tree):
    """Return the names of the library of which the first use in a page's text is no link, or a link to elsewhere."""
    faults, met = [], set()
    for code in tree.select("article p code"):
        found = re.fullmatch(r"le\.(\w+)(\(.*\))?", code.get_text(), flags=re.S)
        if not found or found[1] not in leaderboard_edu.__all__ or found[1] in met:
            continue
        met.add(found[1])
        link = code.find_parent("a")
        if link is None or link["href"] != PLACES[found[1]]:
            faults.append(f"{found[1]} does not lead to its entry")
    return faults, met


@pytest.mark.parametrize("page", CHAPTERS)
def test_code_in_sentences_leads_to_the_reference(page):
    """The first use on the page; the notebooks need no role for it."""
    faults, _ = link_faults(seen(page))
    assert faults == []


def test_planted_code_without_a_link_is_found():
    """And there is code to link."""
    assert link_faults(BeautifulSoup("<article><p><code>le.hoeffding</code></p></article>", "html.parser"))[0]
    assert len(set().union(*(link_faults(seen(page))[1] for page in CHAPTERS))) > 20


def test_roles_know_the_library():
    """A page that is no notebook names a function as it is: {py:func}`boosting_attack`."""
    linked = {link["href"] for link in seen("book/api/index").select("article section > p a")}
    assert {"attacks.html#leaderboard_edu.boosting_attack", "mechanisms.html#leaderboard_edu.Ladder"} <= linked
