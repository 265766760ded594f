"""Make sections of a report in two processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_context
from signal import SIG_DFL, SIGINT, signal
from typing import TYPE_CHECKING, Any, NamedTuple

from nonholo.present.report.report_page import ReportSection

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import SynchronizedArray

    Taken = SynchronizedArray[int]
    """For each section of the list whether a process has begun it."""

Made = ReportSection | None
Makers = Mapping[str, Callable[[], Made]]
"""How each section is made."""


def make_sections(makers: Makers, tell: Callable[[str], None]) -> dict[str, Made]:
    """All sections made in this process; ``tell`` is called with the name of each."""
    found = {}
    for name, make in makers.items():
        tell(name)
        found[name] = make()
    return found


class _Work(NamedTuple):
    """What the second process works with."""

    taken: Taken
    makers: Makers


_work: list[_Work] = []


class OtherProcess:
    """A second process that makes sections from the front of a list, while this one makes others and then takes from its end.

    Which of the two makes a section does not show in it. ``prepare(*given)`` gives the makers in the other process.
    """

    def __init__(self, names: Sequence[str], prepare: Callable[..., Makers], given: Sequence[Any]) -> None:
        # nothing has been compiled yet, so a fork is safe and quick
        context: Any = get_context("fork" if "fork" in get_all_start_methods() else "spawn")
        self._names = tuple(names)
        self._taken = context.Array("b", len(self._names))
        self._pool = ProcessPoolExecutor(1, context, _start, (self._taken, prepare, tuple(given)))
        self._futures: dict[str, Future[Made]] = {
            name: self._pool.submit(_make, place, name) for place, name in enumerate(self._names)
        }

    def made(self, makers: Makers, tell: Callable[[str], None]) -> dict[str, Made]:
        """All sections of the list: those that the other process has not begun are made here."""
        mine: dict[str, Made] = {}
        for place, name in reversed(list(enumerate(self._names))):
            if _claim(self._taken, place):
                mine |= make_sections({name: makers[name]}, tell)
        for name in self._names:
            if name not in mine:
                tell(name)
                mine[name] = self._futures[name].result()
        return mine

    def __enter__(self) -> OtherProcess:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            for process in list((getattr(self._pool, "_processes", None) or {}).values()):
                process.kill()  # its sections are no longer needed
        self._pool.shutdown()


def _claim(taken: Taken, place: int) -> bool:
    """Whether this process makes a section: true for the first process that calls it."""
    with taken.get_lock():
        if taken[place]:
            return False
        taken[place] = 1
        return True


def _start(taken: Taken, prepare: Callable[..., Makers], given: Sequence[Any]) -> None:
    signal(SIGINT, SIG_DFL)
    _work[:] = [_Work(taken, prepare(*given))]


def _make(place: int, name: str) -> Made:
    taken, makers = _work[0]
    return makers[name]() if _claim(taken, place) else None
