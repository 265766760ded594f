"""Content-Security-Policy of a page: its own scripts by digest, nothing from elsewhere."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

_SCRIPT = re.compile(r'<script(?: type="text/plain" [^>]*)?>(.*?)</script>', re.DOTALL)
RULES = (
    "default-src 'none'",
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
)


def with_policy(page: str) -> str:
    """The page with a policy in its head: scripts only as they stand in it, WebAssembly, workers it makes itself, no connection.

    A script of type ``text/plain`` is one that the page itself runs later: its digest stands among the others.

    >>> made = with_policy("<head><meta charset='utf-8'></head><script>1</script>")
    >>> "sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=" in made, "connect-src" in made
    (True, False)
    """
    digests = dict.fromkeys(f"'sha256-{b64encode(sha256(s.encode()).digest()).decode()}'" for s in _SCRIPT.findall(page))
    rules = "; ".join((*RULES, f"script-src {' '.join(digests)} 'wasm-unsafe-eval'"))
    return page.replace("<head>", f'<head>\n<meta http-equiv="Content-Security-Policy" content="{rules}">', 1)
