"""A random generator that reads from a script, so that an attack can be run on every possible draw."""

from collections.abc import Iterator
from itertools import product

import numpy as np

_ANY_BITS = np.random.PCG64(0)


class ScriptedGenerator(np.random.Generator):
    """Hands out the given submissions of at most 64 labels, each as the word that the library unpacks."""

    def __init__(self, submissions: tuple[int, ...], n: int) -> None:
        super().__init__(_ANY_BITS)
        self._words = [submission << (64 - n) for submission in submissions]

    def integers(self, low, high, size, dtype):
        assert (low, high, size[1], dtype) == (0, 2**64, 1, np.uint64)
        words, self._words = self._words[: size[0]], self._words[size[0] :]
        return np.array(words, dtype=np.uint64).reshape(size)


def every_generator(n: int, k: int) -> Iterator[ScriptedGenerator]:
    """Yield a generator for each of the 2**(n (k + 1)) draws of n coins and k submissions."""
    for script in product(range(2**n), repeat=k + 1):
        yield ScriptedGenerator(script, n)
