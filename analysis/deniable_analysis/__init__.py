"""Estimates from randomized reports, and plans of how many are needed.

Open a collector's store with open_study, estimate the shares of every option
with honest intervals, and ask the planner in advance how many respondents an accuracy
needs.

Each name is imported where it is first asked for, from where the stub beside
this file says: a page that needs one bound does not wait for regressions.
"""

from deniable_analysis.errors import AnalysisMissing


def __getattr__(name: str) -> object:
    """Load a name where it is first asked for."""
    try:
        return _load(name)
    except ModuleNotFoundError as error:
        raise _missing(error) from None


def _missing(error: ModuleNotFoundError) -> AnalysisMissing:
    package = str(error.name).partition(".")[0]
    return AnalysisMissing(
        f"deniable_analysis needs the package {package}, which is not installed; "
        "run: pip install 'deniable[analysis]'",
        name=package,
    )


try:
    import lazy_loader
except ModuleNotFoundError as missing:
    raise _missing(missing) from None

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
