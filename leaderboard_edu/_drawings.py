"""Figures that keep still: drawn with matplotlib, once for a wide page and once for a phone."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from leaderboard_edu._extras import extra
from leaderboard_edu._validation import function, whole_number
from leaderboard_edu.figures import as_variables

WIDTHS = {"wide": 5.6, "narrow": 3.4}  # inches; a page shows them 616 and 312 pixels wide
GEOMETRY = {"d", "height", "points", "transform", "width", "x", "y"}


@dataclass(frozen=True)
class StaticFigure:
    """A figure drawn in two widths, as vector; pages and notebooks show it as HTML.

    Attributes
    ----------
    drawings : dict of str
        An SVG for each width, by its name, wide or narrow.
    alt : str
        The picture in words.

    Examples
    --------
    >>> StaticFigure({"wide": "<svg></svg>"}, "A dot.").html()
    '<div class="static-figure" role="img" aria-label="A dot."><svg></svg></div>'
    """

    drawings: dict[str, str]
    alt: str

    def html(self) -> str:
        """Return both drawings as HTML; the narrow one is for the page's style to show."""
        drawings = "".join(self.drawings.values())
        return f'<div class="static-figure" role="img" aria-label="{html.escape(self.alt)}">{drawings}</div>'

    _repr_html_ = html


def static_figure(
    draw: Callable[..., Any], *, alt: str, panels: int | tuple[int, int] = 1, height: float = 3.4
) -> StaticFigure:
    """Draw a figure in the house style, wide and narrow: panels stand side by side, and on a phone below each other.

    What the axis of a panel says is left out where the panel to the left, or below, says the same.

    Parameters
    ----------
    draw : callable
        Takes the axes, one argument for each panel, row by row, and draws into them. It is called once for each width.
    alt : str
        The picture in words, a sentence.
    panels : int or (int, int)
        How many panels there are in a row, or the numbers of rows and columns. On a phone rows become columns if that
        makes the figure narrower.
    height : float
        Of a panel, in inches.

    Returns
    -------
    StaticFigure
        Displayed as HTML. The same arguments give the same bytes.

    Raises
    ------
    ValueError
        If `draw` cannot be called, `alt` is no sentence ending in a full stop, or `panels` is no positive integer.

    Examples
    --------
    >>> figure = static_figure(lambda ax: ax.plot([1, 2]), alt="A line rises.")
    >>> sorted(figure.drawings)
    ['narrow', 'wide']
    """
    with extra("figures"):
        import matplotlib
        from matplotlib.figure import Figure

    function(draw, "draw")
    rows, columns = (whole_number(n, "panels") for n in (panels if isinstance(panels, tuple) else (1, panels)))
    if not (isinstance(alt, str) and alt.strip().endswith(".") and " " in alt.strip()):
        raise ValueError(f"alt must be a sentence ending in a full stop, got {alt!r}")
    found = {}
    for name, width in WIDTHS.items():
        turned = name == "narrow" and columns > rows
        shape = (columns, rows) if turned else (rows, columns)
        figure = Figure(figsize=(width, height * shape[0]), layout="constrained")
        grid = figure.subplots(*shape, squeeze=False)
        draw(*(grid.T if turned else grid).flat)
        _in_groups(grid.flat)
        _say_once(grid)
        with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": f"{alt}{name}"}):
            found[name] = as_variables(_svg(figure, name))
    return StaticFigure(found, alt)


def _in_groups(panels: Iterable[Any]) -> None:
    """Write the whole numbers of axes in groups of three, as sentences have them."""
    from matplotlib.ticker import Formatter

    class InGroups(Formatter):
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def format_ticks(self, values: Any) -> list[str]:
            said = map(str, self.inner.format_ticks(values))
            return [f"{int(text):,}" if re.fullmatch(r"[1-9]\d{3,}", text) else text for text in said]

        def __call__(self, x: float, pos: int | None = None) -> str:
            return self.format_ticks([x])[0]

        def get_offset(self) -> str:
            return str(self.inner.get_offset())

    for ax in panels:
        for axis in (ax.xaxis, ax.yaxis):
            inner = axis.get_major_formatter()
            axis.set_major_formatter(InGroups(inner))
            inner.set_axis(axis)


def _say_once(grid: Any) -> None:
    """Leave out names and numbers of axes that the panel to the left, or below, has too."""
    for ax, below in zip(grid[:-1].flat, grid[1:].flat, strict=True):
        if (ax.get_xlim(), ax.get_xlabel()) == (below.get_xlim(), below.get_xlabel()):
            ax.set_xlabel("")
            ax.tick_params(labelbottom=False)
    for left, ax in reversed(list(zip(grid[:, :-1].flat, grid[:, 1:].flat, strict=True))):
        if (ax.get_ylim(), ax.get_ylabel()) == (left.get_ylim(), left.get_ylabel()):
            ax.set_ylabel("")
            ax.tick_params(labelleft=False)


def _svg(figure: Any, name: str) -> str:
    """Return a figure as an SVG to stand inside a page: text as text, tenths of a point, nothing of its own ground."""
    drawn = io.StringIO()
    no_metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(drawn, format="svg", transparent=True, metadata=no_metadata)
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawn.getvalue()).replace("xlink:href", "href")
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)  # a rule for everything on the page
    used = set(re.findall(r'(?:url\(|href=")#(\w+)', text))
    text = re.sub(r' id="([^"]+)"', lambda found: f' id="{found[1]}"' if found[1] in used else "", text)
    tree = ElementTree.fromstring(text[text.index("<svg") :])
    for element in tree.iter():
        element.tail = None
        element.text = (element.text or "").strip() or None
        for attribute in GEOMETRY & element.attrib.keys():
            value = element.get(attribute, "")
            element.set(attribute, re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}", value))
    for group in tree.iter("g"):
        marks = group.findall("use")
        looks = {mark.get("style", "") for mark in marks}
        if len(looks) == 1:  # of a thousand points, said once
            group.set("style", looks.pop())
            for mark in marks:
                mark.attrib.pop("style", None)
    for attribute in ("width", "height", "version"):
        del tree.attrib[attribute]
    hidden = {"style": "display: none"} if name == "narrow" else {}
    tree.attrib |= {"class": name, "aria-hidden": "true", "stroke-linejoin": "round"} | hidden
    return ElementTree.tostring(tree, encoding="unicode")
