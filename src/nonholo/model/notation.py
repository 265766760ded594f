"""How the names of a system are written."""

from __future__ import annotations

from typing import Any

from nonholo.algebra.names import Notation, notation
from nonholo.geometry.frame import rate


def system_notation(system: Any) -> Notation:
    """Parameters, coordinates, velocities and inputs in the order in which the system declares them; rates with dots."""
    rates = [*(rate(c) for c in system.coordinates), *(v for v in system.velocities if v.endswith("dot"))]
    own = [*system.velocities, *system.quasivelocities, *(system.parametric[0] if system.parametric else ())]
    return notation(system.parameters, system.coordinates, [v for v in own if v not in rates], system.inputs, rates)
