"""From how many labels on a Ladder can show everything that its tree permits."""

import pytest
from test_ladder import LADDERS

MORE = 2  # labels short of 2 m, for odd m


def everything(name, m, n):
    """Say whether each level can be followed by all that the tree permits when losses are c/n, in whole numbers."""
    levels = [(2 * wrong * m + n) // (2 * n) for wrong in range(n + 1)]
    if set(levels) != set(range(m + 1)):
        return False
    for best in range(m + 1):
        wanted = {1} if name == "ladder" and best == 1 else set(range(best + 1))
        if name == "ladder":
            reached = {best} | {level for wrong, level in enumerate(levels) if wrong * m < (best - 1) * n}
        else:
            reached = {min(best, level) for level in levels}
        if reached != wanted:
            return False
    return True


@pytest.mark.parametrize("name", LADDERS)
def test_least_labels(name):
    """The least n is m for the simplified Ladder, and 2 m - 1 for even m and 2 m - 2 for odd m > 1 for the Ladder.

    For m up to 80: all n from the least one to 2 m are enough and none below it is. No tolerance.
    """
    for m in range(2, 81):
        least = m if name == "simplified" else 2 * m - (MORE if m % 2 else 1)
        assert [n for n in range(1, 2 * m + 1) if everything(name, m, n)] == list(range(least, 2 * m + 1))
