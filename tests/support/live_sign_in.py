"""A provider and an issuer at which people sign in, and browsers of these people.

`with live_sign_in(folder) as desk:` has both; `desk.visitor(ANNA).signs_in()` walks from the
link in the form to the form with a code, over real HTTP.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urljoin

import requests

from free_ports import free_port
from live_issuer import GROUPS, LiveIssuer, Prepared, live_issuer, prepare
from live_provider import SECRET, LiveProvider, live_provider

COLLECTOR = "https://survey.example.org"
VARIABLE = "DENIABLE_TEST_CLIENT_SECRET"
BY_DEPARTMENT: Mapping[str, object] = {
    "scopes": ["profile"],
    "group_claim": "department",
    "groups": {"nurses": ["nursing", "midwives"], "doctors": ["medicine"]},
}
# Settings of a survey of one group.
ONE_GROUP: Mapping[str, None] = {"scopes": None, "group_claim": None, "groups": None}
TIMEOUT_S = 60


@dataclass(frozen=True)
class LiveSignIn:
    """A running provider and a running issuer."""

    issuer: LiveIssuer
    provider: LiveProvider
    prepared: Prepared

    @property
    def start(self) -> str:
        """Where people begin to sign in."""
        return f"{self.issuer.url}{self.issuer.below}/sign-in/{self.issuer.digest}"

    def visitor(self, account: str, **headers: str) -> "Visitor":
        """A new browser of a person."""
        return Visitor(self, account, headers)

    def everything_kept(self) -> bytes:
        """All bytes of the issuer's store, of the files beside it, and of its log."""
        store = self.prepared.store
        files = sorted(store.parent.glob(f"{store.name}*"))
        return b"".join(file.read_bytes() for file in [*files, self.issuer.log])


class Visitor:
    """A browser of a person with an account, which follows redirects one by one."""

    def __init__(self, desk: LiveSignIn, account: str, headers: Mapping[str, str]) -> None:
        self.desk = desk
        self.account = account
        self.session = requests.Session()
        self.session.headers.update(headers)
        # Everything that was asked for and that was sent back, in this order.
        self.seen: list[requests.Response] = []

    def open(self, address: str, **form: str) -> requests.Response:
        """The answer of one address; a form is sent if it is given."""
        method = "POST" if form else "GET"
        answer = self.session.request(
            method, address, data=form or None, allow_redirects=False, timeout=TIMEOUT_S
        )
        self.seen.append(answer)
        return answer

    def leaves(self) -> str:
        """The address of the provider to which the issuer sends the person."""
        answer = self.open(self.desk.start)
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]

    def authorized(self, address: str, **form: str) -> str:
        """The address to which the provider sends the person back, once they have signed in."""
        answer = self.open(address)
        if "/interaction/" in answer.headers["location"]:
            there = urljoin(address, answer.headers["location"])
            self.open(there)
            answer = self.open(there, **(form or {"account": self.account}))
            answer = self.open(urljoin(address, answer.headers["location"]))
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def comes_back(self) -> requests.Response:
        """The issuer's answer to a person who has signed in."""
        return self.open(self.authorized(self.leaves()))

    def signs_in(self) -> str:
        """The person's code."""
        answer = self.comes_back()
        assert answer.status_code == 302, answer.text
        form, _, code = answer.headers["location"].partition("#code=")
        assert form == f"{COLLECTOR}/s/{self.desk.prepared.survey.slug}"
        assert answer.content == b""
        return code


def write_settings(folder: Path, provider: str, name: str = "wards", /, **changes: object) -> Path:
    """The file that says how people sign in; what is None is left out."""
    entry = {
        "provider": provider,
        "client_id": "survey",
        "client_secret_variable": VARIABLE,
        "collector": COLLECTOR,
        **BY_DEPARTMENT,
        **changes,
    }
    path = folder / "sign-in.yaml"
    kept = {key: value for key, value in entry.items() if value is not None}
    path.write_text(json.dumps({name: kept}))
    return path


@contextmanager
def live_sign_in(
    folder: Path,
    changes: Mapping[str, object] | None = None,
    *,
    invited: Mapping[str, int] = GROUPS,
    people: Mapping[str, int] | None = None,
    sends_all: bool = True,
) -> Iterator[LiveSignIn]:
    """A provider and an issuer, ended when the block is left; the clock shows the present.

    Args:
        folder: where their files are.
        changes: of the settings of signing in.
        invited: how many people are invited to each group.
        people: how many people have a slip, by group.
        sends_all: whether ID tokens contain all claims.
    """
    port, changed = free_port(), changes or {}
    address = f"http://127.0.0.1:{port}"
    prepared = prepare(folder / "issuer.sqlite", people or {}, issuer=address, groups=invited)
    callbacks, client = [f"{address}/sign-in/callback"], str(changed.get("client_id", "survey"))
    with live_provider(folder, callbacks, sends_all=sends_all, client=client) as provider:
        settings = write_settings(folder, provider.url, **changed)
        secret = {VARIABLE: SECRET}
        with live_issuer(prepared, environment=secret, port=port, sign_in=settings) as issuer:
            issuer.set_clock(datetime.now(UTC))
            yield LiveSignIn(issuer, provider, prepared)
