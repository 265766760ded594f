"""Accept only bounded requests of the lab's own page with a valid key.

A page elsewhere can make a browser send requests here. Its Origin and the browser's Sec-Fetch-Site header reveal it;
a name that was made to point here (DNS rebinding) by its Host; and it knows no key. There are no cookies: a browser adds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from nonholo.lab.lab_state import Keys

LARGEST = 1_000_000
"""Bytes of one message."""
OPEN = ("/api/enter",)
"""What needs no key, because it gives one."""
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the lab's own page may do."""
FRAMED = "sandbox allow-scripts allow-downloads; frame-ancestors 'self'"
"""A living page brings its own policy; here it has no origin either, so that it cannot send requests to the lab."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class TooLarge(Exception):
    """A message that is larger than any the page sends."""


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: Any, keys: Keys, hosts: tuple[str, ...]) -> None:
        self.app, self.keys, self.hosts = app, keys, hosts

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Accept a request, or return the reason for refusing it."""
        if scope["type"] != "http":
            return  # no other kind of connection is served
        told: list[tuple[bytes, bytes]] = list(scope["headers"])
        refusal = self.refusal(scope["method"], scope["path"], told)
        if refusal is not None:
            await answer(send, *refusal)
            return
        size = 0

        async def watched() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LARGEST:
                raise TooLarge
            return message

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in HEADERS if h[0] not in own)]
            await send(message)

        await self.app(scope, watched, marked)

    def refusal(self, method: str, path: str, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        """Status and words, or None for a request that may pass."""
        given: dict[str, list[str]] = {}
        for name, value in headers:
            given.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        host = given.get("host", [])
        if len(host) != 1 or host[0] not in self.hosts:
            return 421, "this is the lab of nonholo; open it by the address that it printed."
        origins = [f"http://{h}" for h in self.hosts]
        if any(origin not in origins for origin in given.get("origin", [])):
            return 403, "the lab answers its own page only."
        # a link or a file may lead to the page, which is the same for everybody and holds nothing
        led = (method, path) == ("GET", "/") and given.get("sec-fetch-mode") == ["navigate"]
        known = ("same-origin", "none", "cross-site") if led else ("same-origin", "none")
        if any(site not in known for site in given.get("sec-fetch-site", [])):
            return 403, "the lab answers its own page only."
        if method not in ("GET", "POST"):
            return 405, "the lab knows GET and POST."
        length = given.get("content-length", ["0"])[0]
        if not length.isdigit() or len(length) > 12 or int(length) > LARGEST:
            return 413, f"the message is larger than {LARGEST} bytes."
        if method == "POST" and given.get("content-type", [""])[0].partition(";")[0].strip() != "application/json":
            return 415, "the lab reads JSON."
        if path.startswith("/api/") and path not in OPEN:
            scheme, _, key = given.get("authorization", [""])[0].partition(" ")
            if scheme != "Bearer" or not self.keys.opens(key):
                return 401, "this page has no key; open the lab by the address that it printed last."
        return None


async def answer(send: Send, status: int, words: str) -> None:
    """A short answer in JSON, and the end of the connection."""
    content = json.dumps({"error": words}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": content})
