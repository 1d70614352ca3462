"""The fast way to read reports accepts only reports that the full check accepts."""

import json
import random
import signal
from collections.abc import Iterator
from itertools import product

import pytest

from deniable_collector.intake.reading import BlockValues, Readers, SurveyReader
from deniable_collector.intake.submissions import ReportBatch
from deniable_collector.store.base import Row, StoredSurvey, row_of
from deniable_sdk import InvalidReport, PublishedSurvey, Report, check_report, randomize
from deniable_sdk.canonical import NotCanonical, decode
from deniable_sdk.mechanisms import InvalidValue, ValueForm
from sample_definitions import choice, number, survey, yes_no

SURVEYS = {
    "one block": survey(yes_no(), slug="one"),
    "all asked": survey(yes_no(), choice(options=30), number(), ask="all", epsilon=2, slug="all"),
    "some asked": survey(yes_no("z_last"), choice(options=5), yes_no("a"), yes_no("b"), ask=2),
    "sets": survey(choice("region", options=100), epsilon="0.5", slug="sets"),
}


# What takes milliseconds would take minutes if a mismatch were tried in every other way.
FAR_TOO_LONG_S = 60


@pytest.fixture
def deadline() -> Iterator[None]:
    """Ends what would go on nearly for ever."""

    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(FAR_TOO_LONG_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=SURVEYS)
def published(request: pytest.FixtureRequest) -> PublishedSurvey:
    """A survey of each kind."""
    return SURVEYS[request.param]


VALUES: tuple[object, ...] = (
    -1,
    0,
    1,
    2,
    99,
    True,
    None,
    1.0,
    [],
    [0],
    [1, 0],
    [[0, 1]],
    "1",
    {},
    10**30,
)


def judged_in_full(line: bytes, published: PublishedSurvey) -> Row | None:
    """The row by the full check, or None."""
    try:
        report = Report.from_bytes(line)
        check_report(report, published)
    except InvalidReport:
        return None
    return row_of(report, published)


def changed(line: bytes, source: random.Random) -> Iterator[bytes]:
    """The line with one thing changed in it, in many ways."""
    for index in range(len(line)):
        yield line[:index] + line[index + 1 :]
        yield line[:index] + bytes([source.choice(b',[]{}":0123456789 a-.')]) + line[index:]
        yield line[:index] + bytes([source.randrange(256)]) + line[index + 1 :]
    document = json.loads(line)
    given = document["values"]
    for block in [*given, "other"]:
        for value in VALUES:
            yield json.dumps({**document, "values": {**given, block: value}}).encode()
            compact = {**document, "values": dict(sorted({**given, block: value}.items()))}
            yield json.dumps(compact, separators=(",", ":")).encode()
    for block in given:
        fewer = {name: value for name, value in given.items() if name != block}
        yield json.dumps({**document, "values": fewer}, separators=(",", ":")).encode()


def test_reports_as_devices_write_them_are_known(
    published: PublishedSurvey, random_source: random.Random
) -> None:
    """Every report of a device is recognised, and gives the row of the full check."""
    reader = SurveyReader(published)
    for _ in range(300):
        line = randomize(published, {}, read_bytes=random_source.randbytes).to_bytes()
        row = reader.read_known_form(line)
        assert row is not None
        assert row == judged_in_full(line, published)


def test_changed_reports_are_taken_only_if_the_full_check_takes_them(
    published: PublishedSurvey, random_source: random.Random
) -> None:
    """Whatever is known is legal, with the very same row."""
    reader = SurveyReader(published)
    known = 0
    for _ in range(3):
        line = randomize(published, {}, read_bytes=random_source.randbytes).to_bytes()
        for other in changed(line, random_source):
            row = reader.read_known_form(other)
            known += row is not None
            if row is not None:
                assert row == judged_in_full(other, published)
    assert known > 0


def test_both_ways_together_judge_as_the_full_check(
    published: PublishedSurvey, random_source: random.Random
) -> None:
    """What is not in the form of devices is read in full: no legal report is lost."""
    stored = StoredSurvey(published, 1, is_closed=False, reports_table="any")
    readers = Readers(lambda digest: stored if digest == published.digest else None)
    line = randomize(published, {}, read_bytes=random_source.randbytes).to_bytes()
    legal = 0
    for other in changed(line, random_source):
        if published.digest.encode() not in other:
            continue
        gathered = ReportBatch(readers)
        gathered.add_line(other)
        expected = judged_in_full(other, published)
        legal += expected is not None
        assert gathered.rows == ({published.digest: [expected]} if expected else {})
    assert legal > 0


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("form", "characters", "longest"),
    [
        (ValueForm(3), b"[],-0123 ", 4),
        (ValueForm(12), b"[],012", 4),
        (ValueForm(3, (2,)), b"[],0123", 6),
        (ValueForm(12, (1,)), b"[],0123", 5),
        (ValueForm(2, (1, 2)), b"[],01", 7),
    ],
)
def test_every_short_text_is_judged_as_in_full(
    form: ValueForm, characters: bytes, longest: int
) -> None:
    """Of all texts of some characters, the same are legal values, stored as the same."""
    legal = 0
    for length in range(longest + 1):
        for text in map(bytes, product(characters, repeat=length)):
            try:
                value = decode(text)
                form.check(value)
                expected = value if type(value) is int else text.decode()
            except (NotCanonical, InvalidValue):
                expected = None
            try:
                found = BlockValues(form).read(text)
            except (NotCanonical, InvalidValue):
                found = None
            assert found == expected, "the ways disagree about a text"
            legal += expected is not None
    assert legal >= 3


def test_what_is_remembered_is_bounded(random_source: random.Random) -> None:
    """Neither many nor long values make a reader grow without end."""
    published = SURVEYS["sets"]
    reader = SurveyReader(published)
    for _ in range(5_000):
        reader.read_known_form(
            randomize(published, {}, read_bytes=random_source.randbytes).to_bytes()
        )
    (values,) = reader._blocks
    assert len(values._known) <= 4_096
    assert all(len(text) <= 64 for text in values._known)


@pytest.mark.usefixtures("deadline")
def test_a_line_that_nearly_fits_costs_no_more_than_its_length() -> None:
    """Nobody holds up a collector with a long line of commas."""
    published = survey(*(yes_no(f"q{index:03}") for index in range(100)), ask=1, slug="many")
    reader = SurveyReader(published)
    good = randomize(published, {}).to_bytes()
    assert reader.read_known_form(good) is not None
    begin, end = good[: good.index(b'"values"')] + b'"values":{"q000":', b"}}"
    assert reader.read_known_form(begin + b"1" + end) is not None
    for filling in (b"," * (8 << 20), b"1," * (4 << 20), b"[" * (8 << 20), b"1" * (8 << 20)):
        assert reader.read_known_form(begin + filling + b"x" + end) is None
