"""The house style, means of repetitions, and the bands that show them."""

import base64
import io
import itertools
import math
import re
from pathlib import Path

import matplotlib
import nbclient
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

import leaderboard_edu as le
from leaderboard_edu import figures

ROOT = Path(__file__).parents[2]
CURVES = np.random.default_rng(0).random((40, 5)) + np.arange(5)


@pytest.fixture(autouse=True)
def _default_style():
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        yield


def test_house_style():
    assert matplotlib.rcParams["axes.spines.top"] is True
    le.use_style()
    assert matplotlib.rcParams["axes.spines.top"] is False
    assert matplotlib.rcParams["savefig.transparent"] is False
    assert matplotlib.rcParams["figure.facecolor"] == "white"
    assert matplotlib.rcParams["axes.prop_cycle"].by_key()["color"][0] == le.COLOURS["ladder"]
    assert le.COLOURS["theory"] == "#000000"
    assert len(set(le.COLOURS.values())) == len(le.COLOURS)


def contrast_with_white(colour):
    """Return the contrast ratio of the Web Content Accessibility Guidelines."""
    shares = np.array(matplotlib.colors.to_rgb(colour))
    light = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)
    return 1.05 / (light + 0.05)


def test_text_can_be_read():
    assert set(le.TEXT_COLOURS) == set(le.COLOURS)
    assert min(contrast_with_white(colour) for colour in le.TEXT_COLOURS.values()) >= 4.5
    assert contrast_with_white(le.COLOURS["parameter_free"]) < 4.5  # so the other colours are needed


def test_a_static_figure_takes_its_colours_from_the_page():
    """Its letters, axes and grid among them, which are dark on a dark page otherwise."""
    le.use_style()
    figure = le.static_figure(lambda ax: ax.set(title="Error", xlabel="labels"), alt="An empty plot.")
    for drawing in figure.drawings.values():
        assert "var(--paper-grid, " in drawing
        assert all("fill: var(--paper-text, " in style for style in re.findall(r'<text style="([^"]*)"', drawing))
        assert not re.search(r"(?<!, )#[0-9a-f]{6}", drawing)


def said(drawing):
    """Return the words of a drawing."""
    return re.findall(r">([^<>]+)</text>", drawing)


