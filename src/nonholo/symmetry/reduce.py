"""reduce: a system and its symmetry to shape, momentum and reconstruction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, substitute, symbols
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.linear import Matrix, dot, multiply
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.finding import Finding
from nonholo.geometry.frame import rate
from nonholo.geometry.structure import shorten
from nonholo.model.symmetry import Symmetry
from nonholo.model.system import TIME, System, known_names
from nonholo.symmetry.action import Action, action, invariance, require_invariance
from nonholo.symmetry.aligned import Aligned, aligned, momentum_and_shape
from nonholo.symmetry.coefficients import Coefficients, coefficients
from nonholo.symmetry.connection import Connection, connection
from nonholo.symmetry.distributions import Bases, bases_of
from nonholo.symmetry.invariant import Basis, invariant_basis
from nonholo.symmetry.propose import proposed_symmetry
from nonholo.symmetry.quotient import Quotient, force_terms, quotient
from nonholo.symmetry.reconstruct import full_equations, reduced_motion
from nonholo.symmetry.reduction_findings import findings_of
from nonholo.symmetry.shape import Shape, shape_of

Expr = Any


@dataclass(frozen=True)
class Reduction:
    """A system modulo its symmetry: the shape ``r``, the momenta ``p`` along S = D ∩ V, and how to come back.

    ``equations`` is the reduced motion in ``(r, ṙ, p)`` [(4.9), (4.10) of BMZ 2009, corrected]; where the shape has more
    variables than dimensions (a point of the sphere) it is in ``(r, y)`` with invariant quasi-velocities ``y``.
    ``reconstruction`` adds the group: ``ġ = g(Ω − A ṙ)``.
    """

    system: System
    symmetry: Symmetry
    group: Action
    shape: Shape
    basis: Basis
    frame: Aligned
    data: Quotient
    bases: Bases
    connection: Connection | None
    coefficients: Coefficients | None
    momenta: tuple[str, ...]
    rates: tuple[str, ...]
    """Names of the horizontal velocities ``ṙ``."""
    lagrangian: Expr
    """``l_c(r, ṙ, Ω)``, the constrained reduced Lagrangian; ``Ω`` are called ``Omega_1 …``."""
    momentum_equation: FrozenMap[str, Expr]
    """``ṗ_a`` in ``(r, ṙ, p)``."""
    equations: Equations
    reconstruction: Equations
    findings: tuple[Finding, ...]

    @property
    def curvature(self) -> Any:
        """``B_αβ^c``, or None without a connection."""
        return None if self.connection is None else self.connection.curvature

    @property
    def inertia(self) -> Matrix:
        """``I_S`` as a function of the shape."""
        h = self.frame.horizontal
        return tuple(row[h:] for row in self.frame.data.metric[h:])

    @property
    def metric(self) -> Matrix:
        """``G_c``, the constrained metric on shape velocities; also MacDonnell's reduced metric K̄."""
        h = self.frame.horizontal
        return tuple(row[:h] for row in self.frame.data.metric[:h])

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 10.0,
        parameters: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """The reduced motion and its reconstruction from a start in the full system's names."""
        return reduced_motion(self, start, until, parameters, options)

    def __str__(self) -> str:
        from nonholo.symmetry.display import text

        return text(self)


def reduce(system: System, symmetry: Symmetry | None = None, at: Mapping[str, float] | None = None) -> Reduction:
    """The system modulo its symmetry: the declared one, another given here, or the obvious one that is found.

    ``at`` is a configuration (with parameter values, if it matters) near which the shape variables should be good.
    """
    if system.frame is None or not system.coordinates:
        raise ModelError(
            f"{system.name}: there are no coordinates left to reduce: the velocities {', '.join(system.velocities)} already "
            "are the reduced ones; use hamel."
        )
    chosen = symmetry or system.symmetry or proposed_symmetry(system)
    if chosen is None:
        raise ModelError(
            f"{system.name}: no symmetry is declared and none was found among shifts of coordinates, motions of the plane "
            "and turns; declare one with symmetry=nh.Symmetry(...)."
        )
    group = action(system, chosen)
    found = invariance(system, group)
    require_invariance(system, found)
    shape = shape_of(system, group)
    basis = invariant_basis(system, group, at)
    data = quotient(system, basis, shape)
    near = None
    if at:
        from nonholo.algebra.linear import evaluate

        inside = {**data.samples[0], **dict.fromkeys(system.coordinates, 0.0), **at}
        near = {**dict(zip(shape.names, evaluate(list(shape.functions), inside).tolist()))} if shape.names else {}
        near |= {n: float(e) for n, e in at.items() if n in system.parameters}
    frame = aligned(system, data, near)
    linked = connection(system, group, basis, shape, frame)
    numbers = None if linked is None else coefficients(linked, frame.inverse_inertia)
    taken = {*known_names(system), *shape.names}
    momenta = _fresh("p", frame.vertical, taken)
    rates = tuple(rate(shape.names[c]) for c in frame.rows)
    shape_force, momentum = momentum_and_shape(frame, symbols(momenta), symbols(rates))
    turning = _fresh("Omega_", frame.vertical, taken, always=True)
    equations = _reduced_equations(system, data, frame, basis, momenta, rates, shape_force, momentum)
    return Reduction(
        system=system,
        symmetry=chosen,
        group=group,
        shape=shape,
        basis=basis,
        frame=frame,
        data=data,
        bases=bases_of(system, group, basis, shape, frame),
        connection=linked,
        coefficients=numbers,
        momenta=momenta,
        rates=rates,
        lagrangian=_kinetic(frame.data.metric, (*symbols(rates), *symbols(turning))) - data.potential,
        momentum_equation=FrozenMap(dict(zip(momenta, momentum))),
        equations=equations,
        reconstruction=full_equations(system, shape, basis, frame, equations, momenta, rates),
        findings=(*found, *findings_of(system, shape, basis, frame, numbers, equations, momenta, rates, momentum)),
    )


