"""Surveys that come back: facts that are reported once, and panels of several waves."""

import itertools
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_sdk import (
    AlreadyAnswered,
    BudgetExceeded,
    Client,
    PublishedSurvey,
    StorageUnavailable,
    YearlyCapExceeded,
    check_report,
    open_client,
)
from deniable_sdk.client import MemoryStorage
from deniable_sdk.client.entry import MOST_BODIES
from deniable_sdk.client.submitting import Again
from deniable_sdk.testing import RecordingTransport, open_test_client
from live_server import live_collector
from sample_definitions import Document, choice, survey, yes_no

BORN = yes_no("born_here", fixed=True, required=True)
FEELS = choice("feels", 4)


def edition(title: str, *questions: Document, **keys: object) -> PublishedSurvey:
    """An edition of one series: a fact and a question that is asked anew, if none are given."""
    return survey(*(questions or (BORN, FEELS)), title=title, **{"ask": "all", **keys})


def wave(number: int, **keys: object) -> PublishedSurvey:
    """A wave of a panel of three that takes 1.5 in all."""
    return survey(FEELS, title=f"{number}", **{"epsilon": 1.5, "waves": 3, "wave": number, **keys})


def parts_spent(client: Client) -> list[int]:
    """In how many parts each report has spent."""
    return [len(one.weights) for one in client.spent().surveys]


def test_a_series_at_a_real_collector(tmp_path: Path) -> None:
    """Over HTTP and from a file, two editions and two waves arrive as their surveys allow."""
    path = tmp_path / "store.sqlite"
    series = [edition("1"), edition("2"), wave(1, slug="panel"), wave(3, slug="panel")]
    reports = []
    with closing(open_store(path)) as store, live_collector(path) as collector:
        for published in series:
            store.publish(published)
            with open_client(collector.url, consent=True, folder=tmp_path / "device") as client:
                got = client.get_survey(published.slug, digest=published.digest)
                answers = dict.fromkeys((q.id for q in client.draw(got).questions), None)
                answers |= {"born_here": "yes"} if len(answers) == 2 else {}
                again: Again | None = "edition" if got.slug == "health" else None
                reports.append(client.submit(got, answers, again=again))
                client.flush()
                assert {entry.state for entry in client.reports()} == {"sent"}
            store.close_survey(published.slug)
    with open_client(collector.url, consent=True, folder=tmp_path / "device") as client:
        assert parts_spent(client) == [2, 1, 1, 1]
    assert reports[0].values["born_here"] == reports[1].values["born_here"]


def test_a_fact_is_reported_again_and_spent_once() -> None:
    """Three editions carry the same value, whatever is answered, and only the first draws it."""
    with open_test_client(RecordingTransport()) as client:
        first = client.submit(edition("1"), {"born_here": "yes"})
        second = client.submit(edition("2"), {"born_here": "no such answer"}, again="edition")
        third = client.submit(edition("3"), {}, again="edition")
        assert parts_spent(client) == [2, 1, 1]
        assert client.spent().epsilon == pytest.approx(4, abs=1e-6)
    born = [report.values["born_here"] for report in (first, second, third)]
    assert born[0] == born[1] == born[2]
    for report, published in ((second, edition("2")), (third, edition("3"))):
        check_report(report, published)
        assert report.values.keys() == {"born_here", "feels"}


def test_a_fact_alone_takes_nothing_of_a_cap() -> None:
    """A report that draws nothing is kept and sent even when all that is allowed is spent."""
    transport = RecordingTransport()
    with open_test_client(transport, yearly_cap=2) as client:
        first = client.submit(edition("1", BORN), {"born_here": "yes"})
        second = client.submit(edition("2", BORN), {}, again="edition")
        with pytest.raises(YearlyCapExceeded):
            client.submit(edition("3"), {"born_here": "yes"}, again="edition")
        assert client.flush().waiting == 0
        assert parts_spent(client) == [1, 0]
    assert (first.values, len(transport.sent)) == (second.values, 2)


CHANGED = {
    "wording": edition("2", BORN | {"text": "Were you born elsewhere?"}, FEELS),
    "mechanism": edition("2", epsilon=1),
    "answers": edition("2", BORN | {"required": False}, FEELS),
    "series": edition("2", slug="other"),
    "way": edition(
        "2",
        yes_no("citizen", fixed=True),
        BORN | {"show_if": {"question": "citizen", "is": "yes"}},
    ),
}


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED)
def test_what_is_not_the_same_is_drawn_anew(changed: PublishedSurvey) -> None:
    """Another wording, mechanism, way there or series is another fact, and accounted for."""
    answers = {"born_here": "yes", "citizen": "yes"}
    with open_test_client(RecordingTransport()) as client:
        client.submit(edition("1"), {"born_here": "yes"})
        given = {key: answers[key] for key in answers.keys() & changed.question_ids}
        client.submit(changed, given, again="edition")
        assert parts_spent(client) == [2, 2]


def test_a_question_on_the_way_counts_with_the_fact() -> None:
    """If the wording of what leads to a fact changes, the fact is drawn anew too."""
    led = BORN | {"show_if": {"question": "citizen", "is": "yes"}}
    before, after = (yes_no("citizen", text=text, fixed=True) for text in ("Citizen?", "Tax?"))
    with open_test_client(RecordingTransport()) as client:
        for title, router in (("1", before), ("2", before), ("3", after)):
            published = edition(title, router, led)
            client.submit(published, {"citizen": "yes", "born_here": "yes"}, again="edition")
        assert parts_spent(client) == [2, 0, 2]


