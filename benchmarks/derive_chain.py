"""How deriving grows with the system: a chain of N sleighs, text to (M, F), in seconds of the processor and graph nodes.

SymPy's LagrangesMethod derives the same chains to explicit accelerations beside it, until it passes its limit.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from math import log2
from time import perf_counter, thread_time
from typing import Any

from nonholo.algebra.cache import forget
from nonholo.algebra.calculus import node_count
from nonholo.derive.hamel import hamel
from nonholo.gallery.sleigh_chain import chain_system

SIZES = (2, 4, 8, 16, 32)
PEER_LIMIT = 60.0


@dataclass(frozen=True)
class Row:
    """One size: seconds from text to the pair (M, F), best of some, and the nodes of its shared graph."""

    size: int
    seconds: float
    nodes: int


def measure(size: int, repeats: int = 3) -> Row:
    """Derive the chain of this size from its text."""
    best = float("inf")
    for _ in range(repeats):
        forget()
        start = thread_time()
        equations = hamel(chain_system(size))
        best = min(best, thread_time() - start)
    entries = [*(e for row in equations.mass for e in row), *equations.force, *equations.kinematics]
    return Row(size, best, node_count(entries))


def aim(size: int) -> int:
    """The exponent to stay below on the way to a size: 2 beyond 16, 3 for short chains."""
    return 2 if size > 16 else 3


def rows(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """All sizes, after one small one that loads what is loaded once."""
    measure(2, 1)
    return [measure(size) for size in sizes]


def table(sizes: tuple[int, ...] = SIZES) -> list[dict[str, Any]]:
    """Seconds and nodes by N, the exponents p of N^p by which they grew, and SymPy's seconds until it passes its limit."""
    result: list[dict[str, Any]] = []
    before: Row | None = None
    patient = True
    for row in rows(sizes):
        line: dict[str, Any] = {"N": row.size, "nonholo [s]": row.seconds, "nodes": row.nodes}
        if before is not None:
            step = log2(row.size / before.size)
            slow, fat = (log2(a / b) / step for a, b in ((row.seconds, before.seconds), (row.nodes, before.nodes)))
            line |= {"time ~ N^": slow, "nodes ~ N^": fat}
            line |= {"aim": f"N^{aim(row.size)}", "met": max(slow, fat) <= 1.05 * aim(row.size)}
        if patient:
            taken = peer_seconds(row.size)
            patient = taken < PEER_LIMIT
            line["SymPy LagrangesMethod [s]"] = taken if patient else f"not within {PEER_LIMIT:g}"
        result.append(line)
        before = row
    return result


PEER = """
import sys
import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
n = int(sys.argv[1])
m, J, l, b, c = sp.symbols("m J l b c")
x, y = dynamicsymbols("x y")
th = dynamicsymbols(f"theta1:{n + 1}")
t = dynamicsymbols._t
px, py, energy, rows = x, y, 0, []
for a in th:
    cx, cy = px - c*sp.cos(a), py - c*sp.sin(a)
    bx, by = px - b*sp.cos(a), py - b*sp.sin(a)
    energy += m/2*(cx.diff(t)**2 + cy.diff(t)**2) + J/2*a.diff(t)**2
    rows.append(by.diff(t)*sp.cos(a) - bx.diff(t)*sp.sin(a))
    px, py = px - l*sp.cos(a), py - l*sp.sin(a)
method = LagrangesMethod(energy, [x, y, *th], nonhol_coneqs=rows)
method.form_lagranges_equations()
method.rhs()
"""


def peer_seconds(size: int, limit: float = PEER_LIMIT) -> float:
    """Seconds SymPy's LagrangesMethod takes to explicit accelerations, or infinity after ``limit``."""
    start = perf_counter()
    try:
        subprocess.run([sys.executable, "-c", PEER, str(size)], check=True, timeout=limit, capture_output=True)
    except subprocess.TimeoutExpired:
        return float("inf")
    return perf_counter() - start
