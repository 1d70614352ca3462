"""Prior probabilities of somebody who sees a report."""

from fractions import Fraction

# A rare thing, an uncommon one, and a coin.
PRIORS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2))

# The prior that sentences for people use: it shows best what a report can reveal.
TOLD_PRIOR = Fraction(1, 10)
