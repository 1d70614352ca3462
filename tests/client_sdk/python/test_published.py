"""A published survey is read only if it is legal, and takes no more than it claims."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from deniable_sdk import (
    BudgetExceeded,
    DigestMismatch,
    InvalidSurvey,
    PublishedSurvey,
)
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.weights import Weights
from sample_definitions import choice, paths, survey, yes_no

SURVEY = survey(
    yes_no("asthma"), choice("region", 3, required=True), ask="all", introduction={"en": "Hello"}
)
Change = Callable[[dict[str, Any]], object]
TEXT = "a text of 1 to 4000 characters, or a map from language to such a text"
FIRST = "privacy.blocks[0]"


def _at(*path: str | int, value: object) -> Change:
    """A change that puts a value at a path."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


def _mechanism(**parameters: object) -> Change:
    return lambda document: document["privacy"]["blocks"][0]["mechanism"].update(parameters)


def _changed(change: Change) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(SURVEY.document)
    change(document)
    return document


def _repeat_question(document: dict[str, Any]) -> None:
    document["questions"].append(document["questions"][0])


REFUSED: list[tuple[Change, str]] = [
    (_at("format", value="deniable-survey/2"), "got the format 'deniable-survey/2'; this version"),
    (_at("colour", value=1), "colour: unknown key; allowed are format, slug, title, introduction"),
    (_at("title", value=""), f"title: got ''; allowed is {TEXT}"),
    (
        _at("operator", value={}),
        "operator: the key 'name' is missing; it takes a text of 1 to 200",
    ),
    (
        _at("operator", value={"name": "Us", "contact": "http://example.org"}),
        "operator.contact: got 'http://example.org'; allowed is an e-mail or https address",
    ),
    (_at("slug", value="A"), "slug: got 'A'; allowed is 1 to 64 lower-case letters, digits and"),
    (_at("questions", value=[]), "questions: got 0 questions; allowed is a list of 1 to 200"),
    (_repeat_question, "questions: an id is repeated"),
    (
        _at("questions", 0, "type", value=[]),
        "questions[0].type: got an unknown type; allowed",
    ),
    (_at("questions", 0, "type", value="x"), "questions[0].type: got an unknown type; allowed"),
    (
        _at("questions", 0, "colour", value=1),
        "questions[0].colour: unknown key; allowed",
    ),
    (_at("questions", 0, "required", value=0), "questions[0].required: got 0; allowed is true or"),
    (
        _at("questions", 0, "options", 0, "id", value=3),
        "questions[0].options[0].id: got no option id; allowed is a text of 1 to 200 characters",
    ),
    (
        _at("questions", 0, "options", 0, "id", value="no"),
        "questions[0].options[1]: the option 'no' is repeated",
    ),
    (
        _at("questions", 0, "options", 0, "id", value="no_answer"),
        "questions[0].options[0]: 'no_answer' is reserved: every question that is not required",
    ),
    (
        _at("privacy", value="none"),
        "privacy: got 'none'; allowed is an object with keys",
    ),
    (_at("privacy", "colour", value=1), "privacy.colour: unknown key; allowed are epsilon, asked"),
    (_at("privacy", "epsilon", value="20"), "privacy.epsilon: got '20'; allowed is a number from"),
    (_at("privacy", "epsilon", value=2), "privacy.epsilon: got 2; allowed is a decimal text like"),
    (
        _at("privacy", "epsilon", value="2.0"),
        "privacy.epsilon: got '2.0'; allowed is a decimal",
    ),
    (
        _at("privacy", "asked", value=3),
        "privacy.asked: got 3; allowed is a whole number from",
    ),
    (
        _at("privacy", "asked", value=True),
        "privacy.asked: got true; allowed is a whole number",
    ),
    (_at("privacy", "blocks", 0, "id", value="region"), "privacy.blocks: an id is repeated"),
    (
        _at("privacy", "blocks", 0, "questions", value=["who"]),
        f"{FIRST}.questions: names a question that the survey does not have",
    ),
    (
        _at("privacy", "blocks", 0, "questions", value=["region"]),
        "privacy.blocks: no block asks the question 'asthma'",
    ),
    (
        _at("privacy", "blocks", 0, "questions", value=["asthma", "region"]),
        f"{FIRST}.mechanism: does not fit its questions, which take one of 9 answers",
    ),
    (
        lambda document: document["privacy"]["blocks"][0].update(
            questions=["asthma", "region"],
            mechanism=Piecewise(OneOf(9), 1, 1, Weights(3, 1)).to_document(),
        ),
        f"{FIRST}.mechanism: got piecewise; a block of several questions takes only subset",
    ),
    (
        _at("privacy", "blocks", 0, "questions", value=["asthma"] * 10),
        f"{FIRST}.questions: got 10 question ids; allowed is a list of 1 to 9 question ids",
    ),
    (
        _at("privacy", "blocks", 0, "questions", value=["asthma", "asthma"]),
        f"{FIRST}.questions: a question is repeated",
    ),
    (
        _at("privacy", "blocks", 0, "mechanism", value=1),
        f"{FIRST}.mechanism: got no object; allowed is an object with a name",
    ),
    (_mechanism(name="none"), f"{FIRST}.mechanism: name: got 'none'; allowed: subset"),
    (_mechanism(name=[]), f"{FIRST}.mechanism: name: got []; allowed: subset"),
    (_mechanism(colour=1), f"{FIRST}.mechanism: colour: not a parameter of subset"),
    (_mechanism(size="1"), f"{FIRST}.mechanism: size: got a text; allowed is a whole number"),
    (_mechanism(size=0), f"{FIRST}.mechanism: size: got 0; allowed are 1 to 2"),
    (_mechanism(size=3), f"{FIRST}.mechanism: size: got 3; allowed are 1 to 2"),
    (
        _mechanism(domain_size=4),
        f"{FIRST}.mechanism: does not fit its questions, which take one of 3 answers",
    ),
    (
        _mechanism(domain_size=1001),
        f"{FIRST}.mechanism: domain_size: got 1001; allowed are 2 to 1000",
    ),
    (
        _mechanism(weights=[3, 0]),
        f"{FIRST}.mechanism: weights: got [3, 0]; the first must be above the second, the second",
    ),
    (_mechanism(weights=[2, 2]), f"{FIRST}.mechanism: weights: got [2, 2]; the first must be abo"),
    (
        _mechanism(weights=[True, False]),
        f"{FIRST}.mechanism: weights: got a list; allowed is a list of two whole numbers",
    ),
    (
        _mechanism(weights=[2**48, 2**47]),
        f"{FIRST}.mechanism: weights: their total is beyond 2^48, the range of one draw",
    ),
]


