"""The respondent's form as the server renders it, the same for everyone."""

from deniable_web.pages.form.rendering import RenderedPage, render_form
from deniable_web.pages.form.routes import create_pages

__all__ = ["RenderedPage", "create_pages", "render_form"]
