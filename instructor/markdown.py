"""Markdown of students as HTML. It is not trusted: no HTML, link or script of theirs, and nothing that is fetched.

Mathematics becomes MathML, photos are encoded anew, and each answer is bounded in length. Whatever still brings the
libraries down, a formula ten thousand braces deep for instance, brings down a process apart: that answer is shown as
plain text.
"""

from __future__ import annotations

import base64
import contextlib
import html
import io
import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from math_core import LatexError, LatexToMathML
from mdit_py_plugins.amsmath import ENVIRONMENTS, amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from PIL import Image, ImageOps

Cell = dict[str, Any]

LONGEST = 50_000  # characters of an answer
PHOTOS = 12  # in an answer
SIDE = 2_000  # pixels of a photo that is shown: a page of handwriting can be read
PIXELS = 50 * 10**6  # of a photo that is opened
SECONDS = 20  # to render an answer
# What JupyterLab knows and the converter does not.
MACROS = {"mbox": r"\text{#1}", "substack": r"\begin{matrix}#1\end{matrix}"}
NUMBERED = "equation|align|gather|multline"  # codespell:ignore multline
ENVIRONMENT = re.compile(rf"\\begin\{{((?:{'|'.join(ENVIRONMENTS)})\*?)\}}.*?\\end\{{\1\}}", re.DOTALL)
CODE = {"code": "python", "raw": ""}


def rendered(answers: Iterable[list[Cell]]) -> Iterator[str]:
    """Return answers, lists of cells, as HTML, one after the other."""
    context = multiprocessing.get_context("spawn")
    process = None
    try:
        for cells in answers:
            if process is None:
                ours, theirs = context.Pipe()
                process = context.Process(target=_render_each, args=(theirs,), daemon=True)
                process.start()
                theirs.close()
            try:
                ours.send(cells)
                page = ours.recv() if ours.poll(SECONDS) else ""
            except (EOFError, OSError):  # it has ended
                page = ""
            if not page:
                process.kill()
                process = None
            yield page or _plain(cells)
    finally:
        if process:
            process.kill()


def _render_each(connection: Connection) -> None:
    """Render what comes, until something cannot be rendered, or nothing comes."""
    with contextlib.suppress(Exception):
        while True:
            connection.send(render(connection.recv()))


def render(cells: list[Cell]) -> str:
    """Return cells as HTML, with their photos."""
    markdown = _markdown()
    parts, left, photos = [], LONGEST, PHOTOS
    for cell in cells:
        kept, left = cell["source"][:left], max(left - len(cell["source"]), 0)
        if cell["cell_type"] in CODE:
            kept = f"{'`' * 40}{CODE[cell['cell_type']]}\n{kept}\n{'`' * 40}"
        shown: dict[str, str] = {}
        for name, data in list(cell["attachments"].items())[:photos]:
            shown[name] = photo(data)
        photos -= len(shown)
        env: dict[str, Any] = {"photos": shown, "used": set()}
        tokens = markdown.parse(kept, env)
        for token in tokens:
            if token.type in ("heading_open", "heading_close"):
                token.tag = "h4"  # below the headings of the page
        parts.append(markdown.renderer.render(tokens, markdown.options, env))
        parts += [f"<p>{image}</p>" for name, image in shown.items() if name not in env["used"]]
        if len(shown) < len(cell["attachments"]):
            parts.append(_remark(f"There are more than {PHOTOS} photos: see the notebook."))
    return "\n".join(parts + _cut(cells))


def _plain(cells: list[Cell]) -> str:
    """Return cells as they are written."""
    text = html.escape("\n\n".join(cell["source"] for cell in cells)[:LONGEST])
    remark = _remark("This could not be rendered, and is shown as it is written. Photos, if any, are in the notebook.")
    return "\n".join([remark, f"<pre>{text}</pre>", *_cut(cells)])


