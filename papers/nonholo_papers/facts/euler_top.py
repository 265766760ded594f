"""Euler top (free rigid body): published facts and closed forms, with their tests."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._lie_algebra import quadratic_flow
from nonholo_papers.facts._random_states import flows, largest, largest_gap, largest_rate, vector
from nonholo_papers.so3 import matrix

Vector = Any


def _moments(exhibit: Exhibit) -> Vector:
    return np.array([exhibit.parameters[n] for n in ("I1", "I2", "I3")])


def euler_equations(exhibit: Exhibit) -> Finding:
    """Euler's three components, from the rotation matrix, Euler angles, a quaternion and the algebra alone."""
    inertia = _moments(exhibit)
    gaps = []
    for system in (exhibit.system, *exhibit.variants.values()):
        for s, r in flows(system, exhibit.parameters, 3):
            w = vector(s, "w1", "w2", "w3")
            gaps.append(inertia * vector(r, "w1", "w2", "w3") - np.cross(inertia * w, w))
    return bounded("I w' = I w × w in four formulations", largest(gaps), 1e-11, "3 generic states each")


def spatial_momentum(exhibit: Exhibit) -> Finding:
    """``d/dt (R I w) = 0``; energy and ``|I w|`` too."""
    inertia = _moments(exhibit)
    moving = flows(exhibit.system, exhibit.parameters)
    change = largest_gap(
        moving, lambda s: matrix(s) @ (inertia * vector(s, "w1", "w2", "w3")), lambda s, r: np.zeros(3)
    )
    square = largest_rate(moving, lambda s: np.sum((inertia * vector(s, "w1", "w2", "w3")) ** 2))
    return bounded("R I w and |I w|² are constant", max(change, square), 1e-12, "rates at 5 generic states")


def volume(exhibit: Exhibit) -> Finding:
    """``div ṗ = C_AC^C I^AD p_D = 0`` on so(3)* [BMZ 2009, after Theorem 5.1]."""
    from nonholo.derive.hamel import hamel

    equations = hamel(exhibit.variants["Lie algebra"])
    inertia = _moments(exhibit)

    def momentum_flow(p: Vector) -> Vector:
        found = equations.rates(dict(zip(("w1", "w2", "w3"), p / inertia)), exhibit.parameters)
        return inertia * np.array([found[n] for n in ("w1", "w2", "w3")])

    slopes = quadratic_flow(momentum_flow, 3)
    gaps = [np.trace(slopes(p)) for p in (np.array([0.7, -1.1, 0.4]), np.array([-2.0, 0.3, 1.4]))]
    return bounded("the divergence of the momentum flow vanishes", largest(gaps), 1e-12)


def elliptic(exhibit: Exhibit) -> Finding:
    """All named starts, on both sides of the separatrix, against `jacobi`."""
    from nonholo.integrate.motion.simulate import simulate

    gaps = []
    for start in (exhibit.start, *exhibit.starts.values()):
        run = simulate(exhibit.system, start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13)
        w = np.array([start.get(n, 0.0) for n in ("w1", "w2", "w3")])
        mine = np.array([run.data[n].values for n in ("w1", "w2", "w3")])
        gaps.append(mine - jacobi(_moments(exhibit), w, run.data["t"].values))
    return bounded("w = (A cn, B sn, C dn)", largest(gaps), 1e-8, f"{len(gaps)} starts, {exhibit.until:g} s of motion")


def jacobi(inertia: Vector, w: Vector, t: Vector) -> Vector:
    """``w(t) = (A cn u, B sn u, C dn u)`` with ``u = ν t + u0`` [Landau and Lifshitz, Mechanics §37].

    As it stands for ``I1 < I2 < I3`` and ``|p|² > 2 E I2``; otherwise the axes 1 and 3 change places.
    """
    from scipy.special import ellipj, ellipkinc

    energy, square = float(np.sum(inertia * w**2)), float(np.sum((inertia * w) ** 2))
    order = [0, 1, 2] if square >= energy * inertia[1] else [2, 1, 0]
    (one, two, three), start = inertia[order], w[order]
    first = sqrt((energy * three - square) / (one * (three - one)))
    second = sqrt((energy * three - square) / (two * (three - two)))
    third = sqrt((square - energy * one) / (three * (three - one)))
    rate = sqrt((three - two) * (square - energy * one) / (one * two * three))
    modulus = (two - one) * (energy * three - square) / ((three - two) * (square - energy * one))
    side = float(np.sign(start[2]))
    shift = float(ellipkinc(np.arctan2(start[1] / second, side * start[0] / first), modulus))
    sn, cn, dn, _ = ellipj(rate * t + shift, modulus)
    return np.array([side * first * cn, second * sn, side * third * dn])[order]


def middle_axis(exhibit: Exhibit) -> Finding:
    """About the middle axis small turns grow by ``Ω sqrt((I2 − I1)(I3 − I2)/(I1 I3))``."""
    from nonholo.derive.hamel import hamel

    equations = hamel(exhibit.variants["Lie algebra"])
    one, two, three = _moments(exhibit)
    spin = 1.7

    def flow(w: Vector) -> Vector:
        found = equations.rates(dict(zip(("w1", "w2", "w3"), w)), exhibit.parameters)
        return np.array([found[n] for n in ("w1", "w2", "w3")])

    growth = float(np.max(np.linalg.eigvals(quadratic_flow(flow, 3)(np.array([0, spin, 0]))).real))
    wanted = spin * sqrt((two - one) * (three - two) / (one * three))
    return bounded("growth rate about the middle axis", abs(growth - wanted), 1e-9, f"{wanted:.6g} 1/s")


FACTS = (
    Fact("I ẇ = I w × w in every set of coordinates", "Euler 1752; BMZ 2009 (5.2)", euler_equations),
    Fact("the spatial momentum is conserved", "BMZ 2009 §5", spatial_momentum),
    Fact("the momentum's volume is preserved", "BMZ 2009 Theorem 5.1 (SO(3) is unimodular)", volume),
    Fact("the motion in Jacobi's elliptic functions", "Jacobi 1849", elliptic),
    Fact("the middle axis is unstable, at a closed rate", "linearised Euler equations", middle_axis),
)
