"""How a survey ended, and which intervals follow from that, in words."""

from dataclasses import dataclass

from deniable_analysis import Estimates, Interval
from deniable_storage.ends import Fieldwork
from deniable_web.pages.languages import Catalog, catalog


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
        is_planned = estimates.fieldwork.has_planned_end
        if estimates.interval is Interval.ANYTIME:
            return self.texts["why"]["wider" if is_planned else "watched"]
        return self.texts["why"]["planned" if is_planned else "one_look"]
