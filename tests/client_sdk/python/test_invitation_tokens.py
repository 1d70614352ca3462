"""A token is spent on one report: what is made with it, kept, refused and shown."""

import os
from typing import Any

import pytest

from blind_issuer import published, sign
from deniable_sdk import (
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
from deniable_sdk.tokens import InvalidToken, Token
from sample_definitions import definition, yes_no


def token_of(survey: PublishedSurvey, group: str) -> Token:
    """A person's token."""
    request = request_token(survey, group)
    return finish_token(survey, request, sign(group, request.message))


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
