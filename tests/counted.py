"""Work counted instead of timed: the same number on every machine, however busy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls(work: Callable[[], Any]) -> int:
    """How many functions are called, Python's own and those of extensions."""
    count = 0

    def look(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def lines(work: Callable[[], Any]) -> int:
    """How many lines of Python are run: loops that nobody calls count, too."""
    count = 0

    def look(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
