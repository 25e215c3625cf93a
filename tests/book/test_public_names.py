"""Every public name says where it comes from and shows how it is used; the examples run with the library's tests."""

import inspect
import re

import pytest
from chapters import CHAPTERS, cells, read

import leaderboard_edu

DOCUMENTED = {
    name: value for name in leaderboard_edu.__all__ if callable(value := getattr(leaderboard_edu, name))
}  # functions and classes


def docstring_sections(item):
    """Return the text of each numpydoc section of a docstring, by its heading."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", inspect.getdoc(item) or "", flags=re.M)
    return {heading: text.strip() for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


def docstring_faults(item):
    """Return what the docstring of a public function or class lacks."""
    sections = docstring_sections(item)
    signature = inspect.signature(item)
    needed = ["References", "Examples"]
    arguments = sections.get("Parameters", "")
    if inspect.isclass(item):
        arguments += sections.get("Attributes", "")
    elif signature.parameters:
        needed += ["Parameters", "Returns", "Raises"]
    faults = [f"no section {name}" for name in needed if not sections.get(name)]
    if ">>> " not in sections.get("Examples", ""):
        faults.append("no example that runs")
    undescribed = [
        name for name in signature.parameters if not re.search(rf"^[\w, *]*\b{name}\b[\w, ]* :", arguments, re.M)
    ]
    return faults + [f"the argument {name} is not described" for name in undescribed]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_public_name_is_documented(name):
    """A source, a runnable example, and every argument described."""
    assert docstring_faults(DOCUMENTED[name]) == []


@pytest.mark.parametrize("name", [name for name, value in DOCUMENTED.items() if inspect.isfunction(value)])
def test_public_function_is_used_in_a_chapter(name):
    """The library holds what the book needs; classes that only come back from a call need not be named."""
    code = [cell.source for chapter in CHAPTERS for cell in cells(read(chapter), "code")]
    assert any(re.search(rf"\ble\.{name}\b", source) for source in code)


def good(n: int) -> int:
    """Return n.

    Parameters
    ----------
    n : int
        A number.

    Returns
    -------
    int
        The same.

    Raises
    ------
    ValueError
        Never.

    References
    ----------
    A paper, section 1.

    Examples
    --------
    >>> good(1)
    1
    """
    return n


def test_good_docstring_passes():
    """The check knows a complete docstring."""
    assert docstring_faults(good) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("References\n----------", ""),
        ("A paper, section 1.", ""),
        ("Examples\n--------", ""),
        (">>> good(1)", "good(1)"),
        ("Parameters\n----------", ""),
        ("Returns\n-------", ""),
        ("Raises\n------", ""),
        ("n : int", "m : int"),
    ],
)
def test_planted_docstring_is_found(old, new):
    """Each of these lacks something."""

    def poor(n: int) -> int:
        return n

    whole = inspect.getdoc(good)
    assert old in whole
    poor.__doc__ = whole.replace(old, new)
    assert docstring_faults(poor)


def test_no_docstring_is_found():
    """Nor is silence complete."""
    assert docstring_faults(lambda n: n)
