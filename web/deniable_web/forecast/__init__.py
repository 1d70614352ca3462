"""The forecast of a survey: its accuracy and its privacy, before anyone is asked."""

from deniable_web.forecast.advice import Advice, Caution
from deniable_web.forecast.blocks import BlockForecast, EstimateForecast, Wanted
from deniable_web.forecast.disclosure import Disclosure, percent
from deniable_web.forecast.survey import SurveyForecast, forecast

__all__ = [
    "Advice",
    "BlockForecast",
    "Caution",
    "Disclosure",
    "EstimateForecast",
    "SurveyForecast",
    "Wanted",
    "forecast",
    "percent",
]
