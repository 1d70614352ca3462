"""A site below a path of its server: no address in a page leaves it, and each leads somewhere."""

import random
import re
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from deniable_collector.settings import Settings
from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of
from deniable_web.packaged_files import STATIC
from deniable_web.pages.roots import root_of
from deniable_web.site import create_site
from deniable_web.workplace import open_workplace
from live_server import OWNER_TOKEN
from store_samples import reports_of
from web.access_rights import DOCUMENT, INVITED, IT, ROUTES, WRITTEN

OWNER = {"Authorization": f"Bearer {OWNER_TOKEN}"}
HOST, BELOW = "https://example.org", "/survey"
SITE = f"{HOST}{BELOW}"
# The routes of parts, and the page that each is put into.
PARTS = {
    "results_pages.cards": "/surveys",
    **{
        f"results_pages.{name}": f"/surveys/{IT}/results"
        for name in ("content", "response", "groups", "plan")
    },
}
# Where no page begins: what an address leads to is asked elsewhere.
ELSEWHERE = ("accounts.come_back",)
ADDRESSES = {"href", "src", "action", "data-document", "data-root", "poster", "srcset"}
# Also the published survey itself, which a preview has.
NO_ADDRESS = ("data:", "mailto:", "tel:", "{")


class Addresses(HTMLParser):
    """The addresses that a page names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.suspect: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Every attribute, because scripts read their own."""
        for name, value in attrs:
            if name in ADDRESSES and value and not value.startswith(NO_ADDRESS):
                self.found.append(value)
            elif value and re.match(r"/[\w{]", value):
                self.suspect.append(f"{tag} {name}={value}")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """A site with reports, and with what keeps drafts and sessions."""
    location = tmp_path / "store.sqlite"
    with (
        closing(open_store(location)) as store,
        closing(open_workplace(tmp_path / "workplace.sqlite")) as workplace,
    ):
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(OWNER_TOKEN))
        store.publish(DOCUMENT[IT])
        store.publish(INVITED)
        add_reports(store, reports_of(DOCUMENT[IT], 40, random.Random(IT)))
        yield create_site(store, Settings(rate_limit=0), workplace)


def asked_pages(app: Flask, client: FlaskClient) -> Iterator[tuple[str, str]]:
    """Each page and part of the site with its path; of a part, that of its page."""
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint in ELSEWHERE:
            continue
        route = ROUTES[rule.endpoint, "GET"]
        parts = {"slug": IT, "draft_id": "none", **route.parts}
        _, path = rule.build({part: parts[part] for part in rule.arguments}) or ("", "")
        answer = client.get(path + route.query, headers=OWNER)
        if answer.mimetype == "text/html":
            yield PARTS.get(rule.endpoint, path), answer.text
    preview = client.post(
        "/manage/definitions/preview", json={"definition": WRITTEN[IT]}, headers=OWNER
    )
    yield "/build", preview.get_json()["page"]
    yield "/s/nobodys", client.get("/s/nobodys").text
    yield "/s/nobodys/code", client.get("/s/nobodys/code").text
    yield "/surveys/nobodys/share", client.get("/surveys/nobodys/share").text


def test_every_address_of_every_page_stays_below_the_path(app: Flask) -> None:
    """As a browser reads it; and the site has what is there."""
    client, followed = app.test_client(), 0
    for path, text in asked_pages(app, client):
        named = Addresses(text)
        assert named.suspect == [], path
        for address in named.found:
            if address.startswith("https://"):
                continue
            there = urljoin(f"{SITE}{path}", address)
            assert there.startswith(f"{SITE}/"), (path, address)
            target = urlsplit(there)
            where = target.path.removeprefix(BELOW) + (target.query and f"?{target.query}")
            # The one page without a public address has no file, and pages about nobody are 404.
            if "form.html" not in where and target.path != f"{BELOW}{path}":
                assert client.get(where, headers=OWNER).status_code == 200, (path, address)
                followed += 1
    assert followed > 100


def test_no_script_begins_an_address_at_the_host() -> None:
    """`at` of root.js makes addresses of the site; nothing else knows where it begins."""
    for file in STATIC.rglob("*.js"):
        if "sdk" not in file.parts:
            text = file.read_text()
            assert not re.findall(r"""["'`]/[a-z$]|new URL\([^()]*location\.origin""", text), file


def test_no_redirect_names_a_host(app: Flask) -> None:
    """The site does not know its own name and path behind a proxy."""
    client = app.test_client()
    for path in ("/surveys/", "/s//ours", "/static"):
        answer = client.get(path)
        assert (answer.status_code, "location" in answer.headers) == (404, False), path


@pytest.mark.parametrize(
    ("path", "root"), [("/", "./"), ("/surveys", "./"), ("/s/a", "../"), ("/a/b/c", "../../")]
)
def test_the_root_of_a_path(path: str, root: str) -> None:
    """As browsers resolve it."""
    assert root_of(path) == root
    assert urljoin(f"{SITE}{path}", root) == f"{SITE}/"
