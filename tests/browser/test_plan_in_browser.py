"""The calculator of the page "Run your board": what its script says is what the library says, word by word."""

import json
import random
import re
from fractions import Fraction
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from visits import ROOT, SMALL

import leaderboard_edu as le
from leaderboard_edu._plan_words import WORDS

SCRIPT = ROOT / "book" / "_static" / "plan.js"
MOST = {"n": 10**9, "teams": 10**6, "submissions": 10**9}
EDGES = (1, 2, 3, 4, 5, 15, 16, 17)
PAGE = "book/run_your_board"


def number(rng, most):
    """Draw a size: an edge, a small one, or one of any length."""
    kind = rng.random()
    if kind < 0.2:
        return rng.choice((*EDGES, most))
    return round(10 ** rng.uniform(0, 4 if kind < 0.6 else len(str(most)) - 1))


def boards(count, seed):
    """Draw boards, some of them with as many files as labels, where one flip more or less decides."""
    rng = random.Random(seed)
    for _ in range(count):
        board = {name: number(rng, most) for name, most in MOST.items()}
        if rng.random() < 0.1:
            board["n"] = min(MOST["n"], max(1, board["submissions"] * board["teams"] + rng.choice((-1, 0, 1))))
        yield board | {
            "metric": rng.choice(("zero_one", "zero_one", "zero_one", "auc", "mean_loss", "other")),
            "classes": rng.choice((2, 2, 3, 10, 10**6)),
            "positives": rng.choice((50, 700, 5000, 9999)),
            "scores": rng.choice(("all", "team", "host")),
            "open": rng.random() < 0.3,
            "confidence": rng.choice(("80", "90", "95", "99", "99.9")),
            "final": "half" if board["n"] > 1 and rng.random() < 0.4 else "other",
        }


def planned(board):
    """Return what the library says of a board."""
    asked = {name: board[name] for name in ("teams", "submissions", "metric", "classes", "scores", "final")}
    asked |= {"positives": Fraction(board["positives"], 10_000), "confidence": Fraction(board["confidence"]) / 100}
    return le.plan_board(board["n"], open_accounts=board["open"], **asked)


@pytest.fixture(scope="module")
def script(chromium):
    """Return a page with nothing but the sentences and the script."""
    tab = chromium.new_page()
    tab.set_content(f'<script type="application/json" id="plan-words">{json.dumps(WORDS)}</script>')
    tab.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))
    yield tab
    tab.close()


def test_script_and_library_say_the_same(script):
    """A thousand boards, edges and ties among them."""
    asked = list(boards(1000, seed=22))
    plans = [planned(board) for board in asked]
    assert sum(plan.guarantee is None for plan in plans) > 50
    said = script.evaluate("boards => boards.map((board) => boardPlan.html(boardPlan.plan(board)))", asked)
    pairs = zip(asked, plans, said, strict=True)
    assert [board for board, plan, words in pairs if words != plan._repr_html_()] == []


@pytest.fixture(scope="module")
def window(chromium):
    """Return a window, which keeps the theme's scripts from one tab to the next."""
    with chromium.new_context() as context:
        yield context


@pytest.fixture
def tab(window, site):
    """Return a tab of the built page."""
    with window.new_page() as page:
        page.goto(f"{site}/{PAGE}.html")
        yield page


START = {"n": 4000, "teams": 100, "submissions": 20, "scores": "all"}


def answer(tab):
    """Return the answer of the page as the library writes it, without what the page notes on code that scrolls."""
    return re.sub(
        r' (tabindex="-?\d"|data-more-right="")', "", tab.evaluate("document.getElementById('plan-answer').innerHTML")
    )


def test_the_page_answers_at_once_and_the_address_keeps_the_plan(tab):
    """By the keyboard alone; and who opens the address sees the same."""
    assert answer(tab) == le.plan_board(**START)._repr_html_()
    tab.locator("[name=n]").focus()
    tab.keyboard.press("Control+A")
    tab.keyboard.type("1,000")
    for _ in range(3):
        tab.keyboard.press("Tab")
    tab.keyboard.type("30")
    tab.locator("[name=scores]").select_option("team")
    wanted = le.plan_board(1000, teams=30, submissions=20, scores="team")._repr_html_()
    assert answer(tab) == wanted
    kept = parse_qs(urlsplit(tab.url).query)
    assert kept["scores"] == ["team"]
    with tab.context.new_page() as other:
        other.goto(tab.url)
        assert answer(other) == wanted
        assert other.locator("[name=teams]").input_value() == "30"


REFUSED = [
    ("n", "0"),
    ("n", ""),
    ("teams", "two"),
    ("submissions", "1.5"),
    ("n", "2.000"),
    ("n", "1,00"),
    ("classes", "1"),
]


def test_what_cannot_be_planned_is_refused(tab):
    """In one sentence, which echoes what was typed; the next number is answered again."""
    for name, typed in REFUSED:
        field = tab.locator(f"[name={name}]")
        usual = field.input_value()
        field.fill(typed)
        said = tab.locator("#plan-answer").inner_text()
        assert f"must be a whole number from {1 + (name == 'classes')} to" in said
        assert f"“{typed}”" in said
        field.fill("9")
        assert answer(tab) == le.plan_board(**START | {name: 9})._repr_html_()
        field.fill(usual)


