"""Reading a system's words: kinds, names, frames, clashes; every mistake is one clear error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol, TypeAlias

from nonholo.algebra.calculus import substitute, symbol, symbols
from nonholo.algebra.door import check_clashes, expression, names_of
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.kinds import Expr
from nonholo.errors import ModelError, ParseError, StateError
from nonholo.geometry.frame import Euclidean, Frame, linear_form, product, rate
from nonholo.model.symmetry import Symmetry

Formula: TypeAlias = str | float | Expr
"""An expression as a user gives it: text, a number, SymPy or SymEngine."""
Formulas: TypeAlias = Sequence[Formula] | str
Names: TypeAlias = str | Sequence[Any]
"""Names as a user gives them: words of a text, or a list of text or symbols."""
Parametric: TypeAlias = tuple[tuple[str, ...], FrozenMap[str, Expr]]
"""The parameters of the velocities, and each velocity in them."""
NOTHING: FrozenMap[Any, Any] = FrozenMap()


@dataclass(frozen=True)
class Written:
    """What the user wrote, as it was written; `nonholo.model.system.System` says what each word means."""

    name: Any
    coordinates: Any
    lagrangian: Any
    parameters: Any
    constraints: Any
    quasivelocities: Any
    frame: Any
    parametric: Any
    holonomic: Any
    forces: Any
    magnetic: Any
    inputs: Any
    symmetry: Any
    values: Any
    start: Any
    signals: Any


@dataclass
class Understood:
    """What was understood; the fields of a System."""

    name: str
    coordinates: tuple[str, ...]
    lagrangian: Expr
    parameters: tuple[str, ...]
    constraints: tuple[Expr, ...]
    quasivelocities: FrozenMap[str, Expr]
    frame: Frame
    parametric: Parametric | None
    holonomic: tuple[Expr, ...]
    forces: FrozenMap[str, Expr]
    magnetic: FrozenMap[tuple[str, str], Expr]
    inputs: tuple[str, ...]
    symmetry: Symmetry | None
    values: FrozenMap[str, float]
    start: FrozenMap[str, float]
    signals: FrozenMap[str, Expr]


class Vocabulary(Protocol):
    """Whatever has names that an expression may use: a System, and one that is being read."""

    @property
    def name(self) -> str: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def frame(self) -> Frame: ...
    @property
    def quasivelocities(self) -> FrozenMap[str, Expr]: ...
    @property
    def parameters(self) -> tuple[str, ...]: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...


def understood(written: Written) -> Understood:
    """Read everything a user wrote; the first mistake is one clear error."""
    check_kinds(written)
    where = written.name
    parameters, inputs, values, signals = read_names(written)
    frame, parameters = read_frame(written, parameters)
    system = Understood(
        name=where,
        coordinates=frame.coordinates,
        lagrangian=None,
        parameters=parameters,
        constraints=(),
        quasivelocities=FrozenMap(),
        frame=frame,
        parametric=None,
        holonomic=(),
        forces=FrozenMap(),
        magnetic=FrozenMap(),
        inputs=inputs,
        symmetry=written.symmetry,
        values=values,
        start=read_start(written),
        signals=FrozenMap(),
    )
    system.quasivelocities = read_quasivelocities(written, system)
    known = known_names(system)
    if written.lagrangian is None:
        raise ModelError(f'{where}: no lagrangian; give lagrangian="kinetic energy - potential energy".')
    system.lagrangian = declared(written.lagrangian, known, f"{where}: lagrangian")
    system.constraints = tuple(
        declared(c, known, f"{where}: constraint {i + 1}")
        for i, c in enumerate(listed(written.constraints, "constraints"))
    )
    positions = (*system.coordinates, *parameters, "t")
    system.holonomic = tuple(
        declared(c, positions, f"{where}: holonomic constraint {i + 1}")
        for i, c in enumerate(listed(written.holonomic, "holonomic"))
    )
    system.forces = FrozenMap(
        {
            force_name(system, plain_key(k)): declared(e, known, f"{where}: force on {k}")
            for k, e in dict(written.forces).items()
        }
    )
    system.magnetic = FrozenMap(
        {
            magnetic_pair(system, k): declared(e, known, f"{where}: magnetic form {k}")
            for k, e in dict(written.magnetic).items()
        }
    )
    system.parametric = read_parametric(written, system)
    system.signals = read_signals(system, signals)
    check_stray(system)
    return system


def declared(value: Any, known: Sequence[str], where: str) -> Expr:
    """An expression of a system; an unknown name may be a parameter that was not declared."""
    try:
        return expression(value, known, where)
    except ParseError as trouble:
        hint = r"\1; if \2 is a parameter, give it among the parameters"
        told = re.sub(r"(unknown name ('\w+'); known names: [^(\n]*?)(?= \(at|$)", hint, str(trouble), count=1)
        raise ParseError(told) from None


def check_stray(system: Understood) -> None:
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


def listed(value: Any, what: str) -> Sequence[Any]:
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        raise ModelError(
            f'{what} must be a list of residuals, e.g. {what}=["ydot*cos(theta) - xdot*sin(theta)"].'
        ) from None


def check_kinds(written: Written) -> None:
    """Refuse words of the wrong kind before anything is read from them."""
    for word in ("values", "start", "forces", "magnetic", "signals"):
        if not isinstance(getattr(written, word), Mapping):
            raise ModelError(
                f"{written.name}: {word} must be a table of names, e.g. {word}={{…}}; found {getattr(written, word)!r}."
            )
    for word, kind, example in (("frame", Frame, 'nh.SO3("R")'), ("symmetry", Symmetry, 'nh.translation("x", "y")')):
        if getattr(written, word) is not None and not isinstance(getattr(written, word), kind):
            raise ModelError(
                f"{written.name}: {word} must be made by nonholo, e.g. {example}; found {getattr(written, word)!r}."
            )
    if not isinstance(written.name, str):
        raise ModelError(f"name must be text; found {written.name!r}.")
    if written.parametric is not None:
        try:
            _, table = written.parametric
        except (TypeError, ValueError):
            table = None
        if not isinstance(table, Mapping):
            raise ModelError(
                f'{written.name}: parametric must be ("z1 z2", {{"xdot": "…", …}}); found {written.parametric!r}.'
            )


def read_names(written: Written) -> tuple[tuple[str, ...], tuple[str, ...], FrozenMap[str, float], dict[str, Any]]:
    """Parameters, inputs, the parameters' values, and what the inputs do, unread."""
    where = written.name
    values, signals = dict(written.values), dict(written.signals)
    given, driven = written.parameters, written.inputs
    if isinstance(given, Mapping):
        values |= {str(k): v for k, v in given.items() if v is not None}
        given = list(given)
    if isinstance(driven, Mapping):
        signals |= {str(k): v for k, v in driven.items() if v is not None}
        driven = list(driven)
    parameters = names_of(given, f"{where}: parameters") if given else ()
    inputs = names_of(driven, f"{where}: inputs") if driven else ()
    numbers = FrozenMap({str(k): finite(v, f"{where}: parameter {k}") for k, v in values.items()})
    return parameters, inputs, numbers, signals


