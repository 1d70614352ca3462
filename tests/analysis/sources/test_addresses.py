"""Addresses of surveys at a collector, and where a token may go."""

import pytest

from deniable_analysis import open_study
from deniable_analysis.errors import StudyNotFound, UnsafeAddress
from deniable_analysis.sources.addresses import Address
from live_server import ANALYST_TOKEN


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("https://example.org", r"got the address https://example\.org; allowed is that of a sur"),
        ("https://example.org/s/", r"allowed is that of a survey's page, like https://"),
        ("https://example.org/s/a/b", r"allowed is that of a survey's page, like https://"),
        ("https:///s/a", r"got an address that cannot be read"),
        ("https://[::1/s/a", r"got an address that cannot be read"),
    ],
)
def test_other_addresses_are_refused(url: str, problem: str) -> None:
    """An address that names no survey says what one looks like."""
    with pytest.raises(StudyNotFound, match=problem):
        open_study(url, token=ANALYST_TOKEN)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://example.org/s/a", r"got http:// to example\.org, which is not this machine"),
        ("http://127.0.0.1.example.org/s/a", r"which is not this machine: the token could be"),
        ("http://localhost@example.org/s/a", r"a name or password before the host; leave it out"),
        ("https://me:secret77@example.org/s/a", r"a name or password before the host"),
    ],
)
def test_a_token_is_not_sent_where_it_could_be_read(url: str, problem: str) -> None:
    """Nothing is sent in clear to another machine, and a password is not repeated."""
    with pytest.raises(UnsafeAddress, match=problem) as refused:
        open_study(url, token=ANALYST_TOKEN)
    assert "secret77" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "collector_url"),
    [
        ("http://127.0.0.1:8000/s/a", "http://127.0.0.1:8000"),
        ("http://[::1]:8000/s/a/", "http://[::1]:8000"),
        ("http://localhost/surveys/s/a", "http://localhost/surveys"),
        ("http://localhost/s/s/a", "http://localhost/s"),
        ("https://example.org/s/a?x=1#y", "https://example.org"),
        ("HTTPS://example.org/s/a", "https://example.org"),
    ],
)
def test_addresses_of_pages_are_read(url: str, collector_url: str) -> None:
    """The collector's routes begin where the page's address has /s/."""
    assert Address.of(url) == Address(collector_url, "a")
