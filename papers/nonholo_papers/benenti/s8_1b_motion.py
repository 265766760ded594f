"""Benenti 2008, §8.1, second half, and §8.2: the dynamical equations of the segment."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.benenti._segment import pushed
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving
from nonholo_papers.section import Section

Vector = Any
section = Section("benenti", "8.1, 8.2 Velocities orthogonal to the segment: the motion")
EXHIBITS = ("orthogonal-points", "rigid-parallel-points")


def _forces(p: Any) -> Vector:
    """``(Z₁, Z₂)``."""
    return np.array([np.sin(p.theta) * p.Ax - np.cos(p.theta) * p.Ay, p.At])


def _rates(p: Any) -> Vector:
    return np.array([p.rate("v"), p.rate("omega")])


def _metric(p: Any) -> Vector:
    m, c, s = p.m1 + p.m2, np.cos(p.theta), np.sin(p.theta)
    k = p.m2 * p.rho
    return np.array([[m, 0, -k * s], [0, m, k * c], [-k * s, k * c, k * p.rho]])


def _psi(p: Any) -> Vector:
    return np.array([[np.sin(p.theta), -np.cos(p.theta), 0], [0, 0, 1.0]])


def _mu(p: Any) -> float:
    return float((p.m1 + p.m2) / (p.m2 * p.rho))


@section.confirmed("§8.1, Z₁ and Z₂", 90)
def projected() -> Evidence:
    """Z₁ = sin θ A_x − cos θ A_y (the terms with ω² cancel) and Z₂ = A_θ are G ż."""

    def terms(p: Any) -> list[Vector]:
        k = p.m2 * p.rho * p.omega**2
        c, s = np.cos(p.theta), np.sin(p.theta)
        matrix = _psi(p) @ _metric(p) @ _psi(p).T
        first = np.array([s * (k * c + p.Ax), 0.0])
        second = np.array([c * (k * s + p.Ay), 0.0])
        return [matrix @ _rates(p), -first, second, -np.array([0.0, p.At])]

    return identity(pushed(), terms, words="ż of the multiplier form with any forces")


def _expanded(p: Any, factor: float, doubled: bool) -> Vector:
    """The sum over i, j written out as in the paper, times ``factor``; ``doubled`` has 2ψ^i_α ψ^j_β for i < j."""
    g, psi = _metric(p), _psi(p)
    total = np.zeros((2, 2))
    for i in range(3):
        total += np.outer(psi[:, i], psi[:, i]) * g[i, i]
        for j in range(i + 1, 3):
            one, two = np.outer(psi[:, i], psi[:, j]), np.outer(psi[:, j], psi[:, i])
            total += (2 * one if doubled else one + two) * g[i, j]
    return factor * total


@section.misprint(
    "§8.1, G_αβ, the factor",
    "94a",
    printed=r"G_{\alpha\beta} = \rho m_2(\psi^1_\alpha\psi^1_\beta\,g_{11} + \psi^2_\alpha\psi^2_\beta\,g_{22} + \dots)",
    right=r"G_{\alpha\beta} = \psi^1_\alpha\psi^1_\beta\,g_{11} + \psi^2_\alpha\psi^2_\beta\,g_{22} + \dots",
    harm=2,
    breaks="ρm₂ is taken out of g_ij in the second line only; in the first it is counted twice",
    exhibits=EXHIBITS,
    kind="slip",
)
def factor() -> Evidence:
    """The first line of G_αβ has ρm₂ before terms with the whole g_ij."""

    def terms(p: Any, size: float) -> list[Vector]:
        return [_expanded(p, size, False) @ _rates(p), -_forces(p)]

    return identity(
        pushed(),
        lambda p: terms(p, p.rho * p.m2),
        right=lambda p: terms(p, 1.0),
        words="G ż = Z with ż of the multiplier form",
    )


@section.misprint(
    "§8.1, G_αβ, the mixed terms",
    "94b",
    printed=r"2\,\psi^1_\alpha\psi^3_\beta\,g_{13} + 2\,\psi^2_\alpha\psi^3_\beta\,g_{23}",
    right=r"(\psi^1_\alpha\psi^3_\beta + \psi^3_\alpha\psi^1_\beta)\,g_{13} + (\psi^2_\alpha\psi^3_\beta + "
    r"\psi^3_\alpha\psi^2_\beta)\,g_{23}",
    harm=4,
    breaks="for α ≠ β this is not symmetric: it gives G₁₂ twice too large and G₂₁ = 0, and spoils all that follows to (49)",
    exhibits=EXHIBITS,
    kind="error",
    because=(
        "g_ij ψ^i_α ψ^j_β is symmetric in α and β, the printed sum is not: with ψ₁ = (sin θ, −cos θ, 0) and "
        "ψ₂ = (0, 0, 1) it gives G₁₂ = −2ρm₂ and G₂₁ = 0."
    ),
)
def mixed() -> Evidence:
    """The sum g_ij ψ^i_α ψ^j_β written out, with the mixed terms doubled as in a square."""

    def terms(p: Any, doubled: bool) -> list[Vector]:
        return [_expanded(p, 1.0, doubled) @ _rates(p), -_forces(p)]

    return identity(
        pushed(),
        lambda p: terms(p, True),
        right=lambda p: terms(p, False),
        words="G ż = Z with ż of the multiplier form",
    )


@section.confirmed("§8.1, G₁₁ and G₂₂", (95, 97))
def diagonal() -> Evidence:
    """G₁₁ = m and G₂₂ = ρ²m₂: half the kinetic energy's second derivatives along v and ω."""

    def terms(p: Any) -> list[Vector]:
        def kinetic(v: float, omega: float) -> float:
            first = v * np.exp(1j * (p.theta - np.pi / 2))
            second = first + 1j * p.rho * omega * np.exp(1j * p.theta)
            return float((p.m1 * abs(first) ** 2 + p.m2 * abs(second) ** 2) / 2)

        return [np.array([2 * kinetic(1, 0), 2 * kinetic(0, 1)]), -np.array([p.m1 + p.m2, p.rho**2 * p.m2])]

    return identity(pushed(), terms)


