"""From a definition to a published survey: every choice made for the author.

Which questions travel together, how often each block is drawn, how many blocks each respondent
is asked, and which mechanism a block gets with which parameters.
"""

from __future__ import annotations

from deniable_sdk.canonical import JSON
from deniable_sdk.compiler.design import (
    SurveyDesign,
    best_design,
    best_without_joining,
    design_survey,
)
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.published import FORMAT, PublishedSurvey
from deniable_sdk.weights import format_epsilon


def compile_survey(document: object) -> PublishedSurvey:
    """The published survey of a definition, as read from JSON or YAML.

    Raises:
        InvalidDefinition: with every problem and its place.
    """
    definition = Definition.from_document(document)
    return publish(definition, design_survey(definition))


def publish(definition: Definition, design: SurveyDesign) -> PublishedSurvey:
    """The published survey of a definition that has this design."""
    privacy: dict[str, JSON] = {
        "epsilon": format_epsilon(definition.epsilon),
        "asked": design.asked,
        "blocks": [block.published.to_document() for block in design.blocks],
    }
    if definition.waves > 1:
        privacy.update(waves=definition.waves, wave=definition.wave)
    document = definition.to_document()
    return PublishedSurvey.from_document({"format": FORMAT, "privacy": privacy, **document})


__all__ = [
    "SurveyDesign",
    "best_design",
    "best_without_joining",
    "compile_survey",
    "design_survey",
    "publish",
]
