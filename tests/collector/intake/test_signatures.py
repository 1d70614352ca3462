"""Tokens in reports: the fast way and the full check accept the same ones."""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable_collector.intake import signatures
from deniable_collector.intake.reading import Readers, SurveyReader
from deniable_collector.intake.signatures import check_of, has_signed
from deniable_collector.intake.submissions import ReportBatch
from deniable_collector.store.base import Row, StoredSurvey, row_of
from deniable_sdk import InvalidReport, Report, check_report
from deniable_sdk.survey.invited import input_of
from deniable_sdk.tokens import (
    KEY_BYTES,
    NONCE_BYTES,
    TokenKey,
    base64url,
    report_id,
    verify,
)
from invitations import GROUPS, InvitedSurvey, invited_survey, many_reports
from sample_definitions import choice, yes_no

ALL = invited_survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="all")
SOME = invited_survey(yes_no("z_last"), yes_no("a"), yes_no("b"), ask=2, slug="some", first_key=2)
SURVEYS = {"all asked": ALL, "some asked": SOME}
STRANGE: tuple[object, ...] = (None, 1, "", [], {}, "A" * 43, "A" * 342)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.fixture(params=SURVEYS)
def invited(request: pytest.FixtureRequest) -> InvitedSurvey:
    """A survey by invitation of each kind."""
    return SURVEYS[request.param]


def readers_of(*surveys: InvitedSurvey) -> Readers:
    """The readers of a store that has these surveys."""
    stored = {
        invited.published.digest: StoredSurvey(
            invited.published, 1, is_closed=False, reports_table="any"
        )
        for invited in surveys
    }
    return Readers(stored.get)


def judged_in_full(line: bytes, invited: InvitedSurvey) -> Row | None:
    """The row by the check of the SDK alone, or None."""
    try:
        report = Report.from_bytes(line)
        check_report(report, invited.published, verify)
    except InvalidReport:
        return None
    return row_of(report, invited.published)


def compact(document: Any) -> bytes:
    """The canonical bytes of a changed report."""
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def with_token(line: bytes, **changes: object) -> bytes:
    """The line with members of its token replaced, added, or left out if they are None."""
    document = json.loads(line)
    token = {**document["token"], **changes}
    document["token"] = {name: value for name, value in token.items() if value is not None}
    return compact(document)


def changed(line: bytes, other: bytes, source: random.Random) -> Iterator[bytes]:
    """The line with one thing changed in or around its token, in many ways."""
    begin = line.index(b'"report":')
    for index in range(begin, len(line)):
        sign = source.choice(ALPHABET).encode()
        yield line[:index] + sign + line[index + 1 :]
        yield line[:index] + line[index + 1 :]
        yield line[:index] + sign + line[index:]
    for name in ("group", "nonce", "signature"):
        yield with_token(line, **{name: json.loads(other)["token"][name]})
        for value in STRANGE:
            yield with_token(line, **{name: value})
    yield with_token(line, more=1)
    document = json.loads(line)
    for token in STRANGE:
        yield compact({**document, "token": token})
    del document["token"]
    yield compact(document)
    # A legal report, written in another way.
    yield json.dumps(json.loads(line)).encode()
    yield line
    yield other


def test_reports_with_tokens_are_known_as_devices_write_them(
    invited: InvitedSurvey, random_source: random.Random
) -> None:
    """Each gives the row of the full check: id, group and values, and nothing of the token."""
    reader = SurveyReader(invited.published)
    for report in many_reports(invited, 20, random_source):
        assert report.token
        line = report.to_bytes()
        row = reader.read_known_form(line)
        assert row is not None
        assert row == judged_in_full(line, invited)
        own_id, group, *values = list(row)
        assert (own_id, group) == (bytes.fromhex(report.id), report.token.group)
        assert len(values) == len(invited.published.blocks)


def test_both_ways_together_judge_changed_tokens_as_the_full_check(
    invited: InvitedSurvey, random_source: random.Random
) -> None:
    """Whatever is changed, what is known is legal, and nothing legal is lost."""
    readers = readers_of(invited)
    reader = SurveyReader(invited.published)
    first, second = (report.to_bytes() for report in many_reports(invited, 2, random_source))
    outcomes = {True: 0, False: 0}
    for line in changed(first, second, random_source):
        expected = judged_in_full(line, invited)
        known = reader.read_known_form(line)
        assert known in (None, expected)
        gathered = ReportBatch(readers)
        gathered.add_line(line)
        rows = {invited.published.digest: [expected]} if expected else {}
        assert gathered.rows == rows, line
        outcomes[expected is not None] += 1
    assert outcomes[True] >= 3
    assert outcomes[False] > 500


def test_a_reader_is_found_with_and_without_a_token(random_source: random.Random) -> None:
    """The digest is found at the end of a line, or before its token, whatever the group's name."""
    readers = readers_of(ALL, SOME)
    for invited in SURVEYS.values():
        lines = [report.to_bytes() for report in many_reports(invited, 2, random_source)]
        digest = invited.published.digest
        # Until somebody asks for the survey, no reader of it is there.
        assert [readers.read_known_form(line) for line in lines] == [None, None]
        assert readers.find(digest) is not None
        found = [readers.read_known_form(line) for line in lines]
        assert found == [(digest, judged_in_full(line, invited)) for line in lines]
    assert readers.read_known_form(b'"token":{"group"') is None
    assert readers.read_known_form(b'","token":{') is None


