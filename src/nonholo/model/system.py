"""A mechanical system in words: coordinates, Lagrangian, constraints, forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ZERO, smooth, substitute, symbol, symbols
from nonholo.algebra.door import check_clashes, expression, names_of
from nonholo.algebra.frozen import FrozenMap
from nonholo.errors import ModelError, StateError
from nonholo.geometry.frame import Euclidean, Frame, linear_form, product, rate
from nonholo.model.symmetry import Symmetry

Expr = Any
TIME = symbol("t")
GRAVITY = 9.81
"""Value of a parameter named ``g`` to which none is given, in m/s²."""


@dataclass(frozen=True)
class System:
    """A mechanical system with velocity constraints, as a user writes it.

    Every expression is text, SymPy or SymEngine. ``constraints`` are residuals that vanish (linear, affine or
    nonlinear in the rates), ``holonomic`` residuals in the coordinates alone, ``parametric`` is Benenti's
    ``q̇ = ψ(q, z)``: ``("v1 v2 th", {"x1dot": "v1*cos(th)", …})``. A force is paired with a coordinate or a
    quasi-velocity by its power; a magnetic 2-form ``M`` gives ``Q_i = M_ij q̇^j`` [MacDonnell 1997 (2.2)], so that
    ``magnetic={("x", "y"): "B"}`` is the field B along z of a unit charge.

    >>> sleigh = System(
    ...     name="Chaplygin sleigh", coordinates="theta x y", parameters="m J a",
    ...     lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
    ...     constraints=["ydot*cos(theta) - xdot*sin(theta)"])
    >>> sleigh.frame.velocities
    ('thetadot', 'xdot', 'ydot')
    """

    name: str = "system"
    coordinates: Any = ()
    lagrangian: Any = None
    parameters: Any = ()
    constraints: Any = ()
    quasivelocities: Any = field(default_factory=FrozenMap)
    frame: Frame | None = None
    parametric: Any = None
    holonomic: Any = ()
    forces: Any = field(default_factory=FrozenMap)
    magnetic: Any = field(default_factory=FrozenMap)
    inputs: Any = ()
    symmetry: Symmetry | None = None
    values: Any = field(default_factory=FrozenMap)
    start: Any = field(default_factory=FrozenMap)

    def __post_init__(self) -> None:
        put = _Putter(self)
        _read_names(self, put)
        _read_frame(self, put)
        _check_names(self)
        known = known_names(self)
        where = self.name
        if self.lagrangian is None:
            raise ModelError(f'{where}: no lagrangian; give lagrangian="kinetic energy - potential energy".')
        put("lagrangian", expression(self.lagrangian, known, f"{where}: lagrangian"))
        put(
            "constraints",
            tuple(
                expression(c, known, f"{where}: constraint {i + 1}")
                for i, c in enumerate(_listed(self.constraints, "constraints"))
            ),
        )
        positions = (*self.coordinates, *self.parameters, "t")
        put(
            "holonomic",
            tuple(
                expression(c, positions, f"{where}: holonomic constraint {i + 1}")
                for i, c in enumerate(_listed(self.holonomic, "holonomic"))
            ),
        )
        put(
            "forces",
            FrozenMap(
                {
                    _force_name(self, str(k)): expression(e, known, f"{where}: force on {k}")
                    for k, e in dict(self.forces).items()
                }
            ),
        )
        put(
            "magnetic",
            FrozenMap(
                {
                    _magnetic_pair(self, k): expression(e, known, f"{where}: magnetic form {k}")
                    for k, e in dict(self.magnetic).items()
                }
            ),
        )
        _read_parametric(self, put)

    @property
    def velocities(self) -> tuple[str, ...]:
        """The names of the frame's velocities ``v``."""
        assert self.frame is not None
        names: tuple[str, ...] = self.frame.velocities
        return names


class _Putter:
    def __init__(self, system: System) -> None:
        self.system = system

    def __call__(self, name: str, value: Any) -> None:
        object.__setattr__(self.system, name, value)


def _listed(value: Any, what: str) -> Sequence[Any]:
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        raise ModelError(
            f'{what} must be a list of residuals, e.g. {what}=["ydot*cos(theta) - xdot*sin(theta)"].'
        ) from None


