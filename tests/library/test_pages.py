"""Figures that respond without a kernel or keep still, and the library's own code."""

import html
import json
import re
import subprocess
import sys

import altair
import matplotlib
import numpy as np
import pytest
from bs4 import BeautifulSoup

import leaderboard_edu as le


@pytest.fixture(autouse=True)
def _default_style():
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        yield


def draw(narrow):
    height = altair.Y("share:Q").scale(domain=[0, 1])
    return altair.Chart(altair.NamedData("line")).mark_line(color=le.COLOURS["ladder"]).encode(x="k:Q", y=height)


def rows(k, eta=0.1, steps=2):
    return {"line": {"k": [0, k], "share": np.array([0, eta / 3])}}


def sentence(k, eta=0.1):
    return f"A line that rises to {eta} at {k}, & stays <there>."


def numbers(k, eta=0.1):
    return {"slope": f"{eta / k:.4f}", "end": 1000 * k}


SLIDERS = (
    le.Slider("k", "Submissions", [1, 2, 3], "submissions", start=2),
    le.Slider("eta", "Step", [0.1, 0.2], "of loss", start=0.2),
)


def made(sliders=SLIDERS, **changes):
    return le.interactive_figure(
        **{"draw": draw, "sliders": sliders, "rows": rows, "alt": sentence, "data": numbers} | changes
    )


@pytest.fixture(scope="module")
def figure():
    """Return a figure, and its HTML as a tree and as data."""
    made_once = made()
    tree = BeautifulSoup(made_once.html(), "html.parser")
    return made_once, tree, json.loads(tree.select_one('script[type="application/json"]').string)


POSITIONS = [(k, eta) for k in (1, 2, 3) for eta in (0.1, 0.2)]


def test_states(figure):
    """One for each position, the last slider fastest, and the first one shown is the one to start with."""
    made_once, _, data = figure
    assert [state.at for state in made_once.states] == [{"k": k, "eta": eta} for k, eta in POSITIONS]
    assert data["alts"] == [sentence(*position) for position in POSITIONS]
    drawn = [{name: data["sets"][at] for name, at in state.items()} for state in data["states"]]
    assert drawn == [{"line": {"k": [0, k], "share": [0, float(f"{eta / 3:.5g}")]}} for k, eta in POSITIONS]
    assert made_once.start.at == {"k": 2, "eta": 0.2}


def test_sets_of_rows_are_there_once():
    """However many states show them."""
    same = made(rows=lambda k, eta: {"line": {"k": [0, 1], "share": [0, 1]}})
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', same.html())[1])
    assert len(data["sets"]) == 1
    assert [state["line"] for state in data["states"]] == [0] * 6


def test_html(figure):
    """Two drawings, the picture in words, named controls at the state to start with."""
    _, tree, data = figure
    assert [svg["class"] for svg in tree.select(".pictures > svg")] == [["wide"], ["narrow"]]
    assert tree.select_one(".pictures")["aria-label"] == tree.select_one(".says p").string == sentence(2, 0.2)
    assert [(i["value"], i["max"], i["aria-valuetext"]) for i in tree.select("input")] == [
        ("1", "2", "2 submissions"),
        ("1", "1", "0.2 of loss"),
    ]
    assert [slider["shown"][0] for slider in data["sliders"]] == ["1 submission", "0.1 of loss"]
    assert html.escape("& stays <there>") in str(tree)


def test_the_page_decides_about_colours(figure):
    """None is left to the drawing or the chart, but as what stands in where there is no page."""
    made_once, _, _ = figure
    text = made_once.html().lower()
    ladder = le.COLOURS["ladder"].lower()
    assert text.count(ladder) == text.count(f"var(--ladder, {ladder})") >= 3
    assert "var(--ladder" not in json.dumps(made_once.chart_at(made_once.start))


def test_widths(figure):
    """A chart is as wide as the page, or as a phone's; one that is put together sets its widths itself."""
    made_once, tree, _ = figure
    assert [svg["width"] for svg in tree.select(".pictures > svg")] == ["616", "312"]
    beside = made(draw=lambda narrow: draw(narrow) | draw(narrow))
    assert "width" not in beside.charts["wide"]
    assert made_once.charts["narrow"]["width"] == 312


