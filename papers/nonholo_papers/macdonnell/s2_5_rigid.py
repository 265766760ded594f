"""§2.5: the kinematics of a rigid body, as a cloud of points that turns and moves."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.linalg import expm

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, worst
from nonholo_papers.section import Section
from nonholo_papers.spectral import slope

section = Section("macdonnell", "2.5 The kinematics of a rigid body")
section.rest("notation", 31, 32, 37, 39, 40, 41)
section.rest("definition: where the points of the body are, its mass, and the centre of mass as origin", 44, 48, 49)
Array = Any


def hat(z: Array) -> Array:
    """A(z)."""
    return np.array([[0, -z[2], z[1]], [z[2], 0, -z[0]], [-z[1], z[0], 0]])


@lru_cache
def bodies(count: int = 3, seed: int = 2) -> tuple[SimpleNamespace, ...]:
    """Seven points of a body with their masses, about the centre of mass; attitude W(t), centre x(t) and random vectors."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        mass, y = random.uniform(0.3, 1.5, 7), random.uniform(-1, 1, (7, 3))
        y = y - mass @ y / mass.sum()
        omega, start, x, drift = (random.uniform(-1.2, 1.2, 3) for _ in range(4))
        turned = expm(hat(start))

        def attitude(t: float, turned: Array = turned, omega: Array = omega) -> Array:
            return turned @ expm(t * hat(omega))

        inertia = sum(m * ((p @ p) * np.eye(3) - np.outer(p, p)) for m, p in zip(mass, y))

        def places(t: float, attitude: Any = attitude, y: Array = y, x: Array = x, drift: Array = drift) -> Array:
            return x + t * drift + y @ attitude(t).T

        found.append(
            SimpleNamespace(
                mass=mass, y=y, W=turned, Wdot=slope(attitude, 0.2, 14), omega=omega, nu=turned @ omega, x=x, xdot=drift,
                J=inertia, z=places(0.0), zdot=slope(places, 0.2, 14),
                one=random.uniform(-1, 1, 3), two=random.uniform(-1, 1, 3), angle=random.uniform(0.5, 1.5),
            )
        )  # fmt: skip
    return tuple(found)


@section.confirmed("§2.5, A(y)z is the cross product", (33, 34, 35, 36))
def properties() -> Evidence:
    """A(y)z = −A(z)y = y × z, A(Wz) = WA(z)Wᵀ, A(y)A(z) = zyᵀ − (yᵀz)I, A(A(y)z) = A(y)A(z) − A(z)A(y)."""

    def terms(b: SimpleNamespace) -> list[Any]:
        y, z, w = b.one, b.two, b.W
        crossed = np.column_stack([np.cross(y, z), hat(np.cross(y, z)), hat(w @ z), hat(y) @ hat(z)])
        rotated = w @ hat(z) @ w.T
        commuted = hat(y) @ hat(z) - hat(z) @ hat(y)
        return [crossed, np.column_stack([hat(z) @ y, -commuted, -rotated, (y @ z) * np.eye(3) - np.outer(z, y)])]

    found = identity(bodies(), terms)
    wrong = identity(
        bodies(),
        lambda b: [hat(b.one) @ hat(b.two), (b.one @ b.two) * np.eye(3) - np.outer(b.one, b.two)],  # yzᵀ for zyᵀ
    )
    return Evidence(found.printed, None, min(found.mutant or 0, wrong.printed), "against NumPy's cross product")


@section.confirmed("§2.5, the derivative of R(φz)", 38)
def exponential() -> Evidence:
    """∂R(φz)/∂φ = A(z)R(φz) = R(φz)A(z)."""

    def terms(b: SimpleNamespace) -> list[Any]:
        found = slope(lambda h: expm((b.angle + h) * hat(b.one)), 0.2, 14)
        turned = expm(b.angle * hat(b.one))
        return [np.array([found, found]), -np.array([hat(b.one) @ turned, turned @ hat(b.one)])]

    return identity(bodies(), terms)


@section.confirmed("§2.5, R(φz) is the right-handed rotation about z", printed=r"R(\phi z), \ |z| = 1")
def rotation() -> Evidence:
    """R(φz)y = cos φ y + sin φ z × y + (1 − cos φ)(z·y)z for a unit vector z."""

    def terms(b: SimpleNamespace) -> list[Any]:
        z, y, c, s = b.one / np.linalg.norm(b.one), b.two, np.cos(b.angle), np.sin(b.angle)
        return [expm(b.angle * hat(z)) @ y, -c * y, -s * np.cross(z, y), -(1 - c) * (z @ y) * z]

    return identity(bodies(), terms)


