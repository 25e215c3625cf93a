"""Every chapter has the parts of a chapter. Each check returns the faults it finds, and is itself tested."""

import ast
import re
from copy import deepcopy

import nbformat
import pytest
from chapters import CHAPTERS, PAGES, ROOT, cells, directives, is_sentence, read, tags, text_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

BOX = ["What you will be able to do", "What you need first", "Reading time"]
LAST_SECTIONS = ["Break it", "What the papers say, and what we get", "Recap", "Check yourself", "Exercises"]
STATEMENTS = {"prf:theorem", "prf:lemma", "prf:proposition", "prf:corollary"}
UNNUMBERED = {"prf:proof"}
DRAWS = {"figure", "subplots", "subplot_mosaic"}


def starts_with_title(notebook):
    """A chapter is known by one title, at its very start."""
    titles = re.findall(r"^# \S.*$", text_of(notebook), flags=re.M)
    first = notebook.cells[0] if notebook.cells else None
    if not first or first.cell_type != "markdown" or not first.source.startswith("# ") or len(titles) != 1:
        return [f"the first cell must hold the only title '# …', found {titles}"]
    return []


def has_box(notebook):
    """The reader learns at once what the chapter gives, what it asks and how long it takes."""
    start = "\n\n".join(cell.source for cell in notebook.cells[:2] if cell.cell_type == "markdown")
    box = "\n".join(block.body for block in directives(start) if block.name == "admonition")
    return [f"no admonition in the first two cells says {words!r}" for words in BOX if words not in box]


def opens_with_failure(notebook):
    """Something concrete, computed and compared on each run, comes before any formalism."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and ("nbval-check-output" in tags(cell) or "mystnb" in cell.metadata):
            return []
        if cell.cell_type == "markdown" and "{prf:" in cell.source:
            break
    return ["no code cell with a compared output or a figure before the first prf directive"]


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


def draws(node):
    """Say whether code makes a matplotlib figure when the cell runs, outside any function it defines."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DRAWS:
        return True
    return any(draws(child) for child in ast.iter_child_nodes(node))


def calls(cell, name):
    """Say whether a cell calls a function of this name."""
    return re.search(rf"\b{name}\(", cell.source) is not None


def has_figures(notebook):
    """A chapter shows a numbered figure and one that responds, and each says in words what it shows."""
    code = cells(notebook, "code")
    faults = [] if any(calls(cell, "interactive_figure") for cell in code) else ["no interactive figure"]
    if not any({"name", "caption"} <= set(cell.metadata.get("mystnb", {}).get("figure", {})) for cell in code):
        faults.append("no cell with mystnb.figure.name and mystnb.figure.caption")
    for cell in code:
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        if (alt or draws(ast.parse(cell.source))) and "live" not in tags(cell) and not is_sentence(alt):
            faults.append(f"mystnb.image.alt must be a sentence, got {alt!r} in the cell {cell.source[:40]!r}")
    return faults


def sections(notebook):
    """Return the text of each section of the second level, by its heading."""
    parts = re.split(r"^## (.+)$", text_of(notebook), flags=re.M)
    return dict(zip((heading.strip() for heading in parts[1::2]), parts[2::2], strict=True))


def ends_in_sections(notebook):
    """Every chapter ends in the same way, so that a reader knows where to look."""
    found = sections(notebook)
    if list(found)[-len(LAST_SECTIONS) :] != LAST_SECTIONS:
        return [f"the last sections must be {LAST_SECTIONS}, found {list(found)[-len(LAST_SECTIONS) :]}"]
    faults = [f"the section {name!r} has no text" for name in LAST_SECTIONS if len(found[name].split()) < 5]
    if "?" not in found["Check yourself"]:
        faults.append("the section 'Check yourself' asks nothing")
    return faults


def has_exercises(exercise_set):
    """A set has at least five questions in code and one proof."""
    questions = [cell.source for cell in exercise_set.cells if "# BEGIN QUESTION" in cell.source]
    kinds = ["proof" if re.search(r"^manual: true$", question, flags=re.M) else "code" for question in questions]
    if kinds.count("code") < 5 or kinds.count("proof") < 1:
        return [f"five questions in code and one proof are needed, found {kinds}"]
    return []


def has_short_cells(notebook):
    """A cell does one thing: rarely more than fifteen lines, never more than thirty."""
    lengths = [len(cell.source.splitlines()) for cell in cells(notebook, "code")]
    faults = [f"a code cell of {length} lines" for length in lengths if length > 30]
    longish = sum(length > 15 for length in lengths)
    if longish * 5 > len(lengths):
        faults.append(f"{longish} of {len(lengths)} code cells are longer than 15 lines, a fifth may be")
    return faults


def seeds_draws(notebook):
    """A draw without a seed shows another result on each run."""
    return [
        f"an unseeded generator in the cell {cell.source[:40]!r}"
        for cell in cells(notebook, "code")
        if re.search(r"default_rng\(\s*\)", cell.source)
    ]


