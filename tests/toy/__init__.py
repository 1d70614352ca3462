"""A mechanism that is in no package of ours: it is added by one line for each part."""

from collections.abc import Sequence

from deniable_analysis.mechanisms import ANALYSES
from deniable_sdk.mechanisms import REGISTERED
from live_server import serve_collector
from toy.analysis import TOY


def register() -> None:
    """Add the mechanism to this process."""
    REGISTERED["toy"] = ("Toy", "toy")
    ANALYSES["toy"] = TOY


def unregister() -> None:
    """Take the mechanism out of this process."""
    del REGISTERED["toy"], ANALYSES["toy"]


def serve(given: Sequence[str]) -> None:
    """The collector of the tests, with the mechanism."""
    register()
    serve_collector(given)
