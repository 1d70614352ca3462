"""Plays a person at the desktop example, with the keys that a person has.

python desktop_driver.py COLLECTOR SLUG FOLDER SCRIPT; with PICTURES set in the
environment it waits after each page, so that somebody can look.
"""

import os
import sys
import time
import tkinter as tk
from collections.abc import Callable, Iterator
from pathlib import Path
from tkinter import ttk

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "desktop"))

from app import SurveyApp, style_window
from questions import QuestionFrame

TIMEOUT_S = 30


def widgets(parent: tk.Misc) -> Iterator[tk.Misc]:
    """Everything in a window that can be seen, from top to bottom."""
    children = sorted(parent.winfo_children(), key=lambda child: child.winfo_y())
    for child in children:
        if child.winfo_ismapped():
            yield child
            yield from widgets(child)


class Person:
    """Looks at the window and presses keys."""

    def __init__(self, window: tk.Tk) -> None:
        self.window = window

    def wait_for(self, heading: str) -> None:
        """Wait until the window says this, and tell all that it says."""
        latest = time.monotonic() + TIMEOUT_S
        while heading not in self.text():
            assert time.monotonic() < latest, self.text()
            self.window.update()
            time.sleep(0.01)
        self.window.update()
        print(self.text())  # noqa: T201 - how the test learns it
        if "PICTURES" in os.environ:
            _picture(heading)

    def text(self) -> str:
        """All that the window shows."""
        lines = []
        for widget in widgets(self.window):
            if isinstance(widget, ttk.Label):
                lines.append(str(widget.cget("text")))
            if isinstance(widget, ttk.Button):
                lines.append(f"button: {widget.cget('text')}")
        return "\n".join(lines)

    def press(self, label: str, key: str = "space") -> None:
        """Go to what has this label with the tabulator, and press a key."""
        for _ in range(60):
            self.window.update()
            focus = self.window.focus_get()
            if focus is not None and "text" in focus.keys() and focus.cget("text") == label:  # noqa: SIM118 - a widget is no dict
                focus.event_generate(f"<{key}>")
                self.window.update()
                return
            (focus or self.window).event_generate("<Tab>")
        raise AssertionError(f"no {label}")

    def count_shown(self) -> None:
        """Tell how many questions can be seen."""
        self.window.update()
        shown = [one for one in widgets(self.window) if isinstance(one, QuestionFrame)]
        print(f"shown: {len(shown)}")  # noqa: T201 - how the test learns it


def _picture(heading: str) -> None:
    """Keep the display's memory, which whoever set PICTURES points at."""
    source, target = os.environ["PICTURES"].split(":")
    name = "".join(sign if sign.isalnum() else "_" for sign in heading)
    Path(target, f"{name}.xwd").write_bytes(Path(source).read_bytes())


def begin(person: Person) -> None:
    """Agree."""
    person.wait_for("A survey, if you like")
    person.press("I agree, show me the questions", "Return")


def answer(person: Person) -> None:
    """Agree, answer and send."""
    begin(person)
    person.wait_for("Stress at work")
    person.count_shown()
    person.press("Yes")
    person.count_shown()
    person.press("4")
    person.press("O1")
    person.wait_for("How stressed are you?")
    person.press("Send")


def script_of(name: str) -> Callable[[Person], None]:
    """What the person does, by its name."""

    def begun(person: Person) -> None:
        begin(person)
        person.wait_for("The survey cannot be shown now")

    def answered(person: Person) -> None:
        answer(person)
        person.wait_for("Your report has arrived")

    def again(person: Person) -> None:
        answer(person)
        person.wait_for("You have answered this survey")

    def forgotten(person: Person) -> None:
        answered(person)
        person.press("Forget everything on this computer")
        person.wait_for("Forgotten")

    return {"begin": begun, "answer": answered, "again": again, "forget": forgotten}[name]


def main(collector: str, slug: str, folder: str, script: str) -> None:
    """Open the window and play the script."""
    window = tk.Tk()
    style_window(window)
    SurveyApp(window, collector, slug, folder)
    window.update()
    window.focus_force()
    script_of(script)(Person(window))
    window.destroy()


if __name__ == "__main__":
    main(*sys.argv[1:])
