"""From the reduced motion back to all coordinates: ``ġ = g(Ω − A ṙ)`` [BMZ 2009 (2.15)] beside the reduced equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nonholo.algebra.calculus import gradient, substitute, symbols
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.linear import Matrix, dot, evaluate, multiply
from nonholo.derive.equations import Equations
from nonholo.derive.state import complete_state
from nonholo.model.admissible import named_velocities
from nonholo.model.system import System, parameter_values
from nonholo.symmetry.aligned import Aligned
from nonholo.symmetry.invariant import Basis
from nonholo.symmetry.shape import Shape

Expr = Any


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
    assert system.frame is not None
    speeds = reduced.speeds
    if shape.redundant:
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


def speeds_of(reduction: Any) -> dict[str, Expr]:
    """Every speed of the reduced motion as an expression in the coordinates and frame velocities of the system."""
    system: System = reduction.system
    shape, basis, frame = reduction.shape, reduction.basis, reduction.frame
    forms = basis.allowed.forms
    if shape.redundant:
        from nonholo.algebra.linear import solve
        from nonholo.model.admissible import samples_of

        found = solve(basis.change, [[f] for f in forms], samples_of(system))
        return {str(s): row[0] for s, row in zip(reduction.equations.speeds, found)}
    from nonholo.symmetry.quotient import natural_parts

    metric = natural_parts(system)[0]
    v = symbols(system.velocities)
    columns = lifted_columns(shape, basis, frame)
    lowered = [dot(row, v) for row in metric]
    h = frame.horizontal
    result = {}
    x = symbols(system.coordinates)
    assert system.frame is not None
    for name, row in zip(reduction.rates, frame.rows):
        result[name] = dot(gradient(shape.functions[row], x), system.frame.rates)
    for a, name in enumerate(reduction.momenta):
        result[name] = dot([r[h + a] for r in columns], lowered)
    return result


def reduced_start(
    reduction: Any, start: Mapping[str, Any] | None, parameters: Mapping[str, Any] | None
) -> dict[str, float]:
    """A start of the full system as one of the reconstruction."""
    system: System = reduction.system
    given = dict(start or {})
    own = {
        n: given.pop(n) for n in list(given) if n in (*reduction.momenta, *reduction.rates) and n not in _names(system)
    }
    values = parameter_values(system, parameters)
    state = complete_state(system, given if start is not None else None, parameters)
    forms = speeds_of(reduction)
    numbers = evaluate(list(forms.values()), {**values, **state})
    result = {n: state[n] for n in system.coordinates}
    result |= dict(zip(forms, numbers.tolist()))
    result |= {n: float(e) for n, e in own.items()}
    result["t"] = state.get("t", 0.0)
    return result


def _names(system: System) -> tuple[str, ...]:
    from nonholo.model.admissible import dependent_names

    return (*system.coordinates, *dependent_names(system))


def reduced_motion(
    reduction: Any,
    start: Mapping[str, Any] | None,
    until: float,
    parameters: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> Any:
    """The motion of the reconstruction: the reduced equations never look at the group's coordinates."""
    from nonholo.integrate.simulate import simulate

    system: System = reduction.system
    begin = reduced_start(reduction, start, parameters)
    return simulate(reduction.reconstruction, begin, until, parameter_values(system, parameters), **dict(options))
