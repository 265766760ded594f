"""Ctrl-C: an interrupted motion returns what was computed, and the command ends in order."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


def silent(_: Any) -> None:
    """No word about objects that were half made when the interrupt came."""


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """The interrupts so far, each raised as KeyboardInterrupt as well; where they are ignored they stay ignored."""
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        sys.unraisablehook = silent
        if callable(before):
            before(number, frame)
        raise KeyboardInterrupt

    before, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook
    if threading.current_thread() is not threading.main_thread() or before in (None, signal.SIG_IGN):
        yield seen
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = hook
