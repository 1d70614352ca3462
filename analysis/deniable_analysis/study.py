"""A study: a published survey and its reports, ready to be estimated."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from deniable_analysis.confidence import comparisons_among
from deniable_analysis.errors import QuestionNotFound
from deniable_analysis.estimation import estimate_block
from deniable_analysis.estimators.intervals import Interval, IntervalRule, read_interval
from deniable_analysis.results import Estimates
from deniable_analysis.selection import select_survey
from deniable_analysis.sources import Source, StoredSurvey, debiasable, open_source
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey


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
    return Study(published, stored.edition, source, stored)


@dataclass(frozen=True, slots=True)
class Study:
    """A published survey and where its reports are counted.

    Reports are counted anew by every call, so a study follows a survey that
    is still open.
    """

    survey: PublishedSurvey
    edition: int
    _source: Source = field(repr=False)
    _stored: StoredSurvey = field(repr=False)

    @property
    def report_count(self) -> int:
        """How many reports the survey has now."""
        return self._source.count(self._stored, ()).report_count

    def estimate(
        self,
        question: str | None = None,
        *,
        confidence: float = 0.95,
        interval: Interval | str = Interval.WILSON,
        simultaneous: bool = False,
    ) -> Estimates:
        """The estimated shares of one question's options, or of every one's.

        Args:
            question: its id; every question if left out.
            confidence: how often an interval holds the true share.
            interval: which interval, or its name.
            simultaneous: whether the intervals of a question are to hold all
                at once (Bonferroni).
        Raises:
            QuestionNotFound: the survey does not have the question.
            InvalidConfidence: confidence is not between 0 and 1.
            InvalidInterval: there is no such interval.
            UnsupportedMechanism: this version cannot debias the block.
            StudyNotFound, UnreadableStudy: the store is gone or damaged.
        """
        blocks = self._blocks(question)
        rule = IntervalRule(read_interval(interval), confidence)
        counts = self._source.count(self._stored, blocks)
        return Estimates(
            survey=self.survey.slug,
            digest=self.survey.digest,
            edition=self.edition,
            reports=counts.report_count,
            confidence=confidence,
            interval=rule.interval,
            simultaneous=simultaneous,
            questions=tuple(
                estimate_block(
                    block, counts.blocks[block.id], _adjusted(rule, block, simultaneous)
                )
                for block in blocks
            ),
        )

    def _blocks(self, question: str | None) -> tuple[Block, ...]:
        blocks = tuple(
            block
            for block in self.survey.blocks
            if question is None or question in [member.id for member in block.questions]
        )
        if not blocks:
            raise QuestionNotFound(
                f"got the question {question!r}; survey {self.survey.slug!r} has: "
                f"{', '.join(member.id for member in self.survey.questions)}"
            )
        return blocks


def _adjusted(rule: IntervalRule, block: Block, simultaneous: bool) -> IntervalRule:
    if not simultaneous:
        return rule
    return replace(rule, comparisons=comparisons_among(debiasable(block).domain_size))
