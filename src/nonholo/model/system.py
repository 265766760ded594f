"""A mechanical system in words: coordinates, Lagrangian, constraints, forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ZERO, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.kinks import smooth
from nonholo.errors import ModelError, StateError, give_parameter, meant
from nonholo.geometry.frames.frame import Frame, linear_form, rate
from nonholo.model.declared_words import (
    NOTHING,
    Blueprint,
    Formula,
    Formulas,
    Names,
    Understood,
    Written,
    known_names,
    rate_table,
)
from nonholo.model.reading import plain_key, understood
from nonholo.model.scalars import finite
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.notation.read import is_formula, names_of
from nonholo.notation.write import to_text

TIME = symbol("t")
GRAVITY = 9.81
"""Value of a parameter named ``g`` to which none is given, in m/s²."""
NAMING = {"frame", "coordinates", "parameters", "quasivelocities", "parametric", "inputs"}
"""Words that decide which names a system has."""
NUMBERS = {"start", "until", "units", "drawing", "page", "symmetry"}
"""Words that leave the equations alone, as numbers of parameters and laws of inputs do: a machine is still the one assembled."""
DURATION = 10.0
"""Default duration of a motion in seconds."""


@dataclass(frozen=True, init=False, repr=False)
class System(Understood):
    """A mechanical system with velocity constraints, understood: the fields hold what was read from a user's words.

    Every expression is given as text, SymPy or SymEngine. ``constraints`` are residuals that vanish (linear, affine or
    nonlinear in the rates), ``holonomic`` residuals in the coordinates alone, ``parametric`` is Benenti's
    ``q̇ = ψ(q, z)``: ``("v1 v2 th", {"x1dot": "v1*cos(th)", …})``. A force is paired with a coordinate or a
    quasi-velocity by its power; a magnetic 2-form ``M`` gives ``Q_i = M_ij q̇^j`` [MacDonnell 1997 (2.2)], so that
    ``magnetic={("x", "y"): "B"}`` is the field B along z of a unit charge.

    ``parameters`` are names, or a table of names and numbers (None where none is given); the field is such a table. So are
    ``inputs``, with laws: numbers, or expressions of time, state, accelerations and reactions. These numbers and laws,
    ``start``, ``until``, ``units`` and ``drawing`` are what a motion and its pictures take when they are not told
    otherwise; a drawing is a `Drawing`, or a list of shapes as in a file (``docs/files.md``). ``page`` says what its names mean,
    how far sliders reach, and gives presets, for living pages (`nonholo.model.files.page_options`).
    ``contacts`` are tables: the equations of the system are those in which all contacts are closed and roll.

    >>> sleigh = System(
    ...     name="Chaplygin sleigh", coordinates="theta x y", parameters="m J a",
    ...     lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
    ...     constraints=["ydot*cos(theta) - xdot*sin(theta)"])
    >>> sleigh.frame.velocities
    ('thetadot', 'xdot', 'ydot')
    >>> sleigh.parameters
    {'m': None, 'J': None, 'a': None}
    """

    def __init__(
        self,
        name: str = "system",
        coordinates: Names = (),
        lagrangian: Formula | None = None,
        parameters: Names | Mapping[str, float | None] = (),
        constraints: Formulas = (),
        quasivelocities: Mapping[str, Formula] = NOTHING,
        frame: Frame | None = None,
        parametric: tuple[Names, Mapping[str, Formula]] | None = None,
        holonomic: Formulas = (),
        forces: Mapping[str, Formula] = NOTHING,
        magnetic: Mapping[Any, Formula] = NOTHING,
        inputs: Names | Mapping[str, Formula | None] = (),
        symmetry: Symmetry | None = None,
        start: Mapping[str, float] = NOTHING,
        until: float | None = None,
        units: Mapping[str, str] = NOTHING,
        drawing: Any = None,
        page: Any = None,
        machine: Blueprint | None = None,
        contacts: Sequence[Any] = (),
    ) -> None:
        words = locals()
        written = Written(**{field.name: words[field.name] for field in fields(Understood)})
        for key, value in vars(understood(written)).items():
            object.__setattr__(self, key, value)

    def __repr__(self) -> str:
        """What was given, as text that reads back, as far as it is not too long."""
        words = [f"name={self.name!r}", f"coordinates={' '.join(self.coordinates)!r}"]
        known = known_parameters(self)
        words += [f"parameters={dict(self.parameters) if known else ' '.join(self.parameters)!r}"] if self.parameters else []
        laws = {n: e if e is None or isinstance(e, float) else to_text(e) for n, e in self.inputs.items()}
        words += [f"inputs={laws if known_inputs(self) else ' '.join(laws)!r}"] if laws else []
        energy = to_text(self.lagrangian)
        words += [f"lagrangian={energy if len(energy) <= 300 else f'{energy[:300]} …'!r}"]
        for key in ("constraints", "holonomic"):
            texts = [to_text(e) for e in getattr(self, key)]
            words += [f"{key}={[e if len(e) <= 150 else f'{e[:150]} …' for e in texts]}"] if texts else []
        more = ("quasivelocities", "parametric", "forces", "magnetic", "symmetry", "start", "drawing")
        words += [f"{key}=…" for key in (*more, "contacts") if getattr(self, key)]
        return f"System({', '.join(words)})"

    def _repr_latex_(self) -> str:
        from nonholo.model.rotation_axes import system_notation
        from nonholo.notation.latex import to_latex

        spelling = system_notation(self)
        rows = [f"L &= {to_latex(self.lagrangian, spelling=spelling)}"]
        rows += [f"{to_latex(e, spelling=spelling)} &= 0" for e in (*self.constraints, *self.holonomic)]
        return r"$\displaystyle \begin{aligned}" + r"\\ ".join(rows) + r"\end{aligned}$"

    def __eq__(self, other: object) -> bool:
        """The same fields, with parameters and inputs in the same order: arrays hold their numbers in it."""
        if not isinstance(other, System):
            return NotImplemented
        same_order = all(tuple(a) == tuple(b) for a, b in zip(_ordered(self), _ordered(other)))
        return same_order and vars(self) == vars(other)

    @property
    def velocities(self) -> tuple[str, ...]:
        """The names of the frame's velocities ``v``."""
        names: tuple[str, ...] = self.frame.velocities
        return names


