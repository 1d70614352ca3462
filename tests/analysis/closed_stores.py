"""Closed stores of one survey that asks four kinds of questions."""

import random
from pathlib import Path

from analysis.study_files import add_reports, close_survey, write_store
from deniable_sdk import randomize
from deniable_storage.ends import End
from sample_definitions import choice, multiple, scale, survey, yes_no

ASKED = survey(
    choice("region", 3, required=True),
    yes_no("order", required=True),
    multiple("drugs", 4, required=True),
    scale("stress"),
    epsilon=4,
    ask=4,
    at_most_reports=100,
)
READ_BYTES = random.Random(1965).randbytes
REPORTS = [
    randomize(
        ASKED,
        {
            "region": f"o{place % 3}",
            "order": place % 4 == 0,
            "drugs": [f"o{place % 4}"],
            "stress": place % 5 + 1,
        },
        read_bytes=READ_BYTES,
    ).values
    for place in range(100)
]


def write(path: Path, count: int = 100, end: End | None = End.CLOSES) -> Path:
    """Write a closed store."""
    write_store(path, ASKED)
    add_reports(path, ASKED, REPORTS[:count])
    close_survey(path, ASKED, end)
    return path
