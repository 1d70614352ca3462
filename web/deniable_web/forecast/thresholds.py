"""The thresholds of warnings, and the reason for each."""

from fractions import Fraction

from deniable_sdk.weights import SURVEY_CAP

# A result of 40 percent could be 30 or 50: a third cannot be distinguished from a half, and
# most questions need at least that. For a mean, a tenth of its range.
USEFUL_MARGIN = Fraction(1, 10)

# An option can be distinguished from one that nobody chose only if its share exceeds its
# margin. So with a margin of a half, only the choice of a majority is visible. For a mean,
# half of its range: the middle would be as good a guess.
BLIND_MARGIN = Fraction(1, 2)

# A multiple of the share of an average option, 1 / options. With a larger margin, even an
# option twice as common as the average cannot be distinguished from one that nobody chose.
VISIBLE_TIMES = 2

# A report contains information about only some options of a set, so the required
# respondents grow with the options. With more options than this, leaving some out helps
# most.
MANY_OPTIONS = 10

# For all waves together. e^4 is 55: somebody who thought something 10 percent likely may be
# 86 percent sure after the report. Apps refuse more by default.
LARGE_EPSILON = SURVEY_CAP

# A tenth more error needs a tenth more respondents; less is not worth a change of plan.
COSTLY_FACTOR = Fraction(11, 10)

# Fewer equal scales in a row are seldom a battery.
LEAST_ITEMS = 3
