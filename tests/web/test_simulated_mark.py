"""Simulated reports are marked wherever somebody could take them for answers of people."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient

from deniable_analysis import open_study
from deniable_collector.settings import Settings
from deniable_collector.store import Store, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_storage.ends import End, Ending
from deniable_web.commands import run
from deniable_web.pages.languages import catalog
from deniable_web.site import create_site
from deniable_web.stores.publication import publish_for_simulation
from sample_definitions import survey, yes_no
from there import there

DEFINITION = """
title: Simulated
slug: sim
epsilon: 2
questions: [{id: harassed, type: yes_no, text: Harassed?}]
"""
LABEL = catalog("results", "en")["surveys"]["simulated"]
SENTENCE = catalog("files", "en")["ends"]["simulated"]


@pytest.fixture
def location(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a simulated survey, and a published one."""
    monkeypatch.chdir(tmp_path)
    Path("survey.yaml").write_text(DEFINITION)
    Path("answers.csv").write_text("harassed\n" + "yes\nno\n" * 50)
    path = tmp_path / "store.sqlite"
    assert run(["simulate", "survey.yaml", "answers.csv", "--store", str(path)]) == 0
    with closing(open_store(path)) as store:
        store.publish(survey(yes_no(), slug="real"))
    return path


@pytest.fixture
def store(location: Path) -> Iterator[Store]:
    """The same, open."""
    with closing(open_store(location)) as opened:
        yield opened


@pytest.fixture
def client(store: Store) -> FlaskClient:
    """A browser of an owner."""
    token = make_token(Role.OWNER)
    store.add_token(AccessToken("anna", Role.OWNER), digest_of(token))
    found = create_site(store, Settings()).test_client()
    found.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return found


def test_the_pages_and_files_mark_it(client: FlaskClient) -> None:
    """The list, the results, the report, and the files; what people answered has no mark."""
    listed = client.get("/manage/surveys?lang=en").text
    real, _, simulated = listed.partition('id="survey-sim"')
    assert (LABEL in real, LABEL in simulated) == (False, True)
    base = "/manage/surveys/{}/results/{}?lang=en"
    marks = {
        "content": LABEL,
        "report.html": SENTENCE,
        "estimates.json": SENTENCE,
        "estimates.csv": SENTENCE,
    }
    for part, mark in marks.items():
        assert mark in client.get(base.format("sim", part)).text, part
        assert mark not in client.get(base.format("real", part)).text, part
    workbook = ZipFile(BytesIO(client.get(base.format("sim", "estimates.xlsx")).data))
    assert SENTENCE in workbook.read("xl/sharedStrings.xml").decode()
    for slug in ("sim", "real"):
        (edition,) = client.get(f"/api/surveys/{slug}/editions").get_json()["editions"]
        assert edition.get("is_simulated", False) is (slug == "sim")


def test_the_commands_mark_it(
    location: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The list, the results, and an export, which the analysis reads back."""
    where = ("--store", str(location))
    assert run(["list", "--format", "json", *where]) == 0
    states = {each["survey"]: each["state"] for each in json.loads(capsys.readouterr().out)}
    assert states == {"sim@1": "open, simulated", "real@1": "open"}
    assert run(["results", "sim", *where]) == 0
    assert "100 reports (simulated)" in capsys.readouterr().out
    file = tmp_path / "sim.parquet"
    assert run(["export", "sim", "--output", str(file), *where]) == 0
    assert open_study(str(file)).fieldwork().is_simulated


def test_the_mark_stays(store: Store, tmp_path: Path) -> None:
    """When the survey is closed, and when it is moved to another store."""
    ending = Ending(ended_by=End.HAND, is_simulated=True, is_given_out=True)
    assert there(store.close_survey("sim")).ending == ending
    assert there(store.find_survey("sim")).ending.is_simulated
    with closing(open_store(tmp_path / "other.sqlite")) as other:
        publish_for_simulation(other, survey(yes_no(), slug="again"))
        assert there(other.find_survey("again")).ending == Ending(is_simulated=True)


@pytest.mark.parametrize("end", [None, *End])
def test_it_is_recorded_beside_the_end(end: End | None) -> None:
    """And no other record takes it back."""
    ending = Ending(ended_by=end, is_simulated=True)
    assert Ending.of_row(*ending.to_row(), False) == ending
    plain = replace(ending, is_simulated=False)
    assert Ending.of_row(*plain.to_row(), False) == plain
    assert (ending.covers(plain), plain.covers(ending)) == (True, False)
