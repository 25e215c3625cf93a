"""The solutions that a chapter prints on its own page are run: each python block in a `solution` directive."""

import pytest
from chapters import CHAPTERS, Directive, blocks, directives, read, text_of

SOLUTIONS = [
    (f"{chapter}: {directive.title}", block.body)
    for chapter in CHAPTERS
    for directive in directives(text_of(read(chapter)))
    if directive.name == "solution"
    for block in blocks(directive.body)
    if isinstance(block, Directive) and block.title == "python"
]


def checks(code):
    """Run a solution and return how many assertions it makes."""
    exec(compile(code, "solution", "exec"), {})
    return code.count("assert ")


@pytest.mark.parametrize("code", [code for _, code in SOLUTIONS], ids=[name for name, _ in SOLUTIONS])
def test_solution_runs(code):
    """It runs by itself, and asserts what the exercise asks for."""
    assert checks(code)


def test_every_plain_exercise_has_one():
    """Two chapters keep their exercises on the page, with three solutions in code each."""
    assert len(SOLUTIONS) >= 6


def test_a_wrong_solution_is_noticed():
    """One whose assertion fails."""
    with pytest.raises(AssertionError):
        checks("assert 1 + 1 == 3")
