"""Sphinx extension: the reference of the library, made from its docstrings.

- `{library-module} attacks` documents the public names of `leaderboard_edu.attacks`; `{library-overview}` lists the
  names of all modules with the first sentence of each. Which names are public, and to which module they belong, is read
  off the imports of `leaderboard_edu/__init__.py`.
- On every page the roles of the Python domain know the public names as they are, ``{py:func}`boosting_attack` ``.
- The first use on a page of a name in code, `le.boosting_attack` or `boosting_attack(…)`, becomes a link, so that
  notebooks need no role, which JupyterLab would show as it is written.
"""

import ast
import importlib
import inspect
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

import leaderboard_edu

LIBRARY = "leaderboard_edu"
FOLDER = "book/api"


def public_names() -> dict[str, list[str]]:
    """Return for each module of the library, by its bare name, the public names that are imported from it."""
    tree = ast.parse(Path(leaderboard_edu.__file__).read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {node.module.removeprefix(f"{LIBRARY}."): [alias.name for alias in node.names] for node in imports}


def kind_of(name: str) -> str:
    """Return the name of the directive that documents a public name."""
    value = getattr(leaderboard_edu, name)
    return "class" if inspect.isclass(value) else "function" if callable(value) else "data"


def comment(module: str, name: str) -> list[str]:
    """Return the comment `#: …` above a constant, which is its docstring."""
    return ModuleAnalyzer.for_module(f"{LIBRARY}.{module}").find_attr_docs()["", name]


class FromDocstrings(SphinxDirective):
    """A directive whose content is reStructuredText that is made from the library."""

    def run(self) -> list[nodes.Node]:
        """Parse what `text` returns; the page depends on the list of public names."""
        self.env.note_dependency(leaderboard_edu.__file__)
        node = nodes.Element()
        lines = ["```{eval-rst}", *self.text(), "```"]
        self.state.nested_parse(lines, self.content_offset, node)
        return node.children


class LibraryModule(FromDocstrings):
    """`{library-module} attacks`: the module's docstring, then all that it gives to the library."""

    required_arguments = 1

    def text(self) -> list[str]:
        """Return directives of autodoc; the names are those under which a reader imports them."""
        (module,) = self.arguments
        lines = [f".. automodule:: {LIBRARY}.{module}", "", f".. currentmodule:: {LIBRARY}", ""]
        for name in public_names()[module]:
            kind = kind_of(name)
            if kind == "data":
                lines += [f".. py:data:: {name}", "", *[f"   {line}" for line in comment(module, name)], ""]
            else:
                lines += [f".. auto{kind}:: {name}", *["   :members:"] * (kind == "class"), ""]
        return lines


class LibraryOverview(FromDocstrings):
    """`{library-overview}`: the modules with what they are for, and their names."""

    def text(self) -> list[str]:
        """Return a paragraph and a list for each module."""
        lines = []
        for module, names in public_names().items():
            about = inspect.getdoc(importlib.import_module(f"{LIBRARY}.{module}")).partition("\n\n")[0]
            lines += [f":doc:`{LIBRARY}.{module} </{FOLDER}/{module}>`", f"    {' '.join(about.split())}", ""]
            for name in names:
                value = getattr(leaderboard_edu, name)
                (first, *_) = comment(module, name) if kind_of(name) == "data" else inspect.getdoc(value).splitlines()
                lines += [f"    - :py:obj:`~{LIBRARY}.{name}`: {first}"]
            lines += [""]
        return lines


def know_the_library(app: Sphinx, docname: str, source: list[str]) -> None:
    """Let the roles of the Python domain look for names in the library."""
    app.env.ref_context["py:module"] = LIBRARY


def spare_initials(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Keep "A. Blum and M. Hardt" from being read as point A of a list."""
    lines[:] = [re.sub(r"^(\s*)([A-Z])\. ", r"\1\\\2. ", line) for line in lines]


def link_names(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link the first use of each public name in the code of a sentence to its place in the reference."""
    if app.builder.format != "html":
        return
    objects, seen = app.env.domaindata["py"]["objects"], set()
    # Elsewhere a bare name may be that of a chapter.
    within = docname.startswith(f"{FOLDER}/")
    name = re.compile(r"(?:le\.)?(\w+)(?:\(.*\))?" if within else r"le\.(\w+)(?:\(.*\))?|(\w+)\(.*\)", flags=re.S)
    for literal in list(doctree.findall(nodes.literal)):
        found = name.fullmatch(literal.astext())
        target = objects.get(f"{LIBRARY}.{found[found.lastindex]}") if found else None
        if target is None or target.node_id in seen or in_link(literal):
            continue
        if not within:
            seen.add(target.node_id)
        uri = f"{app.builder.get_relative_uri(docname, target.docname)}#{target.node_id}"
        literal.replace_self(nodes.reference("", "", literal.deepcopy(), refuri=uri, internal=True, classes=["api"]))


def in_link(node: nodes.Node) -> bool:
    """Say whether a node stands in a heading, where a link would be in the way, or in a link."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.title | nodes.reference | addnodes.desc_signature):
            return True
    return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension and what it builds on."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("numpydoc")
    app.add_directive("library-module", LibraryModule)
    app.add_directive("library-overview", LibraryOverview)
    app.connect("source-read", know_the_library)
    app.connect("autodoc-process-docstring", spare_initials)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
