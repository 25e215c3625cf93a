"""Sphinx extension: what the chapters need and how long they take, gathered.

`{chapter-map}` draws how the chapters depend on each other, from the links under "What you need first";
``{reading-time}`ladder` `` is the time that `tools.main_line` computes, which each chapter says under its title, too.
Both are kept in the metadata of the page, which Sphinx forgets when the page changes.
"""

import textwrap
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from statements import plain
from tools.contents import chapters, is_chapter
from tools.main_line import length, read


class ChapterMap(nodes.General, nodes.Element):
    """The place of the map, which is drawn when all pages have been read."""


class ReadingTime(nodes.General, nodes.Element):
    """The place of the reading time of a chapter, which may not have been read yet."""


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note what a chapter needs, and how long it takes."""
    root, name = Path(app.srcdir), app.env.docname
    if is_chapter(name, root):
        app.env.metadata[name] |= {"needs": linked_needs(doctree), "reading time": str(length(read(name, root)))}


def linked_needs(doctree: nodes.document) -> list[str]:
    """Return the chapters that are linked to under "What you need first"."""
    for strong in doctree.findall(nodes.strong):
        if strong.astext() == "What you need first.":
            return sorted({link["reftarget"] for link in strong.parent.findall(addnodes.pending_xref)})
    return []


class ChapterMapDirective(SphinxDirective):
    """`{chapter-map}`: the map of the chapters."""

    def run(self) -> list[nodes.Node]:
        return [ChapterMap()]


def reading_time_role(
    name: str, raw: str, text: str, line: int, inliner: object, options: object = None, content: object = ()
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """``{reading-time}`ladder` ``: how long this chapter takes."""
    return [ReadingTime(chapter=f"book/{text}")], []


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write what was left open while the pages were read."""
    for node in list(doctree.findall(ReadingTime)):
        time = app.env.metadata[node["chapter"]].get("reading time")
        if not time:
            raise ValueError(f"{docname}: reading-time of {node['chapter']!r}, which is no chapter")
        node.replace_self(nodes.Text(time))
    if time := app.env.metadata[docname].get("reading time"):
        title = doctree.next_node(nodes.title)
        title.parent.insert(1, nodes.paragraph("", time, classes=["reading-time"]))
    for node in list(doctree.findall(ChapterMap)):
        node.replace_self(nodes.raw("", chapter_map(app.builder, app.env, docname), format="html"))


def needs(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return for each chapter, in order, the chapters that it links to as needed."""
    order = chapters(Path(env.srcdir))
    return {name: [other for other in order if other in env.metadata[name]["needs"]] for name in order}


def chapter_map(builder: Builder, env: BuildEnvironment, docname: str) -> str:
    """Return the map as inline SVG, one chapter a row, arcs at the left, and the same in words."""
    edges = needs(env)
    order = list(edges)
    height, left = 60, 84
    farthest = max((order.index(name) - order.index(other) for name in edges for other in edges[name]), default=1)

    def middle(name: str) -> int:
        return height * order.index(name) + height // 2

    def arc(name: str, other: str) -> str:
        """Return the path; a curve goes three quarters of the way to where it is pulled."""
        pull = left - 4 / 3 * (left - 4) * (order.index(name) - order.index(other)) / farthest
        ends = middle(other), middle(name)
        return f'<path d="M{left},{ends[0]} C{pull:.0f},{ends[0]} {pull:.0f},{ends[1]} {left},{ends[1]}"/>'

    rows, words = [], []
    for name, needed in edges.items():
        href = builder.get_relative_uri(docname, name)
        title, y = plain(env.titles[name]), middle(name)
        time = env.metadata[name]["reading time"]
        arcs = [arc(name, other) for other in needed]
        lines = textwrap.wrap(title, 28)
        spans = [f'<tspan x="{left + 14}" dy="{17 if i else 0}">{escape(line)}</tspan>' for i, line in enumerate(lines)]
        spans.append(f'<tspan x="{left + 14}" dy="16" class="time">{time}</tspan>')
        rows.append(
            f'<g>{"".join(arcs)}<circle cx="{left}" cy="{y}" r="4"/>'
            f'<a href="{href}"><text y="{y - 8 * len(lines) + 4}">{"".join(spans)}</text></a></g>'
        )
        titles = [plain(env.titles[other]) for other in needed]
        told = f"needs {'; '.join(titles)}" if titles else "needs no other chapter"
        words.append(f'<li><a href="{href}">{escape(title)}</a> ({time}) {escape(told)}.</li>')
    return (
        f'<div class="chapter-map"><svg viewBox="0 0 350 {height * len(order)}" role="group" '
        f'aria-label="Map of the chapters">{"".join(rows)}</svg>'
        f"<details><summary>The map in words</summary><ul>{''.join(words)}</ul></details></div>\n"
    )


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.add_node(ChapterMap)
    app.add_node(ReadingTime)
    app.add_directive("chapter-map", ChapterMapDirective)
    app.add_role("reading-time", reading_time_role)
    app.connect("doctree-read", collect, priority=900)
    app.connect("doctree-resolved", fill, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 3}
