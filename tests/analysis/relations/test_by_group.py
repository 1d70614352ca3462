"""Estimates by group of invited people, and of all of them together."""

import json

import pytest

from analysis.invited_groups import (
    SAID,
    STUDY,
    WARD,
    YES_NO,
    ChosenGroups,
    grouped_study,
    ward,
    ward_with,
)
from analysis.related import LN3, MUST, counted_study, yes_no_study
from deniable_analysis import Study, share_above
from deniable_analysis.errors import GroupNotFound, InvalidArgument, NoGroups
from deniable_analysis.estimate import sampling_variance
from deniable_analysis.results import GroupDifference
from deniable_sdk.mechanisms import Subset
from deniable_storage.counts import SurveyCounts
from sample_definitions import multiple, scale, survey, yes_no
from there import there


def test_a_group_is_estimated_from_its_reports_alone() -> None:
    """A group's numbers are those of a survey of the group, as a part of its invited people."""
    found = there(STUDY.estimate("asthma", by_group=True).by_group)
    for name, estimate in found.questions[0].groups:
        alone = counted_study(YES_NO, **SAID[name]).estimate(population=WARD[name])
        assert estimate == alone.questions[0]
    yes = found.questions[0].groups[0][1].options[0]
    assert yes.share == pytest.approx((0.6 - 0.25) / 0.5)
    assert yes.sampling_variance == pytest.approx(float(sampling_variance(0.7, 100)) * 100 / 199)


def test_a_study_of_a_group_has_every_analysis() -> None:
    """Its population is the number of people who are invited to the group."""
    nurses = STUDY.group("nurses")
    assert (nurses.report_count, nurses.invited, nurses.population) == (100, 200, 200)
    estimates = nurses.estimate()
    (_, expected), *_ = there(STUDY.estimate(by_group=True).by_group).questions[0].groups
    assert estimates.questions[0] == expected
    assert nurses.winner("asthma").reports == 100
    wider = nurses.estimate(population=10**9).questions[0].options[0]
    assert there(wider.low) < there(expected.options[0].low)
    assert str(estimates).startswith(
        "survey ward, edition 1, nurses: 100 reports (50.0% of 200 invited); 0.95 wilson"
    )


def test_several_groups_are_one_study() -> None:
    """Counts and invited people of merged groups add up, in any order of their names."""
    both = STUDY.group("cleaners", "nurses")
    assert (both.report_count, both.invited) == (112, 220)
    assert (
        both.estimate().questions[0]
        == (counted_study(YES_NO, asthma=[64, 48]).estimate(population=220).questions[0])
    )
    assert there(both.estimate().response).group == "nurses + cleaners"


def test_every_result_has_its_response_rate() -> None:
    """With groups or without, the number of invited people and of reports is in the result."""
    plain, found = STUDY.estimate(), STUDY.estimate(by_group=True)
    response = there(plain.response)
    assert (response.invited, response.reports, response.rate) == (300, 172, 172 / 300)
    assert plain.by_group is None
    responses = there(found.by_group).responses
    assert [(each.name, each.invited, each.reports) for each in responses] == [
        ("nurses", 200, 100), ("doctors", 80, 60), ("cleaners", 20, 12),
    ]  # fmt: skip
    assert responses[2].rate == 0.6
    assert survey().invited is None
    assert counted_study(survey(yes_no()), asthma=[1, 1, 1]).estimate().response is None


def test_invited_people_are_the_population_unless_another_is_given() -> None:
    """Whole estimates, crosstabs and sums of answers are those of a part of all invited people."""
    default, given = (STUDY.estimate(population=each).questions[0] for each in (None, 300))
    assert default == given
    assert default != STUDY.estimate(population=10**6).questions[0]
    levels = grouped_study(
        ward_with(Subset(3, 1, LN3), scale(levels=3, **MUST)), {"nurses": {"stress": [9, 9, 9]}}
    )
    shares = [share_above(levels, "stress", 2, population=each).share for each in (None, 300)]
    assert shares[0] == shares[1]