def read_start(written: Written) -> FrozenMap[str, float]:
    given = dict(written.start)
    return FrozenMap({str(k): finite(v, f"{written.name}: start {k}") for k, v in given.items()})


def read_signals(system: Understood, given: Mapping[str, Any]) -> FrozenMap[str, Expr]:
    """What the inputs do: numbers, or expressions of time and state."""
    known = tuple(n for n in known_names(system) if n not in system.inputs)
    read: dict[str, Expr] = {}
    for name, value in given.items():
        if name not in system.inputs:
            have = ", ".join(system.inputs) or "none"
            raise ModelError(f"{system.name}: a signal is given for {name!r}, which is not an input; it has {have}.")
        where = f"{system.name}: input {name}"
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        read[str(name)] = finite(value, where) if plain else expression(value, known, where)
    return FrozenMap(read)


def finite(value: Any, where: str) -> float:
    """The number, or a StateError when it is none or not finite."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise StateError(f"{where}: {repr(value)[:60]} is not a number.") from None
    if not isfinite(number):
        raise StateError(f"{where} is {number}; a finite number is needed.")
    return number


def read_frame(written: Written, parameters: tuple[str, ...]) -> tuple[Frame, tuple[str, ...]]:
    """The frame on all coordinates, and the parameters with those that the frame brings along."""
    where = written.name
    names = names_of(written.coordinates, f"{where}: coordinates") if written.coordinates else ()
    given: Frame | None = written.frame
    if given is None:
        if not names:
            raise ModelError(f'{where}: no coordinates; give coordinates="theta x y" or frame=nh.SO3(…).')
        frame = Euclidean(names)
    else:
        extra = tuple(c for c in names if c not in given.coordinates)
        frame = product(given, Euclidean(extra)) if extra else given
    parameters = (*parameters, *(p for p in frame.parameters if p not in parameters))
    stray = [k for k in written.values if k not in parameters]
    if stray:
        raise ModelError(f"{where}: a value is given for {stray[0]!r}, which is not a parameter; declare it or remove it.")
    return frame, parameters


def read_quasivelocities(written: Written, system: Understood) -> FrozenMap[str, Expr]:
    """The quasi-velocities as linear forms; no name may mean two things."""
    forms = written.quasivelocities
    if not isinstance(forms, Mapping):
        raise ModelError(f'{system.name}: quasivelocities must be a table, e.g. {{"omega": "thetadot"}}.')
    quasi = names_of(list(forms), f"{system.name}: quasi-velocities") if forms else ()
    params = names_of(_parametric_names(written), f"{system.name}: parametric") if written.parametric is not None else ()
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
    return FrozenMap(read)


def rate_table(system: Vocabulary) -> dict[Any, Expr]:
    """Rates of the coordinates in the frame's velocities, ``ẋ = ψ v``."""
    if system.frame.plain:
        return {}
    own = set(system.frame.velocities)
    return {symbol(rate(c)): e for c, e in zip(system.coordinates, system.frame.rates) if rate(c) not in own}


