"""From the reduced motion back to all coordinates: ``ġ = g(Ω − A ṙ)`` [BMZ 2009 (2.15)] beside the reduced equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import symengine as se

from nonholo.algebra.calculus import gradient, substitute, symbols
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import Matrix, dot, evaluate, multiply, solve
from nonholo.derive.equations import Equations
from nonholo.derive.state import complete_state
from nonholo.errors import StateError
from nonholo.integrate.one.advance import Event
from nonholo.integrate.one.simulate import simulate
from nonholo.model.admissible import named_velocities, samples_of
from nonholo.model.system import System, named, numbered, parameter_values
from nonholo.symmetry.reduction.action import at_point
from nonholo.symmetry.reduction.aligned import Aligned
from nonholo.symmetry.reduction.invariant import Basis
from nonholo.symmetry.reduction.quotient import natural_parts
from nonholo.symmetry.reduction.shape import Shape

WORSE = 1e-3
"""The momenta's basis is given up when its conditioning has fallen to this part of what it was at the start."""


def full_equations(
    system: System,
    shape: Shape,
    basis: Basis,
    frame: Aligned,
    reduced: Equations,
    momenta: Sequence[str],
    rates: Sequence[str],
) -> Equations:
    """The reduced equations as they are, with the kinematics of every coordinate driven by them."""
    speeds = reduced.speeds
    if tuple(map(str, speeds)) != (*rates, *momenta):
        velocity = tuple(dot(row, speeds) for row in basis.columns)
    else:
        columns = lifted_columns(shape, basis, frame)
        inverse = [shape.lift(row) for row in frame.inverse_inertia]
        turning = [dot(row, symbols(momenta)) for row in inverse]
        velocity = tuple(dot(row, (*symbols(rates), *turning)) for row in columns)
    on_shell = dict(zip(symbols(system.velocities), velocity))
    own = {str(s) for s in speeds}
    outputs = {n: e for n, e in named_velocities(system, on_shell).items() if n not in own}
    outputs |= dict(zip(reduced.outputs, shape.lift(list(reduced.outputs.values()))))
    outputs |= {n: f for n, f in zip(shape.names, shape.functions) if n not in system.coordinates}
    return Equations(
        name=system.name,
        origin="reduction and reconstruction",
        coordinates=symbols(system.coordinates),
        speeds=speeds,
        kinematics=substitute(system.frame.rates, on_shell),
        mass=tuple(shape.lift(row) for row in reduced.mass),
        force=shape.lift(reduced.force),
        energy=shape.lift([reduced.energy])[0],
        time=reduced.time,
        parameters=reduced.parameters,
        inputs=reduced.inputs,
        symmetric=reduced.symmetric,
        outputs=FrozenMap(outputs),
        invariants=FrozenMap(
            {
                **{f"relation {i + 1}": e for i, e in enumerate(system.frame.relations)},
                **{f"holonomic constraint {i + 1}": e for i, e in enumerate(system.holonomic)},
            }
        ),
    )


def lifted_columns(shape: Shape, basis: Basis, frame: Aligned) -> Matrix:
    """κ and γ on Q, by columns in the system's frame."""
    return multiply(basis.columns, tuple(shape.lift(row) for row in frame.matrix))


def speeds_of(reduction: Any, equations: Equations | None = None) -> dict[str, Expr]:
    """Every speed of the reduced motion as an expression in the coordinates and frame velocities of the system."""
    system: System = reduction.system
    shape, basis, frame = reduction.shape, reduction.basis, reduction.frame
    speeds = tuple(map(str, (equations or reduction.equations).speeds))
    if speeds != (*reduction.rates, *reduction.momenta):
        found = solve(basis.change, [[f] for f in basis.allowed.forms], samples_of(system))
        return {n: row[0] for n, row in zip(speeds, found)}
    metric = natural_parts(system)[0]
    v, x = symbols(system.velocities), symbols(system.coordinates)
    columns = lifted_columns(shape, basis, frame)
    lowered = [dot(row, v) for row in metric]
    result = {
        name: dot(gradient(shape.functions[row], x), system.frame.rates)
        for name, row in zip(reduction.rates, frame.rows)
    }
    for a, name in enumerate(reduction.momenta):
        result[name] = dot([r[frame.horizontal + a] for r in columns], lowered)
    return result


