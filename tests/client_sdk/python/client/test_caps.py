"""What one survey may take, and all of a person's surveys in a year."""

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import BudgetExceeded, Client, PublishedSurvey, YearlyCapExceeded, open_client
from deniable_sdk.client import Entry, MemoryStorage
from deniable_sdk.client.options import Options
from deniable_sdk.testing import ManualClock, RecordingTransport, open_test_client
from sample_definitions import choice, survey, yes_no

VECTORS = Path(__file__).parents[3] / "vectors"
COLLECTOR = "https://collector.example"
DAY_S = 86_400
START = 20_500 * DAY_S
ONES = [survey(yes_no(), slug=f"s{number}", epsilon=1) for number in range(60)]
DEAR = survey(yes_no(), slug="dear", epsilon=4.5)


def on_day(storage: MemoryStorage, day: int, cap: float | None = 8) -> Client:
    """A client of a device whose clock shows this many days after the start."""
    clock = ManualClock(START + day * DAY_S)
    return open_test_client(RecordingTransport(), storage=storage, clock=clock, yearly_cap=cap)


def wave(number: int, waves: int = 4, slug: str = "panel") -> PublishedSurvey:
    """A wave of a panel, each of epsilon 1."""
    claimed = {"epsilon": waves, "waves": waves, "wave": number}
    return survey(choice("feels", 4), title=f"{number}", slug=slug, **claimed)


def test_a_device_answers_epsilon_8_of_60_surveys() -> None:
    """Unless the app says otherwise; before anybody has filled in what cannot be kept."""
    with open_client(
        COLLECTOR, consent=True, storage=MemoryStorage(), transport=RecordingTransport()
    ) as client:
        answered = 0
        for published in ONES:
            try:
                client.draw(published)
            except YearlyCapExceeded:
                with pytest.raises(YearlyCapExceeded, match="all together may take 8"):
                    client.submit(published, {})
            else:
                client.submit(published, {})
                answered += 1
        spent = client.spent()
    assert answered == 8
    assert (spent.epsilon_cap, spent.yearly_cap) == (4.0, 8.0)
    assert spent.yearly_epsilon == pytest.approx(8, abs=1e-7)


def test_a_survey_above_4_is_refused() -> None:
    """Unless the app says otherwise, when it is got, drawn and answered."""
    transport = RecordingTransport([DEAR])
    with open_client(
        COLLECTOR, consent=True, storage=MemoryStorage(), transport=transport
    ) as client:
        with pytest.raises(BudgetExceeded, match=r"4\.5; allowed here is 4"):
            client.get_survey("dear")
        with pytest.raises(BudgetExceeded):
            client.draw(DEAR)
        with pytest.raises(BudgetExceeded):
            client.submit(DEAR, {})
    with open_client(
        COLLECTOR,
        consent=True,
        storage=MemoryStorage(),
        transport=transport,
        epsilon_cap=None,
    ) as client:
        client.submit(client.get_survey("dear"), {})


def test_without_a_cap_everything_is_answered() -> None:
    """An app may lift both caps, and test clients have none."""
    clients = [
        open_test_client(RecordingTransport()),
        open_client(
            COLLECTOR,
            consent=True,
            storage=MemoryStorage(),
            transport=RecordingTransport(),
            epsilon_cap=None,
            yearly_cap=None,
        ),
    ]
    for client in clients:
        with client:
            for published in [DEAR, *ONES]:
                client.submit(published, {})
            spent = client.spent()
        assert (spent.epsilon_cap, spent.yearly_cap) == (None, None)
        assert len(spent.surveys) == 61


@pytest.mark.parametrize("day", [0, 1, 364, -1, -10_000])
def test_what_was_spent_counts_for_a_year(day: int) -> None:
    """Also on days before it, as clocks are set back."""
    storage = MemoryStorage()
    with on_day(storage, 0) as client:
        client.submit(ONES[0], {})
    with on_day(storage, day, 1) as client:
        assert client.spent().yearly_epsilon == pytest.approx(1, abs=1e-8)
        with pytest.raises(YearlyCapExceeded):
            client.draw(ONES[1])


def test_a_year_later_it_does_not() -> None:
    """After 365 days the same is allowed again, and all of it is still in the ledger."""
    storage = MemoryStorage()
    with on_day(storage, 0, 1) as client:
        client.submit(ONES[0], {})
    with on_day(storage, 365, 1) as client:
        assert client.spent().yearly_epsilon == 0
        client.submit(ONES[1], {})
        assert len(client.spent().surveys) == 2


