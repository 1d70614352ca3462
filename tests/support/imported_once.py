"""What programs of ours import and look up, for a process that programs are forked from.

prometheus_client is not among them, because it reads the environment when it is imported; the
modules of the standard library that it needs are.
"""

import gc
import sys
from importlib import import_module

# sqlite_utils imports it only to accept its tables, and it starts a thread with pyarrow.
sys.modules["pandas"] = None  # type: ignore[assignment]
for name in (
    "authlib.integrations.requests_client",
    "authlib.oidc.core",
    "authlib.oidc.discovery",
    "cryptography.hazmat.primitives.asymmetric.rsa",
    "deniable_collector.store.postgres.store",
    "deniable_issuer.app",
    "deniable_storage.postgres",
    "deniable_storage.sqlite",
    "deniable_web.builder.checking",
    "deniable_web.builder.imports.text",
    "deniable_web.builder.imports.xlsform",
    "deniable_web.commands.serve",
    "deniable_web.results.results_cache",
    "deniable_web.results.views",
    "granian",
    "joserfc.jwt",
    "psycopg",
    "sqlite_utils",
    "timeit",
    "wsgiref.simple_server",
):
    import_module(name)
del sys.modules["pandas"]

# The entry points of all installed packages are read for this.
for scheme in ("sqlite", "postgresql"):
    import_module("deniable_storage.schemes").find_opener("deniable.stores", scheme)
# Scripts are bundled and compressed, and the instruments of the builder read.
import_module("deniable_web.pages.static_files").static_files()
import_module("deniable_web.builder.instruments").instruments()
# All this stays: no fork searches it for garbage, which would copy its memory, too.
gc.freeze()
