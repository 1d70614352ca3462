"""The list of surveys, and the pages with the results of each survey."""

from deniable_web.results.routes import create_results

__all__ = ["create_results"]
