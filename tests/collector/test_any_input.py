"""No input makes the collector fail."""

import json
import random
import string
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from deniable_collector import Settings, create_collector, open_store
from deniable_collector.problems import MEDIA_TYPE
from deniable_sdk import randomize
from live_server import OWNER_TOKEN, give_tokens
from sample_definitions import choice, survey, yes_no

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
REPORT = json.loads(randomize(PUBLISHED, {}, read_bytes=random.Random(1).randbytes).to_bytes())

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(list(REPORT)), inner)
    ),
    max_leaves=20,
)
nearly_reports = st.fixed_dictionaries(
    {key: st.just(value) | anything for key, value in REPORT.items()}
)
media_types = st.sampled_from(["application/json", "application/x-ndjson"])


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """The application itself: hundreds of examples need no sockets."""
    path: Path = tmp_path_factory.mktemp("any") / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(PUBLISHED)
        give_tokens(store)
        yield create_collector(store, Settings()).test_client()


def assert_answered(client: FlaskClient, method: str, path: str, body: bytes, kind: str) -> None:
    """An answer below 500, and a problem if it is a refusal."""
    headers = {"Authorization": f"Bearer {OWNER_TOKEN}", "Content-Type": kind}
    response = client.open(path, method=method, data=body, headers=headers)
    assert response.status_code < 500
    if response.status_code >= 400:
        assert response.content_type == MEDIA_TYPE
        document = json.loads(response.data)
        assert document.keys() == {"type", "title", "status", "detail"}


@given(document=anything | nearly_reports | st.lists(nearly_reports), kind=media_types)
def test_any_json_posted_as_reports_is_answered(
    client: FlaskClient, document: object, kind: str
) -> None:
    """Any JSON at all gets an answer below 500."""
    assert_answered(client, "POST", "/api/reports", json.dumps(document).encode(), kind)


@given(body=st.binary(max_size=200), kind=media_types)
def test_any_bytes_posted_as_reports_are_answered(
    client: FlaskClient, body: bytes, kind: str
) -> None:
    """Any bytes at all get an answer below 500."""
    assert_answered(client, "POST", "/api/reports", body, kind)


@given(document=anything)
def test_any_json_posted_as_a_survey_is_answered(client: FlaskClient, document: object) -> None:
    """Any JSON at all, from the owner too, gets an answer below 500."""
    body = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    assert_answered(client, "POST", "/api/surveys", body, "application/json")


@given(
    path=st.text(string.printable + "é\0", max_size=30),
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE"]),
)
def test_any_path_is_answered(client: FlaskClient, path: str, method: str) -> None:
    """Any path and method get an answer below 500."""
    for prefix in ("/", "/api/surveys/", "/api/surveys/by-digest/"):
        quoted = "".join(f"%{octet:02X}" for octet in path.encode())
        response = client.open(prefix + quoted, method=method)
        assert response.status_code < 500
