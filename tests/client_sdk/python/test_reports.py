"""A report is accepted exactly if a device can make it, and never shown in a message."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable_sdk import DeniableError, InvalidReport, Report, check_report, randomize, theory
from deniable_sdk.canonical import JSON, encode, parse
from error_texts import error_texts
from sample_definitions import choice, paths, survey, yes_no

SURVEY = survey(yes_no("asthma"), choice("region", 10), ask="all")  # one index, one list
OTHER = survey(yes_no("asthma"))
LEGAL = Report(SURVEY.digest, "0" * 32, {"asthma": 2, "region": [0, 4, 10]})

# No message may hold any of these, wherever in a report they stand.
CANARIES: list[JSON] = ["canary", 7340033, [7340033], ["canary"], {"canary": "canary"}]


def _document(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(LEGAL.to_bytes())
    document.update(changes)
    return document


def test_a_legal_report_is_accepted() -> None:
    """What randomize makes is read back from its bytes and accepted."""
    check_report(LEGAL, SURVEY)
    for _ in range(50):
        report = randomize(SURVEY, {"asthma": True, "region": "o3"})
        again = Report.from_bytes(report.to_bytes())
        assert again == report
        assert again.to_bytes() == report.to_bytes()
        check_report(again, SURVEY)


def test_every_report_has_its_own_id() -> None:
    """Two reports of the same answers have different ids of 32 hex digits."""
    ids = {randomize(SURVEY, {}).id for _ in range(100)}
    assert len(ids) == 100
    assert {len(report_id) for report_id in ids} == {32}


def test_the_form_of_a_report_is_checked() -> None:
    """What is no report of format 1 is refused with what a report has."""
    keys = (
        "a report has the keys format, report, survey, values and no others, and its format "
        "is deniable-report/1"
    )
    digest = "survey: allowed is a digest of 64 lower-case hex digits"
    report_id = "report: allowed is an id of 32 lower-case hex digits"
    cases: list[tuple[JSON, str]] = [
        ([], "got a list; a report is an object"),
        ({}, keys),
        (_document(colour=1), keys),
        (_document(format="deniable-report/2"), keys),
        (_document(survey="A" * 64), digest),
        (_document(survey="a" * 63), digest),
        (_document(survey="a" * 64 + "\n"), digest),
        (_document(survey=1), digest),
        (_document(report="g" * 32), report_id),
        (_document(report=None), report_id),
        (_document(values=[]), "values: got a list; allowed is an object"),
    ]
    for document, message in cases:
        with pytest.raises(InvalidReport) as caught:
            Report.from_document(document)
        assert str(caught.value) == message


def test_bytes_that_are_no_json_are_no_report() -> None:
    """Bytes that cannot be read are refused as not a report."""
    for data, message in [
        (b"\xffcanary", "not a report: the bytes are not UTF-8"),
        (b"canary", "not a report: not JSON: broken at character 0"),
        (b'{"canary":1.5}', "not a report: got a number with decimals; only whole numbers are a"),
        (b'{"a":"canary","a":1}', "not a report: an object has the same key twice"),
    ]:
        with pytest.raises(InvalidReport) as caught:
            Report.from_bytes(data)
        assert str(caught.value).startswith(message)
        assert "canary" not in error_texts(caught.value)


def test_the_values_of_a_report_are_checked() -> None:
    """Another survey, other blocks and impossible values are refused, each in its words."""
    blocks = "blocks; allowed are exactly 2 of: asthma, region"
    cases: list[tuple[dict[str, JSON], str]] = [
        ({"asthma": 2}, f"values: got 1 {blocks}"),
        ({"asthma": 2, "canary": 1}, f"values: got 2 {blocks}"),
        ({"asthma": 2, "region": [0, 4, 10], "canary": 1}, f"values: got 3 {blocks}"),
        (
            {"asthma": 3, "region": [0, 4, 10]},
            (
                "values.asthma: got a whole number that is no output; allowed is a whole number "
                "from 0 to 2"
            ),
        ),
        (
            {"asthma": 0, "region": [0, 4]},
            "values.region: got a list; allowed is a list of 3 options",
        ),
    ]
    for answers, message in cases:
        with pytest.raises(InvalidReport) as caught:
            check_report(Report(SURVEY.digest, "0" * 32, answers), SURVEY)
        assert str(caught.value) == message
    with pytest.raises(InvalidReport) as caught:
        check_report(LEGAL, OTHER)
    assert str(caught.value) == (f"survey: the report is for another survey than {OTHER.digest}")
    assert isinstance(caught.value, DeniableError)


def test_a_refusal_names_the_first_blocks_of_a_long_survey() -> None:
    """Of more than five blocks five are named, so a refusal stays short."""
    for count, named in [(5, "q0, q1, q2, q3, q4"), (6, "q0, q1, q2, q3, q4, ...")]:
        long = survey(*(yes_no(f"q{number}") for number in range(count)), ask=1)
        with pytest.raises(InvalidReport) as caught:
            check_report(Report(long.digest, "0" * 32, {}), long)
        message = f"values: got 0 blocks; allowed are exactly 1 of: {named}"
        assert str(caught.value) == message


def test_no_message_holds_what_a_report_says() -> None:
    """Wherever a canary stands in a report, no text of the error or its chain holds it."""
    refused = 0
    for path in paths(_document()):
        for canary in CANARIES:
            document: Any = _document()
            inside = document
            for step in path[:-1]:
                inside = inside[step]
            inside[path[-1]] = canary
            with pytest.raises(InvalidReport) as caught:
                check_report(Report.from_bytes(encode(document)), SURVEY)
            everything = error_texts(caught.value)
            assert "canary" not in everything
            assert "7340033" not in everything
            assert caught.value.__cause__ is None
            refused += 1
    assert refused == len(CANARIES) * 9


def test_a_report_does_not_show_its_values() -> None:
    """The repr of a report leaves its values out."""
    report = Report(SURVEY.digest, "0" * 32, {"asthma": "canary"})
    assert "canary" not in repr(report)
    assert "values" not in repr(report)


reports = st.integers(0, 2**32).map(
    lambda seed: randomize(
        SURVEY, {"asthma": False, "region": "o1"}, read_bytes=random.Random(seed).randbytes
    )
)
values: st.SearchStrategy[JSON] = st.sampled_from(
    [None, True, False, -1, 0, 1, 2, 10, 11, 2**53, "", "1", [], [1], [0, 1, 2], [2, 1, 0], {}]
)


@given(reports, st.data())
def test_any_changed_report_is_legal_or_refused(report: Report, data: st.DataObject) -> None:
    """One changed, removed or added value gives InvalidReport, or a report a device can make."""
    document: Any = json.loads(report.to_bytes())
    path = data.draw(st.sampled_from(paths(document)))
    inside = document
    for step in path[:-1]:
        inside = inside[step]
    action = data.draw(st.sampled_from(["set", "remove", "add"]))
    if action == "set":
        inside[path[-1]] = data.draw(values)
    elif action == "remove":
        del inside[path[-1]]
    elif isinstance(inside, list):
        inside.append(data.draw(values))
    else:
        inside["more"] = data.draw(values)
    try:
        changed = Report.from_bytes(json.dumps(document).encode())
        check_report(changed, SURVEY)
    except InvalidReport:
        return
    assert parse(changed.to_bytes()) == document
    for block in SURVEY.blocks:
        assert encode(changed.values[block.id]).decode() in theory.channel(block.mechanism)
