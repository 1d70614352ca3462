"""Prior probabilities of somebody who sees a report."""

from fractions import Fraction

# A rare thing, an uncommon one, and a coin.
PRIORS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2))

# The prior of the sentences for people: of the three the one that shows best
# what a report can do.
TOLD_PRIOR = Fraction(1, 10)
