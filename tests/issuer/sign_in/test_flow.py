"""Signing in over real HTTP, from the link in the form to a token."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from deniable_issuer.codes import code_digest
from deniable_sdk import check_report, randomize
from deniable_web.commands import run
from live_issuer import UNTIL
from live_provider import ACCOUNTS, ANNA, BEN, CARLA, DORA, EMIL
from live_sign_in import COLLECTOR, ONE_GROUP, LiveSignIn, Visitor, live_sign_in
from sampled_params import sampled_params


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSignIn]:
    """A provider and an issuer with groups by department."""
    with live_sign_in(tmp_path_factory.mktemp("sign-in")) as running:
        yield running


def rows(desk: LiveSignIn) -> list[tuple[object, ...]]:
    """All codes in the store, without their messages."""
    with closing(sqlite3.connect(desk.prepared.store)) as connection:
        return connection.execute(
            "SELECT code_digest, survey, group_id, contact, mail FROM codes"
        ).fetchall()


def said(visitor: Visitor) -> str:
    """The text that the last page shows."""
    found = re.search(r"<p>(.*?)</p>", visitor.seen[-1].text)
    assert found, visitor.seen[-1].text
    return found[1]


def test_each_account_gets_one_code_of_its_group(desk: LiveSignIn) -> None:
    """The code buys one token, is the same on every device, and others get another one."""
    codes = {account: desk.visitor(account).signs_in() for account in (ANNA, BEN, CARLA)}
    assert len(set(codes.values())) == 3
    for account, code in codes.items():
        assert re.fullmatch(r"[A-Z2-7]{4}(-[A-Z2-7]{4}){3}", code)
        assert desk.visitor(account).signs_in() == code
        group = desk.issuer.ask_group(code).document["group"]
        assert group == ("doctors" if account == CARLA else "nurses")
    survey = desk.prepared.survey
    _, token = desk.issuer.collect(survey, codes[ANNA])
    check_report(randomize(survey, {"asthma": True}, token=token), survey)
    again = desk.visitor(ANNA).signs_in()
    assert again == codes[ANNA]
    assert desk.issuer.ask_signature(again, b"\1" * 256).status == 409
    kept = {digest: others for digest, *others in rows(desk)}
    digest = survey.digest
    for account, code in codes.items():
        group = "doctors" if account == CARLA else "nurses"
        assert kept[code_digest(code)] == [digest, group, None, "signed-in"]


def test_the_provider_is_asked_for_nothing_but_what_is_needed(desk: LiveSignIn) -> None:
    """The request has PKCE, a state, a nonce and the scopes of the settings, all of them new."""
    asked = [parse_qs(urlsplit(desk.visitor(ANNA).leaves()).query) for _ in range(2)]
    first, second = asked
    assert first.keys() == {
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method",
    }  # fmt: skip
    assert first["scope"] == ["openid profile"]
    assert first["response_type"] == ["code"]
    assert first["code_challenge_method"] == ["S256"]
    assert first["redirect_uri"] == [f"{desk.issuer.url}/sign-in/callback"]
    for name in ("state", "nonce", "code_challenge"):
        assert first[name] != second[name]
        assert len(first[name][0]) == 43


def test_the_cookie_is_for_this_browser_and_these_minutes(desk: LiveSignIn) -> None:
    """Scripts and other sites' requests cannot use it, and it is removed when it was used."""
    visitor = desk.visitor(BEN)
    visitor.comes_back()
    first, last = (visitor.seen[place].headers["set-cookie"] for place in (0, -1))
    for part in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=600"):
        assert part in first.split("; ")
    assert "Max-Age=0" in last
    assert not any("5309" in str(answer.cookies.get_dict()) for answer in visitor.seen)


def test_an_account_without_a_group_gets_no_code(desk: LiveSignIn) -> None:
    """A department that no group names, or none at all, is refused in words; nothing is kept."""
    before = rows(desk)
    for account in (DORA, EMIL):
        visitor = desk.visitor(account, **{"Accept-Language": "fr, de-AT;q=0.8, en;q=0.5"})
        answer = visitor.comes_back()
        assert answer.status_code == 403
        assert said(visitor).startswith("Ihr Konto gehört zu keiner Gruppe")
        assert f'href="{COLLECTOR}/s/wards"' in answer.text
        assert '<html lang="de" dir="ltr">' in answer.text
    assert rows(desk) == before


def test_whoever_moves_keeps_the_first_group(desk: LiveSignIn) -> None:
    """Another department later, even one that is not invited, changes neither code nor group."""
    code = desk.visitor(BEN).signs_in()
    for department in ("medicine", "kitchen"):
        desk.provider.change({BEN: {"department": [department]}})
        assert desk.visitor(BEN).signs_in() == code
    desk.provider.change({})
    assert desk.issuer.ask_group(code).document == {"group": "nurses"}


