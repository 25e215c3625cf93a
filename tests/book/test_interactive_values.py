"""What an interactive figure says for each position of its controls is what the library says now.

A chapter has a cell tagged `figure-says` for each interactive figure, in their order. It is executed here alone,
so that nothing of the code that draws the figure gets into it, and defines `says`, or with more to its name: from what
the controls show, as strings without unit and commas, it returns what the alt text must say, a string or several.
"""

import json

import pytest
from bs4 import BeautifulSoup
from chapters import CHAPTERS, HTML, cells, figures_of, parsed, read, tags


def says_of(chapter):
    """Return the functions by which a chapter says what its interactive figures must say."""
    return [says_in(cell.source) for cell in cells(read(chapter), "code") if "figure-says" in tags(cell)]


def says_in(source):
    """Return the function of a cell whose name begins with says."""
    defined = {}
    exec(source, defined)
    (says,) = [value for name, value in defined.items() if name.startswith("says")]
    return says


def plain(shown):
    """Return the number in what a control shows, such as 1,000 submissions."""
    return shown.split()[0].replace(",", "")


def wrong_frames(page, says):
    """Return the frames whose alt text lacks what it must say; there is a function for each figure."""
    frames = [(shown, alt, must) for f, must in zip(figures_of(page), says, strict=True) for shown, alt in f]
    said = [(shown, alt, must(*map(plain, shown))) for shown, alt, must in frames]
    return [(shown, alt) for shown, alt, must in said if any(part not in alt for part in parts(must))]


def wrong_rows(page):
    """Return the rows of a figure's table that name another position, or whose first number the alt text lacks."""
    faults = []
    tables = page.select(".interactive-figure details table")
    for figure, table in zip(figures_of(page), tables, strict=True):
        rows = [[cell.get_text() for cell in row.select("th, td")] for row in table.select("tbody tr")]
        for (shown, alt), row in zip(figure, rows, strict=True):
            if row[: len(shown)] != list(shown) or row[len(shown)] not in alt:
                faults.append((shown, row, alt))
    return faults


def parts(said):
    """Return what an alt text must contain, one string or several."""
    return (said,) if isinstance(said, str) else said


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_values(chapter):
    """Each frame of the built page, against a fresh call."""
    page = parsed(HTML / f"{chapter}.html")
    frames = sum(map(len, figures_of(page)))
    assert frames >= 10, f"{chapter} has {frames} frames of interactive figures: see *A new chapter* in CONTRIBUTING"
    assert wrong_frames(page, says_of(chapter)) == []
    assert wrong_rows(page) == []


def page_with(*figures):
    """Return a page with figures of one frame."""
    return BeautifulSoup("".join(figure_with(*figure) for figure in figures), "html.parser")


def figure_with(alt, row):
    """Return a figure of one frame, told so, with a table of one row."""
    data = json.dumps({"sliders": [{"shown": ["1,000 submissions"]}], "alts": [alt]})
    table = f"<details><table><tbody><tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr></tbody></table></details>"
    return f'<div class="interactive-figure">{table}<script type="application/json">{data}</script></div>'


def test_a_stale_frame_is_noticed():
    """A frame drawn for another value than the one that is shown, and a table of another figure."""
    right, wrong = (
        (f"After 1000 it is {share} right.", ["1,000 submissions", "78.7%"]) for share in ("78.7%", "50.0%")
    )
    good, stale = page_with(right), page_with(wrong)
    says = {"1000": ("After 1000", "78.7%")}.get
    assert wrong_frames(good, [says]) == wrong_rows(good) == []
    assert wrong_frames(stale, [says])
    assert len(wrong_frames(page_with(right, wrong, right), [says, says, says])) == 1
    assert wrong_rows(page_with((right[0], ["1,000 submissions", "50.0%"])))
    assert wrong_rows(page_with((right[0], ["100 submissions", "78.7%"])))


def test_a_figure_for_which_nothing_is_said_is_noticed():
    """More figures than cells."""
    good = "After 1000 it is 78.7% right.", ["1,000 submissions", "78.7%"]
    with pytest.raises(ValueError, match="zip"):
        wrong_frames(page_with(good, good), [says_in("def says_first(k):\n    return k")])
