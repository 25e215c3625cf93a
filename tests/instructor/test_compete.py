"""Standings of a class competition: right, the same at each call, and undisturbed by bad files."""

import csv
import itertools
import os
import unicodedata
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from markupsafe import escape

import leaderboard_edu as le
from instructor.compete import compete
from instructor.compete.files import LARGEST
from instructor.compete.play import MECHANISMS

PUBLIC = np.array([i % 3 != 2 for i in range(30)])  # 20 public items and 10 final ones, mixed
LABELS = np.array([i * i % 7 % 2 for i in range(30)])


def text(vectors):
    return "".join("".join(map(str, vector)) + "\n" for vector in vectors)


def parts(public):
    return "".join("p" if item else "f" for item in public)


def wrong(public, final):
    """Return a submission with so many wrong public and final labels, the first ones."""
    entries = LABELS.copy()
    entries[np.flatnonzero(PUBLIC)[:public]] ^= 1
    entries[np.flatnonzero(~PUBLIC)[:final]] ^= 1
    return entries


def hand_in(folder, team, session, vectors):
    path = folder / "teams" / team / f"{session}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(vectors))
    return path


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def standings(folder, mechanism):
    return {row["team"]: row for row in rows(folder / "standings" / "standings.csv") if row["mechanism"] == mechanism}


def told(folder, team, mechanism):
    """Return what a board told a team, as whole numbers."""
    answers = rows(folder / "standings" / "told" / team / f"{mechanism}.csv")
    return [int(row["place" if mechanism == "rank_board" else "count"]) for row in answers]


