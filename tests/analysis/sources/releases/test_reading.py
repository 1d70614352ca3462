"""What a study of releases can do, and files and analyses that are refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.closed_stores import ASKED, write
from analysis.study_files import add_reports, close_survey, write_store
from deniable_analysis import (
    Channel,
    Study,
    compare,
    export_release,
    open_sites,
    open_study,
    pool_studies,
    share_above,
)
from deniable_analysis.errors import (
    InvalidArgument,
    NoGroups,
    ReleasedCounts,
    StudyNotFound,
    UnreadableStudy,
)
from deniable_analysis.estimate.noise import Noise
from deniable_sdk import DeniableError
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import Subset
from deniable_storage.ends import End
from invitations import survey_at_sites
from sample_definitions import yes_no
from there import there


def test_estimates_name_the_noise(store: Path) -> None:
    """Numbers of reports are exact; intervals are wider; the release has a part of its own."""
    # With little noise the release shows that somebody answered; otherwise it has no mean.
    release = store.with_name("north.json")
    export_release(store, release, epsilon=10, site="north")
    found, exact = open_study(release).estimate(), open_study(store).estimate()
    assert found.reports == exact.reports == 100
    assert found.interval == exact.interval == "wilson"
    for one, other in zip(found.questions, exact.questions, strict=True):
        assert one.reports == other.reports
        for noisy, plain in zip(one.options, other.options, strict=True):
            assert there(noisy.release_variance) > 0
            assert plain.release_variance is None
            assert there(noisy.standard_error) ** 2 > 0.999 * there(noisy.release_variance)
    mean = there(found.questions[3].mean)
    parts = mean.mechanism_variance, mean.sampling_variance, mean.release_variance
    assert there(mean.variance) == pytest.approx(sum(there(each) for each in parts))
    assert "sd release" in str(found)
    assert "sd release" not in str(exact)
    assert "warning: the counts of north.json have noise" in str(found)
    (option,) = found.to_document()["questions"][1]["options"][:1]
    assert option["release_variance"] == there(found.questions[1].options[0].release_variance)


def test_both_options_of_a_pair_follow_from_one_count(release: Path) -> None:
    """Their shares sum to exactly 1, and both have the variance of one noise."""
    yes, no = open_study(release).estimate("order").questions[0].options
    assert there(yes.share) + there(no.share) == pytest.approx(1, abs=1e-12)
    assert yes.release_variance == no.release_variance


def test_a_federation_adds_counts_and_variances(store: Path, release: Path) -> None:
    """A release and a store, and two releases, are one study of 150 or 200 reports."""
    other = write(store.with_name("south.sqlite"), 50)
    study = open_sites({"north": release, "south": other})
    assert study.report_count == 150
    alone = {name: study.sites[name].estimate("region") for name in study.sites}
    found = study.estimate("region", by_site=True)
    option, first = found.questions[0].options[0], alone["north"].questions[0].options[0]
    expected = there(first.release_variance) * (100 / 150) ** 2
    assert there(option.release_variance) == pytest.approx(expected)
    weighted = there(first.share) * 100 + there(alone["south"].questions[0].options[0].share) * 50
    assert there(option.share) == pytest.approx(weighted / 150)
    assert found.about_sites[-1].startswith("the counts of north.json have noise")
    by_site = there(found.by_site).questions[0].shares[0]
    assert [each.value for each in by_site.sites] == [
        alone[name].questions[0].options[0].share for name in ("north", "south")
    ]
    again = store.with_name("east.json")
    export_release(write(store.with_name("east.sqlite")), again, epsilon="0.5", site="east")
    both = open_sites({"north": release, "east": again}).estimate("region")
    noise = there(both.questions[0].options[0].release_variance)
    region = ASKED.blocks[0].mechanism
    assert isinstance(region, Subset)
    spread = float(Channel.of(region).spread)
    assert noise == pytest.approx(
        Noise((8, 16), balanced=region.domain_size).variance / (200 * spread) ** 2
    )


def test_differences_between_sites_use_the_larger_variances(store: Path) -> None:
    """The standard error of the mean of the sites has the noise of the releases."""
    paths = {name: store.with_name(f"{name}.json") for name in ("north", "south")}
    for name, path in paths.items():
        export_release(store, path, epsilon="0.2", site=name)
    found = there(open_sites(paths).estimate("region", by_site=True).by_site)
    exact = open_sites({"a": store, "b": write(store.with_name("b.sqlite"))})
    plain = there(exact.estimate("region", by_site=True).by_site)
    for noisy, without in zip(found.questions[0].shares, plain.questions[0].shares, strict=True):
        assert there(noisy.standard_error) > 2 * there(without.standard_error)


REFUSED: dict[str, Callable[[Study], object]] = {
    "crosstab": lambda study: study.crosstab("region", "order"),
    "independence": lambda study: study.independence("region", "order"),
    "compare_groups": lambda study: study.compare_groups("region", "order", ("yes", "no")),
    "winner": lambda study: study.winner("region"),
    "quantiles": lambda study: study.quantiles("stress"),
    "survival": lambda study: study.survival("stress"),
    "regress": lambda study: study.regress("order ~ region"),
    "share_above": lambda study: share_above(study, "stress", 3),
    "pool_studies": lambda study: pool_studies([study], "region"),
    "compare": lambda study: compare(study, replace(study), "region"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_noise_does_not_allow_is_refused(name: str, release: Path, store: Path) -> None:
    """Also for a federation with one release; the message says what is possible and what to do."""
    south = write(store.with_name("south.sqlite"), 50)
    for study in (open_study(release), open_sites({"north": release, "south": south})):
        with pytest.raises(ReleasedCounts) as failure:
            REFUSED[name](study)
        assert "possible are estimate() and estimate(by_site=True)" in str(failure.value)
        assert "ask the site to run other analyses on its own store" in str(failure.value)


def test_an_unplanned_end_leaves_means_without_an_interval(tmp_path: Path) -> None:
    """Shares hold at every look; a mean has none, and a sentence says what to do."""
    path = write(tmp_path / "store.sqlite", end=End.MARGIN)
    export_release(path, tmp_path / "north.json", epsilon=4)
    found = open_study(tmp_path / "north.json").estimate()
    assert found.interval == "anytime"
    stress = found.questions[3]
    mean = there(stress.mean)
    assert (mean.low, mean.high) == (None, None)
    assert all(
        option.low is not None for question in found.questions for option in question.options
    )
    assert "pass interval='wilson'" in stress.warnings[-1]
    once = open_study(tmp_path / "north.json").estimate(interval="wilson").questions[3]
    assert there(once.mean).low is not None
    assert not any("every look" in warning for warning in once.warnings)


def test_a_survey_by_invitation_is_released_without_groups(tmp_path: Path) -> None:
    """Everybody knows how many are invited; results by group are refused; names are checked."""
    sites = {"nurses": "north", "doctors": "south"}
    published = survey_at_sites(sites, yes_no("order", required=True)).published
    for group, name in sites.items():
        path = tmp_path / f"{name}.sqlite"
        write_store(path, published)
        rows: list[dict[str, JSON]] = [{"_group": group, "order": each % 2} for each in range(20)]
        add_reports(path, published, rows)
        close_survey(path, published)
        export_release(path, tmp_path / f"{name}.json", epsilon=1, site=name)
    places = {name: tmp_path / f"{name}.json" for name in ("north", "south")}
    found = open_sites(places).estimate()
    assert there(found.response).reports == 40
    with pytest.raises(NoGroups, match="without their groups"):
        open_sites(places).estimate(by_group=True)
    with pytest.raises(
        InvalidArgument, match="the release at its location is that of the site 'so"
    ):
        open_sites({"north": places["south"], "south": places["north"]})
    with pytest.raises(
        InvalidArgument, match="got no name of the site; the survey names its sites"
    ):
        export_release(tmp_path / "north.sqlite", tmp_path / "new.json", epsilon=1)
    with pytest.raises(
        InvalidArgument, match="got the site 'east'; the survey names its sites: nor"
    ):
        export_release(tmp_path / "north.sqlite", tmp_path / "new.json", epsilon=1, site="east")


def _changed(**members: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.update(members)


def _block(**members: JSON) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["blocks"][0].update(members)


DAMAGED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a missing member": (lambda document: document.pop("neighbours"), "its members are not those"),
    "another mechanism": (_changed(mechanism="gaussian"), "its members are not those"),
    "another relation": (_changed(neighbours="none"), "its members are not those"),
    "a float": (_changed(reports=1.5), "a number with decimals"),
    "an epsilon that is none": (_changed(epsilon="many"), "allowed is a number from 0.01"),
    "a smaller epsilon": (_changed(epsilon="0.5"), "the scales of its noise are too small"),
    "other numbers of reports": (_changed(reports=99), "numbers of reports contradict each other"),
    "no end": (_changed(ended_by="never"), "never"),
    "a block less": (lambda document: document["blocks"].pop(), "its blocks are not those"),
    "another block": (_block(block="order"), "its blocks are not those"),
    "a scale of 0": (_block(scale=[0, 1]), "its blocks are not those"),
    "a count less": (_block(counts=[1, 2]), "its blocks are not those"),
    "a count that is none": (_block(counts=[1, 2, "3"]), "its blocks are not those"),
    "bits of too few": (
        lambda document: document["blocks"][2]["drawn"].pop(),
        "its blocks are not those",
    ),
    "too many bits": (
        lambda document: document["blocks"][2].update(drawn=[101, 99, 100, 100]),
        "its blocks are not those",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_release_is_refused(name: str, release: Path) -> None:
    """The message says what is wrong, and what to do."""
    damage, problem = DAMAGED[name]
    document = json.loads(release.read_text())
    damage(document)
    release.write_text(json.dumps(document, indent=1))
    with pytest.raises(UnreadableStudy) as failure:
        open_study(release).estimate()
    assert "cannot be read as a release: " in str(failure.value)
    assert problem in str(failure.value)
    assert "ask the site for the file again" in str(failure.value)


def test_another_document_is_not_the_released_survey(release: Path) -> None:
    """The digest is checked, as everywhere."""
    document = json.loads(release.read_text())
    document["survey"]["title"] = "Other"
    release.write_text(json.dumps(document, indent=1))
    with pytest.raises(DeniableError, match="digest"):
        open_study(release)


def test_a_release_that_is_gone_is_named(release: Path) -> None:
    """As any other file."""
    study = open_study(release)
    release.unlink()
    with pytest.raises(StudyNotFound, match=r"there is no file .*north\.json"):
        study.estimate()
    release.write_text("{}")
    with pytest.raises(StudyNotFound, match="beside north"):
        open_study(release)


def test_a_file_that_cannot_be_read_is_no_release(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is that of the kind of file that its name says."""

    def refuse(*_arguments: object, **_named: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StudyNotFound, match="beside north"):
        open_study(release)
