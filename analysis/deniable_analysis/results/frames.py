"""Data frames, without pandas until one is asked for."""

from types import ModuleType

from deniable_analysis.errors import PandasMissing


def pandas() -> ModuleType:
    """The module pandas.

    Raises:
        PandasMissing: it is not installed.
    """
    try:
        # Only here, so that everything else works without it.
        import pandas as pd  # noqa: PLC0415 - see above
    except ImportError:
        raise PandasMissing(
            "a data frame needs pandas, which is not installed; run: pip install pandas"
        ) from None
    module: ModuleType = pd
    return module
