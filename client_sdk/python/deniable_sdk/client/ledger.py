"""The ledger: what a person has spent on this device, and may still spend."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from fractions import Fraction

from deniable_sdk.client.entry import Entry
from deniable_sdk.client.errors import AlreadyAnswered, YearlyCapExceeded
from deniable_sdk.client.options import Clock, Options
from deniable_sdk.errors import BudgetExceeded
from deniable_sdk.records import Record
from deniable_sdk.survey.published import PublishedSurvey, most_spent
from deniable_sdk.weights import YEAR_DAYS, Weights, format_epsilon, is_within

_DAY_S = 86_400
# The first of 2026, in days since 1970: before, no device had this program.
_FIRST_DAY = 20_454


class SurveySpending(Record):
    """One survey that was answered on this device.

    Args:
        collector: its address.
        slug: of the survey.
        survey: the digest.
        report: the report's id.
        weights: exactly what it spent: epsilon is the sum of
            ln(high / low).
        epsilon: the same, for people to read.
    """

    collector: str
    slug: str
    survey: str
    report: str
    weights: tuple[Weights, ...]
    epsilon: float


class Spending(Record):
    """All that was spent on this device.

    Args:
        surveys: those answered, the first one first.
        epsilon: of all of them together, for people to read.
        surest: how sure anyone can become, from 0.5 to 1, of something about
            the person that was as likely as not before.
        words: the same in a sentence or two.
        yearly_epsilon: what counts against the yearly cap: the reports of the
            last 365 days, and what panels have reserved; for people to read.
        epsilon_cap: the most that one survey may spend; None for no cap.
        yearly_cap: the most that all may take in 365 days.
    """

    surveys: tuple[SurveySpending, ...]
    epsilon: float
    surest: float
    words: str
    yearly_epsilon: float
    epsilon_cap: float | None
    yearly_cap: float | None


def weights_text(survey: PublishedSurvey, blocks: Sequence[str]) -> str:
    """What a report through these blocks spends, as an entry stores it."""
    spends = [weights for block in blocks for weights in survey.block(block).mechanism.spends]
    return " ".join(f"{weights.high}/{weights.low}" for weights in spends)


def panel_text(survey: PublishedSurvey) -> str:
    """A survey's wave of a panel and its claimed epsilon, as an entry stores them."""
    if survey.waves == 1:
        return ""
    return f"{survey.wave}/{survey.waves} {format_epsilon(survey.epsilon)}"


def refuse_second(
    entries: Iterable[Entry], collector: str, survey: PublishedSurvey, *, is_new_edition: bool
) -> None:
    """Fail if the survey was answered before.

    Raises:
        AlreadyAnswered: this one was, or another edition that may not.
        BudgetExceeded: other waves were, and promised that each takes less.
    """
    for entry in entries:
        if entry.survey == survey.digest:
            raise AlreadyAnswered(
                entry.report,
                f"this device has answered {survey.slug}; a second report would spend epsilon "
                'again; ask for the first one with again="first"',
            )
        is_edition = entry.collector == collector and entry.slug == survey.slug
        if is_edition and not is_new_edition:
            _refuse_edition(entry, survey)


def _refuse_edition(entry: Entry, survey: PublishedSurvey) -> None:
    """Fail unless both are different waves of one panel, and this one keeps its promise."""
    wave, waves, claimed = wave_of(entry) if entry.panel else (1, 1, Fraction(0))
    if waves == 1 or waves != survey.waves:
        raise AlreadyAnswered(
            entry.report,
            f"this device has answered another edition of {survey.slug}; a person answers "
            'one, unless the app says again="edition", which spends epsilon again',
        )
    if wave == survey.wave:
        raise AlreadyAnswered(
            entry.report,
            f"this device has answered wave {wave} of {waves} of {survey.slug}; a person answers "
            'each once, unless the app says again="edition", which spends epsilon again',
        )
    if not is_within(most_spent(survey), claimed):
        raise BudgetExceeded(
            f"the panel {survey.slug} promised epsilon {format_epsilon(claimed)} at most in each "
            f"wave; this one takes {format_epsilon(survey.epsilon)}; do not answer it, and tell "
            "whoever published it"
        )


