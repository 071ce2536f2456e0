"""Query parameters ``filter=`` and ``filter_b64=``, in HBase's filter language."""

from __future__ import annotations

import base64
import binascii

from rowstone import filters
from rowstone.errors import InvalidArgument
from rowstone.filters import Filter
from rowstone.server.rest._request import Request


def filter_of(request: Request) -> Filter | None:
    """The filter of the query; ``filter_b64`` (URL-safe base64) takes precedence over ``filter``."""
    packed, text = request.query.get("filter_b64"), request.query.get("filter")
    if packed is not None:
        try:
            data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise InvalidArgument(f"filter_b64 is not base64: {error}") from None
        return filters.parse(data)
    return None if text is None else filters.parse(text.encode(errors="surrogateescape"))
