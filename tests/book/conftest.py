"""The built book, for the checks that read its pages; and the modules beside the chapters, for those that run cells."""

import sys

import pytest
from chapters import HTML, ROOT, built_or_skip

sys.path.append(str(ROOT / "book"))


@pytest.fixture(scope="session")
def built():
    """Return the folder of the built pages."""
    return built_or_skip(HTML)
