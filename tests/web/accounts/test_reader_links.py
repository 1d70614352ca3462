"""Links to the results of one survey, which its owners make for somebody."""

import pytest

from deniable_collector.tokens import AccessToken, Release, Role, digest_of, make_token
from problem_checks import assert_members
from sample_definitions import survey, yes_no
from web.accounts.desk import Desk, ask

READERS = "/manage/surveys/ward/readers"
RITA = {"name": "Rita Núñez", "after_reports": 50}


@pytest.fixture(autouse=True)
def published(desk: Desk) -> None:
    """A survey, and an owner of another one."""
    desk.store.publish(survey(yes_no(), slug="ward", at_most_reports=1_000))


def _owner_of(desk: Desk, slug: str) -> str:
    token = make_token(Role.OWNER)
    desk.store.add_token(AccessToken(slug, Role.OWNER, frozenset({slug})), digest_of(token))
    return token


@pytest.mark.parametrize(("after", "release"), [(50, Release(50)), (None, Release())])
def test_an_owner_of_the_survey_makes_a_link(
    desk: Desk, after: int | None, release: Release
) -> None:
    """It hands over a token for its results alone, once; the trail has no secret."""
    sent = {**RITA, "after_reports": after}
    answer = ask(desk.browser(), "POST", READERS, _owner_of(desk, "ward"), json=sent)
    assert answer.status_code == 201
    path, _, secret = answer.get_json()["link"].partition("#link=")
    assert path == "/surveys/ward/results"
    used = ask(desk.browser(), "POST", "/manage/link", secret).get_json()
    reader = desk.store.find_token(digest_of(used["token"]))
    assert reader == AccessToken("Rita Núñez", Role.READER, frozenset({"ward"}), release)
    assert ask(desk.browser(), "POST", "/manage/link", secret).status_code == 410
    with desk.workplace.reading() as connection:
        written = "\n".join(connection.iterdump())
    assert "Rita Núñez (reader: ward)" in written
    assert secret not in written


def test_nobody_else_makes_one(desk: Desk) -> None:
    """Neither an owner of another survey nor an analyst, nor for a survey that is not there."""
    analyst = make_token(Role.ANALYST)
    desk.store.add_token(AccessToken("olaf", Role.ANALYST), digest_of(analyst))
    for token, path, name in (
        (_owner_of(desk, "other"), READERS, "unknown-survey"),
        (analyst, READERS, "token-refused"),
        (desk.token, READERS.replace("ward", "absent"), "unknown-survey"),
    ):
        answer = ask(desk.browser(), "POST", path, token, json=RITA)
        assert_members(answer.get_json(), name)
    assert "Rita Núñez" not in {each.name for each in desk.store.list_tokens()}


@pytest.mark.parametrize(
    ("sent", "name", "said"),
    [
        ({**RITA, "name": "anna"}, "name-taken", "Somebody is called 'anna' here"),
        ({**RITA, "name": "a\nb"}, "invalid-colleague", "name: got the name"),
        ({**RITA, "after_reports": 19}, "invalid-colleague", "got 19 reports; allowed are 20"),
        ({**RITA, "after_reports": True}, "invalid-colleague", "allowed is a whole number"),
        ({**RITA, "after_reports": "50"}, "invalid-colleague", "allowed is a whole number"),
        ({"name": "rita"}, "invalid-colleague", "the keys name, after_reports"),
    ],
)
def test_what_no_link_can_be_for_is_refused(
    desk: Desk, sent: object, name: str, said: str
) -> None:
    """With what is allowed."""
    answer = ask(desk.browser(), "POST", READERS, desk.token, json=sent)
    assert_members(answer.get_json(), name)
    assert said in answer.get_json()["detail"]
