"""One widget for each kind of question; what they hold stays in memory."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from deniable_sdk.survey.options import Option
from deniable_sdk.survey.questions import ClosedQuestion, MultipleQuestion, Question
from deniable_sdk.survey.text import in_language

NO_ANSWER = "Prefer not to say"
NONE_OF_THESE = "None of these"
LEAVE_OUT = "Leave all of them empty if you prefer not to say."
LANGUAGE = "en"
WRAP = 460


class QuestionFrame(ttk.Frame):
    """A question with its answers.

    Args:
        master: what it stands in.
        question: what is asked.
        on_change: called after each change of the answer.
    """

    def __init__(self, master: tk.Misc, question: Question, on_change: Callable[[], None]) -> None:
        super().__init__(master, padding=(0, 0, 0, 18))
        self.question = question
        text = in_language(question.text, LANGUAGE)
        ttk.Label(self, text=text, style="Question.TLabel", wraplength=WRAP).pack(anchor="w")
        self._chosen = tk.StringVar(self, "")
        self._several: dict[str, tk.BooleanVar] = {}
        if isinstance(question, ClosedQuestion):
            self._add_choices(question, on_change)
        elif isinstance(question, MultipleQuestion):
            self._add_several(question, on_change)
        else:
            self._add_number(question, on_change)

    @property
    def answer(self) -> object:
        """What was answered; None is no answer."""
        if isinstance(self.question, MultipleQuestion):
            chosen = [name for name, is_chosen in self._several.items() if is_chosen.get()]
            # None of them is another answer than no answer.
            return [name for name in chosen if name] if chosen else None
        return self._chosen.get() or None

    def _add_choices(self, question: ClosedQuestion, on_change: Callable[[], None]) -> None:
        named = {
            option.id: in_language(option.text, LANGUAGE)
            if option.text
            else option.id.capitalize()
            for option in question.options
        }
        if question.offers_no_answer:
            named[""] = NO_ANSWER
        for value, label in named.items():
            ttk.Radiobutton(
                self, text=label, value=value, variable=self._chosen, command=on_change
            ).pack(anchor="w", pady=2)

    def _add_several(self, question: MultipleQuestion, on_change: Callable[[], None]) -> None:
        named = {option.id: _label(option) for option in question.options}
        for value, label in {**named, "": NONE_OF_THESE}.items():
            self._several[value] = is_chosen = tk.BooleanVar(self, value=False)
            ttk.Checkbutton(self, text=label, variable=is_chosen, command=on_change).pack(
                anchor="w", pady=2
            )
        ttk.Label(self, text=LEAVE_OUT, style="Quiet.TLabel").pack(anchor="w")

    def _add_number(self, question: Question, on_change: Callable[[], None]) -> None:
        numbers = [name for name in question.names if name != "no_answer"]
        box = ttk.Combobox(
            self, values=[*numbers, ""], textvariable=self._chosen, state="readonly", width=12
        )
        box.bind("<<ComboboxSelected>>", lambda _: on_change())
        box.pack(anchor="w", pady=2)


def _label(option: Option) -> str:
    return in_language(option.text, LANGUAGE) if option.text else option.id.capitalize()
