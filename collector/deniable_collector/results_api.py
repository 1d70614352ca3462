"""The routes of analysts: counts of randomized values, never a single report."""

from flask import Blueprint, Response, request

from deniable_collector.access import collaborators, described, require_survey
from deniable_collector.errors import Refused
from deniable_collector.permissions import open_to
from deniable_collector.responses import json_response
from deniable_collector.store.base import StoredSurvey
from deniable_collector.tokens import Role
from deniable_sdk import Block
from deniable_sdk.survey.groups import NO_GROUP
from deniable_storage.errors import TooManyTuples

RESULTS = Blueprint("results", __name__)

# About 30 MB of JSON; an export is better for more.
MOST_TUPLES = 200_000


@RESULTS.get("/api/surveys/<slug>/editions")
@open_to(Role.ANALYST)
def list_editions(slug: str) -> Response:
    """Every edition under a slug, the newest last, and the site of the collector."""
    editions = _editions(slug)
    require_survey(editions[-1] if editions else None)
    descriptions = [described(stored) for stored in editions]
    for each in descriptions:
        del each["slug"]
    settings = collaborators().settings
    return json_response(
        {
            "slug": slug,
            "site": settings.site or None,
            "started": settings.started,
            "editions": descriptions,
        }
    )


@RESULTS.get("/api/surveys/<slug>/results")
@open_to(Role.ANALYST)
def read_results(slug: str) -> Response:
    """The counts of all blocks, of some, or of none."""
    stored = _wanted(slug)
    group = _group(stored)
    is_named = "blocks" in request.args
    blocks = _blocks(stored) if is_named else stored.survey.blocks
    using = collaborators()
    counts = using.counts.count_values(stored, blocks, group, now=using.commits.clock())
    return json_response(
        {
            **_describe(stored, group),
            "reports": counts.report_count,
            "blocks": [
                {"block": name, "reports": found.report_count, "support": [*found.support.items()]}
                for name, found in counts.blocks.items()
            ],
        }
    )


@RESULTS.get("/api/surveys/<slug>/tuples")
@open_to(Role.ANALYST)
def read_tuples(slug: str) -> Response:
    """The different tuples of values that were reported for some blocks together."""
    stored = _wanted(slug)
    group = _group(stored)
    blocks = _blocks(stored)
    if not blocks:
        raise _unknown_block(stored)
    using = collaborators()
    now = using.commits.clock()
    try:
        found = using.counts.count_tuples(stored, blocks, MOST_TUPLES, group, now=now)
    except TooManyTuples:
        raise Refused.because(
            "too-many-tuples",
            f"More than {MOST_TUPLES} different tuples of values were reported for these "
            "blocks; ask for fewer blocks, or analyse an export of the survey.",
        ) from None
    values = [found.of(index).tolist() for index in range(len(blocks))]
    return json_response(
        {
            **_describe(stored, group),
            "blocks": [block.id for block in blocks],
            "tuples": list(zip(*values, found.counts.tolist(), strict=True)),
        }
    )


def _editions(slug: str) -> list[StoredSurvey]:
    surveys = collaborators().registry.list_surveys()
    return [stored for stored in surveys if stored.survey.slug == slug]


def _wanted(slug: str) -> StoredSurvey:
    """The edition with the digest in the query, or the newest."""
    edition = request.args.get("edition")
    if edition is None:
        return require_survey(collaborators().registry.find_survey(slug))
    named = [stored for stored in _editions(slug) if str(stored.edition) == edition]
    return require_survey(named[0] if named else None)


def _group(stored: StoredSurvey) -> str | None:
    """The group in the query; None if there is none.

    While a survey accepts reports, two requests would show what a few people of a group
    reported in between. So groups are counted once it is closed for good.
    """
    named = request.args.get("group")
    if named is None:
        return None
    known = stored.survey.kept_groups
    if named not in known:
        ids = ", ".join(group.id for group in stored.survey.groups)
        none = "; or nothing, for reports without a group" if NO_GROUP in known else ""
        allowed = f"allowed are: {ids}{none}" if known else "it has none; leave it out"
        raise Refused.because(
            "unknown-group", f"The query names a group that is not there; {allowed}."
        )
    if not stored.is_closed:
        raise Refused.because(
            "survey-not-closed",
            "Counts by group are returned only once the survey is closed by its owner; close "
            "it first, or leave the group out.",
        )
    return named


def _blocks(stored: StoredSurvey) -> list[Block]:
    """The blocks in the query, each once."""
    named = request.args.get("blocks", "")
    names = dict.fromkeys(named.split(",")) if named else {}
    known = {block.id: block for block in stored.survey.blocks}
    if not known.keys() >= names.keys():
        raise _unknown_block(stored)
    return [known[name] for name in names]


def _unknown_block(stored: StoredSurvey) -> Refused:
    allowed = ", ".join(block.id for block in stored.survey.blocks)
    return Refused.because(
        "unknown-block",
        "The query names no block, or one that the survey does not have; allowed is blocks= "
        f"and some of these, separated by commas: {allowed}.",
    )


def _describe(stored: StoredSurvey, group: str | None) -> dict[str, object]:
    return {**described(stored), **({"group": group} if group is not None else {})}
