"""What a page shows: figures that respond without a kernel, their live twins, and the library's own code."""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import html
import inspect
import io
import itertools
import json
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from leaderboard_edu._extras import extra
from leaderboard_edu._validation import function
from leaderboard_edu.figures import COLOURS

if TYPE_CHECKING:
    from IPython.display import Markdown
    from matplotlib.figure import Figure

__all__ = [
    "Frame",
    "InteractiveFigure",
    "Slider",
    "interactive_figure",
    "keep_layout",
    "show_source",
]

#: More frames than this are shown as one SVG whose changing parts are embedded, not as one PNG each.
MOST_PICTURES = 36
GEOMETRY = {"d", "height", "points", "transform", "width", "x", "y"}
ACCENT = "THE-ACCENT"  # stands in the style sheet for the colour of the Ladder
KEY = "THE-KEY"  # stands for the name of a figure until that is known; its hyphen is in no picture's base64
MOST_BYTES = 400_000  # of a figure, compressed as a server sends it


def show_source(*functions: Callable[..., Any]) -> Markdown:
    """Show the code of functions as it is installed, without docstrings.

    Parameters
    ----------
    *functions : callable
        Functions or methods that are written in Python, at least one.

    Returns
    -------
    IPython.display.Markdown
        A listing, which a notebook shows as the result of a cell.

    Raises
    ------
    ValueError
        If there is no function, or one whose code cannot be found.

    Examples
    --------
    >>> print(show_source(Slider.shown.fget).data.splitlines()[2])
    def shown(self) -> list[str]:
    """
    with extra("figures"):
        from IPython.display import Markdown

    if not functions:
        raise ValueError("functions must be at least one")
    code = "\n".join(_code(function) for function in functions)
    return Markdown(f"```python\n{code}```")  # type: ignore[no-untyped-call]