def _read_names(system: System, put: _Putter) -> None:
    values = dict(system.values)
    if isinstance(system.parameters, Mapping):
        values = {**values, **{str(k): v for k, v in system.parameters.items() if v is not None}}
    names = list(system.parameters) if isinstance(system.parameters, Mapping) else system.parameters
    put("parameters", names_of(names, f"{system.name}: parameters") if names else ())
    put("inputs", names_of(system.inputs, f"{system.name}: inputs") if system.inputs else ())
    put("coordinates", names_of(system.coordinates, f"{system.name}: coordinates") if system.coordinates else ())
    put("values", FrozenMap({k: finite(v, f"{system.name}: parameter {k}") for k, v in values.items()}))
    put("start", FrozenMap({str(k): finite(v, f"{system.name}: start {k}") for k, v in dict(system.start).items()}))
    stray = [k for k in system.values if k not in system.parameters]
    if stray:
        raise ModelError(
            f"{system.name}: a value is given for {stray[0]!r}, which is not a parameter; declare it or remove it."
        )


def finite(value: Any, where: str) -> float:
    """The number, or a StateError when it is none or not finite."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise StateError(f"{where}: {value!r} is not a number.") from None
    if not isfinite(number):
        raise StateError(f"{where} is {number}; a finite number is needed.")
    return number


def _read_frame(system: System, put: _Putter) -> None:
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


def _check_names(system: System) -> None:
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


def _force_name(system: System, name: str) -> str:
    return _velocity_name(system, name, "force")


def _magnetic_pair(system: System, key: Any) -> tuple[str, str]:
    pair = tuple(str(key).replace(",", " ").split()) if isinstance(key, str) else tuple(map(str, key))
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


def _read_parametric(system: System, put: _Putter) -> None:
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


def velocity_table(system: System) -> dict[Any, Expr]:
    """Every declared velocity name (rates, quasi-velocities) as an expression in the frame's velocities."""
    table = rate_table(system)
    forms = {symbol(n): substitute([e], table)[0] for n, e in system.quasivelocities.items()}
    return {**table, **forms}


def resolve(system: System, exprs: Sequence[Expr], where: str = "expression") -> tuple[Expr, ...]:
    """Expressions in ``(x, v, t)`` alone, differentiable: rates and quasi-velocities are replaced by the frame's ``v``."""
    return tuple(smooth(e, where) for e in substitute(exprs, velocity_table(system)))


def parameter_values(system: System, given: Mapping[str, Any] | None) -> dict[str, float]:
    """The values of all parameters: given ones first, then the system's own; ``g`` is 9.81 unless told otherwise."""
    given = dict(given or {})
    stray = [k for k in given if k not in system.parameters]
    if stray:
        import difflib

        near = difflib.get_close_matches(str(stray[0]), system.parameters, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"its parameters are {', '.join(system.parameters) or 'none'}."
        raise StateError(f"{system.name} has no parameter {stray[0]!r}; {hint}")
    result: dict[str, float] = {}
    for name in system.parameters:
        if name in given:
            result[name] = finite(given[name], f"{system.name}: parameter {name}")
        elif name in system.values:
            result[name] = system.values[name]
        elif name == "g":
            result[name] = GRAVITY
        else:
            raise StateError(f'{system.name}: the parameter {name!r} has no value; give parameters={{"{name}": …}}.')
    return result


def covector(system: System, name: str) -> tuple[Expr, ...]:
    """The 1-form paired with a coordinate, rate, velocity or quasi-velocity, in the frame: ``form(v) = Σ form_j v^j``."""
    assert system.frame is not None
    v = symbols(system.frame.velocities)
    target = symbol(rate(name)) if name in system.coordinates else symbol(name)
    form = substitute([target], velocity_table(system))[0]
    return linear_form(form, v, f"{system.name}: {name}")


def force_covector(system: System) -> tuple[Expr, ...]:
    """``Q_j`` in the frame: generalized and magnetic forces, in ``(x, v, t, inputs)``.

    A force on a coordinate or quasi-velocity enters by its power; the magnetic 2-form gives ``Q_i = M_ij v^j``
    [MacDonnell 1997 (2.2)].
    """
    assert system.frame is not None
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
