"""Reports from answers and bytes, and what is no report or no answer."""

import json
from collections.abc import Iterator
from typing import Any

from deniable_sdk import PublishedSurvey, Report, check_report, randomize
from deniable_sdk.tokens import Token
from vectors import fieldwork, kinds, scores
from vectors.documents import legal_documents
from vectors.spelling import Case, Recorder, error_of, spell, unspell

ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("drawn unequally", {"a": True, "c": "o6"}),
    ("a crosstab", {"a": False, "b": "o2"}),
    ("joint blocks, drawn unequally", {f"q{number}": number % 2 == 0 for number in range(7)}),
    ("a multiple choice over its sets", {"a": ["o3", "o0"]}),
    ("a multiple choice over its sets", {"a": []}),
    ("a multiple choice over its sets", {"a": None}),
    ("a block over paths", {"a": "yes", "b": "o2", "c": False}),
    ("a block over paths", {"a": "yes", "b": "o1", "c": True}),
    ("a block over paths", {"a": "no", "b": "o2", "c": True}),
    ("yes_no", {}),
    ("yes_no", {"asthma": None}),
    ("yes_no", {"asthma": True}),
    ("yes_no", {"asthma": False}),
    ("yes_no", {"asthma": "yes"}),
    ("yes_no", {"asthma": "no_answer"}),
    ("required", {"asthma": "no"}),
    ("choice", {"region": "o11"}),
    ("scale", {"stress": 5}),
    ("scale", {"stress": "1"}),
    ("scale of size 8", {"stress": -2}),
    ("scale of size 8", {"stress": 0}),
    ("mixed", {"asthma": True, "region": "o3", "stress": 10}),
    ("mixed", {"region": "o0", "stress": 0}),
    ("names of object members", {"tostring": "__proto__", "constructor": "no"}),
    ("names of object members", {"tostring": "constructor", "constructor": True}),
    ("longest texts", {"longest": "\U0001f600" * 200}),
    ("longest texts", {"longest": "\ufeff"}),
    ("one question in two blocks", {"asthma": True}),
    ("200 questions", {f"q{number}": "o1" for number in range(200)}),
    ("1000 answers", {"widest": "o998"}),
    *kinds.ANSWERS,
    *scores.ANSWERS,
]
NO_ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("yes_no", {"asthma": "maybe"}),
    ("yes_no", {"asthma": ""}),
    ("yes_no", {"asthma": 1}),
    ("yes_no", {"asthma": 0}),
    ("yes_no", {"asthma": "true"}),
    ("yes_no", {"asthma": ["yes"]}),
    ("yes_no", {"asthma": {"yes": True}}),
    ("yes_no", {"asthma": "constructor"}),
    ("yes_no", {"other": None}),
    ("yes_no", {"__proto__": None}),
    ("yes_no", {"constructor": "yes"}),
    ("required", {}),
    ("required", {"asthma": None}),
    ("required", {"asthma": "no_answer"}),
    ("choice", {"region": True}),
    ("choice", {"region": 0}),
    ("scale", {"stress": 0}),
    ("scale", {"stress": 6}),
    ("scale", {"stress": True}),
    ("scale", {"stress": 2**70}),
    ("scale", {"stress": 1.5}),
    ("scale", {"stress": "01"}),
    *kinds.NO_ANSWERS,
    *scores.NO_ANSWERS,
]
NO_BLOCKS = ["other", "__proto__", "constructor", ""]
NO_VALUES: list[Any] = [None, True, False, "1", -1, 3, 1.0, 1.5, 2**53, 10**30, [1], [], {}]
NO_VALUES += [{"0": 1}, "\ud800"]
FIRST = list(range(8))
SETS: list[Any] = [FIRST, [*FIRST[:7], 9], list(range(2, 10))]
NO_SETS: list[Any] = [0, {}, FIRST[:7], [*FIRST, 8], FIRST[::-1], [0, 0, *FIRST[2:]]]
NO_SETS += [[*FIRST[:7], value] for value in (6, 10, 7.5, "8", None, [8])]
NO_SETS += [[-1, *FIRST[1:]], [True, *FIRST[1:]]]


def reports() -> list[Case]:
    """Every case of this file, with the name of its legal survey."""
    surveys = {
        name: PublishedSurvey.from_document(document)
        for name, document in legal_documents().items()
    }
    made = [*_made(surveys), *_made_with_tokens(surveys), *_made_by_link(surveys)]
    return [*made, *_no_answers(surveys), *_received(surveys)]


def _made(surveys: dict[str, PublishedSurvey]) -> Iterator[Case]:
    for name, answers in ANSWERS:
        for start in (b"", b"\xff" * 22):
            recorder = Recorder(f"report {name} {len(answers)}", start)
            data = randomize(surveys[name], answers, read_bytes=recorder).to_bytes()
            tape = recorder.data.hex()
            yield {"survey": name, "answers": answers, "tape": tape, **spell(data)}


