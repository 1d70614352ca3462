"""Every public name of the analysis, wherever it is imported from."""

from types import ModuleType
from typing import Any

import deniable_analysis
from deniable_analysis import designs, errors, estimate, planning, privacy, regression, results

ROOMS = (designs, errors, estimate, planning, privacy, regression, results)


def _names(room: ModuleType) -> list[str]:
    """What a room offers; the errors are a module of nothing else."""
    return list(getattr(room, "__all__", [name for name in vars(room) if name[0].isupper()]))


PUBLIC: dict[str, Any] = {
    name: value
    for room in (deniable_analysis, *ROOMS)
    for name in _names(room)
    if not isinstance(value := getattr(room, name), ModuleType)
}
