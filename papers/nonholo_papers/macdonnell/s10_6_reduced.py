"""§10.6: the reduced kinetic energy and potential of the sphere on a surface of revolution."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, identity, moving
from nonholo_papers.macdonnell._ball import at, nu, on_curve, product, rates, states, velocity
from nonholo_papers.macdonnell._together import equal, joined, together
from nonholo_papers.macdonnell._turning import UP
from nonholo_papers.section import Section
from nonholo_papers.so3 import matrix

Array = Any
BALL = ("ball-on-surface",)
CYLINDER, SPHERE = ("ball-in-cylinder",), ("ball-on-sphere", "lagrange-top")
WITNESS = "along the multiplier form"
section = Section("macdonnell", "10.6 Sphere on a surface of revolution: reduced energy")
section.rest("restatement of Lemmas 8.4.1 and 8.4.2", 667, 668)
section.rest("restatement of §§10.1, 10.3, 10.5", 669, 670, 671, 672, 678, 683, 684)


def _energy(s: Any, a: Any, z: Any) -> Any:
    """The whole energy of a state."""
    return s.J * nu(s) @ nu(s) / 2 + s.m * (s.sdot**2 + a**2 * s.thetadot**2) / 2 + s.m * s.g * z


@section.confirmed("§10.6, K̄ and Ū", (673, 674, 675, 676, 677), exhibits=BALL)
def reduced() -> Evidence:
    """κs = r, K̄ = K(κ, κ)/r² = (J + mr²)/r², Ū = mgz + ½{JΩ1² + (J + mr²)a²Ω2²}: the energy is K̄ṡ²/2 + Ū, and K̄s̈ =
    −Ū'.
    """

    def arm(s: Any) -> Any:
        return s.J + s.m * s.r**2

    def hill(z: Any) -> Any:
        return z.m * z.g * at(z).z + (z.J * z.Omega1**2 + arm(z) * at(z).a ** 2 * z.Omega2**2) / 2

    def inertia(s: Any) -> list[Any]:
        row = rates(2, s.q, s)
        return [product(s, row, row, at(s).a) / row[3] ** 2, arm(s) / s.r**2, 2 * (s.m + s.J / s.r**2) / 2]

    def parts(s: Any) -> list[Any]:
        one, two = rates(0, s.q, s), rates(1, s.q, s)
        split = s.Omega1**2 * product(s, one, one, at(s).a) + s.Omega2**2 * product(s, two, two, at(s).a)
        split += 2 * s.Omega1 * s.Omega2 * product(s, one, two, at(s).a)
        return [s.m * s.g * at(s).z + split / 2, hill(s)]

    moving_terms = together(
        states(),
        lambda s: [_energy(s, at(s).a, at(s).z), -(s.m + s.J / s.r**2) * s.sdot**2 / 2, -hill(s)],
        lambda s: [(s.m + s.J / s.r**2) * s.sdot * s.rate("sdot"), s.dot(hill)],
    )
    return joined(
        equal(states(), inertia, parts, lambda s: [velocity(s)[3], s.r * s.roll]),
        moving_terms,
        words=f"the energy, and K̄ṡs̈ = −dŪ/dt {WITNESS}",
    )


def _cylinder() -> list[Any]:
    found = moving("ball-in-cylinder", parameters={"m": 0.9, "J": 0.5, "rho": 0.7, "g": 1.3, "a": 1.6})
    for s in found:
        s.r = s.rho
        s.C1, s.C2 = s.Omega2, s.Omega1 - s.Omega2 * s.s
        s.arm = s.J + s.m * s.r**2
    return found


def _level(s: Any) -> Any:
    """The constant that completing the square leaves in Ū."""
    return s.arm * s.a**2 * s.C1**2 / 2 + s.J * s.C2**2 / 2 - (s.m * s.g + s.J * s.C1 * s.C2) ** 2 / (2 * s.J * s.C1**2)


@section.confirmed("§10.6, inside a cylinder", (679, 680, 681, 682), exhibits=CYLINDER)
def cylinder() -> Evidence:
    """Ū = mgs + ½{J(C1s + C2)² + (J + mr²)a²C1²} = ½JC1²(s − s₀)² + C3: s oscillates harmonically about s₀, or falls
    freely if C1 = 0.
    """

    def hill(s: Any, place: Any) -> Any:
        return s.m * s.g * place + (s.J * (s.C1 * place + s.C2) ** 2 + s.arm * s.a**2 * s.C1**2) / 2

    def rest(s: Any) -> Any:
        return -(s.m * s.g + s.J * s.C1 * s.C2) / (s.J * s.C1**2)

    def straight(s: Any) -> float:
        """With C1 = 0: Ū − mgs does not depend on s."""
        s.C1 = 0.0
        return abs(float(hill(s, 0.3) - hill(s, 1.7) + s.m * s.g * 1.4))

    found = joined(
        equal(
            _cylinder(),
            lambda s: [hill(s, s.s), s.J * s.C1**2 * (s.s - rest(s)) ** 2 / 2 + _level(s)],
            lambda s: [_energy(s, s.a, s.s), (s.m + s.J / s.r**2) * s.sdot**2 / 2 + hill(s, s.s)],
        ),
        identity(_cylinder(), lambda s: [(s.m + s.J / s.r**2) * s.rate("sdot"), s.J * s.C1**2 * (s.s - rest(s))]),
        words=f"the energy, and s̈ {WITNESS}",
    )
    return Evidence(max(found.printed, *(straight(s) for s in _cylinder())), None, found.mutant, found.words)


@section.misprint(
    "§10.6, inside a cylinder, C3",
    (),
    printed=r"C_3 \text{ is a constant, determined by the initial value of } \dot{s}",
    right=r"C_3 = \frac{1}{2}(J + mr^2)a^2C_1^2 + \frac{1}{2}JC_2^2 - \frac{(mg + JC_1C_2)^2}{2JC_1^2} \text{ (or } "
    r"\frac{1}{2}JC_2^2 \text{ if } C_1 = 0\text{)}",
    harm=2,
    breaks="C3 is no free constant of the motion: fitting it to ṡ would change the potential, whose level C1 and C2 give.",
    exhibits=CYLINDER,
    kind="slip",
    because="Ū(s) is a function of s, C₁ and C₂, and Ū = ½JC₁²(s − s₀)² + C₃; ṡ enters E = ½(m + J/r²)ṡ² + Ū only.",
)
def level() -> Evidence:
    """C3 follows from C1 and C2; the initial ṡ determines the energy E, not C3."""
    slower = _cylinder()
    gaps, moved = [], []
    for s in slower:
        rest = -(s.m * s.g + s.J * s.C1 * s.C2) / (s.J * s.C1**2)
        found = s.m * s.g * s.s + (s.J * s.Omega1**2 + s.arm * s.a**2 * s.Omega2**2) / 2  # Ū at the state
        gaps.append(gap(found - s.J * s.C1**2 * (s.s - rest) ** 2 / 2, _level(s)))
        # if ṡ determined C3, C3 would be E − ½K̄ṡ² − … for E fixed; with ṡ halved at fixed E it would change by this
        moved.append((s.m + s.J / s.r**2) * (s.sdot**2 - (s.sdot / 2) ** 2) / 2 / abs(_level(s)))
    return Evidence(min(moved), max(gaps), None, "completing the square at states with any ṡ")


def _sphere() -> list[Any]:
    found = list(on_curve("v*sin(s/v)", "v*cos(s/v)", (("v", 0.8),)))
    for s in found:
        s.arm = s.J + s.m * s.r**2
        s.C1 = s.Omega1
        s.C2 = s.Omega2 * np.sin(s.s / s.v) ** 2 - s.J / s.arm * s.C1 / s.v * np.cos(s.s / s.v)
    return found


@section.confirmed("§10.6, outside a sphere, Ū", 685, exhibits=SPHERE[:1])
def sphere() -> Evidence:
    """Ū = mgv cos(s/v) + ½JC1² + ½(J + mr²)v²{JC1 cos(s/v)/((J + mr²)v) + C2}²/sin²(s/v), the same for −s; it moves s."""

    def hill(s: Any, place: Any) -> Any:
        inner = s.J * s.C1 / (s.arm * s.v) * np.cos(place / s.v) + s.C2
        top = s.m * s.g * s.v * np.cos(place / s.v) + s.J * s.C1**2 / 2
        return top + s.arm * s.v**2 * inner**2 / np.sin(place / s.v) ** 2 / 2

    def slope(s: Any) -> Any:
        return np.imag(hill(s, s.s + 1e-30j)) / 1e-30

    return joined(
        equal(_sphere(), lambda s: [hill(s, s.s), hill(s, -s.s)]),
        identity(
            _sphere(),
            lambda s: [
                _energy(s, s.v * np.sin(s.s / s.v), s.v * np.cos(s.s / s.v)),
                -(s.m + s.J / s.r**2) * s.sdot**2 / 2,
                -hill(s, s.s),
            ],
        ),
        identity(_sphere(), lambda s: [(s.m + s.J / s.r**2) * s.rate("sdot"), slope(s)]),
        words=f"the energy, and s̈ {WITNESS}",
    )


@section.misprint(
    "§10.6, the reduced energy of the ball on a sphere",
    686,
    right=r"E = \ldots + \frac{1}{2}(J + mr^2)v^2\frac{1}{\sin^2\phi}\left\{\frac{JC_1}{(J + mr^2)v}\cos\phi + C_2\right\}^2",
    harm=4,
    breaks="Without the square the energy is wrong, and has a term linear in the velocities; Ū just before it has the square.",
    exhibits=SPHERE[:1],
    kind="slip",
)
def energy() -> Evidence:
    """The reduced energy in φ (φ = −s/v here) has the square of the braces, printed without."""

    def terms(s: Any, power: int) -> list[Any]:
        phi, fast = -s.s / s.v, -s.sdot / s.v
        inner = s.J * s.C1 / (s.arm * s.v) * np.cos(phi) + s.C2
        return [
            _energy(s, s.v * np.sin(s.s / s.v), s.v * np.cos(s.s / s.v)),
            -(s.m + s.J / s.r**2) * s.v**2 * fast**2 / 2,
            -s.m * s.g * s.v * np.cos(phi),
            -s.J * s.C1**2 / 2,
            -s.arm * s.v**2 / np.sin(phi) ** 2 * inner**power / 2,
        ]

    return identity(_sphere(), lambda s: terms(s, 1), lambda s: terms(s, 2), words="the energy of rolling states")


@section.confirmed("§10.6, the ball on a sphere is a Lagrange top", exhibits=SPHERE)
def top() -> Evidence:
    """The centre n of the ball and the axis n of a top both obey I n × n̈ + k ṅ = −w n × e3 with k constant: the same
    trajectories.
    """
    balls = moving(
        "ball-on-sphere", variant="thesis outside", parameters={"m": 0.9, "J": 0.5, "rho": 0.7, "g": 1.3, "v": 0.8}
    )
    tops = moving("lagrange-top", parameters={"m": 0.9, "g": 1.3, "a": 0.8, "J1": 0.6, "J3": 0.7})

    def unit(z: Any) -> Array:
        sine = np.sin(z.s / z.v)
        return np.array([sine * np.cos(z.theta), sine * np.sin(z.theta), np.cos(z.s / z.v)])

    def unit_rate(z: Any) -> Array:
        slant, c, d = np.sin(z.s / z.v), np.cos(z.theta), np.sin(z.theta)
        fast, level = z.sdot / z.v, np.cos(z.s / z.v)
        return np.array(
            [
                level * c * fast - slant * d * z.thetadot,
                level * d * fast + slant * c * z.thetadot,
                -slant * fast,
            ]
        )

    def axis(z: Any) -> Array:
        return matrix(z) @ UP

    def axis_rate(z: Any) -> Array:
        w = np.array([z.w1, z.w2, z.w3])
        return matrix(z) @ np.array([w[1], -w[0], 0 * w[0]])

    def of_ball(s: Any) -> list[Any]:
        inertia = (s.m + s.J / s.rho**2) * s.v**2
        return [
            inertia * np.cross(unit(s), s.dot(unit_rate)),
            s.J * s.Omega1 * s.v / s.rho * unit_rate(s),
            s.m * s.g * s.v * np.cross(unit(s), UP),
        ]

    def of_top(s: Any) -> list[Any]:
        return [
            (s.J1 + s.m * s.a**2) * np.cross(axis(s), s.dot(axis_rate)),
            s.J3 * s.w3 * axis_rate(s),
            s.m * s.g * s.a * np.cross(axis(s), UP),
        ]

    one, two = identity(balls, of_ball), identity(tops, of_top)
    still = max(abs(float(s.rate("Omega1"))) for s in balls)
    spin = max(abs(float(s.rate("w3"))) for s in tops)
    found = joined(one, two, words=f"both {WITNESS}")
    return Evidence(max(found.printed, still, spin), None, found.mutant, found.words)