def everything(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def new_folder(tmp_path):
    """Return a function that starts a competition, by default with the labels above and eta 1/10."""

    def start(name="class", labels=LABELS, public=PUBLIC, settings='eta = "1/10"\n'):
        folder = tmp_path / name
        (folder / "teams").mkdir(parents=True)
        (folder / "labels.txt").write_text(f"{text([labels])}{parts(public)}\n")
        (folder / "competition.toml").write_text(settings)
        return folder

    return start


@pytest.fixture
def small(new_folder):
    """Return a competition of three teams and two sessions that can be worked out by hand."""
    folder = new_folder()
    hand_in(folder, "ann", 1, [wrong(10, 6), wrong(8, 2)])
    hand_in(folder, "ann", 2, [wrong(7, 9)])
    hand_in(folder, "bob", 1, [wrong(9, 3)])
    hand_in(folder, "bob", 2, [wrong(4, 5)])
    hand_in(folder, "cid", 1, [wrong(9, 1)])
    return folder


@pytest.mark.parametrize(
    ("mechanism", "ann", "bob", "cid"),
    [  # place, loss shown, file, line, final place, final loss
        ("full_disclosure", "2 7/20 2.txt 1 3 9/10", "1 4/20 2.txt 1 2 5/10", "3 9/20 1.txt 1 1 1/10"),
        # 8/20 ties with the release minus eta and is refused
        ("ladder", "2 4/10 2.txt 1 3 9/10", "1 2/10 2.txt 1 2 5/10", "3 5/10 1.txt 1 1 1/10"),
        # 8/20 and 7/20 round to the same
        ("simplified_ladder", "2 4/10 1.txt 2 2 2/10", "1 2/10 2.txt 1 3 5/10", "3 5/10 1.txt 1 1 1/10"),
        # two more labels right are enough for the test, one is not
        ("parameter_free_ladder", "2 8/20 1.txt 2 2 2/10", "1 4/20 2.txt 1 3 5/10", "3 9/20 1.txt 1 1 1/10"),
        ("rank_board", "2 / 2.txt 1 3 9/10", "1 / 2.txt 1 2 5/10", "3 / 1.txt 1 1 1/10"),
    ],
)
def test_a_small_competition_by_hand(small, mechanism, ann, bob, cid):
    assert compete(small) == []
    form = "{place} {count}/{of} {file} {line} {final_place} {final_count}/{final_of}"
    shown = {team: form.format(**row) for team, row in standings(small, mechanism).items()}
    assert shown == {"bob": bob, "ann": ann, "cid": cid}
    assert list(shown) == ["bob", "ann", "cid"]


def test_what_the_boards_told_by_hand(small):
    compete(small)
    answers = {m: [told(small, team, m) for team in ("ann", "bob", "cid")] for m in MECHANISMS}
    assert answers == {
        "full_disclosure": [[10, 8, 7], [9, 4], [9]],
        "ladder": [[5, 5, 4], [5, 2], [5]],
        "simplified_ladder": [[5, 4, 4], [5, 2], [5]],
        "parameter_free_ladder": [[10, 8, 8], [9, 4], [9]],
        "rank_board": [[1, 1, 1], [1, 1], [2]],  # cid comes after bob with the same loss
    }
    path = small / "standings" / "told" / "ann" / "ladder.csv"
    assert (
        path.read_text() == "count,of,loss,file,line\n5,10,0.5000,1.txt,1\n5,10,0.5000,1.txt,2\n4,10,0.4000,2.txt,1\n"
    )


def test_gap_and_error_by_hand(small):
    """Under full disclosure the boards of ann, bob and cid err by 0.2, 0.15 and 0.35.

    In the order of play ann, bob, cid, ann, ann, bob the lowest loss shown is 10, 9, 9, 8, 7, 4 twentieths, the
    lowest final loss 6, 3, 1, 1, 1, 1 tenths.
    """
    compete(small)
    team = standings(small, "full_disclosure")
    assert [team[name]["gap"] for name in ("ann", "bob", "cid")] == ["0.5500", "0.3000", "-0.3500"]
    assert [team[name]["error"] for name in ("ann", "bob", "cid")] == ["0.2000", "0.1500", "0.3500"]
    assert [team[name]["final_loss"] for name in ("ann", "bob", "cid")] == ["0.9000", "0.5000", "0.1000"]
    page = (small / "standings" / "standings.html").read_text()
    assert "Largest error of a team: 0.3500. Error of the lead: 0.3500." in page
    hand_in(small, "cid", 1, [wrong(20, 1)])
    compete(small)
    page = (small / "standings" / "standings.html").read_text()
    assert "Largest error of a team: 0.9000. Error of the lead: 0.3500." in page


def plain_answers(mechanism, counts, n, m):
    """Return the releases of a mechanism in steps, by its definition in fractions."""
    shown, answers = None, []
    for count in counts:
        loss = Fraction(count, n)
        rounded = Fraction(int(loss * m + Fraction(1, 2)), m)
        if mechanism == "ladder" and (shown is None or loss < shown - Fraction(1, m)):
            shown = rounded
        if mechanism == "simplified_ladder" and (shown is None or rounded < shown):
            shown = rounded
        answers.append(count if mechanism == "full_disclosure" else int(shown * m))
    return answers


def plain_places(history):
    """Return the place after each turn: by the best loss, then by who reached it first."""
    places, reached = [], {}
    for turn, (team, count) in enumerate(history):
        if team not in reached or count < reached[team][0]:
            reached[team] = (count, turn)
        places.append(sorted(reached, key=reached.get).index(team) + 1)
    return places


def test_against_plain_computation(new_folder):
    """Releases and places of a random competition, by definitions in fractions and by sorting."""
    folder = new_folder()
    rng = np.random.default_rng(5)
    entries = {}
    for session in (1, 2, 10):
        for team in ("b2", "b10", "a"):
            batch = LABELS ^ (rng.random((rng.integers(1, 9), 30)) < 0.4)
            hand_in(folder, team, session, batch)
            entries |= {(session, line, int(f"0{team[1:]}"), team): entry for line, entry in enumerate(batch)}
    assert compete(folder) == []
    history = [(key[-1], int((entries[key] != LABELS)[PUBLIC].sum())) for key in sorted(entries)]
    places = plain_places(history)
    for team in ("a", "b2", "b10"):
        counts = [count for name, count in history if name == team]
        for mechanism in ("full_disclosure", "ladder", "simplified_ladder"):
            assert told(folder, team, mechanism) == plain_answers(mechanism, counts, n=20, m=10)
        assert told(folder, team, "rank_board") == [
            p for p, (name, _) in zip(places, history, strict=True) if name == team
        ]


def test_the_default_settings(small):
    """Without a file of settings eta is 1/100, all boards are played and nothing is over the limit."""
    (small / "competition.toml").unlink()
    compete(small)
    assert told(small, "ann", "ladder") == [50, 40, 35]
    assert list(dict.fromkeys(row["mechanism"] for row in rows(small / "standings" / "standings.csv"))) == list(
        MECHANISMS
    )


def test_only_the_mechanisms_asked_for(small):
    (small / "competition.toml").write_text('mechanisms = ["rank_board", "ladder"]\n')
    compete(small)
    assert {path.name for path in (small / "standings" / "told" / "ann").iterdir()} == {"ladder.csv", "rank_board.csv"}
    mechanisms = [row["mechanism"] for row in rows(small / "standings" / "standings.csv")]
    assert mechanisms == ["rank_board"] * 3 + ["ladder"] * 3


@pytest.mark.parametrize(("mechanism", "leads"), [("full_disclosure", True), ("ladder", False)])
def test_a_boosting_attack_leads_full_disclosure_and_nothing_else(new_folder, mechanism, leads):
    """The attacker submits random lines, reads what the board told it, and submits the majority of the better half."""
    rng = np.random.default_rng(2)
    labels, public = rng.integers(0, 2, 400), rng.permutation(np.arange(400) < 100)
    folder = new_folder("attack", labels, public, 'eta = "1/20"\n')
    for i in range(5):
        hand_in(folder, f"honest {i}", 1, labels ^ (rng.random((5, 400)) < 0.3))
    guesses = rng.integers(0, 2, (400, 400))
    hand_in(folder, "eve", 2, guesses)
    compete(folder)
    good = guesses[2 * np.array(told(folder, "eve", mechanism)) <= (100 if mechanism == "full_disclosure" else 20)]
    ties = rng.uniform(-1e-9, 1e-9, 400)
    hand_in(folder, "eve", 3, [(good.mean(axis=0) + ties > 0.5).astype(int)])
    compete(folder)
    row = standings(folder, mechanism)["eve"]
    assert (row["place"] == "1") == leads
    assert row["final_place"] == "6"
    assert (row["file"] == "3.txt") == leads


def test_two_teams_read_the_labels_off_the_rank_board(new_folder):
    """They do not know which items are public, so they try each; what is final they cannot learn."""
    labels, public = LABELS[:12], PUBLIC[:12]
    folder = new_folder("ranks", labels, public, 'mechanisms = ["rank_board"]\n')
    hand_in(folder, "ann", 1, [1 - labels, labels ^ (np.arange(12) == 0)])
    sessions = iter(range(2, 20))

    def submit(account, vector):
        hand_in(folder, account, next(sessions), [vector])
        assert compete(folder) == []
        return told(folder, account, "rank_board")[-1]

    attack = le.rank_attack(submit, n=12, rng=np.random.default_rng(3))
    first = attack.submissions[0]
    assert (attack.predictions == labels)[public].all()
    assert (attack.predictions == first)[~public].all()
    assert not (first == labels)[public].all()
    assert set(list(standings(folder, "rank_board"))[:2]) == {"A", "B"}


def test_a_later_session_changes_nothing_that_was_told(small):
    compete(small)
    before = everything(small / "standings" / "told")
    hand_in(small, "aaron", 10, [wrong(3, 3), wrong(0, 0)])
    hand_in(small, "cid", 10, [wrong(1, 1)])
    hand_in(small, "ann", 9, [wrong(5, 0)])
    compete(small)
    after = everything(small / "standings" / "told")
    assert {path: after[path][: len(content)] for path, content in before.items()} == before


def test_a_team_in_an_earlier_session_touches_only_the_rank_board(small):
    compete(small)
    before = everything(small / "standings" / "told")
    hand_in(small, "aaron", 1, [wrong(0, 0)])
    compete(small)
    after = everything(small / "standings" / "told")
    changed = {path.name for path, content in before.items() if after[path] != content}
    assert changed == {"rank_board.csv"}


def test_sessions_are_played_in_natural_order(new_folder):
    folder = new_folder()
    for losses, session in enumerate(["1", "1-late", "1b", "2", "10", "week 3"]):
        hand_in(folder, "ann", session, [wrong(losses, 0)])
    compete(folder)
    assert told(folder, "ann", "full_disclosure") == [0, 1, 2, 3, 4, 5]


def test_what_teams_may_see_says_nothing_of_the_final_labels(small):
    compete(small)
    before = everything(small / "standings")
    (small / "labels.txt").write_text(f"{text([np.where(PUBLIC, LABELS, 1 - LABELS)])}{parts(PUBLIC)}\n")
    compete(small)
    after = everything(small / "standings")
    changed = {path for path in before if before[path] != after[path]}
    assert changed == {Path("standings.csv"), Path("standings.html")}


def test_the_same_files_give_the_same_bytes(small, new_folder):
    """Also when they were made in another order, elsewhere, and are written to another folder."""
    hand_in(small, "ann", 3, [[0, 1]])
    compete(small)
    once = everything(small / "standings")
    compete(small)
    assert everything(small / "standings") == once
    other = new_folder("copy")
    for path in sorted((small / "teams").rglob("*.txt"), reverse=True):
        copy = other / path.relative_to(small)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes())
    compete(other, other.parent / "elsewhere")
    assert everything(other.parent / "elsewhere") == once


