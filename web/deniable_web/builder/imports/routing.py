"""Which question decides whether a question is asked, as a definition says it with show_if.

All conditions that a question of another program has, its own and those of the groups that
it is in, are compared with each show_if that a definition could have, over all answers.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deniable_web.builder.imports.conditions import Conditions, Decider
from deniable_web.builder.imports.diagrams import FALSE, TRUE, Diagram, TooComplexError
from deniable_web.builder.imports.evaluators import Evaluator

Rule = Mapping[str, Any]


class Routing:
    """The questions of a file so far: where they are asked, and what their answers decide.

    Args:
        evaluator: the program that evaluated the conditions.
        find: the id of the question that a name stands for; None if there is none.
    """

    def __init__(self, evaluator: Evaluator, find: Callable[[str], str | None]) -> None:
        self._reached: dict[str, Diagram] = {}
        self._deciders: dict[str, Decider] = {}
        self._find = find
        self._conditions = Conditions(evaluator, self._decider)
        self._diagrams = self._conditions.diagrams

    def ask(self, question: str, conditions: Sequence[str]) -> Rule | None:
        """The keys of a definition for where a question is asked: a show_if, or none.

        Args:
            question: its id.
            conditions: its own condition and those of its groups; all must be met.
        Returns:
            None if no show_if says the same.
        """
        try:
            reached = self._met(conditions)
            self._reached[question] = reached
            return self._rule(reached, conditions)
        except TooComplexError:
            return None

    def leads_on(self, question: str, outer: Sequence[str], own: str) -> bool:
        """Whether a show_if says where all conditions are met, of a question on their way.

        Args:
            question: its id; it must be asked exactly where the outer conditions are met.
            outer: all conditions but the last.
            own: the last condition.
        """
        try:
            is_on_way = self._reached.get(question) == self._met(outer)
            met = self._met((*outer, own))
            return is_on_way and self._rule(met, (*outer, own)) is not None
        except TooComplexError:
            return False

    def add(
        self,
        question: str,
        options: Mapping[str | int, str],
        *,
        is_multiple: bool,
        is_required: bool,
        is_preset: bool,
    ) -> None:
        """Let the answers to a question decide where later ones are asked.

        Args:
            question: its id.
            options: each option, and the name of the answer that became it.
            is_multiple: whether several options may be chosen.
            is_required: whether everybody who is asked must answer.
            is_preset: whether it may have an answer where it is not asked.
        """
        if question in self._reached and options:
            variables = self._diagrams.new_variables(len(options) if is_multiple else 1)
            reached = self._reached[question]
            self._deciders[question] = Decider(
                question, options, variables, is_multiple, is_required, is_preset, reached
            )

    def forget(self, question: str) -> None:
        """Let the answers to a question decide nothing that is added from now on."""
        if self._deciders.pop(question, None):
            self._conditions.read_anew()

    def _decider(self, name: str) -> Decider | None:
        return self._deciders.get(self._find(name) or "")

    def _met(self, conditions: Sequence[str]) -> Diagram:
        met = TRUE
        for condition in conditions:
            met = self._diagrams.both(met, self._conditions.read(condition))
        return met

    def _rule(self, reached: Diagram, conditions: Sequence[str]) -> Rule | None:
        """The show_if that is true exactly where a function is; the innermost of several."""
        if reached in (FALSE, TRUE):
            return {} if reached == TRUE else None
        deciders = [decider for each in conditions for decider in self._conditions.deciders(each)]
        for decider in dict.fromkeys(reversed(deciders)):
            leading = (self._some if decider.is_multiple else self._one)(reached, decider)
            if leading:
                return {"show_if": {"question": decider.id, "is": leading}}
        return None

    def _one(self, reached: Diagram, decider: Decider) -> list[str | int]:
        """The single answers to a question that alone lead on; empty if others decide, too."""
        options = [*decider.options, *([] if decider.is_required else [None])]
        leading = []
        for value, option in enumerate(options):
            branch = self._diagrams.given(reached, decider.variables[0], value)
            if branch == decider.reached and option is not None:
                leading.append(option)
            elif branch != FALSE:
                return []
        return leading

    def _some(self, reached: Diagram, decider: Decider) -> list[str | int]:
        """The options of which any leads on; empty if others decide, too."""
        given, diagrams = self._diagrams.given, self._diagrams
        leading = {
            variable: option
            for variable, option in zip(decider.variables, decider.options, strict=True)
            if given(reached, variable, 1) == decider.reached
        }
        same = diagrams.both(decider.reached, diagrams.any_of([*leading]))
        return [*leading.values()] if same == reached else []
