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
        case Subset():
            key = "one" if mechanism.size == 1 else "several"
            counts = {"size": mechanism.size, "answers": mechanism.domain_size}
        case SampledBits():
            key = "bits"
            counts = {"sampled": mechanism.sampled, "answers": mechanism.domain.options}
        case PrivSet():
            key, domain = "set", mechanism.domain
            counts = {"size": mechanism.size, "answers": domain.options, "blanks": domain.at_most}
        case Piecewise():
            return _place(mechanism, numbers)
        case _:
            return theory.describe(mechanism)
    shares = {"keep": mechanism.keep, "flip": mechanism.flip}
    return texts[key].format(
        **{name: numbers.count(count) for name, count in counts.items()},
        **{name: numbers.percent(float(share)) for name, share in shares.items()},
    )


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
