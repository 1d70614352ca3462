"""Reports of invited people: when they are sent, and what the person is told before."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from deniable_sdk import AlreadyAnswered, FewCollected, InvalidToken
from deniable_sdk.client import Client, MemoryStorage
from deniable_sdk.randomness import ReadBytes
from deniable_sdk.testing import ManualClock, RecordingTransport, open_test_client
from free_ports import free_port
from live_issuer import AFTER, BEFORE, UNTIL, LiveIssuer, Prepared, live_issuer, prepare

DAY_S = 86_400
HALF = b"\x7f\xff\xff\xff"


class Device:
    """A person's device, with a token where a code is given."""

    def __init__(
        self, prepared: Prepared, code: str | None = None, *, sends_at_once: bool = False
    ) -> None:
        self.survey = prepared.survey
        self.clock = ManualClock(BEFORE.timestamp())
        self.transport = RecordingTransport([self.survey])
        self.storage = MemoryStorage()
        self.client = self.opened(_half, sends_at_once=sends_at_once)
        if code is not None:
            self.client.collect_token(self.survey, code)

    def opened(self, read_bytes: ReadBytes, *, sends_at_once: bool = False) -> Client:
        """A client on this device."""
        return open_test_client(
            self.transport,
            storage=self.storage,
            clock=self.clock,
            read_bytes=read_bytes,
            sends_at_once=sends_at_once,
        )

    @property
    def states(self) -> list[str]:
        """Those of its reports."""
        return [entry.state for entry in self.client.reports()]


def _half(count: int) -> bytes:
    """Random bytes that make a report wait for half of the time."""
    return HALF if count == len(HALF) else os.urandom(count)


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    """A survey whose issuer is on this machine."""
    return prepare(tmp_path / "issuer.sqlite", issuer=f"http://127.0.0.1:{free_port()}")


@pytest.fixture
def issuer(prepared: Prepared) -> Iterator[LiveIssuer]:
    """Its issuer, at the address in the survey."""
    assert prepared.survey.invited
    port = int(prepared.survey.invited.issuer.rpartition(":")[2])
    with live_issuer(prepared, port=port) as running:
        yield running


def over(device: Device, issuer: LiveIssuer) -> None:
    """Let collecting be over, for the issuer and for the device."""
    issuer.set_clock(AFTER)
    device.clock.set(AFTER.timestamp())


@pytest.mark.usefixtures("issuer")
def test_the_time_goes_on_over_a_restart(prepared: Prepared) -> None:
    """It is drawn once, and no flush shortens it."""
    device = Device(prepared, prepared.codes("nurses")[0])
    with device.client as client:
        client.submit(device.survey, {})
    device.clock.advance(DAY_S / 2 - 1)
    with device.opened(os.urandom) as client:
        assert client.flush().waiting == 1
        device.clock.advance(1)
        assert client.flush().sent == 1


def test_no_end_on_the_clock_of_the_device_holds_a_report_up(tmp_path: Path) -> None:
    """The survey may have been extended: the collector decides, and a report is sent at once."""
    prepared = prepare(
        tmp_path / "issuer.sqlite",
        issuer=f"http://127.0.0.1:{(port := free_port())}",
        closes=f"{AFTER:%Y-%m-%d}T23:00Z",
    )
    with live_issuer(prepared, port=port):
        submitting, held = (Device(prepared, code) for code in prepared.codes("nurses")[:2])
    held.client.submit(prepared.survey, {"asthma": True}, hold=True)
    for device in (submitting, held):
        device.clock.set(AFTER.timestamp() + 9 * DAY_S)
        with device.client as client:
            if device is held:
                assert client.send(prepared.survey)
            else:
                client.submit(prepared.survey, {"asthma": True})
            client.flush(5)
            assert device.states == ["sent"]


@pytest.mark.usefixtures("issuer")
def test_a_held_report_waits_from_the_moment_when_the_person_decides(prepared: Prepared) -> None:
    """Otherwise the time of the decision would be that of sending."""
    device = Device(prepared, prepared.codes("nurses")[0])
    with device.client as client:
        client.submit(device.survey, {}, hold=True)
        device.clock.advance(DAY_S)
        assert client.send(device.survey)
        device.clock.advance(DAY_S / 2 - 1)
        assert client.flush().waiting == 1
        device.clock.advance(1)
        assert client.flush().sent == 1


@pytest.mark.usefixtures("issuer")
def test_a_program_that_ends_soon_sends_at_once(prepared: Prepared) -> None:
    """The app says so when it opens the client."""
    device = Device(prepared, prepared.codes("nurses")[0], sends_at_once=True)
    with device.client as client:
        client.submit(device.survey, {})
        client.flush()
        assert device.states == ["sent"]


def test_where_few_collected_nothing_is_drawn_before_the_person_knows(
    issuer: LiveIssuer, prepared: Prepared
) -> None:
    """The number is asked for once, since it no longer changes."""
    first, second = prepared.codes("nurses")[:2]
    issuer.collect(prepared.survey, second)
    device = Device(prepared, first)
    over(device, issuer)
    with device.client as client:
        for shown in (None, 3):
            with pytest.raises(
                FewCollected, match=r"^only 2 people of the group have a token; show it,"
            ) as few:
                client.submit(device.survey, {}, collected=shown)
            assert few.value.count == 2
        assert device.states == []
        issuer.kill()
        assert client.token_count(device.survey) == 2
        client.submit(device.survey, {}, collected=2)
        assert device.states == ["waiting"]
        assert client.token_count(device.survey) == 2


def test_a_held_report_stays_so_until_the_person_knows_the_number(
    issuer: LiveIssuer, prepared: Prepared
) -> None:
    """Holding asks nobody; sending does."""
    device = Device(prepared, prepared.codes("doctors")[0])
    over(device, issuer)
    with device.client as client:
        client.submit(device.survey, {}, hold=True)
        with pytest.raises(FewCollected):
            client.send(device.survey)
        assert device.states == ["held"]
        assert client.send(device.survey, collected=1)
        assert device.states == ["waiting"]


def test_many_hold_nothing_up(tmp_path: Path) -> None:
    """Twenty are enough."""
    issuer_at = f"http://127.0.0.1:{(port := free_port())}"
    prepared = prepare(tmp_path / "many.sqlite", {"nurses": 20}, edition=1, issuer=issuer_at)
    first, *others = prepared.codes("nurses")
    with live_issuer(prepared, port=port) as issuer:
        device = Device(prepared, first)
        for code in others:
            issuer.collect(prepared.survey, code)
        over(device, issuer)
        with device.client as client:
            assert client.token_count(device.survey) == 20
            client.submit(device.survey, {})
            assert device.states == ["waiting"]


def test_the_issuer_is_asked_only_about_a_report_that_is_to_be_sent(
    issuer: LiveIssuer, prepared: Prepared
) -> None:
    """Other errors come first, and before the end nobody is asked."""
    device = Device(prepared, prepared.codes("nurses")[0])
    issuer.set_clock(AFTER)
    device.clock.set(UNTIL.timestamp() - 1)
    with device.client as client:
        assert client.token_count(device.survey) is None
        device.clock.set(AFTER.timestamp())
        assert not client.send(device.survey)
        client.submit(device.survey, {}, hold=True)
        with pytest.raises(AlreadyAnswered):
            client.submit(device.survey, {})
        assert client.decline(device.survey)
        assert not client.send(device.survey)
    stranger = Device(prepared)
    stranger.clock.set(AFTER.timestamp())
    with stranger.client as client:
        assert client.token_count(stranger.survey) is None
        with pytest.raises(InvalidToken):
            client.submit(stranger.survey, {})
