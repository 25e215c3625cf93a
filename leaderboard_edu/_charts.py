"""Figures that respond without a kernel: one chart of Vega-Lite, and the rows it draws for each position of sliders."""

from __future__ import annotations

import hashlib
import html
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from leaderboard_edu._extras import extra
from leaderboard_edu._validation import function
from leaderboard_edu.figures import as_variables, chart_style

if TYPE_CHECKING:
    import altair as alt

WIDTHS = {"wide": 616, "narrow": 312}  # pixels, drawn as large as they are seen: the text of a page, and a phone's
MOST_BYTES = 300_000  # of the states of a figure, uncompressed

Rows = Mapping[str, Mapping[str, Any]]  # columns of equal length by name, for each data set that a chart names


@dataclass(frozen=True)
class Slider:
    """One control of an interactive figure.

    Attributes
    ----------
    name : str
        The argument that the control sets.
    label : str
        What the reader sees beside the control.
    values : sequence
        The values it can take, in increasing order.
    unit : str
        Written after the value, in the plural: "submissions". A single one is shown without the final s.
    start : object
        The value that is shown first, the most telling one; None, the default, is the first of `values`.

    Raises
    ------
    ValueError
        If there are no values, or `start` is none of them.

    Examples
    --------
    >>> Slider("k", "Number of submissions", [1, 10, 1000], "submissions").shown
    ['1 submission', '10 submissions', '1,000 submissions']
    """

    name: str
    label: str
    values: Sequence[Any]
    unit: str = ""
    start: Any = None

    def __post_init__(self) -> None:
        if not len(self.values):
            raise ValueError(f"values of slider {self.name!r} must be at least one")
        if self.start is not None and self.start not in self.values:
            raise ValueError(f"start must be one of the values {list(self.values)}, got {self.start!r}")

    @property
    def shown(self) -> list[str]:
        """What stands beside the control for each value: whole numbers in groups of three, and the unit."""
        units = [self.unit.removesuffix("s") if value == 1 else self.unit for value in self.values]
        return [f"{plain(value)} {unit}".rstrip() for value, unit in zip(self.values, units, strict=True)]

    @property
    def first(self) -> int:
        """The number of the value that is shown first."""
        return 0 if self.start is None else list(self.values).index(self.start)


def plain(value: Any) -> str:
    """Return a value as a reader writes it: whole numbers in groups of three."""
    return f"{value:,}" if isinstance(value, Integral) else str(value)


