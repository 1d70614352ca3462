"""What a definition says of when a survey accepts reports and of who may answer it."""

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from blind_issuer import GROUPS, group, invited, published
from deniable_sdk import InvalidDefinition, compile_survey
from deniable_sdk.survey.window import StopWhen
from sample_definitions import choice, definition, multiple, number, scale, yes_no
from score_samples import score


def test_moments_are_published_in_utc() -> None:
    """Offsets become UTC; devices read the same moments."""
    survey = compile_survey(
        definition(
            opens="2026-12-06T06:00+01:00", closes="2026-12-06 18:00:00-11:30", at_most_reports=50
        )
    )
    window = survey.window
    assert window is not None
    assert window.opens == datetime(2026, 12, 6, 5, tzinfo=UTC)
    assert window.closes == datetime(2026, 12, 7, 5, 30, tzinfo=UTC)
    assert window.at_most_reports == 50
    assert b'"window":{"at_most_reports":50,"closes":"2026-12-07T05:30Z","opens":"2026' in (
        survey.document
    )


def test_a_survey_without_limits_has_none() -> None:
    """Everybody may answer at any time, and no key says so."""
    survey = compile_survey(definition())
    assert survey.window is None
    assert survey.invited is None
    assert b"window" not in survey.document
    assert b"invited" not in survey.document


def test_groups_without_keys_have_placeholders() -> None:
    """Check and preview work without an issuer; the document is the same each time."""
    document = definition(
        invited={"issuer": "https://a.b", "groups": {name: {"invited": 20} for name in GROUPS}}
    )
    first, second = compile_survey(document), compile_survey(document)
    assert first.digest == second.digest
    assert first.invited is not None
    assert [group.has_key for group in first.invited.groups] == [False, False]
    keyed = published().invited
    assert keyed is not None
    assert all(group.has_key for group in keyed.groups)


def every_kind(**stop_when: Any) -> dict[str, Any]:
    """Questions with shares in the results and without, and a rule for closing."""
    return definition(
        yes_no("a"),
        scale("b"),
        multiple("c"),
        score("d", cutoffs={"low": 0, "high": 3}),
        choice("e"),
        scale("f", target="mean"),
        scale("g", mechanism="piecewise"),
        number("h"),
        number("i", mechanism="subset"),
        crosstabs=[["b", "a"]],
        stop_when=stop_when,
    )


@pytest.mark.parametrize("margin", [0.03, "0.03", "0.0300"])
def test_a_margin_is_published_exactly(margin: object) -> None:
    """As a decimal text, with the questions in their author's order; without a window's rest."""
    survey = compile_survey(every_kind(margin=margin, questions=["c", "a"]))
    assert survey.window is not None
    assert survey.window.stop_when == StopWhen(Fraction(3, 100), ("c", "a"))
    written = b'"window":{"stop_when":{"margin":"0.03","questions":["c","a"]}}'
    assert written in survey.document


@pytest.mark.parametrize("margin", [0.0001, 0.4999])
def test_the_least_and_the_largest_margin(margin: float) -> None:
    """The ends of what is allowed are allowed."""
    survey = compile_survey(definition(stop_when={"margin": margin}))
    assert survey.window is not None
    assert survey.window.stop_when == StopWhen(Fraction(repr(margin)), ("asthma",))


def test_without_questions_all_with_shares_are_meant() -> None:
    """The published survey names them; a number, a mean and an item have no shares."""
    survey = compile_survey(every_kind(margin=0.1))
    assert survey.window is not None
    assert survey.window.stop_when is not None
    assert survey.window.stop_when.questions == ("a", "b", "c", "d", "e")


RULE = "a number above 0 and below 0.5 with at most 4 decimals, like 0.03 for 3 percentage points"
SHARES = "the questions with shares of options in the results"


