"""Nonces and signatures are checked and then gone: no file, log or database has a byte of them."""

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from canaries import files_below, files_written_by
from deniable_collector.store import open_store
from deniable_sdk import Report
from deniable_sdk.tokens import base64url
from invitations import invited_survey, many_reports
from live_server import OWNER_TOKEN, exchange, give_tokens
from postgres_server import PostgresServer
from sample_definitions import choice, yes_no
from served import Served, publish, rows_by_id, served

INVITED = invited_survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="ward")
PEOPLE = 12
# So much of a value would be enough to recognise it, and is never there by chance.
TELLING_BYTES = 12
Contents = Sequence[tuple[str, bytes]]


@dataclass(frozen=True)
class Collected:
    """Where reports with tokens were sent, and every file that there is."""

    reports: Sequence[Report]
    contents: Contents
    is_postgres: bool


def parts_of(secret: bytes) -> Iterator[bytes]:
    """The beginning, the middle and the end of a value, as bytes and as text."""
    for start in (0, len(secret) // 2, len(secret) - TELLING_BYTES):
        part = secret[start : start + TELLING_BYTES]
        yield part
        yield part.hex().encode()
        # Base64 of three bytes at a time, from where a group of them begins.
        begin = start + -start % 3
        yield base64url(secret[begin : begin + TELLING_BYTES - 3]).encode()


def needles(reports: Sequence[Report]) -> dict[bytes, str]:
    """What would give a token away, and what it is."""
    return {
        part: name
        for report in reports
        for name, secret in (
            ("a nonce", report.token.nonce if report.token else b""),
            ("a signature", report.token.signature if report.token else b""),
        )
        for part in parts_of(secret)
    }


def found_in(contents: Contents, reports: Sequence[Report]) -> list[str]:
    """Where something of a token is."""
    searched = needles(reports)
    return [
        f"{name} in {file}"
        for file, content in contents
        for needle, name in searched.items()
        if needle in content
    ]


def send_all_ways(site: Served, reports: Sequence[Report]) -> None:
    """Send reports alone and together, again, with other answers, and broken."""
    single, *others = reports
    texts = [report.to_bytes() for report in others]
    forged = INVITED.report(single.token)
    broken = single.to_bytes().replace(b'"nurses"', b'"others"').replace(b'"doctors"', b'"others"')
    strange = {**json.loads(single.to_bytes()), "values": {"asthma": 7, "region": [1]}}
    bodies = [
        (single.to_bytes(), "application/json", 201),
        (single.to_bytes(), "application/json", 200),
        (b"[" + b",".join(texts[:5]) + b"]", "application/json", 200),
        (b"\n".join(texts), "application/x-ndjson", 200),
        (broken, "application/json", 422),
        (json.dumps(strange).encode(), "application/json", 422),
        (single.to_bytes()[:-9], "application/json", 400),
    ]
    if forged.values != single.values:
        bodies.append((forged.to_bytes(), "application/json", 409))
    with closing(site.connect()) as connection:
        for body, media_type, status in bodies:
            headers = {"Content-Type": media_type}
            answer = exchange(connection, "POST", "/api/reports", body, headers)
            assert answer.status == status, answer.body


def close_survey(site: Served) -> None:
    """Close the survey as its owner does."""
    bearer = {"Authorization": f"Bearer {OWNER_TOKEN}"}
    with closing(site.connect()) as connection:
        answer = exchange(connection, "POST", "/api/surveys/ward/close", None, bearer)
        assert answer.status == 200, answer.body


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def collected(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Collected:
    """What a collector on a store of each kind leaves behind."""
    folder: Path = tmp_path_factory.mktemp("tokens")
    before = folder.stat().st_mtime - 1
    is_postgres = request.param == "postgres"
    location = str(folder / "store.sqlite")
    data = folder
    if is_postgres:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        location, data = server.schema(), server.folder
    publish(location, INVITED.published)
    with closing(open_store(location)) as store:
        give_tokens(store)
    reports = many_reports(INVITED, PEOPLE, random.Random("tokens kept nowhere"))
    with served(location, folder, workers=2) as site:
        send_all_ways(site, reports)
        contents = [*files_below(folder), *files_written_by(site)]
        if is_postgres:
            with psycopg.connect(location, autocommit=True) as connection:
                connection.execute("CHECKPOINT")
            # The server has a hundred megabytes of other tests.
            contents += files_below(data, changed_after=before)
        close_survey(site)
        contents += [*files_below(folder), *files_written_by(site)]
        assert site.stop() == 0
    contents += files_below(folder)
    assert rows_by_id(location, INVITED.published).keys() == {report.id for report in reports}
    return Collected(reports, contents, is_postgres)


def test_no_file_has_anything_of_a_token(collected: Collected) -> None:
    """Neither store, write-ahead log, server's log nor our own, while it runs and afterwards."""
    assert found_in(collected.contents, collected.reports) == []


def test_the_search_would_find_a_token(collected: Collected) -> None:
    """The reports themselves are where they should be, and a token beside them would be seen."""
    own_id = bytes.fromhex(collected.reports[0].id)
    names = [name for name, content in collected.contents if own_id in content]
    assert any(
        "pg_wal" in name if collected.is_postgres else "store.sqlite" in name for name in names
    )
    assert any("served.log" in name for name, _ in collected.contents)
    token = collected.reports[3].token
    assert token
    for kept in (
        token.nonce,
        token.signature,
        token.nonce.hex().encode(),
        base64url(token.signature).encode(),
        json.dumps(token.to_document()).encode(),
    ):
        assert found_in([("somewhere", b"x" + kept + b"y")], collected.reports)
