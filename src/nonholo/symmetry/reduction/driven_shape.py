"""Inputs in constraints as laws of time and configuration, and their rates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsFloat

from nonholo.algebra.calculus import ONE, along, symbols
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import StateError
from nonholo.model.system import TIME, System
from nonholo.model.velocities.driven_coordinates import drivers
from nonholo.notation.read import expression, is_formula


def driven_motion(
    system: System, start: Mapping[str, Any] | None, values: Mapping[str, float], given: Mapping[str, Any] | None
) -> tuple[dict[str, float], Mapping[str, Any] | None]:
    """The full state at a start, and the inputs: a law ``u(t, q)`` of a driven coordinate gives ``u`` there and ``u̇`` after it.

    A number is a law too; a coordinate of which no law is given stays for the start and the input of its rate to say.
    """
    driving = {c: w for w, c in drivers(system).items()}
    told = dict(given or {})
    laws = {c: _law(system, c, told.pop(c)) for c in driving if c in told}
    others = {n: e for n, e in told.items() if is_formula(e) or isinstance(e, SupportsFloat)}
    if not laws:
        return complete_state(system, start, dict(values), inputs=others), given
    rates = dict(zip(symbols(system.coordinates), system.frame.rates))
    slopes = {driving[c]: along([law], {**rates, TIME: ONE})[0] for c, law in laws.items()}
    begin = {**dict(system.start if start is None else start)}
    idle = {**others, **dict.fromkeys(slopes, 0.0)}
    # laws see the configuration, and their rates the velocities, which depend on them: one after the other
    for exprs in (laws, slopes):
        place = {**complete_state(system, begin, dict(values), inputs=idle, repair=exprs is laws), **values}
        found = dict(zip(exprs, evaluate(list(exprs.values()), place).tolist()))
        begin, idle = ({**begin, **found}, idle) if exprs is laws else (begin, {**idle, **found})
    return complete_state(system, begin, dict(values), inputs=idle), {**told, **slopes}


def _law(system: System, name: str, law: Any) -> Any:
    """A law as an expression in time, parameters and coordinates."""
    where = f"{system.name}: the input {name!r} stands in a constraint"
    if not is_formula(law) and not isinstance(law, SupportsFloat):
        raise StateError(
            f"{where}, so that its rate enters the accelerations, and the rate of a function, table or sampled value is not "
            f'known; give it as a formula, e.g. inputs={{"{name}": "0.3*sin(t)"}}, or as a number.'
        )
    driving = {*drivers(system).values()}
    own = [c for c in system.coordinates if c not in driving]
    moving = (*system.velocities, *system.quasivelocities, *(system.parametric[0] if system.parametric is not None else ()))
    told = law if is_formula(law) else float(law)
    found = expression(told, (*own, *system.parameters, *moving, "t"), f"{system.name}: input {name}")
    beyond = moving if system.parametric is None else (*moving, *own)
    fast = sorted(str(s) for s in found.free_symbols & set(symbols(beyond)))
    if fast:
        raise StateError(
            f"{where} and would follow {', '.join(fast)}; this reduction knows its rate only for laws of time"
            f"{'' if system.parametric is not None else ' and coordinates'}, and every law that is part of the system: write "
            f'nh.System(…, inputs={{"{name}": law}}) and reduce that.'
        )
    return found
