"""The inextensible string of Example 3.2 on Chebyshev points in s (and in t, for actions); z is a complex number."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.spectral import Vector, chebyshev, slope

SPACE = chebyshev(22)
TIME = chebyshev(22)
FINE = chebyshev(40, -2.0, 3.0)
"""Arc lengths of a path that a sleigh and a string ride on."""


def twice(z: Vector) -> Vector:
    """``∂²z/∂t²``; z over (s, t)."""
    return z @ (TIME.derivative @ TIME.derivative).T


def over_all(density: Vector) -> float:
    """``∫∫ Re density ds dt``."""
    return float(np.real(TIME.weights @ SPACE.total(density)))


def film(seed: int = 1, ends: bool = False) -> SimpleNamespace:
    """A moving curve z(s, t), free to stretch, with a tension λ(s) and a variation δz (zero at both times)."""
    random = np.random.default_rng(seed)
    a, b, c, d = random.uniform(0.3, 0.8, 4)
    s, t = SPACE.points[:, None], TIME.points[None, :]
    z = s * np.exp(1j * (a * s + b * t)) + c * t**2 + 0.3j * np.sin(d * s + t)
    shift = t * (1 - t) * (np.cos(a * s) + 1j * d * s**2 + 0.4j * np.sin(b * t + s))
    tension = np.sin(np.pi * SPACE.points) + 0.4 * SPACE.points * (1 - SPACE.points)
    if ends:
        tension = tension + 0.6 - 0.9 * SPACE.points
    return SimpleNamespace(z=z, shift=shift, tension=tension)


def action(z: Vector, tension: Vector) -> float:
    """``∫ L(z) dt`` with the Lagrangian of Example 3.2."""
    dot, bent = z @ TIME.derivative.T, SPACE.d(z)
    return over_all((np.abs(dot) ** 2 - tension[:, None] * (np.abs(bent) ** 2 - 1)) / 2)


def varied_action(p: SimpleNamespace) -> float:
    """Its slope along the variation, from values on both sides."""
    return float(slope(lambda tau: action(p.z + tau * p.shift, p.tension)))


def state(seed: int = 1) -> SimpleNamespace:
    """A string at one moment: z_s = e^{iθ}, velocities that keep |z_s| = 1, a tension; ξ, ϰ and what the principle says of ξ̇."""
    random = np.random.default_rng(seed)
    a, b, c, d = random.uniform(-1, 1, 4)
    s = SPACE.points
    theta = a + b * np.sin(1.7 * s) + c * s**2
    omega = d + np.cos(a * s) * s - 0.5 * b
    bent = np.exp(1j * theta)
    z = 0.2 - 0.3j + SPACE.integral @ bent
    dot = complex(c, a) + SPACE.integral @ (1j * omega * bent)
    tension = np.sin(np.pi * s) * (1 + 0.3 * s)
    xi = dot / bent
    acceleration = SPACE.d(tension * bent)
    change = (acceleration - SPACE.d(dot) * xi) / bent
    return SimpleNamespace(
        s=s,
        z=z,
        bent=bent,
        dot=dot,
        xi=xi,
        tension=tension,
        change=change,
        curvature=SPACE.d(theta),
        omega=omega,
        theta=theta,
    )


def loose(seed: int = 1) -> SimpleNamespace:
    """A curve that is stretched, with any ξ, η, η̇ and λ: for identities that hold before the constraint is imposed."""
    random = np.random.default_rng(seed)
    a, b, c, d, e, f = random.uniform(-0.8, 0.8, 6)
    s = SPACE.points
    z = (1.1 + 0.3j) * s + 0.3 * a * np.sin(2 * s) + 0.2j * b * s**2
    xi = c + 1j * d * np.cos(s) + s * (0.4 + 0.3j)
    eta = e + 0.5j * np.sin(s + f) + 0.7 * s**2
    tension = 0.8 + 0.5 * np.cos(2 * s)
    return SimpleNamespace(s=s, z=z, bent=SPACE.d(z), xi=xi, eta=eta, tension=tension, rate=b + 1j * f * s - 0.3 * s**2)


def lagrangian(z: Vector, xi: Vector, tension: Vector) -> float:
    """``l`` of Example 3.2."""
    square = np.abs(SPACE.d(z)) ** 2
    return float(SPACE.total(square * np.abs(xi) ** 2 - tension * (square - 1)) / 2)


def barred(p: SimpleNamespace, which: str, move: Vector) -> complex:
    """``δl/δz̄ δz̄`` or ``δl/δξ̄ δξ̄`` for a variation ``move`` of z or ξ: ½(dl(move) + i dl(i move)), by slopes of l."""

    def along(direction: Any) -> float:
        def value(tau: float) -> float:
            moved = {"z": p.z, "xi": p.xi}
            moved[which] = moved[which] + tau * direction
            return lagrangian(moved["z"], moved["xi"], p.tension)

        return float(slope(value))

    return complex(along(move) + 1j * along(1j * move)) / 2


def total(values: Vector) -> complex:
    """``∫ … ds``."""
    return complex(SPACE.total(values))


def ends(values: Vector) -> complex:
    """``… |_{s=0}^{s=1}``."""
    return complex(values[-1] - values[0])


def riding(sign: float = 1.0) -> SimpleNamespace:
    """Sleigh and string on one path X of unit speed: Z(s, t) = X(σ(t) + s), with the sleigh at s = 0, at a time with σ̈ ≠ 0."""
    u = FINE.points
    alpha = 0.5 * np.sin(1.1 * u) + 0.3 * u
    path = FINE.integral @ np.exp(1j * alpha)

    place, v, gain = 0.35, sign * 0.7, 0.45
    t = chebyshev(14, -0.2, 0.2)
    sigma = place + v * t.points + gain * t.points**2 / 2
    middle = np.linalg.solve(np.vander(t.points, increasing=True).T, np.eye(14)[0])
    film = np.array([interpolate(path, s + SPACE.points) for s in sigma])
    second = t.derivative @ t.derivative
    heading = interpolate(alpha, sigma)
    return SimpleNamespace(
        bent=np.exp(1j * interpolate(alpha, place + SPACE.points)),
        acceleration=middle @ (second @ film),
        spin=float(middle @ (second @ heading)),
        gain=gain, path=path, place=place,
    )  # fmt: skip


def interpolate(values: Vector, places: Vector) -> Vector:
    """The barycentric formula on `FINE`."""
    count = len(FINE.points)
    weights = (-1.0) ** np.arange(count)
    weights[[0, -1]] /= 2
    gaps = np.subtract.outer(np.asarray(places, dtype=float), FINE.points)
    gaps = np.where(gaps == 0, 1e-300, gaps)
    share = weights / gaps
    return (share @ values) / share.sum(axis=-1)
