"""The vectors that JavaScript replays too, replayed in Python."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import (
    DeniableError,
    InvalidAnswer,
    PublishedSurvey,
    RandomnessUnavailable,
    Report,
    canonical,
    check_report,
    draw_blocks,
    randomize,
)
from deniable_sdk.health import looks_healthy
from deniable_sdk.mechanisms import (
    MECHANISMS,
    InvalidParameters,
    InvalidValue,
    mechanism_from_document,
)
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.tokens import Token
from deniable_sdk.weights import Weights, exponential_floor, integer_weights, is_within
from tape import Tape
from vectors.building import choice, survey_document
from vectors.logs import check
from vectors.make import MAKERS
from vectors.spelling import unspell

FOLDER = Path(__file__).parents[2] / "vectors"


def read(name: str) -> list[dict[str, Any]]:
    """The cases in a file of vectors."""
    cases: list[dict[str, Any]] = json.loads((FOLDER / name).read_text("ascii"))
    assert cases, f"{name} has no case: whoever walks through them would check nothing"
    return cases


def tape_of(case: dict[str, Any]) -> Tape:
    """The case's bytes as a tape."""
    return Tape(bytes.fromhex(case["tape"]))


@pytest.fixture(scope="module")
def surveys() -> dict[str, PublishedSurvey]:
    """The legal surveys of the vectors by name."""
    return {
        case["name"]: PublishedSurvey.from_bytes(unspell(case), digest=case["digest"])
        for case in read("surveys.json")
        if "error" not in case
    }


