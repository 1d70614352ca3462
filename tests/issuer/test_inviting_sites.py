"""deniable invite and deniable remind for one of several sites."""

from pathlib import Path

import pytest

from organiser import ANNA, BEN, CARLA, Organiser

SITES = {"nurses": "north", "doctors": "south"}
NORTH, SOUTH = ("--site", "north"), ("--site", "south")


@pytest.fixture
def organiser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Organiser:
    """A folder with the store of an issuer for two sites."""
    monkeypatch.chdir(tmp_path)
    return Organiser(tmp_path, capsys, sites=SITES)


def test_people_of_another_site_get_no_code(organiser: Organiser) -> None:
    """A list with somebody of another site is refused as a whole, with the line."""
    organiser.list_people([f"{ANNA},nurses", f"{BEN},doctors"])
    ended = organiser.invite("--links", "links.csv", *NORTH)
    assert ended.code == 1
    assert ":3: group: it is not a group of the survey, or of this site" in ended.err
    assert "allowed are: nurses" in ended.err
    assert organiser.groups() == {}
    organiser.list_people([f"{ANNA},nurses"])
    assert organiser.invite("--links", "links.csv", *NORTH).code == 0
    assert organiser.groups() == {"nurses": 1}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--site: got nothing; the links lead to the collector of one site"),
        (("--site", "west"), "--site: got 'west'; the links lead"),
    ],
    ids=["none", "unknown"],
)
def test_links_need_the_site_of_their_collector(
    organiser: Organiser, options: tuple[str, ...], said: str
) -> None:
    """Without it, or with another name, both commands list the sites and do nothing."""
    organiser.list_people([f"{ANNA},nurses"])
    for ended in (
        organiser.invite("--links", "links.csv", *options),
        organiser.remind("--links", "links.csv", *options),
    ):
        assert ended.code == 2
        assert said in ended.err
        assert "north, south" in ended.err
    assert organiser.groups() == {}


def test_a_reminder_is_for_people_of_one_site(organiser: Organiser) -> None:
    """Others keep their codes, which lead to another collector."""
    organiser.list_people([f"{ANNA},nurses", f"{CARLA},nurses"])
    organiser.invite("--links", "north.csv", *NORTH)
    organiser.list_people([f"{BEN},doctors"])
    organiser.invite("--links", "south.csv", *SOUTH)
    assert organiser.remind("--links", "again.csv", *NORTH).code == 0
    assert organiser.codes("again.csv").keys() == {ANNA, CARLA}
    assert organiser.knows(organiser.codes("south.csv")[BEN])
    only = organiser.list_people([f"{BEN},doctors"], "only.csv")
    ended = organiser.remind("--links", "other.csv", "--only", str(only), *NORTH)
    assert ended.code == 1
    assert "or of this site" in ended.err


def test_a_survey_without_sites_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its codes work at any collector, so a name is a mistake."""
    monkeypatch.chdir(tmp_path)
    organiser = Organiser(tmp_path, capsys)
    organiser.list_people([f"{ANNA},nurses"])
    ended = organiser.invite("--links", "links.csv", *NORTH)
    assert ended.code == 2
    assert "the survey has no sites; leave it out" in ended.err