GOOD = text([wrong(5, 5)]).strip()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (f"{GOOD}\n{GOOD[1:]}\n", "1.txt, line 2: expected 30 characters 0 or 1, got 29"),
        (f"{GOOD}0\n{GOOD}\n", "1.txt, line 1: expected 30 characters 0 or 1, got 31"),
        (f"{GOOD}\n\n2{GOOD[1:]}", "1.txt, line 3: expected 30 characters 0 or 1, got 30, '2' at position 1"),
        (f"{GOOD}\n{','.join(GOOD)}\n", "1.txt, line 2: expected 30 characters 0 or 1, got 59, ',' at position 2"),
        (f"{GOOD}\n" + "1\n0\n1\n", "1.txt, lines 2 to 4: expected 30 characters 0 or 1, got 1"),
        (f"{GOOD}\n{GOOD[:-1]}é\n", "1.txt, line 2: expected 30 characters 0 or 1, got 31, '\\xc3' at position 30"),
    ],
)
def test_a_bad_line_is_named_and_the_others_count(small, content, problem):
    hand_in(small, "dan", 1, []).write_text(content, encoding="utf-8")
    assert compete(small) == [f"team dan, {problem}"]
    assert told(small, "dan", "full_disclosure") == [5]
    assert (small / "standings" / "problems.txt").read_text() == f"team dan, {problem}\n"
    assert (small / "standings" / "told" / "dan" / "problems.txt").read_text() == f"team dan, {problem}\n"
    assert not (small / "standings" / "told" / "ann" / "problems.txt").exists()
    assert told(small, "ann", "full_disclosure") == [10, 8, 7]


