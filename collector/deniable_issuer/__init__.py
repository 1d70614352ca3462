"""The issuer: knows who is invited, and signs one token for each of them, unseen.

`open_issuer_store` opens its store, `create_issuer` builds the WSGI application that uses
it. It never sees a report, and shares no table and no log with a collector.

Each name is imported where it is first asked for, from where the stub beside this file
says: whoever hands out codes does not wait for a server.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
