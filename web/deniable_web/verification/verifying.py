"""Verifies a live form: every file, for every client, over every address."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from deniable_web.pages.form.rendering import issuer_of
from deniable_web.verification.checks import Check, CheckResult, compare
from deniable_web.verification.expected import ExpectedFile
from deniable_web.verification.fetching import NoAnswer
from deniable_web.verification.opening import LiveForm, OpenedForm, Unopened, Visit, open_form
from deniable_web.verification.page import PageFacts, own_files, own_maker, read_page
from deniable_web.verification.visitors import Purpose

_MOST_FOREIGN: Final = 10
_FOREIGN: Final = "the page names it, and the page of this version does not"


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a live form is what this version makes.

    Args:
        result: SAME if every check is; DIFFERS if one is neither that nor UNCHECKED.
        problems: what is wrong with the whole, in sentences.
        checks: each file for each client over each address.
        digest: of the survey; None if there is no form.
        frame_ancestors: the sites whose pages may show the form in a frame.
        connects_to: the servers that the form should connect to.
        is_same_for_all: whether all who got an answer for a file got the same.
    """

    result: CheckResult
    problems: tuple[str, ...]
    checks: tuple[Check, ...] = ()
    digest: str | None = None
    frame_ancestors: str | None = None
    connects_to: tuple[str, ...] = ()
    is_same_for_all: bool = True


def verify(form: LiveForm, on_check: Callable[[Check], None]) -> Verification:
    """Whether each byte of a form is what this version makes.

    Each check is passed to `on_check` as soon as it is done.
    """
    try:
        opened = open_form(form)
    except Unopened as unopened:
        return Verification(unopened.result, (str(unopened),), digest=form.digest)
    expected = opened.expected(form.path)
    checks: list[Check] = []
    pages: list[PageFacts] = []
    for address in form.addresses:
        for visit in form.visits(address):
            for check in _visit(form, visit, expected, pages):
                on_check(check)
                checks.append(check)
    differing = _different_for_some(checks)
    return Verification(
        _result(checks),
        tuple(_problems(differing, {_versions(facts, opened) for facts in pages})),
        tuple(checks),
        opened.survey.digest,
        opened.frame_ancestors,
        tuple(filter(None, (opened.collector or form.url, issuer_of(opened.survey)))),
        not differing,
    )


def _visit(
    form: LiveForm, visit: Visit, expected: Sequence[ExpectedFile], pages: list[PageFacts]
) -> Iterator[Check]:
    """The checks of one client over one address, up to the first file without an answer."""
    latest = form.latest()
    page, *others = expected
    path = form.path
    try:
        got = visit.fetch(path, Purpose.PAGE, latest)
        facts = read_page(got)
        check = compare(visit.check(path, CheckResult.SAME), page, got)
        if got.status == HTTPStatus.OK:
            # Without what a hostile server may have made long.
            pages.append(replace(facts, document=b"", named=()))
            yield replace(check, reason=_with_origin(check.reason, facts, page))
            for address in facts.foreign(page.body.decode())[:_MOST_FOREIGN]:
                yield visit.check(address, CheckResult.UNKNOWN, _FOREIGN)
        else:
            yield check
        for file in others:
            path = facts.at_its_version(file.path)
            got = visit.fetch(path, file.purpose, latest)
            yield compare(visit.check(path, CheckResult.SAME), file, got)
    except NoAnswer as silence:
        yield visit.check(path, CheckResult.UNCHECKED, str(silence))


def _with_origin(reason: str, facts: PageFacts, page: ExpectedFile) -> str:
    """A reason, and which survey a page is of if it is another one."""
    reasons = [reason] if reason else []
    if facts.digest and f'data-digest="{facts.digest}"' not in page.body.decode():
        reasons.append(f"it is the form of another survey, {facts.digest}")
    return "; ".join(reasons)


def _result(checks: Sequence[Check]) -> CheckResult:
    results = {check.result for check in checks}
    if results - {CheckResult.SAME, CheckResult.UNCHECKED}:
        return CheckResult.DIFFERS
    return CheckResult.UNCHECKED if CheckResult.UNCHECKED in results else CheckResult.SAME


def _different_for_some(checks: Sequence[Check]) -> list[str]:
    """The files of which not all who got an answer got the same, in their order."""
    found: dict[str, set[tuple[str | None, str]]] = {}
    for check in checks:
        if check.result is not CheckResult.UNCHECKED:
            found.setdefault(check.file, set()).add((check.sha256, check.reason))
    return [file for file, variants in found.items() if len(variants) > 1]


def _versions(facts: PageFacts, opened: OpenedForm) -> tuple[str, str]:
    """The version that a page names, and this one, in the same form."""
    return (facts.maker, own_maker()) if opened.collector else (facts.files, own_files())


def _problems(differing: Sequence[str], versions: set[tuple[str, str]]) -> Iterator[str]:
    for version, own in sorted(versions):
        if version != own:
            yield (
                f"Another version of deniable made this form: it names {version}, and this "
                f"version is {own}. Ask who runs the server for its version and those of the "
                "packages, install them and verify again. Until then the form is not verified."
            )
    if differing:
        yield f"Not everybody gets the same: {', '.join(differing)}."