def test_a_bad_file_has_one_message(small):
    """However many lines of it are bad, and in however many ways; lines over the limit have one of their own."""
    (small / "competition.toml").write_text("limit = 1\n")
    hand_in(small, "dan", 1, []).write_text("\n".join([GOOD, *("1" * n for n in range(2, 29)), GOOD, "0", GOOD]))
    assert [problem for problem in compete(small) if "dan" in problem] == [
        "team dan, 1.txt: 28 lines refused, the first: line 2: expected 30 characters 0 or 1, got 2; "
        "line 3: expected 30 characters 0 or 1, got 3; line 4: expected 30 characters 0 or 1, got 4",
        "team dan, 1.txt, lines 29 to 31: over the limit of 1 submissions a team",
    ]


@pytest.mark.parametrize(
    ("lines", "hint"),
    [
        (["0", "1"] * 15, True),  # one value a line, of all items or of some
        (["1"] * 7, True),
        ([f"{value:.18e}" for value in LABELS], True),  # as np.savetxt writes without fmt="%d"
        (["label", *map(str, LABELS)], True),
        (["0,1,1"] * 30, True),
        (["item,label", *(f"{i},{label}" for i, label in enumerate(LABELS))], True),
        (["True", "False"] * 15, True),
        (["0"], False),
        ([GOOD[1:]] * 5, False),
        ([",".join(GOOD)] * 30, False),
        ([*(["1"] * 29), GOOD], False),
    ],
)
def test_a_file_on_its_side_is_told_so(small, lines, hint):
    hand_in(small, "dan", 1, []).write_text("\n".join(lines))
    (problem,) = compete(small)
    assert (
        problem.endswith("; a line seems to be an item: transpose the file, so that each line is a submission") == hint
    )


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Bob", "bob"], "Bob and bob"),
        (["team 7", "Team-7", "team_7"], "Team-7 and team 7 and team_7"),
        (["d\u2013n", "dn"], "dn and d\u2013n"),
        (["Straße", "STRASSE"], "STRASSE and Straße"),
        ([unicodedata.normalize(form, "zoë") for form in ("NFC", "NFD")], r"'zoe\u0308' and 'zo\xeb'"),
    ],
)
def test_teams_and_files_of_one_name_are_refused_together(new_folder, names, said):
    """All of them, since nobody can say which is meant; the others play."""
    alike = f"{said}: the same name but for case, spaces, hyphens, underscores or Unicode form"
    folder = new_folder()
    for team in ("ann", "ann-attack", *names):
        hand_in(folder, team, 1, [wrong(1, 1)])
    (problem,) = compete(folder)
    assert problem == f"teams/{alike}; none of them counts; rename them or put them together"
    assert sorted(standings(folder, "ladder")) == ["ann", "ann-attack"]
    assert sorted(path.name for path in (folder / "standings" / "told").iterdir()) == ["ann", "ann-attack"]

    other = new_folder("files")
    for session in ("2", *names):
        hand_in(other, "ann", session, [wrong(1, 1)])
    (problem,) = compete(other)
    assert problem.startswith("team ann, ")
    assert problem.endswith("; none of them counts; rename them or put them together")
    assert [row["file"] for row in rows(other / "standings" / "told" / "ann" / "ladder.csv")] == ["2.txt"]