def test_panels_of_a_static_figure_say_once_what_they_share():
    """And a grid that is wider than high stands upright on a phone."""

    def draw(*axes):
        for i, ax in enumerate(axes):
            ax.set(xlim=(0, 1), ylim=(0, 1 + i // 3), xticks=[0.5], yticks=[0.25])
            ax.set(xlabel="labels", ylabel="loss", title=f"panel {i}")

    figure = le.static_figure(draw, alt="Six empty panels.", panels=(2, 3), height=2)
    wide, narrow = (said(figure.drawings[name]) for name in ("wide", "narrow"))
    assert (wide.count("labels"), wide.count("0.5"), wide.count("loss"), wide.count("0.25")) == (3, 3, 2, 2)
    assert (narrow.count("labels"), narrow.count("loss")) == (2, 6)  # limits on the axis y differ between neighbours
    size = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
    assert [round(float(number) / 72, 1) for number in size.search(figure.drawings["narrow"]).groups()] == [3.4, 6]
    assert [word for word in narrow if "panel" in word] == [f"panel {i}" for i in (0, 3, 1, 4, 2, 5)]


def test_axes_have_numbers_in_groups_of_three():
    """Whoever sets the ticks; words of a figure, and what is no number of an axis, stay."""

    def draw(free, fixed, named, powers):
        free.set(xlim=(0, 5000), ylim=(0, 0.5), title="0101 1000")
        fixed.set_xticks([1, 1000])
        named.set_xticks([1, 2, 3], [1240, "1000", "b 1000"])
        powers.set(xscale="log", xlim=(1, 1e5))

    for drawing in le.static_figure(draw, alt="Empty panels.", panels=4).drawings.values():
        found = said(drawing)
        assert {"0", "5,000", "1", "1,000", "1,240", "b 1000", "0101 1000", "0.5"} <= set(found)
        assert not {"1000", "5000", "1240"} & set(found)


@pytest.mark.parametrize("look", [{}, {"color": "black", "mew": 0}])  # black is no style in an SVG
def test_a_thousand_points_are_light(look):
    """The look of points is said once, not with each."""
    le.use_style()
    points = CURVES[:, 0].repeat(25)
    figure = le.static_figure(lambda ax: ax.plot(points, ".", **look), alt="A cloud of a thousand points.")
    drawing = figure.drawings["wide"]
    assert drawing.count("<use") >= 1000
    assert len(drawing) < 60_000


def test_a_colour_stands_in_one_file():
    """So that one edit changes it everywhere: library, chapters, scripts and styles of the pages take it from there."""
    where = ("leaderboard_edu/*.*", "book/*.ipynb", "book/*.py", "book/pictures/*", "book/_*/*.*", "tools/*.py")
    kinds = {".py", ".css", ".js", ".html", ".ipynb", ".mplstyle"}
    paths = [path for pattern in where for path in ROOT.glob(pattern) if path.suffix in kinds]
    texts = {path.name: path.read_text(encoding="utf-8").upper() for path in paths}
    tables = ("COLOURS", "TEXT_COLOURS", "PAPER", "DARK_COLOURS", "DARK_TEXT_COLOURS", "DARK_PAPER")
    colours = {colour.upper() for table in tables for colour in getattr(figures, table).values()} - {
        "#000000",
        "#FFFFFF",
    }
    # Matplotlib's style has colours without a sign.
    plain = r"(?<![\w#])(?:" + "|".join(colour[1:] for colour in colours) + r")(?!\w)"
    sought = re.compile("|".join(colours) + "|" + plain)
    assert {name for name, text in texts.items() if sought.search(text)} == {"figures.py"}


#: How people see who lack one kind of cones, of G. M. Machado and others, 2009: from light to light.
SEEN = {
    "all cones": np.eye(3),
    "no long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no middle": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def seen(colour, eyes):
    """Return a colour's place in Oklab, in hundredths, as these eyes see it."""
    shares = np.array(matplotlib.colors.to_rgb(colour))
    light = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    cones = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
    mixed = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
    return 100 * mixed @ np.cbrt(cones @ np.clip(SEEN[eyes] @ light, 0, 1))


@pytest.mark.parametrize("kind", ["COLOURS", "TEXT_COLOURS", "DARK_COLOURS", "DARK_TEXT_COLOURS"])
def test_boards_can_be_told_apart(kind):
    """By everybody, light and dark; the simplified Ladder from the Ladder, which is drawn beside it, at a glance."""
    colours = getattr(figures, kind)
    for eyes in SEEN:
        place = {
            name: seen(colours[name], eyes) for name in ("full_disclosure", "ladder", "simplified", "parameter_free")
        }
        assert min(math.dist(place[a], place[b]) for a, b in itertools.combinations(place, 2)) > 4
        assert math.dist(place["simplified"], place["ladder"]) > 15


def test_the_style_of_the_pages_has_each_colour_twice():
    """Each that a picture asks for; and dark what the theme does not decide."""
    light, dark = (dict(re.findall(r"(--[\w-]+): ([^;]+);", rule)) for rule in figures.style_sheet().splitlines())
    asked = "".join(
        figures.as_variables(c) for c in (*le.COLOURS.values(), *le.TEXT_COLOURS.values(), *le.PAPER.values())
    )
    assert set(re.findall(r"--[\w-]+", asked)) <= set(light)
    assert {name for name in light if "--pst" not in light[name]} == set(dark)
    assert (light["--ladder"], dark["--ladder"]) == (le.COLOURS["ladder"], figures.DARK_COLOURS["ladder"])


def test_a_notebook_draws_a_picture_once_and_whole():
    """Without the setting the kernel would draw each picture twice, to cut it to what is on it."""
    source = "import matplotlib.pyplot as plt, leaderboard_edu as le; le.use_style(); f = plt.figure(figsize=(2, 1))"
    notebook = new_notebook(cells=[new_code_cell(source + "\nf.subplots().axis('off'); None")])
    (shown,) = nbclient.execute(notebook, timeout=60).cells[0].outputs
    picture = Image.open(io.BytesIO(base64.b64decode(shown.data["image/png"])))
    assert picture.size == (2 * 144, 144)


@given(st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=2, max_size=9))
def test_mean_and_error_by_definition(rows):
    """Each column is averaged by itself, as it would be alone."""
    means, errors = le.mean_and_error(rows)
    for column, mean, error in zip(zip(*rows, strict=True), means, errors, strict=True):
        by_hand = sum(column) / len(column)
        squares = math.fsum((value - by_hand) ** 2 for value in column)
        assert mean == pytest.approx(by_hand, abs=1e-12)
        assert error == pytest.approx(math.sqrt(squares / (len(column) - 1) / len(column)), abs=1e-12)
        assert le.mean_and_error(column) == (pytest.approx(mean, abs=1e-12), pytest.approx(error, abs=1e-12))


def test_shares_have_means():
    assert le.mean_and_error([True, False, True, False]) == (0.5, pytest.approx(math.sqrt(1 / 12)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "values must hold at least two repetitions, got shape (0,)"),
        ([0.5], "values must hold at least two repetitions, got shape (1,)"),
        (0.5, "values must hold at least two repetitions, got shape ()"),
        ([[1, 2, 3]], "values must hold at least two repetitions, got shape (1, 3)"),
        ([[1, 2], [3]], "values must have the same shape in each repetition, got [[1, 2], [3]]"),
        (["a", "b"], "values must hold numbers, got dtype <U1"),
        ([0.5, math.nan], "values must be finite, got nan"),
    ],
)
def test_too_little_for_an_error_is_refused(values, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        le.mean_and_error(values)


def drawn(x=range(5), curves=CURVES, **options):
    """Return the axes with a band on them."""
    ax = Figure().subplots()
    le.draw_band(ax, x, curves, **{"color": "#123456", **options})
    return ax


def edges(ax):
    """Return the lower and the upper edge of the band."""
    (path,) = ax.collections[0].get_paths()
    heights = [path.vertices[path.vertices[:, 0] == x, 1] for x in range(5)]
    return [[edge(at) for at in heights] for edge in (min, max)]


def test_the_band_holds_most_curves():
    """The line is their mean; 38 of 40 lie between the quantiles, at each place."""
    ax = drawn()
    low, high = edges(ax)
    assert np.allclose(ax.lines[0].get_ydata(), CURVES.mean(axis=0))
    assert ((low <= CURVES) & (high >= CURVES)).sum(axis=0).tolist() == [38] * 5


def test_the_band_of_standard_errors():
    """It is as wide as the errors of the mean, and says nothing of single curves."""
    mean, error = le.mean_and_error(CURVES)
    assert np.allclose(edges(drawn(standard_errors=2)), [mean - 2 * error, mean + 2 * error])


def test_options_of_the_line():
    line = drawn(marker="o", label="curves").lines[0]
    assert (line.get_color(), line.get_marker(), line.get_label()) == ("#123456", "o", "curves")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"curves": CURVES[:1]}, "curves must hold at least two repetitions"),
        ({"curves": CURVES[0]}, "curves must have a row for each repetition, got shape (5,)"),
        ({"x": range(4)}, "x must have 5 entries, got 4"),
        ({"standard_errors": -1}, "standard_errors must be a finite number of at least 0, got -1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        drawn(**options)
