"""The shares of a question over editions."""

from collections.abc import Sequence

import numpy as np

from deniable_analysis.arguments import finite_floats, kind_of
from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, DEFAULT_INTERVAL
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.intervals import Correction, read_correction, shows_variance
from deniable_analysis.estimate.weights import series
from deniable_analysis.relations.common import mean_variances, share_variances
from deniable_analysis.relations.evidence import Evidence, evidence
from deniable_analysis.relations.questions import (
    adjusted,
    check_same_question,
    read_studies,
    with_caution,
)
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.editions import OptionTrend, Trend, TrendPoint


def trend(
    studies: Sequence[ReportedSurvey],
    question: str,
    *,
    times: Sequence[float] | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction | str = Correction.HOLM,
) -> Trend:
    """The changes of a question's shares over editions, with tests of no change.

    The respondents of the editions must be different people. The numbers are for
    one look, with a warning unless all surveys ended as planned.

    Args:
        studies: at least two studies, in their order; their epsilons may
            differ.
        question: id of a question with the same wording in all of them.
        times: time of each study; by default 0, 1, 2 and so on.
        confidence: confidence of the Wilson interval of each share.
        correction: correction of the slopes' p-values over the options.
    Raises:
        InvalidArgument: there are fewer than two studies, not one time for each, or all times are
            equal; confidence is not between 0 and 1; there is no such correction.
        NotAStudy: one of the studies is not a study.
        QuestionNotFound: a survey does not have the question.
        DifferentQuestions: the question is not the same in all of them.
        NotIdentified: a study has no report on the question, or its reports do
            not vary.
        UnsupportedMechanism: this version cannot debias a block.
    """
    given = read_studies(studies)
    when = _read_times(times, len(given))
    how, choice = read_correction(correction), IntervalChoice(DEFAULT_INTERVAL, confidence, False)
    asked = check_same_question(given, question)
    waves = [evidence(study, asked, choice) for study in given]
    for wave in waves:
        if not wave.is_reported:
            raise NotIdentified(
                f"no report of {wave.label} carries every option of question {question!r} yet; "
                "leave that edition out or wait for reports"
            )
    names = [option.option for option in waves[0].estimate.options]
    options = [_option_trend(name, index, waves, when) for index, name in enumerate(names)]
    found = Trend(
        question=question,
        editions=tuple(wave.label for wave in waves),
        reports=tuple(wave.estimate.reports for wave in waves),
        epsilons=tuple(wave.estimate.epsilon for wave in waves),
        confidence=confidence,
        correction=how.value,
        options=adjusted(options, asked, how),
        mean=_mean_trend(waves, when),
        warnings=tuple(warning for wave in waves for warning in wave.warnings),
    )
    return with_caution(found, *given)


def _read_times(times: Sequence[float] | None, count: int) -> Floats:
    """The time of each study."""
    when = finite_floats(range(count) if times is None else times)
    if when is None or when.ndim != 1:
        raise InvalidArgument(
            f"times: got {kind_of(times)}, or one that contains something other than finite "
            "numbers; allowed is a list with a number for each study"
        )
    if count < 2 or len(when) != count or np.ptp(when) == 0:
        raise InvalidArgument(
            f"got {count} studies and {len(when)} times; a trend requires at least two studies, "
            "and a time for each, not all the same"
        )
    return when


def _option_trend(name: str, index: int, waves: Sequence[Evidence], times: Floats) -> OptionTrend:
    found = [wave.estimate.options[index] for wave in waves]
    numbers = [(each.share, each.low, each.high, each.standard_error or 0.0) for each in found]
    shown, variances = np.array(numbers, dtype=np.float64), share_variances(waves, index)
    if not shows_variance(shown[:, 0], variances).all():
        raise NotIdentified(
            f"the reports on {name!r} do not vary in every edition; leave out those with too few"
        )
    return _series(name, waves, times, shown, variances)


def _mean_trend(waves: Sequence[Evidence], times: Floats) -> OptionTrend | None:
    means = [mean for wave in waves if (mean := wave.estimate.mean) and mean.low is not None]
    if len(means) < len(waves):
        return None
    numbers = [(each.value, each.low, each.high, each.standard_error or 0.0) for each in means]
    shown = np.array(numbers, dtype=np.float64)
    return _series("mean", waves, times, shown, mean_variances(waves))


def _series(
    name: str, waves: Sequence[Evidence], times: Floats, shown: Floats, variances: Floats
) -> OptionTrend:
    """The trend of (waves, 4) values, the ends of their intervals and standard errors."""
    line = series(times, shown[:, 0], variances)
    points = tuple(
        TrendPoint(
            edition=wave.label,
            time=time,
            value=value,
            low=low,
            high=high,
            standard_error=error,
            lower_limit=lower,
            upper_limit=upper,
        )
        for wave, time, (value, low, high, error), (lower, upper) in zip(
            waves, times.tolist(), shown.tolist(), line.limits.tolist(), strict=True
        )
    )
    return OptionTrend(
        name=name,
        points=points,
        centre=line.centre,
        slope=line.slope,
        slope_error=line.slope_error,
        z=line.z,
        p_value=line.p_value,
        adjusted_p_value=line.p_value,
        change_p_value=line.change_p_value,
    )
