"""Compare all derivations at random admissible states and test the laws every motion obeys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import larger_than, symbols, written_size
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.equations import Equations
from nonholo.derive.forms import forms
from nonholo.derive.hamel import hamel
from nonholo.derive.laws.equation_check import check_equations
from nonholo.derive.laws.hints import hints
from nonholo.derive.multipliers import lagrange, multipliers
from nonholo.derive.states.consistent_state import project_velocity
from nonholo.derive.states.equation_values import Solution, solution
from nonholo.errors import ModelError, StateError
from nonholo.finding import AccelerationsUnique, Agreement, Finding, Findings, bounded
from nonholo.geometry.frames.frame import Frame, change_frame, onto, own_chart
from nonholo.model.real_domain import at_edge, inside, root_bases
from nonholo.model.system import System, check_system, force_covector, known_parameters, resolve
from nonholo.model.velocities.admissible import constraint_rows, domain_of

AGREEMENT = 1e-10
"""Largest relative difference of accelerations between two derivations, where the state's 13th digit does not decide more."""
NUDGE = 1e-13
HAMILTON_LIMIT = 2000
HAMILTON_LENGTH = 10_000_000
"""Equations with more different terms than this, or so long when written out, are not compared with Hamilton's."""
MIXED_FRAME_LIMIT = 6
"""Frames larger than this are not mixed for a second Hamel derivation; their brackets would be n³ expressions."""

Derivation = Callable[[System], Equations]


def routes() -> dict[str, Derivation]:
    """Every way to the equations that is compared with the witness: all forms, and Hamel's in a second frame."""
    found: dict[str, Derivation] = {}
    for name, form in forms().items():
        if form.dalembert and not form.witness:
            found[name] = _if_short(form) if name == "hamilton" else form
        if name == "hamel":
            found["hamel in a second frame"] = lambda system: hamel(system, mixed_frame(system))
    return found


def _if_short(form: Derivation) -> Derivation:
    """Hamilton's equations solve for the velocities and differentiate the result: of long equations this takes for ever."""

    def derivation(system: System) -> Equations:
        own = hamel(system)
        every = [*(e for row in own.mass for e in row), *own.force]
        if larger_than(every, HAMILTON_LIMIT):
            raise ModelError(f"the equations have more than {HAMILTON_LIMIT} different terms; nh.hamilton(system) derives them")
        if sum(map(written_size, every)) > HAMILTON_LENGTH:
            raise ModelError("the equations are too long when written out; nh.hamilton(system) derives them")
        return form(system)

    return derivation


@dataclass(frozen=True)
class AdmissibleState:
    """One random admissible state: every name of the system and of its chart, and the parameters."""

    values: dict[str, float]
    parameters: dict[str, float]


def mixed_frame(system: System) -> Frame:
    """Another frame on the same coordinates, generic and varying, so that its brackets are all at work."""
    frame = system.frame
    if system.parametric is not None:
        raise ModelError("parametric velocities fix their own frame")
    if frame.size > MIXED_FRAME_LIMIT:
        raise ModelError(f"more than {MIXED_FRAME_LIMIT} velocities")
    x = symbols(frame.coordinates)
    rows = []
    for i in range(frame.size):
        row = []
        for j in range(frame.size):
            wave = se.sin(x[(i + 2 * j) % len(x)] + i) if x else se.Integer(1)
            small = se.Rational(1 + (3 * i + 5 * j) % 4, 9)
            row.append(se.Integer(1) if i == j else small * wave if i > j else se.Integer(0))
        rows.append(row)
    return change_frame(frame, rows, [f"mixed_{n}" for n in frame.velocities])


REDRAWN = 12
"""So often a state at the edge of a contact is drawn anew."""


