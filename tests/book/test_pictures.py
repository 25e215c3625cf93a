"""The pictures of the built pages: drawn twice, letters large enough to read, signs as they are printed."""

import re

import pytest
from bs4 import BeautifulSoup
from chapters import HTML, PAGES, parsed

PIXELS = {"wide": 616, "narrow": 312}  # how wide a page shows a drawing
LEAST = 12  # pixels
UNGROUPED = re.compile(r"(?<![\d.,/])[1-9]\d{3,}(?![\d-])")  # 1/1000 is written as one types it
MACHINE = re.compile(r"\b(?:eta|delta|epsilon|eps|alpha|gamma)\b|\d[eE][+-]?\d|(?<![\w.)–-])-\d")


def size_of(text):
    """Return the size of letters, exponents apart: an attribute of Vega's, a style of matplotlib's."""
    if text.get("font-size"):
        return float(text["font-size"].removesuffix("px"))
    styles = [part["style"] for part in (text, *text.select("tspan")) if part.get("style")]
    return max(float(re.search(r"font(?:-size)?:[^;]*?([\d.]+)px", style)[1]) for style in styles if "font" in style)


def ungrouped(svg):
    """Return the numbers of a drawing that lack the comma of thousands; a drawing of bits writes them as it likes."""
    texts = [text.get_text(" ") for text in svg.select("text")]  # lines and exponents apart
    bits = any(re.fullmatch(r"0[01]+", text.strip()) for text in texts)
    return [text for text in texts if UNGROUPED.search(text) and not (bits and re.fullmatch(r"[01]+", text.strip()))]


def faults_of(page):
    """Return what is wrong with the drawings of a parsed page."""
    faults = [
        f"{figure.select_one('.pictures')['aria-label'][:40]}: pointing at it tells nothing"
        for figure in page.select(".interactive-figure:has(.pictures)")
        if '"tooltip":' not in figure.select_one('script[type="application/json"]').string
    ]
    for picture in page.select(".static-figure, .interactive-figure .pictures"):
        drawings = picture.find_all("svg", recursive=False)
        name = picture["aria-label"][:40]
        if [svg["class"] for svg in drawings] != [["wide"], ["narrow"]]:
            faults.append(f"{name}: not drawn for a page and for a phone")
        for svg in drawings:
            scale = PIXELS[svg["class"][0]] / float(svg["viewbox"].split()[2])
            scale = scale if "static-figure" in picture["class"] else min(1, scale)  # a chart is drawn as it is seen
            faults += [f"{name}: {text!r} has no comma" for text in ungrouped(svg)]
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
    tree = parsed(HTML / f"{page}.html")
    assert faults_of(tree) == []
    assert tree.select("article .cell_output img") == []


def picture_with(text="0.5", size=10, classes=("wide", "narrow")):
    """Return a page with one picture."""
    text = f'<text style="font: {size}px Arial">{text}</text>'
    drawings = "".join(f'<svg class="{name}" viewBox="0 0 {PIXELS[name] * 0.8} 200">{text}</svg>' for name in classes)
    return BeautifulSoup(f'<div class="static-figure" aria-label="A line.">{drawings}</div>', "html.parser")


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "eta = 1/10"},
        {"text": "1e+11"},
        {"text": "-0.5"},
        {"text": "1000"},
        {"text": "n = 20000"},
        {"size": 9},
        {"classes": ["wide"]},
    ],
    ids=str,
)
def test_planted_fault_is_found(changes):
    """Names of letters, exponents, a hyphen as minus, no comma, letters too small, no drawing for a phone."""
    assert faults_of(picture_with(**changes))
    assert faults_of(picture_with()) == []
    assert faults_of(picture_with("η = 1/10, 10⁹, −0.5, two-sided, 1–3, 2015-03, 1,000, 0.12345")) == []
    assert ungrouped(picture_with("1000</text><text>0101")) == []


def test_a_figure_without_tooltips_is_found():
    """Pointing at a picture must tell something."""

    def figure(more):
        drawings = "".join(f'<svg class="{name}" viewBox="0 0 300 200"></svg>' for name in PIXELS)
        data = f'<script type="application/json">{{{more}}}</script>'
        picture = f'<div class="pictures" aria-label="A bar.">{drawings}</div>'
        return BeautifulSoup(f'<div class="interactive-figure">{picture}{data}</div>', "html.parser")

    assert faults_of(figure('"tooltip": {"field": "k"}')) == []
    assert ["tells nothing" in fault for fault in faults_of(figure(""))] == [True]
