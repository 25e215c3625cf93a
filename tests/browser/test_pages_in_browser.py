"""Each page in a real browser: silent, self-contained, alive, no wider than the screen, accessible.

A page is opened once, as a file, which asks most of it: whoever unpacks the book finds all of it, without a server. One
page of each kind is also served under a sub-path, as on GitHub Pages. Each check returns the faults it finds and is
tested on small pages that have them.
"""

import shutil
import time

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from test_figures_in_browser import figure_faults
from visits import CHAPTERS, FIGURED, HTML, LARGE, PAGES, SMALL, layout_faults, leaves, serve, visit

LOOKS = ((SMALL, "light"), (LARGE, "dark"))
# Pages that the same code makes of docstrings and exercises: one of each by day.
ALIKE = {page for page in PAGES if page.startswith(("book/api/", "book/exercises/"))}
BY_DAY = [page for page in PAGES if page not in ALIKE - {"book/api/attacks", "book/exercises/pages/ladder"}]
KINDS = ["book/index", CHAPTERS[0], "book/exercises/pages/ladder", "book/running", "genindex", "search", "404"]


@pytest.fixture(scope="module")
def context(chromium):
    """Return a window with touch and a keyboard, which keeps the theme's scripts from one page to the next."""
    context = chromium.new_context(viewport=SMALL, has_touch=True, reduced_motion="reduce")
    context.add_init_script(WATCH)

    def late(route):
        """Let the font of formulas come when the rest of the page is there, as on a slow line."""
        time.sleep(0.3)
        route.continue_()

    context.route("**/stix-*", late)
    yield context
    context.close()


@pytest.fixture(scope="module")
def home(site, tmp_path_factory):
    """Return the address of the book under a sub-path, as on GitHub Pages; there is nothing above it."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "a").mkdir()
    (folder / "a" / "b").symlink_to(HTML)
    with serve(folder) as address:
        yield f"{address}/a/b"


def page_faults(context, url, home, figures=False, looks=LOOKS, size=SMALL, by_hand=None):
    """Open a page, move its figures, unfold and use all of it; return its faults.

    Axe sees it in these looks: on a phone in light colours, wide in the dark.
    """
    with visit(context, url, home, size=size) as (page, faults):
        moved = page.evaluate(MOVED)
        faults += [f"at {size['width']} px: it moves by {moved:.2f}"] if moved > MOST else []
        faults += layout_faults(page)
        page.set_viewport_size(SMALL)
        if figures:
            faults += figure_faults(page, by_hand)
        unfold(page)
        for size in (LARGE, SMALL):
            page.set_viewport_size(size)
            faults += layout_faults(page)
        use(page)
        if looks:
            page.evaluate(THIN)
            page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
        for size, scheme in looks:
            page.set_viewport_size(size)
            page.evaluate(SETTLE)
            show_scheme(page, scheme)
            found = page.evaluate(RUN_AXE)
            faults += [f"axe: {fault} at {size['width']} px, {scheme}" for fault in found]
    return faults


MOST = 0.1  # by which a page may move while it comes, as browsers count it
WATCH = """window.shifts = new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.moved = (window.moved ?? 0) + shift.value;
});
window.shifts.observe({type: "layout-shift", buffered: true})"""
# Once the fonts are there and drawn.
MOVED = """async () => {
  for (let i = 0; i < 3; i += 1) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  let moved = window.moved ?? 0;
  for (const shift of window.shifts.takeRecords()) if (!shift.hadRecentInput) moved += shift.value;
  return moved;
}"""


def unfold(page):
    """Open what is folded away, as a reader does: by a click."""
    page.evaluate('document.querySelectorAll("details:not([open]) > summary").forEach((summary) => summary.click())')
    page.evaluate('document.querySelectorAll(".toggle-button").forEach((button) => button.click())')


def use(page):
    """Walk to the end of the page, load what waits for that, change the colours, and open and close the search."""
    page.evaluate(
        """async () => {
          const pause = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          for (const lazy of document.querySelectorAll("[loading=lazy]")) lazy.loading = "eager";
          for (const part of [0.5, 1]) {
            window.scrollTo(0, part * document.documentElement.scrollHeight);
            await pause();
          }
          for (const control of [".theme-switch-button", ".search-button"]) {
            document.querySelector(control)?.click();
            await pause();
          }
        }"""
    )
    page.keyboard.press("Escape")


def show_scheme(page, scheme):
    """Show the page in light or dark colours."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate("(scheme) => { document.documentElement.dataset.theme = scheme; }", scheme)


