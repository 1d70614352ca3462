"""deniable federate: what each site gets, what the analyst gets, and what nobody else does."""

import json
import re
import stat
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from deniable_analysis import open_sites
from deniable_analysis.errors import StudyRefused
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, is_token
from deniable_sdk import PublishedSurvey
from deniable_web.commands import run
from free_ports import free_port
from invitations import invitation, key
from live_server import live_collector

QUESTION = {"id": "order", "type": "yes_no", "text": "Did you order?"}
ADDRESSES = {"north": "https://north.example.org", "south": "https://south.example.org/surveys"}


def definition(folder: Path, **more: Any) -> Path:
    """A definition in a file."""
    path = folder / "survey.json"
    document = {"title": "Orders", "slug": "orders", "epsilon": 2, "questions": [QUESTION], **more}
    path.write_text(json.dumps(document))
    return path


def federate(capsys: pytest.CaptureFixture[str], path: Path, *sites: str) -> tuple[int, str, str]:
    """How the command ended, and what it printed."""
    options = [part for site in sites for part in ("--site", site)]
    code = run(["federate", str(path), *options, "--output", str(path.parent / "out")])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.out + captured.err
    return code, captured.out, captured.err


def given(addresses: dict[str, str]) -> list[str]:
    """Sites as arguments."""
    return [f"{name}={address}" for name, address in addresses.items()]


def test_every_site_gets_the_same_survey_and_no_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tokens are in the analyst's file alone, which only its owner may read."""
    code, out, err = federate(capsys, definition(tmp_path), *given(ADDRESSES))
    assert code == 0, err
    folder = tmp_path / "out"
    analyst = folder / "analyst.json"
    assert stat.S_IMODE(analyst.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    found = json.loads(analyst.read_text())
    assert found["locations"] == {name: f"{each}/s/orders" for name, each in ADDRESSES.items()}
    assert out == f"{found['digest']}\n"
    assert found["tokens"].keys() == ADDRESSES.keys()
    assert len(set(found["tokens"].values())) == len(ADDRESSES)
    documents = set()
    for name, token in found["tokens"].items():
        assert is_token(token)
        assert token not in out + err
        files = [path for path in (folder / name).rglob("*") if path.is_file()]
        assert all(token.encode() not in path.read_bytes() for path in files)
        documents.add((folder / name / "survey.json").read_bytes())
        assert (folder / name / "site.env").read_text() == (
            f"DENIABLE_SITE={name}\nDENIABLE_ADDRESS={ADDRESSES[name]}\n"
            "DENIABLE_STORE=deniable.sqlite\n"
        )
        with closing(open_store(folder / name / "deniable.sqlite", must_exist=True)) as store:
            (access,) = store.list_tokens()
            assert access == AccessToken("federation", Role.ANALYST, frozenset({"orders"}))
            (stored,) = store.list_surveys()
            assert stored.survey.document == (folder / name / "survey.json").read_bytes()
    (document,) = documents
    assert PublishedSurvey.from_bytes(document, digest=found["digest"]).slug == "orders"


@pytest.mark.deep
def test_the_folders_start_collectors_that_the_analyst_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A token opens the counts of its own site, and closes and publishes nothing."""
    addresses = {name: f"http://127.0.0.1:{free_port()}" for name in ADDRESSES}
    code, _, err = federate(capsys, definition(tmp_path), *given(addresses))
    assert code == 0, err
    found = json.loads((tmp_path / "out" / "analyst.json").read_text())
    with ExitStack() as running:
        locations, collectors = {}, {}
        for name in addresses:
            store = tmp_path / "out" / name / "deniable.sqlite"
            settings = dict(
                line.split("=", 1) for line in store.with_name("site.env").read_text().splitlines()
            )
            collectors[name] = running.enter_context(live_collector(store, environment=settings))
            locations[name] = f"{collectors[name].url}/s/orders"
        study = open_sites(locations, token=found["tokens"])
        assert study.report_count == 0
        assert list(study.sites) == list(ADDRESSES)
        swapped = dict(zip(found["tokens"], reversed(found["tokens"].values()), strict=True))
        with pytest.raises(StudyRefused, match="site 'north'"):
            open_sites(locations, token=swapped)
        for name, collector in collectors.items():
            bearer = {"Authorization": f"Bearer {found['tokens'][name]}"}
            closed = collector.send("POST", "/api/surveys/orders/close", headers=bearer)
            assert closed.status == 401


WRONG = {
    "no address": (["north", "south=https://a.org"], "got the site 'north'; allowed is NAME=ADD"),
    "no name": (["=https://a.org"], "got the site '=https://a.org'; allowed is NAME=ADDRESS"),
    "twice": (["north=https://a.org", "north=https://b.org"], "got the site 'north' twice"),
    "one": (["north=https://a.org"], "got 1 of at least 2 sites; repeat --site"),
    "none": ([], "got 0 of at least 2 sites"),
    "one address": (
        ["north=https://a.org", "south=https://A.org/"],
        "two sites have the same address; each needs a collector",
    ),
    "no collector": (
        ["north=a.org", "south=https://b.org"],
        "the address of the site 'north': got 'a.org'; allowed is an address like",
    ),
    "an open line": (
        ["north=http://a.org", "south=https://b.org"],
        "the address of the site 'north': got http:// to a.org, which is not this machine",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_sites_that_cannot_be_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """Before anything is written."""
    sites, message = WRONG[kind]
    code, _, err = federate(capsys, definition(tmp_path), *sites)
    assert code == 1
    assert message in " ".join(err.split())
    assert not (tmp_path / "out").exists()


def test_the_sites_are_those_that_the_groups_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A site without its groups would collect nothing."""
    keys = {name: key(place) for place, name in enumerate(("nurses", "doctors"))}
    named = invitation(keys, sites={"nurses": "north", "doctors": "south"})
    path = definition(tmp_path, invited=named)
    code, _, err = federate(capsys, path, "north=https://a.org", "east=https://b.org")
    assert code == 1
    assert "got the sites north, east, and the groups of the survey name: north, south" in err
    code, _, err = federate(capsys, path, *given(ADDRESSES))
    assert code == 0, err


def test_what_cannot_be_published_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A group without a key is found before a site gets its folder."""
    named = {"issuer": "https://c.org", "groups": {"nurses": {"invited": 20}}}
    code, _, err = federate(capsys, definition(tmp_path, invited=named), *given(ADDRESSES))
    assert code == 1
    assert re.search(r"nurses.*deniable issuer keys", err.replace("\n", " "))
    assert not (tmp_path / "out").exists()


def test_an_existing_folder_is_never_written_into(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It could be the folder of another federation, with stores that have reports."""
    (tmp_path / "out").mkdir()
    code, _, err = federate(capsys, definition(tmp_path), *given(ADDRESSES))
    assert code == 1
    assert "cannot be made (File exists); name a new folder with --output" in " ".join(err.split())
    assert list((tmp_path / "out").iterdir()) == []