def _matrix(p: Any, off: float) -> Vector:
    return np.array([[p.m1 + p.m2, -off * p.rho * p.m2], [-off * p.rho * p.m2, p.rho**2 * p.m2]])


@section.misprint(
    "§8.1, G₁₂",
    (96, 98),
    right=r"G_{12} = -\rho m_2, \quad [G_{\alpha\beta}] = \begin{bmatrix} m & -\rho m_2 \\ -\rho m_2 & \rho^2 m_2 \end{bmatrix}",
    harm=4,
    breaks="the off-diagonal term is counted twice; the matrix is not even positive when m₁ < 3m₂",
    exhibits=EXHIBITS,
    kind="error",
    because=(
        "P₂ has the velocity v − ρω across the segment, so T = ½m₁v² + ½m₂(v − ρω)², whose mixed coefficient "
        "is G₁₂ = −ρm₂."
    ),
)
def off_diagonal() -> Evidence:
    """G₁₂ and the matrix."""
    return identity(
        pushed(),
        lambda p: [_matrix(p, 2) @ _rates(p), -_forces(p)],
        right=lambda p: [_matrix(p, 1) @ _rates(p), -_forces(p)],
        words="G ż = Z with ż of the multiplier form, m₁ = 1.3, m₂ = 0.7",
    )


@section.misprint(
    "§8.1, the inverse",
    99,
    right=r"[G^{\alpha\beta}] = \frac{1}{\rho m_2(\mu\rho - 1)}\begin{bmatrix} \rho & 1 \\ 1 & \mu \end{bmatrix}",
    harm=4,
    breaks="it is singular at m₁ = 3m₂, where nothing happens",
    exhibits=EXHIBITS,
    kind="error",
    because="The matrix of T = ½m₁v² + ½m₂(v − ρω)² has the determinant m₁m₂ρ²; the printed one has (m₁ − 3m₂)m₂ρ².",
)
def inverse() -> Evidence:
    """The inverse of G."""

    def terms(p: Any, off: float) -> list[Vector]:
        mu = _mu(p)
        matrix = np.array([[p.rho, off], [off, mu]]) / (p.rho * p.m2 * (mu * p.rho - off**2))
        return [matrix @ _forces(p), -_rates(p)]

    return identity(
        pushed(), lambda p: terms(p, 2), right=lambda p: terms(p, 1), words="ż = G⁻¹Z against the multiplier form"
    )


@section.confirmed("§8.1, Z^α", 100)
def raised() -> Evidence:
    """Z^α = G^α1 (sin θ A_x − cos θ A_y) + G^α2 A_θ, with the right inverse, is ż."""

    def terms(p: Any) -> list[Vector]:
        matrix = np.linalg.inv(_psi(p) @ _metric(p) @ _psi(p).T)
        forces = _forces(p)
        return [_rates(p), -matrix[:, 0] * forces[0], -matrix[:, 1] * forces[1]]

    return identity(pushed(), terms, words="against the multiplier form")


def _solved(p: Any, off: float) -> list[Vector]:
    mu, (one, two) = _mu(p), _forces(p)
    size = p.rho * p.m2 * (mu * p.rho - off**2)
    return [_rates(p), -np.array([p.rho * one, off * one]) / size, -np.array([off * two, mu * two]) / size]


