"""Interactive figures answer to keys, mouse and touch, and without scripts what is left is a still picture.

Here on small figures with and without faults; `test_pages_in_browser.py` moves those of the book.
"""

import json
import shutil
from pathlib import Path

import altair as alt
import pytest
from visits import FIGURED, SMALL, visit

import leaderboard_edu as le

STATIC = Path(__file__).parents[2] / "_build" / "html" / "_static"


@pytest.fixture(scope="module")
def phone(chromium):
    """Return a phone's window, with touch and a keyboard."""
    context = chromium.new_context(viewport=SMALL, has_touch=True)
    yield context
    context.close()


def figure_faults(page, by_hand=None):
    """Draw every frame of every interactive figure, and move its controls by keyboard, mouse and touch.

    Return what does not respond. A number moves so many figures only by hand: the same script moves all.
    """
    figures = page.locator(".interactive-figure").all()
    faults = [] if figures else ["no interactive figure"]
    for number, figure in enumerate(figures, start=1):
        figure.evaluate("figure => { const fold = figure.closest('details.fold'); if (fold) fold.open = true; }")
        figure.scroll_into_view_if_needed()
        page.wait_for_function("figure => figure.matches('.alive')", arg=figure.element_handle())
        page.evaluate("document.fonts.ready.then(() => {})")
        found = [f"no check for {control}" for control in figure.evaluate(OTHER_CONTROLS)]
        found += figure.evaluate(CUT_OFF) + figure.evaluate(FRAME_FAULTS)
        if number in range(1, len(figures) + 1)[:by_hand]:
            for index in range(figure.locator("input").count()):
                found += slider_faults(page, figure, index)
            for button in figure.locator("button").all():
                found += button_faults(figure, button)
        faults += [f"figure {number}: {fault}" for fault in found]
    return faults


OTHER_CONTROLS = """(figure) => [...figure.querySelectorAll("select, textarea, a, input:not([type=range])")]
  .map((control) => control.outerHTML.slice(0, 80))"""
CUT_OFF = """(figure) => [...figure.querySelectorAll(".live svg")].flatMap((svg) => {
  const end = svg.getBoundingClientRect().bottom;
  const words = [...svg.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().bottom > end);
  return words.map((text) => `'${text.textContent}' is cut off below`);
})"""
# What a reader gets: the picture, the same in words, and the values beside the controls.
NOW = """(figure) => {
  const live = figure.querySelector(".live");
  const parts = [...live.querySelectorAll("*")].filter((part) => !part.children.length).map((part) => part.outerHTML);
  return {
    picture: parts.sort().join(""),  // in whatever order they are drawn
    words: figure.querySelector(".pictures").getAttribute("aria-label"),
    values: [...figure.querySelectorAll("output")].map((output) => output.textContent),
  };
}"""
SHOWN = f"""async (figure) => {{
  const live = figure.querySelector(".live");
  for (let i = 0, before; i < 60 && before !== live.innerHTML; i += 1) {{  // until it keeps still
    before = live.innerHTML;
    for (let j = 0; j < 3; j += 1) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }}
  return ({NOW})(figure);
}}"""
# A figure whose frames are alike, or told alike, shows nothing. A frame that is drawn too late is like the one before.
FRAME_FAULTS = f"""async (figure) => {{
  const now = {NOW}, inputs = [...figure.querySelectorAll("input")];
  const pictures = new Set(), words = new Set();
  let count = 0;
  const walk = async (i) => {{
    if (i === inputs.length) {{
      await new Promise((done) => setTimeout(done));
      const {{picture, words: told}} = now(figure);
      count += 1;
      pictures.add(picture);
      words.add(told);
    }} else for (let value = 0; value <= Number(inputs[i].max); value += 1) {{
      inputs[i].value = value;
      inputs[i].dispatchEvent(new Event("input", {{bubbles: true}}));
      await walk(i + 1);
    }}
  }};
  await walk(0);
  for (const input of inputs) input.value = 0;
  inputs[0]?.dispatchEvent(new Event("input", {{bubbles: true}}));
  const faults = inputs.length ? [] : ["no control"];
  if (pictures.size < count) faults.push("two frames are the same picture");
  if (words.size < count) faults.push("two frames have the same alt text");
  return faults;
}}"""


