"""Write the page of the papers' figures and tables anew from `book/exhibits.yml`: `python -m tools.exhibits`."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from tools.verdicts import Numbers, numbers

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "book" / "exhibits.yml"
PAGE = ROOT / "book" / "reproductions.md"

SENTENCES = (r"\S.*\.", "text on one line that ends with a full stop")
NAME = (r"\S(.*[^\s.])?", "text on one line without a full stop at its end")
FORMS = {
    "key": (r"\w+", "a key of references.bib"),
    "name": NAME,
    "note": SENTENCES,
    "id": (r"[a-z0-9]+(-[a-z0-9]+)*", "lower-case words joined by hyphens"),
    "paper": (r"\w+", "the key of one of the papers"),
    "where": NAME,
    "title": NAME,
    "setting": SENTENCES,
    "reports": SENTENCES,
    "status": ("reproduced|counterpart", "'reproduced' or 'counterpart'"),
    "verdict": ("agrees|agrees in part|differs", "'agrees', 'agrees in part' or 'differs'"),
    "ours": SENTENCES,
    "counterpart": (r"[a-z_]+#fig-[a-z0-9-]+", "a list of chapter#figure, such as ladder#fig-history"),
    "test": (r"tests/[\w/]+\.py::test_\w+", "a list of file::function, such as tests/test_a.py::test_b"),
    "chapter": (r"[a-z_]+", "the slug of a chapter"),
}
LISTS = {"counterpart", "test"}
OF_PAPER = ["key", "name", "note"]
OF_EXHIBIT = ["id", "paper", "where", "title", "setting", "reports", "status", "verdict", "ours", "counterpart", "test"]
OF_CLAIM = ["chapter", "where", "reports", "ours"]

Entry = dict[str, Any]


def faults(document: Any) -> list[str]:
    """Return what is wrong with the parsed list, each fault with its entry and its field."""
    if not isinstance(document, dict) or set(document) != {"papers", "exhibits", "claims"}:
        return ["the file must hold a mapping with the keys 'papers', 'exhibits' and 'claims', and nothing else"]
    found = []
    for kind, first in (("papers", "key"), ("exhibits", "id"), ("claims", "chapter")):
        entries = document[kind]
        if not isinstance(entries, list) or not entries:
            found.append(f"{kind} must be a list with at least one entry")
            continue
        for number, entry in enumerate(entries, start=1):
            found += _entry_faults(f"{kind}, entry {number}", entry, first)
    found = found or _repetitions(document["papers"], "key") + _across(document["papers"], document["exhibits"])
    return found or _repetitions(document["claims"], "chapter", "where")


def _entry_faults(place: str, entry: Any, first: str) -> list[str]:
    """Return the faults of one entry by itself; its first field names it."""
    if not isinstance(entry, dict):
        return [f"{place} must be a mapping, got {entry!r}"]
    place += f" ({entry.get(first, f'without {first}')})"
    required = {"key": OF_PAPER, "chapter": OF_CLAIM}.get(first, OF_EXHIBIT)
    found = [f"{place}: the field {name!r} is needed" for name in required if name not in entry]
    for name, value in entry.items():
        if name not in required:
            found.append(f"{place}: the field {name!r} does not belong here")
        elif not _has_form(name, value):
            found.append(f"{place}: {name} must be {FORMS[name][1]}, got {value!r}")
    return found


def _has_form(name: str, value: Any) -> bool:
    """Say whether a field's value, or each one of its list, has the form of the field."""
    if name in LISTS:
        return isinstance(value, list) and value != [] and all(_matches(name, item) for item in value)
    return _matches(name, value)


