"""The look of the book's figures, and figures that respond on the page without a kernel."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leaderboard_edu._validation import function

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "InteractiveFigure", "Slider", "interactive_figure", "use_style"]

#: The fixed colour of each mechanism, distinct for colour-blind readers; theory is dashed black.
COLOURS = {
    "full_disclosure": "#D55E00",
    "ladder": "#0072B2",
    "simplified": "#56B4E9",
    "parameter_free": "#009E73",
    "ladder_boot": "#CC79A7",
    "independent": "#7F7F7F",
    "theory": "#000000",
}

MOST_FRAMES = 36


def use_style() -> None:
    """Draw matplotlib figures in the house style from now on.

    References
    ----------
    M. Okabe and K. Ito, Color Universal Design, 2008: the palette.

    Examples
    --------
    >>> use_style()
    >>> import matplotlib
    >>> matplotlib.rcParams["savefig.transparent"]
    False
    """
    import matplotlib.style

    matplotlib.style.use(Path(__file__).with_name("house.mplstyle"))


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
        Written after the value, such as "submissions".

    References
    ----------
    The HTML Living Standard, section 4.10.5.1.13: the range control.

    Examples
    --------
    >>> Slider("k", "Number of submissions", [1, 10, 100]).values
    [1, 10, 100]
    """

    name: str
    label: str
    values: Sequence[Any]
    unit: str = ""


@dataclass(frozen=True)
class InteractiveFigure:
    """A figure whose frames are all drawn in advance; notebooks and pages show it as HTML.

    Attributes
    ----------
    sliders : tuple of Slider
        The controls.
    frames : tuple of (bytes, str)
        The picture (PNG) and the alt text of every combination of values, the last slider fastest.

    References
    ----------
    Web Content Accessibility Guidelines 2.2, success criteria 1.1.1 (text alternatives) and 2.1.1 (keyboard).

    Examples
    --------
    >>> InteractiveFigure((Slider("k", "k", [1]),), ((b"png", "A dot."),)).html().count("<img")
    1
    """

    sliders: tuple[Slider, ...]
    frames: tuple[tuple[bytes, str], ...]

    def html(self) -> str:
        """Return the figure as HTML: a picture, native range controls, and a short inline script."""
        frames = [["data:image/png;base64," + base64.b64encode(png).decode(), alt] for png, alt in self.frames]
        shown = [[f"{value} {slider.unit}".strip() for value in slider.values] for slider in self.sliders]
        data = json.dumps({"frames": frames, "shown": shown}).replace("</", "<\\/")
        key = "figure-" + hashlib.sha256(data.encode()).hexdigest()[:12]
        controls = "".join(
            f'<p><label for="{key}-{i}">{html.escape(slider.label)}</label> '
            f'<input type="range" id="{key}-{i}" min="0" max="{len(slider.values) - 1}" value="0" step="1" '
            f'aria-valuetext="{html.escape(shown[i][0])}"> '
            f'<output for="{key}-{i}">{html.escape(shown[i][0])}</output></p>'
            for i, slider in enumerate(self.sliders)
        )
        src, alt = frames[0]
        return (
            f'<div class="interactive-figure" id="{key}">'
            f'<img src="{src}" alt="{html.escape(alt)}" style="max-width: 100%; height: auto">'
            f'<div class="controls" hidden>{controls}</div>'
            f'<script type="application/json">{data}</script>'
            f"<script>{_SCRIPT % json.dumps(key)}</script></div>"
        )

    _repr_html_ = html


_SCRIPT = """(() => {
  const figure = document.getElementById(%s);
  const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
  const picture = figure.querySelector("img");
  const inputs = [...figure.querySelectorAll("input")];
  const outputs = figure.querySelectorAll("output");
  const show = () => {
    const frame = inputs.reduce((index, input, i) => index * data.shown[i].length + Number(input.value), 0);
    [picture.src, picture.alt] = data.frames[frame];
    inputs.forEach((input, i) => {
      outputs[i].textContent = data.shown[i][input.value];
      input.setAttribute("aria-valuetext", data.shown[i][input.value]);
    });
  };
  inputs.forEach((input) => input.addEventListener("input", show));
  show();
  figure.querySelector(".controls").hidden = false;
})();"""


def interactive_figure(
    draw: Callable[..., Figure], *, sliders: Sequence[Slider], alt: Callable[..., str]
) -> InteractiveFigure:
    """Draw a figure for every position of its sliders, so that it responds with no kernel and no server.

    Parameters
    ----------
    draw : callable
        Takes one keyword argument for each slider and returns a new matplotlib figure.
    sliders : sequence of Slider
        The controls; at most 36 combinations of values.
    alt : callable
        Takes the same arguments and returns the alt text: a sentence that says what the picture shows.

    Returns
    -------
    InteractiveFigure
        Displayed as HTML. The same arguments give the same bytes.

    Raises
    ------
    ValueError
        If there is no frame or more than 36, or an alt text is not a sentence ending in a full stop.

    References
    ----------
    Web Content Accessibility Guidelines 2.2, success criterion 1.1.1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure = interactive_figure(
    ...     lambda k: Figure(figsize=(1, 1)), sliders=[Slider("k", "k", [1, 2])], alt=lambda k: f"Empty for k = {k}."
    ... )
    >>> [alt for _, alt in figure.frames]
    ['Empty for k = 1.', 'Empty for k = 2.']
    """
    import matplotlib.pyplot as plt

    function(draw, "draw")
    function(alt, "alt")
    positions = list(itertools.product(*(slider.values for slider in sliders)))
    if not sliders or not 1 <= len(positions) <= MOST_FRAMES:
        raise ValueError(f"sliders must give between 1 and {MOST_FRAMES} frames, got {len(positions)}")
    frames = []
    for position in positions:
        arguments = dict(zip((slider.name for slider in sliders), position, strict=True))
        text = alt(**arguments)
        if not (isinstance(text, str) and text.strip().endswith(".") and " " in text.strip()):
            raise ValueError(f"alt must return a sentence ending in a full stop, got {text!r}")
        figure = draw(**arguments)
        frames.append((_png(figure), text))
        plt.close(figure)
    return InteractiveFigure(tuple(sliders), tuple(frames))


def _png(figure: Figure) -> bytes:
    """Return a figure as a PNG of at most 64 colours, without a date or version inside."""
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=110, facecolor="white")
    Image.open(drawn).convert("RGB").quantize(64).save(small, format="png", optimize=True)
    return small.getvalue()
