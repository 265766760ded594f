"""Budgeted reduction; returns None when the budget is spent."""

from __future__ import annotations

from nonholo.algebra.budget import within
from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import written_size
from nonholo.errors import NonholoError
from nonholo.model.system import System
from nonholo.symmetry.reduction.reduce import Reduction, afresh

WORK = 4.0
"""Units of work after which the reduction is given up."""
TOO_MUCH = "the reduction is too much work here"
LONG = 9000
"""Systems with more symbols, numbers and operations, written out, are reduced by `nh.reduce` alone: the work is not counted."""
LONG_MACHINE = 4000
_tried: Cache[tuple[Reduction | None, str]] = Cache(16)


def attempted(system: System) -> tuple[Reduction | None, str]:
    """The reduction by the declared symmetry or the one that is found, or None and why.

    A reduction that somebody computed before, however long it took, is not taken: it would be an answer today and none
    tomorrow.
    """
    return _tried.get(system, lambda: _attempt(system))


def is_long(system: System) -> bool:
    """Whether a reduction would be given up before it is begun; machines share more of what is written, and are given less."""
    size = sum(map(written_size, (system.lagrangian, *system.constraints, *system.holonomic)))
    return size > (LONG if system.machine is None else LONG_MACHINE)


def _attempt(system: System) -> tuple[Reduction | None, str]:
    if is_long(system):
        return None, TOO_MUCH
    trouble: list[str] = []

    def attempt() -> Reduction | None:
        try:
            return afresh(system)
        except NonholoError as problem:
            trouble.append(str(problem))
            return None

    found = within(WORK, attempt)
    return found, "" if found is not None else (trouble or [TOO_MUCH])[0]
