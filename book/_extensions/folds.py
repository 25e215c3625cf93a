"""Sphinx extension: what a reader may open.

A section whose heading is "Proof: what it shows — why open it" becomes a `details` element with the heading as its
summary, and so does each `prf:proof` outside of one; `tools.main_line` says which headings these are. It ends at the
next heading of its level or above, or at a rule `***`. Neighbouring cells of hidden code become one.

The section stays a section, with its places, labels and numbers; only the writer of HTML and the contents of the page
treat it in another way.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator
from sphinx_proof.nodes import proof_node

from tools.main_line import FOLD


class FoldedProof(nodes.General, nodes.Element):
    """A proof on the main line."""


class Folds(SphinxTransform):
    """Mark what folds; before docutils moves the rules at the end of a section."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        """Mark the sections, move out of them what follows a rule, fold proofs, join hidden code."""
        for section in self.document.findall(nodes.section):
            if isinstance(section[0], nodes.title) and FOLD.fullmatch(section[0].astext()):
                section["classes"].append("fold")
                set_off_reason(section[0])
        for rule in list(self.document.findall(nodes.transition)):
            end_fold(rule)
        for proof in list(self.document.findall(proof_node)):
            if not in_fold(proof):
                fold_proof(proof)
        for cell in list(self.document.findall(is_hidden_code)):
            join_next(cell)


def is_fold(node: nodes.Node) -> bool:
    """Say whether a node folds."""
    return isinstance(node, FoldedProof) or (isinstance(node, nodes.section) and "fold" in node["classes"])


def in_fold(node: nodes.Node) -> bool:
    """Say whether a node stands inside a fold."""
    while node is not None and not is_fold(node):
        node = node.parent
    return node is not None


def set_off_reason(title: nodes.title) -> None:
    """Set the reason, after the dash, in a span of its own, and so the kind, up to the colon."""
    at = next(i for i, part in enumerate(title) if isinstance(part, nodes.Text) and " — " in part)
    before, after = title[at].split(" — ", 1)
    reason = nodes.inline("", "", nodes.Text(f" — {after}"), *title[at + 1 :], classes=["why"])
    title[at:] = [nodes.Text(before), reason] if before else [reason]
    kind, _, what = title[0].partition(":")
    title[:1] = [nodes.inline("", f"{kind}:", classes=["kind"]), nodes.Text(what)]


def end_fold(rule: nodes.transition) -> None:
    """Move what follows a rule out of the fold that it stands in, in its place remains nothing."""
    inner, following = rule, []
    while inner is not None and not is_fold(inner):
        at = inner.parent.index(inner) if inner.parent is not None else 0
        following += inner.parent[at + 1 :] if inner.parent is not None else []
        inner = inner.parent
    if inner is None:
        return
    for node in following:
        node.parent.remove(node)
    at = inner.parent.index(inner) + 1
    inner.parent[at:at] = following
    rule.parent.remove(rule)


def fold_proof(proof: proof_node) -> None:
    """Fold a proof; its summary says "Proof", so its first line need not."""
    (box,) = proof.children
    first = box.next_node(nodes.Text)
    first.parent.replace(first, nodes.Text(first.removeprefix("Proof. ")))
    proof.replace_self(FoldedProof("", *box.children))


def is_hidden_code(node: nodes.Node) -> bool:
    """Say whether a node is a cell whose code is hidden and that shows nothing."""
    return isinstance(node, nodes.container) and node.get("hide_mode") == "input" and len(node) == 1


def join_next(cell: nodes.container) -> None:
    """Put the hidden code of a cell before that of the next, if nothing stands between."""
    following = cell.next_node(descend=False, siblings=True)
    if isinstance(following, nodes.container) and following.get("hide_mode") == "input":
        following[0][:0] = cell[0].children
        cell.parent.remove(cell)


def shorten_contents(app: Sphinx, doctree: nodes.document) -> None:
    """Take the folds out of the contents of a page."""
    folds = {f"#{section['ids'][0]}" for section in doctree.findall(nodes.section) if is_fold(section)}
    for link in list(app.env.tocs[app.env.docname].findall(nodes.reference)):
        if link["anchorname"] in folds:
            item = link.parent.parent
            siblings = item.parent
            siblings.remove(item)
            if not siblings.children:
                siblings.parent.remove(siblings)


def visit_section(self: HTML5Translator, node: nodes.section) -> None:
    """Open a section, or a fold."""
    if not is_fold(node):
        return type(self).visit_section(self, node)
    self.section_level += 1
    self.body.append(self.starttag(node, "details"))
    return None


def depart_section(self: HTML5Translator, node: nodes.section) -> None:
    """Close a section, or a fold."""
    if not is_fold(node):
        return type(self).depart_section(self, node)
    self.section_level -= 1
    self.body.append("</details>\n")
    return None


def visit_title(self: HTML5Translator, node: nodes.title) -> None:
    """Open a heading, that of a fold within its summary."""
    if is_fold(node.parent):
        self.builder.secnumbers[f"#{node.parent['ids'][0]}"] = None  # it is not in the contents: not the chapter's
        self.body.append("<summary>")
    type(self).visit_title(self, node)


def depart_title(self: HTML5Translator, node: nodes.title) -> None:
    """Close a heading."""
    type(self).depart_title(self, node)
    if is_fold(node.parent):
        self.body.append("</summary>\n")


def visit_proof(self: HTML5Translator, node: FoldedProof) -> None:
    """Open a folded proof."""
    self.body.append(self.starttag(node, "details", CLASS="fold proof") + "<summary>Proof</summary>\n")


def depart_proof(self: HTML5Translator, node: FoldedProof) -> None:
    """Close a folded proof."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension."""
    app.add_transform(Folds)
    app.add_node(FoldedProof, html=(visit_proof, depart_proof))
    app.add_node(nodes.section, override=True, html=(visit_section, depart_section))
    app.add_node(nodes.title, override=True, html=(visit_title, depart_title))
    app.connect("doctree-read", shorten_contents, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
