"""The common parts of all pages for people who run surveys."""

from deniable_web.manage.frame import WaysIn, create_manage, render_page

__all__ = ["WaysIn", "create_manage", "render_page"]
