"""The whole book as one PDF: Chromium prints the built pages, pypdf joins them.

Every page of `_toc.yml` is printed in order, then the answers and solutions, which the pages fold away. The front, with
title and contents, is printed last, when the page numbers are known; its pages have roman numbers. Links between pages
of the book are made to lead to the place in the PDF.
"""

from __future__ import annotations

import html
import io
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

from playwright.sync_api import Route, ViewportSize, sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle
from pypdf.generic import ArrayObject, BooleanObject, Destination, DictionaryObject, Fit, NameObject, TextStringObject

from tools.contents import Entry

SITE = "http://book.invalid/"  # an address of our own: every request is answered from the folder of the built pages
CHROMIUM = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
FOLDED = "article details.sd-dropdown"
ANSWERS = Entry("book/answers", "", 0)
FRONT = Entry("front", "", 0)
PAPER: ViewportSize = {"width": 665, "height": 960}  # what the margins leave of A4, in CSS pixels

# Waits until the page is ready, leaves a link where an answer was folded away, shrinks what is wider than the paper,
# and lets long code go on on the next page. At last it links to every place of the page, since Chromium gives names to
# the places that links of the same page lead to.
PREPARE = """async answers => {
  const article = document.querySelector('article');
  if (article.querySelector('.math:not(:has(math))'))
    throw new Error('the formulas were not typeset');
  const images = [...article.querySelectorAll('img')];
  for (const image of images) image.loading = 'eager';
  await Promise.all(images.map(image => image.decode()));
  await document.fonts.ready;
  const title = heading => {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll('.headerlink, annotation').forEach(other => other.remove());
    return copy.textContent.trim();
  };
  const headings = [...article.querySelectorAll('h1, h2')].map(
    heading => [heading.closest('[id]').id, title(heading)]);
  document.querySelectorAll('FOLDED').forEach((folded, number) => {
    const link = Object.assign(document.createElement('a'), {href: answers + (number + 1)});
    link.textContent = folded.querySelector('.sd-summary-text').textContent + ': at the end of the book';
    const line = document.createElement('p');
    line.append(link);
    folded.replaceWith(line);
  });
  article.querySelectorAll('.interactive-figure details').forEach(table => table.open = true);
  for (const wide of article.querySelectorAll('div.math, table')) {
    const room = wide.parentElement.clientWidth, needed = wide.scrollWidth;
    if (needed > room) wide.style.fontSize = Math.floor(100 * room / needed) + '%';
  }
  for (const code of article.querySelectorAll('pre')) if (code.offsetHeight > 400)
    for (let box = code; box !== article; box = box.parentElement)
      box.style.setProperty('break-inside', 'auto', 'important');
  for (const place of article.querySelectorAll('[id]')) {
    const link = Object.assign(document.createElement('a'), {href: '#' + place.id});
    link.style.display = 'none';
    document.body.append(link);
  }
  const edge = document.documentElement.clientWidth + 1;
  const wide = [...article.querySelectorAll('table, pre, img, math, svg')].filter(
    element => element.getBoundingClientRect().right > edge || element.scrollWidth > edge);
  return [headings, wide.map(element => element.tagName.toLowerCase() + ' ' + element.textContent.trim().slice(0, 40))];
}""".replace("FOLDED", FOLDED)

FRONT_STYLE = """
@page { size: A4; margin: 22mm 22mm 20mm; }
@page { @bottom-center { content: counter(page, lower-roman); font: 9pt sans-serif; } }
@page :first { @bottom-center { content: none; } }
body { font: 10pt/1.45 sans-serif; margin: 0; }
header { break-after: page; padding-top: 70mm; text-align: center; }
header p { margin: 4mm 15mm; }
h1 { font-size: 30pt; }
h3 { break-after: avoid; margin: 5mm 0 1mm; }
a { break-inside: avoid; color: inherit; display: flex; justify-content: space-between; text-decoration: none; }
.chapter { break-after: avoid; font-weight: 600; margin-top: 1.5mm; }
.section { font-size: 9pt; padding-left: 6mm; }
"""

