"""A study: a published survey and its reports, ready to be estimated."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from deniable_analysis.counts import Counts, Together
from deniable_analysis.errors import QuestionNotFound
from deniable_analysis.estimation import blocks_of, check_supported, estimate_questions
from deniable_analysis.estimators.finite import check_population
from deniable_analysis.estimators.intervals import Interval, read_interval
from deniable_analysis.mechanisms import IntervalChoice
from deniable_analysis.results import Estimates
from deniable_analysis.selection import select_survey
from deniable_analysis.sources import open_source
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question


def open_study(location: str | Path, survey: str | None = None) -> "Study":
    """The study of a survey in a store.

    Args:
        location: the path of a collector's SQLite file, or sqlite:///PATH.
        survey: a slug (its newest edition), slug@edition or a digest; may be
            left out where the store holds a single slug.
    Raises:
        StudyNotFound: there is no store at the location.
        UnreadableStudy: what is there is not a legal store of surveys.
        SurveyNotFound: the survey is not in it, or several are.
        InvalidSurvey: the stored document is not a legal published survey.
    """
    source = open_source(location)
    stored = select_survey(source.surveys(), survey)
    published = PublishedSurvey.from_bytes(source.document(stored), digest=stored.digest)
    return Study(
        published, stored.edition, partial(source.count, stored), partial(source.together, stored)
    )


@dataclass(frozen=True, slots=True)
class Study:
    """A published survey and how its reports are counted.

    Reports of a store are counted anew by every call, so a study follows a
    survey that is still open.
    """

    survey: PublishedSurvey
    edition: int
    _count: Callable[[Sequence[Block]], Counts] = field(repr=False)
    _together: Callable[[Sequence[Block]], Together] = field(repr=False)

    @property
    def report_count(self) -> int:
        """How many reports the survey has now."""
        return self._count(()).report_count

    def estimate(
        self,
        question: str | None = None,
        *,
        confidence: float = 0.95,
        interval: Interval | str = Interval.WILSON,
        simultaneous: bool = False,
        population: int | None = None,
    ) -> Estimates:
        """The estimates of one question, or of every question and crosstab.

        Args:
            question: its id; every question if left out. The crosstabs it
                stands in come with it.
            confidence: how often an interval holds the true value.
            interval: which interval of shares, or its name.
            simultaneous: whether the intervals of a question's or crosstab's
                shares are to hold all at once (Bonferroni).
            population: of how many people the respondents are a sample, where
                they are a good part of them: it shortens intervals.
        Raises:
            QuestionNotFound: the survey does not have the question.
            InvalidCounts: the population is smaller than the reports.
            InvalidConfidence: confidence is not between 0 and 1.
            InvalidInterval: there is no such interval.
            UnsupportedMechanism: this version cannot debias a block.
            StudyNotFound, UnreadableStudy: the store is gone or damaged.
        """
        questions = self._questions(question)
        blocks = blocks_of(self.survey, questions)
        choice = IntervalChoice(read_interval(interval), confidence, simultaneous, population)
        check_supported(blocks)
        counts = self._count(blocks)
        check_population(population, counts.report_count)
        return estimate_questions(self.survey, self.edition, questions, counts, choice)

    def _questions(self, question: str | None) -> tuple[Question, ...]:
        questions = tuple(
            member for member in self.survey.questions if question in (None, member.id)
        )
        if not questions:
            raise QuestionNotFound(
                f"got the question {question!r}; survey {self.survey.slug!r} has: "
                f"{', '.join(member.id for member in self.survey.questions)}"
            )
        return questions
