"""The routes of drafts, for the scripts of the pages."""

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, g

from deniable_collector.access import collaborators
from deniable_collector.clock import Clock
from deniable_collector.permissions import Scope, open_to, present_token
from deniable_collector.responses import compress, json_response
from deniable_collector.tokens import AccessToken, Role
from deniable_sdk.foreign import read_object
from deniable_web.builder.workshop import read_document, refuse
from deniable_web.drafts.store import MOST_VERSIONS, Draft, DraftStore, UnknownDraft
from deniable_web.pages import policy


def create_drafts(store: DraftStore, clock: Clock) -> Blueprint:
    """All routes of drafts."""
    drafts = Blueprint("drafts", __name__)
    _add_reading(drafts, store, clock)
    _add_writing(drafts, store, clock)
    drafts.after_request(policy.protect)
    drafts.after_request(compress)
    return drafts


def _add_reading(drafts: Blueprint, store: DraftStore, clock: Clock) -> None:
    @drafts.get("/manage/drafts")
    @open_to(Role.EDITOR)
    def list_drafts() -> Response:
        return json_response({"drafts": _listed(store, present_token())})

    @drafts.get("/manage/drafts/<draft_id>")
    @open_to(Role.EDITOR, scope=Scope.DRAFT)
    def state(draft_id: str) -> Response:
        found = _find(store, draft_id)
        present = store.meet(draft_id, present_token().name, clock())
        return json_response({**asdict(found), "present": present})

    @drafts.get("/manage/drafts/<draft_id>/newest")
    @open_to(Role.EDITOR, scope=Scope.DRAFT)
    def newest(draft_id: str) -> Response:
        _find(store, draft_id)
        draft, document = store.newest(draft_id)
        return json_response({**asdict(draft), **read_object(document)})

    @drafts.get("/manage/drafts/<draft_id>/versions")
    @open_to(Role.EDITOR, scope=Scope.DRAFT)
    def versions(draft_id: str) -> Response:
        _find(store, draft_id)
        found = [
            {"version": each.version, "changed": each.changed, "by": each.changed_by}
            for each in store.versions(draft_id)
        ]
        return json_response({"versions": found, "most": MOST_VERSIONS})

    @drafts.get("/manage/drafts/<draft_id>/versions/<int:version>")
    @open_to(Role.EDITOR, scope=Scope.DRAFT)
    def document(draft_id: str, version: int) -> Response:
        # No number beyond the newest one's, however long, goes to the database.
        if version > _find(store, draft_id).version:
            raise UnknownDraft
        found = store.document(draft_id, version)
        return Response(found, content_type="application/json")


def _add_writing(drafts: Blueprint, store: DraftStore, clock: Clock) -> None:
    @drafts.post("/manage/drafts")
    @open_to(Role.EDITOR)
    def create_draft() -> Response:
        document, _ = _read_draft()
        return json_response(asdict(store.create(document, present_token().name, clock())), 201)

    @drafts.put("/manage/drafts/<draft_id>")
    @open_to(Role.EDITOR, scope=Scope.DRAFT)
    def save(draft_id: str) -> Response:
        _find(store, draft_id)
        document, base = _read_draft()
        if type(base) is not int or base < 1:
            raise refuse("version: allowed is the number of the version that was changed, from 1")
        author = present_token().name
        return json_response(asdict(store.save(draft_id, base, document, author, clock())))

    @drafts.delete("/manage/drafts/<draft_id>")
    @open_to(Role.EDITOR, scope=Scope.DRAFT)
    def remove(draft_id: str) -> tuple[str, int]:
        g.changed = _find(store, draft_id).slug
        store.remove(draft_id)
        return "", 204


def _listed(store: DraftStore, token: AccessToken) -> list[dict[str, Any]]:
    """The drafts that a token may see, and whether a survey that it is for has their name."""
    published = {each.survey.slug for each in collaborators().registry.list_surveys()}
    return [
        {**asdict(each), "is_published": each.slug in published and token.is_for(each.slug)}
        for each in store.list_drafts()
        if _is_shown(each, token)
    ]


def _find(store: DraftStore, draft_id: str) -> Draft:
    """A draft that the token in the request may see.

    Raises:
        UnknownDraft: there is none.
    """
    found = store.find(draft_id)
    if not _is_shown(found, present_token()):
        raise UnknownDraft
    return found


def _is_shown(draft: Draft, token: AccessToken) -> bool:
    """Whether a token shows a draft: a token for some surveys shows theirs, and its own."""
    return token.is_for_all or token.is_for(draft.slug) or draft.created_by == token.name


def _read_draft() -> tuple[dict[str, Any], object]:
    """The document in the request, and the version that was changed, if there is one.

    Raises:
        Refused: it is not a draft.
    """
    sent = read_document()
    definition, facts = sent.get("definition"), sent.get("facts", [])
    if not isinstance(definition, dict) or not isinstance(definition.get("questions"), list):
        raise refuse("definition: allowed is an object with a list of questions")
    if not isinstance(facts, list) or not all(isinstance(each, str) for each in facts):
        raise refuse("facts: allowed is a list of ids of questions")
    return {"definition": definition, "facts": facts}, sent.get("version")