def test_who_is_refused_is_on_the_pages_with_the_reason(small):
    hand_in(small, "Bob", 1, [wrong(0, 0)])
    (problem,) = compete(small)
    for page in ("board.html", "standings.html"):
        text = (small / "standings" / page).read_text()
        assert "bob</td>" not in text
        assert f"<h2>Not on the boards</h2>\n<ul>\n<li>{escape(problem)}</li>" in text


@pytest.mark.parametrize(("name", "meant"), [("Session 2", "2"), ("ann-1", "1"), ("session5a", "5a")])
def test_a_session_under_a_name_of_its_own_is_refused(small, name, meant):
    """It would be played after the others. Where all call it so, it is a session as any other."""
    compete(small)
    assert "<p>Sessions, in the order of play: 1, 2.</p>" in (small / "standings" / "board.html").read_text()
    hand_in(small, "cid", "5a", [wrong(3, 3)])
    hand_in(small, "ann", name, [wrong(0, 0)])
    hand_in(small, "bob", "Session 7", [wrong(1, 1)])
    assert compete(small) == [
        f"team ann, {name}.txt: expected {meant}.txt, as that session is called; under this name it is another one"
    ]
    board = (small / "standings" / "board.html").read_text()
    assert "<p>Sessions, in the order of play: 1, 2, 5a, Session 7.</p>" in board
    assert told(small, "ann", "full_disclosure") == [10, 8, 7]


def plots(folder):
    """Return the drawings of the standings, parsed, by the word that their description begins with."""
    page = (folder / "standings" / "standings.html").read_text()
    drawings = [ET.fromstring(f"<svg{part.partition('</svg>')[0]}</svg>") for part in page.split("<svg")[1:]]
    return {drawing.get("aria-label").partition(":")[0]: drawing for drawing in drawings}


def test_the_plot_of_a_board(small):
    """A dot lies above the diagonal by the gap, whatever the board, and its name is beside it."""
    compete(small)
    drawings = plots(small)
    assert list(drawings) == ["Full disclosure", "Ladder", "Simplified Ladder", "Parameter-free Ladder"]
    scales = set()
    for mechanism, drawing in zip(MECHANISMS, drawings.values(), strict=False):
        gaps = {name: float(row["gap"]) for name, row in standings(small, mechanism).items()}
        for group in drawing.iter("g"):
            dot = group.find("circle")
            above = 100 - float(dot.get("cx")[:-1]) - float(dot.get("cy")[:-1])
            scales.add(round(above / gaps[group.find("text").text]))
    assert len(scales) == 1
    assert scales.pop() > 0
    assert drawings["Full disclosure"].get("aria-label") == (
        "Full disclosure: final loss against loss shown. 2 of 3 teams lie above the diagonal, where the loss shown is "
        "too low; farthest up is ann, shown 0.3500, final 0.9000. The table has all numbers."
    )
    assert "<svg" not in (small / "standings" / "board.html").read_text()


def test_the_names_in_a_plot_stay_apart(new_folder):
    """Also those of thirty teams with the same losses, and within the plot."""
    folder = new_folder()
    for i in range(30):
        hand_in(folder, f"a team with a long name {i}", 1, [wrong(5, 5 if i else 9)])
    compete(folder)
    drawing = plots(folder)["Ladder"]
    names = [group.find("text") for group in drawing.iter("g")]
    heights = [float(name.get("y")) for name in names]
    assert min(np.diff(heights)) >= 17
    assert 8 <= heights[0] < heights[-1] <= float(drawing.get("height")) - 8
    assert len({name.text for name in names}) == 30
    assert max(len(name.text) for name in names) == 16


