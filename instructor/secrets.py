"""Find in a file for readers what only teachers should see."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from instructor.sources import Cell, ExerciseSet

SHORTEST = 10  # characters without spaces; shorter lines, such as `return total`, say nothing


def hidden_lines(test: str) -> set[str]:
    """Return the lines of the hidden tests in a file of tests as otter writes it, without those of visible ones."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for node in ast.parse(test).body:
        if isinstance(node, ast.FunctionDef):
            hidden = any("hidden=True" in ast.unparse(decorator) for decorator in node.decorator_list)
            texts = (ast.get_source_segment(test, node) or "", ast.unparse(node))
            found[hidden] |= {squeeze(line) for line in _lines(texts)}
    return found[True] - found[False]


def given_away(exercises: ExerciseSet, path: Path, text: str) -> list[str]:
    """Return the lines of a file in `pages` or `student` that its readers should not see.

    A page may show solutions, folded away; a student's file may not. Nothing may show a hidden test or a
    wrong answer. A line that readers get to see anyway, such as the first line of a function, is no secret.
    """
    page = path.parts[0] == "pages"
    public, solutions, secrets = _sort(exercises)
    known = squeeze("\n".join(public + (solutions if page else [])))
    lines = _lines(secrets + ([] if page else solutions))
    shown = squeeze("\n".join(_strings(json.loads(text))) if path.suffix == ".ipynb" else text)
    found = sorted(line for line in lines if squeeze(line) in shown and squeeze(line) not in known)
    return found + (["hidden=True"] if "hidden=True" in shown else [])


def _sort(exercises: ExerciseSet) -> tuple[list[str], list[str], list[str]]:
    """Return what everybody may see, the solutions, and what stays with the teacher."""
    public = [cell.source for cell in exercises.opening]
    solutions, secrets = [], []
    for question in exercises.questions:
        public += _sources(question.text + question.visible)
        for cell in question.answer:
            before, after, solution = _split(cell)
            public += [before, after]
            solutions.append(solution)
        solutions += _sources(question.words)
        secrets += _sources(question.hidden + question.wrong)
    return public, solutions, secrets


def _sources(cells: Iterable[Cell]) -> list[str]:
    """Return the text of cells; of code also as otter writes it, parsed and put together again."""
    texts = []
    for cell in cells:
        texts.append(cell.source)
        if cell.cell_type == "code":
            texts.append(ast.unparse(ast.parse(cell.source)))
    return texts


def _split(cell: Cell) -> tuple[str, str, str]:
    """Return what an answer cell shows before its solution and after it, and the solution: all, if unmarked."""
    before, marker, rest = cell.source.partition("# BEGIN SOLUTION NO PROMPT\n")
    if not marker:
        return "", "", cell.source
    solution, _, after = rest.partition("# END SOLUTION")
    return before, after, solution


def _lines(texts: Iterable[str]) -> set[str]:
    """Return the lines worth looking for."""
    lines = {line.strip() for text in texts for line in text.splitlines()}
    return {line for line in lines if len(squeeze(line)) >= SHORTEST}


def squeeze(text: str) -> str:
    """Return a text without spaces and with one kind of quote, so that layout does not matter."""
    return re.sub(r"\s+", "", text).replace('"', "'")


def _strings(value: Any) -> list[str]:
    """Return all strings inside a parsed JSON file."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return (
            ["".join(value)]
            if all(isinstance(item, str) for item in value)
            else [s for v in value for s in _strings(v)]
        )
    if isinstance(value, dict):
        return [string for item in value.values() for string in _strings(item)]
    return []
