"""The built book, for the checks that read its pages."""

import os

import pytest
from chapters import HTML

MUST_BE_BUILT = bool(os.environ.get("REQUIRE_BROWSER") or os.environ.get("CI"))


@pytest.fixture(scope="session")
def built():
    """Return the folder of the built pages; on a machine that checks everything they must be there."""
    if not HTML.exists():
        (pytest.fail if MUST_BE_BUILT else pytest.skip)("there is no _build/html: run `make book` first")
    return HTML
