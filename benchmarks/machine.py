"""What the machine itself gains from a second processor: the measure for every other gain.

Virtual processors may be two halves of one core, or be shared with other guests: then nothing at all runs twice as fast
on two of them. The work here is arithmetic in registers, without memory, locks or Python.
"""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from nonholo.program.llvm_jit import load

TURNS = 20_000_000
CHAINS = 8


def _text() -> str:
    """LLVM's text of ``double work(int64 turns)``: chains of products and sums side by side, which keep a core's units busy."""
    chains = range(1, CHAINS + 1)
    starts = [f"%x{k} = phi double [%start, %entry], [%y{k}, %work]" for k in chains]
    turns = [f"%p{k} = fmul double %x{k}, 0.{k}\n%y{k} = fadd double %p{k}, {1 - k / 10:.1f}" for k in chains]
    sums = [f"%s{k} = fadd double {f'%s{k - 1}' if k > 1 else '0.0'}, %y{k}" for k in chains]
    return "\n".join([
        "define double @work(i64 %turns) nounwind {", "entry:", "%count = sitofp i64 %turns to double",
        "%start = fdiv double 1.0, %count", "br label %work", "work:", "%i = phi i64 [0, %entry], [%next, %work]",
        *starts, *turns, "%next = add i64 %i, 1", "%more = icmp slt i64 %next, %turns", "br i1 %more, label %work, label %end",
        "end:", *sums, f"ret double %s{CHAINS}", "}",
    ])  # fmt: skip


_ADDRESS, _OWNER = load(_text(), "work")
arithmetic = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(_ADDRESS)


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