def test_each_metric_asks_for_what_it_needs(tab):
    """The classes of what is right or wrong, the positives of the area under a curve."""
    for metric, shown in (("classes", [True, False]), ("auc", [False, True]), ("mean_loss", [False, False])):
        tab.locator("[name=metric]").select_option(metric)
        assert [tab.locator(f"[name={name}]").is_visible() for name in ("classes", "positives")] == shown
    tab.locator("[name=metric]").select_option("auc")
    tab.locator("[name=positives]").fill("0.5")
    assert answer(tab) == le.plan_board(**START, metric="auc", positives="1/200")._repr_html_()
    for typed in ("0", "100", "-1", "half"):
        tab.locator("[name=positives]").fill(typed)
        assert f"between 0 and 100, such as 0.5, got “{typed}”" in tab.locator("#plan-answer").inner_text()
        assert tab.locator("#plan-copy").is_disabled()


def test_the_code_is_copied(chromium, site):
    with chromium.new_context(permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        page.goto(f"{site}/{PAGE}.html")
        page.locator("#plan-copy").click()
        page.wait_for_function("document.getElementById('plan-copy').textContent === 'Copied'")
        assert page.evaluate("navigator.clipboard.readText()") == le.plan_board(**START).code


@pytest.mark.parametrize(("name", "value"), [("confidence", "99.9999"), ("confidence", "50"), ("scores", "nobody")])
def test_what_a_link_has_and_no_menu_is_refused(window, site, name, value):
    """In red, on its field, without a plan; a choice from the menu is answered again."""
    with window.new_page() as page:
        page.goto(f"{site}/{PAGE}.html?" + urlencode(START | {name: value}))
        assert f"got “{value}”" in page.locator("#plan-answer .refused").inner_text()
        assert page.locator("#plan-answer section, #plan-picture svg").count() == 0
        assert page.locator("#plan-form [aria-invalid=true]").evaluate_all("e => e.map(e => e.name)") == [name]
        page.locator(f"[name={name}]").select_option({"confidence": "95", "scores": "all"}[name])
        assert answer(page) == le.plan_board(**START)._repr_html_()
        assert page.locator("[aria-invalid]").count() == 0


def test_a_metric_without_a_theorem_has_no_picture(tab):
    tab.locator("[name=metric]").select_option("other")
    assert tab.locator("#plan-picture svg").count() == 0
    assert "nothing to draw" in tab.locator("#plan-picture").inner_text()


def test_the_recommendation_alone_is_announced_and_the_inputs_have_names(tab):
    """Once nobody types."""
    assert tab.locator("#plan [aria-live], #plan [role=status]").evaluate_all("e => e.map(e => e.id)") == ["plan-said"]
    tab.locator("[name=n]").fill("9000")
    assert tab.locator("#plan-said").inner_text() == ""
    tab.wait_for_function("document.getElementById('plan-said').textContent")
    assert tab.locator("#plan-said").text_content() == le.plan_board(**START | {"n": 9000}).recommendation
    assert tab.evaluate("[...document.querySelectorAll('#plan-form [name]')].every(e => e.labels.length === 1)")
    assert tab.locator("#plan-form [name]").count() == 10
    assert "off by at most" in tab.locator("#plan-picture svg").first.get_attribute("aria-label")


def test_words_from_the_address_stay_words(window, site):
    """Nothing in it becomes part of the page."""
    with window.new_page() as page:
        for name in ("n", "scores"):
            page.goto(f"{site}/{PAGE}.html?" + urlencode({name: "<img id=planted>", "length": "3"}))
            assert page.locator("#planted").count() == 0
            assert "“<img id=planted>”" in page.locator("#plan-answer").inner_text()


def test_links_of_the_page_open_their_plan(tab):
    """Each cell of the tables shows the step and the promise of the plan that it opens."""
    links = tab.locator(".plan-steps a")
    assert links.count() > 30
    for place in (0, 7, links.count() - 1):
        link, shown = links.nth(place), links.nth(place).inner_text()
        with tab.context.new_page() as other:
            other.goto(tab.evaluate("link => link.href", link.element_handle()))
            step, promise, *_ = shown.replace(",", "").split()
            assert f"steps of {step}" in answer(other)
            assert promise in answer(other)


def test_without_the_script_an_example_is_shown(chromium, site):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site}/{PAGE}.html")
        assert page.locator("#plan-form").is_hidden()
        assert "ignored without JavaScript" in page.locator("#plan .stored").inner_text()
        assert "Show only the 3 smallest losses" in page.locator("#plan-answer").inner_text()


def test_it_fits_a_phone(chromium, site):
    with chromium.new_context(viewport=SMALL) as context:
        page = context.new_page()
        page.goto(f"{site}/{PAGE}.html")
        right = """Math.max(...[...document.querySelectorAll('#plan *, #plan-picture')]
            .map(e => e.getBoundingClientRect().right))"""
        assert page.evaluate(right) <= 360


def test_the_answer_is_within_two_screens(chromium, site):
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.goto(f"{site}/{PAGE}.html")
        assert page.evaluate("document.getElementById('plan').getBoundingClientRect().bottom") < 1600


def test_nothing_moves_when_the_script_is_late(chromium, site):
    """What is read already stays where it is when the form appears."""
    answer = "document.getElementById('plan-answer').getBoundingClientRect().top"
    with chromium.new_context(viewport=SMALL) as context:
        page = context.new_page()
        waiting = []
        page.route("**/plan.js*", lambda route: waiting.append(route))
        page.goto(f"{site}/{PAGE}.html", wait_until="commit")
        page.wait_for_selector("#plan-answer section")
        before = page.evaluate(answer)
        assert page.locator("#plan-form").is_hidden()
        waiting.pop().continue_()
        page.wait_for_selector("#plan.alive")
        assert page.evaluate(answer) == before
