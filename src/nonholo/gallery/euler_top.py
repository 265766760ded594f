"""The Euler top: a free rigid body turning about its centre of mass."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._along import flows, largest, largest_gap, largest_rate, matrix, vector
from nonholo.gallery._rigid import UNITS, formulations, quadratic_flow
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, matrix_of

TITLE = "Euler top (free rigid body)"
GROUP = "Bloch–Marsden–Zenkov"
PAPERS = "BMZ 2009 §1, §2.5, (5.2), Theorem 5.1; Notices 2005 (12)"

Vector = Any


def exhibit() -> Exhibit:
    """A free rigid body by its rotation matrix and body angular velocity, Ṙ = R ŵ."""
    forms = formulations("Euler top", "I1 I2 I3")
    system = forms.pop("rotation matrix")
    return Exhibit(
        name="euler-top",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"I1": 0.9, "I2": 1.6, "I3": 2.2},
        start={"w1": 0.05, "w2": 2.0, "w3": 0.1},
        starts={
            "about the smallest axis": {"w1": 2.0, "w2": 0.2, "w3": 0.1},
            "about the largest axis": {"w2": 0.2, "w3": 2.0},
        },
        until=30.0,
        references=("Euler 1752", "BMZ 2009, (2.23), (5.2), (5.3), Theorem 5.1", "Notices 2005, (12), Theorem 6"),
        units=UNITS,
        facts=(
            Fact("I ẇ = I w × w in every set of coordinates", "Euler 1752; BMZ 2009 (5.2)", euler_equations),
            Fact("the spatial momentum is conserved", "BMZ 2009 §5", spatial_momentum),
            Fact("the momentum's volume is preserved", "BMZ 2009 Theorem 5.1 (SO(3) is unimodular)", volume),
            Fact("the motion in Jacobi's elliptic functions", "Jacobi 1849", elliptic),
            Fact("the middle axis is unstable, at a closed rate", "linearised Euler equations", middle_axis),
        ),
        variants=forms,
        drawing=Drawing(
            bodies=(
                Body("ellipsoid", ("0", "0", "0"), matrix_of("R"), _semi_axes(), label="body"),
                Body(
                    "arrow", ("0", "0", "0"), size=_spatial("I1*w1", "I2*w2", "I3*w3"), colour="black", label="momentum"
                ),
            ),
            traces=(Trace(("R12", "R22", "R32"), "middle axis"), Trace(("R13", "R23", "R33"), "largest axis", "grey")),
            ground="none",
            plots=(("t", "w1"), ("t", "w2"), ("t", "w3"), ("w1", "w3")),
        ),
        story=(
            "A body thrown without torque. Its momentum stands still in space and wanders over a sphere as the body sees "
            "it; spun about the middle axis it tumbles over and over, which is why a tossed tennis racket flips."
        ),
    )


def _semi_axes() -> dict[str, str]:
    """The solid ellipsoid of unit density scale with these moments of inertia, ``a² ∝ I2 + I3 − I1``."""
    return {"a": "sqrt(I2 + I3 - I1)/2", "b": "sqrt(I1 + I3 - I2)/2", "c": "sqrt(I1 + I2 - I3)/2"}


def _spatial(*body: str) -> dict[str, str]:
    """A body vector's components in space, for an arrow."""
    return {n: " + ".join(f"R{i}{j + 1}*{b}" for j, b in enumerate(body)) for i, n in enumerate("xyz", 1)}


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
