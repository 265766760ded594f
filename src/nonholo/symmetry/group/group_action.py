"""A group acting on a system: generators, closure, invariance of the system."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, gradient, jacobian, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.errors import ModelError
from nonholo.finding import Finding, Invariance, Measured, Part
from nonholo.geometry.frames.frame import Frame
from nonholo.model.declared_words import Parametric
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System, force_covector
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.notation.read import expression
from nonholo.symmetry.group.affine_symmetries import onto_constraints, places_of
from nonholo.symmetry.group.coordinate_blocks import blocks_of
from nonholo.symmetry.vector_fields import Field, bracket, components, derivatives, velocity_lift

LIMIT = 1e-8
"""A change this small beside the quantity's own size is rounding."""
PLACES = 4


@dataclass(frozen=True)
class Action:
    """Generators ``ξ_a`` of a group by their components in the system's frame, with ``[ξ_a, ξ_b] = c_ab^c ξ_c``.

    The generators of a left action close with the structure constants of the group's algebra up to the sign.
    """

    names: tuple[str, ...]
    fields: tuple[Field, ...]
    on_coordinates: tuple[tuple[Expr, ...], ...]
    constants: NDArray[np.float64] = dataclasses.field(compare=False)
    """``c[a][b][c]`` as numbers; they follow from the fields."""
    rank: int
    """Dimension of the generic orbit."""


def action(system: System, symmetry: Symmetry) -> Action:
    """The action declared by a symmetry, read and checked: tangent fields whose brackets close with constants."""
    names, on_coordinates = [], []
    known = (*system.coordinates, *system.parameters)
    for name, table in symmetry.generators.items():
        where = f"{system.name}: symmetry, generator {name!r}"
        stray = [c for c in table if c not in system.coordinates]
        if stray:
            raise ModelError(f"{where} moves {stray[0]!r}, which is none of {', '.join(system.coordinates)}.")
        names.append(name)
        on_coordinates.append(
            tuple(expression(table[c], known, f"{where}, {c}") if c in table else ZERO for c in system.coordinates)
        )
    hidden = hidden_turns(system.frame)
    fields = tuple(
        hidden[name]
        if name in hidden and all(e == 0 for e in field)
        else components(system.frame, field, f"{system.name}: symmetry, generator {name!r}")
        for name, field in zip(names, on_coordinates)
    )
    places = samples_of(system, count=PLACES)
    ranks = [int(np.linalg.matrix_rank(evaluate_matrix(fields, p), tol=1e-9)) for p in places]
    found = _constants(system, names, fields, places)
    return Action(tuple(names), fields, tuple(on_coordinates), found, max(ranks))


def hidden_turns(frame: Frame) -> dict[str, Field]:
    """Turns about a vertical ``γ``, which move no coordinate of a frame that knows the vertical alone: ``γ^i u_i``."""
    result = {}
    for block in blocks_of(frame):
        if block.kind == "vertical":
            table = dict(zip(block.velocities, symbols(block.coordinates)))
            result[f"{block.name}_turn"] = tuple(table.get(v, ZERO) for v in frame.velocities)
    return result


def _constants(system: System, names: Sequence[str], fields: Sequence[Field], places: Sequence[Any]) -> Any:
    """``c_ab^c`` by least squares over several configurations; a ModelError when no constants do."""
    count = len(fields)
    table = np.zeros((count, count, count))
    columns = np.concatenate([evaluate_matrix(fields, p).T for p in places])
    if np.linalg.matrix_rank(columns, tol=1e-9) < count:
        raise ModelError(
            f"{system.name}: symmetry: the generators {', '.join(names)} depend on each other with constant coefficients; "
            "remove one."
        )
    for a in range(count):
        for b in range(a + 1, count):
            field = bracket(system.frame, fields[a], fields[b])
            target = np.concatenate([evaluate(list(field), p) for p in places])
            solution, *_ = np.linalg.lstsq(columns, target, rcond=None)
            gap = np.max(np.abs(columns @ solution - target), initial=0.0)
            if not gap < LIMIT * (1 + np.max(np.abs(target), initial=0.0)):
                raise ModelError(
                    f"{system.name}: symmetry: the generators do not close: [{names[a]}, {names[b]}] is no combination of "
                    f"{', '.join(names)} with constant coefficients (off by {gap:.2g}); add the missing generator."
                )
            clean = np.where(np.abs(solution - np.round(solution)) < 1e-9, np.round(solution), solution)
            table[a, b], table[b, a] = clean, -clean
    return table


def at_point(system: System, group: Action, at: Mapping[str, float]) -> int:
    """The dimension of the orbit through a configuration."""
    return int(np.linalg.matrix_rank(evaluate_matrix(group.fields, dict(at)), tol=1e-9))


