"""What only a browser shows of the look: the first screen, edges that fade, quiet code, a dead address."""

import io
import itertools
import json
import re
import sys
import unicodedata
from pathlib import Path

import jinja2
import pytest
from pypdf import PdfReader
from visits import LARGE, SMALL, QuietHandler, serve

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "book" / "_extensions"))
from landing import parts  # noqa: E402

FIRST_SCREEN = """(height) => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const title = box("article h1"), text = box("article section > p"), figure = box("article .interactive-figure");
  const faults = [];
  if (!(title.bottom <= figure.top && figure.bottom <= text.top)) faults.push("not in order");
  if (box("article .interactive-figure input").bottom > height) faults.push("the figure is cut off");
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.push("too wide");
  return faults;
}"""


def first_screen_faults(page, size, height):
    """Return what is wrong with the first screen: the title, the whole figure and a text must come, in this order."""
    page.set_viewport_size(size)
    return page.evaluate(FIRST_SCREEN, height)


def test_first_screen(chromium, site):
    """On a desktop all in one screen; on a phone the slider may need one stroke of the thumb."""
    page = chromium.new_page()
    page.goto(f"{site}/book/index.html", wait_until="networkidle")
    assert first_screen_faults(page, {"width": 1280, "height": 800}, 800) == []
    assert first_screen_faults(page, {"width": 360, "height": 740}, 1.5 * 740) == []
    page.evaluate("document.querySelector('article h1').style.paddingTop = '400px'")
    assert first_screen_faults(page, {"width": 1280, "height": 800}, 800) == ["the figure is cut off"]
    page.evaluate("document.querySelector('article section').append(document.querySelector('.interactive-figure'))")
    assert "not in order" in first_screen_faults(page, {"width": 1280, "height": 2800}, 9999)
    page.close()


INSIDE = """() => {
  const map = document.querySelector(".chapter-map svg"), box = map.viewBox.baseVal;
  const {x, y, width, height} = map.getBBox();
  return x >= box.x && y >= box.y && x + width <= box.width && y + height <= box.height;
}"""


def test_the_map_is_whole(chromium, site):
    """No arc and no title is cut off at an edge."""
    page = chromium.new_page()
    page.goto(f"{site}/book/index.html", wait_until="networkidle")
    page.evaluate("document.querySelector('details:has(.chapter-map)').open = true")
    assert page.evaluate(INSIDE)
    page.evaluate("document.querySelector('.chapter-map tspan').textContent += ' and all that follows from them'")
    assert not page.evaluate(INSIDE)
    page.close()


def test_what_is_wide_scrolls_and_fades(chromium, site):
    """At the edge where something is hidden, on a phone; there the keyboard reaches it. What fits does not fade."""
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    page.goto(f"{site}/book/tree_compression.html", wait_until="networkidle")
    wide = page.wait_for_selector("article pre[data-more-right]")
    assert wide.get_attribute("tabindex") == "0"
    assert "gradient" in wide.evaluate("box => getComputedStyle(box).maskImage")
    wide.evaluate("box => box.scrollLeft = box.scrollWidth")
    page.wait_for_function("box => box.matches('[data-more-left]:not([data-more-right])')", arg=wide)
    fits = "article div.math[data-more-right]"
    assert page.evaluate(f"[...document.querySelectorAll('{fits}')].filter(box => box.clientWidth < 250).length") == 0
    page.set_viewport_size({"width": 1280, "height": 740})
    page.wait_for_function("box => !box.matches('[data-more-right], [data-more-left]')", arg=wide)
    page.close()


