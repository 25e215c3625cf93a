"""The standings of a class competition as they are seen: on a phone too, with three teams and with thirty."""

import numpy as np
import pytest
from visits import LARGE, SMALL

from instructor.compete import compete

SCROLLED = "[...document.querySelectorAll('*')].filter(e => e.scrollWidth > e.clientWidth && e.matches('html, div'))"
LETTERS = """[...document.querySelectorAll('body *')].filter(e => e.textContent.trim())
    .map(e => parseFloat(getComputedStyle(e).fontSize))"""
OVERLAPS = """[...document.querySelectorAll('svg')].flatMap(svg => {
    const boxes = [...svg.querySelectorAll('text')].map(e => [e.textContent, e.getBoundingClientRect()])
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom
    return boxes.flatMap(([s, a], i) => boxes.slice(i + 1).filter(([t, b]) => meet(a, b)).map(([t, b]) => s + ', ' + t))
})"""
OUTSIDE = """[...document.querySelectorAll('svg text')].filter(e => {
    const box = e.getBoundingClientRect()
    return box.left < 0 || box.right > document.documentElement.clientWidth
}).map(e => e.textContent)"""


@pytest.mark.parametrize("teams", [3, 30])
@pytest.mark.parametrize("page", ["standings", "board"])
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["360", "1280"])
def test_they_fit_and_can_be_read(chromium, tmp_path, teams, page, size):
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 600)
    (tmp_path / "labels.txt").write_text(f"{''.join(map(str, labels))}\n{'p' * 200}{'f' * 400}\n")
    for i in range(teams):
        folder = tmp_path / "teams" / f"statistics, group {i}"
        folder.mkdir(parents=True)
        np.savetxt(folder / "1.txt", labels ^ (rng.random((3, 600)) < rng.uniform(0.1, 0.6)), fmt="%d", delimiter="")
    compete(tmp_path)
    with chromium.new_context(viewport=size) as context:
        tab = context.new_page()
        tab.goto((tmp_path / "standings" / f"{page}.html").as_uri())
        assert tab.evaluate(f"{SCROLLED}.length") == 0
        assert min(tab.evaluate(LETTERS)) >= 12
        assert tab.evaluate(OVERLAPS) == []
        assert tab.evaluate(OUTSIDE) == []
