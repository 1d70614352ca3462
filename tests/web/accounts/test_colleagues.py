"""Colleagues over HTTP: what an owner of all surveys changes, from the next request on."""

from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from deniable_collector.tokens import AccessToken, Release, Role, digest_of
from deniable_web.accounts.sessions import IDLE, Sessions
from problem_checks import assert_members
from sample_definitions import Document, survey, yes_no
from web.accounts.desk import Desk, ask

ALL = "/manage/colleagues"


_BEN: Document = {"name": "ben", "role": "editor", "surveys": None}
_OBJECT = "allowed is a JSON object with the keys name, role, surveys and no others"


def add(desk: Desk, name: str = "ben", **rights: object) -> str:
    """Add somebody, who uses the link; returns the new token."""
    sent = {"name": name, "role": "editor", "surveys": None, **rights}
    answer = ask(desk.browser(), "POST", ALL, desk.token, json=sent)
    assert answer.status_code == 201
    assert answer.get_json()["name"] == name
    return exchanged(desk, answer.get_json()["link"])


def exchanged(desk: Desk, link: str) -> str:
    """The token for a link."""
    answer = ask(desk.browser(), "POST", "/manage/link", link.partition("#link=")[2])
    return str(answer.get_json()["token"])


def change(desk: Desk, method: str, path: str, sent: object = None) -> Any:
    """What the owner's request for a change returns; None if it has no body."""
    answer = ask(desk.browser(), method, f"{ALL}/{path}", desk.token, json=sent)
    assert answer.status_code in (200, 204)
    return answer.get_json(silent=True)


def account_of(desk: Desk, token: str) -> Any:
    """What a token opens; the name of the refusal if it is not accepted."""
    answer = ask(desk.browser(), "GET", "/manage/account", token).get_json()
    return answer.get("role") or answer["type"].rpartition(":")[2]


def listed(desk: Desk) -> dict[str, dict[str, Any]]:
    """The colleagues by name."""
    found = ask(desk.browser(), "GET", ALL, desk.token).get_json()["colleagues"]
    return {each.pop("name"): each for each in found}


def stays(desk: Desk, token: str) -> tuple[FlaskClient, str]:
    """A browser that stays signed in with a token, and the session's token."""
    browser = desk.browser()
    return browser, ask(browser, "POST", "/manage/session", token).get_json()["token"]


def admit(desk: Desk, name: str) -> Sessions:
    """Let somebody sign in at a provider."""
    sessions = Sessions(desk.workplace, desk.store.find_token, lambda: desk.now)
    sessions.admit(
        "https://login.example", name, AccessToken(name, Role.EDITOR, frozenset({"ward"}))
    )
    return sessions


def test_the_list_has_tokens_and_accounts(desk: Desk) -> None:
    """With their rights, how they sign in, and when, if the server knows; no secret."""
    token = add(desk, surveys=["ward", "clinic"])
    admit(desk, "carla").begin("carla")
    desk.store.publish(survey(yes_no(), slug="ward", at_most_reports=1_000))
    stays(desk, token)
    answer = ask(desk.browser(), "GET", ALL, desk.token)
    assert answer.get_json() == {
        "you": "anna",
        "colleagues": [
            {
                "name": name,
                "role": role,
                "surveys": surveys,
                "signs_in_with": way,
                "signed_in": signed_in,
            }
            for name, role, surveys, way, signed_in in (
                ("anna", "owner", None, "token", None),
                ("ben", "editor", ["clinic", "ward"], "token", "2026-05-01T08:00:00Z"),
                ("carla", "editor", ["ward"], "provider", "2026-05-01T08:00:00Z"),
            )
        ],
        "surveys": ["ward"],
    }
    assert token not in answer.text
    desk.now += IDLE
    assert {each["signed_in"] for each in listed(desk).values()} == {None}


def test_a_new_token_opens_what_was_chosen(desk: Desk) -> None:
    """It is in one response, and no file has it."""
    token = add(desk, role="analyst", surveys=["ward"])
    assert token.startswith("deniable_analyst_")
    assert desk.store.find_token(digest_of(token)) == AccessToken(
        "ben", Role.ANALYST, frozenset({"ward"})
    )
    assert account_of(desk, token) == "analyst"
    with desk.workplace.reading() as connection:
        assert token not in "\n".join(connection.iterdump())