# Gathers what the pages fold away on one page, with its links and pictures.
GATHER = """async paths => {
  const article = document.querySelector('article');
  article.innerHTML = '<section id="answers"><h1>Answers and solutions</h1></section>';
  const heading = (kind, text, link) => {
    const line = document.createElement(kind), words = document.createElement('a');
    words.textContent = text;
    words.href = link;
    line.append(words);
    return line;
  };
  for (const path of paths) {
    const address = new URL(path, 'SITE');
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
    page.querySelectorAll('.headerlink').forEach(link => link.remove());
    for (const name of ['href', 'src'])
      for (const element of page.querySelectorAll(`article [${name}]`))
        element.setAttribute(name, new URL(element.getAttribute(name), address));
    const chapter = document.createElement('section');
    chapter.id = path;
    chapter.append(heading('h2', page.querySelector('article h1').textContent, address));
    page.querySelectorAll('FOLDED').forEach((folded, number) => {
      const question = folded.closest('section'), answer = document.createElement('div');
      const title = question.querySelector('h1, h2, h3').textContent, all = [...question.querySelectorAll('FOLDED')];
      const label = folded.querySelector('.sd-summary-text').textContent.toLowerCase();
      answer.id = path + '-' + (number + 1);
      const which = all.length > 1 ? ` ${all.indexOf(folded) + 1}` : '';
      answer.append(heading('h4', `${title}: ${label}${which}`, address + '#' + question.id));
      answer.append(...folded.querySelector('.sd-summary-content').childNodes);
      chapter.append(answer);
    });
    if (chapter.childElementCount > 1) article.firstChild.append(chapter);
  }
}""".replace("FOLDED", FOLDED).replace("SITE", SITE)


@dataclass
class Sheet:
    """A printed page of the book: its title, its sections (place, title), its pages and the number of the first."""

    entry: Entry
    title: str
    sections: list[tuple[str, str]]
    pdf: PdfReader
    first: int
    wide: list[str]  # what does not fit the paper


Printed = tuple[list[list[str]], list[str], PdfReader]


