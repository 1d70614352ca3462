"""When a survey accepts reports and who may answer it, from the definition to the report."""

import os
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from deniable_sdk import (
    InvalidDefinition,
    InvalidReport,
    PublishedSurvey,
    Report,
    check_report,
    compile_survey,
    randomize,
)
from deniable_sdk.invitation import (
    InvalidCode,
    TokenRequest,
    finish_token,
    read_code,
    read_kept,
    request_token,
    token_text,
)
from deniable_sdk.survey.window import StopWhen
from deniable_sdk.tokens import (
    EXPONENT,
    KEY_BYTES,
    InvalidToken,
    Token,
    base64url,
)
from sample_definitions import choice, definition, multiple, number, scale, yes_no
from score_samples import score

GROUPS = ("nurses", "doctors")


@cache
def private_key(name: str) -> rsa.RSAPrivateNumbers:
    """The issuer's key of a group."""
    del name
    return rsa.generate_private_key(EXPONENT, 8 * KEY_BYTES).private_numbers()


def modulus(name: str) -> bytes:
    """The public half of a group's key."""
    return private_key(name).public_numbers.n.to_bytes(KEY_BYTES, "big")


def group(name: str) -> dict[str, Any]:
    """A group with this one's key."""
    return {"invited": 40, "modulus": base64url(modulus(name))}


def invited(**changed: Any) -> dict[str, Any]:
    """Two groups with keys."""
    groups = {name: group(name) for name in GROUPS}
    return {"issuer": "https://council.example.org", "groups": groups, **changed}


def published(**changed: Any) -> PublishedSurvey:
    """A survey by invitation."""
    return compile_survey(definition(yes_no(required=True), invited=invited(), **changed))


def sign(group: str, message: bytes) -> bytes:
    """The issuer's response to a blinded message."""
    own = private_key(group)
    signed = pow(int.from_bytes(message, "big"), own.d, own.public_numbers.n)
    return signed.to_bytes(KEY_BYTES, "big")


def token_of(survey: PublishedSurvey, group: str) -> Token:
    """A person's token."""
    request = request_token(survey, group)
    return finish_token(survey, request, sign(group, request.message))


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
    assert survey.invited.sites == tuple(f"{name}_site" for name in GROUPS)
    assert f'"site":"{GROUPS[0]}_site"'.encode() in survey.document
    assert published().invited.sites == ()  # type: ignore[union-attr]  # it is by invitation


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


def test_a_token_is_spent_on_one_report() -> None:
    """Its report has the id of the token, whatever is answered, and is legal."""
    survey = published()
    token = token_of(survey, "nurses")
    reports = [randomize(survey, {"asthma": True}, token=token) for _ in range(300)]
    assert len({report.id for report in reports}) == 1
    assert len({report.to_bytes() for report in reports}) == 2
    for report in reports:
        assert Report.from_bytes(report.to_bytes()) == report
        check_report(report, survey)


