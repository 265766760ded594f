"""The further coordinates of a contact in numbers: the nearest points of body and surface for a given pose."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.numeric_functions import Formulas
from nonholo.errors import StateError
from nonholo.machines.contact_geometry.contact_rows import ContactGeometry

CLOSE = 1e-10
STARTS = 24
"""First guesses: the given one, then others around it, the same ones every time."""
REACH = 0.6


def closest_points(name: str, contact: ContactGeometry, values: Mapping[str, float]) -> tuple[dict[str, float], float]:
    """Further coordinates of the contact for the coordinates, parameters and time in ``values``, and the gap there.

    Of several solutions of the contact's equations it is the one with the smallest gap in size.
    """
    known = tuple(n for n in values if n not in contact.coordinates)
    if not contact.coordinates:
        return {}, float(Formulas(known, [contact.gap]).at(values)[0])
    own = symbols(contact.coordinates)
    slopes = [e for row in jacobian(contact.equations, own) for e in row]
    formulas = Formulas((*known, *contact.coordinates), [contact.gap, *contact.equations, *slopes])
    fixed = [float(values[n]) for n in known]
    size = len(own)

    def function(point: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        found = formulas.of([*fixed, *point.tolist()])
        return found[1 : 1 + size], found[1 + size :].reshape(size, size)

    guess = np.asarray(Formulas(known, contact.guess).at(values))
    random = np.random.default_rng(11)
    best: tuple[float, NDArray[np.float64]] | None = None
    for k in range(STARTS):
        start = guess if k == 0 else guess + REACH * random.uniform(-1, 1, size)
        if not np.all(np.isfinite(start)):
            continue
        point, residual = gauss_newton(function, start)
        gap = float(formulas.of([*fixed, *point.tolist()])[0])
        near = bool(np.all(np.isfinite(residual))) and float(np.max(np.abs(residual))) < CLOSE
        if near and np.isfinite(gap) and (best is None or abs(gap) < abs(best[0]) - CLOSE):
            best = (gap, point)
        if near and k == 0 and abs(gap) < CLOSE:
            break
    if best is None:
        raise StateError(
            f"contact {name}: no point of the ground was found that is nearest to the body in this position; move the body "
            "closer to the ground, or use a ground that is less curved than the body."
        )
    return dict(zip(contact.coordinates, best[1].tolist())), best[0]
