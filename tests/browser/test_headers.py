"""What comes with a request of the form, as a server receives it."""

from playwright.sync_api import Browser, expect

from fault_proxy import Fault, fault_proxy
from live_form import start, tab_to
from live_site import LiveSite

LOCALE = "tlh-KX"


def headers_of(head: bytes) -> dict[str, str]:
    """The headers of a request, by lower-case names."""
    lines = head.decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


def test_no_request_of_the_form_names_a_language(browser: Browser, site: LiveSite) -> None:
    """The browser asks for the page; all that the form itself asks for and sends says *."""
    with (
        fault_proxy(site.url, seed=1, faults=(Fault.NONE,)) as proxy,
        browser.new_context(locale=LOCALE) as context,
    ):
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{proxy.url}/s/canaries")
        page.locator("main[data-kept]").wait_for()
        start(page)
        page.locator("#q-harassed input").first.check()
        tab_to(page, "#look-over")
        page.keyboard.press("Enter")
        tab_to(page, "#protect, button[type=submit]")
        page.keyboard.press("Enter")
        expect(page.locator("#review-title")).to_be_focused()
        page.locator("#send").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    languages = {
        head.split(b" HTTP")[0]: headers_of(head).get("accept-language") for head in proxy.heads
    }
    # Without it, a browser says what its user reads: the page itself is asked for so.
    assert LOCALE in (languages[b"GET /s/canaries"] or "")
    own = {what: said for what, said in languages.items() if b" /api/" in what}
    assert set(own.values()) == {"*"}
    assert b"POST /api/reports" in own
    sent = headers_of(next(head for head in proxy.heads if head.startswith(b"POST ")))
    assert LOCALE not in " ".join(sent.values())
    assert not {"cookie", "referer", "authorization", "x-forwarded-for"} & set(sent)
    assert "user-agent" in sent  # which the form tells, and cannot change
