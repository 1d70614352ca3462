"""Groups by link: what a definition says of them, and what a device does with one."""

import pytest

from deniable_sdk import (
    InvalidDefinition,
    InvalidGroup,
    InvalidReport,
    Report,
    check_report,
    compile_survey,
    open_client,
    randomize,
)
from deniable_sdk.client import MemoryStorage
from deniable_sdk.randomness import ReadBytes
from free_ports import free_port
from invitations import invited_survey
from linked import PEOPLE, groups, linked
from sample_definitions import Document, choice, definition, survey, yes_no

WARD = linked()
OPEN = survey(yes_no(), slug="ward")


def test_a_published_survey_lists_its_groups() -> None:
    """The groups of links stand in the survey, with their numbers and in their order."""
    document = linked().to_document()["groups"]
    assert document == [{"id": name, "number": people} for name, people in PEOPLE.items()]
    assert {group.id: group.people for group in WARD.groups} == PEOPLE
    assert (WARD.smallest_group, WARD.kept_groups) == (118, ("nurses", "doctors", ""))
    assert (OPEN.groups, OPEN.kept_groups, OPEN.smallest_group) == ((), (), None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a": {"number": 19}}, r"groups: fewer than 20 people are in: a; their reports carry"),
        ({}, "groups: got 0 groups; allowed are 1 to 24 groups"),
        (
            {f"g{number}": {"number": 20} for number in range(25)},
            "groups: got 25 groups; allowed are 1 to 24 groups",
        ),
        ({"a": {}}, "groups.a: the key 'number' is missing; it takes a whole number"),
        ({"a": {"invited": 30}}, "groups.a.invited: unknown key"),
        ({"a": {"number": 30, "site": "north"}}, "groups.a.site: unknown key"),
        ({"A b": {"number": 30}}, "groups.A b: got the group 'A b'; allowed is a lower-case"),
        (
            {"a": {"number": 30, "text": "Nurses"}, "b": {"number": 30, "text": "nurses."}},
            "groups: the names of a and b look the same; a group made for one person",
        ),
    ],
)
def test_wrong_groups_are_named(given: Document, message: str) -> None:
    """Each fault is at its place, with what is allowed."""
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey(definition(groups=given))
    assert message in str(caught.value)


def test_groups_by_link_and_by_invitation_are_not_mixed() -> None:
    """A survey has one kind of groups, and says where the others belong."""
    invited = {"issuer": "https://a.b", "groups": {"a": {"invited": 20}}}
    with pytest.raises(InvalidDefinition, match="groups: stands beside invited"):
        compile_survey(definition(groups=groups(), invited=invited))


def test_fixed_questions_link_in_the_smallest_group() -> None:
    """A fixed yes/no question has three values, and needs 60 people in each group."""
    fact = yes_no(fixed=True)
    assert compile_survey(definition(fact, groups=groups(a=60, b=500))).linkage == 3
    with pytest.raises(InvalidDefinition, match=r"the smallest group has 59 people; needed are"):
        compile_survey(definition(fact, groups=groups(a=59, b=500)))


def test_a_report_carries_the_group_that_a_link_gave() -> None:
    """The group is beside the answers, in the bytes once, and is read again from them."""
    for group in ("nurses", "doctors", None):
        report = randomize(WARD, {"asthma": True}, group=group)
        check_report(report, WARD)
        assert report.group == (group or "")
        assert Report.from_bytes(report.to_bytes()) == report
        assert (b'"group"' in report.to_bytes()) == (group is not None)


@pytest.mark.parametrize("group", ["Nurses", "cleaners", ""])
def test_an_undeclared_group_is_refused_before_anything_is_drawn(group: str) -> None:
    """The message says which groups there are, and no random byte is read."""
    with pytest.raises(InvalidGroup, match="no such group; allowed are: nurses, doctors"):
        randomize(WARD, {"asthma": True}, read_bytes=_nothing, group=group)
    with pytest.raises(InvalidGroup, match="the survey has no groups; leave the group out"):
        randomize(OPEN, {"asthma": True}, read_bytes=_nothing, group=group)


def _nothing(count: int) -> bytes:
    raise AssertionError(f"{count} bytes were read")


def test_a_group_by_link_is_nothing_for_a_survey_by_invitation() -> None:
    """There, the token names the group; a link cannot."""
    ward = invited_survey(yes_no(), ask=1)
    report = ward.report()
    check_report(report, ward.published)
    with pytest.raises(InvalidReport, match="group: the survey has no groups"):
        check_report(report.replace(link_group="nurses"), ward.published)


def test_a_client_keeps_and_sends_the_group() -> None:
    """The stored report has the group, and the same bytes are given again."""
    address = f"http://127.0.0.1:{free_port()}"
    with open_client(address, consent=True, storage=MemoryStorage()) as client:
        with pytest.raises(InvalidGroup):
            client.submit(WARD, {"asthma": True}, group="cleaners", hold=True)
        report = client.submit(WARD, {"asthma": True}, group="doctors", hold=True)
        assert report.group == "doctors"
        assert client.held_report(WARD) == report


def test_nothing_else_of_a_report_depends_on_the_group() -> None:
    """The same bytes of randomness give the same id and values with a group and without."""
    ward = linked(yes_no(), choice(options=9), ask=1)
    made = [
        randomize(ward, {"asthma": True}, read_bytes=_counting(), group=group)
        for group in ("nurses", "doctors", None)
    ]
    assert len({(each.id, str(each.values)) for each in made}) == 1


def _counting() -> ReadBytes:
    left = iter(bytes(range(256)) * 8)
    return lambda count: bytes(next(left) for _ in range(count))
