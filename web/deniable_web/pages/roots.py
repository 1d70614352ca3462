"""Where the site begins, as its pages say it: relative to the page, never with a slash in front.

A proxy may serve the site below a path, of which the site learns nothing: so no header and no
setting can lead a page elsewhere, and a page has the same bytes wherever it is.
"""

from typing import Final

from flask import Flask, request

# In the templates of pages: the value that leads from the page to where the site begins.
ROOT: Final = "root"


def add_roots(app: Flask) -> None:
    """Let templates use the root of the page that is asked for.

    A part that is put into another page is given the root of that page.
    """
    app.context_processor(lambda: {ROOT: root_of(request.path)})


def root_of(path: str) -> str:
    """What leads from a path of the site to where the site begins."""
    return "../" * (path.count("/") - 1) or "./"