def test_more_reports_than_invited_people_are_an_alarm() -> None:
    """There is a warning, and no correction for a finite population, but every number."""
    said = {**SAID, "cleaners": {"asthma": [14, 8]}}
    found = grouped_study(YES_NO, said).estimate(by_group=True)
    grouped = there(found.by_group)
    cleaners = grouped.questions[0].groups[2][1]
    assert cleaners == yes_no_study(14, 8).estimate().questions[0]
    (warning,) = found.warnings
    assert warning.startswith("cleaners: 22 reports of 20 invited people: more tokens were signed")
    assert f"warning: {warning}" in str(found)
    whole = grouped_study(YES_NO, {"nurses": {"asthma": [200, 200]}})
    assert whole.population is None
    assert whole.estimate().warnings[0].startswith("all invited: 400 reports of 300 invited")


def test_a_group_without_reports_is_named() -> None:
    """It is listed with a rate of 0, and there is no estimate for all invited people."""
    said = {"nurses": {"asthma": [60, 40]}, "doctors": {"asthma": [30, 30]}}
    found = there(grouped_study(YES_NO, said).estimate(by_group=True).by_group)
    assert found.responses[2].rate == 0
    question = found.questions[0]
    assert question.missing == ("cleaners",)
    assert [option.share for option in question.options] == [None, None]
    assert question.options[0].option == "yes"
    assert {each.groups for each in question.differences} == {("nurses", "doctors")}
    assert (
        "no estimate for all invited: no report from cleaners; merge it with a group of similar "
        "people (merge)"
    ) in str(found)


def test_without_any_report_no_group_is_named_for_merging() -> None:
    """There is nothing to merge a group with."""
    (question,) = there(grouped_study(YES_NO, {}).estimate(by_group=True).by_group).questions
    assert len(question.missing) == 3
    assert question.why == "no estimate for all invited: no report yet"


def test_merging_groups_is_chosen_by_the_caller() -> None:
    """Merged groups are one in all tables, and make an estimate for all people possible."""
    said = {"nurses": {"asthma": [60, 40]}, "doctors": {"asthma": [30, 30]}}
    study = grouped_study(YES_NO, said)
    found = there(study.estimate(by_group=True, merge=[["cleaners", "doctors"]]).by_group)
    assert [each.name for each in found.responses] == ["nurses", "doctors + cleaners"]
    assert found.responses[1].invited == 100
    question = found.questions[0]
    assert question.missing == ()
    assert question.options[0].share == pytest.approx(2 / 3 * 0.7 + 1 / 3 * 0.5)


def test_an_option_that_a_group_was_never_asked_is_named() -> None:
    """Of sampled bits, a group may lack reports on some options only."""
    published = ward(multiple(options=3, **MUST), groups={"a": 100, "b": 100}, epsilon=1)
    bits = {(0, 0): 20, (0, 1): 20, (1, 0): 20, (1, 1): 20, (2, 0): 20, (2, 1): 20}
    without = {key: count for key, count in bits.items() if key[0] != 1}
    study = grouped_study(published, {"a": {"drugs": bits}, "b": {"drugs": without}})
    question = there(study.estimate(by_group=True).by_group).questions[0]
    assert question.missing == ("b (o1)",)
    assert [option.share is None for option in question.options] == [False, True, False]
    assert question.why.startswith("no estimate of some shares for all invited: no report from b ")


def test_results_by_group_have_all_forms() -> None:
    """Text, plain JSON, frames and charts."""
    found = STUDY.estimate(by_group=True)
    document = found.to_document()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["response"] == {
        "group": None, "invited": 300, "reports": 172, "response_rate": 172 / 300,
    }  # fmt: skip
    (question,) = document["by_group"]["questions"]
    assert list(question) == [
        "question", "type", "groups", "missing", "all_invited", "correction", "differences",
    ]  # fmt: skip
    assert question["groups"][0]["group"] == "nurses"
    assert question["differences"][0]["groups"] == ["nurses", "doctors"]
    grouped = there(found.by_group)
    frame = grouped.to_frame()
    assert frame["group"].tolist() == ["nurses", "doctors", "cleaners", "all invited"] * 2
    assert frame["share"][0] == pytest.approx(0.7)
    assert set(grouped.differences_to_frame()["second_group"]) == {"doctors", "cleaners"}
    assert grouped.means_to_frame().empty
    charts = list(found.charts())
    assert [mark.name for mark in charts[-1].marks][:4] == [
        "yes: nurses", "yes: doctors", "yes: cleaners", "yes: all invited",
    ]  # fmt: skip
    assert isinstance(grouped.questions[0].differences[0], GroupDifference)


