"""Newmark's method for velocity constraints, and its symmetric composition.

With accelerations ``a`` at the nodes, ``M a = F + Aᵀλ``, and ``β = (γ + 1/2)²/4``

    q' = q + h v + h²/2 ((1 − 2β) a + 2β a'),    v' = v + h ((1 − γ) a + γ a'),    M(q') a' = F(q', v') + Aᵀ(q') λ',    A(q')
    v' = 0,

where ``a`` is the acceleration of the motion itself through ``(q, v)`` and ``λ'`` makes the new velocity admissible. Order 2
for ``γ = 1/2``,
else 1. ``newmark_symmetric`` is half a step of the adjoint method (the same equations with both ends exchanged and ``−h``),
then half a
step of the method; order 2 and symmetric for every ``γ``. [Newmark 1959; for nonholonomic systems by way of the nonholonomic
exponential map Anahory
Simoes, Ferraro, Marrero, Martín de Diego 2022, arXiv:2201.13162, who compose two methods too; the equations here are ours in
that spirit]
"""

from __future__ import annotations

from nonholo.compile.schemes.scheme import Point, Step, Writer, scheme, stacked
from nonholo.program.program_values import Values


def _reaction(point: Point, n: int, force: Values) -> Values:
    return force @ point.mass[n:, :n]


def _balance(point: Point, n: int, a: Values, force: Values) -> Values:
    """``M a − F − Aᵀλ``."""
    gap = point.mass[:n, :n] @ a - point.force[:n]
    return gap - _reaction(point, n, force) if len(force) else gap


def _forward(w: Writer, h: Values, x: Values, v: Values, a: Values, point: Point, new: tuple[Values, ...]) -> Values:
    """Newmark's equations from ``(x, v, a)`` to ``new = (x', v', a', λ')`` at a point."""
    gamma = w.tau
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5)
    there, fast, bend, force = new
    return stacked(
        there - x - h * v - h * h * ((0.5 - beta) * a + beta * bend),
        fast - v - h * ((1.0 - gamma) * a + gamma * bend),
        _balance(point, len(x), bend, force),
        point.residuals,
    )


@scheme("newmark", covectors="rattle", times=(0.0, 1.0))
def newmark(w: Writer) -> Step:
    """One step; unknown are the changes of q and v, the new acceleration and the reaction."""
    n, rows = len(w.x), len(w.equations.mass) - len(w.x)
    move, gain, bend, force = w.unknown(n), w.unknown(n), w.unknown(n), w.unknown(rows)
    end = w.at(w.x + move, w.z + gain, 1)
    new = (w.x + move, w.z + gain, bend, force)
    return Step(
        stacked(w.h * w.z, w.h * w.z_rate, w.z_rate, 0.0 * force),
        _forward(w, w.h, w.x, w.z, w.z_rate, end, new),
        stacked(move, gain),
    )


@scheme("newmark_symmetric", covectors="rattle", times=(0.0, 0.5, 1.0))
def symmetric(w: Writer) -> Step:
    """The adjoint method to the middle of the step, whose acceleration there is that of the motion, then the method."""
    n, rows = len(w.x), len(w.equations.mass) - len(w.x)
    h = 0.5 * w.h
    move, gain, bend, force = w.unknown(n), w.unknown(n), w.unknown(n), w.unknown(rows)
    pull, hidden = w.unknown(n), w.unknown(rows)
    on, more, last, other = w.unknown(n), w.unknown(n), w.unknown(n), w.unknown(rows)
    node = w.at(w.x, w.z, 0)
    middle = w.at(w.x + move, w.z + gain, 1)
    end = w.at(w.x + move + on, w.z + gain + more, 2)
    gamma = w.tau
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5)
    own = stacked(pull, hidden)
    backwards = stacked(
        move - h * (w.z + gain) + h * h * ((0.5 - beta) * pull + beta * bend),
        gain - h * ((1.0 - gamma) * pull + gamma * bend),
        _balance(node, n, bend, force),
        middle.residuals,
        middle.mass @ own - middle.force,
    )
    new = (w.x + move + on, w.z + gain + more, last, other)
    forwards = _forward(w, h, w.x + move, w.z + gain, pull, end, new)
    guess = stacked(h * w.z, h * w.z_rate, w.z_rate, 0.0 * force)
    return Step(
        stacked(guess, w.z_rate, 0.0 * hidden, guess),
        stacked(backwards, forwards),
        stacked(move + on, gain + more),
    )
