from .coefficients import Coefficient
from .effects import AverageEffects
from .predictions import Predictions
from .ratio import RatioTest, RatioTests

# fmt: off
__all__ = [
    "AverageEffects", "Coefficient", "Predictions", "RatioTest", "RatioTests",
]
# fmt: on
