"""What the doctor says about one thing."""

from dataclasses import dataclass
from enum import StrEnum


class Urgency(StrEnum):
    """How urgent it is to change something."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found about one thing.

    Args:
        subject: what was looked at, in a few words.
        urgency: of the remedy.
        found: in one sentence.
        remedy: what to change; empty if all is well.
    """

    subject: str
    urgency: Urgency
    found: str
    remedy: str = ""


def ok(subject: str, found: str) -> Diagnosis:
    """All is well with a subject."""
    return Diagnosis(subject, Urgency.OK, found)


def warning(subject: str, found: str, remedy: str) -> Diagnosis:
    """Something should be changed."""
    return Diagnosis(subject, Urgency.WARNING, found, remedy)


def problem(subject: str, found: str, remedy: str) -> Diagnosis:
    """Something must be changed: people, reports or their privacy are at risk."""
    return Diagnosis(subject, Urgency.PROBLEM, found, remedy)
