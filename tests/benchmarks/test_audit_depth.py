"""The audit with many more reports: printed, and held to the claims as well."""

import pytest

from audit.auditor import Finding, audit
from audit.pairs import PAIRS
from audit.power import smallest_seen
from audit.sampling import from_node, from_python
from sampling_checks import ALPHA

pytestmark = pytest.mark.bench

COUNT = 10_000  # samples of each side of a pair
COUNTS = [600, 1_000, COUNT, 100_000]
CLAIMS = [0.5, 1.0, 2.0, 4.0]


def test_what_many_reports_show(capsys: pytest.CaptureFixture[str]) -> None:
    """The epsilon that reports of each pair show at least, beside the one that is claimed."""
    lines = [f"\nepsilon at least, from {COUNT:,} samples of each side, at {ALPHA:g}"]
    lines.append(f"{'pair':<26}{'claimed':>9}{'Python':>9}{'JavaScript':>12}  shown by")
    for name, pair in PAIRS.items():
        python, javascript = (
            audit(*draw("shipped", name, COUNT), pair.claim) for draw in (from_python, from_node)
        )
        lines.append(
            f"{name:<26}{pair.claim:>9.3f}{python.epsilon:>9.3f}{javascript.epsilon:>12.3f}"
            f"  {_feature(python)}"
        )
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result


def test_what_the_audit_would_see(capsys: pytest.CaptureFixture[str]) -> None:
    """The least epsilon of randomized response that is found out, by samples and by claim."""
    lines = [f"\nspent, when found out all but once in {1 / ALPHA:,.0f} (half the time)"]
    lines.append(f"{'samples of a side':<20}" + "".join(f"{f'claim {c:g}':>15}" for c in CLAIMS))
    for count in COUNTS:
        cells = [
            f"{smallest_seen(count // 2, claim, 1 - ALPHA):.2f}"
            f" ({smallest_seen(count // 2, claim, 0.5):.2f})"
            for claim in CLAIMS
        ]
        lines.append(f"{count:<20,}" + "".join(f"{cell:>15}" for cell in cells))
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result


def _feature(finding: Finding) -> str:
    return "nothing" if finding.event is None else finding.event.feature
