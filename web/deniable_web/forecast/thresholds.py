"""Where a warning begins, and why there."""

from fractions import Fraction

from deniable_sdk.weights import SURVEY_CAP

# A result of 40 percent could be 30 or 50: a third can no longer be told from
# a half, and most questions are asked to know as much. Of a mean, a tenth of
# its range.
USEFUL_MARGIN = Fraction(1, 10)

# An option must be chosen by more than its margin to be told from one that
# nobody chose, so at a half only the choice of a majority is seen. Of a mean,
# half of its range: the middle is then as good a guess.
BLIND_MARGIN = Fraction(1, 2)

# Times the share of an option as common as the others, 1 / options: beyond it
# even one that is twice as common cannot be told from one that nobody chose.
VISIBLE_TIMES = 2

# A report tells of some options of a set only, so that the respondents it needs
# grow with the options; with more than these, leaving some out helps most.
MANY_OPTIONS = 10

# Of all waves. e^4 is 55: somebody who thought something 10 percent likely may
# be 86 percent sure after the report, and apps refuse more by default.
LARGE_EPSILON = SURVEY_CAP

# A tenth more error takes a tenth more respondents; less than that is not
# worth a change of plan.
COSTLY_FACTOR = Fraction(11, 10)

# Fewer equal scales in a row are seldom a battery.
LEAST_ITEMS = 3
