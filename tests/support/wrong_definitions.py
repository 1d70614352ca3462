"""Definitions with one thing wrong, each with what is said of it."""

from typing import Any

from sample_definitions import choice, definition, scale, yes_no

TEXT = "a text of 1 to 4000 characters, or a map from language to such a text"
SLUG = "1 to 64 lower-case letters, digits and inner hyphens"
ID = "a lower-case letter, then up to 39 letters, digits or underscores"
OPTION = "a text of 1 to 200 characters"
QUOTES = "write it in quotes"
YAML = f"{QUOTES} (a bare number, true or null is not read as a text)"
EPSILON = "a number from 0.01 to 10, with at most 30 decimals"
KEYS = (
    "slug, title, introduction, thanks, thanks_link, logo, accent, operator, epsilon, opens, "
    "closes, at_most_reports, stop_when, respondents, results, invited, groups, waves, wave, ask, "
    "crosstabs, together, apart, questions"
)
CONTACT = "an e-mail or https address, or a phone number"

LONG = "x" * 56


def _options(*options: object) -> dict[str, Any]:
    return definition(choice() | {"options": list(options)})


RUN_BY = {"name": "Us", "contact": "us@example.org"}


def _run_by(operator: object) -> dict[str, Any]:
    return definition(operator=operator)


