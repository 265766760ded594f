"""An axially symmetric rolling body that is no sphere and no disk: h = c0 + c1 cos θ + c2 cos 2θ, with h' = −a sin θ.

Places are q = (W, x), twelve numbers; the states roll, with the rates of the multiplier form of the gallery's body, which
is built from the point of contact alone.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.evidence import Moving, moving_system
from nonholo_papers.macdonnell._turning import LEVEL, UP, body, pack, product
from nonholo_papers.so3 import matrix

Array = Any
VALUES = {"m": 0.9, "g": 1.3, "J1": 0.6, "J3": 0.85, "c0": 1.1, "c1": 0.35, "c2": 0.12}


@lru_cache
def states() -> tuple[Moving, ...]:
    """Generic rolling states."""
    return rolling("c0 + c1*cos(theta) + c2*(2*cos(theta)**2 - 1)", tuple(VALUES.items()))


@lru_cache
def tops() -> tuple[Moving, ...]:
    """The same for Routh's top, a and r constant."""
    return rolling("r + a*cos(theta)", (("m", 0.9), ("g", 1.3), ("J1", 0.6), ("J3", 0.85), ("a", 0.7), ("r", 0.4)))


@lru_cache
def disks() -> tuple[Moving, ...]:
    """The same for a disk."""
    return rolling("rho*sin(theta)", (("m", 0.9), ("g", 1.3), ("J1", 0.6), ("J3", 0.85), ("rho", 0.7)))


def rolling(height: str, values: tuple[tuple[str, float], ...]) -> tuple[Moving, ...]:
    """Rolling states of a body with the height h(θ)."""
    from nonholo.gallery._axisymmetric import axisymmetric, profile

    own = [n for n, _ in values if n not in ("m", "g", "J1", "J3")]
    system = axisymmetric("body", profile(height, parameters=" ".join(own)))
    return tuple(s for s in moving_system(system, dict(values), count=6) if abs(s.R33) < 0.95)[:4]


def shape(theta: Any, p: Any) -> SimpleNamespace:
    """a, r, h, d at θ and the derivatives of a and r; for a body, a top or a disk, by the names of its parameters."""
    c, s = np.cos(theta), np.sin(theta)
    if hasattr(p, "c0"):
        a, r = p.c1 + 4 * p.c2 * c, p.c0 - p.c2 - 2 * p.c2 * c**2
        da, dr = -4 * p.c2 * s, 4 * p.c2 * c * s
    elif hasattr(p, "rho"):
        a, r, da, dr = -p.rho * c / s, p.rho / s, p.rho / s**2, -p.rho * c / s**2
    else:
        a, r, da, dr = p.a + 0 * c, p.r + 0 * c, 0 * c, 0 * c
    return SimpleNamespace(a=a, r=r, h=r + a * c, d=a + r * c, da=da, dr=dr, c=c, s=s)


def tilt(s: Any) -> Any:
    """θ of a state."""
    return np.arccos(s.R33) if not np.iscomplexobj(s.R33) else _arccos(s.R33)


def _arccos(x: Any) -> Any:
    """For a complex step: arccos x + i ε (arccos)'."""
    return np.arccos(np.real(x)) - 1j * np.imag(x) / np.sqrt(1 - np.real(x) ** 2)


def at(s: Any) -> SimpleNamespace:
    """The shape at a state."""
    return shape(tilt(s), s)


def omega(s: Any) -> Array:
    """ω."""
    return np.array([s.w1, s.w2, s.w3])


def centre(s: Any) -> Array:
    """x, the centre of mass, at the height h."""
    return np.array([s.x, s.y, at(s).h])


def place(s: Any) -> Array:
    """q = (W, x)."""
    return pack(matrix(s), centre(s))


def inertia(s: Any) -> Array:
    """J."""
    return np.diag([s.J1, s.J1, s.J3])


def fields(p: Any) -> list[Any]:
    """γ1, γ2 and κ on q, from (ω, ẋ) as the thesis has them."""

    def of(W: Array) -> SimpleNamespace:
        x = W[2, 2]
        return shape(np.arccos(x) if not np.iscomplexobj(x) else _arccos(x), p)

    return [
        body(lambda W, x: UP + 0 * x, lambda W, x: -of(W).r * LEVEL @ W @ UP),
        body(lambda W, x: W.T @ UP, lambda W, x: of(W).a * LEVEL @ W @ UP),
        body(lambda W, x: np.cross(W.T @ UP, UP), lambda W, x: -of(W).d * UP + of(W).h * W @ UP),
    ]


def inner(s: Any, q: Array, one: Array, two: Array) -> Any:
    """K."""
    return product(q, one, two, inertia(s), s.m)


def turning(s: Any) -> Any:
    """θ̇, from cos θ = e3·We3."""
    return -(s.R31 * s.w2 - s.R32 * s.w1) / np.sqrt(1 - s.R33**2)


def second(s: Any) -> Any:
    """Ω2 of Lemma 9.5.1."""
    return (s.R31 * s.w1 + s.R32 * s.w2) / (1 - s.R33**2)


def first(s: Any) -> Any:
    """Ω1 = ϖ3 − cos θ Ω2."""
    return s.w3 - s.R33 * second(s)
