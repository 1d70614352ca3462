"""A real issuer in a process of its own, and surveys by invitation with codes for it.

`with live_issuer(prepared) as issuer:` has its address; its clock is a file.
"""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from deniable_collector.serving import serve
from deniable_collector.settings import Settings
from deniable_issuer import SigningKey, create_issuer, open_issuer_store, opened_issuer
from deniable_issuer.inviting import Issued, enrol, issue_together, people_of
from deniable_issuer.keyring import add_keys
from deniable_issuer.people import Invitee
from deniable_sdk import PublishedSurvey, compile_survey
from deniable_sdk.invitation import TokenRequest, finish_token, request_token
from deniable_sdk.tokens import Token, base64url, from_base64url
from deniable_web.commands.sign_in_options import read_signing_in
from live_server import Answer, LiveCollector
from sample_definitions import definition, yes_no
from started import started

UNTIL = datetime(2040, 1, 31, 18, tzinfo=UTC)
BEFORE = datetime(2040, 1, 30, 12, tzinfo=UTC)
AFTER = datetime(2040, 1, 31, 18, 0, 1, tzinfo=UTC)
GROUPS = {"nurses": 40, "doctors": 25}


@dataclass(frozen=True)
class Prepared:
    """A store with the keys and codes of a survey."""

    store: Path
    survey: PublishedSurvey
    issued: Sequence[Issued]
    keys: Mapping[str, SigningKey]

    def codes(self, group: str) -> list[str]:
        """The codes of a group."""
        return [each.code for each in self.issued if each.group == group]


@dataclass(frozen=True)
class LiveIssuer(LiveCollector):
    """A running issuer, at the top or below a path of its server."""

    clock: Path
    digest: str
    below: str = ""

    def set_clock(self, moment: datetime) -> None:
        """Let its clock show this moment from now on."""
        written = self.clock.with_suffix(".new")
        written.write_text(moment.isoformat())
        written.replace(self.clock)

    def ask_group(self, code: str, **others: Any) -> Answer:
        """The answer about the group of a code."""
        return self.send(
            "POST", f"{self.below}/api/codes", {"survey": self.digest, "code": code, **others}
        )

    def ask_signature(self, code: str, message: bytes, **others: Any) -> Answer:
        """The answer to a blinded message."""
        body = {"survey": self.digest, "code": code, "blinded": base64url(message), **others}
        return self.send("POST", f"{self.below}/api/tokens", body)

    def collect(self, survey: PublishedSurvey, code: str) -> tuple[TokenRequest, Token]:
        """What a device sends for its token, and the token."""
        group = self.ask_group(code).document["group"]
        request = request_token(survey, group)
        answer = self.ask_signature(code, request.message)
        assert answer.status == 200
        return request, finish_token(survey, request, from_base64url(answer.document["signature"]))


@cache
def signing_key(group: str, edition: int = 0) -> SigningKey:
    """A key; the same one again for the same arguments, because making one is slow."""
    del group, edition
    return SigningKey.generate()


def by_invitation(
    keys: Mapping[str, SigningKey],
    groups: Mapping[str, int] = GROUPS,
    issuer: str = "https://council.example.org",
    until: str = f"{UNTIL:%Y-%m-%dT%H:%MZ}",
    questions: Sequence[Any] = (),
    *,
    sites: Mapping[str, str] | None = None,
    **others: Any,
) -> PublishedSurvey:
    """The published survey of these groups, each with its key and, if they have any, its site."""
    invited = {
        "issuer": issuer,
        "collect_until": until,
        "groups": {
            name: {
                "invited": count,
                "modulus": base64url(keys[name].modulus),
                **({"site": sites[name]} if sites else {}),
            }
            for name, count in groups.items()
        },
    }
    asked = questions or [yes_no()]
    return compile_survey(definition(*asked, invited=invited, **{"slug": "wards", **others}))


def prepare(
    store: Path,
    people: Mapping[str, int] | None = None,
    contacts: Sequence[str] = (),
    edition: int = 0,
    groups: Mapping[str, int] = GROUPS,
    **others: Any,
) -> Prepared:
    """A store with keys, a survey, and codes.

    Args:
        store: where it is made.
        people: how many people without contact have a code, by group.
        contacts: those of nurses with a contact and a code.
        edition: which of several keys of each group.
        groups: how many people are invited to each group.
        others: keys of the definition, the address of the issuer, its questions, and until
            when tokens are collected.
    """
    keys = {name: signing_key(name, edition) for name in groups}
    survey = by_invitation(keys, groups, **others)
    with closing(open_issuer_store(store)) as opened:
        add_keys(opened, keys.values())
        enrol(opened, survey, [Invitee(1, "nurses", contact) for contact in contacts])
        enrolled = people_of(opened, survey.digest)
        missing = {"nurses": 5, "doctors": 3} if people is None else people
        issued = issue_together(opened, survey, enrolled, missing, lambda _: None)
    return Prepared(store, survey, issued, keys)


@contextmanager
def live_issuer(
    prepared: Prepared,
    *,
    environment: Mapping[str, str] | None = None,
    port: int = 0,
    sign_in: Path | None = None,
) -> Iterator[LiveIssuer]:
    """An issuer on this or a free port of this machine, ended when the block is left.

    Args:
        prepared: its store.
        environment: variables besides those of the tests.
        port: where it listens.
        sign_in: the file that says how people sign in.
    """
    log, clock = (prepared.store.with_suffix(ending) for ending in (".log", ".clock"))
    clock.write_text(BEFORE.isoformat())
    arguments = [str(prepared.store), str(clock), str(port)]
    arguments += ["--sign-in", str(sign_in)] if sign_in else []
    with started(serve_issuer, arguments, log, environment or {}) as (url, process):
        assert url.startswith("http://"), f"it did not start:\n{log.read_text()}"
        yield LiveIssuer(url, prepared.store, log, process, clock, prepared.survey.digest)


def serve_issuer(given: Sequence[str]) -> None:
    """The program of live_issuer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("clock", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("--sign-in", type=Path)
    arguments = parser.parse_args(given)
    with closing(open_issuer_store(arguments.store, must_exist=True)) as opened:
        signing_in = read_signing_in(arguments.sign_in, opened)
    settings = Settings.from_environment(os.environ)

    def now() -> datetime:
        return datetime.fromisoformat(arguments.clock.read_text())

    serve(
        partial(
            opened_issuer,
            partial(open_issuer_store, arguments.store, must_exist=True),
            partial(create_issuer, settings=settings, clock=now, signing_in=signing_in),
        ),
        port=arguments.port,
        on_ready=lambda url: print(url, flush=True),  # noqa: T201  how the test learns it
    )
