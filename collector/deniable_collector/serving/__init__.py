"""Running an application behind an HTTP server, and stopping it without losing work.

The server (granian) reads HTTP in threads of its own and hands each request to
an event loop, where a slow sender costs no thread. The application runs in
threads beside it.
"""

from deniable_collector.serving.handover import handed_over
from deniable_collector.serving.run import serve

__all__ = ["handed_over", "serve"]
