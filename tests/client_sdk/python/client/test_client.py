"""What an app does with a client, without a network."""

import logging
import threading
from collections.abc import Callable
from fractions import Fraction

import pytest

import deniable_sdk
from deniable_sdk import (
    AlreadyAnswered,
    BudgetExceeded,
    Client,
    ClientShutDown,
    CollectorRefused,
    CollectorUnreachable,
    ConsentRequired,
    InvalidAddress,
    InvalidAnswer,
    InvalidSurvey,
    PublishedSurvey,
    YearlyCapExceeded,
    check_report,
    open_client,
)
from deniable_sdk.client import MemoryStorage, Outcome
from deniable_sdk.testing import ManualClock, RecordingTransport, open_test_client, stored
from sample_definitions import choice, scale, survey, yes_no
from tape import Tape


@pytest.fixture
def asthma() -> PublishedSurvey:
    """A survey of one question."""
    return survey(yes_no())


def test_one_report_goes_all_the_way(asthma: PublishedSurvey) -> None:
    """Fetch, draw, submit, flush: the collector gets the bytes that were kept."""
    transport = RecordingTransport([asthma])
    with open_test_client(transport) as client:
        published = client.get_survey("health", digest=asthma.digest)
        asked = client.draw(published)
        assert [question.id for question in asked.questions] == ["asthma"]
        report = client.submit(published, {"asthma": "yes"}, blocks=asked.blocks)
        client.flush()
        (state,) = client.reports()
        assert (state.report, state.state, state.slug) == (report.id, "sent", "health")
        assert client.flush() == deniable_sdk.client.FlushResult(0, 0, 0, 0)
    check_report(report, asthma)
    assert transport.sent == [report.to_bytes()]


@pytest.mark.parametrize("consent", [False, None, 1, "yes", object()])
def test_consent_is_true_itself(consent: object) -> None:
    """Whatever else is given opens nothing, and the error says what is allowed."""
    with pytest.raises(ConsentRequired, match=r"consent: got .*; allowed is True"):
        open_client("https://collector.example", consent=consent)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "url",
    ["", "collector.example", "ftp://a.example", "https://u:p@a.example", "https://a.example/?a"],
)
def test_what_is_no_address(url: str) -> None:
    """A client opens only for an http or https address, with nothing else in it."""
    with pytest.raises(InvalidAddress, match=r"allowed is .* https://example\.org"):
        open_client(url, consent=True, storage=MemoryStorage())


def test_a_second_report_is_refused(asthma: PublishedSurvey) -> None:
    """The error has the first report's id, and again="first" gives the first report."""
    with open_test_client(RecordingTransport()) as client:
        first = client.submit(asthma, {"asthma": "yes"})
        with pytest.raises(AlreadyAnswered, match="a second report would spend") as refused:
            client.submit(asthma, {"asthma": "no"})
        assert refused.value.report == first.id
        assert client.submit(asthma, {"asthma": "no"}, again="first") == first
        with pytest.raises(AlreadyAnswered, match="a second report would spend"):
            client.submit(asthma, {"asthma": "no"}, again="edition")
        with pytest.raises(ValueError, match=r"again: got 'twice'; allowed are None"):
            client.submit(asthma, {}, again="twice")  # type: ignore[arg-type]


def test_another_edition_only_if_the_app_says_so(asthma: PublishedSurvey) -> None:
    """A person answers one edition of a slug by default."""
    other = survey(yes_no(), scale())
    with open_test_client(RecordingTransport()) as client:
        client.submit(asthma, {})
        with pytest.raises(AlreadyAnswered, match="another edition of health"):
            client.submit(other, {})
        client.submit(other, {}, again="edition")
        assert len(client.spent().surveys) == 2


def test_the_epsilon_cap(asthma: PublishedSurvey) -> None:
    """A survey that takes more than one survey may is neither got nor answered."""
    with open_test_client(RecordingTransport([asthma]), epsilon_cap=1.5) as client:
        with pytest.raises(BudgetExceeded, match=r"allowed here is 1\.5"):
            client.get_survey("health")
        with pytest.raises(BudgetExceeded, match=r"allowed here is 1\.5"):
            client.submit(asthma, {})
        assert client.reports() == ()


