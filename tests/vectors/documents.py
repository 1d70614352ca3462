"""Published surveys: legal ones, and illegal ones with the error they raise."""

import copy
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from deniable_sdk import PublishedSurvey, canonical, compile_survey
from deniable_sdk.canonical import JSON
from deniable_sdk.weights import integer_weights
from sample_definitions import PIXEL, definition
from sample_definitions import choice as authored_choice
from sample_definitions import multiple as authored_multiple
from sample_definitions import yes_no as authored_yes_no
from vectors import fieldwork, kinds, scores
from vectors.building import Document, block, choice, question, scale, survey_document, yes_no
from vectors.illegal_edits import EDITS, OPERATOR, OPERATOR_EDITS, PANEL_EDITS
from vectors.spelling import Case, error_of, spell, unspell

SMILE = "\U0001f600"
_LONGEST_IMAGE = "data:image/webp;base64," + "A" * 99_977
ALL_DECIMALS = "1.000000000000000000000000000001"


def legal_documents() -> dict[str, Any]:
    """Surveys that both languages accept, by name."""
    texts: Any = {"en": "Asthma?", "pt-BR": "Asma?", "de-1996-AT": "Asthma?"}
    odd = question("tostring", "choice", "__proto__", "constructor", "toString", " a ")
    twice = survey_document(yes_no(), epsilon="2")
    twice["privacy"] = {
        "epsilon": "2",
        "asked": 2,
        "blocks": [{**block(yes_no(), Fraction(1)), "id": name} for name in ("first", "second")],
    }
    longest = question("longest", "choice", SMILE * 200, "\ufeff", "\u200f", "ä")
    longest["text"] = SMILE * 4000
    signs = '\t\n"\\/\u2028\u2066\ufeff' + SMILE
    joint = survey_document(*(choice(f"q{number}") for number in range(200)), epsilon="4", asked=3)
    widest = survey_document(choice("widest", 999, required=False), epsilon="3")
    sized = survey_document(scale("stress", -2, 9), epsilon="0.5")
    sized["privacy"] = {
        "epsilon": "0.5",
        "asked": 1,
        "blocks": [block(scale("stress", -2, 9), Fraction(1, 2), 8)],
    }
    drawn = _with_draws(
        survey_document(yes_no("a"), yes_no("b"), choice("c", 7), epsilon="2", asked=1),
        (1, 1_000_000, 37),
    )
    crossed = compile_survey(
        definition(authored_yes_no("a"), authored_choice("b", 3), crosstabs=[["a", "b"]])
    )
    designed = compile_survey(
        definition(*(authored_yes_no(f"q{each}") for each in range(7)), epsilon=3)
    )
    routed = compile_survey(
        definition(
            authored_yes_no("a", required=True),
            authored_choice("b", 3, required=True, show_if={"question": "a", "is": ["yes"]}),
            authored_yes_no("c", show_if={"question": "b", "is": ["o0", "o2"]}),
            together=[["a", "b", "c"]],
        )
    )
    listed = compile_survey(definition(authored_multiple("a", 4, at_most=3), epsilon=6))
    return {
        "a block over paths": canonical.decode(routed.document),
        "a multiple choice over its sets": canonical.decode(listed.document),
        "drawn unequally": drawn,
        "a crosstab": canonical.decode(crossed.document),
        "joint blocks, drawn unequally": canonical.decode(designed.document),
        "yes_no": survey_document(yes_no()),
        "required": survey_document(yes_no(required=True), epsilon="0.01"),
        "choice": survey_document(choice("region", 12), epsilon="0.5"),
        "scale": survey_document(scale(), epsilon="10"),
        "scale of size 8": sized,
        "mixed": survey_document(
            yes_no(), choice("region", 7), scale("stress", 0, 11), epsilon="3", asked=2
        ),
        "pages": survey_document(
            {**yes_no("a"), "new_page": False}, {**yes_no("b"), "new_page": True}, epsilon="2"
        ),
        "options in random order": survey_document(
            {**choice("a"), "random_order": True},
            {**choice("b"), "random_order": False},
            epsilon="2",
        ),
        "images, a colour and a link": survey_document(
            {**yes_no("a"), "image": {"data": PIXEL, "text": "A dot."}},
            {**yes_no("b"), "image": {"data": _LONGEST_IMAGE, "text": texts}},
            epsilon="2",
            accent="#0f5f63",
            logo={"data": PIXEL, "text": "A dot."},
            thanks_link={"text": texts, "url": "https://a.b:8080/c?d=e#f"},
        ),
        "sections and help texts": survey_document(
            {**yes_no("a"), "help": "Count part-time work.", "section": {"title": "Work"}},
            {**yes_no("b"), "help": texts, "section": {"title": texts, "note": texts}},
            epsilon="2",
        ),
        "claims more than it takes": _edited(survey_document(yes_no()), "privacy.epsilon", "1.5"),
        "30 decimals": survey_document(yes_no(), epsilon=ALL_DECIMALS),
        "languages": survey_document({**yes_no(), "text": texts}, thanks=texts, introduction="Hi"),
        **_operated(texts),
        "names of object members": survey_document(
            odd, {**yes_no("constructor"), "required": True}, epsilon="2", slug="constructor"
        ),
        "longest texts": survey_document(longest, slug="a" * 64),
        "breaks, quotes and marks": survey_document(yes_no(), title=signs),
        "one question in two blocks": twice,
        "200 questions": joint,
        "1000 answers": widest,
        **kinds.DOCUMENTS,
        **scores.DOCUMENTS,
        **fieldwork.DOCUMENTS,
        "fixed questions": survey_document(
            {**yes_no("a"), "fixed": True}, {**yes_no("b"), "fixed": False}, epsilon="2"
        ),
        "a fixed crosstab": {
            **_edited(kinds.SURVEY, "privacy.blocks.0.mechanism.size", 1),
            "questions": kinds.fixed("asthma", "region"),
        },
        "fixed sampled bits": {**kinds.SURVEY, "questions": kinds.fixed("drugs")},
        "fixed questions with 16 outputs": _facts(2, 2, 2, 2),
        **{
            f"the fewest people for fixed outputs {outputs}, {asked} of {blocks} blocks asked": (
                _facts_of_groups(people, asked, blocks, *outputs)
            )
            for people, asked, blocks, outputs in _FEWEST_PEOPLE
        },
        "the fewest people by link for 2 fixed outputs": _facts_of_groups(
            40, 1, 1, 2, by_link=True
        ),
        "a wave of a panel": panel(survey_document(yes_no(), epsilon="0.5"), 4, 2),
        "a panel of the most waves": panel(survey_document(yes_no(), epsilon="0.1"), 100, 100),
    }