@contextmanager
def press(book: Path, made: dict[str, str]) -> Iterator[Callable[..., Printed]]:
    """Give a function that prints a page: from its address and styles to its headings, what is too wide, and PDF."""

    def answer(route: Route) -> None:
        url = urlsplit(route.request.url)
        path, file = url.path.lstrip("/"), book / unquote(url.path).lstrip("/")
        if url.hostname != urlsplit(SITE).hostname:
            route.abort()
        elif path in made:
            route.fulfill(body=made[path], content_type="text/html; charset=utf-8")
        elif file.is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404)

    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if executable is None:
        raise FileNotFoundError(f"the PDF needs a Chromium; none of {', '.join(CHROMIUM)} is on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        page = browser.new_page(color_scheme="light", viewport=PAPER)
        page.route("**/*", answer)
        page.emulate_media(media="print")

        def print_page(path: str, css: str, folded: list[str] | None = None) -> Printed:
            page.goto(SITE + path)
            page.add_style_tag(content=css)
            if folded:
                page.evaluate(GATHER, folded)
            headings, wide = page.evaluate(PREPARE, f"{SITE}{ANSWERS.path}#{path}-")
            pdf = page.pdf(prefer_css_page_size=True, print_background=True)
            return headings, wide, PdfReader(io.BytesIO(pdf))

        yield print_page
        browser.close()


def places(sheet: Sheet) -> dict[str, tuple[int, float, float]]:
    """Return the named places of a printed page: page of the sheet, left and top; its beginning has the name ""."""
    references = [page.indirect_reference for page in sheet.pdf.pages]
    pages = {reference.idnum: index for index, reference in enumerate(references) if reference}
    named: dict[str, tuple[int, float, float]] = {"": (0, 0.0, float(sheet.pdf.pages[0].mediabox.top))}
    for name, place in sheet.pdf.named_destinations.items():
        page, left, top = place.page, place.left, place.top
        if page is None or left is None or top is None:
            raise ValueError(f"{sheet.entry.path}: no place on paper has the name {name}")
        named[unquote(name).lstrip("/")] = (pages[page.idnum], float(left), float(top))
    return named


def front(sheets: list[Sheet], *, title: str, author: str, note: str) -> str:
    """Return the title page and the contents, with page numbers that are links."""
    rows, part = [], ""
    for sheet in sheets:
        named = places(sheet)
        if sheet.entry.part != part:
            part = sheet.entry.part
            rows.append(f"<h3>{html.escape(part)}</h3>" if part else "<br>")
        lines = [("", sheet.title)] + (sheet.sections if sheet.entry.depth == 0 else [])
        for place, text in lines:
            kind = "section" if place or sheet.entry.depth else "chapter"
            number = sheet.first + named[place][0]
            link = f"{SITE}{sheet.entry.path}{'#' if place else ''}{place}"
            rows.append(f"<a class={kind} href='{link}'><span>{html.escape(text)}</span><span>{number}</span></a>")
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>
        <article id="title"><header><h1>{html.escape(title)}</h1><p>{html.escape(author)}</p>{note}</header>
        <section id="contents"><h2>Contents</h2>{"".join(rows)}</section></article></html>"""


def print_book(book: Path, pages: list[Entry], *, title: str, author: str, note: str) -> list[Sheet]:
    """Print the front, these pages of the book and their answers, in the order of reading."""
    beside = [book / page.path for page in pages if Path(page.page).parent == Path(ANSWERS.page).parent]
    made = {ANSWERS.path: beside[0].read_text()}  # the frame in which the answers are gathered
    sheets: list[Sheet] = []
    first = 1
    with press(book, made) as print_page:
        for entry in [*pages, ANSWERS]:
            folded = [page.path for page in pages] if entry == ANSWERS else None
            headings, wide, pdf = print_page(entry.path, f"html {{ counter-set: page {first - 1}; }}", folded)
            (_, heading), *sections = headings
            sheets.append(Sheet(entry, heading, [(place, text) for place, text in sections], pdf, first, wide))
            first += len(pdf.pages)
        made[FRONT.path] = front(sheets, title=title, author=author, note=note)
        _, wide, pdf = print_page(FRONT.path, FRONT_STYLE)
    return [Sheet(FRONT, "Contents", [], pdf, 0, wide), *sheets]


def link_within(page: DictionaryObject, path: str, where: dict[tuple[str, str], ArrayObject]) -> None:
    """Make the links of a page that lead to pages of the book lead into the PDF; what the PDF lacks is no link."""
    kept = ArrayObject()
    for reference in page.get("/Annots", ArrayObject()):
        link = reference.get_object()
        target = link.get("/A", {}).get("/URI")
        if "/Dest" in link:
            target = f"{SITE}{path}#{str(link['/Dest']).lstrip('/')}"
        if target and target.startswith(SITE):
            address, place = urldefrag(target.removeprefix(SITE))
            found = where.get((address, unquote(place)))
            if found is None:
                continue
            link.pop("/A", None)
            link[NameObject("/Dest")] = found
        kept.append(reference)
    page[NameObject("/Annots")] = kept


def join(sheets: list[Sheet], *, title: str, author: str, made: datetime) -> PdfWriter:
    """Return the printed pages as one document with links, bookmarks, page labels and metadata."""
    writer = PdfWriter()
    where: dict[tuple[str, str], ArrayObject] = {}
    begins = []
    for sheet in sheets:
        begins.append(len(writer.pages))
        added = [writer.add_page(page) for page in sheet.pdf.pages]
        for place, (index, left, top) in places(sheet).items():
            page = added[index].indirect_reference
            assert page is not None  # a page of a document has one
            goal = Destination(place, page, Fit.xyz(left=left, top=top))
            where[sheet.entry.path, place] = goal.dest_array
    for sheet, begin in zip(sheets, begins, strict=True):
        for printed in writer.pages[begin : begin + len(sheet.pdf.pages)]:
            link_within(printed, sheet.entry.path, where)
    bookmark(writer, sheets, begins)
    front_pages = begins[1]
    writer.set_page_label(0, front_pages - 1, style=PageLabelStyle.LOWERCASE_ROMAN)
    writer.set_page_label(front_pages, len(writer.pages) - 1, style=PageLabelStyle.DECIMAL, start=1)
    date = made.strftime("D:%Y%m%d%H%M%SZ")
    writer.metadata = {"/Title": title, "/Author": author, "/CreationDate": date, "/ModDate": date}
    writer.root_object[NameObject("/Lang")] = TextStringObject("en")
    writer.page_mode = "/UseOutlines"
    writer.create_viewer_preferences()[NameObject("/DisplayDocTitle")] = BooleanObject(True)
    writer.compress_identical_objects()
    return writer


def bookmark(writer: PdfWriter, sheets: list[Sheet], begins: list[int]) -> None:
    """Write the bookmarks: parts, in them chapters, in those sections and exercises."""
    above: list[Any] = [None, None]  # the part and the chapter that hold what comes next
    part = ""
    for sheet, begin in zip(sheets, begins, strict=True):
        if sheet.entry.part != part:
            part = sheet.entry.part
            above[0] = writer.add_outline_item(title=part, page_number=begin) if part else None
        page = writer.add_outline_item(title=sheet.title, page_number=begin, parent=above[min(sheet.entry.depth, 1)])
        if sheet.entry.depth == 0:
            above[1] = page
        named = places(sheet)
        for place, title in sheet.sections:
            index, left, top = named[place]
            writer.add_outline_item(
                title=title, page_number=begin + index, parent=page, fit=Fit.xyz(left=left, top=top)
            )


def write_pdf(
    book: Path, target: Path, pages: list[Entry], *, title: str, author: str, note: str, made: datetime
) -> None:
    """Print built pages from a folder and write them as one PDF; `note` is HTML for the title page."""
    sheets = print_book(book, pages, title=title, author=author, note=note)
    for sheet in sheets:
        for what in sheet.wide:
            print(f"{sheet.entry.path}: wider than the paper: {what}", file=sys.stderr)
    join(sheets, title=title, author=author, made=made).write(target)
