"""Sphinx extension: finding things on the built pages. The notebooks need no markup for it.

- The first use of a glossary term on a page becomes a link that shows the definition when pointed at.
- Every statement with a title (theorem, definition, algorithm, …) and the place where a chapter defines a
  glossary term are in the index; the search finds statements by name; another chapter can link to them by label,
  `[Hoeffding's inequality](hoeffding_union_bound.ipynb#thm-hoeffding)`.
- `{chapter-map}` draws how the chapters depend on each other, from the links under "What you need first" in their
  boxes; `{statement-list}` lists the statements; ``{reading-time}`ladder` `` is the time that the chapter's box gives.

What a page holds is kept in the metadata of its document, which Sphinx forgets when the page changes.
"""

import re
import textwrap
import unicodedata
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode
from sphinx_proof.nodes import NODE_TYPES, definition_node

GLOSSARY = "book/glossary"
# The landing page comes before all terms, and three pages speak of releases, accounts or hosts of another kind.
WITHOUT_TERM_LINKS = {
    "book/index",
    "book/glossary",
    "book/statements",
    "book/bibliography",
    "book/instructors_guide",
    "book/how_it_is_checked",
    "book/running",
}
# Words that also have an everyday meaning are linked only where the page itself defines them.
EVERYDAY = {"depth", "edge", "fall", "fresh account", "history", "level", "node"}
# How a place explains a term: it has it as its title, emphasises it, uses it in a definition, or in another title.
TITLED, EMPHASISED, MENTIONED, USED_IN_TITLE = range(4)
# What is no running text: there a link would be in the way, or stand where the term is being defined.
NO_RUNNING_TEXT = (
    nodes.title,
    nodes.rubric,
    nodes.caption,
    nodes.term,
    nodes.reference,
    nodes.literal,
    nodes.strong,
    nodes.emphasis,
    nodes.container,  # cells and their outputs
    addnodes.pending_xref,
    definition_node,
)


class WrittenLater(nodes.General, nodes.Element):
    """What is written when all pages have been read: a map, a list, a reading time."""


def plain(node: nodes.Node) -> str:
    """Return the text of a node on one line: no citations, no TeX, straight apostrophes."""
    if isinstance(node, addnodes.pending_xref | nodes.Text) or not node.children:
        text = "" if isinstance(node, addnodes.pending_xref) else node.astext()
    else:
        text = "".join(plain(child) for child in node.children)
    text = re.sub(r"\\(\w+)", lambda command: greek(command[1]), text) if isinstance(node, nodes.math) else text
    return text.replace("’", "'").replace("\n", " ")


def greek(name: str) -> str:
    """Return the Greek letter of a TeX command, or the command's name, as for `ln`."""
    try:
        return unicodedata.lookup(f"GREEK {'SMALL' if name.islower() else 'CAPITAL'} LETTER {name.upper()}")
    except KeyError:
        return name


def title_of(statement: nodes.Element) -> str:
    """Return the title of a statement, which sphinx-proof puts in parentheses."""
    text = plain(statement.next_node(nodes.title)).strip().removeprefix("(").removesuffix(")")
    return re.sub(r"\s+", " ", text).replace(" ,", ",").strip()


def index_form(title: str) -> str:
    """Return a title as an index has it: up to a comma, no article, a small letter unless it is a name."""
    title = re.split("[,;]", title)[0]
    without = re.sub(r"^(?:[Tt]he|An?) ", "", title)
    if without != title or re.match(r"[\w-]+'s ", title):
        return without
    return without[:1].lower() + without[1:]


# Reading a page


