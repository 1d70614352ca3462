"""The compiler chooses well, spends what it may and no more, and always the same."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from deniable_sdk import PublishedSurvey, compile_survey
from deniable_sdk.canonical import encode
from deniable_sdk.compiler import design_survey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.records import Record
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.text import in_language
from deniable_sdk.theory.subset import best_subset, worst_total_error
from deniable_sdk.weights import integer_weights
from sample_definitions import choice, definition, multiple, number, scale, survey, yes_no
from sampled_params import sampled_params

GOLDEN = (
    '{"format":"deniable-survey/1","privacy":{"asked":1,"blocks":[{"id":"asthma","mechanism":'
    '{"domain_size":3,"name":"subset","size":1,"weights":[31735754293,4294967296]},'
    '"questions":["asthma"]},{"id":"stress","mechanism":{"domain_size":5,"name":"subset",'
    '"size":1,"weights":[31735754293,4294967296]},"questions":["stress"]}],"epsilon":"2"},'
    '"questions":[{"id":"asthma","options":[{"id":"yes","text":"Ja"},{"id":"no"}],'
    '"required":false,"text":"Do you have asthma?","type":"yes_no"},{"id":"stress","options":'
    '[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"},{"id":"5"}],"required":true,'
    '"text":"How much?","type":"scale"}],"slug":"health","thanks":{"de":"Danke 🙏",'
    '"en":"Thanks 🙏"},"title":"Health"}'
)
GOLDEN_DIGEST = "9d7059388f9c4c8ac4ac0053dcc7acc3de139f6a78cc029fb20fd1b5d46ccf6e"
GOLDEN_DEFINITION = definition(
    yes_no(labels={True: "Ja"}),
    scale(required=True),
    thanks={"en": "Thanks 🙏", "de": "Danke 🙏"},
)

MIXED = [yes_no("a"), choice("b", 40), scale("c", 7, required=True), choice("d", 900)]
MANY = [yes_no(f"q{number}", required=number % 2 == 0) for number in range(20)]
KINDS = [
    *(multiple(f"a{size}", 2 + size) for size in range(0, 60, 9)),
    *(multiple(f"b{size}", 3 + size, at_most=2) for size in range(0, 60, 9)),
    *(number(f"c{size}", 1 + size, target="mean") for size in range(0, 900, 99)),
    *(number(f"d{size}", 1 + size) for size in range(0, 4000, 499)),
]
WIDE = [choice(f"q{number}", 2 + 25 * number) for number in range(20)]


# Whose draws are so large that the low has no room to grow.
CROWDED = [
    [number(f"n{place}", 4999) for place in range(20)],
    [multiple(f"m{place}", 20, at_most=1) for place in range(20)],
    [choice(f"c{place}", 999) for place in range(60)],
]


def _shortfall(published: PublishedSurvey) -> Decimal:
    """Epsilon minus what the asked blocks can take at most, to 80 digits."""
    with localcontext() as context:
        context.prec = 80
        taken = sorted(
            sum(
                (Decimal(weights.high) / Decimal(weights.low)).ln()
                for weights in block.mechanism.spends
            )
            for block in published.blocks
        )
        claimed = Decimal(published.epsilon.numerator) / Decimal(published.epsilon.denominator)
        return claimed - sum(taken[-published.asked :])


@pytest.mark.sweep
@pytest.mark.parametrize("questions", [[yes_no()], MIXED, MANY, WIDE, KINDS], ids=len)
@pytest.mark.parametrize("epsilon", sampled_params(["0.01", "0.5", "3.3333333333", "2", "10"], 4))
@pytest.mark.parametrize("ask", sampled_params(["auto", "all", 1], 2))
def test_a_survey_spends_its_epsilon_to_a_billionth(
    questions: list[dict[str, object]], epsilon: str, ask: str | int
) -> None:
    """Any asked blocks take at most epsilon together, and fall short by less than 1e-9."""
    published = survey(*questions, epsilon=epsilon, ask=ask)
    assert 0 <= _shortfall(published) < Decimal("1e-9")


@pytest.mark.sweep
@pytest.mark.parametrize("questions", CROWDED, ids=["numbers", "sets", "choices"])
@pytest.mark.parametrize("epsilon", sampled_params(["0.5", "1", "7.77"], 3))
def test_crowded_surveys_spend_it_too(questions: list[dict[str, object]], epsilon: str) -> None:
    """Where one draw has no room for a finer low, the shortfall still stays below 1e-9."""
    published = survey(*questions, epsilon=epsilon, ask="all")
    assert 0 <= _shortfall(published) < Decimal("1e-9")


def test_ask_is_honoured() -> None:
    """All blocks, or as many as the author says, are asked."""
    assert survey(*MANY, ask="all").asked == 20
    for asked in (1, 7, 20):
        published = survey(*MANY, ask=asked)
        assert published.asked == asked
        expected = integer_weights(Fraction(2, asked), max(0, (asked - 1).bit_length() - 2))
        assert {block.mechanism.spends for block in published.blocks} == {(expected,)}


@pytest.mark.parametrize("epsilon", ["0.5", "2", "6", "10"])
def test_no_number_of_asked_blocks_is_better_than_auto(epsilon: str) -> None:
    """Whatever an author writes under ask, the survey's variance is not smaller."""
    read = Definition.from_document(definition(*MIXED, epsilon=epsilon))
    asked = [design_survey(read.replace(ask=number)).variance for number in range(1, 5)]
    assert design_survey(read).variance <= min(asked)


