"""Each page in a real browser: silent, self-contained, no wider than the screen, its figures alive.

Each check returns the faults it finds and is tested on small pages that have them.
"""

import base64
import io
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import leaderboard_edu as le

ROOT = Path(__file__).parents[2]
PAGES = re.findall(r"\b(?:root|file): (\S+)", (ROOT / "_toc.yml").read_text())
CHAPTERS = [page for page in PAGES if re.fullmatch(r"book/\w+", page) and (ROOT / f"{page}.ipynb").exists()]

THEME_NOISE = "'THEBE_JS_URL' has already been declared"
WIDTHS = (360, 1280)


def visit_faults(browser, url):
    """Open a page at a phone's and a desktop's width; return what it says, fetches and overflows."""
    faults = []
    page = browser.new_page()

    def note(kind, text):
        if THEME_NOISE not in text:
            faults.append(f"{kind}: {text}")

    page.on("console", lambda message: message.type == "error" and note("console", message.text))
    page.on("pageerror", lambda error: note("error", str(error)))
    page.on("requestfailed", lambda request: note("failed", request.url))
    page.on("response", lambda response: response.status >= 400 and note(str(response.status), response.url))
    page.on("request", lambda request: leaves_localhost(request.url) and note("leaves localhost", request.url))
    page.goto(url, wait_until="networkidle")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        faults += [f"at {width} px: {fault}" for fault in page.evaluate(LAYOUT_FAULTS)]
    page.close()
    return faults


LAYOUT_FAULTS = """async () => {
  await window.MathJax?.startup?.promise;
  const faults = [];
  const {scrollWidth, clientWidth} = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} wide`);
  for (const formula of document.querySelectorAll(".math"))
    if (!formula.querySelector("mjx-container") || formula.querySelector("mjx-merror"))
      faults.push(`not typeset: ${formula.textContent}`);
  for (const picture of document.querySelectorAll("article img"))
    if (!picture.naturalWidth) faults.push(`no picture: ${picture.src.slice(0, 80)}`);
  return faults;
}"""


def leaves_localhost(url):
    """Say whether a request goes to another machine."""
    parts = urlsplit(url)
    return parts.scheme not in {"data", "blob", "about"} and parts.hostname != "localhost"


def figure_faults(browser, url):
    """Move every control of every interactive figure by keyboard; return the figures that do not respond."""
    page = browser.new_page()
    page.goto(url)
    figures = page.locator(".interactive-figure").all()
    faults = [] if figures else ["no interactive figure"]
    for number, figure in enumerate(figures, start=1):
        found = frame_faults(figure)
        for index in range(figure.locator("input").count()):
            found += keyboard_faults(page, figure, index)
        faults += [f"figure {number}: {fault}" for fault in found]
    page.close()
    return faults


def shown(figure, index):
    """Return what a figure shows: its picture, the alt text and the value beside a control."""
    picture = figure.locator("> img, > svg")
    drawn = picture.evaluate("(picture) => picture.src ?? picture.innerHTML")
    return {
        "picture": drawn,
        "alt text": picture.get_attribute("alt") or picture.get_attribute("aria-label"),
        "value": figure.locator("output").nth(index).text_content(),
    }


def frame_faults(figure):
    """A figure whose frames are alike, or told alike, shows nothing."""
    data = json.loads(figure.locator('script[type="application/json"]').text_content())
    frames = data["frames"]
    alts, pictures = zip(*((alt, tuple(picture)) for alt, *picture in frames), strict=True)
    faults = [] if figure.locator("input").count() else ["no control"]
    faults += [] if len(set(pictures)) == len(frames) else ["two frames are the same picture"]
    return faults + ([] if len(set(alts)) == len(frames) else ["two frames have the same alt text"])


def keyboard_faults(page, figure, index):
    """ArrowRight must bring the next picture, alt text and value; End the last value; Home the first picture."""
    data = json.loads(figure.locator('script[type="application/json"]').text_content())
    values = data["shown"][index]
    control = figure.locator("input").nth(index)
    if not control.is_visible():
        return ["the controls are hidden"]
    first = shown(figure, index)
    control.focus()
    page.keyboard.press("ArrowRight")
    second = shown(figure, index)
    page.keyboard.press("End")
    last = shown(figure, index)
    page.keyboard.press("Home")
    faults = [f"ArrowRight leaves the {what} as it was" for what in first if first[what] == second[what]]
    reached = {"ArrowRight": (second["value"], values[1]), "End": (last["value"], values[-1])}
    faults += [f"{key} shows {seen!r}, not {due!r}" for key, (seen, due) in reached.items() if seen != due]
    return faults + ([] if shown(figure, index) == first else ["Home does not lead back to the start"])