def _with_draws(document: Any, draws: Sequence[int]) -> Any:
    """The same with draws of its first blocks."""
    for each, draw in zip(document["privacy"]["blocks"], draws, strict=False):
        each["draw"] = draw
    return document


def _operated(purpose: Any) -> dict[str, Any]:
    """Surveys that say who runs them, with every kind of contact."""
    contacts = (
        "council@example.org", "a.b+c_d-e@sub.example-2.org", "+49 (30) 12345-67/8", "555 12.34",
        "https://example.org", "https://example.org/a?b=c@d&e#f'\"<>", "1" * 200,
    )  # fmt: skip
    named: dict[str, Any] = {
        f"a contact: {contact}": {"name": "Works council", "contact": contact}
        for contact in contacts
    }
    named["a purpose"] = {"name": SMILE * 200, "contact": contacts[0], "purpose": "Safer work"}
    named["a purpose by language"] = {**named["a purpose"], "purpose": purpose}
    return {name: survey_document(yes_no(), operator=operator) for name, operator in named.items()}


def _facts(*option_counts: int) -> Document:
    """A survey of fixed choices among so many options, each spending epsilon 1."""
    asked: list[Document] = [
        {**choice(f"q{index}", count), "fixed": True} for index, count in enumerate(option_counts)
    ]
    return survey_document(*asked, epsilon=str(len(asked)))


# People of the smallest group, blocks asked and blocks, and the outputs of the fixed ones.
_FEWEST_PEOPLE: list[tuple[int, int, int, tuple[int, ...]]] = [
    (40, 1, 1, (2,)),
    (320, 4, 4, (2, 2, 2, 2)),
    (160, 1, 2, (4,)),
    (94, 3, 7, (2,)),
    (240, 2, 3, (2, 2)),
    (480, 1, 3, (4, 2)),
    (960, 2, 4, (2, 4)),
]


def _facts_of_groups(
    people: int, asked: int, blocks: int, *option_counts: int, by_link: bool = False
) -> Document:
    """With the smallest group in the middle, and questions that are not fixed."""
    fixed = [
        {**choice(f"q{index}", count), "fixed": True} for index, count in enumerate(option_counts)
    ]
    others = [choice(f"free{index}") for index in range(blocks - len(option_counts))]
    make = fieldwork.linked if by_link else fieldwork.group
    groups: list[Any] = [make("a", 1000), make("b", people), make("c", 1000)]
    given: Document = {"groups": groups}
    if not by_link:
        given = {"invited": {"issuer": "https://a", "groups": groups}}
    return survey_document(*others, *fixed, epsilon=str(asked), asked=asked, **given)


