"""Results of cells are used again only while what they follow from is the same; a change of words costs nothing."""

import shutil
import sys

import jupyter_client.provisioning.local_provisioner
import nbformat
import pytest
from chapters import ROOT
from myst_nb.core.config import NbParserConfig
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

sys.path.append(str(ROOT / "book" / "_extensions"))
import stored_results
import warm_kernels


def notebook(code="share = {'right': '0.75'}\nprint('one')", words='It is {eval}`share["right"]` of them.'):
    """Return a notebook of a code cell and a sentence."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return new_notebook(cells=[new_code_cell(code), new_markdown_cell(words)], metadata=kernel)


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Return a folder with the library and the data, which stands in for the project."""
    for name in ("leaderboard_edu", "book/data"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(stored_results, "ROOT", tmp_path)
    monkeypatch.setattr(stored_results, "STORE", tmp_path / "_build" / "results")
    return tmp_path


def key(pages, name="one"):
    """Return what the results of a page follow from."""
    return stored_results.key(pages, stored_results.ROOT / "book" / f"{name}.ipynb")


def test_words_cost_nothing(root):
    """Not even in a cell that asks for a value."""
    changed = notebook(words='They are many: {eval}`share["right"]`.')
    assert key(changed) == key(notebook())


@pytest.mark.parametrize("changed", [notebook(code="print('two')"), notebook(words="It is {eval}`share`.")])
def test_code_is_run_again(root, changed):
    """And so is what asks for another value."""
    assert key(changed) != key(notebook())


def test_a_sentence_before_its_number_is_run_again(root):
    """Its number is not there yet, and a stored one would hide that."""
    changed = notebook()
    changed.cells.reverse()
    assert key(changed) != key(notebook())


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("leaderboard_edu/bounds.py", "-2 * epsilon", "-2.2 * epsilon"), ("book/data/budgets.json", "0.", "0.1")],
)
def test_results_follow_from_the_library_and_the_data(root, name, old, new):
    """One constant is enough."""
    before = key(notebook())
    text = (root / name).read_text()
    assert old in text
    (root / name).write_text(text.replace(old, new, 1))
    assert key(notebook()) != before


def test_pictures_belong_to_one_chapter(root):
    """A change of its module executes this chapter and no other."""
    before = key(notebook()), key(notebook(), "other")
    (root / "book" / "pictures").mkdir()
    (root / "book" / "pictures" / "one.py").write_text("LABELS = 4000")
    assert key(notebook()) != before[0]
    assert key(notebook(), "other") == before[1]


def client_of(path, pages):
    """Return the client that reads a page's stored results into its notebook."""
    config = NbParserConfig(eval_name_regex=".*")
    return stored_results.StoredClient(pages, path, config, stored_results.logging.getLogger("test"))


def test_a_page_gets_what_its_cells_gave(root):
    """Outputs in cells that are as they were, values by their expression, and a word where there is nothing yet."""
    path = root / "book" / "small.ipynb"
    config = NbParserConfig(execution_mode="inline", eval_name_regex=".*")
    stored_results.execute(notebook(), path, config, stored_results.logging.getLogger("test"))
    written = notebook(words="More words.")
    written.cells.append(new_code_cell("print('new')"))
    with client_of(path, written) as client:
        assert client.code_cell_outputs(0)[1][0].text == "one\n"
        assert client.eval_variable('share["right"]')[0].data["text/plain"] == "'0.75'"
        assert client.code_cell_outputs(2)[1] == []
        assert client.eval_variable("other") == [stored_results.NOT_RUN]


def test_a_new_page_is_shown_without_results(root):
    """So that its words can be read before its cells were ever run."""
    with client_of(root / "book" / "small.ipynb", notebook()) as client:
        assert client.code_cell_outputs(0)[1] == []
        assert client.eval_variable('share["right"]') == [stored_results.NOT_RUN]


def test_a_record_belongs_to_the_page_that_names_it(root):
    """New times of the benchmarks execute no chapter."""
    page = root / "book" / "one.ipynb"
    for words, same in (("no record", True), ("data/benchmarks.json", False)):
        page.write_text(words, encoding="utf-8")
        before = key(notebook())
        with (root / "book" / "data" / "benchmarks.json").open("a") as record:
            record.write(" ")
        assert (key(notebook()) == before) == same


def test_a_line_that_came_in_pieces_is_whole():
    """Whatever else the cell shows stays in its place."""
    picture = new_output("display_data", data={"text/plain": "a picture"})
    pieces = [new_output("stream", name="stdout", text=text) for text in ("a ", "b\n", "c")]
    whole = stored_results.whole_streams([*pieces[:2], picture, pieces[2]])
    assert [output.get("text") for output in whole] == ["a b\n", None, "c"]
    assert nbformat.from_dict(whole[1]) == picture


# Elsewhere a build starts kernels as jupyter_client does. CI runs on Linux.
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux does a build fork its kernels")
SEEN = """
import os, subprocess, sys

child = subprocess.run(["sh", "-c", "exit 3"]).returncode
environment = {name: value for name, value in os.environ.items() if name != "JPY_PARENT_PID"}
print(__name__, os.getcwd(), sys.path, environment, child, os.getpgrp() == os.getpid(), os.getppid() > 1)
"""


def executed(folder, code=SEEN):
    """Return what a notebook prints, in a folder."""
    pages = new_notebook(cells=[new_code_cell(code)])
    NotebookClient(pages, resources={"metadata": {"path": str(folder)}}).execute()
    return pages.cells[0].outputs[0].text


@pytest.fixture
def forked(monkeypatch):
    """Let kernels be forks."""
    monkeypatch.setattr(jupyter_client.provisioning.local_provisioner, "launch_kernel", warm_kernels.launch_kernel)


@on_linux
def test_a_forked_kernel_is_like_any_other(tmp_path, request):
    """It has what another has, and shares nothing with the fork before it."""
    usual = executed(tmp_path)
    request.getfixturevalue("forked")
    assert executed(tmp_path) == usual
    assert executed(tmp_path, "import sys, math; math.pi = 3; print('scipy.stats' in sys.modules)") == "True\n"
    assert executed(tmp_path, "import math; print(math.pi)").startswith("3.14")


@on_linux
def test_a_forked_kernel_that_dies_is_missed(tmp_path, forked):
    """A build must not wait for it."""
    with pytest.raises(DeadKernelError):
        executed(tmp_path, "import os; os._exit(3)")
