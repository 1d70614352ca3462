"""How a survey ended, and which intervals follow from that, in words."""

from dataclasses import dataclass

from deniable_analysis import Estimates
from deniable_storage.ends import Fieldwork
from deniable_web.pages.languages import Catalog, catalog
from deniable_web.results.ending import interval_reason

_OWN_REASONS = ("planned", "wider", "one_look")


@dataclass(frozen=True, slots=True)
class FieldworkWords:
    """Sentences about the end of a survey in one language.

    Args:
        texts: the catalog of files and reports.
    """

    texts: Catalog

    @classmethod
    def of(cls, language: str) -> "FieldworkWords":
        """The sentences in a language of the interface, or in its default."""
        return cls(catalog("files", language))

    def state(self, fieldwork: Fieldwork) -> str:
        """Whether and how the survey ended."""
        ends = self.texts["ends"]
        state = ends["none" if fieldwork.end is None else fieldwork.end.value]
        return f"{state} {ends['extended']}" if fieldwork.is_extended else state

    def intervals(self, estimates: Estimates) -> str:
        """The kind of the intervals."""
        return self.texts["intervals"][estimates.interval.value]

    def why(self, estimates: Estimates) -> str:
        """Why these intervals, or a warning that they are for another kind of end."""
        reasons, reason = self.texts["why"], interval_reason(estimates)
        # How the survey ended is in another sentence, so these ends share one reason.
        return reasons[reason if reason in _OWN_REASONS else "watched"]
