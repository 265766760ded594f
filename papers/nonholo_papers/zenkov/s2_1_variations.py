"""Zenkov 2016, §§2.1, 2.2: the Euler–Lagrange and the Euler–Poincaré equations."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving, share
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, along, chebyshev
from nonholo_papers.zenkov import _numeric_frame as frame

section = Section("zenkov", "2.1, 2.2 The Euler–Lagrange and Euler–Poincaré equations")
section.rest("definition", 2, 3, "Definition 2.1")
section.rest("the principle itself; Theorem 2.2 says what it is equivalent to", 8)


def _curves() -> list[SimpleNamespace]:
    return [frame.curve(seed) for seed in (1, 2, 3)]


def _slope_of_lagrangian(c: SimpleNamespace, which: int) -> Vector:
    return frame.gradient(frame.lagrangian, c.q, c.dot, which)


@section.confirmed("§2.1, the Euler–Lagrange equations", 1)
def euler_lagrange() -> Evidence:
    """The variation of the action of a generic Lagrangian along a curve that is not a motion is what the equations leave over."""
    return identity(
        _curves(),
        lambda c: [
            frame.variation(c),
            frame.pair(frame.INTERVAL.d(_slope_of_lagrangian(c, 1)), c.shift),
            -frame.pair(_slope_of_lagrangian(c, 0), c.shift),
        ],
        words="δ∫L dt by complex steps on 36 Chebyshev points, three curves with fixed ends",
    )


@section.confirmed("Theorem 2.1", "Theorem 2.1")
def hamilton() -> Evidence:
    """A curve that solves the Euler–Lagrange equations makes the action stationary for fixed ends, and another one does not."""
    from scipy.integrate import solve_ivp

    t = frame.INTERVAL.points

    def rates(_: float, state: Vector) -> Vector:
        q, v = state[None, :3], state[None, 3:]
        unit = np.eye(3)
        mass = np.array([[_mixed(q, v, one, two) for one in unit] for two in unit])
        turned = along(lambda place: frame.legendre(place, v), (q,), (v,))[0]
        force = frame.gradient(frame.lagrangian, q, v, 0)[0] - turned
        return np.concatenate([state[3:], np.linalg.solve(mass, force)])

    start = np.array([0.3, -0.4, 0.5, 0.6, 0.2, -0.5])
    found = solve_ivp(rates, (0.0, 1.0), start, t_eval=t, method="DOP853", rtol=1e-12, atol=1e-13)
    off, on = [], []
    for c in _curves():
        motion = SimpleNamespace(q=found.y[:3].T, shift=c.shift)
        size = float(frame.INTERVAL.total(np.abs(frame.lagrangian(motion.q, frame.INTERVAL.d(motion.q)))))
        on.append(share(frame.variation(motion), size))
        off.append(share(frame.variation(c), size))
    return Evidence(max(on), None, min(off), "the action's slope on a motion by DOP853, and on curves that are none")


def _mixed(q: Vector, v: Vector, one: Vector, two: Vector) -> float:
    """``∂²L/∂v²``: L is quadratic in v, so second differences are exact."""
    value = frame.lagrangian(q, v + one + two) - frame.lagrangian(q, v + one)
    return float((value - frame.lagrangian(q, v + two) + frame.lagrangian(q, v))[0])


@section.confirmed("§2.1, the variation of the velocity", 4)
def velocity_variation() -> Evidence:
    """The variation of the velocity of a family of curves is the velocity of the variation."""

    def family(c: SimpleNamespace, tau: Any) -> Vector:
        return c.q * (1 + np.sin(tau)) + tau * c.shift * np.cos(c.q)

    def terms(c: SimpleNamespace) -> list[Vector]:
        varied = along(lambda tau: frame.INTERVAL.d(family(c, tau)), (np.array(0.0),), (np.array(1.0),))
        shift = along(lambda tau: family(c, tau), (np.array(0.0),), (np.array(1.0),))
        slope = frame.INTERVAL.d(c.q)
        by_hand = slope + frame.INTERVAL.d(c.shift) * np.cos(c.q) - c.shift * np.sin(c.q) * slope
        return [np.array([varied, varied]), -np.array([frame.INTERVAL.d(shift), by_hand])]

    return identity(_curves(), terms, words="a family that bends with its parameter, on 36 Chebyshev points")


@section.confirmed("§2.2, the Euler equations of a rigid body", 5, exhibits=("euler-top",))
def euler_top() -> Evidence:
    """The free rigid body with body angular velocity Ω and inertia J."""
    points = moving("euler-top")

    def terms(p: Any) -> list[Vector]:
        inertia = np.array([p.I1, p.I2, p.I3])
        spin = np.array([p.w1, p.w2, p.w3])
        change = np.array([p.rate(n) for n in ("w1", "w2", "w3")])
        return [inertia * change, -np.cross(inertia * spin, spin)]

    return identity(points, terms, words="against the multiplier form in Cardan angles")


@section.confirmed("§2.2, the Euler equation of a fluid", 6)
def euler_fluid() -> Evidence:
    """An ideal incompressible flow: vorticity carried with it gives ∂v/∂t, the pressure solves Poisson's equation."""
    count = 24
    k = np.fft.fftfreq(count, 1 / count)
    kx, ky = np.meshgrid(k, k, indexing="ij")
    square = np.where((kx == 0) & (ky == 0), 1.0, kx**2 + ky**2)

    def spectral(values: Vector, factor: Vector) -> Vector:
        return np.real(np.fft.ifft2(factor * np.fft.fft2(values)))

    def flow(stream: Vector) -> Vector:
        return np.stack([spectral(stream, 1j * ky), -spectral(stream, 1j * kx)])

    def drawn(seed: int) -> Vector:
        """A stream function of few waves."""
        random = np.random.default_rng(seed)
        few = (np.abs(kx) <= 3) & (np.abs(ky) <= 3) & (square > 0)
        return np.real(np.fft.ifft2(np.where(few, random.uniform(-1, 1, (count, count)), 0.0)))

    def terms(stream: Vector) -> list[Vector]:
        v = flow(stream)
        vorticity = -spectral(stream, -(kx**2 + ky**2))
        carried = -v[0] * spectral(vorticity, 1j * kx) - v[1] * spectral(vorticity, 1j * ky)
        change = flow(spectral(carried, 1 / square))
        rates = np.array([[spectral(v[i], 1j * kk) for kk in (kx, ky)] for i in range(2)])
        bent = np.einsum("jxy,ijxy->ixy", v, rates)
        source = -np.einsum("ijxy,jixy->xy", rates, rates)
        pressure = spectral(source, -1 / square)
        return [change, bent, np.stack([spectral(pressure, 1j * kx), spectral(pressure, 1j * ky)])]

    return identity(map(drawn, (1, 2, 3)), terms, words="Fourier grid of 24 × 24 on the torus, ∂v/∂t from the vorticity equation")


