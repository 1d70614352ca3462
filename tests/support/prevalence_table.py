"""A small table of answers with everything that can be wrong with one."""

import math

import numpy as np
import pandas as pd

from deniable_analysis.designs import stochastic_lie_detector

TABLE = pd.DataFrame(
    {
        "answer": ["yes", "no", "no", "yes", None, "no"],
        "group": [1, 2, 1, 2, 1, np.nan],
        "weight": [1.0, 2.0, 1.0, 1.0, math.nan, 1.0],
        "negative": [1.0, -2.0, 1.0, 1.0, 1.0, 1.0],
        "broken": [1.0, math.nan, 1.0, 1.0, 1.0, math.inf],
        "words": list("abcdef"),
        "nothing": [None] * 6,
        "zero": [0.0] * 6,
    }
)


DETECTOR = stochastic_lie_detector({1: 0.2, 2: 0.8})
