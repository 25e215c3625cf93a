"""Every chapter has the parts that a reader looks for. Each check returns the faults it finds."""

import re

import pytest
from chapters import CHAPTERS, PAGES, RETOLD, ROOT, cells, directives, read, text_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

BOX = ["What you will be able to do", "What you need first"]
LAST_SECTIONS = ["Break it", "What the papers say, and what we get", "Recap", "Check yourself", "Exercises"]
LANDMARKS = ["What the host does now", "Check yourself", "Exercises"]
STATEMENTS = {"prf:theorem", "prf:lemma", "prf:proposition", "prf:corollary"}
UNNUMBERED = {"prf:proof"}


def starts_with_title(notebook):
    """A chapter is known by one title, at its very start."""
    titles = re.findall(r"^# \S.*$", text_of(notebook), flags=re.M)
    first = notebook.cells[0] if notebook.cells else None
    if not first or first.cell_type != "markdown" or not first.source.startswith("# ") or len(titles) != 1:
        return [f"the first cell must hold the only title '# …', found {titles}"]
    return []


def has_box(notebook):
    """The reader learns at once what the chapter gives and what it asks."""
    start = "\n\n".join(cell.source for cell in notebook.cells[:2] if cell.cell_type == "markdown")
    box = "\n".join(block.body for block in directives(start) if block.name == "admonition")
    return [f"no admonition in the first two cells says {words!r}" for words in BOX if words not in box]


def says_what_it_needs(notebook):
    """A chapter told in two layers has no box, but a line on what it needs."""
    lines = re.findall(r"^\*\*What you need first\.\*\* .+", text_of(notebook), flags=re.M)
    return [] if len(lines) == 1 else [f"one paragraph must begin '**What you need first.** …', found {lines}"]


def states_with_labels(notebook):
    """A statement that others refer to is numbered and has a label."""
    found = [d for d in directives(text_of(notebook)) if d.name.startswith("prf:") and d.name not in UNNUMBERED]
    if not found:
        return ["no prf directive"]
    return [
        f"{d.name} {d.title!r} needs :label: and a number"
        for d in found
        if not d.options.get("label") or "nonumber" in d.options
    ]


def says_who_is_meant(notebook):
    """A theorem about analysts says which: those of a definition, or what they know of the points."""
    return [
        f"{d.name} {d.title!r} must link to def-protocol or def-analyst, or say which points its analyst sees"
        for d in directives(text_of(notebook))
        if d.name in STATEMENTS and "analyst" in d.body and not re.search(r"def-(protocol|analyst)|\bpoints?\b", d.body)
    ]


def proves_statements(notebook):
    """What is stated is proved: right after it, or in a proof that names its label, or at a cited place."""
    faults, open_statement = [], None
    found = [d for d in directives(text_of(notebook)) if d.name in STATEMENTS | UNNUMBERED]
    proofs = [d for d in found if d.name == "prf:proof"]
    named = {label for d in proofs for label in re.findall(r"\{prf:ref\}`(?:.*<)?([\w:-]+)>?`", d.title + d.body)}
    for d in found:
        if d.name == "prf:proof":
            open_statement = None
            continue
        faults += [open_statement] if open_statement else []
        cited = re.search(r"^Proof: .*\{cite", d.body, flags=re.M)
        open_statement = None if cited or d.options.get("label") in named else f"{d.name} {d.title!r} has no proof"
    faults += [open_statement] if open_statement else []
    return faults + [f"a proof of {len(d.body.split())} words: {d.body!r}" for d in proofs if len(d.body.split()) < 5]


def sections(notebook):
    """Return the text of each section of the second level, by its heading."""
    parts = re.split(r"^## (.+)$", text_of(notebook), flags=re.M)
    return dict(zip((heading.strip() for heading in parts[1::2]), parts[2::2], strict=True))


def ends_in_sections(notebook, last=LAST_SECTIONS):
    """Every chapter ends in the same way, so that a reader knows where to look."""
    found = sections(notebook)
    if list(found)[-len(last) :] != last:
        return [f"the last sections must be {last}, found {list(found)[-len(last) :]}"]
    return [f"the section {name!r} is empty" for name in last if not found[name].strip()]


def ends_in_landmarks(notebook):
    """A chapter told in two layers ends in what to do."""
    return ends_in_sections(notebook, LANDMARKS)