def slider_faults(page, figure, index):
    """Move a slider by keys, by mouse and by touch; it must reach both ends, and show its values as they are listed."""
    data = json.loads(figure.locator('script[type="application/json"]').text_content())
    values = data["sliders"][index]["shown"]
    slider = figure.locator("input").nth(index)
    if not slider.is_visible():
        return ["the controls are hidden"]
    slider.scroll_into_view_if_needed()
    page.mouse.move(0, 0)  # a picture may answer to what points at it
    slider.focus()
    page.keyboard.press("Home")
    first = figure.evaluate(SHOWN)
    box = slider.bounding_box()
    left, right, middle = box["x"] + 2, box["x"] + box["width"] - 2, box["y"] + box["height"] / 2
    faults = []
    for name, move, due in [
        ("ArrowRight", lambda: page.keyboard.press("ArrowRight"), 1),
        ("Home", lambda: page.keyboard.press("Home"), 0),
        ("a click at the right end", lambda: page.mouse.click(right, middle), -1),
        ("a click at the left end", lambda: page.mouse.click(left, middle), 0),
        ("a tap at the right end", lambda: page.touchscreen.tap(right, middle), -1),
        ("a tap at the left end", lambda: page.touchscreen.tap(left, middle), 0),
        ("End", lambda: page.keyboard.press("End"), -1),
        ("Home again", lambda: page.keyboard.press("Home"), 0),
    ]:
        move()
        now = figure.evaluate(SHOWN)
        if now["values"][index] != values[due]:
            faults.append(f"{name} shows {now['values'][index]!r}, not {values[due]!r}")
        alike = [what for what in ("picture", "words") if (now[what] == first[what]) != (due == 0)]
        faults += [f"{name} leads to the wrong {what}" for what in alike]
    return faults


def button_faults(figure, button):
    """Press a button; the picture must change, and a second press must stop what the first one began."""
    if not button.is_visible():
        return ["the controls are hidden"]
    first = figure.evaluate(SHOWN)
    button.click()
    second = figure.evaluate(SHOWN)
    button.evaluate("button => button.getAttribute('aria-pressed') === 'true' && button.click()")  # it may have ended
    faults = [f"a button leaves the {what} as it was" for what in ("picture", "words") if first[what] == second[what]]
    return faults + (["a button never stops"] if button.get_attribute("aria-pressed") == "true" else [])


@pytest.fixture(scope="module")
def still(chromium):
    """Return a window in which scripting is off."""
    context = chromium.new_context(java_script_enabled=False)
    yield context
    context.close()


def faults_without_scripts(context, url):
    """With scripting off the first frame and the table of its data show, and no control pretends to work."""
    page = context.new_page()
    page.goto(url)
    figures = page.locator(".interactive-figure").all()
    faults = [] if figures else ["no interactive figure"]
    for figure in figures:
        fold = figure.locator("xpath=ancestor::details[contains(@class, 'fold')]")
        if fold.count():
            fold.locator("summary").first.click()
        if figure.locator("input").first.is_visible():
            faults.append("a control is shown that cannot work")
        box = figure.locator(".pictures").bounding_box()
        if not box or min(box["width"], box["height"]) < 20:
            faults.append("the first frame does not show")
        if not figure.locator("table tbody tr").first.is_visible():
            faults.append("its data do not show")
    page.close()
    return faults


# All are made alike: the others at night.
@pytest.mark.parametrize(
    "page", [*FIGURED[:3], *(pytest.param(page, marks=pytest.mark.nightly) for page in FIGURED[3:])]
)
def test_figures_without_scripts(still, disk, page):
    """What is left when scripting is off is a still picture."""
    assert faults_without_scripts(still, f"{disk}/{page}.html") == []


def figure_with(*counts):
    """Return the HTML of a figure with a slider for each count of values."""

    def draw(narrow):
        length = alt.X("length:Q").scale(domain=[0, 20])
        return alt.Chart(alt.NamedData("bar")).mark_bar().encode(x=length).properties(height=70)

    def number(**at):
        return sum(value * 5**place for place, value in enumerate(at.values()))

    return le.interactive_figure(
        draw,
        sliders=[le.Slider(f"x{count}", f"x{count}", range(count), "units") for count in counts],
        rows=lambda **at: {"bar": {"length": [number(**at)]}},
        alt=lambda **at: f"Bar {number(**at)}.",
        data=lambda **at: {"length": number(**at)},
    ).html()


@pytest.fixture
def page_of(tmp_path, disk):
    """Return a function that writes a page with this body and the book's scripts, and returns its path."""
    for name in ("vega.js", "pictures.js", "pictures.css", "colours.css"):
        shutil.copy(STATIC / name, tmp_path)
    styles = "".join(f'<link rel="stylesheet" href="{name}.css">' for name in ("colours", "pictures"))
    head = f'<!doctype html>{styles}<script src="pictures.js"></script>'

    def write(body):
        (tmp_path / "page.html").write_text(f"{head}<article>{body}</article>")
        return tmp_path / "page.html"

    return write


