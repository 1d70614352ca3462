"""Collectors that are started with the name of their site, over real HTTP."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from deniable_sdk import Report
from invitations import InvitedSurvey, invited_survey, survey_at_sites
from live_server import ANALYST_TOKEN, LiveCollector, live_collector
from problem_checks import assert_members, assert_problem
from served import publish, rows_by_id

SITES = {"nurses": "north", "doctors": "south"}
FORMS = ("single", "spaced", "application/json", "application/x-ndjson")
Collectors = dict[str, LiveCollector]


@pytest.fixture(scope="module")
def invited() -> InvitedSurvey:
    """A survey whose nurses report in the north and doctors in the south."""
    return survey_at_sites(SITES)


@pytest.fixture
def collectors(tmp_path: Path, invited: InvitedSurvey) -> Iterator[Collectors]:
    """The collectors of both sites and one without a name, all with the same survey."""
    with ExitStack() as running:
        found = {}
        for name in ("north", "south", ""):
            store = tmp_path / f"{name or 'unnamed'}.sqlite"
            publish(store, invited.published)
            started = live_collector(store, environment={"DENIABLE_SITE": name} if name else {})
            found[name] = running.enter_context(started)
        yield found
        assert all(each.log.read_text() == "" for each in found.values())


def sent(collector: LiveCollector, report: Report, form: str) -> int:
    """The status of a report in some form; a refusal is checked for its shape."""
    body = report.to_bytes()
    if form in ("single", "spaced"):
        # Devices write no spaces, so that is not the form which is read fast.
        text = body if form == "single" else body.replace(b",", b", ", 1)
        answer = collector.send("POST", "/api/reports", text)
        if answer.status >= 400:
            assert_problem(answer, "other-site")
        return answer.status
    whole = b"[" + body + b"]" if form == "application/json" else body + b"\n"
    answer = collector.send("POST", "/api/reports", whole, {"Content-Type": form})
    (result,) = answer.document["results"]
    if result["status"] >= 400:
        shape = {name: result[name] for name in result if name not in ("index", "report")}
        assert_members(shape, "other-site")
    return int(result["status"])


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_a_report_is_accepted_at_its_own_site_only(
    collectors: Collectors, invited: InvitedSurvey, form: str
) -> None:
    """The same bytes are good at the site of their group; a token cannot be spent at two."""
    for group, own in SITES.items():
        report = invited.report(invited.token(group))
        for name in ("north", "south"):
            assert sent(collectors[name], report, form) == (201 if name == own else 421)
        # Only an operator who does not name the site accepts all.
        assert sent(collectors[""], report, form) == 201
        for name in ("north", "south"):
            assert (report.id in rows_by_id(collectors[name].store, invited.published)) == (
                name == own
            )


def test_the_refusal_says_where_the_report_belongs(
    collectors: Collectors, invited: InvitedSurvey
) -> None:
    """It names both sites, and nothing that was reported."""
    report = invited.report(invited.token("doctors"))
    answer = collectors["north"].send("POST", "/api/reports", report.to_bytes())
    assert answer.document["detail"] == (
        "Not stored: the report's group belongs to the site 'south', and this is 'north'; send "
        "the same bytes to the collector of that site. The invitation has its link."
    )


def test_a_forged_token_is_not_a_report_of_another_site(
    collectors: Collectors, invited: InvitedSurvey
) -> None:
    """What no device makes is an illegal report everywhere."""
    document = json.loads(invited.report(invited.token("doctors")).to_bytes())
    other = json.loads(invited.report(invited.token("doctors")).to_bytes())
    document["token"]["signature"] = other["token"]["signature"]
    for name in ("north", "south", ""):
        answer = collectors[name].send("POST", "/api/reports", document)
        assert_problem(answer, "invalid-report")


def test_everybody_can_see_the_name_of_the_site(
    collectors: Collectors, invited: InvitedSurvey
) -> None:
    """Devices ask without a token, and analysts with theirs."""
    survey = invited.published
    for name, collector in collectors.items():
        state = collector.send("GET", f"/api/surveys/by-digest/{survey.digest}/fieldwork")
        assert state.document["site"] == (name or None)
        bearer = {"Authorization": f"Bearer {ANALYST_TOKEN}"}
        editions = collector.send("GET", f"/api/surveys/{survey.slug}/editions", headers=bearer)
        assert editions.document["site"] == (name or None)


def test_a_survey_without_sites_is_refused_nowhere(tmp_path: Path) -> None:
    """The name of a site matters only to surveys whose groups name theirs."""
    plain = invited_survey()
    publish(tmp_path / "store.sqlite", plain.published)
    named = {"DENIABLE_SITE": "north"}
    with live_collector(tmp_path / "store.sqlite", environment=named) as collector:
        for group in SITES:
            answer = collector.send(
                "POST", "/api/reports", plain.report(plain.token(group)).to_bytes()
            )
            assert answer.status == 201
