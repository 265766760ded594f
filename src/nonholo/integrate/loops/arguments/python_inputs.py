"""Machine code whose inputs are Python functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.workspace import Workspace
from nonholo.program.array_types import Array

Fill = Callable[[Array, float, float], None]
SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
APART = 6e-6
"""Relative step of the finite differences of an input."""
CODES = tuple(place for place, _, inputs in at.spec.codes if inputs)


class Attached:
    """A workspace whose machine code is preceded by ``fill(input vector, low, high)``, which writes the inputs.

    An error in Python cannot pass through machine code: it is stored, the inputs are not a number from then on, so that the
    loop ends soon, and `check` raises it.
    """

    def __init__(self, space: Workspace, fill: Fill, width: int) -> None:
        self.problem: BaseException | None = None
        real = space.real
        start = int(space.spec[at.AT_GIVEN])
        given = real[start : start + width]
        first, count = 1 + int(space.spec[at.STATE]), int(space.spec[at.INPUTS])
        self._owned: list[Any] = []
        space.spec[at.LIVE] = 1

        def wrapped(address: int) -> Any:
            inside = SIGNATURE(address)

            def call(out: int, into: int, data: int) -> None:
                if self.problem is None:
                    try:
                        fill(given, real[at.LOW], real[at.HIGH])
                    except BaseException as problem:  # KeyboardInterrupt among them
                        self.problem = problem
                if self.problem is not None:
                    given[first : first + count] = np.nan
                inside(out, into, data)

            return SIGNATURE(call)

        def with_slopes(address: int) -> Any:
            """The Jacobian is that of the rates with the functions in them: by differences of what they answer."""
            inside, slopes = wrapped(address), _slopes(space)

            def call(out: int, into: int, data: int) -> None:
                inside(out, into, data)
                if self.problem is None:
                    try:
                        slopes[:, :first] += slopes[:, first:] @ _changes(fill, given, first, count, real)
                    except BaseException as problem:
                        self.problem = problem

            return SIGNATURE(call)

        for place in CODES:
            address = int(space.spec[place])
            if address:
                made = with_slopes(address) if place == at.JACOBIAN else wrapped(address)
                self._owned.append(made)
                space.spec[place] = int(ctypes.cast(made, ctypes.c_void_p).value or 0)

    def check(self) -> None:
        """Raise what went wrong, if anything did."""
        if self.problem is not None:
            raise self.problem


def _slopes(space: Workspace) -> Array:
    """The Jacobian in the workspace: a row for each rate, a column for each variable, for time and for each input."""
    spec = space.spec
    rows, columns = int(spec[at.COORDINATES] + spec[at.SYSTEM]), int(spec[at.STATE] + 1 + spec[at.INPUTS])
    start = int(spec[at.AT_SLOPES])
    return space.real[start : start + rows * columns].reshape(rows, columns)


def _changes(fill: Fill, given: Array, first: int, count: int, real: Array) -> Array:
    """How the inputs change with each variable and with time (last), by central differences; zero for a held one."""
    here = given.copy()
    result = np.zeros((count, first))
    for k in range(first):
        place = (k + 1) % first  # time stands first in the input vector and last among the columns
        far = APART * (1.0 + abs(here[place]))
        ends = []
        for sign in (1.0, -1.0):
            given[:] = here
            given[place] += sign * far
            fill(given, real[at.LOW], real[at.HIGH])
            ends.append(given[first : first + count].copy())
        result[:, k] = (ends[0] - ends[1]) / (2.0 * far)
    given[:] = here
    return result
