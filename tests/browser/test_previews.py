"""What a link leads to shows beside it: to the mouse, the keyboard and a finger; also on a page opened from disk."""

from contextlib import contextmanager

from visits import HTML, LARGE, SMALL, visit

PAGE = "book/hoeffding_union_bound"
SAID = "document.querySelector('.preview:popover-open')?.textContent.replace(/\\s+/g, ' ').trim() ?? ''"
LINKS = {
    "a.term[href*='term-true-risk']": "wrong on a new point",
    "a[href='#thm-union']": "Theorem 2",
    "a[href*='.html#thm-']": "Theorem",
    "a[href='#fig-lists']": "Fig.",
}


@contextmanager
def opened(chromium, home, **options):
    """Open the chapter with its folds open; nothing that a preview does is a fault."""
    context = chromium.new_context(reduced_motion="reduce", **options)
    with visit(context, f"{home}/{PAGE}.html", home) as (page, faults):
        page.evaluate("document.querySelectorAll('details.fold').forEach((fold) => (fold.open = true))")
        yield page
        assert faults == []
    context.close()


def link_of(page, selector):
    """Return the first link in the text that a selector finds."""
    return page.locator(f".bd-article :is(p, li) {selector}:not(.headerlink)").first


def wait(page, words):
    """Wait until the preview says some words; without any, until it is gone."""
    page.wait_for_function(f"(words) => words === null ? !({SAID}) : ({SAID}).includes(words)", arg=words, timeout=5000)


def test_the_mouse(chromium, site):
    """The preview stays while the pointer is on it, lies within the window, and goes with the pointer."""
    with opened(chromium, site, viewport=LARGE) as page:
        for selector, words in LINKS.items():
            link_of(page, selector).hover()
            wait(page, words)
            box = page.locator(".preview").bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= LARGE["width"]
            assert 0 <= box["y"] <= LARGE["height"] - box["height"]
            page.locator(".preview").hover()
            page.wait_for_timeout(500)
            wait(page, words)
            page.mouse.move(1, 1)
            wait(page, None)


def test_the_keyboard(chromium, site):
    """The focus shows it, also to a screen reader, and Escape puts it away."""
    with opened(chromium, site, viewport=LARGE) as page:
        link = link_of(page, "a[href='#thm-union']")
        page.keyboard.press("Tab")  # from now on the keyboard is in use
        link.focus()
        wait(page, "Theorem 2")
        assert (
            page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-describedby')).role")
            == "tooltip"
        )
        page.keyboard.press("Escape")
        wait(page, None)
        assert link.get_attribute("aria-describedby") is None


def test_a_finger(chromium, site):
    """The first tap shows it, one elsewhere puts it away, and a second one on the link follows."""
    with opened(chromium, site, viewport=SMALL, has_touch=True) as page:
        link = link_of(page, "a[href*='.html#thm-']")
        link.tap()
        wait(page, "Theorem")
        box = page.locator(".preview").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= SMALL["width"]
        page.touchscreen.tap(2, SMALL["height"] - 10)
        wait(page, None)
        link.tap()
        wait(page, "Theorem")
        link.tap()
        page.wait_for_url("**/*.html#thm-*")


def test_from_disk(chromium):
    """Of another page, which may not be fetched from there, the sentence that the link carries; of this page, all."""
    context = chromium.new_context(viewport=LARGE)
    page = context.new_page()
    page.goto((HTML / f"{PAGE}.html").as_uri())
    link_of(page, "a.term[href*='term-true-risk']").hover()
    wait(page, "The probability that a classifier is wrong on a new point.")
    link_of(page, "a[href='#fig-lists']").hover()
    wait(page, "Fig.")
    context.close()
