"""Reports of invited people over real HTTP: alone, in arrays, in lines; on every engine."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from deniable_collector.store import Store, open_store
from deniable_sdk import InvalidReport, Report, check_report, randomize
from deniable_sdk.tokens import base64url
from invitations import GROUPS, InvitedSurvey, invitation, invited_survey, key
from live_server import ANALYST_TOKEN, Answer, LiveCollector, live_collector
from problem_checks import assert_members, assert_problem
from sample_definitions import choice, survey, yes_no

NDJSON = "application/x-ndjson"
JSON = "application/json"
FORMS = ("single", JSON, NDJSON)
numbers = count()


@dataclass(frozen=True)
class Site:
    """A collector, and its store beside it."""

    collector: LiveCollector
    store: Store

    def invited(self, **keys: object) -> InvitedSurvey:
        """A survey by invitation of this test's own, open on the collector."""
        number = next(numbers)
        made = invited_survey(
            yes_no(),
            choice(options=30),
            first_key=2 * number,
            **{"ask": "all", "epsilon": "0.5", "slug": f"ward-{number}", **keys},
        )
        answer = self.collector.owner("POST", "/api/surveys", made.published.document)
        assert answer.status == 201, answer.body
        return made

    def send(self, body: bytes, media_type: str = JSON) -> Answer:
        """The answer to a body."""
        return self.collector.send("POST", "/api/reports", body, {"Content-Type": media_type})

    def results(self, reports: Sequence[Report], form: str) -> list[tuple[int, str]]:
        """The status and detail of each report, sent alone or together; shapes are checked."""
        texts = [report.to_bytes() for report in reports]
        if form == "single":
            answers = [self.send(text) for text in texts]
            for answer in answers:
                if answer.status >= 400:
                    assert_problem(answer, answer.document["type"].rpartition(":")[2])
            return [(each.status, each.document.get("detail", "")) for each in answers]
        body = b"\n".join(texts) if form == NDJSON else b"[" + b",".join(texts) + b"]"
        members = self.send(body, form).document["results"]
        for member in members:
            shape = {name: member[name] for name in member if name not in ("index", "report")}
            if member["status"] >= 400:
                assert_members(shape, shape["type"].rpartition(":")[2])
        return [(each["status"], each.get("detail", "")) for each in members]

    def rows(self, invited: InvitedSurvey) -> dict[str, object]:
        """The group of each stored report, by its id."""
        stored = self.store.find_edition(invited.published.digest)
        assert stored is not None
        rows = self.store.read_rows(stored, None, 1_000)
        return {report.hex(): values[0] for report, *values in rows}

    def counts(self, invited: InvitedSurvey, query: str) -> Answer:
        """What analysts are told."""
        bearer = {"Authorization": f"Bearer {ANALYST_TOKEN}"}
        path = f"/api/surveys/{invited.published.slug}/{query}"
        return self.collector.send("GET", path, headers=bearer)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A collector on a store of each kind."""
    path: Path = tmp_path_factory.mktemp("invited") / "store.sqlite"
    options: list[str] = []
    if request.param == "postgres":
        options = ["--location", request.getfixturevalue("postgres_server").schema()]
    with live_collector(path, *options) as collector:
        store = open_store(options[1] if options else path)
        yield Site(collector, store)
        store.close()
        assert collector.stop() == 0
        assert collector.log.read_text() == ""


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_each_token_is_good_for_one_report(site: Site, form: str) -> None:
    """201 once, 200 for the same bytes, 409 in words for other answers; also when it is closed."""
    invited = site.invited()
    first, second = invited.two_on_one_token()
    others = [invited.report(invited.token(group)) for group in GROUPS]
    assert site.results([first, *others], form) == [(201, "")] * 3
    assert site.results([first, *others], form) == [(200, "")] * 3
    ((status, detail),) = site.results([second], form)
    assert status == 409
    assert detail == (
        "This invitation was used already, for a report with other values; the stored one was "
        "kept; each invitation is good for one report, so discard this one."
    )
    late = invited.report()
    site.collector.owner("POST", f"/api/surveys/{invited.published.slug}/close")
    statuses = [status for status, _ in site.results([first, second, late], form)]
    assert statuses == [200, 409, 410]
    assert site.rows(invited) == {
        report.id: report.token.group for report in (first, *others) if report.token
    }


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_both_reports_of_one_request_on_one_token(site: Site, form: str) -> None:
    """Whichever comes first is stored, and the other is a conflict."""
    invited = site.invited()
    first, second = invited.two_on_one_token()
    assert [status for status, _ in site.results([first, second, first], form)] == [201, 409, 200]


def illegal(invited: InvitedSurvey, others: Sequence[InvitedSurvey]) -> list[Report]:
    """Reports whose tokens are missing, or not good for them."""
    good = invited.report()
    token = good.token
    assert token
    flipped = bytes([token.signature[0] ^ 1]) + token.signature[1:]
    not_signed = [
        token.replace(signature=flipped),
        token.replace(nonce=bytes(32)),
        invited.token("doctors").replace(group="nurses"),
        *(each.token() for each in others),
    ]
    return [
        good.replace(token=None),
        good.replace(id="0" * 32),
        good.replace(token=token.replace(group="others")),
        good.replace(token=token.replace(signature=b"short")),
        good.replace(token=token.replace(nonce=b"short")),
        # With the ids that belong to these tokens.
        *map(invited.report, not_signed),
    ]


def words_of_the_sdk(report: Report, invited: InvitedSurvey) -> str:
    """Why the SDK does not accept a report."""
    with pytest.raises(InvalidReport) as caught:
        check_report(Report.from_bytes(report.to_bytes()), invited.published)
    return str(caught.value)


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_a_missing_or_bad_token_is_refused_with_the_reason(site: Site, form: str) -> None:
    """422 in the SDK's words, also for tokens of other surveys, editions and groups."""
    elsewhere = site.invited()
    first = site.invited()
    slug = first.published.slug
    site.collector.owner("POST", f"/api/surveys/{slug}/close")
    invited = site.invited(slug=slug)
    reports = illegal(invited, [elsewhere, first])
    found = site.results(reports, form)
    assert [status for status, _ in found] == [422] * 10
    for (_, detail), report in zip(found, reports, strict=True):
        words = words_of_the_sdk(report, invited)
        assert "token" in words
        assert detail.startswith(f"Not stored: {words}. ")
    assert len({detail for _, detail in found}) == 6
    assert site.rows(invited) == {}


