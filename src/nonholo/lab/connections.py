"""Bounded connections of the server: idle ones are closed, and the longest waiting one when there are too many."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from nonholo.lab.lab_state import LabState

PATIENCE = 20.0
"""Seconds within which a connection must have sent a whole request."""
MOST = 200


class Bounded(H11Protocol):
    """uvicorn's protocol with an end to patience."""

    since = 0.0
    """When it was made, or last answered."""
    timer: asyncio.TimerHandle | None = None

    @property
    def rank(self) -> tuple[bool, float]:
        """Whether an answer is under way, and since when not: the least gives way first."""
        cycle = self.cycle
        return cycle is not None and not cycle.more_body and not cycle.response_complete, self.since

    def connection_made(self, transport: Any) -> None:
        """A new connection; where there are too many, one gives way."""
        super().connection_made(transport)
        self.since = time.monotonic()
        self.timer = self.loop.call_later(PATIENCE, self._look)
        # a closing connection stays in the list for a moment
        others: list[Any] = [c for c in self.connections if c is not self and not c.transport.is_closing()]
        if len(others) >= MOST:
            min(others, key=lambda c: c.rank).transport.abort()

    def on_response_complete(self) -> None:
        """An answer was given: patience begins anew."""
        self.since = time.monotonic()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        if self.timer is not None:
            self.timer.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        busy, since = self.rank
        waited = time.monotonic() - since
        if not busy and waited >= PATIENCE:
            self.transport.abort()
        else:
            self.timer = self.loop.call_later(PATIENCE if busy else PATIENCE - waited, self._look)


class Ending(Server):
    """uvicorn's server, whose streams end when it is stopped."""

    def __init__(self, config: Config, desk: LabState) -> None:
        super().__init__(config)
        self.desk = desk

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Ctrl-C: studies end now, so that nothing is waited for."""
        self.desk.closing = True
        self.desk.bench.stop()
        super().handle_exit(sig, frame)
