"""The answers of the demo's respondents: real ones in a checkout, else invented ones."""

import csv
import math
import tempfile
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deniable_web.commands.tables import say
from deniable_web.packaged_files import example_folder

PEOPLE = 20_190

# Of the invented people: the parts in a hundred up to each health, then by health the parts with
# a limitation and the means of both numbers. Nearly those of examples/health.
_HEALTH = ("excellent", "good", "fair", "poor")
_UP_TO = (55, 91, 99)
_LIMITED = (6, 14, 34, 60)
_VISITS = (2.6, 2.9, 3.7, 5.8)
_CONDITIONS = (10.0, 12.1, 14.5, 18.4)
_DEDUCTIBLE = 26
_MOST_VISITS, _MOST_CONDITIONS = 77, 58.6


@contextmanager
def demo_answers() -> Iterator[Path]:
    """The path of a table with the answers of 20,190 people to the questions of both demos.

    A message says so if they are invented.
    """
    real = example_folder("health") / "answers.csv"
    if real.is_file():
        yield real
        return
    say(
        f"The answers of {PEOPLE:,} people are invented, as an installed package has no sample "
        "data. In a checkout, make demo uses real answers."
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "invented.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            rows = [invented_person(number) for number in range(PEOPLE)]
            table = csv.DictWriter(file, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
        yield path


def invented_person(number: int) -> dict[str, str]:
    """The answers of one invented person, the same in every run.

    Answers depend on the number of the person alone. Nothing is drawn: multiples of an irrational
    number are spread evenly over an interval.
    """
    health = bisect(_UP_TO, 100 * _spread(number, 2))
    visits = int(-math.log1p(-_spread(number, 3)) * _VISITS[health] + 0.5)
    conditions = -math.log1p(-_spread(number, 5)) * _CONDITIONS[health]
    return {
        "limitation": _yes(_spread(number, 7), _LIMITED[health]),
        "health": _HEALTH[health],
        "doctor_visits": str(min(visits, _MOST_VISITS)),
        "chronic_conditions": f"{min(conditions, _MOST_CONDITIONS):.1f}",
        "deductible_plan": _yes(_spread(number, 11), _DEDUCTIBLE),
    }


def _spread(number: int, prime: int) -> float:
    """A part of 1, evenly spread over the numbers."""
    return number * math.sqrt(prime) % 1


def _yes(part: float, parts_in_hundred: int) -> str:
    return "yes" if 100 * part < parts_in_hundred else "no"
