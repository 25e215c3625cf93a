"""Votes of submissions, and what a majority of them says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leaderboard_edu._validation import BinaryVector

KEEP = ("aligned", "half")  # the rules that look at one loss at a time


def vote(submission: BinaryVector, kept: bool, keep: str) -> NDArray[np.int8]:
    """Return the vote of a submission, +1 for label 1 and -1 for label 0, or its opposite if aligned, or none."""
    sign = 1 if kept else -1 if keep == "aligned" else 0
    return (2 * submission.astype(np.int8) - 1) * np.int8(sign)


def majority(tally: NDArray[np.int64], coins: BinaryVector) -> BinaryVector:
    """Return the label each tally favours; a tie, an empty vote included, falls as its coin."""
    labels = np.where(tally == 0, coins, tally > 0).astype(np.uint8)
    labels.setflags(write=False)
    return labels
