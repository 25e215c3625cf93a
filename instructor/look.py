"""What a person should look at in submissions: words that answers seldom need, and what is the same in two of them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

from instructor.examiner import code_cells
from instructor.limits import Limits

WORDS = ("gc", "ctypes", "inspect", "_getframe", "__closure__", "__defaults__", "__eq__", "/proc")
SHORT = 80  # tokens: answers of fewer, one or all of a notebook, may well be the same by chance, and often are
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def looks(files: dict[str, tuple[Path, str]], answers: dict[str, str], limits: Limits) -> dict[str, str]:
    """Return what to look at in each file, given its path and SHA-256, and the question to each answer's name."""
    found: dict[str, list[str]] = {name: [] for name in files}
    same: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, (path, digest) in files.items():
        try:
            cells = code_cells(path, limits)
        except ValueError:
            cells = []
        words = _words([token for cell in cells for token in _tokens(cell)])
        found[name] += [f"uses {', '.join(words)}"] if words else []
        if digest:  # a link and a pipe have none
            same["the same file", digest].append(name)
        own = _answers(cells, answers)
        together = (
            {"all answers": [token for question in sorted(own) for token in own[question]]} if len(own) > 1 else {}
        )
        for what, tokens in (own | together).items():
            if len(tokens) >= SHORT:
                same[what, *tokens].append(name)
    for (what, *_), names in same.items():
        for name in names if len(names) > 1 else []:
            others = [other for other in names if other != name]
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            found[name].append(f"{what} as in {others[0]}{more}")
    return {name: "; ".join(parts) for name, parts in found.items()}


def _tokens(code: str) -> list[str]:
    """Return names, numbers, texts and signs of a cell, without comments and layout."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return re.findall(r"\w+|[^\w\s]+", code)
    return [token.string for token in tokens if token.type not in LAYOUT]


def _words(tokens: list[str]) -> list[str]:
    """Return the words that are there as names, or in texts, from which names can be made."""
    text = "\n".join(tokens)
    return [word for word in WORDS if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)]


def _answers(cells: list[str], answers: dict[str, str]) -> dict[str, list[str]]:
    """Return the tokens of each answer that does something, without its docstring, by question; the last counts."""
    found = {}
    for cell in cells:
        try:
            functions = [node for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef)]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for function in functions:
            if function.name in answers:
                tokens = _tokens(ast.get_source_segment(cell, function) or "")
                docstring = function.body[0]
                if isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant):
                    tokens.remove(ast.get_source_segment(cell, docstring) or "")
                found[answers[function.name]] = tokens if tokens[-1] not in ("...", "pass", ":") else []
    return {question: tokens for question, tokens in found.items() if tokens}
