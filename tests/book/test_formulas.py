"""Formulas are MathML when a page is built: on every page, with numbers and TeX, and an error ends the build."""

import re
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup
from chapters import HTML, PAGES, ROOT, parsed, text_outside

sys.path.append(str(ROOT / "book" / "_extensions"))
from formulas import mathml

TEX = re.compile(r"\\[([a-zA-Z]|\$[^$\n]+\$")


def text_faults(page):
    """Return the formulas of a parsed page that are none, TeX that shows, and scripts that would typeset it."""
    faults = [
        f"a script: {tag}" for tag in page.select("script") if re.search("mathjax|katex", str(tag), re.IGNORECASE)
    ]
    for formula in page.select(".math"):
        math, tex = formula.select_one("math"), formula.select_one("math annotation")
        if math is None or math.find("merror") or tex is None or not tex.get_text().strip():
            faults.append(f"not typeset: {formula.get_text()[:60]}")
        elif TEX.search("".join(part.get_text() for part in math.select("mi, mn, mo, mtext, ms"))):
            faults.append(f"TeX in it: {formula.get_text()[:60]}")
    return faults + [f"TeX in the text: {text}" for text in TEX.findall(text_outside(page))]


def planted(html):
    """Return the faults of a page that is written here."""
    return text_faults(BeautifulSoup(html, "html.parser"))


@pytest.mark.parametrize("page", PAGES)
def test_every_formula_is_typeset(page):
    """No page shows TeX, or waits for a script that would turn it into a formula."""
    assert text_faults(parsed(HTML / f"{page}.html")) == []


def test_there_are_formulas():
    """The check above cannot pass because there is nothing to look at."""
    assert sum((HTML / f"{page}.html").read_text(encoding="utf-8").count("<math") for page in PAGES) > 5000


def test_planted_faults_are_found():
    """A formula as it was for MathJax, one that failed, TeX in a sentence, and the script."""
    good = f'<span class="math">{mathml("x_1", display=False)}</span>'
    assert planted(f"<p>Let {good} be.</p>") == []
    assert planted(good.replace("<mn>1</mn>", "<merror>1</merror>"))
    assert planted(good.replace("<mn>1</mn>", r"<mtext>\foo</mtext>"))
    assert planted(re.sub("<annotation.*</annotation>", "", good))
    assert planted('<span class="math">\\(x\\)</span>')
    assert planted(r"<p>Let \(x\) be.</p>")
    assert planted("<p>Let $x$ be.</p>")
    assert planted('<script src="_static/mathjax/tex-chtml.js"></script>')


def shown(tex, *, display=True):
    """Return the signs of a formula, row by row."""
    made = BeautifulSoup(mathml(tex, display=display), "html.parser")
    for tag in made.select("annotation"):
        tag.decompose()
    rows = [row.get_text() for row in made.select("mtr") if row.find("mtr") is None]
    return rows or [made.get_text()]


def test_environments_have_their_lines():
    """Those that the book uses; a distance between two lines is not shown as text."""
    for name in ("aligned", "align", "align*", "split"):
        assert shown(rf"\begin{{{name}}}a&=b\\[2pt]&=c\end{{{name}}}") == ["a=b", "=c"]
    assert shown(r"\begin{gathered}a\\b\end{gathered}") == ["a", "b"]
    assert shown(r"\begin{cases}a&\text{if }b\\c&d\end{cases}") == ["aif\xa0b", "cd"]
    assert shown(r"a\\b") == ["a", "b"]
    assert shown("a\n\nb") == ["a", "b"]
    assert shown(r"\sum_{\substack{i\\j}}x") == ["i", "j"]


def test_a_number_is_that_of_the_author():
    """What `tag` says, and none that the converter counts."""
    assert shown(r"x=1\tag{7}") == ["x=1(7)"]
    assert shown(r"\begin{aligned}a&=b\\&=c\end{aligned}\tag{7}")[-1] == "=c"
    assert "(7)" in mathml(r"\begin{aligned}a&=b\\&=c\end{aligned}\tag{7}", display=True)
    assert "(1)" not in mathml(r"\begin{align}a&=b\\&=c\end{align}", display=True)


def test_what_browsers_make_otherwise_is_mended():
    """A large bracket with an exponent grows, signs are unary or not as in TeX, lines below a sum are small."""
    assert re.search(
        r"<msup><mrow><mo[^>]*>\)</mo><mrow></mrow></mrow><mn>2</mn></msup>", mathml(r"\Bigl(x\Bigr)^2", display=True)
    )
    assert '<mo form="infix">+</mo>' in mathml(r"\begin{aligned}a&+b\end{aligned}", display=True)
    assert '<mo form="prefix">−</mo>' in mathml(r"\begin{aligned}a&\quad -b\end{aligned}", display=True)
    assert "form=" not in mathml(r"\begin{cases}-b&-a\end{cases}", display=True)
    assert 'scriptlevel="1"' in mathml(r"\sum_{\substack{i\\j}}x", display=True)


def test_the_source_stays():
    """For whoever copies it, as it was written."""
    tex = r"\begin{split}a&<b\\[2pt]&=c\end{split}"
    annotation = BeautifulSoup(mathml(tex, display=True), "html.parser").select_one("annotation")
    assert annotation.get_text() == tex
    assert annotation["encoding"] == "application/x-tex"


@pytest.mark.parametrize("tex", [r"\foo", r"\frac1", r"\left(x", "a_b_c", r"\begin{matrix}a", r"\text{a $x$ b}", "a&b"])
def test_what_cannot_be_converted_is_an_error(tex):
    """Rather than a formula that lacks something."""
    with pytest.raises(ValueError, match=r"^\d+: "):
        mathml(tex, display=False)


@pytest.fixture
def build(tmp_path):
    """Return a function that builds a page and gives the command and what it wrote."""
    (tmp_path / "conf.py").write_text("extensions = ['formulas']\n")

    def run(text):
        (tmp_path / "index.rst").write_text(f"Page\n====\n\n{text}\n")
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(tmp_path), str(tmp_path / "out")]
        extensions = str(ROOT / "book" / "_extensions")
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONPATH": extensions})
        return done, (tmp_path / "out" / "index.html").read_text()

    return run


def test_an_equation_is_numbered_and_referred_to(build):
    """As Sphinx does it, and nothing on the page asks for MathJax."""
    done, html = build("See :eq:`one`.\n\n.. math:: a = b\n   :label: one\n\nAnd :math:`c<d`.")
    assert (done.returncode, done.stderr) == (0, "")
    page = BeautifulSoup(html, "html.parser")
    (equation,) = page.select("div.math")
    assert equation.select_one(".eqno").get_text().startswith("(1)")
    assert page.select_one(f'a[href="#{equation["id"]}"]').get_text() == "(1)"
    assert page.select_one("span.math annotation").get_text() == "c<d"
    assert planted(html) == []


def test_a_wrong_formula_ends_the_build(build):
    """The message says which, and where."""
    done, html = build(r"Let :math:`\foo+1` be.")
    assert done.returncode == 1
    assert re.search(r"index\.rst:4: WARNING: formula '.*foo\+1': 0: Unknown command", done.stderr)
    assert planted(html)
