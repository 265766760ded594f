"""Two points joined by a segment, §§8.1, 8.2: symbols, Lagrange's equations and the multiplier form with any forces."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import symengine as se

from nonholo.algebra.expression_types import Expr

s = SimpleNamespace(**{str(e): e for e in se.symbols("x y th rho xd yd thd rhod xdd ydd thdd m1 m2 Ax Ay At v w")})
C, S = se.cos(s.th), se.sin(s.th)
MASS = s.m1 + s.m2
RATES = {s.x: s.xd, s.y: s.yd, s.th: s.thd, s.rho: s.rhod, s.xd: s.xdd, s.yd: s.ydd, s.thd: s.thdd}


def dot(expr: Expr, rigid: bool = True) -> Expr:
    """``d/dt``, with ρ constant unless told."""
    known = {a: b for a, b in RATES.items() if not (rigid and a == s.rho)}
    return sum(expr.diff(a) * b for a, b in known.items())


def kinetic() -> Expr:
    """The kinetic energy from the places of the two points."""
    first = [s.x, s.y]
    second = [s.x + s.rho * C, s.y + s.rho * S]
    return sum(m * dot(e) ** 2 / 2 for m, place in ((s.m1, first), (s.m2, second)) for e in place)


def lagrange() -> list[Expr]:
    """``d/dt ∂K/∂q̇ − ∂K/∂q`` for x, y, θ."""
    energy = kinetic()
    return [dot(energy.diff(rate)) - energy.diff(place) for place, rate in ((s.x, s.xd), (s.y, s.yd), (s.th, s.thd))]


def metric() -> list[list[Expr]]:
    """``g_ij`` as second derivatives of the kinetic energy."""
    energy = kinetic()
    return [[energy.diff(a).diff(b) for b in (s.xd, s.yd, s.thd)] for a in (s.xd, s.yd, s.thd)]


@lru_cache
def pushed() -> tuple[Any, ...]:
    """States of the rigid segment with any forces, with the rates of v and ω by the multiplier form."""
    from nonholo import gallery
    from nonholo.algebra.frozen_map import FrozenMap
    from nonholo.model.system import varied
    from nonholo_papers.evidence import moving_system

    names = ("Ax", "Ay", "At")
    segment = gallery.get("orthogonal-points").variants["rigid segment (8.2), parametric (46)"]
    system = varied(segment, inputs=names, forces=FrozenMap(dict(zip(("x", "y", "theta"), map(se.Symbol, names)))))
    return tuple(moving_system(system, {"m1": 1.3, "m2": 0.7, "g": 0.0, "rho": 0.6}, 5))
