"""The collector: stores randomized reports, and nothing else about anyone.

`open_store` opens the store, `create_collector` builds the WSGI application that uses it,
and `serve` runs that application.

Each name is imported where it is first asked for, from where the stub beside this file
says: whoever reads a store does not wait for a server.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