def _ordered(system: System) -> tuple[Any, Any]:
    return system.parameters, system.inputs


def varied(system: System, **words: Any) -> System:
    """The system with other words; as `dataclasses.replace`, whose types know the fields and not what may be written.

    A drawing is made for its coordinates: it does not follow into another frame; nor do words for a page and contacts
    where names change. Parameters and inputs given by their names alone keep the numbers and laws that they have.

    >>> free = System(coordinates="x", parameters={"m": 2}, lagrangian="m*xdot**2/2")
    >>> varied(free, forces={"x": "-x"}).forces
    {'x': -x}
    >>> varied(free, parameters="m c").parameters
    {'m': 2.0, 'c': None}
    """
    told, changed = dict(words), set(words)
    for key, own in (("parameters", system.parameters), ("inputs", system.inputs)):
        if key in words:
            given = words[key]
            if not isinstance(given, Mapping):
                told[key] = {n: own.get(n) for n in names_of(given, f"{system.name}: {key}")}
            if tuple(map(plain_key, told[key])) == tuple(own):
                changed.remove(key)
    told = {"drawing": None, **told} if "frame" in words else told
    told = {"page": None, "contacts": (), **told} if NAMING & changed else told
    told = {"machine": None, **told} if not changed <= NUMBERS else told
    return replace(system, **told)