def test_a_token_is_refused_where_everybody_may_answer(site: Site) -> None:
    """What would be ignored is refused, so that no client sends it in vain."""
    invited = site.invited()
    published = survey(yes_no(), slug="everybody")
    site.collector.owner("POST", "/api/surveys", published.document)
    report = randomize(published, {}).replace(token=invited.token())
    ((status, detail),) = site.results([report], "single")
    assert status == 422
    assert "token: everybody may answer this survey" in detail


def test_refusals_repeat_nothing_of_a_token(site: Site) -> None:
    """No detail has a nonce, a signature or an id that was sent, however broken it is."""
    invited = site.invited()
    report = invited.report()
    assert report.token
    document = json.loads(report.to_bytes())
    secrets = [base64url(report.token.nonce), base64url(report.token.signature)[:40]]
    bodies = [
        json.dumps({**document, "token": token}).encode()
        for token in (
            secrets[0],
            {**document["token"], "group": secrets[0]},
            {**document["token"], "nonce": secrets[1]},
            {**document["token"], "signature": secrets[0]},
            {**document["token"], secrets[0]: 1},
        )
    ]
    for body in bodies:
        answer = site.send(body)
        detail = assert_problem(answer, "invalid-report")
        assert not any(secret in detail for secret in secrets)


def test_counts_by_group_are_returned_once_the_survey_is_closed(site: Site) -> None:
    """Until then an analyst gets the counts of all groups together, and no group anywhere."""
    invited = site.invited()
    reports = [invited.report(invited.token(group)) for group in ("nurses", "nurses", "doctors")]
    assert {status for status, _ in site.results(reports, NDJSON)} == {201}
    for query in ("results?group=nurses", "tuples?blocks=asthma&group=nurses"):
        detail = assert_problem(site.counts(invited, query), "survey-not-closed")
        assert "only once the survey is closed" in detail
    for query in ("results", "tuples?blocks=asthma,region", "editions"):
        answer = site.counts(invited, query)
        assert answer.status == 200
        assert b"nurses" not in answer.body
    site.collector.owner("POST", f"/api/surveys/{invited.published.slug}/close")
    by_group = {}
    for group in GROUPS:
        answer = site.counts(invited, f"results?group={group}&blocks=asthma")
        assert answer.document["group"] == group
        by_group[group] = answer.document
        tuples = site.counts(invited, f"tuples?blocks=asthma&group={group}").document
        assert sum(row[-1] for row in tuples["tuples"]) == answer.document["reports"]
    assert {group: by_group[group]["reports"] for group in GROUPS} == {"nurses": 2, "doctors": 1}
    (block,) = by_group["doctors"]["blocks"]
    assert block["support"] == [[reports[2].values["asthma"], 1]]
    unknown = site.counts(invited, "results?group=others")
    assert "allowed are: nurses, doctors" in assert_problem(unknown, "unknown-group")


def test_a_survey_of_everybody_has_no_groups(site: Site) -> None:
    """Asking for one is a 404 that says so."""
    published = survey(yes_no(), slug="no-groups")
    site.collector.owner("POST", "/api/surveys", published.document)
    answer = site.counts(InvitedSurvey(published, {}), "results?group=nurses")
    assert "it has none; leave it out" in assert_problem(answer, "unknown-group")


def test_publishing_needs_keys_that_no_other_survey_has(site: Site) -> None:
    """422 with the groups and the command, and no word of the other survey."""
    invited = site.invited()
    groups = {"nurses": {"invited": 412}}
    keyless = survey(slug="keyless", invited={"issuer": "https://example.org", "groups": groups})
    answer = site.collector.owner("POST", "/api/surveys", keyless.document)
    detail = assert_problem(answer, "unusable-keys")
    assert "got no key for nurses" in detail
    assert "deniable issuer keys FILE" in detail
    again = survey(slug="again", invited=invitation({"nurses": invited.keys["doctors"]}))
    answer = site.collector.owner("POST", "/api/surveys", again.document)
    detail = assert_problem(answer, "unusable-keys")
    assert "got keys for nurses that a survey in this store has already" in detail
    assert invited.published.slug not in detail
    for slug in ("keyless", "again"):
        assert site.collector.send("GET", f"/api/surveys/{slug}").status == 404
    other = survey(slug="again", invited=invitation({"nurses": key(999)}))
    assert site.collector.owner("POST", "/api/surveys", other.document).status == 201
