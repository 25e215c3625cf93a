"""The one way in which random submissions are drawn: packed words of 64 bits.

Bit `j % 64` of word `j // 64` is entry `j` of the submission; the spare bits of the last word are zero.
Words come from the generator in reading order, so drawing rows one at a time, in blocks or all at
once gives the same submissions. Every stored number of the book depends on this layout.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._validation import BinaryVector


def draw_words(rng: np.random.Generator, count: int, n: int) -> NDArray[np.uint64]:
    """Draw `count` uniform submissions of `n` labels as words, shape (count, ceil(n / 64))."""
    words = rng.integers(0, 2**64, size=(count, -(-n // 64)), dtype=np.uint64)
    words[:, -1] >>= np.uint64(-n % 64)
    return words


def unpack(words: NDArray[np.uint64], n: int) -> BinaryVector:
    """Return the entries of packed submissions, shape (..., n), dtype uint8."""
    octets = words.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=n, bitorder="little")


def draw_submissions(rng: np.random.Generator, count: int, n: int) -> BinaryVector:
    """Draw `count` uniform submissions of `n` labels, shape (count, n), read-only."""
    submissions = unpack(draw_words(rng, count, n), n)
    submissions.setflags(write=False)
    return submissions
