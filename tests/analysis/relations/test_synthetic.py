"""Made-up records: drawn from the valid shares, and marked as made up."""

import numpy as np
import pytest

from analysis.related import MUST, counted_study, with_mechanisms
from deniable_analysis import Study
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.simulation import synthetic_records
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from sample_definitions import choice, survey, yes_no
from sampling_checks import check_chi_square
from there import there

# The second of these is fewer than would be reported of nobody.
COUNTS = [300, 70, 160, 130, 210, 130]


def study(counts: list[int]) -> Study:
    """A joint block of a yes/no question and a choice."""
    published = survey(yes_no(**MUST), choice(options=3, **MUST), crosstabs=[["asthma", "region"]])
    return counted_study(
        with_mechanisms(published, Subset(6, 1, Weights(7, 1))), asthma_x_region=counts
    )


def test_records_are_drawn_from_the_valid_shares() -> None:
    """Cells come as often as their valid shares say, also where a raw one is below 0."""
    found = study(COUNTS).crosstab("asthma", "region")
    frame = synthetic_records(found, 20_000, np.random.default_rng(1))
    counts = [
        int(((frame["asthma"] == row) & (frame["region"] == column)).sum())
        for row, column in (cell.options for cell in found.cells)
    ]
    shown = [
        (there(cell.valid_share), count) for cell, count in zip(found.cells, counts, strict=True)
    ]
    nobody = [count for share, count in shown if share == 0]
    assert nobody
    assert set(nobody) == {0}
    check_chi_square(
        [count for share, count in shown if share > 0], [share for share, _ in shown if share > 0]
    )


def test_records_are_marked_and_repeat_with_their_seed() -> None:
    """The column, the attrs and their words say that nobody stands behind a record."""
    cells = study(COUNTS).estimate().crosstabs[0]
    first, second = (synthetic_records(cells, 50, np.random.default_rng(7)) for _ in range(2))
    assert first.equals(second)
    assert first["synthetic"].all()
    assert first.attrs["synthetic"] is True
    assert "never compute standard errors" in first.attrs["source"]
    assert list(first.columns) == ["asthma", "region", "synthetic"]
    assert len(synthetic_records(cells, 0, np.random.default_rng(7))) == 0


@pytest.mark.parametrize(
    ("records", "got"),
    [(-1, "-1"), (2.5, "2.5"), (True, "something of the type bool"), (10**400, "a huge number")],
)
def test_numbers_of_records_that_are_none_are_refused(records: object, got: str) -> None:
    """The error says what was got."""
    cells = study(COUNTS).crosstab("asthma", "region")
    with pytest.raises(InvalidArgument, match=f"got {got} records to make up from a crosst"):
        synthetic_records(cells, records, np.random.default_rng(1))  # type: ignore[arg-type]


def test_a_crosstab_without_reports_gives_no_records() -> None:
    """There is nothing to draw from."""
    cells = study([0] * 6).estimate().crosstabs[0]
    with pytest.raises(InvalidArgument, match="from a crosstab of 0 reports"):
        synthetic_records(cells, 5, np.random.default_rng(1))
