"""Make the font of the formulas: `python -m tools.maths_font stix-two-math-latin-400-normal.woff2`.

It is STIX Two Math 2.12, from the archive of the npm package @fontsource/stix-two-math, with the characters of `KEPT`
and three changes, which its licence allows:

- Chromium leaves as much room beside a root as the widest of its signs takes, whichever is drawn: they are made equally
  wide, and the smallest as tall as in other fonts.
- In text, the parts of a fraction stand as close to its line as in other fonts.
- A prime is set as a superscript, for which browsers take the sign of the text: it is made so that it looks as in print
  once it is raised and smaller.

A test says that no formula needs a character that is not in it.
"""

import sys
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.otTables import MathGlyphVariantRecord

TARGET = Path(__file__).resolve().parents[1] / "book" / "_static" / "fonts" / "stix-two-math.woff2"
KEPT = """
    20-7E A0 A7 AC AF B0-B1 B4 B7 D7 F7 131 237 2C6-2C7 2D8-2DC 300-304 306-308 305 30A 30C 331-333 338
    391-3A9 3B1-3C9 3D1 3D5-3D6 3F0-3F1 3F5 2010-2016 2020-2022 2026 2032-2037 2057 2061-2064 20D6-20D7
    2102-2134 2190-21D5 21DD 2200-22FF 2308-230B 23DE-23DF 25A0-25A1 25B3 25BD 25CA-25CB
    27E8-27E9 27F5-27FA 27FC 2A00-2A02 2A2F 2A7D-2A7E 2AAF-2AB0
    1D400-1D467 1D49C-1D4CF 1D504-1D537 1D538-1D56B 1D6A4-1D6A5 1D6E2-1D71B
"""
ROOT_WIDTH = 0.72  # em, of every sign of a root
ROOTS = (1.01, 1.19, 1.48, 1.86, 2.37, 2.89)  # em, their heights
FRACTION = {"FractionNumeratorShiftUp": 0.4, "FractionDenominatorShiftDown": 0.35}  # em, in text
PRIMES = range(0x2032, 0x2038)
RAISED, SMALLER = 0.36, 0.7  # em that a superscript is raised by, and its size


def characters() -> list[int]:
    """Return the characters that are kept."""
    ends = [[int(end, 16) for end in part.split("-")] for part in KEPT.split()]
    return [code for end in ends for code in range(end[0], end[-1] + 1)]


def redraw(font: TTFont, source: str, name: str, change: Transform) -> None:
    """Draw a glyph as another one is, changed, and its width as much."""
    pen = TTGlyphPen(None)
    font.getGlyphSet()[source].draw(TransformPen(pen, change))
    width, bearing = font["hmtx"][source]
    font["glyf"][name] = pen.glyph()
    font["hmtx"][name] = (round(width * change.xx), round(bearing * change.xx))


def tune_roots(font: TTFont) -> None:
    """Make all signs of a root equally wide, with more sizes than there were."""
    em, root = font["head"].unitsPerEm, font.getBestCmap()[0x221A]
    variants = font["MATH"].table.MathVariants
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    drawn = signs.MathGlyphVariantRecord[0].AdvanceMeasurement / em
    width = font["hmtx"][root][0] / em
    records: list[MathGlyphVariantRecord] = []
    for height in sorted(ROOTS, reverse=True):  # the smallest takes the place of what the others are drawn from
        name = root if height == min(ROOTS) else f"{root}.{round(1000 * height)}"
        redraw(font, root, name, Transform(ROOT_WIDTH / width, 0, 0, height / drawn, 0, 0))
        record = MathGlyphVariantRecord()
        record.VariantGlyph, record.AdvanceMeasurement = name, round(height * em)
        records.insert(0, record)
    signs.MathGlyphVariantRecord, signs.VariantCount = records, len(records)
    for part in {part.glyph for part in signs.GlyphAssembly.PartRecords}:
        redraw(font, part, part, Transform(ROOT_WIDTH * em / font["hmtx"][part][0], 0, 0, 1, 0, 0))


def tune_primes(font: TTFont) -> None:
    """Make each prime so that it looks as it is drawn once it is a superscript."""
    em, names = font["head"].unitsPerEm, font.getBestCmap()
    for name in {names[code] for code in PRIMES}:
        redraw(font, name, name, Transform(1 / SMALLER, 0, 0, 1 / SMALLER, 0, -RAISED * em / SMALLER))


def tune_fractions(font: TTFont) -> None:
    """Make fractions in text less tall."""
    for name, shift in FRACTION.items():
        getattr(font["MATH"].table.MathConstants, name).Value = round(shift * font["head"].unitsPerEm)


def make(source: Path) -> None:
    """Write the font."""
    font = TTFont(source)
    options = Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    tune_roots(font)
    tune_fractions(font)
    tune_primes(font)
    font.flavor = "woff2"
    font.save(TARGET)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes, {len(font.getBestCmap())} characters")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
