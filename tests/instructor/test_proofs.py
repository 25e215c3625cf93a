"""Proofs are found wherever students put them, and shown on one page that runs nothing of theirs."""

import base64
import csv
import io
import re
import zipfile

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell
from PIL import Image
from small_sets import case, question, solution, write

from instructor import markdown
from instructor.batch import grade_folder
from instructor.check import check_set
from instructor.grading import Autograder
from instructor.limits import Limits
from instructor.proofs import Answer, Mark, code_of, find, page
from instructor.release import release
from instructor.sources import choose

SECRETS = ("The reference proof of the lemma", "The rubric of the lemma")


def proof(name, title, rubric="**Rubric.**"):
    return [
        new_raw_cell(f"# BEGIN QUESTION\nname: {name}\npoints: 8\nmanual: true"),
        new_markdown_cell(f"## {title}\n\nProve it."),
        new_raw_cell("# BEGIN SOLUTION"),
        new_markdown_cell(f"{SECRETS[0]}, $x^2$."),
        new_markdown_cell(f"{rubric} {SECRETS[1]}."),
        new_raw_cell("# END SOLUTION"),
        new_raw_cell("# END QUESTION"),
    ]


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A set with a question in code and two proofs, one on each side of it."""
    folder = tmp_path_factory.mktemp("release")
    code = question(
        "q2",
        answer=solution("double", "2 * x"),
        visible=case("double", "two", "double(2) == 4"),
        hidden=case("double", "ten", "double(10) == 20", hidden=True),
        wrong=[],
    )
    source = write(folder / "small.ipynb", *proof("q1", "Lemma"), *code, *proof("q3", "Theorem", "### The Rubric\n\n"))
    return release(source, folder / "out")


@pytest.fixture
def questions(released):
    return Autograder.read(released[1]).questions


@pytest.fixture
def student(released):
    """The notebook that students get."""
    return nbformat.read(released[0] / "small.ipynb", as_version=4)


def text(source, **attachments):
    return {"cell_type": "markdown", "source": source, "attachments": attachments}


def place(notebook, number=0):
    """Return where the cell for the answer to a proof is."""
    return [i for i, cell in enumerate(notebook.cells) if "Type your answer here" in cell.source][number]


def found(notebook, questions, tmp_path):
    nbformat.write(notebook, tmp_path / "one.ipynb")
    return find(tmp_path / "one.ipynb", questions, Limits())


def texts(answer):
    return [cell["source"] for cell in answer.cells]


def test_what_a_person_needs_is_in_the_autograder_and_nowhere_else(released, questions):
    q1, q2, q3 = questions
    assert (q1["heading"], q2["heading"], q3["heading"]) == ("## Lemma", "## The question q2", "## Theorem")
    assert q1["text"] == "## Lemma\n\nProve it."
    assert SECRETS[0] in q1["proof"]
    assert q1["rubric"] == f"**Rubric.** {SECRETS[1]}."
    assert q3["rubric"] == f"### The Rubric\n\n {SECRETS[1]}."
    assert SECRETS[1] not in q1["proof"] + q3["proof"]
    assert not [
        path for path in released[0].rglob("*") if path.is_file() and any(s in path.read_text() for s in SECRETS)
    ]
    with zipfile.ZipFile(released[1]) as archive:
        others = [archive.read(name).decode() for name in archive.namelist() if name != "questions.json"]
    assert not [other for other in others if any(secret in other for secret in SECRETS)]


def test_what_was_not_touched_is_blank(student, questions, tmp_path):
    assert {name: answer.state for name, answer in found(student, questions, tmp_path).items()} == {
        "q1": "blank",
        "q3": "blank",
    }
    student.cells[place(student)].source = " \n"
    assert found(student, questions, tmp_path)["q1"] == Answer("blank", [])


def test_an_answer_is_all_that_is_new_up_to_the_next_question(student, questions, tmp_path):
    """Below the text to be replaced, in cells before and after, in code, and each question's own."""
    where = place(student)
    student.cells[where].source += "\n\nFirst."
    student.cells[where + 1 : where + 1] = [new_code_cell("x = 1"), new_markdown_cell("Second.")]
    student.cells[place(student, 1)].source = "Another."
    student.cells.append(new_markdown_cell("After the end."))
    student.cells.insert(where, new_markdown_cell("Zeroth."))
    student.cells.insert(0, new_code_cell("## Theorem"))
    answers = found(student, questions, tmp_path)
    assert texts(answers["q1"]) == ["Zeroth.", "First.", "x = 1", "Second."]
    assert texts(answers["q3"]) == ["Another.", "After the end."]
    assert not answers["q1"].state


