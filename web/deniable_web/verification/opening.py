"""Finds the published survey of a live form, which says what this version makes."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import Final

from deniable_sdk import InvalidSurvey, PublishedSurvey
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.errors import quote
from deniable_web.verification.checks import Check, CheckResult
from deniable_web.verification.expected import (
    ExpectedFile,
    document_path,
    expected_files,
    expected_one_file,
)
from deniable_web.verification.fetching import Fetched, NoAnswer, Server, fetch
from deniable_web.verification.page import read_page
from deniable_web.verification.visitors import VISITORS, Purpose, Visitor

# The page of a longer survey could fill the memory.
_MOST_SURVEY_BYTES: Final = 1 << 20
_OF_SITE: Final = re.compile(r"/s/[^/]+")
_WORDS: Final[Mapping[int, str]] = {
    HTTPStatus.OK: "What is at this address is not a form of deniable.",
    HTTPStatus.NOT_FOUND: "There is no survey at this address.",
    HTTPStatus.GONE: "The survey is closed, so its form is no longer served.",
}


class Unopened(Exception):
    """There is no form that could be compared; the text says why.

    Args:
        reason: in a sentence.
        result: DIFFERS or UNCHECKED.
    """

    def __init__(self, reason: str, result: CheckResult = CheckResult.DIFFERS) -> None:
        self.result = result
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Visit:
    """One client that comes over one address."""

    server: Server
    visitor: Visitor

    def fetch(self, path: str, purpose: Purpose, latest: float) -> Fetched:
        """The answer to this client; raises NoAnswer."""
        return fetch(self.server, path, self.visitor.headers(purpose), latest)

    def check(self, file: str, result: CheckResult, reason: str = "") -> Check:
        """A check of a file for this client."""
        return Check(file, self.visitor.name, self.server.address, result, reason)


@dataclass(frozen=True, slots=True)
class LiveForm:
    """A form to be verified.

    Args:
        url: of its site, which may be below a path, in the form of `read_address`.
        path: of its page on that site.
        addresses: the IP addresses of the server; None for the one that the system finds.
        timeout_s: how long the visit of one client over one address may take.
        digest: of the survey that it should contain; None for the one that its page names.
        survey: the published survey, if it is known already.
        collector: where a form in one file should send reports; None for what its page says.
    """

    url: str
    path: str
    addresses: Sequence[str | None]
    timeout_s: float
    digest: str | None = None
    survey: PublishedSurvey | None = None
    collector: str | None = None

    def visits(self, address: str | None) -> Iterator[Visit]:
        """The visits of all clients over an address."""
        for visitor in VISITORS:
            yield Visit(Server(self.url, address), visitor)

    def latest(self) -> float:
        """When a visit that begins now must end, by `time.monotonic`."""
        return time.monotonic() + self.timeout_s


@dataclass(frozen=True, slots=True)
class OpenedForm:
    """What decides how each byte of a form should be.

    Args:
        survey: the published survey.
        frame_ancestors: the sites whose pages may show the form in a frame; None for a form
            in one file, which cannot say so.
        collector: where a form in one file sends reports; None for the form of a site.
    """

    survey: PublishedSurvey
    frame_ancestors: str | None
    collector: str | None

    def expected(self, path: str) -> tuple[ExpectedFile, ...]:
        """What this version makes for a form at a path, the page first."""
        if self.collector is not None:
            return (expected_one_file(path, self.survey, self.collector),)
        return expected_files(self.survey, self.frame_ancestors or "")


def open_form(form: LiveForm) -> OpenedForm:
    """What a live form says of itself.

    Raises:
        Unopened: no client got a form over any address.
    """
    refusals: list[Unopened] = []
    for address in form.addresses:
        for visit in form.visits(address):
            try:
                return _open_as(form, visit)
            except Unopened as refusal:
                refusals.append(refusal)
            except NoAnswer as silence:
                refusals.append(Unopened(f"No form came: {silence}.", CheckResult.UNCHECKED))
                # Another client would have to wait as long.
                break
    raise min(refusals, key=lambda refusal: refusal.result is not CheckResult.DIFFERS)


def _open_as(form: LiveForm, visit: Visit) -> OpenedForm:
    latest = form.latest()
    page = visit.fetch(form.path, Purpose.PAGE, latest)
    facts = read_page(page)
    digest = form.digest or facts.digest
    if page.status != HTTPStatus.OK or (digest is None and form.survey is None):
        raise _no_form(page)
    # At this address a site has its own form, even if the page claims to be another one.
    is_of_site = _OF_SITE.fullmatch(form.path) is not None
    collector = form.collector or (None if is_of_site else facts.collector)
    if collector is not None:
        survey = form.survey or _read_survey(facts.document, str(digest))
        return OpenedForm(survey, None, _checked(collector))
    survey = form.survey or _fetch_survey(visit, str(digest), latest)
    if form.path != f"/s/{survey.slug}":
        raise Unopened(
            f"The form of the survey {survey.slug} should be at /s/{survey.slug}, and it is at "
            f"{form.path}."
        )
    return OpenedForm(survey, facts.frame_ancestors, None)


def _checked(collector: str) -> str:
    try:
        return read_address(collector)
    except InvalidAddress as error:
        raise Unopened(f"The form sends reports to what is no address: {error}.") from None


def _fetch_survey(visit: Visit, digest: str, latest: float) -> PublishedSurvey:
    """The survey that the server has under a digest."""
    got = visit.fetch(document_path(digest), Purpose.SURVEY, latest)
    if got.status == HTTPStatus.NOT_FOUND:
        raise Unopened(f"The server does not have the survey with the digest {digest}.")
    if got.status != HTTPStatus.OK:
        raise _no_form(got)
    return _read_survey(got.body, digest)


def _read_survey(document: bytes, digest: str) -> PublishedSurvey:
    if len(document) > _MOST_SURVEY_BYTES:
        raise Unopened(
            f"The survey has {len(document):,} bytes; this command verifies surveys of at most "
            f"{_MOST_SURVEY_BYTES:,} bytes.",
            CheckResult.UNCHECKED,
        )
    found = sha256(document).hexdigest()
    if found != digest:
        raise Unopened(
            f"Under the digest {digest} there is another document. Its SHA-256 is {found}."
        )
    try:
        return PublishedSurvey.from_bytes(document, digest=digest)
    except InvalidSurvey as error:
        raise Unopened(
            f"This version cannot read the survey: {error}. If the server runs another version "
            "of deniable, install that one and verify again.",
            CheckResult.UNCHECKED,
        ) from None


def _no_form(got: Fetched) -> Unopened:
    if "location" in got.headers:
        target = quote(got.headers["location"][0])
        return Unopened(
            f"The address is redirected to {target}. If people should go there, verify that "
            "address."
        )
    status = f"The server answers with status {got.status}."
    return Unopened(_WORDS.get(got.status, status), CheckResult.UNCHECKED)
