"""Writes the vectors that Python and JavaScript both replay.

Run in the tests folder: PYTHONPATH=support python -m vectors.make [FOLDER]. The Python SDK says
what comes out; the numbers from the theory are asserted, not taken from it.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from vectors.addresses import addresses
from vectors.documents import illegal_surveys, legal_surveys
from vectors.health import health
from vectors.json_texts import json_texts
from vectors.ledgers import ledgers
from vectors.logs import logs
from vectors.mechanisms import outputs, piecewises, privsets, sampled_bits
from vectors.primitives import below, blocks, subsets, weights
from vectors.reports import reports
from vectors.spelling import Case

MAKERS: dict[str, Callable[[], list[Case]]] = {
    "addresses.json": addresses,
    "below.json": below,
    "blocks.json": blocks,
    "health.json": health,
    "json_texts.json": json_texts,
    "ledgers.json": ledgers,
    "logs.json": logs,
    "outputs.json": outputs,
    "privset.json": privsets,
    "reports.json": reports,
    "sampled_bits.json": sampled_bits,
    "piecewise.json": piecewises,
    "subset.json": subsets,
    "surveys.json": lambda: [*legal_surveys(), *illegal_surveys()],
    "weights.json": weights,
}


def write(folder: Path) -> None:
    """Write every file of vectors, one case a line."""
    for name, make in MAKERS.items():
        lines = ",\n".join(json.dumps(case) for case in make())
        (folder / name).write_text(f"[\n{lines}\n]\n", encoding="ascii")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