CHECKS = [
    starts_with_title,
    has_box,
    opens_with_failure,
    states_with_labels,
    proves_statements,
    has_figures,
    ends_in_sections,
    has_short_cells,
    seeds_draws,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter(chapter, check):
    """Every check, on every chapter."""
    assert check(read(chapter)) == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_exercises(chapter):
    """Every chapter has its set, leads to the set's page, and the page is in the table of contents."""
    name = chapter.removeprefix("book/")
    assert has_exercises(nbformat.read(ROOT / "book" / "exercises" / f"{name}.ipynb", as_version=4)) == []
    assert f"](exercises/pages/{name}.md)" in sections(read(chapter))["Exercises"]
    assert f"book/exercises/pages/{name}" in PAGES


GOOD = """# A title

````{admonition} Before you start
**What you will be able to do**: count. **What you need first**: nothing. **Reading time**: 5 minutes.
````
---
:check: print(le.hoeffding(0.1, n=100))
---
```{prf:theorem} Small
:label: thm-small

One is small.
```

```{prf:proof}
One is smaller than two, and two is small, so that one is.
```
---
:figure: figure, axes = plt.subplots()
---
:: le.interactive_figure(draw, sliders=sliders, alt=alt)
---
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
    """Return a small notebook from text: cells between lines of dashes, code after `:` and the kind of cell."""
    kinds = {
        "": {},
        "check": {"tags": ["nbval-check-output", "keep_output"]},
        "figure": {
            "mystnb": {"image": {"alt": "A line that rises to one."}, "figure": {"name": "fig-a", "caption": "A line."}}
        },
    }
    notebook = new_notebook()
    for source in text.split("\n---\n"):
        code = re.match(r":(\w*): ", source)
        if code:
            notebook.cells.append(new_code_cell(source[code.end() :], metadata=deepcopy(kinds[code[1]])))
        else:
            notebook.cells.append(new_markdown_cell(source))
    return notebook


def exercise_set(*questions):
    """Return an exercise set with these question headers."""
    return new_notebook(cells=[new_markdown_cell(f"# BEGIN QUESTION\n{question}") for question in questions])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_good_chapter_passes(check):
    """No check cries wolf."""
    assert check(chapter_from(GOOD)) == []


PLANTED = [
    (starts_with_title, "# A title", "A title"),
    (starts_with_title, "One is small.", "# Another title"),
    (has_box, "**Reading time**: 5 minutes.", ""),
    (has_box, "````{admonition} Before you start", "````{code}"),
    (opens_with_failure, ":check:", "::"),
    (opens_with_failure, "\n---\n:check:", "\n\n```{prf:definition}\n:label: d\n```\n---\n:check:"),
    (states_with_labels, ":label: thm-small", ""),
    (states_with_labels, ":label: thm-small", ":label: thm-small\n:nonumber:"),
    (states_with_labels, "prf:", "note:"),
    (proves_statements, "{prf:proof}", "{note}"),
    (proves_statements, "One is smaller than two, and two is small, so that one is.", "See the paper."),
    (proves_statements, "```{prf:proof}", "```{prf:lemma}\n:label: b\n```\n\n```{prf:proof}"),
    (proves_statements, "One is small.", "One is small {cite}`blum2015ladder`.\n```\n```{prf:lemma}\n:label: b"),
    (has_figures, ":figure:", "::"),
    (has_figures, ":: le.interactive_figure", ":: le.figure"),
    (has_figures, ":: le.", ":: plt.figure()\nle."),
    (ends_in_sections, "## Recap", "## Summary"),
    (ends_in_sections, "## Recap", "## Exercises\n\n## Recap"),
    (ends_in_sections, "## Exercises", "## Appendix\n\n## Exercises"),
    (ends_in_sections, "Drop the assumption and see.", ""),
    (ends_in_sections, "Is one less than two?", "One is surely less than two."),
    (has_short_cells, ":: le.", ":: " + "x = 1\n" * 30 + "le."),
    (has_short_cells, ":: le.", ":: " + "x = 1\n" * 15 + "le."),
    (seeds_draws, ":: le.", ":: rng = np.random.default_rng()\nle."),
]


@pytest.mark.parametrize(("check", "old", "new"), PLANTED)
def test_planted_fault_is_found(check, old, new):
    """Each check finds what it is for."""
    good = GOOD
    assert old in good
    assert check(chapter_from(good.replace(old, new, 1)))


def test_proof_may_come_later_or_elsewhere():
    """A proof may name the label of its statement, and a statement may cite where it is proved."""
    later = GOOD.replace("```{prf:proof}", "```{prf:lemma}\n:label: b\n```\n```{prf:proof} Of {prf:ref}`thm-small`\n")
    cited = GOOD.replace("One is small.", "One is small.\n\nProof: {cite}`blum2015ladder`, section 1.\n```\n```{note}")
    assert proves_statements(chapter_from(later)) == []
    assert proves_statements(chapter_from(cited)) == []


def test_exercises_are_counted():
    """Five questions in code are not enough without a proof, nor is a proof with four."""
    code, proof = [f"name: q{i}" for i in range(1, 6)], "name: q6\nmanual: true"
    assert has_exercises(exercise_set(*code, proof)) == []
    assert has_exercises(exercise_set(*code))
    assert has_exercises(exercise_set(*code[1:], proof))
