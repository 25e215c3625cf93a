"""Figures that respond without a kernel, and the library's own code."""

import base64
import html
import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure

import leaderboard_edu as le


@pytest.fixture(autouse=True)
def _default_style():
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        yield


def draw(k, eta=0.1):
    figure = Figure(figsize=(2, 1))
    axes = figure.subplots()
    axes.plot([0, k], [0, eta])
    axes.set(xlim=(0, 40), ylim=(0, 1), xticks=(0, 20, 40), yticks=(0, 1), title=f"up to {k} and {eta:.2f}")
    return figure


def sentence(k, eta=0.1):
    return f"A line that rises to {eta} at {k}, & stays <there>."


def numbers(k, eta=0.1):
    return {"slope": f"{eta / k:.4f}", "end": 1000 * k}


SLIDERS = (le.Slider("k", "Submissions", [1, 2, 3], "submissions"), le.Slider("eta", "Step", [0.1, 0.2], "of loss"))
MANY = (le.Slider("k", "Submissions", range(1, 20), "submissions"), SLIDERS[1])


def made(sliders=SLIDERS, draw=draw, alt=sentence, data=numbers):
    return le.interactive_figure(draw, sliders=sliders, alt=alt, data=data)


def embedded(figure):
    """Return the data in a figure's HTML."""
    (data,) = re.findall(r'<script type="application/json">(.*?)</script>', figure.html(), re.DOTALL)
    return json.loads(data)


