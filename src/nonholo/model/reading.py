"""Read a system from user input; every mistake raises one clear error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonholo.algebra.calculus import ZERO, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import VALUE, ModelError, ParseError, about, meant
from nonholo.geometry.frames.frame import Euclidean, Frame, linear_form, product, rate
from nonholo.model.contact_reading import read_contacts, with_contact_rows, with_multipliers
from nonholo.model.declared_words import (
    Parametric,
    Understood,
    Vocabulary,
    Written,
    check_reserved,
    known_names,
    law_names,
    rate_table,
    read_units,
)
from nonholo.model.drawing.drawing_words import check_drawing, drawing_of
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.files.page_options import page_of
from nonholo.model.real_domain import roots_in
from nonholo.model.scalars import Guess, finite, guessed
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.notation.read import check_clashes, difference, expression, names_of, plain_name


def understood(written: Written) -> Understood:
    """Read everything a user wrote; the first mistake is one clear error."""
    check_kinds(written)
    where = written.name
    if isinstance(where, str) and any(c == "\0" or "\ud800" <= c <= "\udfff" for c in where):
        message = f"name: {where[:60]!r} has a character that no file can hold; choose a plainer name."
        raise ModelError(message, key=("name",))
    parameters, inputs = read_names(written)
    frame, parameters = read_frame(written, parameters)
    system = Understood(
        name=where,
        coordinates=frame.coordinates,
        lagrangian=ZERO,
        parameters=parameters,
        constraints=(),
        quasivelocities=FrozenMap(),
        frame=frame,
        parametric=None,
        holonomic=(),
        forces=FrozenMap(),
        magnetic=FrozenMap(),
        inputs=FrozenMap(dict.fromkeys(inputs)),
        symmetry=written.symmetry,
        start=read_start(written),
        until=read_until(written),
        units=FrozenMap(),
        drawing=None,
        page=None,
        machine=written.machine,
        contacts=(),
    )
    system = replace(system, quasivelocities=read_quasivelocities(written, system))
    known = known_names(system)
    if written.lagrangian is None:
        raise ModelError(f'{where}: no lagrangian; give lagrangian="kinetic energy - potential energy".')
    lagrangian = declared(written.lagrangian, known, f"{where}: lagrangian", ("lagrangian",))
    constraints = tuple(
        declared(c, known, f"{where}: constraint {i + 1}", ("constraints", i))
        for i, c in enumerate(listed(written.constraints, "constraints"))
    )
    check_repeated(where, "constraint", constraints)
    positions = (*system.coordinates, *parameters, "t")
    holonomic = tuple(
        declared(c, positions, f"{where}: holonomic constraint {i + 1}", ("holonomic", i))
        for i, c in enumerate(listed(written.holonomic, "holonomic"))
    )
    check_repeated(where, "holonomic constraint", holonomic)
    forces = FrozenMap(
        {
            force_name(system, plain_key(k)): declared(e, known, f"{where}: force on {k}", ("forces", str(k)))
            for k, e in dict(written.forces).items()
        }
    )
    magnetic = FrozenMap(
        {
            magnetic_pair(system, k): declared(e, known, f"{where}: magnetic form {k}", ("magnetic", str(k)))
            for k, e in dict(written.magnetic).items()
        }
    )
    system = replace(
        system, lagrangian=lagrangian, constraints=constraints, holonomic=holonomic, forces=forces, magnetic=magnetic
    )
    with about("parametric"):
        system = replace(system, parametric=read_parametric(written, system))
    check_stray(system)
    with about("contacts"):
        contacts = read_contacts(written.contacts, system, declared)
    if contacts:
        system = with_contact_rows(replace(system, contacts=contacts))
    with about("inputs"):
        system = replace(system, inputs=read_laws(system, inputs))
    with about("drawing"):
        drawing = read_drawing(written, system)
    extra = system.parametric[0] if system.parametric is not None else ()
    with about("page"):
        page = page_of(written.page, (*known_names(system), *extra), f"{where}: page", finite)
    with about("units"):
        units = read_units(dict(written.units), (*known_names(system), *extra), where)
    formulas = [lagrangian, *system.constraints, *system.holonomic, *system.quasivelocities.values()]
    bounded = roots_in(formulas, system.coordinates)
    frame = replace(frame, domain=bounded, checked=True) if bounded else frame
    return replace(system, units=units, drawing=drawing, page=page, frame=frame)


def declared(value: Any, known: Sequence[str], where: str, key: tuple[str | int, ...] = ()) -> Expr:
    """An expression of a system; an unknown name may be a parameter that was not declared."""
    try:
        with about(*key):
            return expression(value, known, where)
    except ParseError as trouble:
        if not trouble.unknown:
            raise
        hint = f"{trouble.message}; if {trouble.unknown!r} is a parameter, give it among the parameters"
        raise trouble.altered(hint, trouble.passage) from None


def check_stray(system: Understood) -> None:
    """Refuse starts and generators on names that the system does not have."""
    extra = system.parametric[0] if system.parametric is not None else ()
    fixed = {*system.parameters, *system.inputs}
    known = [n for n in (*known_names(system), *extra) if n not in fixed]
    for name, value in system.start.items():
        if isinstance(value, Guess) and name not in system.coordinates:
            message = f"{system.name}: start {name} = {value!r}: only coordinates are guessed; give a number."
            raise ModelError(message, key=("start", name))
        if name not in (*known, *system.inputs):
            hint = meant(name, known, f"use {', '.join(known)}.")
            message = f"{system.name}: start gives {name!r}, which is no state variable; {hint}"
            raise ModelError(message, key=("start", name))
    for label, field_ in system.symmetry.generators.items() if system.symmetry is not None else ():
        for name in field_:
            if name not in system.coordinates:
                raise ModelError(
                    f"{system.name}: the generator {label!r} moves {name!r}, which is no coordinate; "
                    f"use {', '.join(system.coordinates)}.",
                    key=("symmetry", label, name),
                )


MOST_COMPARED = 60
"""So many constraints are compared with each other, pair by pair."""


def check_repeated(where: str, what: str, residuals: Sequence[Expr]) -> None:
    """Refuse a residual that occurs twice, up to its sign: two reactions for one constraint are not determined."""
    for i, residual in enumerate(residuals[:MOST_COMPARED]):
        for j, other in enumerate(residuals[:i]):
            if residual == other or residual + other == 0:
                message = f"{where}: {what} {i + 1} says the same as {what} {j + 1}; remove one of them."
                raise ModelError(message, key=("holonomic" if "holonomic" in what else "constraints", i))


def listed(value: Any, what: str) -> Sequence[Any]:
    """Residuals; an equation ``A = B``, as text or SymPy's Eq, is its difference."""
    if isinstance(value, str):
        return [difference(value)]
    try:
        return [difference(e) for e in value]
    except TypeError:
        raise ModelError(
            f'{what} must be a list of residuals, e.g. {what}=["ydot*cos(theta) - xdot*sin(theta)"].'
        ) from None


