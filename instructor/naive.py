"""What answers earn that know nothing: a constant, an argument, what the visible tests give away, NaN.

A visible test shows what a right answer returns when it is called as there. `Shown` notes that, also of a function that
is returned; a hard-coded answer gives it back for the same arguments, and what was returned first for all others.
"""

from __future__ import annotations

import inspect
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import FrameType
from typing import Any

import numpy as np

NAN = float("nan")
CONSTANTS: tuple[Any, ...] = (None, True, 0, 1, 0.5, NAN, Fraction(1, 2), (), [], "")
SECONDS = 20  # for a test with an answer that knows nothing


class Shown:
    """A right answer that notes what it is called with and what it returns."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self._answer = answer
        self.calls: list[tuple[str, Any]] = []

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        result = _noted(self._answer(*arguments, **named))
        self.calls.append((_key(arguments), result))
        return result


def _noted(result: Any) -> Any:
    """Return what was returned, with functions that note their calls in place of others."""
    if isinstance(result, tuple):
        return tuple(map(_noted, result))
    return Shown(result) if callable(result) else result


def _key(arguments: tuple[Any, ...]) -> str:
    """Return arguments as text, without functions and generators, which are never the same again."""
    return repr([None if callable(value) or isinstance(value, np.random.Generator) else value for value in arguments])


def _again(result: Any, *, by_arguments: bool) -> Any:
    """Return what was noted: of a function, one that returns the same again."""
    if isinstance(result, tuple):
        return tuple(_again(part, by_arguments=by_arguments) for part in result)
    if not isinstance(result, Shown):
        return result
    first = result.calls[0][1] if result.calls else None
    known = dict(reversed(result.calls)) if by_arguments else {}
    return lambda *arguments, **_: _again(known.get(_key(arguments), first), by_arguments=by_arguments)


def naive_answers(answer: Callable[..., Any], shown: Shown) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield answers that know nothing, each with what it does, given the right one, and what the visible tests show."""
    for value in CONSTANTS:
        yield f"returns {value!r}", lambda *_, value=value, **__: value
        yield f"returns a function that returns {value!r}", lambda *_, value=value, **__: lambda *_, **__: value
    for number, name in enumerate(inspect.signature(answer).parameters):
        yield f"returns {name}", lambda *arguments, number=number, **_: arguments[number]
    yield "returns zeros", lambda *arguments, **_: np.zeros(_size(arguments), dtype=int)
    yield "returns always what the first visible test wants", _again(shown, by_arguments=False)
    yield "returns what the visible tests want", _again(shown, by_arguments=True)
    yield "returns an array of NaN", lambda *arguments, **_: np.full(_size(arguments), NAN)
    yield "returns a list of NaN", lambda *arguments, **_: [NAN] * _size(arguments)
    yield "returns an array without rows", lambda *arguments, **_: np.empty((0, _size(arguments)))


class Spoilt:
    """The right answer, but what it returns is spoilt after so many calls; it notes how many there were.

    Every hidden test must see that. A comparison with NaN is false, an array without rows equals any row.
    """

    def __init__(self, answer: Callable[..., Any], spoil: Callable[[Any], Any], after: float) -> None:
        self._answer, self._spoil, self._after = answer, spoil, after
        self.calls = 0
        self.spoilt = False

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        result = self._answer(*arguments, **named)
        self.calls += 1
        if self.calls <= self._after or not isinstance(result, tuple | list | np.ndarray):
            return result
        parts = result if isinstance(result, tuple) else (result,)
        new = [self._spoil(part) if isinstance(part, list | np.ndarray) and len(part) else part for part in parts]
        if isinstance(result, tuple) and all(a is b for a, b in zip(new, parts, strict=True)):
            new = self._spoil(list(parts)) if parts else []
            self.spoilt |= len(parts) > 1
            return tuple(new)
        self.spoilt |= any(isinstance(part, list | np.ndarray) and len(part) > 1 for part in parts)
        return tuple(new) if isinstance(result, tuple) else new[0]


def _nan_after_the_first(values: Any) -> Any:
    if isinstance(values, list):
        return values[:1] + [NAN] * (len(values) - 1)
    spoilt = np.array(values, dtype=float)
    spoilt[1:] = NAN
    return spoilt


def _all_nan(values: Any) -> Any:
    return [NAN] * len(values) if isinstance(values, list) else np.full(values.shape, NAN)


def _no_rows(values: Any) -> Any:
    return np.empty((0, len(values)), dtype=int)


SPOILS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("returns NaN after the first entry", _nan_after_the_first),
    ("returns NaN for each entry", _all_nan),
    ("returns an array without rows", _no_rows),
)


def _size(arguments: tuple[Any, ...]) -> int:
    """Return the first whole number among the arguments, or the length of the first list."""
    numbers = [value if isinstance(value, int) else len(value) for value in arguments if _sized(value)]
    return min(numbers[0], 10**6) if numbers else 1


def _sized(value: Any) -> bool:
    return (isinstance(value, int) and value >= 0) or isinstance(value, list | np.ndarray)


def passes(test: Callable[..., None], answer: Callable[..., Any]) -> bool:
    """Say whether an answer passes a test, in bounded time."""
    try:
        with _bounded(), warnings.catch_warnings(action="ignore"):  # NaN makes NumPy warn
            test(answer)
    except Exception:
        return False
    return True


@contextmanager
def _bounded() -> Iterator[None]:
    """Raise TimeoutError after some seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
