"""Sphinx extension: the terms of the glossary, on the pages and in the index. The notebooks need no markup for it.

- The first use of a term on a page becomes a link that shows the definition when pointed at.
- An entry of the glossary ends with a link to the place in the book that defines the term, and the index has it.

What a page holds is kept in the metadata of its document, which Sphinx forgets when the page changes.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode
from sphinx_proof.nodes import definition_node

from folds import in_fold
from statements import add_to_index, index_form, kind_of, number_of, plain, statements, title_of
from tools.contents import chapters, is_chapter

GLOSSARY = "book/glossary"
# The landing page comes before all terms, and three pages speak of releases, accounts or hosts of another kind.
WITHOUT_TERM_LINKS = {
    "book/index",
    "book/glossary",
    "book/statements",
    "book/bibliography",
    "book/instructors_guide",
    "book/how_it_is_checked",
    "book/mutants",
    "book/running",
}
# Words that also have an everyday meaning are linked only where the page itself defines them.
EVERYDAY = {"depth", "edge", "fall", "fresh account", "history", "level", "node"}
# How a place explains a term: a definition or algorithm has it as its title or emphasises it, other text emphasises
# it, a definition uses it, or another title does.
TITLED, DEFINED, EMPHASISED, MENTIONED, USED_IN_TITLE = range(5)
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


# Reading a page


def read_first(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Read the glossary before the chapters, which need its terms."""
    docnames.sort(key=lambda name: name != GLOSSARY)


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note the terms that a page explains: the glossary all of them, a chapter those that it defines."""
    docname = app.env.docname
    page = app.env.metadata[docname]
    page["terms"] = dict(glossary_terms(doctree))
    terms = app.env.metadata[GLOSSARY].get("terms", {})
    in_chapter = is_chapter(docname, Path(app.srcdir))
    page["defined"] = best_places(definitions(doctree, terms)) if in_chapter else {}


def glossary_terms(doctree: nodes.document) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each term of a glossary with its anchor and the first sentence of its definition."""
    for glossary in doctree.findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            term = item.next_node(nodes.term)
            definition = plain(item.next_node(nodes.definition).next_node(nodes.paragraph))
            yield plain(term), (term["ids"][0], re.split(r"(?<=[.!?])\s", definition)[0])


def definitions(doctree: nodes.document, terms: dict[str, tuple]) -> Iterator[tuple[str, tuple[int, str, str | None]]]:
    """Yield each term with how a place of the chapter explains it, the anchor, and the label if it is a statement."""
    pattern, order, seen = compile_terms(terms), terms_in_order(terms), set()
    for node in doctree.findall(lambda node: isinstance(node, nodes.strong | nodes.emphasis)):
        match = pattern.fullmatch(plain(node).removeprefix("non-"))
        if match and not in_any(node, (nodes.title, nodes.container)):
            term = order[match.lastindex - 1]
            statement = next((parent for parent in ancestors(node) if "realtype" in parent.attributes), None)
            if statement is not None:
                yield term, (DEFINED if defines(statement) else EMPHASISED, statement["label"], statement["label"])
            elif term not in seen:
                seen.add(term)
                node["ids"].append(nodes.make_id(f"notion-{term}"))
                yield term, (EMPHASISED, node["ids"][0], None)
    by_name = {term.casefold(): term for term in terms}
    for statement in statements(doctree):
        label, title = statement["label"], title_of(statement)
        names = {index_form(part).casefold() for part in re.split(", | and ", title)} if defines(statement) else set()
        yield from ((by_name[name], (TITLED, label, label)) for name in names & set(by_name))
        yield from ((order[match.lastindex - 1], (USED_IN_TITLE, label, label)) for match in pattern.finditer(title))
        body = plain(statement) if defines(statement) else ""
        yield from ((order[match.lastindex - 1], (MENTIONED, label, label)) for match in pattern.finditer(body))


def defines(statement: nodes.Element) -> bool:
    """Say whether a statement is a definition or an algorithm."""
    return statement["realtype"] in {"definition", "algorithm"}


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


def has_term_links(docname: str) -> bool:
    """Say whether terms become links on a page; the library's reference has links of its own, and cites by name."""
    return docname not in WITHOUT_TERM_LINKS and not docname.startswith("book/api/")


def link_terms(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link the first use of each term in the running text of a page to the glossary."""
    if not has_term_links(docname) or app.builder.format != "html":
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
    """Say whether a text is a part of a sentence on the main line that a link may interrupt; what it needs is none."""
    if not in_any(text, nodes.paragraph) or in_any(text, NO_RUNNING_TEXT) or in_fold(text):
        return False
    return not any(
        isinstance(parent, nodes.admonition | nodes.paragraph) and "What you need first." in parent.astext()
        for parent in ancestors(text)
    )


# Where a term is defined


def defining_places(env: BuildEnvironment) -> dict[str, tuple[int, str, str | None, str]]:
    """Return for each term the place in the book that explains it best, and the chapter where that is."""
    order = chapters(Path(env.srcdir))
    return best_places(
        (term, (*place, chapter)) for chapter in order for term, place in env.metadata[chapter]["defined"].items()
    )


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


def fill_index(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Put in the index where a term is defined."""
    for term, (_, anchor, label, chapter) in defining_places(env).items():
        title = plain(env.titles[chapter])
        where = f"{kind_of(env, chapter, label)} in {title}" if label else f"in {title}"
        add_to_index(env, chapter, {(term, where, anchor)})
    return []


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Complete the glossary when all pages are known."""
    if docname == GLOSSARY:
        link_definitions(app.builder, app.env, doctree)


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.setup_extension("statements")
    app.connect("env-before-read-docs", read_first)
    app.connect("doctree-read", collect, priority=900)
    app.connect("env-updated", fill_index)
    app.connect("doctree-resolved", fill, priority=400)
    app.connect("doctree-resolved", link_terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 2}
