"""The pictures of the built pages: drawn twice, letters large enough to read, signs as they are printed."""

import re
from functools import cache

import pytest
from bs4 import BeautifulSoup
from chapters import HTML, PAGES

PIXELS = {"wide": 616, "narrow": 312}  # how wide a page shows a drawing
LEAST = 12  # pixels
MACHINE = re.compile(r"\b(?:eta|delta|epsilon|eps|alpha|gamma)\b|\d[eE][+-]?\d|(?<![\w.)–-])-\d")


@cache
def parse(page):
    """Return the parsed page."""
    return BeautifulSoup((HTML / f"{page}.html").read_text(encoding="utf-8"), "html.parser")


def size_of(text):
    """Return the size of letters, exponents apart: an attribute of Vega's, a style of matplotlib's."""
    if text.get("font-size"):
        return float(text["font-size"].removesuffix("px"))
    styles = [part["style"] for part in (text, *text.select("tspan")) if part.get("style")]
    return max(float(re.search(r"font(?:-size)?:[^;]*?([\d.]+)px", style)[1]) for style in styles if "font" in style)


def faults_of(page):
    """Return what is wrong with the drawings of a parsed page."""
    faults = []
    for picture in page.select(".static-figure, .interactive-figure .pictures"):
        drawings = picture.find_all("svg", recursive=False)
        name = picture["aria-label"][:40]
        if [svg["class"] for svg in drawings] != [["wide"], ["narrow"]]:
            faults.append(f"{name}: not drawn for a page and for a phone")
        for svg in drawings:
            scale = PIXELS[svg["class"][0]] / float(svg["viewbox"].split()[2])
            scale = scale if "static-figure" in picture["class"] else min(1, scale)  # a chart is drawn as it is seen
            for text in svg.select("text"):
                said = text.get_text()
                if said.strip() and size_of(text) * scale < LEAST - 0.1:
                    faults.append(f"{name}: {said!r} has {size_of(text) * scale:.1f} pixels")
                if MACHINE.search(said):
                    faults.append(f"{name}: {said!r} is spelled for a machine")
    return faults


@pytest.mark.parametrize("page", PAGES)
def test_pictures_can_be_read(page):
    """On a desktop and on a phone; the book has no other pictures of its own."""
    assert faults_of(parse(page)) == []
    assert parse(page).select("article .cell_output img") == []


def picture_with(text="0.5", size=10, classes=("wide", "narrow")):
    """Return a page with one picture."""
    text = f'<text style="font: {size}px Arial">{text}</text>'
    drawings = "".join(f'<svg class="{name}" viewBox="0 0 {PIXELS[name] * 0.8} 200">{text}</svg>' for name in classes)
    return BeautifulSoup(f'<div class="static-figure" aria-label="A line.">{drawings}</div>', "html.parser")


@pytest.mark.parametrize(
    "changes",
    [{"text": "eta = 1/10"}, {"text": "1e+11"}, {"text": "-0.5"}, {"size": 9}, {"classes": ["wide"]}],
    ids=str,
)
def test_planted_fault_is_found(changes):
    """Names of letters, exponents, a hyphen as minus, letters too small, no drawing for a phone."""
    assert faults_of(picture_with(**changes))
    assert faults_of(picture_with()) == []
    assert faults_of(picture_with("η = 1/10, 10⁹, −0.5, two-sided, 1–3, 2015-03")) == []