def check_kinds(written: Written) -> None:
    """Refuse words of the wrong kind before anything is read from them."""
    for word in ("start", "forces", "magnetic", "units"):
        if not isinstance(getattr(written, word), Mapping):
            message = f"{written.name}: {word} must be a table of names, e.g. {word}={{…}}; found {getattr(written, word)!r}."
            raise ModelError(message, key=(word,))
    for word, kind, example in (("frame", Frame, 'nh.SO3("R")'), ("symmetry", Symmetry, 'nh.translation("x", "y")')):
        if getattr(written, word) is not None and not isinstance(getattr(written, word), kind):
            raise ModelError(
                f"{written.name}: {word} must be made by nonholo, e.g. {example}; found {getattr(written, word)!r}."
                + (" Several frames are joined by *: nh.SO3(\"R\") * nh.Euclidean(\"x\")." if word == "frame" else ""),
                key=(word,),
            )
    if not isinstance(written.name, str):
        raise ModelError(f"name must be text; found {written.name!r}.", key=("name",))
    if written.parametric is not None:
        try:
            _, table = written.parametric
        except (TypeError, ValueError):
            table = None
        if not isinstance(table, Mapping):
            raise ModelError(
                f'{written.name}: parametric must be ("z1 z2", {{"xdot": "…", …}}); found {written.parametric!r}.',
                key=("parametric",),
            )


def read_names(written: Written) -> tuple[FrozenMap[str, float | None], dict[str, Any]]:
    """Parameters with their numbers, and inputs with their laws, unread."""
    where = written.name
    given, driven = written.parameters, written.inputs
    numbers = list(given.values()) if isinstance(given, Mapping) else []
    if isinstance(given, Mapping):
        given = list(given)
    laws = list(driven.values()) if isinstance(driven, Mapping) else []
    if isinstance(driven, Mapping):
        driven = list(driven)
    with about("parameters"):
        names = names_of(given, f"{where}: parameters") if given else ()
    with about("inputs"):
        inputs = names_of(driven, f"{where}: inputs") if driven else ()

    def number(name: str, value: Any) -> float | None:
        with about("parameters", name):
            return None if value is None else finite(value, f"{where}: parameter {name}")

    parameters = {name: number(name, value) for name, value in zip(names, numbers or [None] * len(names))}
    return FrozenMap(parameters), dict(zip(inputs, laws or [None] * len(inputs)))


