"""A compared cell has a stored output, and no other has: a compared cell without one passes without a comparison.

What is stored is what the cell gave when the book was built. `make nightly` executes each chapter once more, by nbval.
"""

import sys
from copy import deepcopy

import pytest
from chapters import CHAPTERS, HTML, ROOT, built_or_skip, cells, read, tags
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools.notebooks import canonical, execute

sys.path.append(str(ROOT / "book" / "_extensions"))
import stored_results


def output_faults(notebook):
    """Return what is wrong with the stored outputs and execution counts of a notebook."""
    faults = ["widget state is stored"] if "widgets" in notebook.metadata else []
    if not notebook.metadata.get("kernelspec") or not notebook.metadata.get("language_info", {}).get("name"):
        faults.append("the metadata name no kernel or no language")
    for number, cell in enumerate(cells(notebook, "code"), start=1):
        where = f"code cell {number} {cell.source[:40]!r}"
        compared = "nbval-check-output" in tags(cell)
        if cell.execution_count != number:
            faults.append(f"{where} has the count {cell.execution_count}")
        if compared != ("keep_output" in tags(cell)):
            faults.append(f"{where} carries only one of the tags nbval-check-output and keep_output")
        if compared != bool(cell.outputs):
            faults.append(f"{where} is compared and stores no output" if compared else f"{where} stores an output")
        if any(output.get("name") == "stderr" for output in cell.outputs):
            faults.append(f"{where} stores a warning, which never matches")
    return faults


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_stored_outputs(chapter):
    """What nbval compares is there, and what it does not compare is stripped."""
    faults = output_faults(read(chapter))
    assert not faults, f"{faults}: run `make chapter NAME={chapter.removeprefix('book/')}`"


def shown(outputs):
    """Return what a cell shows, without what differs from run to run."""
    return [(output.get("name"), output.get("text"), output.get("data")) for output in outputs]


def other_outputs(notebook, results):
    """Return the code of compared cells that gave something else than is stored."""
    given = [(cell, outputs) for cell, (*_, outputs) in zip(cells(notebook, "code"), results, strict=True)]
    return [
        cell.source
        for cell, outputs in given
        if "nbval-check-output" in tags(cell) and shown(outputs) != shown(cell.outputs)
    ]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_build_gave_what_is_stored(chapter):
    """The book was built from this code, this library and these data."""
    built_or_skip(HTML)
    path, notebook = ROOT / f"{chapter}.ipynb", read(chapter)
    results = stored_results.load(path)
    assert results["key"] == stored_results.key(notebook, path), "run `make book`"
    assert other_outputs(notebook, results["cells"]) == []


def test_another_output_is_found():
    """Other words, none, or one more; what is not compared may change."""
    notebook = notebook_with()
    results = [[cell.source, cell.execution_count, deepcopy(cell.outputs)] for cell in notebook.cells]
    results[0][2] = [new_output("stream", text="now\n")]
    assert other_outputs(notebook, results) == []
    for other in ([new_output("stream", text="2\n")], [], results[1][2] * 2):
        assert other_outputs(notebook, [results[0], [*results[1][:2], other]]) == ["print(1)"]
    data = new_output("execute_result", data={"text/plain": "1"})
    assert shown([data]) != shown([new_output("execute_result", data={"text/plain": "2"})])


def test_executing_stores_what_is_compared(tmp_path):
    """A cell that is skipped counts too; executing once more changes nothing, not even the kernel's description."""
    sources = {"x = 1\nx": [], "1 / 0": ["skip-execution"], "print(1)\nprint(2)": COMPARED, "x + 1": COMPARED}
    notebook = new_notebook(cells=[new_code_cell(code, metadata={"tags": t}) for code, t in sources.items()])
    notebook.metadata.update(METADATA)
    execute(notebook, tmp_path)
    assert output_faults(notebook) == []
    assert [cell.outputs[0].get("execution_count") for cell in notebook.cells[2:]] == [None, 4]
    once = canonical(notebook)
    execute(notebook, tmp_path)
    assert canonical(notebook) == once


METADATA = {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}}
COMPARED = ["nbval-check-output", "keep_output"]


def notebook_with(*, metadata=METADATA, count=2, keep=COMPARED, stream="stdout", stored=True):
    """Return a notebook of a plain cell and one whose output is compared."""
    outputs = [new_output("stream", name=stream, text="1\n")] if stored else []
    second = new_code_cell("print(1)", execution_count=count, outputs=outputs, metadata={"tags": keep})
    return new_notebook(cells=[new_code_cell("x = 1", execution_count=1), second], metadata=metadata)


def test_good_outputs_pass():
    """A stripped cell and a compared one."""
    assert output_faults(notebook_with()) == []


@pytest.mark.parametrize(
    "fault",
    [
        {"stored": False},
        {"count": None},
        {"count": 3},
        {"keep": COMPARED[:1]},
        {"keep": COMPARED[1:]},
        {"keep": []},
        {"stream": "stderr"},
        {"metadata": {}},
        {"metadata": METADATA | {"widgets": {}}},
    ],
    ids=str,
)
def test_planted_fault_is_found(fault):
    """Each of these would make a comparison silently pass, or fail for no reason."""
    assert output_faults(notebook_with(**fault))