def test_the_variance_is_that_of_the_least_certain_block() -> None:
    """Asking s of d blocks costs d / s times the largest variance at epsilon / s."""
    read = Definition.from_document(definition(*MANY, epsilon=3, ask=3))
    split = integer_weights(Fraction(1))
    worst = max(worst_total_error(best_subset(size, split)) / size for size in (2, 3))
    assert design_survey(read).variance == pytest.approx(float(Fraction(20, 3) * worst))


@pytest.mark.parametrize("domain_size", [*range(2, 40), 97, 1000])
def test_best_size_has_the_smallest_error(domain_size: int) -> None:
    """No size has a smaller worst-case error than the best, and no smaller size the same."""
    for epsilon in map(Fraction, ("0.01", "0.5", "1", "2", "3.7", "5", "10")):
        weights = integer_weights(epsilon)
        errors = {
            size: worst_total_error(Subset(domain_size, size, weights))
            for size in range(1, domain_size)
            if size * weights.high + (domain_size - size) * weights.low <= 2**48
        }
        best = min(errors, key=lambda size: (errors[size], size))
        assert best_subset(domain_size, weights).size == best


def test_no_answer_is_inside_the_domain() -> None:
    """Every question that is not required has one more answer, the last, to randomize among."""
    published = survey(yes_no("a"), yes_no("b", required=True))
    assert [block.domain.size for block in published.blocks] == [3, 2]
    assert published.questions[0].names == ("yes", "no", "no_answer")
    assert published.questions[0].encode(None) == 2
    assert published.questions[1].names == ("yes", "no")


def test_answers_have_their_places() -> None:
    """Answers are taken by option id, yes and no as booleans, levels as numbers."""
    published = survey(yes_no("a"), scale("b", 3, lowest=-1), choice("c", 2))
    yes, level, place = published.questions
    assert [yes.encode(answer) for answer in (True, "yes", False, "no", None)] == [0, 0, 1, 1, 2]
    assert [level.encode(answer) for answer in (-1, "0", 1, "no_answer")] == [0, 1, 2, 3]
    assert [place.encode(answer) for answer in ("o0", "o1", None)] == [0, 1, 2]


def test_texts_and_labels_are_carried_over() -> None:
    """Introduction, thanks, labels and option texts reach the published survey."""
    published = survey(
        choice() | {"options": ["a", {"id": "b", "text": "Bee"}]},
        scale(levels=2, labels={1: "low", "2": "high"}),
        introduction="Welcome",
        thanks={"en": "Thanks"},
    )
    assert published.introduction == "Welcome"
    assert published.thanks == {"en": "Thanks"}
    texts = [list(question.texts[1:]) for question in published.questions]
    assert texts == [[None, "Bee"], ["low", "high"]]
    assert in_language(published.title, "en") == "Health"
    assert in_language({"de": "Hallo", "en": "Hello"}, "en") == "Hello"
    assert in_language({"de": "Hallo", "en": "Hello"}, "fr") == "Hallo"


def test_published_bytes_and_digest_are_golden() -> None:
    """This definition gives these bytes and this digest, in every version that reads format 1."""
    published = compile_survey(GOLDEN_DEFINITION)
    assert published.document.decode() == GOLDEN
    assert published.digest == GOLDEN_DIGEST


@pytest.mark.parametrize("questions", [[yes_no()], MIXED, MANY], ids=len)
def test_published_survey_round_trips(questions: list[dict[str, object]]) -> None:
    """The bytes read back as the same survey, are canonical and hold no number with decimals."""
    published = survey(*questions, ask="all", title={"en": "A \u2028 \u00ad", "de": '\\ " \n 𝄞'})
    again = PublishedSurvey.from_bytes(published.document, digest=published.digest)
    assert again == published
    value = json.loads(published.document, parse_float=lambda _: pytest.fail("a float"))
    assert encode(value) == published.document
    assert PublishedSurvey.from_document(value) == published


def test_compiling_twice_gives_the_same_bytes() -> None:
    """The order of keys in a definition does not matter."""
    document = definition(*MIXED, thanks="Thanks")
    backwards = dict(reversed(document.items()))
    assert compile_survey(document).document == compile_survey(backwards).document


def test_a_survey_cannot_be_changed() -> None:
    """A published survey, its questions, blocks, mechanisms and weights are frozen."""
    published = survey()
    block = published.block("asthma")
    question = block.questions[0]
    parts = [published, block, question, question.domain, block.mechanism]
    for part in [*parts, *block.mechanism.spends]:
        assert isinstance(part, Record)
        for field in type(part).__match_args__:
            with pytest.raises(AttributeError, match="cannot be changed: records are frozen"):
                setattr(part, field, None)
            with pytest.raises(AttributeError, match="cannot be removed: records are frozen"):
                delattr(part, field)


def test_blocks_are_found_by_id() -> None:
    """A block is found by its id, and a missing one is a KeyError."""
    published = survey(yes_no("a"), yes_no("b"))
    assert published.block("b") is published.blocks[1]
    with pytest.raises(KeyError, match="c"):
        published.block("c")