@dataclass(frozen=True)
class Signed:
    """A token's input with its signature."""

    key: TokenKey
    token_input: bytes
    signature: bytes


def signed(invited: InvitedSurvey, group: str) -> Signed:
    """What a new token of a group signs."""
    token = invited.token(group)
    found = invited.group(group)
    return Signed(
        found.key, input_of(invited.published.digest, found, token.nonce), token.signature
    )


SIGNED = [signed(ALL, group) for group in GROUPS for _ in range(3)]
NUMBER = SIGNED[0].key.number
AT_ITS_EDGES = [0, 1, NUMBER - 1, NUMBER, NUMBER + 1, 2 ** (8 * KEY_BYTES) - 1]


@given(
    which=st.sampled_from(SIGNED),
    at=st.integers(0, 8 * KEY_BYTES - 1),
    place=st.sampled_from(["signature", "input", "key", "length"]),
)
def test_the_fast_check_agrees_with_the_sdk(which: Signed, at: int, place: str) -> None:
    """A genuine signature is accepted by both, and one with a bit changed anywhere by neither."""
    key, token_input, signature = which.key, which.token_input, which.signature
    assert has_signed(key, token_input, signature)
    assert verify(key, token_input, signature)
    if place == "signature":
        number = int.from_bytes(signature, "big") ^ 1 << at
        signature = number.to_bytes(KEY_BYTES, "big")
    elif place == "input":
        index = at % len(token_input)
        token_input = (
            token_input[:index] + bytes([token_input[index] ^ 1]) + token_input[index + 1 :]
        )
    elif place == "key":
        key = next(other.key for other in SIGNED if other.key.modulus != key.modulus)
    else:
        signature = signature[: at % KEY_BYTES]
    assert not has_signed(key, token_input, signature)
    assert not verify(key, token_input, signature)


@pytest.mark.parametrize(
    "number", AT_ITS_EDGES, ids=[f"edge {at}" for at in range(len(AT_ITS_EDGES))]
)
def test_numbers_beyond_the_key_are_no_signatures(number: int) -> None:
    """Neither check accepts the ends of the range, nor a signature with the modulus added."""
    which = SIGNED[0]
    for signature in (
        number.to_bytes(KEY_BYTES, "big"),
        ((int.from_bytes(which.signature, "big") + number) % 2 ** (8 * KEY_BYTES)).to_bytes(
            KEY_BYTES, "big"
        ),
    ):
        is_same = signature == which.signature
        assert has_signed(which.key, which.token_input, signature) == is_same
        assert verify(which.key, which.token_input, signature) == is_same


def test_without_the_package_the_sdk_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A collector without `cryptography` accepts the same tokens, only slower."""
    invited = invited_survey(slug="bare", first_key=4)
    monkeypatch.setattr(signatures, "find_spec", lambda _: None)
    check_of.cache_clear()
    try:
        check = check_of(invited.group("nurses").modulus)
        assert isinstance(check, partial)
        assert check.func is verify
        reader = SurveyReader(invited.published)
        line = invited.report().to_bytes()
        assert reader.read_known_form(line) == judged_in_full(line, invited)
        forged = with_token(line, signature=base64url(os.urandom(KEY_BYTES)))
        assert reader.read_known_form(forged) is None
    finally:
        check_of.cache_clear()


def test_a_token_of_another_survey_edition_or_group_is_worth_nothing() -> None:
    """Not even with the id that a report on that token would have."""
    edition = invited_survey(yes_no(), choice(options=30), slug="all", first_key=6)
    for other in (SOME, edition):
        token = other.token()
        there = other.report(token)
        moved = ALL.report().replace(id=there.id, token=token)
        with pytest.raises(InvalidReport, match="it is not the id that its token has"):
            check_report(moved, ALL.published, has_signed)
        own_id = input_of(ALL.published.digest, ALL.group("nurses"), token.nonce)
        moved = moved.replace(id=report_id(own_id).hex())
        with pytest.raises(InvalidReport, match="the issuer did not sign it for this survey"):
            check_report(moved, ALL.published, has_signed)
        assert SurveyReader(ALL.published).read_known_form(moved.to_bytes()) is None
    token = ALL.token("doctors")
    moved = ALL.report(token.replace(group="nurses"))
    with pytest.raises(InvalidReport, match="the issuer did not sign it for this survey"):
        check_report(moved, ALL.published, has_signed)
    assert SurveyReader(ALL.published).read_known_form(moved.to_bytes()) is None


def test_a_reader_does_not_keep_nonces(random_source: random.Random) -> None:
    """What a reader remembers of reports are values of blocks, and nothing of a token."""
    reader = SurveyReader(ALL.published)
    (report,) = many_reports(ALL, 1, random_source)
    row = reader.read_known_form(report.to_bytes())
    assert report.token
    assert len(report.token.nonce) == NONCE_BYTES
    remembered = repr([row, *(block._known for block in reader._blocks), vars(reader._tokens)])
    for secret in (report.token.nonce, report.token.signature):
        assert base64url(secret) not in remembered
        assert secret.hex() not in remembered
        assert repr(secret)[2:-1] not in remembered