def _code(function: Callable[..., Any]) -> str:
    """Return the code of a function, without its docstring."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise ValueError(f"functions must be written in Python, got {function!r}") from None
    return re.sub(r' *""".*?"""\n', "", source, flags=re.DOTALL)


@dataclass(frozen=True)
class Slider:
    """One control of an interactive figure.

    Attributes
    ----------
    name : str
        The argument of the drawing function that the control sets.
    label : str
        What the reader sees beside the control.
    values : sequence
        The values it can take, in order. The first is shown first.
    unit : str
        Written after the value, in the plural: "submissions". A single one is shown without the final s.

    Examples
    --------
    >>> Slider("k", "Number of submissions", [1, 10, 1000], "submissions").shown
    ['1 submission', '10 submissions', '1,000 submissions']
    """

    name: str
    label: str
    values: Sequence[Any]
    unit: str = ""

    @property
    def shown(self) -> list[str]:
        """What stands beside the control for each value: whole numbers in groups of three, and the unit."""
        units = [self.unit.removesuffix("s") if value == 1 else self.unit for value in self.values]
        return [f"{_plain(value)} {unit}".rstrip() for value, unit in zip(self.values, units, strict=True)]


def _plain(value: Any) -> str:
    """Return a value as a reader writes it: whole numbers in groups of three."""
    return f"{value:,}" if isinstance(value, Integral) else str(value)


@dataclass(frozen=True)
class Frame:
    """What an interactive figure shows at one position of its controls.

    Attributes
    ----------
    picture : bytes
        A PNG, or an SVG.
    alt : str
        The picture in words, a sentence.
    data : dict
        The numbers behind the picture, by name.

    Examples
    --------
    >>> Frame(b"png", "A dot.", {"dots": 1}).data["dots"]
    1
    """

    picture: bytes
    alt: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class InteractiveFigure:
    """A figure whose frames are all drawn in advance; notebooks and pages show it as HTML.

    Attributes
    ----------
    sliders : tuple of Slider
        The controls.
    frames : tuple of Frame
        One for every combination of values, the last slider fastest.

    Examples
    --------
    >>> InteractiveFigure((Slider("k", "k", [1]),), (Frame(b"png", "A dot.", {"dots": 1}),)).html().count("<img")
    1
    """

    sliders: tuple[Slider, ...]
    frames: tuple[Frame, ...]

    def html(self) -> str:
        """Return the figure as HTML: a picture, native controls, the table of its data, and a short inline script.

        The script changes only what differs from one frame to the next: the source of a PNG, or the attributes
        and texts of the elements of an SVG. Without scripting the first frame and the table show.
        """
        picture, slots, states = (_svg_changes if self._is_svg else _png_changes)(self.frames)
        values = list(dict.fromkeys(itertools.chain.from_iterable(states)))
        at = {value: index for index, value in enumerate(values)}
        data = {
            "shown": [slider.shown for slider in self.sliders],
            "slots": slots,
            "values": values,
            "frames": [[at[value] for value in state] for state in states],
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        body = (
            f"{picture}<div class=controls hidden>{self._controls()}</div>{self._table()}"
            f'<script type="application/json">{text}</script>'
        )
        style, script = (Path(__file__).with_name(f"interactive_figure.{end}").read_text() for end in ("css", "js"))
        style = style.replace(ACCENT, COLOURS["ladder"].lower())
        body = f"<style>{style}</style>{body}<script>{script}</script>"
        name = "figure-" + hashlib.sha256(body.encode()).hexdigest()[:12]
        return f'<div class="interactive-figure" id="{name}">{body.replace(KEY, name)}</div>'

    _repr_html_ = html

    @property
    def _is_svg(self) -> bool:
        return self.frames[0].picture.startswith(b"<svg")

    def _controls(self) -> str:
        """Return a row for each slider: its label, a button that plays it, the range and the value."""
        rows = []
        for i, slider in enumerate(self.sliders):
            label, value = html.escape(slider.label), html.escape(slider.shown[0])
            rows.append(
                f'<div><label for="{KEY}-{i}">{label}</label>'
                f'<button type="button" aria-label="Play: {label}" aria-pressed="false">▶</button>'
                f'<input type="range" id="{KEY}-{i}" min="0" max="{len(slider.values) - 1}" value="0" step="1" '
                f'aria-valuetext="{value}"><output for="{KEY}-{i}">{value}</output></div>'
            )
        return "".join(rows)

    def _table(self) -> str:
        """Return the numbers behind the frames, a row for each; it is open until the script closes it."""
        heads = [slider.label for slider in self.sliders] + list(self.frames[0].data)
        rows = []
        for position, frame in zip(itertools.product(*(s.shown for s in self.sliders)), self.frames, strict=True):
            cells = "".join(f"<td>{html.escape(_plain(value))}</td>" for value in frame.data.values())
            rows.append("".join(f'<th scope="row">{html.escape(value)}</th>' for value in position) + cells)
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in heads)
        return (
            "<details open><summary>The data behind this figure</summary>"
            '<div class="scroll" tabindex="0" role="region" aria-label="The data behind this figure">'
            f"<table><thead><tr>{head}</tr></thead><tbody><tr>{'</tr><tr>'.join(rows)}</tr></tbody></table>"
            "</div></details>"
        )


def _png_changes(frames: Sequence[Frame]) -> tuple[str, list[tuple[int, str]], list[tuple[str, ...]]]:
    """Return the first picture as HTML, the attributes that change, and their values in each frame."""
    sources = ["data:image/png;base64," + base64.b64encode(frame.picture).decode() for frame in frames]
    picture = f'<img alt="{html.escape(frames[0].alt)}" src="{sources[0]}">'
    return (
        picture,
        [(0, "alt"), (0, "src")],
        [(frame.alt, source) for frame, source in zip(frames, sources, strict=True)],
    )


def _svg_changes(frames: Sequence[Frame]) -> tuple[str, list[tuple[int, str]], list[tuple[str, ...]]]:
    """Do the same for drawings, where an element's text is the attribute without a name.

    All drawings must consist of the same elements with the same attributes, in the same order.
    """
    trees = [ElementTree.fromstring(frame.picture) for frame in frames]
    for tree, frame in zip(trees, frames, strict=True):
        tree.set("aria-label", frame.alt)
    drawings = [[(e.tag, e.attrib | ({} if len(e) else {"": e.text or ""})) for e in tree.iter()] for tree in trees]
    shapes = [[(tag, *sorted(attributes)) for tag, attributes in drawing] for drawing in drawings]
    for shape, frame in zip(shapes, frames, strict=True):
        if shape != shapes[0]:
            raise ValueError(
                f"draw must draw the same artists, ticks included, in all of more than {MOST_PICTURES} frames; "
                f"the first that differs is {frame.alt!r}"
            )
    slots = [
        (part, name)
        for part, (_, attributes) in enumerate(drawings[0])
        for name in attributes
        if any(drawing[part][1][name] != attributes[name] for drawing in drawings)
    ]
    slots.sort(key=lambda slot: slot != (0, "aria-label"))
    states = [tuple(drawing[part][1][name] for part, name in slots) for drawing in drawings]
    return ElementTree.tostring(trees[0], encoding="unicode"), slots, states


def interactive_figure(
    draw: Callable[..., Figure],
    *,
    sliders: Sequence[Slider],
    alt: Callable[..., str],
    data: Callable[..., Mapping[str, Any]],
) -> InteractiveFigure:
    """Draw a figure for every position of its sliders, so that it responds with no kernel and no server.

    Up to 36 frames are embedded as PNG. More are drawn as one SVG, of which only the parts that differ from frame
    to frame are embedded.

    Parameters
    ----------
    draw : callable
        Takes one keyword argument for each slider and returns a new matplotlib figure. For more than 36 frames all
        figures must consist of the same artists; limits and ticks of the axes are best fixed.
    sliders : sequence of Slider
        The controls.
    alt : callable
        Takes the same arguments and returns the alt text: a sentence that says what the picture shows.
    data : callable
        Takes the same arguments and returns the numbers behind the picture by name, the same names every time:
        a row of the table below the figure. Format fractions as they are to be read.

    Returns
    -------
    InteractiveFigure
        Displayed as HTML. The same arguments give the same bytes.

    Raises
    ------
    ValueError
        If there is no frame, an alt text is not a sentence ending in a full stop, the data have other names than in
        the first frame or none, drawings do not have the same parts, or the figure takes more than 400 kB compressed.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure = interactive_figure(
    ...     lambda k: Figure(figsize=(1, 1)),
    ...     sliders=[Slider("k", "k", [1, 2])],
    ...     alt=lambda k: f"Empty for k = {k}.",
    ...     data=lambda k: {"curves": 0},
    ... )
    >>> [frame.alt for frame in figure.frames]
    ['Empty for k = 1.', 'Empty for k = 2.']
    """
    with extra("figures"):
        import matplotlib.pyplot as plt

    for name, argument in (("draw", draw), ("alt", alt), ("data", data)):
        function(argument, name)
    positions = list(itertools.product(*(slider.values for slider in sliders)))
    if not sliders or not positions:
        raise ValueError(f"sliders must give at least one frame, got {list(sliders)!r}")
    picture, draw = (_png, draw) if len(positions) <= MOST_PICTURES else (_svg, keep_layout(draw))
    frames: list[Frame] = []
    for position in positions:
        arguments = dict(zip((slider.name for slider in sliders), position, strict=True))
        text, numbers = alt(**arguments), dict(data(**arguments))
        if not (isinstance(text, str) and text.strip().endswith(".") and " " in text.strip()):
            raise ValueError(f"alt must return a sentence ending in a full stop, got {text!r}")
        if not numbers or (frames and list(numbers) != list(frames[0].data)):
            raise ValueError(f"data must return the same names for every frame, got {list(numbers)!r}")
        drawn = draw(**arguments)
        frames.append(Frame(picture(drawn), text, numbers))
        plt.close(drawn)
    figure = InteractiveFigure(tuple(sliders), tuple(frames))
    if (size := len(gzip.compress(figure.html().encode()))) > MOST_BYTES:
        raise ValueError(f"the figure takes {size} bytes compressed, more than {MOST_BYTES}; give sliders fewer values")
    return figure


def keep_layout(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Return a drawing function that lays out its first figure only, so that the axes keep still, in half the time.

    The live twin of an interactive figure is `ipywidgets.interactive(keep_layout(draw), …)`.

    Parameters
    ----------
    draw : callable
        Returns a new matplotlib figure, with the same axes every time.

    Returns
    -------
    callable
        Takes the same arguments. Its later figures have their axes where the first one has them.

    Raises
    ------
    ValueError
        If `draw` cannot be called, or a later figure has more or fewer axes than the first.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> def draw(size):
    ...     figure = Figure(layout="constrained")
    ...     figure.subplots().set_ylabel("share", fontsize=size)
    ...     return figure
    >>> kept = keep_layout(draw)
    >>> first, second = kept(size=5), kept(size=50)
    >>> second.draw_without_rendering()
    >>> first.axes[0].get_position().bounds == second.axes[0].get_position().bounds
    True
    """
    import matplotlib

    function(draw, "draw")
    places: list[Any] = []

    @functools.wraps(draw)
    def laid_out(**arguments: Any) -> Figure:
        if not places:  # outside of a context: the first figure may choose the backend, which the context would undo
            figure = draw(**arguments)
            figure.draw_without_rendering()
            places.extend(axes.get_position() for axes in figure.axes)
        else:
            with matplotlib.rc_context({"figure.constrained_layout.use": False}):
                figure = draw(**arguments)
        figure.set_layout_engine("none")
        figure.set_dpi(100)
        if len(figure.axes) != len(places):
            raise ValueError(f"draw must return as many axes every time, got {len(figure.axes)} after {len(places)}")
        for axes, place in zip(figure.axes, places, strict=True):
            axes.set_position(place)
        return figure

    return laid_out