def test_a_fact_outlives_its_report() -> None:
    """A body that was shed for want of room takes the values of facts with it nowhere."""
    storage = MemoryStorage()
    with open_test_client(RecordingTransport(), storage=storage) as client:
        first = client.submit(edition("1"), {"born_here": "yes"})
        client.flush()
        for number in range(MOST_BODIES):
            client.submit(survey(yes_no(), slug=f"s{number}"), {})
            client.flush()
        with storage.transaction() as stored:
            assert stored.entries()[0].body is None
        again = client.submit(edition("2"), {}, again="edition")
    assert again.values["born_here"] == first.values["born_here"]


def test_what_is_kept_is_not_asked_again() -> None:
    """The questions leave out facts that were reported; the blocks name all, as ever."""
    with open_test_client(RecordingTransport()) as client:
        before = client.draw(edition("2"))
        client.submit(edition("1"), {"born_here": "yes"})
        after = client.draw(edition("2"))
        client.submit(edition("2"), {}, blocks=after.blocks, again="edition")
    assert [question.id for question in before.questions] == ["born_here", "feels"]
    assert [question.id for question in after.questions] == ["feels"]
    assert before.blocks == after.blocks == ("born_here", "feels")


def test_a_fact_that_leads_to_others_is_asked_again() -> None:
    """Its answer decides what is shown, stays on the device, and changes no reported value."""
    led = FEELS | {"show_if": {"question": "born_here", "is": "yes"}}
    with open_test_client(RecordingTransport()) as client:
        first = client.submit(edition("1", BORN, led), {"born_here": "yes"})
        later = edition("2", BORN, led)
        asked = client.draw(later)
        assert [question.id for question in asked.questions] == ["born_here", "feels"]
        answers = {"born_here": "no", "feels": "o1"}
        second = client.submit(later, answers, blocks=asked.blocks, again="edition")
        assert parts_spent(client) == [2, 1]
    assert second.values["born_here"] == first.values["born_here"]


def test_a_storage_that_cannot_be_read_asks_nothing() -> None:
    """Nobody fills in what could not be kept."""

    class Failing(MemoryStorage):
        is_down = False

        def transaction(self):  # type: ignore[no-untyped-def]  # the parent says what it gives
            if self.is_down:
                raise StorageUnavailable("no disk")
            return super().transaction()

    storage = Failing()
    with open_test_client(RecordingTransport(), storage=storage) as client:
        client.submit(edition("1"), {"born_here": "yes"})
        storage.is_down = True
        with pytest.raises(StorageUnavailable):
            client.draw(edition("2"))
        with pytest.raises(StorageUnavailable):
            client.submit(edition("2"), {"born_here": "yes"}, again="edition")
        storage.is_down = False


@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3))), ids=str)
def test_every_wave_of_a_panel_is_answered_once(order: tuple[int, ...]) -> None:
    """In any order and without being allowed, and together they take what was promised."""
    with open_test_client(RecordingTransport(), epsilon_cap=1.5, yearly_cap=1.5) as client:
        for number in order:
            client.submit(wave(number), {"feels": "o1"})
        assert client.spent().epsilon == pytest.approx(1.5, abs=1e-6)
        with pytest.raises(AlreadyAnswered, match="has answered wave 2 of 3 of health"):
            client.submit(wave(2, introduction="Once more."), {})
        with pytest.raises(AlreadyAnswered, match="a second report would spend"):
            client.submit(wave(2), {})
        assert len(client.reports()) == 3


def test_a_wave_that_takes_more_than_was_promised() -> None:
    """It is refused with what was promised and what it takes; a cheaper one binds the rest."""
    with open_test_client(RecordingTransport()) as client:
        client.submit(wave(1), {})
        with pytest.raises(BudgetExceeded, match=r"promised epsilon 0\.5 .*; this one takes 0\.6"):
            client.submit(wave(2, epsilon=1.8), {})
        client.submit(wave(3, epsilon=1.2), {})
        with pytest.raises(BudgetExceeded, match=r"promised epsilon 0\.4 .*; this one takes 0\.5"):
            client.submit(wave(2), {})
        client.submit(wave(2, epsilon=1.2), {})


@pytest.mark.parametrize(
    "other",
    [wave(2, waves=4, epsilon=2), survey(FEELS, epsilon=0.4), survey(FEELS, epsilon=0.5)],
    ids=["other panel", "no panel", "no panel at all"],
)
def test_what_is_no_wave_of_the_same_panel(other: PublishedSurvey) -> None:
    """Beside a wave, and before it, another edition must be allowed by the app."""
    for first, second in ((wave(1), other), (other, wave(1))):
        with open_test_client(RecordingTransport()) as client:
            client.submit(first, {})
            with pytest.raises(AlreadyAnswered, match="another edition of health"):
                client.submit(second, {})
            client.submit(second, {}, again="edition")
            with pytest.raises(AlreadyAnswered, match="another edition of health"):
                client.submit(wave(3), {})


def test_the_cap_of_a_survey_counts_all_waves() -> None:
    """Whoever allows 1 for one survey does not answer three waves of 0.5."""
    with open_test_client(RecordingTransport([wave(1)]), epsilon_cap=1.4) as client:
        with pytest.raises(BudgetExceeded, match=r"0\.5 in each of 3 waves; allowed here is 1\.4"):
            client.get_survey("health")
        with pytest.raises(BudgetExceeded, match=r"0\.5 in each of 3 waves"):
            client.submit(wave(1), {})