def random_states(
    system: System, parameters: Mapping[str, float] | None = None, count: int = 4, seed: int = 1
) -> Iterator[AdmissibleState]:
    """Generic admissible states, drawn in the chart: coordinates, velocities by projection onto the constraints."""
    check_system(system)
    plain = in_chart(system)
    random = np.random.default_rng(seed)
    bounds = domain_of(plain)
    # a contact has no point where a disk lies flat; projections onto gaps may lead there
    bases = root_bases((*plain.constraints, *plain.holonomic)) if system.contacts else ()
    for _ in range(count):
        begin = random.bit_generator.state

        def drawn(scale: float, begin: Any = begin) -> dict[str, float]:
            random.bit_generator.state = begin
            random.random(round(16 * abs(scale - 1.0)))  # other coordinates too
            return _random_state(system, plain, parameters, random, scale)

        values = inside(drawn, bounds)
        for _ in range(REDRAWN if at_edge(bases, values) else 0):
            again = random.bit_generator.state
            values = inside(partial(drawn, begin=again), bounds)
            if not at_edge(bases, values):
                break
        fixed = {n: values[n] for n in system.parameters}
        yield AdmissibleState(_every_name(system, plain, values), fixed)


def _random_state(
    system: System, plain: System, parameters: Mapping[str, float] | None, random: np.random.Generator, scale: float
) -> dict[str, float]:
    chart = own_chart(system.frame)
    values = {n: scale * float(random.uniform(0.6, 1.6)) for n in system.parameters}
    values |= known_parameters(system)
    values |= {n: float(e) for n, e in (parameters or {}).items()}
    values |= {n: scale * float(random.uniform(0.3, 1.2)) for n in (*system.inputs, "t")}
    reach = chart.reach if system.frame.chart is not None else 1.0
    point = np.array(chart.center) + random.uniform(-1, 1, len(chart.names)) * reach
    if plain.holonomic:
        point = onto(plain.frame, plain.holonomic, point, values)
    values |= dict(zip(chart.names, point.tolist()))
    slow = min(scale, 1 / scale)
    if plain.parametric is not None:
        names, table = plain.parametric
        values |= {n: slow * float(random.uniform(0.3, 1.3)) for n in names}
        velocity = evaluate([table[v] for v in plain.velocities], values)
    else:
        velocity = slow * random.uniform(-1.5, 1.5, len(plain.velocities))
        rows = constraint_rows(plain)
        if rows.residuals:
            velocity = project_velocity(plain, rows, velocity, values)
    return values | dict(zip(plain.velocities, velocity.tolist()))


def _every_name(system: System, plain: System, values: dict[str, float]) -> dict[str, float]:
    from nonholo.derive.multipliers import chart_outputs

    names = chart_outputs(system, plain, {}, ()) if plain is not system else {}
    if plain is not system:
        values |= dict(zip(names, evaluate(list(names.values()), values).tolist()))
    table = resolve(plain, list(symbols(plain.quasivelocities)))
    values |= dict(zip(plain.quasivelocities, evaluate(table, values).tolist()))
    return values


def _at(equations: Equations, state: AdmissibleState) -> Solution:
    known = {*equations.state, *equations.outputs, *map(str, equations.inputs), "t"}
    given = {n: e for n, e in state.values.items() if n in known}
    return solution(equations, given, state.parameters)


def _reason(system: System, problem: StateError) -> str:
    """Why there are no unique accelerations: Hamel's equations know which constraint depends on the others."""
    try:
        hamel(system)
    except ModelError as known:
        return str(known)
    return str(problem)


def check(
    system: System | Equations, parameters: Mapping[str, float] | None = None, *, count: int = 4
) -> tuple[Finding, ...]:
    """All derivations agree, constraints are independent, the mass matrix is positive, energy balances.

    Every finding that fails means that something is wrong with the system or with nonholo. Routes that do not apply
    (Voronetz without residuals, …) are reported as unknown with the reason. Of equations by hand, as Kane's from SymPy, there is
    no second derivation: the accelerations are unique at random states, and the flow keeps what their invariants keep at zero.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> for finding in nh.check(sleigh.system)[:2]:
    ...     print(finding.verdict, finding.claim)
    holds Hamel's equations agree with Lagrange's equations with multipliers
    holds Hamel's equations in a second frame agree with Lagrange's equations with multipliers
    """
    if isinstance(system, Equations):
        if system.system is None:
            return check_equations(system, parameters, count)
        system = system.system
    states = list(random_states(system, parameters, count))
    findings: list[Finding] = []
    witness = multipliers(system)
    try:
        truth = [_at(witness, s) for s in states]
    except StateError as problem:
        return Findings((Finding(AccelerationsUnique(), "fails", None, _reason(system, problem)), *hints(system)))
    # one and the same object: two equal ones are compared term by term, for ever when they are long
    own = hamel(system)
    ways: dict[str, Derivation] = {**routes(), "hamel": lambda _: own}
    findings += [_agreement(system, name, route, states, truth) for name, route in ways.items()]
    findings += _constraint_findings(system, states, truth)
    findings += _energy_findings(system, witness, own, states, truth)
    findings.append(_gauss(system, states, truth))
    return Findings((*findings, *hints(system)))


