"""Interactive figures answer to keys, mouse and touch, and without scripts what is left is a still picture.

Here on small figures with and without faults; `test_pages_in_browser.py` moves those of the book.
"""

import io
import json

import pytest
from visits import FIGURED, SMALL, visit

import leaderboard_edu as le


@pytest.fixture(scope="module")
def phone(chromium):
    """Return a phone's window, with touch and a keyboard."""
    context = chromium.new_context(viewport=SMALL, has_touch=True)
    yield context
    context.close()


def figure_faults(page):
    """Move every control of every interactive figure by keyboard, mouse and touch; return what does not respond."""
    figures = page.locator(".interactive-figure").all()
    faults = [] if figures else ["no interactive figure"]
    for number, figure in enumerate(figures, start=1):
        found = [f"no check for {control}" for control in figure.evaluate(OTHER_CONTROLS)]
        found += figure.evaluate(FRAME_FAULTS)
        for index in range(figure.locator("input").count()):
            found += slider_faults(page, figure, index)
        for button in figure.locator("button").all():
            found += button_faults(figure, button)
        faults += [f"figure {number}: {fault}" for fault in found]
    return faults


OTHER_CONTROLS = """(figure) => [...figure.querySelectorAll("select, textarea, a, input:not([type=range])")]
  .map((control) => control.outerHTML.slice(0, 80))"""
# What a reader gets: the picture, the same in words, and the values beside the controls.
SHOWN = """(figure) => {
  const picture = figure.querySelector(":scope > img, :scope > svg");
  return {
    picture: picture.getAttribute("src") ?? picture.innerHTML,
    words: picture.getAttribute("alt") ?? picture.getAttribute("aria-label"),
    values: [...figure.querySelectorAll("output")].map((output) => output.textContent),
  };
}"""
# A figure whose frames are alike, or told alike, shows nothing.
FRAME_FAULTS = f"""(figure) => {{
  const shown = {SHOWN}, inputs = [...figure.querySelectorAll("input")];
  const pictures = new Set(), words = new Set();
  let count = 0;
  const walk = (i) => {{
    if (i === inputs.length) {{
      const now = shown(figure);
      count += 1;
      pictures.add(now.picture);
      words.add(now.words);
    }} else for (let value = 0; value <= Number(inputs[i].max); value += 1) {{
      inputs[i].value = value;
      inputs[i].dispatchEvent(new Event("input", {{bubbles: true}}));
      walk(i + 1);
    }}
  }};
  walk(0);
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
    values = data["shown"][index]
    slider = figure.locator("input").nth(index)
    if not slider.is_visible():
        return ["the controls are hidden"]
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    left, right, middle = box["x"] + 2, box["x"] + box["width"] - 2, box["y"] + box["height"] / 2
    first = figure.evaluate(SHOWN)
    slider.focus()
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


def faults_without_scripts(browser, url):
    """With scripting off the first frame and the table of its data show, and no control pretends to work."""
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
        if not figure.locator("table tbody tr").first.is_visible():
            faults.append("its data do not show")
    context.close()
    return faults


@pytest.mark.parametrize("page", FIGURED)
def test_figures_without_scripts(chromium, disk, page):
    """What is left when scripting is off is a still picture."""
    assert faults_without_scripts(chromium, f"{disk}/{page}.html") == []


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
    frames = tuple(le.Frame(picture(i), f"Picture {i}.", {"number": i}) for i in range(size))
    return le.InteractiveFigure(sliders, frames).html()


@pytest.fixture
def faults_of(phone, tmp_path):
    """Return a function that says what is wrong with a page of this content."""
    page = tmp_path / "page.html"

    def faults(body):
        page.write_text(f"<!doctype html><article>{body}</article>")
        with visit(phone, page.as_uri(), tmp_path.as_uri()) as (opened, found):
            return found + figure_faults(opened)

    return faults


def test_figures_of_the_library_respond(chromium, faults_of, tmp_path):
    """Two figures on a page, one of them with two sliders, do not get into each other's way."""
    assert faults_of(figure_with(3) + figure_with(2, 4)) == []
    assert faults_without_scripts(chromium, (tmp_path / "page.html").as_uri()) == []


def test_play_ends_by_itself(phone, tmp_path):
    """At the last value, after each one in between."""
    path = tmp_path / "page.html"
    path.write_text(figure_with(3))
    with visit(phone, path.as_uri(), tmp_path.as_uri()) as (page, faults):
        page.get_by_role("button").click()
        page.wait_for_selector(".interactive-figure button[aria-pressed=false]")
        assert page.locator("output").text_content() == "2 units"
    assert faults == []


# A figure as small as can be, to plant faults in.
FIGURE = """<div class="interactive-figure"><img alt="" src="">
<div class="controls"><input type="range" min="0" max="2" value="0" style="width: 200px"><output></output>
<button aria-pressed="false">Play</button></div>
<script type="application/json">{"shown": [["0 units", "1 unit", "2 units"]]}</script>
<script>(() => {
  const figure = document.currentScript.parentElement, [img, input, output, button] =
    ["img", "input", "output", "button"].map((name) => figure.querySelector(name));
  const values = JSON.parse(figure.querySelector("script").textContent).shown[0];
  const show = (value) => {
    const width = 40 + Number(value);
    img.src = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40"/>`;
    img.alt = "Picture " + value + ".";
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
    ("img.alt =", "img.title =", "leads to the wrong words"),
    ("img.src =", "img.title =", "leads to the wrong picture"),
    ("40 + Number(value)", "40 + Math.min(value, 1)", "two frames are the same picture"),
    ('"Picture " + value', '"Picture " + Math.min(value, 1)', "two frames have the same alt text"),
    ('class="controls"', 'class="controls" hidden', "hidden"),
    ('style="width', 'onmousedown="return false" style="width', "a click at the right end"),
    ('style="width', 'onpointerdown="this.disabled = event.pointerType === `touch`" style="width', "a tap at the"),
    ('max="2"', 'max="1"', "End shows '1 unit'"),
    ("show(input.value = (", "(input.value = (", "a button leaves the picture"),
    ("!stops)", "true)", "a button never stops"),
    ("<button", "<select><option>1</select><button", "no check for <select>"),
]


def test_planted_dead_figures_are_found(faults_of):
    """Figures that look alive and are dead, or answer to some hands only; the one without a change is sound."""
    assert [old for old, _, _ in BROKEN if old not in FIGURE] == []
    found = faults_of(FIGURE + "".join(FIGURE.replace(old, new) for old, new, _ in BROKEN))
    for number, (_, _, fault) in enumerate(BROKEN, start=2):
        assert any(line.startswith(f"figure {number}: ") and fault in line for line in found), fault
    assert [line for line in found if line.startswith("figure 1: ")] == []
    assert faults_of("<p>None.</p>") == ["no interactive figure"]


def test_planted_dead_control_is_found(chromium, small_site):
    """Without scripts a control must not show, and the picture must."""
    folder, address = small_site
    (folder / "page.html").write_text(figure_with(3).replace(" hidden>", ">"))
    assert faults_without_scripts(chromium, f"{address}/page.html")
    (folder / "page.html").write_text(figure_with(3).replace("<img ", '<img style="display: none" '))
    assert faults_without_scripts(chromium, f"{address}/page.html")
    (folder / "page.html").write_text(figure_with(3).replace("<details open>", "<details>"))
    assert faults_without_scripts(chromium, f"{address}/page.html")