def numbered(
    system: System,
    parameters: Mapping[str, float | None] | None = None,
    start: Mapping[str, float] | None = None,
    until: float | None = None,
    units: Mapping[str, str] | None = None,
) -> System:
    """The same system with other numbers, which need no reading anew; parameters that are left out have none.

    >>> fall = System(coordinates="z", parameters={"m": 2}, lagrangian="m*zdot**2/2")
    >>> numbered(fall, {"m": 3.0}, until=4.0).parameters
    {'m': 3.0}
    """
    if parameters is not None:
        _refuse_stray(system, parameters)
    words: dict[str, Any] = {
        "parameters": None if parameters is None else FrozenMap({n: parameters.get(n) for n in system.parameters}),
        "start": None if start is None else FrozenMap(start),
        "until": until,
        "units": None if units is None else FrozenMap(units),
    }
    result = copy(system)
    for key, value in words.items():
        if value is not None:
            object.__setattr__(result, key, value)
    return result


def velocity_table(system: System) -> dict[Any, Expr]:
    """Every declared velocity name (rates, quasi-velocities) as an expression in the frame's velocities."""
    table = rate_table(system)
    forms = {symbol(n): substitute([e], table)[0] for n, e in system.quasivelocities.items()}
    return {**table, **forms}


def resolve(system: System, exprs: Sequence[Expr], where: str = "expression") -> tuple[Expr, ...]:
    """Expressions in ``(x, v, t)`` alone, differentiable: rates and quasi-velocities are replaced by the frame's ``v``."""
    return tuple(smooth(e, where) for e in substitute(exprs, velocity_table(system)))


def check_system(value: Any) -> None:
    """Refuse what is no System, and say how to get one.

    >>> check_system("rattleback")
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: found text where a System was needed; use nh.gallery.get('rattleback').system or nh.load(file).
    """
    if isinstance(value, System):
        return
    if isinstance(getattr(value, "system", None), System):
        hint = "use its .system."
    elif hasattr(value, "origin") and hasattr(value, "kinematics"):
        hint = (
            "this question is asked of a Lagrangian, its constraints and symmetry, which these equations do not have; simulate, "
            "prepare, ensemble, fit, linearise, equilibria, stability, check, lyapunov and export take them as they are."
        )
    elif isinstance(value, str):
        hint = f"use nh.gallery.get({value!r}).system or nh.load(file)."
    else:
        hint = "build one with nh.System(coordinates=…, lagrangian=…)."
    found = "text" if isinstance(value, str) else type(value).__name__
    raise ModelError(f"found {found} where a System was needed; {hint}")


def named(given: Any, what: str, example: str) -> dict[str, Any]:
    """A user's table with plain names as keys: text, symbols, or SymPy's ``x(t)``."""
    if given is not None and not isinstance(given, Mapping):
        raise StateError(f"{what} must be a table of names and numbers, e.g. {example}; found {type(given).__name__}.")
    return {plain_key(key): value for key, value in dict(given or {}).items()}


def parameter_values(system: System, given: Mapping[str, Any] | None) -> dict[str, float]:
    """The values of all parameters: given ones first, then the system's own; ``g`` is 9.81 by default."""
    given = named(given, f"{system.name}: parameters", '{"m": 1.5}')
    _refuse_stray(system, given)
    result: dict[str, float] = {}
    for name, own in system.parameters.items():
        if given.get(name) is not None:
            result[name] = finite(given[name], f"{system.name}: parameter {name}")
        elif own is not None:
            result[name] = own
        elif name == "g":
            result[name] = GRAVITY
        else:
            message = f"{system.name}: the parameter {name!r} has no value;"
            raise StateError(message, remedy=give_parameter(name), key=("parameters", name))
    return result


def _refuse_stray(system: System, given: Mapping[str, Any]) -> None:
    """Refuse numbers for names that are no parameters of the system."""
    stray = next((n for n in given if n not in system.parameters), None)
    if stray is not None:
        hint = meant(stray, system.parameters, f"its parameters are {', '.join(system.parameters) or 'none'}.")
        raise StateError(f"{system.name} has no parameter {stray!r}; {hint}")


