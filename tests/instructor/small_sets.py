"""Cells of small exercise sets."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

CONFIG = """# ASSIGNMENT CONFIG
tests: {files: true, ok_format: false}
solutions_pdf: false
export_cell: false
generate: {show_hidden: false}
"""

PROOF = [
    new_raw_cell("# BEGIN QUESTION\nname: q4\npoints: 8\nmanual: true"),
    new_markdown_cell("## A proof"),
    new_raw_cell("# BEGIN SOLUTION"),
    new_markdown_cell("**Rubric.** All or nothing."),
    new_raw_cell("# END SOLUTION"),
    new_raw_cell("# END QUESTION"),
]


def function(name, body):
    """Return a function of one number; the lines of its body come indented."""
    return f"def {name}(x):\n{body}"


def solution(name, expression):
    """Return an answer cell with a solution in it."""
    lines = ['"""Answer."""', "# BEGIN SOLUTION NO PROMPT", f"return {expression}", "# END SOLUTION"]
    return function(name, "\n".join(f"    {line}" for line in lines))


def case(function, name, condition, *, hidden=False):
    """Return a test cell."""
    return f"{'# HIDDEN' if hidden else '# See ladder: The grid'}\ndef test_{name}({function}):\n    assert {condition}"


def question(name, *, answer, visible, hidden, wrong):
    """Return the cells of a question in code, worth two points."""
    return [
        new_raw_cell(f"# BEGIN QUESTION\nname: {name}\npoints: 2"),
        new_markdown_cell(f"## The question {name}"),
        new_raw_cell("# BEGIN SOLUTION"),
        new_code_cell(answer),
        new_raw_cell("# END SOLUTION"),
        new_raw_cell("# BEGIN TESTS"),
        new_code_cell(visible),
        new_code_cell(hidden),
        new_raw_cell("# END TESTS"),
        new_raw_cell("# END QUESTION"),
        *(new_code_cell(source, metadata={"tags": [f"wrong-answer: {name}"]}) for source in wrong),
    ]


def write(path, *cells):
    """Write a source notebook of a small set, and return its path."""
    notebook = new_notebook(cells=[new_raw_cell(CONFIG), new_markdown_cell("# Small\n\nText."), *cells])
    notebook.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    nbformat.write(notebook, path)
    return path
