"""A leading underscore is private to its module: no module of the library reaches into another."""

import ast
from pathlib import Path

import pytest

import leaderboard_edu

MODULES = sorted(Path(leaderboard_edu.__file__).parent.glob("*.py"))


def is_own(node):
    """Say whether it is self, cls or super()."""
    return ast.unparse(node) in ("self", "cls", "super()")


def reached(text):
    """Return the private names that code takes from other modules: by import, or from an object not made in it."""
    nodes = list(ast.walk(ast.parse(text)))
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    defined |= {node.attr for node in attributes if isinstance(node.ctx, ast.Store) and is_own(node.value)}
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    taken = imported | {node.attr for node in attributes if not is_own(node.value)} - defined
    return {name for name in taken if name.startswith("_") and not name.startswith("__")}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_module_reaches_into_another(module):
    assert reached(module.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    "planted",
    ["from leaderboard_edu.attacks import _vote", "board._needed", "board._needed = 1", "attacks._majority(1, 2)"],
)
def test_planted_reach_is_found(planted):
    assert len(reached(planted)) == 1


def test_what_is_its_own():
    """A class may look into another object of its own module, and into what it inherits."""
    assert reached("class A:\n def f(self, other):\n  self._n = other._n\n  return super()._f(cls._g)") == set()