@dataclass(frozen=True)
class State:
    """What a figure shows for values of its sliders: the rows drawn, the picture in words, and a row of its table."""

    at: Mapping[str, Any]
    rows: Rows
    alt: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class InteractiveFigure:
    """A chart with all its states computed in advance; pages show it as HTML, notebooks also live.

    Attributes
    ----------
    draw : callable
        Returns the chart, for a wide or a narrow page.
    sliders : tuple of Slider
        The controls.
    compute : callable
        Returns the state for values of the sliders.
    drag : tuple of str
        The slider that follows the mark named `handle`, and the scale on which its values are; or nothing.

    Examples
    --------
    >>> import altair
    >>> figure = interactive_figure(
    ...     lambda narrow: altair.Chart(altair.NamedData("bar")).mark_bar().encode(x="length:Q"),
    ...     sliders=[Slider("k", "Submissions", [1, 2])],
    ...     rows=lambda k: {"bar": {"length": [k]}},
    ...     alt=lambda k: f"A bar of length {k}.",
    ...     data=lambda k: {"length": k},
    ... )
    >>> [state.data for state in figure.states]
    [{'length': 1}, {'length': 2}]
    """

    draw: Callable[..., alt.TopLevelMixin]
    sliders: tuple[Slider, ...]
    compute: Callable[..., State] = field(repr=False)
    drag: tuple[str, ...] = ()

    @cached_property
    def states(self) -> list[State]:
        """The states at all positions of the sliders, the last one fastest."""
        names = [slider.name for slider in self.sliders]
        positions = itertools.product(*(slider.values for slider in self.sliders))
        return [self.compute(**dict(zip(names, position, strict=True))) for position in positions]

    @property
    def start(self) -> State:
        """The state that is shown first."""
        position = 0
        for slider in self.sliders:
            position = position * len(slider.values) + slider.first
        return self.states[position]

    @cached_property
    def charts(self) -> dict[str, dict[str, Any]]:
        """The chart in both widths, in Vega-Lite, without data."""
        return {name: self._chart(name) for name in WIDTHS}

    def _chart(self, name: str) -> dict[str, Any]:
        chart: dict[str, Any] = self.draw(narrow=name == "narrow").to_dict()
        fit = {"width": WIDTHS[name], "autosize": {"type": "fit", "contains": "padding"}}
        if {"mark", "layer"} & chart.keys():
            chart |= fit
        chart |= {"config": chart_style(), "padding": {"left": 0, "right": 0, "top": 5, "bottom": 4}}
        return chart

    def chart_at(self, state: State, name: str = "wide") -> dict[str, Any]:
        """Return the chart of a state, in Vega-Lite, with its data."""
        chart = self.charts[name]
        params = [
            one | ({"value": state.at[one["name"]]} if one["name"] in state.at else {})
            for one in chart.get("params", [])
        ]
        return chart | {"datasets": _rows(state.rows)} | ({"params": params} if params else {})

    def html(self) -> str:
        """Return the figure as HTML: two drawings of the first state, controls, the table, and all as data.

        The page shows one of the drawings, puts the live chart in its place when it comes near, and makes the
        controls move it (`book/_static/pictures.js`). Without scripts the drawing, its words and the table are left.
        """
        sets: dict[str, int] = {}  # each once, however many states draw it
        at = [{n: sets.setdefault(_json(c), len(sets)) for n, c in _columns(s.rows)} for s in self.states]
        content = {
            "charts": self.charts,
            "sets": [json.loads(text) for text in sets],
            "states": at,
            "alts": [state.alt for state in self.states],
            "sliders": [{"name": s.name, "shown": s.shown, "values": list(s.values)} for s in self.sliders],
            "drag": self.drag,
        }
        text = as_variables(_json(content)).replace("</", "<\\/")
        if len(text) > MOST_BYTES:
            raise ValueError(f"the figure takes {len(text)} bytes, more than {MOST_BYTES}; give sliders fewer values")
        longest = html.escape(max(content["alts"], key=len))
        first = html.escape(self.start.alt)
        return (
            f'<div class="interactive-figure"><div class="pictures" role="img" aria-label="{first}">{self._drawings()}'
            f'<div class="live" aria-hidden="true"></div></div><div class="says" aria-hidden="true"><p>{first}</p>'
            f'<p style="display: none">{longest}</p></div>'
            '<p aria-live="polite"></p>'
            f'<div class="controls" hidden>{self._controls()}</div>{self._table()}'
            f'<script type="application/json">{text}</script></div>'
        )

    _repr_html_ = html

    def _drawings(self) -> str:
        """Return the first state as an SVG for each width; the narrow one is for the page's style to show.

        In the browser's Python, which has no vl-convert, none: there the live figure is what is seen.
        """
        if sys.platform == "emscripten":
            return ""
        with extra("figures"):
            import vl_convert
        found = []
        for name in WIDTHS:
            drawn = _named(_short(vl_convert.vegalite_to_svg(self.chart_at(self.start, name))))
            hidden = ' style="display: none"' if name == "narrow" else ""
            found.append(as_variables(drawn).replace('class="marks"', f'class="{name}"{hidden} aria-hidden="true"', 1))
        return "".join(found)

    def _controls(self) -> str:
        """Return a row for each slider: its label and value, a button that plays it, and the range at full width."""
        found = []
        for slider in self.sliders:
            label, value = html.escape(slider.label), html.escape(slider.shown[slider.first])
            found.append(
                f'<div><label>{label}: <output>{value}</output> <input type="range" min="0" '
                f'max="{len(slider.values) - 1}" value="{slider.first}" step="1" aria-label="{label}" '
                f'aria-valuetext="{value}"></label>'
                f'<button type="button" aria-label="Play: {label}" aria-pressed="false">▶</button></div>'
            )
        return "".join(found)

    def _table(self) -> str:
        """Return the numbers behind the states, a row for each; it is open until the script closes it."""
        heads = [slider.label for slider in self.sliders] + list(self.start.data)
        rows = []
        for position, state in zip(itertools.product(*(s.shown for s in self.sliders)), self.states, strict=True):
            cells = "".join(f"<td>{html.escape(plain(value))}</td>" for value in state.data.values())
            rows.append("".join(f'<th scope="row">{html.escape(value)}</th>' for value in position) + cells)
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in heads)
        return (
            "<details open><summary>The data behind this figure</summary>"
            '<div class="scroll" style="max-height: 20rem; overflow: auto" tabindex="0" role="group" '
            'aria-label="The data behind this figure">'
            f"<table><thead><tr>{head}</tr></thead><tbody><tr>{'</tr><tr>'.join(rows)}</tr></tbody></table>"
            "</div></details>"
        )

    def live(self, **controls: Any) -> Any:
        """Return the figure with sliders that a kernel answers, for JupyterLab, JupyterLite and Binder.

        Parameters
        ----------
        **controls : ipywidgets.Widget
            Controls of further arguments of `rows`, or in the place of a slider, with more values.

        Returns
        -------
        ipywidgets.interactive
            To be shown as the result of a cell.
        """
        with extra("figures"):
            import ipywidgets
            from IPython.display import display

        def show(**arguments: Any) -> None:
            state = self.compute(**arguments)
            chart = self.chart_at(state) | {"background": "white"}
            kind = "application/vnd.vegalite.v5+json"  # which JupyterLab draws itself
            options = {kind: {"embed_options": {"actions": False, "renderer": "svg"}}}
            display({kind: chart, "text/plain": state.alt}, metadata=options, raw=True)

        wide: dict[str, Any] = {"style": {"description_width": "initial"}, "layout": {"width": "36rem"}}
        ours = {
            slider.name: ipywidgets.SelectionSlider(
                options=list(zip(slider.shown, slider.values, strict=True)),
                index=slider.first,
                description=slider.label,
                **wide,
            )
            for slider in self.sliders
        }
        return ipywidgets.interactive(show, **(ours | controls))


