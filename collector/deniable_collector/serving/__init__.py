"""Running an application behind an HTTP server, and stopping it without losing work.

The server (granian) reads HTTP in its own threads, and passes each request to an event
loop. There, a slow sender occupies no thread. The application runs in other threads.
"""

from deniable_collector.serving.handover import handed_over
from deniable_collector.serving.run import serve

__all__ = ["handed_over", "serve"]
