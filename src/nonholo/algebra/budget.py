"""A budget for computer algebra of unpredictable duration: work is counted, not timed.

A count is the same on a busy machine as on an idle one, so the same question gets the same answer everywhere. There are two ways
to count. Our own algorithms say what they do (`charge`; polynomials by their terms). Work inside SymPy that says nothing is
watched: `within` counts the calls of Python functions, which makes it two to three times as slow.

The unit is about a second of computer algebra on an ordinary machine.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import CO_GENERATOR
from types import FrameType
from typing import Any, Generic, TypeVar

from nonholo.algebra.cache import Cache
from nonholo.program import hash_consing

T = TypeVar("T")
STEPS = 500_000
"""Calls of Python functions in one unit of work."""


UNCOUNTED = frozenset({hash_consing.__file__})
"""Files whose calls are bookkeeping: they change how quick the work is, not how much there is."""


class TooLongError(Exception):
    """The work would take too long."""


class _SpentError(BaseException):
    """Raised by work that has used up its budget; no `except Exception` on the way swallows it."""


class _Meter(threading.local):
    """The count of this thread: how many steps were made, and how many may be made."""

    steps = 0
    limit = sys.maxsize
    charged = 0
    allowance = sys.maxsize
    running = False
    imports = 0


_meter = _Meter()


def _step(frame: FrameType, event: str, argument: Any) -> Any:
    """Count one call; imports are not counted, since they happen only once."""
    meter = _meter
    if frame.f_code.co_name == "_find_and_load" and frame.f_code.co_filename.startswith("<frozen importlib"):
        if not meter.imports:
            _loaded(str(frame.f_locals.get("name")))
        meter.imports += 1
        frame.f_trace_lines = False
        return _after_import
    if not meter.imports and frame.f_code.co_filename not in UNCOUNTED:
        meter.steps += 1
        # in a destructor, or in a generator that is closed, it would be swallowed
        if meter.steps > meter.limit and frame.f_code.co_name != "__del__" and not frame.f_code.co_flags & CO_GENERATOR:
            raise _SpentError
    return None


def _loaded(name: str) -> None:
    """Import a module here, where no calls are counted, so that it takes no longer than elsewhere."""
    with suppress(Exception):  # whoever asks for it will be told
        import_module(name)
    if name.partition(".")[0] == "sympy":
        _forget_sympy()


def _forget_sympy() -> None:
    """Have SymPy forget, if it is there: what it remembers must not make counted work shorter."""
    cache = sys.modules.get("sympy.core.cache")
    if cache is not None:
        cache.clear_cache()


def _after_import(frame: FrameType, event: str, argument: Any) -> Any:
    if event == "return":
        _meter.imports -= 1
    return _after_import


CHARGES = 250_000
"""Charges in one unit of work."""


def charge(amount: int) -> None:
    """Count work of our own; a `TooLongError` when there is no allowance left."""
    meter = _meter
    meter.charged += amount
    if meter.charged > meter.allowance:
        raise TooLongError


def spent() -> float:
    """The work charged in this thread so far, in units; only differences mean something."""
    return _meter.charged / CHARGES


@contextmanager
def allowed(units: float) -> Iterator[None]:
    """Inside, so much may be charged, and no more than further out.

    >>> with allowed(1.0):
    ...     charge(10)
    >>> with allowed(1.0):
    ...     charge(10 * CHARGES)
    Traceback (most recent call last):
    ...
    nonholo.algebra.budget.TooLongError
    """
    meter = _meter
    outer = meter.allowance
    meter.allowance = min(outer, meter.charged + int(units * CHARGES))
    try:
        yield
    finally:
        meter.allowance = outer


class Repeated(Generic[T]):
    """A cached result with its cost: reused it is charged alike, so that a cache never changes a result.

    >>> memory: Repeated[int] = Repeated(8)
    >>> def work() -> int:
    ...     charge(1000)
    ...     return 7
    >>> before = spent()
    >>> [memory.get("seven", work) for _ in range(3)], round((spent() - before) * CHARGES)
    ([7, 7, 7], 3000)
    """

    def __init__(self, most: int) -> None:
        self._kept: Cache[tuple[T, int]] = Cache(most)

    def get(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result of ``work``, which the key tells; made anew where calls are counted, or the count would differ."""
        if _meter.running:
            return work()
        found = self._kept.found(key)
        if found is not None:
            charge(found[1])
            return found[0]
        before = _meter.charged
        value = work()
        self._kept.put(key, (value, _meter.charged - before))
        return value


@contextmanager
def _watching() -> Iterator[None]:
    """Count calls of functions inside; SymPy, if the work needs it, has forgotten what it did before."""
    meter = _meter
    if meter.running:
        yield
        return
    _forget_sympy()
    before, hook = sys.gettrace(), sys.unraisablehook

    def swallowed(told: Any) -> None:
        """What a destructor or a generator that is closed called has used up the budget: the next call will say so again."""
        if told.exc_type is not _SpentError:
            hook(told)
        elif meter.running:
            sys.settrace(_step)  # raising has switched it off

    meter.running, meter.imports = True, 0
    sys.unraisablehook = swallowed
    sys.settrace(_step)
    try:
        yield
    finally:
        sys.settrace(before)
        meter.running = False
        sys.unraisablehook = hook


def within(units: float, work: Callable[[], T]) -> T | None:
    """The result of ``work``, or None when it needs more than so many units of work, or fails.

    >>> within(5.0, lambda: 6 * 7)
    42
    >>> within(0.01, lambda: [(lambda: None)() for _ in iter(int, 1)]) is None
    True
    """
    if units <= 0:
        return None
    meter = _meter
    with _watching():
        outer = meter.limit
        own = meter.steps + int(units * STEPS)
        meter.limit = min(outer, own)
        try:
            return work()
        except _SpentError:
            if outer <= own:  # it is the budget further out that is used up
                raise
            return None
        except Exception:  # SymPy fails in many ways, and all mean that it has no answer
            return None
        finally:
            meter.limit = outer
            sys.settrace(_step)  # raising has switched it off


class Purse:
    """Units of work that several pieces of work are paid from, one after the other.

    >>> purse = Purse(1.0)
    >>> purse.within(lambda: 6 * 7), 0.9 < purse.left < 1.0
    (42, True)
    >>> purse.within(lambda: [(lambda: None)() for _ in iter(int, 1)]) is None, purse.left
    (True, 0.0)
    """

    def __init__(self, units: float) -> None:
        self.left = units

    def within(self, work: Callable[[], T], most: float = float("inf")) -> T | None:
        """The result of ``work``, or None when it needs more than is left or ``most``, or fails."""
        before = _meter.steps
        try:
            return within(min(most, self.left), work)
        finally:
            self.left = max(0.0, self.left - (_meter.steps - before) / STEPS)
