"""Settings from the environment."""

from dataclasses import replace
from pathlib import Path

import pytest

from deniable_collector import settings, signing
from deniable_collector.errors import InvalidSettings
from deniable_collector.settings import Settings
from deniable_collector.signing import write_key_file
from live_issuer import signing_key

NO_NUMBERS = (
    settings.LOG,
    settings.LOG_KEY,
    settings.FRAME_ANCESTORS,
    settings.ADDRESS,
    settings.SITE,
    settings.BACKUPS,
)
VARIABLES = [value for name, value in vars(settings).items() if name.isupper() and name[0] != "_"]

NUMBERS = [name for name in VARIABLES if name not in NO_NUMBERS]


def test_an_empty_environment_gives_the_defaults() -> None:
    """What is unset or empty is as if it were never named."""
    empty = dict.fromkeys(VARIABLES, "")
    assert Settings.from_environment({}) == Settings.from_environment(empty) == Settings()
    assert (Settings().max_body_bytes, Settings().max_batch_reports) == (4_194_304, 10_000)


def test_every_setting_is_read(tmp_path: Path) -> None:
    """Each variable sets the one thing it names."""
    write_key_file(tmp_path / "log.key", signing_key("log"))
    given = {
        "DENIABLE_MAX_BODY_BYTES": "2048",
        "DENIABLE_MAX_BATCH_REPORTS": "7",
        "DENIABLE_MAX_WAITING_REPORTS": "8",
        "DENIABLE_RATE_LIMIT": "0",
        "DENIABLE_PROXIES": "2",
        "DENIABLE_LOG": "json",
        "DENIABLE_LOG_KEY": str(tmp_path / "log.key"),
        "DENIABLE_FRAME_ANCESTORS": "'self' https://example.org:8443 https://*.example.net",
        "DENIABLE_ADDRESS": "https://EXAMPLE.org/",
        "DENIABLE_SITE": "north",
        "DENIABLE_BACKUPS": "/var/backups/deniable",
    }
    assert given.keys() == set(VARIABLES)
    found = Settings.from_environment(given)
    assert found.log_key is not None
    assert found.log_key.modulus == signing_key("log").modulus
    assert replace(found, log_key=None) == Settings(
        max_body_bytes=2048,
        max_batch_reports=7,
        max_waiting_reports=8,
        rate_limit=0,
        proxies=2,
        log="json",
        frame_ancestors="'self' https://example.org:8443 https://*.example.net",
        address="https://example.org",
        site="north",
        backups="/var/backups/deniable",
    )


@pytest.mark.parametrize("text", ["-1", "many", "1.5", "１２３４", "9" * 5000, " 2048"])
@pytest.mark.parametrize("name", NUMBERS)
def test_an_impossible_number_is_refused(name: str, text: str) -> None:
    """The message names the variable, what it was, and the range."""
    with pytest.raises(InvalidSettings, match=rf"{name}: got '.*; allowed is a whole number"):
        Settings.from_environment({name: text})


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("DENIABLE_MAX_BODY_BYTES", "1023", "from 1024 to 268435456; leave it out for 4194304"),
        ("DENIABLE_MAX_BATCH_REPORTS", "0", "from 1 to 1000000; leave it out for 10000"),
        ("DENIABLE_MAX_WAITING_REPORTS", "0", "from 1 to 10000000; leave it out for 20000"),
        ("DENIABLE_RATE_LIMIT", "1000001", "from 0 to 1000000; leave it out for 600"),
        ("DENIABLE_PROXIES", "17", "from 0 to 16; leave it out for 0"),
    ],
)
def test_a_number_out_of_its_range_is_refused(name: str, text: str, allowed: str) -> None:
    """The message says which numbers are allowed."""
    with pytest.raises(InvalidSettings, match=f"{name}: got '{text}'; .* {allowed}"):
        Settings.from_environment({name: text})


def test_all_problems_are_told_at_once() -> None:
    """An operator does not have to start three times to hear three faults."""
    wrong = dict.fromkeys(VARIABLES, "?")
    with pytest.raises(InvalidSettings) as caught:
        Settings.from_environment(wrong)
    assert [line.split(":")[0] for line in str(caught.value).split("\n")] == VARIABLES


def test_a_key_that_cannot_be_used_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A collector whose log should be signed does not start without its key."""
    path = tmp_path / "log.key"
    with pytest.raises(
        InvalidSettings, match=r"DENIABLE_LOG_KEY: .* cannot be read \(No such file"
    ):
        Settings.from_environment({"DENIABLE_LOG_KEY": str(path)})
    path.write_bytes(b"secret")
    with pytest.raises(
        InvalidSettings, match="DENIABLE_LOG_KEY: a private key is damaged"
    ) as caught:
        Settings.from_environment({"DENIABLE_LOG_KEY": str(path)})
    assert "secret" not in str(caught.value)
    monkeypatch.setattr(signing, "find_spec", lambda _name: None)
    with pytest.raises(
        InvalidSettings, match=r"DENIABLE_LOG_KEY: .*pip install 'deniable\[web,issuer"
    ):
        Settings.from_environment({"DENIABLE_LOG_KEY": str(path)})


@pytest.mark.parametrize(
    "text",
    ["example.org", "* https://a.org", "none", "https://a.org; script-src *", "javascript:a"],
)
def test_what_is_no_list_of_sites_is_refused(text: str) -> None:
    """Nothing but sites can get into the policy of a page."""
    with pytest.raises(InvalidSettings, match=r"DENIABLE_FRAME_ANCESTORS: got .* allowed is"):
        Settings.from_environment({"DENIABLE_FRAME_ANCESTORS": text})


@pytest.mark.parametrize("text", ["example.org", "https://a.org?b", "ftp://a.org", "https://"])
def test_what_is_no_address_is_refused(text: str) -> None:
    """Devices must be able to send reports to the address."""
    with pytest.raises(InvalidSettings, match=r"DENIABLE_ADDRESS: got .* allowed is an address"):
        Settings.from_environment({"DENIABLE_ADDRESS": text})


@pytest.mark.parametrize("text", ["North", "north clinic", "1north", "n" * 41, "north\n"])
def test_what_is_no_name_of_a_site_is_refused(text: str) -> None:
    """A name with a mistake would refuse every report."""
    with pytest.raises(InvalidSettings, match=r"DENIABLE_SITE: got .* allowed is a lower-case"):
        Settings.from_environment({"DENIABLE_SITE": text})
