"""Steps of discrete principles with momenta at the nodes: discrete Hamel, and Cortés and Martínez.

With ``x' = x + h ẋ(x_τ, ξ)``, ``x_τ = (1 − τ) x + τ x'`` and the covectors ``p`` (momenta) and ``f`` (forces) taken at
``(x_τ, ξ)``, a step solves

    W(x)ᵀ (p − (1 − τ) h f) = π(x, z),        π(x', z') = W(x')ᵀ (p + τ h f),

where ``π`` are the momenta along the virtual displacements at the node. Eliminating ``π`` gives the two-step equations
(5.11) of Zenkov 2016 when the covectors are those of the adapted frame (and ``W`` is left out), and the principle of Cortés and
Martínez when they are ``∂L/∂q̇`` and ``∂L/∂q`` and ``W`` is a basis of D.
"""

from __future__ import annotations

from collections.abc import Callable

from nonholo.compile.schemes.scheme import Point, Step, Writer, scheme, stacked
from nonholo.program.program_values import Values


@scheme("hamel", covectors="hamel", quadratic=True, bent="hamel chetaev")
def hamel(w: Writer) -> Step:
    """(5.11): unknown are ``(x' − x, ξ, z' − z)``; with both equations ``π' = π + h f``."""
    move, xi, gain = (w.unknown(len(part)) for part in (w.x, w.z, w.z))
    node = w.at(w.x, w.z, 0)
    within = w.at(w.x + w.tau * move, xi, 1)
    end = w.at(w.x + move, w.z + gain, 2)
    return Step(
        stacked(w.h * w.x_rate, w.z + w.tau * w.h * w.z_rate, w.h * w.z_rate),
        stacked(
            move - w.h * within.kinematics,
            within.momenta - (1.0 - w.tau) * w.h * within.forces - node.momenta,
            end.momenta - node.momenta - w.h * within.forces,
        ),
        stacked(move, gain),
    )


@scheme("hamel averaged", covectors="hamel", times=(0.0, "tau", 1.0), quadratic=True)
def averaged(w: Writer) -> Step:
    """(5.11) between the middles of steps, with the averaged kinematic update of Zenkov 2016 (6.7).

    With ``x = q_{k−1/2}``, ``z = ξ_{k−1,k}`` and ``x' = q_{k+1/2}``, ``z' = ξ_{k,k+1}``

        p(x', z') − p(x, z) = h (τ f(x, z) + (1 − τ) f(x', z')),        x' − x = h ψ((x + x')/2) (z + z')/2.

    For the spherical pendulum with ``τ = 1/2`` this is (6.6), with the ½ that is missing there, and (6.7).
    """
    move, gain = w.unknown(len(w.x)), w.unknown(len(w.z))
    node, end = w.at(w.x, w.z, 0), w.at(w.x + move, w.z + gain, 2)
    middle = w.at(w.x + 0.5 * move, w.z + 0.5 * gain, 1)
    push = w.tau * node.forces + (1.0 - w.tau) * end.forces
    return Step(
        stacked(w.h * w.x_rate, w.h * w.z_rate),
        stacked(move - w.h * middle.kinematics, end.momenta - node.momenta - w.h * push),
        stacked(move, gain),
    )


@scheme("dlagrange_dalembert", covectors="dlagrange_dalembert", quadratic=True)
def cortes_martinez(w: Writer) -> Step:
    """``L_d = h L(q_τ, (q' − q)/h)``, the constraint at the same place, virtual displacements in D at the nodes."""
    move, xi, gain = (w.unknown(len(part)) for part in (w.x, w.z, w.z))
    node = w.at(w.x, w.z, 0)
    within = w.at(w.x + w.tau * move, xi, 1)
    end = w.at(w.x + move, w.z + gain, 2)
    before = within.momenta - (1.0 - w.tau) * w.h * within.forces - node.momenta
    after = end.momenta - within.momenta - w.tau * w.h * within.forces
    return Step(
        stacked(w.h * w.x_rate, w.z + w.tau * w.h * w.z_rate, w.h * w.z_rate),
        stacked(move - w.h * within.kinematics, before @ node.basis, after @ end.basis),
        stacked(move, gain),
    )


