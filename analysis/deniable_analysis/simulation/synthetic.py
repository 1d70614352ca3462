"""Made-up records with the joint distribution that a crosstab estimates.

It lives here because it draws from numpy's generator, which nothing else in
the analysis may.
"""

from typing import TYPE_CHECKING

import numpy as np

from deniable_analysis.arguments import is_whole, kind_of, shown
from deniable_analysis.errors import InvalidAnswers
from deniable_analysis.forms import counted, pandas
from deniable_analysis.results import Crosstab, CrosstabEstimate
from deniable_analysis.simulation.block import check_generator

if TYPE_CHECKING:
    import pandas as pd

SYNTHETIC = "synthetic"
# More would not fit into memory.
MOST_RECORDS = 10**8


def synthetic_records(
    crosstab: Crosstab | CrosstabEstimate, records: int, generator: np.random.Generator
) -> "pd.DataFrame":
    """So many made-up records, drawn from a crosstab's valid shares.

    They cost no privacy: they are worked out from estimates alone. Nobody
    is behind one of them, and standard errors computed from them are
    wrong: these know neither the noise of the estimates nor how many people
    answered. So each is marked in the column `synthetic`, and the frame in
    its attrs.

    Args:
        crosstab: of two questions, or of a joint block.
        records: how many, 0 or more.
        generator: numpy's, with a seed to draw the same records again.
    Returns:
        A pandas data frame with a column of options for each question.
    Raises:
        InvalidAnswers: the number of records is none, or the crosstab is none
            or has no reports, or the generator is none.
    """
    if not isinstance(crosstab, Crosstab | CrosstabEstimate):
        raise InvalidAnswers(
            f"crosstab: got {kind_of(crosstab)}; allowed is what study.crosstab(...) returns, or "
            "a crosstab of study.estimate()"
        )
    check_generator(generator)
    shares = [cell.valid_share for cell in crosstab.cells]
    known = [share for share in shares if share is not None]
    if not is_whole(records, 0, MOST_RECORDS) or len(known) < len(shares):
        raise InvalidAnswers(
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
