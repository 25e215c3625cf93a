"""What a host chose, as a board and as text: from what makes a mechanism for each account, or a board for all."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leaderboard_edu._holdout import Holdout
from leaderboard_edu.leaderboard import Leaderboard
from leaderboard_edu.mechanisms import Mechanism
from leaderboard_edu.metrics import Metric


def board_of(labels: ArrayLike, maker: Callable[[ArrayLike], Any]) -> tuple[Any, Any]:
    """Return a board, and what was made first: the mechanism of the first account, or the board itself."""
    made = maker(labels)
    if isinstance(made, Mechanism):
        first = [made]
        return Leaderboard(labels, mechanism=lambda y: first.pop() if first else maker(y)), made
    if not all(callable(getattr(made, name, None)) for name in ("submit", "standings")):
        raise ValueError(f"mechanism must make a leaderboard_edu.Mechanism or a board with submit, got {made!r}")
    return made, made


def parameters(thing: Any, rng: np.random.Generator) -> str:
    """Return a fresh mechanism or board as text. Arrays and functions are left out; it must draw from `rng` alone."""
    if isinstance(thing, np.random.Generator) and thing is not rng:
        raise ValueError(
            "mechanism must draw from the rng that it is called with, so that the same can be drawn again, as in "
            "lambda y, rng: LadderBoot(y, rng=rng), got one with a generator of its own"
        )
    if isinstance(thing, Metric | np.random.Generator):
        return getattr(thing, "name", "rng")
    if isinstance(thing, float | Fraction):
        return f"{float(thing):.9g}"
    if isinstance(thing, list | tuple):
        return f"{len(thing)} of " + ", ".join(dict.fromkeys(parameters(each, rng) for each in thing))
    if not hasattr(thing, "__dict__"):
        return repr(thing)
    kept = {
        name.strip("_"): value
        for name, value in sorted(vars(thing).items())
        if isinstance(value, Metric)
        or not (callable(value) or isinstance(value, np.ndarray | Holdout) or value in ([], {}))
    }
    return f"{type(thing).__name__}({', '.join(f'{name}={parameters(value, rng)}' for name, value in kept.items())})"