def read_first(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Read the glossary before the chapters, which need its terms."""
    docnames.sort(key=lambda name: name != GLOSSARY)


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note what a page holds: glossary terms, a chapter's box, statements, places where a term is defined."""
    docname = app.env.docname
    page = app.env.metadata[docname]
    page["terms"] = dict(glossary_terms(doctree))
    page["box"] = read_box(doctree)
    page["statements"] = [(s["label"], s["realtype"], title_of(s)) for s in statements(doctree)]
    terms = app.env.metadata[GLOSSARY].get("terms", {})
    page["defined"] = best_places(definitions(doctree, terms)) if page["box"] else {}
    # The labels become anchors that links from other chapters may name.
    page.setdefault("myst_slugs", {}).update({label: (0, label, title) for label, _, title in page["statements"]})


def statements(doctree: nodes.document) -> Iterator[nodes.Element]:
    """Yield the numbered statements with a title."""
    for node in doctree.findall(lambda node: isinstance(node, tuple(NODE_TYPES.values()))):
        if title_of(node):
            yield node


def glossary_terms(doctree: nodes.document) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each term of a glossary with its anchor and the first sentence of its definition."""
    for glossary in doctree.findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            term = item.next_node(nodes.term)
            definition = plain(item.next_node(nodes.definition).next_node(nodes.paragraph))
            yield plain(term), (term["ids"][0], re.split(r"(?<=[.!?])\s", definition)[0])


def read_box(doctree: nodes.document) -> dict[str, object]:
    """Return what the box of a chapter says: the chapters it needs and its reading time; nothing without a box."""
    box = {}
    for strong in doctree.findall(nodes.strong):
        if strong.astext() == "What you need first.":
            box["needs"] = sorted({link["reftarget"] for link in strong.parent.findall(addnodes.pending_xref)})
        elif strong.astext() == "Reading time.":
            box["reading time"] = reading_time(plain(strong.parent))
    return box


def reading_time(text: str) -> str:
    """Return the time itself, such as "30 minutes" or "an hour", of a box's last paragraph."""
    found = re.match(r"Reading time\. ((?:\d+|An?) (?:minutes|hours?))\b", text)
    if not found:
        raise ValueError(f"a box must say 'Reading time. 30 minutes' or 'An hour', not {text!r}")
    return found[1][0].lower() + found[1][1:]


def definitions(doctree: nodes.document, terms: dict[str, tuple]) -> Iterator[tuple[str, tuple[int, str, str | None]]]:
    """Yield each term with how a place of the chapter explains it, the anchor, and the label if it is a statement."""
    pattern, order, seen = compile_terms(terms), terms_in_order(terms), set()
    for node in doctree.findall(lambda node: isinstance(node, nodes.strong | nodes.emphasis)):
        match = pattern.fullmatch(plain(node).removeprefix("non-"))
        if match and not in_any(node, (nodes.title, nodes.container)):
            term = order[match.lastindex - 1]
            label = next((parent["label"] for parent in ancestors(node) if "realtype" in parent.attributes), None)
            if label is None and term not in seen:
                node["ids"].append(nodes.make_id(f"notion-{term}"))
            if term not in seen:
                yield term, (EMPHASISED, label or node["ids"][0], label)
            seen.add(term)
    for statement in statements(doctree):
        label, title = statement["label"], title_of(statement)
        defines = statement["realtype"] in {"definition", "algorithm"}
        names = {index_form(part) for part in re.split(", | and ", title)} if defines else set()
        yield from ((term, (TITLED, label, label)) for term in names & set(terms))
        yield from ((order[match.lastindex - 1], (USED_IN_TITLE, label, label)) for match in pattern.finditer(title))
        body = plain(statement) if defines else ""
        yield from ((order[match.lastindex - 1], (MENTIONED, label, label)) for match in pattern.finditer(body))


def best_places(places: Iterator[tuple[str, tuple]]) -> dict[str, tuple]:
    """Return the best place of each term, the first of several that are equally good."""
    best = {}
    for term, place in places:
        if term not in best or place[0] < best[term][0]:
            best[term] = place
    return best


def ancestors(node: nodes.Node) -> Iterator[nodes.Element]:
    """Yield the parents of a node, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def in_any(node: nodes.Node, kinds: type | tuple[type, ...]) -> bool:
    """Say whether a node stands inside one of these."""
    return any(isinstance(parent, kinds) for parent in ancestors(node))


# Terms in running text


def terms_in_order(terms: dict[str, tuple]) -> list[str]:
    """Return the terms, the longest first: "empirical risk" wins over "risk"."""
    return sorted(terms, key=lambda term: (-len(term), term))


def compile_terms(terms: dict[str, tuple]) -> re.Pattern[str]:
    """Return a pattern with one group a term, in their order; it allows a capital and a plural."""
    return re.compile("|".join(rf"(?<![\w-])({forms(term)})(?![\w-])" for term in terms_in_order(terms)) or r"(?!)")


def forms(term: str) -> str:
    """Return the pattern of a term with a capital or not, singular or plural, broken over lines or not."""
    pattern = re.escape(term).replace(r"\ ", r"\s+").replace("'", "['’]")
    pattern = f"{pattern[:-1]}(?:y|ies)" if term.endswith("y") else f"{pattern}(?:e?s)?"
    return f"[{term[0].upper()}{term[0]}]{pattern[1:]}"


def link_terms(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link the first use of each term in the running text of a page to the glossary."""
    if docname in WITHOUT_TERM_LINKS or app.builder.format != "html":
        return
    terms = app.env.metadata[GLOSSARY].get("terms", {})
    pattern, order = compile_terms(terms), terms_in_order(terms)
    places = app.env.metadata[docname].get("defined", {})
    seen = {term for term in EVERYDAY if term not in places or places[term][0] == MENTIONED}
    join_lines(doctree)
    for text in list(doctree.findall(nodes.Text)):
        if not is_running_text(text):
            continue
        parts, end = [], 0
        for match in pattern.finditer(text):
            term = order[match.lastindex - 1]
            if term in seen:
                continue
            seen.add(term)
            anchor, sentence = terms[term]
            uri = f"{app.builder.get_relative_uri(docname, GLOSSARY)}#{anchor}"
            link = nodes.reference("", match[0], refuri=uri, internal=True, reftitle=sentence, classes=["term"])
            parts += [nodes.Text(text[end : match.start()]), link]
            end = match.end()
        if parts:
            text.parent.replace(text, [part for part in [*parts, nodes.Text(text[end:])] if part.astext()])


def join_lines(doctree: nodes.document) -> None:
    """Join the lines of a paragraph, which are nodes of their own, so that a term may go over the end of one."""
    for paragraph in doctree.findall(nodes.paragraph):
        joined: list[nodes.Node] = []
        for child in paragraph.children:
            if isinstance(child, nodes.Text) and joined and isinstance(joined[-1], nodes.Text):
                joined[-1] = nodes.Text(joined[-1] + child)
            else:
                joined.append(child)
        paragraph[:] = joined


def is_running_text(text: nodes.Text) -> bool:
    """Say whether a text is a part of a sentence that a link may interrupt; the box of a chapter is none."""
    if not in_any(text, nodes.paragraph) or in_any(text, NO_RUNNING_TEXT):
        return False
    return not any(
        isinstance(parent, nodes.admonition) and "What you need first." in parent.astext() for parent in ancestors(text)
    )


# Writing a page


class Generated(SphinxDirective):
    """`{chapter-map}` and `{statement-list}`: a place that is filled when all pages are known."""

    def run(self) -> list[nodes.Node]:
        return [WrittenLater(what=self.name)]


def reading_time_role(
    name: str, raw: str, text: str, line: int, inliner: object, options: object = None, content: object = ()
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """``{reading-time}`ladder` ``: the time that the box of this chapter gives."""
    return [WrittenLater(what="reading-time", chapter=f"book/{text}")], []


def chapters(env: BuildEnvironment) -> list[str]:
    """Return the chapters in the order of the book."""
    order, todo = [], [env.config.root_doc]
    while todo:
        docname = todo.pop(0)
        order.append(docname)
        todo = [*env.toctree_includes.get(docname, []), *todo]
    return [docname for docname in order if env.metadata[docname].get("box")]


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write what was left open while the pages were read."""
    for node in list(doctree.findall(WrittenLater)):
        if node["what"] == "reading-time":
            box = app.env.metadata[node["chapter"]].get("box")
            if not box:
                raise ValueError(f"{docname}: reading-time of {node['chapter']!r}, which is no chapter")
            node.replace_self(nodes.Text(box["reading time"]))
        elif node["what"] == "statement-list":
            node.replace_self(statement_list(app.builder, app.env, docname))
        else:
            node.replace_self(nodes.raw("", chapter_map(app.builder, app.env, docname), format="html"))
    if docname == GLOSSARY:
        link_definitions(app.builder, app.env, doctree)


def number_of(env: BuildEnvironment, docname: str, label: str, kind: str) -> str:
    """Return a statement as the text refers to it, such as "Theorem 3"."""
    return f"{kind.title()} {'.'.join(map(str, env.toc_fignumbers[docname][kind][label]))}"


def statement_list(builder: Builder, env: BuildEnvironment, docname: str) -> list[nodes.Node]:
    """Return all statements, a list for each chapter."""
    result = []
    for chapter in chapters(env):
        title = plain(env.titles[chapter])
        link = make_refnode(builder, docname, chapter, "", nodes.strong("", title))
        items = nodes.bullet_list(classes=["statements"])
        for label, kind, name in env.metadata[chapter]["statements"]:
            number = make_refnode(builder, docname, chapter, label, nodes.Text(number_of(env, chapter, label, kind)))
            items += nodes.list_item("", nodes.paragraph("", "", number, nodes.Text(f". {name}")))
        result += [nodes.paragraph("", "", link), items]
    return result


def defining_places(env: BuildEnvironment) -> dict[str, tuple[int, str, str | None, str]]:
    """Return for each term the place in the book that explains it best, and the chapter where that is."""
    order = chapters(env)
    return best_places(
        (term, (*place, chapter)) for chapter in order for term, place in env.metadata[chapter]["defined"].items()
    )


def kind_of(env: BuildEnvironment, chapter: str, label: str) -> str:
    """Return the kind of a statement, such as "theorem"."""
    return next(kind for name, kind, _ in env.metadata[chapter]["statements"] if name == label)


def link_definitions(builder: Builder, env: BuildEnvironment, doctree: nodes.document) -> None:
    """Say after each entry of the glossary where the book first defines the term."""
    places = defining_places(env)
    for item in doctree.findall(nodes.definition_list_item):
        term = plain(item.next_node(nodes.term))
        if term in places:
            _, anchor, label, chapter = places[term]
            text = plain(env.titles[chapter])
            if label:
                text = number_of(env, chapter, label, kind_of(env, chapter, label))
            link = make_refnode(builder, GLOSSARY, chapter, anchor, nodes.Text(text))
            definition = item.next_node(nodes.definition).next_node(nodes.paragraph)
            definition.extend([nodes.Text(" See "), link, nodes.Text(".")])


# The map


def needs(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return for each chapter, in order, the chapters that its box links to."""
    order = chapters(env)
    return {name: [other for other in order if other in env.metadata[name]["box"]["needs"]] for name in order}


def chapter_map(builder: Builder, env: BuildEnvironment, docname: str) -> str:
    """Return the map as inline SVG, one chapter a row, arcs at the left, and the same in words."""
    edges = needs(env)
    order = list(edges)
    height, left = 60, 88

    def middle(name: str) -> int:
        return height * order.index(name) + height // 2

    rows, words = [], []
    for name, needed in edges.items():
        href = builder.get_relative_uri(docname, name)
        title, y = plain(env.titles[name]), middle(name)
        time = env.metadata[name]["box"]["reading time"]
        arcs = [
            f'<path d="M{left},{middle(other)} C{left - reach},{middle(other)} {left - reach},{y} {left},{y}"/>'
            for other in needed
            for reach in [14 * (order.index(name) - order.index(other))]
        ]
        lines = textwrap.wrap(title, 34)
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


# Index and search


def fill_index(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Put the statements in the index, and where a term of the glossary is first defined."""
    for chapter in chapters(env):
        title = plain(env.titles[chapter])
        entries = {
            (index_form(name), f"{kind} in {title}", label) for label, kind, name in env.metadata[chapter]["statements"]
        }
        for term, (_, anchor, label, place) in defining_places(env).items():
            if place == chapter:
                entries.add((term, f"{kind_of(env, chapter, label)} in {title}" if label else f"in {title}", anchor))
        noted = env.domaindata["index"]["entries"].setdefault(chapter, [])
        noted[:] = [("single", f"{name}; {where}", anchor, "", None) for name, where, anchor in sorted(entries)]
    return []


class Statements(Domain):
    """Tells the search the names of the statements."""

    name = "statement"
    label = "Statements"
    object_types: ClassVar = {kind: ObjType(kind.title()) for kind in NODE_TYPES}

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield name, name shown, kind, page, anchor and priority of each statement."""
        for docname, page in self.env.metadata.items():
            for label, kind, title in page.get("statements", []):
                yield title, title, kind, docname, label, 0

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:
        """Return "Theorem" where Sphinx would say "Statements Theorem"."""
        return type.lname

    def resolve_any_xref(self, *args: object) -> list:
        """Leave references to sphinx-proof."""
        return []


def add_index_to_contents(app: Sphinx, doctree: nodes.document) -> None:
    """End the table of contents with the index, which is no file that _toc.yml could name."""
    if app.env.docname == app.config.root_doc:
        *_, last = doctree.findall(addnodes.toctree)
        last["entries"].append(("Index", "genindex"))


def tidy_search(app: Sphinx) -> list:
    """Leave the titles of statements to the domain above, and write apostrophes as they are typed."""
    if isinstance(app.builder, StandaloneHTMLBuilder) and app.builder.indexer is not None:
        for docname, titles in app.builder.indexer._all_titles.items():
            labels = {label for label, _, _ in app.env.metadata[docname].get("statements", [])}
            titles[:] = [(title.replace("’", "'"), anchor) for title, anchor in titles if anchor not in labels]
    return []


def rank_search(app: Sphinx, config: Config) -> None:
    """Let our own rule rank the results of a search."""
    config.html_search_scorer = str(Path(__file__).with_name("search_scores.js"))


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.add_css_file("finding.css")
    app.add_node(WrittenLater)
    app.add_domain(Statements)
    app.add_directive("chapter-map", Generated)
    app.add_directive("statement-list", Generated)
    app.add_role("reading-time", reading_time_role)
    app.connect("config-inited", rank_search)
    app.connect("env-before-read-docs", read_first)
    app.connect("doctree-read", add_index_to_contents, priority=100)
    app.connect("doctree-read", collect, priority=900)
    app.connect("env-updated", fill_index)
    app.connect("doctree-resolved", fill, priority=400)
    app.connect("doctree-resolved", link_terms)
    app.connect("html-collect-pages", tidy_search)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