def test_a_parameter_has_the_value_of_its_slider():
    """In the drawing and where a kernel answers."""

    def with_parameter(narrow):
        return draw(narrow).add_params(altair.param(name="k", value=0), altair.param(name="other", value=7))

    figure = made(draw=with_parameter)
    values = {one["name"]: one["value"] for one in figure.chart_at(figure.states[-1])["params"]}
    assert values == {"k": 3, "other": 7}


def test_the_same_bytes_every_time(figure):
    made_once, _, _ = figure
    assert made().html() == made_once.html() == made_once._repr_html_()
    clipped = [made(draw=lambda narrow: draw(narrow).interactive()).html() for _ in range(2)]
    assert clipped[0] == clipped[1]
    program = "import sys; sys.path.insert(0, sys.argv[1]); import test_pages as t; print(t.made().html(), end='')"
    command = [sys.executable, "-c", program, __file__.rpartition("/")[0]]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == made_once.html()


def test_two_drawings_on_a_page_share_no_name():
    figures = [
        made(draw=lambda narrow, high=high: draw(narrow).properties(height=high).interactive()) for high in (90, 80)
    ]
    names = [re.findall(r' id="([^"]+)"', figure.html()) for figure in figures]
    assert len({name for found in names for name in found}) == len(names[0]) + len(names[1]) >= 4
    for reference in re.findall(r"url\(#([^)]+)\)", figures[0].html()):
        assert reference in names[0]


def test_rectangles_of_one_look_are_one_path():
    """A thousand squares need not weigh a megabyte; none is lost."""

    def squares(narrow):
        place = altair.Chart(altair.NamedData("line")).mark_rect()
        return place.encode(
            x=altair.X("k:Q", scale=None),
            x2=altair.X2("end"),
            y=altair.YValue(0),
            y2=altair.Y2Value(9),
            color=altair.Color("odd:N", legend=None, scale=altair.Scale(range=["#010101", "#020202"])),
        )

    many = {"k": range(0, 400, 2), "end": range(1, 401, 2), "odd": [i % 2 for i in range(200)]}
    tree = BeautifulSoup(made(draw=squares, rows=lambda k, eta: {"line": many}).html(), "html.parser")
    paths = tree.select("svg.wide .mark-rect > path")
    assert [path["d"].count("M") for path in paths] == [100, 100]
    assert {path["fill"] for path in paths} == {"#010101", "#020202"}


def test_a_still_drawing_says_what_the_live_one_says():
    """Places are rounded to tenths of a pixel; words, such as those at the ticks of an axis, and shades are not."""

    def label(narrow):
        share = altair.X("share:Q").scale(domain=[0, 1]).axis(format=".2f")
        return altair.Chart(altair.NamedData("line")).mark_text(opacity=0.25).encode(x=share, text="share:N")

    rows = {"line": {"k": [1, 2], "share": [0.2125, 0.4871]}}
    drawing = BeautifulSoup(made(draw=label, rows=lambda k, eta: rows).html(), "html.parser").select_one("svg.wide")
    said = {text.string for text in drawing.select("text")}
    assert {"0.2125", "0.4871", "0.10", "0.90"} <= said
    assert {text["opacity"] for text in drawing.select("text") if text.string.startswith("0.2")} >= {"0.25"}
    places = [text["transform"] for text in drawing.select("text[transform]")]
    assert not re.search(r"\.\d\d", "".join(places))


def test_live(figure):
    """Where a kernel answers: the same controls in words, and more where the rows take more."""
    import ipywidgets

    made_once, _, _ = figure
    live = made_once.live(steps=ipywidgets.IntSlider(2, 1, 9))
    words = {child.description: child.value for child in live.children if hasattr(child, "description")}
    assert words == {"Submissions": 2, "Step": 0.2, "steps": 2}
    assert live.children[0].options == (("1 submission", 1), ("2 submissions", 2), ("3 submissions", 3))


def test_the_table_has_a_row_for_each_state(figure):
    _, tree, _ = figure
    table = tree.select_one("details[open] table")
    found = [[cell.get_text() for cell in row.select("th, td")] for row in table.select("tr")]
    assert found[0] == ["Submissions", "Step", "slope", "end"]
    assert found[1] == ["1 submission", "0.1 of loss", "0.1000", "1,000"]
    assert found[6] == ["3 submissions", "0.2 of loss", "0.0667", "3,000"]
    assert len(found) == 7


