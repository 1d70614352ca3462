"""randomize draws from the channel it declares, and the checks would notice if it did not."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from deniable_sdk import PublishedSurvey, draw_blocks, randomize, theory
from deniable_sdk.canonical import JSON, encode
from deniable_sdk.mechanisms import Answer, Subset
from deniable_sdk.randomness import RandomIntegers, ReadBytes
from sample_definitions import choice, survey, yes_no
from sampled_params import sampled_params
from sampling_checks import SampleRejected, check_binomial, check_outputs, trials_to_see
from tape import Tape

SHIFT = 0.01  # of the probability of yes: what the checks must notice
TWIN_SHIFT = 0.1  # the broken twins are off by far more


class OneWayFlip(Subset):
    """Broken: the true answer is always in the set."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """Draws as it should, and then puts the answer in whatever the draw said."""
        value = Subset.randomize(self, answer, integers)
        assert isinstance(answer, int)
        return answer if self.size == 1 else _with(value, answer)


class KeptFirst(Subset):
    """Broken: the set is sent as drawn, the answer in front, instead of ascending."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """Draws as it should and moves the answer to the front."""
        value = Subset.randomize(self, answer, integers)
        assert isinstance(value, list)
        return sorted(value, key=lambda member: member != answer)


class OffByOneDomain(Subset):
    """Broken: the last option is never drawn."""

    def __post_init__(self) -> None:
        super().__post_init__()
        others = self.domain_size - 2
        self.derive("_bounds", (self.total_weight, *range(others, others - self.size, -1)))


class AnswerAmongOthers(Subset):
    """Broken: the other options are drawn from all, the answer included."""

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """Draws the set as if the answer was none of the options."""
        others = integers.sample(self.domain_size, self.size)
        if integers.below(self.total_weight) < self.high_weight:
            others[-1] = self.domain.check(answer)
        return others[0] if self.size == 1 else list[JSON](sorted(others))


def _with(value: JSON, answer: int) -> JSON:
    assert isinstance(value, list)
    members = [member for member in value if isinstance(member, int)]
    return list[JSON](sorted({*members[len({answer} - {*members}) :], answer}))


def _check_yes(published: PublishedSurvey, read_bytes: ReadBytes, shift: float) -> None:
    """Answer yes over and over, and test how often yes is reported."""
    mechanism = published.blocks[0].mechanism
    assert isinstance(mechanism, Subset)
    trials = trials_to_see(shift, mechanism.keep)
    hits = 0
    for _ in range(trials):
        value = randomize(published, {"asthma": True}, ["asthma"], read_bytes).values["asthma"]
        hits += value == 0
    check_binomial(hits, trials, mechanism.keep)


def _check_outputs(mechanism: Subset, answer: int, read_bytes: ReadBytes) -> None:
    """Draw reports of one answer and test all outputs against the channel."""
    integers = RandomIntegers(read_bytes)
    counts: Counter[str] = Counter()
    for _ in range(trials_to_see(2 * SHIFT, 0.5)):
        counts[encode(mechanism.randomize(answer, integers)).decode()] += 1
    channel = theory.channel(mechanism)
    check_outputs(counts, {output: row[answer] for output, row in channel.items()})


def _mechanism(published: PublishedSurvey) -> Subset:
    mechanism = published.blocks[0].mechanism
    assert isinstance(mechanism, Subset)
    return mechanism


def _broken(kind: type[Subset], published: PublishedSurvey) -> PublishedSurvey:
    """The same survey with a broken mechanism in its first block."""
    right = _mechanism(published)
    wrong = kind(right.domain_size, right.size, right.weights)
    block = published.blocks[0].replace(mechanism=wrong)
    return published.replace(blocks=(block, *published.blocks[1:]))


@pytest.mark.parametrize("epsilon", sampled_params(["1", "3"]))
def test_yes_is_reported_as_often_as_the_weights_say(
    epsilon: str, read_bytes: Callable[[int], bytes]
) -> None:
    """Someone who always answers yes is reported as yes with probability keep."""
    _check_yes(survey(yes_no(required=True), epsilon=epsilon), read_bytes, SHIFT)


@pytest.mark.parametrize("kind", [OneWayFlip, AnswerAmongOthers])
def test_a_broken_yes_is_rejected(kind: type[Subset], read_bytes: Callable[[int], bytes]) -> None:
    """A mechanism that keeps yes too often is rejected by the same check."""
    published = _broken(kind, survey(yes_no(required=True), epsilon=1))
    with pytest.raises(SampleRejected, match="hits"):
        _check_yes(published, read_bytes, TWIN_SHIFT)


@pytest.mark.parametrize("options", sampled_params([7, 4]))
@pytest.mark.parametrize("answer", [0, 2])
def test_all_outputs_are_as_likely_as_the_channel_says(
    options: int, answer: int, read_bytes: Callable[[int], bytes]
) -> None:
    """Reports of a compiled survey, single options and lists, follow the channel's row."""
    mechanism = _mechanism(survey(choice(options=options, required=True), epsilon=1))
    assert mechanism.size == (1 if options == 4 else 2)
    _check_outputs(mechanism, answer, read_bytes)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", [OneWayFlip, OffByOneDomain, AnswerAmongOthers, KeptFirst])
