"""What the browser checks share: the pages, a server, and a visit that notes what a page says and fetches."""

import os
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tools import contents

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"

CHAPTERS = contents.chapters()
FIGURED = ["book/index", *CHAPTERS]  # the pages with interactive figures
# The theme keeps templates in _static, JupyterLite has tests of its own, and the first page only leads to the book.
BUILT = [path.relative_to(HTML) for path in HTML.rglob("*.html")]
PAGES = sorted(
    {*contents.pages()}
    | {path.with_suffix("").as_posix() for path in BUILT if path.parts[0] not in {"_static", "lite"}}
)
PAGES = [page for page in PAGES if page != "index"]

SMALL, LARGE = {"width": 360, "height": 800}, {"width": 1280, "height": 800}


def missing(what):
    """Skip for want of something, or fail where everything must be there."""
    (pytest.fail if os.environ.get("REQUIRE_BROWSER") else pytest.skip)(what)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line in the log for each."""

    def log_message(self, *args):
        """Say nothing."""


@contextmanager
def serve(folder, handler=QuietHandler):
    """Serve a folder on a free port of localhost and give its address."""
    server = ThreadingHTTPServer(("localhost", 0), partial(handler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def visit(context, url, home, lands=None, size=None):
    """Open a page; give it and the list of its faults, which grows while the page is used.

    Everything that it asks for must be data or lie under `home`. A page that leads on leads to `lands`. The window has
    the size of the context, unless another is given.
    """
    faults = []
    page = context.pages[0] if context.pages else context.new_page()  # a new tab compiles all scripts anew
    usual = page.viewport_size
    if size:
        page.set_viewport_size(size)
    told = {
        "console": lambda message: message.type == "error" and faults.append(f"console: {message.text}"),
        "pageerror": lambda error: faults.append(f"error: {error}"),
        "requestfailed": lambda request: faults.append(f"failed: {request.url}"),
        "response": lambda response: response.status >= 400 and faults.append(f"{response.status}: {response.url}"),
        "request": lambda request: leaves(request.url, home) and faults.append(f"leaves the site: {request.url}"),
        "websocket": lambda socket: faults.append(f"leaves the site: {socket.url}"),
    }
    for event, note in told.items():
        page.on(event, note)
    try:
        page.goto(url)
        page.wait_for_url(lands or url)
        page.evaluate(READY)
        yield page, faults
        page.evaluate("try { localStorage.clear() } catch {}")  # such as the colours that the reader chose
    finally:
        for event, note in told.items():
            page.remove_listener(event, note)
        page.goto("about:blank")  # whatever is under way ends
        page.set_viewport_size(usual)
        page.emulate_media(color_scheme="null")


def leaves(url, home):
    """Say whether a request goes to another place than the site."""
    return not url.startswith((f"{home}/", "data:", "blob:", "about:"))


# The fonts of text, formulas and icons are there.
READY = "async () => { await document.fonts.ready; }"


def layout_faults(page):
    """Return what is wider than the screen, a formula that is none or a tab stop, what has no font, or no picture."""
    width = page.viewport_size["width"]
    return [f"at {width} px: {fault}" for fault in page.evaluate(LAYOUT_FAULTS)]


LAYOUT_FAULTS = """() => {
  const faults = [];
  const {scrollWidth, clientWidth} = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} wide`);
  for (const formula of document.querySelectorAll(".math"))
    if (!formula.querySelector("math") || formula.querySelector("merror"))
      faults.push(`not typeset: ${formula.textContent}`);
    else if (formula.tabIndex >= 0 && formula.scrollWidth <= formula.clientWidth)
      faults.push(`a tab stop: ${formula.textContent}`);
  const fonts = [...document.fonts];
  for (const font of fonts)
    if (font.status === "error") faults.push(`no font: ${font.family}`);
  if (document.querySelector(".math > math") && !fonts.some((f) => f.family === "Formulas" && f.status === "loaded"))
    faults.push("no font for formulas is loaded");
  for (const picture of document.querySelectorAll("article img"))
    if (!picture.naturalWidth) faults.push(`no picture: ${picture.src.slice(0, 80)}`);
  return faults;
}"""