def known_names(system: Vocabulary) -> tuple[str, ...]:
    """Every name an expression of this system may use."""
    rates = tuple(rate(c) for c in system.coordinates)
    own = tuple(v for v in system.frame.velocities if v not in rates)
    return (*system.coordinates, *rates, *own, *system.quasivelocities, *system.parameters, *system.inputs, "t")


def _velocity_name(system: Vocabulary, name: str, what: str) -> str:
    """The velocity that a force or a 2-form's leg is paired with."""
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


def force_name(system: Vocabulary, name: str) -> str:
    return _velocity_name(system, name, "force")


def magnetic_pair(system: Vocabulary, key: Any) -> tuple[str, str]:
    if not isinstance(key, (str, tuple, list)):
        raise ModelError(f'{system.name}: magnetic form {key!r} needs two names, e.g. magnetic={{("x", "y"): "B"}}.')
    pair = tuple(str(key).replace(",", " ").split()) if isinstance(key, str) else tuple(map(plain_key, key))
    if len(pair) != 2 or pair[0] == pair[1]:
        raise ModelError(
            f'{system.name}: magnetic form {key!r} needs two different names, e.g. magnetic={{("x", "y"): "B"}}.'
        )
    return (_velocity_name(system, pair[0], "magnetic form"), _velocity_name(system, pair[1], "magnetic form"))


def _parametric_names(written: Written) -> Any:
    try:
        names, _ = written.parametric
    except (TypeError, ValueError):
        raise ModelError(f'{written.name}: parametric must be ("z1 z2", {{"xdot": "…", …}}).') from None
    return names


def read_parametric(written: Written, system: Understood) -> Parametric | None:
    if written.parametric is None:
        return None
    names = names_of(_parametric_names(written), f"{system.name}: parametric")
    given = dict(written.parametric[1])
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
    return names, FrozenMap(read)