def test_plots_of_any_losses(new_folder):
    """None, all the same, and from 0 to 1: ticks few enough for a phone hold them."""
    folder = new_folder()
    (folder / "teams" / "ann").mkdir()
    compete(folder)
    assert plots(folder) == {}
    for losses in ([(0, 0)], [(20, 10)], [(0, 0), (20, 10)], [(7, 3), (7, 4), (8, 3)]):
        for i, pair in enumerate(losses):
            hand_in(folder, f"b{i}", 1, [wrong(*pair)])
        compete(folder)
        drawing = plots(folder)["Full disclosure"]
        assert 2 <= len({text.text for text in drawing.findall("text")[3:]}) <= 5
        places = [float(dot.get(key)[:-1]) for dot in drawing.iter("circle") for key in ("cx", "cy")]
        assert 6 <= min(places) <= max(places) <= 94


def sparse(path):
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)


NAME = "expected a name of printable characters that does not begin with =, +, - or @"
LINK = "expected the file or folder itself, got a link"


@pytest.mark.parametrize(
    ("name", "make", "problem"),
    [
        (
            "ann/3.txt",
            lambda path: path.write_bytes(b""),
            "team ann, 3.txt: expected a submission on each line, got an empty file",
        ),
        (
            "ann/3.txt",
            lambda path: path.write_bytes(GOOD.encode("utf-16")),
            "team ann, 3.txt: expected a plain text file, got binary data",
        ),
        ("ann/3.txt", sparse, f"team ann, 3.txt: expected at most {LARGEST} bytes; split it"),
        ("ann/3.txt", Path.mkdir, "team ann, 3.txt: expected a plain text file"),
        ("ann/3.txt", os.mkfifo, "team ann, 3.txt: expected a plain text file"),
        ("ann/3.txt", lambda path: path.symlink_to("../../labels.txt"), f"team ann, 3.txt: {LINK}"),
        (
            "ann/3.csv",
            lambda path: path.write_text(GOOD),
            "team ann, 3.csv: expected only files whose names end in .txt",
        ),
        ("ann/=3.txt", lambda path: path.write_text(GOOD), f"team ann, =3.txt: {NAME}"),
        ("ann/a\nb.txt", lambda path: path.write_text(GOOD), f"team ann, 'a\\nb.txt': {NAME}"),
        ("dan", lambda path: path.symlink_to("ann"), f"teams/dan: {LINK}"),
        ("3.txt", lambda path: path.write_text(GOOD), "teams/3.txt: expected a folder for each team and nothing else"),
        ("@dan", Path.mkdir, f"teams/@dan: {NAME}"),
        (os.fsdecode(b"d\xffn"), Path.mkdir, f"teams/'d\\udcffn': {NAME}"),
    ],
)
def test_a_bad_file_is_named_and_stops_nothing(small, name, make, problem):
    compete(small)
    before = everything(small / "standings")
    make(small / "teams" / name)
    assert compete(small) == [problem]
    after = everything(small / "standings")
    pages = ["told/ann/problems.txt"] if problem.startswith("team ann") else ["board.html", "standings.html"]
    new = {Path("problems.txt"), *map(Path, pages)}
    assert {path for path in after if before.get(path) != after[path]} == new


def test_what_systems_add_to_files_does_no_harm(small):
    compete(small)
    before = everything(small / "standings")
    ann = small / "teams" / "ann"
    first, second = (ann / "1.txt").read_bytes().split()
    (ann / "1.txt").write_bytes(b"\xef\xbb\xbf" + first + b" \r\n" + second + b"\r\n\r\n")
    (ann / "2.txt").write_bytes((ann / "2.txt").read_bytes().strip())
    (ann / ".DS_Store").write_bytes(b"\0")
    (ann / "Thumbs.db").write_bytes(b"\0")
    (small / "teams" / ".DS_Store").write_bytes(b"\0")
    (small / "teams" / "__MACOSX").mkdir()
    (small / "standings" / ".DS_Store").write_bytes(b"\0")
    for name in ("labels.txt", "competition.toml"):
        content = (small / name).read_bytes()
        (small / name).write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    assert compete(small) == []
    assert everything(small / "standings") == before


