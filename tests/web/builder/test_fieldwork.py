"""Drafts of surveys with a window or by invitation, while their author writes them."""

from typing import Any

import pytest

from builder_site import Owner
from deniable_collector.problems import PROBLEMS
from deniable_sdk.canonical import JSON
from invitations import ISSUER
from sample_definitions import Document, definition

CHECK = "/manage/definitions/check"
OPENS, CLOSES = "2040-01-31T18:00+01:00", "2040-02-14T18:00+01:00"


def checked(owner: Owner, **keys: Any) -> Document:
    """What the check says of a draft with these keys."""
    found = owner.post(CHECK, json={"definition": definition(**keys)}).get_json()
    assert isinstance(found, dict)
    return found


def invitation(**group: JSON) -> dict[str, JSON]:
    """An invitation of one group, as the builder's fields write it."""
    return {"issuer": ISSUER, "groups": {"nurses": {"text": "Nurses", "invited": 412, **group}}}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ({"opens": ""}, ["opens"]),
        ({"opens": CLOSES, "closes": OPENS}, ["closes"]),
        ({"at_most_reports": "many"}, ["at_most_reports"]),
        ({"stop_when": {"margin": ""}}, ["stop_when", "margin"]),
        ({"stop_when": {"margin": 3}}, ["stop_when", "margin"]),
        (
            {"stop_when": {"margin": 0.03, "questions": ["other"]}},
            ["stop_when", "questions", 0],
        ),
        ({"stop_when": {"margin": 0.03, "questions": []}}, ["stop_when", "questions"]),
        ({"invited": invitation() | {"issuer": ""}}, ["invited", "issuer"]),
        ({"invited": invitation(invited="")}, ["invited", "groups", "nurses", "invited"]),
        ({"invited": invitation(text="")}, ["invited", "groups", "nurses", "text"]),
        (
            {"invited": {"issuer": ISSUER, "groups": {"": {"invited": 20}}}},
            ["invited", "groups", ""],
        ),
        ({"invited": invitation(invited=19)}, ["invited", "groups"]),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, list) else "",
)
def test_margins_do_not_wait_for_dates_and_invitations(
    owner: Owner, keys: dict[str, Any], path: list[str]
) -> None:
    """A mistake there is a problem of its field, and the forecast stays."""
    found = checked(owner, **keys)
    assert [problem["path"] for problem in found["problems"]] == [path]
    expected = checked(owner)["forecast"]
    assert found["forecast"]["blocks"] == expected["blocks"]


def test_an_early_end_is_part_of_the_forecast(owner: Owner) -> None:
    """The page says it in a sentence; a rule with a mistake is a problem, and no part of it."""
    ruled = checked(owner, stop_when={"margin": 0.03})
    assert ruled["problems"] == []
    assert ruled["forecast"]["stop_when"] == {"margin": 0.03, "questions": ["asthma"]}
    wrong = checked(owner, stop_when={"margin": 3}, opens=OPENS, invited=invitation())
    assert wrong["forecast"]["stop_when"] is None
    # What else is known of the fieldwork stays.
    assert "overlapping" in {each["warning"] for each in wrong["forecast"]["warnings"]}


def test_what_an_invitation_reveals_is_still_warned_of(owner: Owner) -> None:
    """A finished invitation is part of the forecast: small groups, and times that overlap."""
    small = invitation(invited=19) | {"small_groups": True}
    found = checked(owner, invited=small, opens=OPENS)
    warnings = {each["warning"] for each in found["forecast"]["warnings"]}
    assert {"small_groups", "overlapping"} <= warnings


def test_keys_are_needed_for_publishing_and_for_nothing_else(owner: Owner) -> None:
    """A draft without keys has no problems, and publishing it is refused by its own name."""
    draft = definition(slug="wards", invited=invitation())
    assert checked(owner, slug="wards", invited=invitation())["problems"] == []
    assert owner.post("/manage/definitions/preview", json={"definition": draft}).status_code == 200
    answer = owner.post("/manage/surveys", json={"definition": draft})
    assert answer.status_code == PROBLEMS["unusable-keys"].status
    assert answer.get_json()["type"] == "urn:deniable:problem:unusable-keys"
    assert owner.get("/api/surveys/wards").status_code == 404