def test_cancelling_is_no_fault(desk: LiveSignIn) -> None:
    """The person is told that they are not signed in, and can begin again."""
    visitor = desk.visitor(ANNA)
    address = visitor.authorized(visitor.leaves(), cancel="yes")
    assert "error=access_denied" in address
    assert visitor.open(address).status_code == 403
    assert "or you cancelled" in said(visitor)
    assert visitor.signs_in()


def test_everybody_can_see_where_to_sign_in(desk: LiveSignIn) -> None:
    """The public state of the survey has the address."""
    state = desk.issuer.send("GET", f"/api/surveys/{desk.issuer.digest}").document
    assert state["sign_in"] == desk.start


def test_after_the_end_nobody_is_sent_to_the_provider(desk: LiveSignIn) -> None:
    """From collect_until on both addresses say that it is over, and nothing is kept."""
    desk.issuer.set_clock(UNTIL - timedelta(seconds=30))
    visitor, before = desk.visitor(EMIL), rows(desk)
    there = visitor.authorized(visitor.leaves())
    desk.issuer.set_clock(UNTIL)
    try:
        assert visitor.open(there).status_code == 410
        assert said(visitor) == "The time for signing in is over."
        assert visitor.open(desk.start).status_code == 410
    finally:
        desk.issuer.set_clock(datetime.now(UTC))
    assert rows(desk) == before


@pytest.mark.sweep
@pytest.mark.parametrize("sends_all", sampled_params([False, True]))
@pytest.mark.parametrize("client", ["survey", "posting", "public"])
def test_other_kinds_of_providers(tmp_path: Path, client: str, sends_all: bool) -> None:
    """A secret is shown as the provider reads it, or there is none; user info is asked for."""
    public = {"client_secret_variable": None} if client == "public" else {}
    used = {"claim": "email", "scopes": ["profile", "email"], "client_id": client, **public}
    with live_sign_in(tmp_path, used, sends_all=sends_all) as desk:
        codes = [desk.visitor(account).signs_in() for account in (ANNA, BEN, ANNA)]
        assert codes[0] == codes[2] != codes[1]
        desk.provider.change({ANNA: ACCOUNTS[BEN]})
        assert desk.visitor(ANNA).signs_in() == codes[1]


def test_no_more_people_than_are_invited(tmp_path: Path) -> None:
    """Slips and people who signed in count together, also if many sign in at once."""
    crowd: dict[str, dict[str, object]] = {f"person{number}": {} for number in range(8)}
    invited, slips = {"nurses": 20}, {"nurses": 16}
    with live_sign_in(tmp_path, ONE_GROUP, invited=invited, people=slips) as desk:
        desk.provider.change(crowd)
        visitors = [desk.visitor(account) for account in crowd]
        there = [visitor.authorized(visitor.leaves()) for visitor in visitors]
        with ThreadPoolExecutor(4) as threads:
            answers = [*threads.map(Visitor.open, visitors, there)]
        assert Counter(answer.status_code for answer in answers) == {302: 4, 403: 4}
        assert len(rows(desk)) == 20
        for visitor, answer in zip(visitors, answers, strict=True):
            if answer.status_code == 403:
                assert said(visitor).startswith("As many people of your group as are invited")
            else:
                code = answer.headers["location"].partition("#code=")[2]
                assert visitor.signs_in() == code


@pytest.mark.deep
def test_slips_are_made_for_those_who_do_not_sign_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list of three people gets three slips, whoever signed in before; all are counted."""
    with live_sign_in(tmp_path, ONE_GROUP, invited={"nurses": 20}) as desk:
        desk.visitor(ANNA).signs_in()
        (tmp_path / "wards.json").write_bytes(desk.prepared.survey.document)
        people = tmp_path / "people.csv"
        for count, expected in ((3, 0), (19, 0), (20, 1)):
            people.write_text("group\n" + count * "nurses\n")
            links = tmp_path / f"links{count}.csv"
            ended = run([
                "invite", str(tmp_path / "wards.json"), str(people), "--collector", COLLECTOR,
                "--store", str(desk.prepared.store), "--links", str(links), "--format", "json",
            ])  # fmt: skip
            assert ended == expected
        found = capsys.readouterr()
        assert "nurses (21 people, 20 invited)" in found.err
        assert len((tmp_path / "links3.csv").read_text().splitlines()) == 4
        assert len((tmp_path / "links19.csv").read_text().splitlines()) == 17
        assert '"signed-in": 1' in found.out
        assert desk.visitor(ANNA).signs_in()
        assert desk.visitor(BEN).comes_back().status_code == 403
