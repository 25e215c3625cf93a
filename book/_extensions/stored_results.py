"""Sphinx extension: notebooks are executed side by side before the pages are read, and their results kept.

`_build/results` holds, for each page with code, the outputs of its cells and the values that its sentences ask for by
the role `eval`. They are used again only while everything that they follow from is the same: the code, the library,
the data and the pinned packages (`INPUTS`). With RESULTS=last, which is `make prose`, nothing is executed: a cell
shows what the same cell showed last. Pages are then written by two processes.
"""

import gc
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jupyter_client.provisioning.local_provisioner
import myst_nb.core.execute
import nbformat
from myst_nb.core.config import NbParserConfig
from myst_nb.core.execute import NotebookClientInline
from myst_nb.core.execute.base import NotebookClientBase
from myst_nb.core.read import create_nb_reader
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import warm_kernels

ROOT = Path(__file__).resolve().parents[2]
STORE = ROOT / "_build" / "results"
INPUTS = ("leaderboard_edu/*", "book/data/*", "book/*.py", "constraints.txt", "pyproject.toml")
RECORDS = ("benchmarks.json", "mutants.json")  # of measurements: only a page that names one follows from it
NOT_RUN = nbformat.v4.new_output("display_data", data={"text/plain": "(not run yet)"})

running: dict[Path, Future[None]] = {}  # by the page's source, as long as the build lasts


def inputs(path: Path) -> str:
    """Return a hash of what the results of a page follow from besides its code: its pictures, what all share."""
    digest = hashlib.sha256(sys.version.encode())
    patterns = (*INPUTS, f"book/pictures/{path.stem}.py")
    page = path.read_text(encoding="utf-8") if path.is_file() else ""
    for file in sorted(file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file()):
        if file.name not in RECORDS or file.name in page:
            digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def texts(value: Any) -> Iterator[str]:
    """Yield the strings in a cell or its metadata."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def expressions(cell: nbformat.NotebookNode) -> list[str]:
    """Return what the sentences of a cell, or the caption of its figure, evaluate."""
    written = cell.metadata if cell.cell_type == "code" else cell.source
    return [expression for text in texts(written) for expression in re.findall(r"\{eval\}`([^`]+)`", text)]


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return the cells that hold code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def key(notebook: nbformat.NotebookNode, path: Path) -> str:
    """Return a hash of all that the results of a notebook follow from."""
    steps = []  # in their order: a sentence may ask for what a later cell makes
    for cell in notebook.cells:
        steps += [[cell.source, cell.metadata.get("tags", [])]] if cell.cell_type == "code" else []
        steps += expressions(cell)
    return hashlib.sha256(json.dumps([inputs(path), steps]).encode()).hexdigest()


def size(path: Path, notebook: nbformat.NotebookNode) -> int:
    """Return how much code a page has, that of its pictures among it: a guess at how long it takes."""
    pictures = ROOT / "book" / "pictures" / f"{path.stem}.py"
    drawn = pictures.stat().st_size if pictures.is_file() else 0
    return drawn + sum(len(cell.source) for cell in code_cells(notebook))


def stored_at(path: Path) -> Path:
    """Return the file of a page's results."""
    return STORE / path.relative_to(ROOT).with_suffix(".json")


def load(path: Path) -> dict[str, Any] | None:
    """Return the stored results of a page, of whatever code."""
    file = stored_at(path)
    return json.loads(file.read_text(encoding="utf-8"), object_hook=nbformat.from_dict) if file.is_file() else None


def whole_streams(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Join what a cell printed: on a busy machine a line can arrive in pieces, between which MyST-NB breaks it."""
    joined: list[nbformat.NotebookNode] = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream" and output.name == joined[-1].name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def execute(notebook: nbformat.NotebookNode, path: Path, config: NbParserConfig, logger: Any) -> None:
    """Execute a notebook from scratch, evaluate each expression where it first stands, and store the results."""
    values: dict[str, list[Any]] = {}
    with NotebookClientInline(notebook, path, config, logger) as client:
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type == "code":
                client.code_cell_outputs(index)
            for expression in expressions(cell):
                if expression not in values and re.match(config.eval_name_regex, expression):
                    values[expression] = client.eval_variable(expression)
    results = {
        "key": key(notebook, path),
        "language_info": notebook.metadata.get("language_info", {}),
        "cells": [[cell.source, cell.execution_count, whole_streams(cell.outputs)] for cell in code_cells(notebook)],
        "values": values,
    }
    file = stored_at(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_suffix(".part").write_text(json.dumps(results), encoding="utf-8")
    file.with_suffix(".part").replace(file)  # at once: a build that is stopped leaves no half of it


class StoredClient(NotebookClientBase):
    """Give the reader of a page the results that are stored, in place of a kernel."""

    def start_client(self) -> None:
        """Put the stored outputs into the notebook."""
        if self.path in running:
            try:
                running.pop(self.path).result()
            except Exception:  # it ends the build
                for other in running.values():
                    other.cancel()
                raise
        results = load(self.path) or {"language_info": {}, "cells": [], "values": {}}
        self.notebook.metadata["language_info"] = results["language_info"]
        self.values = results["values"]
        left = list(results["cells"])
        for cell in code_cells(self.notebook):
            known = next((stored for stored in left if stored[0] == cell.source), None)
            if known:
                left.remove(known)
                _, cell["execution_count"], cell["outputs"] = known
            else:
                self.logger.info(f"not run yet: {cell.source.splitlines()[:1]}")

    def eval_variable(self, name: str) -> list[Any]:
        """Return the stored value of an expression."""
        return self.values.get(name, [NOT_RUN])


def start(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Begin to execute the pages that are to be read and whose results are not those of their code; longest first."""
    if os.environ.get("RESULTS") == "last" or env.mystnb_config.execution_mode != "inline":
        return
    waiting = []
    for path in (Path(env.doc2path(docname)) for docname in docnames):
        reader = create_nb_reader(str(path), env.myst_config, env.mystnb_config, path.read_text(encoding="utf-8"))
        notebook = reader and reader.read(path.read_text(encoding="utf-8"))
        if notebook and (load(path) or {}).get("key") != key(notebook, path):
            waiting.append((path, notebook))
    waiting.sort(key=lambda page: -size(*page))
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the kernels share the cores already
    pool = ThreadPoolExecutor((os.cpu_count() or 1) + 1)
    for path, notebook in waiting:
        logger = logging.getLogger(f"{__name__}.{path.stem}")
        running[path] = pool.submit(execute, notebook, path, env.mystnb_config, logger)


def write_side_by_side(app: Sphinx, env: BuildEnvironment) -> None:
    """Let a second process write pages. It could not read them: not all extensions say that they allow it."""
    app.parallel = 2


def setup(app: Sphinx) -> dict[str, bool]:
    """Take the place of the client that executes a page while it is read."""
    myst_nb.core.execute.NotebookClientInline = StoredClient
    if sys.platform == "linux":
        jupyter_client.provisioning.local_provisioner.launch_kernel = warm_kernels.launch_kernel
    gc.set_threshold(200_000)  # trees of pages are kept, so there is little to collect
    app.connect("env-before-read-docs", start)
    app.connect("env-updated", write_side_by_side)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
