"""Bodies that are sent to phones: compressed once, and sent so where that is understood."""

import gzip
from dataclasses import dataclass

from flask import Response, request


@dataclass(frozen=True, slots=True)
class Compressed:
    """A body as it is sent, plain and compressed."""

    media_type: str
    plain: bytes
    gzipped: bytes

    @classmethod
    def of(cls, media_type: str, plain: bytes) -> "Compressed":
        """The body of these bytes; the same bytes are compressed to the same."""
        return cls(media_type, plain, gzip.compress(plain, 9, mtime=0))

    def respond(self, status: int = 200) -> Response:
        """The response that carries it; the only choice is whether it is compressed."""
        takes_gzip = request.accept_encodings.quality("gzip") > 0
        body = self.gzipped if takes_gzip else self.plain
        response = Response(body, status, mimetype=self.media_type)
        response.headers["Vary"] = "Accept-Encoding"
        if takes_gzip:
            response.headers["Content-Encoding"] = "gzip"
        return response
