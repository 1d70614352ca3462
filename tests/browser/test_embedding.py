"""The form in a page of another site, under the strict policy that the docs recommend."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha384
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, expect

from chromium import ARGUMENTS
from deniable_web.pages.languages import catalog
from doc_pages import DOCS
from live_form import protect, record_requests, site_of_kinds, start
from live_site import LiveSite

PAGE = (DOCS / "EMBEDDING.md").read_text()
HOST = "https://surveys.example.org"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with a survey on pages."""
    with site_of_kinds(tmp_path_factory.mktemp("embedded")) as running:
        yield running


def snippet(language: str, containing: str, site: LiveSite) -> str:
    """A piece of the docs, with the address of this site."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    found: str = next(block for block in blocks if containing in block)
    return found.replace(HOST, site.url).replace("/s/stress", "/s/paged").strip()


@contextmanager
def another_site(html: str, policy: str) -> Iterator[str]:
    """A page of another origin and site, under a policy."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Ours</title>{html}".encode())

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("localhost", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()


def answer(frame: FrameLocator) -> None:
    """From the opening to the thanks."""
    frame.locator("#start:enabled").wait_for(timeout=20_000)
    start(frame)
    frame.locator("#q-works").get_by_label("No", exact=True).check(timeout=20_000)
    for _ in range(2):
        frame.get_by_role("button", name="Next").click()
    protect(frame)
    frame.get_by_role("button", name="Send this report").click()
    expect(frame.get_by_role("heading", name="Thank you")).to_be_visible(timeout=20_000)


@pytest.mark.parametrize("way", ["<iframe", "<deniable-survey"])
def test_a_survey_is_answered_in_a_page_of_another_site(
    context: BrowserContext, site: LiveSite, way: str
) -> None:
    """Under the policy of the docs, with no message between the two and one report sent."""
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    context.add_init_script(
        "addEventListener('message', () => console.error('a message between page and frame'))"
    )
    requests = record_requests(context)
    with another_site(snippet("html", way, site), snippet("text", "frame-src", site)) as host:
        page = context.new_page()
        page.goto(host)
        answer(page.frame_locator("iframe"))
        expect(page.locator("iframe")).to_have_attribute("title", "Stress at work")
    assert said == []
    assert sum(request.method == "POST" for request in requests) == 1
    assert context.cookies() == []
    referrers = [request.headers.get("referer", "") for request in requests]
    assert not any(host in referrer for referrer in referrers)


def test_a_frame_without_its_own_origin_says_what_is_missing(
    context: BrowserContext, site: LiveSite
) -> None:
    """It loads no script; JavaScript is on, so nobody is told to switch it on."""
    html = snippet("html", "<iframe", site)
    lacking = html.replace(" allow-same-origin", "")
    assert lacking != html
    texts = catalog("form", "en")["page"]
    with another_site(lacking, snippet("text", "frame-src", site)) as host:
        page = context.new_page()
        page.goto(host)
        frame = page.frame_locator("iframe")
        expect(frame.get_by_text(texts["not_loaded"])).to_be_visible(timeout=20_000)
        expect(frame.get_by_text(texts["no_script"])).to_be_hidden()


def test_a_browser_without_scripts_is_told_so(browser: Browser, site: LiveSite) -> None:
    """And not that a script did not load."""
    texts = catalog("form", "en")["page"]
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site.url}/s/paged")
        expect(page.locator("noscript p").first).to_be_visible()
        expect(page.locator("noscript p").first).to_have_text(texts["no_script"])
        expect(page.get_by_text(texts["not_loaded"])).to_be_hidden()


@pytest.mark.deep
def test_it_is_answered_where_third_party_storage_is_blocked(
    browser: Browser, chromium: str, site: LiveSite, tmp_path: Path
) -> None:
    """A browser that keeps nothing for frames of other sites lets it be answered all the same."""
    settings = {"profile": {"cookie_controls_mode": 1, "block_third_party_cookies": True}}
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(settings))
    html, policy = snippet("html", "<iframe", site), snippet("text", "frame-src", site)
    with (
        browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=chromium, args=ARGUMENTS, locale="en-GB"
        ) as context,
        another_site(html, policy) as host,
    ):
        page = context.new_page()
        page.goto(host)
        answer(page.frame_locator("iframe"))
        blocked = page.frames[1].evaluate(
            "() => { try { return localStorage.length } catch (error) { return error.name } }"
        )
    assert blocked == "SecurityError"


def test_the_docs_name_the_file_that_is_served(browser: Browser, site: LiveSite) -> None:
    """The digest of the snippet is that of the file, which other sites may load."""
    with browser.new_context() as context:
        response = context.request.get(f"{site.url}/static/embed.js")
        digest = b64encode(sha384(response.body()).digest()).decode()
        assert f'integrity="sha384-{digest}"' in PAGE
        assert response.headers["access-control-allow-origin"] == "*"
        assert response.headers["cross-origin-resource-policy"] == "cross-origin"