def test_the_yearly_cap_is_compared_exactly() -> None:
    """Two surveys of epsilon 2 fit into 4, and a third does not."""
    surveys = [survey(yes_no(), slug=f"s{number}") for number in range(3)]
    with open_test_client(RecordingTransport(), yearly_cap=4) as client:
        client.submit(surveys[0], {})
        client.submit(surveys[1], {})
        with pytest.raises(YearlyCapExceeded, match="all together may take 4"):
            client.submit(surveys[2], {})
        assert len(client.reports()) == 2
    with open_test_client(RecordingTransport(), yearly_cap=Fraction(3)) as client:
        client.submit(surveys[0], {})
        with pytest.raises(YearlyCapExceeded, match="s1 takes up to 2"):
            client.submit(surveys[1], {})


@pytest.mark.parametrize("cap", [0, -1, 99, "x", True, Fraction(-1), Fraction(0), Fraction(99)])
def test_what_is_no_cap(cap: Fraction | float | str) -> None:
    """A cap is from 0.01 to 10; the others are refused at once, also as fractions."""
    for name in ("epsilon_cap", "yearly_cap"):
        with pytest.raises(ValueError, match=r"allowed is a number from 0\.01 to 10"):
            open_test_client(RecordingTransport(), **{name: cap})  # type: ignore[arg-type]


def test_what_was_spent_is_exact_and_readable() -> None:
    """The ledger has the weights of the blocks that were drawn, and says it in words."""
    many = survey(*[choice(f"q{number}") for number in range(6)], ask=2, slug="many")
    with open_test_client(RecordingTransport()) as client:
        nothing = client.spent()
        assert (nothing.surveys, nothing.epsilon, nothing.surest) == ((), 0.0, 0.5)
        assert "You have answered 0 surveys" in nothing.words
        asked = client.draw(many)
        client.submit(many, {}, blocks=asked.blocks)
        spent = client.spent()
    weights = [part for block in asked.blocks for part in many.block(block).mechanism.spends]
    assert list(spent.surveys[0].weights) == weights
    assert spent.epsilon == pytest.approx(2, abs=1e-6)
    assert "You have answered 1 survey on this device" in spent.words
    assert "88.1 % sure, and no surer" in spent.words


def test_an_answer_that_does_not_fit_keeps_nothing(asthma: PublishedSurvey) -> None:
    """The person may correct it: nothing was drawn, kept or sent."""
    tape = Tape(b"")
    with open_test_client(RecordingTransport(), read_bytes=tape) as client:
        with pytest.raises(InvalidAnswer) as refused:
            client.submit(asthma, {"asthma": "marked-answer"})
        assert "marked" not in str(refused.value)
        assert client.reports() == ()
        assert client.spent().surveys == ()


def test_what_is_no_survey_is_refused() -> None:
    """Bytes or a document stand for no survey: only a checked one is answered."""
    with open_test_client(RecordingTransport()) as client:
        with pytest.raises(TypeError, match="allowed is a survey that get_survey gave"):
            client.submit({}, {})  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="got a list; allowed is a survey"):
            client.draw([])  # type: ignore[arg-type]


def test_a_survey_of_another_slug_is_not_taken(asthma: PublishedSurvey) -> None:
    """A collector cannot put one survey in another's place."""

    class Lying(RecordingTransport):
        def get_survey(self, slug: str, digest: str | None) -> bytes:
            del slug, digest
            return asthma.document

    with (
        open_test_client(Lying()) as client,
        pytest.raises(InvalidSurvey, match="gave 'health' instead of 'wealth'"),
    ):
        client.get_survey("wealth")


def test_no_such_survey() -> None:
    """What the collector refuses is said, with its status."""
    with (
        open_test_client(RecordingTransport()) as client,
        pytest.raises(CollectorRefused, match="404") as refused,
    ):
        client.get_survey("nothing")
    assert refused.value.status == 404


