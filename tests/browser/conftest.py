"""A browser, and the built book served on localhost. Without either the tests are skipped, unless REQUIRE_BROWSER."""

import os
import shutil
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

HTML = Path(__file__).parents[2] / "_build" / "html"
NAMES = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


def missing(what):
    """Skip for want of something, or fail where everything must be there."""
    (pytest.fail if os.environ.get("REQUIRE_BROWSER") else pytest.skip)(what)


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


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line in the log for each, and the icon that a browser asks for unasked."""

    def do_GET(self):
        """Answer with a file, or with nothing where a browser looks for an icon."""
        if self.path != "/favicon.ico":
            return super().do_GET()
        self.send_response(204)
        return self.end_headers()

    def log_message(self, *args):
        """Say nothing."""


@contextmanager
def serve(folder):
    """Serve a folder on a free port of localhost and give its address."""
    server = ThreadingHTTPServer(("localhost", 0), partial(QuietHandler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


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
