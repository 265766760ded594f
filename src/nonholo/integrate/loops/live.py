"""Machine code whose inputs are asked of Python first: the loops call it by address and do not know the difference."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo.integrate.loops import layout as at
from nonholo.integrate.loops.workspace import Workspace

Array = np.ndarray[Any, np.dtype[np.float64]]
Fill = Callable[[Array, float, float], None]
SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
CODES = (at.RATES, at.RESIDUALS, at.EVENTS, at.CONDITIONS)


class Attached:
    """A workspace whose machine code is preceded by ``fill(input vector, low, high)``, which writes the inputs.

    An error in Python cannot pass through machine code: it is kept, the inputs are not a number from then on, so that the
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

        for place in CODES:
            address = int(space.spec[place])
            if address:
                made = wrapped(address)
                self._owned.append(made)
                space.spec[place] = int(ctypes.cast(made, ctypes.c_void_p).value or 0)

    def check(self) -> None:
        """Raise what went wrong, if anything did."""
        if self.problem is not None:
            raise self.problem
