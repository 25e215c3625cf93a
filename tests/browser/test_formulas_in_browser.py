"""Formulas in a real browser: nothing moves when they come, all in the book's font, none a tab stop, copied as TeX."""

import pytest
from visits import LARGE, PAGES, SMALL, visit

MOST = 0.1  # by which a page may move, as browsers count it
MOVED = """new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.moved = (window.moved ?? 0) + shift.value;
}).observe({type: "layout-shift", buffered: true})"""
# All signs of formulas, those of one letter as they are slanted.
TOGETHER = """async () => {
  const all = document.createElement("div"), signs = new Set();
  all.id = "all-formulas";
  for (const part of document.querySelectorAll("mi, mn, mo, mtext")) signs.add(part.textContent.replace(/\\s/g, ""));
  for (const text of signs) {
    const sign = document.createElement("span");
    sign.style.textTransform = "math-auto";
    sign.textContent = text;
    all.append(sign);
  }
  all.style.fontFamily = getComputedStyle(document.querySelector("math") ?? document.body).fontFamily;
  document.body.append(all);
  await document.fonts.ready;
}"""


def faults_at(browser, url, home, size):
    """Open a page in a new window, with nothing stored, and return what moves and which other fonts formulas have."""
    context = browser.new_context(viewport=size)
    context.add_init_script(MOVED)
    with visit(context, url, home) as (page, faults):
        page.wait_for_load_state("networkidle")
        moved = page.evaluate("window.moved ?? 0")
        found = [f"moves by {moved:.2f}"] if moved > MOST else []
        page.evaluate(TOGETHER)
        protocol = context.new_cdp_session(page)
        protocol.send("DOM.enable")
        protocol.send("CSS.enable")
        root = protocol.send("DOM.getDocument")["root"]["nodeId"]
        node = protocol.send("DOM.querySelector", {"nodeId": root, "selector": "#all-formulas"})["nodeId"]
        fonts = protocol.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        found += [f"{font['glyphCount']} signs in {font['familyName']}" for font in fonts if not font["isCustomFont"]]
    context.close()
    return found + faults


@pytest.mark.parametrize("page", PAGES)
def test_nothing_moves_and_the_font_has_all_signs(chromium, site, page):
    """Whoever has the font of formulas made anew keeps the signs that the pages need: tools/maths_font.py."""
    assert faults_at(chromium, f"{site}/{page}.html", site, SMALL if PAGES.index(page) % 2 else LARGE) == []


def test_planted_faults_are_found(chromium, small_site):
    """What comes late and moves the text, and a sign that is in no font for formulas."""
    folder, address = small_site
    late = "<script>setTimeout(() => document.querySelector('p').style.marginTop = '300px', 300)</script>"
    text = f"<p style='height: 500px; background: red'>Text</p>{late}"
    (folder / "moves.html").write_text(f'<!doctype html><link rel="icon" href="data:,">{text}')
    (folder / "font.html").write_text('<!doctype html><link rel="icon" href="data:,"><math><mi>x</mi></math>')
    assert [fault[:5] for fault in faults_at(chromium, f"{address}/moves.html", address, LARGE)] == ["moves"]
    assert "1 signs in" in faults_at(chromium, f"{address}/font.html", address, LARGE)[0]


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
