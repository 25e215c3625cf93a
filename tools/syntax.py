"""Find an expression in a function as Python parses it, and put another in its place."""

import ast
import builtins
import copy
from collections.abc import Iterator
from typing import Any

DEFINITIONS = (ast.ClassDef, ast.FunctionDef)


def replaced(source: str, name: str, old: str, new: str) -> str:
    """Return the source of a module with `new` in place of `old`, in the function or class of that qualified name.

    Without a name, `old` is looked for outside of functions and classes. It is an expression or a statement, and
    must have exactly one place. Layout and comments do not matter, nor what a local variable is called by now.
    """
    tree = ast.parse(source)
    found = scope(tree, name)
    if len(found) != 1:
        raise ValueError(f"the name must be defined once, but is {len(found)} times, where this is looked for: {old}")
    places = list(matches(found[0], parsed(old)))
    if len(places) != 1:
        raise ValueError(f"this must occur once, but does {len(places)} times: {old}")
    ((place, names),) = places
    return ast.unparse(Replacement(place, renamed(parsed(new), names)).visit(tree))


class Replacement(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def parsed(text: str) -> ast.AST:
    """Return the syntax tree of an expression or of a statement."""
    (statement,) = ast.parse(text).body
    return statement.value if isinstance(statement, ast.Expr) else statement


def scope(tree: ast.Module, name: str) -> list[ast.AST]:
    """Return the definitions of this qualified name; without a name, a module of all that defines no such thing."""
    if not name:
        return [ast.Module([part for part in tree.body if not isinstance(part, DEFINITIONS)], [])]
    parts: list[ast.AST] = [tree]
    for step in name.split("."):
        inner = [child for part in parts for child in ast.iter_child_nodes(part)]
        parts = [child for child in inner if isinstance(child, DEFINITIONS) and child.name == step]
    return parts


def variables(tree: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    """Yield each variable or parameter: the node, which attribute of it is the name, and the name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.arg):
            field = "id" if isinstance(node, ast.Name) else "arg"
            yield node, field, getattr(node, field)


def renamed(tree: ast.AST, names: dict[str, str]) -> ast.AST:
    """Return a copy in which variables have new names."""
    tree = copy.deepcopy(tree)
    for node, field, name in variables(tree):
        setattr(node, field, names.get(name, name))
    return tree


def matches(tree: ast.AST, pattern: ast.AST) -> Iterator[tuple[ast.AST, dict[str, str]]]:
    """Yield the nodes that equal the pattern, each with the new names of variables that were renamed since.

    A variable that occurs nowhere in the function any more stands for a local one that the pattern lacks. Such
    variables are numbered on both sides in their order: the same where the others are the same, and only there.
    """
    local, known = set(), set(dir(builtins))
    for node, _, name in variables(tree):
        known.add(name)
        if not isinstance(tree, ast.Module) and not isinstance(getattr(node, "ctx", None), ast.Load):
            local.add(name)
    wanted = list(dict.fromkeys(name for _, _, name in variables(pattern)))
    gone = [name for name in wanted if name not in known]
    shape = ast.dump(renamed(pattern, {name: f"?{i}" for i, name in enumerate(gone)}))
    for node in ast.walk(tree):
        if type(node) is type(pattern):
            names = (name for _, _, name in variables(node) if name in local and name not in wanted)
            new = list(dict.fromkeys(names))
            if ast.dump(renamed(node, {name: f"?{i}" for i, name in enumerate(new)})) == shape:
                yield node, dict(zip(gone, new, strict=True))
