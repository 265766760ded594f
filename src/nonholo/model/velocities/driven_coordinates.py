"""Treat inputs in constraints as driven coordinates ``u`` with ``u̇ = u_rate``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.algebra.calculus import ZERO, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.geometry.frames.frame import rate
from nonholo.geometry.frames.frame_constructions import Euclidean
from nonholo.model.specialise import replaced
from nonholo.model.system import System, varied


def _parts(system: System) -> list[Expr]:
    return [*system.constraints, *(system.parametric[1].values() if system.parametric is not None else ())]


def drivers(system: System) -> dict[str, str]:
    """The coordinates that are driven, ``ċ = u`` and nothing else known of ``ċ``, by the inputs that do it.

    Such an input's own rate enters no acceleration, for no inertia belongs to ``ċ``.

    >>> words = dict(coordinates="x y c", lagrangian="(xdot**2 + ydot**2)/2", inputs="w")
    >>> drivers(System(constraints=["ydot - x*xdot - c", "cdot - w"], **words))
    {'w': 'c'}
    >>> drivers(System(constraints=["ydot - w"], **words))
    {}
    """
    result = {}
    for name in system.coordinates:
        speed = symbol(rate(name))
        holding = [e for e in _parts(system) if speed in e.free_symbols]
        others = (system.lagrangian, *system.forces.values(), *system.quasivelocities.values())
        table = system.parametric[1] if system.parametric is not None else {}
        side = holding[0] if len(holding) == 1 else table.get(str(speed), None)
        if side is None or any(speed in e.free_symbols for e in others):
            continue
        for one in symbols(system.inputs):
            alone = sum(one in e.free_symbols for e in (*_parts(system), *others)) == 1
            if alone and (side == one or side in (speed - one, one - speed)):
                result[str(one)] = name
    return result


def held_inputs(system: System) -> tuple[str, ...]:
    """The inputs in constraints whose own rates enter the accelerations, or would in other speeds."""
    found: set[Symbol] = {s for e in _parts(system) for s in e.free_symbols}
    driving = drivers(system)
    return tuple(n for n in system.inputs if symbol(n) in found and n not in driving)


def unfolded(system: System) -> tuple[System, Mapping[str, str]]:
    """The system with its `held_inputs` as coordinates and their rates as inputs; and the names of these rates.

    The equations are the same, with ``u̇`` written as an input: a coordinate without inertia that a constraint drives
    takes no part in the virtual displacements.

    >>> skate = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", inputs="u", constraints=["ydot - x*xdot - u"])
    >>> wider, rates = unfolded(skate)
    >>> wider.coordinates, wider.inputs, rates
    (('x', 'y', 'u'), {'u_rate': None}, {'u': 'u_rate'})
    """
    held = held_inputs(system)
    if not held:
        return system, {}
    taken = {*system.coordinates, *system.parameters, *system.inputs, *system.velocities, *system.quasivelocities}
    rates: dict[str, str] = {}
    for name in held:
        word = f"{name}_rate"
        while word in taken:
            word += "_"
        rates[name] = word
        taken.add(word)
    words: dict[str, Any] = {}
    if system.parametric is not None:
        names, table = system.parametric
        words["parametric"] = (names, {**table, **{rate(n): symbol(w) for n, w in rates.items()}})
    else:
        words["constraints"] = (*system.constraints, *(symbol(rate(n)) - symbol(w) for n, w in rates.items()))
    inputs = (*(n for n in system.inputs if n not in held), *rates.values())
    return (
        varied(
            system,
            coordinates=(*system.coordinates, *held),
            frame=system.frame * Euclidean(" ".join(held)),
            inputs=inputs,
            page=None,
            **words,
        ),
        rates,
    )


def held_still(system: System, zero: bool = False) -> System:
    """The system whose `held_inputs` are constant: parameters of the same names, or ``zero``.

    >>> skate = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", inputs="u", constraints=["ydot - x*xdot - u"])
    >>> held_still(skate).parameters, held_still(skate, zero=True).constraints
    ({'u': None}, (ydot - x*xdot,))
    """
    held = held_inputs(system)
    inputs = tuple(n for n in system.inputs if n not in held)
    if zero:
        return replaced(system, dict.fromkeys(symbols(held), ZERO), inputs=inputs)
    return varied(system, inputs=inputs, parameters=(*system.parameters, *held), page=None)
