"""What is folded opens: by a click without scripts, by a link, by a search, and on paper."""

import pytest
from visits import LARGE, visit

# The proofs of a page, whether they are open; and a word of the first that stands nowhere outside of proofs.
OPEN = "[...document.querySelectorAll('.fold.proof')].map(proof => proof.open)"
RARE = """() => {
  const words = (text) => text.toLowerCase().match(/[a-z]{5,}/g) ?? [];
  const proof = document.querySelector(".fold.proof"), article = document.querySelector("article").cloneNode(true);
  article.querySelectorAll(".fold").forEach((fold) => fold.remove());
  const seen = words(article.textContent).join(" ");
  const text = [...proof.querySelectorAll(":scope > p")].flatMap((p) => [...p.childNodes]);
  const said = words(text.filter((node) => node.nodeType === 3).map((node) => node.data).join(" "));
  return said.find((word) => !seen.includes(word));
}"""
PAGE = "book/tree_compression.html"


@pytest.fixture
def page(chromium, site):
    """Return a chapter, opened as a reader does."""
    context = chromium.new_context(viewport=LARGE)
    with visit(context, f"{site}/{PAGE}", site) as (page, faults):
        yield page
    context.close()
    assert faults == []


def test_proofs_are_closed_and_open_by_a_click_without_scripts(chromium, site):
    """A native element needs none."""
    context = chromium.new_context(viewport=LARGE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/{PAGE}")
    proof = page.locator(".fold.proof").first
    assert not proof.locator("p").first.is_visible()
    proof.locator("summary").click()
    assert proof.locator("p").first.is_visible()
    context.close()


def test_a_link_opens_what_it_leads_to(page):
    """Also a second time, when the address already names the place; everything else stays closed."""
    assert set(page.evaluate(OPEN)) == {False}
    page.evaluate("""() => {
      const [proof] = document.querySelectorAll(".fold.proof"), link = document.createElement("a");
      proof.lastElementChild.id = "here";
      Object.assign(link, {href: "#here", id: "link", textContent: "to the proof"});
      document.querySelector("article h1").after(link);
    }""")
    for _ in range(2):
        page.click("#link")
        page.wait_for_function("document.querySelector('.fold.proof').open")
        assert sum(page.evaluate(OPEN)) == 1
        assert page.evaluate("document.querySelector('#here').getBoundingClientRect().top") < LARGE["height"]
        page.evaluate("document.querySelector('.fold.proof').open = false")


def test_a_search_opens_where_the_word_is(page):
    """What the main line says, too, opens nothing."""
    found = []
    for word in (page.evaluate(RARE), "board"):
        page.evaluate("word => localStorage.setItem('sphinx_highlight_terms', word)", word)
        page.reload(wait_until="load")
        page.wait_for_selector(".highlighted", state="attached")
        page.wait_for_timeout(300)
        found.append(page.evaluate(OPEN))
    rare, common = found
    assert rare[0]
    assert not any(common)


def test_paper_shows_proofs(page):
    """By the style alone, and by the script where a browser does not know that."""
    hidden = "[...document.querySelectorAll('.fold.proof > p')].filter((p) => !p.checkVisibility()).length"
    assert page.evaluate(hidden) > 0
    page.emulate_media(media="print")
    first = page.locator(".fold.proof > p").first
    assert first.bounding_box()["height"] > 10
    assert set(page.evaluate(OPEN)) == {False}
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert set(page.evaluate(OPEN)) == {True}
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert set(page.evaluate(OPEN)) == {False}
