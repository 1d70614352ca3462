"""Known numbers, computed independently of this project, by their name."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

# The weights of devices fall short of e^epsilon by less than 2^-32, which
# moves a variance by a relative 4 / epsilon times that: 1e-8 at epsilon 0.1.
INTEGER_WEIGHTS = 1e-8

_FOLDER = Path(__file__).parent
_ALL = [
    number
    for name in (
        *("anchors.json", "relation_anchors.json", "routed_anchors.json"),
        "stratified_anchors.json",
        "shared_file_anchors.json",
    )
    for number in json.loads((_FOLDER / name).read_text())
]


@dataclass(frozen=True)
class KnownNumber:
    """What a formula must give for some inputs, and how nearly."""

    id: str
    inputs: dict[str, Any]
    expected: Any
    tolerance: float

    @property
    def epsilon(self) -> float:
        """The inputs' epsilon; ln3 is the double next to it."""
        given = self.inputs["eps"]
        return math.log(3) if given == "ln3" else float(given)

    @property
    def domain_size(self) -> int:
        """The inputs' number of options; 2 for Warner's method."""
        return int(self.inputs.get("k", 2))


def known(name: str) -> list[Any]:
    """The parameters of a test: every known number of this name."""
    found = [
        KnownNumber(entry["id"], entry["inputs"], entry["expected"], float(entry["tolerance"]))
        for entry in _ALL
        if entry["name"].startswith(name)
    ]
    assert found, name
    return [pytest.param(number, id=number.id) for number in found]
