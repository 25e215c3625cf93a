"""The boosting attack simulated at the papers' sizes, against its exact accuracy."""

import numpy as np
import pytest
from exact import KEEPS

import leaderboard_edu as le

REPLICATES = 40


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("n", [4000, 1000])
def test_papers_sizes(n, keep):
    """The mean of boosting_curve over replicates is boosting_accuracy, for n = 4000 and 1000 and k up to 1000.

    40 replicates with child seeds; at each of five lengths the mean is within four standard errors,
    estimated from the replicates. From 100 submissions on, the accuracy of the other way of keeping lies outside.
    """
    children = np.random.SeedSequence([n, KEEPS.index(keep)]).spawn(REPLICATES)
    curves = np.array([le.boosting_curve(n=n, k=1000, rng=np.random.default_rng(c), keep=keep) for c in children])
    mean = curves.mean(axis=0)
    error = curves.std(axis=0, ddof=1) / np.sqrt(REPLICATES)
    other = KEEPS[1 - KEEPS.index(keep)]
    for k in (1, 30, 100, 300, 1000):
        assert abs(mean[k - 1] - le.boosting_accuracy(n=n, k=k, keep=keep)) < 4 * error[k - 1]
        if k >= 100:
            assert abs(mean[k - 1] - le.boosting_accuracy(n=n, k=k, keep=other)) > 4 * error[k - 1]


@pytest.mark.parametrize("m", [2, 32, 33, 100_000])
def test_rounded_board(m):
    """On a board rounded to 1/m the attack is as accurate as boosting_accuracy says, for even and odd m.

    n = 1000, k = 400, mixed labels, 20 replicates with child seeds, four standard errors. For m = 2, where the attack
    learns nothing, and m = 32, about √n, the value without rounding lies outside.
    """
    n, k, replicates = 1000, 400, 20
    accuracy = []
    for child in np.random.SeedSequence(m).spawn(replicates):
        rng = np.random.default_rng(child)
        labels = rng.integers(0, 2, n)
        attack = le.boosting_attack(le.FullDisclosure(labels, precision=f"1/{m}").submit, n=n, k=k, rng=rng)
        accuracy.append(1 - le.empirical_risk(attack.predictions, labels))
    mean, error = np.mean(accuracy), np.std(accuracy, ddof=1) / np.sqrt(replicates)
    assert abs(mean - le.boosting_accuracy(n=n, k=k, precision=f"1/{m}")) < 4 * error
    assert m > 32 or abs(mean - le.boosting_accuracy(n=n, k=k)) > 4 * error
