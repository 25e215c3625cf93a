"""Checks of arguments: each returns the clean value or raises a ValueError naming the argument and the value."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Callable, Hashable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

BinaryVector = NDArray[np.uint8]
BYTE = np.dtype(np.uint8)
ATTACKED = "as this attack needs labels 0 and 1"
STRINGS = np.dtypes.StringDType(coerce=False)
ENTRIES = 2**22  # weights that are held at a time
TREE_MECHANISMS = ("ladder", "simplified")  # those whose releases are counted


def whole_number(value: Any, name: str, *, least: int = 1, most: float = math.inf) -> int:
    """Return `value` as an int of at least `least` and at most `most`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)) or number < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    if number > most:
        raise ValueError(f"{name} must be at most {most:,}, got {_short(number)}")
    return number


def number_of_jobs(value: Any) -> int | None:
    """Return `value` as joblib takes it: a whole number of workers, negative to count from all cores, or None."""
    if value is not None and (not isinstance(value, numbers.Integral) or isinstance(value, bool) or value == 0):
        raise ValueError(f"n_jobs must be None or a whole number other than 0, got {value!r}")
    return None if value is None else int(value)


def _short(number: int) -> str:
    """Return a number that may be too long to print."""
    return str(number) if number < 10**30 else f"a number of about {int(math.log10(number)) + 1} digits"


def _real(value: Any) -> float:
    """Return `value` as a float; NaN stands for what is not a real number or too large."""
    try:
        return float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return math.nan


def nonnegative_real(value: Any, name: str) -> float:
    """Return `value` as a finite float of at least zero."""
    number = _real(value)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError(f"{name} must be a finite number of at least 0, got {value!r}")
    return number


def rational(value: Any, name: str) -> Fraction:
    """Return `value` as a Fraction of at least zero; a float counts with its exact value."""
    try:
        exact = float(value) if isinstance(value, np.floating) else value
        number = None if isinstance(value, (bool, np.bool_)) else Fraction(exact)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        number = None
    if number is None or number < 0 or math.isnan(_real(number)):
        raise ValueError(f"{name} must be a rational number of at least 0, such as 1 or '3/2', got {value!r}")
    return Fraction(int(number.numerator), int(number.denominator))  # NumPy's whole numbers would overflow


def probability(value: Any, name: str, *, closed: bool = False) -> float:
    """Return `value` as a float strictly between 0 and 1; `closed` admits the ends."""
    number = _real(value)
    if not (0 < number < 1 or (closed and number in (0, 1))):
        wanted = "a number from 0 to 1" if closed else "a number strictly between 0 and 1"
        raise ValueError(f"{name} must be {wanted}, got {value!r}")
    return number


def significance_level(value: Any, name: str) -> float:
    """Return `value` as the level of a one-sided test: above 0 and at most 1/2."""
    number = _real(value)
    if not 0 < number <= 0.5:
        raise ValueError(f"{name} must be above 0 and at most 0.5, above which worse submissions pass, got {value!r}")
    return number


def one_of(value: Any, name: str, known: Sequence[str]) -> str:
    """Return `value` if it is one of the `known` words."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def generator(value: Any, name: str = "rng") -> np.random.Generator:
    """Return `value` if it is a numpy random Generator."""
    if not isinstance(value, np.random.Generator):
        raise ValueError(f"{name} must be a numpy.random.Generator, such as numpy.random.default_rng(0), got {value!r}")
    return value


def function(value: object, name: str) -> Callable[..., Any]:
    """Return `value` if it can be called."""
    if not callable(value):
        raise ValueError(f"{name} must be callable, got {value!r}")
    return value


def number_valued(value: Any, name: str, *, finite: bool = False) -> Callable[..., Any]:
    """Return `value`, which can be called, so that its answers are checked to be numbers, `finite` or not."""
    ask = function(value, name)

    def checked(*arguments: Any) -> Any:
        try:
            answer = ask(*arguments)
        except OtherKindError as error:
            raise ValueError(f"{name} must take labels 0 and 1, which this attack needs: {error}") from error
        if not isinstance(answer, numbers.Real) or isinstance(answer, bool) or answer != answer:
            raise ValueError(f"{name} must return a number, got {answer!r}")
        if finite and math.isinf(answer):
            raise ValueError(f"{name} must return a finite number, got {answer!r}")
        return answer

    return checked


def hashable(value: Hashable, name: str) -> Hashable:
    """Return `value` if it can be a key of a dictionary."""
    try:
        hash(value)
    except TypeError:
        raise ValueError(f"{name} must be hashable, such as a name, got {value!r}") from None
    return value


def instant(value: Any, name: str) -> np.datetime64:
    """Return a time, given as ISO string or datetime, as whole seconds in UTC; without a zone it is in UTC."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC)
        return np.datetime64(moment.replace(tzinfo=None, microsecond=0), "s")
    except (AttributeError, OverflowError, TypeError, ValueError):
        raise ValueError(f"{name} must be in ISO format, such as '2027-01-31T09:00:00', got {value!r}") from None