def test_reports_with_other_tokens_are_refused() -> None:
    """None, another group's, another survey's, a changed one, and one where none belongs."""
    survey, other = published(), published(title="Another")
    token = token_of(survey, "nurses")
    report = randomize(survey, {"asthma": True}, token=token)
    flipped = token.signature[:-1] + bytes([token.signature[-1] ^ 1])
    elsewhere = randomize(other, {"asthma": True}, token=token_of(other, "nurses"))
    bad = {
        "the key 'token' is missing: only invited people": report.replace(token=None),
        "report: it is not the id that its token has": report.replace(id="0" * 32),
        "token: the issuer did not sign it": report.replace(
            token=token.replace(signature=flipped)
        ),
        "token: the survey has no such group": report.replace(token=token.replace(group="others")),
    }
    for said, each in bad.items():
        with pytest.raises(InvalidReport, match=said):
            check_report(each, survey)
    for each in (
        report.replace(token=token.replace(group="doctors")),
        report.replace(token=token.replace(nonce=bytes(32))),
        elsewhere.replace(survey=survey.digest),
    ):
        with pytest.raises(InvalidReport, match="report: it is not the id that its token has"):
            check_report(each, survey)
    free = compile_survey(definition(yes_no(required=True)))
    plain = randomize(free, {"asthma": True})
    with pytest.raises(InvalidReport, match="token: everybody may answer this survey"):
        check_report(plain.replace(token=token), free)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (None, "a token is an object with group, nonce and signature"),
        ({"group": "nurses"}, "a token is an object with group, nonce and signature"),
        ({"nonce": "A" * 42}, "nonce: allowed are 32 bytes in base64url"),
        ({"nonce": "A" * 42 + "B"}, "nonce: allowed are 32 bytes in base64url"),
        ({"signature": "A" * 341 + "B"}, "signature: allowed are 256 bytes in base64url"),
        ({"group": 1}, "group: allowed is the id of a group"),
    ],
)
def test_what_is_no_token_is_refused(document: Any, said: str) -> None:
    """Each text stands for one token alone, and no other text for the same."""
    good = {"group": "nurses", "nonce": "A" * 43, "signature": "A" * 342}
    is_part = isinstance(document, dict) and document != {"group": "nurses"}
    with pytest.raises(InvalidToken, match=said):
        Token.from_document({**good, **document} if is_part else document)


def test_nothing_is_randomized_without_a_token() -> None:
    """A device draws nothing for a survey by invitation before it has a token."""
    survey = published()
    drawn: list[int] = []

    def read(count: int) -> bytes:
        drawn.append(count)
        return os.urandom(count)

    with pytest.raises(InvalidToken, match="got no token; only invited people may answer"):
        randomize(survey, {"asthma": True}, read_bytes=read)
    token = token_of(survey, "nurses").replace(group="others")
    with pytest.raises(InvalidToken, match="the survey has no such group; allowed are: nurses"):
        randomize(survey, {"asthma": True}, None, read, token)
    assert drawn == []


def test_what_a_device_keeps_is_read_again() -> None:
    """A request and a token outlive a restart, and a damaged text is refused."""
    survey = published()
    request = request_token(survey, "doctors")
    again = read_kept(request.to_text())
    assert again == request
    assert isinstance(again, TokenRequest)
    token = finish_token(survey, again, sign("doctors", request.message))
    assert read_kept(token_text(token)) == token
    for text in ("", "{}", "[]", request.to_text()[:-1], '{"inverse":"x"}'):
        with pytest.raises(InvalidToken, match="what was kept of the invitation cannot be read"):
            read_kept(text)


def test_nothing_secret_is_in_a_repr() -> None:
    """Neither nonce nor signature nor blinding is shown."""
    survey = published()
    request = request_token(survey, "doctors")
    token = finish_token(survey, request, sign("doctors", request.message))
    assert repr(request) == "TokenRequest(group='doctors')"
    assert repr(token) == "Token(group='doctors')"
    report = randomize(survey, {"asthma": True}, token=token)
    assert repr(report) == f"Report(survey='{survey.digest}', id='{report.id}')"


@pytest.mark.parametrize(
    "text", ["ABCD-EFGH-IJKL-2345", "abcd efgh ijkl 2345", " abcdefgh\u2013ijkl2345\n"]
)
def test_codes_are_read_as_people_type_them(text: str) -> None:
    """Case, blanks and dashes of any kind do not matter."""
    assert read_code(text) == "ABCD-EFGH-IJKL-2345"


@pytest.mark.parametrize("text", ["", "ABCD-EFGH-IJKL-234", "ABCD-EFGH-IJKL-2341", "ÄBCD" * 4])
def test_what_is_no_code_is_refused_without_repeating_it(text: str) -> None:
    """The message names what is allowed, and not what was typed."""
    with pytest.raises(InvalidCode, match=r"got a text of \d+ characters that is no code") as told:
        read_code(text)
    assert not text or text not in str(told.value)
