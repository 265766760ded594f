"""Reading a system's words: kinds, names, frames, clashes; every mistake is one clear error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from nonholo.algebra.calculus import substitute, symbol, symbols
from nonholo.algebra.door import check_clashes, expression, names_of
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.kinds import Expr
from nonholo.errors import ModelError, ParseError, StateError
from nonholo.geometry.frame import Euclidean, Frame, linear_form, product, rate
from nonholo.model.symmetry import Symmetry

if TYPE_CHECKING:
    from nonholo.model.system import System



def declared(value: Any, known: Sequence[str], where: str) -> Expr:
    """An expression of a system; an unknown name may be a parameter that was not declared."""
    try:
        return expression(value, known, where)
    except ParseError as trouble:
        hint = r"\1; if \2 is a parameter, give it among the parameters"
        told = re.sub(r"(unknown name ('\w+'); known names: [^(\n]*?)(?= \(at|$)", hint, str(trouble), count=1)
        raise ParseError(told) from None


def check_stray(system: System) -> None:
    """Refuse starts and generators on names that the system does not have."""
    extra = system.parametric[0] if system.parametric is not None else ()
    fixed = {*system.parameters, *system.inputs}
    known = [n for n in (*known_names(system), *extra) if n not in fixed]
    for name in system.start:
        if name not in (*known, *system.inputs):
            raise ModelError(
                f"{system.name}: start gives {name!r}, which is no state variable; use {', '.join(known)}."
            )
    for label, field_ in system.symmetry.generators.items() if system.symmetry is not None else ():
        for name in field_:
            if name not in system.coordinates:
                raise ModelError(
                    f"{system.name}: the generator {label!r} moves {name!r}, which is no coordinate; "
                    f"use {', '.join(system.coordinates)}."
                )


class Putter:
    def __init__(self, system: System) -> None:
        self.system = system

    def __call__(self, name: str, value: Any) -> None:
        object.__setattr__(self.system, name, value)


def listed(value: Any, what: str) -> Sequence[Any]:
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        raise ModelError(
            f'{what} must be a list of residuals, e.g. {what}=["ydot*cos(theta) - xdot*sin(theta)"].'
        ) from None


def check_kinds(system: System) -> None:
    """Refuse words of the wrong kind before anything is read from them."""
    for word in ("values", "start", "forces", "magnetic", "signals"):
        if not isinstance(getattr(system, word), Mapping):
            raise ModelError(
                f"{system.name}: {word} must be a table of names, e.g. {word}={{…}}; found {getattr(system, word)!r}."
            )
    for word, kind, example in (("frame", Frame, 'nh.SO3("R")'), ("symmetry", Symmetry, 'nh.translation("x", "y")')):
        if getattr(system, word) is not None and not isinstance(getattr(system, word), kind):
            raise ModelError(
                f"{system.name}: {word} must be made by nonholo, e.g. {example}; found {getattr(system, word)!r}."
            )
    if not isinstance(system.name, str):
        raise ModelError(f"name must be text; found {system.name!r}.")
    if system.parametric is not None:
        try:
            _, table = system.parametric
        except (TypeError, ValueError):
            table = None
        if not isinstance(table, Mapping):
            raise ModelError(
                f'{system.name}: parametric must be ("z1 z2", {{"xdot": "…", …}}); found {system.parametric!r}.'
            )


def read_names(system: System, put: Putter) -> None:
    values = dict(system.values)
    if isinstance(system.parameters, Mapping):
        values = {**values, **{str(k): v for k, v in system.parameters.items() if v is not None}}
    names = list(system.parameters) if isinstance(system.parameters, Mapping) else system.parameters
    put("parameters", names_of(names, f"{system.name}: parameters") if names else ())
    if isinstance(system.inputs, Mapping):
        put("signals", {**system.signals, **{str(k): v for k, v in system.inputs.items() if v is not None}})
        put("inputs", list(system.inputs))
    put("inputs", names_of(system.inputs, f"{system.name}: inputs") if system.inputs else ())
    put("coordinates", names_of(system.coordinates, f"{system.name}: coordinates") if system.coordinates else ())
    put("values", FrozenMap({k: finite(v, f"{system.name}: parameter {k}") for k, v in values.items()}))
    put("start", FrozenMap({str(k): finite(v, f"{system.name}: start {k}") for k, v in dict(system.start).items()}))
    stray = [k for k in system.values if k not in system.parameters]
    if stray:
        raise ModelError(
            f"{system.name}: a value is given for {stray[0]!r}, which is not a parameter; declare it or remove it."
        )


def read_signals(system: System, put: Putter) -> None:
    """What the inputs do: numbers, or expressions of time and state."""
    known = tuple(n for n in known_names(system) if n not in system.inputs)
    read: dict[str, Any] = {}
    for name, given in dict(system.signals).items():
        if name not in system.inputs:
            have = ", ".join(system.inputs) or "none"
            raise ModelError(f"{system.name}: a signal is given for {name!r}, which is not an input; it has {have}.")
        where = f"{system.name}: input {name}"
        plain = isinstance(given, (int, float)) and not isinstance(given, bool)
        read[str(name)] = finite(given, where) if plain else expression(given, known, where)
    put("signals", FrozenMap(read))


def finite(value: Any, where: str) -> float:
    """The number, or a StateError when it is none or not finite."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise StateError(f"{where}: {repr(value)[:60]} is not a number.") from None
    if not isfinite(number):
        raise StateError(f"{where} is {number}; a finite number is needed.")
    return number


