"""What a device does with an answer, in words of a report's language."""

from fractions import Fraction

from deniable_sdk import theory
from deniable_sdk.mechanisms import Piecewise, PrivSet, SampledBits, Subset
from deniable_sdk.mechanisms.base import Mechanism
from deniable_web.pages.languages import catalog
from deniable_web.results.numbers import Numbers


def in_words(mechanism: Mechanism, numbers: Numbers) -> str:
    """What the device does; in English if there are no words of the language for it."""
    texts = catalog("report", numbers.language)["mechanisms"]
    match mechanism:
        case Subset(size=1):
            return texts["one"].format(keep=numbers.percent(float(mechanism.keep)))
        case Subset():
            return texts["several"].format(
                size=numbers.count(mechanism.size),
                answers=numbers.count(mechanism.domain_size),
                keep=numbers.percent(float(mechanism.keep)),
            )
        case SampledBits():
            return texts["bits"].format(
                sampled=numbers.count(mechanism.sampled),
                answers=numbers.count(mechanism.domain.options),
                keep=numbers.percent(float(mechanism.keep)),
            )
        case PrivSet():
            return texts["set"].format(
                size=numbers.count(mechanism.size),
                answers=numbers.count(mechanism.domain.options),
                blanks=numbers.count(mechanism.domain.at_most),
                keep=numbers.percent(float(mechanism.keep)),
                flip=numbers.percent(float(mechanism.flip)),
            )
        case Piecewise():
            return _place(mechanism, numbers)
    return theory.describe(mechanism)


def _place(mechanism: Piecewise, numbers: Numbers) -> str:
    texts = catalog("report", numbers.language)["mechanisms"]
    near = mechanism.window * Fraction(mechanism.weights.high, mechanism.total_weight)
    place = texts["place"].format(
        places=numbers.count(mechanism.places),
        near=numbers.percent(float(near)),
        window=numbers.count(mechanism.window),
    )
    if not mechanism.rounds:
        return place
    rounded = texts["rounded"].format(positions=numbers.count(mechanism.steps + 1))
    return f"{rounded} {place}"
