"""What an interactive figure says for each position of its control is what the library says now."""

import json

import numpy as np
import pytest
from bs4 import BeautifulSoup
from chapters import CHAPTERS, HTML
from scipy.stats import binom

import leaderboard_edu as le


def attacked(precision):
    """Return the share of right labels that the boosting attack gets at a precision."""
    m = None if precision == "exact" else precision
    return f"{le.boosting_accuracy(n=1000, k=1000, precision=m):.1%}"


def best_of(k):
    """Return the mean of the smallest of k binomial losses, from the law of the minimum."""
    tail = binom.sf(np.arange(-1, 1001), 1000, 0.5) ** int(k)
    return f"{-np.diff(tail) @ np.arange(1001) / 1000:.4f}"


def level(k):
    """Return the deviation at which the union bound over k classifiers is one in twenty, by bisection."""
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if le.union_bound(middle, n=1000, k=int(k)) > 0.05 else (low, middle)
    return f"{high:.4f}"


def shown_after(t):
    """Return the loss of submission t of the chapter's history and what both Ladders release."""
    counts = np.random.default_rng(15).binomial(200, np.linspace(0.52, 0.18, 20))[: int(t)]
    ladder, simplified = (board(np.zeros(200), eta="1/10") for board in (le.Ladder, le.SimplifiedLadder))
    shown = [(ladder.submit(vector), simplified.submit(vector)) for vector in (np.arange(200) < c for c in counts)]
    releases = f"it releases {shown[-1][0]:.1f}, the simplified Ladder {shown[-1][1]:.1f}."
    return f"{counts[-1] / 200:.3f}", releases


def labels_needed(accounts):
    """Return the holdout size for eta = 1/10 and a thousand submissions from this many accounts."""
    return f"{le.samples_needed('1/10', k=1000, accounts=int(accounts)):,}"


def fano(k):
    """Return Fano's lower bound for a thousand labels and k submissions."""
    return f"{le.fano_bound(n=1000, k=int(k)):.4f}"


def guaranteed(k):
    """Return the error that the Ladder guarantees on 20,000 labels at the best step."""
    errors = (1 / m + le.tree_deviation("ladder", eta=1 / m, n=20_000, k=int(k)) for m in range(1, 101))
    return f"{min(errors):.4f}"


def rank_attacked(k):
    """Return how many labels of the chapter's board are right after k submissions: the first k - 1 are settled."""
    rng = np.random.default_rng(8)
    labels = rng.integers(0, 2, 22)
    attack = le.rank_attack(le.RankBoard(labels).submit, n=22, rng=rng)
    wrong = attack.submissions[0] != labels
    return f"{22 - wrong[int(k) - 1 :].sum()} of 22 labels right"


def swapped(labels):
    """Return the mean accuracy of the chapter's five swap attacks after one submission per label."""
    n = int(labels.split()[0])
    runs = [le.simulate_swap(n=n, k=4 * n, rng=rng) for rng in np.random.default_rng(4).spawn(5)]
    return f"{np.mean([float(run.accuracy(n)) for run in runs]):.4f}"


SAYS = {
    "book/competitions": best_of,
    "book/hoeffding_union_bound": level,
    "book/boosting_attack": attacked,
    "book/rank_attack": rank_attacked,
    "book/ladder": shown_after,
    "book/tree_compression": guaranteed,
    "book/multi_account_bound": labels_needed,
    "book/fano_lower_bound": fano,
    "book/parameter_free_ladder": swapped,
}


def frames(html):
    """Return the shown value and the alt text of every frame of the figures with one control on a page."""
    scripts = BeautifulSoup(html, "html.parser").select('.interactive-figure script[type="application/json"]')
    figures = [json.loads(script.string) for script in scripts]
    return [
        (shown, alt)
        for figure in figures
        if len(figure["shown"]) == 1
        for shown, (_, alt) in zip(figure["shown"][0], figure["frames"], strict=True)
    ]


def wrong_frames(html, says):
    """Return the frames whose alt text lacks the value that the library gives."""
    return [(shown, alt) for shown, alt in frames(html) if any(part not in alt for part in parts(says(shown)))]


def parts(said):
    """Return what an alt text must contain, one string or several."""
    return (said,) if isinstance(said, str) else said


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_values(chapter):
    """Each frame of the built page, against a fresh call."""
    html = (HTML / f"{chapter}.html").read_text()
    assert len(frames(html)) >= 10
    assert wrong_frames(html, SAYS[chapter]) == []


def test_a_stale_frame_is_noticed():
    """A frame drawn for another value than the one that is shown."""
    data = json.dumps({"frames": [["", "It gets 50.0% right."]], "shown": [["exact"]]})
    html = f'<div class="interactive-figure"><script type="application/json">{data}</script></div>'
    assert wrong_frames(html, attacked)