@pytest.mark.parametrize(
    ("stop_when", "said"),
    [
        (3, "stop_when: got 3; allowed is an object with keys and values"),
        ({}, f"stop_when: the key 'margin' is missing; it takes {RULE}"),
        ({"margin": 3}, f"stop_when.margin: got 3; allowed is {RULE}"),
        ({"margin": 0.5}, f"stop_when.margin: got 0.5; allowed is {RULE}"),
        ({"margin": 0}, f"stop_when.margin: got 0; allowed is {RULE}"),
        ({"margin": -0.1}, f"stop_when.margin: got -0.1; allowed is {RULE}"),
        ({"margin": 0.00003}, f"stop_when.margin: got 3e-05; allowed is {RULE}"),
        ({"margin": True}, f"stop_when.margin: got true; allowed is {RULE}"),
        ({"margin": "3%"}, f"stop_when.margin: got '3%'; allowed is {RULE}"),
        ({"margin": 0.1, "question": ["a"]}, "stop_when.question: unknown key; did you mean"),
        (
            {"margin": 0.1, "questions": "a"},
            "stop_when.questions: got 'a'; allowed is a list of 1 to 200 question ids",
        ),
        (
            {"margin": 0.1, "questions": []},
            "stop_when.questions: got 0 question ids; allowed is a list of 1 to 200 question ids",
        ),
        (
            {"margin": 0.1, "questions": ["a", "a"]},
            "stop_when.questions: a question is repeated",
        ),
        *(
            (
                {"margin": 0.1, "questions": ["a", each]},
                f"stop_when.questions[1]: got {shown}; allowed are {SHARES}: a, b, c, d, e",
            )
            for each, shown in (
                *((name, f"'{name}'") for name in ("f", "g", "h", "i", "d_1", "a_x_b", "z")),
                (1, "1"),
            )
        ),
    ],
)
def test_a_rule_that_cannot_be_applied_is_refused(stop_when: Any, said: str) -> None:
    """The error names the place, what was got and what is allowed."""
    with pytest.raises(InvalidDefinition) as refused:
        compile_survey({**every_kind(), "stop_when": stop_when})
    assert str(refused.value).startswith(said)


def test_a_rule_needs_a_question_with_shares() -> None:
    """A survey of numbers alone has no share whose margin could be reached."""
    with pytest.raises(InvalidDefinition, match="stop_when: no question has shares of options"):
        compile_survey(definition(number(), stop_when={"margin": 0.1}))
    with pytest.raises(InvalidDefinition, match="in the results: there is none"):
        compile_survey(
            definition(number(), stop_when={"margin": 0.1, "questions": ["visits"]}),
        )


def test_a_group_may_name_its_site() -> None:
    """The published group has the name of its site, and the invitation lists all sites."""
    groups = {name: {**group(name), "site": f"{name}_site"} for name in GROUPS}
    survey = compile_survey(definition(invited=invited(groups=groups)))
    assert survey.invited is not None
    assert survey.sites == tuple(f"{name}_site" for name in GROUPS)
    assert f'"site":"{GROUPS[0]}_site"'.encode() in survey.document
    assert published().sites == ()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"invited": invited(groups={"nurses": {"invited": 19}})},
            r"invited.groups: fewer than 20 people are invited in: nurses; their reports carry",
        ),
        (
            {"invited": invited(groups={"Nurses": {"invited": 20}})},
            r"invited.groups.Nurses: got the group 'Nurses'; allowed is a lower-case letter",
        ),
        (
            {"invited": invited(groups={name: group("nurses") for name in GROUPS})},
            r"invited.groups: two groups have the same modulus: people of one could send",
        ),
        (
            {
                "invited": invited(
                    groups={name: {**group(name), "text": "Nurses"} for name in GROUPS}
                )
            },
            r"invited.groups: the names of nurses and doctors look the same; a group made for one",
        ),
        (
            {"invited": invited(groups={"a": {"invited": 20, "text": {"de": "A", "en": "!"}}})},
            r"invited.groups: the name of a has no letter or digit; a group made for one person",
        ),
        (
            {"invited": invited(groups={"a": {"invited": 20, "site": "n"}, "b": {"invited": 20}})},
            r"invited.groups: these have no site, and others have one: b; name a site for each",
        ),
        (
            {"invited": invited(groups={"a": {"invited": 20, "site": "North Side"}})},
            r"invited.groups.a.site: got 'North Side'; allowed is a lower-case letter",
        ),
        (
            {"invited": invited(collect_until="2026-12-06T06:00Z"), "closes": "2026-12-06T06:00Z"},
            r"invited.collect_until: is not before the survey closes",
        ),
        (
            {"opens": "2026-12-06T06:00"},
            r"opens: got '2026-12-06T06:00'; allowed is a moment with",
        ),
        ({"closes": "2026-02-29T06:00Z"}, r"closes: got '2026-02-29T06:00Z'; allowed is a moment"),
        (
            {"opens": "2026-12-06T06:00Z", "closes": "2026-12-06T07:00+01:00"},
            r"closes: is not after the survey opens",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(changed: dict[str, Any], said: str) -> None:
    """The error names the place, what was got and what is allowed."""
    with pytest.raises(InvalidDefinition, match=said):
        compile_survey(definition(**changed))
