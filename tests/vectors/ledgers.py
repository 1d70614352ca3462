"""What is left of the yearly cap on devices that have answered before.

The verdicts are those of logarithms with 90 digits, which neither SDK uses.
"""

import random
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

from deniable_sdk.canonical import encode
from deniable_sdk.weights import integer_weights
from vectors.building import survey_document, yes_no
from vectors.spelling import Case

TODAY = 20_600
# Before, no device had this program.
FIRST_DAY = 20_454
COLLECTORS = ["https://one.example", "https://two.example"]
SLUGS = ["health", "sleep", "work"]
STATES = ["held", "waiting", "sent", "refused", "dropped", "declined"]
DAYS = [TODAY, TODAY - 1, TODAY - 364, TODAY - 365, TODAY - 400, TODAY + 1, TODAY + 900, 0, None]
CAPS = ["0.5", "1", "2", "3.999999999", "4", "8", "10"]
CASES = 400
_DIGITS = 90


def ledgers() -> list[Case]:
    """Reports that a device has made, a survey, a cap, and whether it is refused."""
    chance = random.Random("ledgers")
    edges = [_edge(cap, waves) for cap, waves in product(CAPS, (1, 2, 4))]
    return edges + [_case(chance) for _ in range(CASES)]


def _edge(cap: str, waves: int) -> Case:
    """A survey on a new device, which fits or does not by a hair."""
    return _judged([], cap, "1", waves, 1)


def _case(chance: random.Random) -> Case:
    reports = [_report(chance) for _ in range(chance.randrange(8))]
    waves = chance.choice([1, 1, 2, 3])
    epsilon = chance.choice(["0.25", "0.5", "1"])
    return _judged(reports, chance.choice(CAPS), epsilon, waves, chance.randint(1, waves))


def _report(chance: random.Random) -> Case:
    waves = chance.choice([1, 1, 2, 3])
    claimed = chance.choice(["0.25", "0.5", "1"])
    # What was kept of facts spends nothing; later waves may take less than was claimed.
    taken = chance.choice([[], [claimed], [claimed, "0.1"][: 1 + (waves == 1)]])
    return {
        "collector": chance.choice(COLLECTORS),
        "slug": chance.choice(SLUGS),
        "state": chance.choice(STATES),
        "day": chance.choice(DAYS),
        "weights": [_weights(part) for part in taken],
        "panel": [chance.randint(1, waves), waves, claimed] if waves > 1 else None,
    }


def _weights(epsilon: str) -> list[int]:
    weights = integer_weights(Fraction(epsilon))
    return [weights.high, weights.low]


def _judged(reports: list[Case], cap: str, epsilon: str, waves: int, wave: int) -> Case:
    """A case with what two sums of logarithms say of it."""
    document = survey_document(yes_no(), epsilon=epsilon)
    privacy = document["privacy"]
    assert isinstance(privacy, dict)
    if waves > 1:
        privacy.update(waves=waves, wave=wave)
    asked: Case = {
        "collector": COLLECTORS[0],
        "slug": "health",
        "day": TODAY,
        "weights": [_weights(epsilon)],
        "panel": [wave, waves, epsilon] if waves > 1 else None,
    }
    with localcontext() as context:
        context.prec = _DIGITS
        before, after = _counted(reports), _counted([*reports, asked])
        # So that no rounding decides.
        assert abs(after - Decimal(cap)) > Decimal("1e-40")
        return {
            "today": TODAY,
            "cap": cap,
            "survey": encode(document).decode(),
            "reports": reports,
            "epsilon": float(before),
            "is_refused": after > Decimal(cap),
        }


def _counted(reports: list[Case]) -> Decimal:
    """The epsilon of a year, and what panels have reserved in it."""
    total = Decimal(0)
    panels: dict[object, list[Case]] = {}
    for report in reports:
        if _counts(report):
            total += sum(
                (Decimal(high).ln() - Decimal(low).ln() for high, low in _parts(report)),
                Decimal(0),
            )
        if report["panel"]:
            _, waves, _ = _panel(report)
            series = (report["collector"], report["slug"], waves)
            panels.setdefault(series, []).append(report)
    for of_panel in panels.values():
        if any(map(_counts, of_panel)):
            _, waves, claimed = _panel(of_panel[0])
            answered = {_panel(report)[0] for report in of_panel}
            total += (waves - len(answered)) * Decimal(claimed)
    return total


def _counts(report: Case) -> bool:
    day = report["day"]
    return day is None or (isinstance(day, int) and max(day, FIRST_DAY) > TODAY - 365)


def _parts(report: Case) -> list[list[int]]:
    weights = report["weights"]
    assert isinstance(weights, list)
    return weights


def _panel(report: Case) -> tuple[int, int, str]:
    panel = report["panel"]
    assert isinstance(panel, list)
    wave, waves, claimed = panel
    return wave, waves, claimed