def test_a_limit_counts_good_lines_in_the_order_of_sessions(small):
    (small / "competition.toml").write_text("limit = 2\n")
    hand_in(small, "ann", 10, [wrong(0, 0), wrong(1, 1)])
    hand_in(small, "cid", 2, [[1], wrong(3, 3)])
    assert compete(small) == [
        "team ann, 2.txt, line 1: over the limit of 2 submissions a team",
        "team ann, 10.txt, lines 1 to 2: over the limit of 2 submissions a team",
        "team cid, 2.txt, line 1: expected 30 characters 0 or 1, got 1",
    ]
    assert told(small, "ann", "full_disclosure") == [10, 8]
    assert told(small, "cid", "full_disclosure") == [9, 3]


def test_a_team_without_a_submission_comes_last(small):
    (small / "teams" / "aaa").mkdir()
    assert compete(small) == []
    for mechanism in MECHANISMS:
        row = standings(small, mechanism)
        assert list(row)[-1] == "aaa"
        assert row["aaa"] == dict.fromkeys(row["ann"], "") | {"mechanism": mechanism, "team": "aaa", "submissions": "0"}
        assert told(small, "aaa", mechanism) == []
    page = (small / "standings" / "standings.html").read_text()
    empty = "<td></td>\n"
    assert page.count(f"<tr>\n{empty}<td>aaa</td>\n{5 * empty}<td>0</td>\n</tr>") == 4
    assert page.count(f"<tr>\n{empty}<td>aaa</td>\n{2 * empty}<td>0</td>\n</tr>") == 1


def test_equal_losses_share_a_place(new_folder):
    """The teams come in the order of their names; the mark is for those whose final place is worse."""
    folder = new_folder()
    for team, public, final in (("b10", 5, 7), ("a", 6, 4), ("b2", 5, 4), ("b3", 5, 4)):
        hand_in(folder, team, 1, [wrong(public, final)])
    compete(folder)
    shown = standings(folder, "full_disclosure").items()
    places = [(team, row["place"], row["final_place"]) for team, row in shown]
    assert places == [("b2", "1", "1"), ("b3", "1", "1"), ("b10", "1", "4"), ("a", "4", "1")]
    table = (folder / "standings" / "standings.html").read_text().split("<h2>")[1]
    assert [f"<td>{team}</td>\n<td>{final} ▼</td>" in table for team, _, final in places] == [False, False, True, False]


def test_a_gap_that_rounds_to_zero_has_no_sign(new_folder):
    """The final loss is 1/2 and the loss shown 10001/20001."""
    labels = np.zeros(20003, dtype=int)
    folder = new_folder(labels=labels, public=np.arange(20003) > 1)
    hand_in(folder, "ann", 1, [(np.arange(20003) > 0).astype(int) * (np.arange(20003) < 10003)])
    compete(folder)
    row = standings(folder, "full_disclosure")["ann"]
    assert (row["count"], row["final_count"], row["gap"]) == ("10001", "1", "0.0000")


def test_nobody_has_submitted_yet(new_folder):
    folder = new_folder()
    (folder / "teams" / "ann").mkdir()
    assert compete(folder) == []
    assert standings(folder, "ladder")["ann"]["place"] == ""
    assert (folder / "standings" / "problems.txt").read_text() == "No problems.\n"


