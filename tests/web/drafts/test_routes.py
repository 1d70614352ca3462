"""The routes of drafts: who may see which, and what a change of an old version gets."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey
from deniable_web.site import create_site
from deniable_web.workplace import open_workplace
from problem_checks import assert_members
from sample_definitions import survey, yes_no

AUTHORS = {
    "anna": AccessToken("anna", Role.OWNER),
    "ben": AccessToken("ben", Role.OWNER, frozenset({"stress"})),
    "carla": AccessToken("carla", Role.ANALYST),
}


class Authors:
    """Requests of several authors to one site."""

    def __init__(self, client: FlaskClient, tokens: dict[str, str]) -> None:
        self._client = client
        self._tokens = tokens

    def ask(self, author: str, method: str, path: str = "", body: Any = None) -> TestResponse:
        """The response to a request of an author, or of nobody."""
        headers = {"Authorization": f"Bearer {self._tokens[author]}"} if author else {}
        return self._client.open(
            f"/manage/drafts{path}", method=method, json=body, headers=headers
        )

    def begin(self, author: str, slug: str = "", title: str = "Stress") -> dict[str, Any]:
        """A new draft of an author."""
        answer = self.ask(author, "POST", body=draft(title, slug=slug))
        assert answer.status_code == 201
        found: dict[str, Any] = answer.get_json()
        return found

    def publish(self, survey: PublishedSurvey) -> None:
        """Anna publishes a survey."""
        headers = {"Authorization": f"Bearer {self._tokens['anna']}"}
        sent = {"data": survey.document, "content_type": "application/json"}
        answer = self._client.post("/api/surveys", headers=headers, **sent)
        assert answer.status_code == 201

    def listed(self, author: str) -> set[str]:
        """The ids of the drafts that an author sees."""
        return {each["id"] for each in self.ask(author, "GET").get_json()["drafts"]}


def draft(title: str = "Stress", version: object = None, **keys: Any) -> dict[str, Any]:
    """The body of a request."""
    body = {"definition": {"title": title, "questions": [], **keys}, "facts": ["sex"]}
    return body if version is None else body | {"version": version}


def refused(answer: TestResponse, name: str) -> str:
    """The detail of a refusal of this name."""
    assert answer.status_code == answer.get_json()["status"]
    assert_members(answer.get_json(), name)
    return str(answer.get_json()["detail"])


@pytest.fixture
def authors(tmp_path: Path) -> Iterator[Authors]:
    """Two owners, one of them for one survey, and an analyst."""
    with (
        closing(open_store(tmp_path / "store.sqlite")) as store,
        closing(open_workplace(tmp_path / "workplace.sqlite")) as workplace,
    ):
        tokens = {}
        for name, access in AUTHORS.items():
            tokens[name] = make_token(access.role)
            store.add_token(access, digest_of(tokens[name]))
        site = create_site(store, Settings(), workplace)
        yield Authors(site.test_client(), tokens)


def test_a_draft_is_kept_and_read_again(authors: Authors) -> None:
    """With its versions, and with the name of the token as its author."""
    begun = authors.begin("anna", "stress")
    path = f"/{begun['id']}"
    saved = authors.ask("ben", "PUT", path, draft("Stress at work", 1, slug="stress")).get_json()
    assert saved | {"changed": ""} == begun | {
        "version": 2,
        "title": "Stress at work",
        "changed": "",
        "changed_by": "ben",
    }
    began = datetime.strptime(saved["created"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert abs((datetime.now(UTC) - began).total_seconds()) < 3600
    assert authors.ask("anna", "GET", path).get_json() == saved | {"present": []}
    assert authors.ask("ben", "GET", path).get_json() == saved | {"present": ["anna"]}
    found = authors.ask("anna", "GET", f"{path}/versions/2").get_json()
    assert found == draft("Stress at work", slug="stress")
    for absent in ("0", "3", "9" * 30):
        assert authors.ask("anna", "GET", f"{path}/versions/{absent}").status_code == 404
    kept = authors.ask("anna", "GET", f"{path}/versions").get_json()
    assert [(each["version"], each["by"]) for each in kept["versions"]] == [
        (2, "ben"),
        (1, "anna"),
    ]
    assert authors.ask("anna", "DELETE", path).status_code == 204
    assert authors.listed("anna") == set()


def test_a_change_of_an_old_version_is_a_conflict(authors: Authors) -> None:
    """Nothing is overwritten, and the problem has a name of its own."""
    path = f"/{authors.begin('anna')['id']}"
    assert authors.ask("anna", "PUT", path, draft("one", 1)).status_code == 200
    refused(authors.ask("anna", "PUT", path, draft("two", 1)), "draft-changed")
    assert authors.ask("anna", "GET", path).get_json()["title"] == "one"


def test_a_token_for_some_surveys_shows_theirs_and_its_own(authors: Authors) -> None:
    """Others' drafts are unknown to it, whatever it asks; one without a name is its author's."""
    own, named = authors.begin("ben")["id"], authors.begin("anna", "stress")["id"]
    other = authors.begin("anna", "drugs")["id"]
    assert authors.listed("ben") == {own, named}
    assert authors.listed("anna") == {own, named, other}
    for method, path, body in (
        ("GET", "", None),
        ("PUT", "", draft("mine", 1)),
        ("DELETE", "", None),
        ("GET", "/versions", None),
        ("GET", "/versions/1", None),
    ):
        refused(authors.ask("ben", method, f"/{other}{path}", body), "unknown-draft")
    assert authors.ask("anna", "GET", f"/{other}").get_json()["version"] == 1


@pytest.mark.parametrize("author", ["", "carla"])
def test_only_owners_see_drafts(authors: Authors, author: str) -> None:
    """A draft may have a text that nobody else is to see before it is published."""
    path = f"/{authors.begin('anna')['id']}"
    for method, where, body in (
        ("GET", "", None),
        ("POST", "", draft()),
        ("GET", path, None),
        ("PUT", path, draft("x", 1)),
        ("DELETE", path, None),
        ("GET", f"{path}/versions", None),
        ("GET", f"{path}/versions/1", None),
    ):
        refused(authors.ask(author, method, where, body), "token-refused")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "definition: allowed is an object with a list of questions"),
        ({"definition": {"questions": {}}}, "definition: allowed is an object"),
        ({"definition": {"questions": []}, "facts": [1]}, "facts: allowed is a list of ids"),
        (draft(), "version: allowed is the number of the version"),
        (draft("x", "1"), "version: allowed is the number of the version"),
        (draft("x", True), "version: allowed is the number of the version"),
        (draft("x", 0), "version: allowed is the number of the version"),
    ],
)
def test_what_is_no_draft_is_refused(authors: Authors, body: Any, said: str) -> None:
    """The refusal says what is allowed, and nothing is changed."""
    path = f"/{authors.begin('anna')['id']}"
    assert said in refused(authors.ask("anna", "PUT", path, body), "invalid-definition")
    assert authors.ask("anna", "GET", path).get_json()["version"] == 1


def test_a_site_without_a_store_of_drafts_has_no_such_routes(tmp_path: Path) -> None:
    """Drafts then stay in the tab."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        site = create_site(store, Settings()).test_client()
        assert site.get("/manage/drafts").status_code == 404


def test_a_draft_says_that_its_name_is_published(authors: Authors) -> None:
    """To those who may see the survey, and to nobody else."""
    for slug in ("stress", "other"):
        authors.begin("ben", slug)

    def marked(author: str) -> dict[str, bool]:
        found = authors.ask(author, "GET").get_json()["drafts"]
        return {each["slug"]: each["is_published"] for each in found}

    assert marked("anna") == {"stress": False, "other": False}
    for slug in ("stress", "other"):
        authors.publish(survey(yes_no(), slug=slug))
    assert marked("anna") == {"stress": True, "other": True}
    assert marked("ben") == {"stress": True, "other": False}
