"""Sphinx extension: the statements of the book, so that they are found by name.

Every statement with a title (theorem, definition, algorithm, …) is in the index; `{statement-list}` lists them; the
search finds them by name; another chapter can link to them by label,
`[Hoeffding's inequality](hoeffding_union_bound.ipynb#thm-hoeffding)`. The notebooks need no markup for it.

What a page holds is kept in the metadata of its document, which Sphinx forgets when the page changes.
"""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import yaml
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
from sphinx_proof.nodes import NODE_TYPES

from tools.contents import chapters


class StatementList(nodes.General, nodes.Element):
    """The place of the list, which is written when all pages have been read."""


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
    if re.fullmatch(r"[A-Z]\w+(?:, [A-Z]\w+)+ and [A-Z]\w+", title):  # a theorem that has only the names of its authors
        return title
    title = re.split("[,;]", title)[0]
    without = re.sub(r"^(?:[Tt]he|An?) ", "", title)
    if without != title or re.match(r"[\w-]+'s |[A-Z]\w*[A-Z]", title):
        return without
    return without[:1].lower() + without[1:]


# Reading a page


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note the statements of a page; their labels become anchors that links from other chapters may name."""
    page = app.env.metadata[app.env.docname]
    page["statements"] = [(s["label"], s["realtype"], title_of(s)) for s in statements(doctree)]
    page.setdefault("myst_slugs", {}).update({label: (0, label, title) for label, _, title in page["statements"]})


def statements(doctree: nodes.document) -> Iterator[nodes.Element]:
    """Yield the numbered statements with a title."""
    for node in doctree.findall(lambda node: isinstance(node, tuple(NODE_TYPES.values()))):
        if title_of(node):
            yield node


# The list


class StatementListDirective(SphinxDirective):
    """`{statement-list}`: all statements of the book."""

    def run(self) -> list[nodes.Node]:
        return [StatementList()]


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the list where a page asks for it."""
    for node in list(doctree.findall(StatementList)):
        node.replace_self(statement_list(app.builder, app.env, docname))


def number_of(env: BuildEnvironment, docname: str, label: str, kind: str) -> str:
    """Return a statement as the text refers to it, such as "Theorem 3"."""
    return f"{kind.title()} {'.'.join(map(str, env.toc_fignumbers[docname][kind][label]))}"


def kind_of(env: BuildEnvironment, chapter: str, label: str) -> str:
    """Return the kind of a statement, such as "theorem"."""
    return next(kind for name, kind, _ in env.metadata[chapter]["statements"] if name == label)


def statement_list(builder: Builder, env: BuildEnvironment, docname: str) -> list[nodes.Node]:
    """Return all statements, a list for each chapter."""
    result = []
    for chapter in chapters(Path(env.srcdir)):
        title = plain(env.titles[chapter])
        link = make_refnode(builder, docname, chapter, "", nodes.strong("", title))
        items = nodes.bullet_list(classes=["statements"])
        for label, kind, name in env.metadata[chapter]["statements"]:
            number = make_refnode(builder, docname, chapter, label, nodes.Text(number_of(env, chapter, label, kind)))
            items += nodes.list_item("", nodes.paragraph("", "", number, nodes.Text(f". {name}")))
        result += [nodes.paragraph("", "", link), items]
    return result


# Index and search


def fill_index(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Put the statements in the index, spelled as in the glossary if they are there."""
    spelling = {term.casefold(): term for term in env.metadata["book/glossary"].get("terms", {})}
    for chapter in chapters(Path(env.srcdir)):
        title = plain(env.titles[chapter])
        env.domaindata["index"]["entries"][chapter] = []
        entries = set()
        for label, kind, name in env.metadata[chapter]["statements"]:
            form = index_form(name)
            entries.add((spelling.get(form.casefold(), form), f"{kind} in {title}", label))
        add_to_index(env, chapter, entries)
    return []


def add_to_index(env: BuildEnvironment, docname: str, entries: set[tuple[str, str, str]]) -> None:
    """Add entries to those of a page, each a name, where it is, and the anchor there."""
    noted = env.domaindata["index"]["entries"][docname]
    new = [("single", f"{name}; {where}", anchor, "", None) for name, where, anchor in sorted(entries)]
    noted += [entry for entry in new if entry not in noted]


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
    """Leave the titles of statements to the domain above, write apostrophes as they are typed, and add the topics."""
    if isinstance(app.builder, StandaloneHTMLBuilder) and app.builder.indexer is not None:
        entries = app.builder.indexer._index_entries
        for name, topics in yaml.safe_load(Path(app.srcdir, "book", "topics.yml").read_text()).items():
            if f"book/{name}" not in app.env.all_docs:
                continue
            known = entries.setdefault(f"book/{name}", [])
            known += [entry for topic in topics if (entry := (topic, "", "main")) not in known]
        for docname, titles in app.builder.indexer._all_titles.items():
            labels = {label for label, _, _ in app.env.metadata[docname].get("statements", [])}
            titles[:] = [(title.replace("’", "'"), anchor) for title, anchor in titles if anchor not in labels]
    return []


def rank_search(app: Sphinx, config: Config) -> None:
    """Let our own rule rank the results of a search."""
    config.html_search_scorer = str(Path(__file__).with_name("search_scores.js"))


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.add_node(StatementList)
    app.add_domain(Statements)
    app.add_directive("statement-list", StatementListDirective)
    app.connect("config-inited", rank_search)
    app.connect("doctree-read", add_index_to_contents, priority=100)
    app.connect("doctree-read", collect, priority=900)
    app.connect("env-updated", fill_index)
    app.connect("doctree-resolved", fill, priority=400)
    app.connect("html-collect-pages", tidy_search)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 2}
