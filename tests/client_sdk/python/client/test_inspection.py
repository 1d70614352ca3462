"""What a person reads before a report is sent."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import InvalidAnswer, PublishedSurvey, Report, draw_blocks, randomize
from deniable_sdk.client import ReportPreview
from deniable_sdk.testing import RecordingTransport, open_test_client
from error_texts import error_texts
from sample_definitions import choice, multiple, number, scale, survey, yes_no

SDK = Path(__file__).parents[4] / "client_sdk" / "javascript" / "src"
KINDS: dict[str, PublishedSurvey] = {
    "yes_no": survey(yes_no()),
    "choice": survey(choice(options=40), epsilon="0.5"),
    "required": survey(scale(required=True)),
    "multiple": survey(multiple(options=6)),
    "few of many": survey(multiple(options=60, at_most=2)),
    "mean": survey(number(target="mean", mechanism="piecewise")),
    "number": survey(number(highest=100)),
    "crosstab": survey(yes_no("a"), scale("b", 3), crosstabs=[["a", "b"]]),
    "languages": survey(
        yes_no(text={"en": "Asthma?", "de": "Asthma?!"}), title={"en": "A", "de": "B"}
    ),
}
PROGRAM = """
import { openSurvey } from "SDK/index.js";
import { Report } from "SDK/report.js";
import { inspect } from "SDK/inspect.js";
const cases = JSON.parse(process.argv[1]);
const words = [];
for (const { document, report } of cases) {
  const survey = await openSurvey(new TextEncoder().encode(document));
  const { survey: digest, report: id, values } = JSON.parse(report);
  words.push(inspect(new Report(digest, id, values), survey).words);
}
console.log(JSON.stringify(words));
"""


def words(published: PublishedSurvey, answers: dict[str, Any]) -> str:
    """What is said of a report with these values, whatever block they are of."""
    (block,) = published.blocks
    report = Report(published.digest, "0" * 32, {block.id: next(iter(answers.values()))})
    (line,) = ReportPreview.of(report, published, "en").words
    return line


def test_the_bytes_are_those_that_are_sent() -> None:
    """The inspector shows exactly what the transport is given, and says it in words."""
    transport = RecordingTransport()
    published = KINDS["yes_no"]
    with open_test_client(transport) as client:
        report = client.submit(published, {"asthma": "yes"})
        shown = client.inspect(report)
        client.flush()
    assert transport.sent == [shown.bytes]
    assert shown.text == shown.bytes.decode()
    (line,) = shown.words
    assert line.startswith("Do you have asthma? Reported: one of: ")


def test_a_report_of_an_unknown_survey_has_no_words() -> None:
    """Its bytes are shown all the same."""
    report = Report("0" * 64, "1" * 32, {"a": 0})
    with open_test_client(RecordingTransport()) as client:
        shown = client.inspect(report)
    assert (shown.words, shown.bytes) == ((), report.to_bytes())


def test_each_value_is_said_in_words() -> None:
    """One place, several, the blanks of a short answer, no answer."""
    assert words(KINDS["yes_no"], {"asthma": 1}).endswith("one of: no")
    assert words(KINDS["yes_no"], {"asthma": 2}).endswith("one of: no_answer")
    assert words(KINDS["crosstab"], {"ab": 5}).endswith("one of: no / 2")
    assert words(KINDS["crosstab"], {"ab": 11}).endswith("one of: no_answer / no_answer")


def test_the_language_is_the_persons() -> None:
    """Questions are shown in the language that the app asks for."""
    published = KINDS["languages"]
    with open_test_client(RecordingTransport()) as client:
        report = client.submit(published, {})
        (line,) = client.inspect(report, language="de").words
        assert line.startswith("Asthma?! Reported:")
        (line,) = client.inspect(report, language="xx").words
        assert "Asthma" in line


def test_both_languages_say_the_same() -> None:
    """Python and JavaScript have the same words for reports of every kind."""
    cases, wanted = [], []
    for published in KINDS.values():
        for _ in range(8):
            given = {one.id: "1" for one in published.questions if one.required}
            report = randomize(published, given, draw_blocks(published))
            said = ReportPreview.of(report, published, "en")
            cases.append({"document": published.document.decode(), "report": said.text})
            wanted.append([*said.words])
    program = PROGRAM.replace("SDK", SDK.as_uri())
    command = ["node", "--input-type=module", "--eval", program, "--", json.dumps(cases)]
    ran = subprocess.run(command, capture_output=True, check=True, timeout=60)
    assert json.loads(ran.stdout) == wanted


@pytest.mark.parametrize("answer", ["canary", ["canary"], 73400])
def test_no_error_of_submitting_tells_the_answer(answer: object) -> None:
    """Neither its text nor its whole chain holds what was answered."""
    with open_test_client(RecordingTransport()) as client:
        with pytest.raises(InvalidAnswer) as caught:
            client.submit(KINDS["yes_no"], {"asthma": answer})
        everything = error_texts(caught.value)
        assert "canary" not in everything
        assert "734" not in everything
        assert caught.value.__context__ is None
