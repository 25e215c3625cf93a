"""The list of the papers' figures and tables is complete, and what it calls reproduced is there, with its test."""

import re
from collections import Counter
from copy import deepcopy
from string import Formatter

import pytest
import yaml
from chapters import CHAPTERS, ROOT, cells, read, text_of
from test_project import names_of_tests

from tools.exhibits import PAGE, SOURCE, faults, page
from tools.exhibits import read as read_exhibits
from tools.verdicts import numbers

DOCUMENT = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
# Digits of `ours` that are no result: of a formula, of the paper, of an entry of the errata.
TYPED = {
    "record-boosting-attack": ["1", "1", "1"],
    "record-rank-attack": ["1"],
    "zheng-figure-1": ["1"],
    "chaibub-neto-figure-3": ["0.4"],
    "chaibub-neto-figure-6": ["28"],
    "chaibub-neto-figure-s11": ["209", "209", "0.05"],
}
KEYS = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "book" / "references.bib").read_text(), flags=re.M))


OURS = {entry["id"]: entry["ours"] for entry in DOCUMENT["exhibits"] if "ours" in entry}
for claim in DOCUMENT["claims"]:
    name = f"record-{claim['chapter'].replace('_', '-')}"
    OURS[name] = OURS.get(name, "") + claim["ours"]


def figures_of(chapter):
    """Return the names of the figures of a chapter."""
    figures = [cell.metadata.get("mystnb", {}).get("figure", {}) for cell in cells(read(chapter), "code")]
    return {figure["name"] for figure in figures if "name" in figure}


@pytest.mark.parametrize("chapter", sorted({claim["chapter"] for claim in DOCUMENT["claims"]}))
def test_a_claim_belongs_to_a_chapter(chapter):
    """Which leads to it."""
    assert f"](#record-{chapter.replace('_', '-')}" in text_of(read(f"book/{chapter}"))


def absent(entry):
    """Return what an entry names that the book does not have: its paper, chapters, figures, tests."""
    found = [] if entry["paper"] in KEYS else [f"paper {entry['paper']}"]
    for counterpart in entry.get("counterpart", []):
        chapter, figure = counterpart.split("#")
        if f"book/{chapter}" not in CHAPTERS:
            found.append(f"chapter {chapter}")
        elif figure not in figures_of(f"book/{chapter}"):
            found.append(f"figure {figure} in {chapter}")
    for test in entry.get("test", []):
        path, name = test.split("::")
        if not (ROOT / path).is_file() or name not in names_of_tests(ROOT / path):
            found.append(f"test {test}")
    return found


def places(key):
    """Return where the exhibits of a paper are in it, in the order of the list."""
    return [entry["where"] for entry in DOCUMENT["exhibits"] if entry["paper"] == key]


def test_every_exhibit_is_listed():
    """Five, two and nineteen; those of the third paper by number, the first papers' as they are counted there."""
    counts = Counter(entry["paper"] for entry in DOCUMENT["exhibits"])
    assert counts == {"BlumHardt2015": 5, "Zheng2015": 2, "ChaibubNeto2016": 19}
    numbers = [*range(1, 7), *(f"S{number}" for number in range(1, 14))]
    assert places("ChaibubNeto2016") == [f"Figure {number}" for number in numbers]
    assert places("Zheng2015") == ["Figure 1", "Figure 2"]
    conference = [re.findall(r"^Figure (\d)(?! of)", place) for place in places("BlumHardt2015")]
    full = [re.findall(r"full version, (\w+ \d)|^(\w+ \d) of the full", place) for place in places("BlumHardt2015")]
    assert conference == [["1"], ["2"], ["3"], [], []]
    assert ["".join(*found) for found in full] == ["Figure 3", "Figure 4", "Figure 5", "Figure 6", "Table 1"]


def test_the_list_is_well_formed():
    """Read as the generator reads it, so that its message is shown."""
    assert read_exhibits() == DOCUMENT


@pytest.mark.parametrize("entry", DOCUMENT["exhibits"], ids=lambda entry: entry["id"])
def test_what_an_exhibit_names_is_there(entry):
    """A counterpart that nobody finds, or a test that does not run, would be an empty promise."""
    assert absent(entry) == []


def test_the_page_is_what_the_list_and_the_numbers_give():
    """The committed page, to the byte; no number is computed in vain."""
    values = numbers()
    assert PAGE.read_bytes() == page(DOCUMENT, values).encode()
    assert values.keys() <= OURS.keys()
    for exhibit, text in OURS.items():
        names = {re.match(r"\w+", name)[0] for _, name, _, _ in Formatter().parse(text) if name}
        assert names == set(values.get(exhibit, {}))


@pytest.mark.parametrize("exhibit", OURS)
def test_no_result_is_typed(exhibit):
    """Without the names in braces, with their formats, only settings are left, after an equals sign, and fractions."""
    settings = r"=[\d.]*\d|\\frac(\d\d|\{\{\d+\}\}\{\{\d+\}\})"
    rest = re.sub(settings + r"|\{[^{}]+\}", "", OURS[exhibit])
    assert re.findall(r"\d[\d.]*\d|\d", rest) == TYPED.get(exhibit, [])


