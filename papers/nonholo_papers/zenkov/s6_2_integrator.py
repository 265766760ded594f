"""Zenkov 2016, §§6.2, 6.3: the discrete pendulum and its simulations."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, along
from nonholo_papers.zenkov import _pendulum as pendulum

section = Section("zenkov", "6.2, 6.3 The discrete pendulum, simulations")
section.rest("definition", 123)
section.rest("data of a simulation; g is not given (9.8 m/s² would make g/r = 1)", 126, 127)
E3 = np.array([0.0, 0.0, 1.0])


def _variation(seed: int) -> tuple[float, Vector, Vector, Vector, tuple[float, float, float, float]]:
    """δs^d of the pendulum along (5.7), (5.8) with [ξ, η] = ξ × η, and what it is made of; η_k across the rod."""
    random = np.random.default_rng(seed)
    m, g, r, h = random.uniform(0.5, 1.5, 4)
    xi, gamma, eta = (random.uniform(-1, 1, (count, 3)) for count in (4, 4, 5))
    xi[:, 2] = eta[:, 2] = eta[0] = eta[-1] = 0
    mixed = (eta[1:] + eta[:-1]) / 2

    def total(speeds: Vector, verticals: Vector) -> Vector:
        kinetic = m * r**2 * np.sum(speeds[:, :2] ** 2) / 2
        return h * (kinetic - m * g * r * np.sum(verticals[:, 2]))

    change = (eta[1:] - eta[:-1]) / h + np.cross(xi, mixed)
    return float(along(total, (xi, gamma), (change, np.cross(gamma, mixed)))), xi, gamma, eta, (m, g, r, h)


def _left_over(seed: int, factor: float) -> list[float]:
    varied, xi, gamma, eta, (m, g, r, h) = _variation(seed)
    inner = eta[1:-1]
    change = m * r**2 * (xi[1:] - xi[:-1]) * np.array([1, 1, 0])
    push = h * factor * m * g * np.cross(gamma[1:] + gamma[:-1], r * E3)
    return [varied, float(np.sum(change * inner)), -float(np.sum(push * inner))]


@section.misprint(
    "(6.6)",
    124,
    right=r"\frac1h\mathcal I(\xi_{k,k+1} - \xi_{k-1,k}) = mg\,\tfrac12(\gamma_{k+1/2} + \gamma_{k-1/2}) \times a",
    harm=5,
    breaks="gravity is doubled: the discrete pendulum keeps K + 2U and swings faster by √2, however small h is",
    exhibits=("spherical-pendulum",),
    kind="error",
    because=(
        "By (5.11) with τ = ½ gravity enters as ½(mgγ_{k−1/2} + mgγ_{k+1/2}) × a. For h → 0 the printed "
        "equation tends to ℐξ̇ = 2mgγ × a."
    ),
)
def discrete_momentum() -> Evidence:
    """The discrete momentum equation, from the discrete Lagrangian of §6.2 and (5.11) with τ = ½."""
    return identity(
        (1, 2, 3),
        lambda k: _left_over(k, 1.0),
        right=lambda k: _left_over(k, 0.5),
        words="the action sum varied along (5.7), (5.8)",
    )


@section.conditional(
    "(6.7), Theorem 6.1",
    (125, "Theorem 6.1"),
    right="(6.6) has the factor ½, and the length of γ is that of γ_{k+1/2}",
    reason="With (6.6) as printed K + 2U is kept, not the energy.",
    harm=4,
    breaks="with (6.6) as printed the energy drifts by 5 % of mgr in 100 steps",
    exhibits=("spherical-pendulum",),
)
def theorem() -> Evidence:
    """The discrete pendulum preserves the energy, the vertical momentum and the length of γ."""

    def drifts(half: float, late: bool = False) -> list[float]:
        xi, gamma = pendulum.discrete(100, half, late=late)
        upright = np.sum(xi * gamma[:, :2], axis=1)
        return [pendulum.drift(e) for e in (pendulum.energy(xi, gamma), upright, np.linalg.norm(gamma, axis=1))]

    doubled = pendulum.drift(pendulum.energy(*pendulum.discrete(100, 1.0), potential=2.0))
    words = f"the paper's start, 100 steps of 0.2 s; as printed K + 2U is kept {'to 1e-12' if doubled < 1e-12 else 'neither'}"
    return Evidence(max(drifts(1.0)), max(drifts(0.5)), min(max(drifts(0.5, True)), 1.0), words)


@section.conditional(
    "§6.2, the mean of γ",
    printed=r"\gamma_{k+1/2} = \tfrac12(\gamma_{k+1} + \gamma_k)",
    right="the length is that of γ_{k+1/2}, which (6.7) keeps",
    reason="(6.7) moves γ_{k+1/2} and keeps its length; nodes γ_k whose means they are do not keep theirs.",
    harm=2,
    breaks="whoever starts with |γ_0| = 1 at a node and forms means has |γ_{1/2}| < 1, and |γ_k| that swing",
)
def nodes() -> Evidence:
    """The length of γ is that of the midpoints, not that of the nodes."""
    _, middle = pendulum.discrete(60)
    nodes = [np.array(pendulum.START[1])]
    nodes[0] = nodes[0] - (middle[1] - middle[0]) / 2  # a node half a step before the first midpoint
    nodes[0] = nodes[0] / np.linalg.norm(nodes[0])
    for gamma in middle:
        nodes.append(2 * gamma - nodes[-1])
    lengths = np.linalg.norm(np.array(nodes), axis=1)
    return Evidence(pendulum.drift(lengths), pendulum.drift(np.linalg.norm(middle, axis=1)), None, "60 steps of 0.2 s")


@section.confirmed("§6.2, order", printed="the integrator approximates the pendulum")
def order() -> Evidence:
    """With (6.6) corrected the discrete height approaches that of the pendulum with order 2; as printed it
    does not approach it.
    """
    from scipy.integrate import solve_ivp

    def rates(_: float, s: Vector) -> Vector:
        xi, gamma = np.array([s[0], s[1], 0.0]), s[2:]
        return np.concatenate([np.cross(gamma, E3)[:2], np.cross(gamma, xi)])

    exact = solve_ivp(rates, (0.0, 2.0), np.concatenate(pendulum.START), "DOP853", [2.0], rtol=1e-12, atol=1e-13).y[
        2:, -1
    ]

    def error(h: float, half: float = 0.5) -> float:
        _, gamma = pendulum.discrete(round(2 / h), half, h)
        return float(np.linalg.norm(gamma[-1] - exact))

    found, printed = np.log2(error(0.05) / error(0.025)), np.log2(error(0.05, 1.0) / error(0.025, 1.0))
    return holds(
        (f"order {found:.3f}", abs(found - 2) < 0.02), against=[("order 2 as printed", abs(printed - 2) < 0.5)]
    )


@section.misprint(
    "§6.3, initial conditions",
    128,
    right=r"\gamma_0^1 = .3, \quad \gamma_0^2 = .2, \quad \gamma_0^3 = -\sqrt{1 - (\gamma_0^1)^2 - "
    r"(\gamma_0^2)^2} \text{ (no unit)}",
    harm=1,
    breaks="γ is the unit vertical seen from the pendulum; in metres its length would have to be r = 9.8",
    exhibits=("spherical-pendulum",),
    kind="slip",
)
def units() -> Evidence:
    """The start of the simulations, γ_0 in metres."""
    size = float(np.linalg.norm(pendulum.START[1]))
    return Evidence(
        abs(size - 9.8) / 9.8, abs(size - 1.0), None, "as a place of the bob, |γ_0| = r = 9.8 m; as a direction, 1"
    )


def _azimuths(gamma: Vector) -> int:
    return int(np.count_nonzero(np.histogram(np.arctan2(gamma[:, 1], gamma[:, 0]), 36, (-np.pi, np.pi))[0]))


@section.confirmed("Figure 4a", "Figure 4", exhibits=("spherical-pendulum",))
def quasiperiodic() -> Evidence:
    """The motion stays between two heights and goes round without closing: quasiperiodic. Through the equator
    it goes as well (4b).
    """
    xi, gamma = pendulum.discrete(4000)
    energy, momentum = float(pendulum.energy(xi, gamma)[0]), float(np.sum(xi[0] * gamma[0, :2]))
    low, middle, _ = np.sort(np.roots([1.0, -energy, -1.0, energy - momentum**2 / 2]).real)
    inside = abs(float(np.min(gamma[:, 2])) - low) < 5e-3 and abs(float(np.max(gamma[:, 2])) - middle) < 5e-3
    state = np.hstack([xi, gamma])
    near = float(np.min(np.linalg.norm(state[200:] - state[0], axis=1)))
    _, over = pendulum.discrete(400, start=((1.6, 0.3), (0.6, 0.2, -0.7745966692414834)))
    crossing = bool(np.min(over[:, 2]) < 0 < np.max(over[:, 2]))
    straight = pendulum.discrete(4000, start=((0.6, 0.0), (0.0, 0.6, -0.8)))[1]
    return holds(
        ("4000 steps go from one height of the pendulum's cubic to the other", inside),
        (f"all 36 azimuths are visited, {_azimuths(gamma)}", _azimuths(gamma) == 36),
        (f"and the start is not met again, but nearly (nearest {near:.1e})", 1e-4 < near < 0.2),
        (
            "a faster start crosses the equator with |γ| = 1 to 1e-13",
            crossing and pendulum.drift(np.linalg.norm(over, axis=1)) < 1e-13,
        ),
        against=[("a planar swing visits all azimuths", _azimuths(straight) == 36)],
    )


@section.confirmed(
    "Figure 5",
    "Figure 5",
    printed=r"10{,}000 \text{ iterations: } |\gamma| \text{ to about } 10^{-14}, \text{ energy to about } 5\cdot10^{-15}",
)
def long_run() -> Evidence:
    """After 10,000 steps length and energy are kept to rounding, some 1e-14."""
    xi, gamma = pendulum.discrete(10_000)
    length, energy = pendulum.drift(np.linalg.norm(gamma, axis=1)), pendulum.drift(pendulum.energy(xi, gamma))
    late = pendulum.drift(np.linalg.norm(pendulum.discrete(100, late=True)[1], axis=1))
    return Evidence(max(length, energy), None, late, f"length {length:.1e}, energy {energy:.1e} in our arithmetic")


@section.confirmed("§6.3, comparison", printed="the energy error is smaller than those of Störmer–Verlet and RATTLE")
def comparison() -> Evidence:
    """With h = 0.2 s Störmer–Verlet and RATTLE let the energy swing by 1e-3 or more; the Hamel integrator
    keeps it to rounding.
    """
    steps = 500
    own = pendulum.drift(pendulum.energy(*pendulum.discrete(steps)))
    others = [pendulum.drift(pendulum.rattle(steps)), pendulum.drift(pendulum.verlet(steps))]
    return Evidence(own, None, min(others), f"RATTLE {others[0]:.1e}, Störmer–Verlet {others[1]:.1e}, Hamel {own:.1e}")


@section.confirmed(
    "§6.3, the errors' origin",
    printed="drifts of length and energy are due to rounding, and could be reduced by compensated summation",
    exhibits=("spherical-pendulum",),
)
def compensated() -> Evidence:
    """After 10,000 steps of 0.2 the errors are of the size of rounding, and smaller with compensated summation."""
    import nonholo as nh

    exhibit = nh.gallery.get("spherical-pendulum")

    def errors(method: str, **more: Any) -> tuple[float, float]:
        run = nh.simulate(
            exhibit.system, exhibit.start, 2000.0, exhibit.parameters, method=method, step=0.2, t_eval=201, progress=False, **more
        )
        size = np.sqrt(sum(run[f"gamma{i}"] ** 2 for i in (1, 2, 3)))
        return float(np.max(np.abs(size - 1))), float(run.drift("energy"))

    plain, summed = errors("hamel", compensated=False), errors("hamel", compensated=True)
    return holds(
        ("both errors are below 1e-13", max(plain) < 1e-13),
        ("compensated summation makes both smaller", summed[0] < plain[0] and summed[1] < plain[1]),
        against=[("a method that does not conserve them has no more", errors("rk4")[1] < 1e-9)],
    )
