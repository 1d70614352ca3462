"""Synthetic records with the joint distribution of an estimated crosstab.

It is here because it draws from numpy's generator, which is not allowed
elsewhere in the analysis.
"""

import numpy as np

from deniable_analysis.arguments import check_kind, is_whole, shown
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.forms import DataFrame, pandas
from deniable_analysis.results.crosstab import Crosstab, CrosstabEstimate
from deniable_analysis.simulation.answers import check_generator
from deniable_sdk.wording import counted

SYNTHETIC = "synthetic"
# More records would not fit into memory.
MOST_RECORDS = 10**8


def synthetic_records(
    crosstab: Crosstab | CrosstabEstimate, records: int, generator: np.random.Generator
) -> DataFrame:
    """Synthetic records, drawn from a crosstab's valid shares.

    They cost no privacy, because they are computed from estimates alone. No
    record is a person. Standard errors computed from the records are wrong,
    because they ignore the noise of the estimates and the number of
    respondents. So the column `synthetic` marks each record, and the attrs mark
    the frame.

    Args:
        crosstab: crosstab of two questions, or of a joint block.
        records: number of records, 0 or more.
        generator: generator of numpy; use a seed to draw the same records
            again.
    Returns:
        A pandas data frame with a column of options for each question.
    Raises:
        InvalidArgument: an argument is invalid, or the crosstab has no reports.
    """
    allowed = "what study.crosstab(...) returns, or a crosstab of study.estimate()"
    check_kind("crosstab", crosstab, (Crosstab, CrosstabEstimate), allowed)
    check_generator(generator)
    shares = [cell.valid_share for cell in crosstab.cells]
    known = [share for share in shares if share is not None]
    if not is_whole(records, 0, MOST_RECORDS) or len(known) < len(shares):
        raise InvalidArgument(
            f"got {shown(records)} records to make up from a crosstab of "
            f"{counted(crosstab.reports, 'report')}; allowed are 0 to {MOST_RECORDS} "
            "records, from a crosstab with reports"
        )
    chances = np.array(known)
    drawn = generator.choice(len(chances), size=records, p=chances / chances.sum())
    columns = {
        question: [crosstab.cells[cell].options[index] for cell in drawn]
        for index, question in enumerate(crosstab.questions)
    }
    frame = pandas().DataFrame({**columns, SYNTHETIC: True})
    frame.attrs[SYNTHETIC] = True
    frame.attrs["source"] = (
        f"made up from the crosstab {' x '.join(crosstab.questions)} of "
        f"{counted(crosstab.reports, 'report')}; never compute standard errors from these records"
    )
    return frame
