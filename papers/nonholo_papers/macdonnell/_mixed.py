"""On the generic system: other bases κ̄ = aκ, γ̄ = bγ, and fields σ = σ^iγ_i, Ω = Ω^kγ_k with generic invariant coefficients."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._fields import bracket, table
from nonholo_papers.macdonnell._so3_bundle import along, combined, places

Array = Any
SHAPE = ("r1", "r2")
OTHER_H = table((("1 + r1/4", "r2/3"), ("1/5 - r1*r2/6", "1 + sin(r2)/3")), SHAPE)
OTHER_S = table((("1 - r2/5", "r1/4 + 1/6"), ("cos(r1)/3", "1 + r2**2/5")), SHAPE)
SIGMA = table((("1/2 + r1*r2/3", "1 - r2/4 + sin(r1)/3"),), SHAPE)
OMEGA = table((("1 + r1**2/4", "r2/3 - 2/5"),), SHAPE)


def in_s(coefficients: Any) -> Any:
    """A field of S with these coefficients."""
    inside = list(systems.GENERIC.indices("S"))
    return lambda q: coefficients(q[:2])[0] @ systems.GENERIC.rows(q)[inside]


@lru_cache
def states() -> tuple[SimpleNamespace, ...]:
    """The generic system's places with a, b, σ, Ω and their derivatives along κ."""
    bundle = systems.GENERIC
    found = []
    for p in places(bundle):
        s = SimpleNamespace(**vars(p))
        r = s.q[:2]
        s.a, s.b, s.sigma, s.omega = OTHER_H(r), OTHER_S(r), SIGMA(r)[0], OMEGA(r)[0]
        ways = s.rows[s.h][:, :2]
        s.slopes_b = np.stack([along(OTHER_S, r, w) for w in ways])  # [n, i, m] = κ_n b_i^m
        s.slopes_sigma = np.stack([along(SIGMA, r, w)[0] for w in ways])  # [k, i] = κ_k σ^i
        s.kappa, s.gamma = bundle.part("H"), bundle.part("S")
        s.other_kappa, s.other_gamma = combined(bundle, "H", OTHER_H), combined(bundle, "S", OTHER_S)
        s.sigma_field, s.omega_field = in_s(SIGMA), in_s(OMEGA)
        found.append(s)
    return tuple(found)


def product(s: SimpleNamespace, one: Array, two: Array) -> Any:
    """K of two vectors at the place."""
    return one @ s.metric @ two


def pairs(s: SimpleNamespace, fixed: Any, first: list[Any], second: list[Any]) -> Array:
    """``K([X, Y_j], Z_k) + K(Y_j, [X, Z_k])`` for a field X."""
    return np.array(
        [
            [product(s, bracket(fixed, y, s.q), z(s.q)) + product(s, y(s.q), bracket(fixed, z, s.q)) for z in second]
            for y in first
        ]
    )