def _png(figure: Figure) -> bytes:
    """Return a figure as a PNG of at most 64 colours, without a date or version inside."""
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=110, facecolor="white")
    Image.open(drawn).convert("RGB").quantize(64).save(small, format="png", optimize=True)
    return small.getvalue()


def _svg(figure: Figure) -> bytes:
    """Return a figure as an SVG to stand inside a page: text as text, no outer size, tenths of a point.

    Names are kept only where something refers to them, and begin with the key.
    """
    import matplotlib

    drawn = io.StringIO()
    no_metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": KEY}):
        figure.savefig(drawn, format="svg", facecolor="white", metadata=no_metadata)
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawn.getvalue()).replace("xlink:href", "href")
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)  # a rule for everything on the page
    used = set(re.findall(r'(?:url\(|href=")#(\w+)', text))
    text = re.sub(r' id="([^"]+)"', lambda name: f' id="{KEY}-{name[1]}"' if name[1] in used else "", text)
    text = re.sub(r'(url\(|href=")#', rf"\1#{KEY}-", text)
    tree = ElementTree.fromstring(text[text.index("<svg") :])
    for element in tree.iter():
        element.tail = None
        element.text = (element.text or "").strip() or None
        for name in GEOMETRY & element.attrib.keys():
            element.set(name, re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}", element.get(name, "")))
    for name in ("width", "height", "version"):
        del tree.attrib[name]
    tree.attrib |= {"role": "img", "stroke-linejoin": "round"}
    return ElementTree.tostring(tree)
