"""Templates of surveys: definitions to start from, with the sources of their wording."""

from deniable_web.build.survey_templates.reading import (
    Source,
    SurveyTemplate,
    UnknownTemplate,
    template,
    templates,
)

__all__ = ["Source", "SurveyTemplate", "UnknownTemplate", "template", "templates"]