def read_start(written: Written) -> FrozenMap[str, float]:
    given = dict(written.start)

    def number(name: Any, value: Any) -> float:
        with about("start", str(name)):
            return guessed(value, lambda e: finite(e, f"{written.name}: start {name}"))

    return FrozenMap({str(k): number(k, v) for k, v in given.items()})


def read_until(written: Written) -> float | None:
    """How long the motion is, in seconds, or when it ends where it began at another time than 0."""
    with about("until"):
        return None if written.until is None else finite(written.until, f"{written.name}: until")


def read_drawing(written: Written, system: Understood) -> Drawing | None:
    """The drawing, its expressions in the system's names; see `nonholo.model.drawing.drawing_words`."""
    if written.drawing is None:
        return None
    extra = system.parametric[0] if system.parametric is not None else ()
    found = drawing_of(written.drawing, f"{system.name}: drawing", system.frame)
    check_drawing(found, (*known_names(system), *extra), f"{system.name}: drawing")
    return found


def read_laws(system: Understood, given: Mapping[str, Any]) -> FrozenMap[str, Any]:
    """The laws of the inputs: numbers, or expressions of time, state, accelerations and reactions; None where none is given."""
    known = law_names(system)
    read: dict[str, Any] = {}
    for name, value in given.items():
        where = f"{system.name}: input {name}"
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        with about("inputs", str(name)):
            if value is None or plain:
                read[name] = value if value is None else finite(value, where)
            else:
                read[name] = expression(with_multipliers(system, value, where), known, where)
    return FrozenMap(read)


def read_frame(
    written: Written, parameters: FrozenMap[str, float | None]
) -> tuple[Frame, FrozenMap[str, float | None]]:
    """The frame on all coordinates, and the parameters with those that the frame brings along."""
    where = written.name
    with about("coordinates"):
        names = names_of(written.coordinates, f"{where}: coordinates") if written.coordinates else ()
    given: Frame | None = written.frame
    if given is None:
        if not names:
            raise ModelError(f'{where}: no coordinates; give coordinates="theta x y" or frame=nh.SO3(…).')
        frame = Euclidean(names)
    else:
        extra = tuple(c for c in names if c not in given.coordinates)
        frame = product(given, Euclidean(extra)) if extra else given
    return frame, FrozenMap({**parameters, **{p: None for p in frame.parameters if p not in parameters}})


def read_quasivelocities(written: Written, system: Understood) -> FrozenMap[str, Expr]:
    """The quasi-velocities as linear forms; no name may mean two things."""
    forms = written.quasivelocities
    if not isinstance(forms, Mapping):
        message = f'{system.name}: quasivelocities must be a table, e.g. {{"omega": "thetadot"}}.'
        raise ModelError(message, key=("quasivelocities",))
    with about("quasivelocities"):
        quasi = names_of(list(forms), f"{system.name}: quasi-velocities") if forms else ()
    with about("parametric"):
        params = names_of(_parametric_names(written), f"{system.name}: parametric") if written.parametric is not None else ()
    rates = tuple(rate(c) for c in system.coordinates)
    check_clashes(
        {
            "coordinate": system.coordinates,
            "rate": rates,
            "velocity": tuple(v for v in system.frame.velocities if v not in rates),
            "quasi-velocity": quasi,
            "velocity parameter": params,
            "parameter": tuple(system.parameters),
            "input": tuple(system.inputs),
            "time": ("t",),
        }
    )
    moving = (*system.coordinates, *rates, *system.frame.velocities, *quasi, *params, *system.inputs)
    check_reserved(system.name, moving)
    allowed = (*system.coordinates, *rates, *system.frame.velocities, *system.parameters)
    known = system.frame.velocities
    read = {}
    for name, text in forms.items():
        where = f"{system.name}: quasi-velocity {name}"
        with about("quasivelocities", str(name), VALUE):
            form = expression(text, allowed, where)
            linear_form(substitute([form], rate_table(system))[0], symbols(known), where)
        read[str(name)] = form
    return FrozenMap(read)


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
    message = f"{system.name}: {what} on {name!r}, which is neither a coordinate nor a quasi-velocity; choose from {choices}."
    raise ModelError(message, key=("forces", name) if what == "force" else ("magnetic",))


def plain_key(key: Any) -> str:
    """A key as its name: text, a symbol, or SymPy's ``x(t)``; names that text cannot hold as they are called here."""
    return plain_name(str(key.func) if getattr(key, "args", None) and hasattr(key, "func") else str(key))


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