def grid_denominator(value: Any, name: str) -> int:
    """Return the whole number m when `value` is 1/m: a string, a Fraction, or a float within 12 digits."""
    fraction = None
    if isinstance(value, (str, Fraction, int)) and not isinstance(value, bool):
        try:
            fraction = Fraction(value)
        except (ValueError, ZeroDivisionError):
            fraction = None
    elif isinstance(value, (float, np.floating)) and np.finfo(float).tiny <= value <= 1:
        m = round(1 / float(value))
        fraction = Fraction(1, m) if abs(float(value) * m - 1) < 1e-12 else None
    if fraction is None or fraction.numerator != 1:
        raise ValueError(f"{name} must be 1/m for a whole number m, such as '1/100', got {value!r}")
    return int(fraction.denominator)


class OtherKindError(ValueError):
    """Predictions are numbers and the labels strings, or the other way round."""


def vector(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return a non-empty one-dimensional array of numbers or strings, which may be that of the caller.

    Series of pandas and Polars are arrays, too, and a frame of one column is one.
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "U" and not isinstance(values, np.ndarray):
            array = np.asarray(values, dtype=object)  # numbers among strings stay what they are
    except ValueError:
        raise ValueError(f"{name} must be one-dimensional, got rows of unequal length: {values!r}") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, {_instead(values, array)}, got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got {values!r}")
    if array.dtype.kind in "UO":
        array = of_objects(array, name)
    if array.dtype.kind not in "buifT":
        first = array.tolist()[0]
        raise ValueError(f"{name} must hold numbers or strings, got dtype {array.dtype} with first entry {first!r}")
    return array


def _instead(values: Any, array: NDArray[Any]) -> str:
    """Say what to hand in instead of a frame, a table or a number."""
    columns = list(getattr(values, "columns", ()))
    if len(columns) > 1 and all(np.asarray(values[name]).dtype.kind == "f" for name in columns[-2:]):
        largest = "frame.idxmax(axis=1)" if hasattr(values, "idxmax") else "frame.to_numpy().argmax(axis=1)"
        return f"one entry for each label: {largest} of a column for each class, or frame[{columns[-1]!r}] for scores"
    if columns:
        return f"one column, such as frame[{columns[-1]!r}]"
    if array.ndim == 2 and array.shape[0] == 1:
        return "one entry for each label, such as values[0]"
    if array.ndim == 2:
        return "one entry for each label: values.argmax(axis=1) of a column for each class, or values[:, 1] for scores"
    return "one entry for each label"


def of_objects(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return objects as an array of what they are, all strings or all numbers."""
    try:
        return array.astype(STRINGS)
    except ValueError:
        entries = array.tolist()
    for i, entry in enumerate(entries):  # a missing value of pandas has no truth value
        if entry is None or type(entry).__name__ in ("NAType", "NaTType") or entry != entry:
            raise ValueError(f"{name} must hold no missing values: fill them, got {entry!r} at position {i}")
    first = isinstance(entries[0], str)
    for i, entry in enumerate(entries):
        if isinstance(entry, str) != first or not isinstance(entry, (str, numbers.Real, np.bool_)):
            raise ValueError(f"{name} must hold numbers or strings, all of one kind, got {entry!r} at position {i}")
    return np.array(entries)


def class_vector(values: ArrayLike, name: str, *, like: NDArray[Any] | None = None) -> NDArray[Any]:
    """Return a read-only vector of classes, whole numbers or strings; predictions are `like` their labels.

    Truth values and floats without a fraction are whole numbers. Numbers from 0 to 255 are kept as uint8; such a vector
    is no copy if nobody can change it.
    """
    array = vector(values, name)
    if like is not None:
        _check_kind(array, name, like)
        _check_length(array, name, like.size, ", one per holdout label")
    if array.dtype == BYTE and _is_unchangeable(array):
        return array
    copy = array.copy() if array.dtype.kind == "T" else _whole_numbers(array, name)
    copy.setflags(write=False)
    return copy


def _whole_numbers(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return numbers without a fraction in a new array, of bytes if they fit."""
    if array.dtype.kind != "f":
        short = array.astype(np.uint8)
        return short if (short == array).all() else array.copy()
    for kind in (np.uint8, np.int64):
        with np.errstate(invalid="ignore"):
            whole: NDArray[Any] = array.astype(kind)
        same = whole == array
        if same.all():
            check_told_apart(array, name)
            return whole
    i = int(same.argmin())
    if np.isnan(array[i]):
        raise ValueError(f"{name} must hold no missing values: fill them, got nan at position {i}")
    check_told_apart(array, name)
    wanted = "classes, whole numbers or strings: for others choose a mechanism with metric="
    if 0 < array[i] < 1 and name != "labels":
        wanted = "classes, not probabilities: (p >= 0.5).astype(int) of two classes, metric= for scores"
    raise ValueError(f"{name} must be {wanted}, got {array[i]} at position {i}")


def check_told_apart(array: NDArray[Any], name: str) -> None:
    """Refuse floats that may stand for several whole numbers."""
    large = array[np.isfinite(array) & (np.abs(array) >= 2**53)] if array.dtype.kind == "f" else array[:0]
    if large.size:
        raise ValueError(
            f"{name} must hold classes below 2**53 where they are floats, which merge larger ones: number the classes "
            f"from 0, or name them by strings, got {large[0]}"
        )


def _check_kind(array: NDArray[Any], name: str, like: NDArray[Any]) -> None:
    """Refuse strings where the labels are numbers, and numbers where they are strings, without a word of the labels."""
    strings = like.dtype.kind == "T"
    if strings == (array.dtype.kind == "T"):
        return
    wanted = f"numbers, as the labels are, not strings{_cast(array, name, int)}"
    if strings and ((array > 0) & (array < 1)).any():
        wanted = "strings, as the labels are, not probabilities: np.where(p >= 0.5, 'yes', 'no')"
    elif strings:
        wanted = f"strings, as the labels are, not numbers: names[{name}], the name of each class"
    raise OtherKindError(f"{name} must be {wanted}, got {array.tolist()[0]!r}")


def _cast(array: NDArray[Any], name: str, kind: type) -> str:
    """Say how strings become numbers, if they all can."""
    try:
        array.astype(kind)
    except (OverflowError, ValueError):
        return ""
    return f": {name}.astype({kind.__name__})"


def _check_length(array: NDArray[Any], name: str, length: int | None, why: str = "") -> None:
    """Refuse a vector of another length."""
    if length not in (None, array.size):
        raise ValueError(f"{name} must have {length} entries{why}, got {array.size}")


def unchangeable(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy that nobody can make writable again, since bytes hold it."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def _is_unchangeable(array: NDArray[Any]) -> bool:
    """Say whether it is a view of what `unchangeable` returned."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    return isinstance(base, bytes)


def binary_vector(values: ArrayLike, name: str, *, length: int | None = None) -> BinaryVector:
    """Return a vector of zeros and ones, shape (n,), dtype uint8, for an attack that needs such."""
    array = vector(values, name)
    check_binary(array, name, ATTACKED)
    _check_length(array, name, length, ", one per holdout label")
    return class_vector(array, name)


def check_binary(array: NDArray[Any], name: str, reason: str) -> NDArray[Any]:
    """Return an array of zeros and ones only, which the reason asks for."""
    strange = array if array.dtype.kind == "T" else array[(array != 0) & (array != 1)]
    if strange.size:
        raise ValueError(f"{name} must hold only 0 and 1, {reason}, got {strange.tolist()[0]!r}")
    return array


def real_vector(values: ArrayLike, name: str, *, length: int | None = None) -> NDArray[np.float64]:
    """Return a read-only copy of a vector of finite floats, shape (n,)."""
    given = vector(values, name)
    if given.dtype.kind == "T":
        raise ValueError(f"{name} must hold numbers{_cast(given, name, float)}, got {given.tolist()[0]!r}")
    array = given.astype(np.float64)
    if not np.isfinite(array).all():
        i = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, got {array[i]} at position {i}")
    _check_length(array, name, length)
    array.setflags(write=False)
    return array


def real_matrix(
    values: ArrayLike, name: str, *, rows: int | None = None, columns: int | None = None
) -> NDArray[np.float64]:
    """Return a matrix of finite floats with at least one row and one column."""
    try:
        given = np.asarray(values)
        matrix = given.astype(np.float64) if given.dtype.kind in "buif" else None
    except (TypeError, ValueError):
        matrix = None
    if matrix is None:
        raise ValueError(f"{name} must be a matrix of numbers, got {values!r}")
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"{name} must be a matrix with rows and columns, got shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} must be finite, got {matrix[~np.isfinite(matrix)][0]}")
    for wanted, found, kind in ((rows, matrix.shape[0], "rows"), (columns, matrix.shape[1], "columns")):
        if wanted not in (None, found):
            raise ValueError(f"{name} must have {wanted} {kind}, got {found}")
    return matrix


def repeated_values(values: Any, name: str) -> NDArray[np.float64]:
    """Return what two or more repetitions gave, finite floats of one shape, along the first axis."""
    try:
        given = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must have the same shape in each repetition, got {values!r}") from None
    if given.dtype.kind not in "buif":
        raise ValueError(f"{name} must hold numbers, got dtype {given.dtype}")
    if given.ndim == 0 or len(given) < 2:
        raise ValueError(f"{name} must hold at least two repetitions, got shape {given.shape}")
    array = given.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {array[~np.isfinite(array)][0]}")
    return array


def weight_rows(values: ArrayLike, name: str, *, length: int) -> NDArray[np.float64]:
    """Return a matrix of weights, nonnegative and not all zero in a row, shape (B, length)."""
    rows = real_matrix(values, name, columns=length)
    wrong = (rows < 0).any(axis=1) | (rows == 0).all(axis=1)
    if wrong.any():
        raise ValueError(f"{name} must be nonnegative and not all zero in a row, got {rows[wrong][0]}")
    return rows