def invariance(system: System, group: Action) -> tuple[Finding, ...]:
    """Whether L, the constraints (with their affine field) and the forces are the same all along the orbits.

    For each generator the lifted field ``ξ^C`` is applied at random admissible states: ``ξ^C[l] = 0``,
    ``ξ^C[φ] = 0`` where ``φ = 0``, ``ξ^C[Q_i] = Q_j N^j_i`` with ``[ξ, u_i] = N_i^j u_j`` [MacDonnell 1997, 6.1.2].
    """
    findings = []
    inside, anywhere = _admissible_states(system), _states(system)
    for name, field in zip(group.names, group.fields):
        for what, changes, sizes in _changes(system, field):
            # the energy's change matters across the constraints too: momenta there enter the equations
            states = anywhere if what in (Part.KINETIC, Part.POTENTIAL) and not system.holonomic else inside
            part, row, count = _worst(system, changes, sizes, states)
            findings.append(
                Finding(
                    Invariance((what,), (name,), row),
                    "holds" if part < LIMIT else "fails",
                    part,
                    Measured(f"largest relative change at {count} random {'admissible ' if states is inside else ''}states"),
                )
            )
    if system.parametric is not None:
        findings += _parametric_findings(system, system.parametric, group)
    return tuple(findings)


def _worst(system: System, changes: Sequence[Expr], sizes: Sequence[Expr], states: Any) -> tuple[float, int | None, int]:
    """The largest change beside the largest size, its row where there are several, and at how many states there were numbers."""
    worst, size, count = 0.0, 1e-300, 0
    row: int | None = None
    for state in states:
        found, scale = np.abs(evaluate(changes, state)), evaluate(sizes, state)
        if not (np.all(np.isfinite(found)) and np.all(np.isfinite(scale))):
            continue
        count += 1
        size = max(size, float(np.max(np.abs(scale), initial=0.0)))
        if found.size and np.max(found) > worst:
            worst = float(np.max(found))
            row = int(np.argmax(found)) + 1 if len(changes) > 1 else None
    if not count:
        raise ModelError(
            f"{system.name}: at no random configuration do its formulas have finite values; give a start near which they do."
        )
    return (worst / size if size > 1e-200 else 0.0), row, count


def _parametric_findings(system: System, parametric: Parametric, group: Action) -> list[Finding]:
    """Whether the velocities ``ψ(q, z)`` are mapped to such, for fields that are affine in the coordinates."""
    from nonholo.symmetry.group.affine_symmetries import parametric_changes
    from nonholo.symmetry.reduction.section.moving_frame import affine_matrix

    matrices = [affine_matrix(system, field) for field in group.on_coordinates]
    if any(m is None for m in matrices):
        raise ModelError(
            f"{system.name}: with velocities by parameters the symmetry must be affine in the coordinates; give "
            "constraints instead."
        )
    gaps = parametric_changes(system, parametric, _states(system), [m for m in matrices if m is not None])
    gaps = gaps[np.all(np.isfinite(gaps), axis=(1, 2))]
    return [
        Finding(
            Invariance((Part.CONSTRAINTS,), (name,)),
            "holds" if float(np.max(np.abs(gaps[:, :, k]))) < LIMIT else "fails",
            float(np.max(np.abs(gaps[:, :, k]))),
            f"largest change at {len(gaps)} random states",
        )
        for k, name in enumerate(group.names)
    ]


def require_invariance(system: System, findings: Sequence[Finding]) -> None:
    """A ModelError that names the first thing the group changes."""
    for finding in findings:
        if not finding and isinstance(finding.data, Invariance):
            (part,), (name,) = finding.data.parts, finding.data.generators
            row = f" (row {finding.data.row})" if finding.data.row else ""
            raise ModelError(
                f"{system.name}: symmetry: the generator {name!r} does not leave the {part.value} as it is "
                f"(relative change {finding.value:.2g}){row}; remove the generator or correct it."
            )


def _changes(system: System, field: Field) -> list[tuple[Part, list[Expr], list[Expr]]]:
    """What is looked at: a part of the system, the changes along the lifted generator, and what they are measured against."""
    v = symbols(system.velocities)
    moved = velocity_lift(system, field)

    frame = system.frame

    def along_lift(exprs: Sequence[Expr]) -> list[Expr]:
        inner = derivatives(frame, field, exprs)
        return [a + dot(gradient(e, v), moved) for a, e in zip(inner, exprs)]

    l = lagrangian_in_frame(system)
    still = substitute([l], dict.fromkeys(v, ZERO))[0]
    kinetic = l - still
    result = [
        (Part.KINETIC, along_lift([kinetic]), [kinetic]),
        (Part.POTENTIAL, along_lift([still]), [still, *gradient(still, symbols(system.coordinates)), kinetic]),
    ]
    rows = constraint_rows(system)
    if rows.residuals:
        sizes = [dot([e**2 for e in row], [s**2 for s in v]) ** 0.5 for row in rows.slopes]
        result.append((Part.CONSTRAINTS, along_lift(rows.residuals), sizes))
    forces = force_covector(system)
    if any(e != 0 for e in forces):
        turned = [dot(forces, column) for column in zip(*jacobian(moved, v))]
        result.append((Part.FORCES, [a + b for a, b in zip(along_lift(forces), turned)], list(forces)))
    return result


def _states(system: System) -> list[dict[str, float]]:
    """Random configurations with any velocities."""
    result = []
    for k, place in enumerate(places_of(system, 2 * PLACES)):
        random = np.random.default_rng(200 + k)
        result.append({**place, **dict(zip(system.velocities, random.uniform(-1, 1, len(system.velocities)).tolist()))})
    return result


def _admissible_states(system: System) -> list[dict[str, float]]:
    """Random configurations with velocities that the constraints allow."""
    return onto_constraints(system, constraint_rows(system), _states(system))
