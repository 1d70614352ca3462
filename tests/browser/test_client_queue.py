"""The client's queue in a real browser: IndexedDB, tabs, a network that comes and goes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from chromium import ARGUMENTS
from deniable_sdk import PublishedSurvey
from fault_proxy import Fault, FaultProxy, fault_proxy
from live_form import leave, record_requests
from live_site import LiveSite
from served import publish, rows_by_id

CONTRACT = Path(__file__).parents[1] / "client_sdk/javascript/client/store_contract.js"
CANARY = "zebrafinch"
SURVEYS = 10

OPEN = """async () => {
    const sdk = await import("/static/sdk/client.js");
    window.events = [];
    window.client = await sdk.openClient({
        collector: location.origin,
        consent: true,
        yearlyCap: null,
        log: (event) => events.push(event),
    });
}"""
SUBMIT = """async (slug) => {
    const survey = await client.getSurvey(slug);
    const { blocks } = await client.draw(survey);
    window.answer = async () => {
        const answers = { canary: "zebrafinch", harassed: true, stress: 3 };
        const report = await client.submit(survey, answers, blocks);
        return new TextDecoder().decode(report.toBytes());
    };
}"""
UNTIL = """async (wanted) => {
    while (!events.some(({ event }) => event === wanted)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""
DATABASES = "indexedDB.databases().then((all) => all.map(({ name }) => name))"


@pytest.fixture
def failing(site: LiveSite) -> Iterator[FaultProxy]:
    """The site behind a network that fails."""
    with fault_proxy(site.url, seed=9) as proxy:
        yield proxy


def _tab(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{url}/")
    return page


def _client(context: BrowserContext, url: str) -> Page:
    page = _tab(context, url)
    page.evaluate(OPEN)
    return page


def _prepared(context: BrowserContext, site: LiveSite) -> Page:
    """A tab with the survey drawn, ready to be answered by `answer()`."""
    page = _client(context, site.url)
    page.evaluate(SUBMIT, "canaries")
    return page


def test_indexeddb_keeps_the_contract_of_stores(context: BrowserContext, site: LiveSite) -> None:
    """What every store promises holds for the browser's own, which leaves nothing behind."""
    page = _tab(context, site.url)

    def contract(route: Route) -> None:
        route.fulfill(body=CONTRACT.read_bytes(), content_type="text/javascript")

    page.route("**/contract.js", contract)
    count, databases = page.evaluate("""async () => {
        const { PROMISES } = await import("/contract.js");
        const { indexedDBStore } = await import("/static/sdk/client/storage/indexeddb.js");
        for (const holds of Object.values(PROMISES)) {
            const store = await indexedDBStore();
            await holds(store);
            await store.clear();
        }
        return [Object.keys(PROMISES).length, await indexedDB.databases()];
    }""")
    assert count >= 8
    assert databases == []


def test_a_report_waits_while_the_network_is_cut(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """Submitted offline, the tab closed, one report arrives later, as it was fixed before."""
    page = _prepared(context, site)
    context.set_offline(True)
    body = page.evaluate("answer()")
    leave(page)
    assert not rows_by_id(site.store, survey)
    context.set_offline(False)
    requests = record_requests(context)
    again = _client(context, site.url)
    assert again.evaluate("client.flush()")["waiting"] == 0
    assert again.evaluate("client.reports()")[0]["state"] == "sent"
    assert rows_by_id(site.store, survey) == {json.loads(body)["report"]: 1}
    assert [request.post_data for request in requests if request.method == "POST"] == [body]


def test_when_the_network_is_back_a_report_leaves_by_itself(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """Nobody need do anything: the page notices that the network is back."""
    page = _prepared(context, site)
    context.set_offline(True)
    page.evaluate("answer()")
    page.evaluate(UNTIL, "postponed")
    context.set_offline(False)
    page.evaluate(UNTIL, "sent")
    assert list(rows_by_id(site.store, survey).values()) == [1]


@pytest.mark.deep
def test_two_tabs_share_a_queue(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, failing: FaultProxy
) -> None:
    """Two tabs that flush at once through a failing network send each report once."""
    editions = _numbered(survey)
    publish(site.store, *editions)
    tabs = [_client(context, failing.url) for _ in range(2)]
    for number, edition in enumerate(editions):
        tab = tabs[number % 2]
        tab.evaluate(SUBMIT, edition.slug)
        tab.evaluate("void answer()")
    flushing = """async () => {
        for (;;) {
            const { waiting } = await client.flush();
            if (waiting === 0) return client.reports();
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }"""
    for tab in tabs:
        # Both are started before either is waited for.
        tab.evaluate(f"void (window.flushed = ({flushing})())")
    pending = [tab.evaluate("flushed") for tab in tabs][-1]
    assert [one["state"] for one in pending] == ["sent"] * SURVEYS
    for edition in editions:
        wanted = [one["report"] for one in pending if one["survey"] == edition.digest]
        assert rows_by_id(site.store, edition) == dict.fromkeys(wanted, 1)
    assert all(len(bodies) == 1 for bodies in failing.bodies.values())
    assert len(failing.bodies) == SURVEYS
    assert set(failing.done) - {Fault.NONE}


def test_two_tabs_answer_a_survey_once(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """Of two tabs that submit at once, one is told that the device has answered."""
    tabs = [_prepared(context, site) for _ in range(2)]
    for tab in tabs:
        tab.evaluate("void (window.outcome = answer().then(() => 'kept', ({ name }) => name))")
    assert sorted(tab.evaluate("outcome") for tab in tabs) == ["AlreadyAnswered", "kept"]
    for tab in tabs:
        tab.evaluate("client.flush()")
    assert list(rows_by_id(site.store, survey).values()) == [1]


def test_opting_out_leaves_nothing_in_the_browser(context: BrowserContext, site: LiveSite) -> None:
    """Not even that there was a database stays, though another tab had it open."""
    page, other = _prepared(context, site), _client(context, site.url)
    page.evaluate("answer()")
    # What the other tab began when it was opened would open the database anew.
    other.evaluate("client.flush()")
    assert page.evaluate(DATABASES) == ["deniable"]
    page.evaluate("client.optOut()")
    # It goes once the other tab has let go of it.
    page.evaluate(f"""async () => {{
        while ((await {DATABASES}).length > 0) await new Promise((next) => setTimeout(next, 20));
    }}""")
    refused = page.evaluate("client.reports().catch(({ name }) => name)")
    assert refused == "ConsentRequired"
    # The other tab goes on, with nothing.
    assert other.evaluate("client.reports()") == []


@pytest.mark.parametrize(
    "breaking",
    [
        "Object.defineProperty(window, 'indexedDB', { value: undefined })",
        "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError') }",
    ],
    ids=["missing", "blocked"],
)
def test_without_indexeddb_memory_stands_in(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey, breaking: str
) -> None:
    """Where the browser keeps nothing, reports are sent all the same, and the client says so."""
    context.add_init_script(breaking)
    page = _prepared(context, site)
    assert page.evaluate("client.isDurable") is False
    page.evaluate("answer()")
    page.evaluate("client.flush()")
    assert list(rows_by_id(site.store, survey).values()) == [1]


def test_a_full_storage_is_a_typed_error(
    context: BrowserContext, site: LiveSite, survey: PublishedSurvey
) -> None:
    """With the quota used up nothing is kept or sent; with room again it works."""
    page = _prepared(context, site)
    assert page.evaluate("client.isDurable") is True
    session = context.new_cdp_session(page)
    quota = {"origin": site.url, "quotaSize": 1}
    session.send("Storage.overrideQuotaForOrigin", quota)
    refused = page.evaluate("answer().catch(({ name, message }) => [name, message])")
    assert refused[0] == "StorageUnavailable"
    assert "QuotaExceededError" in refused[1]
    assert not rows_by_id(site.store, survey)
    session.send("Storage.overrideQuotaForOrigin", {"origin": site.url})
    page.evaluate("answer()")
    page.evaluate("client.flush()")
    assert list(rows_by_id(site.store, survey).values()) == [1]


def test_no_answer_is_written_anywhere(
    browser: Browser, chromium: str, site: LiveSite, survey: PublishedSurvey, tmp_path: Path
) -> None:
    """The profile on disk holds the report and no answer, nor does what was sent or logged."""
    profile = tmp_path / "profile"
    with browser.browser_type.launch_persistent_context(
        profile, executable_path=chromium, args=ARGUMENTS
    ) as kept:
        page = _prepared(kept, site)
        requests = record_requests(kept)
        body = page.evaluate("answer()")
        page.evaluate("client.flush()")
        told = page.evaluate("JSON.stringify(events)")
    written = b"".join(file.read_bytes() for file in profile.rglob("*") if file.is_file())
    identifier = json.loads(body)["report"]
    assert list(rows_by_id(site.store, survey)) == [identifier]
    # IndexedDB keeps such texts as they are: what is looked for could be found.
    assert identifier.encode() in written
    assert CANARY.encode() not in written
    sent = "".join(request.url + (request.post_data or "") for request in requests)
    assert identifier in sent
    assert CANARY not in sent + told


def _numbered(survey: PublishedSurvey) -> list[PublishedSurvey]:
    """The same survey under other slugs."""
    document = json.loads(survey.document)
    texts = [{**document, "slug": f"survey-{number}"} for number in range(SURVEYS)]
    return [
        PublishedSurvey.from_bytes(
            json.dumps(text, sort_keys=True, separators=(",", ":")).encode()
        )
        for text in texts
    ]