def test_broken_outputs_are_rejected(
    kind: type[Subset], read_bytes: Callable[[int], bytes]
) -> None:
    """Each broken mechanism is rejected by the same check of its outputs."""
    published = _broken(kind, survey(choice(options=7, required=True), epsilon=1))
    with pytest.raises(SampleRejected, match=r"counts|impossible"):
        _check_outputs(_mechanism(published), 2, read_bytes)


@pytest.mark.parametrize(("blocks", "asked"), [(2, 1), (4, 2), (5, 3)])
def test_blocks_are_drawn_uniformly(
    blocks: int, asked: int, read_bytes: Callable[[int], bytes]
) -> None:
    """Every choice of blocks is drawn equally often, in the survey's order."""
    published = survey(*(yes_no(f"q{number}") for number in range(blocks)), ask=asked)
    counts = Counter(",".join(draw_blocks(published, read_bytes)) for _ in range(20_000))
    choices = _choices(published)
    check_outputs(counts, dict.fromkeys(choices, 1 / len(choices)))


def test_blocks_that_favour_the_first_are_rejected(read_bytes: Callable[[int], bytes]) -> None:
    """A draw that starts from a block at random and takes the next ones is rejected."""
    published = survey(*(yes_no(f"q{number}") for number in range(4)), ask=2)
    source = random.Random(read_bytes(8))
    starts = [source.randrange(3) for _ in range(20_000)]
    counts = Counter(f"q{start},q{start + 1}" for start in starts)
    choices = _choices(published)
    with pytest.raises(SampleRejected, match="counts"):
        check_outputs(counts, dict.fromkeys(choices, 1 / len(choices)))


def _choices(published: PublishedSurvey) -> set[str]:
    """Every choice of blocks, walked over all draws, each reached equally often."""
    count, asked = len(published.blocks), published.asked
    paths: list[list[int]] = [[]]
    for index in range(asked):
        paths = [[*path, draw] for path in paths for draw in range(count - index)]
    chosen: Counter[str] = Counter()
    for path in paths:
        tape = Tape(b"".join(draw.to_bytes(6, "big") for draw in path))
        chosen[",".join(draw_blocks(published, tape))] += 1
        tape.assert_all_read()
    assert len(set(chosen.values())) == 1
    return set(chosen)


def test_where_all_blocks_are_asked_nothing_is_drawn() -> None:
    """Asking all blocks reads no random byte and keeps the survey's order."""
    published = survey(yes_no("b"), yes_no("a"), ask="all")
    assert draw_blocks(published, Tape(b"")) == ("b", "a")


def test_randomize_draws_the_blocks_it_is_not_given(read_bytes: Callable[[int], bytes]) -> None:
    """Without blocks, a report is of the blocks that draw_blocks gives for the same bytes."""
    published = survey(*(yes_no(f"q{number}") for number in range(6)), ask=2)
    for _ in range(20):
        data = read_bytes(12 + 16 + 24)
        whole, parts = Tape(data), Tape(data)
        report = randomize(published, {"q1": True}, read_bytes=whole)
        blocks = draw_blocks(published, parts)
        assert tuple(report.values) == blocks
        assert randomize(published, {"q1": True}, blocks, parts) == report
        whole.assert_all_read()
        parts.assert_all_read()
