"""Figures S8, S9 and S10 of Chaibub Neto et al.: Freedman's attack on boards that score by Lin's concordance."""

import json
from pathlib import Path

import numpy as np

from book.studies import TOP
from tools.verdicts import concordance

DATA = Path(__file__).parents[2] / "book" / "data"
STORED = {name: json.loads((DATA / f"concordance_{name}.json").read_text()) for name in ("permuted", "splits")}


def difference(protocol, name):
    """Return the mean of public minus final, for each number of features, and its standard error."""
    found = STORED[protocol]["results"][name]
    return np.array(found["mean"]), np.array(found["error"])


def boards(kind):
    """Return the names of the boards of one kind."""
    return [name for name in STORED["permuted"]["results"] if name.rpartition(" odds=")[0] == kind]


def test_figure_s8():
    """Full disclosure over-fits permuted responses at every number of features, random splits by less than half.

    Permuted: more than four standard errors above zero everywhere. Splits: from three features on, below half of it
    by more than two standard errors of the difference (nine comparisons of one experiment).
    """
    mean, error = difference("permuted", "full_disclosure")
    assert np.all(mean > 4 * error)
    other, other_error = difference("splits", "full_disclosure")
    assert np.all((mean / 2 - other > 2 * np.hypot(error / 2, other_error))[2:])


def test_figure_s9():
    """Permuted responses: without noise the public score is too high for few features, less than under full disclosure.

    The means of BayesBootLadder are more than four standard errors above zero from one feature up to the numbers that
    the record names, and from ten features on four standard errors below those of full disclosure. Those of
    BayesBootLadderBoot are nowhere four standard errors from zero.
    """
    full, full_error = difference("permuted", "full_disclosure")
    assert len(boards("bayes_boot_ladder")) == 3
    for name, most in zip(boards("bayes_boot_ladder"), concordance()["chaibub-neto-figure-s9"]["most"], strict=True):
        mean, error = difference("permuted", name)
        assert (mean > 4 * error).tolist() == [size <= most for size in TOP]
        assert np.all((full - mean > 4 * np.hypot(full_error, error))[4:])
    noisy = [name for name in STORED["permuted"]["results"] if name.startswith("bayes_boot_ladder_boot")]
    assert len(noisy) == 9
    for name in noisy:
        mean, error = difference("permuted", name)
        assert np.all(np.abs(mean) <= 4 * error)


def test_figure_s10():
    """Random splits: final scores rise with the public ones; exact releases at the two smaller odds are too good.

    All other means of public minus final are within four standard errors of zero, and these beyond for one feature.
    """
    for name, found in STORED["splits"]["results"].items():
        if name == "full_disclosure":
            continue
        mean, error = difference("splits", name)
        if name in ("bayes_boot_ladder odds=1", "bayes_boot_ladder odds=5.67"):
            assert mean[0] > 4 * error[0]
        else:
            assert np.all(np.abs(mean) <= 4 * error)
        public, final = (np.array(found[kind])[2] for kind in ("public", "final"))
        assert np.corrcoef(public, final)[0, 1] > 0.9