@pytest.mark.parametrize("text", ["", "curve", "Accuracy", "Accuracy against submissions", "Accuracy.", ".", None, 3])
def test_alt_must_be_a_sentence(text):
    with pytest.raises(ValueError, match=f"^alt must return a sentence .* got {re.escape(repr(text))}$"):
        made(alt=lambda k, eta: text)
    with pytest.raises(ValueError, match=f"^alt must be a sentence .* got {re.escape(repr(text))}$"):
        le.static_figure(lambda ax: None, alt=text)


@pytest.mark.parametrize("data", [lambda k: {}, lambda k: {f"at {k}": 1}, lambda k: {"a": 1} if k < 3 else {}])
def test_data_must_have_the_same_names(data):
    with pytest.raises(ValueError, match=r"^data must return the same names for every state, got \["):
        made(SLIDERS[:1], data=data)


def test_columns_must_be_as_long():
    with pytest.raises(
        ValueError, match=r"^rows must return columns of one length in 'line', got \{'k': 2, 'share': 3"
    ):
        made(rows=lambda k, eta: {"line": {"k": [0, 1], "share": [0, 1, 2]}})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sliders": ()}, r"sliders must be at least one, got \(\)"),
        ({"drag": ("n", "x")}, "drag must name a slider, got 'n'"),
    ],
)
def test_controls_that_do_not_fit(changes, message):
    with pytest.raises(ValueError, match=rf"^{message}$"):
        made(**changes)


def test_slider_values():
    with pytest.raises(ValueError, match=r"^values of slider 'k' must be at least one$"):
        le.Slider("k", "k", [])
    with pytest.raises(ValueError, match=r"^start must be one of the values \[1, 2\], got 3$"):
        le.Slider("k", "k", [1, 2], start=3)


@pytest.mark.parametrize("argument", ["draw", "rows", "alt", "data"])
def test_arguments_must_be_callable(argument):
    with pytest.raises(ValueError, match=f"^{argument} must be callable, got 'curve'$"):
        made(**{argument: "curve"})


def test_a_figure_that_is_too_heavy():
    """Noise in thirty states is refused when it is shown."""
    noise = np.random.default_rng(1).random((31, 2000))
    heavy = made(
        [le.Slider("k", "k", range(1, 30))],
        rows=lambda k: {"line": {"k": range(2000), "share": noise[k]}},
    )
    with pytest.raises(ValueError, match=r"^the figure takes \d+ bytes, more than 300000; "):
        heavy.html()


def panels(*axes):
    for number, ax in enumerate(axes):
        ax.plot([0, 1], [0, number], color=le.COLOURS["full_disclosure"])
        ax.set_title(f"panel {number}")


def sizes(figure):
    """Return the width and height of each drawing, in points."""
    boxes = {name: BeautifulSoup(svg, "html.parser").svg["viewbox"].split() for name, svg in figure.drawings.items()}
    return {name: tuple(float(size) / 72 for size in box[2:]) for name, box in boxes.items()}


def test_panels_are_stacked_on_a_phone():
    figure = le.static_figure(panels, alt="Two panels.", panels=2, height=3)
    assert sizes(figure) == {"wide": pytest.approx((5.6, 3)), "narrow": pytest.approx((3.4, 6))}
    for svg in figure.drawings.values():
        assert [text.get_text() for text in BeautifulSoup(svg, "html.parser").select("text")][-1] == "panel 1"


def test_a_static_figure_is_in_the_colours_of_the_page():
    """Also what is black, and without a ground of its own; the same bytes every time."""
    figure = le.static_figure(panels, alt="One panel.")
    assert figure.html() == le.static_figure(panels, alt="One panel.").html()
    orange = le.COLOURS["full_disclosure"]
    assert figure.html().lower().count(orange.lower()) == figure.html().count(f"var(--full-disclosure, {orange})") == 2
    assert "#ffffff" not in figure.html()
    names = [re.findall(r' id="([^"]+)"', svg) for svg in figure.drawings.values()]
    assert not set(names[0]) & set(names[1])


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