def faults_without_scripts(browser, url):
    """With scripting off the first frame shows, and no control pretends to work."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(url)
    figures = page.locator(".interactive-figure").all()
    faults = [] if figures else ["no interactive figure"]
    for figure in figures:
        if figure.locator("input").first.is_visible():
            faults.append("a control is shown that cannot work")
        box = figure.locator("> img, > svg").bounding_box()
        if not box or min(box["width"], box["height"]) < 20:
            faults.append("the first frame does not show")
    context.close()
    return faults


@pytest.mark.parametrize("page", PAGES)
def test_page_is_sound(chromium, site, page):
    """No console error, no missing file, no request elsewhere, no overflow, all mathematics typeset."""
    assert visit_faults(chromium, f"{site}/{page}.html") == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_figures_respond(chromium, site, chapter):
    """Every control of every figure, by keyboard and with no kernel."""
    assert figure_faults(chromium, f"{site}/{chapter}.html") == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_figures_without_scripts(chromium, site, chapter):
    """What is left when scripting is off is a still picture."""
    assert faults_without_scripts(chromium, f"{site}/{chapter}.html") == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<p>All is well.</p>", None),
        (f'<script>console.error("{THEME_NOISE}")</script>', None),
        ("<script>console.error('broken')</script>", "console: broken"),
        ("<script>undefined.broken</script>", "error"),
        ("<article><img src='none.png'></article>", "404"),
        ("<script src='https://cdn.example.org/a.js'></script>", "leaves localhost"),
        ("<div style='width: 700px'>wide</div>", "at 360 px"),
        ("<span class='math'>\\(x\\)</span>", "not typeset"),
    ],
)
def test_planted_page_is_found(chromium, small_site, body, fault):
    """Each check of a page can fail, and a sound page passes."""
    folder, address = small_site
    (folder / "page.html").write_text(f"<!doctype html>{body}")
    faults = visit_faults(chromium, f"{address}/page.html")
    assert any(fault in found for found in faults) if fault else faults == []


def test_overflow_of_a_real_page_is_found(chromium, site):
    """The theme must not hide from the check what a reader would have to scroll to."""
    page = chromium.new_page(viewport={"width": 360, "height": 800})
    page.goto(f"{site}/{CHAPTERS[0]}.html", wait_until="networkidle")
    page.evaluate("document.querySelector('article').innerHTML += '<div style=\"width: 700px\">wide</div>'")
    assert any("wide" in fault for fault in page.evaluate(LAYOUT_FAULTS))
    page.close()


def picture(number):
    """Return a picture, another one for each number."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (60, 40), (number * 20, 0, 0)).save(stream, format="png")
    return stream.getvalue()


def figure_with(*counts):
    """Return the HTML of a figure with a slider for each count of values."""
    sliders = tuple(le.Slider(f"x{count}", f"x{count}", range(count), "units") for count in counts)
    size = 1
    for count in counts:
        size *= count
    return le.InteractiveFigure(
        sliders, tuple(le.Frame(picture(i), f"Picture {i}.", {"number": i}) for i in range(size))
    ).html()


def test_figures_of_the_library_respond(chromium, small_site):
    """Two figures on a page, one of them with two sliders, do not get into each other's way."""
    folder, address = small_site
    (folder / "page.html").write_text(figure_with(3) + figure_with(2, 4))
    assert figure_faults(chromium, f"{address}/page.html") == []
    assert faults_without_scripts(chromium, f"{address}/page.html") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('addEventListener("input"', 'addEventListener("change2"'),
        ("outputs[i].textContent =", "outputs[i].title ="),
        ('"slots":[[0,"alt"],[0,"src"]]', '"slots":[[0,"alt"]]'),
        ('"slots":[[0,"alt"],[0,"src"]]', '"slots":[[0,"title"],[0,"src"]]'),
        ("textContent = data.shown[i][input.value]", "textContent = `${input.value} unit`"),
        ('querySelector(".controls").hidden = false', 'querySelector(".controls").hidden = true'),
        ('"Picture 1."', '"Picture 0."'),
        (base64.b64encode(picture(1)).decode(), base64.b64encode(picture(0)).decode()),
        ('class="interactive-figure"', 'class="figure"'),
    ],
    ids=["deaf", "value", "picture", "alt", "wrong value", "hidden", "same alt", "same picture", "none"],
)
def test_planted_dead_figure_is_found(chromium, small_site, old, new):
    """A figure that looks alive and is dead."""
    folder, address = small_site
    good = figure_with(3)
    assert old in good
    (folder / "page.html").write_text(good.replace(old, new))
    assert figure_faults(chromium, f"{address}/page.html")


def test_planted_dead_control_is_found(chromium, small_site):
    """Without scripts a control must not show, and the picture must."""
    folder, address = small_site
    (folder / "page.html").write_text(figure_with(3).replace(" hidden>", ">"))
    assert faults_without_scripts(chromium, f"{address}/page.html")
    (folder / "page.html").write_text(figure_with(3).replace("<img ", '<img style="display: none" '))
    assert faults_without_scripts(chromium, f"{address}/page.html")
