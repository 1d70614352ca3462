"""Opening a client."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

from deniable_sdk.addresses import read_address
from deniable_sdk.client.client import Client
from deniable_sdk.client.options import Clock, Options, SystemClock, read_cap, require_consent
from deniable_sdk.client.storage.contract import Storage
from deniable_sdk.client.storage.opening import open_storage
from deniable_sdk.client.transport import HttpTransport, Transport
from deniable_sdk.log import read_log_key
from deniable_sdk.randomness import system_bytes
from deniable_sdk.weights import SURVEY_CAP, YEARLY_CAP


def open_client(  # noqa: PLR0913 - an app names the few that it needs
    collector: str,
    *,
    consent: bool,
    folder: str | os.PathLike[str] | None = None,
    storage: Storage | None = None,
    transport: Transport | None = None,
    clock: Clock | None = None,
    epsilon_cap: Fraction | float | str | None = SURVEY_CAP,
    yearly_cap: Fraction | float | str | None = YEARLY_CAP,
    sends_at_once: bool = False,
    log_key: str | None = None,
) -> Client:
    """A client of this collector, which sends reports that wait on this device.

    Args:
        collector: its address, like https://example.org.
        consent: whether the person has agreed: True itself.
        folder: where its file is kept; the platform's data folder if left
            out, which the apps of one person share.
        storage: another place to keep reports, instead of a file.
        transport: a transport of the app, instead of HTTP.
        clock: another clock than the system's.
        epsilon_cap: the most that one survey may spend, a panel in all its
            waves; None for no cap.
        yearly_cap: the most that all surveys of 365 days may spend together on
            this device; None for no cap.
        sends_at_once: whether reports with a token are sent at once too, for
            programs that end soon; they wait a random time if left out.
        log_key: the key of the collector's public log, in base64url; with it
            `get_survey` refuses surveys that are not in the signed log.
    Raises:
        ConsentRequired: consent is anything but True.
        InvalidAddress: the collector's is not an http or https address.
        InvalidLog: the log_key is not a key.
        ValueError: a cap is not from 0.01 to 10.
    """
    require_consent(consent)
    if log_key is not None:
        read_log_key(log_key)
    address = read_address(collector)
    caps = read_cap(epsilon_cap), read_cap(yearly_cap)
    return Client(
        Options(
            collector=address,
            storage=storage or open_storage(None if folder is None else Path(folder)),
            transport=transport or HttpTransport(address),
            clock=clock or SystemClock(),
            read_bytes=system_bytes,
            epsilon_cap=caps[0],
            yearly_cap=caps[1],
            sends_at_once=sends_at_once,
            log_key=log_key,
        )
    )