def test_an_answer_may_be_in_the_cell_of_the_question(student, questions, tmp_path):
    (cell,) = [cell for cell in student.cells if "## Lemma" in cell.source]
    cell.source += "\n\nHere."
    assert texts(found(student, questions, tmp_path)["q1"])[0].endswith("Here.")
    cell.source = "<!-- BEGIN QUESTION -->\n\n## Lemma\n\nChanged, and here."
    assert texts(found(student, questions, tmp_path)["q1"]) == ["## Lemma\n\nChanged, and here."]


def test_without_its_heading_an_answer_is_found_by_the_tag(student, questions, tmp_path):
    student.cells[place(student)].source = "Here."
    student.cells = [cell for cell in student.cells if "## Lemma" not in cell.source]
    assert texts(found(student, questions, tmp_path)["q1"]) == ["Here."]


@pytest.mark.parametrize("tag", [False, True])
def test_what_cannot_be_found_is_said_and_shown(student, questions, tmp_path, tag):
    """Without heading and tag; another answer is not taken for it."""
    student.cells[place(student)].source = "Mine."
    student.cells[place(student)].source = "Yours."
    for cell in student.cells:
        cell.metadata.tags = cell.metadata.get("tags", []) if tag else []
    student.cells = [cell for cell in student.cells if "## Lemma" not in cell.source and cell.source != "Mine."]
    student.cells[:0] = [new_markdown_cell("Hidden."), new_code_cell("x = 1")]
    answers = found(student, questions, tmp_path)
    assert (answers["q1"].state, texts(answers["q1"])) == ("not found", ["Hidden."])
    assert (answers["q3"].state, texts(answers["q3"])) == ("", ["Yours."])


@pytest.mark.parametrize("content", ["", "{}", '{"cells": [{}, {"source": [1], "attachments": {"a": 1}}]}'])
def test_what_is_no_notebook_is_not_found(questions, tmp_path, content):
    (tmp_path / "one.ipynb").write_text(content)
    assert find(tmp_path / "one.ipynb", questions, Limits())["q1"] == Answer("not found", [])


def image(kind, size, **more):
    file = io.BytesIO()
    Image.new("RGB", size, "red").save(file, kind, **more)
    return base64.b64encode(file.getvalue()).decode()


def shown(data):
    """Return the image that is shown."""
    return Image.open(io.BytesIO(base64.b64decode(re.search(r"base64,([^\"]+)", markdown.photo(data))[1])))


def test_photos_are_shown_without_what_else_is_in_the_file():
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "Ann", 6  # a description; the camera was turned
    photo = shown(image("JPEG", (4000, 1000), exif=exif))
    assert (photo.size, dict(photo.getexif())) == ((500, 2000), {})
    assert photo.getpixel((250, 1000))[0] > 200
    small = image("PNG", (30, 20))
    assert shown(f"{small[:40]}\n{small[40:]}").size == (30, 20)


@pytest.mark.parametrize("data", ["", "AAAA", "%%%", image("GIF", (3, 3)), image("PNG", (300, 300))[:400]])
def test_what_is_no_photo_is_said(data):
    assert markdown.photo(data) == "[photo, not shown: it cannot be read]"


def test_a_photo_that_is_too_large_is_not_opened(monkeypatch):
    monkeypatch.setattr(markdown, "PIXELS", 99)
    assert markdown.photo(image("PNG", (10, 10))) == "[photo, not shown: it is too large]"


def test_photos_are_shown_where_they_are_named_and_only_so_many(monkeypatch):
    monkeypatch.setattr(markdown, "PHOTOS", 2)
    data = image("PNG", (3, 3))
    html = markdown.render([text("Before ![Ann](attachment:a%20b.png) after", **{"a b.png": data, "c.png": data})])
    assert re.fullmatch(r"<p>Before <img [^>]+> after</p>\s+<p><img [^>]+></p>", html)
    assert "Ann" not in html
    html = markdown.render([text("", a=data), text("", b=data, c=data)])
    assert html.count("<img") == 2
    assert "more than 2 photos" in html


