"""A system without inputs as a kinematic one: its independent speeds are the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.algebra.calculus import symbol
from nonholo.derive.hamel import hamel
from nonholo.derive.states.consistent_state import complete_state
from nonholo.derive.states.start_derivatives import rated_inputs
from nonholo.errors import ModelError, StateError
from nonholo.model.system import System, check_system, parameter_values, resolve, varied
from nonholo.model.velocities.driven_coordinates import unfolded


def kinematic(system: System, start: Mapping[str, Any] | None = None, *, parameters: Mapping[str, Any] | None = None) -> System:
    """The same constraints with every independent speed z prescribed by an input ``u_z``: a drift-free system in the coordinates.

    >>> sleigh = System(coordinates="theta x y", lagrangian="xdot**2 + ydot**2 + thetadot**2",
    ...                 constraints=["ydot*cos(theta) - xdot*sin(theta)"], quasivelocities={"omega": "thetadot"})
    >>> kinematic(sleigh).inputs
    ('u_omega', 'u_xdot')
    """
    check_system(system)
    if system.parametric is not None:
        raise ModelError(
            f"{system.name}: its velocities are given by parameters; give them inputs, or write its constraints as residuals."
        )
    place: dict[str, float] | None = None
    try:
        numbers = parameter_values(system, parameters)
        place = {**numbers, **complete_state(system, start if start is not None else system.start, numbers)}
    except StateError:
        pass
    speeds = hamel(system, at=place).speeds if place else hamel(system).speeds
    taken = {*system.coordinates, *system.parameters, *system.velocities, *system.quasivelocities}
    names = {}
    for z in map(str, speeds):
        word = f"u_{z}"
        while word in taken:
            word += "_"
        names[z] = word
    rows = [resolve(system, [symbol(z)])[0] - symbol(word) for z, word in names.items()]
    return varied(
        system, constraints=(*system.constraints, *rows), inputs=tuple(names.values()), forces={}, signals={}, page=None,
        start={n: e for n, e in system.start.items() if n in system.coordinates},
    )  # fmt: skip


def steerable(system: System, start: Mapping[str, Any] | None, parameters: Mapping[str, Any] | None) -> System:
    """The system as it is steered: without its laws; inputs whose rates matter are coordinates; speeds are inputs if none are."""
    if not system.inputs:
        return kinematic(system, start, parameters=parameters)
    free = varied(system, signals={}, page=None, start={n: e for n, e in system.start.items() if n not in system.inputs})
    return unfolded(free)[0] if rated_inputs(free) else free
