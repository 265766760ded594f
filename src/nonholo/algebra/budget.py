"""A time budget for computer algebra whose duration nobody can foresee."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 8.0
"""How much longer than the processor's time the clock on the wall may run."""


class _Overdue(BaseException):
    """Raised inside work that has used up its time."""


def within(seconds: float, work: Callable[[], T]) -> T | None:
    """The result of ``work``, or None when it takes longer or fails; the work is stopped, in any thread.

    The seconds are the processor's, so that a busy machine gets the same answers as an idle one.

    >>> within(5.0, lambda: 6 * 7)
    42
    >>> within(0.05, lambda: [None for _ in iter(int, 1)]) is None
    True
    """
    if seconds <= 0:
        return None
    import sympy  # noqa: F401 - not on the clock, and never cut in half

    found: list[T] = []

    def run() -> None:
        try:
            found.append(work())
        except (Exception, _Overdue):  # SymPy fails in many ways, and all mean that it has no answer
            return

    _quiet_threads()
    worker = threading.Thread(target=run, daemon=True)
    busy, late = process_time() + seconds, perf_counter() + PATIENCE * seconds
    worker.start()
    while True:
        worker.join(0.02)
        if not worker.is_alive() or worker.ident is None:
            break
        if (process_time() < busy and perf_counter() < late) or _importing(worker.ident):
            continue
        _stop(worker)
        return None
    return found[0] if found else None


class _QuietHook:
    """Tells of what ends a thread as before, except of work that was stopped while it was ending anyway."""

    def __init__(self, told: Callable[[Any], Any]) -> None:
        self.told = told

    def __call__(self, problem: Any) -> None:
        if problem.exc_type is not _Overdue:
            self.told(problem)


def _quiet_threads() -> None:
    if not isinstance(threading.excepthook, _QuietHook):
        threading.excepthook = _QuietHook(threading.excepthook)


def _stop(worker: threading.Thread) -> None:
    """Raise in the thread until it ends; what is raised inside a callback is swallowed there, so it is raised again."""
    told = sys.unraisablehook
    sys.unraisablehook = _QuietHook(told)
    try:
        for _ in range(20):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident or 0), ctypes.py_object(_Overdue))
            worker.join(0.025)
            if not worker.is_alive():
                break
    finally:
        sys.unraisablehook = told


def _importing(thread: int) -> bool:
    """Whether the thread is in the middle of an import, which must not be left half done."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def counted(calls: int, work: Callable[[], T]) -> T | None:
    """The result of ``work``, or None when it needs more calls of functions than this, or fails.

    Calls are counted, not seconds, so that the same question has the same answer on every machine, busy or not.

    >>> counted(1000, lambda: sum(map(abs, range(10))))
    45
    >>> counted(1000, lambda: [str(k) for k in iter(int, 1)]) is None
    True
    """
    import sympy  # noqa: F401 - not counted, and never cut in half

    left = calls
    this = threading.get_ident()
    before = sys.getprofile()

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0 and not _importing(this):
            sys.setprofile(before)
            raise _Overdue

    sys.setprofile(count)
    try:
        return work()
    except (Exception, _Overdue):  # SymPy fails in many ways, and all mean that it has no answer
        return None
    finally:
        sys.setprofile(before)