def panel(document: Any, waves: int, wave: int) -> Any:
    """The same survey as a wave of a panel."""
    return {**document, "privacy": {**document["privacy"], "waves": waves, "wave": wave}}


def legal_surveys() -> list[Case]:
    """Every legal survey with its digest."""
    cases: list[Case] = []
    for name, document in legal_documents().items():
        survey = PublishedSurvey.from_document(document)
        cases.append({"name": name, **spell(survey.document), "digest": survey.digest})
    return cases


def illegal_surveys() -> list[Case]:
    """Every illegal survey, or demand on a survey, with the error it raises."""
    cases = [
        *_edited_surveys(),
        *_broken_bytes(),
        *_linkable(),
        *_off_paths(),
        *_drawn_wrongly(),
        *_over_budget(),
        *_demands(),
    ]
    for case in cases:
        data = unspell(case)
        cap = Fraction(str(case["epsilon_cap"])) if "epsilon_cap" in case else None
        asked_for = str(case["asked_for"]) if "asked_for" in case else None
        found = error_of(
            lambda data=data, cap=cap, asked_for=asked_for: PublishedSurvey.from_bytes(  # type: ignore[misc]
                data, digest=asked_for, epsilon_cap=cap
            )
        )
        assert found == case["error"], (case["name"], found)
    return cases


def _edited(document: Any, path: str, value: object) -> Any:
    """A copy with the value at a path replaced, or removed for `...`."""
    edited = copy.deepcopy(document)
    place = edited
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in steps:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return edited


def _edited_surveys() -> Iterator[Case]:
    low = survey_document(yes_no(), scale(levels=2), choice(), epsilon="3", asked=2)
    edits = [(low, *edit) for edit in EDITS] + [(kinds.SURVEY, *edit) for edit in kinds.EDITS]
    edits += [(panel(low, 3, 1), *edit) for edit in PANEL_EDITS]
    edits += [({**low, "operator": OPERATOR}, *edit) for edit in OPERATOR_EDITS]
    edits += [(kinds.SURVEY, "questions.0.fixed", True), (kinds.SURVEY, "questions.1.fixed", True)]
    edits += [(scores.DOCUMENTS[name], path, value) for name, path, value in scores.EDITS]
    edits += [(fieldwork.DOCUMENTS["by invitation"], *edit) for edit in fieldwork.EDITS]
    edits += [(fieldwork.DOCUMENTS["groups by link"], *edit) for edit in fieldwork.LINK_EDITS]
    edits += [(fieldwork.DOCUMENTS[name], *edit) for name, *edit in fieldwork.STOP_EDITS]
    for name, named in fieldwork.ALIKE.items():
        yield {"name": name, **spell(canonical.encode(named)), "error": "InvalidSurvey"}
    for document, path, value in edits:
        said = (
            "missing" if value is ... else canonical.encode(value)[:40].decode("utf-8", "ignore")
        )
        data = canonical.encode(_edited(document, path, value))
        yield {"name": f"{path}: {said}", **spell(data), "error": "InvalidSurvey"}


def _broken_bytes() -> Iterator[Case]:
    good = canonical.encode(survey_document(yes_no()))
    broken = {
        "empty": b"",
        "no object": b"[]",
        "a trailing space": good + b" ",
        "a byte order mark": b"\xef\xbb\xbf" + good,
        "a decimal": good.replace(b'"asked":1', b'"asked":1.0'),
        "an exponent": good.replace(b'"asked":1', b'"asked":1e0'),
        "keys out of order": good.replace(b'{"format"', b'{"title":"t","format"', 1),
        "a key twice": good.replace(b'"slug":"health"', b'"slug":"health","slug":"health"'),
        "an escape too many": good.replace(b'"Health"', b'"\\u0048ealth"'),
        "not UTF-8": good.replace(b'"Health"', b'"\xff"'),
        "half a surrogate pair": good.replace(b'"Health"', b'"\\ud83d"'),
        "another format": good.replace(b"survey/1", b"survey/2"),
    }
    for name, data in broken.items():
        assert data != good
        yield {"name": name, **spell(data), "error": "InvalidSurvey"}


