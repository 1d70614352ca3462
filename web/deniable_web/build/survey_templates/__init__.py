"""Templates of surveys: definitions to start from, with the sources of their wording."""

from deniable_web.build.survey_templates.reading import (
    SurveyTemplate,
    UnknownTemplate,
    WordingSource,
    template,
    templates,
)

__all__ = ["SurveyTemplate", "UnknownTemplate", "WordingSource", "template", "templates"]
