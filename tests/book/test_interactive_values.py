"""What an interactive figure says for each position of its controls is what the library says now.

A chapter has a cell tagged `figure-says`. It is executed here alone, so that nothing of the code that draws the figure
gets into it, and defines `says`: from what the controls show, as strings without unit and commas, it returns what the
alt text must say, a string or several.
"""

import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from bs4 import BeautifulSoup
from chapters import CHAPTERS, HTML, cells, figures_of, read, tags

import leaderboard_edu as le


def whole(shown):
    """Return the number in what a control shows, such as 1,000 submissions."""
    return int(shown)


def simulated_board():
    """Return the simulated data of the chapters on regression boards."""
    rng = np.random.default_rng(5)
    return le.split_sample(*le.simulate_design(n=120, p=1000, rng=rng), rng=rng)


def stepped(iterations, alpha):
    """Return both errors of the step-forward attack, by least squares on the features that it selects."""
    data = simulated_board()
    board = le.PairedTestLadder(data.public.response, alpha=float(alpha))
    sets = {"training": data.training, "features": data.public.features}
    attack = le.step_forward_attack(board.submit, **sets, iterations=whole(iterations))
    final = le.linear_predictions(data.training, data.final.features, columns=attack.selected)
    errors = [
        np.mean((p - y) ** 2) for p, y in ((attack.predictions, data.public.response), (final, data.final.response))
    ]
    return f"the public error is {errors[0]:.3f}, the final error {errors[1]:.3f}"


def blurred(b, alpha):
    """Return how many of a thousand models LadderBoot accepts, and where the last jump of its releases seems to be."""
    data = simulated_board()
    rng = np.random.default_rng(1)
    board = le.LadderBoot(data.public.response, alpha=float(alpha), n_bootstrap=whole(b), rng=rng)
    sets = {"training": data.training, "features": data.public.features}
    le.freedman_attack(board.submit, **sets, top=1)
    guess = le.last_jump([shown for _, shown in board.transcript], jumps=board.accepted)
    return f"{board.accepted} submissions are accepted", f"the attacker guesses {guess}."


@cache
def planned(n):
    """Return the budget that the chapter plans for so many labels."""

    def draw(rng):
        return le.split_sample(*le.simulate_design(n=3 * n, p=200, correlation=0.9, rng=rng), rng=rng)

    return le.submission_budget(draw, repetitions=60, rng=np.random.default_rng(9))


def budgeted(n, tolerance):
    """Return what the host may announce, and from where on the attack is found unsafe."""
    budget = planned(whole(n))
    unsafe = budget.unsafe(float(tolerance))
    return f"budget is {budget.safe(float(tolerance))} ", f"from: {'not found' if unsafe is None else unsafe}."


def weighed(odds, draws):
    """Return how many of so many weightings the chapter's newcomer wins, how many it needs, and the decision."""
    rng, draws = np.random.default_rng(62), whole(draws)
    y = rng.standard_normal(60)
    best, new = y + 1.3 * rng.standard_normal(60), y + 1.1 * rng.standard_normal(60)
    weights = np.random.default_rng(1).standard_exponential((5000, 60))[:draws]
    score = le.METRICS["lin_concordance"]
    wins = int(np.sum(score(new, y, weights=weights) > score(best, y, weights=weights)))
    ratio = Fraction(odds)
    needed = next(w for w in range(draws + 1) if w >= ratio * (draws - w))
    return f"{wins} are above zero", f"{needed} are needed", f"is {'accepted' if wins >= needed else 'refused'}."


SAYS = {
    "book/freedman_attack": stepped,
    "book/ladder_boot": blurred,
    "book/submission_budget": budgeted,
    "book/general_metrics": weighed,
}


def says_of(chapter):
    """Return the function by which a chapter says what its interactive figure must say."""
    if chapter in SAYS:
        return SAYS[chapter]
    sources = [cell.source for cell in cells(read(chapter), "code") if "figure-says" in tags(cell)]
    assert len(sources) == 1, "a chapter has one cell tagged figure-says"
    defined = {}
    exec(sources[0], defined)
    return defined["says"]


def plain(shown):
    """Return the number in what a control shows, such as 1,000 submissions."""
    return shown.split()[0].replace(",", "")


def wrong_frames(html, says):
    """Return the frames whose alt text lacks what it must say."""
    frames = [(shown, alt) for figure in figures_of(html) for shown, (alt, *_) in figure]
    said = [(shown, alt, says(*map(plain, shown))) for shown, alt in frames]
    return [(shown, alt) for shown, alt, says in said if any(part not in alt for part in parts(says))]


def wrong_rows(html):
    """Return the rows of a figure's table that name another position, or whose first number the alt text lacks."""
    faults = []
    tables = BeautifulSoup(html, "html.parser").select(".interactive-figure details table")
    for figure, table in zip(figures_of(html), tables, strict=True):
        rows = [[cell.get_text() for cell in row.select("th, td")] for row in table.select("tbody tr")]
        for (shown, (alt, *_)), row in zip(figure, rows, strict=True):
            if row[: len(shown)] != list(shown) or row[len(shown)] not in alt:
                faults.append((shown, row, alt))
    return faults


def parts(said):
    """Return what an alt text must contain, one string or several."""
    return (said,) if isinstance(said, str) else said


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_values(chapter):
    """Each frame of the built page, against a fresh call."""
    html = (HTML / f"{chapter}.html").read_text()
    assert sum(map(len, figures_of(html))) >= 10
    assert wrong_frames(html, says_of(chapter)) == []
    assert wrong_rows(html) == []


def page_with(alt, row):
    """Return a page whose only figure has one frame."""
    data = json.dumps({"shown": [["1,000 submissions"]], "values": [alt], "frames": [[0]]})
    table = f"<details><table><tbody><tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr></tbody></table></details>"
    return f'<div class="interactive-figure">{table}<script type="application/json">{data}</script></div>'


def test_a_stale_frame_is_noticed():
    """A frame drawn for another value than the one that is shown, and a table of another figure."""
    good = page_with("After 1000 it is 78.7% right.", ["1,000 submissions", "78.7%"])
    says = {"1000": ("After 1000", "78.7%")}.get
    assert wrong_frames(good, says) == wrong_rows(good) == []
    assert wrong_frames(page_with("After 1000 it is 50.0% right.", ["1,000 submissions", "78.7%"]), says)
    assert wrong_rows(page_with("After 1000 it is 78.7% right.", ["1,000 submissions", "50.0%"]))
    assert wrong_rows(page_with("After 1000 it is 78.7% right.", ["100 submissions", "78.7%"]))