@section.misprint(
    "§8.1, Z¹ and Z²",
    (101, 102),
    right=r"Z^1 = \frac{\sin\theta A_x - \cos\theta A_y + A_\theta/\rho}{m_1}, \quad "
    r"Z^2 = \frac{\sin\theta A_x - \cos\theta A_y + \mu A_\theta}{m_1\rho}",
    harm=4,
    breaks="wrong accelerations for any forces, in general of the wrong sign",
    exhibits=EXHIBITS,
    kind="error",
    because=(
        "At θ = π/2 with A_y = A_θ = 0 the multiplier form gives dv/dt = A_x/m₁; as printed it is A_x/(m₁ − "
        "3m₂)."
    ),
)
def accelerations() -> Evidence:
    """dv/dt and dω/dt."""
    return identity(
        pushed(),
        lambda p: _solved(p, 2),
        right=lambda p: _solved(p, 1),
        words="against the multiplier form with any forces",
    )


@section.misprint(
    "(49)",
    103,
    right=r"\frac{dv}{dt} = \frac{\sin\theta A_x - \cos\theta A_y + A_\theta/\rho}{m_1}, \quad "
    r"\frac{d\omega}{dt} = \frac{\sin\theta A_x - \cos\theta A_y + \mu A_\theta}{m_1\rho}",
    harm=4,
    breaks="wrong accelerations for any forces; the kinematic equations of (49) are right",
    exhibits=EXHIBITS,
    kind="error",
    because=(
        "At θ = π/2 with A_y = A_θ = 0 the multiplier form gives dv/dt = A_x/m₁; as printed it is A_x/(m₁ − "
        "3m₂)."
    ),
)
def dynamical_equations() -> Evidence:
    """The dynamical equations of the segment."""

    def terms(p: Any, off: float) -> list[Vector]:
        known, *solved = _solved(p, off)
        rates = np.array([p.rate("x"), p.rate("y"), p.rate("theta")])
        wanted = np.array([p.v * np.sin(p.theta), -p.v * np.cos(p.theta), p.omega])
        zero = np.zeros(3)
        return [np.append(rates, known), -np.append(wanted, zero[:2]), *(np.append(zero, e) for e in solved)]

    return identity(
        pushed(),
        lambda p: terms(p, 2),
        right=lambda p: terms(p, 1),
        words="against the multiplier form with any forces",
    )


@section.confirmed(
    "§8.2",
    ("Example 8.2",),
    printed="this example does not differ from the preceding one",
    exhibits=("orthogonal-points",),
)
def rigid() -> Evidence:
    """A rigid massless segment between the points changes nothing: same accelerations as with ρ free to change."""
    from nonholo import gallery
    from nonholo.derive.multipliers import multipliers

    exhibit = gallery.get("orthogonal-points")
    bound = multipliers(exhibit.variants["rigid segment (8.2), parametric (46)"])

    def terms(p: Any) -> list[Vector]:
        state = {n: getattr(p, n) for n in ("x", "y", "theta", "v", "omega")}
        values = {"m1": p.m1, "m2": p.m2, "g": p.g, "rho": p.rho}
        other = bound.rates(state, values)
        names = ("x", "y", "theta", "v", "omega")
        return [np.array([p.rate(n) for n in names]), -np.array([other[n] for n in names])]

    return identity(moving("orthogonal-points"), terms, words="both by the multiplier form, on a slope")


def _discs(moment: float) -> list[Any]:
    values = {"R": 0.3, "A": moment, "C": moment}
    return moving("orthogonal-points", variant="coaxial rolling discs (Remark 7)", parameters=values)


@section.confirmed(
    "Remark 7",
    ("Remark 7", "Figure 3"),
    printed="two coaxial rolling discs: thin blades with masses in their centres realise the examples",
)
def coaxial() -> Evidence:
    """Discs rolling on one axle keep their distance; without moments of inertia they move as the two points, with them not."""

    def gap(p: Any) -> float:
        m2, rho, m1 = p.m2, p.rho, p.m1
        pull = np.array([(m1 + m2) * p.g * np.sin(p.theta), -m2 * p.g * rho * np.sin(p.theta)])
        wanted = np.linalg.solve([[m1 + m2, -m2 * rho], [-m2 * rho, m2 * rho**2]], pull)
        return float(np.max(np.abs(wanted - [p.rate("v"), p.rate("omega")])) / np.max(np.abs(wanted)))

    kept = max(abs(p.rate("rho")) for p in [*_discs(0.0), *_discs(0.08)])
    return Evidence(
        max(kept, *(gap(p) for p in _discs(0.0))),
        None,
        min(gap(p) for p in _discs(0.08)),
        "on a slope, by the multiplier form",
    )
