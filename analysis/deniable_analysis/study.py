"""A study: a published survey and its reports, ready for estimates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from deniable_analysis.arguments import read_flag
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, Interval
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.choice import check_population
from deniable_analysis.estimate.intervals import Correction
from deniable_analysis.estimate.questions import (
    blocks_of,
    check_supported,
    estimate_questions,
    with_routers,
)
from deniable_analysis.regression.choices import Choices, no_progress
from deniable_analysis.regression.regress import regress_study
from deniable_analysis.regression.results import Regression
from deniable_analysis.relations.by_group import estimate_by_group
from deniable_analysis.relations.by_site import estimate_by_site
from deniable_analysis.relations.crosstabs import crosstab
from deniable_analysis.relations.cutoffs import survival
from deniable_analysis.relations.groups import compare_groups
from deniable_analysis.relations.independence import independence
from deniable_analysis.relations.quantiles import quantiles
from deniable_analysis.relations.questions import (
    find_question,
    read_choice,
    with_caution,
    with_sites,
)
from deniable_analysis.relations.winner import winner
from deniable_analysis.reports.reported import ReportedSurvey, choose_intervals
from deniable_analysis.results.comparison import Comparison
from deniable_analysis.results.crosstab import Crosstab, IndependenceTest
from deniable_analysis.results.estimates import Estimates
from deniable_analysis.results.numbers import Quantiles, SurvivalCurve
from deniable_analysis.results.questions import AmongAsked
from deniable_analysis.results.responses import ResponseRate, response_of
from deniable_analysis.results.winner import Winner
from deniable_sdk.survey.questions import Question


@dataclass(frozen=True, slots=True, repr=False)
class Study(ReportedSurvey):
    """A published survey with its reports, and analyses that count them anew in every call."""

    sites: Mapping[str, "Study"] = field(default_factory=dict)

    def estimate(  # noqa: PLR0913 - a question; the rest are keywords
        self,
        question: str | None = None,
        *,
        confidence: float = DEFAULT_CONFIDENCE,
        interval: Interval | str | None = None,
        simultaneous: bool = False,
        population: int | None = None,
        by_group: bool = False,
        merge: Sequence[Sequence[str]] = (),
        by_site: bool = False,
    ) -> Estimates:
        """The estimates of one question, or of every question and crosstab.

        Args:
            question: id of a question, also for the crosstabs that contain it;
                by default every question.
            confidence: nominal coverage of the intervals, between 0 and 1.
            interval: which interval of shares, or its name; by default
                "wilson" if the survey ended as planned, otherwise "anytime",
                which holds at every look. That one also applies to means, and
                ignores the population.
            simultaneous: whether the confidence is that of all shares of a
                question or crosstab together (Bonferroni).
            population: size of the population, if the respondents are a large
                part of it; the intervals are then shorter. By default the
                number of invited people, if people are invited.
            by_group: whether to estimate each group too, and the shares of
                the people of all groups, weighted by their numbers.
            merge: lists of groups that are treated as one.
            by_site: whether to estimate each site too, and how much the sites
                differ.
        Raises:
            QuestionNotFound: the survey does not have the question.
            NoGroups: the survey has no groups or is not closed yet, or the
                source of the reports does not contain groups.
            GroupNotFound: a group to merge is not the survey's, or is named twice.
            InvalidArgument: by_site for a study of one location; the population is smaller than
                the number of reports; confidence is not between 0 and 1; there is no such
                interval.
            UnsupportedMechanism: this version cannot debias a block.
            StudyNotFound, UnreadableStudy: the store is gone or damaged.
        """
        questions = self._questions(question)
        blocks = blocks_of(self.survey, with_routers(self.survey, questions))
        check_supported(blocks)
        strata = self._strata(by_group, merge)
        is_by_site = read_flag("by_site", by_site)
        # The state is read once, so that the intervals are those of the state that is shown.
        once = replace(self, fieldwork=cache(self.fieldwork))
        choice = choose_intervals([once], interval, confidence, simultaneous, population)
        state = once.fieldwork()
        counts = self.released_count(blocks)
        check_population(population, counts.report_count)
        of_sites = replace(choice, population=None, planned=None)
        if population is None:
            choice = replace(choice, population=self.population)
        found = estimate_questions(self.survey, self.edition, questions, counts, choice)
        return replace(
            found,
            fieldwork=state,
            response=self._response(counts.report_count),
            by_group=estimate_by_group(self, questions, strata, choice) if strata else None,
            by_site=estimate_by_site(self, questions, of_sites) if is_by_site else None,
            about_sites=self.about_sites,
        )

    def among_asked(self, question: str, *, confidence: float = DEFAULT_CONFIDENCE) -> AmongAsked:
        """The shares among those who were asked, as in estimate, for a question with `show_if`.

        Raises:
            NotIdentified: all respondents are asked the question.
        """
        among = self.estimate(question, confidence=confidence).questions[0].among
        if among is None:
            raise NotIdentified(
                f"question {question!r} is asked of everybody; use estimate({question!r})"
            )
        return among

    def crosstab(  # noqa: PLR0913 - two questions; the rest are keywords, as for estimate
        self,
        first: str,
        second: str,
        *,
        confidence: float = DEFAULT_CONFIDENCE,
        interval: Interval | str | None = None,
        simultaneous: bool = False,
        population: int | None = None,
    ) -> Crosstab:
        """The shares of all combinations of two questions' options.

        From a joint block if there is one, otherwise from those who were asked
        both separately. Arguments and errors are those of estimate, and:

        Raises:
            NotIdentified: the questions are the same, not randomized by subset
                selection, or without reports.
            NotAskedTogether: nobody was asked both.
        """
        choice = read_choice(self, interval, confidence, population, simultaneous)
        return with_sites(crosstab(self, first, second, choice), self)

    def independence(self, first: str, second: str) -> IndependenceTest:
        """The test that the answers of those who answered two questions are independent.

        Errors are those of crosstab.
        """
        return with_caution(independence(self, first, second), self)

    def compare_groups(  # noqa: PLR0913 - as for crosstab
        self,
        question: str,
        by: str,
        groups: tuple[str, str],
        *,
        confidence: float = DEFAULT_CONFIDENCE,
        interval: Interval | str | None = None,
        correction: Correction | str = Correction.HOLM,
    ) -> Comparison:
        """The differences between two groups of respondents, for each answer but "no answer".

        Args:
            question: question whose shares are compared.
            by: question that defines the groups.
            groups: two of its answers.
            confidence: nominal coverage of the intervals, between 0 and 1.
            interval: as for estimate; those for one look invert score tests.
            correction: correction of the p-values over the options.
        Raises:
            InvalidArgument: there is no such interval or correction; and those
                of crosstab.
        """
        choice = choose_intervals([self], interval, confidence)
        return with_sites(compare_groups(self, (question, by), groups, choice, correction), self)

    def winner(self, question: str, *, confidence: float = DEFAULT_CONFIDENCE) -> Winner:
        """The option that the most people chose, and the probability that another is ahead.

        It is for one look, with a warning unless the survey ended as planned.

        Args:
            question: id of the question.
            confidence: confidence of the set of possible winners.
        Raises:
            QuestionNotFound: the survey does not have the question.
            NotIdentified: the question is not randomized by subset selection,
                or its reports do not vary.
            InvalidArgument: confidence is not between 0 and 1.
        """
        return with_caution(winner(self, question, confidence), self)

    def quantiles(
        self,
        question: str,
        probabilities: Sequence[float] = (0.25, 0.5, 0.75),
        *,
        confidence: float = DEFAULT_CONFIDENCE,
    ) -> Quantiles:
        """Quantiles of a scale or number among those who answered, for one look as winner.

        Raises:
            QuestionNotFound: the survey does not have the question.
            NotIdentified: its answers have no order, its mechanism identifies
                only the mean, or its reports do not vary.
            InvalidArgument: confidence or a probability is not between 0
                and 1.
        """
        return with_caution(quantiles(self, question, probabilities, confidence), self)

    def survival(
        self,
        question: str,
        *,
        not_yet: str | None = None,
        confidence: float = DEFAULT_CONFIDENCE,
        interval: Interval | str | None = None,
        simultaneous: bool = False,
    ) -> SurvivalCurve:
        """The share whose event came after each interval, among those who answered.

        Args:
            question: question with ordered intervals and "not yet" as options.
            not_yet: option of those without the event; None for the last.
            confidence: as for estimate.
            interval: as for estimate.
            simultaneous: as for estimate.
        Raises:
            QuestionNotFound: there is no such question or option.
            NotIdentified: the question is not randomized by subset selection,
                or has no reports.
        """
        choice = choose_intervals([self], interval, confidence, simultaneous)
        return with_sites(survival(self, question, not_yet, choice), self)

    def regress(  # noqa: PLR0913 - each is one choice of a regression, all but one are keywords
        self,
        formula: str,
        *,
        link: str | None = None,
        reference: str | None = None,
        method: str | None = None,
        se: str | None = None,
        confidence: float = DEFAULT_CONFIDENCE,
        interval: str | None = None,
        on_progress: Callable[[int, int], None] = no_progress,
    ) -> Regression:
        """A regression among those who were asked all of its questions, for one look as winner.

        Args:
            formula: ids of questions, like "limitation ~ health + stress". In a
                survey with groups, `group` may be among the predictors.
            link: "logit" (also for several categories), "probit", "cloglog",
                "ordered" or "identity"; the default depends on the outcome.
            reference: reference category of the outcome.
            method: "likelihood", or "moments" for numbers.
            se: "observed", "expected" or "sandwich".
            confidence: nominal coverage of the intervals, between 0 and 1.
            interval: "wald" or "profile"; the default is as in regress.
            on_progress: called with two numbers: of profile likelihood
                intervals computed so far, and of all that are wanted.
        Raises:
            InvalidArgument: the formula cannot be parsed, or not be used; a choice does not fit;
                nobody has reported yet; confidence is not between 0 and 1.
            ColumnNotFound: a name is not a question of the survey.
            NotAskedTogether: nobody was asked all of the questions.
            NotIdentified: such reports do not identify the coefficients.
            NoGroups: the formula has the group, and the survey is not closed
                yet, or the source of the reports does not contain groups.
        """
        choices = Choices(link, reference, None, method, se, confidence, interval, on_progress)
        return with_caution(regress_study(self, formula, choices), self)

    def _response(self, report_count: int) -> ResponseRate | None:
        if self.invited is None:
            return None
        group = self.stratum.name if self.stratum else None
        return response_of(self.survey, group, self.invited, report_count)

    def _questions(self, question: str | None) -> tuple[Question, ...]:
        if question is None:
            return self.survey.reported
        return (find_question(self, question),)