def test_hidden_code_is_quiet(chromium, site):
    """A cell that shows nothing takes less than two lines, and its code still opens."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/book/ladder.html")
    cell = page.locator("div.cell.tag_hide-input:not(:has(> .cell_output))").first
    assert cell.bounding_box()["height"] < 32
    assert cell.inner_text().strip() == "Show the code"
    cell.locator("summary").click()
    assert cell.locator("pre").is_visible()
    page.close()


def test_the_mutants_can_be_searched(chromium, site):
    """All are listed, the survivors first; every word that is typed must stand in a row."""
    mutants = json.loads((ROOT / "book" / "data" / "mutants.json").read_text())["mutants"]
    page = chromium.new_page(viewport=LARGE)
    page.goto(f"{site}/book/mutants.html")
    rows, count = page.locator("table.searchable tbody tr"), page.locator(".table-search output")
    assert rows.count() == len(mutants)
    assert "survives" in rows.first.inner_text()
    page.get_by_label("Search the table").fill("Hoeffding killed")
    shown = [row.lower() for row in rows.filter(visible=True).all_inner_texts()]
    assert 0 < len(shown) < len(mutants)
    assert all("hoeffding" in row and "killed" in row for row in shown)
    assert count.inner_text() == f"{len(shown)} of {len(mutants)} rows"
    page.get_by_label("Search the table").fill("")
    assert rows.filter(visible=True).count() == len(mutants)
    page.close()


def test_boards_can_be_sorted_and_filtered(chromium, site):
    """By what Eve gains, most first, by the keyboard too; what cannot happen at a board is hidden, and yet printed."""
    page = chromium.new_page(viewport=LARGE)
    page.goto(f"{site}/book/mechanisms_compared.html")
    table = page.locator("table.sortable").first
    table.evaluate("table => { table.closest('details.fold').open = true; }")
    rows, count = table.locator("tbody tr"), page.locator(".table-search output").first
    head = table.get_by_role("button", name="knows half")
    at_first = rows.filter(visible=True).count()
    page.get_by_label("regression").first.check()
    assert rows.filter(visible=True).count() == rows.count() > at_first
    head.press("Enter")
    shown = rows.locator("td:nth-of-type(2)")
    values = [float(value) for value in shown.evaluate_all("all => all.map(td => td.dataset.value ?? '-9')")]
    assert values == sorted(values, reverse=True)
    assert table.locator("th[aria-sort=descending]").inner_text().startswith("knows half")
    head.locator("xpath=..").click(position={"x": 2, "y": 2})  # beside the words, in the same cell
    values = [float(value) for value in shown.evaluate_all("all => all.map(td => td.dataset.value ?? '9')")]
    assert values == sorted(values)
    table.get_by_role("button", name="promise").click()  # here the smallest comes first
    promised = rows.locator("td:nth-of-type(4)[data-value]")
    values = [float(value) for value in promised.evaluate_all("all => all.map(td => td.dataset.value)")]
    assert values == sorted(values)
    everything = rows.count()
    page.get_by_label("an account is a person").first.uncheck()
    page.get_by_label("regression").first.uncheck()
    left = rows.filter(visible=True)
    assert 0 < left.count() < everything
    assert set(left.locator("td:nth-of-type(3)").all_inner_texts()) == {"none"}
    assert count.inner_text() == f"{left.count()} of {everything} rows"
    page.emulate_media(media="print")
    assert rows.filter(visible=True).count() == everything
    page.close()


def test_tables_are_printed_whole(chromium, site):
    """Each row behind a figure, which a screen shows in a box that scrolls; what is short on one sheet of paper."""
    page = chromium.new_page(viewport=LARGE)
    page.goto(f"{site}/book/competitions.html")
    tables = page.evaluate("""() => [...document.querySelectorAll(".interactive-figure table")].map(
      (table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("")))""")
    sheets = [plain(sheet.extract_text()) for sheet in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]
    page.close()
    long, short = ([rows for rows in tables if (len(rows) > 24) == large] for large in (True, False))
    assert long
    assert short
    for row in itertools.chain(*tables):
        assert plain(row) in "".join(sheets), row
    for rows in short:
        assert [sheet for sheet in sheets if all(plain(row) in sheet for row in rows)], rows[0]


def plain(text):
    """Return a text without spaces, which printing moves."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