def test_the_maker_writes_the_committed_vectors(tmp_path: Path) -> None:
    """Running the maker again gives the committed files, byte for byte."""
    command = [sys.executable, "-m", "vectors.make", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": "support"}
    subprocess.run(command, cwd=FOLDER.parent, env=environment, check=True)
    committed = {path.name: path.read_bytes() for path in FOLDER.glob("*.json")}
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert committed.keys() == MAKERS.keys()
    assert made == committed


def test_weights() -> None:
    """Every epsilon has the bound, the weight and the verdicts written down."""
    for case in read("weights.json"):
        epsilon = Fraction(case["epsilon"])
        assert hex(exponential_floor(epsilon)) == case["exponential_floor"]
        assert integer_weights(epsilon).high == case["high"]
        for blocks in case["blocks"]:
            weights = [Weights(*pair) for pair in blocks["weights"]]
            assert is_within(weights, epsilon) is blocks["is_within"]


def test_integers_below() -> None:
    """Every tape gives the integer written down, and is read to its end."""
    cases = read("below.json")
    assert {case["value"] is None for case in cases} == {True, False}
    for case in cases:
        tape = tape_of(case)
        if case["value"] is None:
            with pytest.raises(RandomnessUnavailable):
                RandomIntegers(tape).below(case["bound"])
        else:
            assert RandomIntegers(tape).below(case["bound"]) == case["value"]
        tape.assert_all_read()


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms(name: str) -> None:
    """Every tape gives the value, and every refusal the message, written down."""
    for case in read(f"{name}.json"):
        if "message" in case and "reported" not in case:
            assert message_of(mechanism_from_document, case["mechanism"]) == case["message"], case
            continue
        mechanism = mechanism_from_document(case["mechanism"])
        if "message" in case:
            assert message_of(mechanism.form.check, case["reported"]) == case["message"], case
            continue
        answer = case["answer"]
        given: Any = tuple(answer) if isinstance(answer, list) else answer
        tape = Tape(bytes.fromhex(case.get("tape", "")))
        if "error" in case:
            with pytest.raises(InvalidAnswer):
                mechanism.randomize(given, RandomIntegers(tape))
        else:
            value = mechanism.randomize(given, RandomIntegers(tape))
            assert value == case["value"]
            mechanism.form.check(value)
        tape.assert_all_read()


def test_health() -> None:
    """Every read looks healthy or not, as it is written down."""
    for case in read("health.json"):
        assert looks_healthy(bytes.fromhex(case["drawn"])) is case["is_healthy"], case["name"]


def test_outputs() -> None:
    """Every mechanism has as many outputs as written down, or more than 2^48."""
    for case in read("outputs.json"):
        count = mechanism_from_document(case["mechanism"]).outputs
        assert count == case["outputs"] or (case["outputs"] is None and count > 2**48)


def message_of(check: Callable[[Any], object], given: object) -> str | None:
    """What a mechanism says of parameters or a value that it refuses."""
    try:
        check(given)
    except (InvalidParameters, InvalidValue) as error:
        return str(error)
    return None


def test_blocks() -> None:
    """Every tape gives the blocks written down, and is read to its end."""
    for case in read("blocks.json"):
        tape = tape_of(case)
        questions = (choice(f"q{number}") for number in range(case["block_count"]))
        document = survey_document(*questions, epsilon="8", asked=case["asked"])
        drawn = draw_blocks(PublishedSurvey.from_document(document), tape)
        assert list(drawn) == case["blocks"]
        tape.assert_all_read()


def test_json_texts() -> None:
    """Every text is canonical or refused, as it is written down."""
    cases = read("json_texts.json")
    assert {case["is_canonical"] for case in cases} == {True, False}
    for case in cases:
        data = unspell(case)
        if case["is_canonical"]:
            assert canonical.encode(canonical.decode(data)) == data
        else:
            with pytest.raises(canonical.NotCanonical):
                canonical.decode(data)


def test_json_texts_in_any_layout() -> None:
    """What is no report or survey in another layout either is refused where it is read."""
    cases = [case for case in read("json_texts.json") if "is_readable" in case]
    assert {case["is_readable"] for case in cases} == {True, False}
    for case in cases:
        if case["is_readable"]:
            canonical.parse(unspell(case))
        else:
            with pytest.raises(canonical.NotCanonical):
                canonical.parse(unspell(case))


def test_logs() -> None:
    """Every log has the head, or raises the error, written down."""
    cases = read("logs.json")
    assert {case["error"] for case in cases} == {None, "InvalidLog", "NotInLog"}
    for case in cases:
        if case["error"] is None:
            head = check(case)
            assert {"size": head.size, "digest": head.digest} == case["head"], case["name"]
        else:
            with pytest.raises(DeniableError) as caught:
                check(case)
            assert type(caught.value).__name__ == case["error"], case["name"]


def test_legal_surveys(surveys: dict[str, PublishedSurvey]) -> None:
    """Every legal survey is accepted at its digest and keeps its bytes."""
    legal = [case for case in read("surveys.json") if "error" not in case]
    assert len(legal) >= 15
    for case in legal:
        survey = surveys[case["name"]]
        assert survey.document == unspell(case)
        written = json.loads(survey.document).get("operator")
        assert (survey.operator and survey.operator.to_document()) == written
        assert survey.digest == case["digest"]


def test_illegal_surveys() -> None:
    """Every illegal survey raises exactly the error written down."""
    refused = [case for case in read("surveys.json") if "error" in case]
    assert {"InvalidSurvey", "BudgetExceeded", "DigestMismatch"} == {
        case["error"] for case in refused
    }
    for case in refused:
        cap = Fraction(case["epsilon_cap"]) if "epsilon_cap" in case else None
        with pytest.raises(DeniableError) as caught:
            PublishedSurvey.from_bytes(
                unspell(case), digest=case.get("asked_for"), epsilon_cap=cap
            )
        assert type(caught.value).__name__ == case["error"], case["name"]


def test_reports(surveys: dict[str, PublishedSurvey]) -> None:
    """Answers and a tape give the report written down, which is legal.

    Nobody can sign for the keys of the surveys by invitation, so that their
    tokens are taken as signed.
    """
    drawn = [case for case in read("reports.json") if "tape" in case]
    assert len(drawn) >= 20
    for case in drawn:
        tape, survey = tape_of(case), surveys[case["survey"]]
        token = Token.from_document(case["token"]) if "token" in case else None
        report = randomize(survey, case["answers"], None, tape, token, group=case.get("group"))
        assert report.to_bytes() == unspell(case)
        check_report(report, survey, lambda *_: True)
        tape.assert_all_read()


def test_answers_that_do_not_fit(surveys: dict[str, PublishedSurvey]) -> None:
    """Every answer that does not fit is refused before anything is drawn."""
    cases = [case for case in read("reports.json") if "answers" in case and "error" in case]
    assert len(cases) >= 20
    for case in cases:
        with pytest.raises(DeniableError) as caught:
            randomize(surveys[case["survey"]], case["answers"], read_bytes=Tape(b""))
        assert type(caught.value).__name__ == case["error"]


def test_received_reports(surveys: dict[str, PublishedSurvey]) -> None:
    """Every received report is legal or refused, as it is written down."""
    received = [case for case in read("reports.json") if "answers" not in case]
    assert {case["error"] for case in received} == {None, "InvalidReport"}
    for case in received:
        found = None
        try:
            check_report(Report.from_bytes(unspell(case)), surveys[case["survey"]])
        except DeniableError as error:
            found = type(error).__name__
        assert found == case["error"], unspell(case)
