"""An app that answers surveys and may be killed at any time.

python host.py COLLECTOR FOLDER SLUG...: answers each survey that this device
has not answered, sends what waits, and ends when nothing does. Time passes
many times as fast, so that waiting takes little of it.
"""

import logging
import sys
import threading
import time

from deniable_sdk import AlreadyAnswered, CollectorUnreachable, StorageUnavailable, open_client

HASTE = 100
CANARY = "zebrafinch"


class HastyClock:
    """A clock that runs ahead of time."""

    def now(self) -> float:
        """Seconds, each of them short."""
        return time.time() * HASTE

    def wait(self, event: threading.Event, timeout_s: float) -> None:
        """Wait for so many short seconds."""
        event.wait(timeout_s / HASTE)


def main(collector: str, folder: str, *slugs: str) -> None:
    """Answer what is not answered, and end when all is sent."""
    logging.basicConfig(level=logging.DEBUG, format="%(name)s %(message)s")
    client = open_client(
        collector, consent=True, folder=folder, clock=HastyClock(), yearly_cap=None
    )
    assert client.is_durable, client.storage_problem
    known = {entry.slug for entry in client.reports()}
    for slug in slugs:
        while slug not in known:
            try:
                survey = client.get_survey(slug)
                asked = client.draw(survey)
                client.submit(survey, {"canary": CANARY}, blocks=asked.blocks)
            except AlreadyAnswered:
                break
            except (CollectorUnreachable, StorageUnavailable):
                continue
            known.add(slug)
    while client.flush().waiting:
        time.sleep(0.02)
    client.shut_down()


if __name__ == "__main__":
    main(*sys.argv[1:])
