"""The builder: drafts checked, previewed, imported, published and shared in the browser."""

from deniable_web.build.routes import create_builder

__all__ = ["create_builder"]