def _made_with_tokens(surveys: dict[str, PublishedSurvey]) -> Iterator[Case]:
    for name, group, nonce, signature in fieldwork.TOKENS:
        token = Token(group, nonce, signature)
        answers: dict[str, Any] = {"asthma": True}
        recorder = Recorder(f"report {name} {group}", b"")
        data = randomize(surveys[name], answers, None, recorder, token).to_bytes()
        given = {"token": token.to_document(), "tape": recorder.data.hex()}
        yield {"survey": name, "answers": answers, **given, **spell(data)}


def _made_by_link(surveys: dict[str, PublishedSurvey]) -> Iterator[Case]:
    for name, group in fieldwork.LINKS:
        answers: dict[str, Any] = {"asthma": True}
        recorder = Recorder(f"report {name} {group}", b"")
        data = randomize(surveys[name], answers, None, recorder, group=group or None).to_bytes()
        given = {"tape": recorder.data.hex(), **({"group": group} if group else {})}
        yield {"survey": name, "answers": answers, **given, **spell(data)}


def _no_answers(surveys: dict[str, PublishedSurvey]) -> Iterator[Case]:
    for name, answers in NO_ANSWERS:
        found = error_of(lambda: randomize(surveys[name], answers))  # noqa: B023 - called at once
        assert found == "InvalidAnswer", (name, answers, found)
        yield {"survey": name, "answers": answers, "error": found}


def check_received(survey: PublishedSurvey, case: Case) -> None:
    """Read and check the report of a case."""
    check_report(Report.from_bytes(unspell(case)), survey)


def _received(surveys: dict[str, PublishedSurvey]) -> Iterator[Case]:
    single, sized = "yes_no", "scale of size 8"
    report = _report(surveys[single], {"asthma": 1})
    cases = [
        *((single, data, None) for data in _layouts(report)),
        (single, _dump(report).replace(b": 1", b": -0"), "InvalidReport"),
        *((single, _dump(edit), "InvalidReport") for edit in _edits(report, surveys)),
        *((single, data, "InvalidReport") for data in _broken_bytes(_dump(report))),
        *(
            (sized, _dump(_report(surveys[sized], {"stress": value})), error)
            for values, error in ((SETS, None), (NO_SETS, "InvalidReport"))
            for value in values
        ),
    ]
    full = _report(surveys["every kind"], kinds.REPORTED)
    cases += [
        ("every kind", _dump({**full, "values": {**kinds.REPORTED, block: value}}), error)
        for values, error in ((kinds.VALUES, None), (kinds.NO_VALUES, "InvalidReport"))
        for block, members in values.items()
        for value in members
    ]
    by_link = {**_report(surveys["groups by link"], {"asthma": 1}), "group": "doctors"}
    cases += [
        *(("groups by link", data, None) for data in _layouts(by_link)),
        *(
            ("groups by link", _dump({**by_link, "group": group}), "InvalidReport")
            for group in fieldwork.NO_LINKS
        ),
        (single, _dump({**report, "group": "nurses"}), "InvalidReport"),
    ]
    for name, data, error in cases:
        case: Case = {"survey": name, **spell(data), "error": error}
        found = error_of(lambda: check_received(surveys[name], case))  # noqa: B023 - called at once
        assert found == error, (case, found)
        yield case


def _report(survey: PublishedSurvey, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": "deniable-report/1",
        "report": "0f" * 16,
        "survey": survey.digest,
        "values": values,
    }


def _layouts(report: dict[str, Any]) -> Iterator[bytes]:
    """The bytes of legal reports, canonical or not."""
    for document in (report, {**report, "values": {"asthma": 0}}, dict(reversed(report.items()))):
        yield _dump(document)
        yield json.dumps(document, indent=2).encode()


def _edits(report: dict[str, Any], surveys: dict[str, PublishedSurvey]) -> Iterator[object]:
    """What is JSON and no report of its survey."""
    digests = ["0" * 64, report["survey"].upper(), surveys["scale"].digest]
    members: list[dict[str, Any]] = [{name: 1} for name in NO_BLOCKS]
    changes: list[tuple[str, list[Any]]] = [
        ("values", [{"asthma": value} for value in NO_VALUES]),
        ("values", [None, [], "asthma", 1, {}, [["asthma", 1]]]),
        ("values", [*members, *({"asthma": 1, **member} for member in members)]),
        ("report", [None, 1, "", "0F" * 16, "0f" * 15, "0f" * 16 + "\n", ["0f" * 16]]),
        ("survey", [None, 1, "", *digests]),
        ("format", [None, 1, "deniable-report/2", []]),
        ("extra", [1]),
        ("__proto__", [1]),
        ("é", [1]),
    ]
    for key, values in changes:
        yield from ({**report, key: value} for value in values)
    for left_out in report:
        yield {key: value for key, value in report.items() if key != left_out}
    yield from (None, True, 1, "a", [], [report], {})


def _broken_bytes(data: bytes) -> Iterator[bytes]:
    """What is no JSON, or holds numbers that are no whole numbers."""
    yield from (b"", b"\xff", data[:-1], data + b"x", b"\xef\xbb\xbf" + data)
    yield from (data.replace(b": 1", number) for number in (b": 1e0", b": 01", b": NaN"))
    yield from (b"[" * 2000, b'{"values":' * 50 + b"1" + b"}" * 50)


def _dump(document: object) -> bytes:
    return json.dumps(document).encode()
