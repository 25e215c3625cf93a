"""Many small numbers at once, in packed words: bit j of the i-th plane is bit i of number j."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
ALL = np.uint64(2**64 - 1)


def add_short_rows(numbers: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Sum over the last axis; einsum needs half the time of sum for many short rows."""
    sums: NDArray[np.int32] = np.einsum("...j->...", numbers, dtype=np.int32)
    return sums


def count_ones(words: Words) -> NDArray[np.int32]:
    """Count the ones in each row of packed words, the last axis."""
    return add_short_rows(np.bitwise_count(words))


class Counters:
    """Count, for each position, the rows that have a one there.

    Two rows of one weight and the plane of that weight make a full adder: the plane keeps the sum, and the carry is one
    row of twice the weight. So half the rows reach the second plane, a quarter the third: whatever their
    number, a row costs about five operations on words.
    """

    def __init__(self, width: int) -> None:
        self.width, self.total = width, 0
        self.planes: list[Words] = []

    def add(self, rows: list[Words]) -> None:
        """Count the ones of some rows, which are overwritten."""
        self.total += len(rows)
        while len(self.planes) < self.total.bit_length():
            self.planes.append(np.zeros(self.width, dtype=np.uint64))
        scratch = np.empty(self.width, dtype=np.uint64)
        for plane in self.planes:
            carries = rows[:-1:2]
            for carry, other in zip(carries, rows[1::2], strict=True):
                np.bitwise_xor(carry, other, out=scratch)
                np.bitwise_and(carry, other, out=carry)
                np.bitwise_and(plane, scratch, out=other)
                np.bitwise_xor(plane, scratch, out=plane)
                np.bitwise_or(carry, other, out=carry)
            if len(rows) % 2:
                np.bitwise_and(plane, rows[-1], out=scratch)
                np.bitwise_xor(plane, rows[-1], out=plane)
                carries.append(scratch)
                scratch = rows[-1]
            rows = carries

    def majority(self, coins: Words) -> Words:
        """Return where more than half of the rows have a one; where it is exactly half, a coin.

        Numbers are compared from the top bit down: the first bit in which they differ decides.
        """
        above, equal = np.zeros(self.width, dtype=np.uint64), np.full(self.width, ALL)
        for level in reversed(range(len(self.planes))):
            if self.total // 2 >> level & 1:
                equal &= self.planes[level]
            else:
                above |= equal & self.planes[level]
                equal &= ~self.planes[level]
        return above if self.total % 2 else above | equal & coins


class Walks:
    """Walks on the whole numbers, in two's complement, that start at -1 and go up and down by one in turn, or stay.

    In 16 steps such a walk moves by at most 8 to either side, and only one that is between -8 and 7 can change its
    sign. So the upper planes, the walk divided by 8 and rounded down, rest meanwhile, and the value of -2, -1, 0 and
    1 that is next to theirs stands in for them: a step touches six planes, and 16 steps change the upper ones by at
    most one.
    """

    BLOCK = 16

    def __init__(self, shape: tuple[int, ...], furthest: int) -> None:
        """Start all walks at -1; none will leave -furthest, ..., furthest."""
        self.lower = [np.full(shape, ALL) for _ in range(3)]
        self.upper = [np.full(shape, ALL) for _ in range(max(2, furthest.bit_length() - 2))]

    def take(self, down: Iterable[Words | bool], move: Words, flip: Words) -> NDArray[np.uint8]:
        """Take up to 16 steps where `move` has a one, down where `down` has, too, up and down in turn.

        After each step, count in each word the walks that are below 0, or not below 0 where `flip` has a one.
        """
        odd, sign = self._stand_in(), self.upper[-1]
        planes = [*self.lower, odd.copy(), sign.copy(), sign.copy()]
        below = np.empty(move.shape, dtype=np.uint8)
        scratch = np.empty((2, *sign.shape), dtype=np.uint64)
        for downwards, moved, count in zip(down, move, below, strict=True):
            _step(planes, downwards, moved, scratch)
            np.bitwise_count(np.bitwise_xor(planes[-1], flip, out=scratch[0]), out=count)
        # The stand-in moved by one if it changed its parity, and downwards if it is even now and its
        # next bit is as before, or odd now and that bit has changed.
        _step(self.upper, ~(planes[3] ^ planes[4] ^ sign), planes[3] ^ odd, scratch)
        return below

    def _stand_in(self) -> Words:
        """Return the lowest bit of the stand-in; its other bits are the sign."""
        lowest, *middle, sign = self.upper
        beyond = np.zeros_like(sign)
        for plane in middle:
            beyond |= plane ^ sign
        return lowest ^ (beyond & ~(lowest ^ sign))


def _step(planes: list[Words], down: Words | bool, move: Words, scratch: Words) -> None:
    """Change numbers in two's complement where `move` has a one: subtract 1 where `down` has, too, else add 1.

    A carry passes through a one and a borrow through a zero, so through a bit that differs from `down`, and a borrow
    through one that has just become a one.
    """
    for number, plane in enumerate(planes[:-1]):
        carry = scratch[number % 2]
        if down is True:
            np.bitwise_xor(plane, move, out=plane)
            np.bitwise_and(plane, move, out=carry)
        elif down is False:
            np.bitwise_and(plane, move, out=carry)
            np.bitwise_xor(plane, move, out=plane)
        else:
            np.bitwise_and(plane ^ down, move, out=carry)
            np.bitwise_xor(plane, move, out=plane)
        move = carry
    np.bitwise_xor(planes[-1], move, out=planes[-1])
