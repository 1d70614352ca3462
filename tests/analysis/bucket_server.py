"""An S3 server on loopback, which the environment names as it would name any other."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer

BUCKET = "reports"


@contextmanager
def bucket() -> Iterator[str]:
    """The address of a new bucket, while its server runs."""
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", url)
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setenv("AWS_REGION", "us-east-1")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        urlopen(Request(f"{url}/{BUCKET}", method="PUT"), timeout=10).close()  # noqa: S310 - ours
        try:
            yield f"s3://{BUCKET}"
        finally:
            server.stop()
