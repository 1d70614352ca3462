"""Bodies for phones: compressed once, and sent compressed to clients that accept this."""

import zlib
from dataclasses import dataclass

from flask import Response, request

# The largest window, with the header of gzip.
_GZIP = 31
# With more memory the result is a little smaller: 30 bytes of the form's script.
_MOST_MEMORY = 9


@dataclass(frozen=True, slots=True)
class Compressed:
    """A body in two forms, plain and compressed."""

    media_type: str
    plain: bytes
    gzipped: bytes

    @classmethod
    def of(cls, media_type: str, plain: bytes) -> "Compressed":
        """The body with these bytes; the same bytes always have the same compressed form."""
        gzipping = zlib.compressobj(9, zlib.DEFLATED, _GZIP, _MOST_MEMORY)
        return cls(media_type, plain, gzipping.compress(plain) + gzipping.flush())

    def respond(self, status: int = 200) -> Response:
        """The response with this body, which is compressed if the client accepts that."""
        takes_gzip = request.accept_encodings.quality("gzip") > 0
        body = self.gzipped if takes_gzip else self.plain
        response = Response(body, status, mimetype=self.media_type)
        response.headers["Vary"] = "Accept-Encoding"
        if takes_gzip:
            response.headers["Content-Encoding"] = "gzip"
        return response