def _fresh(stem: str, count: int, taken: set[str], always: bool = False) -> tuple[str, ...]:
    """``p``, or ``p1 … pm``, with underscores while a name is taken."""
    names = (stem,) if count == 1 and not always else tuple(f"{stem}{i + 1}" for i in range(count))
    while any(n in taken for n in names):
        names = tuple(f"{n}_" for n in names)
    return names


def _kinetic(metric: Matrix, w: Sequence[Any]) -> Expr:
    return se.Add(*(metric[i][j] * w[i] * w[j] / 2 for i in range(len(w)) for j in range(len(w)) if metric[i][j] != 0))


def _reduced_equations(
    system: System,
    data: Quotient,
    frame: Aligned,
    basis: Basis,
    momenta: Sequence[str],
    rates: Sequence[str],
    shape_force: Sequence[Expr],
    momentum: Sequence[Expr],
) -> Equations:
    shape = data.shape
    r, p, v = symbols(shape.names), symbols(momenta), symbols(rates)
    h, m = frame.horizontal, frame.vertical
    common: dict[str, Any] = {
        "name": f"{system.name}, reduced",
        "origin": "reduction",
        "coordinates": r,
        "time": TIME,
        "parameters": symbols(system.parameters),
        "inputs": symbols(system.inputs),
        "invariants": FrozenMap({f"shape relation {i + 1}": e for i, e in enumerate(shape.relations)}),
    }
    turning = [dot(row, p) for row in frame.inverse_inertia]
    if not shape.redundant:
        metric = [[frame.data.metric[i][j] for j in range(h)] + [ZERO] * m for i in range(h)]
        unit = [[ZERO] * h + [ONE if i == j else ZERO for j in range(m)] for i in range(m)]
        energy = _kinetic(frame.data.metric, (*v, *turning)) + data.potential
        return Equations(
            **common,
            speeds=(*v, *p),
            kinematics=tuple(dot(row[:h], v) for row in frame.data.slopes),
            mass=tuple(map(tuple, (*metric, *unit))),
            force=(*shape_force, *momentum),
            energy=energy,
        )
    names = invariant_names(system, basis)
    y = symbols(names)
    swap = dict(zip(data.velocities, y))
    slopes = tuple(dot(row, y) for row in data.slopes)
    force = list(substitute(force_terms(data), swap))
    from nonholo.algebra.calculus import along

    moving = dict(zip(r, slopes))
    for i in range(len(y)):
        force[i] -= dot(along(list(data.metric[i]), moving), y)
    inner = multiply(data.metric, frame.matrix)
    outputs = {n: dot([row[h + a] for row in inner], y) for a, n in enumerate(momenta)}
    return Equations(
        **common,
        speeds=y,
        kinematics=slopes,
        mass=data.metric,
        force=tuple(force),
        energy=_kinetic(data.metric, y) + data.potential,
        outputs=FrozenMap({n: shorten(e) for n, e in outputs.items()}),
    )


def invariant_names(system: System, basis: Basis) -> tuple[str, ...]:
    """The system's own speeds where the invariant basis is theirs, else new names."""
    own = all(e == int(i == j) for i, row in enumerate(basis.change) for j, e in enumerate(row))
    return basis.names if own else _fresh("y", len(basis.names), set(known_names(system)), always=True)
