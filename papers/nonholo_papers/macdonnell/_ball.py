"""A ball on a surface of revolution whose centre goes along a catenary, by arc length: a(s), z(s), unit vectors, fields, states.

The curve a = c + k arsinh(s/k), z = sqrt(k² + s²) has unit speed and a curvature that varies. Places are q = (W, s, θ),
eleven numbers, and fields are given by (ν, ṡ, θ̇), with Ẇ = A(ν)W.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.evidence import Moving, moving_system
from nonholo_papers.so3 import AXES, hat, matrix, turn, vee

Array = Any
VALUES = {"m": 0.9, "J": 0.5, "rho": 0.7, "g": 1.3, "c": 2.1, "k": 0.8}


@lru_cache
def states() -> tuple[Moving, ...]:
    """Generic rolling states with the rates of the multiplier form; r is the ball's radius, as in the thesis."""
    own = tuple((n, VALUES[n]) for n in ("c", "k"))
    return on_curve("c + k*log(s/k + sqrt(1 + s**2/k**2))", "sqrt(k**2 + s**2)", own)


@lru_cache
def on_curve(a: str, z: str, own: tuple[tuple[str, float], ...]) -> tuple[Moving, ...]:
    """The same on another curve, with its own parameters; q is (W, s, θ)."""
    from nonholo.gallery.ball_on_surface import exhibit

    values = {n: VALUES[n] for n in ("m", "J", "rho", "g")} | dict(own)
    found = moving_system(exhibit(a=a, z=z, parameters=dict(own)).system, values)
    for s in found:
        s.r = s.rho
        s.q = np.array([*matrix(s).reshape(-1), s.s, s.theta])
    return tuple(found)


def curve(s: Any, p: Any) -> SimpleNamespace:
    """a, z and their derivatives, and φ' = a'z'' − z'a''."""
    root = np.sqrt(p.k**2 + s**2)
    da, dz = p.k / root, s / root
    dda, ddz = -p.k * s / root**3, p.k**2 / root**3
    return SimpleNamespace(
        a=p.c + p.k * np.log((s + root) / p.k), z=root, da=da, dz=dz, dda=dda, ddz=ddz, turn=da * ddz - dz * dda
    )


def at(s: Any) -> SimpleNamespace:
    """The curve at a state."""
    return curve(s.s, s)


def centre(s: Any, theta: Any, p: Any) -> Array:
    """x(s, θ)."""
    c = curve(s, p)
    return turn(3, theta) @ np.array([c.a, 0 * c.a, c.z])


def eta(s: Any, theta: Any, p: Any) -> Array:
    """η."""
    c = curve(s, p)
    return turn(3, theta) @ np.array([c.da, 0 * c.a, c.dz])


def tau(theta: Any) -> Array:
    """τ."""
    return turn(3, theta) @ AXES[1]


def beta(s: Any, theta: Any, p: Any) -> Array:
    """β."""
    c = curve(s, p)
    return turn(3, theta) @ np.array([-c.dz, 0 * c.a, c.da])


def nu(s: Any) -> Array:
    """ν of a state."""
    return np.array([s.nu1, s.nu2, s.nu3])


def velocity(s: Any) -> Array:
    """(ν, ṡ, θ̇) of a state."""
    return np.array([s.nu1, s.nu2, s.nu3, s.sdot, s.thetadot])


def rates(kind: int, q: Array, p: Any) -> Array:
    """(ν, ṡ, θ̇) of γ1, γ2 and κ at q."""
    s, theta = q[9], q[10]
    if kind == 0:
        return np.array([*beta(s, theta, p), 0 * s, 0 * s])
    if kind == 1:
        return np.array([*(curve(s, p).a * eta(s, theta, p)), 0 * s, -p.r + 0 * s])
    return np.array([*(tau(theta) + 0 * s), p.r + 0 * s, 0 * s])


def field(kind: int, p: Any) -> Any:
    """γ1, γ2, κ as fields on q."""

    def whole(q: Array) -> Array:
        found = rates(kind, q, p)
        return np.concatenate([(hat(found[:3]) @ q[:9].reshape(3, 3)).reshape(-1), found[3:]])

    return whole


def seen(q: Array, way: Array) -> Array:
    """(ν, ṡ, θ̇) of a tangent vector at q."""
    return np.array([*vee(way[:9].reshape(3, 3) @ q[:9].reshape(3, 3).T), *way[9:]])


def product(p: Any, one: Array, two: Array, a: Any) -> Any:
    """K of two vectors (ν, ṡ, θ̇)."""
    return p.J * one[:3] @ two[:3] + p.m * (one[3] * two[3] + a**2 * one[4] * two[4])