def test_a_role_changes_and_the_token_stays(desk: Desk) -> None:
    """In sessions that are open already, too."""
    token = add(desk, surveys=["ward"])
    _, session = stays(desk, token)
    found = change(desk, "PUT", "ben", {"role": "analyst", "surveys": None})
    assert found == {"name": "ben", "role": "analyst", "surveys": None}
    assert [account_of(desk, each) for each in (token, session)] == ["analyst", "analyst"]


@pytest.mark.parametrize("name", ["Jürgen Müller", "张伟", "O'Neil", "علی\u200cرضا", "张" * 64])
def test_a_name_of_any_script_works_everywhere(desk: Desk, name: str) -> None:
    """In the link, the session, each address of the person, and the drafts they write."""
    token = add(desk, name)
    _, session = stays(desk, token)
    answer = ask(desk.browser(), "GET", "/manage/account", session)
    assert answer.get_json()["name"] == name
    path = quote(name, safe="")
    assert change(desk, "PUT", path, {"role": "analyst", "surveys": None})["name"] == name
    again = exchanged(desk, change(desk, "POST", f"{path}/link")["link"])
    assert [account_of(desk, each) for each in (token, again)] == ["token-refused", "analyst"]
    change(desk, "DELETE", f"{path}/sessions")
    change(desk, "DELETE", path)
    assert name not in listed(desk)


def test_a_new_link_ends_the_present_token(desk: Desk) -> None:
    """And ends its sessions; the rights stay, those of a reader's link, too."""
    token = add(desk, surveys=["ward"])
    _, session = stays(desk, token)
    made = change(desk, "POST", "ben/link")
    assert made["name"] == "ben"
    assert made["link"].startswith("/drafts#link=")
    assert [account_of(desk, each) for each in (token, session)] == ["token-refused"] * 2
    assert account_of(desk, exchanged(desk, made["link"])) == "editor"
    reader = AccessToken("link", Role.READER, frozenset({"ward"}), Release(50))
    desk.store.add_token(reader, digest_of("old"))
    link = change(desk, "POST", "link/link")["link"]
    assert link.startswith("/surveys/ward/results#link=")
    assert desk.store.find_token(digest_of(exchanged(desk, link))) == reader


def test_somebody_is_removed_at_once(desk: Desk) -> None:
    """With all sessions; somebody new of the same name has other ones."""
    token = add(desk)
    browser, session = stays(desk, token)
    change(desk, "DELETE", "ben")
    assert [account_of(desk, each) for each in (token, session)] == ["token-refused"] * 2
    add(desk)
    assert ask(browser, "POST", "/manage/session/token").status_code == 204
    assert listed(desk)["ben"]["signed_in"] is None


def test_somebody_is_signed_out_everywhere(desk: Desk) -> None:
    """The token itself is still accepted, and other people stay signed in."""
    token = add(desk)
    sessions = [stays(desk, token)[1] for _ in range(2)]
    _, own = stays(desk, desk.token)
    change(desk, "DELETE", "ben/sessions")
    assert [account_of(desk, each) for each in sessions] == ["token-refused"] * 2
    assert [account_of(desk, each) for each in (token, own)] == ["editor", "owner"]


def test_an_account_of_a_provider_is_removed_until_it_comes_back(desk: Desk) -> None:
    """Its rights and its name are the provider's; only sessions end here."""
    sessions = admit(desk, "carla")
    secret = sessions.begin("carla")
    assert_refused(
        desk,
        ("PUT", "carla", {"role": "owner", "surveys": None}),
        "rights-fixed",
        "at the provider",
    )
    assert_refused(desk, ("POST", "carla/link", None), "rights-fixed", "at the provider")
    sent = {"name": "carla", "role": "editor", "surveys": None}
    assert_refused(desk, ("POST", "", sent), "name-taken", "Somebody is called 'carla' here")
    change(desk, "DELETE", "carla")
    assert sessions.open(secret) is None
    assert "carla" not in listed(desk)
    admit(desk, "carla")
    assert listed(desk)["carla"]["signs_in_with"] == "provider"