def test_the_pages(small):
    """Names are escaped, nothing is fetched, and only the standings speak of final labels."""
    name = '{of} <b>&"ö"'
    hand_in(small, name, 1, [wrong(4, 6)])
    compete(small)
    board, page = ((small / "standings" / f"{stem}.html").read_text() for stem in ("board", "standings"))
    for text in (board, page):
        assert f"<td>{escape(name)}</td>" in text
        assert "<b>&" not in text
        assert not [word for word in ("<script", "src=", "href=", "@import", "url(", "http:", "https:") if word in text]
        assert text.count("<table") == text.count("</table>") == len(MECHANISMS)
        assert text.count("7/20 =\N{NO-BREAK SPACE}0.3500") == 1
        ranks = text[text.index("<h2>Rank board</h2>") :]
        assert "Loss shown</th>" not in ranks
        assert "prefers-color-scheme: dark" in text
    assert "inal" not in board
    tables = page.split("<h2>")
    assert "<td>2 ▼</td>\n<td>4/20" in tables[1]
    assert f"<td>{escape(name)}</td>\n<td>3 ▼</td>" in tables[1]
    assert (small / "standings" / "told" / name / "ladder.csv").exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("labels.txt", None, "labels.txt: expected a plain text file"),
        ("labels.txt", "0101\n", "labels.txt: expected two lines, the labels and their parts, got 1"),
        ("labels.txt", "0101\nppff\n0101\n", "labels.txt: expected two lines, the labels and their parts, got 3"),
        ("labels.txt", "0121\nppff\n", "labels.txt: expected 4 characters 0 or 1, got 4, '2' at position 3"),
        ("labels.txt", "0101\nppf\n", "labels.txt: expected 4 characters f or p, got 3"),
        ("labels.txt", "0101\nPPff\n", "labels.txt: expected 4 characters f or p, got 4, 'P' at position 1"),
        ("labels.txt", "0101\npppp\n", "labels.txt: expected items of both parts"),
        ("labels.txt", "0101\nffff\n", "labels.txt: expected items of both parts"),
        (
            "competition.toml",
            "limits = 3\n",
            "competition.toml: unknown setting limits; expected eta, limit, mechanisms",
        ),
        ("competition.toml", "limit = \n", "competition.toml: Invalid value"),
        ("competition.toml", b"limit = 3 # \xff\n", "competition.toml: 'utf-8' codec"),
        ("competition.toml", "limit = -1\n", "limit must be a whole number of at least 0, got -1"),
        ("competition.toml", "limit = true\n", "limit must be a whole number of at least 0, got True"),
        ("competition.toml", 'eta = "2/5"\n', "competition.toml: eta must be 1/m for a whole number m"),
        ("competition.toml", "eta = 0.01\n", "eta must be a string such as '1/100'"),
        ("competition.toml", "eta = 0.5\n", "eta must be a string such as '1/100'"),
        ("competition.toml", 'eta = "1/10000000"\n', "at least 1/1000000"),
        (
            "competition.toml",
            'mechanisms = ["ladders"]\n',
            "mechanisms must be a list of some of full_disclosure, ladder,",
        ),
        ("competition.toml", 'mechanisms = ["ladder", "ladder"]\n', "mechanisms must be"),
        ("competition.toml", "mechanisms = 3\n", "mechanisms must be"),
        ("competition.toml", "mechanisms = []\n", "mechanisms must be"),
        ("standings/grades.ods", "", "standings: would be replaced, but holds other files: grades.ods; move them"),
    ],
)
def test_an_unusable_folder_is_refused_and_left_alone(small, name, content, message):
    compete(small)
    if content is None:
        (small / name).unlink()
    else:
        (small / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = everything(small)
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        compete(small)
    assert message in str(refused.value)
    assert everything(small) == before


def test_no_teams(new_folder):
    folder = new_folder()
    (folder / "teams" / "1.txt").write_text(GOOD)
    with pytest.raises(ValueError, match=r"teams: expected a folder for each team, got none; teams/1.txt: expected"):
        compete(folder)
    (folder / "teams" / "1.txt").unlink()
    with pytest.raises(ValueError, match=r"teams: expected a folder for each team, got none$"):
        compete(folder)
    (folder / "teams").rmdir()
    with pytest.raises(ValueError, match="teams: No such file"):
        compete(folder)
    assert not (folder / "standings").exists()


@pytest.mark.parametrize("name", ["", "teams", "teams/out", "no/such", "labels.txt"])
def test_an_output_folder_that_would_do_harm_is_refused(small, name):
    before = everything(small)
    with pytest.raises(ValueError, match=str(small)):
        compete(small, small / name)
    assert everything(small) == before


@pytest.mark.parametrize(("method", "number"), [("write_text", 4), ("rename", 2)])
def test_a_failure_leaves_the_old_standings(small, monkeypatch, method, number):
    """The disk is full in the midst of it, or the new folder cannot take the place of the old one.

    It is made where the old one is: from the system's temporary folder it might not be possible to move it.
    """
    monkeypatch.setattr("tempfile.tempdir", "/no/such/folder")
    compete(small)
    hand_in(small, "dan", 1, [wrong(1, 1)])
    before = everything(small)
    works, calls = getattr(Path, method), itertools.count(1)

    def fails_once(*arguments, **options):
        if next(calls) == number:
            raise OSError("full")
        return works(*arguments, **options)

    monkeypatch.setattr(Path, method, fails_once)
    with pytest.raises(OSError, match="full"):
        compete(small)
    assert everything(small) == before
    monkeypatch.undo()
    compete(small)
    assert [path.name for path in small.iterdir() if path.name.startswith(".")] == []
    assert "dan" in standings(small, "ladder")
