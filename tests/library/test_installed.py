"""The wheel in a bare environment: what it brings is enough, or the message says which extra brings the rest."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from tools.lite import build_wheel

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# What fails, with its message, when the examples of all public names run, each name by itself.
RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import doctest, json
import leaderboard_edu as le
assert le.__file__.startswith(sys.argv[1])
assert "scipy" not in sys.modules and "mpmath" not in sys.modules
failed = {}
class Runner(doctest.DocTestRunner):
    def report_failure(self, out, test, example, got):
        failed.setdefault(test.name, got)
    def report_unexpected_exception(self, out, test, example, exception):
        failed.setdefault(test.name, str(exception[1]))
examples = 0
for name in le.__all__:
    value = getattr(le, name)
    if isinstance(value, dict):
        continue
    space = dict(vars(sys.modules[value.__module__]))
    for test in doctest.DocTestFinder(recurse=False).find(value, name, globs=space):
        examples += 1
        Runner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False).run(test, out=lambda text: None)
print(json.dumps([examples, failed]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel of the library."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def run(wheel, folder, requirements):
    """Run all examples of an installation in a folder that holds these packages only, and Python's own."""
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    for requirement in map(Requirement, requirements):
        files = distribution(requirement.name).files
        for top in {file.parts[0] for file in files if ".." not in file.parts} - {"__pycache__"}:
            (folder / top).symlink_to(distribution(requirement.name).locate_file(top))
    command = [sys.executable, "-I", "-S", "-c", RUN, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# Which extra each of the others needs; the last three are given a figure or a chart, which their
# examples make themselves.
NEED = {
    "diabetes_products": "data",
    "last_jump": "studies",
    "replicate": "studies",
    "simulate_leaderboard_error": "studies",
    "submission_budget": "studies",
    "show_source": "figures",
    "static_figure": "figures",
    "use_style": "figures",
}
GIVEN_A_FIGURE = {"draw_band": "matplotlib", "InteractiveFigure": "altair", "interactive_figure": "altair"}


def test_every_public_name_works_or_says_what_to_install(wheel, tmp_path):
    """All bounds and mechanisms run with what `pip install leaderboard-edu` brings."""
    examples, failed = run(wheel, tmp_path, PROJECT["dependencies"])
    assert examples > 60
    assert [failed.pop(name) for name in GIVEN_A_FIGURE] == [f"No module named '{m}'" for m in GIVEN_A_FIGURE.values()]
    asked = {
        name: re.search(r"comes with: pip install 'leaderboard-edu\[(\w+)\]'$", said) for name, said in failed.items()
    }
    assert {name: found and found[1] for name, found in asked.items()} == NEED


def test_the_extras_are_named_in_the_readme():
    """Each with what it adds."""
    text = (ROOT / "README.md").read_text()
    assert [extra for extra in PROJECT["optional-dependencies"] if f"`[{extra}]`" not in text] == []
