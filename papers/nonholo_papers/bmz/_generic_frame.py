"""A generic frame on three coordinates and a generic Lagrangian, as expressions: the ground on which §2 is tested.

``ψ`` and ``L`` depend on all coordinates, ``L`` is not quadratic, and curves are arbitrary: ``q``, ``v`` and ``v̇ = a`` are
independent symbols, as are a variation's components ``w`` and their rates.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

import symengine as se

from nonholo.algebra.expression_types import Expr

N = range(3)


def _names(letter: str) -> list[Expr]:
    return list(se.symbols(" ".join(f"{letter}{i + 1}" for i in N)))


@lru_cache
def frame() -> SimpleNamespace:
    """Symbols, the frame ``psi[i][j]``, ``L(q, q̇)``, ``l(q, v)`` and derivatives along an arbitrary curve."""
    q, v, a, w, wdot, rate = (_names(n) for n in ("q", "v", "a", "w", "y", "d"))
    one, two, three = q
    psi = [
        [1 + two**2 / 3, se.sin(three) / 2, one * two / 5],
        [one / 4, 2 + se.cos(one), three / 3],
        [se.sin(two) / 3, one * three / 7, 1 + se.cos(three) / 2 + two / 9],
    ]
    metric = [
        [2 + two**2, one / 3, three / 5],
        [one / 3, 1 + three**2, se.sin(one) / 4],
        [three / 5, se.sin(one) / 4, 3],
    ]
    lagrangian = sum(metric[i][j] * rate[i] * rate[j] for i in N for j in N) / 2
    lagrangian += se.sin(three) * rate[0] ** 2 * rate[1] / 3 + one * rate[2] ** 3 / 7 + two * three * rate[0]
    lagrangian += -one * two * three + se.cos(one + two)
    qdot = [sum(v[i] * psi[i][j] for i in N) for j in N]
    seen = dict(zip(rate, qdot))

    def on(expr: Expr) -> Expr:
        """A function of (q, q̇) as one of (q, v)."""
        return se.sympify(expr).subs(seen)

    def along(expr: Expr) -> Expr:
        """``d/dt`` of a function of (q, v) along the curve."""
        expr = se.sympify(expr)
        return sum(expr.diff(q[j]) * qdot[j] + expr.diff(v[j]) * a[j] for j in N)

    def directional(i: int, expr: Expr) -> Expr:
        """``u_i[f] = ψ_i^j ∂f/∂q^j`` at fixed v."""
        return sum(psi[i][j] * se.sympify(expr).diff(q[j]) for j in N)

    inverse = se.DenseMatrix(psi).inv()
    fields = [
        [[sum(psi[i][k] * psi[l][j].diff(q[k]) - psi[l][k] * psi[i][j].diff(q[k]) for k in N) for j in N] for l in N]
        for i in N
    ]
    reduced = on(lagrangian)
    return SimpleNamespace(
        q=q,
        v=v,
        a=a,
        w=w,
        wdot=wdot,
        rate=rate,
        psi=psi,
        inverse=inverse,
        qdot=qdot,
        L=lagrangian,
        l=reduced,
        on=on,
        along=along,
        u=directional,
        brackets=fields,
        c=[[[sum(fields[i][l][k] * inverse[k, m] for k in N) for m in N] for l in N] for i in N],
        momenta=[reduced.diff(e) for e in v],
        lagrange=[along(on(lagrangian.diff(rate[j]))) - on(lagrangian.diff(q[j])) for j in N],
    )
