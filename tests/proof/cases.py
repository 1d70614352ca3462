"""Mechanisms, answers and tapes as the samplers of the proof read and write them."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from deniable_sdk.errors import RandomnessUnavailable
from deniable_sdk.mechanisms import Answer, Mechanism, OneOf, mechanism_from_document
from deniable_sdk.randomness import DRAW_RANGE, RandomIntegers
from deniable_sdk.weights import Weights
from tape import Tape, TapeExhausted

# The numbers of a mechanism, in the order in which the proof names them.
KEYS = {
    "subset": ("domain_size", "size"),
    "sampled_bits": ("options", "at_most", "sampled"),
    "privset": ("options", "at_most", "size"),
    "piecewise": ("cells", "no_answer", "steps", "window"),
}
NONE = "none"
_WEIGHTS = ([3, 1], [5, 2], [4338132434, 1 << 32], [11674931554, 1 << 32], [3**20, 2**20])


def mechanism_words(document: dict[str, Any]) -> str:
    """A published mechanism in words."""
    numbers = [*(document[key] for key in KEYS[document["name"]]), *document["weights"]]
    return " ".join([document["name"], *(f"{int(number):x}" for number in numbers)])


def joined(numbers: Sequence[int]) -> str:
    """A list in one word."""
    return ",".join(f"{number:x}" for number in numbers) or "-"


def answer_word(answer: Answer | list[int]) -> str:
    """An answer in one word."""
    return joined([answer] if isinstance(answer, int) else answer)


def value_word(value: Any) -> str:
    """A reported value in one word: pairs one behind the other."""
    if isinstance(value, int):
        return joined([value])
    return joined([n for part in value for n in (part if isinstance(part, list) else [part])])


def outcome(tape: str, run: Callable[[Tape], str]) -> str:
    """What a sampler makes of a tape, and how much of it is left."""
    data = bytes.fromhex(tape)
    reader = Tape(data)
    try:
        made = run(reader)
    except (TapeExhausted, RandomnessUnavailable):
        return NONE
    return f"{made} left {len(data) - reader.position}"


def of_mechanism(case: dict[str, Any]) -> tuple[str, str]:
    """A case of one value: its line, and what Python makes of it."""
    document, answer, tape = case["mechanism"], case["answer"], case["tape"]
    mechanism = mechanism_from_document(document)
    given = tuple(answer) if isinstance(answer, list) else answer
    line = f"{mechanism_words(document)} {answer_word(given)} {tape or '-'}"
    randomize = mechanism.randomize
    return line, outcome(tape, lambda read: value_word(randomize(given, RandomIntegers(read))))


def random_cases(count: int, seed: str) -> list[dict[str, Any]]:
    """So many legal mechanisms, each with an answer and a tape that may reject or end."""
    rng = random.Random(seed)
    cases: list[dict[str, Any]] = []
    while len(cases) < count:
        document = _some_mechanism(rng)
        try:
            mechanism = mechanism_from_document(document)
        except ValueError:
            continue  # A total weight beyond 2^48.
        answer, words = _some_answer(rng, mechanism), mechanism.draws + rng.randrange(-1, 20)
        tape = b"".join(_some_word(rng) for _ in range(words))
        cases.append({"mechanism": document, "answer": answer, "tape": tape.hex()})
    return cases


def _some_mechanism(rng: random.Random) -> dict[str, Any]:
    name = rng.choice(list(KEYS))
    size = rng.choice([2, 3, rng.randint(2, 12), rng.randint(2, 80)])
    at_most = rng.randint(1, min(size, 8))
    document: dict[str, Any] = {"name": name, "weights": _some_weights(rng)}
    match name:
        case "subset":
            document |= {"domain_size": size, "size": rng.randint(1, size - 1)}
        case "sampled_bits":
            sampled = rng.randint(1, min(size, 10))
            document |= {"options": size, "at_most": at_most, "sampled": sampled}
        case "privset":
            small = rng.randint(1, min(size - 1, 6))
            document |= {"options": size, "at_most": at_most, "size": small}
        case "piecewise":
            steps = rng.randint(1, size - 1)
            window, no_answer = rng.randint(1, steps), rng.random() < 0.5
            document |= {"cells": size, "steps": steps, "window": window, "no_answer": no_answer}
    return document


def _some_weights(rng: random.Random) -> list[int]:
    if rng.random() < 0.5:
        return rng.choice(_WEIGHTS)
    low = rng.randint(1, 1 << rng.randrange(1, 36))
    weights = Weights(low + rng.randint(1, 20 * low), low)
    return [weights.high, weights.low]


def _some_answer(rng: random.Random, mechanism: Mechanism) -> int | list[int]:
    domain = mechanism.domain
    if isinstance(domain, OneOf):
        return rng.randrange(domain.size)
    return sorted(rng.sample(range(domain.options), rng.randint(0, domain.at_most)))


def _some_word(rng: random.Random) -> bytes:
    """Mostly a random word, else one of the last, which many bounds reject, or of the first."""
    edge = rng.randrange(64)
    number = rng.choice([rng.randrange(DRAW_RANGE)] * 6 + [DRAW_RANGE - 1 - edge, edge])
    return number.to_bytes(6, "big")
