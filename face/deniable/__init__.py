"""Ask sensitive questions without anyone ever seeing the answers.

This package has the names that most programs need. All of them are defined elsewhere.

In an app, on the respondent's device (standard library only):

    import deniable

    client = deniable.open_client("https://surveys.example.org", consent=True)
    survey = client.get_survey("stress")
    asked = client.draw(survey)  # show asked.questions, and collect the answers
    report = client.submit(survey, {"stress": 4}, asked.blocks)

For the results (`pip install 'deniable[analysis]'`):

    print(deniable.open_study("deniable.sqlite", "stress").estimate())

The command `deniable` (`pip install 'deniable[web]'`) publishes surveys and serves the form:

    deniable demo     # a whole survey, from its definition to its estimates
    deniable serve    # write surveys in the browser, collect reports, read results

`deniable_sdk` and `deniable_analysis` have everything else: errors, plans, regressions.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from deniable_analysis import Study, open_study
    from deniable_sdk import (
        Client,
        DeniableError,
        PublishedSurvey,
        Report,
        check_report,
        compile_survey,
        draw_blocks,
        open_client,
        randomize,
        reached_questions,
    )

    __version__: str

__all__ = [
    "Client",
    "DeniableError",
    "PublishedSurvey",
    "Report",
    "Study",
    "__version__",
    "check_report",
    "compile_survey",
    "draw_blocks",
    "open_client",
    "open_study",
    "randomize",
    "reached_questions",
]

_OF_ANALYSIS = {"Study", "open_study"}


def __getattr__(name: str) -> object:
    """Load a name from the package that defines it, when it is asked for."""
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("deniable")
    if name not in __all__:
        raise AttributeError(
            f"module 'deniable' has no attribute {name!r}; it has {', '.join(__all__)}, and "
            "deniable_sdk and deniable_analysis have more"
        )
    package = "deniable_analysis" if name in _OF_ANALYSIS else "deniable_sdk"
    return getattr(importlib.import_module(package), name)


def __dir__() -> list[str]:
    """The names that this installation can load."""
    try:
        importlib.import_module("deniable_analysis")
    except ImportError:
        return [name for name in __all__ if name not in _OF_ANALYSIS]
    return list(__all__)
