"""Weights, random integers, blocks drawn and subsets drawn."""

import random
from fractions import Fraction

from deniable_sdk import PublishedSurvey, draw_blocks
from deniable_sdk.mechanisms import Subset
from deniable_sdk.randomness import DRAW_RANGE, MOST_TRIES, RandomIntegers
from deniable_sdk.weights import (
    Weights,
    exponential_floor,
    format_epsilon,
    integer_weights,
    is_within,
)
from vectors.building import choice, survey_document
from vectors.spelling import Case, Recorder

# The high weight for the low 2^32, computed elsewhere with 400 bits.
THEORY_WEIGHTS = {
    "0.1": 4746672949,
    "0.5": 7081203937,
    "1": 11674931554,
    "2": 31735754293,
    "4": 234497268814,
    "8": 12803117065094,
}
EPSILONS = [
    *THEORY_WEIGHTS,
    "0.01",
    "0.3333",
    "1.0986122886681098",
    "3",
    "5.5",
    "9.999999999999999999999999999999",
    "10",
    "0.012345678901234567890123456789",
]
LONG_TAPE = (
    "e1fa844352a837568367138dcb2162689967f2968e6ce97af50f54b8f667d5add623e2a69ba82ef2039f8370"
    "9dab602e4dbac0e1fc51ea8833e3ff26e1a8b9ddc50523810350915a110b5b383ed5e08c4f50753b"
)
# Subsets drawn from given bytes, computed elsewhere in two languages:
# answer, domain size, size, high weight, bytes, value.
Anchor = tuple[int, int, int, int, str, int | list[int]]
THEORY_SUBSETS: list[Anchor] = [
    (12, 47, 1, 234497268814, "22a43ede023a27cc0c94c107", 12),
    (7, 50, 13, 11674931554, LONG_TAPE, [0, 2, 9, 14, 15, 16, 19, 21, 23, 27, 28, 31, 43]),
    (1, 2, 1, 11674931554, "d21517029e92749ec42a6981", 0),
    (1, 3, 1, 12884901888, "ffffffffffff000000000005000000000001", 1),
]
SIZES = [(2, 1), (3, 1), (3, 2), (5, 2), (6, 5), (10, 3), (17, 8), (60, 20), (61, 1), (999, 4)]
REJECTED_DRAW = b"\xff" * 6
BASE = 1 << 32


def weights() -> list[Case]:
    """Epsilons with a lower bound of their exponential and what is within."""
    cases: list[Case] = []
    for text in EPSILONS:
        epsilon = Fraction(text)
        found = integer_weights(epsilon)
        assert found.high == THEORY_WEIGHTS.get(text, found.high)
        third = integer_weights(epsilon / 3, 1)
        lists = [
            [found],
            [Weights(found.high + 1, BASE)],
            [third, third, third],
            [third, third, third, third],
            [Weights(2 * found.high - 1, 2 * BASE)],
        ]
        cases.append(
            {
                "epsilon": text,
                "exponential_floor": hex(exponential_floor(epsilon)),
                "high": found.high,
                "blocks": [
                    {
                        "weights": [[one.high, one.low] for one in blocks],
                        "is_within": is_within(blocks, epsilon),
                    }
                    for blocks in lists
                ],
            }
        )
        assert format_epsilon(epsilon) == text
    return cases


def below() -> list[Case]:
    """Bounds with the bytes read and the integer drawn, rejections included."""
    rng = random.Random("bounds")
    bounds = [1, 2, 3, 5, 60, 255, 256, 1000, 2**32, 2**32 + 1, 2**47, 2**47 + 1]
    bounds += [DRAW_RANGE - 1, DRAW_RANGE, *(rng.randrange(1, DRAW_RANGE) for _ in range(60))]
    cases: list[Case] = []
    for bound in bounds:
        limit = DRAW_RANGE - DRAW_RANGE % bound
        starts = [b"", bytes(6), (limit - 1).to_bytes(6, "big")]
        if limit < DRAW_RANGE:
            starts += [limit.to_bytes(6, "big"), REJECTED_DRAW * 3]
        for start in starts:
            recorder = Recorder(f"below {bound}", start)
            value = RandomIntegers(recorder).below(bound)
            cases.append({"bound": bound, "tape": recorder.data.hex(), "value": value})
    assert any(len(str(case["tape"])) > 12 for case in cases)
    last_try = REJECTED_DRAW * (MOST_TRIES - 1)
    cases.append({"bound": 10, "tape": (last_try + bytes([0] * 5 + [7])).hex(), "value": 7})
    cases.append({"bound": 10, "tape": (last_try + REJECTED_DRAW).hex(), "value": None})
    return cases


def subsets() -> list[Case]:
    """Subsets drawn for many sizes and answers, from given bytes."""
    cases = [_theory_subset(anchor) for anchor in THEORY_SUBSETS]
    rng = random.Random("answers")
    for domain_size, size in SIZES:
        for epsilon in ("0.1", "1", "2", "4"):
            mechanism = Subset(domain_size, size, integer_weights(Fraction(epsilon)))
            answers = {0, domain_size - 1, rng.randrange(domain_size)}
            for answer in sorted(answers):
                for start in (b"", bytes(6), REJECTED_DRAW * 2):
                    seed = f"subset {domain_size} {size} {epsilon} {answer}"
                    cases.append(_subset(mechanism, answer, Recorder(seed, start)))
    return cases


def _theory_subset(anchor: Anchor) -> Case:
    answer, domain_size, size, high, tape, value = anchor
    mechanism = Subset(domain_size, size, Weights(high, BASE))
    case = _subset(mechanism, answer, Recorder("", bytes.fromhex(tape)))
    assert case["value"] == value
    assert case["tape"] == tape
    return case


def _subset(mechanism: Subset, answer: int, recorder: Recorder) -> Case:
    value = mechanism.randomize(answer, RandomIntegers(recorder))
    return {
        "mechanism": mechanism.to_document(),
        "answer": answer,
        "tape": recorder.data.hex(),
        "value": value,
    }


def blocks() -> list[Case]:
    """Blocks drawn from surveys of many sizes, from given bytes."""
    cases: list[Case] = []
    for block_count, asked in [(1, 1), (2, 1), (3, 2), (5, 5), (7, 3), (12, 11), (200, 4)]:
        questions = [choice(f"q{number}") for number in range(block_count)]
        document = survey_document(*questions, epsilon="8", asked=asked)
        survey = PublishedSurvey.from_document(document)
        for start in (b"", bytes(6), REJECTED_DRAW):
            recorder = Recorder(f"blocks {block_count} {asked}", start)
            drawn = draw_blocks(survey, recorder)
            case: Case = {"block_count": block_count, "asked": asked, "blocks": list(drawn)}
            cases.append({**case, "tape": recorder.data.hex()})
    return cases
