"""The forecast of a whole survey: accuracy, privacy, and warnings."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from deniable_analysis.planning import AskingPlan, plan_asking
from deniable_analysis.planning.looks import Looks
from deniable_analysis.privacy import FilePrivacy
from deniable_sdk.compiler import publish
from deniable_sdk.survey.block import fixed_outputs
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.window import StopWhen, Window
from deniable_sdk.weights import format_epsilon
from deniable_web.forecast.accuracy import FieldingPlan, advise_on_accuracy
from deniable_web.forecast.advice import Advice, Caution
from deniable_web.forecast.blocks import BlockForecast, Wanted
from deniable_web.forecast.design import (
    advise_on_design,
    advise_on_fieldwork,
    advise_on_linking,
    matched_among,
    smallest_group,
)
from deniable_web.forecast.disclosure import Disclosure
from deniable_web.forecast.needs import TOLD_MARGIN, Needs
from deniable_web.forecast.seen import Seen

# The gravest first.
_ORDER = {caution: place for place, caution in enumerate(Caution)}


@dataclass(frozen=True, slots=True)
class SurveyForecast:
    """A survey before it is fielded.

    Args:
        slug: the survey's slug.
        digest: the digest of the published survey that it compiles to.
        epsilon: the most that one respondent spends, as the author wrote it.
        respondents: the number that the forecast is for; None if none was given or expected.
        margin: a wanted margin; for a mean, a part of its range.
        asking: the design, and the respondents that it saves or costs.
        needs: the respondents for the wanted margin, or for 5 points.
        seen: how many questions one respondent sees.
        disclosure: what all reports of one respondent together can reveal.
        closed_file: what all reports together can reveal about one respondent once the
            survey is closed; None if the number of people is unknown.
        fixed_outputs: how many different values its fixed questions have
            together; 1 without any.
        matched_among: N, if at best one in N matches of reports by fixed questions is
            right, within the smallest group; None without fixed questions, or if the number
            of people is unknown.
        blocks: one forecast each.
        window: when reports are accepted, and how it ends; None if it says neither.
        warnings: the warnings, the gravest first.
    """

    slug: str
    digest: str
    epsilon: str
    respondents: int | None
    margin: float | None
    asking: AskingPlan
    needs: Needs
    seen: Seen
    disclosure: Disclosure
    closed_file: FilePrivacy | None
    fixed_outputs: int
    matched_among: int | None
    blocks: tuple[BlockForecast, ...]
    window: Window | None
    warnings: tuple[Advice, ...]

    @property
    def stop_when(self) -> StopWhen | None:
        """The accuracy with which it closes; None if that does not matter."""
        return self.window.stop_when if self.window else None

    @property
    def has_own_end(self) -> bool:
        """Whether it says how it ends, and no result can decide that."""
        return self.window is not None and self.window.has_own_end

    def to_document(self) -> dict[str, Any]:
        """The forecast as plain JSON values with stable keys; no NaN."""
        return {
            "slug": self.slug,
            "digest": self.digest,
            "epsilon": self.epsilon,
            "asked": self.asking.asked,
            "error_factor": self.asking.factor,
            "saving": self.asking.saving,
            "optional_factor": self.asking.optional,
            "optional": list(self.asking.optional_questions),
            "epsilon_factor": self.asking.capped,
            "half_epsilon_factor": self.asking.halved,
            "dearest": list(self.asking.dearest),
            "dearest_factor": self.asking.dearest_factor,
            "seen": self.seen.to_document(),
            "needs": self.needs.to_document(),
            "respondents": self.respondents,
            "wanted_margin": self.margin,
            **self.disclosure.to_document(),
            "closed_file": self.closed_file and self.closed_file.to_document(),
            "fixed_outputs": self.fixed_outputs,
            "matched_among": self.matched_among,
            "blocks": [block.to_document() for block in self.blocks],
            "stop_when": self.stop_when
            and {
                "margin": float(self.stop_when.margin),
                "questions": list(self.stop_when.questions),
            },
            "has_own_end": self.has_own_end,
            "warnings": [advice.to_document() for advice in self.warnings],
        }


def forecast(
    definition: Definition, respondents: int | None = None, margin: float | None = None
) -> SurveyForecast:
    """The survey's blocks with their privacy and expected accuracy, and the warnings.

    Args:
        definition: the author's definition.
        respondents: those of the whole survey; each is asked `asked` blocks. By default those
            that the definition expects.
        margin: a wanted margin, for which the forecast has the required respondents.
    Raises:
        InvalidDefinition: a block's mechanism cannot serve it.
    """
    if respondents is None and definition.window:
        respondents = definition.window.respondents
    asking = plan_asking(definition)
    design = asking.design
    survey = publish(definition, design)
    ratios = (block.ratio for block in survey.worst_blocks)
    disclosure = Disclosure.of(math.prod(ratios, start=Fraction(1)))
    wished = {each.planned.id: each.planned.preferences.target for each in design.blocks}
    wanted_margin = None if margin is None else Fraction(repr(margin))
    window = definition.window
    wanted = partial(Wanted, respondents, wanted_margin, at_every=_looks_at(window))
    blocks = tuple(
        BlockForecast.of(block, wished[block.id], wanted(survey.part(block)))
        for block in survey.blocks
    )
    warnings = list(advise_on_design(definition, survey, asking))
    warnings += advise_on_linking(definition, survey, respondents)
    warnings += advise_on_fieldwork(definition)
    if respondents is not None:
        warnings += advise_on_accuracy(FieldingPlan(definition, design, respondents))
    return SurveyForecast(
        slug=survey.slug,
        digest=survey.digest,
        epsilon=format_epsilon(survey.epsilon),
        respondents=respondents,
        margin=margin,
        asking=asking,
        needs=Needs.of(asking, wanted_margin or TOLD_MARGIN),
        seen=Seen.of(survey),
        disclosure=disclosure,
        closed_file=_closed_file(survey, respondents),
        fixed_outputs=fixed_outputs(survey.blocks),
        matched_among=matched_among(survey, respondents),
        blocks=blocks,
        window=window,
        warnings=tuple(sorted(warnings, key=lambda advice: _ORDER[advice.caution])),
    )


def _looks_at(window: Window | None) -> Looks | None:
    """How results are looked at if somebody sees them before the end; None with an own end."""
    if window is None:
        return Looks(True)
    return None if window.has_own_end else Looks(True, window.respondents)


def _closed_file(survey: PublishedSurvey, respondents: int | None) -> FilePrivacy | None:
    people = math.floor(smallest_group(survey, respondents))
    if not people:
        return None
    return FilePrivacy.of_survey(survey, people, of_smallest_group=bool(survey.groups))
