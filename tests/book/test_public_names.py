"""Every public name has a runnable example and says what each argument is. The examples run with the library."""

import inspect
import re

import pytest

import leaderboard_edu

# functions and classes
DOCUMENTED = {name: value for name in leaderboard_edu.__all__ if callable(value := getattr(leaderboard_edu, name))}


def docstring_faults(item):
    """Return what a user of a public function or class would look for in its docstring and not find."""
    text = inspect.getdoc(item) or ""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", text, flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    described = sections.get("Parameters", "") + sections.get("Attributes", "")
    faults = [] if ">>> " in sections.get("Examples", "") else ["no example that runs"]
    return faults + [
        f"the argument {name} is not described"
        for name in inspect.signature(item).parameters
        if not re.search(rf"^(?! )[\w, *]*\b{name}\b[\w, ]*( :|$)", described, flags=re.M)
    ]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_public_name_is_documented(name):
    """What `help` shows is enough to call it."""
    assert docstring_faults(DOCUMENTED[name]) == []


def test_planted_docstring_is_found():
    """One without an example, of another argument."""

    def poor(n):
        """Return n.

        Parameters
        ----------
        m : int
            A number.
        """
        return n

    assert docstring_faults(poor) == ["no example that runs", "the argument n is not described"]
