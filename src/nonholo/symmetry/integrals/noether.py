"""Energy, horizontal symmetries, flatness, and the frames in which the momentum equation is simplest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonholo.algebra.calculus import substitute, symbols
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix
from nonholo.algebra.rational_kernel import rational_kernel
from nonholo.derive.hamel import hamel
from nonholo.derive.laws.check import random_states
from nonholo.derive.states.equation_values import solution
from nonholo.errors import ModelError, NonholoError
from nonholo.finding import Condition, Finding, FirstIntegral
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import admissible, constraint_rows
from nonholo.symmetry.integrals.gauge.gauge_basis import Generator
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, configuration
from nonholo.symmetry.vector_fields import components

CONSERVED = 1e-9
FLAT = 1e-9


def energy_finding(system: System, values: Mapping[str, float]) -> Finding:
    """Whether ``E = p_j v^j − l`` is constant, from its rate at generic states; if not, why.

    It is when nothing depends on time, the constraints are homogeneous and the forces do no work.
    """
    try:
        equations = hamel(system)
    except ModelError as problem:
        return Finding(FirstIntegral(energy=True), "unknown", evidence=str(problem))
    idle = dict.fromkeys(system.inputs, 0.0)
    worst = 0.0
    for state in random_states(system, values, 3, seed=5):
        known = {*equations.state, *equations.outputs, "t"}
        given = {n: e for n, e in state.values.items() if n in known} | idle
        try:
            found = solution(equations, given, state.parameters)
        except NonholoError as problem:
            return Finding(FirstIntegral(energy=True), "unknown", evidence=str(problem), expression=equations.energy)
        size = 1 + abs(found.energy) + float(np.max(np.abs(list(found.rates.values()))))
        worst = max(worst, abs(found.energy_rate) / size)
    what = FirstIntegral(energy=True, when=Condition(idle=bool(system.inputs)))
    if worst < CONSERVED:
        return Finding(what, "holds", None, "", equations.energy, "no force does work")
    return Finding(what, "fails", worst, _reason(system), None, "its rate at generic states")


def _reason(system: System) -> str:
    reasons = []
    if system.forces:
        reasons.append(f"the force on {', '.join(system.forces)} does work")
    if TIME in system.lagrangian.free_symbols:
        reasons.append("the Lagrangian depends on time")
    if system.parametric is None:
        rows = constraint_rows(system)
        if not rows.linear:
            reasons.append("a constraint is not homogeneous in the velocities")
        elif any(e != 0 for e in rows.sides):
            reasons.append("an affine constraint moves the system")
        if any(TIME in e.free_symbols for e in rows.residuals):
            reasons.append("a constraint depends on time")
    return "; ".join(reasons) or "the constraint forces do work"


def horizontal_symmetries(found: Momenta, group: Mapping[str, Generator]) -> list[tuple[str, Field]]:
    """Combinations ``ξ = Σ c_a ξ_a`` of the generators, with constant rational factors, that lie in D everywhere.

    Their momenta are constant when the group leaves L and D alone [Bloch, Krishnaprasad, Marsden and Murray 1996].
    """
    system = found.system
    if not group or system.parametric is not None:
        return []
    rows = []
    for k in range(len(group) + 3):
        here = configuration(system, 500 + k)
        inside = evaluate_matrix(found.fields, here).T
        moved = evaluate_matrix(list(group.values()), here).T
        rows.append(moved - inside @ np.linalg.lstsq(inside, moved, rcond=None)[0])
    matrix = np.vstack(rows)
    matrix = matrix[np.max(np.abs(matrix), axis=1) > 1e-10]
    if not len(matrix):
        matrix = np.zeros((1, len(group)))
    forms, v = admissible(system).forms, symbols(system.velocities)
    result = []
    for weights in rational_kernel(matrix):
        field = [dot(weights, [g[k] for g in group.values()]) for k in range(len(found.coordinates))]
        inner = components(system.frame, field, f"{system.name}: horizontal symmetry")
        word = " + ".join(n if w == 1 else f"{w}*{n}" for w, n in zip(weights, group) if w != 0)
        result.append((word, tuple(substitute(forms, dict(zip(v, inner))))))
    return result


def in_speeds(system: System, field: Field) -> Field:
    """A field of D from its components in the frame to those along the admissible fields."""
    forms, v = admissible(system).forms, symbols(system.velocities)
    return tuple(substitute(forms, dict(zip(v, field))))


def proportional(found: Momenta, one: Field, two: Field) -> bool:
    """Whether two fields differ by a constant factor."""
    places = [configuration(found.system, 720 + k) for k in range(3)]
    rows = np.array([np.concatenate([evaluate(list(f), p) for p in places]) for f in (one, two)])
    return bool(np.all(np.isfinite(rows)) and np.linalg.matrix_rank(rows / np.max(np.abs(rows)), tol=1e-9) < 2)
