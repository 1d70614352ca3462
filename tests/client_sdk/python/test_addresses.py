"""One collector has one address, in both languages, and so one ledger."""

import itertools
import json
from pathlib import Path

import pytest

from deniable_sdk import AlreadyAnswered, open_client
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.client import HttpTransport, MemoryStorage
from deniable_sdk.testing import RecordingTransport
from sample_definitions import survey, yes_no
from vectors.addresses import NONE, SAME

VECTORS = Path(__file__).parents[2] / "vectors" / "addresses.json"


def test_every_address_of_the_vectors() -> None:
    """JavaScript, by the parser of browsers, reads the same 1,500 in the same way."""
    cases = json.loads(VECTORS.read_text("ascii"))
    read = 0
    for case in cases:
        if case["address"] is None:
            with pytest.raises(InvalidAddress):
                read_address(case["given"])
        else:
            read += 1
            assert read_address(case["given"]) == case["address"]
            assert read_address(case["address"]) == case["address"]
    assert 400 < read < len(cases) - 400


@pytest.mark.parametrize("row", SAME, ids=lambda row: row[0])
def test_one_collector_has_one_ledger(row: list[str]) -> None:
    """Another edition of a survey is another one, however the address is written."""
    editions = itertools.count()
    storage = MemoryStorage()

    def answer(address: str, **more: object) -> None:
        published = survey(yes_no(), title=f"{next(editions)}", epsilon=0.1)
        with open_client(
            address, consent=True, storage=storage, transport=RecordingTransport()
        ) as client:
            client.submit(published, {}, **more)  # type: ignore[arg-type]

    answer(row[0])
    for address in row:
        with pytest.raises(AlreadyAnswered):
            answer(address)
        with open_client(
            address, consent=True, storage=storage, transport=RecordingTransport()
        ) as client:
            assert len(client.reports()) == 1
            assert {one.collector for one in client.spent().surveys} == {row[0]}
        assert HttpTransport(address).address == row[0]


@pytest.mark.parametrize("address", NONE)
def test_what_is_read_in_different_ways_is_refused(address: str) -> None:
    """The message says how to write it, and repeats no password."""
    with pytest.raises(InvalidAddress, match=r"allowed is .*other letters as xn--") as refused:
        read_address(address)
    assert "name@" not in str(refused.value)


def test_a_name_that_is_encoded_may_have_any_letters() -> None:
    """What is refused as it is written by hand can be written in its xn-- form."""
    for name in ("xn--fuball-cta.de", "xn--mgbh0fb.example", "xn--nxasmm1c.gr", "xn--h2brj9c.in"):
        assert read_address(f"https://{name}") == f"https://{name}"