HOSTILE = r"""# Title

<script>alert(1)</script> <img src=x onerror=alert(1)> &lt;script&gt; </div></article>

[x](javascript:alert(1)) [y](https://example.org) <https://example.org> ![z](https://example.org/z.png)
![z](data:image/svg+xml;base64,AAAA) ![z](attachment:none.png)

[a]: https://example.org

$\href{javascript:alert(1)}{x}$ $\text{<img src=x onerror=alert(1)>}$ $\class{a}{x}$ $\style{color:red}{x}$
$\color{red"onload="alert(1)}x$ $<script>$ $\frac{<script>alert(2)</script>$

\begin{align}a\label{"><script>} &= b\end{align}

$$ a = b
"""


def checked(html):
    """Return a page as a tree, after a look for what could run or be fetched."""
    tree = BeautifulSoup(html, "html.parser")
    assert not tree.find_all(["script", "iframe", "object", "embed", "link", "base", "form", "svg"])
    for node in tree.find_all(True):
        assert not [name for name in node.attrs if name.lower().startswith("on")]
        assert node.get("href", "#").startswith("#")
        assert node.get("src", "data:image/jpeg;base64,").startswith("data:image/jpeg;base64,")
        assert "url(" not in node.get("style", "")
    return tree


def test_nothing_of_a_student_runs_or_is_fetched():
    tree = checked(markdown.render([text(HOSTILE)]))
    assert not tree.find_all(["img", "a", "h1", "h2", "h3"])
    assert "<script>alert(1)</script>" in tree.text
    assert "[x](javascript:alert(1))" in tree.text
    assert "[image, not shown: https://example.org/z.png]" in tree.text
    assert "$$ a = b" in tree.text


@pytest.mark.parametrize(
    ("latex", "says"),
    [
        (r"$$x \text{ for all $j$} \tag{7}$$", "xfor allj(7)"),
        (r"\begin{align}a&=b\\c&=d\tag{7}\end{align}", "a=bc=d(7)"),
        (r"so \begin{align}a&=b\\c&=d\end{align} holds", "soa=bc=dholds"),
        ("\\begin{align*}\na&=b\n\\end{align*} holds", "a=bholds"),
        (r"so \begin{align}a", r"so\begin{align}a"),
        (r"$$\begin{split}a&=b\end{split}\label{eq}$$", "a=b"),
        (r"$\newcommand{\E}{\mathbb{E}}$ $\E X$", "𝔼X"),
        (r"$\E X$", r"\EX"),
        ("so $$x^2$$ holds", "sox2holds"),
        ("$$a$$ (one)", "a(one)"),
        (r"$\frac{1$", r"\frac{1"),
    ],
)
def test_mathematics(latex, says):
    """Numbers are those that were written; what is unknown is shown as it is written."""
    tree = BeautifulSoup(markdown.render([text(latex)]), "html.parser")
    assert "".join(tree.text.split()) == "".join(says.split())


def test_code_cells_are_code_and_long_answers_are_cut(monkeypatch):
    monkeypatch.setattr(markdown, "LONGEST", 30)
    html = markdown.render([{"cell_type": "code", "source": "# no heading\n```", "attachments": {}}, text("a" * 60)])
    assert "<pre><code" in html
    assert "# no heading\n```" in html
    assert "a" * 14 in html
    assert "a" * 15 not in html
    assert "Cut off after 30 of 76 characters" in html


def test_an_answer_that_takes_too_long_is_shown_as_written(monkeypatch):
    monkeypatch.setattr(markdown, "SECONDS", 0)
    for html in markdown.rendered([[text("**one**")], [text("**two**")]]):
        assert "could not be rendered" in html
        assert "<pre>**" in html


def test_an_answer_that_brings_the_renderer_down_is_shown_as_written():
    deep = "$" + "{" * 20_000 + "}" * 20_000 + "$ <b>"
    before, bad, after = markdown.rendered([[text("**one**")], [text(deep)], [text("**two**")]])
    assert before == "<p><strong>one</strong></p>\n"
    assert after == "<p><strong>two</strong></p>\n"
    assert "could not be rendered" in bad
    assert bad.count("{") == 20_000
    assert "&lt;b&gt;" in bad