GOOD = {
    "papers": [{"key": "Zheng2015", "name": "Zheng", "note": "Scores are accuracies."}],
    "claims": [{"chapter": "ladder", "where": "Section 1", "reports": "It is safe.", "ours": "At most ${steps}$."}],
    "exhibits": [
        {
            "id": "zheng-figure-1",
            "paper": "Zheng2015",
            "where": "Figure 1",
            "title": "Attacks",
            "setting": "$n=1000$.",
            "reports": "The attack climbs.",
            "status": "reproduced",
            "verdict": "agrees",
            "ours": "It climbs to ${end:.2f}$.",
            "counterpart": ["boosting_attack#fig-boosting-curves", "multi_account_bound#fig-parity"],
            "test": ["tests/theorems/test_accounts.py::test_fresh_accounts"],
        },
        {
            "id": "zheng-figure-2",
            "paper": "Zheng2015",
            "where": "Figure 2",
            "title": "Enumeration",
            "setting": "Not stated.",
            "reports": "It is slow.",
            "status": "counterpart",
            "verdict": "differs",
            "ours": "It is fast.",
            "counterpart": ["ladder#fig-zheng-figure-2"],
            "test": ["tests/theorems/test_accounts.py::test_fresh_accounts"],
        },
    ],
}


def changed(number, **fields):
    """Return the good list with fields of one exhibit set, or taken out where the value is None."""
    document = deepcopy(GOOD)
    entry = document["exhibits"][number]
    entry.update(fields)
    for name in [name for name, value in fields.items() if value is None]:
        del entry[name]
    return document


def test_a_good_list_passes():
    assert faults(GOOD) == []
    assert [absent(entry) for entry in GOOD["exhibits"]] == [[], []]


@pytest.mark.parametrize(
    ("number", "field", "value"),
    [
        (0, "setting", None),
        (0, "id", "Zheng 1"),
        (0, "paper", "Zheng"),
        (0, "title", ""),
        (0, "status", "done"),
        (0, "counterpart", ["boosting_attack"]),
        (0, "test", ["tests/theorems/test_accounts.py"]),
        (0, "remark", "None."),
        (1, "ours", None),
        (1, "verdict", "true"),
    ],
)
def test_planted_fault_is_found(number, field, value):
    """The message names the entry and the field, and the value where there is one."""
    (fault,) = faults(changed(number, **{field: value}))
    assert fault.startswith("exhibits")
    assert f"({value if field == 'id' else GOOD['exhibits'][number]['id']}): " in fault
    assert re.search(rf"\b{field}\b", fault.partition("): ")[2])
    assert value is None or repr(value) in fault or "does not belong here" in fault


def test_planted_confusion_of_entries_is_found():
    """Two that are the same, and a file that is no list of them."""
    assert faults(changed(0, id="zheng-figure-2")) == ["id: 'zheng-figure-2' occurs 2 times"]
    assert faults(changed(0, where="Figure 2")) == ["paper and where: 'Zheng2015, Figure 2' occurs 2 times"]
    assert faults(None)
    assert faults(GOOD | {"exhibits": []})
    (claim,) = GOOD["claims"]
    assert faults(GOOD | {"claims": [claim, claim]}) == ["chapter and where: 'ladder, Section 1' occurs 2 times"]
    assert faults(GOOD | {"claims": [claim | {"ours": None}]})


def test_a_faulty_file_is_refused(tmp_path):
    """Nothing is written from a list with a fault."""
    source = tmp_path / "exhibits.yml"
    source.write_text(yaml.safe_dump(changed(0, status="done")))
    with pytest.raises(ValueError, match=r"exhibits\.yml:\nexhibits, entry 1 \(zheng-figure-1\): status .*'done'"):
        read_exhibits(source)


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("paper", "Zheng2016", ["paper Zheng2016"]),
        ("counterpart", ["boosting#fig-boosting-curves"], ["chapter boosting"]),
        ("counterpart", ["notation#fig-boosting-curves"], ["chapter notation"]),
        ("counterpart", ["ladder#fig-boosting-curves"], ["figure fig-boosting-curves in ladder"]),
        ("counterpart", ["ladder#fig-history", "ladder#fig-none"], ["figure fig-none in ladder"]),
        ("test", ["tests/theorems/test_none.py::test_count"], ["test tests/theorems/test_none.py::test_count"]),
        ("test", ["tests/theorems/test_tree.py::test_none"], ["test tests/theorems/test_tree.py::test_none"]),
    ],
)
def test_planted_absence_is_found(field, value, named):
    """A paper, chapter, figure or test that does not exist, or a page that is no chapter."""
    assert absent(GOOD["exhibits"][0] | {field: value}) == named


def test_the_page_shows_each_exhibit():
    """What was found with its links and tests, whether the data are the paper's, and how many of each."""
    text = page(GOOD, {"zheng-figure-1": {"end": 0.787}, "record-ladder": {"steps": 7}})
    assert (
        "(record-ladder)=\n\n### Ladder\n\nIn [](ladder.ipynb):\n\n- Section 1. It is safe. *Here:* At most $7$."
        in text
    )
    assert text.startswith("% Made by `make exhibits` ")
    assert "| together | 1 | 0 | 1 | 1 | 1 |" in text
    first, second = text.split("(exhibit-zheng-figure-2)=")
    assert all(GOOD["exhibits"][0][name] in first for name in ("where", "title", "setting", "reports"))
    assert "It climbs to $0.79$." in first
    assert "[](boosting_attack.ipynb), {numref}`fig-boosting-curves`; [](multi_account_bound.ipynb)" in first
    assert "Test: `tests/theorems/test_accounts.py::test_fresh_accounts`" in first
    assert "*agrees*.**" in first
    assert "*differs*, on stand-in data.** It is fast." in second
