"""Expressions of a machine: poses by recursion, energies as sums over the bodies, contacts, loops and forces as rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError, about
from nonholo.geometry.frames.frame import Frame, rate
from nonholo.machines.dynamics.applied_forces import Acting, Applied, applied_forces, new_inputs
from nonholo.machines.dynamics.mass_properties import (
    Inertia,
    gravity_of,
    inertia_of,
    kinetic_energy,
    potential_energy,
    total,
)
from nonholo.machines.dynamics.plane_wheels import (
    Rolling,
    plane_contact,
    rolling_wheel,
    trailing_caster,
    with_relaxation,
)
from nonholo.machines.dynamics.space_contacts import Touching, contact_names, space_contact
from nonholo.machines.kinematics.closed_loops import loop_residuals, rigid_inertias
from nonholo.machines.kinematics.formula_reading import Formulas
from nonholo.machines.kinematics.kinematic_tree import Placed, coordinate_frames, in_body_rates, kinematic_tree
from nonholo.machines.machine_data import MachineData
from nonholo.notation.read import names_of


@dataclass(frozen=True)
class Assembly:
    """The expressions of a machine from which system, summary, starts, drawing and page are built."""

    machine: MachineData
    formulas: Formulas
    """In parameters, inputs, coordinates, rates and time."""
    placed: Mapping[str, Placed]
    inertias: Mapping[str, Inertia]
    wheels: tuple[Rolling, ...]
    contacts: tuple[Touching, ...]
    frames: tuple[Frame, ...]
    lagrangian: Expr
    holonomic: tuple[Expr, ...]
    constraints: tuple[Expr, ...]
    forces: Mapping[str, Expr]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """All coordinates."""
        return tuple(name for frame in self.frames for name in frame.coordinates)


def assembly_of(machine: MachineData) -> Assembly:
    """All declarations of a machine as expressions."""
    if not machine.bodies:
        raise ModelError(f"{machine.name}: a machine without bodies; give [[bodies]] with name and mass.")
    parameters = _parameters(machine)
    told = _names(machine.inputs)
    fixed = Formulas(machine.name, (*parameters, *told, "t"), machine.plane)
    placed = kinematic_tree(machine, fixed)
    frames = coordinate_frames(placed)
    _check_apart(machine, frames)
    moving = fixed.knowing(*state_names(frames))
    wheels: list[Rolling] = []
    for k, wheel in enumerate(machine.wheels):
        with about("wheels", wheel.body):
            _plane_only(machine, "wheels")
            wheels.append(with_relaxation(rolling_wheel(wheel, k, machine, placed, moving), wheel, moving))
        moving = moving.knowing(*state_names(wheels[-1].frames))
    for k, caster in enumerate(machine.casters):
        with about("casters", caster.body):
            _plane_only(machine, "casters")
            wheels.append(trailing_caster(caster, k, machine, placed, moving))
        moving = moving.knowing(*state_names(wheels[-1].frames))
    frames = in_body_rates([*frames, *(frame for wheel in wheels for frame in wheel.frames)], placed)
    _check_apart(machine, frames)
    moving = moving.knowing(*_velocities(frames))
    inertias = {}
    for body_name, one in placed.items():
        with about("bodies", body_name):
            inertias[body_name] = inertia_of(one.body, fixed)
    touching = [w.contact for w in wheels]
    for contact, name in zip(machine.contacts, contact_names(machine)):
        with about("contacts", contact.body):
            made = plane_contact(contact, name, machine, placed, moving) if machine.plane else None
            touching.append(made or space_contact(contact, name, machine, placed, inertias, fixed))
        frames += touching[-1].frames
    _check_apart(machine, frames)
    moving = moving.knowing(*(n for n in state_names(frames) if n not in moving.names))
    inputs = (*told, *new_inputs(machine, moving))
    moving = replace(moving, names=tuple(dict.fromkeys((*moving.names, *inputs))))
    with about("gravity"):
        gravity = gravity_of(machine, fixed)
    acting = Acting(machine, placed, _velocities(frames), _coordinates(frames), moving)
    applied = reduce(Applied.__add__, (_wheel_forces(w, acting) for w in wheels), applied_forces(acting))
    rigid = rigid_inertias(machine, placed, inertias, fixed)
    kinetic = total([*(kinetic_energy(placed[name], one) for name, one in rigid.items()), *(w.energy for w in wheels)])
    potential = total(potential_energy(placed[name], one, gravity) for name, one in rigid.items())
    loops = []
    for k, loop in enumerate(machine.loops):
        with about("loops", k):
            loops.append(loop_residuals(loop, k, machine, placed, fixed))
    return Assembly(
        machine,
        moving,
        placed,
        inertias,
        tuple(wheels),
        tuple(touching),
        tuple(frames),
        kinetic + applied.kinetic - potential - applied.potential,
        (*(e for rows in loops for e in rows), *(e for one in touching for e in one.equations)),
        (*applied.constraints, *(e for one in touching for e in one.rows)),
        applied.forces,
        inputs,
        parameters,
    )


def _wheel_forces(wheel: Rolling, acting: Acting) -> Applied:
    """Motor torques, and the energy and force of a tyre."""
    where = f"wheel {wheel.contact.law.name!r}: motor"
    torques = {rate(name): acting.formulas.number(torque, where) for name, torque in wheel.torques.items()}
    tyre = Applied(wheel.potential, forces=acting.by_power([((wheel.push,), (wheel.speed,))]))
    return Applied(forces=torques) + tyre


def _coordinates(frames: Sequence[Frame]) -> tuple[str, ...]:
    return tuple(name for frame in frames for name in frame.coordinates)


def _velocities(frames: Sequence[Frame]) -> tuple[str, ...]:
    return tuple(name for frame in frames for name in frame.velocities)


def state_names(frames: Sequence[Frame]) -> tuple[str, ...]:
    """Coordinates, their rates and the velocities."""
    names = _coordinates(frames)
    return tuple(dict.fromkeys((*names, *map(rate, names), *_velocities(frames))))


def _check_apart(machine: MachineData, frames: Sequence[Frame]) -> None:
    """Refuse a coordinate's name with two meanings."""
    seen: set[str] = set()
    for name in (*_coordinates(frames), *(v for frame in frames if not frame.plain for v in frame.velocities)):
        if name in seen:
            raise ModelError(
                f"{machine.name}: two coordinates are called {name!r}; give each joint, wheel and free body names of "
                f"its own."
            )
        seen.add(name)


def _plane_only(machine: MachineData, what: str) -> None:
    if not machine.plane:
        raise ModelError(
            f'{machine.name}: [[{what}]] are for world = "plane"; in space '
            "a wheel is a body with a shape, a hinge and a [[contacts]]."
        )


def _parameters(machine: MachineData) -> tuple[str, ...]:
    """Declared parameters; ``g`` too, where gravity is left to itself or written in it."""
    names = _names(machine.parameters)
    given = machine.gravity
    texts = [e for e in (given if isinstance(given, tuple) else (given,)) if isinstance(e, str)]
    default = (given is None and not machine.plane) or any(re.search(r"\bg\b", text) for text in texts)
    return (*names, "g") if default and "g" not in names else names


def _names(given: object) -> tuple[str, ...]:
    if isinstance(given, Mapping):
        return tuple(given)
    return names_of(given, "parameters") if given else ()
