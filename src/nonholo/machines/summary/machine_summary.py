"""What was understood of a machine, as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, along, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import Formulas
from nonholo.errors import NonholoError
from nonholo.machines.display.machine_drawing import undrawn
from nonholo.machines.dynamics.assembly import Assembly, assembly_of
from nonholo.machines.kinematics.kinematic_tree import checked_joints
from nonholo.machines.kinematics.spatial_vectors import point_place
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_system import system_of
from nonholo.machines.starts.body_starts import closed_start
from nonholo.machines.starts.closed_configuration import known_values, plain_number
from nonholo.machines.summary.model_warnings import model_warnings
from nonholo.model.contacts import ContactLaw
from nonholo.model.system import TIME, System, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text


def machine_summary(machine: MachineData) -> str:
    """Bodies and masses, where contacts touch, degrees of freedom, redundant contacts, warnings; mistakes as their one line."""
    try:
        return "\n".join(_lines(machine))
    except NonholoError as trouble:
        return f"{machine.name}: {len(machine.bodies)} bodies; it cannot be assembled: {trouble}"


def _lines(machine: MachineData) -> list[str]:
    parts = assembly_of(machine)
    system = system_of(parts)
    values = known_values(system, None)
    lines = [f"{machine.name}: {_counts(machine)}"]
    joints = checked_joints(machine)
    width = max(len(name) for name in parts.placed)
    for name, inertia in parts.inertias.items():
        joint = joints.get(name)
        motion = parts.placed[name].motion
        held = "free" if joint is None else f"{joint.type} on {joint.parent}"
        names = (
            " ".join(motion.coordinates)
            if len(motion.coordinates) < 9
            else f"{motion.coordinates[0]} … {motion.coordinates[-1]}"
        )
        lines.append(f"  {name:<{width}}  {_number(inertia.mass, values)} kg, {held}{f': {names}' if names else ''}")
    if values is None:
        missing = ", ".join(n for n, e in system.parameters.items() if e is None and n != "g")
        return [*lines, f"  no numbers: the parameters {missing} have no values", *_notes(machine)]
    began = closed_start(system, machine.start, movable=True)
    place = _place(system, began.start, values)
    lines += _masses(parts, place)
    for one in parts.contacts:
        law = one.law
        point = ", ".join(f"{e:.4g}" for e in Formulas(tuple(place), law.point).at(place).round(12) + 0.0)
        lines.append(f"  {law.name} touches {law.on} at ({point}) m{_laws(law)}")
    lines.append(f"  degrees of freedom: {_freedom(system, place)}")
    lines += [f"  redundant: {row}; its forces are shared by least squares" for row in redundant_rows(system, place)]
    lines += [f"  start moved so that contacts and loops close: {word}" for word in began.moved]
    lines += [f"  warning: {word}" for word in model_warnings(parts, system, place)]
    lines += [f"  note: {word}" for one in parts.contacts for word in one.remarks]
    lines += [f"  not drawn, at the end of a long chain: {', '.join(left_out)}"] if (left_out := undrawn(parts)) else []
    return [*lines, *_notes(machine)]


def _notes(machine: MachineData) -> list[str]:
    return [f"  not understood: {note}" for note in machine.notes]


def _counts(machine: MachineData) -> str:
    kinds = (
        "bodies",
        "joints",
        "loops",
        "wheels",
        "casters",
        "contacts",
        "springs",
        "motors",
        "gears",
        "sensors",
        "loads",
    )
    singular = {"bodies": "body"}
    found = []
    for kind in kinds:
        count = len(getattr(machine, kind))
        if count:
            found.append(f"{count} {kind if count > 1 else singular.get(kind, kind[:-1])}")
    return f"{', '.join(found)} in the {machine.world}" if machine.plane else f"{', '.join(found)} in {machine.world}"


def _number(value: Expr, values: Mapping[str, float] | None) -> str:
    if value.is_Number:
        return f"{float(value):.6g}"
    if values is None:
        return to_text(value)
    return f"{to_text(value)} = {Formulas(tuple(values), [value]).at(values)[0]:.6g}"


def _place(system: System, start: Mapping[str, object], values: Mapping[str, float]) -> dict[str, float]:
    home = dict(zip(system.coordinates, system.frame.home))
    told = {n: float(plain_number(start[n])) for n in home if n in start}
    return {**values, **home, **told, **dict.fromkeys(system.velocities, 0.0)}


def _masses(parts: Assembly, place: Mapping[str, float]) -> list[str]:
    """Total mass and centre of mass of the bodies at the start."""
    total = se.Add(*(one.mass for one in parts.inertias.values()))
    moments = [
        tuple(one.mass * e for e in point_place(parts.placed[name].pose, one.center))
        for name, one in parts.inertias.items()
    ]
    found = Formulas(tuple(place), [total, *(se.Add(*axis) for axis in zip(*moments))]).at(place)
    if not found[0]:
        return ["  no mass"]
    count = 2 if parts.machine.plane else 3
    middle = ", ".join(f"{e:.4g}" for e in found[1 : 1 + count] / found[0] + 0.0)
    return [f"  mass {found[0]:.6g} kg, centre of mass at ({middle}) m at the start"]


def _laws(law: ContactLaw) -> str:
    words = ["until it slips"] if law.slips else ["sliding"] if not law.rolls else []
    words += ["without slip" if len(law.slip) == 2 else "without sideways slip"] if law.slip and not words else []
    words += ["may lift off"] if law.lifts else []
    return f", {', '.join(words)}" if words else ""


def _freedom(system: System, place: Mapping[str, float]) -> str:
    """Velocities that remain, and the dimension of the configurations."""
    rows = constraint_rows(system)
    size = len(system.velocities)
    flat = [e for row in rows.slopes for e in row]
    rank = 0
    if flat and rows.linear:
        numbers = Formulas(tuple(place), flat).at(place).reshape(-1, size)
        rank = int(np.linalg.matrix_rank(numbers, tol=1e-9)) if np.all(np.isfinite(numbers)) else len(rows.slopes)
    held = _rank(system, place)
    return f"{size - rank} in velocity, {size - held} in configuration"


def _rank(system: System, place: Mapping[str, float]) -> int:
    if not system.holonomic:
        return 0
    rates = [e for residual in system.holonomic for e in _slopes(system, residual)]
    numbers = Formulas(tuple(place), rates).at(place).reshape(len(system.holonomic), -1)
    return int(np.linalg.matrix_rank(numbers, tol=1e-9)) if np.all(np.isfinite(numbers)) else len(system.holonomic)


def _slopes(system: System, residual: Expr) -> tuple[Expr, ...]:
    motion = dict(zip(symbols(system.coordinates), system.frame.rates))
    return gradient(along([residual], motion)[0], symbols(system.velocities))


@dataclass(frozen=True)
class RedundantRow:
    """A row of a contact that follows from the rows of others."""

    contact: str
    what: str
    """What it excludes: a gap, slip along, sideways slip."""
    by: tuple[str, ...]
    """The contacts that exclude it already; none where joints and other constraints do."""

    def __str__(self) -> str:
        others = (
            " and ".join([", ".join(self.by[:-1]), self.by[-1]] if len(self.by) > 1 else self.by) or "other constraints"
        )
        return f"{self.contact}: {self.what} is excluded already by {others}"


def row_names(law: ContactLaw) -> tuple[str, ...]:
    """What the rows of a contact exclude, in words: its gap first, then its slips."""
    gap = ("leaving the surface",) if law.gap is not None else ()
    if len(law.slip) == 2:
        return (*gap, "slip along", "sideways slip")
    one = "sideways slip" if law.across and not law.along else "slip across the rollers"
    return (*gap, *(one for _ in law.slip))


def redundant_rows(system: System, place: Mapping[str, float]) -> tuple[RedundantRow, ...]:
    """The rows of contacts that the system leaves out, with the contacts whose rows they follow from at a place."""
    rows: list[tuple[str, str, Expr, bool]] = []
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    for law in system.contacts:
        names = iter(row_names(law))
        if law.gap is not None:
            rows.append((law.name, next(names), along([law.gap], motion)[0], law.gap in system.holonomic))
        slips = resolve(system, law.slip)
        rows += [
            (law.name, next(names), e, given in system.constraints) for e, given in zip(slips, law.slip) if law.rolls
        ]
    if all(kept for *_, kept in rows):
        return ()
    v = symbols(system.velocities)
    table = [e for _, _, row, _ in rows for e in gradient(row, v)]
    numbers = Formulas(tuple(place), table).at(place).reshape(len(rows), -1)
    found = []
    for k, (name, what, _, kept) in enumerate(rows):
        if kept:
            continue
        others = [j for j, row in enumerate(rows) if row[3]]
        parts = np.linalg.lstsq(numbers[others].T, numbers[k], rcond=None)[0] if others else np.zeros(0)
        by = dict.fromkeys(rows[j][0] for j, part in zip(others, parts) if abs(part) > 1e-9 and rows[j][0] != name)
        found.append(RedundantRow(name, what, tuple(by)))
    return tuple(found)
