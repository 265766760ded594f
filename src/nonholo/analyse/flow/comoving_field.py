"""The flow seen from the symmetry that carries a steady motion.

Where ``f(y) = c^a η_a(y)`` with ``η_a`` the generators of a symmetry on the states, ``f − c^a η_a`` rests, and its slopes are
the constant matrix of the motion in variables that move along.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.flow.lifted_generators import Lifted, lifted
from nonholo.errors import StateError
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.model.system import System
from nonholo.symmetry.group.symmetry_group import group_of

Numbers = NDArray[np.float64]
STEADY = 1e-7
"""Rates further than this part of the largest (at least 1) from all motions of the group are not steady."""


class Comoving(NamedTuple):
    """What is taken from rates and slopes, and how fast each generator carries the motion: (rows, …)."""

    rates: Numbers
    slopes: Numbers
    velocity: dict[str, Numbers]


def comoving(kernel: SystemKernel, system: System | None, rows: Numbers, flow: Numbers) -> Comoving:
    """The part of the flow at some states that is a motion of the symmetry group; a StateError when something is left."""
    if system is None:
        raise StateError(f"{kernel.equations.name}: comoving: equations by hand have no symmetry; give the System.")
    chosen = _chosen(lifted(system, kernel), system)
    if not len(chosen):
        raise StateError(f"{system.name}: comoving: no symmetry was declared or found; leave comoving out.")
    fields, slopes = chosen(rows)
    speeds = np.array([np.linalg.lstsq(field.T, rate, rcond=1e-9)[0] for field, rate in zip(fields, flow)])
    rates = np.einsum("ka,kai->ki", speeds, fields)
    left = np.max(np.abs(flow - rates), axis=1)
    if np.any(left > STEADY * np.maximum(1.0, np.max(np.abs(flow), axis=1))):
        raise StateError(
            f"{system.name}: comoving: the state is no steady motion, its rates are {np.max(left):.3g} from every motion of the "
            f"symmetry ({', '.join(chosen.names)}); give a state that is one."
        )
    return Comoving(rates, np.einsum("ka,kaij->kij", speeds, slopes), dict(zip(chosen.names, speeds.T)))


def _chosen(every: Lifted, system: System) -> Lifted:
    """The declared generators, or a group that acts freely, found: then the velocity is one, but for special states."""
    wanted = system.symmetry.generators if system.symmetry is not None else group_of(system).affine.generators
    return every.only([a for a, name in enumerate(every.names) if name in wanted])
