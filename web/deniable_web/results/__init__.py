"""The list of surveys, and the pages that show what a survey's reports say."""

from deniable_web.results.routes import create_results

__all__ = ["create_results"]