def refuse_beyond(
    entries: Sequence[Entry],
    asked: Entry,
    survey: PublishedSurvey,
    options: Options,
    kept: Container[str],
) -> None:
    """Fail if the survey can spend more than is left of the yearly cap.

    The most it can take counts, so that being refused says nothing about
    which blocks were drawn.

    Raises:
        YearlyCapExceeded: it can.
    """
    cap = options.yearly_cap
    if cap is None:
        return
    today = day_of(options.clock)
    after = in_year([*entries, asked], today)
    left = cap - after.reserved
    if left >= 0 and is_within([*after.weights, *most_spent(survey, kept)], left):
        return
    each = f" in each of {survey.waves} waves" if survey.waves > 1 else ""
    raise YearlyCapExceeded(
        f"this device has spent epsilon {in_year(entries, today).epsilon:.4g} in {YEAR_DAYS} days "
        f"and {survey.slug} takes up to {format_epsilon(survey.epsilon)}{each}; all together may "
        f"take {float(cap):g}; do not answer it, or raise the yearly cap"
    )


def spent_in(entries: Sequence[Entry], options: Options) -> Spending:
    """What was spent, exactly and for people to read."""
    surveys = tuple(
        SurveySpending(
            collector=entry.collector,
            slug=entry.slug,
            survey=entry.survey,
            report=entry.report,
            weights=weights_of(entry),
            epsilon=epsilon_of(weights_of(entry)),
        )
        for entry in entries
    )
    epsilon = math.fsum(survey.epsilon for survey in surveys)
    surest = 1 / (1 + math.exp(-epsilon))
    count = f"{len(surveys)} {'survey' if len(surveys) == 1 else 'surveys'}"
    # Rounded up: nobody is told less than it is.
    percent = math.ceil(surest * 1_000) / 10
    words = (
        f"You have answered {count} on this device. The most anyone can learn from the reports: "
        f"of something about you that seemed as likely as not, they can become {percent:g} % "
        "sure, and no surer."
    )
    caps = (
        None if cap is None else float(cap) for cap in (options.epsilon_cap, options.yearly_cap)
    )
    yearly = in_year(entries, day_of(options.clock)).epsilon
    return Spending(surveys, epsilon, surest, words, yearly, *caps)


class Year(Record):
    """What counts against the yearly cap.

    Args:
        weights: of all parts of the reports of the last 365 days.
        reserved: what panels have reserved for waves that may still come.
    """

    weights: tuple[Weights, ...]
    reserved: Fraction

    @property
    def epsilon(self) -> float:
        """Both together, for people to read."""
        return epsilon_of(self.weights) + float(self.reserved)


def day_of(clock: Clock) -> int:
    """Today, in days since 1970."""
    return math.floor(clock.now() / _DAY_S)


def in_year(entries: Sequence[Entry], today: int) -> Year:
    """What counts in the 365 days up to today.

    A panel is of one series at one address, and reserves what its first
    report claimed for each wave. Days in the future count: clocks are set
    back. Days before this program was made count as its first.
    """
    counted = [entry for entry in entries if max(_FIRST_DAY, entry.day) > today - YEAR_DAYS]
    reserved = Fraction(0)
    for series in dict.fromkeys(_series(entry) for entry in counted if entry.panel):
        answered = [
            wave_of(entry) for entry in entries if entry.panel and _series(entry) == series
        ]
        _, waves, claimed = answered[0]
        reserved += (waves - len({wave for wave, _, _ in answered})) * claimed
    return Year(tuple(part for entry in counted for part in weights_of(entry)), reserved)


def wave_of(entry: Entry) -> tuple[int, int, Fraction]:
    """Which wave of a panel it is, of how many, and the epsilon that each claims."""
    place, claimed = entry.panel.split(" ")
    wave, waves = place.split("/")
    return int(wave), int(waves), Fraction(claimed)


def weights_of(entry: Entry) -> tuple[Weights, ...]:
    """Exactly what an entry's report spent."""
    pairs = (part.split("/") for part in entry.weights.split())
    return tuple(Weights(int(high), int(low)) for high, low in pairs)


def epsilon_of(weights: Iterable[Weights]) -> float:
    """What these spend together, for people to read."""
    return math.fsum(part.epsilon for part in weights)


def _series(entry: Entry) -> tuple[str, str, int]:
    """Which panel an entry is a wave of, and of how many waves that is."""
    return entry.collector, entry.slug, wave_of(entry)[1]