@pytest.mark.parametrize("sliders", [SLIDERS, MANY], ids=["pictures", "drawing"])
def test_the_same_bytes_every_time(sliders):
    first, again = made(sliders), made(sliders)
    assert first.html() == again.html() == first._repr_html_()
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_interactive_figures as t;"
        "print(t.made(getattr(t, sys.argv[2])).html(), end='')"
    )
    command = [sys.executable, "-c", program, __file__.rpartition("/")[0], "SLIDERS" if sliders is SLIDERS else "MANY"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == first.html()


def test_frames():
    figure = made()
    positions = [(k, eta) for k in (1, 2, 3) for eta in (0.1, 0.2)]
    assert [frame.alt for frame in figure.frames] == [sentence(*position) for position in positions]
    assert [frame.data for frame in figure.frames] == [numbers(*position) for position in positions]
    assert len({frame.picture for frame in figure.frames}) == 6
    assert all(frame.picture.startswith(b"\x89PNG") for frame in figure.frames)
    data = embedded(figure)
    assert data["slots"] == [[0, "alt"], [0, "src"]]
    states = [[data["values"][i] for i in frame] for frame in data["frames"]]
    assert [alt for alt, _ in states] == [frame.alt for frame in figure.frames]
    pictures = [base64.b64decode(source.partition("base64,")[2]) for _, source in states]
    assert pictures == [frame.picture for frame in figure.frames]
    assert data["shown"] == [["1 submission", "2 submissions", "3 submissions"], ["0.1 of loss", "0.2 of loss"]]
    assert figure.html().count('type="range"') == figure.html().count("<button") == 2
    assert f'alt="{html.escape(sentence(1, 0.1))}"' in figure.html()


def test_pictures_stay_as_they_are():
    """Whatever letters their base64 has."""
    words = base64.b64decode("KEYTHEKEY+KEY/KEYKEY")
    figure = le.InteractiveFigure(SLIDERS[:1], (le.Frame(words, "Letters.", {"a": 1}),) * 3)
    assert embedded(figure)["values"] == ["Letters.", "data:image/png;base64,KEYTHEKEY+KEY/KEYKEY"]
    assert "THE-KEY" not in figure.html()


def drawn_after(figure, number):
    """Return the drawing of a frame, as the script makes it from the first one and the changes."""
    data = embedded(figure)
    svg = re.search(r"<svg.*?</svg>", figure.html(), re.DOTALL)[0]
    tree = ElementTree.fromstring(svg)
    parts = list(tree.iter())
    for (part, name), value in zip(data["slots"], data["frames"][number], strict=True):
        if name:
            parts[part].set(name, data["values"][value])
        else:
            parts[part].text = data["values"][value]
    return tree


def test_many_frames_are_one_drawing():
    """Each frame is what matplotlib draws: the same texts, the same curve within a tenth of a point."""
    figure = made(MANY)
    assert len(figure.frames) == 38
    assert figure.html().count("<svg") == 1
    assert "<img" not in figure.html()
    assert not re.search(r"<style[^>]*>\s*\*", figure.html())  # it would hold for the whole page
    for number, (k, eta) in enumerate((k, eta) for k in range(1, 20) for eta in (0.1, 0.2)):
        tree = drawn_after(figure, number)
        assert tree.get("aria-label") == sentence(k, eta)
        texts = [text.text for text in tree.iter("text")]
        assert texts == ["0", "20", "40", "0", "1", f"up to {k} and {eta:.2f}"]
        (curve,) = [path for path in tree.iter("path") if "#1f77b4" in path.get("style", "")]
        x0, y0, x1, y1 = map(float, re.findall(r"[\d.]+", curve.get("d")))
        box = draw(k, eta).axes[0].get_position()  # of a figure of 144 by 72 points, for axes of 40 by 1
        assert [x1 - x0, y0 - y1] == pytest.approx([144 * box.width * k / 40, 72 * box.height * eta], abs=0.1 + 1e-9)


def test_two_drawings_on_a_page_share_no_name():
    figures = made(MANY), made(MANY, data=lambda k, eta: {"a": 1})
    names = [set(re.findall(r' id="([^"]+)"', figure.html())) for figure in figures]
    assert names[0]
    assert not names[0] & names[1]
    for reference in re.findall(r"url\(#([^)]+)\)", figures[0].html()):
        assert reference in names[0]


def test_axes_keep_still():
    """Later drawings are laid out as the first one, whatever stands beside the axes."""

    def labelled(k, eta=0.1):
        figure = Figure(figsize=(2, 1), layout="constrained" if matplotlib.rcParams[LAYOUT] else None)
        axes = figure.subplots()
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.set_ylabel("share", fontsize=8 + k)
        return figure

    matplotlib.rcParams[LAYOUT] = True
    figure = made(MANY, draw=labelled)
    frames = {drawn_after(figure, number).findall(".//path")[1].get("d") for number in range(38)}
    assert len(frames) == 1
    assert matplotlib.rcParams[LAYOUT] is True


def test_axes_must_be_as_many():
    kept = le.keep_layout(lambda count: plt.subplots(count)[0])
    kept(count=2)
    with pytest.raises(ValueError, match=r"^draw must return as many axes every time, got 3 after 2$"):
        kept(count=3)
    with pytest.raises(ValueError, match=r"^draw must be callable, got 3$"):
        le.keep_layout(3)
    plt.close("all")


LAYOUT = "figure.constrained_layout.use"


def test_drawings_must_have_the_same_parts():
    def uneven(k, eta=0.1):
        figure = draw(k, eta)
        if k == 7:
            figure.axes[0].axhline(0.5)
        return figure

    with pytest.raises(ValueError, match=r"^draw must draw the same artists, .* 36 frames; .* rises to 0\.1 at 7, "):
        made(MANY, draw=uneven).html()


def test_the_table_has_a_row_for_each_frame():
    table = BeautifulSoup(made().html(), "html.parser").select_one("details[open] table")
    rows = [[cell.get_text() for cell in row.select("th, td")] for row in table.select("tr")]
    assert rows[0] == ["Submissions", "Step", "slope", "end"]
    assert rows[1] == ["1 submission", "0.1 of loss", "0.1000", "1,000"]
    assert rows[6] == ["3 submissions", "0.2 of loss", "0.0667", "3,000"]
    assert len(rows) == 7


def test_figures_are_closed():
    plt.close("all")
    made(SLIDERS[:1], draw=lambda k: plt.figure(figsize=(1, 1)))
    assert plt.get_fignums() == []


@pytest.mark.parametrize("text", ["", "curve", "Accuracy", "Accuracy against submissions", "Accuracy.", ".", None, 3])
def test_alt_must_be_a_sentence(text):
    with pytest.raises(ValueError, match=f"^alt must return a sentence .* got {re.escape(repr(text))}$"):
        made(SLIDERS[:1], alt=lambda k: text)


@pytest.mark.parametrize("data", [lambda k: {}, lambda k: {f"at {k}": 1}, lambda k: {"a": 1} if k < 3 else {}])
def test_data_must_have_the_same_names(data):
    with pytest.raises(ValueError, match=r"^data must return the same names for every frame, got \["):
        made(SLIDERS[:1], data=data)


@pytest.mark.parametrize("sizes", [(), (0,), (3, 0)])
def test_no_frame(sizes):
    sliders = [le.Slider(name, name, range(size)) for name, size in zip(("k", "eta"), sizes, strict=False)]
    with pytest.raises(ValueError, match=r"^sliders must give at least one frame, got \["):
        made(sliders)


@pytest.mark.parametrize("argument", ["draw", "alt", "data"])
def test_arguments_must_be_callable(argument):
    with pytest.raises(ValueError, match=f"^{argument} must be callable, got 'curve'$"):
        made(SLIDERS, **{argument: "curve"})


def test_a_figure_that_is_too_heavy():
    """Noise does not compress: thirty pictures of it are refused."""

    def noise(k):
        figure = Figure(figsize=(5, 4))
        figure.figimage(np.random.default_rng(k).random((440, 550)))
        return figure

    with pytest.raises(ValueError, match=r"^the figure takes \d+ bytes compressed, more than 400000; "):
        made([le.Slider("k", "k", range(30))], draw=noise, alt=lambda k: f"Noise {k}.", data=lambda k: {"seed": k})


def documented(n):
    """Return n.

    And more.
    """
    return f"{n}"  # a comment stays


def test_source_is_shown_without_docstrings():
    """Of functions and of methods, which lose their indentation, in the given order."""
    listing = le.show_source(documented, le.Slider.shown.fget).data
    first, second = listing.split("\n\n")
    assert first == '```python\ndef documented(n):\n    return f"{n}"  # a comment stays'
    assert second.startswith("@property\ndef shown(self) -> list[str]:\n    units = [")
    assert listing.endswith("\n```")


@pytest.mark.parametrize(("functions", "message"), [((), "at least one"), ((len,), "written in Python, got <built-in")])
def test_source_that_cannot_be_shown(functions, message):
    with pytest.raises(ValueError, match=f"^functions must be {message}"):
        le.show_source(*functions)