@pytest.fixture
def answers():
    """Two with the same answer but for a line break, one with a photo, two blank, one in which nothing was found."""
    return {
        "ann.ipynb": {"q1": Answer("", [text("The same $x$.")])},
        "bob.ipynb": {"q1": Answer("blank", [])},
        "eve.ipynb": {"q1": Answer("not found", [text("Elsewhere.")])},
        "kim.ipynb": {"q1": Answer("blank", [])},
        "zoe.ipynb": {"q1": Answer("", [text("The same\n$x$.", **{"zoe.png": image("PNG", (3, 3))})])},
        "zed.ipynb": {"q1": Answer("", [text("The\nsame $x$.")])},
    }


def test_the_page_has_all_answers_with_the_rubric(questions, answers):
    tree = checked(page("table", questions[:1], answers, {"ann.ipynb": Mark({"q1": 7.5}, "")}, files=True))
    assert SECRETS[1] in tree.aside.text
    heads = [[span.text for span in head.find_all("span")] for head in tree.select("article h3")]
    order = [
        "ann.ipynb",
        "zoe.ipynb",
        "zed.ipynb",
        "bob.ipynb",
        "kim.ipynb",
        "eve.ipynb",
    ]  # blank ones, and lost ones, come last
    assert heads == [[code_of(name), name, *(["7.5 of 8"] if name[0] == "a" else [])] for name in order]
    assert "3 answers, 2 blank, 1 not found." in tree.text
    ann, zoe, zed, bob, kim, eve = tree.find_all("article")
    assert f"The same, but for spaces, as {code_of('zed.ipynb')}." in ann.text
    assert tree.find(id=ann.a["href"].removeprefix("#")) == zed
    assert "but for spaces" not in zoe.text + bob.text + kim.text
    assert "Elsewhere." in eve.text
    assert "script" not in tree.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]


def test_a_proof_alone_is_released_and_marked(tmp_path):
    """It has no tests, so nothing is run; blank ones are told apart, and its page of feedback shows the mark."""
    code = question("q2", answer=solution("double", "2 * x"), visible="", hidden="", wrong=[])
    (tmp_path / "out").mkdir()
    source = choose(write(tmp_path / "small.ipynb", *proof("q1", "Lemma"), *code), ["q1"], tmp_path / "out")
    assert all(passed for passed, _ in check_set(source, None))
    student, autograder, _ = release(source, tmp_path / "out" / "released")
    (tmp_path / "in").mkdir()
    notebook = nbformat.read(student / "small.ipynb", as_version=4)
    nbformat.write(notebook, tmp_path / "in" / "bob.ipynb")
    notebook.cells[place(notebook)].source = "A proof."
    nbformat.write(notebook, tmp_path / "in" / "ann.ipynb")
    out, sheet = tmp_path / "out.csv", tmp_path / "out.marks.csv"
    assert grade_folder(autograder, tmp_path / "in", out, jobs=1, limits=Limits()) == 0
    assert "1 answer, 1 blank, 0 not found." in (tmp_path / "out.proofs.html").read_text()
    sheet.write_text(sheet.read_text().replace(",,,\n", ",,7,\n"))
    assert grade_folder(autograder, tmp_path / "in", out, jobs=1, limits=Limits()) == 0
    ann, bob = csv.DictReader(out.open())
    assert [(row["status"], row["q1 (8)"], row["points"]) for row in (ann, bob)] == [
        ("graded", "7", "7"),
        ("graded", "pending", "0"),
    ]
    feedback = [(tmp_path / "out.feedback" / row["feedback"]).read_text() for row in (ann, bob)]
    assert "<strong>7 of 8 points</strong>" in feedback[0]
    assert "q1, of 8 points, is not marked yet" in feedback[1]
    assert "questions in code" not in "".join(feedback)


def test_an_anonymous_page_names_nobody(questions, answers):
    html = page("table", questions[:1], answers, {}, files=False)
    assert not re.search(r"\b(ann|bob|eve|zoe|zed)\b", html)
    codes = [head.span.text for head in checked(html).select("article h3")]
    assert codes[:3] == sorted(codes[:3])
    assert set(codes) == {code_of(name) for name in answers}
    assert all(re.fullmatch("[b-df-hj-np-tv]{8}", code) for code in codes)