# Axe takes ten seconds for a page with ten thousand elements. One letter stands for each formula, the first rows for
# the data of a figure, and of the coloured words in code the first one of each colour in each kind of place for all.
# Shapes that say nothing are nothing to it.
THIN = """() => {
  for (const row of document.querySelectorAll(".interactive-figure tbody tr:nth-of-type(n + 5)")) row.remove();
  for (const shape of document.querySelectorAll("svg :is(path, use, line, rect, circle)"))
    if (!shape.closest("defs, a, button") && !shape.children.length && !shape.matches("[role], [tabindex]")
      && !shape.getAttributeNames().some((name) => name.startsWith("aria-"))) shape.remove();
  for (const formula of document.querySelectorAll(".math > math")) formula.replaceWith("x");
  const seen = new Set();
  for (const block of document.querySelectorAll(".highlight pre")) {
    let place = "";
    for (let element = block; element; element = element.parentElement) place += `${element.className} `;
    for (const word of block.querySelectorAll("span")) {
      const kind = `${word.className} in ${place}`;
      if (seen.has(kind)) word.replaceWith(...word.childNodes);
      else seen.add(kind);
    }
    block.normalize();
  }
}"""
# The keyboard is let to what scrolls a little after the width has changed: by the theme, three tenths of a second.
SETTLE = """async () => {
  const waits = (box) => box.tabIndex < 0 && box.scrollWidth > box.clientWidth;
  for (let i = 0; i < 40 && [...document.querySelectorAll("pre, table, .output")].some(waits); i += 1)
    await new Promise((done) => setTimeout(done, 25));
}"""
# Colours are looked at on one text of each kind: those with the same elements and classes around them.
RUN_AXE = """async () => {
  if (document.querySelector("dialog[open]")) return ["a dialog is open, which hides the rest"];
  const article = document.querySelector("article.bd-article") ?? document.querySelector("main") ?? document.body;
  const kinds = new Map();
  const kind = (element) => {
    if (element === article) return "";
    if (kinds.has(element)) return kinds.get(element);
    const {parentNode: parent, tagName, className, style} = element;
    const odd = tagName === "TR" ? [...parent.children].indexOf(element) % 2 : "";
    kinds.set(element, `${kind(parent)} ${tagName}.${className} ${odd} ${style?.cssText}`);
    return kinds.get(element);
  };
  const texts = new Map();
  for (const element of article.querySelectorAll("*"))
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.data.trim() && element.checkVisibility())
        texts.set(kind(element), element);
  const colours = ["color-contrast", "link-in-text-block"];
  const options = {resultTypes: ["violations"], preload: false};
  const runs = texts.size ? [[{include: [...texts.values()]}, {...options, runOnly: colours}]] : [];
  const rules = Object.fromEntries(colours.map((rule) => [rule, {enabled: false}]));
  rules["label-content-name-mismatch"] = {enabled: true};
  runs.push([document, {...options, rules}]);
  const found = [];
  for (const [where, how] of runs)
    for (const {id, nodes} of (await axe.run(where, how)).violations)
      found.push(`${id} (${nodes.length}): ${nodes[0].html.slice(0, 120)} ${nodes[0].any[0]?.message ?? ""}`);
  return found;
}"""


@pytest.mark.parametrize("page", BY_DAY)
def test_page_is_sound(context, disk, page):
    """Nothing in the console, no missing file, no other host, nothing too wide, every frame of a figure is another.

    By turns pages come on a phone and wide, where they keep still, and axe sees them in one look; hands move a figure.
    """
    turn = PAGES.index(page) % 2
    options = {"size": (LARGE, SMALL)[turn], "looks": LOOKS[turn : turn + 1], "by_hand": 1}
    assert page_faults(context, f"{disk}/{page}.html", disk, figures=page in FIGURED, **options) == []


@pytest.mark.nightly
@pytest.mark.parametrize("page", PAGES)
def test_page_is_sound_in_every_look(context, disk, page):
    """All figures are moved by hand, axe sees the page in both looks, and it comes as it does not by day."""
    size = (SMALL, LARGE)[PAGES.index(page) % 2]
    assert page_faults(context, f"{disk}/{page}.html", disk, figures=page in FIGURED, size=size) == []


@pytest.mark.parametrize("page", KINDS)
def test_page_is_sound_when_served(context, home, page):
    """Below the root of a host, with nothing above it."""
    assert page_faults(context, f"{home}/{page}.html", home, looks=()) == []


def test_first_page_leads_to_the_book(context, disk, home):
    """Whoever opens the site without a name of a page arrives, with a server and without."""
    for url, root in ((f"{home}/", home), (f"{disk}/index.html", disk)):
        with visit(context, url, root, lands=f"{root}/book/index.html") as (page, faults):
            assert page.locator("article h1").count() == 1
        assert faults == []


