"""What all pages for those who run surveys have in common."""

from deniable_web.manage.frame import create_manage, render_page

__all__ = ["create_manage", "render_page"]