@section.misprint(
    "§2.5, the angular velocities",
    42,
    right=r"\dot{W} = W A(\omega) = A(\nu)W",
    harm=1,
    breaks="The dot over W is not in the text: as it stands A(ω) would be the identity, which is not skew.",
    kind="reading",
)
def angular() -> Evidence:
    """ω and ν are determined by Ẇ, printed W."""
    return identity(
        bodies(),
        lambda b: [np.array([b.W, b.W]), -np.array([b.W @ hat(b.omega), hat(b.nu) @ b.W])],
        lambda b: [np.array([b.Wdot, b.Wdot]), -np.array([b.W @ hat(b.omega), hat(b.nu) @ b.W])],
        words="a body that turns, differentiated",
    )


@section.confirmed("§2.5, ν = Wω", 43)
def spatial() -> Evidence:
    """The spatial angular velocity, read off ẆWᵀ, is W times the body's, read off WᵀẆ."""

    def axial(m: Array) -> Array:
        return np.array([m[2, 1], m[0, 2], m[1, 0]])

    return identity(bodies(), lambda b: [axial(b.Wdot @ b.W.T), -b.W @ axial(b.W.T @ b.Wdot)])


@section.confirmed("(2.8) and the display before it", (45, 46, 47))
def velocities() -> Evidence:
    """ż = ẋ + WA(ω)y = ẋ + A(ν)Wy = ẋ + A(ν)(z − x)."""

    def terms(b: SimpleNamespace) -> list[Any]:
        body = np.array([b.W @ hat(b.omega) @ y for y in b.y])
        space = np.array([hat(b.nu) @ b.W @ y for y in b.y])
        about = np.array([hat(b.nu) @ (z - b.x) for z in b.z])
        drift = np.tile(b.xdot, (3, 7, 1))
        return [np.array([b.zdot] * 3), -drift, -np.array([body, space, about])]

    return identity(bodies(), terms)


@section.confirmed("(2.9), the kinetic energy", (50, 51, 52))
def energy() -> Evidence:
    """½∫ρ żᵀż = ½mẋᵀẋ + ½ωᵀJω when the origin is the centre of mass."""

    def terms(b: SimpleNamespace) -> list[Any]:
        whole = float(np.sum(b.mass[:, None] * b.zdot**2) / 2)
        between = sum(m * z @ (b.xdot + b.W @ hat(b.omega) @ y) for m, z, y in zip(b.mass, b.zdot, b.y)) / 2
        drift, turn = b.mass.sum() * b.xdot @ b.xdot / 2, b.omega @ b.J @ b.omega / 2
        return [np.array([whole, between]), -np.array([drift, drift]), -np.array([turn, turn])]

    return identity(bodies(), terms)


@section.confirmed("§2.5, the inertia matrix", (53, 54))
def inertia() -> Evidence:
    """J = −∫ρ A(y)A(y) = ∫ρ[(yᵀy)I − yyᵀ]: constant and symmetric."""

    def terms(b: SimpleNamespace) -> list[Any]:
        return [-sum(m * hat(y) @ hat(y) for m, y in zip(b.mass, b.y)), -b.J]

    return identity(bodies(), terms)


@section.confirmed("§2.5, principal axes", 55)
def principal() -> Evidence:
    """With the principal axes as body axes J is diagonal."""

    def off(b: SimpleNamespace, turned: bool) -> float:
        axes = np.linalg.eigh(b.J)[1] if turned else np.eye(3)
        y = b.y @ axes
        j = -sum(m * hat(p) @ hat(p) for m, p in zip(b.mass, y))
        return float(np.max(np.abs(j - np.diag(np.diag(j)))) / np.max(np.abs(j)))

    return Evidence(
        worst(off(b, True) for b in bodies()), None, min(off(b, False) for b in bodies()), "the mutant has other axes"
    )


@section.confirmed("§2.5, the angular momentum", (56, 57, 58, 59))
def momentum() -> Evidence:
    """∫ρ A(z)ż = mA(x)ẋ + ∫ρ WA(y)A(ω)y = mA(x)ẋ + WJω; the second term is the same about any point."""

    def terms(b: SimpleNamespace) -> list[Any]:
        shift = np.array([0.7, -0.4, 1.1])
        rows = []
        for origin in (0 * shift, shift):
            whole = sum(m * np.cross(z - origin, v) for m, z, v in zip(b.mass, b.z, b.zdot))
            rows.append([whole, b.mass.sum() * np.cross(b.x - origin, b.xdot)])
        split = sum(m * b.W @ hat(y) @ hat(b.omega) @ y for m, y in zip(b.mass, b.y))
        turn = b.W @ b.J @ b.omega
        return [
            np.array([rows[0][0], rows[1][0], rows[0][0]]),
            -np.array([rows[0][1], rows[1][1], rows[0][1]]),
            -np.array([turn, turn, split]),
        ]

    return identity(bodies(), terms)
