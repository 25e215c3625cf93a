"""The losses by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The loss of each entry: counted exactly under the 0/1 loss, floats under the others.
LOSSES: dict[str, Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]] = {
    "zero_one": lambda predictions, labels: (predictions != labels).astype(np.uint8),
    "squared": lambda predictions, labels: (predictions - labels) ** 2,
    "absolute": lambda predictions, labels: np.abs(predictions - labels),
}