def read_frame(system: System, put: Putter) -> None:
    if system.frame is None:
        if not system.coordinates:
            raise ModelError(f'{system.name}: no coordinates; give coordinates="theta x y" or frame=nh.SO3(…).')
        put("frame", Euclidean(system.coordinates))
        return
    extra = tuple(c for c in system.coordinates if c not in system.frame.coordinates)
    if extra:
        put("frame", product(system.frame, Euclidean(extra)))
    put("coordinates", system.frame.coordinates)
    missing = tuple(p for p in system.frame.parameters if p not in system.parameters)
    put("parameters", (*system.parameters, *missing))


def check_names(system: System) -> None:
    assert system.frame is not None
    forms = system.quasivelocities
    if not isinstance(forms, Mapping):
        raise ModelError(f'{system.name}: quasivelocities must be a table, e.g. {{"omega": "thetadot"}}.')
    quasi = names_of(list(forms), f"{system.name}: quasi-velocities") if forms else ()
    params = names_of(_parametric_names(system), f"{system.name}: parametric") if system.parametric is not None else ()
    rates = tuple(rate(c) for c in system.coordinates)
    check_clashes(
        {
            "coordinate": system.coordinates,
            "rate": rates,
            "velocity": tuple(v for v in system.frame.velocities if v not in rates),
            "quasi-velocity": quasi,
            "velocity parameter": params,
            "parameter": system.parameters,
            "input": system.inputs,
            "time": ("t",),
        }
    )
    allowed = (*system.coordinates, *rates, *system.frame.velocities, *system.parameters)
    known = system.frame.velocities
    read = {}
    for name, text in forms.items():
        where = f"{system.name}: quasi-velocity {name}"
        form = expression(text, allowed, where)
        linear_form(substitute([form], rate_table(system))[0], symbols(known), where)
        read[str(name)] = form
    object.__setattr__(system, "quasivelocities", FrozenMap(read))


def rate_table(system: System) -> dict[Any, Expr]:
    """Rates of the coordinates in the frame's velocities, ``ẋ = ψ v``."""
    assert system.frame is not None
    if system.frame.plain:
        return {}
    own = set(system.frame.velocities)
    return {symbol(rate(c)): e for c, e in zip(system.coordinates, system.frame.rates) if rate(c) not in own}


def known_names(system: System) -> tuple[str, ...]:
    """Every name an expression of this system may use."""
    assert system.frame is not None
    rates = tuple(rate(c) for c in system.coordinates)
    own = tuple(v for v in system.frame.velocities if v not in rates)
    return (*system.coordinates, *rates, *own, *system.quasivelocities, *system.parameters, *system.inputs, "t")


def _velocity_name(system: System, name: str, what: str) -> str:
    """The velocity that a force or a 2-form's leg is paired with."""
    assert system.frame is not None
    if name in system.coordinates or name in system.frame.velocities or name in system.quasivelocities:
        return name
    if name.endswith("dot") and name[:-3] in system.coordinates:
        return name[:-3]
    choices = ", ".join(
        (
            *system.coordinates,
            *(v for v in known_names(system) if v in system.quasivelocities or v in system.frame.velocities),
        )
    )
    raise ModelError(
        f"{system.name}: {what} on {name!r}, which is neither a coordinate nor a quasi-velocity; choose from {choices}."
    )


def plain_key(key: Any) -> str:
    """A key as its name: text, a symbol, or SymPy's ``x(t)``."""
    return str(key.func) if getattr(key, "args", None) and hasattr(key, "func") else str(key)


def force_name(system: System, name: str) -> str:
    return _velocity_name(system, name, "force")


def magnetic_pair(system: System, key: Any) -> tuple[str, str]:
    if not isinstance(key, (str, tuple, list)):
        raise ModelError(f'{system.name}: magnetic form {key!r} needs two names, e.g. magnetic={{("x", "y"): "B"}}.')
    pair = tuple(str(key).replace(",", " ").split()) if isinstance(key, str) else tuple(map(plain_key, key))
    if len(pair) != 2 or pair[0] == pair[1]:
        raise ModelError(
            f'{system.name}: magnetic form {key!r} needs two different names, e.g. magnetic={{("x", "y"): "B"}}.'
        )
    return (_velocity_name(system, pair[0], "magnetic form"), _velocity_name(system, pair[1], "magnetic form"))


def _parametric_names(system: System) -> Any:
    try:
        names, _ = system.parametric
    except (TypeError, ValueError):
        raise ModelError(f'{system.name}: parametric must be ("z1 z2", {{"xdot": "…", …}}).') from None
    return names


def read_parametric(system: System, put: Putter) -> None:
    if system.parametric is None:
        return
    assert system.frame is not None
    names = names_of(_parametric_names(system), f"{system.name}: parametric")
    given = dict(system.parametric[1])
    if system.constraints:
        raise ModelError(f"{system.name}: give constraints or parametric velocities, not both.")
    wanted = system.frame.velocities
    stray = [k for k in given if k not in wanted]
    missing = [v for v in wanted if v not in given]
    if stray or missing:
        raise ModelError(
            f"{system.name}: parametric velocities must give each of {', '.join(wanted)}; "
            + (f"{stray[0]!r} is none of them." if stray else f"{missing[0]!r} is missing.")
        )
    known = (*system.coordinates, *names, *system.parameters, *system.inputs, "t")
    read = {v: expression(given[v], known, f"{system.name}: parametric {v}") for v in wanted}
    put("parametric", (names, FrozenMap(read)))