@scheme("rattle", covectors="rattle", times=(0.0, 1.0))
def rattle(w: Writer) -> Step:
    """RATTLE: constraints satisfied at the nodes by reactions there, the Lagrangian evaluated at both ends of the step.

    With ``L_d = h/2 (L(q, v) + L(q', v))``, ``q' = q + h v``, a step solves for the velocity ``v`` and the reactions ``λ``

        (∂L/∂q̇(q, v) + ∂L/∂q̇(q', v))/2 − h/2 ∂L/∂q(q, v) = p + Aᵀ(q) λ,        (φ(q, v) + φ(q', v))/2 = 0,

    and then for the new velocity and reactions ``λ'`` at the other end

        p' = (∂L/∂q̇(q, v) + ∂L/∂q̇(q', v))/2 + h/2 ∂L/∂q(q', v) + Aᵀ(q') λ',        φ(q', v') = 0.

    For relations of the coordinates that are quadratic, as lengths are, the first condition on ``φ`` says they hold at ``q'``.
    [Andersen 1983; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1; Marsden and West 2001, section 3.5]
    """
    n, rows = len(w.x), len(w.equations.mass) - len(w.x)
    v, push, gain, other = w.unknown(n), w.unknown(rows), w.unknown(n), w.unknown(rows)
    new = w.x + w.h * v
    node, begin, end, last = w.at(w.x, w.z, 0), w.at(w.x, v, 0), w.at(new, v, 1), w.at(new, w.z + gain, 1)
    mean = 0.5 * (begin.momenta + end.momenta)
    # the constraints' slopes stand in the border of the mass matrix
    here, there = node.mass[n:, :n], end.mass[n:, :n]
    return Step(
        stacked(w.z + 0.5 * w.h * w.z_rate, 0.0 * push, w.h * w.z_rate, 0.0 * other),
        stacked(
            mean - 0.5 * w.h * begin.forces - node.momenta - push @ here,
            0.5 * (begin.residuals + end.residuals),
            last.momenta - mean - 0.5 * w.h * end.forces - other @ there,
            last.residuals,
        ),
        stacked(w.h * v, gain),
    )


CHOICES: dict[str, Callable[[Point, Point, Point], Values]] = {
    "begin": lambda first, middle, last: first.residuals,
    "middle": lambda first, middle, last: middle.residuals,
    "end": lambda first, middle, last: last.residuals,
    "nodes": lambda first, middle, last: 0.5 * (first.residuals + last.residuals),
}


def _write_step(w: Writer, choice: str) -> Step:
    """The principle of Cortés and Martínez with a discrete constraint of its own. [Nonlinearity 14 (2001) 1365]

        L_d(q, q') = h L(q_τ, u),    u = (q' − q)/h,    q_τ = (1 − τ) q + τ q',
        D₁L_d(q_k, q_{k+1}) + D₂L_d(q_{k−1}, q_k) ∈ D°(q_k),    ω_d(q, q') = 0,

    ``begin``: ω_d = A(q) u; ``end``: A(q') u; ``middle``: A((q + q')/2) u; ``nodes``: the mean of both ends. The memory is the
    momentum at the node along D, as an admissible velocity ``v`` with ``∂L/∂q̇(q, v) = D₂L_d + Aᵀμ``; a motion starts with
    ``−D₁L_d(q₀, q₁) = ∂L/∂q̇(q₀, v₀) + Aᵀμ``.
    """
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
        stacked(w.z + 0.5 * w.h * w.z_rate, 0.0 * push, w.h * w.z_rate, 0.0 * other),
        stacked(before, constraint, after, last.residuals),
        stacked(w.h * v, gain),
    )


def _register(choice: str) -> None:
    words = {"covectors": "rattle", "times": (0.0, "tau", 0.5, 1.0)}
    scheme(f"cortes_martinez {choice}", **words)(lambda w: _write_step(w, choice))


for _choice in CHOICES:
    _register(_choice)
