"""Rows of KoboToolbox's own kinds, as rows that every XLSForm may have.

Source: KoboToolbox's kpi, which writes these rows into the forms that people download.
"""

from collections.abc import Iterable, Iterator
from typing import Final

Row = dict[str, str]

# A matrix asks all of its questions for each of its rows, as a repeated group does.
_SAME: Final = {
    "begin_score": "begin_group",
    "end_score": "end_group",
    "begin_kobomatrix": "begin_repeat",
    "end_kobomatrix": "end_repeat",
    "end_matrix": "end_repeat",
}
_RANK_ENDS: Final = ("rank__level", "end_rank")
_SCORE_CHOICES: Final = "kobo--score-choices"
_RANK_ITEMS: Final = "kobo--rank-items"
_OWN_NAME: Final = "$autoname"


def standard_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of a sheet survey; a row of a score becomes a question with its choices."""
    choices = ""
    for row in rows:
        kind = row.get("type", "")
        if kind in _RANK_ENDS:
            continue
        named = {"name": row[_OWN_NAME], **row} if _OWN_NAME in row else row
        choices = row.get(_SCORE_CHOICES, choices)
        if kind == "score__row":
            yield {**named, "type": f"select_one {choices}"}
        elif kind == "begin_rank":
            yield {**named, "type": f"rank {row.get(_RANK_ITEMS, '')}"}
        else:
            yield {**named, "type": _SAME[kind]} if kind in _SAME else named
