"""What a survey will give and what it gives away, before anyone is asked."""

from deniable_analysis.planning import margin_for_respondents, respondents_for_margin
from deniable_sdk import Block, PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import format_epsilon

Forecast = dict[str, object]


def forecast(survey: PublishedSurvey, respondents: int | None, margin: float | None) -> Forecast:
    """The survey's blocks, their privacy, and the accuracy to expect.

    Args:
        survey: compiled, published or not.
        respondents: of the whole survey; each is asked `asked` blocks.
        margin: a wanted margin, for which the respondents are given.
    """
    return {
        "slug": survey.slug,
        "digest": survey.digest,
        "epsilon": format_epsilon(survey.epsilon),
        "asked": survey.asked,
        "respondents": respondents,
        "blocks": [_block(survey, block, respondents, margin) for block in survey.blocks],
    }


def _block(
    survey: PublishedSurvey, block: Block, respondents: int | None, margin: float | None
) -> Forecast:
    mechanism = block.mechanism
    document: Forecast = {
        "block": block.id,
        "questions": [question.id for question in block.questions],
        "mechanism": mechanism.name,
        "in_words": mechanism.describe(),
        "epsilon": block.epsilon,
        "options": block.domain.size,
    }
    if not isinstance(mechanism, Subset):
        return document
    document["guess_without_report"] = 1 / mechanism.domain_size
    document["guess_with_report"] = float(mechanism.keep / mechanism.size)
    if respondents is not None:
        answering = max(1, respondents * survey.asked // len(survey.blocks))
        document["margin"] = margin_for_respondents(mechanism, answering)
    if margin is not None:
        needed = respondents_for_margin(mechanism, margin)
        document["respondents_for_margin"] = -(-needed * len(survey.blocks) // survey.asked)
    return document