@section.confirmed("(2.1), Theorem 2.2", (7, "Theorem 2.2"))
def euler_poincare() -> Evidence:
    """The variational principle on a Lie algebra gives d/dt δl/δξ = ± ad*_ξ δl/δξ with the sign of δξ = η̇ ± ad_ξ η."""
    return identity(
        [_group(1, +1), _group(2, +1), _group(3, -1), _group(4, -1)],
        lambda p: [p.varied, p.total(p.grid.d(p.momentum), p.eta), -p.sign * p.total(_coadjoint(p), p.eta)],
        words="GL(2), left (+) and right (−) velocities, a cubic l, δ∫l dt by a complex step in the group",
    )


@section.confirmed("Theorem 2.2, δξ = η̇ ± ad_ξ η", printed=r"\delta\xi = \dot{\eta} \pm \operatorname{ad}_{\xi} \eta")
def lie_variation() -> Evidence:
    """How a variation of the curve in the group varies its left (+) or right (−) velocity."""
    return identity(
        [_group(1, +1), _group(3, -1)],
        lambda p: [p.shift, -p.grid.d(p.eta), -p.sign * (p.xi @ p.eta - p.eta @ p.xi)],
        words="GL(2), by a complex step in the group",
    )


def _coadjoint(p: SimpleNamespace) -> Vector:
    """``ad*_ξ μ`` with the pairing ``tr(μᵀ η)``."""
    transposed = np.swapaxes(p.xi, -1, -2)
    return transposed @ p.momentum - p.momentum @ transposed


def _group(seed: int, sign: int) -> SimpleNamespace:
    """A curve of invertible matrices with its left or right velocity, varied along ``g η`` or ``η g``."""
    grid = chebyshev(34)
    random = np.random.default_rng(seed)
    t = grid.points[:, None, None]
    a, b, c, d = random.uniform(-0.4, 0.4, (4, 2, 2))
    g = np.eye(2) + a * np.sin(t) + b * t**2
    eta = t * (1 - t) * (c + d * np.cos(2 * t))
    weights, cubes = random.uniform(0.5, 1.5, (2, 2, 2))

    def velocity(size: Any) -> Vector:
        moved = g @ (np.eye(2) + size * eta) if sign > 0 else (np.eye(2) + size * eta) @ g
        dot, inverse = grid.d(moved), np.linalg.inv(moved)
        return inverse @ dot if sign > 0 else dot @ inverse

    def density(xi: Vector) -> Vector:
        terms = weights * xi**2 / 2 + cubes * xi**3 / 3
        return np.sum(terms, axis=(-1, -2)) + 0.3 * xi[..., 0, 1] * xi[..., 1, 0]

    xi = velocity(0.0)
    shift = along(velocity, (np.array(0.0),), (np.array(1.0),))
    momentum = weights * xi + cubes * xi**2
    momentum[..., 0, 1] += 0.3 * xi[..., 1, 0]
    momentum[..., 1, 0] += 0.3 * xi[..., 0, 1]
    varied = float(along(lambda s: grid.total(density(velocity(s))), (np.array(0.0),), (np.array(1.0),)))
    return SimpleNamespace(
        grid=grid, xi=xi, eta=eta, shift=shift, momentum=momentum, varied=varied, sign=sign,
        total=lambda one, two: float(grid.total(np.sum(one * two, axis=(-1, -2)))),
    )  # fmt: skip
