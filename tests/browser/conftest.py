"""A browser, and the built book served on localhost. Without either the tests are skipped, unless REQUIRE_BROWSER."""

import shutil

import pytest
from visits import HTML, missing, serve

NAMES = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="session")
def chromium():
    """Return a running Chromium."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        missing(f"no browser: none of {', '.join(NAMES)} is on the path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site():
    """Return the address of the built book."""
    if not (HTML / "index.html").exists():
        missing("there is no _build/html: run `make book` first")
    with serve(HTML) as address:
        yield address


@pytest.fixture
def small_site(tmp_path):
    """Return an empty folder and its address."""
    with serve(tmp_path) as address:
        yield tmp_path, address


@pytest.fixture(scope="session")
def disk():
    """Return the address of the built book as a folder."""
    if not (HTML / "index.html").exists():
        missing("there is no _build/html: run `make book` first")
    return HTML.as_uri()