def seeds_draws(notebook):
    """A draw without a seed shows another result on each run."""
    return [
        f"an unseeded generator in the cell {cell.source[:40]!r}"
        for cell in cells(notebook, "code")
        if re.search(r"default_rng\(\s*\)", cell.source)
    ]


COMMON = [starts_with_title, states_with_labels, says_who_is_meant, proves_statements, seeds_draws]
CHECKS = [*COMMON, has_box, ends_in_sections]
RETOLD_CHECKS = [*COMMON, says_what_it_needs, ends_in_landmarks]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter(chapter):
    """Every check, on every chapter."""
    notebook = read(chapter)
    checks = RETOLD_CHECKS if chapter in RETOLD else CHECKS
    assert [fault for check in checks for fault in check(notebook)] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_exercises(chapter):
    """Every chapter has the set that the instructor's guide promises, leads to its page, and the page is listed."""
    name = chapter.removeprefix("book/")
    source = (ROOT / "book" / "exercises" / f"{name}.ipynb").read_text()
    questions, proofs = source.count("# BEGIN QUESTION"), source.count("manual: true")
    assert questions - proofs >= 5
    assert proofs >= 1
    assert f"](exercises/pages/{name}.md)" in sections(read(chapter))["Exercises"]
    assert f"book/exercises/pages/{name}" in PAGES


GOOD = """# A title

````{admonition} Before you start
**What you will be able to do**: count. **What you need first**: nothing.
````

```{prf:theorem} Small
:label: thm-small

One is small.
```

```{prf:proof}
One is smaller than two, and two is small, so that one is.
```

## Break it

Drop the assumption and see.

## What the papers say, and what we get

The same as what we get.

## Recap

We have seen what one is.

## Check yourself

Is one less than two?

## Exercises

They have a page of their own.
"""


def chapter_from(text):
    """Return a chapter of one text and one draw."""
    draw = new_code_cell("rng = np.random.default_rng(1)")
    return new_notebook(cells=[new_markdown_cell(text), draw])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_good_chapter_passes(check):
    """No check cries wolf."""
    assert check(chapter_from(GOOD)) == []


@pytest.mark.parametrize(
    ("check", "old", "new"),
    [
        (starts_with_title, "One is small.", "# Another title"),
        (has_box, "**What you need first**: nothing.", ""),
        (states_with_labels, ":label: thm-small", ""),
        (says_who_is_meant, "One is small.", "One is small for every analyst."),
        (proves_statements, "{prf:proof}", "{note}"),
        (proves_statements, "One is smaller than two, and two is small, so that one is.", "See the paper."),
        (proves_statements, "```{prf:proof}", "```{prf:lemma}\n:label: b\n```\n\n```{prf:proof}"),
        (proves_statements, "One is small.", "One is small {cite}`blum2015ladder`.\n```\n```{prf:lemma}\n:label: b"),
        (ends_in_sections, "## Recap", "## Summary"),
    ],
)
def test_planted_fault_is_found(check, old, new):
    """Each check finds what it is for; a statement without a proof, in each form of it."""
    assert old in GOOD
    assert check(chapter_from(GOOD.replace(old, new, 1)))


def test_ends_of_a_chapter_in_two_layers():
    """One line says what it needs, and the landmarks are the last sections."""
    needs, ends = "**What you need first.** Nothing.\n\n", "".join(f"## {name}\n\nText.\n\n" for name in LANDMARKS)
    assert says_what_it_needs(chapter_from(needs)) == ends_in_landmarks(chapter_from(ends)) == []
    assert says_what_it_needs(chapter_from(needs * 2))
    assert says_what_it_needs(chapter_from(needs.replace("need", "know")))
    assert ends_in_landmarks(chapter_from(ends + "## Recap\n\nText."))


def test_planted_draw_is_found():
    """Without a seed."""
    assert seeds_draws(new_notebook(cells=[new_code_cell("rng = np.random.default_rng()")]))


def test_proof_may_come_later_or_elsewhere():
    """A proof may name the label of its statement, and a statement may cite where it is proved."""
    later = GOOD.replace("```{prf:proof}", "```{prf:lemma}\n:label: b\n```\n```{prf:proof} Of {prf:ref}`thm-small`\n")
    cited = GOOD.replace("One is small.", "One is small.\n\nProof: {cite}`blum2015ladder`, section 1.\n```\n```{note}")
    assert proves_statements(chapter_from(later)) == []
    assert proves_statements(chapter_from(cited)) == []