def test_the_text_has_a_table_of_groups() -> None:
    """Response rates, then the shares of every group and of all, then the differences."""
    assert str(there(STUDY.estimate("asthma", by_group=True).by_group)).startswith(
        "group     invited  reports  response rate\n"
        "nurses        200      100          50.0%\n"
        "doctors        80       60          75.0%\n"
        "cleaners       20       12          60.0%\n"
        "\n"
        "asthma (yes_no) by group\n"
        "share              share      low    high   valid  sd mechanism  sd sampling  reports\n"
        "yes: nurses       0.7000   "
    )


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (
            ("nurse",),
            r"^got the group 'nurse'; did you mean nurses\? survey 'ward' has: n",
        ),
        ((5,), r"^got the group 5; survey 'ward' has: nurses, doctors, cleaners$"),
        ((), r"^got 0 groups, or one of them twice; allowed are one or several of these"),
        (("nurses", "nurses"), r"^got 2 groups, or one of them twice; allowed are one or"),
    ],
)
def test_unknown_groups_are_refused(groups: tuple[str, ...], message: str) -> None:
    """The error lists those there are."""
    with pytest.raises(GroupNotFound, match=message):
        STUDY.group(*groups)


@pytest.mark.parametrize(
    ("merge", "message"),
    [
        ("nurses", r"^merge: got something of the type str, or one that contains something other"),
        (["nurses"], r"^merge: got something of the type list, or one that contains something o"),
        ([["nurses", "doctors"], ["doctors", "cleaners"]], r"^merge: got a group in two lists"),
        ([["nurses", "surgeons"]], r"^got the group 'surgeons'; survey 'ward' has: nurses"),
        ([[]], r"^got 0 groups"),
    ],
)
def test_wrong_merges_are_refused(merge: object, message: str) -> None:
    """The error says what a merge looks like."""
    with pytest.raises(GroupNotFound, match=message):
        STUDY.estimate(by_group=True, merge=merge)  # type: ignore[arg-type]


def test_groups_need_an_invitation() -> None:
    """A survey for everybody has none, and a merge without groups is a mistake."""
    open_to_all = counted_study(survey(yes_no(**MUST)), asthma=[5, 5])
    message = r"^survey 'health' is not by invitation and has no groups by link, so its reports"
    with pytest.raises(NoGroups, match=message):
        open_to_all.group("nurses")
    with pytest.raises(NoGroups, match=message):
        open_to_all.estimate(by_group=True)
    with pytest.raises(NoGroups, match=r"^merge: got some without results by group; ask for both"):
        STUDY.estimate(merge=[["nurses", "doctors"]])
    with pytest.raises(InvalidArgument, match=r"^by_group: got 1; allowed are True and False"):
        STUDY.estimate(by_group=1)  # type: ignore[arg-type]


def test_a_part_of_a_study_has_no_groups_of_its_own() -> None:
    """Groups are those of the whole; the error says where they are."""
    with pytest.raises(NoGroups, match=r"^the reports of 'ward' are here without their groups, "):
        STUDY.group("nurses").group("nurses")
    with pytest.raises(InvalidArgument, match=r"^got a population of 50 for 100 reports"):
        STUDY.group("nurses").estimate(population=50)


def test_a_refusal_of_the_source_reaches_the_caller() -> None:
    """What the source says about groups is said before anything of a group is read."""

    class Refusing(ChosenGroups):
        def check(self) -> None:
            raise NoGroups("not closed")

        def count(self, group: str, blocks: object) -> SurveyCounts:
            raise AssertionError(f"{group} was counted, of {blocks}")

    study = Study(YES_NO, 1, STUDY.count, STUDY.joint_counts, Refusing(YES_NO, SAID))
    for ask in (lambda: study.group("nurses"), lambda: study.estimate(by_group=True)):
        with pytest.raises(NoGroups, match="not closed"):
            ask()
