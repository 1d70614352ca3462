"""What is known of sites besides their counts: names, groups, response, and who is missing."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from analysis.study_files import add_reports as add_rows
from analysis.study_files import close_survey, write_store
from deniable_analysis import export_study, open_sites, open_study, pool_studies
from deniable_analysis.errors import InvalidArgument, NoGroups, SurveyNotFound, UnreadableStudy
from deniable_sdk import randomize
from deniable_sdk.canonical import JSON
from invitations import InvitedSurvey, survey_at_sites
from live_server import ANALYST_TOKEN, fill_site, live_collector
from sample_definitions import choice, survey, yes_no
from there import there

SITES = {"nurses": "north", "doctors": "south"}
SENT = {"nurses": 30, "doctors": 12}
INVITED = 100


def rows_of(group: str, count: int) -> list[dict[str, JSON]]:
    """Reports of a group, as a store has them."""
    return [{"_group": group, "order": place % 2} for place in range(count)]


@dataclass(frozen=True)
class Two:
    """The stores of two sites of a survey by invitation."""

    invited: InvitedSurvey
    north: Path
    south: Path

    @property
    def places(self) -> dict[str, str | Path]:
        """Both, by their names."""
        return {"north": self.north, "south": self.south}


@pytest.fixture
def two(tmp_path: Path) -> Two:
    """Nurses reported in the north, doctors in the south, and both sites are closed."""
    invited = survey_at_sites(SITES, yes_no("order", required=True))
    found = Two(invited, tmp_path / "north.sqlite", tmp_path / "south.sqlite")
    for (group, count), path in zip(SENT.items(), (found.north, found.south), strict=True):
        write_store(path, invited.published)
        add_rows(path, invited.published, rows_of(group, count))
        close_survey(path, invited.published)
    return found


def test_each_site_has_the_response_of_its_groups(two: Two) -> None:
    """So many of those invited there reported; no sentence says that somebody counts twice."""
    study = open_sites(two.places)
    found = study.estimate(by_site=True)
    assert (there(found.response).invited, there(found.response).reports) == (200, 42)
    by_site = there(found.by_site)
    assert [(each.site, each.invited, each.reports) for each in by_site.responses] == [
        ("north", INVITED, 30),
        ("south", INVITED, 12),
    ]
    assert [each.rate for each in by_site.responses] == [0.3, 0.12]
    assert study.about_sites == ()
    assert re.search(r"north\W+100\W+30\W+30\.0%", str(by_site))
    alone = study.sites["north"].estimate()
    assert there(alone.response).invited == INVITED


def test_numbers_are_those_of_one_store_with_all_groups(two: Two, tmp_path: Path) -> None:
    """Estimates, also by group and weighted by the invited people, to the last bit."""
    published, whole = two.invited.published, tmp_path / "whole.sqlite"
    write_store(whole, published)
    add_rows(whole, published, [row for group, n in SENT.items() for row in rows_of(group, n)])
    close_survey(whole, published)
    found, expected = open_sites(two.places), open_study(whole)
    assert found.estimate(by_group=True) == expected.estimate(by_group=True)
    assert found.winner("order") == expected.winner("order")
    assert found.group("doctors").estimate() == expected.group("doctors").estimate()


def test_without_groups_that_name_sites_only_reports_are_known(tmp_path: Path) -> None:
    """Nobody knows how many people could have answered at which site."""
    asked = survey(yes_no("order", required=True))
    for name in ("a", "b"):
        write_store(tmp_path / f"{name}.sqlite", asked)
        add_rows(tmp_path / f"{name}.sqlite", asked, [{"order": 1}, {"order": 0}])
    study = open_sites({name: tmp_path / f"{name}.sqlite" for name in ("a", "b")})
    by_site = there(study.estimate(by_site=True).by_site)
    assert [(each.invited, each.reports, each.rate) for each in by_site.responses] == [
        (None, 2, None)
    ] * 2
    assert by_site.warnings[0] == study.about_sites[0]
    assert "cannot be told apart" in str(by_site)


def test_a_site_may_be_left_out_and_every_result_says_so(two: Two) -> None:
    """The invited people are those of the others, and the reason is the caller's."""
    two.south.unlink()
    study = open_sites(two.places, without={"south": "withdrew on 1 December 2026"})
    sentence = (
        "this result is without the site 'south', which is missing: withdrew on 1 December 2026"
    )
    assert study.about_sites == (sentence,)
    found = study.estimate(by_site=True)
    assert found.reports == 30
    assert there(found.response).invited == study.population == INVITED
    assert there(found.by_site).sites == ("north",)
    assert f"sites: {sentence}" in found.warnings
    assert sentence in str(found)
    assert sentence in study.winner("order").warnings
    # A location that the caller does not have needs none.
    shorter = open_sites({"north": two.north}, without=["south"])
    assert shorter.about_sites == ("this result is without the site 'south'",)
    assert shorter.estimate() == replace(found, by_site=None, about_sites=shorter.about_sites)


def test_a_group_of_a_missing_site_has_no_numbers(two: Two) -> None:
    """No reports of it is not the same as nobody reporting."""
    study = open_sites(two.places, without=["south"])
    assert study.group("nurses").report_count == 30
    with pytest.raises(NoGroups, match="'doctors' are at the site 'south', which is not among"):
        study.group("doctors")
    grouped = there(study.estimate(by_group=True).by_group)
    assert [each.group for each in grouped.responses] == ["nurses"]
    assert not grouped.questions[0].why
    with pytest.raises(NoGroups, match=r"merge: the groups nurses \+ doctors are at several"):
        study.estimate(by_group=True, merge=[["nurses", "doctors"]])


