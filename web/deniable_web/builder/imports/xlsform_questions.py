"""Makes a question of each kind of row of an XLSForm that can be randomized."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from pyxform.aliases import yes_no
from pyxform.question_type_dictionary import QUESTION_TYPE_DICT

from deniable_web.builder.imports.bounds import Bounds, exact, read_constraint
from deniable_web.builder.imports.computed import Calculations
from deniable_web.builder.imports.imported import Changed, LeftOut
from deniable_web.builder.imports.nodes import FileNode, Unread
from deniable_web.builder.imports.options import Option
from deniable_web.builder.imports.places import Place
from deniable_web.builder.imports.questions import ImportedQuestion, Questions
from deniable_web.builder.imports.texts import Text, Texts, join
from deniable_web.builder.imports.xlsform_keys import named_as_in_file

# The type of the data of each kind that cannot be randomized.
_LEFT_OUT: Final = {
    LeftOut.FREE_TEXT: "string barcode",
    LeftOut.FILE: "binary",
    LeftOut.PLACE: "geopoint geoshape geotrace",
    LeftOut.TIME: "date dateTime time",
    LeftOut.ORDER: "odk:rank",
}
_FILES: Final = ("xml-external", "csv-external")


@dataclass(slots=True)
class Form:
    """What is known of a form while its rows are read.

    Args:
        questions: the questions made so far.
        calculations: the calculations so far.
        texts: reads its texts.
        lists: the lists of choices.
        unread: what the columns that nothing reads are noted as.
    """

    questions: Questions
    calculations: Calculations
    texts: Texts
    lists: FileNode
    unread: Unread


class FormRow:
    """A question of a form with its place."""

    def __init__(self, row: Mapping[str, Any], place: Place, form: Form) -> None:
        self.node = FileNode(named_as_in_file(row))
        self.form, self.questions = form, form.questions
        self.type, self.name = str(row.get("type", "")), str(row.get("name", ""))
        self.node.take("name")
        relevant = str(self.node.take("relevant") or "")
        conditions = (*place.conditions, relevant) if relevant else place.conditions
        self.place = replace(place, conditions=conditions)
        self.appearance = str(self.node.take("appearance") or "").split()
        self._words = FileNode(row).words

    @property
    def known(self) -> Mapping[str, Any]:
        """What pyxform knows about its type."""
        known: Mapping[str, Any] = QUESTION_TYPE_DICT.get(self.type, {})
        return known

    @property
    def data_type(self) -> str:
        """The type of its data, such as int; "" if it has none."""
        return str((self.known.get("bind") or {}).get("type", ""))

    @property
    def is_shown(self) -> bool:
        """Whether it has a place in the form."""
        return "tag" in (self.known.get("control") or {})

    def text(self, key: str) -> Text:
        """The text in a column."""
        return self.form.texts.read(self.node.take(key), self.name)

    def asked(self) -> ImportedQuestion:
        """The properties that all questions have."""
        label, hint = self.text("label"), self.text("hint")
        required = str(self.node.take("required") or "")
        if yes_no.get(required) is None and required:
            self.change(Changed.RULES, f"required: {required}")
        return ImportedQuestion(
            name=self.name,
            text=label or hint or self.place.heading,
            help=hint if label else "",
            section=self.place.section,
            is_required=yes_no.get(required) is True,
            conditions=self.place.conditions,
            words=self._words,
        )

    def change(self, what: Changed, *details: str) -> None:
        """Note a change of it."""
        self.questions.account.change(self.name, what, *details)

    def leave_out(self, reason: LeftOut) -> None:
        """Note that it was left out, with its words."""
        self.questions.account.leave_out(self.name, reason, *self._words())

    def list_unread(self) -> None:
        """Note all columns that were not read of it."""
        self.node.list_unread(self.name, self.form.unread, self.questions.account)


def read_row(row: FormRow) -> None:
    """Add the question of a row, or note why it was left out."""
    made = row.questions.made
    before = len(made)
    calculation = row.node.take("calculation") or _dynamic_default(row)
    if row.type.endswith("note"):
        is_always_shown = not row.place.conditions
        row.questions.show(row.name, join(row.text("label"), row.text("hint")), is_always_shown)
        row.list_unread()
    elif calculation:
        row.node.take("read_only")
        asked = row.asked()
        row.form.calculations.add(replace(asked, text=asked.text or row.name), str(calculation))
        row.list_unread()
    elif is_read_only(row):
        row.leave_out(LeftOut.READ_ONLY)
    else:
        reader = _READERS.get(_kind(row))
        if reader:
            reader(row)
        else:
            row.leave_out(_reason(row))
    if len(made) > before:
        if row.appearance and row.appearance[0].startswith("ex:"):
            # Another app gave the answer.
            row.change(Changed.SETTINGS, row.appearance[0])
        row.list_unread()


def _dynamic_default(row: FormRow) -> object:
    """The default of a calculation: it is computed once."""
    return row.node.take("default") if row.type.endswith("calculate") else None


def is_read_only(row: FormRow) -> bool:
    """Whether nobody can answer it, or the questions of a group."""
    value = str(row.node.take("read_only") or "")
    if yes_no.get(value) is None and value:
        row.change(Changed.RULES, f"read_only: {value}")
    return row.place.is_read_only or yes_no.get(value) is True


def _kind(row: FormRow) -> str:
    """What a row asks for: the element of its input, or the type of its data."""
    if row.type == "select one external":
        return "select1"
    tag = str((row.known.get("control") or {}).get("tag", ""))
    return row.data_type if tag == "input" else tag


def _reason(row: FormRow) -> LeftOut:
    if row.type in _FILES:
        return LeftOut.FILE
    if row.data_type == "string" and not row.is_shown:
        return LeftOut.HIDDEN
    found = (reason for reason, types in _LEFT_OUT.items() if row.data_type in types.split())
    return next(found, LeftOut.UNKNOWN) if row.data_type else LeftOut.UNKNOWN


def _options(row: FormRow) -> list[Option]:
    """The choices of a row; none if they come from a file or from other answers."""
    if any(word.startswith("search(") for word in row.appearance):
        return []
    options: list[Option] = []
    for own in row.form.lists.take(str(row.node.take("itemset"))) or ():
        choice = FileNode(own)
        name = str(choice.take("name") or "")
        if name == "other":
            row.change(Changed.OTHER)
        options.append((name, row.form.texts.read(choice.take("label"), row.name)))
        choice.list_unread(row.name, row.form.unread, row.questions.account)
    return options


def _is_shuffled(row: FormRow) -> bool:
    return bool(row.node.take("parameters::randomize") == "true")


def _read_one(row: FormRow) -> None:
    row.questions.add_choice(row.asked(), _options(row), is_shuffled=_is_shuffled(row))


def _read_several(row: FormRow) -> None:
    row.questions.add_multiple(row.asked(), _options(row), is_shuffled=_is_shuffled(row))


def _read_acknowledge(row: FormRow) -> None:
    # Its only answer is OK; whoever does not give it has no answer there.
    row.questions.add_yes_no(row.asked(), {}, {"OK": "yes", "": "no"})


def _read_number(row: FormRow) -> None:
    constraint = str(row.node.take("constraint") or row.known["bind"].get("constraint") or "")
    # The number itself is a dot, or has its name as elsewhere.
    bounds = read_constraint(constraint.replace(f"${{{row.name}}}", "."))
    step = Fraction(1)
    if row.data_type == "decimal":
        # A decimal may have any number of decimals.
        step = bounds.step(1)
        row.change(Changed.ROUNDED)
    if not bounds.are_all_rules:
        row.change(Changed.RULES, f"constraint: {constraint}")
    row.questions.add_number(row.asked(), *bounds.on_grid(step), step)


def _read_range(row: FormRow) -> None:
    start, end, step = (
        exact(row.node.take(f"parameters::{key}")) or Fraction(0)
        for key in ("start", "end", "step")
    )
    step = abs(step) or Fraction(1)
    low, high = Bounds(min(start, end), max(start, end)).on_grid(step, start)
    if low is not None and high is not None and _is_scale(low, high, step):
        row.questions.add_scale(row.asked(), int(low), int(high), dict(_options(row)))
    else:
        row.questions.add_number(row.asked(), low, high, step)


def _is_scale(low: Fraction, high: Fraction, step: Fraction) -> bool:
    """Whether a range has whole numbers, and few enough to be shown side by side."""
    return step == low.denominator == 1 and high - low <= 20


_READERS: Final[Mapping[str, Callable[[FormRow], None]]] = {
    "decimal": _read_number,
    "int": _read_number,
    "range": _read_range,
    "select": _read_several,
    "select1": _read_one,
    "trigger": _read_acknowledge,
}
