"""The geometric nonholonomic integrator, and the nonholonomic leapfrog: no constraint on the discrete velocity, reflection
at the nodes.

With a discrete Lagrangian ``L_d(q, q')`` and the momenta ``p⁺_k = −D₁L_d(q_k, q_{k+1})``, ``p⁻_k = D₂L_d(q_{k−1}, q_k)`` on
both sides
of a node, the reaction turns one into the other so that their mean is the momentum of an admissible velocity ``v_k``:

    p⁺_k = p⁻_k + Aᵀ(q_k) λ_k,        (p⁺_k + p⁻_k)/2 = ∂L/∂q̇(q_k, v_k),        A(q_k) v_k = 0.

``gni`` takes ``L_d = h L((q + q')/2, (q' − q)/h)`` [Ferraro, Iglesias, Martín de Diego, Nonlinearity 21 (2008) 1911],
``leapfrog``
``L_d = h/2 (L(q, (q' − q)/h) + L(q', (q' − q)/h))``: for a constant mass and a potential this is

    M (q_{k+1} − 2 q_k + q_{k−1})/h² = −∇V(q_k) + Aᵀ(q_k) λ_k,        A(q_k)(q_{k+1} − q_{k−1}) = 0,

the reversible method of McLachlan and Perlmutter [J. Nonlinear Science 16 (2006) 283], called nonholonomic SHAKE by Ferraro
and others
(2009). The memory of a step is ``p⁺``. At a start from an admissible ``(q, v)`` it is ``∂L/∂q̇ + h/2 Aᵀλ`` with the reaction
of the motion itself.
For velocity constraints in plain coordinates.
"""

from __future__ import annotations

from nonholo.compile.schemes.scheme import Step, Writer, scheme, stacked
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.program.program_values import Values

WORDS = {"covectors": "rattle", "quadratic": True, "admissible": True, "stepwise": True}


def _size(equations: Equations) -> int:
    return len(equations.coordinates)


@scheme("gni", times=(0.0, 0.5, 1.0), memory=_size, **WORDS)
def gni(w: Writer) -> Step:
    """The discrete Lagrangian at the middle."""
    n = len(w.x)
    v = w.unknown(n)
    within = w.at(w.x + 0.5 * w.h * v, v, 1)
    push = 0.5 * w.h * within.forces
    return reflected(w, v, within.momenta - push, within.momenta + push)


@scheme("leapfrog", times=(0.0, 1.0), memory=_size, **WORDS)
def leapfrog(w: Writer) -> Step:
    """The discrete Lagrangian at both ends."""
    v = w.unknown(len(w.x))
    begin, end = w.at(w.x, v, 0), w.at(w.x + w.h * v, v, 1)
    mean = 0.5 * (begin.momenta + end.momenta)
    return reflected(w, v, mean - 0.5 * w.h * begin.forces, mean + 0.5 * w.h * end.forces)


def reflected(w: Writer, v: Values, leaving: Values, arriving: Values) -> Step:
    """The step with velocity v whose momenta are ``−D₁L_d`` and ``D₂L_d``: the reflection is at its end."""
    n, rows = len(w.x), len(w.equations.mass) - len(w.x)
    if w.equations.system is not None and w.equations.system.holonomic:
        raise ModelError(
            f"{w.equations.name}: methods gni and leapfrog are for velocity constraints, and this system has relations of the "
            'coordinates; choose method="rattle".'
        )
    gain, force = w.unknown(n), w.unknown(rows)
    last = len(w.times) - 1
    node, end = w.at(w.x, w.z, 0), w.at(w.x + w.h * v, w.z + gain, last)
    reaction = node.mass[:n, :n] @ w.z_rate - node.force[:n]
    turned = force @ end.mass[n:, :n] if rows else 0.0 * gain
    return Step(
        stacked(w.z + 0.5 * w.h * w.z_rate, w.h * w.z_rate, 0.0 * force),
        stacked(leaving - w.memory, end.momenta - arriving - 0.5 * turned, end.residuals),
        stacked(w.h * v, gain),
        arriving + turned,
        node.momenta + 0.5 * w.h * reaction,
    )
