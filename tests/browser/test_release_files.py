"""The files of a release: the PDF leads everywhere it says, the archive and the wheel are whole, the checksums agree.

They are made once, as `make release` does, but with a few pages in the PDF; `make nightly` prints the whole book.
"""

import hashlib
import html
import json
import os
import re
import subprocess
import sys
import tomllib
import unicodedata
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import DictionaryObject, Fit, NameObject
from visits import HTML, missing

from tools import contents, pdf, release

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
FEW = ["book/index", "book/ladder", "book/exercises/pages/ladder", "book/notation", "book/glossary"]
PAGES = {
    "few pages": [entry for entry in contents.entries() if entry.page in FEW],
    "the whole book": contents.entries(),
}
MAKE = """
import sys
from pathlib import Path
from tools import contents, release
release.main(Path(sys.argv[1]), [entry for entry in contents.entries() if entry.path in sys.argv[2:]])
"""
DRAWN = re.compile(rb"\bT[jJ]\b|\bDo\b")  # shows text, or a picture


@pytest.fixture(scope="module", params=["few pages", pytest.param("the whole book", marks=pytest.mark.nightly)])
def pages(request):
    """Return the pages that are printed."""
    return PAGES[request.param]


@pytest.fixture(scope="module")
def run(pages, tmp_path_factory):
    """Make the files in a folder of their own; return it and what the command said."""
    if not (HTML / "index.html").exists():
        missing("there is no _build/html: run `make book` first")
    if not any(map(pdf.shutil.which, pdf.CHROMIUM)):
        missing(f"no browser to print with: none of {', '.join(pdf.CHROMIUM)} is on the path")
    folder = tmp_path_factory.mktemp("release") / "dist"
    # A process of its own: playwright's other browser tests may run in this one.
    command = [sys.executable, "-c", MAKE, str(folder), *(entry.path for entry in pages)]
    return folder, subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)


@pytest.fixture(scope="module")
def book(run):
    """Return the PDF."""
    return PdfReader(run[0] / f"reliable-leaderboards-{VERSION}.pdf")


