"""The labels of a holdout set, and the checks of what is compared with them, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from leaderboard_edu._validation import class_vector, real_vector


class Holdout:
    """Labels, classes or real numbers, and the names of their rows if pandas has given them names.

    Whether a submission is refused is decided by its shape, the kind of its entries and the names of its rows, never by
    which classes are among the labels: that would tell what the mechanism does not.
    """

    def __init__(self, labels: ArrayLike, *, classes: bool = True) -> None:
        self.classes = classes
        self.labels: NDArray[Any] = class_vector(labels, "labels") if classes else real_vector(labels, "labels")
        self.rows = row_names(labels)

    def checked(self, predictions: ArrayLike, name: str = "predictions") -> NDArray[Any]:
        """Return a submission, one entry for each label, in an array that nobody else can change."""
        if self.classes:
            submission = class_vector(predictions, name, like=self.labels)
        else:
            submission = real_vector(predictions, name, length=self.labels.size)
        if self.rows is not None:
            check_rows(predictions, name, self.rows)
        return submission


def row_names(values: Any, name: str = "labels") -> Any:
    """Return the index of a series or frame of pandas, None of what matches by position alone."""
    index: Any = getattr(values, "index", None)
    if not hasattr(index, "equals"):
        return None
    if not index.is_unique:
        raise ValueError(f"{name} must name each row once in its index, got {index[index.duplicated()][0]!r} twice")
    return index


def check_rows(predictions: Any, name: str, rows: Any) -> None:
    """Refuse a series or frame of pandas whose index is not that of the labels, in its order."""
    found = row_names(predictions, name)
    if rows is None or found is None or len(found) != len(rows) or found.equals(rows):
        return
    same_rows(found.tolist(), name, rows.tolist(), "index of the labels")


def same_rows(found: Sequence[Any], name: str, wanted: Sequence[Any], whose: str) -> None:
    """Refuse names of rows that are not the wanted ones, in their order."""
    for i, (one, other) in enumerate(zip(found, wanted, strict=True)):
        if one != other:
            raise ValueError(
                f"{name} must have the {whose} as index, in this order: use {name}.loc[…], or {name}.to_numpy() to go "
                f"by position, got {one!r} at position {i} instead of {other!r}"
            )
