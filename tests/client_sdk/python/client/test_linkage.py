"""Reports of one person can hardly be matched by what a device repeats of facts."""

import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction

import pytest

from deniable_sdk import PublishedSurvey
from deniable_sdk.client import MemoryStorage
from deniable_sdk.mechanisms import Subset
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.testing import RecordingTransport, open_test_client
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import integer_weights
from sample_definitions import choice, survey, yes_no
from sampled_params import sampled_params
from sampling_checks import ALPHA

DEVICES = 10_000
DECADES = 10
SHARES = [0.02, 0.05, 0.1, 0.15, 0.2, 0.18, 0.12, 0.1, 0.05, 0.03]


def right_matches(first: Sequence[Hashable], second: Sequence[Hashable], seed: int) -> int:
    """How often equal values, paired at random, are those of one device.

    Entry i of both is what device i reported. No attack on these values does
    better on average: within a class of equal ones all pairings are alike.
    """
    rng = random.Random(seed)
    by_value: defaultdict[Hashable, list[int]] = defaultdict(list)
    for device, value in enumerate(first):
        by_value[value].append(device)
    for members in by_value.values():
        rng.shuffle(members)
    return sum(by_value[value].pop() == device for device, value in enumerate(second))


def most_right(outputs: int) -> int:
    """What chance exceeds with a probability of ALPHA.

    The right pairs of a class are the fixed points of a random permutation,
    whose factorial moments are those of a Poisson law of mean 1, or smaller.
    """
    left, term, count = 1.0, math.exp(-outputs), 0
    while left - term > ALPHA:
        left -= term
        count += 1
        term *= outputs / count
    return count


@pytest.mark.parametrize("devices", sampled_params([2_000, DEVICES]))
def test_facts_match_no_more_devices_than_the_formula_says(devices: int) -> None:
    """Of many devices with two editions about as many are matched as there are outputs.

    Source: the theory's sum over outputs of 1 - (1 - P)^n, at most as many as outputs.
    """
    asked = (choice("decade", DECADES, fixed=True, required=True), yes_no("harassed"))
    editions = [survey(*asked, title=title, ask="all") for title in ("1", "2")]
    rng = random.Random(27)
    values: list[list[int]] = [[], []]
    for index in rng.choices(range(DECADES), SHARES, k=devices):
        with open_test_client(RecordingTransport(), read_bytes=rng.randbytes) as client:
            for edition, reported in zip(editions, values, strict=True):
                answers = {"decade": f"o{index}", "harassed": rng.random() < 0.3}
                report = client.submit(edition, answers, again="edition")
                reported.append(int(str(report.values["decade"])))
    assert values[0] == values[1]
    mechanism = editions[0].block("decade").mechanism
    assert isinstance(mechanism, Subset)
    rates = [
        float(mechanism.flip + Fraction(share) * (mechanism.keep - mechanism.flip))
        for share in SHARES
    ]
    expected = sum(1 - (1 - rate) ** devices for rate in rates)
    assert len(Counter(values[0])) == mechanism.outputs == DECADES
    assert expected == pytest.approx(DECADES, rel=1e-6)
    assert right_matches(values[0], values[1], seed=1) <= most_right(DECADES)


def test_the_attack_finds_everybody_by_a_value_of_many() -> None:
    """The same attack matches nearly all of 10,000 by sets of 12 among 100 options."""
    mechanism = best_subset(100, integer_weights(Fraction(2)))
    assert mechanism.size == 12
    integers = RandomIntegers(random.Random(27).randbytes)
    drawn = [str(mechanism.randomize(index % 100, integers)) for index in range(DEVICES)]
    assert right_matches(drawn, drawn, seed=1) > 0.999 * DEVICES
    assert most_right(16) < 50


FACTS = [yes_no(f"fact{place}", fixed=True, required=True) for place in range(8)]


def outputs_kept(storage: MemoryStorage) -> int:
    """How many different values all that is kept of facts could have had."""
    with storage.transaction() as stored:
        signatures = {signed for entry in stored.entries() for signed in json.loads(entry.fixed)}
    return math.prod(int(signed.split(" ")[0]) for signed in signatures)


def submitted(editions: Sequence[PublishedSurvey]) -> tuple[list[int], int]:
    """How many parts each report spends on one device, and what is kept in the end."""
    storage = MemoryStorage()
    with open_test_client(RecordingTransport(), storage=storage) as client:
        for edition in editions:
            kinds = {"yes_no": "yes", "choice": "o0"}
            answers = {question.id: kinds[question.type] for question in edition.questions}
            client.submit(edition, answers, again="edition")
        return [len(one.weights) for one in client.spent().surveys], outputs_kept(storage)


def test_editions_that_add_facts_are_not_repeated_beyond_the_bound() -> None:
    """Four facts of two values are kept; four more in another edition are drawn anew each time."""
    first, second = FACTS[:4], FACTS[4:]
    editions = [
        survey(*facts, title=str(index), ask="all", epsilon=4)
        for index, facts in enumerate((first, second, first, second, [*second[:2], *first[:2]]))
    ]
    assert submitted(editions) == ([4, 4, 0, 4, 2], 16)


def test_facts_that_fit_are_kept_as_they_come() -> None:
    """Each edition brings another fact: those that fit are kept, larger ones left out."""
    wide = choice("region", 5, fixed=True, required=True)
    series = ([FACTS[0]], FACTS[:2], [FACTS[0], wide], FACTS[1:4], [wide], FACTS[:4])
    editions = [
        survey(
            *facts,
            *(yes_no(f"free{number}") for number in range(4 - len(facts))),
            title=str(index),
            ask="all",
            epsilon=4,
        )
        for index, facts in enumerate(series)
    ]
    # The fact of 5 values would make 20 with the two that were there before.
    assert submitted(editions) == ([4, 3, 3, 3, 4, 0], 16)


def test_no_series_makes_a_device_keep_more() -> None:
    """Whatever 12 editions ask, drawn at random, all that is kept has 16 outputs at most."""
    rng = random.Random(27)
    pool = [*FACTS, *(choice(f"q{size}", size, fixed=True, required=True) for size in range(3, 9))]
    for _ in range(20):
        editions: list[PublishedSurvey] = []
        while len(editions) < 12:
            facts = rng.sample(pool, rng.randint(1, 4))
            if math.prod(len(fact.get("options", "ab")) for fact in facts) <= 16:
                editions.append(
                    survey(*facts, yes_no("free"), title=str(len(editions)), epsilon=4, ask=1)
                )
        _, kept = submitted(editions)
        assert 1 < kept <= 16