@pytest.fixture
def faults_of(phone, page_of):
    """Return a function that says what is wrong with a page of this content."""

    def faults(body):
        page = page_of(body)
        with visit(phone, page.as_uri(), page.parent.as_uri()) as (opened, found):
            return found + figure_faults(opened)

    return faults


def test_figures_of_the_library_respond(still, faults_of, page_of):
    """Two figures on a page, one of them with two sliders, do not get into each other's way."""
    both = figure_with(3) + figure_with(2, 4)
    assert faults_of(both) == []
    assert faults_without_scripts(still, page_of(both).as_uri()) == []


def test_play_ends_by_itself(phone, page_of):
    """At the last value, after each one in between."""
    path = page_of(figure_with(3))
    with visit(phone, path.as_uri(), path.parent.as_uri()) as (page, faults):
        page.get_by_role("button").click()
        page.wait_for_selector(".interactive-figure button[aria-pressed=false]")
        assert page.locator("output").text_content() == "2 units"
    assert faults == []


def test_play_jumps_where_motion_is_not_wanted(chromium, page_of):
    """To the last value and back to the first, by one press each; nothing plays."""
    context = chromium.new_context(reduced_motion="reduce")
    path = page_of(figure_with(30))
    with visit(context, path.as_uri(), path.parent.as_uri()) as (page, faults):
        page.wait_for_selector(".interactive-figure.alive")
        button, shown = page.get_by_role("button"), page.locator("output")
        for value in ("29 units", "0 units", "29 units"):
            button.click()
            assert shown.text_content() == value
            assert button.get_attribute("aria-pressed") == "false"
    context.close()
    assert faults == []


# What makes a phone wait: marks that are made, and searches through the page. Counted, because clocks differ.
COUNT = """() => {
  window.made = window.sought = 0;
  const ours = () => document.querySelectorAll(".interactive-figure .live");
  for (const kind of [Element, Document]) {
    const old = kind.prototype.querySelectorAll;
    kind.prototype.querySelectorAll = function (...all) { window.sought += 1; return old.apply(this, all); };
  }
  new MutationObserver((changes) => changes.forEach(({ target, addedNodes }) => {
    if (target.closest?.(".live")) window.made += addedNodes.length;
  })).observe(document, { childList: true, subtree: true });
}"""


def test_the_wall_is_drawn_once(chromium, site):
    """Each of its marks is made once, and nobody searches it for icons: neither when it is drawn nor at a step."""
    context = chromium.new_context()
    context.add_init_script(f"({COUNT})()")
    with visit(context, f"{site}/book/index.html", site) as (page, faults):
        page.wait_for_selector(".interactive-figure.alive")
        page.wait_for_timeout(500)
        marks = page.evaluate("document.querySelectorAll('.interactive-figure .live *').length")
        made, sought = page.evaluate("[made, sought]")
        page.locator(".interactive-figure input").first.press("ArrowLeft")
        page.wait_for_timeout(500)
        again = page.evaluate("sought") - sought
    context.close()
    assert marks > 2000
    assert made <= 1.1 * marks
    assert sought < 300
    assert again < 20
    assert faults == []


@pytest.mark.parametrize(("axis", "width"), [("x", 1280), ("y", 1280), ("x", 500), ("y", 500)])
def test_the_handle_is_dragged(chromium, page_of, axis, width):
    """By mouse to the nearest value of its slider, on a scale that is not even; a click elsewhere moves nothing.

    In a narrow window, too, where the drawing is scaled and nothing scrolls.
    """

    def draw(narrow):
        place = {"x": alt.X, "y": alt.Y}[axis]("k:Q").scale(type="log", domain=[1, 1000])
        handle = alt.Chart(alt.NamedData("now")).mark_rule(strokeWidth=30, color="red").encode(place)
        line = alt.Chart(alt.NamedData("now")).mark_point().encode(place)
        return alt.layer(line, handle.properties(name="handle")).properties(width=560, height=300)

    slider = le.Slider("k", "k", [1, 10, 100, 1000])
    path = page_of(
        le.interactive_figure(
            draw,
            sliders=[slider],
            rows=lambda k: {"now": {"k": [k]}},
            alt=lambda k: f"At {k}.",
            data=lambda k: {"k": k},
            drag=("k", axis),
        ).html()
    )
    page = chromium.new_page(viewport={"width": width, "height": 800})
    page.goto(path.as_uri())
    page.wait_for_selector(".alive")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".live svg").bounding_box()

    def drag(end, beside=0):
        grip = page.locator(".live [class*=handle_] line").bounding_box()
        middle = {"x": grip["x"] + grip["width"] / 2, "y": grip["y"] + grip["height"] / 2}
        start = middle | {axis: middle[axis] + beside}
        along = end if axis == "x" else 1 - end  # up is more
        page.mouse.move(**start)
        page.mouse.down()
        page.mouse.move(**middle | {axis: box[axis] + along * box["width" if axis == "x" else "height"]})
        page.mouse.up()
        return page.locator("output").text_content()

    assert [drag(0.4), drag(0.95), drag(0), drag(0.4, beside=-40)] == ["10", "1,000", "1", "1"]
    page.close()


