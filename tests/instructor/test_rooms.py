"""The teachers' tools and the maintainers' scripts do without each other."""

import ast

import pytest

from instructor.sources import ROOT


def packages_imported(text):
    """Return the packages that the code of a module imports anywhere in it."""
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [[node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names] for node in imports]
    return {str(name).partition(".")[0] for group in names for name in group}


@pytest.mark.parametrize(("room", "other"), [("instructor", "tools"), ("tools", "instructor")])
def test_neither_imports_the_other(room, other):
    modules = sorted((ROOT / room).rglob("*.py"))
    assert len(modules) > 5
    assert [path.name for path in modules if other in packages_imported(path.read_text(encoding="utf-8"))] == []
