r"""Sphinx extension: formulas become MathML while the book is built, and browsers need no script to show them.

The TeX stays in the page, as the annotation of the MathML: what is copied has it (page.js). A formula that cannot be
converted is a warning that names it and its page, which ends `make book`.
"""

import re
from html import escape

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

# What JupyterLab knows and the converter does not.
MACROS = {"substack": r"\begin{matrix}#1\end{matrix}"}
NUMBERED = "equation|align|gather|multline"  # codespell:ignore multline
convert = LatexToMathML(macros=MACROS, annotation=True, fancy_error=False).convert_with_local_state
logger = logging.getLogger(__name__)
# Browsers take some MathML otherwise than TeX is meant: a large bracket with an exponent stays small while it stands
# alone; a sign that begins a cell is unary, which it should be after a space only; lines below a sum are not smaller.
MENDED = [
    (r"(<m(?:under|sub)><mo[^>]*>[^<]*</mo><mtable) [^>]*>", r'\1 class="substack" scriptlevel="1">'),
    (r"(<msu[bp](?:sup)?>)(<mo [^>]*minsize[^>]*>[^<]*</mo>)", r"\1<mrow>\2<mrow></mrow></mrow>"),
    (r'(<mtd [^>]*padding-left: 0;">)<mo>(?=[+−±∓])', r'\1<mo form="infix">'),
    (r"(<mtd[^>]*>(?:<mspace[^>]*/>)+)<mo>(?=[+−±∓])", r'\1<mo form="prefix">'),
]


def mathml(tex: str, *, display: bool) -> str:
    """Return a formula as MathML; ValueError if it has what the converter does not know."""
    # Lines need an environment; Sphinx numbers equations; more space between two lines is no part of MathML.
    known = tex
    if not re.search(r"\\begin|\\substack", tex):
        known, lines = re.subn(r"\\\\|\n\s*\n", r"\\\\", tex.strip())
        known = rf"\begin{{aligned}}{known}\end{{aligned}}" if lines else known
    known = re.sub(rf"\\(begin|end)\{{({NUMBERED})\}}", r"\\\1{\2*}", known)
    known = re.sub(r"\\\\\[[\d.]+(?:pt|em|ex)\]", r"\\\\", known.replace("{split}", "{aligned}"))
    if r"\tag" in known and not re.match(rf"\s*\\begin\{{(?:{NUMBERED})\*\}}", known):
        known = rf"\begin{{equation*}}{known}\end{{equation*}}"
    try:
        made = convert(known.strip(), displaystyle=display)
    except LatexError as error:
        raise ValueError(str(error)) from error
    for wrong, right in MENDED:
        made = re.sub(wrong, right, made)
    start, end = made.index(">", made.index("<annotation")) + 1, made.rindex("</annotation>")
    return made[:start] + escape(tex.strip(), quote=False) + made[end:]


def typeset(node: nodes.math | nodes.math_block, tex: str, *, display: bool) -> str:
    """Return a formula as MathML; one that cannot be converted as it is written, with a warning."""
    try:
        return mathml(tex, display=display)
    except ValueError as error:
        logger.warning("formula %r: %s", tex, error, location=node, type="formula")
        return f"<code>{escape(tex)}</code>"


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a sentence."""
    made = typeset(node, node.astext(), display=False)
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight") + made + "</span>")
    raise nodes.SkipNode


def visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on its own line, with its number if it has one."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node.get("number"):
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, _("Link to this equation"))
        self.body.append("</span>")
    self.body.append(typeset(node, node.astext(), display=True) + "</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Take the place of MathJax."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
