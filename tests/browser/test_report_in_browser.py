"""The report of an audit in a browser."""

import pytest
from visits import SMALL

import leaderboard_edu as le


@pytest.mark.parametrize("viewport", [SMALL, {"width": 1280, "height": 800}], ids=["phone", "wide"])
def test_boards_are_not_cut(chromium, viewport):
    """Each board is seen whole, with all of its teams; nothing is pushed out of the page."""
    teams = [f"a team of some length {i}" for i in range(12)]
    files = [[1] * i + [0] * (20 - i) for i in range(12)]
    log = le.SubmissionLog(teams=teams, times=["2027-01-01"] * 12, predictions=files)
    with chromium.new_context(viewport=viewport) as context:
        page = context.new_page()
        page.set_content(le.audit([0, 1] * 10, log).to_html())
        boards = page.locator(".boards section")
        assert boards.count() == 6
        assert page.locator(".boards li").count() == 5 * 10 + 3
        assert page.evaluate("Math.max(...[...document.querySelectorAll('.boards *')].map(e => e.scrollWidth))") < 360
        assert boards.evaluate_all("e => Math.max(...e.map(e => e.getBoundingClientRect().right))") <= viewport["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