def _linkable() -> Iterator[Case]:
    kinds_fixed = {
        "a fixed crosstab of 36 outputs": ("asthma", "region"),
        "a fixed set of 28 outputs": ("jobs",),
        "a fixed number of 103 outputs": ("visits",),
        "two fixed blocks of 12 and 6 outputs": ("drugs", "dose"),
        "a question in two fixed blocks": ("stress",),
    }
    documents = {
        name: {**kinds.SURVEY, "questions": kinds.fixed(*ids)} for name, ids in kinds_fixed.items()
    }
    documents |= {
        "five fixed questions of 2 outputs": _facts(2, 2, 2, 2, 2),
        "a fixed question of 28 outputs": _facts(8),
        "more outputs than a number holds": _facts(1000),
        "one person too few by link for 2 fixed outputs": _facts_of_groups(
            39, 1, 1, 2, by_link=True
        ),
        **{
            f"one person too few for fixed outputs {outputs}, {asked} of {blocks} blocks asked": (
                _facts_of_groups(people - 1, asked, blocks, *outputs)
            )
            for people, asked, blocks, outputs in _FEWEST_PEOPLE
        },
    }
    for name, document in documents.items():
        yield {"name": name, **spell(canonical.encode(document)), "error": "InvalidSurvey"}


def _off_paths() -> Iterator[Case]:
    """Blocks with as many answers as would be without routing, or in another order."""
    document = legal_documents()["a block over paths"]
    (block,) = document["privacy"]["blocks"]
    assert block["mechanism"]["domain_size"] == 8
    path = "privacy.blocks.0.mechanism.domain_size"
    for size in (7, 9, 36):
        data = canonical.encode(_edited(document, path, size))
        yield {"name": f"{size} of 8 paths", **spell(data), "error": "InvalidSurvey"}
    listed = legal_documents()["a multiple choice over its sets"]
    for size in (15, 17):
        data = canonical.encode(_edited(listed, path, size))
        yield {"name": f"{size} of 16 sets", **spell(data), "error": "InvalidSurvey"}
    ten: list[JSON] = [{"id": f"o{number}"} for number in range(10)]
    data = canonical.encode(_edited(listed, "questions.0.options", ten))
    yield {"name": "the sets of ten options", **spell(data), "error": "InvalidSurvey"}
    backwards = _edited(document, "privacy.blocks.0.questions", ["c", "b", "a"])
    name = "routers after their questions"
    yield {"name": name, **spell(canonical.encode(backwards)), "error": "InvalidSurvey"}


def _drawn_wrongly() -> Iterator[Case]:
    """Draws that say nothing, or more than the rest of the survey allows."""
    fact = {**yes_no("a"), "fixed": True}
    for name, first, draws, asked in (
        ("draws that are all the same", yes_no("a"), (3, 3), 1),
        ("a block without a draw", yes_no("a"), (3,), 1),
        ("draws where two blocks are asked", yes_no("a"), (3, 4), 2),
        ("draws beside a fact", fact, (3, 4), 1),
    ):
        document = _with_draws(
            survey_document(first, yes_no("b"), epsilon="2", asked=asked), draws
        )
        yield {"name": name, **spell(canonical.encode(document)), "error": "InvalidSurvey"}


def _over_budget() -> Iterator[Case]:
    at_one = integer_weights(Fraction(1))
    document = survey_document(yes_no(), scale(), epsilon="1", asked=1)
    weights = "privacy.blocks.0.mechanism.weights"
    for name, edited in {
        "one unit too much": _edited(document, weights, [at_one.high + 1, at_one.low]),
        "both blocks asked": _edited(document, "privacy.asked", 2),
        "a smaller claim": _edited(document, "privacy.epsilon", "0.999999999"),
        "a ratio of 2^52": _edited(
            _edited(document, "privacy.epsilon", "10"), weights, [2**46, 1]
        ),
    }.items():
        yield {"name": name, **spell(canonical.encode(edited)), "error": "BudgetExceeded"}


def _demands() -> Iterator[Case]:
    good = spell(canonical.encode(survey_document(yes_no())))
    mismatch = {"asked_for": "0" * 64, "error": "DigestMismatch"}
    yield {"name": "another digest", **good, **mismatch}
    yield {"name": "another digest of what is no survey", "text": "", **mismatch}
    cap = {"epsilon_cap": "0.99", "error": "BudgetExceeded"}
    yield {"name": "above the cap", **good, **cap}
    waves = spell(canonical.encode(panel(survey_document(yes_no()), 2, 1)))
    all_waves = {"epsilon_cap": "1.5", "error": "BudgetExceeded"}
    yield {"name": "above the cap in all waves together", **waves, **all_waves}
