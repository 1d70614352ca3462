"""How long a device works for a token, in Python and in a browser: printed, never asserted."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Page, sync_playwright

from chromium import ARGUMENTS, find_chromium
from deniable_sdk.invitation import finish_token, request_token
from deniable_sdk.tokens import base64url, from_base64url
from live_issuer import GROUPS, by_invitation, signing_key
from live_site import live_site

pytestmark = pytest.mark.bench

SLOWDOWN = 4
ROUNDS = 25
SURVEY = by_invitation({name: signing_key(name) for name in GROUPS})
# One blinding, in milliseconds, and what the device keeps; then the finishing of that.
BLIND = """async ([digest, group]) => {
  const began = performance.now();
  const request = await invitation.requestToken(survey, group);
  return [performance.now() - began, request];
}"""
FINISH = """async ([request, signature]) => {
  const began = performance.now();
  await invitation.finishToken(survey, request, signature);
  return performance.now() - began;
}"""
LOAD = """async (address) => {
  await import("/static/sdk/fieldwork.js");
  const { openSurvey } = await import("/static/sdk/index.js");
  const published = await (await fetch(address)).arrayBuffer();
  globalThis.survey = await openSurvey(published);
  globalThis.invitation = await import("/static/sdk/invitation.js");
}"""


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """A page on which nothing has run yet, with the SDK and the survey."""
    with live_site(tmp_path / "site.sqlite", SURVEY) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        page = browser.new_page()
        page.goto(f"{site.url}/static/sdk/index.js")
        page.evaluate(LOAD, f"{site.url}/api/surveys/{SURVEY.slug}")
        yield page
        browser.close()


def sign(message: bytes) -> bytes:
    """The issuer's response, which is not measured."""
    return signing_key("nurses").sign(message)


def in_browser(page: Page) -> tuple[float, float]:
    """Milliseconds of one token in a page: blinding, and finishing with its check."""
    blinding, request = page.evaluate(BLIND, [SURVEY.digest, "nurses"])
    signature = base64url(sign(from_base64url(request["message"])))
    return blinding, page.evaluate(FINISH, [request, signature])


def in_python() -> tuple[float, float]:
    """The same in Python."""
    began = time.perf_counter()
    request = request_token(SURVEY, "nurses")
    blinding = time.perf_counter() - began
    signature = sign(request.message)
    began = time.perf_counter()
    finish_token(SURVEY, request, signature)
    return 1e3 * blinding, 1e3 * (time.perf_counter() - began)


def line(name: str, times: list[tuple[float, float]]) -> str:
    """The medians of both parts and of their sum, and the least sum."""
    blinding, finishing = (median(each) for each in zip(*times, strict=True))
    both = [sum(each) for each in times]
    return f"  {name:36} {blinding:8.2f} {finishing:9.2f} {median(both):7.2f} {min(both):7.2f}"


def test_a_token_on_a_device(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    """Blinding, and taking the blinding off and verifying; a person waits for both once."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    first = in_browser(page)
    slow = [in_browser(page) for _ in range(ROUNDS)]
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    fast = [in_browser(page) for _ in range(ROUNDS)]
    python = [in_python() for _ in range(ROUNDS)]
    lines = [
        f"one token on a device, medians in ms; load {os.getloadavg()[0]:.1f}",
        f"  {'':36} blinding finishing    both   least",
        line("Python", python),
        line("Chromium", fast),
        line(f"Chromium, {SLOWDOWN} times slower", slow),
        line(f"Chromium, {SLOWDOWN} times slower, first token", [first]),
    ]
    with capsys.disabled():
        print("\n" + "\n".join(lines))  # noqa: T201 - the result
    assert len(slow) == len(fast) == len(python) == ROUNDS
