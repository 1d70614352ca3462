"""What this version makes for a published survey: all files that its form loads.

The files are the answers of the whole site on a store of its own, so that nothing is
described here a second time.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urljoin

from flask.testing import FlaskClient

from deniable_collector.access import collaborators
from deniable_collector.app import opened
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from deniable_web.pages.form.one_file import OneFileForm
from deniable_web.pages.static_files import static_files
from deniable_web.site import create_site
from deniable_web.verification.visitors import Purpose

# The packages whose versions can change a byte.
PACKAGES: Final = ("deniable", "babel", "jinja2")

_WORKER: Final = "/s/worker.js"
_STATIC: Final = "/static/"
_PURPOSES: Final = {".js": Purpose.SCRIPT, ".css": Purpose.STYLE, ".svg": Purpose.IMAGE}
_LONGEST_ADDRESS: Final = 200
# Fast on every text, because a hostile server may have written it.
_NAMED: Final = re.compile(rf"\b(?:src|href)=[\"']?([^\s\"'>]{{1,{_LONGEST_ADDRESS}}})")
# What hosts of files send with a page; the page itself says that it is in UTF-8.
_HTML: Final = (
    "text/html",
    *(f"text/html;{blank}charset={name}" for blank in ("", " ") for name in ("utf-8", "UTF-8")),
)
_OF_HOSTS: Final = frozenset({"content-disposition", "etag", "last-modified"})
# How a message travels, which a proxy may change.
_OF_TRANSPORT: Final = {"content-length", "content-encoding", "vary"}


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A file as this version serves it.

    Args:
        path: its address on the site.
        purpose: what browsers fetch it for.
        headers: the values that each may have, by names in lower case, without those of the
            transport.
        body: its bytes.
        tolerated: further headers that only tell how a host keeps files.
    """

    path: str
    purpose: Purpose
    headers: Mapping[str, tuple[str, ...]]
    body: bytes
    tolerated: frozenset[str] = frozenset()


def document_path(digest: str) -> str:
    """The address of a published survey on its site."""
    return f"/api/surveys/by-digest/{digest}"


def expected_files(survey: PublishedSurvey, frame_ancestors: str) -> tuple[ExpectedFile, ...]:
    """The page of a survey that these sites may show in a frame, and all files that it loads."""
    settings = Settings(frame_ancestors=frame_ancestors)
    with (
        TemporaryDirectory() as folder,
        opened(
            lambda: open_store(Path(folder) / "store.sqlite"),
            lambda store: create_site(store, settings),
        ) as app,
        app.app_context(),
    ):
        collaborators().registry.publish(survey)
        return tuple(_files(app.test_client(), survey))


def expected_one_file(path: str, survey: PublishedSurvey, collector: str) -> ExpectedFile:
    """The form of a survey in one file, at a path of any host.

    Raises:
        InvalidAddress: the collector's address is not an http or https address.
    """
    body = OneFileForm.of(survey, collector).body
    return ExpectedFile(path, Purpose.PAGE, {"content-type": _HTML}, body, _OF_HOSTS)


def named_addresses(page: str) -> list[str]:
    """All addresses that a page names, each once, in their order."""
    return list(dict.fromkeys(_NAMED.findall(page)))


def made_with() -> dict[str, str]:
    """The versions on which the bytes depend, and the digest of the files they make."""
    return {name: version(name) for name in PACKAGES} | {"files": f"v-{static_files().version}"}


def _files(client: FlaskClient, survey: PublishedSurvey) -> Iterator[ExpectedFile]:
    page = _file(client, f"/s/{survey.slug}", Purpose.PAGE)
    yield page
    for named in named_addresses(page.body.decode()):
        address = urljoin(page.path, named)
        if address.startswith(_STATIC):
            yield _file(client, address, _PURPOSES[PurePosixPath(address).suffix])
    yield _file(client, _WORKER, Purpose.WORKER)
    yield _file(client, document_path(survey.digest), Purpose.SURVEY)


def _file(client: FlaskClient, path: str, purpose: Purpose) -> ExpectedFile:
    response = client.get(path)
    headers = {name.lower(): value for name, value in response.headers.items()}
    kept = {name: (headers[name],) for name in headers if name not in _OF_TRANSPORT}
    return ExpectedFile(path, purpose, kept, response.data)