def test_what_was_spent_while_the_clock_was_set_back_counts() -> None:
    """It counts from the day of what was drawn before, once the clock is right again."""
    storage = MemoryStorage()
    for day, number in ((0, 0), (-10_000, 1)):
        with on_day(storage, day, 2) as client:
            client.submit(ONES[number], {})
    with on_day(storage, 0, 2) as client, pytest.raises(YearlyCapExceeded):
        client.draw(ONES[2])


def test_a_day_before_this_program_counts_as_its_first() -> None:
    """A device without a battery begins in 1970, and shows the right day a moment later."""
    storage = MemoryStorage()
    with on_day(storage, -20_500, 1) as client:
        client.submit(ONES[0], {})
    with on_day(storage, 0, 1) as client, pytest.raises(YearlyCapExceeded):
        client.draw(ONES[1])


def test_a_panel_reserves_all_its_waves_at_the_first() -> None:
    """Its later waves take nothing beyond that, and nothing else takes what is reserved."""
    storage = MemoryStorage()
    with on_day(storage, 0, 3.9) as client, pytest.raises(YearlyCapExceeded, match="of 4 waves"):
        client.draw(wave(1))
    for number in (2, 1, 4, 3):
        with on_day(storage, number, 4.5) as client:
            client.submit(wave(number), {})
            assert client.spent().yearly_epsilon == pytest.approx(4, abs=1e-7)
            with pytest.raises(YearlyCapExceeded):
                client.draw(ONES[0])
            with pytest.raises(YearlyCapExceeded):
                client.draw(wave(1, slug="other"))


def test_a_panel_is_reserved_as_long_as_one_of_its_waves_counts() -> None:
    """After a year without a wave nothing of it is reserved, until the next one."""
    storage = MemoryStorage()
    for number, day in ((1, 0), (2, 300)):
        with on_day(storage, day) as client:
            client.submit(wave(number), {})
    for day, wanted in ((300, 4), (364, 4), (365, 3), (664, 3), (665, 0)):
        with on_day(storage, day) as client:
            assert client.spent().yearly_epsilon == pytest.approx(wanted, abs=1e-7)
    with on_day(storage, 700, 1.9) as client, pytest.raises(YearlyCapExceeded):
        client.draw(wave(3))
    with on_day(storage, 700, 2) as client:
        client.submit(wave(3), {})
        assert client.spent().yearly_epsilon == pytest.approx(2, abs=1e-7)


def entry_of(report: dict[str, Any], number: int) -> Entry:
    """An entry of a ledger of the vectors."""
    panel = report["panel"] or ()
    return Entry(
        key=f"{number}",
        number=number,
        collector=report["collector"],
        slug=report["slug"],
        survey=f"{number:064x}",
        report=f"{number:032x}",
        weights=" ".join(f"{high}/{low}" for high, low in report["weights"]),
        body=None,
        state=report["state"],
        panel="{}/{} {}".format(*panel) if panel else "",
        # What an earlier version had kept is in a file with such a day.
        day=10**9 if report["day"] is None else report["day"],
    )


def test_every_ledger_of_the_vectors() -> None:
    """What counts, and whether a survey is refused, is as logarithms of 90 digits say."""
    cases = json.loads((VECTORS / "ledgers.json").read_text("ascii"))
    refused = 0
    for case in cases:
        entries = [entry_of(report, number) for number, report in enumerate(case["reports"], 1)]
        options = Options(
            collector="https://one.example",
            storage=MemoryStorage(entries=entries),
            transport=RecordingTransport(),
            clock=ManualClock(case["today"] * DAY_S + 5),
            read_bytes=os.urandom,
            yearly_cap=Fraction(case["cap"]),
        )
        published = PublishedSurvey.from_bytes(case["survey"].encode())
        with Client(options) as client:
            assert client.spent().yearly_epsilon == pytest.approx(case["epsilon"], abs=1e-12)
            if case["is_refused"]:
                refused += 1
                with pytest.raises(YearlyCapExceeded):
                    client.draw(published)
            else:
                client.draw(published)
    assert 100 < refused < len(cases) - 100


def test_whoever_has_answered_is_not_refused_for_want_of_room() -> None:
    """The first report can be given again, and its questions be shown."""
    with on_day(MemoryStorage(), 0, 1) as client:
        report = client.submit(ONES[0], {})
        assert client.draw(ONES[0]).blocks == ("asthma",)
        assert client.submit(ONES[0], {}, again="first") == report