def _agreement(
    system: System, name: str, route: Derivation, states: list[AdmissibleState], truth: list[Solution]
) -> Finding:
    claim = Agreement(name, "multipliers")
    try:
        equations = route(system)
    except ModelError as reason:
        return Finding(claim, "unknown", None, f"does not apply: {reason}")
    worst, limit = 0.0, AGREEMENT
    for state, true in zip(states, truth):
        names = [*system.velocities, *(q for q in system.quasivelocities if q in true.rates)]
        one = np.array([true.rates[n] for n in names])
        two = _rates(equations, state, names)
        size = 1 + np.max(np.abs(one))
        gap = float(np.max(np.abs(one - two)) / size)
        if gap > AGREEMENT:  # near a state where the route's speeds degenerate, rounding is magnified
            moved = [np.abs(two - _rates(equations, near, names)) for near in _nudged(state)]
            limit = max(limit, float(np.max(np.sum(moved, axis=0)) / size))
        worst = max(worst, gap)
    return bounded(
        claim,
        worst,
        limit,
        f"largest relative difference of accelerations at {len(states)} random admissible states",
    )


def _rates(equations: Equations, state: AdmissibleState, names: list[str]) -> Any:
    found = _at(equations, state).rates
    return np.array([found[n] for n in names])


def _nudged(state: AdmissibleState) -> list[AdmissibleState]:
    """The same state but for the 13th digit of one number after the other; what these change together bounds rounding."""
    return [AdmissibleState({**state.values, n: e * (1 + NUDGE)}, state.parameters) for n, e in state.values.items()]


def _witnessed(plain: System, state: AdmissibleState, true: Solution) -> tuple[Numbers, Numbers, Numbers]:
    """``G``, ``f`` and ``A`` of the witness at a state: blocks of its equations; without rows where velocities are parametric."""
    if plain.parametric is None:
        size = len(plain.velocities)
        return true.mass[:size, :size], true.force[:size], true.mass[size:, :size]
    metric, push, _ = lagrange(plain)
    return evaluate_matrix(metric, state.values), evaluate(push, state.values), np.zeros((0, len(push)))


def _constraint_findings(system: System, states: list[AdmissibleState], truth: list[Solution]) -> list[Finding]:
    plain = in_chart(system)
    findings = []
    smallest, lightest = np.inf, np.inf
    for state, true in zip(states, truth):
        metric, _, rows = _witnessed(plain, state, true)
        if plain.parametric is None:
            kernel = np.eye(len(plain.velocities))
            if len(rows):
                rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
                smallest = min(smallest, float(np.linalg.svd(rows, compute_uv=False)[-1]))
                kernel = np.linalg.svd(rows)[2][len(rows) :].T
        else:
            from nonholo.algebra.calculus import jacobian

            names, table = plain.parametric
            kernel = np.linalg.qr(
                evaluate_matrix(jacobian([table[v] for v in plain.velocities], symbols(names)), state.values)
            )[0]
        if kernel.shape[1]:
            inner = kernel.T @ metric @ kernel
            lightest = min(lightest, float(np.linalg.eigvalsh((inner + inner.T) / 2)[0]))
    if np.isfinite(smallest):
        findings.append(
            Finding(
                "the constraints are independent",
                "holds" if smallest > 1e-9 else "fails",
                smallest,
                "smallest singular value of their unit rows",
            )
        )
    if np.isfinite(lightest):
        findings.append(
            Finding(
                "the mass matrix is positive on the admissible velocities",
                "holds" if lightest > 1e-12 else "fails",
                lightest,
                "smallest eigenvalue",
            )
        )
    return findings


