"""A survey with groups by link, and reports to it."""

from deniable_sdk import PublishedSurvey, Report, randomize
from sample_definitions import Document, survey, yes_no

PEOPLE = {"nurses": 412, "doctors": 118}


def groups(**people: int) -> Document:
    """What a definition says of groups with so many people."""
    return {name: {"number": count} for name, count in (people or PEOPLE).items()}


def linked(*questions: Document, **keys: object) -> PublishedSurvey:
    """A survey with these groups by link."""
    return survey(*questions or [yes_no()], **{"slug": "ward", "groups": groups(), **keys})


def reports_of(published: PublishedSurvey, counts: dict[str | None, int]) -> list[Report]:
    """So many reports of each group; None is a report without one."""
    return [
        randomize(published, {"asthma": number % 2 == 0}, group=group)
        for group, count in counts.items()
        for number in range(count)
    ]
