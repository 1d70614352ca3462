"""The base of sources that have one survey."""

from abc import ABC, abstractmethod

from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.exports.survey_file import ExportedSurvey
from deniable_storage.ends import Fieldwork


class OneSurveySource(ABC):
    """A source of one survey; without groups and without noise, unless a subclass has them."""

    __slots__ = ()

    @property
    def has_groups(self) -> bool:
        return False

    @property
    def has_noise(self) -> bool:
        return False

    def surveys(self) -> tuple[ListedSurvey, ...]:
        exported, place = self._located()
        return (exported.listed(place),)

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:  # noqa: ARG002 - there is only one
        return self._located()[0].fieldwork

    def document(self, survey: ListedSurvey) -> bytes:  # noqa: ARG002 - there is only one
        return self._located()[0].survey.document

    @abstractmethod
    def _located(self) -> tuple[ExportedSurvey, str]:
        """The survey, and how errors call its place."""
