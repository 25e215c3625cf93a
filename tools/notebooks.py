"""Write notebooks as nbformat writes them, so that a program that saves one changes nothing else: `make strip`.

`python -m tools.notebooks` does so with all that are edited by hand; with names, `… ladder`, it first executes these
chapters, numbers their cells as a full run does, and keeps outputs of cells tagged `keep_output` only.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

BOOK = Path(__file__).resolve().parents[1] / "book"


def notebooks() -> list[Path]:
    """Return the notebooks that are edited by hand: chapters and sources of exercises."""
    return sorted([*BOOK.glob("*.ipynb"), *BOOK.glob("exercises/*.ipynb")])


def canonical(notebook: NotebookNode) -> str:
    """Return the text of a notebook as JupyterLab saves it."""
    return str(nbformat.writes(notebook)).rstrip("\n") + "\n"


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Execute a notebook in a folder, in place, and store of it what a chapter stores."""
    described = notebook.metadata.copy()
    NotebookClient(notebook, timeout=600, coalesce_streams=True, resources={"metadata": {"path": folder}}).execute()
    notebook.metadata = described
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, start=1):
        cell.execution_count = number
        cell.metadata.pop("execution", None)
        cell.outputs = cell.outputs if "keep_output" in cell.metadata.get("tags", []) else []
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number


def main(names: list[str]) -> None:
    """Execute and write the chapters named, or write all notebooks that nbformat would write otherwise."""
    chapters = [BOOK / f"{name}.ipynb" for name in names]
    for path in chapters:
        if not path.is_file():
            sys.exit(f"there is no chapter {path.stem}; the book has {', '.join(p.stem for p in BOOK.glob('*.ipynb'))}")
    for path in chapters or notebooks():
        notebook = nbformat.read(path, as_version=4)
        if path in chapters:
            execute(notebook, path.parent)
        if path.read_text(encoding="utf-8") != canonical(notebook):
            path.write_text(canonical(notebook), encoding="utf-8", newline="\n")
            print(f"wrote {path.relative_to(BOOK.parent)}")


if __name__ == "__main__":
    main(sys.argv[1:])