def reduced_start(
    reduction: Any,
    equations: Equations,
    start: Mapping[str, Any] | None,
    parameters: Mapping[str, Any] | None,
) -> dict[str, float]:
    """A start of the full system as one of the reconstruction."""
    system: System = reduction.system
    values = parameter_values(system, parameters)
    state = complete_state(system, start, parameters)
    _refuse_singular(reduction, {**values, **state})
    forms = speeds_of(reduction, equations)
    numbers = evaluate(list(forms.values()), {**values, **state})
    result = {n: state[n] for n in system.coordinates}
    result |= dict(zip(forms, numbers.tolist()))
    result["t"] = state.get("t", 0.0)
    return result


def _refuse_singular(reduction: Any, place: Mapping[str, float]) -> None:
    """A StateError where the orbit has fewer dimensions than elsewhere, or the shape cannot move as it can nearby."""
    found = at_point(reduction.system, reduction.group, place)
    if found < reduction.group.rank:
        raise StateError(
            f"{reduction.system.name}: the start lies on a singular orbit of {', '.join(reduction.group.names)} (dimension "
            f"{found} instead of {reduction.group.rank}), where the shape variables break down; start elsewhere, or simulate the "
            "system itself."
        )


def reduced_motion(
    reduction: Any,
    start: Mapping[str, Any] | None,
    until: float,
    parameters: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> Any:
    """The motion of the reconstruction: the reduced equations never look at the group's coordinates.

    Where the shape comes to a place at which the momenta's basis degenerates (fewer shape variables can move), the
    motion is computed in invariant quasi-velocities instead, which do not.
    """
    run = _reduced_motion(reduction, start, until, parameters, options)
    system: System = reduction.system
    given = None if start is None else {n: float(e) for n, e in named(start, f"{system.name}: start", '{"x": 0.5}').items()}
    return replace(run, system=numbered(system, parameter_values(system, parameters), given, until))


def _reduced_motion(
    reduction: Any,
    start: Mapping[str, Any] | None,
    until: float,
    parameters: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> Any:
    system: System = reduction.system
    values = parameter_values(system, parameters)
    words = dict(options)
    full = reduction.reconstruction
    begin = reduced_start(reduction, full, start, parameters)
    guard = _guard(reduction)
    if guard is not None:
        here = float(evaluate([guard], {**values, **begin})[0])
        events = words.pop("events", ())
        listed = [events] if isinstance(events, (str, Event)) or callable(events) else list(events)
        stop = Event(guard - WORSE * here, direction=-1, terminal=True)
        run = simulate(full, begin, until, values, events=[*listed, stop], **words)
        if run.outcome.reached:
            return replace(run, events=FrozenMap({n: t for n, t in run.events.items() if n != str(stop.expression)}))
        words["events"] = listed
        if not len(run.events.get(str(stop.expression), ())):
            return run
        moving = reduction.invariant_equations
        full = full_equations(
            system, reduction.shape, reduction.basis, reduction.frame, moving, reduction.momenta, reduction.rates
        )
        begin = reduced_start(reduction, full, start, parameters)
    return simulate(full, begin, until, values, **words)


def _guard(reduction: Any) -> Expr | None:
    """``1/(1 + Σ Z²)`` over the entries of the aligned basis that have denominators in the shape, on Q."""
    shape: Shape = reduction.shape
    if tuple(map(str, reduction.equations.speeds)) != (*reduction.rates, *reduction.momenta):
        return None
    moving = set(symbols(shape.names))
    entries = [
        e
        for row in reduction.frame.matrix
        for e in row
        if any(
            p.args[1].is_Number and p.args[1].is_negative and p.args[0].free_symbols & moving for p in e.atoms(se.Pow)
        )
    ]
    return shape.lift([1 / (1 + se.Add(*(e**2 for e in entries)))])[0] if entries else None
