"""A desktop app that asks one survey: python app.py COLLECTOR SLUG [FOLDER].

Everything that waits for the network is done in a thread; the window goes on.
"""

from __future__ import annotations

import queue
import sys
import threading
import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from questions import LANGUAGE, WRAP, QuestionFrame

from deniable_sdk import (
    AlreadyAnswered,
    Client,
    DeniableError,
    PublishedSurvey,
    Report,
    open_client,
    reached_questions,
)
from deniable_sdk.survey.text import in_language

PAPER, INK, QUIET, ACCENT = "#ffffff", "#1c2430", "#5b6675", "#1f5fbf"
POLL_MS = 50
STATE_MS = 300
STATES = {
    "held": "Your report is kept here, and is not sent.",
    "waiting": "Your report is kept here, and goes out as soon as there is a connection.",
    "sent": "Your report has arrived. Thank you.",
    "refused": "The survey accepts no more reports.",
    "dropped": "There was no more room for your report.",
    "declined": "Your report was not sent.",
}
PROMISE = (
    "This computer changes your answers at random before anything is sent. What is sent does not "
    "tell what you answered, to anybody; only the shares of all answers together can be estimated."
)


class SurveyApp(ttk.Frame):
    """One window: agree, answer, read what is sent."""

    def __init__(self, master: tk.Tk, collector: str, slug: str, folder: str | None) -> None:
        super().__init__(master, padding=28)
        self._collector, self._slug, self._folder = collector, slug, folder
        self._frames: list[QuestionFrame] = []
        self._done: queue.Queue[Callable[[], None]] = queue.Queue()
        self.pack(fill="both", expand=True)
        self.ask_for_consent()
        self._poll()

    def ask_for_consent(self) -> None:
        """The first page: nothing is opened before the person agrees."""
        self._clear("A survey, if you like")
        self._say(PROMISE)
        self._button("I agree, show me the questions", self._begin)
        self._button("No, thank you", self.winfo_toplevel().destroy, is_main=False)

    def _begin(self) -> None:
        client = open_client(self._collector, consent=True, folder=self._folder)
        self._clear("One moment")
        self._in_thread(
            lambda: client.get_survey(self._slug),
            lambda survey: self._show_questions(client, survey),
        )

    def _show_questions(self, client: Client, survey: PublishedSurvey) -> None:
        asked = client.draw(survey)
        self._clear(in_language(survey.title, LANGUAGE))
        if survey.introduction:
            self._say(in_language(survey.introduction, LANGUAGE))
        self._frames = [
            QuestionFrame(self, question, lambda: self._show_reached(survey))
            for question in asked.questions
        ]
        self._show_reached(survey)
        self._button("Send", lambda: self._submit(client, survey, asked.blocks))

    def _show_reached(self, survey: PublishedSurvey) -> None:
        """Only the questions that the answers so far lead to."""
        reached = reached_questions(survey, self._answers())
        for frame in self._frames:
            frame.pack_forget()
        after: tk.Misc = self._heading
        for label in self._texts:
            after = label
        for frame in self._frames:
            if frame.question.id in reached:
                frame.pack(anchor="w", after=after)
                after = frame

    def _answers(self) -> dict[str, object]:
        return {frame.question.id: frame.answer for frame in self._frames}

    def _submit(self, client: Client, survey: PublishedSurvey, blocks: tuple[str, ...]) -> None:
        try:
            report = client.submit(survey, self._answers(), blocks=blocks)
        except AlreadyAnswered:
            self._clear("You have answered this survey")
            self._say("A second report would tell more about you than the first, so none is made.")
        except DeniableError as error:
            self._clear("This did not work")
            self._say(str(error))
        else:
            self._show_report(client, report)
        self._frames = []

    def _show_report(self, client: Client, report: Report) -> None:
        self._clear("This is all that is sent")
        for line in client.inspect(report, language=LANGUAGE).words:
            self._say(line)
        state = self._say("")
        self._say(client.spent().words)
        self._button(
            "Forget everything on this computer", lambda: self._opt_out(client), is_main=False
        )
        self._show_state(client, report, state)

    def _show_state(self, client: Client, report: Report, line: ttk.Label) -> None:
        # The page is gone once the person has opted out.
        if line.winfo_exists():
            states = {entry.report: entry.state for entry in client.reports()}
            line.configure(text=STATES[states[report.id]])
            self.after(STATE_MS, self._show_state, client, report, line)

    def _opt_out(self, client: Client) -> None:
        client.opt_out()
        self._clear("Forgotten")
        self._say("Nothing about this survey is kept on this computer any more.")

    def _in_thread(
        self, work: Callable[[], PublishedSurvey], then: Callable[[PublishedSurvey], None]
    ) -> None:
        """Do what waits for the network, and go on in the window's own thread."""

        def run() -> None:
            try:
                result = work()
                self._done.put(lambda: then(result))
            except DeniableError as error:
                message = str(error)
                self._done.put(lambda: self._cannot_begin(message))

        threading.Thread(target=run, daemon=True).start()

    def _cannot_begin(self, message: str) -> None:
        self._clear("The survey cannot be shown now")
        self._say(message)
        self._button("Try again", self._begin)

    def _poll(self) -> None:
        while not self._done.empty():
            self._done.get()()
        self.after(POLL_MS, self._poll)

    def _clear(self, heading: str) -> None:
        for child in self.winfo_children():
            child.destroy()
        self._texts: list[ttk.Label] = []
        self._heading = ttk.Label(self, text=heading, style="Heading.TLabel", wraplength=WRAP)
        self._heading.pack(anchor="w", pady=(0, 14))

    def _say(self, text: str) -> ttk.Label:
        label = ttk.Label(self, text=text, wraplength=WRAP, justify="left")
        label.pack(anchor="w", pady=(0, 14))
        self._texts.append(label)
        return label

    def _button(self, text: str, command: Callable[[], object], *, is_main: bool = True) -> None:
        style = "Main.TButton" if is_main else "TButton"
        button = ttk.Button(self, text=text, command=command, style=style)
        button.pack(anchor="w", pady=(4, 6))
        button.bind("<Return>", lambda _: button.invoke())
        # Where there are questions, the keyboard begins at the first of them.
        if is_main and not self._frames:
            button.focus_set()


def style_window(window: tk.Tk) -> None:
    """Colours and sizes, and no size that answers could change."""
    window.title("A survey")
    window.configure(background=PAPER)
    window.minsize(540, 620)
    style = ttk.Style(window)
    style.theme_use("clam")
    style.configure(".", background=PAPER, foreground=INK, font=("TkDefaultFont", 11))
    style.configure("Heading.TLabel", font=("TkHeadingFont", 18, "bold"))
    style.configure("Question.TLabel", font=("TkDefaultFont", 12, "bold"), padding=(0, 0, 0, 6))
    style.configure("Quiet.TLabel", foreground=QUIET, font=("TkDefaultFont", 10))
    style.map("TCombobox", fieldbackground=[("readonly", PAPER)])
    style.configure("TButton", padding=(14, 8), background=PAPER, foreground=QUIET)
    style.configure("Main.TButton", background=ACCENT, foreground=PAPER)
    style.map("Main.TButton", background=[("active", "#174a96"), ("pressed", "#123a77")])
    for name in ("TRadiobutton", "TCheckbutton"):
        style.map(name, background=[("active", "#eef3fb")])


def main(collector: str, slug: str, folder: str | None = None) -> None:
    """Show the window until it is closed."""
    window = tk.Tk()
    style_window(window)
    SurveyApp(window, collector, slug, folder)
    window.mainloop()


if __name__ == "__main__":
    main(*sys.argv[1:])