# A figure as small as can be, to plant faults in.
FIGURE = """<div class="interactive-figure alive"><div class="pictures" role="img"><div class="live"></div></div>
<div class="controls"><input type="range" min="0" max="2" value="0" style="width: 200px"><output></output>
<button aria-pressed="false">Play</button></div>
<script type="application/json">{"sliders": [{"shown": ["0 units", "1 unit", "2 units"]}]}</script>
<script>(() => {
  const figure = document.currentScript.parentElement, [picture, live, input, output, button] =
    [".pictures", ".live", "input", "output", "button"].map((name) => figure.querySelector(name));
  const values = JSON.parse(figure.querySelector("script").textContent).sliders[0].shown;
  const show = (value) => {
    const width = 40 + Number(value);
    live.innerHTML = `<svg width="${width}" height="40"><text x="${width}" y="20">word</text></svg>`;
    picture.ariaLabel = "Picture " + value + ".";
    output.textContent = values[value];
  };
  input.addEventListener("input", () => show(input.value));
  button.addEventListener("click", () => {
    const stops = button.getAttribute("aria-pressed") === "true";
    button.setAttribute("aria-pressed", !stops);
    if (!stops) show(input.value = (Number(input.value) + 1) % 3);
  });
  show(0);
})();</script></div>"""


BROKEN = [
    ('addEventListener("input"', 'addEventListener("wheel"', "leads to the wrong picture"),
    ("output.textContent =", "output.title =", "shows ''"),
    ("values[value]", "value + ' unit'", "shows '2 unit'"),
    ("picture.ariaLabel =", "picture.title =", "leads to the wrong words"),
    ("live.innerHTML =", "live.title =", "leads to the wrong picture"),
    ("40 + Number(value)", "40 + Math.min(value, 1)", "two frames are the same picture"),
    ('"Picture " + value', '"Picture " + Math.min(value, 1)', "two frames have the same alt text"),
    ('class="controls"', 'class="controls" hidden', "hidden"),
    ('style="width', 'onmousedown="return false" style="width', "a click at the right end"),
    ('style="width', 'onpointerdown="this.disabled = event.pointerType === `touch`" style="width', "a tap at the"),
    ('max="2"', 'max="1"', "End shows '1 unit'"),
    ("show(input.value = (", "(input.value = (", "a button leaves the picture"),
    ("!stops)", "true)", "a button never stops"),
    ("<button", "<select><option>1</select><button", "no check for <select>"),
    ('y="20"', 'y="39"', "'word' is cut off below"),
]


@pytest.mark.nightly
def test_planted_dead_figures_are_found(faults_of):
    """Figures that look alive and are dead, or answer to some hands only; the one without a change is sound."""
    assert [old for old, _, _ in BROKEN if old not in FIGURE] == []
    found = faults_of(FIGURE + "".join(FIGURE.replace(old, new) for old, new, _ in BROKEN))
    for number, (_, _, fault) in enumerate(BROKEN, start=2):
        assert any(line.startswith(f"figure {number}: ") and fault in line for line in found), fault
    assert [line for line in found if line.startswith("figure 1: ")] == []
    assert faults_of("<p>None.</p>") == ["no interactive figure"]


def test_planted_dead_control_is_found(still, page_of):
    """Without scripts a control must not show, and the picture must."""
    for old, new in (
        (" hidden>", ">"),
        ('class="pictures"', 'class="pictures" style="display: none"'),
        ("<details open>", "<details>"),
    ):
        assert old in figure_with(3)
        assert faults_without_scripts(still, page_of(figure_with(3).replace(old, new)).as_uri())
