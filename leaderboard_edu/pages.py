"""What a page shows: figures that respond without a kernel or keep still, and the library's own code."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from leaderboard_edu._charts import InteractiveFigure, Slider, interactive_figure
from leaderboard_edu._drawings import StaticFigure, static_figure
from leaderboard_edu._extras import extra

if TYPE_CHECKING:
    from IPython.display import Markdown

__all__ = [
    "InteractiveFigure",
    "Slider",
    "StaticFigure",
    "interactive_figure",
    "show_source",
    "static_figure",
]


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
    return Markdown(f"```python\n{code}```")


def _code(function: Callable[..., Any]) -> str:
    """Return the code of a function, without its docstring."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise ValueError(f"functions must be written in Python, got {function!r}") from None
    return re.sub(r' *""".*?"""\n', "", source, flags=re.DOTALL)
