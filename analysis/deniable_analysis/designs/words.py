"""Probabilities in words, so that none is read the other way round."""

from collections.abc import Sequence
from fractions import Fraction

# Beyond it a fraction is harder to read than a decimal number.
_LARGEST_DENOMINATOR = 1000


def in_words(probability: Fraction) -> str:
    """A probability as its author would write it: 1/6, or 0.268941."""
    if probability.denominator <= _LARGEST_DENOMINATOR:
        return str(probability)
    return f"{float(probability):.6g}"


def sentence(observed: str, true: str, probability: Fraction) -> str:
    """One probability of a design: P(yes | true no) = 1/6."""
    return f"P({observed} | true {true}) = {in_words(probability)}"


def affine_in_words(terms: Sequence[tuple[Fraction, str]]) -> str:
    """A sum of factors times names, the constant having none: 1 - t."""
    text = ""
    for factor, name in terms:
        if not factor:
            continue
        number = "" if name and abs(factor) == 1 else in_words(abs(factor))
        joint = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
        text += joint + "·".join(part for part in (number, name) if part)
    return text or "0"