def plain(text):
    """Return a text without spaces, which printing moves, and without ligatures."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def shown(reader, page):
    """Return the text of a page, which takes a while, so it is kept."""
    texts = reader.__dict__.setdefault("texts", {})
    if page not in texts:
        texts[page] = reader.pages[page].extract_text()
    return texts[page]


def title_on_page(path):
    """Return the title of a built page."""
    heading = re.search(r"<h1>(.*)<a class=\"headerlink\"", (HTML / path).read_text())[1]
    return html.unescape(re.sub(r"<[^>]+>", "", heading))


def bookmarks(reader, outline=None, depth=0):
    """Yield (depth, title, page) for every bookmark."""
    for item in reader.outline if outline is None else outline:
        if isinstance(item, list):
            yield from bookmarks(reader, item, depth + 1)
        else:
            yield depth, item.title, reader.get_destination_page_number(item)


def order_faults(reader, titles):
    """Say which titles are missing among the bookmarks, in this order, or are not what stands on their page."""
    faults, found = [], iter(list(bookmarks(reader)))
    for title in titles:
        page = next((page for _, name, page in found if plain(name) == plain(title)), None)
        if page is None:
            faults.append(f"{title}: no bookmark, or not in order")
            found = iter(list(bookmarks(reader)))
        elif plain(title) not in plain(shown(reader, page)):
            faults.append(f"{title}: not on the page of its bookmark")
    return faults


def contents_faults(reader, parts):
    """Say which bookmarks, parts and what lies deeper than sections apart, the contents do not list with their page."""
    labels = reader.page_labels
    contents = plain("".join(shown(reader, page) for page in range(len(labels)) if not labels[page].isdigit()))
    faults, position = [], 0
    for depth, title, page in bookmarks(reader):
        if depth > 2 or (depth == 0 and title in parts) or not labels[page].isdigit():
            continue
        found = contents.find(plain(title) + labels[page], position)
        if found < 0:
            faults.append(f"{title}: not in the contents, in order and on page {labels[page]}")
        else:
            position = found + len(plain(title) + labels[page])
        if depth < 2 and labels[page] not in shown(reader, page).split("\n"):
            faults.append(f"{title}: its page does not show the number {labels[page]}")
    return faults


def links(reader):
    """Yield (page, link) for every link."""
    for number, page in enumerate(reader.pages):
        for annotation in page.get("/Annots", []):
            yield number, annotation.get_object()


def goal(reader, link):
    """Return the number of the page a link leads to, None for a link to elsewhere and -1 for nowhere."""
    if "/Dest" not in link:
        return None
    pages = {page.indirect_reference.idnum: number for number, page in enumerate(reader.pages)}
    place = link["/Dest"]
    return pages.get(place[0].idnum, -1) if isinstance(place, list) else -1


def link_faults(reader):
    """Say which links lead nowhere, or to the machine that made the file."""
    faults = []
    for page, link in links(reader):
        target = str(link.get("/A", {}).get("/URI", ""))
        if goal(reader, link) == -1:
            faults.append(f"page {page}: a link to no page")
        elif "/Dest" not in link and not re.match(r"https?://(?!localhost|book\.invalid)|mailto:", target):
            faults.append(f"page {page}: a link to {target or 'nothing'}")
    return faults


def blank_faults(reader):
    """Say which pages show nothing but their number."""
    faults = []
    for number, page in enumerate(reader.pages):
        content = page.get_contents()
        if content is None or len(DRAWN.findall(content.get_data())) < 2:
            faults.append(f"page {number}: blank")
    return faults


def font_faults(reader):
    """Say which fonts are not in the file."""
    fonts = {}
    for page in reader.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            fonts[font.get_object().indirect_reference.idnum] = font.get_object()
    faults = []
    for font in fonts.values():
        described = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        descriptor = described.get("/FontDescriptor", DictionaryObject()).get_object()
        if "/CharProcs" not in font and not any(f"/FontFile{kind}" in descriptor for kind in ("", "2", "3")):
            faults.append(f"{font.get('/BaseFont')}: not embedded")
    return faults


def checksum_faults(folder):
    """Say which files SHA256SUMS does not name or names wrongly."""
    named = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {file.name: file for file in folder.iterdir() if file.name != "SHA256SUMS"}
    faults = [f"{name}: named, but missing" for name in named.keys() - files.keys()]
    for name, file in files.items():
        if named.get(name) != hashlib.sha256(file.read_bytes()).hexdigest():
            faults.append(f"{name}: not named, or with another sum")
    return faults


def archive_faults(path):
    """Say what an archive lacks, and what must not be in it."""
    with zipfile.ZipFile(path) as packed:
        names = packed.namelist()
        faults = [] if f"{path.stem}/index.html" in names else ["no index.html"]
        faults += [f"{name}: outside of the folder" for name in names if not name.startswith(f"{path.stem}/")]
        faults += [f"{name}: the source of an exercise" for name in names if re.search(r"exercises/\w+\.ipynb", name)]
        faults += [f"{name}: an absolute path in it" for name in names if str(ROOT).encode() in packed.read(name)]
    return faults


def test_every_page_is_in_the_bookmarks_in_order(book, pages):
    assert order_faults(book, [title_on_page(entry.path) for entry in pages]) == []


def test_parts_hold_chapters_and_chapters_their_sections_and_exercises(book):
    marks = [(depth, plain(title)) for depth, title, _ in bookmarks(book)]
    part = marks.index((0, "TheLadder"))
    assert marks[part + 1] == (1, "5.TheLadder")
    assert (2, "Themechanism") in marks[part:]
    assert (2, "Exercises:theLadder") in marks[part:]


def test_the_contents_give_the_page_of_every_chapter_and_section(book, pages):
    assert contents_faults(book, {entry.part for entry in pages}) == []


def test_links_lead_somewhere(book):
    assert link_faults(book) == []


def test_a_link_leads_to_the_section_not_only_to_the_chapter(book):
    sections = {plain(title): page for _, title, page in bookmarks(book)}
    goals = {goal(book, link) for _, link in links(book)}
    assert sections["ThesimplifiedLadder"] in goals


def test_every_answer_is_linked_and_stands_at_the_end(book, pages):
    folded = sum(
        (HTML / entry.path).read_text().count('<details class="sd-sphinx-override sd-dropdown') for entry in pages
    )
    end = next(page for _, title, page in bookmarks(book) if title == "Answers and solutions")
    to_answers = [page for page, link in links(book) if (goal(book, link) or 0) >= end and page < end]
    front = len([label for label in book.page_labels if not label.isdigit()])
    assert folded > 0
    assert len([page for page in to_answers if page >= front]) == folded


def test_no_page_is_blank(book):
    assert blank_faults(book) == []


def test_fonts_are_embedded(book):
    assert font_faults(book) == []


def test_nothing_is_wider_than_the_paper(run):
    assert "wider than the paper" not in run[1].stderr


def test_formulas_are_typeset(book):
    page = next(page for _, title, page in bookmarks(book) if plain(title) == "Themechanism")
    fonts = [font.get_object() for font in book.pages[page]["/Resources"]["/Font"].values()]
    letters = b"".join(font["/ToUnicode"].get_data() for font in fonts if "/ToUnicode" in font)
    assert b"<D835DF02>" in letters  # the letter eta, slanted
    assert "\\(" not in shown(book, page)


def test_the_pdf_says_what_it_is(book):
    made = release.date()
    assert book.metadata.title == "Reliable Leaderboards"
    assert book.metadata.author
    assert book.metadata.creation_date == made
    assert book.trailer["/Root"]["/Lang"] == "en"
    assert f"Version {VERSION}" in book.pages[0].extract_text()


def test_checksums_agree(run):
    assert checksum_faults(run[0]) == []
    assert len(list(run[0].iterdir())) == 5


def test_the_archive_is_whole(run):
    archive = run[0] / f"reliable-leaderboards-{VERSION}-html.zip"
    assert archive_faults(archive) == []
    with zipfile.ZipFile(archive) as packed:
        assert len(packed.namelist()) == sum(path.is_file() for path in HTML.rglob("*"))


def test_the_same_files_and_date_give_the_same_archive(tmp_path):
    folder, made = tmp_path / "pages", datetime(2026, 1, 2, tzinfo=UTC)
    folder.mkdir()
    for name in ("b.html", "a.html"):
        (folder / name).write_text(name)
    release.archive(folder, tmp_path / "one.zip", made)
    for second, name in enumerate(("a.html", "b.html")):
        os.utime(folder / name, (second, second))
    first = (tmp_path / "one.zip").read_bytes()
    release.archive(folder, tmp_path / "one.zip", made)
    assert (tmp_path / "one.zip").read_bytes() == first
    (folder / "a.html").write_text("changed")
    release.archive(folder, tmp_path / "one.zip", made)
    assert (tmp_path / "one.zip").read_bytes() != first


def test_the_wheel_is_the_same_each_time(run, tmp_path):
    release.library(tmp_path, release.date())
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.read_bytes() == (run[0] / wheel.name).read_bytes()


def test_the_wheel_installs_without_the_network_and_imports(run, tmp_path):
    (wheel,) = run[0].glob("*.whl")
    assert wheel.name == f"leaderboard_edu-{VERSION}-py3-none-any.whl"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path)]
    subprocess.run([*pip, str(wheel)], check=True)
    code = "import leaderboard_edu as le; print(le.__file__, le.hoeffding(0.1, n=100))"
    said = subprocess.check_output([sys.executable, "-c", code], text=True, cwd="/", env={"PYTHONPATH": str(tmp_path)})
    assert said.startswith(str(tmp_path))


def test_a_tag_that_is_not_the_version_is_refused(tmp_path):
    command = [sys.executable, "-m", "tools.release", str(tmp_path / "dist")]
    run = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"TAG": "v99"}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr.strip() == f"the tag is v99, but pyproject.toml makes this v{VERSION}"


CHANGES = f"# Changes\n\n## {VERSION} (2027-01-02)\n\n- New.\n- More.\n\n## 0.0.9 (2026-01-01)\n\n- Old.\n"


@pytest.mark.parametrize("heading", [f"{VERSION} (unreleased)", "99 (2027-01-02)", VERSION])
def test_a_tag_of_a_version_that_the_changes_do_not_date_is_refused(heading):
    release.check_tag(f"v{VERSION}", CHANGES)
    with pytest.raises(SystemExit, match=re.escape(f"must be '{VERSION} (YYYY-MM-DD)', but is '{heading}'")):
        release.check_tag(f"v{VERSION}", CHANGES.replace(f"{VERSION} (2027-01-02)", heading))


def test_the_notes_are_the_newest_section():
    assert release.notes(CHANGES) == (f"{VERSION} (2027-01-02)", "- New.\n- More.\n")
    told = subprocess.check_output([sys.executable, "-m", "tools.release", "--notes"], cwd=ROOT, text=True)
    assert told == release.notes(release.CHANGES.read_text())[1] != ""


@pytest.fixture
def small(book):
    """Return a document of two pages of the book, to be spoilt."""
    writer = PdfWriter()
    for _, title, page in bookmarks(book):
        if title in {"Notation", "Glossary"}:
            writer.add_outline_item(title=title, page_number=writer.add_page(book.pages[page]).page_number)
    assert len(writer.pages) == 2
    for page in writer.pages:
        page.pop("/Annots", None)
    return writer


def spoilt(writer, folder):
    """Write a document and read it."""
    writer.write(folder / "spoilt.pdf")
    return PdfReader(folder / "spoilt.pdf")


def test_planted_faults_in_bookmarks_are_found(small, tmp_path):
    reader = spoilt(small, tmp_path)
    assert order_faults(reader, ["Notation", "Glossary"]) == []
    assert order_faults(reader, ["Glossary", "Notation"]) == ["Notation: no bookmark, or not in order"]
    small.add_outline_item(title="Errata", page_number=1)
    assert order_faults(spoilt(small, tmp_path), ["Notation", "Errata"]) == ["Errata: not on the page of its bookmark"]


def test_planted_wrong_page_numbers_are_found(small, tmp_path):
    small.set_page_label(0, 0, style="/r")
    small.set_page_label(1, 1, style="/D", start=7)
    assert contents_faults(spoilt(small, tmp_path), set()) == [
        "Glossary: not in the contents, in order and on page 7",
        "Glossary: its page does not show the number 7",
    ]
    assert contents_faults(spoilt(small, tmp_path), {"Glossary"}) == []


def test_planted_links_to_nowhere_are_found(small, tmp_path):
    small.add_annotation(0, Link(rect=(0, 0, 9, 9), url="http://localhost:8000/book/ladder.html"))
    small.add_annotation(0, Link(rect=(0, 0, 9, 9), url="https://example.org"))
    small.add_annotation(0, Link(rect=(0, 0, 9, 9), target_page_index=1, fit=Fit.fit()))
    named = small.add_annotation(1, Link(rect=(0, 0, 9, 9), url="https://example.org"))
    named.pop("/A")
    named[NameObject("/Dest")] = NameObject("/ladder")
    assert link_faults(spoilt(small, tmp_path)) == [
        "page 0: a link to http://localhost:8000/book/ladder.html",
        "page 1: a link to no page",
    ]


def test_planted_blank_pages_and_foreign_fonts_are_found(small, tmp_path):
    small.add_blank_page(width=595, height=842)
    font = DictionaryObject(
        {NameObject("/Type"): NameObject("/Font"), NameObject("/BaseFont"): NameObject("/Helvetica")}
    )
    small.pages[0]["/Resources"]["/Font"][NameObject("/Planted")] = small._add_object(font)
    reader = spoilt(small, tmp_path)
    assert blank_faults(reader) == ["page 2: blank"]
    assert font_faults(reader) == ["/Helvetica: not embedded"]


def test_planted_faults_in_archive_and_checksums_are_found(tmp_path):
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as packed:
        packed.writestr("book/_sources/book/exercises/ladder.ipynb", "")
        packed.writestr("/etc/page.html", str(ROOT))
    assert archive_faults(tmp_path / "book.zip") == [
        "no index.html",
        "/etc/page.html: outside of the folder",
        "book/_sources/book/exercises/ladder.ipynb: the source of an exercise",
        "/etc/page.html: an absolute path in it",
    ]
    release.write_checksums(tmp_path)
    assert checksum_faults(tmp_path) == []
    (tmp_path / "book.zip").write_text("other")
    (tmp_path / "more").write_text("")
    assert sorted(checksum_faults(tmp_path)) == [
        f"{name}: not named, or with another sum" for name in ("book.zip", "more")
    ]


def test_planted_wide_content_and_raw_formulas_are_found(tmp_path):
    pages = {
        "good": "<pre>short",
        "wide": f"<pre style='white-space: pre'>{'y' * 300}",
        "raw": "<i class=math>\\(x\\)</i>",
    }
    for name, body in pages.items():
        (tmp_path / f"{name}.html").write_text(f"<article id=a><h1>T</h1>{body}</article>")
    code = (
        "import json, sys, pathlib; from tools import pdf\n"
        "with pdf.press(pathlib.Path(sys.argv[1]), {}) as print_page:\n"
        "    print(json.dumps([print_page(f'{name}.html', 'a {}')[1] for name in ('good', 'wide')]))\n"
        "    print_page('raw.html', 'a {}')"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert json.loads(run.stdout) == [[], ["pre " + "y" * 40]]
    assert run.returncode == 1
    assert "the formulas were not typeset" in run.stderr