def test_each_fault_is_named() -> None:
    """The first line of a refusal says where the fault is and what is allowed there."""
    for change, message in REFUSED:
        with pytest.raises(InvalidSurvey) as caught:
            PublishedSurvey.from_document(_changed(change))
        assert str(caught.value).startswith(message)


def test_every_key_is_needed_but_the_texts_around() -> None:
    """Taking away any one part is refused, but for the introduction and optional texts."""
    legal = []
    for path in paths(json.loads(SURVEY.document)):
        document: Any = json.loads(SURVEY.document)
        inside = document
        for step in path[:-1]:
            inside = inside[step]
        del inside[path[-1]]
        try:
            PublishedSurvey.from_document(document)
        except InvalidSurvey:
            continue
        legal.append(path)
    assert legal == [("introduction",)]


def test_what_is_no_survey_is_refused() -> None:
    """Bytes that are not canonical JSON, or no object, are no survey."""
    cases = [
        (b"", "not a published survey: not JSON: broken at character 0"),
        (b"\xff", "not a published survey: the bytes are not UTF-8"),
        (b"[]", "got the format null; this version reads deniable-survey/1"),
        (b'{"format":1.0}', "not a published survey: got a number with decimals"),
        (SURVEY.document + b"\n", "not a published survey: the JSON is not in canonical form"),
        (json.dumps(json.loads(SURVEY.document)).encode(), "not a published survey: the JSON is"),
    ]
    for data, message in cases:
        with pytest.raises(InvalidSurvey) as caught:
            PublishedSurvey.from_bytes(data)
        assert str(caught.value).startswith(message)
    with pytest.raises(InvalidSurvey, match="not a published survey: got a number with deci"):
        PublishedSurvey.from_document({"format": 1.5})  # type: ignore[dict-item] # meant wrong


def test_another_digest_is_refused() -> None:
    """Bytes that are not those the caller asked for are not read."""
    wanted = "0" * 64
    with pytest.raises(DigestMismatch) as caught:
        PublishedSurvey.from_bytes(SURVEY.document, digest=wanted)
    assert str(caught.value) == (
        f"the survey's bytes have the digest {SURVEY.digest}, asked for was {wanted}; "
        "fetch it again, and do not answer it if this stays so"
    )
    assert isinstance(caught.value, InvalidSurvey)


@pytest.mark.parametrize("block", [0, 1])
def test_a_survey_that_takes_more_than_it_claims_is_refused(block: int) -> None:
    """One unit more in a weight of any block that can be asked is refused."""
    document = _changed(lambda _: None)
    weights = document["privacy"]["blocks"][block]["mechanism"]["weights"]
    weights[0] += 4  # the two blocks together fall short by less than this
    with pytest.raises(BudgetExceeded) as caught:
        PublishedSurvey.from_document(document)
    assert str(caught.value).startswith("the survey claims epsilon 2 and takes more, 2.00000000")
    assert str(caught.value).endswith("; do not answer it, and tell whoever published it")
    assert isinstance(caught.value, InvalidSurvey)


def test_the_budget_is_judged_by_the_blocks_that_take_most() -> None:
    """Where one of two blocks is asked, each alone must stay within the claim."""
    alone = survey(yes_no("a"), yes_no("b"), ask=1, epsilon=1)
    document = json.loads(alone.document)
    document["privacy"]["blocks"][0]["mechanism"]["weights"] = [3, 2]
    assert PublishedSurvey.from_document(document).asked == 1
    document["privacy"]["blocks"][0]["mechanism"]["weights"] = [3, 1]
    with pytest.raises(BudgetExceeded, match=r"claims epsilon 1 and takes more, 1\.0986"):
        PublishedSurvey.from_document(document)
    document["privacy"]["blocks"][0]["mechanism"]["weights"] = [3, 2]
    document["privacy"]["asked"] = 2
    with pytest.raises(BudgetExceeded, match=r"claims epsilon 1 and takes more, 1\.4054"):
        PublishedSurvey.from_document(document)


def test_a_cap_is_held() -> None:
    """A survey that takes more than the caller allows is refused, whatever it claims."""
    read = PublishedSurvey.from_bytes
    assert read(SURVEY.document, epsilon_cap=Fraction(2)) == SURVEY
    assert read(SURVEY.document, epsilon_cap=Fraction(10**9)) == SURVEY
    for cap in (Fraction("1.999999999"), Fraction(0), Fraction(-1)):
        with pytest.raises(BudgetExceeded) as caught:
            read(SURVEY.document, epsilon_cap=cap)
        assert str(caught.value) == (
            f"the survey takes epsilon 2; allowed here is {float(cap):g}; "
            "raise the cap or do not answer it"
        )
