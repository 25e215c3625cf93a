"""Many small numbers at once, in packed words: bit j of the i-th plane is bit i of number j."""

from __future__ import annotations

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
    """Walks on the whole numbers by steps of at most one, in two's complement.

    In its next 16 steps only a walk that is between -16 and 15 can change its sign. So the upper planes, the
    walk divided by 16 and rounded down, rest meanwhile, and the value of -2, -1, 0 and 1 that is next to theirs stands
    in for them: a step touches seven planes, and 16 steps together change the upper ones by at most one.
    """

    BLOCK = 16

    def __init__(self, start: Words, furthest: int) -> None:
        """Start at -1 where `start` has a one, else at 0; no walk will leave -furthest, ..., furthest."""
        self.lower = [start.copy() for _ in range(4)]
        self.upper = [start.copy() for _ in range(max(2, furthest.bit_length() - 3))]

    def take(self, down: Words, move: Words) -> NDArray[np.uint8]:
        """Take up to 16 steps where `move` has a one, down where `down` has, too; count in each word those below 0."""
        odd, sign = self._stand_in(), self.upper[-1].copy()
        planes = [*self.lower, odd.copy(), sign.copy(), sign.copy()]
        below = np.empty(down.shape, dtype=np.uint8)
        scratch = np.empty((2, *sign.shape), dtype=np.uint64)
        for downwards, moved, count in zip(down, np.broadcast_to(move, down.shape), below, strict=True):
            _step(planes, downwards, moved, scratch)
            np.bitwise_count(planes[-1], out=count)
        # The stand-in moved by one if it changed its parity, and downwards if it is even now and its
        # next bit is as before, or odd now and that bit has changed.
        _step(self.upper, ~(planes[4] ^ planes[5] ^ sign), planes[4] ^ odd, scratch)
        return below

    def _stand_in(self) -> Words:
        """Return the lowest bit of the stand-in; its other bits are the sign."""
        lowest, *middle, sign = self.upper
        beyond = np.zeros_like(sign)
        for plane in middle:
            beyond |= plane ^ sign
        return lowest ^ (beyond & ~(lowest ^ sign))


def _step(planes: list[Words], down: Words, move: Words, scratch: Words) -> None:
    """Change numbers in two's complement where `move` has a one: subtract 1 where `down` has, too, else add 1.

    A carry passes through a one and a borrow through a zero, so both through a bit that differs from `down`.
    """
    passes, carry = scratch
    for plane in planes[:-1]:
        np.bitwise_xor(plane, down, out=passes)
        np.bitwise_xor(plane, move, out=plane)
        move = np.bitwise_and(move, passes, out=carry)
    np.bitwise_xor(planes[-1], move, out=planes[-1])
