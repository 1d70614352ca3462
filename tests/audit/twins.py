"""Devices that are wrong in the ways devices go wrong, each with a pair that shows it.

Each changes the shipped SDK from outside; twins.js has the same twins in
JavaScript. Small faults are left to exact tests and tapes. A draw taken modulo
the total weight is seen here at weights chosen for it; at those the compiler
chooses for a few options it is off by about 1e-4 of itself, which takes
some 1e10 reports to see. Faults that spend nothing, as clipping an estimate or
another size of subset than published, leave no trace in an audit of privacy.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from audit.devices import Device, shipped
from audit.features import Sample
from audit.pairs import Answers
from deniable_sdk import Block, InvalidAnswer, PublishedSurvey, Report, randomize
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import integer_weights

# A block's answer and the shipped value; what is sent instead.
Change = Callable[[Any, Any], Any]

_BUFFER_BYTES = 1 << 20


def _changed(change: Change) -> Device:
    """The shipped device, but each value is changed by who knows the answer."""

    def device(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
        report = randomize(survey, answers)
        values = {
            name: change(survey.block(name).encode(answers), value)
            for name, value in report.values.items()
        }
        return (report.replace(values=values).to_bytes(),) * tries

    return device


def _kept_first(answer: int, value: list[int]) -> list[int]:
    return sorted(value, key=lambda member: member != answer)


def _shorter_without_it(answer: int, value: list[int]) -> list[int]:
    return value if answer in value else value[:-1]


def _larger_for_some(answer: int, value: list[int]) -> list[int]:
    return sorted({*value, answer}) if answer == 1 else value


def _one_way(answer: tuple[int, ...], value: list[list[int]]) -> list[list[int]]:
    return [[option, bit & (option in answer)] for option, bit in value]


def _last_bit_true(answer: tuple[int, ...], value: list[list[int]]) -> list[list[int]]:
    option, _ = value[-1]
    return [*value[:-1], [option, int(option in answer)]]


def _text_if_kept(answer: int, value: int) -> JSON:
    return str(value) if value == answer else value


def _lazy(answer: tuple[int, ...], value: list[list[int]]) -> list[list[int]]:
    return value if answer else [[0, 0]]


def _space_after_no(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    return tuple(
        data + b" " * (answers["asthma"] is False) for data in shipped(survey, answers, tries)
    )


def _any_number(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    return shipped(survey, {"visits": min(30, max(0, answers["visits"]))}, tries)


def _error_tells(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    try:
        return shipped(survey, answers, tries)
    except InvalidAnswer as error:
        raise InvalidAnswer(f"{error}: {answers}") from None


def _with_blocks(
    survey: PublishedSurvey, change: Callable[[Block], Block], **changes: object
) -> PublishedSurvey:
    """A survey that calls itself the same, with other blocks behind its digest."""
    return survey.replace(blocks=tuple(change(block) for block in survey.blocks), **changes)


def _other_weights(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    def change(block: Block) -> Block:
        assert isinstance(block.mechanism, Subset)
        weights = integer_weights(Fraction(3))
        return block.replace(mechanism=block.mechanism.replace(weights=weights))

    return shipped(_with_blocks(survey, change), answers, tries)


def _asks_all(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    return shipped(survey.replace(asked=len(survey.blocks)), answers, tries)


def _answered_blocks_first(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    ids = sorted((block.id for block in survey.blocks), key=lambda name: name not in answers)
    report = randomize(survey, answers, ids[: survey.asked])
    return (report.to_bytes(),) * tries


def _not_reached_left_out(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    report = randomize(survey, answers)
    values = {name: value for name, value in report.values.items() if name in answers}
    return (report.replace(values=values).to_bytes(),) * tries


def _first_item_beside(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    report = randomize(survey, answers)
    values = {**report.values, "item": str(answers.get("mood_1"))}
    return (report.replace(values=values).to_bytes(),) * tries


def _blanks_for_items(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    return (randomize(survey, answers).to_bytes() + b" " * len(answers),) * tries


def _drawn_anew(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    return tuple(randomize(survey, answers).to_bytes() for _ in range(tries))


def _second_chance(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    report = randomize(survey, answers)
    if any(survey.block(name).encode(answers) != value for name, value in report.values.items()):
        report = randomize(survey, answers)
    return (report.to_bytes(),) * tries


def _last_option_never_drawn(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    while True:
        report = randomize(survey, answers)
        ((name, value),) = report.values.items()
        block = survey.block(name)
        last = len(block.questions[0].names) - 1
        if value != last or block.encode(answers) == last:
            return (report.to_bytes(),) * tries


def _modulo(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    mechanism = survey.blocks[0].mechanism
    assert isinstance(mechanism, Subset)
    draw = int.from_bytes(os.urandom(6), "big") % mechanism.total_weight
    truth = survey.blocks[0].encode(answers)
    assert isinstance(truth, int)
    value = truth if draw < mechanism.weights.high else 1 - truth
    report = randomize(survey, answers)
    return (report.replace(values={"asthma": value}).to_bytes(),) * tries


def _id_tells(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    report = randomize(survey, answers)
    mark = _hash(answers)[:1].hex()[:1]
    changed = Report(report.survey, report.id[:20] + mark + report.id[21:], report.values)
    return (changed.to_bytes(),) * tries


def _noise_from_the_answer(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    noise = hashlib.shake_256(_hash(answers))
    report = randomize(survey, answers, read_bytes=noise.digest)
    return (report.replace(id=os.urandom(16).hex()).to_bytes(),) * tries


def _hash(answers: Answers) -> bytes:
    return hashlib.sha256(json.dumps(answers).encode()).digest()


class _KeptNoise:
    """Random bytes kept for later reports, and by a fork for its own."""

    def __init__(self) -> None:
        self._kept = b""

    def __call__(self, count: int) -> bytes:
        if len(self._kept) < count:
            self._kept = os.urandom(_BUFFER_BYTES)
        drawn, self._kept = self._kept[:count], self._kept[count:]
        return drawn


_KEPT_NOISE = _KeptNoise()


def _same_noise(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    return (randomize(survey, answers, read_bytes=_KEPT_NOISE).to_bytes(),) * tries


TWINS: Mapping[str, Device] = {
    "the kept value first": _changed(_kept_first),
    "shorter where the answer is not in it": _changed(_shorter_without_it),
    "a size chosen for a person": _changed(_larger_for_some),
    "never a false yes": _changed(_one_way),
    "the last bit never randomized": _changed(_last_bit_true),
    "a text where the answer was kept": _changed(_text_if_kept),
    "nothing drawn where nothing was chosen": _changed(_lazy),
    "a space after no": _space_after_no,
    "an unchecked domain": _any_number,
    "an error that tells": _error_tells,
    "other weights than published": _other_weights,
    "more blocks than asked": _asks_all,
    "blocks drawn by what was answered": _answered_blocks_first,
    "what was not reached left out": _not_reached_left_out,
    "an item beside the score": _first_item_beside,
    "a length that says how many items were answered": _blanks_for_items,
    "a length that says how far a path went": _blanks_for_items,
    "an unequal draw by what was answered": _answered_blocks_first,
    "drawn anew on every try": _drawn_anew,
    "a second chance to be true": _second_chance,
    "the last option never drawn": _last_option_never_drawn,
    "draws taken modulo": _modulo,
    "an id that tells": _id_tells,
    "noise made from the answer": _noise_from_the_answer,
    "the same noise in two processes": _same_noise,
}

# The pair that shows each.
SHOWN_BY: Mapping[str, str] = {
    "the kept value first": "subset",
    "shorter where the answer is not in it": "subset",
    "a size chosen for a person": "subset",
    "never a false yes": "sampled bits",
    "the last bit never randomized": "several bits",
    "a text where the answer was kept": "warner",
    "nothing drawn where nothing was chosen": "sampled bits",
    "a space after no": "warner",
    "an unchecked domain": "refused number",
    "an error that tells": "refused text",
    "other weights than published": "warner",
    "more blocks than asked": "one of four asked",
    "blocks drawn by what was answered": "two of four asked",
    "what was not reached left out": "reached or not",
    "an item beside the score": "items of one score",
    "a length that says how many items were answered": "items left out",
    "a length that says how far a path went": "along a path",
    "an unequal draw by what was answered": "drawn unequally",
    "drawn anew on every try": "sent again",
    "a second chance to be true": "warner",
    "the last option never drawn": "one of four",
    "draws taken modulo": "full draws",
    "an id that tells": "crosstab",
    "noise made from the answer": "number",
    "the same noise in two processes": "two processes",
}

DEVICES: Mapping[str, Device] = {"shipped": shipped, **TWINS}
