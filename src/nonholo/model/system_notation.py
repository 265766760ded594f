"""Spelling of a system's names in text and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.geometry.frames.frame import rate
from nonholo.model.rotation_axes import Axis, axes_of, letter_names, matrices
from nonholo.notation.names import Notation, latex_name, notation


def system_notation(system: Any) -> Notation:
    """Parameters, coordinates, velocities and inputs in the order in which the system declares them; rates with dots.

    Rows or columns of rotation matrices are vectors with letters of their own (`nonholo.model.rotation_axes`).
    """
    rates = [*(rate(c) for c in system.coordinates), *(v for v in system.velocities if v.endswith("dot"))]
    own = [*system.velocities, *system.quasivelocities, *(system.parametric[0] if system.parametric else ())]
    turning = matrices(system.coordinates, system.frame.rates)
    speeds = [v for v in own if v not in rates]
    plain = notation(system.parameters, system.coordinates, speeds, system.inputs, rates, turning)
    return with_axes(plain, axes_of(system))


def with_axes(plain: Notation, axes: Sequence[Axis]) -> Notation:
    """The notation with the components of the axes in place of the entries of matrices.

    >>> print(with_axes(notation(coordinates=["R31"]), [Axis("gamma", "R", 3, True)]).name("R31dot"))
    \\dot{\\gamma}_{1}
    """
    table = {entry: latex_name(name, [name] if name.endswith("dot") else ()) for entry, name in letter_names(axes).items()}
    return replace(plain, names=FrozenMap({**plain.names, **table})) if table else plain
