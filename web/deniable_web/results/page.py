"""The whole page of one edition, ready to be rendered."""

from dataclasses import dataclass

from deniable_collector.store.base import ReportOutcome, StoredSurvey
from deniable_sdk import PublishedSurvey
from deniable_web.pages.languages import catalog, direction
from deniable_web.results.crosstabs import CrosstabView, crosstab_view
from deniable_web.results.editions import ComparisonView, comparison_view
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels, PageLocale
from deniable_web.results.listing import state_key
from deniable_web.results.numbers import Numbers
from deniable_web.results.outlook import OutlookRow, outlook
from deniable_web.results.planned import GOALS
from deniable_web.results.questions import QuestionView, question_view


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """The content of one edition's page.

    Args:
        title: the survey's title.
        slug: its name in addresses.
        edition: the edition's number, in words.
        is_closed: whether its owner closed it.
        state: the key of the text for its state.
        is_purged: whether its reports were permanently removed.
        report_count: how many reports the page includes.
        reports: the same in words.
        epsilon: the most that a respondent spends.
        asked: how many of how many blocks each respondent was asked; None if all.
        confidence: the confidence of the intervals, in percent.
        questions: the questions in their order.
        crosstabs: the crosstabs with reports.
        outlook: the accuracy with more respondents.
        goals: the margins of the outlook's last columns, in points.
        earlier: the number of the edition that it is compared with; "" if none.
        comparisons: the changes since that edition.
        is_by_invitation: whether it has groups of invited people.
        has_groups: whether there are results by group.
    """

    title: str
    slug: str
    edition: str
    is_closed: bool
    state: str
    is_purged: bool
    report_count: int
    reports: str
    epsilon: str
    asked: tuple[str, str] | None
    confidence: str
    questions: tuple[QuestionView, ...]
    crosstabs: tuple[CrosstabView, ...]
    outlook: tuple[OutlookRow, ...]
    goals: tuple[str, ...]
    earlier: str
    comparisons: tuple[ComparisonView, ...]
    is_by_invitation: bool
    has_groups: bool


def has_groups(stored: StoredSurvey) -> bool:
    """Whether the reports of an edition may be counted by group.

    While it accepts reports, two counts would show what the few people of a group reported
    who answered in between.
    """
    return stored.survey.invited is not None and stored.is_closed and not stored.is_purged


def locale_of(survey: PublishedSurvey, language: str) -> PageLocale:
    """The locale of a survey's page in a language of the interface."""
    own = catalog("results", language)["options"]
    labels = Labels.near(survey, language, own)
    return PageLocale(labels, Numbers(language), direction(language) == "rtl")


def results_page(
    stored: StoredSurvey,
    findings: EditionFindings,
    language: str,
    earlier: StoredSurvey | None = None,
    refusal: ReportOutcome | None = None,
) -> ResultsPage:
    """The page of an edition in a language.

    Args:
        stored: the edition.
        findings: of the edition.
        language: of the texts.
        earlier: the edition that it is compared with.
        refusal: why the edition accepts no new reports now; None if it does.
    """
    survey, estimates = stored.survey, findings.estimates
    locale = locale_of(survey, language)
    numbers = locale.numbers
    asks_some = survey.asked < len(survey.blocks)
    return ResultsPage(
        title=locale.labels.text(survey.title),
        slug=survey.slug,
        edition=numbers.count(stored.edition),
        is_closed=stored.is_closed,
        state=state_key(stored, refusal),
        is_purged=stored.is_purged,
        report_count=estimates.reports,
        reports=numbers.count(estimates.reports),
        epsilon=numbers.short(float(survey.epsilon)),
        asked=(numbers.count(survey.asked), numbers.count(len(survey.blocks)))
        if asks_some
        else None,
        confidence=numbers.percent(findings.choices.confidence, 0),
        questions=tuple(question_view(each, findings, locale) for each in estimates.questions),
        crosstabs=tuple(
            crosstab_view(each, findings.tests.get(each.block), locale.labels, numbers)
            for each in estimates.crosstabs
            if each.reports
        ),
        outlook=outlook(findings, locale),
        goals=tuple(numbers.margin(100 * float(goal), 0) for goal in GOALS),
        earlier=numbers.count(earlier.edition) if earlier else "",
        comparisons=tuple(comparison_view(each, locale) for each in findings.comparisons.values()),
        is_by_invitation=survey.invited is not None,
        has_groups=has_groups(stored) and estimates.reports > 0,
    )
