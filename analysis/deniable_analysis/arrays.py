"""The types of arrays: what their members are."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
# Indexes into something else, as numpy takes them.
Indexes = NDArray[np.intp]
