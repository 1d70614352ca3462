"""Estimates of each site, and how much the sites differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.heterogeneity import random_effects
from deniable_analysis.estimate.questions import blocks_of, with_routers
from deniable_analysis.relations.common import mean_variances, share_variances
from deniable_analysis.relations.evidence import Evidence, evidence_of_each
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.by_site import (
    MEAN,
    SiteDifferences,
    SiteEstimate,
    SiteEstimates,
    SiteQuestion,
    SiteResponse,
)
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import OptionEstimate
from deniable_sdk.survey.questions import Question

# An estimate, and the ends of its interval.
_Ends = tuple[float | None, float | None, float | None]


def estimate_by_site(
    study: ReportedSurvey, questions: Sequence[Question], choice: IntervalChoice
) -> SiteEstimates:
    """The estimates of questions at each site, and how much the sites differ.

    The respondents of the sites must be different people. Their epsilons may differ.

    The interval of the mean of the sites is for one look, whatever the choice.

    Raises:
        InvalidArgument: there is none.
        UnsupportedMechanism: this version cannot debias a block; and errors of sources.
    """
    sites = study.sites
    if not sites:
        raise InvalidArgument(
            "the study is of one location; open several as one study, as in "
            'open_sites({"north": ..., "south": ...}), for results by site'
        )
    counts = {
        name: site.released_count(blocks_of(site.survey, with_routers(site.survey, questions)))
        for name, site in sites.items()
    }
    found = {
        name: evidence_of_each(site, questions, counts[name], choice, name)
        for name, site in sites.items()
    }
    cautions = dict.fromkeys(text for site in sites.values() for text in site.caution)
    return SiteEstimates(
        sites=tuple(sites),
        confidence=choice.confidence,
        questions=tuple(
            _by_site(question, {name: each[place] for name, each in found.items()}, choice)
            for place, question in enumerate(questions)
        ),
        responses=tuple(
            SiteResponse(site=name, invited=site.invited, reports=counts[name].report_count)
            for name, site in sites.items()
        ),
        warnings=(*study.about_sites, *cautions),
    )


def _by_site(
    question: Question, found: Mapping[str, Evidence], choice: IntervalChoice
) -> SiteQuestion:
    first = next(iter(found.values())).estimate
    return SiteQuestion(
        question=question.id,
        type=question.type,
        shares=tuple(
            _share(found, place, choice.confidence) for place in range(len(first.options))
        ),
        mean=_mean(found, choice.confidence) if first.mean else None,
    )


def _share(found: Mapping[str, Evidence], place: int, confidence: float) -> SiteDifferences:
    """One of the options at every site."""
    options = {name: each.estimate.options[place] for name, each in found.items()}
    told = {name: each for name, each in options.items() if each.share is not None}
    variances = share_variances([found[name] for name in told], place)
    ends = {name: (each.share, each.low, each.high) for name, each in options.items()}
    name = next(iter(options.values())).option
    return _differences(name, found, ends, _with_noise(variances, told.values()), confidence)


def _with_noise(
    variances: Iterable[float], told: Iterable[OptionEstimate | MeanEstimate]
) -> list[float]:
    """The variances with those of the noise of releases."""
    return [
        without if each.release_variance is None else max(without, 0.0) + each.release_variance
        for without, each in zip(variances, told, strict=True)
    ]


def _mean(found: Mapping[str, Evidence], confidence: float) -> SiteDifferences:
    means = {name: each.estimate.mean or MeanEstimate() for name, each in found.items()}
    told = {name: each for name, each in means.items() if each.value is not None}
    variances = mean_variances([found[name] for name in told])
    ends = {name: (each.value, each.low, each.high) for name, each in means.items()}
    return _differences(MEAN, found, ends, _with_noise(variances, told.values()), confidence)


def _differences(
    name: str,
    found: Mapping[str, Evidence],
    ends: Mapping[str, _Ends],
    variances: Sequence[float],
    confidence: float,
) -> SiteDifferences:
    """The estimates of all sites, and what they say about differences between sites."""
    sites = tuple(
        SiteEstimate(
            site=site, reports=found[site].estimate.reports, value=value, low=low, high=high
        )
        for site, (value, low, high) in ends.items()
    )
    values = [each.value for each in sites if each.value is not None]
    try:
        effects = random_effects(values, variances, confidence)
    except NotIdentified as error:
        return SiteDifferences(name=name, sites=sites, why=str(error))
    return SiteDifferences(name=name, sites=sites, **asdict(effects))
