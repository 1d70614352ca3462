"""Data frames, with pandas loaded when the first one is asked for."""

from types import ModuleType


def pandas() -> ModuleType:
    """The module pandas: loading it takes longer than a whole command without it."""
    import pandas as pd  # noqa: PLC0415 - see above

    module: ModuleType = pd
    return module