def _matches(name: str, value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(FORMS[name][0], value) is not None


def _repetitions(entries: list[Entry], *names: str) -> list[str]:
    """Return the values of the named fields, taken together, that occur in more than one entry."""
    counts = Counter(", ".join(entry[name] for name in names) for entry in entries)
    return [f"{' and '.join(names)}: {value!r} occurs {count} times" for value, count in counts.items() if count > 1]


def _across(papers: list[Entry], exhibits: list[Entry]) -> list[str]:
    """Return the faults that show only when entries are compared."""
    keys = [paper["key"] for paper in papers]
    found = [
        f"exhibits ({entry['id']}): paper must be one of {', '.join(keys)}, got {entry['paper']!r}"
        for entry in exhibits
        if entry["paper"] not in keys
    ]
    return found + _repetitions(exhibits, "id") + _repetitions(exhibits, "paper", "where")


def read(source: Path = SOURCE) -> dict[str, list[Entry]]:
    """Return the papers and the exhibits of a list, or raise a ValueError that says what is wrong with it."""
    document: dict[str, list[Entry]] = yaml.safe_load(source.read_text(encoding="utf-8"))
    if found := faults(document):
        raise ValueError(f"{source.name}:\n" + "\n".join(found))
    return document


def page(document: dict[str, list[Entry]], values: Numbers) -> str:
    """Return the page of the book: what is reproduced, then a section for each paper, with our numbers by exhibit."""
    exhibits = document["exhibits"]
    parts = [
        "% Made by `make exhibits` from book/exhibits.yml: edit that file, not this one.",
        "# Figures and tables of the papers",
        "An *exhibit* is a figure or a table in which one of the three papers shows a result. This page lists all\n"
        "of them, with what the paper says, what this book gets, and the test that compares the two.\n"
        "*Reproduced* means run again on the paper's own terms. Where the data of a paper are real, they are not\n"
        "ours, and where it simulates data it does not say quite how: there the exhibit has a *counterpart* on\n"
        "stand-in data, which can agree with a finding and cannot confirm it.",
        _summary(document["papers"], exhibits),
        "Settings and reports are taken from the texts and captions of the papers, in our words, and the numbers\n"
        'below are theirs. What can only be read off a picture is left out, and "not stated" means that the text\n'
        "does not say it. Our own numbers are computed when this page is made; most are in the chapters, too.",
    ]
    for paper in document["papers"]:
        its_own = [entry for entry in exhibits if entry["paper"] == paper["key"]]
        parts += [
            f"## {paper['name']}",
            f"{{cite:t}}`{paper['key']}`. {paper['note']}",
            *(block for entry in its_own for block in _block(entry, values)),
        ]
    return "\n\n".join([*parts, *_claims(document["claims"], values)]) + "\n"


def _claims(claims: list[Entry], values: Numbers) -> list[str]:
    """Return the paragraphs on what the papers say in their texts: by chapter, each with a label for links."""
    parts = [
        "## What the papers say in their texts, by chapter",
        "What a chapter would compare with a sentence of a paper, instead of a figure, stands here. Where a paper is\n"
        "wrong or vague, the [errata](errata.md) say so.",
    ]
    for chapter in dict.fromkeys(claim["chapter"] for claim in claims):
        its_own = [claim for claim in claims if claim["chapter"] == chapter]
        name = f"record-{chapter.replace('_', '-')}"
        numbers = values.get(name, {})
        rows = [f"- {c['where']}. {c['reports']} *Here:* {c['ours'].format(**numbers)}" for c in its_own]
        parts += [
            f"({name})=",
            f"### {chapter.replace('_', ' ').capitalize()}",
            f"In []({chapter}.ipynb):",
            "\n".join(rows),
        ]
    return parts


def _summary(papers: list[Entry], exhibits: list[Entry]) -> str:
    """Return a table: how many exhibits of each paper agree, agree in part and differ, and how many are reproduced."""
    verdicts = FORMS["verdict"][0].split("|")
    rows = ["| paper | " + " | ".join([*verdicts, "reproduced", "counterpart"]) + " |", "|---" * 6 + "|"]
    for name, keys in [*((p["name"], [p["key"]]) for p in papers), ("together", [p["key"] for p in papers])]:
        found = [entry for entry in exhibits if entry["paper"] in keys]
        counts = [sum(entry["verdict"] == verdict for entry in found) for verdict in verdicts]
        counts += [sum(entry["status"] == status for entry in found) for status in ("reproduced", "counterpart")]
        rows.append(f"| {name} | " + " | ".join(map(str, counts)) + " |")
    return "\n".join(rows)


def _block(entry: Entry, values: Numbers) -> list[str]:
    """Return the paragraphs about one exhibit, headed by a label for links."""
    return [
        f"(exhibit-{entry['id']})=",
        f"### {entry['where']}: {entry['title']}",
        f"**Setting.** {entry['setting']}",
        f"**The paper.** {entry['reports']}",
        _ours(entry, values.get(entry["id"], {})),
    ]


def _ours(entry: Entry, values: dict[str, Any]) -> str:
    """Return the paragraph on our counterparts with its numbers, which links to their figures and names the tests."""
    figures = [counterpart.split("#") for counterpart in entry["counterpart"]]
    links = "; ".join(f"[]({chapter}.ipynb), {{numref}}`{figure}`" for chapter, figure in figures)
    tests = "\\\n".join(f"Test: `{test}`" for test in entry["test"])
    status = "" if entry["status"] == "reproduced" else ", on stand-in data"
    return f"**This book: *{entry['verdict']}*{status}.** {entry['ours'].format(**values)}\\\nSee {links}.\\\n{tests}"


def main() -> None:
    """Write the page."""
    document = read()
    PAGE.write_text(page(document, numbers()), encoding="utf-8", newline="\n")
    print(f"{PAGE.relative_to(ROOT)}: {len(document['exhibits'])} exhibits")


if __name__ == "__main__":
    main()
