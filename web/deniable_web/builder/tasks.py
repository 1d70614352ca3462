"""Tasks on an author's files and drafts, each in its own process.

The functions on bytes run there, see `isolation`. Each function imports the libraries that
it needs, so that each fork server loads only its own.
"""

import json
from typing import Any, Final

from deniable_collector.clock import past_ends, utc_now
from deniable_sdk import (
    DefinitionProblem,
    DeniableError,
    InvalidDefinition,
    PublishedSurvey,
    compile_survey,
)
from deniable_sdk.errors import format_path
from deniable_sdk.foreign import read_object
from deniable_sdk.survey.reading import Path
from deniable_sdk.survey.routing import fixed_signatures
from deniable_web.builder.stand_ins import with_stand_ins
from deniable_web.definition.completeness import untranslated, unwritten
from deniable_web.definition.epsilon_caps import cap_problems
from deniable_web.definition.form_size import size_problems
from deniable_web.isolation.fork_server import ForkServer

_HERE: Final = "deniable_web.builder.tasks"
TEXTS: Final = ForkServer(_HERE, "deniable_web.builder.imports.text")
WORKBOOKS: Final = ForkServer(_HERE, "deniable_web.builder.imports.xlsform")
FORECASTS: Final = ForkServer(_HERE, "deniable_web.builder.checking")


class UnusableDraft(DeniableError):
    """A draft cannot be published, or is no JSON; the message has every problem."""


def read_text_file(body: bytes) -> bytes:
    """The survey in YAML or JSON, and an account of what it lost, as JSON."""
    from deniable_web.builder.imports.text import import_text  # noqa: PLC0415 - see above

    return _to_json(import_text(body).to_document())


def read_workbook(body: bytes) -> bytes:
    """The survey in an XLSForm, and an account of what it lost, as JSON."""
    from deniable_web.builder.imports.xlsform import import_xlsform  # noqa: PLC0415 - see above

    return _to_json(import_xlsform(body).to_document())


def write_yaml(body: bytes) -> bytes:
    """The definition in a request as the text of a file."""
    from deniable_web.definition.yaml_text import to_yaml  # noqa: PLC0415 - see above

    return to_yaml(_definition(body)).encode()


def compile_draft(body: bytes) -> bytes:
    """The published bytes of the definition in a request."""
    try:
        return compile_survey(_definition(body)).document
    except InvalidDefinition as error:
        raise UnusableDraft("; ".join(str(problem) for problem in error.problems)) from None


def list_problems(body: bytes) -> bytes:
    """The problems of the definition in a request, as a JSON list."""
    document = _definition(body)
    found: list[dict[str, Any]] = []
    try:
        compile_survey(document)
    except InvalidDefinition as error:
        found += [_told(problem, problem.path) for problem in error.problems]
    # What is not wrong can be unfinished, too.
    draft = with_stand_ins(document)
    if draft:
        unfinished = (
            *untranslated(draft.definition),
            *unwritten(draft.definition),
            *cap_problems(draft.definition),
            *past_ends(draft.definition, utc_now()),
            *size_problems(draft.definition),
        )
        own = draft.own_problems(unfinished)
        found += [_told(problem, path, is_unfinished=True) for problem, path in own]
    return _to_json(found)


def list_redrawn(body: bytes) -> bytes:
    """The ids of fixed questions that devices would draw again, as a JSON list.

    These questions are fixed in the published edition and in the draft, but something has
    changed that their repeated values depend on.
    """
    sent = read_object(body)
    before = PublishedSurvey.from_document(sent["published"])
    try:
        draft = compile_survey(sent["definition"])
    except InvalidDefinition:
        return _to_json([])
    known, now = fixed_signatures(before), fixed_signatures(draft)
    were_fixed = {question.id for question in before.questions if question.fixed}
    return _to_json(
        [
            question.id
            for block in draft.blocks
            for question in block.questions
            if question.id in were_fixed and block.fixed and known.get(block.id) != now[block.id]
        ]
    )


def write_definition(body: bytes) -> bytes:
    """The definition of a published survey, from its published bytes, as JSON."""
    from deniable_web.builder.from_published import definition_of  # noqa: PLC0415 - see above

    return _to_json({"definition": definition_of(PublishedSurvey.from_bytes(body))})


def foretell(body: bytes) -> bytes:
    """The forecast of the definition in a request, as JSON."""
    from deniable_web.builder.checking import outlook  # noqa: PLC0415 - see above

    sent = read_object(body)
    wishes = (sent[name] for name in ("respondents", "margin", "language"))
    return _to_json(outlook(sent["definition"], *wishes))


def _definition(body: bytes) -> object:
    return read_object(body).get("definition")


def _told(
    problem: DefinitionProblem, path: Path, *, is_unfinished: bool = False
) -> dict[str, Any]:
    """A problem as plain JSON values; `path` is its place in the draft."""
    return {
        "code": problem.code,
        "facts": dict(problem.facts),
        "path": list(path),
        "place": format_path(path),
        "message": problem.message,
        "is_unfinished": is_unfinished,
    }


def _to_json(value: Any) -> bytes:
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    except ValueError:
        raise UnusableDraft(
            "it has a number that is not finite (.nan or .inf); write one"
        ) from None
