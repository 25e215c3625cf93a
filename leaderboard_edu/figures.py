"""The house style: one colour for each mechanism, and how repeated curves are drawn."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._extras import extra
from leaderboard_edu._repetition import mean_and_error
from leaderboard_edu._validation import nonnegative_real, real_vector, repeated_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "PAPER", "TEXT_COLOURS", "draw_band", "use_style"]

#: The fixed colour of each mechanism, distinct for colour-blind readers; theory is dashed black.
COLOURS = {
    "full_disclosure": "#D55E00",
    "ladder": "#0072B2",
    "simplified": "#1B2A7A",
    "parameter_free": "#009E73",
    "ladder_boot": "#CC79A7",
    "ranks": "#9059B5",
    "independent": "#7F7F7F",
    "theory": "#000000",
}

#: The same colours, darker where text in them would be too pale on white: a contrast of at least 4.5 to 1.
TEXT_COLOURS = COLOURS | {
    "full_disclosure": "#BD5200",
    "parameter_free": "#00795A",
    "ladder_boot": "#A94F83",
    "independent": "#6B6B6B",
}

#: What is no mechanism: ink, lesser ink, a pale mark, lines of the grid, a band and its edge, the ground.
PAPER = {
    "text": "#1b1b1f",
    "muted": "#555555",
    "pale": "#c4c4c4",
    "grid": "#e3e3e6",
    "band": "#f9f4b3",
    "edge": "#cdbb00",
    "ground": "#ffffff",
}

#: The same three on a dark page; what the theme of the pages decides is not among them.
DARK_COLOURS = {
    "full_disclosure": "#f0803c",
    "ladder": "#4da3dd",
    "simplified": "#bfe3ff",
    "parameter_free": "#2fbf96",
    "ladder_boot": "#dd9bc0",
    "ranks": "#c29be0",
    "independent": "#9a9a9a",
    "theory": "#ffffff",
}
DARK_TEXT_COLOURS = DARK_COLOURS | {
    "full_disclosure": "#f2935a",
    "parameter_free": "#4cc9a6",
    "ladder_boot": "#e3aeca",
    "independent": "#a8a8a8",
}
DARK_PAPER = {"pale": "#5c5f63", "grid": "#3a3f45", "band": "#625712", "edge": "#b5a82e"}
THEME = {
    "text": "var(--pst-color-text-base)",
    "muted": "var(--pst-color-text-muted)",
    "ground": "var(--pst-color-background)",
}

#: The colours of curves to which none is given; the fifth is nobody's.
CYCLE = [
    *(COLOURS[name] for name in ("ladder", "full_disclosure", "parameter_free", "ladder_boot")),
    "#E69F00",
    COLOURS["simplified"],
]


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
    with extra("figures"):
        import matplotlib.style
        from matplotlib.rcsetup import cycler

    colours = {"axes.prop_cycle": cycler(color=CYCLE), "axes.edgecolor": PAPER["muted"], "grid.color": PAPER["grid"]}
    colours |= dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), PAPER["text"])
    matplotlib.style.use([Path(__file__).with_name("house.mplstyle"), colours])
    if "IPython" in sys.modules:  # in a notebook: the style lays figures out itself, which need not be done again
        from matplotlib_inline.config import InlineBackend

        InlineBackend.instance().set_trait("print_figure_kwargs", {"bbox_inches": None})


def _variables(colours: Mapping[str, str], text: Mapping[str, str], paper: Mapping[str, str]) -> dict[str, str]:
    """Return the names that the style of a page has for colours."""
    named = {f"--{name.replace('_', '-')}": colour for name, colour in colours.items()}
    named |= {f"--{name.replace('_', '-')}-text": colour for name, colour in text.items()}
    return named | {f"--paper-{name}": colour for name, colour in paper.items()}


def style_sheet() -> str:
    """Return the colours as the style of a page, light and dark: the build writes it, so that they stand once."""
    light = _variables(COLOURS, TEXT_COLOURS, PAPER | THEME)
    dark = _variables(DARK_COLOURS, DARK_TEXT_COLOURS, DARK_PAPER)
    rules = (("html", light), ('html[data-theme="dark"]', dark))
    return "".join(
        f"{where} {{ " + " ".join(f"{name}: {colour};" for name, colour in colours.items()) + " }\n"
        for where, colours in rules
    )


def as_variables(picture: str) -> str:
    """Return an SVG, or the text of a chart, in which the page decides about colours, for light and dark screens."""
    named = _variables(COLOURS, TEXT_COLOURS, PAPER)
    names = {colour: name for name, colour in reversed(named.items())}  # of equal colours the first name
    known = {colour.lower(): f"var({name}, {colour})" for colour, name in names.items()}
    return re.sub("|".join(known), lambda found: known[found[0].lower()], picture, flags=re.IGNORECASE)


def chart_style() -> dict[str, Any]:
    """Return the house style as Vega-Lite has it: letters of 12 pixels at least, and no frame."""
    title = {"titleFontWeight": "normal", "titleColor": PAPER["text"], "titleFontSize": 13}
    axis = title | {
        "domain": False,
        "gridColor": PAPER["grid"],
        "labelColor": PAPER["text"],
        "labelFontSize": 12,
        "tickColor": PAPER["grid"],
    }
    return {
        "aria": False,  # the words that stand for the picture are with it
        "axis": axis,
        "axisX": {"grid": False, "domain": True, "domainColor": PAPER["muted"], "tickColor": PAPER["muted"]},
        "background": "transparent",
        "font": "Helvetica, Arial, sans-serif",
        "legend": {"labelColor": PAPER["text"], "labelFontSize": 12, "titleColor": PAPER["text"], "titleFontSize": 12},
        "mark": {"color": PAPER["text"]},
        "rule": {"color": PAPER["text"]},
        "text": {"fontSize": 13, "color": PAPER["text"]},
        "title": {"anchor": "start", "color": PAPER["text"], "fontSize": 13, "fontWeight": "normal"},
        "view": {"stroke": None},
    }


def draw_band(
    ax: Axes, x: ArrayLike, curves: ArrayLike, *, color: str, standard_errors: float | None = None, **line: Any
) -> None:
    """Draw the mean of repeated curves, in a band that says how sure it is.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    x : array_like, shape (t,)
        The abscissae.
    curves : array_like, shape (repetitions, t)
        One curve for each repetition, at least two.
    color : str
        The colour of line and band, such as ``COLOURS["ladder"]``.
    standard_errors : float or None
        How many standard errors of the mean the band reaches to either side. None, the default, draws the band where
        95 % of the curves lie, from the quantile of 2.5 % to that of 97.5 %.
    **line
        Options of the line, such as ``marker="o"``, as for `matplotlib.axes.Axes.plot`.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> draw_band(ax, [1, 2, 3], [[0.5, 0.6, 0.7], [0.5, 0.7, 0.8]], color=COLOURS["ladder"])
    >>> ax.lines[0].get_ydata().round(2).tolist()
    [0.5, 0.65, 0.75]
    """
    array = repeated_values(curves, "curves")
    if array.ndim != 2:
        raise ValueError(f"curves must have a row for each repetition, got shape {array.shape}")
    places = real_vector(x, "x", length=array.shape[1])
    mean, error = mean_and_error(array)
    if standard_errors is None:
        low, high = np.quantile(array, [0.025, 0.975], axis=0)
    else:
        reach = nonnegative_real(standard_errors, "standard_errors") * error
        low, high = mean - reach, mean + reach
    ax.fill_between(places, low, high, color=color, alpha=0.25, lw=0)
    ax.plot(places, mean, **{"color": color, **line})