Call = Callable[[Two], object]
WRONG: dict[str, tuple[Call, str]] = {
    "a list": (
        lambda two: open_sites([two.north, two.south]),
        "the survey names its sites: north, south; pass their locations by these names",
    ),
    "another name": (
        lambda two: open_sites({"nroth": two.north, "south": two.south}),
        "got the site 'nroth'; did you mean north",
    ),
    "a site that is not named": (
        lambda two: open_sites({"north": two.north}),
        r'the survey also has 1 site: south; pass the location, or without=\["south"\]',
    ),
    "nobody": (
        lambda two: open_sites(two.places, without=["north", "south"]),
        "at least one must be left",
    ),
    "a site that is none": (
        lambda two: open_sites(two.places, without=["suoth"]),
        "without: got 'suoth'; did you mean south",
    ),
    "a text": (
        lambda two: open_sites(two.places, without="south"),
        "without: got something of the type str; allowed is a list of the names",
    ),
    "a reason that is a number": (
        lambda two: open_sites(two.places, without={"south": 1}),  # type: ignore[dict-item]
        "without: got a reason that is not a text",
    ),
    "one location": (
        lambda two: open_sites(two.north, without=["south"]),  # type: ignore[arg-type]
        "locations: got something of the type .*; open_study takes one",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_names_that_do_not_fit_are_refused(two: Two, kind: str) -> None:
    """The message says which names there are."""
    call, message = WRONG[kind]
    with pytest.raises(InvalidArgument, match=message):
        call(two)


def test_reports_of_another_sites_group_are_found(two: Two) -> None:
    """A collector that was started without its name may have accepted them; no number then."""
    add_rows(two.north, two.invited.published, rows_of("doctors", 2))
    with pytest.raises(UnreadableStudy) as failure:
        open_sites(two.places)
    assert str(failure.value).startswith(
        "site 'north': it has 2 reports of the group 'doctors', which belongs to the site 'south'"
    )
    with pytest.raises(UnreadableStudy, match="site 'north': it has 12 reports of the group 'd"):
        open_sites({"north": two.south, "south": two.north})


def test_a_collector_says_which_site_it_is(tmp_path: Path) -> None:
    """A wrong name is refused; one without a name cannot be checked before it is closed."""
    invited = survey_at_sites(SITES, yes_no("order"))
    paths = {name: tmp_path / f"{name}.sqlite" for name in ("north", "south")}
    for group, name in SITES.items():
        fill_site(paths[name], [invited.report(invited.token(group))], invited.published)
    slug = invited.published.slug
    with (
        live_collector(paths["north"], environment={"DENIABLE_SITE": "north"}) as north,
        live_collector(paths["south"]) as south,
    ):
        places = {"north": f"{north.url}/s/{slug}", "south": f"{south.url}/s/{slug}"}
        study = open_sites(places, token=ANALYST_TOKEN)
        assert study.report_count == 2
        (unchecked,) = study.about_sites
        assert unchecked.startswith("site 'south': nobody has checked that it has no reports of")
        with pytest.raises(InvalidArgument) as failure:
            open_sites({"south": places["north"], "north": places["south"]}, token=ANALYST_TOKEN)
        assert str(failure.value).startswith(
            "site 'south': the collector at its location is that of the site 'north'"
        )
        for each in (north, south):
            assert each.owner("POST", f"/api/surveys/{slug}/close").status == 200
        assert open_sites(places, token=ANALYST_TOKEN).about_sites == ()


def test_an_export_has_no_groups_to_check(two: Two, tmp_path: Path) -> None:
    """The results say that nobody has checked it."""
    export_study(two.south, tmp_path / "south.ndjson")
    study = open_sites({"north": two.north, "south": tmp_path / "south.ndjson"})
    assert study.report_count == 42
    assert study.about_sites[0].startswith("site 'south': nobody has checked")


def test_sites_with_other_epsilons_are_pooled_by_name(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Their counts do not add up; the error says so, and what to call, which then works."""
    asked = {
        name: survey(choice("region", 3), yes_no("order"), epsilon=epsilon)
        for name, epsilon in (("north", 2), ("south", 4))
    }
    for name, published in asked.items():
        reports = [
            randomize(
                published,
                {"order": random_source.random() < 0.4, "region": "o1"},
                read_bytes=random_source.randbytes,
            )
            for _ in range(200)
        ]
        fill_site(tmp_path / f"{name}.sqlite", reports, published)
    places = {name: tmp_path / f"{name}.sqlite" for name in asked}
    with pytest.raises(SurveyNotFound) as failure:
        open_sites(places)
    assert "it asks the same questions with epsilon 4, and 'north' with 2" in str(failure.value)
    assert 'pool_studies({"north": open_study(...), ...})' in str(failure.value)
    alone = {name: open_study(place) for name, place in places.items()}
    pooled = pool_studies(alone, "order")
    assert pooled.editions == ("north", "south")
    assert pooled.questions[0].editions == ("north", "south")
    assert "% south" in pooled.questions[0].title
    listed = pool_studies([*alone.values()], "order")
    assert replace(listed.questions[0], editions=()) == replace(pooled.questions[0], editions=())


def test_a_study_has_one_name(two: Two) -> None:
    """The respondents of two names must be different people."""
    study = open_study(two.north)
    with pytest.raises(InvalidArgument, match="got a study under two names"):
        pool_studies({"a": study, "b": study})
