"""The principle of Cortés and Martínez with other discrete constraints ``D^d`` than the place of its Lagrangian.

    L_d(q, q') = h L(q_τ, u),    u = (q' − q)/h,    q_τ = (1 − τ) q + τ q',
    D₁L_d(q_k, q_{k+1}) + D₂L_d(q_{k−1}, q_k) ∈ D°(q_k),    ω_d(q, q') = 0,

``begin``: ω_d = A(q) u; ``end``: A(q') u; ``middle``: A((q + q')/2) u; ``nodes``: the mean of both ends. The memory is the
momentum at the node
along D, kept as an admissible velocity ``v`` with ``∂L/∂q̇(q, v) = D₂L_d + Aᵀμ``; a motion starts with ``−D₁L_d(q₀, q₁) =
∂L/∂q̇(q₀, v₀) + Aᵀμ``.
[Nonlinearity 14 (2001) 1365]
"""

from __future__ import annotations

from collections.abc import Callable

from nonholo.compile.schemes.scheme import Point, Step, Writer, joined, scheme
from nonholo.program.program_values import Values

CHOICES: dict[str, Callable[[Point, Point, Point], Values]] = {
    "begin": lambda first, middle, last: first.residuals,
    "middle": lambda first, middle, last: middle.residuals,
    "end": lambda first, middle, last: last.residuals,
    "nodes": lambda first, middle, last: 0.5 * (first.residuals + last.residuals),
}


def _written(w: Writer, choice: str) -> Step:
    n, rows = len(w.x), len(w.equations.mass) - len(w.x)
    v, push, gain, other = w.unknown(n), w.unknown(rows), w.unknown(n), w.unknown(rows)
    new = w.x + w.h * v
    node, last = w.at(w.x, w.z, 0), w.at(new, w.z + gain, 3)
    within = w.at(w.x + w.tau * w.h * v, v, 1)
    constraint = CHOICES[choice](w.at(w.x, v, 0), w.at(w.x + 0.5 * w.h * v, v, 2), w.at(new, v, 3))
    before = within.momenta - (1.0 - w.tau) * w.h * within.forces - node.momenta
    after = last.momenta - within.momenta - w.tau * w.h * within.forces
    if rows:
        before, after = before - push @ node.mass[n:, :n], after - other @ last.mass[n:, :n]
    return Step(
        joined(w.z + 0.5 * w.h * w.z_rate, 0.0 * push, w.h * w.z_rate, 0.0 * other),
        joined(before, constraint, after, last.residuals),
        joined(w.h * v, gain),
    )


def _register(choice: str) -> None:
    words = {"covectors": "rattle", "times": (0.0, "tau", 0.5, 1.0)}
    scheme(f"cortes_martinez {choice}", **words)(lambda w: _written(w, choice))


for _choice in CHOICES:
    _register(_choice)