def test_nobody_changes_their_own_rights(desk: Desk) -> None:
    """Nor their token: a session that was stolen could lock out its owner."""
    rights = {"role": "analyst", "surveys": None}
    for method, path, sent in (
        ("PUT", "anna", rights),
        ("DELETE", "anna", None),
        ("POST", "anna/link", None),
    ):
        assert_refused(desk, (method, path, sent), "rights-fixed", "ask another owner")
    assert account_of(desk, desk.token) == "owner"


def test_a_readers_link_gets_no_other_role(desk: Desk) -> None:
    """Its condition would be lost."""
    reader = AccessToken("link", Role.READER, frozenset({"ward"}), Release(50))
    desk.store.add_token(reader, digest_of("old"))
    assert_refused(
        desk, ("PUT", "link", {"role": "owner", "surveys": None}), "rights-fixed", "make another"
    )
    assert desk.store.find_token(digest_of("old")) == reader


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", "zoe"), ("DELETE", "zoe"), ("POST", "zoe/link"), ("DELETE", "zoe/sessions")],
)
def test_who_is_not_there_is_said(desk: Desk, method: str, path: str) -> None:
    """Also if somebody else has removed them meanwhile."""
    sent = {"role": "editor", "surveys": None} if method == "PUT" else None
    assert_refused(desk, (method, path, sent), "unknown-colleague", "Nobody here has this name")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, _OBJECT),
        # What is left out, or misspelt, is never taken for all surveys.
        ({"name": "ben", "role": "editor"}, _OBJECT),
        ({"name": "ben", "role": "editor", "survey": ["ward"]}, _OBJECT),
        ({**_BEN, "survey": ["ward"]}, _OBJECT),
        ({**_BEN, "name": ""}, "name: got the name ''"),
        ({**_BEN, "name": ["ben"]}, "name: got the name ''"),
        ({**_BEN, "name": "ben/boss"}, "name: got the name 'ben/boss'"),
        ({**_BEN, "name": "deniable_owner_x"}, "never the token"),
        ({**_BEN, "role": None}, "role: allowed is one of owner, editor, analyst"),
        ({**_BEN, "role": "reader"}, "role: allowed is one of owner, editor, analyst"),
        ({**_BEN, "role": ["owner"]}, "role: allowed is one of owner, editor, analyst"),
        ({**_BEN, "surveys": []}, "surveys: allowed is null"),
        ({**_BEN, "surveys": "ward"}, "surveys: allowed is null"),
        ({**_BEN, "surveys": [1]}, "surveys: allowed is null"),
        ({**_BEN, "surveys": ["ward"] * 1001}, "a list of 1 to 1000 names"),
        ({**_BEN, "surveys": ["Ward"]}, "got the survey 'Ward'"),
    ],
)
def test_what_nobody_can_have_is_refused(desk: Desk, sent: object, said: str) -> None:
    """With what is allowed; nobody was added."""
    assert_refused(desk, ("POST", "", sent), "invalid-colleague", said)
    assert listed(desk).keys() == {"anna"}


@pytest.mark.parametrize("body", [b"", b"null", b"[1]", b'{"name": NaN}', b"[" * 100_000])
def test_what_is_no_object_is_refused(desk: Desk, body: bytes) -> None:
    """However deep it is."""
    answer = ask(desk.browser(), "POST", ALL, desk.token, data=body)
    assert_members(answer.get_json(), "not-json")


def assert_refused(desk: Desk, asked: tuple[str, str, object], name: str, said: str) -> None:
    """The owner's request, of a method, a path below the list and a body, is refused like this."""
    method, path, sent = asked
    at = f"{ALL}/{path}" if path else ALL
    answer = ask(desk.browser(), method, at, desk.token, json=sent)
    assert answer.status_code == answer.get_json()["status"]
    assert_members(answer.get_json(), name)
    assert said in answer.get_json()["detail"]