DOCUMENTS: list[tuple[object, str]] = [
    ([], "the whole document: got []; allowed is an object with keys and values"),
    (None, "the whole document: got null; allowed is an object with keys and values"),
    (definition(titel="x"), "titel: unknown key; did you mean 'title'?"),
    (definition(colour=1), f"colour: unknown key; allowed are {KEYS}"),
    (definition() | {1: 2}, f"1: unknown key; allowed are {KEYS}"),
]
TEXTS: list[tuple[object, str]] = [
    (definition(title=""), f"title: got ''; allowed is {TEXT}"),
    (definition(title=" \n"), f"title: got ' \\n'; allowed is {TEXT}; got nothing but blanks"),
    (definition(title=None), f"title: got null; allowed is {TEXT}"),
    (definition(title=3), f"title: got 3; allowed is {TEXT}; {QUOTES}"),
    (definition(title=False), f"title: got false; allowed is {TEXT}; {QUOTES}"),
    (definition(title={}), f"title: got {{}}; allowed is {TEXT}"),
    (definition(title="x" * 4001), f"title: got '{LONG}...; allowed is {TEXT}"),
    (
        definition(title="\ud800"),
        "title: got a text with half a surrogate pair; write the character whole",
    ),
    (
        definition(title={"EN": "x"}),
        "title: got the language 'EN'; allowed are tags like en or pt-BR",
    ),
    (
        # A bare no is false in YAML, and Norwegian in a map of languages.
        definition(title={False: "x"}),
        "title: got the language false; allowed are tags like en or pt-BR",
    ),
    (definition(introduction=[]), f"introduction: got []; allowed is {TEXT}"),
    (definition(thanks={"en": ""}), f"thanks.en: got ''; allowed is {TEXT}"),
    (_run_by("Us"), "operator: got 'Us'; allowed is an object with keys and values"),
    (
        _run_by({"name": "Us"}),
        f"operator: the key 'contact' is missing; it takes {CONTACT}",
    ),
    (
        _run_by({"contact": "us@example.org"}),
        "operator: the key 'name' is missing; it takes a text of 1 to 200 characters",
    ),
    (
        _run_by({"name": " ", "contact": "us@example.org"}),
        "operator.name: got ' '; allowed is a text of 1 to 200 characters",
    ),
    (
        _run_by({"name": "Us", "contact": "javascript:alert(1)"}),
        f"operator.contact: got 'javascript:alert(1)'; allowed is {CONTACT}",
    ),
    (
        _run_by({"name": "Us", "contact": "us@example.org", "purpose": ""}),
        f"operator.purpose: got ''; allowed is {TEXT}",
    ),
    (
        _run_by({"name": "U\x00s", "contact": "us@example.org"}),
        (
            "operator.name: got a text with the control character U+0000; take it out (only "
            "line breaks and tabs are allowed)"
        ),
    ),
    (
        definition(title={"de": "x", "en": "y"}, operator={**RUN_BY, "purpose": {"en": "z"}}),
        "operator.purpose: has no text in de, as others have",
    ),
]
SETTINGS: list[tuple[object, str]] = [
    (definition(slug="Health"), f"slug: got 'Health'; allowed is {SLUG}"),
    (definition(slug="-a"), f"slug: got '-a'; allowed is {SLUG}"),
    (definition(slug="a\n"), f"slug: got 'a\\n'; allowed is {SLUG}"),
    (definition(slug="x" * 65), f"slug: got '{LONG}...; allowed is {SLUG}"),
    (definition(slug=3), f"slug: got 3; allowed is {SLUG}"),
    (definition(epsilon=0), f"epsilon: got 0; allowed is {EPSILON}"),
    (definition(epsilon="1_0"), f"epsilon: got '1_0'; allowed is {EPSILON}"),
    (definition(epsilon=10**5000), f"epsilon: got a huge number; allowed is {EPSILON}"),
    (
        definition(ask=0),
        "ask: got 0; allowed is auto, all, or a whole number from 1 to 1, the number of blocks",
    ),
    (
        definition(ask=2),
        "ask: got 2; allowed is auto, all, or a whole number from 1 to 1, the number of blocks",
    ),
    (
        definition(ask=True),
        "ask: got true; allowed is auto, all, or a whole number from 1 to 1, the number of blocks",
    ),
    (
        definition(ask=None),
        "ask: got null; allowed is auto, all, or a whole number from 1 to 1, the number of blocks",
    ),
    (
        definition(yes_no("a"), yes_no("b"), ask="some"),
        (
            "ask: got 'some'; allowed is auto, all, or a whole number from 1 to 2, the number of "
            "blocks"
        ),
    ),
]
QUESTIONS: list[tuple[object, str]] = [
    (definition(questions="x"), "questions: got 'x'; allowed is a list of 1 to 200 questions"),
    (
        definition(questions=[]),
        "questions: got 0 questions; allowed is a list of 1 to 200 questions",
    ),
    (
        definition(*(yes_no(f"q{number}") for number in range(201))),
        "questions: got 201 questions; allowed is a list of 1 to 200 questions",
    ),
    (
        definition(questions=["what"]),
        "questions[0]: got 'what'; allowed is an object with keys and values",
    ),
    (definition(yes_no("a"), yes_no("a")), "questions[1].id: the id 'a' is repeated"),
    (definition(yes_no("1a")), f"questions[0].id: got '1a'; allowed is {ID}"),
    (definition(yes_no("é")), f"questions[0].id: got 'é'; allowed is {ID}"),
    (definition(yes_no() | {"id": 5}), f"questions[0].id: got 5; allowed is {ID}"),
    (
        definition(yes_no() | {"type": "text"}),
        "questions[0].type: got 'text'; allowed: yes_no, choice, scale, multiple, number, score",
    ),
    (
        definition(yes_no() | {"type": ["choice"]}),
        (
            "questions[0].type: got ['choice']; allowed: yes_no, choice, scale, multiple, number, "
            "score"
        ),
    ),
    (
        definition({"id": "a", "text": "b"}),
        (
            "questions[0]: the key 'type' is missing; it takes one of yes_no, choice, scale, "
            "multiple, number, score"
        ),
    ),
    (
        definition(yes_no(required="yes")),
        "questions[0].required: got 'yes'; allowed is true or false",
    ),
    (
        definition(yes_no(options=["a", "b"])),
        (
            "questions[0].options: a question of the type yes_no takes no 'options'; types that "
            "do: choice, multiple"
        ),
    ),
    (
        definition(choice(target="mean")),
        (
            "questions[0].target: a question of the type choice takes no 'target'; types that "
            "do: scale, number, score"
        ),
    ),
    (
        definition(yes_no(labels={"maybe": "x"})),
        "questions[0].labels.maybe: unknown key; allowed are yes, no",
    ),
    (
        definition(yes_no(labels=["x"])),
        "questions[0].labels: got ['x']; allowed is an object with keys and values",
    ),
    (
        definition(yes_no(labels={True: 3})),
        f"questions[0].labels.yes: got 3; allowed is {TEXT}; {QUOTES}",
    ),
]
CHOICES: list[tuple[object, str]] = [
    (
        definition(choice(options=1)),
        "questions[0].options: got 1 option; allowed is a list of 2 to 999 options",
    ),
    (
        definition(choice(options=1000)),
        "questions[0].options: got 1000 options; allowed is a list of 2 to 999 options",
    ),
    (
        definition(choice() | {"options": "a, b"}),
        "questions[0].options: got 'a, b'; allowed is a list of 2 to 999 options",
    ),
    (_options("a", True), f"questions[0].options[1]: got true; allowed is {OPTION}; {YAML}"),
    (_options("a", 1), f"questions[0].options[1]: got 1; allowed is {OPTION}; {YAML}"),
    (_options("a", 2.5), f"questions[0].options[1]: got 2.5; allowed is {OPTION}; {YAML}"),
    (_options("a", None), f"questions[0].options[1]: got null; allowed is {OPTION}"),
    (
        _options("a", " "),
        (
            f"questions[0].options[1]: got ' '; allowed is {OPTION}, not only blanks; write what "
            "respondents are to read"
        ),
    ),
    (_options("a", "x" * 201), f"questions[0].options[1]: got '{LONG}...; allowed is {OPTION}"),
    (_options("a", "\udfff"), f"questions[0].options[1]: got '\\udfff'; allowed is {OPTION}"),
    (
        _options("a", {"id": "b", "txt": "c"}),
        "questions[0].options[1].txt: unknown key; did you mean 'text'?",
    ),
    (
        _options("a", {"text": "b"}),
        f"questions[0].options[1]: the key 'id' is missing; it takes {OPTION}",
    ),
    (
        _options("a", {"id": False}),
        f"questions[0].options[1].id: got false; allowed is {OPTION}; {YAML}",
    ),
    (
        _options("a", {"id": "b", "text": 0}),
        f"questions[0].options[1].text: got 0; allowed is {TEXT}; {QUOTES}",
    ),
    (_options("a", "b", "a"), "questions[0].options[2]: the option 'a' is repeated"),
    (
        _options("a", "no_answer"),
        (
            "questions[0].options[1]: 'no_answer' is reserved: every question that is not "
            "required has it already"
        ),
    ),
]
SCALES: list[tuple[object, str]] = [
    (
        definition(scale(levels=1)),
        "questions[0].levels: got 1; allowed is a whole number from 2 to 101",
    ),
    (
        definition(scale(levels=102)),
        "questions[0].levels: got 102; allowed is a whole number from 2 to 101",
    ),
    (
        definition(scale() | {"levels": "5"}),
        "questions[0].levels: got '5'; allowed is a whole number from 2 to 101",
    ),
    (
        definition(scale() | {"levels": True}),
        "questions[0].levels: got true; allowed is a whole number from 2 to 101",
    ),
    (
        definition(scale(lowest=1.0)),
        "questions[0].lowest: got 1.0; allowed is a whole number from -100 to 100",
    ),
    (
        definition(scale(lowest=-101)),
        "questions[0].lowest: got -101; allowed is a whole number from -100 to 100",
    ),
    (
        definition(scale(levels=3, labels={4: "x"})),
        "questions[0].labels.4: unknown key; allowed are 1, 2, 3",
    ),
]
