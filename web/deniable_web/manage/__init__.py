"""The common parts of all pages for people who run surveys."""

from deniable_web.manage.frame import create_manage, render_page

__all__ = ["create_manage", "render_page"]