def test_getting_a_survey_takes_only_so_long() -> None:
    """A transport that never answers is given up, also one that cannot be interrupted."""
    released = threading.Event()

    class Silent(RecordingTransport):
        def get_survey(self, slug: str, digest: str | None) -> bytes:
            del slug, digest
            released.wait(60)
            return b""

    with open_test_client(Silent()) as client:
        with pytest.raises(CollectorUnreachable, match=r"in 0\.05 seconds"):
            client.get_survey("health", timeout_s=0.05)
        released.set()


@pytest.mark.parametrize("end", [Client.shut_down, Client.opt_out])
def test_an_ended_client_says_so(end: Callable[[Client], None], asthma: PublishedSurvey) -> None:
    """Every call after the end is a typed error; ending twice is none."""
    client = open_test_client(RecordingTransport())
    end(client)
    end(client)
    wanted = ClientShutDown if end is Client.shut_down else ConsentRequired
    calls: list[Callable[[], object]] = [
        client.reports,
        client.spent,
        client.flush,
        lambda: client.get_survey("health"),
        lambda: client.draw(asthma),
        lambda: client.submit(asthma, {}),
    ]
    for call in calls:
        with pytest.raises(wanted):
            call()


def test_opting_out_wipes_everything(asthma: PublishedSurvey) -> None:
    """Queue and ledger are gone; a new client begins at nothing."""
    storage = MemoryStorage()

    def unreachable(body: bytes, count: int) -> Outcome:
        raise OSError(len(body), count)

    client = open_test_client(RecordingTransport(answer=unreachable), storage=storage)
    client.submit(asthma, {})
    client.opt_out()
    with open_test_client(RecordingTransport(), storage=storage) as again:
        assert again.reports() == ()
        assert again.spent().surveys == ()


def test_a_report_under_way_does_not_come_back_after_opting_out(asthma: PublishedSurvey) -> None:
    """What the collector answers later finds nothing to be noted at."""
    begun, released = threading.Event(), threading.Event()
    storage = MemoryStorage()

    def slow(body: bytes, count: int) -> Outcome:
        begun.set()
        released.wait(60)
        return stored(body, count)

    client = open_test_client(RecordingTransport(answer=slow), storage=storage)
    client.submit(asthma, {})
    assert begun.wait(10)
    client.opt_out()
    released.set()
    with storage.transaction() as at_work:
        assert at_work.entries() == []


def test_the_debug_log_says_what_happens_and_no_answer(
    asthma: PublishedSurvey, caplog: pytest.LogCaptureFixture
) -> None:
    """The log of a report has its id and its states, and nothing of what it says."""
    caplog.set_level(logging.DEBUG, logger="deniable_sdk")
    with open_test_client(RecordingTransport([asthma])) as client:
        report = client.submit(asthma, {"asthma": "yes"})
        client.flush()
    assert f"waiting report={report.id}" in caplog.text
    assert f"sent report={report.id} status=201" in caplog.text
    assert "yes" not in caplog.text
    assert "values" not in caplog.text


def test_a_log_that_fails_loses_no_report(asthma: PublishedSurvey) -> None:
    """An app's own handler may raise: the report is kept all the same."""

    class Failing(logging.Handler):
        def handle(self, record: logging.LogRecord) -> bool:
            raise ValueError(record.levelno)

    logger = logging.getLogger("deniable_sdk")
    handler, level = Failing(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        with open_test_client(RecordingTransport()) as client:
            client.submit(asthma, {})
            client.flush()
            assert [entry.state for entry in client.reports()] == ["sent"]
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def test_a_fixed_tape_gives_a_fixed_report(asthma: PublishedSurvey) -> None:
    """Tests of apps can replay a report byte by byte."""
    reports = []
    for _ in range(2):
        storage = MemoryStorage()
        with open_test_client(
            RecordingTransport(), storage=storage, read_bytes=Tape(bytes(range(200)))
        ) as client:
            reports.append(client.submit(asthma, {"asthma": "yes"}))
            client.flush()
    assert reports[0] == reports[1]


def test_a_client_in_memory_says_so() -> None:
    """An app can tell a person that a report would not outlive it."""
    with open_test_client(RecordingTransport(), clock=ManualClock()) as client:
        assert not client.is_durable
        assert "memory" in client.storage_problem
