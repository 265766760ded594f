"""Attribute trivial Floquet multipliers to flow, symmetry, families and integrals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.orbits import floquet as returning
from nonholo.analyse.orbits.shooting import PERIOD, Shooting, told
from nonholo.analyse.orbits.tangent_flow import Carrier
from nonholo.analyse.stability.conserved_expansions import conserved, integrals_of
from nonholo.analyse.stability.spectrum import Spectrum
from nonholo.analyse.stability.stability import DEGENERATE, Zero

Numbers = NDArray[np.float64]


def trivial_ones(
    shooting: Shooting, carrier: Carrier, unknowns: Numbers, parts: Spectrum, ways: list[Numbers]
) -> tuple[Zero, ...]:
    """What each multiplier beside the genuine ones is due to."""
    flow, state = carrier.flow, unknowns[shooting.places[0]]
    orbit_values = sorted(parts.orbit_values, key=lambda v: (abs(v) < 1e-6, -abs(v.imag), -v.imag))
    result = [Zero("flow", "along the orbit", 1.0)]
    names = _independent(returning.trivial(shooting, unknowns), ("flow", *flow.fields.names))[1:]
    result += [Zero("symmetry", n, 1.0 + complex(v) if abs(v) > 1e-6 else 1.0) for n, v in zip(names, orbit_values)]
    size = shooting.size
    chart = shooting.charts[0]
    energy = told(carrier, chart, ("energy",), state)[1][0]
    left = parts.zeros - len(ways)
    known = conserved(flow, state, integrals_of(flow.system, flow.parameters)) if left > 0 else []
    slopes = [("energy", energy)] + [(one.name, one.slope) for one in known if one.name != "energy"]
    for way in ways:
        move = way[shooting.places[0]] * size[shooting.places[0]]
        changed = [n for n, s in slopes if abs(s @ move) > 1e-5 * max(float(np.linalg.norm(s * size[shooting.places[0]])), 1e-12)]
        if abs(way[shooting.period]) > 1e-5:
            changed.append(PERIOD)
        result.append(Zero("family", "orbits go on" + (f"; along it change {', '.join(changed)}" if changed else ""), 1.0))
    kept = [(one.name, one.slope) for one in known]
    if left > 0 and kept:
        gradients = np.array([s for _, s in kept]) @ parts.tangent
        rank = int(np.linalg.matrix_rank(gradients, tol=1e-6 * max(1.0, float(np.linalg.norm(gradients)))))
        count = min(left, max(0, rank - len(ways)))
        result += [Zero("integral", ", ".join(n for n, _ in kept), 1.0)] * count
        left -= count
    return (*result, *[Zero("degenerate", DEGENERATE, 1.0)] * max(0, left))


def _independent(columns: Numbers, names: tuple[str, ...]) -> list[str]:
    """The names of columns that are independent of those before."""
    kept: list[str] = []
    basis = np.zeros((len(columns), 0))
    for name, column in zip(names, columns.T):
        rest = column - basis @ (basis.T @ column)
        if np.linalg.norm(rest) > 1e-6:
            kept.append(name)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return kept
