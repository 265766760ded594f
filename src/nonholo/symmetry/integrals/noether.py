"""Energy and Noether's theorem: horizontal symmetries and their momenta, up to functions of time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ZERO, along, atoms, expand, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, evaluate_matrix
from nonholo.algebra.subspaces import rational_kernel
from nonholo.derive.hamel import hamel, lagrangian_in_frame
from nonholo.derive.laws.check import random_states
from nonholo.derive.states.equation_values import solution
from nonholo.errors import ModelError, NonholoError
from nonholo.finding import Condition, Finding, FirstIntegral
from nonholo.model.system import TIME, System, force_covector
from nonholo.model.velocities.admissible import admissible, constraint_rows
from nonholo.symmetry.exact.modular_states import on_shell
from nonholo.symmetry.exact.null_space_search import Sought, vanishes
from nonholo.symmetry.group.symmetry_group import group_of_motion
from nonholo.symmetry.integrals.gauge.gauge_basis import Generator
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, readable
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, configuration
from nonholo.symmetry.vector_fields import complete_lift, components

CONSERVED = 1e-9
GAUGE = 2.0
"""Units of work for an integral over time."""


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
        return Finding(what, "holds", None, "", equations.energy, "power of the forces")
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


def horizontal_symmetries(found: Momenta, group: Mapping[str, Generator]) -> list[tuple[str, Field, Generator]]:
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
        result.append((word, tuple(substitute(forms, dict(zip(v, inner)))), tuple(field)))
    return result


def hidden_of(sought: Sought | None) -> Mapping[str, Generator]:
    """Symmetries that are not affine, where they can be computed."""
    return {} if sought is None else group_of_motion(sought.motion).hidden


def gauge_term(sought: Sought, generator: Generator) -> Expr | None:
    """``F(t)`` with ``d/dt ⟨p, ξ⟩ = dF/dt`` for a horizontal symmetry ξ of the equations; None where that is no function of time.

    Along a motion ``d/dt ⟨p, ξ⟩ = ξ^C[l] + ⟨Q, ξ⟩``; then ``⟨p, ξ⟩ − F`` is constant [Noether 1918; Bessel-Hagen 1921].
    """
    motion = sought.motion
    system = motion.system
    x = symbols(system.coordinates)
    (change,) = along([lagrangian_in_frame(system)], complete_lift(system, generator))
    push = dot(force_covector(system), components(system.frame, generator, system.name))
    (rate,) = on_shell(motion, [change + push])
    moving = (*x, *motion.equations.speeds, *symbols(system.inputs))
    if rate == 0 or not vanishes(sought, gradient(rate, moving)):
        return None
    at_home = dict(zip(x, (se.Rational(k + 2, 7) for k in range(len(x)))))
    here = expand(se.sympify(rate).xreplace({**dict.fromkeys(moving, ZERO), **at_home}))
    here = motion.restored(here)
    if TIME not in here.free_symbols:
        return here * TIME
    import sympy

    found = within(GAUGE, lambda: se.sympify(sympy.integrate(sympy.simplify(sympy.sympify(here)), sympy.Symbol(str(TIME)))))
    return None if found is None or atoms([found], se.Function) - atoms([found], se.sin, se.cos, se.log, se.tan) else found


def moving_momenta(found: Momenta, sought: Sought, word: str, field: Field, generator: Generator) -> list[Candidate]:
    """``⟨p, ξ⟩ − F(t)`` of a horizontal symmetry of the equations whose momentum changes by a function of time."""
    term = gauge_term(sought, generator)
    if term is None:
        return []
    method = f"Noether's theorem, with a function of time, for the horizontal symmetry {word}"
    return [Candidate(readable(found, dot(field, found.momenta)) - term, method)]


def in_speeds(system: System, field: Field) -> Field:
    """A field of D from its components in the frame to those along the admissible fields."""
    forms, v = admissible(system).forms, symbols(system.velocities)
    return tuple(substitute(forms, dict(zip(v, field))))
