"""The built book, for the checks that read its pages."""

import pytest
from chapters import HTML, built_or_skip


@pytest.fixture(scope="session")
def built():
    """Return the folder of the built pages."""
    return built_or_skip(HTML)
