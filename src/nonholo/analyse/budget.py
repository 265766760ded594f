"""A time budget for computer algebra whose duration nobody can foresee."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class _Overdue(BaseException):
    """Raised inside work that has used up its time."""


def within(seconds: float, work: Callable[[], T]) -> T | None:
    """The result of ``work``, or None when it takes longer or fails; the work is stopped, in any thread.

    >>> within(5.0, lambda: 6 * 7)
    42
    >>> within(0.05, lambda: [None for _ in iter(int, 1)]) is None
    True
    """
    found: list[T] = []

    def run() -> None:
        try:
            found.append(work())
        except (Exception, _Overdue):  # SymPy fails in many ways, and all mean that it has no answer
            return

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    if worker.is_alive() and worker.ident is not None:
        overdue: Any = ctypes.py_object(_Overdue)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), overdue)
        worker.join(0.5)
        return None
    return found[0] if found else None
