"""The file of a release: what it counts, how much noise this needs, and its JSON document.

Two sets of reports are neighbours if the values of one report differ. Which blocks a report has,
and of which options it has a bit, is the same, because devices draw both without looking at an
answer. So the numbers of reports are public, and get no noise.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from deniable_analysis.sources.collector_answers import is_count
from deniable_sdk.canonical import JSON, NotCanonical, encode, parse
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.weights import format_epsilon, read_epsilon
from deniable_storage.counts import BlockCounts, Member, can_be_counts
from deniable_storage.ends import Fieldwork

FORMAT = "deniable-release/1"
# The file begins with its format, by which it differs from an export.
START = f'{{\n "format": "{FORMAT}"'.encode()
NEIGHBOURS = (
    "the values of one report are different; the blocks that it has, and the options of which it "
    "has a bit, are the same"
)
MECHANISM = "discrete laplace"
# Scales are multiples of 1 / _PARTS, which floats represent exactly.
_PARTS = 1 << 10


def released_members(form: ValueForm) -> tuple[Member, ...]:
    """The members of values whose counts get noise; the counts of all others follow from these.

    The bits 1, if reports have bits; the first of two outputs; and otherwise all outputs.
    """
    if form.are_pairs:
        return tuple((option, 1) for option in range(form.members))
    return (0,) if _is_one_of_two(form) else tuple(range(form.members))


def sensitivity(form: ValueForm) -> int:
    """The largest sum of absolute differences of the released counts of two neighbours.

    Each of a report's bits may differ. A set differs from another by all of its members, or
    by all that the other leaves out.
    """
    if form.are_pairs:
        return form.shape[0]
    size = form.shape[0] if form.shape else 1
    return 1 if _is_one_of_two(form) else 2 * min(size, form.members - size)


def noise_scale(form: ValueForm, epsilon: Fraction, asked: int) -> Fraction:
    """The smallest scale with which a block reveals at most an equal part of epsilon.

    Args:
        form: form of the block's values.
        epsilon: privacy loss of the whole release, at most.
        asked: number of blocks that a report has.
    Returns:
        The scale b of noises with the probabilities exp(-|z| / b) (1 - e^(-1/b)) / (1 + e^(-1/b)),
        rounded up to a multiple of 1/1024.
    Source: Ghosh, Roughgarden and Sundararajan 2012, "Universally utility-maximizing privacy
        mechanisms".
    """
    return Fraction(math.ceil(sensitivity(form) * asked * _PARTS / epsilon), _PARTS)


def privacy_loss(blocks: Iterable[tuple[ValueForm, Fraction]], asked: int) -> Fraction:
    """The privacy loss of a release, exactly: of a report with the blocks that lose most.

    Args:
        blocks: form and scale of each block.
        asked: number of blocks that a report has.
    """
    losses = sorted(sensitivity(form) / scale for form, scale in blocks)
    return sum(losses[-asked:], Fraction(0))


def _is_one_of_two(form: ValueForm) -> bool:
    return form.members == 2 and not form.shape


@dataclass(frozen=True, slots=True)
class ReleasedBlock:
    """The counts of a block with noise.

    Args:
        block: the block.
        report_count: number of reports that have the block; exact.
        drawn: if reports have bits, the number of bits of each option; exact. Otherwise empty.
        scale: scale of the discrete Laplace noise in each of `counts`.
        counts: number of reports with each of the released members, plus noise.
    """

    block: Block
    report_count: int
    drawn: tuple[int, ...]
    scale: Fraction
    counts: tuple[int, ...]

    @property
    def block_counts(self) -> BlockCounts:
        """The counts of all members."""
        form = self.block.mechanism.form
        found: dict[Member, int] = dict(zip(released_members(form), self.counts, strict=True))
        if form.are_pairs:
            bits = zip(self.drawn, self.counts, strict=True)
            rest = {(option, 0): each - ones for option, (each, ones) in enumerate(bits)}
            found |= rest
        elif len(found) < form.members:
            found[1] = self.report_count - found[0]
        return BlockCounts(self.report_count, found, (float(self.scale),))

    def to_document(self) -> dict[str, JSON]:
        """The block as plain JSON values."""
        return {
            "block": self.block.id,
            "reports": self.report_count,
            **({"drawn": list(self.drawn)} if self.drawn else {}),
            "sensitivity": sensitivity(self.block.mechanism.form),
            "scale": [self.scale.numerator, self.scale.denominator],
            "counts": list(self.counts),
        }


@dataclass(frozen=True, slots=True)
class CountsRelease:
    """A release of a survey's counts.

    Args:
        survey: the survey.
        edition: number of its edition.
        fieldwork: how it ended.
        site: name of the site; empty without one.
        epsilon: largest privacy loss.
        report_count: number of reports; exact.
        blocks: every block, in the survey's order.
    """

    survey: PublishedSurvey
    edition: int
    fieldwork: Fieldwork
    site: str
    epsilon: Fraction
    report_count: int
    blocks: tuple[ReleasedBlock, ...]

    def encode(self) -> bytes:
        """The content of the file."""
        document: JSON = {
            "format": FORMAT,
            "site": self.site,
            "digest": self.survey.digest,
            "edition": self.edition,
            **self.fieldwork.to_document(),
            "reports": self.report_count,
            "epsilon": format_epsilon(self.epsilon),
            "neighbours": NEIGHBOURS,
            "mechanism": MECHANISM,
            "blocks": [block.to_document() for block in self.blocks],
            "survey": parse(self.survey.document),
        }
        return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def read_release(content: bytes) -> CountsRelease:
    """The release in the content of a file.

    Raises:
        ValueError: it is none; the message says what is wrong.
        InvalidSurvey: its survey is not a valid published survey, or has another digest.
    """
    try:
        value = parse(content)
    except NotCanonical as error:
        raise ValueError(str(error)) from None
    found = _read(value) if isinstance(value, dict) else None
    if found is None:
        raise ValueError("its members are not those of a release of this version")
    spent = [(each.block.mechanism.form, each.scale) for each in found.blocks]
    if privacy_loss(spent, found.survey.asked) > found.epsilon:
        raise ValueError("the scales of its noise are too small for its epsilon")
    return found


def _read(value: dict[str, JSON]) -> CountsRelease | None:
    """The release, None where a member is missing; ValueError as for read_release."""
    match value:
        case {
            "format": str(name),
            "site": str(site),
            "digest": str(named),
            "edition": int(edition),
            "reports": int(reports),
            "epsilon": str(epsilon),
            "neighbours": str(neighbours),
            "mechanism": str(mechanism),
            "blocks": list(listed),
            "survey": dict(document),
        } if (name, neighbours, mechanism) == (FORMAT, NEIGHBOURS, MECHANISM):
            survey = PublishedSurvey.from_bytes(encode(document), digest=named)
            blocks = _read_blocks(survey, listed, reports)
            fieldwork = Fieldwork.of_document(value)
            exact = read_epsilon(epsilon)
            return CountsRelease(survey, edition, fieldwork, site, exact, reports, blocks)
    return None


def _read_blocks(
    survey: PublishedSurvey, listed: list[JSON], reports: int
) -> tuple[ReleasedBlock, ...]:
    found = tuple(
        _read_block(block, value) if isinstance(value, dict) else None
        for block, value in zip(survey.blocks, listed, strict=False)
    )
    known = tuple(each for each in found if each is not None)
    if not len(known) == len(found) == len(listed) == len(survey.blocks):
        raise ValueError("its blocks are not those of its survey, with a number for each member")
    counts = [each.report_count for each in known]
    if not is_count(reports) or not can_be_counts(reports, counts, survey):
        raise ValueError("its numbers of reports contradict each other")
    return known


def _read_block(block: Block, value: Mapping[str, JSON]) -> ReleasedBlock | None:
    """The block, None where the value is none of it."""
    form = block.mechanism.form
    match value:
        case {
            "block": block.id,
            "reports": int(reports),
            "scale": [int(above), int(below)],
            "counts": list(counts),
        } if is_count(reports) and above > 0 and below > 0:
            drawn = value.get("drawn", [])
            found = ReleasedBlock(
                block, reports, _integers(drawn), Fraction(above, below), _integers(counts)
            )
            is_whole = len(found.counts) == len(counts) == len(released_members(form))
            bits = reports * form.shape[0] if form.are_pairs else 0
            has_drawn = len(found.drawn) == (form.members if form.are_pairs else 0)
            fits = all(0 <= each <= reports for each in found.drawn) and sum(found.drawn) == bits
            return found if is_whole and has_drawn and fits else None
    return None


def _integers(values: JSON) -> tuple[int, ...]:
    """The whole numbers in a list."""
    listed = values if isinstance(values, list) else []
    return tuple(each for each in listed if type(each) is int)
