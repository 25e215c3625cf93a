"""Formulas in a real browser: all in the book's font, scrolled on phones, read, and copied as TeX.

That nothing moves when their font comes, `test_pages_in_browser.py` sees.
"""

import html
import re

import pytest
from visits import HTML, LARGE, PAGES, SMALL

SIGNS = re.compile(r"<m(?:i|n|o|text)\b[^>]*>([^<]*)<")
# All signs of formulas, those of one letter as they are slanted.
TOGETHER = """async (signs) => {
  const all = document.createElement("div");
  all.id = "all-formulas";
  for (const text of signs) {
    const sign = document.createElement("span");
    sign.style.textTransform = "math-auto";
    sign.textContent = text;
    all.append(sign);
  }
  all.style.fontFamily = getComputedStyle(document.querySelector("math") ?? document.body).fontFamily;
  document.querySelector("#all-formulas")?.remove();
  document.body.append(all);
  await document.fonts.ready;
}"""


def signs_of(source):
    """Return the signs of all formulas on a page."""
    return {"".join(html.unescape(text).split()) for text in SIGNS.findall(source)}


def foreign(page, signs):
    """Return the signs that a page has to take from another font than the book's."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("DOM.enable")
    protocol.send("CSS.enable")

    def fonts(signs):
        page.evaluate(TOGETHER, signs)
        root = protocol.send("DOM.getDocument")["root"]["nodeId"]
        node = protocol.send("DOM.querySelector", {"nodeId": root, "selector": "#all-formulas"})["nodeId"]
        return protocol.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]

    def all_in_book(signs):
        return all(font["isCustomFont"] for font in fonts(signs))

    return [] if all_in_book(signs) else [sign for sign in signs if not all_in_book([sign])]


def test_the_font_has_all_signs(chromium, site, small_site):
    """Whoever has the font of formulas made anew keeps the signs that the pages need: tools/maths_font.py."""
    signs = sorted(set().union(*(signs_of((HTML / f"{page}.html").read_text()) for page in PAGES)) - {""})
    assert len(signs) > 200
    page = chromium.new_page()
    page.goto(f"{site}/book/ladder.html")
    assert foreign(page, signs) == []
    assert foreign(page, ["x", "☃", "+"]) == ["☃"]
    folder, address = small_site
    (folder / "font.html").write_text('<!doctype html><link rel="icon" href="data:,"><math><mi>x</mi></math>')
    page.goto(f"{address}/font.html")
    assert foreign(page, ["x", "+"]) == ["x", "+"]
    page.close()


@pytest.fixture
def page(chromium, site):
    """Return a chapter with many formulas."""
    page = chromium.new_page(viewport=LARGE)
    page.goto(f"{site}/book/ladder.html", wait_until="networkidle")
    yield page
    page.close()


def test_a_long_formula_scrolls_in_its_box(page):
    """From its beginning on, in its box, which is a tab stop; once all of it can be seen, it is none."""
    box = page.locator("article section > div.math").first.element_handle()
    for times in range(1, 4):
        box.evaluate("box => box.querySelector('mrow').append(...box.querySelector('mrow').cloneNode(true).children)")
        page.set_viewport_size({"width": SMALL["width"] + times, "height": 800})
    page.wait_for_function("box => box.matches('[data-more-right]') && box.tabIndex === 0", arg=box)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert box.evaluate("box => box.scrollLeft === 0 && box.scrollWidth > box.clientWidth")
    left, start = (
        box.evaluate(f"box => {what}.getBoundingClientRect().left") for what in ("box", "box.firstElementChild")
    )
    assert start >= left
    box.evaluate("box => box.querySelector('mrow').replaceChildren('x')")
    page.set_viewport_size(LARGE)
    page.wait_for_function("box => !box.matches('[data-more-right]') && box.tabIndex < 0", arg=box)


def test_a_formula_is_read_and_copied(page):
    """Screen readers get its parts, the clipboard its TeX, also of one that is selected only in part."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    assert sum(node["role"]["value"] == "math" or "MathML" in node["role"]["value"] for node in tree) > 100
    copied = page.evaluate("""() => {
      const formula = document.querySelector("article p .math"), range = document.createRange();
      range.setStart(formula.querySelector("mi, mn").firstChild, 0);
      range.setEndAfter(formula.closest("p"));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      const event = new ClipboardEvent("copy", {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
      document.body.dispatchEvent(event);
      return [event.clipboardData.getData("text/plain"), formula.querySelector("annotation").textContent];
    }""")
    assert copied[0].startswith(f"${copied[1]}$")
