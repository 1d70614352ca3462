"""From a fit's bare parameters to named coefficients."""

from dataclasses import replace

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.assembly import Assembly
from deniable_analysis.regression.choices import Choices, Interval, Method
from deniable_analysis.regression.coefficients import NO_INTERVAL, Coefficient
from deniable_analysis.regression.fit import Fit
from deniable_analysis.regression.outcomes import LOG_SPREAD
from deniable_analysis.regression.results import Regression
from deniable_analysis.regression.scale import parameter_scale


def read_fit(assembly: Assembly, fit: Fit, choices: Choices, *, is_weighted: bool) -> Regression:
    """The result that people read."""
    model, seen = assembly.model, assembly.seen
    linear = _linear(assembly, fit, choices)
    start = model.outcome_size
    own = [each for each in linear[:start] if each.name != LOG_SPREAD]
    spread = linear[start : start + model.spread_size]
    places = [place for place in range(start) if model.names[place] != LOG_SPREAD]
    spends = [each.epsilon for each in seen.reports]
    categories = model.outcome.categories
    method = Method.MOMENTS if fit.log_likelihood is None else Method.LIKELIHOOD
    return Regression(
        formula=assembly.formula.text,
        outcome=assembly.formula.outcome,
        link=assembly.link,
        categories=categories if len(categories) > 1 else (),
        method=method.value,
        rows=round(float(seen.counts.sum())),
        left_out=seen.left_out,
        # Clear answers spend no epsilon of 0, which would be perfect privacy.
        epsilon=None if not spends or None in spends else float(sum(each or 0 for each in spends)),
        standard_errors=fit.kind.value,
        confidence=choices.confidence,
        interval=_interval([*own, *spread]),
        coefficients=tuple(own),
        predictor_coefficients=() if fit.log_likelihood is None else tuple(spread),
        design_parameters=_design(assembly, fit, choices),
        residual_sd=_residual(assembly, fit, choices),
        log_likelihood=fit.log_likelihood,
        covariance=fit.covariance[np.ix_(places, places)],
        is_weighted=is_weighted,
        warnings=fit.warnings,
        assembly=assembly,
        fit=fit,
    )


def _linear(assembly: Assembly, fit: Fit, choices: Choices) -> list[Coefficient]:
    found = []
    units = _units(assembly, fit)
    for place, name in enumerate(assembly.model.names):
        value, variance = float(fit.parameters[place]), float(fit.covariance[place, place])
        one = Coefficient.normal(name, value, variance, choices.confidence, float(units[place]))
        limited = _limited(one, fit, place, np.positive)
        found.append(replace(limited, is_infinite=bool(fit.is_infinite[place])))
    return found


def _limited(one: Coefficient, fit: Fit, place: int, turn: np.ufunc) -> Coefficient:
    """The coefficient with its limits by profile likelihood, if it has some.

    Args:
        one: with a normal interval.
        fit: which has the limits.
        place: of its parameter.
        turn: the parameter to it.
    """
    is_normal = bool(fit.sound.is_normal[place])
    if fit.limits is not None and not np.isnan(fit.limits[place]).any():
        low, high = turn(fit.limits[place]).tolist()
        profile = Interval.PROFILE.value
        return replace(one, low=low, high=high, interval=profile, is_normal=is_normal)
    if fit.limits is not None and not is_normal:
        return replace(one, low=np.nan, high=np.nan, interval=NO_INTERVAL, is_normal=False)
    interval = NO_INTERVAL if np.isnan(one.low) or not one.is_held else one.interval
    return replace(one, interval=interval, is_normal=is_normal)


def _interval(coefficients: list[Coefficient]) -> str:
    """What their intervals are: one word, or those that occur."""
    kinds = dict.fromkeys(each.interval for each in coefficients if each.interval != NO_INTERVAL)
    return " and ".join(sorted(kinds)) or NO_INTERVAL


def _units(assembly: Assembly, fit: Fit) -> Floats:
    """How much of each term moves a linear predictor as far as any term does."""
    scale = parameter_scale(assembly.model, fit.parameters)
    farthest = np.max(np.abs(fit.parameters) * scale)
    return np.divide(farthest, scale, out=np.zeros_like(scale), where=scale > 0)


def _design(assembly: Assembly, fit: Fit, choices: Choices) -> tuple[Coefficient, ...]:
    """The unknown design parameters, from their logits by the delta method."""
    model = assembly.model
    first = model.outcome_size + model.spread_size
    found = []
    for place in range(first, model.size):
        value = float(special.expit(fit.parameters[place]))
        slope = value * (1 - value)
        variance = float(fit.covariance[place, place])
        variance = variance * slope**2 if np.isfinite(variance) else np.inf
        estimate = float(round(value)) if fit.is_infinite[place] else value
        name = model.names[place]
        one = Coefficient.normal(name, estimate, variance, choices.confidence)
        found.append(_limited(one, fit, place, special.expit))
    return tuple(found)


def _residual(assembly: Assembly, fit: Fit, choices: Choices) -> Coefficient | None:
    names = assembly.model.names[: assembly.model.outcome_size]
    if LOG_SPREAD not in names or fit.log_likelihood is None:
        return None
    place = names.index(LOG_SPREAD)
    value = float(np.exp(fit.parameters[place]))
    variance = float(fit.covariance[place, place]) * value**2
    one = Coefficient.normal("residual sd", value, variance, choices.confidence)
    return _limited(one, fit, place, np.exp)