class WithMissingPage(QuietHandler):
    """Serves a folder under /name/, as GitHub Pages does, and the page 404.html for what is not there."""

    def translate_path(self, path):
        """Return the file for an address under /name/, and for all others one that does not exist."""
        return super().translate_path(path.removeprefix("/name")) if path.startswith("/name/") else "/none"

    def send_error(self, code, *args, **kwargs):
        """Send the page of the book."""
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def missing_page_faults(browser, root, depth):
    """Open an address that does not exist; return the links that lead nowhere, and what else is wrong."""
    page = browser.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(root + "none/" * depth + "none.html")
    faults = [] if page.locator("h1").text_content() == "Page not found" else ["not the page of the book"]
    faults += [f"asks for {url}" for url in requests[1:] if not url.startswith("data:")]
    links = [link.evaluate("a => a.href") for link in page.locator("a").all()]
    faults += [] if len(links) > 5 else ["no list of chapters"]
    faults += [f"leads nowhere: {link}" for link in links if page.request.get(link).status != 200]
    page.locator("input[name=q]").fill("ladder")
    page.locator("button").click()
    if page.url != f"{root}search.html?q=ladder":
        faults.append(f"the search leads to {page.url}")
    page.close()
    return faults


@pytest.fixture
def pages_site(tmp_path):
    """Return the folder of a site that has only the targets of the missing page, and a function that writes that."""
    (tmp_path / "book").mkdir()
    names = [chapter.page for chapters in parts(ROOT).values() for chapter in chapters]
    for name in ("book/index", "search", *names):
        (tmp_path / f"{name}.html").touch()
    template = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "book" / "_templates")).get_template("404.html")

    def write(site_path):
        context = {"parts": parts(ROOT), "root_doc": "book/index", "docstitle": "Book", "site_path": site_path}
        (tmp_path / "404.html").write_text(template.render(pathto=lambda name: f"{name}.html", **context))
        return tmp_path

    return write


@pytest.mark.parametrize("depth", [0, 1, 4])
def test_missing_page(chromium, pages_site, depth):
    """At any depth under a sub-path, with a known address."""
    with serve(pages_site("/name/"), WithMissingPage) as home:
        root = f"{home}/name/"
        assert missing_page_faults(chromium, root, depth) == []


def test_missing_page_faults_are_found(chromium, pages_site):
    """Without the address its links are wrong below the root, and with another everywhere."""
    with serve(pages_site(None), WithMissingPage) as home:
        root = f"{home}/name/"
        assert missing_page_faults(chromium, root, 0) == []
        assert missing_page_faults(chromium, root, 1)
        page = chromium.new_page()
        page.goto(f"{root}404.html")
        assert page.locator("h1").text_content() == "Page not found"
        page.close()
    with serve(pages_site("/other/"), WithMissingPage) as home:
        root = f"{home}/name/"
        assert missing_page_faults(chromium, root, 0)


def test_built_missing_page_under_its_own_name(chromium, site):
    """Opened as a file of the site it works wherever the site is, even if the address that it knows is another."""
    page = chromium.new_page()
    page.goto(f"{site}/404.html")
    page.locator("li a").first.click()
    page.wait_for_selector("article h1 .headerlink", state="attached")
    assert page.url.startswith(f"{site}/book/")
    page.close()


def test_a_remark_stands_in_the_margin(chromium, disk):
    """Beside the text on a wide screen, in it on a phone."""
    page = chromium.new_page(viewport=LARGE)
    page.goto(f"{disk}/book/competitions.html")
    sides = "() => ['aside.margin', 'section > p'].map((e) => document.querySelector(e).getBoundingClientRect())"
    remark, text = page.evaluate(sides)
    assert text["right"] < remark["left"] < remark["right"] < LARGE["width"]
    page.set_viewport_size(SMALL)
    remark, text = page.evaluate(sides)
    assert (remark["left"], remark["right"]) == (text["left"], text["right"])
    page.close()
