"""Reads names, numbers and choices of SurveyJS, and the questions inside pages and panels."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from deniable_web.builder.imports.imported import Changed, LeftOut
from deniable_web.builder.imports.nodes import FileNode, leaves
from deniable_web.builder.imports.options import Option
from deniable_web.builder.imports.places import Place
from deniable_web.builder.imports.questions import ImportedQuestion, Questions
from deniable_web.builder.imports.surveyjs_keys import UNREAD
from deniable_web.builder.imports.texts import Text, Texts, visible

_DEEPEST: Final = 10
# With one of these, a question may have an answer before it is asked.
_PRESETS: Final = ("defaultValue", "defaultValueExpression", "setValueExpression")


class Element:
    """A question as in the document, with its place.

    Args:
        own: its keys.
        place: the place of the page or panel around it.
        questions: the questions made so far.
        texts: reads its texts.
    """

    def __init__(self, own: object, place: Place, questions: Questions, texts: Texts) -> None:
        self.node = FileNode(own)
        self.place = _narrowed(place, self.node)
        self.questions, self.texts = questions, texts
        self.kind = str(self.node.take("type") or "")
        value_name, name = self.node.take("valueName"), self.node.take("name")
        self.name = str(value_name or name or self.kind)

    def text(self, *keys: str) -> Text:
        """The text under a key, which may have several names."""
        return self.texts.read(self.node.take(*keys), self.name)

    def html(self, key: str) -> Text:
        """The words of the HTML under a key."""
        return self.texts.read_html(self.node.take(key), self.name)

    def asked(self) -> ImportedQuestion:
        """The properties that all questions have."""
        # A title that is blank shows nothing; without the key the name is shown.
        title = self.text("title", "label")
        otherwise = self.place.heading if "title" in self.node else self.name
        return ImportedQuestion(
            name=self.name,
            text=title or otherwise,
            help=self.text("description"),
            section=self.place.section,
            is_required=self.node.take("isRequired") is True and not self.place.may_be_disabled,
            conditions=self.place.conditions,
            words=self.node.words,
            is_preset=any(key in self.node for key in _PRESETS),
        )

    def change(self, what: Changed, *details: str) -> None:
        """Note a change of it."""
        self.questions.account.change(self.name, what, *details)

    def leave_out(self, reason: LeftOut) -> None:
        """Note that it was left out, with its words."""
        self.questions.account.leave_out(self.name, reason, *self.node.words())

    def list_unread(self) -> None:
        """Note all that was not read of it."""
        self.node.list_unread(self.name, UNREAD, self.questions.account)

    def choices(self, *keys: str) -> list[Option]:
        """The choices under a key: values and their texts."""
        value = self.node.take(*keys)
        found: list[Option] = []
        for each in value if isinstance(value, list) else []:
            node = FileNode(each if isinstance(each, Mapping) else _item(each))
            own = node.take("value")
            text = self.texts.read(node.take("text"), self.name)
            if isinstance(own, Mapping | list) or (own is None and not text):
                self.change(Changed.SETTINGS, f"{keys[0]}: {', '.join(leaves(each))}")
                continue
            name = "" if own is None else visible(name_of(own))
            found.append((name, text or name))
            node.list_unread(self.name, UNREAD, self.questions.account)
        return found


def expand(
    own: object, place: Place, questions: Questions, texts: Texts, depth: int = 0
) -> Iterator[Element]:
    """The questions of a page or panel, including those of panels inside it."""
    panel = Element(own, place, questions, texts)
    inner = [each for key in ("elements", "questions") for each in panel.node.take(key) or ()]
    inside = questions.sections.within(
        panel.place,
        panel.name,
        panel.text("title"),
        panel.text("description"),
        is_one_question=len(inner) == 1 and _is_blank(inner[0]),
    )
    for each in inner:
        if not isinstance(each, Mapping):
            panel.change(Changed.SETTINGS, *leaves(each))
        elif each.get("type") == "panel" and depth < _DEEPEST:
            yield from expand(each, inside, questions, texts, depth + 1)
        else:
            yield Element(each, inside, questions, texts)
    panel.list_unread()


def _narrowed(place: Place, node: FileNode) -> Place:
    """The place of a part of a page or panel, by the keys of that part."""
    visible_if = node.take("visibleIf")
    own = (visible_if,) if isinstance(visible_if, str) and visible_if.strip() else ()
    return replace(
        place,
        conditions=(*place.conditions, *own),
        is_hidden=place.is_hidden or (node.take("visible") is False and not own),
        is_read_only=place.is_read_only or node.take("readOnly") is True,
        may_be_disabled=place.may_be_disabled or "enableIf" in node,
    )


def _is_blank(own: object) -> bool:
    """Whether a question has a title that shows nothing."""
    return (
        isinstance(own, Mapping)
        and own.get("type") != "panel"
        and "title" in own
        and not any(leaves(own["title"]))
    )


def _item(value: object) -> dict[str, object]:
    """A choice that is only a value; a text may follow it after a vertical bar."""
    if isinstance(value, str) and "|" in value:
        value, text = value.split("|", 1)
        return {"value": value, "text": text}
    return {"value": value}


def name_of(value: object) -> str:
    """A value as expressions name it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
