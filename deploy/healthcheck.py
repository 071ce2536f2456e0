"""Health check of the container: exit status 0 if the server answers that it is ready, else 1.

`ROWSTONE_READY_URL` is the address to ask. A server with TLS needs an `https` address. Its certificate is not verified:
it names the host that clients use, and this request never leaves the container.
"""

from __future__ import annotations

import os
import ssl
import sys
import urllib.error
import urllib.request

READY_URL = "http://127.0.0.1:16010/ready"
TIMEOUT_S = 4


def is_ready(url: str) -> bool:
    """Whether the server answers 200; prints why not."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),  # never through a proxy from the environment
        urllib.request.HTTPSHandler(context=context),
    )
    try:
        with opener.open(url, timeout=TIMEOUT_S) as response:
            return bool(response.status == 200)
    except urllib.error.HTTPError as error:
        print(f"{url}: {error.code} {error.read().decode(errors='replace').strip()}")
    except OSError as error:
        print(f"{url}: {error}")
    return False


if __name__ == "__main__":
    sys.exit(0 if is_ready(os.environ.get("ROWSTONE_READY_URL", READY_URL)) else 1)