def test_search_from_disk(context, disk):
    """Without a server a browser lets no page read another: the results come without their summaries."""
    with visit(context, f"{disk}/search.html?q=ladder", disk) as (page, faults):
        page.wait_for_selector("#search-results li a")
        page.wait_for_function("document.querySelector('#search-results .search-summary').textContent.match(/[0-9]/)")
        assert page.locator("#search-results a[href^='book/ladder.html']").count()
    assert faults == []


# Bodies of pages, and the faults that each must have. Faults that do not hide each other share a page, to save time.
PLANTED = [
    ("<p>All is well.</p><img src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=' alt='A dot.'>", []),
    (
        """
        <script>console.error('said')</script>
        <script>undefined.broken</script>
        <script src='https://one.example.org/a.js'></script>
        <script>new WebSocket('wss://two.example.org')</script>
        <img src='none.png' alt='None.'>
        <img src='../above.png' alt='Above.'>
        <button class='search-button' onclick='fetch(`//three.example.org`)'>Search</button>
        <button class='theme-switch-button' onclick='fetch(`//four.example.org`)'>Colours</button>
        <details><summary onclick='fetch(`//five.example.org`)'>More</summary></details>
        <img loading='lazy' style='margin-top: 9000px' src='https://six.example.org/a.png' alt='Far.'>
        <style>@font-face { font-family: f; src: url(f.woff) } p { font-family: f }</style><p>Text</p>
        <span class='math'>\\(x\\)</span>
        """,
        [
            "console: said",
            "error: ",
            "leaves the site: https://one",
            "leaves the site: wss://two",
            "404: ",
            "leaves the site: http://localhost",
            "leaves the site: http://three",
            "leaves the site: http://four",
            "leaves the site: http://five",
            "leaves the site: https://six",
            "no font",
            "not typeset",
            "no picture",
        ],
    ),
    ("<div style='width: 1300px'>wide</div>", ["at 360 px: the page is 13", "at 1280 px: the page is 13"]),
    (
        """
        <style>[data-theme=dark] .d { color: #000; background: #222 } @media (max-width: 400px) { b { color: #bbb } }
        </style><p class='d'>dark</p><b>small</b><img src='data:,'>
        <table><tr><th></th><th>a</th></tr><tr><td>1</td><td>2</td></tr></table>
        <pre style='overflow-x: scroll; width: 90px'>scrolls without a way to do it</pre>
        <button aria-label='Search'>Find</button><details><summary><i></i></summary>No name</details>
        </article></main><p>Outside of all</p>
        """,
        [
            "axe: color-contrast (1): <b>",  # on a phone
            'axe: color-contrast (1): <p class="d">',  # in the dark
            "axe: image-alt",
            "axe: empty-table-header",
            "axe: scrollable-region",
            "axe: label-content-name-mismatch",
            "axe: summary-name",
            "axe: region",
        ],
    ),
    (
        """
        <style>@font-face { font-family: f; src: url(stix-late.woff2); ascent-override: 2000% }
        p { font-family: f, serif }</style><p>High</p><p>Below</p>
        """,
        ["at 360 px: it moves by 0."],
    ),
    ("<dialog id='d'>x</dialog><script>d.showModal(); d.oncancel = (e) => e.preventDefault()</script>", ["a dialog"]),
]


@pytest.mark.parametrize(("body", "due"), PLANTED)
def test_planted_faults_are_found(context, small_site, body, due):
    """Each check of a page can fail, and a sound page passes."""
    folder, address = small_site
    (folder / "site").mkdir()
    (folder / "above.png").touch()
    shutil.copy(HTML / "_static" / "fonts" / "stix-two-math.woff2", folder / "site" / "stix-late.woff2")
    html = (
        '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,">'
        f'<main><article class="bd-article"><h1>Page</h1>{body}</article></main>'
    )
    (folder / "site" / "page.html").write_text(html)
    faults = page_faults(context, f"{address}/site/page.html", f"{address}/site")
    assert [fault for fault in due if not any(fault in found for found in faults)] == []
    assert due or faults == []


def test_overflow_of_a_real_page_is_found(context, home):
    """The theme must not hide from the check what a reader would have to scroll to."""
    with visit(context, f"{home}/{CHAPTERS[0]}.html", home) as (page, _):
        page.set_viewport_size(SMALL)
        page.evaluate("document.querySelector('article').innerHTML += '<div style=\"width: 700px\">wide</div>'")
        assert any("wide" in fault for fault in layout_faults(page))


def test_leaving():
    """A neighbour of the site is not the site."""
    assert not leaves("http://localhost:1/a/page.html", "http://localhost:1/a")
    assert not leaves("data:,", "http://localhost:1/a")
    assert leaves("http://localhost:1/b/page.html", "http://localhost:1/a")
    assert leaves("http://localhost:1/ab/page.html", "http://localhost:1/a")