def known_parameters(system: System, given: Mapping[str, Any] | None = None) -> dict[str, float]:
    """The parameters that have a number: a given one, else the system's own.

    >>> spring = System(coordinates="x", parameters={"m": 2, "k": None}, lagrangian="m*xdot**2/2 - k*x**2/2")
    >>> known_parameters(spring), known_parameters(spring, {"m": None, "k": 3})
    ({'m': 2.0}, {'m': 2.0, 'k': 3})
    """
    return {n: e for table in (system.parameters, given or {}) for n, e in table.items() if e is not None}


def known_inputs(system: System) -> dict[str, Any]:
    """The inputs that have a law, with it.

    >>> cart = System(coordinates="x", inputs={"u": "sin(t)", "w": None}, lagrangian="xdot**2/2", forces={"x": "u + w"})
    >>> known_inputs(cart)
    {'u': sin(t)}
    """
    return {n: e for n, e in system.inputs.items() if e is not None}


def with_inputs(system: System, inputs: Mapping[str, Any]) -> System:
    """The system with these laws of its inputs; tables and Python functions cannot be part of it."""
    told = {n: e for n, e in inputs.items() if is_formula(e) or isinstance(e, (int, float))}
    return varied(system, inputs={**system.inputs, **told}) if told else system


def without_laws(system: System) -> System:
    """The system whose inputs have no law of their own, free to be chosen."""
    return varied(system, inputs=dict.fromkeys(system.inputs), page=None)


def covector(system: System, name: str) -> tuple[Expr, ...]:
    """The 1-form paired with a coordinate, rate, velocity or quasi-velocity, in the frame: ``form(v) = Σ form_j v^j``."""
    v = symbols(system.frame.velocities)
    target = symbol(rate(name)) if name in system.coordinates else symbol(name)
    form = substitute([target], velocity_table(system))[0]
    return linear_form(form, v, f"{system.name}: {name}")


def force_covector(system: System) -> tuple[Expr, ...]:
    """``Q_j`` in the frame: generalized and magnetic forces, in ``(x, v, t, inputs)``.

    A force on a coordinate or quasi-velocity enters by its power; the magnetic 2-form gives ``Q_i = M_ij v^j``
    [MacDonnell 1997 (2.2)].
    """
    v = symbols(system.frame.velocities)
    total = [ZERO] * len(v)
    for name, value in system.forces.items():
        (size,) = resolve(system, [value], f"{system.name}: force on {name}")
        for j, part in enumerate(covector(system, name)):
            total[j] += size * part
    for (first, second), value in system.magnetic.items():
        (size,) = resolve(system, [value], f"{system.name}: magnetic form")
        one, two = covector(system, first), covector(system, second)
        along_one = se.Add(*(p * s for p, s in zip(one, v)))
        along_two = se.Add(*(p * s for p, s in zip(two, v)))
        for j in range(len(v)):
            total[j] += size * (one[j] * along_two - two[j] * along_one)
    return tuple(total)


__all__ = [
    "DURATION",
    "GRAVITY",
    "TIME",
    "System",
    "covector",
    "finite",
    "force_covector",
    "known_inputs",
    "known_names",
    "known_parameters",
    "numbered",
    "parameter_values",
    "resolve",
    "varied",
    "velocity_table",
]


class AboutSystem:
    """Parameters, start and end of the motion of ``system``: for exhibits of the gallery and subjects of reports."""

    system: System

    @property
    def parameters(self) -> Mapping[str, float]:
        """The parameters to which the system gives a number."""
        return known_parameters(self.system)

    @property
    def start(self) -> Mapping[str, float]:
        """Where its motion begins."""
        return self.system.start

    @property
    def until(self) -> float:
        """How long its motion is shown, in seconds."""
        return self.system.until if self.system.until is not None else DURATION
