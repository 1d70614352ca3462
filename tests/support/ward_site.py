"""A survey by invitation with real tokens and reports, for the pages of results by group."""

import random
from collections.abc import Mapping, Sequence

from deniable_collector.store import Store
from deniable_collector.store.base import Row, row_of
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_sdk.tokens import Token
from invitations import InvitedSurvey, key, modulus
from sample_definitions import Document, choice, scale, survey, yes_no

WARD = "ward"
INVITED = {"nurses": 60, "doctors": 40, "cleaners": 20}
# Nobody of the cleaners reports.
REPORTED = {"nurses": 45, "doctors": 36}
PAST = "2026-01-31T18:00Z"
QUESTIONS = (
    yes_no("harassed", text={"en": "Were you harassed?", "ar": "هل تعرضت للمضايقة؟"}),
    scale("stress", labels={1: "none", 5: "unbearable"}, required=True),
    choice("shift", 3),
)
_TEXTS = {"nurses": {"en": "Nursing staff", "ar": "طاقم التمريض"}}


def ward_keys(
    moduli: Mapping[str, str],
    issuer: str = "https://council.example.org",
    until: str = PAST,
    invited: Mapping[str, int] = INVITED,
) -> Document:
    """What the definition has besides slug and questions."""
    groups: dict[str, Document] = {
        name: {"invited": count, "modulus": moduli[name], "text": _TEXTS.get(name, name)}
        for name, count in invited.items()
    }
    return {
        "title": {"en": "Work on our wards", "ar": "العمل في أقسامنا"},
        "epsilon": 9,
        "ask": "all",
        "invited": {
            "issuer": issuer,
            "groups": groups,
            **({"collect_until": until} if until else {}),
        },
    }


def ward(
    slug: str = WARD,
    first_key: int = 0,
    invited: Mapping[str, int] = INVITED,
    until: str = PAST,
    questions: Sequence[Document] = QUESTIONS,
) -> InvitedSurvey:
    """A survey of these groups, with their keys."""
    private = {name: key(first_key + place) for place, name in enumerate(invited)}
    moduli = {name: modulus(each) for name, each in private.items()}
    keys = ward_keys(moduli, until=until, invited=invited)
    return InvitedSurvey(survey(*questions, slug=slug, **keys), private)


def answered(published: PublishedSurvey, token: Token, source: random.Random) -> Report:
    """The report of a person whose answers depend on the group."""
    is_nurse = token.group == "nurses"
    answers: dict[str, object] = {
        "harassed": source.random() < (0.7 if is_nurse else 0.2),
        "stress": source.randint(3, 5) if is_nurse else source.randint(1, 3),
        "shift": f"o{source.randrange(3)}",
    }
    known = {question.id for question in published.questions}
    return randomize(
        published,
        {name: value for name, value in answers.items() if name in known},
        read_bytes=source.randbytes,
        token=token,
    )


def ward_rows(
    invited: InvitedSurvey, reported: Mapping[str, int] = REPORTED, stored_as: str = ""
) -> Sequence[Row]:
    """So many reports of each group, as a store has them; always the same ones.

    Args:
        invited: the survey.
        reported: how many, by group.
        stored_as: the group that all of them are stored with; their own if empty.
    """
    source, published = random.Random("ward"), invited.published
    rows = []
    for group, count in reported.items():
        for _ in range(count):
            token = invited.token(group, source.randbytes)
            report = answered(published, token, source)
            stored = token.replace(group=stored_as or group)
            rows.append(row_of(report.replace(token=stored), published))
    return rows


def fill_ward(
    store: Store, invited: InvitedSurvey, reported: Mapping[str, int] = REPORTED
) -> None:
    """Publish the survey, with so many reports of each group."""
    store.publish(invited.published)
    store.add_rows({invited.published.digest: ward_rows(invited, reported)})
