"""Figures that respond without a kernel, and the house style."""

import base64
import html
import json
import re
import subprocess
import sys

import matplotlib
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

import leaderboard_edu as le


@pytest.fixture(autouse=True)
def _default_style():
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        yield


def draw(k, eta=0.1):
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([0, k], [0, eta])
    return figure


def sentence(k, eta=0.1):
    return f"A line that rises to {eta} at {k}, & stays <there>."


SLIDERS = (le.Slider("k", "Submissions", [1, 2, 3]), le.Slider("eta", "Step", [0.1, 0.2], "of loss"))


def test_the_same_bytes_every_time():
    first, again = (le.interactive_figure(draw, sliders=SLIDERS, alt=sentence) for _ in range(2))
    assert first.html() == again.html() == first._repr_html_()
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_interactive_figures as t, leaderboard_edu as le;"
        "print(le.interactive_figure(t.draw, sliders=t.SLIDERS, alt=t.sentence).html(), end='')"
    )
    command = [sys.executable, "-c", program, __file__.rpartition("/")[0]]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == first.html()


def test_frames():
    figure = le.interactive_figure(draw, sliders=SLIDERS, alt=sentence)
    assert [alt for _, alt in figure.frames] == [sentence(k, eta) for k in (1, 2, 3) for eta in (0.1, 0.2)]
    assert len({picture for picture, _ in figure.frames}) == 6
    assert all(picture.startswith(b"\x89PNG") for picture, _ in figure.frames)
    page = figure.html()
    (data,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    data = json.loads(data)
    pictures = [base64.b64decode(source.partition("base64,")[2]) for source, _ in data["frames"]]
    assert pictures == [picture for picture, _ in figure.frames]
    assert data["shown"] == [["1", "2", "3"], ["0.1 of loss", "0.2 of loss"]]
    assert page.count('type="range"') == 2
    assert f'alt="{html.escape(sentence(1, 0.1))}"' in page


def test_figures_are_closed():
    plt.close("all")

    def draw_with_pyplot(k):
        return plt.figure(figsize=(1, 1))

    le.interactive_figure(draw_with_pyplot, sliders=SLIDERS[:1], alt=sentence)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("text", ["", "curve", "Accuracy", "Accuracy against submissions", "Accuracy.", ".", None, 3])
def test_alt_must_be_a_sentence(text):
    with pytest.raises(ValueError, match=f"^alt must return a sentence .* got {re.escape(repr(text))}$"):
        le.interactive_figure(draw, sliders=SLIDERS[:1], alt=lambda k: text)


@pytest.mark.parametrize(("sizes", "frames"), [((37,), 37), ((6, 7), 42), ((3, 0), 0), ((0,), 0)])
def test_number_of_frames(sizes, frames):
    sliders = [le.Slider(name, name, range(size)) for name, size in zip(("k", "eta"), sizes, strict=False)]
    with pytest.raises(ValueError, match=rf"^sliders must give between 1 and 36 frames, got {frames}$"):
        le.interactive_figure(draw, sliders=sliders, alt=sentence)


def test_no_sliders():
    with pytest.raises(ValueError, match=r"^sliders must give"):
        le.interactive_figure(draw, sliders=[], alt=sentence)


def test_house_style():
    assert matplotlib.rcParams["axes.spines.top"] is True
    le.use_style()
    assert matplotlib.rcParams["axes.spines.top"] is False
    assert matplotlib.rcParams["savefig.transparent"] is False
    assert matplotlib.rcParams["figure.facecolor"] == "white"
    assert le.COLOURS["theory"] == "#000000"
    assert len(set(le.COLOURS.values())) == len(le.COLOURS)