def _cut(cells: list[Cell]) -> list[str]:
    """Return what to say of an answer that is too long."""
    length = sum(len(cell["source"]) for cell in cells)
    many = f"Cut off after {LONGEST:,} of {length:,} characters: see the notebook."
    return [_remark(many)] if length > LONGEST else []


def _remark(text: str) -> str:
    return f'<p class="remark">{text}</p>'


def _markdown() -> MarkdownIt:
    """Return what renders one answer: macros that it defines hold to its end."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "autolink", "reference"])
    mathematics = _mathematics()
    dollarmath_plugin(
        markdown,
        allow_labels=False,
        double_inline=True,
        renderer=lambda latex, options: mathematics(latex, bool(options["display_mode"])),
    )
    amsmath_plugin(markdown, renderer=lambda latex: mathematics(latex, True))
    markdown.inline.ruler.before("escape", "amsmath_inline", _amsmath_inline)
    markdown.add_render_rule("image", _image)
    return markdown


def _amsmath_inline(state: StateInline, silent: bool) -> bool:
    """Read an environment amid a paragraph, where notebooks set it, too: the plugin asks for lines of its own."""
    found = ENVIRONMENT.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.push("math_inline_double", "math", 0).content = found[0]
    state.pos = found.end()
    return True


def _mathematics() -> Callable[[str, bool], str]:
    """Return what makes MathML of a formula; of one that it does not understand it shows the source."""
    converter = LatexToMathML(
        global_group=True,
        ignore_unknown_commands=True,
        allow_unreliable_rendering=True,
        fancy_error=False,
        macros=MACROS,
    )

    def mathematics(latex: str, display: bool) -> str:
        source = _translated(latex)
        if display and r"\tag" in source and not source.lstrip().startswith(r"\begin"):
            source = rf"\begin{{equation*}}{source}\end{{equation*}}"
        try:
            return converter.convert_with_global_state(source, displaystyle=display)
        except LatexError:
            return f'<code class="latex">{html.escape(latex.strip())}</code>'

    return mathematics


def _translated(latex: str) -> str:
    """Return a formula in words that the converter knows, and without numbers that a notebook does not show."""
    latex = re.sub(r"\\label\{[^{}]*\}", "", latex).replace("{split}", "{aligned}")
    latex = re.sub(rf"\\(begin|end)\{{({NUMBERED})\}}", r"\\\1{\2*}", latex)
    return re.sub(r"\\text\{([^{}]*\$[^{}]*)\}", _mixed, latex)


def _mixed(match: re.Match[str]) -> str:
    """Return a text with formulas in it as texts and formulas in turn."""
    parts = match[1].split("$")
    return "".join(part if number % 2 else rf"\text{{{part}}}" for number, part in enumerate(parts))


def _image(self: Any, tokens: Any, index: int, options: Any, env: dict[str, Any]) -> str:
    """Return an attachment of the cell; nothing else is an image."""
    source = str(tokens[index].attrs["src"])
    name = unquote(source.removeprefix("attachment:"))
    if name in env["photos"]:
        env["used"].add(name)
        return str(env["photos"][name])
    return f"[image, not shown: {html.escape(source[:200])}]"


def photo(data: str) -> str:
    """Return an image, given in base64, without anything but its pixels: its name or place may be in the file."""
    try:
        with Image.open(io.BytesIO(base64.b64decode(data)), formats=("PNG", "JPEG")) as image:
            if image.width * image.height > PIXELS:
                return "[photo, not shown: it is too large]"
            image.draft("RGB", (SIDE, SIDE))
            turned = ImageOps.exif_transpose(image).convert("RGBA")
            turned.thumbnail((SIDE, SIDE))
            page = Image.new("RGB", turned.size, "white")
            page.paste(turned, mask=turned)
            file = io.BytesIO()
            page.save(file, "JPEG", quality=80)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return "[photo, not shown: it cannot be read]"
    return f'<img alt="photo" src="data:image/jpeg;base64,{base64.b64encode(file.getvalue()).decode()}">'