def _columns(rows: Rows) -> list[tuple[str, dict[str, list[Any]]]]:
    """Return the columns of each data set as plain lists, with five digits of each number."""
    return [(name, {key: _plain_list(column) for key, column in columns.items()}) for name, columns in rows.items()]


def _plain_list(column: Iterable[Any]) -> list[Any]:
    values = np.asarray(list(column)).tolist()
    return [float(f"{value:.5g}") if isinstance(value, float) else value for value in values]


def _rows(rows: Rows) -> dict[str, list[dict[str, Any]]]:
    """Return each data set as a list of rows."""
    return {
        name: [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        for name, columns in _columns(rows)
    }


def _named(svg: str) -> str:
    """Return a drawing whose names differ from those of others on its page, and are the same each time it is made."""
    first = {name: f"clip-{i}" for i, name in enumerate(dict.fromkeys(re.findall(r"\bclip\d+", svg)))}
    counted = re.sub(r"\bclip\d+", lambda name: first[name[0]], svg)
    return counted.replace("clip-", f"clip-{hashlib.sha256(counted.encode()).hexdigest()[:8]}-")


def _short(svg: str) -> str:
    """Return a drawing with tenths of a pixel, in which the rectangles of one look are one path."""

    def tenths(place: re.Match[str]) -> str:
        return re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), place[0])

    svg = re.sub(r' (?:d|transform|[xy][12]?|width|height)="[^"]*"', tenths, svg)  # what is said keeps its digits
    path = re.compile(r'<path (?:aria-hidden="true" )?d="([^"]+)"([^<>]*)/>')

    def merged(group: re.Match[str]) -> str:
        shapes: dict[str, list[str]] = {}
        for shape, look in path.findall(group[2]):
            shapes.setdefault(look, []).append(shape)
        return group[1] + "".join(f'<path d="{"".join(parts)}"{look}/>' for look, parts in shapes.items())

    return re.sub(rf'(<g class="mark-rect[^>]*>)((?:{path.pattern})+)', merged, svg)


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def interactive_figure(
    draw: Callable[..., alt.TopLevelMixin],
    *,
    sliders: Sequence[Slider],
    rows: Callable[..., Rows],
    alt: Callable[..., str],
    data: Callable[..., Mapping[str, Any]],
    drag: tuple[str, str] | tuple[()] = (),
) -> InteractiveFigure:
    """Draw a chart that follows sliders, so that it responds with no kernel and no server.

    Parameters
    ----------
    draw : callable
        Returns an Altair chart, given `narrow`, whether it is drawn for a phone. Its data are named data sets,
        ``alt.NamedData("law")``; its scales are best fixed. A parameter with the name of a slider has its value. The
        chart gets the style and, unless it is concatenated, the width from here.
    sliders : sequence of Slider
        The controls.
    rows : callable
        Takes an argument for each slider and returns what is drawn: for each data set its columns by name.
    alt : callable
        Takes the same arguments and returns the picture in words, a sentence, which also stands below it.
    data : callable
        Takes the same arguments and returns the numbers behind the picture by name, the same names every time:
        a row of the table below the figure. Format fractions as they are to be read.
    drag : tuple of str
        The slider that a mark named ``handle`` moves, and the scale on which its values are: ``("k", "x")``, in a
        concatenated chart ``("k", "concat_1_x")``. A scale whose name ends in y is dragged up and down.

    Returns
    -------
    InteractiveFigure
        Displayed as HTML. The same arguments give the same bytes.

    Raises
    ------
    ValueError
        If there is no slider, `drag` names none, columns are not of one length, an alt text is not a sentence ending
        in a full stop, or the data have other names than in the first state or none; when it is shown, if its states
        take more than 300 kB.

    Examples
    --------
    >>> import altair
    >>> figure = interactive_figure(
    ...     lambda narrow: altair.Chart(altair.NamedData("bar")).mark_bar().encode(x="length:Q"),
    ...     sliders=[Slider("k", "Submissions", [1, 2], start=2)],
    ...     rows=lambda k: {"bar": {"length": [k]}},
    ...     alt=lambda k: f"A bar of length {k}.",
    ...     data=lambda k: {"length": k},
    ... )
    >>> figure.start.alt
    'A bar of length 2.'
    """
    for name, argument in (("draw", draw), ("rows", rows), ("alt", alt), ("data", data)):
        function(argument, name)
    if not sliders:
        raise ValueError(f"sliders must be at least one, got {sliders!r}")
    if drag and drag[0] not in {slider.name for slider in sliders}:
        raise ValueError(f"drag must name a slider, got {drag[0]!r}")

    def compute(**arguments: Any) -> State:
        named = {slider.name: arguments[slider.name] for slider in sliders}
        return State(named, rows(**arguments), alt(**named), dict(data(**named)))

    figure = InteractiveFigure(draw, tuple(sliders), compute, drag)
    for state in figure.states:
        for name, columns in state.rows.items():
            lengths = {key: len(column) for key, column in columns.items()}
            if len(set(lengths.values())) > 1:
                raise ValueError(f"rows must return columns of one length in {name!r}, got {lengths}")
        if not (isinstance(state.alt, str) and state.alt.strip().endswith(".") and " " in state.alt.strip()):
            raise ValueError(f"alt must return a sentence ending in a full stop, got {state.alt!r}")
        if not state.data or list(state.data) != list(figure.states[0].data):
            raise ValueError(f"data must return the same names for every state, got {list(state.data)!r}")
    return figure
