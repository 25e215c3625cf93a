"""What folds on a page: a small book is built, and its page looked at."""

import sys

import nbformat
import pytest
from bs4 import BeautifulSoup
from chapters import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx

PROOF = "```{prf:proof}\nBecause WHY.\n```\n"
LEMMA = "```{prf:lemma}\n:label: lem-a\n\nIt holds.\n```\n"
CELLS = [
    "# Title\n\n## A claim\n\n" + LEMMA + PROOF.replace("WHY", "one"),
    "### Proof: what $x$ shows — to see *why* it holds\n\nFirst.\n\n" + PROOF.replace("WHY", "two"),
    {"source": "a = 1"},
    "#### A step\n\nInside.\n\n(here)=\n$$\ny\n$$\n\n***\n\nAfter the rule.",
    "### Check: the same — to be sure\n\nChecked.",
    {"source": "b = 1", "tags": ["hide-input"]},
    {"source": "c = 1", "tags": ["hide-input"]},
    {"source": "d = 1"},
    "## Another: claim\n\nOn the main line.",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Return a page of all that folds."""
    folder = tmp_path_factory.mktemp("folds")
    cells = [
        new_markdown_cell(cell)
        if isinstance(cell, str)
        else new_code_cell(cell["source"], metadata={"tags": cell.get("tags", [])})
        for cell in CELLS
    ]
    about = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    nbformat.write(new_notebook(cells=cells, metadata=about), folder / "index.ipynb")
    sys.path.append(str(ROOT / "book" / "_extensions"))
    settings = {
        "extensions": ["myst_nb", "sphinx_proof", "folds"],
        "nb_execution_mode": "off",
        "myst_enable_extensions": ["dollarmath"],
        "html_theme": "basic",
    }
    app = Sphinx(folder, None, folder / "out", folder / "trees", "html", settings, status=None, warningiserror=True)
    app.build()
    return BeautifulSoup((folder / "out" / "index.html").read_text(), "html.parser")


def words(tag):
    """Return the text of a tag on one line."""
    return " ".join(tag.get_text().replace("¶", "").split())


def test_a_section_folds_with_its_cells(page):
    """Its heading is the summary, with kind and reason set off; it goes on to the rule, and keeps its place."""
    proof, check = page.select("details.fold:not(.proof)")
    assert words(proof.summary) == r"Proof: what \(x\) shows — to see why it holds"
    assert [words(span) for span in proof.select(".kind, .why")] == ["Proof:", "— to see why it holds"]
    assert proof["id"] == "proof-what-x-shows-to-see-why-it-holds"
    for inside in ("First.", "Because two", "a = 1", "A step", "Inside."):
        assert inside in words(proof)
    assert "After the rule" not in words(proof)
    assert words(proof.find_next_sibling("p")) == "After the rule."
    assert words(check.summary) == "Check: the same — to be sure"
    assert "d = 1" in words(check)
    assert page.select("hr") == []


def test_other_sections_do_not_fold(page):
    """A colon makes no fold; what follows one is on the main line, and so are statements."""
    for text in ("Another: claim", "On the main line.", "After the rule.", "It holds."):
        (place,) = [tag for tag in page.select("h2, p") if words(tag) == text]
        assert place.find_parent("details") is None


def test_a_proof_folds_unless_it_is_in_a_fold(page):
    """Folds do not nest. Its summary says that it is a proof; inside a fold its first line does."""
    (alone,) = page.select("details.fold.proof")
    assert words(alone) == "Proof Because one."
    assert page.select(".fold .fold") == []
    (inside,) = page.select("details .proof")
    assert words(inside) == "Proof. Because two."


def test_neighbouring_hidden_cells_are_one(page):
    """The code of both is behind one summary; a cell that is not hidden stays by itself."""
    (hidden,) = page.select("div.cell details.hide")
    assert [words(code) for code in hidden.select("pre")] == ["b = 1", "c = 1"]


def test_contents_leave_folds_out(page):
    """The other sections stay there."""
    links = [link["href"] for link in page.select(".sphinxsidebar a, .toctree a")]
    assert "#another-claim" in links
    assert "#a-claim" in links
    assert not [link for link in links if "proof" in link or "check" in link]
