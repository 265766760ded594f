"""What the machine itself gains from a second processor: the measure for every other gain.

Virtual processors may be two halves of one core, or be shared with other guests: then nothing at all runs twice as fast
on two of them. The work here is arithmetic in registers, without memory, locks or Python.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numba

TURNS = 20_000_000


@numba.njit(nogil=True)
def arithmetic(turns: int) -> float:
    """Eight chains of products and sums side by side: enough to keep the units of a core busy."""
    a = b = c = d = e = f = g = h = 1.0 / turns  # not known when this is compiled, or nothing would be left to do
    for _ in range(turns):
        a, b, c, d = a * 0.9 + 0.1, b * 0.8 + 0.2, c * 0.7 + 0.3, d * 0.6 + 0.4
        e, f, g, h = e * 0.5 + 0.5, f * 0.4 + 0.6, g * 0.3 + 0.7, h * 0.2 + 0.8
    return a + b + c + d + e + f + g + h


class Machine:
    """Best times of the same work on one thread, and of twice the work on two; call `turn` between other measurements."""

    def __init__(self, threads: int) -> None:
        self.threads, self.one, self.all = threads, float("inf"), float("inf")
        self.gains: list[float] = []
        self._pool = ThreadPoolExecutor(threads)
        self._run(threads, 1000)

    def _run(self, threads: int, turns: int) -> float:
        began = perf_counter()
        list(self._pool.map(arithmetic, [turns] * threads))
        return perf_counter() - began

    def turn(self) -> None:
        """Measure once more."""
        one, both = self._run(1, TURNS), self._run(self.threads, TURNS)
        self.one, self.all = min(self.one, one), min(self.all, both)
        self.gains.append(self.threads * one / both)

    @property
    def gain(self) -> float:
        """How many times more work ``threads`` threads do than one."""
        return self.threads * self.one / self.all