def _energy_findings(
    system: System, witness: Equations, own: Equations, states: list[AdmissibleState], truth: list[Solution]
) -> list[Finding]:
    plain = in_chart(system)
    v = plain.velocities
    applied = force_covector(plain)
    (lagrangian,) = resolve(plain, [plain.lagrangian])
    explicit = lagrangian.diff(witness.time)
    worst, work, limit = 0.0, 0.0, AGREEMENT
    homogeneous = True
    for state, true in zip(states, truth):
        velocity = np.array([state.values[n] for n in v])
        power = float(evaluate(applied, state.values) @ velocity)
        if plain.parametric is None:
            _, _, slopes = _witnessed(plain, state, true)
            reaction = np.array(list(true.unknowns.values())) @ slopes if len(slopes) else np.zeros(len(v))
            homogeneous &= bool(np.all(np.abs(slopes @ velocity) < 1e-9 * (1 + np.abs(velocity).max())))
        else:
            from nonholo.algebra.calculus import jacobian

            reaction = np.array(list(true.unknowns.values()))
            names, table = plain.parametric
            span = evaluate_matrix(jacobian([table[n] for n in v], symbols(names)), state.values)
            homogeneous &= bool(np.linalg.norm(velocity - span @ np.linalg.lstsq(span, velocity, rcond=None)[0]) < 1e-9)
        rate = _at(own, state).energy_rate
        balance = power + float(reaction @ velocity) - float(evaluate([explicit], state.values)[0])
        gap = abs(rate - balance) / (1 + abs(rate))
        if gap > AGREEMENT:  # of a large energy whose mass matrix is nearly singular the last digits decide
            limit = max(limit, sum(abs(rate - _at(own, near).energy_rate) for near in _nudged(state)) / (1 + abs(rate)))
        worst = max(worst, gap)
        work = max(work, abs(float(reaction @ velocity)))
    findings = [
        bounded(
            "the energy's rate equals the power of forces and reactions",
            worst,
            limit,
            f"{len(states)} random states",
        )
    ]
    if homogeneous:
        findings.append(bounded("the reactions do no work", work, 1e-8, "velocities are virtual displacements"))
    else:
        findings.append(
            Finding(
                "the reactions may do work", "holds", work, "affine or non-homogeneous constraints; largest power found"
            )
        )
    return findings


def _gauss(system: System, states: list[AdmissibleState], truth: list[Solution]) -> Finding:
    """Gauss's principle: the acceleration is the admissible one nearest, by mass, to the unconstrained one."""
    plain = in_chart(system)
    random = np.random.default_rng(5)
    margin = np.inf
    for state, true in zip(states, truth):
        g, push, slopes = _witnessed(plain, state, true)
        if np.linalg.matrix_rank(g, tol=1e-12) < len(g):
            return Finding("Gauss's principle", "unknown", None, "the metric is singular off the constraints")
        free = np.linalg.solve(g, push)
        actual = np.array([true.rates[n] for n in plain.velocities])
        if plain.parametric is None:
            kernel = np.linalg.svd(slopes)[2][len(slopes) :].T if len(slopes) else np.eye(len(g))
        else:
            from nonholo.algebra.calculus import jacobian

            names, table = plain.parametric
            kernel = evaluate_matrix(jacobian([table[v] for v in plain.velocities], symbols(names)), state.values)
        for _ in range(6):
            if not kernel.shape[1]:
                break
            step = kernel @ random.uniform(-1, 1, kernel.shape[1]) * 1e-2
            growth = float(step @ g @ (2 * (actual - free) + step))  # of the square, without taking squares apart
            margin = min(margin, growth / float(step @ g @ step))
    return Finding(
        "Gauss's principle: no admissible acceleration is nearer to the free one",
        "holds" if margin > 1 - 1e-6 else "fails",
        float(margin) if np.isfinite(margin) else None,
        "least growth of the distance at admissible perturbations; 1 at a minimum"
        if np.isfinite(margin)
        else "there is no other admissible acceleration: no velocity is free",
    )
