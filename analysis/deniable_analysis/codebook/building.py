"""The codebook of a published survey."""

from deniable_analysis.codebook.names import variable_names
from deniable_analysis.codebook.records import Codebook
from deniable_analysis.codebook.texts import language_of, one_line
from deniable_analysis.codebook.variables import describe_block, option_count
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.text import in_language


def codebook_of(survey: PublishedSurvey, language: str | None = None) -> Codebook:
    """The codebook of a survey, with the variables of all of its blocks.

    Args:
        survey: a published survey.
        language: of the labels, as for language_of.
    Raises:
        LanguageNotFound: the survey has no text in the language.
        UnsupportedMechanism: this version does not know how a block was randomized.
    """
    chosen = language_of(survey, language)
    names = variable_names((block.id, option_count(block)) for block in survey.blocks)
    introduction = ""
    if survey.introduction:
        introduction = one_line(in_language(survey.introduction, chosen))
    return Codebook(
        slug=survey.slug,
        digest=survey.digest,
        title=one_line(in_language(survey.title, chosen)),
        introduction=introduction,
        language=chosen,
        epsilon=survey.epsilon,
        asked=survey.asked,
        blocks=tuple(
            describe_block(block, each, chosen)
            for block, each in zip(survey.blocks, names, strict=True)
        ),
    )


def variable_count(survey: PublishedSurvey) -> int:
    """How many variables the codebook of a survey has."""
    return sum(option_count(block) or 1 for block in survey.blocks)
